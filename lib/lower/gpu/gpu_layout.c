// See gpu_layout.h.
#include "lower/gpu/gpu_layout.h"

#include <string.h>

#include "dialect/diagnostic.h"
#include "lower/gpu/gpu_product_tile.h"

enum {
  MAX_SHARED_BYTES = 48 * 1024,  // what every GPU gives a block without asking
  MAX_SCRATCH_BYTES = 1 << 26,   // of a block
  MAX_SAMPLES_BYTES = 16 * 1024,  // of the table of samples: eight blocks a processor keep theirs
  MAX_DENSE_BYTES = 8 * 1024,    // of dense operands of a block
  BLOCK_ROWS = 64,               // of a block with dense products
  ROWS_OF_ELEMENTS = 4,          // accesses of a thread in a kernel over single elements
};

int gpu_power_of_two(int64_t count) {
  int power = 1;
  while (power < count && power < 1 << 20) power *= 2;
  return power;
}

int gpu_access_width(const ragged_tile_shape *shape, int width) {
  int64_t size = ragged_tile_size(shape);
  while (width > 1 && size % width) width /= 2;
  return width;
}

// Where an array begins after so many bytes.
static int64_t array_after(int64_t bytes) {
  return (bytes + GPU_ACCESS_BYTES - 1) / GPU_ACCESS_BYTES * GPU_ACCESS_BYTES;
}

// An array of a row begins where its accesses are aligned: at a multiple of 16 bytes, or of 8 for what
// is no longer.
static int64_t array_end(const tile_plan *tile, int64_t begin) {
  int64_t bytes =
      ragged_tile_size(&tile->shape) * (int64_t)ragged_element_size(tile->shape.element_type);
  int64_t unit = bytes > 8 ? GPU_ACCESS_BYTES : 8;
  return (begin + unit - 1) / unit * unit + (bytes + 7) / 8 * 8;
}

static int64_t row_array_bytes(const tile_plan *tile) {
  return (ragged_tile_size(&tile->shape) *
              (int64_t)ragged_element_size(tile->shape.element_type) + 7) / 8 * 8;
}

int64_t gpu_row_array_offset(const kernel_plan *plan, const tile_plan *tile) {
  int64_t end = 0;
  for (const tile_plan *t = plan->tiles; t <= tile; ++t)
    if (t->storage == STORAGE_ROW) end = array_end(t, end);
  return end - row_array_bytes(tile);
}

static int choose_width(const kernel_layout *layout) {
  int64_t narrowest = 8;
  for (int k = 0; k < layout->num_refs; ++k) {
    int64_t size = (int64_t)ragged_element_size(layout->refs[k].tail.element_type);
    if (size < narrowest) narrowest = size;
  }
  // Sixteen truth values stand beside sixteen numbers, which would not fit the registers.
  if (narrowest < 2) narrowest = 2;
  return GPU_ACCESS_BYTES / (int)narrowest;
}

// Accesses that the widest tile of a row takes.
static int64_t widest(const kernel_plan *plan, int width) {
  int64_t most = 1;
  for (int k = 0; k < plan->num_tiles; ++k) {
    const ragged_tile_shape *shape = &plan->tiles[k].shape;
    int64_t accesses = ragged_tile_size(shape) / gpu_access_width(shape, width);
    if (accesses > most) most = accesses;
  }
  return most;
}

typedef struct last_coordinate {
  MlirValue key;
  bool read;
} last_coordinate;

static MlirWalkResult reads_along(MlirOperation op, void *user) {
  last_coordinate *last = user;
  if (!ragged_operation_is(op, "ragged_tile.load")) return MlirWalkResultAdvance;
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count > 1 && mlirValueEqual(mlirOperationGetOperand(op, count - 1), last->key))
    last->read = true;
  return MlirWalkResultAdvance;
}

