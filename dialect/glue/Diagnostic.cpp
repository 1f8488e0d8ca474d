// Diagnostics with notes.
#include "dialect/diagnostic.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/Diagnostics.h"

void ragged_emit_error(MlirLocation location, const char *message, MlirLocation note_location,
                       const char *note) {
  mlir::InFlightDiagnostic diagnostic = mlir::emitError(unwrap(location)) << message;
  if (note) diagnostic.attachNote(unwrap(note_location)) << note;
}
