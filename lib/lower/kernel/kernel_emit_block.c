// What one row writes, level by level: stores, kept tiles, reductions, accumulations. Called by the
// loops over rows, and by accumulations for their bodies.
#include <string.h>

#include "lower/kernel/kernel_emit.h"

typedef struct sink {
  MlirOperation store;    // a store, or
  const tile_plan *tile;  // a kept tile
  MlirValue value;
  int level;
  const ragged_tile_shape *shape;
  bool done;
} sink;

typedef struct sink_list {
  sink *sinks;
  int count, chosen[128], num_chosen;
} sink_list;

static void write_sinks(emission *e, const tile_index *index, void *user) {
  sink_list *list = user;
  for (int k = 0; k < list->num_chosen; ++k) {
    sink *s = &list->sinks[list->chosen[k]];
    e->writing = s->tile;
    lanes_value value = emit_tile(e, s->value, index);
    e->writing = NULL;
    // Where a row is one element there is one loop: what another sink reads is in the memo.
    if (s->tile && !e->elements) emit_scratch_store(e, s->tile, index, value);
    else if (!s->tile) emit_tile_store(e, s->store, index, value);
  }
}

bool tile_is_reduction(const tile_plan *tile) {
  return ragged_operation_is(tile->operation, "ragged_tile.reduce") ||
         ragged_operation_is(tile->operation, "ragged_tile.accumulate");
}

static bool kept_by_loop(const tile_plan *tile) {
  return tile->storage != STORAGE_NONE && !tile_is_reduction(tile) &&
         !ragged_operation_is(tile->operation, "ragged_tile.dot");
}

// A dot with a residual finds it in its own block array before it runs.
static const tile_plan *residual_target(emission *e, MlirOperation dot, MlirValue *residual) {
  int operand = dot_residual_operand(dot);
  if (operand < 0) return NULL;
  *residual = mlirOperationGetOperand(dot, operand);
  return kernel_plan_find(&e->plan, mlirOperationGetResult(dot, 0));
}

static void add_sink(sink_list *list, sink s) { list->sinks[list->count++] = s; }

static void collect_sinks(emission *e, MlirBlock block, sink_list *list) {
  const kernel_plan *plan = &e->plan;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    if (ragged_operation_is(op, "ragged_tile.store")) {
      if (kernel_plan_segment(plan, op) != e->segment) continue;
      MlirValue value = mlirOperationGetOperand(op, 0);
      add_sink(list, (sink){op, NULL, value, kernel_plan_level(plan, op),
                            &kernel_plan_find(plan, value)->shape, false});
      continue;
    }
    if (mlirOperationGetNumResults(op) == 0) continue;
    const tile_plan *tile = kernel_plan_find(plan, mlirOperationGetResult(op, 0));
    if (ragged_operation_is(op, "ragged_tile.dot")) {
      MlirValue residual;
      const tile_plan *target = residual_target(e, op, &residual);
      const tile_plan *own = target ? kernel_plan_find(plan, residual) : NULL;
      if (!own || own->segment != e->segment) continue;
      add_sink(list, (sink){{NULL}, target, residual, own->level, &own->shape, false});
    } else if (tile->segment == e->segment && kept_by_loop(tile)) {
      add_sink(list, (sink){{NULL}, tile, tile->value, tile->level, &tile->shape, false});
    }
  }
}

static bool same_extents(const ragged_tile_shape *a, const ragged_tile_shape *b) {
  ragged_tile_shape like = *a;
  like.element_type = b->element_type;
  return ragged_tile_shape_equal(&like, b);
}

// One loop for all sinks of a level that have the same extents, so that what they share is loaded once.
// Its vectors are those of the widest elements.
static void emit_sinks(emission *e, sink_list *list, int level) {
  for (int k = 0; k < list->count; ++k) {
    if (list->sinks[k].done || list->sinks[k].level != level) continue;
    list->num_chosen = 0;
    const ragged_tile_shape *widest = list->sinks[k].shape;
    for (int j = k; j < list->count && list->num_chosen < 128; ++j) {
      sink *s = &list->sinks[j];
      if (s->done || s->level != level || !same_extents(s->shape, list->sinks[k].shape)) continue;
      s->done = true;
      if (ragged_element_size(s->shape->element_type) > ragged_element_size(widest->element_type))
        widest = s->shape;
      list->chosen[list->num_chosen++] = j;
    }
    e->backend->for_each_element(e, widest, write_sinks, list);
  }
}

void emit_block(emission *e, MlirBlock block) {
  sink_list list = {.sinks = RAGGED_ARENA_ARRAY(e->arena, sink, 2 * e->plan.num_tiles + KERNEL_MAX_OPS)};
  collect_sinks(e, block, &list);
  int last_level = 0;
  for (int k = 0; k < list.count; ++k)
    if (list.sinks[k].level > last_level) last_level = list.sinks[k].level;
  for (int k = 0; k < e->plan.num_tiles; ++k)
    if (e->plan.tiles[k].level > last_level) last_level = e->plan.tiles[k].level;
  for (int level = 0; level <= last_level; ++level) {
    emit_sinks(e, &list, level);
    bool more = level < last_level;
    if (e->backend->end_level && more) e->backend->end_level(e);
    bool reduced = false;
    for (int k = 0; k < e->plan.num_tiles; ++k) {
      const tile_plan *tile = &e->plan.tiles[k];
      if (tile->segment != e->segment || tile->level != level + 1 || !tile_is_reduction(tile) ||
          tile != kernel_plan_first(tile) ||
          !mlirBlockEqual(mlirOperationGetBlock(tile->operation), block))
        continue;
      if (ragged_operation_is(tile->operation, "ragged_tile.reduce")) e->backend->reduce(e, tile);
      else e->backend->accumulate(e, tile);
      reduced = true;
    }
    if (e->backend->end_level && reduced) e->backend->end_level(e);
  }
}
