// See tile_types.h.
#include "lower/tile/tile_types.h"

int64_t ragged_tile_size(const ragged_tile_shape *shape) {
  int64_t size = 1;  // a schema's tail was checked not to overflow
  for (int k = 0; k < shape->rank; ++k) size *= shape->extents[k];
  return size;
}

bool ragged_tile_shape_equal(const ragged_tile_shape *a, const ragged_tile_shape *b) {
  if (a->element_type != b->element_type || a->rank != b->rank) return false;
  for (int k = 0; k < a->rank; ++k)
    if (a->extents[k] != b->extents[k]) return false;
  return true;
}

ragged_element_type ragged_compute_type(ragged_element_type type) {
  return type == RAGGED_ELEMENT_BF16 ? RAGGED_ELEMENT_F32 : type;
}
