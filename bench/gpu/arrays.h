// Large arguments for timed functions: drawn once for each element type, and lent to all. What is
// computed from them is not looked at.
#ifndef RAGGED_BENCH_ARRAYS_H
#define RAGGED_BENCH_ARRAYS_H

#include "driver.h"

typedef struct gpu_arrays {
  ragged_rt_context *context;
  int64_t elements;  // of each buffer
  ragged_rt_tensor *buffers[RAGGED_ELEMENT_COUNT];  // null: not made yet
} gpu_arrays;

// Lengths of all axes of a function's arguments.
typedef struct gpu_lengths {
  const char *name;
  int64_t batch;
  int64_t *values;
} gpu_lengths;

// Two arrays of `rows` x 128 elements each, made when they are first asked for.
void gpu_arrays_create(ragged_rt_context *context, int64_t rows, gpu_arrays *out);
void gpu_arrays_destroy(gpu_arrays *arrays);

// The arguments of `entry`, whose ragged axes all have these lengths; a dense tensor of unknown shape
// is a padded box [batch, longest, ...], or the lengths themselves. The caller releases what is not
// null, also on error.
RAGGED_MUST_USE ragged_status gpu_arrays_arguments(gpu_arrays *arrays, const ragged_rt_entry *entry,
                                                   const gpu_lengths *lengths,
                                                   ragged_rt_tensor **out);

#endif  // RAGGED_BENCH_ARRAYS_H
