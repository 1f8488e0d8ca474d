// The dense baseline of the demo against a plain double evaluation: a wrong program would be no
// baseline. Square and rectangular, blocks with a rest, empty samples. Also that the ceilings are
// figures and the products count their operations. Skipped where there is no oneDNN.
#include <math.h>

#include "ceilings.h"
#include "dense_baseline.h"
#include "products.h"
#include "unit_test.h"

enum { kBatch = 2 };

static float *draw(int64_t count, double scale, uint64_t *state) {
  float *values = malloc((size_t)count * sizeof *values);
  if (!values) exit(EXIT_FAILURE);
  for (int64_t k = 0; k < count; ++k)
    values[k] = (float)(((double)(unit_test_random(state) >> 40) / (1 << 23) - 1.0) * scale);
  return values;
}

// target[n] = (bias or 0) + weight[n, k] source[k].
static void apply(const double *source, int k, const float *weight, const float *bias, int n,
                  double *target) {
  for (int j = 0; j < n; ++j) {
    target[j] = bias ? (double)bias[j] : 0;
    for (int i = 0; i < k; ++i) target[j] += (double)weight[j * k + i] * source[i];
  }
}

static void apply_floats(const float *source, int k, const float *weight, int n, double *target) {
  double wide[kBlockSingle];
  for (int i = 0; i < k; ++i) wide[i] = (double)source[i];
  apply(wide, k, weight, NULL, n, target);
}

// P' of one pair.
static void transition(const ragged_bench_weights *weights, const double *u, const double *v,
                       double *pair) {
  double normal[kBlockPair], hidden[kBlockHidden], update[kBlockPair], mean = 0, variance = 0;
  for (int k = 0; k < kBlockPair; ++k) mean += (pair[k] = u[k] + v[k]) / kBlockPair;
  for (int k = 0; k < kBlockPair; ++k)
    variance += (pair[k] - mean) * (pair[k] - mean) / kBlockPair;
  for (int k = 0; k < kBlockPair; ++k)
    normal[k] = (pair[k] - mean) / sqrt(variance + 1e-5) * (double)weights->gamma[k] +
                (double)weights->beta[k];
  apply(normal, kBlockPair, weights->w1, weights->b1, kBlockHidden, hidden);
  for (int k = 0; k < kBlockHidden; ++k) hidden[k] *= 0.5 * (1 + erf(hidden[k] / sqrt(2.0)));
  apply(hidden, kBlockHidden, weights->w2, weights->b2, kBlockPair, update);
  for (int k = 0; k < kBlockPair; ++k) pair[k] += update[k];
}

static double largest_difference(const float *got, const double *expected, int count, double worst) {
  for (int k = 0; k < count; ++k) {
    double difference = fabs((double)got[k] - expected[k]);
    if (!(difference <= worst)) worst = difference;  // NaN stays
  }
  return worst;
}

static void check_sample(const ragged_bench_dense_shape *shape, const ragged_bench_weights *weights,
                         const float *x, const float *z, int64_t length, const float *new_x,
                         const float *new_pair) {
  double worst_pair = 0, worst_x = 0;
  for (int64_t a = 0; a < shape->n; ++a) {
    double u[kBlockPair], v[kBlockPair], pair[kBlockPair], mean[kBlockPair] = {0},
        back[kBlockSingle];
    apply_floats(x + a * kBlockSingle, kBlockSingle, weights->u, kBlockPair, u);
    for (int64_t b = 0; b < length; ++b) {
      apply_floats(z + b * kBlockSingle, kBlockSingle, weights->v, kBlockPair, v);
      transition(weights, u, v, pair);
      worst_pair = largest_difference(new_pair + (a * shape->m + b) * kBlockPair, pair, kBlockPair,
                                      worst_pair);
      for (int k = 0; k < kBlockPair; ++k) mean[k] += pair[k] / (double)length;
    }
    apply(mean, kBlockPair, weights->g, NULL, kBlockSingle, back);
    for (int k = 0; k < kBlockSingle; ++k) back[k] += (double)x[a * kBlockSingle + k];
    worst_x = largest_difference(new_x + a * kBlockSingle, back, kBlockSingle, worst_x);
  }
  // f32 sums of up to 512 terms of size one.
  CHECK_DOUBLE(worst_pair, 0, 2e-5);
  CHECK_DOUBLE(worst_x, 0, 2e-5);
}

