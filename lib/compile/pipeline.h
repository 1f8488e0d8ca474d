// Runs passes by name. Used by compile.c and by the C API, which must see the same registrations.
#ifndef RAGGED_COMPILE_PIPELINE_H
#define RAGGED_COMPILE_PIPELINE_H

#include "mlir-c/IR.h"
#include "support/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// Registers the project's passes and pipelines and MLIR's own. Any number of times, on any thread.
void ragged_register_passes(void);

// Runs `pipeline` ("builtin.module(...)") on the module op. Diagnostics about the program go to the
// context's handlers; the status then says INVALID_ARGUMENT. INTERNAL: there is no such pipeline.
RAGGED_MUST_USE ragged_status ragged_run_pipeline(MlirOperation module, const char *pipeline);

// What must be done before the types of a module's functions are all known.
#define RAGGED_PIPELINE_RESOLVE "builtin.module(ragged-verify-axes,ragged-propagate-schemas)"

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_COMPILE_PIPELINE_H
