// What new lengths cost: demo_measure_metadata of demo_measure.h.
#include <omp.h>
#include <stdlib.h>

#include "demo_measure.h"
#include "draw.h"

enum { kVectors = 1000, kBatch = 64, kMaxLength = 3 };

static ragged_status time_call(demo_setting *setting, const ragged_rt_entry *entry,
                               const demo_batch *batch, double begin, double *out_seconds) {
  ragged_rt_tensor *results[kDemoResults] = {0};
  RAGGED_RETURN_IF_ERROR(demo_batch_call(setting->context, entry, batch, results));
  *out_seconds = omp_get_wtime() - begin;
  demo_results_release(results);
  return NULL;
}

static ragged_status time_vector(demo_setting *setting, const ragged_rt_entry *entry,
                                 const demo_lengths *lengths, float *x, float *z,
                                 double *out_seconds) {
  demo_batch batch = {0};
  double first = 0, again = 0, begin = omp_get_wtime();
  ragged_status status =
      demo_batch_create(setting->context, lengths, x, z, &setting->weights, &batch);
  if (!status) status = time_call(setting, entry, &batch, begin, &first);
  if (!status) status = time_call(setting, entry, &batch, omp_get_wtime(), &again);
  demo_batch_destroy(&batch);
  *out_seconds = first - again;
  return status;
}

static int compare_numbers(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

ragged_status demo_measure_metadata(demo_setting *setting, const ragged_rt_entry *entry,
                                    bool has_m, double *out_us) {
  ragged_status status = NULL;
  float *x = demo_draw_rows(kBatch * kMaxLength, 5), *z = demo_draw_rows(kBatch * kMaxLength, 6);
  double *seconds = calloc(kVectors, sizeof *seconds);
  if (!x || !z || !seconds)
    status = ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for the demo");
  for (int k = 0; k < kVectors && !status; ++k) {
    int64_t values[2 * kBatch];
    ragged_run_draw((uint64_t)k, 0, RAGGED_ELEMENT_I64, 1.0, 2 * kBatch, values);
    for (int s = 0; s < 2 * kBatch; ++s) values[s] %= kMaxLength + 1;
    demo_lengths lengths = {kBatch, values, has_m ? values + kBatch : NULL};
    status = time_vector(setting, entry, &lengths, x, z, &seconds[k]);
  }
  if (!status) {
    qsort(seconds, kVectors, sizeof *seconds, compare_numbers);
    *out_us = 0.5e6 * (seconds[kVectors / 2 - 1] + seconds[kVectors / 2]);
  }
  free(seconds);
  free(z);
  free(x);
  return status;
}
