// See gpu_rewrite.c.
#ifndef RAGGED_LOWER_GPU_GPU_REWRITE_H
#define RAGGED_LOWER_GPU_GPU_REWRITE_H

#include "ir/build.h"

// Rewrites the body of one ragged_tile.kernel.
void gpu_rewrite(MlirOperation kernel);

#endif  // RAGGED_LOWER_GPU_GPU_REWRITE_H
