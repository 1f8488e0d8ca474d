// See demo_reference.h.
#include "demo_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"

enum { kMaxSamples = 8 };
#define NO_MEMORY() ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for samples")

// The samples alone.
typedef struct cut {
  int64_t n[kMaxSamples], m[kMaxSamples];
  demo_lengths lengths;
  float *x, *z;
  float *expected[kDemoResults];  // the reference's results, packed
} cut;

static void cut_free(cut *cut) {
  free(cut->x);
  free(cut->z);
  for (int k = 0; k < kDemoResults; ++k) free(cut->expected[k]);
}

// Rows of 384 of the samples, one sample after the other.
static float *cut_rows(const float *rows, const int64_t *lengths, int count,
                       const int64_t *samples) {
  int64_t total = 0, done = 0;
  for (int k = 0; k < count; ++k) total += lengths[samples[k]];
  float *out = malloc((size_t)(total * kBlockSingle + 1) * sizeof *out);
  for (int k = 0; out && k < count; ++k) {
    int64_t first = demo_sum(lengths, samples[k]), length = lengths[samples[k]];
    memcpy(out + done * kBlockSingle, rows + first * kBlockSingle,
           (size_t)(length * kBlockSingle) * sizeof *out);
    done += length;
  }
  return out;
}

static ragged_status cut_make(const demo_check *check, int count, const int64_t *samples,
                              cut *out) {
  for (int k = 0; k < count; ++k) {
    out->n[k] = check->lengths.n[samples[k]];
    if (check->lengths.m) out->m[k] = check->lengths.m[samples[k]];
  }
  out->lengths = (demo_lengths){count, out->n, check->lengths.m ? out->m : NULL};
  out->x = cut_rows(check->x, check->lengths.n, count, samples);
  if (check->lengths.m) out->z = cut_rows(check->z, check->lengths.m, count, samples);
  if (!out->x || (check->lengths.m && !out->z)) return NO_MEMORY();
  return NULL;
}

// ---- The reference's results -----------------------------------------------------------------

static ragged_status make_sequence(const ragged_rt_value_type *type, int64_t batch,
                                   const int64_t *lengths, const float *values,
                                   ragged_reference_value *out) {
  const int64_t *extents[RAGGED_MAX_RANK] = {0};
  for (int d = 0; d < type->schema.rank; ++d)
    if (ragged_dimension_is_ragged(type->schema.dimensions[d])) extents[d] = lengths;
  return ragged_reference_from_packed(&type->schema, batch, extents, demo_sum(lengths, batch),
                                      values, out);
}

static ragged_status make_arguments(const demo_check *check, const cut *cut,
                                    ragged_reference_value *out) {
  const ragged_rt_value_type *types = check->entry->arguments;
  const demo_lengths *lengths = &cut->lengths;
  int first = 1;
  RAGGED_RETURN_IF_ERROR(make_sequence(&types[0], lengths->batch, lengths->n, cut->x, &out[0]));
  if (lengths->m)
    RAGGED_RETURN_IF_ERROR(
        make_sequence(&types[first++], lengths->batch, lengths->m, cut->z, &out[1]));
  for (int k = 0; k < kDemoWeights; ++k) {
    const ragged_rt_tensor *tensor = check->weights->tensors[k];
    RAGGED_RETURN_IF_ERROR(ragged_reference_from_dense(
        RAGGED_ELEMENT_F32, ragged_rt_tensor_rank(tensor), ragged_rt_tensor_shape(tensor),
        ragged_rt_tensor_data(tensor), &out[first + k]));
  }
  return NULL;
}

