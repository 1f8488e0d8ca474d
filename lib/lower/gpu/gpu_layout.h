// How a kernel is spread over threads of a GPU: which threads share a row, how wide they access
// memory, what a block keeps in shared memory and in scratch. Chosen from the tile program alone, in
// one place for the kernel and for the host code that launches it.
#ifndef RAGGED_LOWER_GPU_GPU_LAYOUT_H
#define RAGGED_LOWER_GPU_GPU_LAYOUT_H

#include "lower/kernel/kernel_layout.h"
#include "lower/kernel/kernel_plan.h"
#include "lower/kernel/kernel_traits.h"

enum {
  GPU_WARP = 32,
  GPU_THREADS = 256,      // of a block
  GPU_ACCESS_BYTES = 16,  // of a thread at once; nothing is aligned to more
};

typedef struct gpu_layout {
  kernel_layout kernel;    // what a launch passes: its slots but products
  kernel_traits traits;
  int group;               // threads that share a row: a power of two up to 32, or all of a block
  int width;               // elements of a thread's access, at most: 16 bytes of the narrowest buffer
  bool ordered;            // rows are visited sample by sample, longest first
  int resident_blocks;     // that a processor is to hold at once: 4 leave 64 registers to a thread
  int64_t rows_per_block;  // rows that a block takes at a time
  int64_t group_bytes;     // row arrays of a group; in shared memory, or in scratch
  bool arrays_in_scratch;  // they are too large for shared memory
  int64_t exchange_bytes;  // shared memory through which the warps of a block exchange partial sums
  int64_t product_bytes;   // shared memory of the dense products
  int64_t samples_bytes;   // shared memory for the samples of a block's rows; 0: rows need none
  int sample_words;        // words of a sample that stand there; the rest is loaded for each row
  int64_t dense_bytes;     // shared memory, the last of it, for dense operands that rows read
  int64_t dense_offsets[KERNEL_MAX_REFS];  // where each is; -1: elsewhere
  int64_t shared_bytes;    // of a block, in all
  int64_t scratch_bytes;   // of a block: row arrays, then [rows_per_block][tile] for each kept tile
} gpu_layout;

// Plans a ragged_tile.kernel. False after a diagnostic: it needs too much scratch.
bool gpu_layout_read(ragged_arena *arena, MlirOperation kernel, kernel_plan *plan, gpu_layout *out);

// What shared memory holds of the samples of a block's rows, in words of 8 bytes: the places of the first
// and the last; then, for each sample, where its rows begin and its number (if `ordered`), and what
// gpu_sample_word says.
enum { GPU_SAMPLE_PLACES = 2, GPU_WORD_BEGIN = 0, GPU_WORD_SAMPLE };
// The word of a sample in which slot `slot` of the kernel stands: an extent, an offset. -1: none.
int gpu_sample_word(const gpu_layout *layout, int slot);

// Where a tile's row array begins, in bytes from the group's first.
int64_t gpu_row_array_offset(const kernel_plan *plan, const tile_plan *tile);
// The smallest power of two that is not less.
int gpu_power_of_two(int64_t count);
// Elements of one access to a tile of `shape`: `width`, or less so that they divide the tile.
int gpu_access_width(const ragged_tile_shape *shape, int width);

#endif  // RAGGED_LOWER_GPU_GPU_LAYOUT_H
