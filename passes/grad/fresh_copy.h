// Copies of ops with regions: axes that are born inside get names that the function does not have yet.
#ifndef RAGGED_PASSES_GRAD_FRESH_COPY_H
#define RAGGED_PASSES_GRAD_FRESH_COPY_H

#include "mlir-c/IR.h"
#include "passes/grad/gradient.h"

// A detached copy; null after a diagnostic.
MlirOperation gradient_fresh_copy(gradient *g, MlirOperation operation);

#endif  // RAGGED_PASSES_GRAD_FRESH_COPY_H
