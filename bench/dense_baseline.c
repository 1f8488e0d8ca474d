// See dense_baseline.h. A block is some whole rows a of one sample with all their columns b, so that
// the mean over b is taken while the block is in cache.
#include "dense_baseline.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "dense_rows.h"

// Pairs of a block, at most where that is possible: the library runs products of 700 to 2,000 rows
// fastest, and the wide state of so many stays in cache.
enum { kBlockPairs = 1024 };

struct ragged_bench_dense {
  ragged_bench_dense_shape shape;
  ragged_bench_weights weights;
  int64_t block_rows;  // rows a of a block; the last one of a sample may have fewer
  ragged_bench_product *project_u, *project_v, *project_back;  // one sample
  ragged_bench_product *widen, *narrow, *widen_rest, *narrow_rest;  // one block
  float *u, *v, *mean;                // [batch, n, 128], [batch, m, 128], [batch, n, 128]
  float *normal, *hidden;             // per thread, one block of [.., 128], [.., 512]
};

static ragged_status make_products(ragged_bench_library *library, ragged_bench_dense *dense) {
  const ragged_bench_dense_shape *shape = &dense->shape;
  const ragged_bench_weights *weights = &dense->weights;
  int64_t whole = dense->block_rows * shape->m, rest = shape->n % dense->block_rows * shape->m;
  const struct {
    ragged_bench_product_shape shape;
    const float *weight, *bias;
    ragged_bench_product **out;
  } list[] = {
      {{shape->n, kBlockSingle, kBlockPair, 0, 0}, weights->u, NULL, &dense->project_u},
      {{shape->m, kBlockSingle, kBlockPair, 0, 0}, weights->v, NULL, &dense->project_v},
      {{shape->n, kBlockPair, kBlockSingle, 0, 1}, weights->g, NULL, &dense->project_back},
      {{whole, kBlockPair, kBlockHidden, 1, 0}, weights->w1, weights->b1, &dense->widen},
      {{whole, kBlockHidden, kBlockPair, 0, 1}, weights->w2, weights->b2, &dense->narrow},
      {{rest, kBlockPair, kBlockHidden, 1, 0}, weights->w1, weights->b1, &dense->widen_rest},
      {{rest, kBlockHidden, kBlockPair, 0, 1}, weights->w2, weights->b2, &dense->narrow_rest}};
  for (size_t k = 0; k < sizeof list / sizeof list[0]; ++k)
    if (list[k].shape.rows)
      RAGGED_RETURN_IF_ERROR(ragged_bench_product_create(library, &list[k].shape, list[k].weight,
                                                         list[k].bias, list[k].out));
  return NULL;
}

static ragged_status make_buffers(ragged_bench_dense *dense) {
  const ragged_bench_dense_shape *shape = &dense->shape;
  int64_t block = omp_get_max_threads() * dense->block_rows * shape->m;
  const struct {
    int64_t rows, features;
    float **out;
  } list[] = {{shape->batch * shape->n, kBlockPair, &dense->u},
              {shape->batch * shape->m, kBlockPair, &dense->v},
              {shape->batch * shape->n, kBlockPair, &dense->mean},
              {block, kBlockPair, &dense->normal},
              {block, kBlockHidden, &dense->hidden}};
  for (size_t k = 0; k < sizeof list / sizeof list[0]; ++k) {
    *list[k].out = aligned_alloc(64, (size_t)(list[k].rows * list[k].features) * sizeof(float));
    if (!*list[k].out)
      return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for the baseline");
  }
  return NULL;
}

ragged_status ragged_bench_dense_create(ragged_bench_library *library,
                                        const ragged_bench_weights *weights,
                                        const ragged_bench_dense_shape *shape,
                                        ragged_bench_dense **out) {
  ragged_bench_dense *dense = calloc(1, sizeof *dense);
  if (!dense) return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory");
  dense->shape = *shape;
  dense->weights = *weights;
  dense->block_rows = kBlockPairs / shape->m;
  if (dense->block_rows < 1) dense->block_rows = 1;
  if (dense->block_rows > shape->n) dense->block_rows = shape->n;
  ragged_status status = make_products(library, dense);
  if (!status) status = make_buffers(dense);
  if (status) ragged_bench_dense_destroy(dense);
  else *out = dense;
  return status;
}

