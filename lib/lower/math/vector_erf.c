// erf(x) on vectors. Far from 0 it is 1 - 2 Q(|x| sqrt 2) with the sign of x, Q the tail that gelu is
// made of; near 0, where that cancels, x times a polynomial in x^2. Called by vector_math.c.
#include "lower/math/vector_emit.h"
#include "lower/math/vector_math.h"

// erf(x) / x as a polynomial in x^2, |x| <= 3/4: minimax, degree 5, relative error 0.45 * 2^-23 after
// the rounding of the coefficients.
static const double central_f32[] = {
    1.1283791065216064,   -0.37612107396125793, 0.11276223510503769,
    -0.02648278698325157, 0.004405954387038946, -0.000174794316990301,
};

// The f64 form of gelu is erf(x) / x in another scale: P(t) - 1/2 = erf(t / sqrt 2) / 2.
static MlirValue emit_central(const ragged_builder *builder, MlirType type, MlirValue x) {
  MlirValue square = ragged_emit_mul(builder, type, x, x);
  if (ragged_emit_is_f32(type))
    return ragged_emit_mul(builder, type, x,
                           ragged_emit_polynomial(builder, type, square, 5, central_f32, 2));
  MlirValue twice = ragged_emit_add(builder, type, square, square);
  MlirValue slope = ragged_emit_normal_slope(builder, type, twice);
  MlirValue scale = ragged_build_float(builder, type, 0x1.6a09e667f3bcdp+1);  // 2 sqrt 2
  return ragged_emit_mul(builder, type, x, ragged_emit_mul(builder, type, slope, scale));
}

MlirValue ragged_emit_erf(const ragged_builder *builder, MlirType type, MlirValue x,
                          ragged_emit_power exp2) {
  MlirValue a = ragged_emit_abs(builder, type, x);
  MlirValue root = ragged_build_float(builder, type, 0x1.6a09e667f3bcdp+0);  // sqrt 2
  MlirValue tail =
      ragged_emit_normal_tail(builder, type, ragged_emit_mul(builder, type, a, root), exp2);
  MlirValue minus_two = ragged_build_float(builder, type, -2.0);
  MlirValue one = ragged_build_float(builder, type, 1.0);
  MlirValue outer = ragged_emit_fma(builder, type, tail, minus_two, one);
  outer = ragged_emit_binary(builder, "math.copysign", type, outer, x);
  // The bound of f64 is that of the slope, 3/4 / sqrt 2. NaN is not beyond it, and stays NaN inside.
  MlirValue bound =
      ragged_build_float(builder, type, ragged_emit_is_f32(type) ? 0.75 : 0.53);
  MlirValue beyond =
      ragged_emit_compare(builder, "arith.cmpf", RAGGED_CMPF_GREATER, type, a, bound);
  return ragged_emit_select(builder, type, beyond, outer, emit_central(builder, type, x));
}
