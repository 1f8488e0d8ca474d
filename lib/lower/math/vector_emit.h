// One-line emitters of arith and math ops, shared by the vector_*.c files and the emission of kernels.
// `type` is always the type of the operands: a scalar or a vector of f32, f64 or i64.
#ifndef RAGGED_LOWER_MATH_VECTOR_EMIT_H
#define RAGGED_LOWER_MATH_VECTOR_EMIT_H

#include "ir/build.h"

// Predicates of arith.cmpf and arith.cmpi, as their attributes number them. The comparisons of
// floats are ordered, false where an operand is NaN, but for the last four.
enum {
  RAGGED_CMPF_EQUAL = 1,
  RAGGED_CMPF_GREATER = 2,
  RAGGED_CMPF_GREATER_EQUAL = 3,
  RAGGED_CMPF_LESS = 4,
  RAGGED_CMPF_LESS_EQUAL = 5,
  RAGGED_CMPF_DIFFERENT = 6,   // and neither is NaN
  RAGGED_CMPF_ORDERED = 7,     // neither is NaN
  RAGGED_CMPF_UNORDERED_GREATER = 9,         // or one is NaN
  RAGGED_CMPF_UNORDERED_GREATER_EQUAL = 10,  // or one is NaN
  RAGGED_CMPF_NOT_EQUAL = 13,  // or one is NaN
  RAGGED_CMPF_UNORDERED = 14   // one is NaN
};
enum {
  RAGGED_CMPI_EQUAL = 0,
  RAGGED_CMPI_NOT_EQUAL = 1,
  RAGGED_CMPI_LESS_SIGNED = 2,
  RAGGED_CMPI_LESS_EQUAL_SIGNED = 3,
  RAGGED_CMPI_GREATER_SIGNED = 4,
  RAGGED_CMPI_GREATER_EQUAL_SIGNED = 5,
  RAGGED_CMPI_SIGNED_TO_UNSIGNED = 4  // what is added to one of the last four
};

// Element type and width of `type`.
MlirType ragged_emit_element_type(MlirType type);
bool ragged_emit_is_f32(MlirType type);
// A type of the shape of `type` with `element` as element type.
MlirType ragged_emit_type_like(MlirType type, MlirType element);
// The integers of the same width, for looking at the bits of floats.
MlirType ragged_emit_bits_type(MlirType type);

// An op with two operands and a result of their type.
MlirValue ragged_emit_binary(const ragged_builder *builder, const char *op, MlirType type,
                             MlirValue x, MlirValue y);
// Float ops that may be contracted into one FMA, and |x|.
MlirValue ragged_emit_add(const ragged_builder *builder, MlirType type, MlirValue x, MlirValue y);
MlirValue ragged_emit_sub(const ragged_builder *builder, MlirType type, MlirValue x, MlirValue y);
MlirValue ragged_emit_mul(const ragged_builder *builder, MlirType type, MlirValue x, MlirValue y);
MlirValue ragged_emit_abs(const ragged_builder *builder, MlirType type, MlirValue x);
MlirValue ragged_emit_negate(const ragged_builder *builder, MlirType type, MlirValue x);
// `op` is arith.cmpf or arith.cmpi; the result is i1 of the shape of `type`.
MlirValue ragged_emit_compare(const ragged_builder *builder, const char *op, int predicate,
                              MlirType type, MlirValue x, MlirValue y);
MlirValue ragged_emit_select(const ragged_builder *builder, MlirType type, MlirValue condition,
                             MlirValue x, MlirValue y);
// The nearer of x and the bound when x is beyond it; NaN stays NaN (a single instruction on x86).
MlirValue ragged_emit_at_least(const ragged_builder *builder, MlirType type, MlirValue x,
                               double bound);
MlirValue ragged_emit_at_most(const ragged_builder *builder, MlirType type, MlirValue x,
                              double bound);
MlirValue ragged_emit_bitcast(const ragged_builder *builder, MlirType result, MlirValue x);
// sum of coefficients[k] * x^k for k <= degree in FMAs: Horner's rule in x^group over groups of
// `group` terms (1, 2 or 4, at most `degree`), and in x over the lowest terms that are left, at
// least one. A larger group takes an instruction or two more and makes the chain of dependent ones
// shorter.
MlirValue ragged_emit_polynomial(const ragged_builder *builder, MlirType type, MlirValue x,
                                 int degree, const double *coefficients, int group);

// e^(x + low) for x + low <= 0 (which saves the test for overflow), or for any x when `any_sign`;
// `low` may be null. |low| must be far below |x|.
MlirValue ragged_emit_exp_of_sum(const ragged_builder *builder, MlirType type, MlirValue x,
                                 MlirValue low, bool any_sign);
// `exp2` gives 2^x of f32, x at most 0 and 0 at x = -200; null: a polynomial does.
typedef MlirValue (*ragged_emit_power)(const ragged_builder *builder, MlirType type, MlirValue x);
// vector_gelu.c: the upper tail Q(a) of the normal distribution for a >= 0, and for f64 (P(x) - 1/2) / x
// as a function of x^2, |x| <= 3/4.
MlirValue ragged_emit_normal_tail(const ragged_builder *builder, MlirType type, MlirValue a,
                                  ragged_emit_power exp2);
MlirValue ragged_emit_normal_slope(const ragged_builder *builder, MlirType type, MlirValue square);
// vector_erf.c.
MlirValue ragged_emit_erf(const ragged_builder *builder, MlirType type, MlirValue x,
                          ragged_emit_power exp2);
// vector_gelu.c. Both of the same x share all but the last operations.
MlirValue ragged_emit_normal_cdf(const ragged_builder *builder, MlirType type, MlirValue x,
                                 ragged_emit_power exp2);
MlirValue ragged_emit_gelu(const ragged_builder *builder, MlirType type, MlirValue x,
                           ragged_emit_power exp2);

#endif  // RAGGED_LOWER_MATH_VECTOR_EMIT_H
