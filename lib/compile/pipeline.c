// See pipeline.h.
#include "compile/pipeline.h"

#include <pthread.h>

#include "compile/glue/register.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"
#include "support/string_buffer.h"

static void register_once(void) {
  mlirRegisterAllPasses();
  ragged_register_project_passes();
}

void ragged_register_passes(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_once);
}

static void append(MlirStringRef text, void *buffer) {
  ragged_string_append(buffer, text.data, text.length);
}

ragged_status ragged_run_pipeline(MlirOperation module, const char *pipeline) {
  ragged_register_passes();
  ragged_status status = NULL;
  ragged_string_buffer message = {0};
  MlirPassManager manager = mlirPassManagerCreate(mlirOperationGetContext(module));
  if (mlirLogicalResultIsFailure(mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                                       mlirStringRefCreateFromCString(pipeline),
                                                       append, &message)))
    status = ragged_status_make(RAGGED_STATUS_INTERNAL, "pipeline '%s': %s", pipeline,
                                message.data ? message.data : "cannot be parsed");
  else if (mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(manager, module)))
    status = ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "the program has errors (pipeline '%s')", pipeline);
  mlirPassManagerDestroy(manager);
  ragged_string_free(&message);
  return status;
}
