// See demo_measure.h. Everything is run once before it is timed; then five rounds time each candidate
// in turn, so that a busy neighbour is no candidate's misfortune alone.
#include "demo_measure.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "ceilings.h"
#include "demo_reference.h"
#include "dense_baseline.h"
#include "products.h"

enum { kRounds = 5, kPeakTries = 20 };
#define NO_MEMORY() ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for the demo")

// The contenders on one batch.
typedef struct contest {
  demo_setting *setting;
  const ragged_rt_entry *entry;
  const demo_lengths *lengths;
  int64_t box_n, box_m;
  float *x, *z;                // packed; z is null for functions without it
  float *padded_x, *padded_z;  // drawn anew
  float *box_x, *box_z;        // x and z in boxes, zero beyond the lengths
  float *dense_x, *dense_pair;
  demo_batch packed, padded;
  ragged_bench_dense *dense;
  ragged_bench_products *products;
} contest;

static void contest_end(contest *contest) {
  ragged_bench_products_destroy(contest->products);
  ragged_bench_dense_destroy(contest->dense);
  demo_batch_destroy(&contest->packed);
  demo_batch_destroy(&contest->padded);
  float *buffers[] = {contest->x,     contest->z,     contest->padded_x, contest->padded_z,
                      contest->box_x, contest->box_z, contest->dense_x,  contest->dense_pair};
  for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k) free(buffers[k]);
}

// Rows of 384 in a box of `extent` rows per sample.
static float *make_box(const float *rows, const demo_lengths *lengths, const int64_t *extents,
                       int64_t extent) {
  float *box = calloc((size_t)(lengths->batch * extent * kBlockSingle), sizeof *box);
  for (int64_t s = 0; box && s < lengths->batch; ++s)
    memcpy(box + s * extent * kBlockSingle, rows + demo_sum(extents, s) * kBlockSingle,
           (size_t)(extents[s] * kBlockSingle) * sizeof *box);
  return box;
}

static ragged_status make_values(contest *contest) {
  const demo_lengths *lengths = contest->lengths;
  int64_t batch = lengths->batch, n = contest->box_n, m = contest->box_m;
  contest->x = demo_draw_rows(demo_sum(lengths->n, batch), 1);
  contest->padded_x = demo_draw_rows(batch * n, 2);
  contest->dense_x = malloc((size_t)(batch * n * kBlockSingle) * sizeof(float));
  contest->dense_pair = malloc((size_t)(batch * n * m * kBlockPair) * sizeof(float));
  if (!contest->x || !contest->padded_x || !contest->dense_x || !contest->dense_pair)
    return NO_MEMORY();
  contest->box_x = make_box(contest->x, lengths, lengths->n, n);
  if (!contest->box_x) return NO_MEMORY();
  if (!lengths->m) return NULL;
  contest->z = demo_draw_rows(demo_sum(lengths->m, batch), 3);
  contest->padded_z = demo_draw_rows(batch * m, 4);
  if (!contest->z || !contest->padded_z) return NO_MEMORY();
  contest->box_z = make_box(contest->z, lengths, lengths->m, m);
  return contest->box_z ? NULL : NO_MEMORY();
}

static ragged_status make_padded_batch(contest *contest) {
  const demo_lengths *lengths = contest->lengths;
  int64_t *n = calloc(2 * (size_t)lengths->batch, sizeof *n);
  if (!n) return NO_MEMORY();
  int64_t *m = n + lengths->batch;
  for (int64_t s = 0; s < lengths->batch; ++s) n[s] = contest->box_n, m[s] = contest->box_m;
  demo_lengths padded = {lengths->batch, n, lengths->m ? m : NULL};
  ragged_status status =
      demo_batch_create(contest->setting->context, &padded, contest->padded_x, contest->padded_z,
                        &contest->setting->weights, &contest->padded);
  free(n);
  return status;
}

static ragged_status contest_begin(contest *contest) {
  demo_setting *setting = contest->setting;
  const demo_lengths *lengths = contest->lengths;
  int64_t batch = lengths->batch;
  contest->box_n = demo_max(lengths->n, batch);
  contest->box_m = demo_max(demo_lengths_columns(lengths), batch);
  RAGGED_RETURN_IF_ERROR(make_values(contest));
  RAGGED_RETURN_IF_ERROR(demo_batch_create(setting->context, lengths, contest->x, contest->z,
                                           &setting->weights, &contest->packed));
  RAGGED_RETURN_IF_ERROR(make_padded_batch(contest));
  ragged_bench_weights weights = demo_weights_get(&setting->weights);
  ragged_bench_dense_shape shape = {batch, contest->box_n, contest->box_m};
  RAGGED_RETURN_IF_ERROR(
      ragged_bench_dense_create(setting->library, &weights, &shape, &contest->dense));
  ragged_bench_product_rows rows = {demo_sum(lengths->n, batch),
                                    demo_sum(demo_lengths_columns(lengths), batch),
                                    demo_pairs(lengths)};
  return ragged_bench_products_create(setting->library, &weights, &rows, &contest->products);
}

// ---- One run of each ---------------------------------------------------------------------------

static ragged_status run_dense(contest *contest) {
  return ragged_bench_dense_run(contest->dense, contest->box_x,
                                contest->box_z ? contest->box_z : contest->box_x,
                                demo_lengths_columns(contest->lengths), contest->dense_x,
                                contest->dense_pair);
}

