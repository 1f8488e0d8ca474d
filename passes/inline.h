// Inlining for passes that work on one function.
#ifndef RAGGED_PASSES_INLINE_H
#define RAGGED_PASSES_INLINE_H

#include <stdbool.h>

#include "mlir-c/IR.h"

// Inlines all calls in `function`, of `module`, and those that come with them, as --ragged-inline does;
// calls of declarations stay. False: a diagnostic was emitted.
bool ragged_inline_calls(MlirOperation module, MlirOperation function);

#endif  // RAGGED_PASSES_INLINE_H
