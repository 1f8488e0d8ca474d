// See demo_training.h.
#include "demo_training.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "ceilings.h"
#include "products.h"
#include "value.h"

enum { kRounds = 5, kMostArguments = 15 };
#define NO_MEMORY() ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for training")

// Arguments of a derivative: X, maybe Z, alpha, beta, the weights, the cotangent of the loss.
typedef struct training_batch {
  demo_batch inputs;
  float *x, *z, *factors, *one;
  ragged_rt_tensor *alpha, *beta, *cotangent;
  int num_arguments;
  ragged_rt_tensor *arguments[kMostArguments];
} training_batch;  // zero-initialise

static void end_batch(training_batch *batch) {
  ragged_rt_tensor *own[] = {batch->alpha, batch->beta, batch->cotangent};
  for (int k = 0; k < 3; ++k)
    if (own[k]) ragged_rt_tensor_release(own[k]);
  demo_batch_destroy(&batch->inputs);
  float *buffers[] = {batch->x, batch->z, batch->factors, batch->one};
  for (int k = 0; k < 4; ++k) free(buffers[k]);
}

// One number per sample, in [0.5, 1.5).
static ragged_status make_factor(ragged_rt_context *context, int64_t batch, float *values,
                                 ragged_rt_tensor **out) {
  ragged_rt_space *space = NULL;
  ragged_status status = ragged_rt_space_get(context, batch, 0, NULL, &space);
  if (!status)
    status = ragged_rt_tensor_wrap(context, RAGGED_ELEMENT_F32, space, 0, NULL, batch, values, NULL,
                                   NULL, out);
  if (space) ragged_rt_space_release(space);
  return status;
}

static ragged_status begin_batch(ragged_rt_context *context, const demo_weights *weights,
                                 const demo_lengths *lengths, training_batch *batch) {
  int64_t count = lengths->batch;
  batch->x = demo_draw_rows(demo_sum(lengths->n, count), 1);
  batch->z = lengths->m ? demo_draw_rows(demo_sum(lengths->m, count), 3) : NULL;
  batch->factors = aligned_alloc(64, ((size_t)count * 2 * sizeof(float) + 191) / 64 * 64);
  batch->one = aligned_alloc(64, 64);
  if (!batch->x || (lengths->m && !batch->z) || !batch->factors || !batch->one) return NO_MEMORY();
  float *beta = batch->factors + (count + 15) / 16 * 16;
  for (int64_t s = 0; s < count; ++s) {
    batch->factors[s] = 0.5f + (float)(s % 7) / 7.0f;
    beta[s] = 1.5f - (float)(s % 5) / 5.0f;
  }
  *batch->one = 1;
  RAGGED_RETURN_IF_ERROR(
      demo_batch_create(context, lengths, batch->x, batch->z, weights, &batch->inputs));
  RAGGED_RETURN_IF_ERROR(make_factor(context, count, batch->factors, &batch->alpha));
  RAGGED_RETURN_IF_ERROR(make_factor(context, count, beta, &batch->beta));
  RAGGED_RETURN_IF_ERROR(ragged_rt_tensor_wrap_dense(context, RAGGED_ELEMENT_F32, 0, NULL, batch->one,
                                                     NULL, NULL, &batch->cotangent));
  int sequences = lengths->m ? 2 : 1, next = 0;
  for (int k = 0; k < sequences; ++k) batch->arguments[next++] = batch->inputs.arguments[k];
  batch->arguments[next++] = batch->alpha;
  batch->arguments[next++] = batch->beta;
  for (int k = 0; k < kDemoWeights; ++k)
    batch->arguments[next++] = batch->inputs.arguments[sequences + k];
  batch->arguments[next++] = batch->cotangent;
  batch->num_arguments = next;
  return NULL;
}

// ---- One step --------------------------------------------------------------------------------

static void release(int count, ragged_rt_tensor **tensors) {
  for (int k = 0; k < count; ++k) {
    if (tensors[k]) ragged_rt_tensor_release(tensors[k]);
    tensors[k] = NULL;
  }
}

// The derivative's results: the loss, the gradients of all arguments, weights last.
static ragged_status differentiate(ragged_rt_context *context, const demo_training *training,
                                   const training_batch *batch, ragged_rt_tensor **results) {
  return ragged_rt_call(context, training->derivative, batch->num_arguments, batch->arguments,
                        training->derivative->num_results, results);
}

