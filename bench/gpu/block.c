// The stage of the single–pair–single block (examples/single_pair_single.mlir) on the lengths of real
// proteins (lengths.txt): packed, and padded, which is the same program with every length the longest.
// A few entries are computed once more here, in double; padded and packed must agree on real pairs.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "block_program.h"
#include "draw.h"
#include "driver.h"

enum { kCheckedPairs = 64, kCheckedRows = 4 };
#define ALLOWED 1e-3  // of a value of about one, as `make demo` asks for

// One batch: packed or padded.
typedef struct batch {
  int64_t size;
  int64_t lengths[64], first_row[65], first_pair[65];
  float *x;                 // drawn rows of 384
  float *new_x, *new_pair;  // results
  gpu_timing timing;
} batch;

static void destroy_batch(batch *self) {
  free(self->x);
  free(self->new_x);
  free(self->new_pair);
}

static ragged_status make_batch(const gpu_setting *setting, bool padded, batch *out) {
  *out = (batch){.size = setting->num_lengths};
  int64_t longest = 0;
  for (int i = 0; i < setting->num_lengths; ++i)
    if (setting->lengths[i] > longest) longest = setting->lengths[i];
  for (int64_t i = 0; i < out->size; ++i) {
    int64_t length = padded ? longest : setting->lengths[i];
    out->lengths[i] = length;
    out->first_row[i + 1] = out->first_row[i] + length;
    out->first_pair[i + 1] = out->first_pair[i] + length * length;
  }
  int64_t rows = out->first_row[out->size], pairs = out->first_pair[out->size];
  out->x = malloc((size_t)rows * kBlockSingle * sizeof(float) + 1);
  out->new_x = malloc((size_t)rows * kBlockSingle * sizeof(float) + 1);
  out->new_pair = malloc((size_t)pairs * kBlockPair * sizeof(float) + 1);
  if (!out->x || !out->new_x || !out->new_pair) return gpu_no_memory();
  // A sample has the same rows in both batches.
  for (int64_t i = 0; i < out->size; ++i)
    ragged_run_draw(4, (int)i, RAGGED_ELEMENT_F32, 1, out->lengths[i] * kBlockSingle,
                    out->x + out->first_row[i] * kBlockSingle);
  return NULL;
}

static ragged_status read_results(ragged_rt_context *context, const ragged_rt_entry *entry,
                                  ragged_rt_tensor *const *arguments, batch *self) {
  ragged_rt_tensor *results[kBlockResults] = {NULL};
  RAGGED_RETURN_IF_ERROR(
      ragged_rt_call(context, entry, kBlockArguments, arguments, kBlockResults, results));
  ragged_status status = ragged_rt_tensor_to_host(
      results[0], self->new_x,
      self->first_row[self->size] * kBlockSingle * (int64_t)sizeof(float));
  if (!status)
    status = ragged_rt_tensor_to_host(
        results[1], self->new_pair,
        self->first_pair[self->size] * kBlockPair * (int64_t)sizeof(float));
  for (int k = 0; k < kBlockResults; ++k) ragged_rt_tensor_release(results[k]);
  return status;
}

static ragged_status run_batch(ragged_rt_context *context, const ragged_rt_entry *entry,
                               const gpu_weights *weights, batch *self) {
  const int64_t tail = kBlockSingle;
  ragged_rt_axis *axis;
  ragged_rt_space *space;
  ragged_rt_tensor *arguments[kBlockArguments] = {NULL};
  RAGGED_RETURN_IF_ERROR(
      ragged_rt_axis_create_from_lengths(context, self->size, 64, self->lengths, &axis));
  ragged_status status = ragged_rt_space_get(context, self->size, 1, &axis, &space);
  ragged_rt_axis_release(axis);
  RAGGED_RETURN_IF_ERROR(status);
  status = ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_F32, space, 1, &tail, self->x,
                                      &arguments[0]);
  ragged_rt_space_release(space);
  memcpy(arguments + 1, weights->tensors, sizeof weights->tensors);
  if (!status) status = gpu_time_entry(context, entry, arguments, &self->timing);
  if (!status) status = read_results(context, entry, arguments, self);
  ragged_rt_tensor_release(arguments[0]);
  return status;
}

// ---- The same in double --------------------------------------------------------------------------------

static void multiply(const float *w, int out, int in, const double *x, double *y) {
  for (int o = 0; o < out; ++o) {
    y[o] = 0;
    for (int k = 0; k < in; ++k) y[o] += (double)w[o * in + k] * x[k];
  }
}

