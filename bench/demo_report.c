// See demo_report.h.
#include "demo_report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- Table -----------------------------------------------------------------------------------

typedef double (*figure_function)(const demo_figures *f);
#define FIGURE(name, value) \
  static double name(const demo_figures *f) { return value; }

static const double kMiB = 1048576.0;
FIGURE(occupancy, f->occupancy)
FIGURE(packed, f->packed_ms)
FIGURE(padded, f->padded_ms)
FIGURE(dense, f->dense_ms)
FIGURE(products, f->products_ms)
FIGURE(w1_rows, (double)f->w1_block_rows)
FIGURE(w2_rows, (double)f->w2_block_rows)
FIGURE(products_rate, f->products_gflops)
FIGURE(peak_rate, f->fma_peak_gflops)
FIGURE(peak_packed, (double)f->peak_bytes_packed / kMiB)
FIGURE(peak_padded, (double)f->peak_bytes_padded / kMiB)
FIGURE(compile, f->compile_ms)
FIGURE(speedup_by_occupancy, f->speedup * f->occupancy)
FIGURE(speedup, f->speedup)
FIGURE(by_products, f->packed_ms / f->products_ms)
FIGURE(products_by_peak, f->products_gflops / f->fma_peak_gflops)
// Time per pair cell: padded over packed, as a distance from 1.
FIGURE(cell_time, fabs(f->padded_ms * f->occupancy / f->packed_ms - 1.0))
FIGURE(difference, f->max_abs_diff)
FIGURE(dense_difference, f->dense_max_abs_diff)
FIGURE(excess_memory, (double)(f->peak_bytes_packed - f->result_bytes) / kMiB)
FIGURE(metadata, f->metadata_us)

typedef struct table_row {
  const char *label;
  figure_function figure;
  const char *format;
  double least, most;  // required; NAN: nothing is
} table_row;

static const table_row rows[] = {
    {"occupancy of the padded pair state", occupancy, "%.3f", NAN, NAN},
    {"packed: compiled, true lengths, ms", packed, "%.1f", NAN, NAN},
    {"padded: compiled, longest length, ms", padded, "%.1f", NAN, NAN},
    {"dense: oneDNN + C loops, padded, ms", dense, "%.1f", NAN, NAN},
    {"products alone (oneDNN), ms", products, "%.1f", NAN, NAN},
    {"  best rows of a block, W1", w1_rows, "%.0f", NAN, NAN},
    {"  best rows of a block, W2", w2_rows, "%.0f", NAN, NAN},
    {"  GFLOP/s", products_rate, "%.1f", NAN, NAN},
    {"FMA peak, GFLOP/s", peak_rate, "%.1f", NAN, NAN},
    {"peak memory packed, MiB", peak_packed, "%.1f", NAN, NAN},
    {"peak memory padded, MiB", peak_padded, "%.1f", NAN, NAN},
    {"compilation of all three, ms", compile, "%.0f", NAN, NAN},
    {"speed-up over the faster padded one", speedup, "%.2f", NAN, NAN},
    {"  x occupancy", speedup_by_occupancy, "%.3f", 0.9, NAN},
    {"packed / products", by_products, "%.3f", NAN, 1.25},
    {"products / FMA peak", products_by_peak, "%.3f", 0.85, 1.0},
    {"padded / packed per cell, off 1 by", cell_time, "%.3f", NAN, 0.05},
    {"largest error, packed", difference, "%.2e", NAN, 1e-3},
    {"largest error, dense", dense_difference, "%.2e", NAN, 1e-3},
    {"peak memory beyond results, MiB", excess_memory, "%.1f", NAN, 64},
    {"new lengths, microseconds", metadata, "%.1f", NAN, 100}};

// A training step: the forward pass, gradients, the update.
static const table_row training_rows[] = {
    {"packed: compiled, true lengths, ms", packed, "%.1f", NAN, NAN},
    {"padded: compiled, longest length, ms", padded, "%.1f", NAN, NAN},
    {"products alone (oneDNN) x 3, ms", products, "%.1f", NAN, NAN},
    {"peak memory packed, MiB", peak_packed, "%.1f", NAN, NAN},
    {"peak memory padded, MiB", peak_padded, "%.1f", NAN, NAN},
    {"compilation of all, ms", compile, "%.0f", NAN, NAN},
    {"speed-up over the padded one", speedup, "%.2f", NAN, NAN},
    {"  x occupancy", speedup_by_occupancy, "%.3f", 0.9, NAN},
    {"packed / products", by_products, "%.3f", NAN, 1.35},
    {"largest error of a gradient", difference, "%.2e", NAN, 1e-3}};

