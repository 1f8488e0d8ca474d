// The stage that times each kind of kernel (kernels.mlir) on several length vectors, against what the
// bytes that it must move, or the operations that it must do, cost at the least.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"

enum { kMostArguments = 8 };

// On which lengths a function runs.
typedef enum lengths_kind { ROWS, NARROW, PAIRS, BOXES } lengths_kind;

static const struct {
  const char *entry;
  lengths_kind kind;
  bool reads;  // nearly all of its traffic is reading
} kTimed[] = {
    {"add_f32", ROWS, false},           {"add_bf16", ROWS, false},
    {"add_f64", ROWS, false},           {"add_i64", ROWS, false},
    {"gelu_f32", ROWS, false},          {"gelu_bf16", ROWS, false},
    {"layer_norm_f32", ROWS, false},    {"layer_norm_bf16", ROWS, false},
    {"softmax_f32", ROWS, false},       {"softmax_bf16", ROWS, false},
    {"row_sum_f32", ROWS, true},        {"segment_sum_f32", ROWS, true},
    {"segment_sum_bf16", ROWS, true},   {"segment_sum_f64", ROWS, true},
    {"segment_sum_i64", ROWS, true},    {"segment_max_f32", ROWS, true},
    {"segment_mean_f32", ROWS, true},   {"batch_sum_f32", ROWS, true},
    {"narrow_sum_f32", NARROW, true},     {"linear_f32", ROWS, false},
    {"linear_bf16", ROWS, false},       {"linear_f64", ROWS, false},
    {"pair_broadcast_f32", PAIRS, false}, {"pair_mean_columns_f32", PAIRS, true},
    {"pair_mean_rows_f32", PAIRS, true}, {"pair_reorder_f32", PAIRS, false},
    {"pack_f32", BOXES, false},         {"unpack_f32", BOXES, false},
};

// ---- Lengths -----------------------------------------------------------------------------------------

typedef struct length_set {
  int count;
  gpu_lengths all[4];
} length_set;

static int64_t *make(length_set *set, const char *name, int64_t batch) {
  int64_t *values = calloc((size_t)batch, sizeof *values);
  if (!values) abort();
  set->all[set->count++] = (gpu_lengths){name, batch, values};
  return values;
}

// Equal; Zipf's law, the longest first; one that has nearly everything; with `tiny`, 0 to 7.
static length_set row_lengths(int64_t rows, bool has_tiny) {
  length_set set = {.count = 0};
  int64_t uniform = rows < 4096 ? 4 : 256, zipf = rows < 4096 ? 8 : 1024;
  int64_t *values = make(&set, "uniform", uniform);
  for (int64_t i = 0; i < uniform; ++i) values[i] = rows / uniform;
  values = make(&set, "zipf", zipf);
  double harmonic = 0;
  for (int64_t i = 0; i < zipf; ++i) harmonic += 1.0 / (double)(i + 1);
  for (int64_t i = 0; i < zipf; ++i)
    values[i] = (int64_t)((double)rows / harmonic / (double)(i + 1));
  values = make(&set, "one huge", uniform);
  for (int64_t i = 0; i < uniform; ++i) values[i] = i == 1 ? rows - uniform + 1 : i > 0;
  if (!has_tiny) return set;
  int64_t tiny = rows / 4;
  values = make(&set, "tiny", tiny);
  for (int64_t i = 0; i < tiny; ++i) values[i] = i % 8;
  return set;
}

// The block's proteins, three times over, so many rows of pairs as the other arrays have.
static length_set pair_lengths(const gpu_setting *setting) {
  enum { kTimes = 3 };
  length_set set = {.count = 0};
  double pairs = 0;
  for (int k = 0; k < setting->num_lengths; ++k)
    pairs += kTimes * (double)setting->lengths[k] * (double)setting->lengths[k];
  if (!(pairs > 0)) return set;
  double scale = sqrt((double)setting->rows / pairs);
  int64_t *values = make(&set, "proteins", (int64_t)kTimes * setting->num_lengths);
  for (int k = 0; k < kTimes * setting->num_lengths; ++k)
    values[k] = (int64_t)((double)setting->lengths[k % setting->num_lengths] * scale);
  return set;
}

// Between half of the longest and the longest: a box of them is three quarters full.
static length_set box_lengths(int64_t rows) {
  length_set set = {.count = 0};
  int64_t batch = rows < 4096 ? 4 : 256, longest = rows / batch;
  int64_t *values = make(&set, "half to whole", batch);
  for (int64_t i = 0; i < batch; ++i)
    values[i] = longest - (i == 0 ? 0 : (i * 7919) % (longest / 2 + 1));
  return set;
}

// ---- Rows --------------------------------------------------------------------------------------------

static double peak_of(const gpu_ceilings *ceilings, ragged_element_type type, const char **name) {
  switch (type) {
    case RAGGED_ELEMENT_F64: *name = "f64 FMA peak"; return ceilings->fma_f64;
    case RAGGED_ELEMENT_BF16: *name = "bf16 mma.sync peak"; return ceilings->mma_bf16;
    default: *name = "f32 FMA peak"; return ceilings->fma_f32;
  }
}

