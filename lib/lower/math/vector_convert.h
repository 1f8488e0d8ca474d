// Conversions between element types on vectors or scalars, as arith ops. Used by the lowering of kernels.
#ifndef RAGGED_LOWER_MATH_VECTOR_CONVERT_H
#define RAGGED_LOWER_MATH_VECTOR_CONVERT_H

#include "ir/build.h"

// `x` (f64, f32, i64 or i1, scalar or vector) with elements of `element`, one of the same: rounded to
// the nearest, ties to even. To i64: truncated, the nearest end of its range beyond it, 0 for NaN. To
// i1: whether x is not 0, NaN included.
MlirValue ragged_emit_convert(const ragged_builder *builder, MlirType element, MlirValue x);
// The nearest bf16, ties to even, as an f32: rounded once, from any of these types. NaN stays NaN.
MlirValue ragged_emit_nearest_bf16(const ragged_builder *builder, MlirValue x);

#endif  // RAGGED_LOWER_MATH_VECTOR_CONVERT_H