static void check_shape(ragged_bench_library *library, const ragged_bench_weights *weights,
                        int64_t n, int64_t m, const int64_t *lengths, bool square,
                        uint64_t *random) {
  ragged_bench_dense_shape shape = {kBatch, n, m};
  ragged_bench_dense *dense = NULL;
  if (!CHECK(!ragged_bench_dense_create(library, weights, &shape, &dense))) return;
  float *x = draw(kBatch * n * kBlockSingle, 1, random);
  float *z = square ? x : draw(kBatch * m * kBlockSingle, 1, random);
  float *new_x = draw(kBatch * n * kBlockSingle, 1, random);
  float *new_pair = draw(kBatch * n * m * kBlockPair, 1, random);
  if (CHECK(!ragged_bench_dense_run(dense, x, z, lengths, new_x, new_pair)))
    for (int64_t s = 0; s < kBatch; ++s)
      check_sample(&shape, weights, x + s * n * kBlockSingle, z + s * m * kBlockSingle, lengths[s],
                   new_x + s * n * kBlockSingle, new_pair + s * n * m * kBlockPair);
  free(new_pair);
  free(new_x);
  if (!square) free(z);
  free(x);
  ragged_bench_dense_destroy(dense);
}

static void check_products(ragged_bench_library *library, const ragged_bench_weights *weights) {
  ragged_bench_product_rows rows = {3, 0, 700};
  ragged_bench_products *products = NULL;
  if (!CHECK(!ragged_bench_products_create(library, weights, &rows, &products))) return;
  CHECK(!ragged_bench_products_measure(products));
  CHECK_DOUBLE(ragged_bench_products_operations(products),
               2.0 * (700 * 2 * 128 * 512 + 3 * 2 * 128 * 384), 0);
  CHECK(ragged_bench_products_seconds(products) > 0);
  CHECK(ragged_bench_products_seconds(products) < 60);
  CHECK(ragged_bench_products_block_rows(products, kBenchProductW1) >= 256);
  ragged_bench_products_destroy(products);
}

int main(int argc, char **argv) {
  uint64_t random = unit_test_seed(argc, argv, 1);
  CHECK(ragged_bench_fma_peak_gflops() > 0.01);
  CHECK(ragged_bench_copy_gb_per_s() > 0.01);

  ragged_bench_library *library = NULL;
  ragged_status status = ragged_bench_library_open(&library);
  if (status) {
    printf("skipped: %s\n", ragged_status_message(status));
    ragged_status_free(status);
    return unit_test_finish();
  }
  float *weights[9];
  const int sizes[9] = {128 * 384, 128 * 384, 128, 128, 512 * 128, 512, 128 * 512, 128, 384 * 128};
  const double inputs[9] = {384, 384, 1, 1, 128, 1, 512, 1, 128};
  for (int k = 0; k < 9; ++k) weights[k] = draw(sizes[k], 1 / sqrt(inputs[k]), &random);
  ragged_bench_weights all = {weights[0], weights[1], weights[2], weights[3], weights[4],
                              weights[5], weights[6], weights[7], weights[8]};
  check_shape(library, &all, 5, 5, (const int64_t[]){5, 2}, true, &random);
  check_shape(library, &all, 1, 1, (const int64_t[]){0, 1}, true, &random);
  check_shape(library, &all, 7, 200, (const int64_t[]){200, 7}, false, &random);  // 5 + 2 rows
  check_shape(library, &all, 2, 1100, (const int64_t[]){0, 5}, false, &random);   // over a block
  check_products(library, &all);
  for (int k = 0; k < 9; ++k) free(weights[k]);
  ragged_bench_library_close(library);
  return unit_test_finish();
}
