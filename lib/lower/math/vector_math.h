// Elementwise arithmetic on vectors or scalars, written out as arith and math ops: polynomials
// instead of calls, so that none is left after convert-{vector,math,arith}-to-llvm. The code is
// for targets with FMA instructions; elsewhere LLVM would call fma(). Used by the CPU lowering.
#ifndef RAGGED_LOWER_MATH_VECTOR_MATH_H
#define RAGGED_LOWER_MATH_VECTOR_MATH_H

#include "ir/build.h"

// Emits row `name` of elementwise.def on as many operands as it takes, of one type: f32, f64, i64 or
// i1, scalar or vector of one dimension and any length; a condition is i1 of that length. NaN,
// infinities, signed zeros and subnormals come out as IEEE arithmetic on the formula gives them.
// Returns null for an unknown name. An element's result depends on that element only, not on the length of the vector. Largest
// errors (eps is the distance from 1 to the next value), as test/lower/vector-math.test measures:
//   all but the below  correctly rounded
//   rsqrt              1.5 ulp
//   exp                1 ulp
//   erf                2.5 ulp in f32, 3.5 in f64
//   sigmoid            2.5 ulp
//   normal_cdf, f32    40 ulp for x >= -5; below, the absolute error is under 1e-5 eps
//   normal_cdf, f64    5 ulp for x >= -37.5, then the result is below 1e-305
//   gelu, f32          1.1 eps * |x| everywhere. Of the result: 2.5 eps for x >= -1, 6 down to -2,
//                      10 to -3, 24 to -5; below, the absolute error is under 1e-5 eps * |x|
//   gelu, f64          1.1 eps * |x| everywhere; 5 ulp for x >= -37.5, then the result is below
//                      1e-305
MlirValue ragged_emit_elementwise(const ragged_builder *builder, const char *name,
                                  const MlirValue *x);
// Building blocks that other kernels use: e^x and x * y + z in one rounding.
MlirValue ragged_emit_exp(const ragged_builder *builder, MlirType type, MlirValue x);
MlirValue ragged_emit_fma(const ragged_builder *builder, MlirType type, MlirValue x, MlirValue y,
                          MlirValue z);

#endif  // RAGGED_LOWER_MATH_VECTOR_MATH_H
