// Passes and pipelines of the project, by name.
#ifndef RAGGED_C_PASSES_H
#define RAGGED_C_PASSES_H

#include "mlir-c/IR.h"
#include "support/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// Registers the project's passes and pipelines, and MLIR's, for mlirParsePassPipeline. Any number of
// times, on any thread.
MLIR_CAPI_EXPORTED void raggedRegisterPasses(void);

// Runs a textual pipeline such as "builtin.module(ragged-inline)" on the module in place. Diagnostics
// about the program go to the context's handlers; the status then says INVALID_ARGUMENT, and the
// module may be half rewritten. INVALID_ARGUMENT with a null module, INTERNAL when the text is no
// pipeline.
RAGGED_MUST_USE MLIR_CAPI_EXPORTED ragged_status raggedRunPipeline(MlirModule module,
                                                                   MlirStringRef pipeline);

// Checks axes and infers unknown schemas: what must be done before a program is described, compiled
// or evaluated. As raggedRunPipeline. Compiling does it by itself, on a clone.
RAGGED_MUST_USE MLIR_CAPI_EXPORTED ragged_status raggedResolveSchemas(MlirModule module);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_C_PASSES_H
