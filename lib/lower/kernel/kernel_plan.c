// See kernel_plan.h.
#include "lower/kernel/kernel_plan.h"

#include <string.h>

int dot_bias_operand(MlirOperation dot) { return ragged_operation_has(dot, "has_bias") ? 2 : -1; }

int dot_residual_operand(MlirOperation dot) {
  if (!ragged_operation_has(dot, "has_residual")) return -1;
  return ragged_operation_has(dot, "has_bias") ? 3 : 2;
}

static tile_plan *find(const kernel_plan *plan, MlirValue value) {
  for (int k = 0; k < plan->num_tiles; ++k)
    if (mlirValueEqual(plan->tiles[k].value, value)) return &plan->tiles[k];
  return NULL;
}

const tile_plan *kernel_plan_find(const kernel_plan *plan, MlirValue value) {
  return find(plan, value);
}

// ---- Walking all tile-valued ops -------------------------------------------------------------

typedef void (*visit_op)(kernel_plan *plan, MlirOperation operation, void *user);

static void walk(kernel_plan *plan, MlirBlock block, visit_op before, visit_op after, void *user) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    if (before) before(plan, op, user);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      walk(plan, mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)), before, after, user);
    if (after) after(plan, op, user);
  }
}

static void count_tile(kernel_plan *plan, MlirOperation operation, void *user) {
  (void)user;
  plan->num_tiles += (int)mlirOperationGetNumResults(operation);
}

static void add_tile(kernel_plan *plan, MlirOperation operation, void *user) {
  (void)user;
  for (intptr_t k = 0; k < mlirOperationGetNumResults(operation); ++k) {
    tile_plan *tile = &plan->tiles[plan->num_tiles++];
    tile->value = mlirOperationGetResult(operation, k);
    tile->operation = operation;
    ragged_tile_type_get(mlirValueGetType(tile->value), &tile->shape);
  }
}

const tile_plan *kernel_plan_first(const tile_plan *tile) {
  return tile - mlirOpResultGetResultNumber(tile->value);
}

// ---- Segments and levels ---------------------------------------------------------------------

static bool is(const tile_plan *tile, const char *name) {
  return ragged_operation_is(tile->operation, name);
}

static void raise_to(int *value, int other) {
  if (other > *value) *value = other;
}

// Segment and level at which all tiles that `operation` reads, nested readers included, are there.
static void operands_ready(kernel_plan *plan, MlirOperation operation, int *segment, int *level) {
  for (int pass = 0; pass < 2; ++pass)  // first the segment: levels start again in each
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(operation); ++k) {
      tile_plan *tile = find(plan, mlirOperationGetOperand(operation, k));
      if (!tile) continue;
      if (pass == 0) raise_to(segment, tile->segment);
      else if (tile->segment == *segment) raise_to(level, tile->level);
    }
}

static bool inside(MlirOperation operation, MlirOperation ancestor) {
  while (!mlirOperationIsNull(operation) && !mlirOperationEqual(operation, ancestor))
    operation = mlirOperationGetParentOperation(operation);
  return !mlirOperationIsNull(operation);
}

