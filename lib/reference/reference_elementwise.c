// The elementwise ops: one function per row of elementwise.def and element domain, and the loop over
// logical positions with NumPy's broadcasting. Called through the table at the end.
#include <math.h>
#include <stdlib.h>

#include "dialect/type_schema.h"
#include "ir/build.h"
#include "reference/reference_internal.h"

// ---- What each op does to one element -------------------------------------------------------

static double real_add(double x, double y) { return x + y; }
static double real_sub(double x, double y) { return x - y; }
static double real_mul(double x, double y) { return x * y; }
static double real_div(double x, double y) { return x / y; }
static double real_maximum(double x, double y) { return ragged_reference_maximum(x, y); }
static double real_exp(double x) { return exp(x); }
// 1 + erf(t) = erfc(-t), which does not cancel for negative t. In long double, because far out erfc
// turns the rounding of its argument into an error that grows with x^2.
static long double normal_cdf(long double x) { return erfcl(-x / sqrtl(2.0L)) / 2; }
static double real_normal_cdf(double x) { return (double)normal_cdf(x); }
static double real_gelu(double x) { return (double)(x * normal_cdf(x)); }
static double real_relu(double x) { return ragged_reference_maximum(x, 0.0); }
// e^x / (1 + e^x) for negative x, where e^-x would overflow.
static double real_sigmoid(double x) { return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x)); }

static int64_t integer_add(int64_t x, int64_t y) { return ragged_reference_wrap_add(x, y); }
static int64_t integer_sub(int64_t x, int64_t y) { return (int64_t)((uint64_t)x - (uint64_t)y); }
static int64_t integer_mul(int64_t x, int64_t y) { return ragged_reference_wrap_multiply(x, y); }
static int64_t integer_div(int64_t x, int64_t y) {
  if (y == 0) return 0;
  if (y == -1) return (int64_t)(0 - (uint64_t)x);  // INT64_MIN / -1 wraps
  return x / y;
}
static int64_t integer_maximum(int64_t x, int64_t y) { return x > y ? x : y; }
static int64_t integer_relu(int64_t x) { return x > 0 ? x : 0; }
static double real_neg(double x) { return -x; }
static double real_sqrt(double x) { return sqrt(x); }
static double real_rsqrt(double x) { return (double)(1 / sqrtl((long double)x)); }
static double real_erf(double x) { return erf(x); }
static int64_t integer_neg(int64_t x) { return (int64_t)(0 - (uint64_t)x); }
// Ops of the float domain have none.
#define integer_sqrt NULL
#define integer_rsqrt NULL
#define integer_exp NULL
#define integer_erf NULL
#define integer_normal_cdf NULL
#define integer_gelu NULL
#define integer_sigmoid NULL

#define COMPARISON(name, op)                                        \
  static bool real_##name(double x, double y) { return x op y; }    \
  static bool integer_##name(int64_t x, int64_t y) { return x op y; }
COMPARISON(equal, ==)
COMPARISON(not_equal, !=)
COMPARISON(less, <)
COMPARISON(less_equal, <=)
COMPARISON(greater, >)
COMPARISON(greater_equal, >=)

static ragged_reference_number where(bool real, const ragged_reference_number *x) {
  (void)real;
  return x[0].integer ? x[1] : x[2];
}
static ragged_reference_number clamp(bool real, const ragged_reference_number *x) {
  ragged_reference_number y = {0};
  if (real) {
    double lifted = ragged_reference_maximum(x[0].real, x[1].real);
    y.real = -ragged_reference_maximum(-lifted, -x[2].real);
  } else {
    int64_t lifted = integer_maximum(x[0].integer, x[1].integer);
    y.integer = lifted < x[2].integer ? lifted : x[2].integer;
  }
  return y;
}

typedef struct element_functions {
  const char *name;
  int num_operands;
  int num_conditions;  // the first operands, which say something of the others
  double (*real_unary)(double);
  int64_t (*integer_unary)(int64_t);
  double (*real_binary)(double, double);
  int64_t (*integer_binary)(int64_t, int64_t);
  bool (*real_compare)(double, double);
  bool (*integer_compare)(int64_t, int64_t);
  ragged_reference_number (*ternary)(bool real, const ragged_reference_number *x);
} element_functions;

