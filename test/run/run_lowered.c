// See run_lowered.h.
#include "run_lowered.h"

#include <stdlib.h>

#include "compile/jit.h"
#include "compile/object_code.h"
#include "compile/pipeline.h"
#include "../unit/mlir_test_context.h"
#include "support/arena.h"

typedef struct lowered {
  ragged_arena arena;
  ragged_rt_entry *entries;
  ragged_jit *jit;
} lowered;

static void lowered_destroy(void *user) {
  lowered *self = user;
  ragged_jit_destroy(self->jit);
  ragged_arena_free(&self->arena);
  free(self);
}

static ragged_status compile(const char *path, ragged_jit **out_jit) {
  MlirContext context = mlir_test_context_create();
  MlirModule parsed = mlirModuleCreateParseFromFile(context, mlirStringRefCreateFromCString(path));
  MlirOperation module = mlirModuleGetOperation(parsed);
  ragged_status status = NULL;
  LLVMMemoryBufferRef object = NULL;
  const ragged_compile_options options = {.optimization_level = -1};
  if (mlirModuleIsNull(parsed))
    status = ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "'%s' cannot be parsed", path);
  if (!status)
    status = ragged_run_pipeline(module,
                                 "builtin.module(ragged-emulate-kernels,ragged-embed-kernels)");
  if (!status) status = ragged_emit_object(module, &options, &object);
  if (!status) status = ragged_jit_create(object, out_jit);
  if (!mlirModuleIsNull(parsed)) mlirModuleDestroy(parsed);
  mlirContextDestroy(context);
  return status;
}

static ragged_status bind(lowered *self, int num_entries, const ragged_rt_entry *const *entries) {
  self->entries = RAGGED_ARENA_ARRAY(&self->arena, ragged_rt_entry, num_entries);
  for (int k = 0; k < num_entries; ++k) {
    void (*address)(void) = NULL;
    self->entries[k] = *entries[k];
    RAGGED_RETURN_IF_ERROR(ragged_jit_lookup(
        self->jit, ragged_arena_format(&self->arena, "ragged_entry_%s", entries[k]->name),
        &address));
    self->entries[k].function = (ragged_rt_entry_function)address;
  }
  return NULL;
}

ragged_status run_lowered_compile(const char *path, int num_entries,
                                  const ragged_rt_entry *const *entries, ragged_rt_module **out) {
  lowered *self = calloc(1, sizeof *self);
  if (!self) return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for a module");
  ragged_status status = compile(path, &self->jit);
  if (!status) status = bind(self, num_entries, entries);
  if (!status)
    status = ragged_rt_module_create(num_entries, self->entries, lowered_destroy, self, out);
  if (status) lowered_destroy(self);
  return status;
}