// An accumulation comes after the tiles of the enclosing body that its own body reads; those are kept.
static void set_accumulate_level(kernel_plan *plan, tile_plan *tile) {
  for (int k = 0; k < plan->num_tiles; ++k) {
    tile_plan *outer = &plan->tiles[k];
    if (inside(outer->operation, tile->operation)) continue;
    for (MlirOpOperand use = mlirValueGetFirstUse(outer->value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
      if (!inside(mlirOpOperandGetOwner(use), tile->operation)) continue;
      if (!outer->cheap && outer->storage == STORAGE_NONE) outer->storage = STORAGE_ROW;
      if (outer->segment > tile->segment) tile->level = 0;
      raise_to(&tile->segment, outer->segment);
      if (outer->segment == tile->segment) raise_to(&tile->level, outer->level);
    }
  }
  tile->level++;
  tile->storage = STORAGE_ROW;
}

// Tiles are visited after their operands, an accumulation after the tiles of its body.
static void set_levels(kernel_plan *plan, MlirOperation operation, void *user) {
  (void)user;
  intptr_t num_results = mlirOperationGetNumResults(operation);
  if (num_results == 0) return;
  tile_plan *tile = find(plan, mlirOperationGetResult(operation, 0));
  if (is(tile, "ragged_tile.accumulate")) {
    for (intptr_t k = 0; k < num_results; ++k) set_accumulate_level(plan, tile + k);
    return;
  }
  operands_ready(plan, operation, &tile->segment, &tile->level);
  if (is(tile, "ragged_tile.reduce")) {
    tile->level++;
    tile->storage = STORAGE_ROW;
  } else if (is(tile, "ragged_tile.dot")) {
    tile->segment++;
    tile->level = 0;
    tile->storage = STORAGE_BLOCK;
    raise_to(&plan->num_segments, tile->segment + 1);
  } else if (is(tile, "ragged_tile.view")) {
    tile_plan *source = find(plan, mlirOperationGetOperand(operation, 0));
    tile->cheap = source->cheap || is(source, "ragged_tile.load");
    // Other indices of a tile that this row computes: it must stand in scratch, complete. What
    // reductions and products give is.
    if (!source->cheap && !is(source, "ragged_tile.reduce") &&
        !is(source, "ragged_tile.accumulate") && !is(source, "ragged_tile.dot")) {
      if (source->storage == STORAGE_NONE) source->storage = STORAGE_ROW;
      tile->level++;
    }
  } else if (is(tile, "ragged_tile.elementwise") || is(tile, "ragged_tile.convert") ||
             is(tile, "ragged_tile.where_equal")) {
    tile->cheap = false;
  } else {
    tile->cheap = !tile->kept;  // load, constant, extent, position, iota
    if (tile->kept) tile->storage = STORAGE_ROW;
  }
}

// ---- Dense products --------------------------------------------------------------------------

// A dot reads its input from block scratch: the tile itself is kept there.
static void keep_dot_inputs(kernel_plan *plan) {
  for (int k = 0; k < plan->num_tiles; ++k) {
    if (!is(&plan->tiles[k], "ragged_tile.dot")) continue;
    tile_plan *input = find(plan, mlirOperationGetOperand(plan->tiles[k].operation, 0));
    input->storage = STORAGE_BLOCK;
    input->cheap = false;
  }
}

// ---- Row arrays ------------------------------------------------------------------------------

enum {
  STACK_BYTES = 65536,  // of a kernel's row arrays; beyond, those of wide tiles go to scratch
  WIDE_BYTES = 256,     // more than any tile for which rows run in lanes, each with its own array
};

int64_t kernel_plan_array_bytes(const tile_plan *tile) {
  int64_t bytes =
      ragged_tile_size(&tile->shape) * (int64_t)ragged_element_size(tile->shape.element_type);
  return (bytes + 63) / 64 * 64;
}

bool kernel_plan_compensated(const tile_plan *tile) {
  return !strcmp(ragged_operation_string(tile->operation, "kind"), "add") &&
         ragged_element_is_float(tile->shape.element_type) && !ragged_operation_has(tile->operation, "plain");
}

bool kernel_plan_matched(const tile_plan *tile) {
  return mlirOperationGetNumResults(tile->operation) == 2;
}

static int num_row_arrays(const tile_plan *tile) {
  if (!is(tile, "ragged_tile.accumulate")) return tile->storage == STORAGE_ROW;
  return kernel_plan_compensated(tile) ? 4 : 2;
}

static void place_row_arrays(kernel_plan *plan) {
  int64_t total = 0;
  for (int k = 0; k < plan->num_tiles; ++k)
    total += num_row_arrays(&plan->tiles[k]) * kernel_plan_array_bytes(&plan->tiles[k]);
  for (int k = 0; k < plan->num_tiles; ++k) {
    tile_plan *tile = &plan->tiles[k];
    int64_t bytes = kernel_plan_array_bytes(tile);
    tile->row_offset = -1;
    if (total <= STACK_BYTES || bytes < WIDE_BYTES || num_row_arrays(tile) == 0) continue;
    tile->row_offset = plan->row_scratch_bytes;
    plan->row_scratch_bytes += num_row_arrays(tile) * bytes;
  }
}

// All that follows from which loads are kept.
static void decide(ragged_arena *arena, kernel_plan *plan, MlirBlock body) {
  plan->num_segments = 1;
  for (int k = 0; k < plan->num_tiles; ++k) {
    tile_plan *tile = &plan->tiles[k];
    *tile = (tile_plan){.value = tile->value, .operation = tile->operation, .shape = tile->shape,
                        .kept = tile->kept};
  }
  walk(plan, body, NULL, set_levels, NULL);
  keep_dot_inputs(plan);
  kernel_plan_decide_storage(arena, plan);
}

void kernel_plan_make(ragged_arena *arena, MlirOperation kernel, bool keep_loads, kernel_plan *out) {
  *out = (kernel_plan){0};
  MlirBlock body = ragged_operation_body(kernel);
  walk(out, body, count_tile, NULL, NULL);
  out->tiles = RAGGED_ARENA_ARRAY(arena, tile_plan, out->num_tiles);
  out->num_tiles = 0;
  walk(out, body, add_tile, NULL, NULL);
  decide(arena, out, body);
  if (keep_loads && kernel_plan_keep_loads(arena, out, body)) decide(arena, out, body);
  place_row_arrays(out);
}

int kernel_plan_segment(const kernel_plan *plan, MlirOperation sink) {
  int segment = 0, level = 0;
  if (ragged_operation_is(sink, "ragged_tile.accumulate"))
    return find(plan, mlirOperationGetResult(sink, 0))->segment;
  operands_ready((kernel_plan *)plan, sink, &segment, &level);
  return segment;
}

int kernel_plan_level(const kernel_plan *plan, MlirOperation sink) {
  int segment = 0, level = 0;
  operands_ready((kernel_plan *)plan, sink, &segment, &level);
  return level;
}

int64_t kernel_plan_row_elements(const kernel_plan *plan) {
  for (int k = plan->num_tiles - 1; k >= 0; --k)
    if (plan->tiles[k].shape.rank) return ragged_tile_size(&plan->tiles[k].shape);
  return 1;
}
