// See compile.h. Clone, resolve schemas, describe, lower, generate code; then bind the entries, or
// write the code to a file.
#include "compile/compile.h"

#include <errno.h>
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
        self->jit, ragged_arena_format(&scratch, RAGGED_ENTRY_PREFIX "%s", entry->name), &address);
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

// `module` is a clone and may be changed. Null `symbol`: for the JIT.
static ragged_status emit(MlirOperation module, const ragged_compile_options *options,
                          const char *pipeline, ragged_entry_table *table, const char *symbol,
                          LLVMMemoryBufferRef *out_object) {
  RAGGED_RETURN_IF_ERROR(ragged_run_pipeline(module, RAGGED_PIPELINE_RESOLVE));
  if (!ragged_entry_table_fill(module, table))
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "a function's type is none that the runtime can pass");
  // Kernels become binaries inside the pipeline.
  mlirRegisterAllLLVMTranslations(mlirOperationGetContext(module));
  RAGGED_RETURN_IF_ERROR(ragged_run_pipeline(module, pipeline));
  return symbol ? ragged_emit_linkable_object(module, options, table, symbol, out_object)
                : ragged_emit_object(module, options, out_object);
}

static ragged_status check_options(const ragged_compile_options *options,
                                   ragged_compile_options *out) {
  *out = (ragged_compile_options){.optimization_level = -1};
  if (!options) return NULL;
  *out = *options;
  return options->cpu ? ragged_check_cpu(options->cpu) : NULL;
}

// Object code of a clone of `module`. The caller ends the table either way.
static ragged_status compile_object(MlirModule module, const ragged_compile_options *options,
                                    ragged_entry_table *table, const char *symbol,
                                    LLVMMemoryBufferRef *out_object) {
  if (mlirModuleIsNull(module))
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "there is no module to compile");
  ragged_compile_options checked;
  RAGGED_RETURN_IF_ERROR(check_options(options, &checked));
  ragged_arena arena = {0};
  const char *pipeline = NULL;
  ragged_status status = choose_pipeline(&checked, &arena, &pipeline);
  if (!status) {
    MlirOperation clone = mlirOperationClone(mlirModuleGetOperation(module));
    status = emit(clone, &checked, pipeline, table, symbol, out_object);
    mlirOperationDestroy(clone);
  }
  ragged_arena_free(&arena);
  return status;
}

static void count_compilation(long long begin) {
  atomic_fetch_add(&nanoseconds, now() - begin);
  atomic_fetch_add(&num_compilations, 1);
}

// ---- To run here -----------------------------------------------------------------------------

static ragged_status compile_module(MlirModule module, const ragged_compile_options *options,
                                    ragged_rt_module **out_module) {
  compiled *self = calloc(1, sizeof *self);
  if (!self)
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for a compiled module");
  LLVMMemoryBufferRef object;
  ragged_status status = compile_object(module, options, &self->table, NULL, &object);
  if (!status) status = ragged_jit_create(object, &self->jit);
  if (!status) status = bind_entries(self);
  if (!status)
    status = ragged_rt_module_create(self->table.num_entries, self->table.entries,
                                     compiled_destroy, self, out_module);
  if (status) compiled_destroy(self);
  return status;
}

ragged_status ragged_compile(MlirModule module, const ragged_compile_options *options,
                             ragged_rt_module **out_module) {
  long long begin = now();
  ragged_status status = compile_module(module, options, out_module);
  count_compilation(begin);
  return status;
}

// ---- To a file -------------------------------------------------------------------------------

static bool is_symbol(const char *text) {
  if (!*text || (*text >= '0' && *text <= '9')) return false;
  return strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") ==
         strlen(text);
}

static ragged_status write_file(LLVMMemoryBufferRef object, const char *path) {
  FILE *file = fopen(path, "wb");
  if (!file)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "file '%s': %s", path,
                              strerror(errno));
  size_t size = LLVMGetBufferSize(object);
  bool written = fwrite(LLVMGetBufferStart(object), 1, size, file) == size;
  int why = errno;
  if (fclose(file) && written) {
    written = false;
    why = errno;
  }
  if (written) return NULL;
  remove(path);
  return ragged_status_make(RAGGED_STATUS_UNAVAILABLE, "file '%s' cannot be written: %s", path,
                            strerror(why));
}

ragged_status ragged_compile_to_object(MlirModule module, const ragged_compile_options *options,
                                       const char *symbol, const char *path) {
  if (!symbol) symbol = "ragged_program_entries";
  if (!is_symbol(symbol))
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "the symbol '%s' is no name of a C function", symbol);
  if (!path)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "there is no path to write to");
  long long begin = now();
  ragged_entry_table table = {0};
  LLVMMemoryBufferRef object;
  ragged_status status = compile_object(module, options, &table, symbol, &object);
  count_compilation(begin);
  if (!status) {
    status = write_file(object, path);
    LLVMDisposeMemoryBuffer(object);
  }
  ragged_entry_table_destroy(&table);
  return status;
}
