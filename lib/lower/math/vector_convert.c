// See vector_convert.h.
#include "lower/math/vector_convert.h"

#include "lower/math/vector_emit.h"

static bool is_truth(MlirType type) {
  MlirType element = ragged_emit_element_type(type);
  return mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 1;
}

static bool is_integer(MlirType type) { return mlirTypeIsAInteger(ragged_emit_element_type(type)); }

static MlirValue emit_cast(const ragged_builder *builder, const char *op, MlirType element,
                           MlirValue x) {
  return ragged_build_value(builder, op, ragged_emit_type_like(mlirValueGetType(x), element),
                            RAGGED_VALUES(x));
}

// What lies outside the range must not reach arith.fptosi, which says nothing of it.
static MlirValue emit_to_i64(const ragged_builder *builder, MlirType i64, MlirValue x) {
  MlirType type = mlirValueGetType(x), result = ragged_emit_type_like(type, i64);
  MlirValue lowest = ragged_build_float(builder, type, -0x1p63);
  MlirValue limit = ragged_build_float(builder, type, 0x1p63);
  MlirValue reached = ragged_emit_compare(builder, "arith.cmpf", RAGGED_CMPF_GREATER_EQUAL, type, x,
                                          lowest);  // not by NaN
  MlirValue beyond =
      ragged_emit_compare(builder, "arith.cmpf", RAGGED_CMPF_GREATER_EQUAL, type, x, limit);
  MlirValue below = ragged_emit_compare(builder, "arith.cmpf", RAGGED_CMPF_LESS, type, x, lowest);
  MlirValue inside = ragged_emit_select(builder, type, reached, x,
                                        ragged_build_float(builder, type, 0.0));
  inside = ragged_emit_select(builder, type, beyond, ragged_build_float(builder, type, 0.0), inside);
  MlirValue number = emit_cast(builder, "arith.fptosi", i64, inside);
  number = ragged_emit_select(builder, result, beyond,
                              ragged_build_integer(builder, result, INT64_MAX), number);
  return ragged_emit_select(builder, result, below,
                            ragged_build_integer(builder, result, INT64_MIN), number);
}

static MlirValue emit_to_truth(const ragged_builder *builder, MlirValue x) {
  MlirType type = mlirValueGetType(x);
  if (is_integer(type))
    return ragged_emit_compare(builder, "arith.cmpi", RAGGED_CMPI_NOT_EQUAL, type, x,
                               ragged_build_integer(builder, type, 0));
  return ragged_emit_compare(builder, "arith.cmpf", RAGGED_CMPF_NOT_EQUAL, type, x,
                             ragged_build_float(builder, type, 0.0));
}

MlirValue ragged_emit_convert(const ragged_builder *builder, MlirType element, MlirValue x) {
  MlirType type = mlirValueGetType(x);
  if (mlirTypeEqual(ragged_emit_element_type(type), element)) return x;
  if (is_truth(element)) return emit_to_truth(builder, x);
  bool truth = is_truth(type), to_integer = is_integer(element);
  if (is_integer(type))
    return emit_cast(builder, to_integer ? "arith.extui" : truth ? "arith.uitofp" : "arith.sitofp",
                     element, x);
  if (to_integer) return emit_to_i64(builder, element, x);
  return emit_cast(builder, mlirTypeIsAF64(element) ? "arith.extf" : "arith.truncf", element, x);
}

// f64 to f32 so that rounding again is as if it had been done at once: where the f32 is not exact, the
// one of its two neighbours whose last bit is 1.
static MlirValue emit_odd_f32(const ragged_builder *builder, MlirType f32, MlirValue x) {
  MlirType wide = mlirValueGetType(x);
  MlirValue nearest = emit_cast(builder, "arith.truncf", f32, x);
  MlirType type = mlirValueGetType(nearest), bits = ragged_emit_bits_type(type);
  MlirValue back = emit_cast(builder, "arith.extf", ragged_emit_element_type(wide), nearest);
  MlirValue inexact =
      ragged_emit_compare(builder, "arith.cmpf", RAGGED_CMPF_DIFFERENT, wide, back, x);
  MlirValue outside = ragged_emit_compare(builder, "arith.cmpf", RAGGED_CMPF_GREATER, wide,
                                          ragged_emit_abs(builder, wide, back),
                                          ragged_emit_abs(builder, wide, x));
  MlirValue pattern = ragged_emit_bitcast(builder, bits, nearest);
  MlirValue one = ragged_build_integer(builder, bits, 1);
  MlirValue toward_zero = ragged_emit_binary(builder, "arith.subi", bits, pattern, one);
  MlirValue odd = ragged_emit_select(builder, bits, outside, toward_zero, pattern);
  odd = ragged_emit_binary(builder, "arith.ori", bits, odd, one);
  return ragged_emit_bitcast(builder, type,
                             ragged_emit_select(builder, bits, inexact, odd, pattern));
}