static const element_functions kFunctions[] = {
#define RAGGED_UNARY(Class, name, domain, summary, formula) \
  {"ragged." #name, 1, 0, .real_unary = real_##name, .integer_unary = integer_##name},
#define RAGGED_BINARY(Class, name, domain, summary, formula) \
  {"ragged." #name, 2, 0, .real_binary = real_##name, .integer_binary = integer_##name},
#define RAGGED_COMPARE(Class, name, domain, summary, formula) \
  {"ragged." #name, 2, 0, .real_compare = real_##name, .integer_compare = integer_##name},
#define RAGGED_TERNARY(Class, name, domain, summary, formula) \
  {"ragged." #name, 3, (domain)[0] == 'c', .ternary = name},
#include "dialect/elementwise.def"
};

static const element_functions *find_functions(MlirOperation operation) {
  for (size_t k = 0; k < sizeof kFunctions / sizeof kFunctions[0]; ++k)
    if (ragged_operation_is(operation, kFunctions[k].name)) return &kFunctions[k];
  return NULL;
}

static ragged_reference_number apply(const element_functions *functions, bool real,
                                     const ragged_reference_number *x) {
  ragged_reference_number y = {0};
  if (functions->ternary) return functions->ternary(real, x);
  if (functions->real_compare) {
    y.integer = real ? functions->real_compare(x[0].real, x[1].real)
                     : functions->integer_compare(x[0].integer, x[1].integer);
  } else if (functions->num_operands == 1) {
    if (real)
      y.real = functions->real_unary(x[0].real);
    else
      y.integer = functions->integer_unary(x[0].integer);
  } else if (real) {
    y.real = functions->real_binary(x[0].real, x[1].real);
  } else {
    y.integer = functions->integer_binary(x[0].integer, x[1].integer);
  }
  return y;
}

// ---- Shapes ---------------------------------------------------------------------------------

// A dimension of a ragged operand along which it is repeated.
static bool repeats(const ragged_reference_value *operand, int dimension) {
  ragged_dimension own = operand->schema.dimensions[dimension];
  return operand->kind == RAGGED_REFERENCE_RAGGED && !own.axis && own.extent == 1;
}

static ragged_status extents_differ(const ragged_reference_value *operand, int k, int d, int64_t sample,
                                    int64_t extent, int64_t expected, int from) {
  if (operand->kind == RAGGED_REFERENCE_DENSE)
    return RAGGED_REFERENCE_INVALID("operand #%d has extent %lld in dimension %d, expected %lld as in "
                                    "operand #%d",
                                    k, (long long)extent, d, (long long)expected, from);
  return RAGGED_REFERENCE_INVALID("operand #%d has extent %lld in dimension %d of sample %lld, expected "
                                  "%lld as in operand #%d",
                                  k, (long long)extent, d, (long long)sample, (long long)expected, from);
}

// Extents of all samples of the result: those of the operands that are not repeated, which agree.
static ragged_status join_extents(const ragged_reference_step *step, int rank, int64_t batch,
                                  int64_t *extents) {
  for (int64_t i = 0; i < batch; ++i)
    for (int d = 0; d < rank; ++d) {
      int64_t *extent = &extents[i * rank + d];
      int from = -1;
      *extent = 1;
      for (int k = 0; k < step->num_operands; ++k) {
        const ragged_reference_value *operand = step->operands[k];
        if (operand->kind == RAGGED_REFERENCE_SCALAR || repeats(operand, d)) continue;
        int64_t own = ragged_reference_extents(operand, i)[d];
        if (from >= 0 && own != *extent) return extents_differ(operand, k, d, i, own, *extent, from);
        *extent = own;
        from = k;
      }
    }
  return NULL;
}

// What the type of an operand says: scalars of i1 travel as i64.
static ragged_element_type element_of(const ragged_reference_step *step, int k) {
  ragged_element_type element = step->operands[k]->schema.element_type;
  ragged_type_get_element(mlirValueGetType(mlirOperationGetOperand(step->operation, k)), &element);
  return element;
}

// The schema, batch and kind of the result, from the operands that are not scalars; its elements are
// those of the operands from `num_conditions` on, which have one type.
static ragged_status join_operands(const ragged_reference_step *step, int num_conditions,
                                   ragged_schema *schema, int64_t *batch,
                                   ragged_reference_kind *kind) {
  ragged_schema schemas[3];
  int num_schemas = 0, first = -1;
  ragged_element_type element = element_of(step, num_conditions);
  for (int k = 0; k < step->num_operands; ++k) {
    const ragged_reference_value *operand = step->operands[k];
    if (element_of(step, k) != (k < num_conditions ? RAGGED_ELEMENT_I1 : element))
      return RAGGED_REFERENCE_INVALID("operand #%d has elements of %s, expected %s", k,
                                      ragged_element_name(element_of(step, k)),
                                      k < num_conditions ? "i1" : ragged_element_name(element));
    if (operand->kind == RAGGED_REFERENCE_SCALAR) continue;
    if (first >= 0) {
      const ragged_reference_value *other = step->operands[first];
      if (operand->kind != other->kind || operand->schema.rank != other->schema.rank)
        return RAGGED_REFERENCE_INVALID("operand #%d does not go with operand #%d", k, first);
      if (operand->batch != other->batch)
        return RAGGED_REFERENCE_INVALID("operand #%d has a batch of %lld, expected %lld as in "
                                        "operand #%d",
                                        k, (long long)operand->batch, (long long)other->batch,
                                        first);
    }
    first = k;
    schemas[num_schemas] = operand->schema;
    schemas[num_schemas++].element_type = element;
  }
  const ragged_reference_value *leader = step->operands[first < 0 ? 0 : first];
  *kind = leader->kind;
  *batch = leader->batch;
  *schema = leader->schema;
  schema->element_type = element;
  if (*kind != RAGGED_REFERENCE_RAGGED) return NULL;
  ragged_rule_error error;
  if (!ragged_rule_elementwise(num_schemas, schemas, schema, &error))
    return ragged_reference_rule(&error);
  return NULL;
}

static ragged_reference_number read_operand(const ragged_reference_value *operand, int64_t sample,
                                            const int64_t *position) {
  if (operand->kind == RAGGED_REFERENCE_SCALAR) return operand->numbers[0];
  int64_t own[RAGGED_MAX_RANK] = {0};
  for (int d = 0; d < operand->schema.rank; ++d) own[d] = repeats(operand, d) ? 0 : position[d];
  return ragged_reference_sample(operand, sample)[ragged_reference_row_major(
      operand->schema.rank, ragged_reference_extents(operand, sample), own)];
}

static ragged_status evaluate(ragged_reference_step *step) {
  const element_functions *functions = find_functions(step->operation);
  if (step->num_operands != functions->num_operands)
    return RAGGED_REFERENCE_INVALID("has %d operands, expected %d", step->num_operands,
                                    functions->num_operands);
  ragged_schema schema;
  int64_t batch = 0, *extents = NULL;
  ragged_reference_kind kind;
  RAGGED_RETURN_IF_ERROR(
      join_operands(step, functions->num_conditions, &schema, &batch, &kind));
  bool real = ragged_element_is_float(schema.element_type);
  if (!real && functions->num_operands == 1 && !functions->integer_unary)
    return RAGGED_REFERENCE_INVALID("is not defined on integers");
  if (functions->real_compare) schema.element_type = RAGGED_ELEMENT_I1;
  if (kind == RAGGED_REFERENCE_SCALAR && !ragged_element_is_float(schema.element_type))
    schema.element_type = RAGGED_ELEMENT_I64;
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_array(batch * schema.rank, sizeof(int64_t), (void **)&extents));
  ragged_status status = join_extents(step, schema.rank, batch, extents);
  if (!status) status = ragged_reference_allocate(&schema, batch, extents, step->result);
  free(extents);
  RAGGED_RETURN_IF_ERROR(status);
  step->result->kind = kind;

  for (int64_t i = 0; i < batch; ++i) {
    int64_t position[RAGGED_MAX_RANK] = {0};
    for (int64_t k = 0; k < ragged_reference_sample_size(step->result, i); ++k) {
      ragged_reference_number x[3] = {{0}};
      for (int n = 0; n < step->num_operands; ++n)
        x[n] = read_operand(step->operands[n], i, position);
      ragged_reference_sample(step->result, i)[k] = apply(functions, real, x);
      ragged_reference_advance(schema.rank, ragged_reference_extents(step->result, i), position);
    }
  }
  return NULL;
}

const ragged_reference_op ragged_reference_elementwise_ops[] = {
#define RAGGED_UNARY(Class, name, domain, summary, formula) {"ragged." #name, evaluate, false},
#define RAGGED_BINARY RAGGED_UNARY
#define RAGGED_COMPARE RAGGED_UNARY
// They choose among the numbers of their operands.
#define RAGGED_TERNARY(Class, name, domain, summary, formula) {"ragged." #name, evaluate, true},
#include "dialect/elementwise.def"
    {NULL, NULL, false},
};
