// See block_program.h.
#include "block_program.h"

#include <math.h>
#include <stdlib.h>

#include "block.h"
#include "draw.h"

#define PROGRAM "single_pair_single"

const ragged_rt_entry *gpu_block_entry(const gpu_setting *setting, const char *stage) {
  const ragged_rt_entry *entry = gpu_find_entry(PROGRAM, PROGRAM);
  if (entry && entry->num_arguments == kBlockArguments && setting->num_lengths) return entry;
  gpu_row row = gpu_row_make(GPU_ROW_SKIPPED, stage, PROGRAM);
  gpu_row_note(&row, "not in this bundle");
  gpu_row_write(setting->out, &row);
  return NULL;
}

static const int64_t kShapes[kBlockWeights][2] = {
    {kBlockPair, kBlockSingle}, {kBlockPair, kBlockSingle}, {kBlockPair, 0},
    {kBlockPair, 0},            {kBlockHidden, kBlockPair}, {kBlockHidden, 0},
    {kBlockPair, kBlockHidden}, {kBlockPair, 0},            {kBlockSingle, kBlockPair}};

ragged_status gpu_no_memory(void) {
  return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for the block's arrays");
}

ragged_status gpu_weights_create(ragged_rt_context *context, gpu_weights *out) {
  for (int k = 0; k < kBlockWeights; ++k) {
    int rank = kShapes[k][1] ? 2 : 1;
    int64_t count = kShapes[k][0] * (rank == 2 ? kShapes[k][1] : 1);
    out->values[k] = malloc((size_t)count * sizeof(float));
    if (!out->values[k]) return gpu_no_memory();
    double scale = rank == 2 ? 1 / sqrt((double)kShapes[k][1]) : 1;
    ragged_run_draw(3, k, RAGGED_ELEMENT_F32, scale, count, out->values[k]);
    RAGGED_RETURN_IF_ERROR(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_F32, NULL, rank,
                                                      kShapes[k], out->values[k],
                                                      &out->tensors[k]));
  }
  return NULL;
}

void gpu_weights_destroy(gpu_weights *self) {
  for (int k = 0; k < kBlockWeights; ++k) {
    ragged_rt_tensor_release(self->tensors[k]);
    free(self->values[k]);
  }
}
