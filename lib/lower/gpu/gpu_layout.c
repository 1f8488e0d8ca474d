// See gpu_layout.h.
#include "lower/gpu/gpu_layout.h"

#include "dialect/diagnostic.h"
#include "lower/gpu/gpu_product_tile.h"

enum {
  MAX_SHARED_BYTES = 48 * 1024,  // what every GPU gives a block without asking
  MAX_SCRATCH_BYTES = 1 << 26,   // of a block
  BLOCK_ROWS = 64,               // of a block with dense products
  ROWS_OF_ELEMENTS = 4,          // accesses of a thread in a kernel over single elements
};

int gpu_power_of_two(int64_t count) {
  int power = 1;
  while (power < count && power < 1 << 20) power *= 2;
  return power;
}

int gpu_access_width(const ragged_tile_shape *shape, int width) {
  if (shape->rank == 0) return 1;
  while (width > 1 && shape->extents[shape->rank - 1] % width) width /= 2;
  return width;
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
// numbers would not fit these: products and their 16 sums, sums of three parts, wide accesses of many
// tiles. Found with ptxas: what spills no register on sm_80 and sm_90.
static int choose_resident_blocks(MlirOperation kernel, const kernel_plan *plan,
                                  const gpu_layout *layout) {
  enum { MANY_TILES = 48, MANY_STORES = 4, MANY_WORDS = 4 };
  int words = 0, stores = 0;
  for (int k = 0; k < plan->num_tiles; ++k) {
    const ragged_tile_shape *shape = &plan->tiles[k].shape;
    int size = ragged_element_size(shape->element_type) == 8 ? 2 : 1;
    int own = size * (layout->traits.elements ? layout->width : gpu_access_width(shape, layout->width));
    if (own > words) words = own;
  }
  mlirOperationWalk(kernel, count_store, &stores, MlirWalkPreOrder);
  bool large = words > MANY_WORDS || stores > MANY_STORES || plan->num_tiles > MANY_TILES;
  for (int k = 0; k < layout->kernel.num_dots; ++k)
    if (ragged_element_size(layout->kernel.dots[k].shape.element_type) == 8) return 1;
  if (layout->kernel.over_rows.is) return ragged_element_size(layout->kernel.over_rows.memory) == 8 ? 1 : 2;
  return large || layout->kernel.num_dots ? 2 : layout->kernel.accumulates ? 3 : 4;
}

static void choose_memory(const kernel_plan *plan, gpu_layout *out) {
  for (int k = 0; k < plan->num_tiles && !out->traits.elements; ++k)
    if (plan->tiles[k].storage == STORAGE_ROW)
      out->group_bytes = array_end(&plan->tiles[k], out->group_bytes);
  out->group_bytes = (out->group_bytes + GPU_ACCESS_BYTES - 1) / GPU_ACCESS_BYTES * GPU_ACCESS_BYTES;
  int64_t groups = GPU_THREADS / out->group;
  // Three parts of a sum, `width` elements each, from every thread that speaks for a warp.
  if (out->group > GPU_WARP)
    out->exchange_bytes = (int64_t)GPU_THREADS * 3 * 8 * (out->kernel.accumulates ? out->width : 1);
  if (out->kernel.num_dots || out->kernel.over_rows.is)
    out->product_bytes = gpu_product_shared_bytes();
  int64_t fixed = out->exchange_bytes + out->product_bytes;
  out->arrays_in_scratch = out->group_bytes * groups + fixed > MAX_SHARED_BYTES;
  if (out->arrays_in_scratch) out->scratch_bytes = out->group_bytes * groups;
  out->shared_bytes = fixed + (out->arrays_in_scratch ? 0 : out->group_bytes * groups);
  if (out->kernel.num_dots == 0) return;
  // As on the CPU: each array of a block begins at a multiple of 64 bytes (block_array).
  out->kernel.block_rows = BLOCK_ROWS;
  out->scratch_bytes += (BLOCK_ROWS * plan->block_row_bytes + 63) / 64 * 64 + 64 * plan->num_tiles;
}

bool gpu_layout_read(MlirOperation kernel, const kernel_plan *plan, gpu_layout *out) {
  *out = (gpu_layout){0};
  kernel_layout_read(kernel, &out->kernel);
  out->traits = kernel_traits_read(kernel, &out->kernel, plan);
  out->width = choose_width(&out->kernel);
  out->group = choose_group(kernel, out, widest(plan, out->width));
  out->ordered = out->kernel.has_sample && !out->traits.flat && out->kernel.num_grid > 0;
  out->resident_blocks = choose_resident_blocks(kernel, plan, out);
  choose_memory(plan, out);
  out->rows_per_block = GPU_THREADS / out->group;
  if (out->kernel.num_dots) out->rows_per_block = BLOCK_ROWS;
  if (out->kernel.over_rows.is) out->rows_per_block = 1;  // a tile of a slice
  if (out->traits.elements) {
    int64_t elements = (int64_t)GPU_THREADS * out->width * ROWS_OF_ELEMENTS;
    out->rows_per_block = elements / kernel_plan_row_elements(plan);
    if (out->rows_per_block < 1) out->rows_per_block = 1;
  }
  if (out->scratch_bytes <= MAX_SCRATCH_BYTES) return true;
  return ragged_op_error(kernel, "keeps %lld bytes of scratch for each block, at most %d are supported",
                         (long long)out->scratch_bytes, MAX_SCRATCH_BYTES);
}