static ragged_status update(ragged_rt_context *context, const demo_training *training,
                            const training_batch *batch, ragged_rt_tensor *const *gradients,
                            ragged_rt_tensor **weights) {
  static const float rate = 1e-3f;
  ragged_rt_tensor *arguments[1 + 2 * kDemoWeights] = {NULL};
  RAGGED_RETURN_IF_ERROR(ragged_rt_tensor_wrap_dense(context, RAGGED_ELEMENT_F32, 0, NULL,
                                                     (void *)(uintptr_t)&rate, NULL, NULL,
                                                     &arguments[0]));
  for (int k = 0; k < kDemoWeights; ++k) {
    arguments[1 + k] = batch->arguments[batch->num_arguments - 1 - kDemoWeights + k];
    arguments[1 + kDemoWeights + k] = gradients[k];
  }
  ragged_status status = ragged_rt_call(context, training->step, 1 + 2 * kDemoWeights, arguments,
                                        kDemoWeights, weights);
  ragged_rt_tensor_release(arguments[0]);
  return status;
}

static ragged_status run_step(ragged_rt_context *context, const demo_training *training,
                              const training_batch *batch) {
  ragged_rt_tensor *results[kMostArguments] = {NULL}, *weights[kDemoWeights] = {NULL};
  int count = training->derivative->num_results;
  ragged_status status = differentiate(context, training, batch, results);
  if (!status)
    status = update(context, training, batch, results + count - kDemoWeights, weights);
  release(kDemoWeights, weights);
  release(count, results);
  return status;
}

static ragged_status time_step(ragged_rt_context *context, const demo_training *training,
                               const training_batch *batch, double *best) {
  double begin = omp_get_wtime();
  RAGGED_RETURN_IF_ERROR(run_step(context, training, batch));
  *best = fmin(*best, (omp_get_wtime() - begin) * 1e3);
  return NULL;
}

static ragged_status measure_peak(ragged_rt_context *context, const demo_training *training,
                                  const training_batch *batch, int64_t *out) {
  ragged_rt_memory_statistics memory;
  ragged_rt_context_reset_peak(context);
  RAGGED_RETURN_IF_ERROR(run_step(context, training, batch));
  ragged_rt_context_memory(context, &memory);
  *out = memory.peak_allocated;
  return NULL;
}

// ---- Correctness -----------------------------------------------------------------------------

static ragged_status to_reference(const ragged_rt_value_type *type, ragged_rt_tensor *tensor,
                                  ragged_reference_value *out) {
  ragged_run_value value;
  RAGGED_RETURN_IF_ERROR(ragged_run_value_from_tensor(type, tensor, &value));
  ragged_status status = ragged_run_value_to_reference(&value, out);
  ragged_run_value_free(&value);
  return status;
}

static double largest_difference(const ragged_reference_value *a, const ragged_reference_value *b) {
  double largest = 0;
  for (int64_t k = 0; k < ragged_reference_num_elements(a); ++k)
    largest = fmax(largest, fabs(a->numbers[k].real - b->numbers[k].real));
  return largest;
}

static ragged_status compare(const demo_training *training, const training_batch *batch,
                             ragged_rt_tensor *const *results, double *out) {
  const ragged_rt_entry *entry = training->derivative;
  ragged_reference_value arguments[kMostArguments] = {0}, expected[kMostArguments] = {0};
  ragged_status status = NULL;
  for (int k = 0; k < batch->num_arguments && !status; ++k)
    status = to_reference(&entry->arguments[k], batch->arguments[k], &arguments[k]);
  if (!status)
    status = ragged_reference_run(training->function, NULL, batch->num_arguments, arguments,
                                  entry->num_results, expected);
  for (int k = 0; k < entry->num_results && !status; ++k) {
    ragged_reference_value got = {0};
    status = to_reference(&entry->results[k], results[k], &got);
    if (!status) *out = fmax(*out, largest_difference(&got, &expected[k]));
    ragged_reference_value_free(&got);
  }
  for (int k = 0; k < kMostArguments; ++k) {
    ragged_reference_value_free(&arguments[k]);
    ragged_reference_value_free(&expected[k]);
  }
  return status;
}

