// See vector_emit.h.
#include "lower/math/vector_emit.h"

MlirType ragged_emit_element_type(MlirType type) {
  return mlirTypeIsAVector(type) ? mlirShapedTypeGetElementType(type) : type;
}

bool ragged_emit_is_f32(MlirType type) { return mlirTypeIsAF32(ragged_emit_element_type(type)); }

MlirType ragged_emit_type_like(MlirType type, MlirType element) {
  if (!mlirTypeIsAVector(type)) return element;
  int64_t length = mlirShapedTypeGetDimSize(type, 0);
  return mlirVectorTypeGet(1, &length, element);
}

MlirType ragged_emit_bits_type(MlirType type) {
  unsigned width = ragged_emit_is_f32(type) ? 32 : 64;
  return ragged_emit_type_like(type, mlirIntegerTypeGet(mlirTypeGetContext(type), width));
}

MlirValue ragged_emit_binary(const ragged_builder *builder, const char *op, MlirType type,
                             MlirValue x, MlirValue y) {
  return ragged_build_value(builder, op, type, RAGGED_VALUES(x, y));
}

static MlirValue emit_contractible(const ragged_builder *builder, const char *op, MlirType type,
                                   MlirValue x, MlirValue y) {
  MlirAttribute contract = ragged_attribute_parse(builder->context, "#arith.fastmath<contract>");
  MlirNamedAttribute attribute = ragged_named(builder->context, "fastmath", contract);
  return ragged_build_value_with(builder, op, type, RAGGED_VALUES(x, y), 1, &attribute);
}

MlirValue ragged_emit_add(const ragged_builder *builder, MlirType type, MlirValue x, MlirValue y) {
  return emit_contractible(builder, "arith.addf", type, x, y);
}

MlirValue ragged_emit_sub(const ragged_builder *builder, MlirType type, MlirValue x, MlirValue y) {
  return emit_contractible(builder, "arith.subf", type, x, y);
}

MlirValue ragged_emit_mul(const ragged_builder *builder, MlirType type, MlirValue x, MlirValue y) {
  return emit_contractible(builder, "arith.mulf", type, x, y);
}

MlirValue ragged_emit_fma(const ragged_builder *builder, MlirType type, MlirValue x, MlirValue y,
                          MlirValue z) {
  return ragged_build_value(builder, "math.fma", type, RAGGED_VALUES(x, y, z));
}

MlirValue ragged_emit_abs(const ragged_builder *builder, MlirType type, MlirValue x) {
  return ragged_build_value(builder, "math.absf", type, RAGGED_VALUES(x));
}

MlirValue ragged_emit_negate(const ragged_builder *builder, MlirType type, MlirValue x) {
  return ragged_build_value(builder, "arith.negf", type, RAGGED_VALUES(x));
}

MlirValue ragged_emit_compare(const ragged_builder *builder, const char *op, int predicate,
                              MlirType type, MlirValue x, MlirValue y) {
  MlirType result = ragged_emit_type_like(type, mlirIntegerTypeGet(builder->context, 1));
  MlirNamedAttribute attribute = ragged_named(
      builder->context, "predicate", ragged_attribute_i64(builder->context, predicate));
  return ragged_build_value_with(builder, op, result, RAGGED_VALUES(x, y), 1, &attribute);
}

MlirValue ragged_emit_select(const ragged_builder *builder, MlirType type, MlirValue condition,
                             MlirValue x, MlirValue y) {
  return ragged_build_value(builder, "arith.select", type, RAGGED_VALUES(condition, x, y));
}

MlirValue ragged_emit_at_least(const ragged_builder *builder, MlirType type, MlirValue x,
                               double bound) {
  MlirValue limit = ragged_build_float(builder, type, bound);
  MlirValue beyond =
      ragged_emit_compare(builder, "arith.cmpf", RAGGED_CMPF_LESS, type, x, limit);
  return ragged_emit_select(builder, type, beyond, limit, x);
}

MlirValue ragged_emit_at_most(const ragged_builder *builder, MlirType type, MlirValue x,
                              double bound) {
  MlirValue limit = ragged_build_float(builder, type, bound);
  MlirValue beyond =
      ragged_emit_compare(builder, "arith.cmpf", RAGGED_CMPF_GREATER, type, x, limit);
  return ragged_emit_select(builder, type, beyond, limit, x);
}

MlirValue ragged_emit_bitcast(const ragged_builder *builder, MlirType result, MlirValue x) {
  return ragged_build_value(builder, "arith.bitcast", result, RAGGED_VALUES(x));
}

// c0 + c1 x, joined by x^2 to c2 + c3 x in a group of four. powers: x, x^2.
static MlirValue emit_group(const ragged_builder *builder, MlirType type, const MlirValue *powers,
                            const double *coefficients, int group) {
  MlirValue first = ragged_build_float(builder, type, coefficients[0]);
  if (group == 1) return first;
  MlirValue second = ragged_build_float(builder, type, coefficients[1]);
  MlirValue low = ragged_emit_fma(builder, type, second, powers[0], first);
  if (group == 2) return low;
  MlirValue high = emit_group(builder, type, powers, coefficients + 2, 2);
  return ragged_emit_fma(builder, type, high, powers[1], low);
}

MlirValue ragged_emit_polynomial(const ragged_builder *builder, MlirType type, MlirValue x,
                                 int degree, const double *coefficients, int group) {
  MlirValue powers[] = {x, ragged_value_none(), ragged_value_none()};  // x, x^2, x^4
  int step = group == 4 ? 2 : group == 2 ? 1 : 0;                      // powers[step] is x^group
  for (int k = 0; k < step; ++k)
    powers[k + 1] = ragged_emit_mul(builder, type, powers[k], powers[k]);
  int num_single = degree % group + 1;
  int first = degree + 1 - group;
  MlirValue sum = emit_group(builder, type, powers, coefficients + first, group);
  while ((first -= group) >= num_single) {
    MlirValue low = emit_group(builder, type, powers, coefficients + first, group);
    sum = ragged_emit_fma(builder, type, sum, powers[step], low);
  }
  for (int k = num_single - 1; k >= 0; --k)
    sum = ragged_emit_fma(builder, type, sum, x,
                          ragged_build_float(builder, type, coefficients[k]));
  return sum;
}
