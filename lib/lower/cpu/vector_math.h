// Elementwise arithmetic on vectors or scalars, written out as arith ops: polynomials instead of
// calls, so that LLVM vectorises nothing and calls nothing. Used by the CPU lowering only.
#ifndef RAGGED_LOWER_CPU_VECTOR_MATH_H
#define RAGGED_LOWER_CPU_VECTOR_MATH_H

#include "ir/build.h"

// Emits row `name` of elementwise.def on operands of one type: f32, f64 or i64, scalar or vector of
// any length. `y` is null for unary ops. Exact where the operation is; else within 2 ulp of the true
// value over the whole range, with IEEE results for NaN, infinities and subnormals (gelu: absolute
// error within 2 eps * max(|x|, tiny)). Returns null for an unknown name.
MlirValue ragged_emit_elementwise(const ragged_builder *builder, const char *name, MlirType type,
                                  MlirValue x, MlirValue y);
// Building blocks that other kernels use: e^x and x * y + z in one rounding.
MlirValue ragged_emit_exp(const ragged_builder *builder, MlirType type, MlirValue x);
MlirValue ragged_emit_fma(const ragged_builder *builder, MlirType type, MlirValue x, MlirValue y,
                          MlirValue z);

#endif  // RAGGED_LOWER_CPU_VECTOR_MATH_H