// Narrow rows next to each other read next to each other: a thread each. Otherwise lanes take the
// elements of a row, and in an accumulation its positions.
static int choose_group(MlirOperation kernel, const gpu_layout *layout, int64_t accesses) {
  enum { NARROW = 4, WIDE = 256 };
  const kernel_layout *own = &layout->kernel;
  if (layout->traits.elements) return 1;
  if (own->accumulates && accesses <= NARROW && own->num_grid > 0) {
    last_coordinate last = {mlirBlockGetArgument(ragged_operation_body(kernel), own->num_grid),
                            false};
    mlirOperationWalk(kernel, reads_along, &last, MlirWalkPreOrder);
    if (last.read) return 1;
  }
  if (own->accumulates && own->num_grid == 0) return GPU_THREADS;  // few rows, long sums
  if (own->accumulates) return GPU_WARP;
  if (accesses <= NARROW) return 1;
  if (accesses > WIDE && own->num_dots == 0) return GPU_THREADS;
  int group = gpu_power_of_two(accesses);
  return group < GPU_WARP ? group : GPU_WARP;
}

static MlirWalkResult count_store(MlirOperation op, void *user) {
  if (ragged_operation_is(op, "ragged_tile.store")) ++*(int *)user;
  return MlirWalkResultAdvance;
}

// Four blocks are half of a processor's threads and leave each 64 registers. Fewer where a kernel's
// numbers would not fit these: products and their 16 sums, sums and maxima over axes (but for those with
// a match, of which fewer positions are read ahead), wide accesses of many tiles (but for sums and matches
// of i64, which have no parts). Found with ptxas: what spills no register on sm_80 and sm_90.
static int choose_resident_blocks(MlirOperation kernel, const kernel_plan *plan,
                                  const gpu_layout *layout) {
  enum { MANY_TILES = 48, MANY_STORES = 4, MANY_WORDS = 4, MANY_KEPT = 32, MOST_KEPT = 96 };
  bool elements = layout->traits.elements;
  int words = 0, stores = 0;
  bool sums = false;
  int64_t kept = 0;  // words in registers
  for (int k = 0; k < plan->num_tiles; ++k) {
    const ragged_tile_shape *shape = &plan->tiles[k].shape;
    int size = ragged_element_size(shape->element_type) == 8 ? 2 : 1;
    int own = size * (elements ? layout->width : gpu_access_width(shape, layout->width));
    bool one_part = layout->kernel.accumulates && shape->element_type == RAGGED_ELEMENT_I64;
    if (own > words && !one_part) words = own;
    sums |= ragged_operation_is(plan->tiles[k].operation, "ragged_tile.accumulate") &&
            !kernel_plan_matched(&plan->tiles[k]);
    if (layout->group == 1 && !elements && plan->tiles[k].storage == STORAGE_ROW)
      kept += size * ragged_tile_size(shape);
  }
  mlirOperationWalk(kernel, count_store, &stores, MlirWalkPreOrder);
  bool large = words > MANY_WORDS || stores > MANY_STORES || plan->num_tiles > MANY_TILES || kept > MANY_KEPT;
  if (kept > MOST_KEPT) return 1;
  for (int k = 0; k < layout->kernel.num_dots; ++k)
    if (ragged_element_size(layout->kernel.dots[k].shape.element_type) == 8) return 1;
  if (layout->kernel.over_rows.is) return ragged_element_size(layout->kernel.over_rows.memory) == 8 ? 1 : 2;
  sums |= layout->kernel.accumulates && layout->arrays_in_scratch;
  return large || layout->kernel.num_dots ? 2 : sums ? 3 : 4;
}

static bool has_offsets(const kernel_layout *layout, const kernel_slot *slot) {
  for (int k = 0; k < layout->num_refs; ++k) {
    const ragged_ref_shape *ref = &layout->refs[k];
    if (ref->kind == RAGGED_REF_PACKED && ref->num_axes == slot->num_axes &&
        !memcmp(ref->axes, slot->axes, sizeof *ref->axes * (size_t)ref->num_axes))
      return true;
  }
  return false;
}