// i64 to f64: exact below 2^53; beyond, the bits that a bf16 is far from become one that says whether
// any was set.
static MlirValue emit_sticky_f64(const ragged_builder *builder, MlirValue x) {
  MlirType type = mlirValueGetType(x);
  MlirValue low = ragged_build_integer(builder, type, 0x7ff);
  MlirValue rest = ragged_emit_binary(builder, "arith.andi", type, x, low);
  MlirValue any = ragged_emit_compare(builder, "arith.cmpi", RAGGED_CMPI_NOT_EQUAL, type, rest,
                                      ragged_build_integer(builder, type, 0));
  MlirValue sticky = ragged_emit_select(builder, type, any,
                                        ragged_build_integer(builder, type, 0x400),
                                        ragged_build_integer(builder, type, 0));
  MlirValue joined = ragged_emit_binary(
      builder, "arith.ori", type,
      ragged_emit_binary(builder, "arith.andi", type, x,
                         ragged_build_integer(builder, type, ~INT64_C(0x7ff))),
      sticky);
  // |x| >= 2^53, without a magnitude that overflows.
  MlirValue limit = ragged_build_integer(builder, type, INT64_C(1) << 53);
  MlirValue lowest = ragged_build_integer(builder, type, -(INT64_C(1) << 53));
  MlirValue above =
      ragged_emit_compare(builder, "arith.cmpi", RAGGED_CMPI_GREATER_SIGNED, type, x, limit);
  MlirValue below =
      ragged_emit_compare(builder, "arith.cmpi", RAGGED_CMPI_LESS_SIGNED, type, x, lowest);
  joined = ragged_emit_select(builder, type, above, joined,
                              ragged_emit_select(builder, type, below, joined, x));
  return emit_cast(builder, "arith.sitofp", mlirF64TypeGet(builder->context), joined);
}

MlirValue ragged_emit_nearest_bf16(const ragged_builder *builder, MlirValue x) {
  MlirContext context = builder->context;
  MlirType f32 = mlirF32TypeGet(context);
  if (is_truth(mlirValueGetType(x))) return ragged_emit_convert(builder, f32, x);  // 0 or 1
  if (is_integer(mlirValueGetType(x))) x = emit_sticky_f64(builder, x);
  if (!ragged_emit_is_f32(mlirValueGetType(x))) x = emit_odd_f32(builder, f32, x);
  MlirType type = mlirValueGetType(x), bits = ragged_emit_bits_type(type);
  MlirValue pattern = ragged_emit_bitcast(builder, bits, x);
  MlirValue sixteen = ragged_build_integer(builder, bits, 16);
  MlirValue odd = ragged_emit_binary(
      builder, "arith.andi", bits,
      ragged_emit_binary(builder, "arith.shrui", bits, pattern, sixteen),
      ragged_build_integer(builder, bits, 1));
  MlirValue bias = ragged_emit_binary(builder, "arith.addi", bits, odd,
                                      ragged_build_integer(builder, bits, 0x7fff));
  MlirValue rounded = ragged_emit_binary(builder, "arith.addi", bits, pattern, bias);
  // A NaN stays one whose payload lies in the upper half.
  MlirValue quiet = ragged_emit_binary(builder, "arith.ori", bits, pattern,
                                       ragged_build_integer(builder, bits, 0x400000));
  MlirValue nan = ragged_emit_compare(builder, "arith.cmpf", RAGGED_CMPF_UNORDERED, type, x, x);
  rounded = ragged_emit_select(builder, bits, nan, quiet, rounded);
  rounded = ragged_emit_binary(builder, "arith.andi", bits, rounded,
                               ragged_build_integer(builder, bits, INT64_C(-65536)));
  return ragged_emit_bitcast(builder, type, rounded);
}