// Gradients on samples of 2 and 3 (and 4 and 1) against the reference's: the largest difference.
static ragged_status check(const demo_setting *setting, const demo_training *training, bool has_m,
                           double *out) {
  static const int64_t n[] = {2, 3}, m[] = {4, 1};
  demo_lengths lengths = {2, n, has_m ? m : NULL};
  training_batch batch = {0};
  ragged_rt_tensor *results[kMostArguments] = {NULL};
  ragged_status status = begin_batch(setting->context, &setting->weights, &lengths, &batch);
  if (!status) status = differentiate(setting->context, training, &batch, results);
  if (!status) status = compare(training, &batch, results, out);
  release(training->derivative->num_results, results);
  end_batch(&batch);
  return status;
}

// ---- All of it -------------------------------------------------------------------------------

typedef struct contest {
  training_batch packed, padded;
  ragged_bench_products *products;
} contest;

static ragged_status begin(demo_setting *setting, const demo_lengths *lengths, contest *out) {
  int64_t count = lengths->batch, box_n = demo_max(lengths->n, count);
  int64_t box_m = demo_max(demo_lengths_columns(lengths), count);
  int64_t *n = calloc(2 * (size_t)count, sizeof *n);
  if (!n) return NO_MEMORY();
  for (int64_t s = 0; s < count; ++s) n[s] = box_n, n[count + s] = box_m;
  demo_lengths padded = {count, n, lengths->m ? n + count : NULL};
  ragged_status status = begin_batch(setting->context, &setting->weights, lengths, &out->packed);
  if (!status) status = begin_batch(setting->context, &setting->weights, &padded, &out->padded);
  free(n);
  if (status) return status;
  ragged_bench_weights weights = demo_weights_get(&setting->weights);
  ragged_bench_product_rows rows = {demo_sum(lengths->n, count),
                                    demo_sum(demo_lengths_columns(lengths), count),
                                    demo_pairs(lengths)};
  return ragged_bench_products_create(setting->library, &weights, &rows, &out->products);
}

static ragged_status time_all(demo_setting *setting, const demo_training *training, contest *contest,
                              demo_figures *out) {
  enum { kTries = 3 };  // a product is short and has many: its fastest is closer to what it can be
  out->packed_ms = out->padded_ms = INFINITY;
  for (int round = 0; round < kRounds; ++round) {
    for (int k = 0; k < kTries; ++k)
      RAGGED_RETURN_IF_ERROR(
          time_step(setting->context, training, &contest->packed, &out->packed_ms));
    RAGGED_RETURN_IF_ERROR(ragged_bench_products_measure(contest->products));
    RAGGED_RETURN_IF_ERROR(
        time_step(setting->context, training, &contest->padded, &out->padded_ms));
    setting->fma_peak_gflops = fmax(setting->fma_peak_gflops, ragged_bench_fma_peak_gflops());
  }
  return NULL;
}

ragged_status demo_measure_training(demo_setting *setting, const demo_training *training,
                                    const demo_lengths *lengths, demo_figures *out) {
  contest contest = {0};
  ragged_status status = check(setting, training, lengths->m != NULL, &out->max_abs_diff);
  if (!status) status = begin(setting, lengths, &contest);
  if (!status)
    status = measure_peak(setting->context, training, &contest.padded, &out->peak_bytes_padded);
  if (!status)
    status = measure_peak(setting->context, training, &contest.packed, &out->peak_bytes_packed);
  if (!status) status = time_all(setting, training, &contest, out);
  if (!status) {
    int64_t count = lengths->batch;
    out->occupancy = (double)demo_pairs(lengths) /
                     (double)(count * demo_max(lengths->n, count) *
                              demo_max(demo_lengths_columns(lengths), count));
    out->speedup = out->padded_ms / out->packed_ms;
    out->products_ms = 3 * ragged_bench_products_seconds(contest.products) * 1e3;
    out->products_gflops = ragged_bench_products_operations(contest.products) /
                           ragged_bench_products_seconds(contest.products) * 1e-9;
    out->fma_peak_gflops = setting->fma_peak_gflops;
  }
  ragged_bench_products_destroy(contest.products);
  end_batch(&contest.packed);
  end_batch(&contest.padded);
  return status;
}