static void widen(const float *from, int count, double *to) {
  for (int k = 0; k < count; ++k) to[k] = (double)from[k];
}

// P' of one pair of residues, whose rows of X are given.
static void compute_pair(const gpu_weights *w, const float *xa, const float *xb, double *pair) {
  double a[kBlockSingle], b[kBlockSingle], u[kBlockPair], v[kBlockPair], normal[kBlockPair];
  double hidden[kBlockHidden], update[kBlockPair], mean = 0, variance = 0;
  widen(xa, kBlockSingle, a);
  widen(xb, kBlockSingle, b);
  multiply(w->values[0], kBlockPair, kBlockSingle, a, u);
  multiply(w->values[1], kBlockPair, kBlockSingle, b, v);
  for (int k = 0; k < kBlockPair; ++k) mean += (pair[k] = u[k] + v[k]) / kBlockPair;
  for (int k = 0; k < kBlockPair; ++k) variance += (pair[k] - mean) * (pair[k] - mean) / kBlockPair;
  for (int k = 0; k < kBlockPair; ++k)
    normal[k] = (pair[k] - mean) / sqrt(variance + (double)RAGGED_BENCH_EPS) *
                    (double)w->values[2][k] + (double)w->values[3][k];
  multiply(w->values[4], kBlockHidden, kBlockPair, normal, hidden);
  for (int k = 0; k < kBlockHidden; ++k) {
    double x = hidden[k] + (double)w->values[5][k];
    hidden[k] = 0.5 * x * (1 + erf(x * sqrt(0.5)));
  }
  multiply(w->values[6], kBlockPair, kBlockHidden, hidden, update);
  for (int k = 0; k < kBlockPair; ++k) pair[k] += update[k] + (double)w->values[7][k];
}

static double difference(const float *got, const double *expected, int count) {
  double largest = 0;
  for (int k = 0; k < count; ++k) {
    double error = fabs((double)got[k] - expected[k]);
    if (!(error <= largest)) largest = error;  // NaN stays
  }
  return largest;
}

static double check_pair(const gpu_weights *w, const batch *b, int64_t sample, int64_t row,
                         int64_t column) {
  double pair[kBlockPair];
  const float *x = b->x + b->first_row[sample] * kBlockSingle;
  compute_pair(w, x + row * kBlockSingle, x + column * kBlockSingle, pair);
  int64_t place = b->first_pair[sample] + row * b->lengths[sample] + column;
  return difference(b->new_pair + place * kBlockPair, pair, kBlockPair);
}

// X' of one residue, from the pairs that the device gave.
static double check_row(const gpu_weights *w, const batch *b, int64_t sample, int64_t row) {
  double mean[kBlockPair] = {0}, expected[kBlockSingle];
  int64_t length = b->lengths[sample];
  const float *pairs = b->new_pair + (b->first_pair[sample] + row * length) * kBlockPair;
  for (int64_t c = 0; c < length; ++c)
    for (int k = 0; k < kBlockPair; ++k)
      mean[k] += (double)pairs[c * kBlockPair + k] / (double)length;
  multiply(w->values[8], kBlockSingle, kBlockPair, mean, expected);
  int64_t place = (b->first_row[sample] + row) * kBlockSingle;
  for (int k = 0; k < kBlockSingle; ++k) expected[k] += (double)b->x[place + k];
  return difference(b->new_x + place, expected, kBlockSingle);
}

static double check_entries(const gpu_weights *w, const batch *b) {
  double largest = 0;
  for (int64_t k = 0; k < kCheckedPairs + kCheckedRows; ++k) {
    int64_t sample = k % b->size, length = b->lengths[sample];
    if (!length) continue;
    int64_t row = (k * 7919) % length, column = (k * 104729 + 1) % length;
    double error = k < kCheckedPairs ? check_pair(w, b, sample, row, column)
                                     : check_row(w, b, sample, row);
    if (!(error <= largest)) largest = error;
  }
  return largest;
}

static double check_padded(const batch *packed, const batch *padded) {
  double largest = 0;
  for (int64_t i = 0; i < packed->size; ++i)
    for (int64_t a = 0; a < packed->lengths[i]; ++a) {
      const float *x = packed->new_pair + (packed->first_pair[i] + a * packed->lengths[i]) * kBlockPair;
      const float *y = padded->new_pair + (padded->first_pair[i] + a * padded->lengths[i]) * kBlockPair;
      for (int64_t k = 0; k < packed->lengths[i] * kBlockPair; ++k) {
        double error = fabs((double)x[k] - (double)y[k]);
        if (!(error <= largest)) largest = error;
      }
    }
  return largest;
}

