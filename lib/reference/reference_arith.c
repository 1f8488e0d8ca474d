// Builtin scalars: arith constants (dense ones too), arithmetic, comparisons, casts, select. Called
// by reference_run.c. Integers are kept sign-extended to 64 bits, i1 as 0 or 1.
#include <math.h>

#include "dialect/type_schema.h"
#include "ir/build.h"
#include "reference/reference_internal.h"

// The number of bits, 64 for index, 0 for other types.
static int width_of(MlirType type) {
  if (mlirTypeIsAIndex(type)) return 64;
  if (!mlirTypeIsAInteger(type)) return 0;
  unsigned width = mlirIntegerTypeGetWidth(type);
  return width <= 64 ? (int)width : 0;
}

// i1 is kept as 0 or 1, but 1 is -1 where an op looks at signs.
static int64_t as_signed(int64_t x, int width) { return width == 1 ? -x : x; }

typedef struct integers {
  int64_t x, y;
  int width;
  bool undefined;  // set: the op says nothing of these operands
} integers;

#define INTEGER_OP(name, formula)          \
  static int64_t name(integers *n) {       \
    int64_t x = n->x, y = n->y;            \
    (void)x, (void)y;                      \
    return (formula);                      \
  }
#define UNSIGNED_X ragged_reference_as_unsigned(x, n->width)
#define UNSIGNED_Y ragged_reference_as_unsigned(y, n->width)

static int64_t divide(integers *n) {
  if (n->y == 0 || (n->y == -1 && n->x == INT64_MIN >> (64 - n->width))) {
    n->undefined = true;
    return 0;
  }
  return n->x / n->y;
}
static int64_t remainder_of(integers *n) {
  int64_t quotient = divide(n);
  return n->undefined ? 0 : n->x - quotient * n->y;
}
// Whether the exact quotient lies off the truncated one, and on which side.
static int64_t divide_down(integers *n) {
  int64_t quotient = divide(n);
  bool exact = n->undefined || quotient * n->y == n->x;
  return exact || (n->x < 0) == (n->y < 0) ? quotient : quotient - 1;
}
static int64_t divide_up(integers *n) {
  int64_t quotient = divide(n);
  bool exact = n->undefined || quotient * n->y == n->x;
  return exact || (n->x < 0) != (n->y < 0) ? quotient : quotient + 1;
}
static int64_t divide_unsigned(integers *n) {
  uint64_t y = ragged_reference_as_unsigned(n->y, n->width);
  n->undefined = y == 0;
  return y ? (int64_t)(ragged_reference_as_unsigned(n->x, n->width) / y) : 0;
}
static int64_t divide_up_unsigned(integers *n) {
  uint64_t x = ragged_reference_as_unsigned(n->x, n->width), y = ragged_reference_as_unsigned(n->y, n->width);
  n->undefined = y == 0;
  return y ? (int64_t)(x / y + (x % y != 0)) : 0;
}
static int64_t remainder_unsigned(integers *n) {
  uint64_t y = ragged_reference_as_unsigned(n->y, n->width);
  n->undefined = y == 0;
  return y ? (int64_t)(ragged_reference_as_unsigned(n->x, n->width) % y) : 0;
}
static uint64_t shift_by(integers *n) {
  uint64_t by = ragged_reference_as_unsigned(n->y, n->width);
  n->undefined = by >= (uint64_t)n->width;
  return n->undefined ? 0 : by;
}
static int64_t shift_left(integers *n) { return (int64_t)((uint64_t)n->x << shift_by(n)); }
static int64_t shift_right(integers *n) { return n->x >> shift_by(n); }
static int64_t shift_right_unsigned(integers *n) {
  return (int64_t)(ragged_reference_as_unsigned(n->x, n->width) >> shift_by(n));
}
INTEGER_OP(add, ragged_reference_wrap_add(x, y))
INTEGER_OP(subtract, (int64_t)((uint64_t)x - (uint64_t)y))
INTEGER_OP(multiply, ragged_reference_wrap_multiply(x, y))
INTEGER_OP(bits_and, x &y)
INTEGER_OP(bits_or, x | y)
INTEGER_OP(bits_xor, x ^ y)
INTEGER_OP(smaller, x < y ? x : y)
INTEGER_OP(larger, x > y ? x : y)
INTEGER_OP(smaller_unsigned, UNSIGNED_X < UNSIGNED_Y ? x : y)
INTEGER_OP(larger_unsigned, UNSIGNED_X > UNSIGNED_Y ? x : y)

