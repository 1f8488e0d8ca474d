// Diagnostics with notes, which MLIR's C API cannot emit.
#ifndef RAGGED_DIALECT_DIAGNOSTIC_H
#define RAGGED_DIALECT_DIAGNOSTIC_H

#include <stdbool.h>

#include "mlir-c/IR.h"
#include "support/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// An error at `location`, with a note at `note_location` when `note` is not null.
void ragged_emit_error(MlirLocation location, const char *message, MlirLocation note_location,
                       const char *note);
// `'name' op message` at the op, printf style. Returns false.
RAGGED_PRINTF(2, 3) bool ragged_op_error(MlirOperation operation, const char *format, ...);
// For what is said of a whole module: its own location, or that of its first function where the text spells
// no module and so gives it no line.
MlirLocation ragged_module_location(MlirOperation module);
// The one place that turns a status into a diagnostic; frees it. Returns false.
bool ragged_op_error_status(MlirOperation operation, ragged_status status);
// Where a value comes from: its defining op's location or that of its block's parent op.
MlirLocation ragged_value_location(MlirValue value);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_DIALECT_DIAGNOSTIC_H
