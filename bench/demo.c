// ragged-demo PROGRAM.mlir LENGTHS.fasta OUTPUT.json: compiles the three single–pair–single functions
// once, runs them on the first 8 lengths (their partners: the next 8), and reports how fast, how
// exact and how small that is. Exit status 1: something failed, or a measurement cannot be true.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "ceilings.h"
#include "demo_report.h"
#include "lengths.h"
#include "ragged-c/compile.h"
#include "ragged-c/dialect.h"

enum { kBatch = 8, kSamples = 3 };
static const int64_t reference_lengths[kSamples] = {57, 31, 118};
static const char *const functions[kDemoFunctions] = {
    "single_pair_single", "single_pair_single_rectangular", "single_pair_single_non_leading"};

typedef struct demo {
  MlirContext mlir;
  MlirModule module;
  ragged_rt_module *compiled;
  ragged_arena arena;
  int64_t n[kBatch], m[kBatch], samples[kSamples];
  demo_setting setting;
  demo_figures figures[kDemoFunctions];
} demo;

static ragged_status compile_program(demo *demo, const char *path) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  raggedRegisterDialects(registry);
  demo->mlir = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  demo->module =
      mlirModuleCreateParseFromFile(demo->mlir, mlirStringRefCreateFromCString(path));
  if (mlirModuleIsNull(demo->module))
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "'%s' is no program", path);
  double begin = omp_get_wtime();
  RAGGED_RETURN_IF_ERROR(raggedCompile(demo->module, NULL, &demo->compiled));
  double seconds = omp_get_wtime() - begin;
  for (int f = 0; f < kDemoFunctions; ++f) demo->figures[f].compile_ms = seconds * 1e3;
  return NULL;
}

// Lengths of the first 16 sequences, read as ragged-run reads `--axis n=@FILE --batch 16`.
static ragged_status read_lengths(demo *demo, const char *path) {
  const ragged_rt_entry *square = ragged_rt_module_find(demo->compiled, functions[0]);
  if (!square || square->num_axes != 1)
    return ragged_status_make(RAGGED_STATUS_NOT_FOUND, "the program has no function %s of one axis",
                              functions[0]);
  ragged_run_assignment axis = {square->axes[0],
                                ragged_arena_format(&demo->arena, "@%s", path)};
  ragged_run_options options = {.num_axes = 1, .axes = &axis, .batch = 2 * kBatch};
  ragged_run_lengths lengths;
  RAGGED_RETURN_IF_ERROR(ragged_run_lengths_read(&options, square, &demo->arena, &lengths));
  for (int s = 0; s < kBatch; ++s) {
    demo->n[s] = lengths.extents[0][s];
    demo->m[s] = lengths.extents[0][kBatch + s];
  }
  for (int k = 0; k < kSamples; ++k) {
    demo->samples[k] = -1;
    for (int s = 0; s < kBatch; ++s)
      if (demo->n[s] == reference_lengths[k]) demo->samples[k] = s;
    if (demo->samples[k] < 0)
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "'%s' has no sequence of length %lld among its first %d", path,
                                (long long)reference_lengths[k], kBatch);
  }
  return NULL;
}

static ragged_status measure_function(demo *demo, int f) {
  MlirSymbolTable symbols = mlirSymbolTableCreate(mlirModuleGetOperation(demo->module));
  MlirOperation function =
      mlirSymbolTableLookup(symbols, mlirStringRefCreateFromCString(functions[f]));
  mlirSymbolTableDestroy(symbols);
  const ragged_rt_entry *entry = ragged_rt_module_find(demo->compiled, functions[f]);
  demo_lengths lengths = {kBatch, demo->n, f == 1 ? demo->m : NULL};
  if (!entry || mlirOperationIsNull(function))
    return ragged_status_make(RAGGED_STATUS_NOT_FOUND, "the program has no function %s",
                              functions[f]);
  return demo_measure(&demo->setting, entry, function, &lengths, kSamples, demo->samples,
                      &demo->figures[f]);
}

static ragged_status run(demo *demo, const char *program, const char *fasta) {
  RAGGED_RETURN_IF_ERROR(compile_program(demo, program));
  RAGGED_RETURN_IF_ERROR(read_lengths(demo, fasta));
  RAGGED_RETURN_IF_ERROR(ragged_bench_library_open(&demo->setting.library));
  RAGGED_RETURN_IF_ERROR(ragged_rt_context_create(NULL, &demo->setting.context));
  RAGGED_RETURN_IF_ERROR(demo_weights_create(demo->setting.context, &demo->setting.weights));
  for (int f = 0; f < kDemoFunctions; ++f) {
    fprintf(stderr, "measuring %s ...\n", functions[f]);
    RAGGED_RETURN_IF_ERROR(measure_function(demo, f));
  }
  for (int f = 0; f < kDemoFunctions; ++f)
    demo->figures[f].fma_peak_gflops = demo->setting.fma_peak_gflops;
  return NULL;
}

static void print(const demo *demo) {
  char machine[160];
  snprintf(machine, sizeof machine,
           "f32, 8 proteins, %d threads, %s vectors, products by %s, copy %.1f GB/s",
           ragged_rt_context_num_threads(demo->setting.context), ragged_bench_fma_vectors(),
           ragged_rt_context_product_library(demo->setting.context), ragged_bench_copy_gb_per_s());
  demo_report_print(demo->figures, machine);
}

// What would make the figures worthless: products beyond the peak, a wrong result or baseline.
static ragged_status check_figures(const demo *demo) {
  for (int f = 0; f < kDemoFunctions; ++f) {
    const demo_figures *figures = &demo->figures[f];
    if (figures->products_gflops > figures->fma_peak_gflops)
      return ragged_status_make(RAGGED_STATUS_INTERNAL,
                                "%s: products at %.1f GFLOP/s exceed the FMA peak of %.1f",
                                functions[f], figures->products_gflops, figures->fma_peak_gflops);
    if (!(figures->max_abs_diff <= 1e-3) || !(figures->dense_max_abs_diff <= 1e-3))
      return ragged_status_make(RAGGED_STATUS_INTERNAL,
                                "%s: off the reference by %.3g (packed) and %.3g (dense)",
                                functions[f], figures->max_abs_diff, figures->dense_max_abs_diff);
  }
  return NULL;
}

static void end(demo *demo) {
  demo_weights_destroy(&demo->setting.weights);
  if (demo->setting.context) ragged_rt_context_release(demo->setting.context);
  ragged_bench_library_close(demo->setting.library);
  if (demo->compiled) ragged_rt_module_release(demo->compiled);
  if (!mlirModuleIsNull(demo->module)) mlirModuleDestroy(demo->module);
  if (!mlirContextIsNull(demo->mlir)) mlirContextDestroy(demo->mlir);
  ragged_arena_free(&demo->arena);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: ragged-demo PROGRAM.mlir LENGTHS.fasta OUTPUT.json\n");
    return 2;
  }
  demo demo = {0};
  ragged_status status = run(&demo, argv[1], argv[2]);
  if (!status) {
    print(&demo);
    status = demo_report_write(demo.figures, argv[3]);
  }
  if (!status) status = check_figures(&demo);
  if (status) fprintf(stderr, "ragged-demo: %s\n", ragged_status_message(status));
  int exit_status = status ? EXIT_FAILURE : EXIT_SUCCESS;
  ragged_status_free(status);
  end(&demo);
  return exit_status;
}