static void report(const gpu_setting *setting, const ragged_rt_entry *entry, bool reads,
                   const gpu_lengths *lengths, const gpu_timing *timing) {
  int64_t rows = 0;
  for (int64_t i = 0; i < lengths->batch; ++i) rows += lengths->values[i];
  char name[sizeof((gpu_row *)0)->name];
  snprintf(name, sizeof name, "%s, %s", entry->name, lengths->name);
  gpu_row row = gpu_row_make(GPU_ROW_FINE, "kernel", name);
  double bytes = (double)(timing->argument_bytes + timing->result_bytes);
  // The padding of a box is not read.
  if (!strncmp(entry->name, "pack", 4)) bytes = 2 * (double)timing->result_bytes;
  double rate = reads ? setting->ceilings.read_gb_per_s : setting->ceilings.copy_gb_per_s;
  double bound = rate > 0 ? 1e-6 * bytes / rate : 0;  // milliseconds
  const char *bound_name = reads ? "bytes at read bandwidth" : "bytes at copy bandwidth";
  const char *peak_name;
  double peak = peak_of(&setting->ceilings, entry->arguments[0].schema.element_type, &peak_name);
  double flops = timing->flops;
  if (!strncmp(entry->name, "linear", 6)) {
    flops = 2.0 * 128 * 512 * (double)rows;
    if (peak > 0 && 1e-6 * flops / peak > bound) {
      bound = 1e-6 * flops / peak;
      bound_name = peak_name;
    }
  }
  gpu_row_set(&row, 1e3 * gpu_timing_seconds(timing), "ms", bound, bound_name, true);
  gpu_row_note(&row,
               "%.4g MB, %.4g GFLOP; a call %.4g ms; %d kernels, most in %.40s; %.1f MiB beyond "
               "the results",
               1e-6 * bytes, 1e-9 * flops, 1e3 * timing->call_seconds, timing->num_kernels,
               timing->slowest, (double)timing->peak_bytes / 1048576);
  gpu_row_write(setting->out, &row);
}

static void skip(const gpu_setting *setting, const char *entry, const char *lengths,
                 gpu_state state, const char *why) {
  char name[sizeof((gpu_row *)0)->name];
  snprintf(name, sizeof name, "%s, %s", entry, lengths);
  gpu_row row = gpu_row_make(state, "kernel", name);
  gpu_row_note(&row, "%s", why);
  gpu_row_write(setting->out, &row);
}

// False: the device gave an error, after which nothing else can be measured.
static bool time_one(const gpu_setting *setting, gpu_arrays *arrays, const ragged_rt_entry *entry,
                     bool reads, const gpu_lengths *lengths) {
  ragged_rt_tensor *arguments[kMostArguments] = {NULL};
  gpu_timing timing;
  ragged_status status =
      entry->num_arguments <= kMostArguments
          ? gpu_arrays_arguments(arrays, entry, lengths, arguments)
          : ragged_status_make(RAGGED_STATUS_INTERNAL, "more than %d arguments", kMostArguments);
  if (!status) status = gpu_time_entry(arrays->context, entry, arguments, &timing);
  if (!status) report(setting, entry, reads, lengths, &timing);
  else
    skip(setting, entry->name, lengths->name,
         ragged_status_get_code(status) == RAGGED_STATUS_RESOURCE_EXHAUSTED ? GPU_ROW_SKIPPED
                                                                           : GPU_ROW_WRONG,
         ragged_status_message(status));
  bool usable = ragged_status_get_code(status) != RAGGED_STATUS_INTERNAL;
  ragged_status_free(status);
  for (int k = 0; k < kMostArguments; ++k) ragged_rt_tensor_release(arguments[k]);
  return usable;
}

ragged_status gpu_stage_kernels(const gpu_setting *setting) {
  if (!gpu_find_entry("kernels", kTimed[0].entry)) {
    skip(setting, "kernels", "all lengths", GPU_ROW_SKIPPED, "not in this bundle");
    return NULL;
  }
  gpu_arrays arrays;
  ragged_rt_context *context;
  RAGGED_RETURN_IF_ERROR(gpu_context_create("generated", false, &context));
  gpu_arrays_create(context, setting->rows, &arrays);
  length_set sets[] = {[ROWS] = row_lengths(setting->rows, true),
                       [NARROW] = row_lengths(128 * setting->rows, false),
                       [PAIRS] = pair_lengths(setting),
                       [BOXES] = box_lengths(setting->rows)};
  bool usable = true;
  for (size_t k = 0; k < sizeof kTimed / sizeof *kTimed; ++k) {
    const ragged_rt_entry *entry = gpu_find_entry("kernels", kTimed[k].entry);
    const length_set *set = &sets[kTimed[k].kind];
    for (int l = 0; l < set->count; ++l) {
      const char *lengths = set->all[l].name;
      if (!entry)
        skip(setting, kTimed[k].entry, lengths, GPU_ROW_SKIPPED, "the program lacks it");
      else if (!usable)
        skip(setting, kTimed[k].entry, lengths, GPU_ROW_SKIPPED, "the device failed before");
      else if (gpu_now() > setting->deadline)
        skip(setting, kTimed[k].entry, lengths, GPU_ROW_SKIPPED, "out of time");
      else
        usable = time_one(setting, &arrays, entry, kTimed[k].reads, &set->all[l]);
    }
  }
  for (size_t k = 0; k < sizeof sets / sizeof *sets; ++k)
    for (int l = 0; l < sets[k].count; ++l) free(sets[k].all[l].values);
  gpu_arrays_destroy(&arrays);
  ragged_rt_context_release(context);
  return NULL;
}
