// Elementwise ops as arith and math ops; see vector_math.h. The transcendental ones are in
// vector_exp.c, vector_gelu.c and vector_erf.c.
#include "lower/math/vector_math.h"

#include <string.h>

#include "lower/math/vector_emit.h"

static bool is_integer(MlirType type) { return mlirTypeIsAInteger(ragged_emit_element_type(type)); }

// Truncating quotient with x / 0 = 0 and INT64_MIN / -1 = INT64_MIN. Both are undefined for
// arith.divsi, so it only sees divisors other than 0 and -1.
static MlirValue emit_integer_div(const ragged_builder *builder, MlirType type, MlirValue x,
                                  MlirValue y) {
  MlirValue zero = ragged_build_integer(builder, type, 0);
  MlirValue one = ragged_build_integer(builder, type, 1);
  MlirValue minus_one = ragged_build_integer(builder, type, -1);
  MlirValue by_zero =
      ragged_emit_compare(builder, "arith.cmpi", RAGGED_CMPI_EQUAL, type, y, zero);
  MlirValue by_minus_one =
      ragged_emit_compare(builder, "arith.cmpi", RAGGED_CMPI_EQUAL, type, y, minus_one);
  MlirValue divisor = ragged_emit_select(builder, type, by_zero, one, y);
  divisor = ragged_emit_select(builder, type, by_minus_one, one, divisor);
  MlirValue quotient = ragged_emit_binary(builder, "arith.divsi", type, x, divisor);
  MlirValue negated = ragged_emit_binary(builder, "arith.subi", type, zero, x);
  quotient = ragged_emit_select(builder, type, by_minus_one, negated, quotient);
  return ragged_emit_select(builder, type, by_zero, zero, quotient);
}

static MlirValue emit_add(const ragged_builder *builder, MlirType type, MlirValue x, MlirValue y) {
  if (is_integer(type)) return ragged_emit_binary(builder, "arith.addi", type, x, y);
  return ragged_emit_add(builder, type, x, y);
}

static MlirValue emit_sub(const ragged_builder *builder, MlirType type, MlirValue x, MlirValue y) {
  if (is_integer(type)) return ragged_emit_binary(builder, "arith.subi", type, x, y);
  return ragged_emit_sub(builder, type, x, y);
}

static MlirValue emit_mul(const ragged_builder *builder, MlirType type, MlirValue x, MlirValue y) {
  if (is_integer(type)) return ragged_emit_binary(builder, "arith.muli", type, x, y);
  return ragged_emit_mul(builder, type, x, y);
}

static MlirValue emit_div(const ragged_builder *builder, MlirType type, MlirValue x, MlirValue y) {
  if (is_integer(type)) return emit_integer_div(builder, type, x, y);
  return ragged_emit_binary(builder, "arith.divf", type, x, y);
}

static MlirValue emit_maximum(const ragged_builder *builder, MlirType type, MlirValue x,
                              MlirValue y) {
  const char *op = is_integer(type) ? "arith.maxsi" : "arith.maximumf";
  return ragged_emit_binary(builder, op, type, x, y);
}

static MlirValue emit_exp(const ragged_builder *builder, MlirType type, MlirValue x, MlirValue y) {
  (void)y;
  return ragged_emit_exp(builder, type, x);
}

static MlirValue emit_normal_cdf(const ragged_builder *builder, MlirType type, MlirValue x,
                                 MlirValue y) {
  (void)y;
  return ragged_emit_normal_cdf(builder, type, x, NULL);
}

static MlirValue emit_gelu(const ragged_builder *builder, MlirType type, MlirValue x, MlirValue y) {
  (void)y;
  return ragged_emit_gelu(builder, type, x, NULL);
}

// x where it is not at most 0, which NaN is not; +0 otherwise, -0 included.
static MlirValue emit_relu(const ragged_builder *builder, MlirType type, MlirValue x, MlirValue y) {
  (void)y;
  if (is_integer(type))
    return ragged_emit_binary(builder, "arith.maxsi", type, x,
                              ragged_build_integer(builder, type, 0));
  MlirValue zero = ragged_build_float(builder, type, 0.0);
  MlirValue off =
      ragged_emit_compare(builder, "arith.cmpf", RAGGED_CMPF_LESS_EQUAL, type, x, zero);
  return ragged_emit_select(builder, type, off, zero, x);
}

// With z = e^-|x|: 1 / (1 + z) for x >= 0 and z / (1 + z) below. Nothing overflows, and the small
// values of the lower branch keep their relative accuracy.
static MlirValue emit_sigmoid(const ragged_builder *builder, MlirType type, MlirValue x,
                              MlirValue y) {
  (void)y;
  MlirValue exponent = ragged_emit_negate(builder, type, ragged_emit_abs(builder, type, x));
  MlirValue z = ragged_emit_exp_of_sum(builder, type, exponent, ragged_value_none(), false);
  MlirValue one = ragged_build_float(builder, type, 1.0);
  MlirValue negative = ragged_emit_compare(builder, "arith.cmpf", RAGGED_CMPF_LESS, type, x,
                                           ragged_build_float(builder, type, 0.0));
  MlirValue numerator = ragged_emit_select(builder, type, negative, z, one);
  MlirValue denominator = ragged_emit_add(builder, type, z, one);
  return ragged_emit_binary(builder, "arith.divf", type, numerator, denominator);
}

