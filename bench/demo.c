// ragged-demo PROGRAM.mlir TRAINING.mlir LENGTHS.fasta OUTPUT.json: compiles the three single–pair–single
// functions once, and the derivatives of their losses, runs them on the first 8 lengths (their partners:
// the next 8), and reports how fast, how exact and how small that is. Exit status 1: something failed, or a
// measurement cannot be true.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "ceilings.h"
#include "demo_report.h"
#include "demo_training.h"
#include "lengths.h"
#include "ragged-c/compile.h"
#include "ragged-c/dialect.h"
#include "ragged-c/passes.h"

enum { kBatch = 8, kSamples = 3 };
static const int64_t reference_lengths[kSamples] = {57, 31, 118};
static const char *const functions[kDemoFunctions] = {
    "single_pair_single", "single_pair_single_rectangular", "single_pair_single_non_leading"};

static const char *const losses[kDemoFunctions] = {"square_loss", "rectangular_loss",
                                                   "non_leading_loss"};

typedef struct demo {
  MlirContext mlir;
  MlirModule module, training_module;
  ragged_rt_module *compiled, *training_compiled;
  ragged_arena arena;
  int64_t n[kBatch], m[kBatch], samples[kSamples];
  demo_setting setting;
  demo_figures figures[kDemoFunctions], training[kDemoFunctions];
} demo;

static ragged_status load(demo *demo, const char *path, MlirModule *out) {
  *out = mlirModuleCreateParseFromFile(demo->mlir, mlirStringRefCreateFromCString(path));
  return mlirModuleIsNull(*out)
             ? ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "'%s' is no program", path)
             : NULL;
}

static ragged_status compile(MlirModule module, ragged_rt_module **out, demo_figures *figures) {
  double begin = omp_get_wtime();
  RAGGED_RETURN_IF_ERROR(raggedCompile(module, NULL, out));
  double seconds = omp_get_wtime() - begin;
  for (int f = 0; f < kDemoFunctions; ++f) figures[f].compile_ms = seconds * 1e3;
  return NULL;
}

static ragged_status differentiate(demo *demo) {
  for (int f = 0; f < kDemoFunctions; ++f) {
    const char *pipeline = ragged_arena_format(
        &demo->arena, "builtin.module(ragged-differentiate{entry=%s})", losses[f]);
    RAGGED_RETURN_IF_ERROR(
        raggedRunPipeline(demo->training_module, mlirStringRefCreateFromCString(pipeline)));
  }
  return NULL;
}

static ragged_status compile_programs(demo *demo, const char *program, const char *training) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  raggedRegisterDialects(registry);
  raggedRegisterPasses();
  demo->mlir = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  RAGGED_RETURN_IF_ERROR(load(demo, program, &demo->module));
  RAGGED_RETURN_IF_ERROR(compile(demo->module, &demo->compiled, demo->figures));
  RAGGED_RETURN_IF_ERROR(load(demo, training, &demo->training_module));
  RAGGED_RETURN_IF_ERROR(differentiate(demo));
  return compile(demo->training_module, &demo->training_compiled, demo->training);
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

static ragged_status find(MlirModule module, const ragged_rt_module *compiled, const char *name,
                          const ragged_rt_entry **entry, MlirOperation *function) {
  MlirSymbolTable symbols = mlirSymbolTableCreate(mlirModuleGetOperation(module));
  *function = mlirSymbolTableLookup(symbols, mlirStringRefCreateFromCString(name));
  mlirSymbolTableDestroy(symbols);
  *entry = ragged_rt_module_find(compiled, name);
  if (*entry && !mlirOperationIsNull(*function)) return NULL;
  return ragged_status_make(RAGGED_STATUS_NOT_FOUND, "the program has no function %s", name);
}

static demo_lengths lengths_of(const demo *demo, int f) {
  return (demo_lengths){kBatch, demo->n, f == 1 ? demo->m : NULL};
}

static ragged_status measure_function(demo *demo, int f) {
  MlirOperation function;
  const ragged_rt_entry *entry;
  demo_lengths lengths = lengths_of(demo, f);
  RAGGED_RETURN_IF_ERROR(find(demo->module, demo->compiled, functions[f], &entry, &function));
  return demo_measure(&demo->setting, entry, function, &lengths, kSamples, demo->samples,
                      &demo->figures[f]);
}

static ragged_status measure_training(demo *demo, int f) {
  demo_training training;
  MlirOperation step;
  demo_lengths lengths = lengths_of(demo, f);
  const char *name = ragged_arena_format(&demo->arena, "%s_vjp", losses[f]);
  RAGGED_RETURN_IF_ERROR(find(demo->training_module, demo->training_compiled, name,
                              &training.derivative, &training.function));
  RAGGED_RETURN_IF_ERROR(
      find(demo->training_module, demo->training_compiled, "step", &training.step, &step));
  return demo_measure_training(&demo->setting, &training, &lengths, &demo->training[f]);
}

static ragged_status run(demo *demo, const char *program, const char *training, const char *fasta) {
  RAGGED_RETURN_IF_ERROR(compile_programs(demo, program, training));
  RAGGED_RETURN_IF_ERROR(read_lengths(demo, fasta));
  RAGGED_RETURN_IF_ERROR(ragged_bench_library_open(&demo->setting.library));
  RAGGED_RETURN_IF_ERROR(ragged_rt_context_create(NULL, &demo->setting.context));
  RAGGED_RETURN_IF_ERROR(demo_weights_create(demo->setting.context, &demo->setting.weights));
  for (int f = 0; f < kDemoFunctions; ++f) {
    fprintf(stderr, "measuring %s ...\n", functions[f]);
    RAGGED_RETURN_IF_ERROR(measure_function(demo, f));
  }
  for (int f = 0; f < kDemoFunctions; ++f) {
    fprintf(stderr, "measuring the training step of %s ...\n", functions[f]);
    RAGGED_RETURN_IF_ERROR(measure_training(demo, f));
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
  demo_report_print(demo->figures, demo->training, machine);
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
    if (!(demo->training[f].max_abs_diff <= 1e-3))
      return ragged_status_make(RAGGED_STATUS_INTERNAL, "%s: a gradient is off the reference by %.3g",
                                losses[f], demo->training[f].max_abs_diff);
  }
  return NULL;
}

static void end(demo *demo) {
  demo_weights_destroy(&demo->setting.weights);
  if (demo->setting.context) ragged_rt_context_release(demo->setting.context);
  ragged_bench_library_close(demo->setting.library);
  if (demo->compiled) ragged_rt_module_release(demo->compiled);
  if (demo->training_compiled) ragged_rt_module_release(demo->training_compiled);
  if (!mlirModuleIsNull(demo->module)) mlirModuleDestroy(demo->module);
  if (!mlirModuleIsNull(demo->training_module)) mlirModuleDestroy(demo->training_module);
  if (!mlirContextIsNull(demo->mlir)) mlirContextDestroy(demo->mlir);
  ragged_arena_free(&demo->arena);
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: ragged-demo PROGRAM.mlir TRAINING.mlir LENGTHS.fasta OUTPUT.json\n");
    return 2;
  }
  demo demo = {0};
  ragged_status status = run(&demo, argv[1], argv[2], argv[3]);
  if (!status) {
    print(&demo);
    status = demo_report_write(demo.figures, demo.training, argv[4]);
  }
  if (!status) status = check_figures(&demo);
  if (status) fprintf(stderr, "ragged-demo: %s\n", ragged_status_message(status));
  int exit_status = status ? EXIT_FAILURE : EXIT_SUCCESS;
  ragged_status_free(status);
  end(&demo);
  return exit_status;
}
