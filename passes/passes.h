// The C functions behind the passes that Passes.td declares. Each gets the op that the pass is
// anchored on and returns false after emitting a diagnostic; the IR may then be half rewritten.
#ifndef RAGGED_PASSES_PASSES_H
#define RAGGED_PASSES_PASSES_H

#include <stdbool.h>

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

bool ragged_verify_axes_run(MlirOperation module);
bool ragged_propagate_schemas_run(MlirOperation module);
bool ragged_inline_run(MlirOperation module);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_PASSES_PASSES_H
