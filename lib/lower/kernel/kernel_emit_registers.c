// Kept tiles of a row that one thread computes without loops: their elements are values, not memory. Every
// index is known, so any loop finds them, in whatever order it reads. Called in place of row scratch.
#include "lower/kernel/kernel_emit.h"

bool emit_in_registers(const emission *e, const tile_plan *tile) {
  return e->row_values && tile->storage == STORAGE_ROW;
}

// The element of lane 0, and how far apart those of two lanes are.
static int64_t first_element(const ragged_tile_shape *shape, const tile_index *index, int64_t *step) {
  int64_t at = 0, stride = 1;
  *step = 0;
  for (int d = shape->rank - 1; d >= 0; --d) {
    at += index->at[d].known * stride;
    if (index->lane >= 0 && d == index->lane + index->span) *step = stride;
    stride *= shape->extents[d];
  }
  return at;
}

void emit_register_store(emission *e, const tile_plan *tile, const tile_index *index, lanes_value value) {
  MlirValue **values = &e->row_values[tile - e->plan.tiles];
  if (!*values) *values = RAGGED_ARENA_ARRAY(e->arena, MlirValue, ragged_tile_size(&tile->shape));
  int64_t step, at = first_element(&tile->shape, index, &step);
  int lanes = index->lane >= 0 ? e->lanes : 1;
  for (int k = 0; k < lanes; ++k)
    (*values)[at + k * step] = value.uniform ? value.value : emit_extract(e, value.value, k);
}

lanes_value emit_register_load(emission *e, const tile_plan *tile, const tile_index *index) {
  const MlirValue *values = e->row_values[tile - e->plan.tiles];
  int64_t step, at = first_element(&tile->shape, index, &step);
  if (index->lane < 0 || e->lanes == 1) return (lanes_value){values[at], true};
  MlirValue vector = emit_splat(e, values[at], e->lanes);
  for (int k = 1; k < e->lanes; ++k) vector = emit_insert(e, vector, values[at + k * step], k);
  return (lanes_value){vector, false};
}
