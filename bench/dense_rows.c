// See dense_rows.h. No OpenMP threads here: only its simd pragmas.
#include "dense_rows.h"

#include <math.h>

#include "block.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define WIDEST_VECTORS \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), noinline))
#else
#define WIDEST_VECTORS
#endif

WIDEST_VECTORS
void ragged_bench_rows_pair(const float *u, const float *v, const float *gamma, const float *beta,
                            int64_t rows, int64_t columns, float *restrict pair,
                            float *restrict normal) {
  for (int64_t a = 0; a < rows; ++a) {
    const float *ua = u + a * kBlockPair;
    for (int64_t b = 0; b < columns; ++b) {
      const float *vb = v + b * kBlockPair;
      float *p = pair + (a * columns + b) * kBlockPair;
      float *q = normal + (a * columns + b) * kBlockPair;
      float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
      for (int k = 0; k < kBlockPair; ++k) sum += p[k] = ua[k] + vb[k];
      float mean = sum / kBlockPair;
#pragma omp simd reduction(+ : squares)
      for (int k = 0; k < kBlockPair; ++k) squares += (p[k] - mean) * (p[k] - mean);
      float scale = 1.0f / sqrtf(squares / kBlockPair + RAGGED_BENCH_EPS);
#pragma omp simd
      for (int k = 0; k < kBlockPair; ++k) q[k] = (p[k] - mean) * scale * gamma[k] + beta[k];
    }
  }
}

WIDEST_VECTORS
void ragged_bench_rows_mean(const float *pair, int64_t rows, int64_t columns, int64_t length,
                            float *mean) {
  float scale = length ? 1.0f / (float)length : 0.0f;
  for (int64_t a = 0; a < rows; ++a) {
    const float *p = pair + a * columns * kBlockPair;
    float sum[kBlockPair] = {0};
    int64_t b = 0;
    for (; b + 4 <= length; b += 4, p += 4 * kBlockPair)
#pragma omp simd
      for (int k = 0; k < kBlockPair; ++k)
        sum[k] += (p[k] + p[k + kBlockPair]) + (p[k + 2 * kBlockPair] + p[k + 3 * kBlockPair]);
    for (; b < length; ++b, p += kBlockPair)
#pragma omp simd
      for (int k = 0; k < kBlockPair; ++k) sum[k] += p[k];
#pragma omp simd
    for (int k = 0; k < kBlockPair; ++k) mean[a * kBlockPair + k] = sum[k] * scale;
  }
}
