// Lanes that run along several dimensions of a tile, as along one: 4x3 numbers that lie next to each other
// are three vectors of four. Where a view or a buffer has these dimensions in another order, lanes are
// evaluated one by one. Called by the evaluation of tiles.
#include "lower/kernel/kernel_emit.h"

static number select_number(emission *e, MlirValue condition, number yes, number no) {
  return number_value(ragged_build_value(&e->b, "arith.select", e->i64,
                                         RAGGED_VALUES(condition, number_emit(e, yes), number_emit(e, no))));
}

// The next position in the dimensions of the lanes.
static void step_lane(emission *e, const ragged_tile_shape *shape, int first, int last, tile_index *index) {
  number carry = number_of(1);
  for (int d = last; d >= first; --d) {
    number next = number_add(e, index->at[d], carry), extent = number_of(shape->extents[d]);
    index->at[d] = next;
    if (d == first) return;
    if (next.constant) {
      bool over = next.known == extent.known;
      if (over) index->at[d] = number_of(0);
      carry = number_of(over);
      if (!over) return;
      continue;
    }
    MlirValue over = emit_compare(e, COMPARE_EQ, next, extent);
    index->at[d] = select_number(e, over, number_of(0), next);
    carry = select_number(e, over, number_of(1), number_of(0));
  }
}

void emit_each_lane(emission *e, const ragged_tile_shape *shape, const tile_index *index, lane_function body,
                    void *user) {
  int lanes = e->lanes, last = index->lane + index->span;
  tile_index at = *index;
  at.lane = -1;
  at.span = 0;
  for (int k = 0; k < lanes; ++k) {
    if (k) step_lane(e, shape, index->lane, last, &at);
    e->lanes = 1;
    body(e, &at, k, user);
    e->lanes = lanes;
  }
}

typedef struct gathered {
  MlirValue tile, vector;
  int lanes;
} gathered;

static void gather_lane(emission *e, const tile_index *index, int lane, void *user) {
  gathered *g = user;
  MlirValue element = emit_tile(e, g->tile, index).value;
  g->vector = lane ? emit_insert(e, g->vector, element, lane) : emit_splat(e, element, g->lanes);
}

lanes_value emit_lane_by_lane(emission *e, const tile_plan *tile, const tile_index *index) {
  gathered g = {tile->value, ragged_value_none(), e->lanes};
  emit_each_lane(e, &tile->shape, index, gather_lane, &g);
  return (lanes_value){g.vector, false};
}

bool map_lanes(const tile_plan *view, const ragged_tile_shape *source, const tile_index *index,
               tile_index *out) {
  MlirAttribute map = ragged_operation_attribute(view->operation, "map");
  int place[RAGGED_MAX_RANK];  // of a result dimension in the operand; -1: nowhere
  for (int d = 0; d < RAGGED_MAX_RANK; ++d) place[d] = -1;
  *out = (tile_index){.lane = -1};
  for (int d = 0; d < source->rank; ++d) {
    int64_t from = mlirDenseI64ArrayGetElement(map, d);
    out->at[d] = from < 0 ? number_of(0) : index->at[from];
    if (from >= 0) place[from] = d;
  }
  if (index->lane < 0) return true;
  // Dimensions of one element have no part in it. All others are in the operand, next to each other and
  // in their order, or none is.
  int first = -1, last = -1, missing = 0;
  for (int d = index->lane; d <= index->lane + index->span; ++d) {
    if (view->shape.extents[d] == 1) continue;
    if (place[d] < 0) {
      ++missing;
      continue;
    }
    for (int between = last + 1; last >= 0 && between < place[d]; ++between)
      if (source->extents[between] != 1) return false;
    if (place[d] < last) return false;
    if (first < 0) first = place[d];
    last = place[d];
  }
  if (first < 0) return true;
  out->lane = first;
  out->span = last - first;
  return missing == 0;
}