// ---- Rows --------------------------------------------------------------------------------------------

static void report_check(const gpu_setting *setting, const char *name, double error) {
  gpu_row row = gpu_row_make(error <= ALLOWED ? GPU_ROW_FINE : GPU_ROW_WRONG, "block", name);
  gpu_row_set(&row, error, "", ALLOWED, "largest difference allowed", false);
  gpu_row_write(setting->out, &row);
}

static void report_batch(const gpu_setting *setting, const char *name, const batch *b) {
  double pairs = (double)b->first_pair[b->size], rows = (double)b->first_row[b->size];
  double flops = 4 * pairs * kBlockPair * kBlockHidden + 6 * rows * kBlockSingle * kBlockPair;
  double bytes = 4 * (pairs * kBlockPair + 2 * rows * kBlockSingle);
  double bound = 0;
  if (setting->ceilings.fma_f32 > 0)
    bound = 1e-6 * flops / setting->ceilings.fma_f32 +
            1e-6 * bytes / setting->ceilings.copy_gb_per_s;
  gpu_row row = gpu_row_make(GPU_ROW_FINE, "block", name);
  gpu_row_set(&row, 1e3 * b->timing.call_seconds, "ms", bound, "products at f32 FMA peak + results",
              true);
  gpu_row_note(&row, "%.4g GFLOP; kernels alone %.4g ms, most in %.40s; %.1f MiB beyond the results",
               1e-9 * flops, 1e3 * b->timing.kernel_seconds, b->timing.slowest,
               (double)b->timing.peak_bytes / 1048576);
  gpu_row_write(setting->out, &row);
}

static void report_comparison(const gpu_setting *setting, const batch *packed,
                              const batch *padded) {
  double occupancy =
      (double)packed->first_pair[packed->size] / (double)padded->first_pair[padded->size];
  gpu_row row = gpu_row_make(GPU_ROW_FINE, "block", "speed-up over padded");
  gpu_row_set(&row, padded->timing.call_seconds / packed->timing.call_seconds, "times",
              1 / occupancy, "1 / occupancy", false);
  gpu_row_note(&row, "occupancy %.3f", occupancy);
  gpu_row_write(setting->out, &row);
  row = gpu_row_make(GPU_ROW_FINE, "block", "peak memory beyond the results");
  gpu_row_set(&row, (double)packed->timing.peak_bytes / 1048576, "MiB",
              (double)padded->timing.peak_bytes / 1048576, "padded", true);
  gpu_row_write(setting->out, &row);
}

static ragged_status run_both(const gpu_setting *setting, ragged_rt_context *context,
                              const ragged_rt_entry *entry, const gpu_weights *weights, batch *packed,
                              batch *padded) {
  RAGGED_RETURN_IF_ERROR(make_batch(setting, false, packed));
  RAGGED_RETURN_IF_ERROR(run_batch(context, entry, weights, packed));
  report_batch(setting, "packed, true lengths", packed);
  report_check(setting, "packed against double, 68 entries", check_entries(weights, packed));
  RAGGED_RETURN_IF_ERROR(make_batch(setting, true, padded));
  RAGGED_RETURN_IF_ERROR(run_batch(context, entry, weights, padded));
  report_batch(setting, "padded, the longest length", padded);
  report_check(setting, "packed against padded, all real pairs", check_padded(packed, padded));
  report_comparison(setting, packed, padded);
  return NULL;
}

ragged_status gpu_stage_block(const gpu_setting *setting) {
  const ragged_rt_entry *entry = gpu_block_entry(setting, "block");
  if (!entry) return NULL;
  ragged_rt_context *context;
  RAGGED_RETURN_IF_ERROR(gpu_context_create(NULL, false, &context));
  gpu_weights weights = {.values = {NULL}};
  batch packed = {.size = 0}, padded = {.size = 0};
  ragged_status status = gpu_weights_create(context, &weights);
  if (!status) status = run_both(setting, context, entry, &weights, &packed, &padded);
  destroy_batch(&padded);
  destroy_batch(&packed);
  gpu_weights_destroy(&weights);
  ragged_rt_context_release(context);
  return status;
}