static void print_requirement(const table_row *row) {
  if (!isnan(row->least)) printf("  at least %g", row->least);
  if (!isnan(row->most)) printf("%s at most %g", isnan(row->least) ? " " : ",", row->most);
  printf("\n");
}

// Whether all that is required was met.
static bool print_table(const table_row *list, size_t count, const demo_figures *figures) {
  bool all_met = true;
  for (size_t k = 0; k < count; ++k) {
    const table_row *row = &list[k];
    printf("%-38s", row->label);
    for (int f = 0; f < kDemoFunctions; ++f) {
      double value = row->figure(&figures[f]);
      // NaN misses what is required.
      bool met = (isnan(row->least) || value >= row->least) &&
                 (isnan(row->most) || value <= row->most);
      char text[32];
      snprintf(text, sizeof text, row->format, value);
      printf("%11s%c", text, met ? ' ' : '!');
      all_met &= met;
    }
    print_requirement(row);
  }
  return all_met;
}

void demo_report_print(const demo_figures figures[kDemoFunctions],
                       const demo_figures training[kDemoFunctions], const char *machine) {
  printf("single-pair-single, %s\n\n%-38s%12s%12s%12s  required\n", machine, "", "square",
         "rectangular", "non-leading");
  bool all_met = print_table(rows, sizeof rows / sizeof *rows, figures);
  printf("\ntraining: loss, gradients of inputs and weights, update\n");
  all_met &= print_table(training_rows, sizeof training_rows / sizeof *training_rows, training);
  if (!all_met) printf("\n! misses what is required (a busy machine can be the reason)\n");
}

// ---- JSON --------------------------------------------------------------------------------------

// JSON has no infinities and no NaN.
static void write_number(FILE *file, const char *indent, const char *key, double value) {
  if (isfinite(value)) fprintf(file, "%s\"%s\": %.9g", indent, key, value);
  else fprintf(file, "%s\"%s\": null", indent, key);
}

static void write_figures(FILE *file, const char *indent, const demo_figures *f) {
  const struct {
    const char *key;
    double value;
  } list[] = {{"occupancy", f->occupancy},
              {"packed_ms", f->packed_ms},
              {"padded_ms", f->padded_ms},
              {"dense_ms", f->dense_ms},
              {"speedup", f->speedup},
              {"products_ms", f->products_ms},
              {"products_gflops", f->products_gflops},
              {"fma_peak_gflops", f->fma_peak_gflops},
              {"max_abs_diff", f->max_abs_diff},
              {"metadata_us", f->metadata_us},
              {"compile_ms", f->compile_ms}};
  for (size_t k = 0; k < sizeof list / sizeof list[0]; ++k) {
    write_number(file, indent, list[k].key, list[k].value);
    fprintf(file, ",\n");
  }
  fprintf(file, "%s\"peak_bytes_packed\": %lld,\n", indent, (long long)f->peak_bytes_packed);
  fprintf(file, "%s\"peak_bytes_padded\": %lld", indent, (long long)f->peak_bytes_padded);
}

// The square function's figures, then objects for the others.
static void write_functions(FILE *file, const char *indent, const char *inner,
                            const demo_figures *figures) {
  static const char *const names[kDemoFunctions] = {NULL, "rectangular", "non_leading"};
  write_figures(file, indent, &figures[0]);
  for (int f = 1; f < kDemoFunctions; ++f) {
    fprintf(file, ",\n%s\"%s\": {\n", indent, names[f]);
    write_figures(file, inner, &figures[f]);
    fprintf(file, "\n%s}", indent);
  }
}

ragged_status demo_report_write(const demo_figures figures[kDemoFunctions],
                                const demo_figures training[kDemoFunctions], const char *path) {
  FILE *file = fopen(path, "w");
  if (!file)
    return ragged_status_make(RAGGED_STATUS_NOT_FOUND, "'%s' cannot be written: %s", path,
                              strerror(errno));
  fprintf(file, "{\n");
  write_functions(file, "  ", "    ", figures);
  fprintf(file, ",\n  \"training\": {\n");
  write_functions(file, "    ", "      ", training);
  fprintf(file, "\n  }\n}\n");
  bool failed = ferror(file) != 0;
  failed |= fclose(file) != 0;
  if (!failed) return NULL;
  return ragged_status_make(RAGGED_STATUS_INTERNAL, "'%s' cannot be written completely", path);
}
