// Elementwise arithmetic for GPUs: where the special-function unit has an instruction, that, else what every
// target computes. Used by the GPU lowering.
#ifndef RAGGED_LOWER_MATH_GPU_MATH_H
#define RAGGED_LOWER_MATH_GPU_MATH_H

#include "ir/build.h"

// As ragged_emit_elementwise (vector_math.h); exp, sigmoid, normal_cdf, gelu and erf of f32 use ex2.approx.f32, which errs by at
// most 2 ulp, and rcp.approx.ftz.f32, by at most 1 (PTX ISA, "Floating Point Instructions"). Largest errors, as
// test/lower/gpu-math.test measures on the emulated device, which errs as much as the instructions may:
//   exp         3 ulp
//   sigmoid     6 ulp
//   erf         4 ulp
//   normal_cdf  2 eps everywhere
//   gelu        2 eps * |x| everywhere; of the result, 2 ulp more than that of vector_math.h
MlirValue ragged_emit_gpu_elementwise(const ragged_builder *builder, const char *name,
                                      const MlirValue *x);

#endif  // RAGGED_LOWER_MATH_GPU_MATH_H
