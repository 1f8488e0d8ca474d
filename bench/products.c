// See products.h.
#include "products.h"

#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { kBlockSizes = 5, kMoreTries = 2 };
static const int64_t kBlockRows[kBlockSizes] = {256, 512, 1024, 2048, 4096};

// One product in whole blocks and one that is the rest.
typedef struct plan {
  int64_t block_rows;
  ragged_bench_product *whole, *rest;  // null where there are no such rows
} plan;

typedef struct product {
  int64_t rows;
  double operations, seconds;  // infinity before the first measurement
  int best;                    // the plan that took them
  plan plans[kBlockSizes];
} product;

struct ragged_bench_products {
  product products[kBenchProducts];
  float **sources, **targets;  // per thread, each the largest that is needed
  int threads;
};

static ragged_status make_plan(ragged_bench_library *library, const float *weight, int64_t rows,
                               int64_t block_rows, int64_t k, int64_t n, plan *out) {
  // Few rows are shared out evenly.
  int threads = omp_get_max_threads();
  int64_t share = (rows + threads - 1) / threads;
  out->block_rows = block_rows < share ? block_rows : share;
  if (!rows) return NULL;
  ragged_bench_product_shape shape = {.rows = out->block_rows, .k = k, .n = n};
  RAGGED_RETURN_IF_ERROR(ragged_bench_product_create(library, &shape, weight, NULL, &out->whole));
  shape.rows = rows % out->block_rows;
  if (!shape.rows) return NULL;
  return ragged_bench_product_create(library, &shape, weight, NULL, &out->rest);
}

static ragged_status make_products(ragged_bench_library *library,
                                   const ragged_bench_weights *weights,
                                   const ragged_bench_product_rows *rows,
                                   ragged_bench_products *products) {
  const struct {
    const float *weight;
    int64_t rows, k, n;
  } descriptions[kBenchProducts] = {
      [kBenchProductU] = {weights->u, rows->x, kBlockSingle, kBlockPair},
      [kBenchProductV] = {weights->v, rows->z, kBlockSingle, kBlockPair},
      [kBenchProductW1] = {weights->w1, rows->pairs, kBlockPair, kBlockHidden},
      [kBenchProductW2] = {weights->w2, rows->pairs, kBlockHidden, kBlockPair},
      [kBenchProductG] = {weights->g, rows->x, kBlockPair, kBlockSingle}};
  for (int p = 0; p < kBenchProducts; ++p) {
    int64_t count = descriptions[p].rows, k = descriptions[p].k, n = descriptions[p].n;
    product *product = &products->products[p];
    product->rows = count;
    product->operations = 2.0 * (double)count * (double)k * (double)n;
    product->seconds = INFINITY;
    for (int b = 0; b < kBlockSizes; ++b)
      RAGGED_RETURN_IF_ERROR(make_plan(library, descriptions[p].weight, count, kBlockRows[b], k, n,
                                       &product->plans[b]));
  }
  return NULL;
}

// Each thread touches its own first. Values that are neither zero nor special: products must not be
// faster than on data.
static ragged_status make_buffers(ragged_bench_products *products) {
  atomic_bool failed = false;
  size_t count = (size_t)kBlockRows[kBlockSizes - 1] * kBlockHidden;
  products->threads = omp_get_max_threads();
  float ***const lists[2] = {&products->sources, &products->targets};
  for (int k = 0; k < 2; ++k) {
    *lists[k] = calloc((size_t)products->threads, sizeof **lists[k]);
    if (!*lists[k])
      return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for blocks");
  }
#pragma omp parallel
  for (int k = 0; k < 2; ++k) {
    float *buffer = aligned_alloc(64, count * sizeof *buffer);
    (*lists[k])[omp_get_thread_num()] = buffer;
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
  ragged_status status = make_products(library, weights, rows, products);
  if (!status) status = make_buffers(products);
  if (status) ragged_bench_products_destroy(products);
  else *out = products;
  return status;
}

static void free_buffers(float **buffers, int threads) {
  for (int t = 0; buffers && t < threads; ++t) free(buffers[t]);
  free(buffers);
}

void ragged_bench_products_destroy(ragged_bench_products *products) {
  if (!products) return;
  for (int p = 0; p < kBenchProducts; ++p)
    for (int b = 0; b < kBlockSizes; ++b) {
      ragged_bench_product_destroy(products->products[p].plans[b].whole);
      ragged_bench_product_destroy(products->products[p].plans[b].rest);
    }
  free_buffers(products->sources, products->threads);
  free_buffers(products->targets, products->threads);
  free(products);
}

static bool run_plan(const ragged_bench_products *products, int64_t rows, const plan *plan) {
  atomic_bool failed = false;
  int64_t blocks = rows ? (rows + plan->block_rows - 1) / plan->block_rows : 0;
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t block = 0; block < blocks; ++block) {
    int thread = omp_get_thread_num();
    bool rest = (block + 1) * plan->block_rows > rows;
    if (!ragged_bench_product_run(rest ? plan->rest : plan->whole, thread,
                                  products->sources[thread], products->targets[thread]))
      failed = true;
  }
  return !failed;
}

static ragged_status measure_plan(const ragged_bench_products *products, product *product, int b) {
  double begin = omp_get_wtime();
  if (!run_plan(products, product->rows, &product->plans[b]))
    return ragged_status_make(RAGGED_STATUS_INTERNAL, "oneDNN failed to run a product");
  double seconds = omp_get_wtime() - begin;
  if (seconds < product->seconds) {
    product->seconds = seconds;
    product->best = b;
  }
  return NULL;
}

// The fastest of a sweep is a matter of chance where sizes are close: it gets more tries.
ragged_status ragged_bench_products_measure(ragged_bench_products *products) {
  for (int p = 0; p < kBenchProducts; ++p) {
    product *product = &products->products[p];
    for (int b = 0; b < kBlockSizes; ++b)
      RAGGED_RETURN_IF_ERROR(measure_plan(products, product, b));
    for (int k = 0; k < kMoreTries; ++k)
      RAGGED_RETURN_IF_ERROR(measure_plan(products, product, product->best));
  }
  return NULL;
}

double ragged_bench_products_seconds(const ragged_bench_products *products) {
  double seconds = 0;
  for (int p = 0; p < kBenchProducts; ++p) seconds += products->products[p].seconds;
  return seconds;
}
int64_t ragged_bench_products_block_rows(const ragged_bench_products *products,
                                         ragged_bench_product_name name) {
  return kBlockRows[products->products[name].best];
}
double ragged_bench_products_operations(const ragged_bench_products *products) {
  double operations = 0;
  for (int p = 0; p < kBenchProducts; ++p) operations += products->products[p].operations;
  return operations;
}
