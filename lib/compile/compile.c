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

#define PIPELINE_TO_CPU "builtin.module(lower-to-cpu)"
#define ENTRY_PREFIX "ragged_entry_"  // of the host functions that lower-to-cpu makes

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

// `module` is a clone and may be changed.
static ragged_status compile(MlirOperation module, const ragged_compile_options *options,
                             compiled *self) {
  RAGGED_RETURN_IF_ERROR(ragged_run_pipeline(module, RAGGED_PIPELINE_RESOLVE));
  if (!ragged_entry_table_fill(module, &self->table))
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "a function's type is none that the runtime can pass");
  RAGGED_RETURN_IF_ERROR(ragged_run_pipeline(module, PIPELINE_TO_CPU));
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
  MlirOperation clone = mlirOperationClone(mlirModuleGetOperation(module));
  ragged_status status = compile(clone, &checked, self);
  mlirOperationDestroy(clone);
  if (!status)
    status = ragged_rt_module_create(self->table.num_entries, self->table.entries,
                                     compiled_destroy, self, out_module);
  if (status) compiled_destroy(self);
  return status;
}

ragged_status ragged_compile_for_cpu(MlirModule module, const ragged_compile_options *options,
                                     ragged_rt_module **out_module) {
  if (mlirModuleIsNull(module))
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "there is no module to compile");
  long long begin = now();
  ragged_status status = compile_module(module, options, out_module);
  atomic_fetch_add(&nanoseconds, now() - begin);
  atomic_fetch_add(&num_compilations, 1);
  return status;
}
