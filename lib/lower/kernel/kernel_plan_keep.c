// Which tiles of a kernel are kept in scratch, because several loops read them. Called by kernel_plan.c once
// levels are known.
#include "lower/kernel/kernel_plan.h"

static bool is(const tile_plan *tile, const char *name) {
  return ragged_operation_is(tile->operation, name);
}

static bool is_inline(MlirOperation operation) {
  return ragged_operation_is(operation, "ragged_tile.elementwise") ||
         ragged_operation_is(operation, "ragged_tile.where_equal") ||
         ragged_operation_is(operation, "ragged_tile.convert") ||
         ragged_operation_is(operation, "ragged_tile.view");
}

// ---- Loops -------------------------------------------------------------------------------------

// The loops in which a tile is evaluated. Two suffice: more than one means it is kept.
typedef struct loop_set {
  int count;
  uintptr_t first;
  bool later_segment;
} loop_set;

// One loop of a row serves what has one level and one shape; other readers have their own.
static uintptr_t loop_of(const kernel_plan *plan, int segment, int level, const ragged_tile_shape *shape) {
  int k = 0;
  while (!ragged_tile_shape_equal(&plan->tiles[k].shape, shape)) ++k;
  return ((uintptr_t)segment * (uintptr_t)plan->num_tiles + (uintptr_t)level) * (uintptr_t)plan->num_tiles +
         (uintptr_t)k;
}

static uintptr_t loop_of_reader(const kernel_plan *plan, MlirOperation reader, const tile_plan *result) {
  if (ragged_operation_is(reader, "ragged_tile.store")) {
    const tile_plan *stored = kernel_plan_find(plan, mlirOperationGetOperand(reader, 0));
    return loop_of(plan, kernel_plan_segment(plan, reader), kernel_plan_level(plan, reader), &stored->shape);
  }
  if (result && is_inline(reader) && result->storage == STORAGE_ROW)
    return loop_of(plan, result->segment, result->level, &result->shape);
  return (uintptr_t)reader.ptr;
}

static void add_loop(loop_set *set, uintptr_t loop) {
  if (set->count && set->first == loop) return;
  if (!set->count) set->first = loop;
  set->count++;
}

static void collect_loops(const kernel_plan *plan, const tile_plan *tile, const loop_set *sets,
                          loop_set *out) {
  for (MlirOpOperand use = mlirValueGetFirstUse(tile->value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    const tile_plan *result =
        mlirOperationGetNumResults(user) ? kernel_plan_find(plan, mlirOperationGetResult(user, 0)) : NULL;
    int segment = kernel_plan_segment(plan, user);
    // A residual is written to its dot's own array as soon as it is known.
    if (ragged_operation_is(user, "ragged_tile.dot") &&
        dot_residual_operand(user) == (int)mlirOpOperandGetOperandNumber(use))
      segment = tile->segment;
    if (segment > tile->segment) out->later_segment = true;
    if (result && is_inline(user) && result->storage == STORAGE_NONE) {
      const loop_set *set = &sets[result - plan->tiles];
      if (set->count > 1) out->count += 2;
      else if (set->count == 1) add_loop(out, set->first);
      out->later_segment |= set->later_segment;
    } else {
      add_loop(out, loop_of_reader(plan, user, result));
    }
  }
}

// ---- Storage -----------------------------------------------------------------------------------

void kernel_plan_decide_storage(ragged_arena *arena, kernel_plan *plan) {
  loop_set *sets = RAGGED_ARENA_ARRAY(arena, loop_set, plan->num_tiles);
  for (int k = plan->num_tiles - 1; k >= 0; --k) {
    tile_plan *tile = &plan->tiles[k];
    collect_loops(plan, tile, sets, &sets[k]);
    if (tile->cheap) continue;
    if (tile->storage == STORAGE_NONE && sets[k].count > 1) tile->storage = STORAGE_ROW;
    if (sets[k].later_segment && tile->storage != STORAGE_BLOCK) tile->storage = STORAGE_BLOCK;
  }
  int64_t offset = 0;
  for (int k = 0; k < plan->num_tiles; ++k) {
    tile_plan *tile = &plan->tiles[k];
    if (tile->storage != STORAGE_BLOCK) continue;
    tile->block_offset = offset;
    offset += ragged_tile_size(&tile->shape) * (int64_t)ragged_element_size(tile->shape.element_type);
  }
  plan->block_row_bytes = offset;
}

// ---- Loads ---------------------------------------------------------------------------------------

enum { ACCESS_BYTES = 16 };

static bool keeps_order(const tile_plan *view, const ragged_tile_shape *source) {
  MlirAttribute map = ragged_operation_attribute(view->operation, "map");
  int64_t last = -1;
  for (int d = 0; d < source->rank; ++d) {
    if (source->extents[d] == 1) continue;
    int64_t to = mlirDenseI64ArrayGetElement(map, d);
    for (int64_t between = last < 0 ? view->shape.rank : last + 1; between < to; ++between)
      if (view->shape.extents[between] != 1) return false;
    if (to < last) return false;
    last = to;
  }
  return true;
}

// Reductions read along the last dimensions as far as these are all reduced, or all kept.
static bool reads_narrow(MlirOperation reduce, const ragged_tile_shape *source, int64_t size) {
  bool reduced[RAGGED_MAX_RANK] = {false};
  MlirAttribute dims = ragged_operation_attribute(reduce, "dims");
  for (intptr_t k = 0; k < mlirDenseArrayGetNumElements(dims); ++k)
    reduced[mlirDenseI64ArrayGetElement(dims, k)] = true;
  int64_t run = 1;
  for (int d = source->rank - 1; d >= 0 && reduced[d] == reduced[source->rank - 1]; --d)
    run *= source->extents[d];
  return run * size % ACCESS_BYTES != 0;
}

// Whether some reader takes the elements in another order than they lie, or too few at a time, although the
// row has whole accesses.
static bool reordered(const kernel_plan *plan, const tile_plan *load) {
  ragged_ref_shape ref;
  ragged_ref_type_get(mlirValueGetType(mlirOperationGetOperand(load->operation, 0)), &ref);
  int64_t size = (int64_t)ragged_element_size(ref.tail.element_type);
  if (ragged_tile_size(&load->shape) * size % ACCESS_BYTES) return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(load->value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (ragged_operation_is(user, "ragged_tile.view") &&
        !keeps_order(kernel_plan_find(plan, mlirOperationGetResult(user, 0)), &load->shape))
      return true;
    if (ragged_operation_is(user, "ragged_tile.reduce") && reads_narrow(user, &load->shape, size))
      return true;
  }
  return false;
}

bool kernel_plan_keep_loads(ragged_arena *arena, kernel_plan *plan, MlirBlock body) {
  loop_set *sets = RAGGED_ARENA_ARRAY(arena, loop_set, plan->num_tiles);
  bool any = false;
  for (int k = plan->num_tiles - 1; k >= 0; --k) {
    tile_plan *tile = &plan->tiles[k];
    collect_loops(plan, tile, sets, &sets[k]);
    if (!is(tile, "ragged_tile.load") || ragged_tile_size(&tile->shape) < 2 || sets[k].later_segment ||
        !mlirBlockEqual(mlirOperationGetBlock(tile->operation), body))
      continue;
    ragged_ref_shape ref;
    ragged_ref_type_get(mlirValueGetType(mlirOperationGetOperand(tile->operation, 0)), &ref);
    tile->kept = ref.kind != RAGGED_REF_DENSE && (sets[k].count > 1 || reordered(plan, tile));
    any |= tile->kept;
  }
  return any;
}
