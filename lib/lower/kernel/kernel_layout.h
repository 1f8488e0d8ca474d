// What a launch passes to a kernel: 64-bit slots in a fixed order, enumerated in one place for the
// kernel that reads them and the host code that fills them.
#ifndef RAGGED_LOWER_KERNEL_KERNEL_LAYOUT_H
#define RAGGED_LOWER_KERNEL_KERNEL_LAYOUT_H

#include "ir/build.h"
#include "lower/kernel/product_shape.h"
#include "lower/tile/tile_types.h"

// The batch, refs, extents, offsets of the grid and of each ref, products.
#define KERNEL_LAYOUT_MAX_SLOTS (2 + 2 * KERNEL_MAX_REFS + KERNEL_MAX_AXES + KERNEL_MAX_DOTS)

typedef enum kernel_slot_kind {
  SLOT_BATCH,    // i64: number of samples
  SLOT_REF,      // pointer: data of buffer `number`
  SLOT_EXTENTS,  // pointer to B i64: extents of axis `number`
  SLOT_OFFSETS,  // pointer to B + 1 i64: offsets of the space (axes[0 .. num_axes))
  SLOT_PRODUCT,  // pointer: handle of dense product `number` (a dot op, in order of appearance)
} kernel_slot_kind;

typedef struct kernel_slot {
  kernel_slot_kind kind;
  int number;
  int num_axes;
  int64_t axes[RAGGED_MAX_RANK];
} kernel_slot;

typedef struct kernel_dot {
  MlirOperation operation;
  ragged_product_shape shape;
  int64_t rows_per_row;  // product rows for one kernel row: the leading extents of the tile
  int weight_ref, bias_ref;  // numbers of the refs; bias_ref -1: none
} kernel_dot;

// A product over rows: sums[slice, m, n] of refs a [rows, m] and b [rows, n], where rows are those of
// the space of a (none: the batch) times rows_per_row.
enum { OVER_ROWS_MULTIPLE = 16 };  // of rows of a slice, but for the last ones
typedef struct kernel_over_rows {
  bool is;  // the kernel is one
  ragged_element_type memory;  // of a and b
  int64_t m, n, rows_per_row;
  int64_t slice_rows, most_slices;  // as of the op
  int a_ref, b_ref, sums_ref;  // numbers of the refs
} kernel_over_rows;

typedef struct kernel_layout {
  int num_axes, num_grid, num_refs, num_slots, num_dots;
  int64_t grid[RAGGED_MAX_RANK];
  ragged_ref_shape refs[KERNEL_MAX_REFS];
  kernel_slot slots[KERNEL_LAYOUT_MAX_SLOTS];
  kernel_dot dots[KERNEL_MAX_DOTS];
  kernel_over_rows over_rows;
  bool has_sample;       // false: the kernel runs once
  bool accumulates;      // reduces over ragged axes or the batch
  int64_t bytes_per_row, flops_per_row;  // read + written; counted from the tile program
  // Chosen by the back end.
  int64_t block_rows;    // with dots: rows of a block, at most; else 0
  int64_t grain;         // rows of a chunk: what the runtime's parallel loop hands out
  int64_t scratch_bytes; // per worker: blocks, then row arrays that are too large for the stack
  int64_t row_scratch;   // where the latter begin
} kernel_layout;

static inline bool kernel_slot_is_number(const kernel_slot *slot) {  // else it is an address
  return slot->kind == SLOT_BATCH;
}

// Reads a ragged_tile.kernel. What a back end chooses is left 0.
void kernel_layout_read(MlirOperation kernel, kernel_layout *out);
// Slot numbers; -1 when the kernel has none such.
int kernel_layout_find(const kernel_layout *layout, kernel_slot_kind kind, int number);
int kernel_layout_find_offsets(const kernel_layout *layout, int num_axes, const int64_t *axes);

#endif  // RAGGED_LOWER_KERNEL_KERNEL_LAYOUT_H