static const struct {
  const char *name;
  int64_t (*apply)(integers *);
} kIntegerOps[] = {
    {"arith.addi", add},
    {"arith.subi", subtract},
    {"arith.muli", multiply},
    {"arith.divsi", divide},
    {"arith.divui", divide_unsigned},
    {"arith.ceildivsi", divide_up},
    {"arith.ceildivui", divide_up_unsigned},
    {"arith.floordivsi", divide_down},
    {"arith.remsi", remainder_of},
    {"arith.remui", remainder_unsigned},
    {"arith.andi", bits_and},
    {"arith.ori", bits_or},
    {"arith.xori", bits_xor},
    {"arith.shli", shift_left},
    {"arith.shrsi", shift_right},
    {"arith.shrui", shift_right_unsigned},
    {"arith.minsi", smaller},
    {"arith.maxsi", larger},
    {"arith.minui", smaller_unsigned},
    {"arith.maxui", larger_unsigned},
};

static double real_add(double x, double y) { return x + y; }
static double real_subtract(double x, double y) { return x - y; }
static double real_multiply(double x, double y) { return x * y; }
static double real_divide(double x, double y) { return x / y; }
static double real_negate(double x, double y) {
  (void)y;
  return -x;
}
static double real_minimum(double x, double y) { return -ragged_reference_maximum(-x, -y); }

static const struct {
  const char *name;
  double (*apply)(double, double);
  bool moves;  // exact
} kRealOps[] = {
    {"arith.addf", real_add, false},        {"arith.subf", real_subtract, false},
    {"arith.mulf", real_multiply, false},   {"arith.divf", real_divide, false},
    {"arith.remf", fmod, false},            {"arith.negf", real_negate, true},
    {"arith.maximumf", ragged_reference_maximum, false},
    {"arith.minimumf", real_minimum, false},
    {"arith.maxnumf", fmax, false},         {"arith.minnumf", fmin, false},
};

// ---- Operands and results -------------------------------------------------------------------

// The scalar result of the op's type, zeroed.
static ragged_status make_scalar(MlirOperation operation, ragged_reference_list *results) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(operation, 0));
  ragged_element_type element_type = RAGGED_ELEMENT_I64;
  if (!width_of(type) &&
      !(ragged_type_is_scalar(type) && ragged_type_get_element(type, &element_type)))
    return ragged_status_make(RAGGED_STATUS_UNIMPLEMENTED,
                              "has a result that is no scalar of a type that the reference "
                              "interpreter knows");
  results->cells[0] = ragged_reference_cell_make();
  if (!results->cells[0])
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for a value");
  return ragged_reference_allocate_scalar(element_type, &results->cells[0]->value);
}

static ragged_reference_number operand(const ragged_reference_list *operands, int k) {
  return operands->cells[k]->value.numbers[0];
}

static MlirType operand_type(MlirOperation operation, int k) {
  return mlirValueGetType(mlirOperationGetOperand(operation, k));
}

static ragged_status run_integer(ragged_reference_interpreter *interpreter, MlirOperation operation,
                                 const ragged_reference_list *operands,
                                 ragged_reference_list *results) {
  (void)interpreter;
  RAGGED_RETURN_IF_ERROR(make_scalar(operation, results));
  int width = width_of(operand_type(operation, 0));
  integers n = {as_signed(operand(operands, 0).integer, width),
                as_signed(operand(operands, 1).integer, width), width, false};
  for (size_t k = 0; k < sizeof kIntegerOps / sizeof kIntegerOps[0]; ++k)
    if (ragged_operation_is(operation, kIntegerOps[k].name))
      results->cells[0]->value.numbers[0].integer = ragged_reference_wrap(kIntegerOps[k].apply(&n), width);
  if (n.undefined)
    return RAGGED_REFERENCE_INVALID("has no defined result for %lld and %lld", (long long)n.x,
                                    (long long)n.y);
  return NULL;
}

static ragged_status run_real(ragged_reference_interpreter *interpreter, MlirOperation operation,
                              const ragged_reference_list *operands,
                              ragged_reference_list *results) {
  RAGGED_RETURN_IF_ERROR(make_scalar(operation, results));
  double x = operand(operands, 0).real, y = operand(operands, operands->size - 1).real;
  ragged_reference_value *result = &results->cells[0]->value;
  for (size_t k = 0; k < sizeof kRealOps / sizeof kRealOps[0]; ++k)
    if (ragged_operation_is(operation, kRealOps[k].name)) {
      result->numbers[0].real = kRealOps[k].apply(x, y);
      ragged_reference_finish(interpreter, operation, operands, kRealOps[k].moves, 0, result);
    }
  return NULL;
}

