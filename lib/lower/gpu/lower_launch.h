// Host programs whose kernels run on a GPU. Called by lower_gpu.c.
#ifndef RAGGED_LOWER_GPU_LOWER_LAUNCH_H
#define RAGGED_LOWER_GPU_LOWER_LAUNCH_H

#include "mlir-c/IR.h"

#include <stdbool.h>

// Replaces host ops by calls of the runtime, and declares the constant RAGGED_GPU_IMAGES. Runs before
// kernels are replaced. False after a diagnostic.
bool ragged_lower_host_to_gpu(MlirOperation module);

#endif  // RAGGED_LOWER_GPU_LOWER_LAUNCH_H
