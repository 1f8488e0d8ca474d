// A batch for the single–pair–single functions: lengths, values and the runtime's tensors over them.
// The demo makes one of the true lengths, one padded to the longest, and small ones.
#ifndef RAGGED_BENCH_DEMO_BATCH_H
#define RAGGED_BENCH_DEMO_BATCH_H

#include "block.h"
#include "ragged_rt.h"

enum { kDemoWeights = 9, kDemoMaxArguments = 11, kDemoResults = 2 };

// Dense arguments, the same for all functions.
typedef struct demo_weights {
  float *values[kDemoWeights];
  ragged_rt_tensor *tensors[kDemoWeights];
} demo_weights;  // zero-initialise

// Uniform in [-1, 1), products' weights divided by sqrt(in).
RAGGED_MUST_USE ragged_status demo_weights_create(ragged_rt_context *context, demo_weights *out);
void demo_weights_destroy(demo_weights *weights);
ragged_bench_weights demo_weights_get(const demo_weights *weights);

typedef struct demo_lengths {
  int64_t batch;
  const int64_t *n, *m;  // m is null for functions without a second input
} demo_lengths;
static inline const int64_t *demo_lengths_columns(const demo_lengths *lengths) {
  return lengths->m ? lengths->m : lengths->n;
}
int64_t demo_sum(const int64_t *lengths, int64_t batch);
int64_t demo_max(const int64_t *lengths, int64_t batch);
int64_t demo_pairs(const demo_lengths *lengths);  // cells of the pair state

// `rows` rows of 384 numbers in [-1, 1), drawn from `seed`; null when there is no memory. Ends with
// free.
float *demo_draw_rows(int64_t rows, uint64_t seed);

typedef struct demo_batch {
  int num_arguments;
  ragged_rt_tensor *arguments[kDemoMaxArguments];  // the weights among them are borrowed
} demo_batch;  // zero-initialise

// Axes from the lengths, tensors over `x` and `z` (null without m), which outlive the batch.
RAGGED_MUST_USE ragged_status demo_batch_create(ragged_rt_context *context,
                                                const demo_lengths *lengths, float *x, float *z,
                                                const demo_weights *weights, demo_batch *out);
void demo_batch_destroy(demo_batch *batch);

// One call; the caller releases the results with demo_results_release.
RAGGED_MUST_USE ragged_status demo_batch_call(ragged_rt_context *context,
                                              const ragged_rt_entry *entry,
                                              const demo_batch *batch,
                                              ragged_rt_tensor *results[kDemoResults]);
void demo_results_release(ragged_rt_tensor *results[kDemoResults]);

#endif  // RAGGED_BENCH_DEMO_BATCH_H