static ragged_status run_reference(const demo_check *check, cut *cut) {
  ragged_reference_value arguments[kDemoMaxArguments] = {0}, results[kDemoResults] = {0};
  ragged_status status = make_arguments(check, cut, arguments);
  if (!status)
    status = ragged_reference_run(check->function, NULL, check->entry->num_arguments, arguments,
                                  kDemoResults, results);
  for (int k = 0; k < kDemoResults && !status; ++k) {
    size_t count = (size_t)ragged_reference_num_elements(&results[k]);
    cut->expected[k] = malloc((count + 1) * sizeof(float));
    if (cut->expected[k]) ragged_reference_to_packed(&results[k], cut->expected[k]);
    else status = NO_MEMORY();
  }
  for (int k = 0; k < kDemoResults; ++k) ragged_reference_value_free(&results[k]);
  for (int k = 0; k < kDemoMaxArguments; ++k) ragged_reference_value_free(&arguments[k]);
  return status;
}

// ---- Comparing -------------------------------------------------------------------------------

static void compare(const float *got, const float *expected, int64_t count, double *worst) {
  for (int64_t k = 0; k < count; ++k) {
    double difference = fabs((double)got[k] - (double)expected[k]);
    if (!(difference <= *worst)) *worst = difference;  // a NaN stays
  }
}

// The samples in the packed results of the whole batch, and in the boxes of the baseline.
static void compare_in_batch(const demo_check *check, const cut *cut, const int64_t *samples,
                             double *compiled, double *dense) {
  const demo_lengths *all = &check->lengths;
  int64_t box_n = demo_max(all->n, all->batch);
  int64_t box_m = demo_max(demo_lengths_columns(all), all->batch);
  const float *expected_x = cut->expected[0], *expected_pair = cut->expected[1];
  for (int k = 0; k < cut->lengths.batch; ++k) {
    int64_t sample = samples[k], n = all->n[sample], m = demo_lengths_columns(all)[sample];
    demo_lengths before = *all;
    before.batch = sample;
    compare(check->new_x + demo_sum(all->n, sample) * kBlockSingle, expected_x, n * kBlockSingle,
            compiled);
    compare(check->new_pair + demo_pairs(&before) * kBlockPair, expected_pair, n * m * kBlockPair,
            compiled);
    compare(check->dense_x + sample * box_n * kBlockSingle, expected_x, n * kBlockSingle, dense);
    for (int64_t a = 0; a < n; ++a)
      compare(check->dense_pair + (sample * box_n + a) * box_m * kBlockPair,
              expected_pair + a * m * kBlockPair, m * kBlockPair, dense);
    expected_x += n * kBlockSingle;
    expected_pair += n * m * kBlockPair;
  }
}

static ragged_status compare_alone(const demo_check *check, const cut *cut, double *compiled) {
  demo_batch batch = {0};
  ragged_rt_tensor *results[kDemoResults] = {0};
  ragged_status status = demo_batch_create(check->context, &cut->lengths, cut->x, cut->z,
                                           check->weights, &batch);
  if (!status) status = demo_batch_call(check->context, check->entry, &batch, results);
  if (!status) {
    compare(ragged_rt_tensor_data(results[0]), cut->expected[0],
            demo_sum(cut->n, cut->lengths.batch) * kBlockSingle, compiled);
    compare(ragged_rt_tensor_data(results[1]), cut->expected[1],
            demo_pairs(&cut->lengths) * kBlockPair, compiled);
  }
  demo_results_release(results);
  demo_batch_destroy(&batch);
  return status;
}

ragged_status demo_check_samples(const demo_check *check, int count, const int64_t *samples,
                                 double *out_compiled, double *out_dense) {
  if (count > kMaxSamples)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "%d samples, expected at most %d",
                              count, kMaxSamples);
  cut cut = {0};
  *out_compiled = *out_dense = 0;
  ragged_status status = cut_make(check, count, samples, &cut);
  if (!status) status = run_reference(check, &cut);
  if (!status) compare_in_batch(check, &cut, samples, out_compiled, out_dense);
  if (!status) status = compare_alone(check, &cut, out_compiled);
  cut_free(&cut);
  return status;
}