// ---- Constants ------------------------------------------------------------------------------

static ragged_status make_dense(MlirAttribute attribute, ragged_reference_list *results) {
  ragged_schema schema;
  if (!mlirAttributeIsADenseElements(attribute) ||
      !ragged_type_get_dense(mlirAttributeGetType(attribute), &schema))
    return ragged_status_make(RAGGED_STATUS_UNIMPLEMENTED,
                              "has a value of a kind that the reference interpreter does not know");
  int64_t shape[RAGGED_MAX_RANK];
  for (int d = 0; d < schema.rank; ++d) shape[d] = schema.dimensions[d].extent;
  results->cells[0] = ragged_reference_cell_make();
  if (!results->cells[0])
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for a value");
  ragged_reference_value *result = &results->cells[0]->value;
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_allocate_dense(schema.element_type, schema.rank, shape, result));
  bool splat = mlirDenseElementsAttrIsSplat(attribute);  // its raw data are one element
  const void *raw = mlirDenseElementsAttrGetRawData(attribute);
  for (int64_t k = 0; k < ragged_reference_num_elements(result); ++k)
    if (schema.element_type == RAGGED_ELEMENT_I1)  // how raw data hold these is MLIR's affair
      result->numbers[k].integer = mlirDenseElementsAttrGetBoolValue(attribute, k);
    else
      result->numbers[k] = ragged_reference_load(schema.element_type, raw, splat ? 0 : k);
  return NULL;
}

static ragged_status run_constant(ragged_reference_interpreter *interpreter,
                                  MlirOperation operation, const ragged_reference_list *operands,
                                  ragged_reference_list *results) {
  (void)interpreter, (void)operands;
  MlirAttribute attribute = ragged_operation_attribute(operation, "value");
  if (mlirAttributeIsNull(attribute)) return RAGGED_REFERENCE_INVALID("has no value");
  bool is_integer = mlirAttributeIsAInteger(attribute) || mlirAttributeIsABool(attribute);
  if (!is_integer && !mlirAttributeIsAFloat(attribute)) return make_dense(attribute, results);
  RAGGED_RETURN_IF_ERROR(make_scalar(operation, results));
  ragged_reference_number *number = results->cells[0]->value.numbers;
  MlirType type = mlirAttributeGetType(attribute);
  if (mlirAttributeIsABool(attribute))
    number->integer = mlirBoolAttrGetValue(attribute);
  else if (is_integer)
    number->integer = ragged_reference_wrap(mlirIntegerAttrGetValueInt(attribute), width_of(type));
  else
    number->real = mlirFloatAttrGetValueDouble(attribute);
  return NULL;
}

// ---- Comparisons and select -----------------------------------------------------------------

static ragged_status run_cmpi(ragged_reference_interpreter *interpreter, MlirOperation operation,
                              const ragged_reference_list *operands,
                              ragged_reference_list *results) {
  (void)interpreter;
  RAGGED_RETURN_IF_ERROR(make_scalar(operation, results));
  int width = width_of(operand_type(operation, 0));
  int64_t x = as_signed(operand(operands, 0).integer, width);
  int64_t y = as_signed(operand(operands, 1).integer, width);
  uint64_t ux = ragged_reference_as_unsigned(x, width), uy = ragged_reference_as_unsigned(y, width);
  // In the order of arith's predicates.
  const bool outcomes[] = {x == y, x != y, x < y,   x <= y,  x > y,
                           x >= y, ux < uy, ux <= uy, ux > uy, ux >= uy};
  int64_t predicate = ragged_operation_int(operation, "predicate", -1);
  if (predicate < 0 || predicate >= 10) return RAGGED_REFERENCE_INVALID("has no known predicate");
  results->cells[0]->value.numbers[0].integer = outcomes[predicate];
  return NULL;
}

static ragged_status run_cmpf(ragged_reference_interpreter *interpreter, MlirOperation operation,
                              const ragged_reference_list *operands,
                              ragged_reference_list *results) {
  (void)interpreter;
  RAGGED_RETURN_IF_ERROR(make_scalar(operation, results));
  double x = operand(operands, 0).real, y = operand(operands, 1).real;
  bool nan = isnan(x) || isnan(y);
  // In the order of arith's predicates: false, ordered ones, ord, unordered ones, uno, true.
  const bool outcomes[] = {false,        x == y,      x > y,       x >= y,      x < y,       x <= y,
                           !nan && x != y, !nan,      nan || x == y, nan || x > y, nan || x >= y,
                           nan || x < y, nan || x <= y, nan || x != y, nan,     true};
  int64_t predicate = ragged_operation_int(operation, "predicate", -1);
  if (predicate < 0 || predicate >= 16) return RAGGED_REFERENCE_INVALID("has no known predicate");
  results->cells[0]->value.numbers[0].integer = outcomes[predicate];
  return NULL;
}