// Offsets of the grid that no buffer has are not read.
static bool is_of_sample(const kernel_layout *layout, const kernel_slot *slot) {
  return slot->kind == SLOT_EXTENTS || (slot->kind == SLOT_OFFSETS && has_offsets(layout, slot));
}

int gpu_sample_word(const gpu_layout *layout, int slot) {
  const kernel_layout *kernel = &layout->kernel;
  if (!is_of_sample(kernel, &kernel->slots[slot])) return -1;
  int word = layout->ordered ? GPU_WORD_SAMPLE + 1 : 0;
  for (int k = 0; k < slot; ++k) word += is_of_sample(kernel, &kernel->slots[k]);
  return word;
}

static void choose_samples(gpu_layout *out) {
  if (!out->kernel.has_sample || out->traits.flat || out->kernel.over_rows.is) return;
  int64_t word_bytes = 8 * out->rows_per_block;
  out->sample_words = out->ordered ? GPU_WORD_SAMPLE + 1 : 0;
  for (int k = 0; k < out->kernel.num_slots; ++k)
    out->sample_words += is_of_sample(&out->kernel, &out->kernel.slots[k]);
  if (out->sample_words * word_bytes > MAX_SAMPLES_BYTES)
    out->sample_words = (int)(MAX_SAMPLES_BYTES / word_bytes);
  out->samples_bytes = array_after(8 * GPU_SAMPLE_PLACES + out->sample_words * word_bytes);
}

typedef struct accessed {
  bool loaded[KERNEL_MAX_REFS + RAGGED_MAX_RANK + 1], stored[KERNEL_MAX_REFS + RAGGED_MAX_RANK + 1];
} accessed;

static MlirWalkResult note_access(MlirOperation op, void *user) {
  accessed *all = user;
  bool load = ragged_operation_is(op, "ragged_tile.load");
  if (!load && !ragged_operation_is(op, "ragged_tile.store")) return MlirWalkResultAdvance;
  intptr_t ref = mlirBlockArgumentGetArgNumber(mlirOperationGetOperand(op, load ? 0 : 1));
  (load ? all->loaded : all->stored)[ref] = true;
  return MlirWalkResultAdvance;
}

// Products have ways of their own to their weights.
static bool is_read_by_rows(const kernel_layout *layout, const accessed *all, int ref) {
  if (!layout->has_sample || layout->refs[ref].kind != RAGGED_REF_DENSE) return false;
  int argument = 1 + layout->num_grid + ref;
  if (!all->loaded[argument] || all->stored[argument]) return false;
  for (int k = 0; k < layout->num_dots; ++k)
    if (layout->dots[k].weight_ref == ref || layout->dots[k].bias_ref == ref) return false;
  return true;
}

static void choose_dense(MlirOperation kernel, gpu_layout *out) {
  accessed all = {{false}, {false}};
  mlirOperationWalk(kernel, note_access, &all, MlirWalkPreOrder);
  for (int k = 0; k < out->kernel.num_refs; ++k) {
    const ragged_tile_shape *tail = &out->kernel.refs[k].tail;
    int64_t bytes = ragged_tile_size(tail) * (int64_t)ragged_element_size(tail->element_type);
    out->dense_offsets[k] = -1;
    if (bytes == 0 || out->dense_bytes + bytes > MAX_DENSE_BYTES || !is_read_by_rows(&out->kernel, &all, k))
      continue;
    out->dense_offsets[k] = out->dense_bytes;
    out->dense_bytes = array_after(out->dense_bytes + bytes);
  }
}