void ragged_bench_dense_destroy(ragged_bench_dense *dense) {
  if (!dense) return;
  ragged_bench_product *products[] = {dense->project_u,  dense->project_v,  dense->project_back,
                                      dense->widen,      dense->narrow,     dense->widen_rest,
                                      dense->narrow_rest};
  for (size_t k = 0; k < sizeof products / sizeof products[0]; ++k)
    ragged_bench_product_destroy(products[k]);
  free(dense->u);
  free(dense->v);
  free(dense->mean);
  free(dense->normal);
  free(dense->hidden);
  free(dense);
}

// Rows [first, first + rows) of `sample`, all columns.
static bool run_block(ragged_bench_dense *dense, int64_t sample, int64_t first, int64_t rows,
                      int64_t length, float *new_pair) {
  const ragged_bench_dense_shape *shape = &dense->shape;
  int thread = omp_get_thread_num();
  bool whole = rows == dense->block_rows;
  int64_t row = sample * shape->n + first, scratch = thread * dense->block_rows * shape->m;
  float *pair = new_pair + row * shape->m * kBlockPair;
  float *normal = dense->normal + scratch * kBlockPair;
  float *hidden = dense->hidden + scratch * kBlockHidden;
  ragged_bench_rows_pair(dense->u + row * kBlockPair, dense->v + sample * shape->m * kBlockPair,
                         dense->weights.gamma, dense->weights.beta, rows, shape->m, pair, normal);
  bool done = ragged_bench_product_run(whole ? dense->widen : dense->widen_rest, thread, normal,
                                       hidden) &&
              ragged_bench_product_run(whole ? dense->narrow : dense->narrow_rest, thread, hidden,
                                       pair);
  ragged_bench_rows_mean(pair, rows, shape->m, length, dense->mean + row * kBlockPair);
  return done;
}

ragged_status ragged_bench_dense_run(ragged_bench_dense *dense, const float *x, const float *z,
                                     const int64_t *lengths_m, float *new_x, float *new_pair) {
  const ragged_bench_dense_shape *shape = &dense->shape;
  int64_t n = shape->n, m = shape->m;
  int64_t blocks = (n + dense->block_rows - 1) / dense->block_rows;
  atomic_bool failed = false;
#pragma omp parallel
  {
    int thread = omp_get_thread_num();
#pragma omp for schedule(dynamic, 1) nowait
    for (int64_t s = 0; s < shape->batch; ++s)
      if (!ragged_bench_product_run(dense->project_u, thread, x + s * n * kBlockSingle,
                                    dense->u + s * n * kBlockPair))
        failed = true;
#pragma omp for schedule(dynamic, 1)
    for (int64_t s = 0; s < shape->batch; ++s)
      if (!ragged_bench_product_run(dense->project_v, thread, z + s * m * kBlockSingle,
                                    dense->v + s * m * kBlockPair))
        failed = true;
#pragma omp for schedule(dynamic, 1)
    for (int64_t k = 0; k < shape->batch * blocks; ++k) {
      int64_t sample = k / blocks, first = k % blocks * dense->block_rows;
      int64_t left = n - first, rows = left < dense->block_rows ? left : dense->block_rows;
      if (!run_block(dense, sample, first, rows, lengths_m[sample], new_pair)) failed = true;
    }
#pragma omp for schedule(dynamic, 1)
    for (int64_t s = 0; s < shape->batch; ++s) {
      float *target = new_x + s * n * kBlockSingle;
      memcpy(target, x + s * n * kBlockSingle, (size_t)(n * kBlockSingle) * sizeof *target);
      if (!ragged_bench_product_run(dense->project_back, thread, dense->mean + s * n * kBlockPair,
                                    target))
        failed = true;
    }
  }
  return failed ? ragged_status_make(RAGGED_STATUS_INTERNAL, "oneDNN failed to run a product") : NULL;
}
