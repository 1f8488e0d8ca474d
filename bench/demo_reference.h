// The demo's results against the reference interpreter, on a few samples: all would take it hours.
#ifndef RAGGED_BENCH_DEMO_REFERENCE_H
#define RAGGED_BENCH_DEMO_REFERENCE_H

#include "demo_batch.h"
#include "mlir-c/IR.h"

// One function on one batch, and what its compiled code and the padded baseline made of it.
typedef struct demo_check {
  ragged_rt_context *context;
  const ragged_rt_entry *entry;
  MlirOperation function;
  const demo_weights *weights;
  demo_lengths lengths;
  const float *x, *z;                       // packed
  const float *new_x, *new_pair;            // packed results of the batch
  const float *dense_x, *dense_pair;        // results in boxes [batch, N, 384], [batch, N, M, 128]
} demo_check;

// Cuts the samples whose numbers are `samples` out of the batch and evaluates them in double.
// *out_compiled: the largest absolute difference of both results from it, of the batch's own results
// and of a run of the compiled code on those samples alone. *out_dense: that of the baseline.
RAGGED_MUST_USE ragged_status demo_check_samples(const demo_check *check, int count,
                                                 const int64_t *samples, double *out_compiled,
                                                 double *out_dense);

#endif  // RAGGED_BENCH_DEMO_REFERENCE_H
