// The block as a careful user would write it today without ragged tensors: a program of static shape
// over a padded batch, oneDNN products with post-ops, C loops in between, processed in blocks of rows
// that stay in cache, all OpenMP threads. It serves the non-leading function too: whoever pads chooses
// the layout freely, and would keep features last.
#ifndef RAGGED_BENCH_DENSE_BASELINE_H
#define RAGGED_BENCH_DENSE_BASELINE_H

#include "block.h"
#include "library_product.h"

// Pair states are [batch, n, m, 128], sequences [batch, n, 384] and [batch, m, 384].
typedef struct ragged_bench_dense_shape {
  int64_t batch, n, m;
} ragged_bench_dense_shape;

typedef struct ragged_bench_dense ragged_bench_dense;

// Makes primitives, weights in the library's format and scratch; the weights outlive it. Extents are
// at least 1. Ends with destroy (null is allowed).
RAGGED_MUST_USE ragged_status ragged_bench_dense_create(ragged_bench_library *library,
                                                        const ragged_bench_weights *weights,
                                                        const ragged_bench_dense_shape *shape,
                                                        ragged_bench_dense **out);
void ragged_bench_dense_destroy(ragged_bench_dense *dense);

// x [batch, n, 384], z [batch, m, 384] (x itself for the square block) with any finite padding;
// lengths_m: the real ones among m columns, over which the mean runs (0 gives 0). Writes new_x
// [batch, n, 384] and new_pair [batch, n, m, 128], padded cells included.
RAGGED_MUST_USE ragged_status ragged_bench_dense_run(ragged_bench_dense *dense, const float *x,
                                                     const float *z, const int64_t *lengths_m,
                                                     float *new_x, float *new_pair);

#endif  // RAGGED_BENCH_DENSE_BASELINE_H
