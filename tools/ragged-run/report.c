// See report.h.
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ragged-c/compile.h"

// As many digits as tell any two numbers of the type apart.
static void print_number(ragged_element_type element_type, ragged_reference_number number) {
  if (ragged_element_is_float(element_type))
    printf("%.*g", element_type == RAGGED_ELEMENT_F64 ? 17 : 9, number.real);
  else
    printf("%" PRId64, number.integer);
}

static void print_worst(ragged_element_type element_type, bool ragged,
                        const ragged_reference_comparison *comparison) {
  printf(" at ");
  if (ragged) printf("sample %" PRId64 ", ", comparison->sample);
  printf("position [");
  for (int d = 0; d < comparison->rank; ++d)
    printf("%s%" PRId64, d ? ", " : "", comparison->position[d]);
  printf("]: got ");
  print_number(element_type, comparison->got);
  printf(", expected ");
  print_number(element_type, comparison->expected);
  printf(", allowed error %.3g", comparison->allowed);
}

ragged_status ragged_run_report_comparison(int k, const ragged_run_value *result,
                                           const ragged_reference_value *expected,
                                           bool *out_agrees) {
  ragged_reference_value got = {0};
  ragged_reference_comparison comparison = {0};
  RAGGED_RETURN_IF_ERROR(ragged_run_value_to_reference(result, &got));
  ragged_status status = ragged_reference_compare(&got, expected, &comparison);
  ragged_reference_value_free(&got);
  RAGGED_RETURN_IF_ERROR(status);
  *out_agrees = comparison.worst <= 1.0;
  printf("result %d: largest error / allowed error = %.3g", k, comparison.worst);
  if (!*out_agrees)
    print_worst(result->type->schema.element_type, result->type->kind == RAGGED_RT_VALUE_RAGGED,
                &comparison);
  printf("\n");
  return NULL;
}

void ragged_run_report_times(int repeat, const ragged_run_times *times) {
  printf("time: best %.6g ms, median %.6g ms of %d runs\n", times->best * 1e3, times->median * 1e3,
         repeat);
}

static void print_kernels(int count, const ragged_rt_kernel_statistics *kernels, double total) {
  int width = 6;
  for (int k = 0; k < count; ++k) {
    int length = (int)strlen(kernels[k].name);
    if (length > width) width = length;
  }
  printf("%-*s %8s %12s %12s %9s %9s %6s\n", width, "kernel", "calls", "rows", "ms", "GB/s", "GF/s",
         "share");
  for (int k = 0; k < count; ++k) {
    const ragged_rt_kernel_statistics *kernel = &kernels[k];
    double rate = kernel->seconds > 0 ? 1e-9 / kernel->seconds : 0;
    printf("%-*s %8" PRId64 " %12" PRId64 " %12.4f %9.2f %9.2f %5.1f%%\n", width, kernel->name,
           kernel->calls, kernel->rows, kernel->seconds * 1e3, (double)kernel->bytes * rate,
           (double)kernel->flops * rate, total > 0 ? 100 * kernel->seconds / total : 0.0);
  }
}

static void print_widths(const int64_t *counts) {
  for (int k = 0; k < RAGGED_RT_ACCESS_WIDTHS; ++k) printf(" %9" PRId64, counts[k]);
}

static void print_counts(int count, const ragged_rt_device_counts *kernels) {
  int width = 6;
  for (int k = 0; k < count; ++k) {
    int length = (int)strlen(kernels[k].name);
    if (length > width) width = length;
  }
  printf("counted by the device; accesses to global memory by their bytes\n");
  printf("%-*s %8s %8s %9s %9s %9s %12s %12s %10s %11s", width, "kernel", "launches", "blocks", "threads",
         "barriers", "warp ops", "loaded", "stored", "sectors in", "sectors out");
  for (int k = 0; k < 2; ++k)
    printf(" %9s %9s %9s %9s %9s %9s", k ? "stores 1" : "loads 1", "2", "4", "8", "16", "other");
  printf("\n");
  for (int k = 0; k < count; ++k) {
    const ragged_rt_device_counts *kernel = &kernels[k];
    printf("%-*s %8" PRId64 " %8" PRId64 " %9" PRId64 " %9" PRId64 " %9" PRId64 " %12" PRId64
           " %12" PRId64 " %10" PRId64 " %11" PRId64,
           width, kernel->name, kernel->launches, kernel->blocks, kernel->threads, kernel->barriers,
           kernel->warp_operations, kernel->bytes_loaded, kernel->bytes_stored, kernel->sectors_loaded,
           kernel->sectors_stored);
    print_widths(kernel->loads);
    print_widths(kernel->stores);
    printf("\n");
  }
}

// What the device counted, where it does.
static ragged_status report_counts(const ragged_rt_context *context) {
  int count = ragged_rt_context_device_counts(context, 0, NULL);
  if (!count) return NULL;
  ragged_rt_device_counts *kernels = calloc((size_t)count, sizeof *kernels);
  if (!kernels)
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for counts");
  ragged_rt_context_device_counts(context, count, kernels);
  print_counts(count, kernels);
  free(kernels);
  return NULL;
}

ragged_status ragged_run_report_statistics(const ragged_rt_context *context,
                                           double seconds) {
  int count = ragged_rt_context_statistics(context, 0, NULL);
  ragged_rt_kernel_statistics *kernels = calloc((size_t)count + 1, sizeof *kernels);
  if (!kernels)
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for statistics");
  ragged_rt_context_statistics(context, count, kernels);
  print_kernels(count, kernels, seconds);
  free(kernels);
  RAGGED_RETURN_IF_ERROR(report_counts(context));
  ragged_rt_memory_statistics memory;
  ragged_rt_context_memory(context, &memory);
  printf("memory: peak allocated %" PRId64 " bytes, peak reserved %" PRId64 " bytes\n",
         memory.peak_allocated, memory.peak_reserved);
  RaggedCompileStatistics compile = raggedGetCompileStatistics();
  printf("compile: %" PRId64 " in %.1f ms\n", compile.compilations, compile.seconds * 1e3);
  printf("threads: %d, product library: %s\n", ragged_rt_context_num_threads(context),
         ragged_rt_context_product_library(context));
  return NULL;
}
