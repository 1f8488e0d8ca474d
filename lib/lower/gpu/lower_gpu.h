// Stage 2 → GPU kernels: every ragged_tile.kernel becomes a function of one gpu.module, and host
// programs calls of the runtime that launch them. The upstream conversions do the rest.
#ifndef RAGGED_LOWER_GPU_LOWER_GPU_H
#define RAGGED_LOWER_GPU_LOWER_GPU_H

#include "lower/gpu/gpu_target.h"

#ifdef __cplusplus
extern "C" {
#endif

// The gpu.module, and the constant of the host module that describes its images to the runtime
// (runtime/kernels.h), which what embeds them defines.
#define RAGGED_GPU_MODULE "ragged_kernels"
#define RAGGED_GPU_IMAGES "ragged_kernel_module"

// Host programs become calls of the runtime; kernels functions `NAME(items: i64, scratch, slots...)`
// (items -1: the grid's offsets say how many)
// of a gpu.module with the target's chips, its launches' parameters in this order: the slots of
// kernel_layout.h but products, then, where rows are visited in order, the order of the samples and
// the rows before each. False after a diagnostic.
bool ragged_lower_to_gpu(MlirOperation module, const ragged_gpu_target *target);
// The same for options as they are given: what is wrong with them is a diagnostic at the module.
bool ragged_lower_to_gpu_run(MlirOperation module, const ragged_gpu_options *options);

// Defines the constant RAGGED_GPU_IMAGES from the module's gpu.binary, which goes, or from the host
// functions that --ragged-emulate-kernels made of its gpu.module.
bool ragged_embed_kernels(MlirOperation module);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_LOWER_GPU_LOWER_GPU_H