static MlirValue emit_neg(const ragged_builder *builder, MlirType type, MlirValue x, MlirValue y) {
  (void)y;
  if (!is_integer(type)) return ragged_emit_negate(builder, type, x);
  return ragged_emit_binary(builder, "arith.subi", type, ragged_build_integer(builder, type, 0), x);
}

static MlirValue emit_sqrt(const ragged_builder *builder, MlirType type, MlirValue x, MlirValue y) {
  (void)y;
  return ragged_build_value(builder, "math.sqrt", type, RAGGED_VALUES(x));
}

static MlirValue emit_rsqrt(const ragged_builder *builder, MlirType type, MlirValue x,
                            MlirValue y) {
  return ragged_emit_binary(builder, "arith.divf", type, ragged_build_float(builder, type, 1.0),
                            emit_sqrt(builder, type, x, y));
}

static MlirValue emit_erf(const ragged_builder *builder, MlirType type, MlirValue x, MlirValue y) {
  (void)y;
  return ragged_emit_erf(builder, type, x, NULL);
}

// ---- Comparisons and choices -------------------------------------------------------------------

// Predicates of floats and of signed integers. Of i1, where true is 1 and not -1, they are unsigned.
static MlirValue emit_comparison(const ragged_builder *builder, MlirType type, MlirValue x,
                                 MlirValue y, int real, int integer) {
  if (!is_integer(type)) return ragged_emit_compare(builder, "arith.cmpf", real, type, x, y);
  bool truth = mlirIntegerTypeGetWidth(ragged_emit_element_type(type)) == 1;
  if (truth && integer >= RAGGED_CMPI_LESS_SIGNED) integer += RAGGED_CMPI_SIGNED_TO_UNSIGNED;
  return ragged_emit_compare(builder, "arith.cmpi", integer, type, x, y);
}

#define COMPARISON(name, real, integer)                                                      \
  static MlirValue emit_##name(const ragged_builder *builder, MlirType type, MlirValue x,    \
                               MlirValue y) {                                                \
    return emit_comparison(builder, type, x, y, RAGGED_CMPF_##real, RAGGED_CMPI_##integer);  \
  }
COMPARISON(equal, EQUAL, EQUAL)
COMPARISON(not_equal, NOT_EQUAL, NOT_EQUAL)
COMPARISON(less, LESS, LESS_SIGNED)
COMPARISON(less_equal, LESS_EQUAL, LESS_EQUAL_SIGNED)
COMPARISON(greater, GREATER, GREATER_SIGNED)
COMPARISON(greater_equal, GREATER_EQUAL, GREATER_EQUAL_SIGNED)

static MlirValue emit_where(const ragged_builder *builder, MlirType type, const MlirValue *x) {
  return ragged_emit_select(builder, type, x[0], x[1], x[2]);
}

static MlirValue emit_clamp(const ragged_builder *builder, MlirType type, const MlirValue *x) {
  const char *smaller = is_integer(type) ? "arith.minsi" : "arith.minimumf";
  return ragged_emit_binary(builder, smaller, type, emit_maximum(builder, type, x[0], x[1]), x[2]);
}

typedef MlirValue (*emit_row)(const ragged_builder *, MlirType, MlirValue, MlirValue);
typedef MlirValue (*emit_ternary_row)(const ragged_builder *, MlirType, const MlirValue *);

static const struct {
  const char *name;
  int num_operands;
  emit_row emit;
  emit_ternary_row emit_ternary;
} rows[] = {
#define RAGGED_UNARY(Class, name, domain, summary, formula) {#name, 1, emit_##name, NULL},
#define RAGGED_BINARY(Class, name, domain, summary, formula) {#name, 2, emit_##name, NULL},
#define RAGGED_COMPARE(Class, name, domain, summary, formula) {#name, 2, emit_##name, NULL},
#define RAGGED_TERNARY(Class, name, domain, summary, formula) {#name, 3, NULL, emit_##name},
#include "dialect/elementwise.def"
};

MlirValue ragged_emit_elementwise(const ragged_builder *builder, const char *name,
                                  const MlirValue *x) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (strcmp(rows[i].name, name) != 0) continue;
    int last = rows[i].num_operands - 1;
    MlirType type = mlirValueGetType(x[last]);  // a condition comes first
    if (rows[i].emit_ternary) return rows[i].emit_ternary(builder, type, x);
    return rows[i].emit(builder, type, x[0], last ? x[1] : ragged_value_none());
  }
  return ragged_value_none();
}
