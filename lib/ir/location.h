// Locations in words, for messages that are shown when no MLIR context is left.
#ifndef RAGGED_IR_LOCATION_H
#define RAGGED_IR_LOCATION_H

#include "mlir-c/IR.h"
#include "support/arena.h"

// The op's location under the op's name: what ops that a lowering makes of it carry.
MlirLocation ragged_location_of(MlirOperation operation);

// "FILE:LINE:COLUMN: 'NAME'" of such a location, or "'NAME'" where no file is known. NULL for others.
// In the arena. Of a fused location the first counts, of a call site the callee.
const char *ragged_location_text(ragged_arena *arena, MlirLocation location);

#endif  // RAGGED_IR_LOCATION_H
