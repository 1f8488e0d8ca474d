// See compile.h. Clone, resolve schemas, describe, lower, generate code, bind entries.
#include "compile/compile.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compile/entry_table.h"
#include "compile/jit.h"
#include "compile/object_code.h"
#include "compile/pipeline.h"
#include "llvm-c/Core.h"
#include "lower/gpu/gpu_target.h"
#include "mlir-c/RegisterEverything.h"

#define ENTRY_PREFIX "ragged_entry_"  // of the host functions that the lowering makes

static atomic_llong num_compilations, nanoseconds;

void ragged_compile_get_statistics(ragged_compile_statistics *out) {
  out->compilations = atomic_load(&num_compilations);
  out->seconds = (double)atomic_load(&nanoseconds) * 1e-9;
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// What a compiled module keeps alive.
typedef struct compiled {
  ragged_entry_table table;
  ragged_jit *jit;
} compiled;

static void compiled_destroy(void *user) {
  compiled *self = user;
  ragged_jit_destroy(self->jit);
  ragged_entry_table_destroy(&self->table);
  free(self);
}

static ragged_status bind_entries(compiled *self) {
  ragged_arena scratch = {0};
  ragged_status status = NULL;
  for (int k = 0; k < self->table.num_entries && !status; ++k) {
    ragged_rt_entry *entry = &self->table.entries[k];
    void (*address)(void) = NULL;
    status = ragged_jit_lookup(
        self->jit, ragged_arena_format(&scratch, ENTRY_PREFIX "%s", entry->name), &address);
    entry->function = (ragged_rt_entry_function)address;
  }
  ragged_arena_free(&scratch);
  return status;
}

// PTX where NVIDIA's tools are missing: the driver translates it.
static ragged_status cuda_pipeline(const char *chips, ragged_arena *arena, const char **out) {
  ragged_gpu_options options = {.chips = chips};
  ragged_gpu_target target;
  ragged_status status = ragged_gpu_target_read(&options, &target);
  const char *format = "fatbin";
  if (ragged_status_get_code(status) == RAGGED_STATUS_UNAVAILABLE) {
    ragged_status_free(status);
    status = NULL;
    format = "isa";
  }
  *out = ragged_arena_format(
      arena, "builtin.module(lower-to-nvvm{chips=\"%s\" format=%s},ragged-embed-kernels)",
      chips ? chips : "", format);
  return status;
}

static ragged_status choose_pipeline(const ragged_compile_options *options, ragged_arena *arena,
                                     const char **out) {
  const char *target = options->target ? options->target : "cpu";
  if (options->chips && strcmp(target, "cuda") != 0)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "chips are given for target '%s', but only cuda takes them", target);
  if (!strcmp(target, "cuda")) return cuda_pipeline(options->chips, arena, out);
  if (!strcmp(target, "cpu")) *out = "builtin.module(lower-to-cpu)";
  else if (!strcmp(target, "emulated")) *out = "builtin.module(lower-to-emulated)";
  else
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "there is no target '%s', expected 'cpu', 'cuda' or 'emulated'",
                              target);
  return NULL;
}

// `module` is a clone and may be changed.
static ragged_status compile(MlirOperation module, const ragged_compile_options *options,
                             const char *pipeline, compiled *self) {
  RAGGED_RETURN_IF_ERROR(ragged_run_pipeline(module, RAGGED_PIPELINE_RESOLVE));
  if (!ragged_entry_table_fill(module, &self->table))
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "a function's type is none that the runtime can pass");
  // Kernels become binaries inside the pipeline.
  mlirRegisterAllLLVMTranslations(mlirOperationGetContext(module));
  RAGGED_RETURN_IF_ERROR(ragged_run_pipeline(module, pipeline));
  LLVMMemoryBufferRef object;
  RAGGED_RETURN_IF_ERROR(ragged_emit_object(module, options, &object));
  RAGGED_RETURN_IF_ERROR(ragged_jit_create(object, &self->jit));
  return bind_entries(self);
}

static ragged_status check_options(const ragged_compile_options *options,
                                   ragged_compile_options *out) {
  *out = (ragged_compile_options){.struct_size = sizeof *out, .optimization_level = -1};
  if (!options) return NULL;
  if (options->struct_size < sizeof *options)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "the compile options say that they have %zu bytes, expected %zu",
                              options->struct_size, sizeof *options);
  *out = *options;
  return NULL;
}

static ragged_status compile_module(MlirModule module, const ragged_compile_options *options,
                                    ragged_rt_module **out_module) {
  ragged_compile_options checked;
  RAGGED_RETURN_IF_ERROR(check_options(options, &checked));
  compiled *self = calloc(1, sizeof *self);
  if (!self)
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for a compiled module");
  ragged_arena arena = {0};
  const char *pipeline = NULL;
  ragged_status status = choose_pipeline(&checked, &arena, &pipeline);
  if (!status) {
    MlirOperation clone = mlirOperationClone(mlirModuleGetOperation(module));
    status = compile(clone, &checked, pipeline, self);
    mlirOperationDestroy(clone);
  }
  ragged_arena_free(&arena);
  if (!status)
    status = ragged_rt_module_create(self->table.num_entries, self->table.entries,
                                     compiled_destroy, self, out_module);
  if (status) compiled_destroy(self);
  return status;
}

ragged_status ragged_compile(MlirModule module, const ragged_compile_options *options,
                             ragged_rt_module **out_module) {
  if (mlirModuleIsNull(module))
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "there is no module to compile");
  long long begin = now();
  ragged_status status = compile_module(module, options, out_module);
  atomic_fetch_add(&nanoseconds, now() - begin);
  atomic_fetch_add(&num_compilations, 1);
  return status;
}
