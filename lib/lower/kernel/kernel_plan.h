// Which tiles of a kernel are computed where: segments between dense products, levels between
// reductions, and the tiles that are kept in scratch because several loops read them.
// Read by kernel_layout.c (sizes) and the emission (kernel_emit*.c).
#ifndef RAGGED_LOWER_KERNEL_KERNEL_PLAN_H
#define RAGGED_LOWER_KERNEL_KERNEL_PLAN_H

#include "ir/build.h"
#include "lower/tile/tile_types.h"
#include "support/arena.h"

typedef enum tile_storage {
  STORAGE_NONE,   // evaluated where it is read
  STORAGE_ROW,    // in row scratch: written once per row, read by later loops of the same row
  STORAGE_BLOCK,  // in block scratch [block rows][tile]: read by a later segment, or by a product
} tile_storage;

typedef struct tile_plan {
  MlirValue value;
  MlirOperation operation;
  ragged_tile_shape shape;
  int segment;  // products split a kernel into segments, each a loop over the block's rows
  int level;    // within a row: reductions split it into levels, each a set of loops
  bool kept;    // a load that is kept, not made again
  bool cheap;   // another load, a constant, or a view of one: evaluated again rather than kept
  tile_storage storage;
  int64_t block_offset;  // STORAGE_BLOCK: bytes per row of the arrays before it
  int64_t row_offset;    // of its row arrays in the launch's scratch; -1: they are on the stack
} tile_plan;

typedef struct kernel_plan {
  int num_tiles, num_segments;
  tile_plan *tiles;           // in order of definition, nested ones included
  int64_t block_row_bytes;    // of all block storage, per row
  int64_t row_scratch_bytes;  // of the row arrays that are not on the stack
} kernel_plan;

// `keep_loads`: a load that several loops read, or one in another order than it lies, is made once and kept,
// where memory is further away than scratch.
void kernel_plan_make(ragged_arena *arena, MlirOperation kernel, bool keep_loads, kernel_plan *out);
const tile_plan *kernel_plan_find(const kernel_plan *plan, MlirValue value);
// The tile of the first result of an op; those of others follow it.
const tile_plan *kernel_plan_first(const tile_plan *tile);

// Segment in whose row loop a sink op (store, dot, yield) or a stored tile is written.
int kernel_plan_segment(const kernel_plan *plan, MlirOperation sink);
int kernel_plan_level(const kernel_plan *plan, MlirOperation sink);
// Whether an accumulation adds floats with what each step loses beside them, and a plain sum: three parts.
bool kernel_plan_compensated(const tile_plan *tile);
// Whether an accumulation's maxima have matches, in the tile that follows.
bool kernel_plan_matched(const tile_plan *tile);
// Row arrays of a tile: the first is its row storage, those of an accumulation's parts follow, each as
// long as the tile.
int64_t kernel_plan_array_bytes(const tile_plan *tile);

// Parts of kernel_plan_make (kernel_plan_keep.c). The second marks loads and says whether there are any.
void kernel_plan_decide_storage(ragged_arena *arena, kernel_plan *plan);
bool kernel_plan_keep_loads(ragged_arena *arena, kernel_plan *plan, MlirBlock body);

// Elements of a row in a kernel whose tiles have one shape or are numbers.
int64_t kernel_plan_row_elements(const kernel_plan *plan);

// Operand ranges of a dot: 0 value, 1 weight, then bias, residual. -1: none.
int dot_bias_operand(MlirOperation dot);
int dot_residual_operand(MlirOperation dot);

#endif  // RAGGED_LOWER_KERNEL_KERNEL_PLAN_H