static ragged_status run_select(ragged_reference_interpreter *interpreter, MlirOperation operation,
                                const ragged_reference_list *operands,
                                ragged_reference_list *results) {
  (void)interpreter, (void)operation;
  if (operands->cells[0]->value.kind != RAGGED_REFERENCE_SCALAR)
    return ragged_status_make(RAGGED_STATUS_UNIMPLEMENTED, "has a condition that is no scalar");
  results->cells[0] =
      ragged_reference_cell_retain(operands->cells[operand(operands, 0).integer ? 1 : 2]);
  return NULL;
}

// ---- Casts ----------------------------------------------------------------------------------

// Toward zero; saturates, and NaN gives 0.
static int64_t real_to_integer(double x, int width, bool is_unsigned) {
  double bits = is_unsigned ? width : width - 1;
  double limit = ldexp(1.0, (int)bits), lowest = is_unsigned ? 0 : -limit;
  if (isnan(x)) return 0;
  x = trunc(x);
  if (x < lowest) x = lowest;
  if (x >= limit) return (int64_t)(bits == 64 ? UINT64_MAX : (UINT64_C(1) << (int)bits) - 1);
  return x < 0 ? (int64_t)x : (int64_t)(uint64_t)x;
}

static ragged_status run_cast(ragged_reference_interpreter *interpreter, MlirOperation operation,
                              const ragged_reference_list *operands,
                              ragged_reference_list *results) {
  RAGGED_RETURN_IF_ERROR(make_scalar(operation, results));
  ragged_reference_value *result = &results->cells[0]->value;
  ragged_reference_number x = operand(operands, 0), *y = result->numbers;
  int from = width_of(operand_type(operation, 0));
  int to = width_of(mlirValueGetType(mlirOperationGetResult(operation, 0)));
  bool is_unsigned = ragged_operation_is(operation, "arith.extui") ||
                     ragged_operation_is(operation, "arith.index_castui") ||
                     ragged_operation_is(operation, "arith.uitofp") ||
                     ragged_operation_is(operation, "arith.fptoui");
  int64_t integer = from ? is_unsigned ? (int64_t)ragged_reference_as_unsigned(x.integer, from)
                                       : as_signed(x.integer, from)
                         : 0;
  bool exact = false, smooth = interpreter->options.mode == RAGGED_REFERENCE_SMOOTH;
  if (from && to)
    y->integer = ragged_reference_wrap(integer, to);
  else if (from)
    y->real = is_unsigned ? (double)(uint64_t)integer : (double)integer;
  else if (to)
    y->integer = ragged_reference_wrap(real_to_integer(x.real, to, is_unsigned), to);
  else if ((exact = ragged_operation_is(operation, "arith.extf")))
    y->real = x.real;
  else
    y->real = smooth ? x.real : ragged_reference_round(result->schema.element_type, x.real);
  ragged_reference_finish(interpreter, operation, operands, exact, 0, result);
  return NULL;
}

static const struct {
  const char *name;
  ragged_reference_control run;
} kOtherOps[] = {
    {"arith.constant", run_constant}, {"arith.cmpi", run_cmpi},
    {"arith.cmpf", run_cmpf},         {"arith.select", run_select},
    {"arith.index_cast", run_cast},   {"arith.index_castui", run_cast},
    {"arith.extsi", run_cast},        {"arith.extui", run_cast},
    {"arith.trunci", run_cast},       {"arith.extf", run_cast},
    {"arith.truncf", run_cast},       {"arith.sitofp", run_cast},
    {"arith.uitofp", run_cast},       {"arith.fptosi", run_cast},
    {"arith.fptoui", run_cast},
};

ragged_reference_control ragged_reference_find_arith(MlirOperation operation) {
  for (size_t k = 0; k < sizeof kOtherOps / sizeof kOtherOps[0]; ++k)
    if (ragged_operation_is(operation, kOtherOps[k].name)) return kOtherOps[k].run;
  for (size_t k = 0; k < sizeof kIntegerOps / sizeof kIntegerOps[0]; ++k)
    if (ragged_operation_is(operation, kIntegerOps[k].name)) return run_integer;
  for (size_t k = 0; k < sizeof kRealOps / sizeof kRealOps[0]; ++k)
    if (ragged_operation_is(operation, kRealOps[k].name)) return run_real;
  return NULL;
}