// What a thread that speaks for its warp says of an access: of a reduce a number, of an accumulation its parts.
static int64_t widest_exchange(const kernel_plan *plan, int width) {
  enum { NUMBER = 8 };
  int64_t most = NUMBER;
  for (int k = 0; k < plan->num_tiles; ++k) {
    const tile_plan *tile = &plan->tiles[k];
    if (!ragged_operation_is(tile->operation, "ragged_tile.accumulate")) continue;
    int64_t element = (int64_t)ragged_element_size(tile->shape.element_type);
    int64_t parts = kernel_plan_matched(tile) ? 2 * NUMBER : kernel_plan_compensated(tile) ? 3 * element : element;
    int64_t bytes = parts * gpu_access_width(&tile->shape, width);
    if (bytes > most) most = bytes;
  }
  return most;
}

static void choose_memory(const kernel_plan *plan, gpu_layout *out) {
  for (int k = 0; k < plan->num_tiles && out->group > 1; ++k)  // else in registers
    if (plan->tiles[k].storage == STORAGE_ROW)
      out->group_bytes = array_end(&plan->tiles[k], out->group_bytes);
  out->group_bytes = array_after(out->group_bytes);
  int64_t groups = GPU_THREADS / out->group;
  if (out->group > GPU_WARP) out->exchange_bytes = GPU_THREADS * widest_exchange(plan, out->width);
  if (out->kernel.num_dots || out->kernel.over_rows.is)
    out->product_bytes = gpu_product_shared_bytes();
  int64_t fixed = out->exchange_bytes + out->product_bytes + out->samples_bytes + out->dense_bytes;
  out->arrays_in_scratch = out->group_bytes * groups + fixed > MAX_SHARED_BYTES;
  if (out->arrays_in_scratch) out->scratch_bytes = out->group_bytes * groups;
  out->shared_bytes = fixed + (out->arrays_in_scratch ? 0 : out->group_bytes * groups);
  if (out->kernel.num_dots == 0) return;
  // As on the CPU: each array of a block begins at a multiple of 64 bytes (block_array).
  out->kernel.block_rows = BLOCK_ROWS;
  out->scratch_bytes += (BLOCK_ROWS * plan->block_row_bytes + 63) / 64 * 64 + 64 * plan->num_tiles;
}

static void choose_rows(const kernel_plan *plan, gpu_layout *out) {
  out->rows_per_block = GPU_THREADS / out->group;
  if (out->kernel.num_dots) out->rows_per_block = BLOCK_ROWS;
  if (out->kernel.over_rows.is) out->rows_per_block = 1;  // a tile of a slice
  if (!out->traits.elements) return;
  int64_t elements = (int64_t)GPU_THREADS * out->width * ROWS_OF_ELEMENTS;
  out->rows_per_block = elements / kernel_plan_row_elements(plan);
  if (out->rows_per_block < 1) out->rows_per_block = 1;
}

static void choose(MlirOperation kernel, const kernel_plan *plan, gpu_layout *out) {
  *out = (gpu_layout){0};
  kernel_layout_read(kernel, &out->kernel);
  out->traits = kernel_traits_read(kernel, &out->kernel, plan);
  out->width = choose_width(&out->kernel);
  out->group = choose_group(kernel, out, widest(plan, out->width));
  out->ordered = out->kernel.has_sample && !out->traits.flat && out->kernel.num_grid > 0;
  choose_rows(plan, out);
  choose_samples(out);
  choose_dense(kernel, out);
  choose_memory(plan, out);
  out->resident_blocks = choose_resident_blocks(kernel, plan, out);
}

bool gpu_layout_read(ragged_arena *arena, MlirOperation kernel, kernel_plan *plan, gpu_layout *out) {
  kernel_plan_make(arena, kernel, true, plan);
  choose(kernel, plan, out);
  if (out->arrays_in_scratch) {  // as far away as what is loaded
    kernel_plan_make(arena, kernel, false, plan);
    choose(kernel, plan, out);
  }
  if (out->scratch_bytes <= MAX_SCRATCH_BYTES) return true;
  return ragged_op_error(kernel, "keeps %lld bytes of scratch for each block, at most %d are supported",
                         (long long)out->scratch_bytes, MAX_SCRATCH_BYTES);
}