// Bytes that were live at once, arguments left out: they are borrowed.
static ragged_status run_compiled(contest *contest, const demo_batch *batch,
                                  ragged_rt_tensor *results[kDemoResults], int64_t *out_peak) {
  ragged_rt_context *context = contest->setting->context;
  ragged_rt_context_reset_peak(context);
  RAGGED_RETURN_IF_ERROR(demo_batch_call(context, contest->entry, batch, results));
  ragged_rt_memory_statistics memory;
  ragged_rt_context_memory(context, &memory);
  *out_peak = memory.peak_allocated;
  return NULL;
}

// Milliseconds of one call, if they are fewer than *best.
static ragged_status time_compiled(contest *contest, const demo_batch *batch, double *best) {
  ragged_rt_tensor *results[kDemoResults] = {0};
  double begin = omp_get_wtime();
  RAGGED_RETURN_IF_ERROR(
      demo_batch_call(contest->setting->context, contest->entry, batch, results));
  *best = fmin(*best, (omp_get_wtime() - begin) * 1e3);
  demo_results_release(results);
  return NULL;
}

static ragged_status time_dense(contest *contest, double *best) {
  double begin = omp_get_wtime();
  RAGGED_RETURN_IF_ERROR(run_dense(contest));
  *best = fmin(*best, (omp_get_wtime() - begin) * 1e3);
  return NULL;
}

// ---- All of it -----------------------------------------------------------------------------------

static ragged_status run_once(contest *contest, MlirOperation function, int num_samples,
                              const int64_t *samples, demo_figures *out) {
  ragged_rt_tensor *results[kDemoResults] = {0};
  RAGGED_RETURN_IF_ERROR(
      run_compiled(contest, &contest->padded, results, &out->peak_bytes_padded));
  demo_results_release(results);
  RAGGED_RETURN_IF_ERROR(run_dense(contest));
  RAGGED_RETURN_IF_ERROR(
      run_compiled(contest, &contest->packed, results, &out->peak_bytes_packed));
  const demo_lengths *lengths = contest->lengths;
  out->result_bytes = (demo_sum(lengths->n, lengths->batch) * kBlockSingle +
                       demo_pairs(lengths) * kBlockPair) * (int64_t)sizeof(float);
  demo_check check = {.context = contest->setting->context,
                      .entry = contest->entry,
                      .function = function,
                      .weights = &contest->setting->weights,
                      .lengths = *lengths,
                      .x = contest->x,
                      .z = contest->z,
                      .new_x = ragged_rt_tensor_data(results[0]),
                      .new_pair = ragged_rt_tensor_data(results[1]),
                      .dense_x = contest->dense_x,
                      .dense_pair = contest->dense_pair};
  ragged_status status = demo_check_samples(&check, num_samples, samples, &out->max_abs_diff,
                                            &out->dense_max_abs_diff);
  demo_results_release(results);
  return status;
}

static ragged_status time_all(contest *contest, demo_figures *out) {
  demo_setting *setting = contest->setting;
  out->packed_ms = out->padded_ms = out->dense_ms = INFINITY;
  for (int round = 0; round < kRounds; ++round) {
    RAGGED_RETURN_IF_ERROR(time_compiled(contest, &contest->packed, &out->packed_ms));
    RAGGED_RETURN_IF_ERROR(ragged_bench_products_measure(contest->products));
    RAGGED_RETURN_IF_ERROR(time_compiled(contest, &contest->padded, &out->padded_ms));
    RAGGED_RETURN_IF_ERROR(time_dense(contest, &out->dense_ms));
    setting->fma_peak_gflops = fmax(setting->fma_peak_gflops, ragged_bench_fma_peak_gflops());
  }
  // A peak is a maximum: on a busy machine it takes more tries to see it.
  out->products_gflops = ragged_bench_products_operations(contest->products) /
                         ragged_bench_products_seconds(contest->products) * 1e-9;
  for (int k = 0; k < kPeakTries && out->products_gflops > setting->fma_peak_gflops; ++k)
    setting->fma_peak_gflops = fmax(setting->fma_peak_gflops, ragged_bench_fma_peak_gflops());
  return NULL;
}

ragged_status demo_measure(demo_setting *setting, const ragged_rt_entry *entry,
                           MlirOperation function, const demo_lengths *lengths, int num_samples,
                           const int64_t *samples, demo_figures *out) {
  contest contest = {.setting = setting, .entry = entry, .lengths = lengths};
  ragged_status status = contest_begin(&contest);
  if (!status) status = run_once(&contest, function, num_samples, samples, out);
  if (!status) status = time_all(&contest, out);
  if (!status) {
    out->occupancy = (double)demo_pairs(lengths) /
                     (double)(lengths->batch * contest.box_n * contest.box_m);
    out->speedup = fmin(out->padded_ms, out->dense_ms) / out->packed_ms;
    out->products_ms = ragged_bench_products_seconds(contest.products) * 1e3;
    out->w1_block_rows = ragged_bench_products_block_rows(contest.products, kBenchProductW1);
    out->w2_block_rows = ragged_bench_products_block_rows(contest.products, kBenchProductW2);
  }
  contest_end(&contest);
  if (!status) status = demo_measure_metadata(setting, entry, lengths->m != NULL, &out->metadata_us);
  return status;
}
