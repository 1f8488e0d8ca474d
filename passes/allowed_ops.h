// Which ops and types a ragged program may hold. Used by --ragged-verify-axes
// and --ragged-differentiate.
#ifndef RAGGED_PASSES_ALLOWED_OPS_H
#define RAGGED_PASSES_ALLOWED_OPS_H

#include <stdbool.h>

#include "mlir-c/IR.h"

// False: a diagnostic was emitted that names the op.
bool ragged_check_allowed_op(MlirOperation operation);
// Ragged and ranked builtin tensors, integers, floats, indices.
bool ragged_type_is_allowed(MlirType type);

#endif  // RAGGED_PASSES_ALLOWED_OPS_H
