// Stage 1 → stage 2. See docs/lowering.md.
#ifndef RAGGED_LOWER_TILE_TO_TILES_H
#define RAGGED_LOWER_TILE_TO_TILES_H

#include <stdbool.h>

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

// Replaces every function of the module by a host program `ragged_entry_NAME` and its kernels.
// Calls must have been inlined and schemas inferred. `fuse`: join row-local ops into one kernel.
bool ragged_to_tiles_run(MlirOperation module, bool fuse);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_LOWER_TILE_TO_TILES_H
