// e^x on vectors: x = n ln 2 + r with |r| <= ln 2 / 2, a polynomial for e^r, and 2^n through the
// exponent field. Called through vector_math.h and by the Gaussian in vector_gelu.c.
#include "lower/math/vector_emit.h"
#include "lower/math/vector_math.h"

// What differs between f32 and f64. Coefficients: minimax for the relative error of e^r on
// |r| <= ln 2 / 2 with c0 = c1 = 1, solved by exchange and rounded to the type one after the other,
// the rest solved again each time.
typedef struct exp_constants {
  int mantissa_bits;
  int64_t one_bits;       // the bit pattern of 1.0
  double round;           // 1.5 * 2^mantissa_bits; what is added to it ends rounded in the low bits
  double lowest;          // below it e^x rounds to 0
  double highest;         // above it e^x overflows; 2^n still fits two factors
  double ln2_high;        // the nearest value of the type; its products are exact inside an FMA
  double ln2_low;         // ln 2 - ln2_high
  int degree;
  int group;              // of ragged_emit_polynomial
  const double *coefficients;
} exp_constants;

static const double log2_e = 0x1.71547652b82fep+0;

// Degree 6, relative error 0.027 * 2^-23.
static const double coefficients_f32[] = {
    1.0, 1.0, 0.4999999403953552, 0.16666516661643982, 0.04166810214519501, 0.008369188755750656,
    0.001383889582939446,
};
static const exp_constants constants_f32 = {
    23, 0x3f800000, 0x1.8p+23, -104.0, 89.0, 0x1.62e430p-1, -0x1.05c610ca86c39p-29, 6, 1,
    coefficients_f32,
};

// Degree 11, relative error 0.017 * 2^-52.
static const double coefficients_f64[] = {
    1.0,
    1.0,
    0x1.000000000000ap-1,
    0x1.5555555555503p-3,
    0x1.5555555550604p-5,
    0x1.1111111124d30p-7,
    0x1.6c16c184b5d8ap-10,
    0x1.a01a013d541e2p-13,
    0x1.a019988c4833ap-16,
    0x1.71def414061b9p-19,
    0x1.28aeda4469a5ap-22,
    0x1.add7c88eaba09p-26,
};
static const exp_constants constants_f64 = {
    52, 0x3ff0000000000000, 0x1.8p+52, -746.0, 710.0, 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56,
    11, 2, coefficients_f64,
};

// 2^n from an integer whose low bits hold n.
static MlirValue emit_power_of_two(const ragged_builder *builder, const exp_constants *constants,
                                   MlirType type, MlirValue n) {
  MlirType bits = ragged_emit_bits_type(type);
  MlirValue shift = ragged_build_integer(builder, bits, constants->mantissa_bits);
  MlirValue field = ragged_emit_binary(builder, "arith.shli", bits, n, shift);
  MlirValue one = ragged_build_integer(builder, bits, constants->one_bits);
  MlirValue pattern = ragged_emit_binary(builder, "arith.addi", bits, field, one);
  return ragged_emit_bitcast(builder, type, pattern);
}

MlirValue ragged_emit_exp_of_sum(const ragged_builder *builder, MlirType type, MlirValue x,
                                 MlirValue low, bool any_sign) {
  const exp_constants *constants = ragged_emit_is_f32(type) ? &constants_f32 : &constants_f64;
  x = ragged_emit_at_least(builder, type, x, constants->lowest);
  if (any_sign) x = ragged_emit_at_most(builder, type, x, constants->highest);

  MlirValue round = ragged_build_float(builder, type, constants->round);
  MlirValue shifted = ragged_emit_fma(builder, type, x, ragged_build_float(builder, type, log2_e),
                                      round);
  MlirValue n = ragged_emit_sub(builder, type, shifted, round);
  MlirValue r = ragged_emit_fma(builder, type, n,
                                ragged_build_float(builder, type, -constants->ln2_high), x);
  r = ragged_emit_fma(builder, type, n, ragged_build_float(builder, type, -constants->ln2_low), r);
  if (!mlirValueIsNull(low)) r = ragged_emit_add(builder, type, r, low);
  MlirValue power =
      ragged_emit_polynomial(builder, type, r, constants->degree, constants->coefficients,
                             constants->group);

  // 2^n in two factors, because n reaches beyond the exponents on both sides. The first product is
  // exact, so that a subnormal result is rounded once. `shifted` is round + n in its low bits, and
  // the bits of `round` that a shift by one moves are 0 where they would be seen.
  MlirType bits = ragged_emit_bits_type(type);
  MlirValue whole = ragged_emit_bitcast(builder, bits, shifted);
  MlirValue half = ragged_emit_binary(builder, "arith.shrui", bits, whole,
                                      ragged_build_integer(builder, bits, 1));
  MlirValue rest = ragged_emit_binary(builder, "arith.subi", bits, whole, half);
  MlirValue first = emit_power_of_two(builder, constants, type, half);
  MlirValue second = emit_power_of_two(builder, constants, type, rest);
  power = ragged_emit_mul(builder, type, power, first);
  return ragged_emit_mul(builder, type, power, second);
}

MlirValue ragged_emit_exp(const ragged_builder *builder, MlirType type, MlirValue x) {
  return ragged_emit_exp_of_sum(builder, type, x, ragged_value_none(), true);
}
