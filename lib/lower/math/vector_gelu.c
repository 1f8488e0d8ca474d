// The normal distribution P(x) = (1 + erf(x / sqrt 2)) / 2 and gelu(x) = x P(x) on vectors, by way of the
// upper tail Q(a) = erfc(a / sqrt 2) / 2 at a = |x|: P is 1 - Q for x >= 0 and Q for x < 0. Nothing
// cancels, so the error is relative, in the negative tail too. gelu(-inf) is -inf * 0 = NaN, as the
// formula gives. Called by vector_math.c.
#include "lower/math/vector_emit.h"
#include "lower/math/vector_math.h"

// log2 Q(a), with the constant term -1 exactly. Minimax on 0 <= a <= 5.5, degree 10, of the
// relative error of Q divided by max(1, -log2 Q): 0.21 * 2^-23. For a > 5.5 it falls faster than
// log2 Q and, as its leading coefficient is negative, below any bound.
static const double log2_tail_f32[] = {
    -1.0,
    -1.151105523109436,
    -0.459207147359848,
    -0.05248664319515228,
    0.007016375660896301,
    -5.7028126320801675e-05,
    -0.00025268609169870615,
    6.889692303957418e-05,
    -9.732116268423852e-06,
    7.504611971853592e-07,
    -2.4900906225866493e-08,
};

// 2^f on |f| <= 1/2 with c0 = 1, minimax of the relative error: degree 6, 0.044 * 2^-23.
static const double power_f32[] = {
    1.0,
    0.6931472420692444,
    0.24022655189037323,
    0.05550272390246391,
    0.00961706880480051,
    0.0013417963637039065,
    0.00015823030844330788,
};

// 2^x for -127 < x <= 0, and 0 at -127.
static MlirValue emit_power_f32(const ragged_builder *builder, MlirType type, MlirValue exponent) {
  MlirValue round = ragged_build_float(builder, type, 0x1.8p+23);
  MlirValue shifted = ragged_emit_add(builder, type, exponent, round);
  MlirValue n = ragged_emit_sub(builder, type, shifted, round);
  MlirValue fraction = ragged_emit_sub(builder, type, exponent, n);
  MlirValue power = ragged_emit_polynomial(builder, type, fraction, 6, power_f32, 2);
  // `shifted` holds n in its low bits: add it to the exponent of `power`.
  MlirType bits = ragged_emit_bits_type(type);
  MlirValue field = ragged_emit_binary(builder, "arith.shli", bits,
                                       ragged_emit_bitcast(builder, bits, shifted),
                                       ragged_build_integer(builder, bits, 23));
  MlirValue pattern = ragged_emit_binary(builder, "arith.addi", bits,
                                         ragged_emit_bitcast(builder, bits, power), field);
  return ragged_emit_bitcast(builder, type, pattern);
}

// Q(a) = 2^g(a) with g a polynomial: as many instructions as an odd polynomial for erf of the same
// absolute error would take, with the small values of the tail right as well.
static MlirValue emit_tail_f32(const ragged_builder *builder, MlirType type, MlirValue a,
                               ragged_emit_power exp2) {
  MlirValue exponent = ragged_emit_polynomial(builder, type, a, 10, log2_tail_f32, 2);
  // At -127 the fraction is 0 and the exponent field becomes 0: Q is exactly 0. So it is where the
  // polynomial is NaN, as it may be at infinity; where x is NaN, so will be the product with x.
  MlirValue above = ragged_emit_compare(builder, "arith.cmpf", RAGGED_CMPF_GREATER, type, exponent,
                                        ragged_build_float(builder, type, -127.0));
  MlirValue lowest = ragged_build_float(builder, type, exp2 ? -200.0 : -127.0);
  exponent = ragged_emit_select(builder, type, above, exponent, lowest);
  return (exp2 ? exp2 : emit_power_f32)(builder, type, exponent);
}

// Q(a) e^(a^2 / 2) (a + 5) as a polynomial in (a - 5) / (a + 5), 0 <= a <= 39: minimax, degree 21,
// relative error 0.23 * 2^-52 after the rounding of the coefficients.
static const double scaled_tail_f64[] = {
    0x1.89d3abe1f95aep-1,  -0x1.54ad03f27ca16p-1, 0x1.fb31653876f9ap-2,  -0x1.410ed5f875b44p-2,
    0x1.51f6329f01537p-3,  -0x1.1b1c254c93e0bp-4, 0x1.54b4d4f4cfc35p-6,  -0x1.88590eb6639c5p-9,
    -0x1.a25037e313d86p-11, 0x1.1daf1eb710a37p-11, -0x1.f2145e73a2330p-15, -0x1.a171403998e92p-15,
    0x1.17dcf88315c45p-16, 0x1.0b3180218ec83p-18, -0x1.73a7ffba0a3d5p-19, -0x1.6aa626e7a21cfp-22,
    0x1.d097cbaeb977cp-22, 0x1.76a08543c635cp-25, -0x1.188b79a5ee71bp-24, -0x1.5ed719287feb8p-27,
    0x1.ed8844cb147afp-28, 0x1.14c866ad0b5d6p-29,
};

