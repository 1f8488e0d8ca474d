// MLIR diagnostics as ragged-run prints them.
#ifndef RAGGED_RUN_DIAGNOSTICS_H
#define RAGGED_RUN_DIAGNOSTICS_H

#include "mlir-c/IR.h"

// Prints every diagnostic of the context to stderr as `file:line:column: error: message`, with the
// line if it is one of the file `path`, and notes after it; counts errors in *num_errors. Both
// outlive the context.
void ragged_run_diagnostics_attach(MlirContext context, const char *path, int64_t *num_errors);

#endif  // RAGGED_RUN_DIAGNOSTICS_H
