// Verification of the ragged_tile dialect. Constraints are numbered in the ops' definitions
// (RaggedTile*.td). The lowerings trust what is verified here.
#ifndef RAGGED_LOWER_TILE_VERIFY_H
#define RAGGED_LOWER_TILE_VERIFY_H

#include <stdbool.h>

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

// The hooks of the C++ classes. Each returns false after a diagnostic. ODS has checked the kinds of
// operands and attributes, and that an op stands where it may.
bool ragged_tile_verify(MlirOperation operation);    // every op, before what is inside it
bool ragged_tile_verify_body(MlirOperation kernel);  // after all ops inside it
bool ragged_tile_verify_launch(MlirOperation launch, MlirOperation kernel);  // null: no such symbol

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_LOWER_TILE_VERIFY_H
