// The dense baseline's loops between its products, on rows of 128 features, compiled for the widest
// vectors that the processor has.
#ifndef RAGGED_BENCH_DENSE_ROWS_H
#define RAGGED_BENCH_DENSE_ROWS_H

#include <stdint.h>

// pair[a, b] = u[a] + v[b] for `rows` x `columns` pairs, and its layer norm in `normal`.
void ragged_bench_rows_pair(const float *u, const float *v, const float *gamma, const float *beta,
                            int64_t rows, int64_t columns, float *pair, float *normal);

// mean[a] = mean of pair[a, b] over the first `length` of `columns` columns; 0 for length 0.
void ragged_bench_rows_mean(const float *pair, int64_t rows, int64_t columns, int64_t length,
                            float *mean);

#endif  // RAGGED_BENCH_DENSE_ROWS_H
