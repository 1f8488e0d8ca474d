// The single–pair–single block in a bundle, and weights for it: what the stages that run it share.
#ifndef RAGGED_BENCH_BLOCK_PROGRAM_H
#define RAGGED_BENCH_BLOCK_PROGRAM_H

#include "driver.h"

enum { kBlockWeights = 9, kBlockArguments = 1 + kBlockWeights, kBlockResults = 2 };

// Null, after a row that says so, where the bundle has no such program or no lengths for it.
const ragged_rt_entry *gpu_block_entry(const gpu_setting *setting, const char *stage);

typedef struct gpu_weights {
  float *values[kBlockWeights];
  ragged_rt_tensor *tensors[kBlockWeights];
} gpu_weights;  // zero-initialise; ends with _destroy, also after an error

RAGGED_MUST_USE ragged_status gpu_weights_create(ragged_rt_context *context, gpu_weights *out);
void gpu_weights_destroy(gpu_weights *self);
RAGGED_MUST_USE ragged_status gpu_no_memory(void);

#endif  // RAGGED_BENCH_BLOCK_PROGRAM_H
