// How many rows a CPU kernel takes at a time and what scratch its workers need. See lower_cpu.h.
#include "dialect/diagnostic.h"
#include "lower/cpu/lower_cpu.h"
#include "lower/kernel/kernel_plan.h"

// Block rows: what a worker keeps between products stays within about three quarters of a usual
// second-level cache; a multiple of every register block.
static int64_t choose_block_rows(int64_t row_bytes) {
  int64_t rows = row_bytes ? 393216 / row_bytes : 1008;
  rows = rows / 24 * 24;
  return rows < 24 ? 24 : rows > 1008 ? 1008 : rows;
}

// Of one worker. Rows of a larger tail are more likely a mistake than a wish.
enum { MAX_SCRATCH_BYTES = 1 << 30 };

static bool plan_memory(kernel_layout *layout, MlirOperation kernel) {
  ragged_arena arena = {0};
  kernel_plan plan;
  kernel_plan_make(&arena, kernel, false, &plan);
  if (layout->num_dots) {
    layout->block_rows = choose_block_rows(plan.block_row_bytes);
    layout->grain = layout->block_rows;
    // Each array of a block begins at a multiple of 64 bytes.
    layout->row_scratch =
        (layout->block_rows * plan.block_row_bytes + 63) / 64 * 64 + 64 * plan.num_tiles;
  } else {
    int64_t bytes = layout->bytes_per_row > 0 ? layout->bytes_per_row : 1;
    // A row that accumulates reads many times its own bytes; a whole sample, more often still.
    int64_t chunk = !layout->accumulates ? 65536 : layout->num_grid ? 2048 : 128;
    layout->grain = chunk / bytes < 1 ? 1 : chunk / bytes;
  }
  layout->scratch_bytes = layout->row_scratch + plan.row_scratch_bytes;
  ragged_arena_free(&arena);
  if (layout->scratch_bytes <= MAX_SCRATCH_BYTES) return true;
  return ragged_op_error(kernel, "keeps %lld bytes of scratch for each worker, at most %d are supported",
                         (long long)layout->scratch_bytes, MAX_SCRATCH_BYTES);
}

bool ragged_cpu_layout_read(MlirOperation kernel, kernel_layout *out) {
  kernel_layout_read(kernel, out);
  return plan_memory(out, kernel);
}
