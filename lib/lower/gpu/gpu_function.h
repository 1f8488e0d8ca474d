// Functions of a GPU module: kernels, and device functions that they call.
#ifndef RAGGED_LOWER_GPU_GPU_FUNCTION_H
#define RAGGED_LOWER_GPU_GPU_FUNCTION_H

#include "lower/gpu/gpu_emit.h"

// Starts an llvm.func of these arguments (their attributes as text of an array; null: none) at
// `builder`; g's builder moves into it, g's thread, block and grid are read there. Its end comes with
// gpu_end_function. Returns the entry block.
MlirBlock gpu_begin_function(gpu_emission *g, const ragged_builder *builder, const char *name,
                             intptr_t count, const MlirType *types, const char *attributes,
                             bool kernel);
void gpu_end_function(gpu_emission *g);
// Calls a device function without a result.
void gpu_call(gpu_emission *g, const char *name, intptr_t count, const MlirValue *arguments);

#endif  // RAGGED_LOWER_GPU_GPU_FUNCTION_H