static MlirValue emit_tail_f64(const ragged_builder *builder, MlirType type, MlirValue a) {
  MlirValue one = ragged_build_float(builder, type, 1.0);
  MlirValue five = ragged_build_float(builder, type, 5.0);
  a = ragged_emit_at_most(builder, type, a, 39.0);  // where e^(-a^2 / 2) is 0
  MlirValue reciprocal = ragged_emit_binary(builder, "arith.divf", type, one,
                                            ragged_emit_add(builder, type, a, five));
  MlirValue difference = ragged_emit_sub(builder, type, a, five);
  MlirValue t = ragged_emit_mul(builder, type, difference, reciprocal);
  MlirValue scaled = ragged_emit_polynomial(builder, type, t, 21, scaled_tail_f64, 4);
  scaled = ragged_emit_mul(builder, type, scaled, reciprocal);
  // -a^2 / 2 in two parts: half an ulp of it would be a relative error of e^(-a^2 / 2) of 2^-43.
  MlirValue minus_half = ragged_build_float(builder, type, -0.5);
  MlirValue half = ragged_emit_mul(builder, type, a, minus_half);
  MlirValue square = ragged_emit_mul(builder, type, a, half);
  MlirValue negated = ragged_emit_negate(builder, type, square);
  MlirValue low = ragged_emit_fma(builder, type, a, half, negated);
  MlirValue gaussian = ragged_emit_exp_of_sum(builder, type, square, low, false);
  return ragged_emit_mul(builder, type, scaled, gaussian);
}

// (P(x) - 1/2) / x as a polynomial in x^2, P the normal distribution, |x| <= 3/4: minimax, degree
// 8, relative error 0.35 * 2^-52 after the rounding of the coefficients.
static const double central_f64[] = {
    0x1.9884533d43650p-2,  -0x1.1058377e2cccfp-4, 0x1.46d0429740365p-7,
    -0x1.37403f583266ep-10, 0x1.e42b041dbcba3p-14, -0x1.3ce7c3d1fab11p-17,
    0x1.655a81c09b1f4p-21, -0x1.5df3e2297b024p-25, 0x1.06b87988a8769p-29,
};

MlirValue ragged_emit_normal_slope(const ragged_builder *builder, MlirType type,
                                   MlirValue square) {
  return ragged_emit_polynomial(builder, type, square, 8, central_f64, 2);
}

// `probability`, but more accurate near 0, where the rounding of a + 5 in Q is seen the most.
static MlirValue emit_central_f64(const ragged_builder *builder, MlirType type, MlirValue x,
                                  MlirValue a, MlirValue probability) {
  MlirValue square = ragged_emit_mul(builder, type, x, x);
  MlirValue slope = ragged_emit_normal_slope(builder, type, square);
  MlirValue central =
      ragged_emit_fma(builder, type, x, slope, ragged_build_float(builder, type, 0.5));
  MlirValue near = ragged_emit_compare(builder, "arith.cmpf", RAGGED_CMPF_LESS, type, a,
                                       ragged_build_float(builder, type, 0.75));
  return ragged_emit_select(builder, type, near, central, probability);
}

MlirValue ragged_emit_normal_tail(const ragged_builder *builder, MlirType type, MlirValue a,
                                  ragged_emit_power exp2) {
  return ragged_emit_is_f32(type) ? emit_tail_f32(builder, type, a, exp2)
                                  : emit_tail_f64(builder, type, a);
}

// P(x), but any number where x is NaN.
static MlirValue emit_probability(const ragged_builder *builder, MlirType type, MlirValue x,
                                  ragged_emit_power exp2) {
  MlirValue a = ragged_emit_abs(builder, type, x);
  MlirValue tail = ragged_emit_normal_tail(builder, type, a, exp2);
  MlirValue rest = ragged_emit_sub(builder, type, ragged_build_float(builder, type, 1.0), tail);
  // By the sign bit, which x86 blends on directly.
  MlirType bits = ragged_emit_bits_type(type);
  MlirValue negative = ragged_emit_compare(
      builder, "arith.cmpi", RAGGED_CMPI_LESS_SIGNED, bits, ragged_emit_bitcast(builder, bits, x),
      ragged_build_integer(builder, bits, 0));
  MlirValue probability = ragged_emit_select(builder, type, negative, tail, rest);
  if (ragged_emit_is_f32(type)) return probability;
  return emit_central_f64(builder, type, x, a, probability);
}

MlirValue ragged_emit_normal_cdf(const ragged_builder *builder, MlirType type, MlirValue x,
                                 ragged_emit_power exp2) {
  MlirValue number =
      ragged_emit_compare(builder, "arith.cmpf", RAGGED_CMPF_EQUAL, type, x, x);
  return ragged_emit_select(builder, type, number, emit_probability(builder, type, x, exp2), x);
}

MlirValue ragged_emit_gelu(const ragged_builder *builder, MlirType type, MlirValue x,
                           ragged_emit_power exp2) {
  return ragged_emit_mul(builder, type, x, emit_probability(builder, type, x, exp2));
}
