// See products.h.
#include "products.h"

#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { kBlockSizes = 5, kStages = 4, kMaxProducts = 2 };
static const int64_t kBlockRows[kBlockSizes] = {256, 512, 1024, 2048, 4096};

// A stage runs one product, or two in a row, on `rows` rows: whole blocks and one that is the rest.
typedef struct stage {
  int64_t rows, block_rows;
  int num_products;
  ragged_bench_product *whole[kMaxProducts], *rest[kMaxProducts];
} stage;

typedef struct plan {  // for one block size
  stage stages[kStages];
} plan;

struct ragged_bench_products {
  plan plans[kBlockSizes];
  float **buffers[3];  // per thread: source, between, target; each the largest that is needed
  int threads;
  double operations, seconds;  // infinity before the first measurement
  int64_t block_rows;
};

// What a stage multiplies with, in order; k of the first, then n of each.
typedef struct stage_description {
  int num_products;
  const float *weights[kMaxProducts];
  int64_t sizes[kMaxProducts + 1];
} stage_description;

static ragged_status make_stage(ragged_bench_library *library,
                                const stage_description *description, int64_t rows,
                                int64_t block_rows, stage *out) {
  // Few rows are shared out evenly.
  int threads = omp_get_max_threads();
  int64_t share = (rows + threads - 1) / threads;
  if (block_rows > share) block_rows = share;
  out->rows = rows;
  out->block_rows = block_rows;
  out->num_products = description->num_products;
  for (int k = 0; k < description->num_products && rows; ++k) {
    ragged_bench_product_shape shape = {
        .rows = block_rows, .k = description->sizes[k], .n = description->sizes[k + 1]};
    RAGGED_RETURN_IF_ERROR(ragged_bench_product_create(library, &shape, description->weights[k],
                                                       NULL, &out->whole[k]));
    shape.rows = rows % block_rows;
    if (shape.rows)
      RAGGED_RETURN_IF_ERROR(ragged_bench_product_create(library, &shape, description->weights[k],
                                                         NULL, &out->rest[k]));
  }
  return NULL;
}

static ragged_status make_plans(ragged_bench_library *library, const ragged_bench_weights *weights,
                                const ragged_bench_product_rows *rows,
                                ragged_bench_products *products) {
  const stage_description descriptions[kStages] = {
      {1, {weights->u}, {kBlockSingle, kBlockPair}},
      {1, {weights->v}, {kBlockSingle, kBlockPair}},
      {2, {weights->w1, weights->w2}, {kBlockPair, kBlockHidden, kBlockPair}},
      {1, {weights->g}, {kBlockPair, kBlockSingle}}};
  const int64_t stage_rows[kStages] = {rows->x, rows->z, rows->pairs, rows->x};
  for (int s = 0; s < kStages; ++s) {
    const stage_description *description = &descriptions[s];
    for (int k = 0; k < description->num_products; ++k)
      products->operations += 2.0 * (double)stage_rows[s] * (double)description->sizes[k] *
                              (double)description->sizes[k + 1];
    for (int b = 0; b < kBlockSizes; ++b)
      RAGGED_RETURN_IF_ERROR(make_stage(library, description, stage_rows[s], kBlockRows[b],
                                        &products->plans[b].stages[s]));
  }
  return NULL;
}

// Each thread touches its own first. Values that are neither zero nor special: products must not be
// faster than on data.
static ragged_status make_buffers(ragged_bench_products *products) {
  atomic_bool failed = false;
  size_t count = (size_t)kBlockRows[kBlockSizes - 1] * kBlockHidden;
  products->threads = omp_get_max_threads();
  for (int k = 0; k < 3; ++k) {
    products->buffers[k] = calloc((size_t)products->threads, sizeof *products->buffers[k]);
    if (!products->buffers[k])
      return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for blocks");
  }
#pragma omp parallel
  for (int k = 0; k < 3; ++k) {
    float *buffer = aligned_alloc(64, count * sizeof *buffer);
    products->buffers[k][omp_get_thread_num()] = buffer;
    if (!buffer) failed = true;
    for (size_t j = 0; buffer && j < count; ++j) buffer[j] = (float)(j % 61) / 61.0f - 0.49f;
  }
  return failed ? ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for blocks") : NULL;
}

ragged_status ragged_bench_products_create(ragged_bench_library *library,
                                           const ragged_bench_weights *weights,
                                           const ragged_bench_product_rows *rows,
                                           ragged_bench_products **out) {
  ragged_bench_products *products = calloc(1, sizeof *products);
  if (!products) return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory");
  products->seconds = INFINITY;
  ragged_status status = make_plans(library, weights, rows, products);
  if (!status) status = make_buffers(products);
  if (status) ragged_bench_products_destroy(products);
  else *out = products;
  return status;
}

void ragged_bench_products_destroy(ragged_bench_products *products) {
  if (!products) return;
  for (int b = 0; b < kBlockSizes; ++b)
    for (int s = 0; s < kStages; ++s)
      for (int k = 0; k < kMaxProducts; ++k) {
        ragged_bench_product_destroy(products->plans[b].stages[s].whole[k]);
        ragged_bench_product_destroy(products->plans[b].stages[s].rest[k]);
      }
  for (int k = 0; k < 3; ++k) {
    for (int t = 0; products->buffers[k] && t < products->threads; ++t)
      free(products->buffers[k][t]);
    free(products->buffers[k]);
  }
  free(products);
}

static bool run_block(const ragged_bench_products *products, const stage *stage, bool rest) {
  int thread = omp_get_thread_num();
  float *source = products->buffers[0][thread], *between = products->buffers[1][thread],
        *target = products->buffers[2][thread];
  ragged_bench_product *const *list = rest ? stage->rest : stage->whole;
  if (stage->num_products == 1) return ragged_bench_product_run(list[0], thread, source, target);
  return ragged_bench_product_run(list[0], thread, source, between) &&
         ragged_bench_product_run(list[1], thread, between, target);
}

static bool run_plan(const ragged_bench_products *products, const plan *plan) {
  atomic_bool failed = false;
#pragma omp parallel
  for (int s = 0; s < kStages; ++s) {
    const stage *stage = &plan->stages[s];
    int64_t blocks = stage->rows ? (stage->rows + stage->block_rows - 1) / stage->block_rows : 0;
#pragma omp for schedule(dynamic, 1) nowait
    for (int64_t block = 0; block < blocks; ++block) {
      bool rest = (block + 1) * stage->block_rows > stage->rows;
      if (!run_block(products, stage, rest)) failed = true;
    }
  }
  return !failed;
}

ragged_status ragged_bench_products_measure(ragged_bench_products *products) {
  for (int b = 0; b < kBlockSizes; ++b) {
    double begin = omp_get_wtime();
    if (!run_plan(products, &products->plans[b]))
      return ragged_status_make(RAGGED_STATUS_INTERNAL, "oneDNN failed to run a product");
    double seconds = omp_get_wtime() - begin;
    if (seconds >= products->seconds) continue;
    products->seconds = seconds;
    products->block_rows = kBlockRows[b];
  }
  return NULL;
}

double ragged_bench_products_seconds(const ragged_bench_products *products) {
  return products->seconds;
}
int64_t ragged_bench_products_block_rows(const ragged_bench_products *products) {
  return products->block_rows;
}
double ragged_bench_products_operations(const ragged_bench_products *products) {
  return products->operations;
}
