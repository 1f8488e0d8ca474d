// See ragged-c/passes.h.
#include "ragged-c/passes.h"

#include "compile/pipeline.h"
#include "support/arena.h"

void raggedRegisterPasses(void) { ragged_register_passes(); }

ragged_status raggedRunPipeline(MlirModule module, MlirStringRef pipeline) {
  if (mlirModuleIsNull(module))
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "there is no module");
  ragged_arena arena = {0};
  ragged_status status =
      ragged_run_pipeline(mlirModuleGetOperation(module),
                          ragged_arena_copy_string(&arena, pipeline.data, pipeline.length));
  ragged_arena_free(&arena);
  return status;
}

ragged_status raggedResolveSchemas(MlirModule module) {
  return raggedRunPipeline(module, mlirStringRefCreateFromCString(RAGGED_PIPELINE_RESOLVE));
}
