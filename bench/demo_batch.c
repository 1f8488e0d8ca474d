// See demo_batch.h.
#include "demo_batch.h"

#include <math.h>
#include <stdlib.h>

#include "draw.h"

#define NO_MEMORY() ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for inputs")

static const struct {
  int rank;
  int64_t shape[2];
} weight_shapes[kDemoWeights] = {
    {2, {kBlockPair, kBlockSingle}}, {2, {kBlockPair, kBlockSingle}}, {1, {kBlockPair, 1}},
    {1, {kBlockPair, 1}},            {2, {kBlockHidden, kBlockPair}}, {1, {kBlockHidden, 1}},
    {2, {kBlockPair, kBlockHidden}}, {1, {kBlockPair, 1}},            {2, {kBlockSingle, kBlockPair}}};

// What is drawn has the number of its argument; rows of sequences come after.
static float *draw(int argument, uint64_t seed, int64_t count, double scale) {
  size_t bytes = ((size_t)count * sizeof(float) + 64) / 64 * 64;
  float *values = aligned_alloc(64, bytes);
  if (values) ragged_run_draw(seed, argument, RAGGED_ELEMENT_F32, scale, count, values);
  return values;
}

float *demo_draw_rows(int64_t rows, uint64_t seed) {
  return draw(kDemoWeights, seed, rows * kBlockSingle, 1.0);
}

ragged_status demo_weights_create(ragged_rt_context *context, demo_weights *out) {
  for (int k = 0; k < kDemoWeights; ++k) {
    const int64_t *shape = weight_shapes[k].shape;
    double scale = weight_shapes[k].rank == 2 ? 1.0 / sqrt((double)shape[1]) : 1.0;
    out->values[k] = draw(k, 1, shape[0] * shape[1], scale);
    if (!out->values[k]) return NO_MEMORY();
    RAGGED_RETURN_IF_ERROR(ragged_rt_tensor_wrap_dense(context, RAGGED_ELEMENT_F32,
                                                       weight_shapes[k].rank, shape,
                                                       out->values[k], NULL, NULL,
                                                       &out->tensors[k]));
  }
  return NULL;
}

void demo_weights_destroy(demo_weights *weights) {
  for (int k = 0; k < kDemoWeights; ++k) {
    if (weights->tensors[k]) ragged_rt_tensor_release(weights->tensors[k]);
    free(weights->values[k]);
  }
  *weights = (demo_weights){0};
}

ragged_bench_weights demo_weights_get(const demo_weights *weights) {
  float *const *values = weights->values;
  return (ragged_bench_weights){.u = values[0], .v = values[1], .gamma = values[2],
                                .beta = values[3], .w1 = values[4], .b1 = values[5],
                                .w2 = values[6], .b2 = values[7], .g = values[8]};
}

int64_t demo_sum(const int64_t *lengths, int64_t batch) {
  int64_t sum = 0;
  for (int64_t s = 0; s < batch; ++s) sum += lengths[s];
  return sum;
}

int64_t demo_max(const int64_t *lengths, int64_t batch) {
  int64_t largest = 0;
  for (int64_t s = 0; s < batch; ++s)
    if (lengths[s] > largest) largest = lengths[s];
  return largest;
}

int64_t demo_pairs(const demo_lengths *lengths) {
  const int64_t *columns = demo_lengths_columns(lengths);
  int64_t pairs = 0;
  for (int64_t s = 0; s < lengths->batch; ++s) pairs += lengths->n[s] * columns[s];
  return pairs;
}

// A tensor of rows of 384 numbers over one axis of these lengths, with room for exactly those rows.
static ragged_status make_sequence(ragged_rt_context *context, int64_t batch,
                                   const int64_t *lengths, float *values,
                                   ragged_rt_tensor **out) {
  const int64_t tail[] = {kBlockSingle};
  ragged_rt_axis *axis = NULL;
  ragged_rt_space *space = NULL;
  ragged_status status =
      ragged_rt_axis_create_from_lengths(context, batch, 64, lengths, &axis);
  if (!status) status = ragged_rt_space_get(context, -1, 1, &axis, &space);
  if (!status)
    status = ragged_rt_tensor_wrap(context, RAGGED_ELEMENT_F32, space, 1, tail,
                                   ragged_rt_space_rows(space), values, NULL, NULL, out);
  if (space) ragged_rt_space_release(space);
  if (axis) ragged_rt_axis_release(axis);
  return status;
}

ragged_status demo_batch_create(ragged_rt_context *context, const demo_lengths *lengths, float *x,
                                float *z, const demo_weights *weights, demo_batch *out) {
  int first = lengths->m ? 2 : 1;
  for (int k = 0; k < kDemoWeights; ++k) out->arguments[first + k] = weights->tensors[k];
  out->num_arguments = first + kDemoWeights;
  RAGGED_RETURN_IF_ERROR(
      make_sequence(context, lengths->batch, lengths->n, x, &out->arguments[0]));
  if (!lengths->m) return NULL;
  return make_sequence(context, lengths->batch, lengths->m, z, &out->arguments[1]);
}

void demo_batch_destroy(demo_batch *batch) {
  for (int k = 0; k < batch->num_arguments - kDemoWeights; ++k)
    if (batch->arguments[k]) ragged_rt_tensor_release(batch->arguments[k]);
  *batch = (demo_batch){0};
}

ragged_status demo_batch_call(ragged_rt_context *context, const ragged_rt_entry *entry,
                              const demo_batch *batch, ragged_rt_tensor *results[kDemoResults]) {
  return ragged_rt_call(context, entry, batch->num_arguments, batch->arguments, kDemoResults,
                        results);
}

void demo_results_release(ragged_rt_tensor *results[kDemoResults]) {
  for (int k = 0; k < kDemoResults; ++k) {
    if (results[k]) ragged_rt_tensor_release(results[k]);
    results[k] = NULL;
  }
}
