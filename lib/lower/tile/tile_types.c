// See tile_types.h.
#include "lower/tile/tile_types.h"

#include "dialect/type_schema.h"
#include "support/checked.h"

const char *ragged_tile_shape_fault(intptr_t rank, const int64_t *extents) {
  if (rank > RAGGED_MAX_RANK) return "has more than 16 dimensions";
  int64_t size = 1;  // an extent of 0 counts as 1, so that no part of the product overflows either
  for (intptr_t k = 0; k < rank; ++k) {
    if (extents[k] < 0) return "has a negative extent";
    if (extents[k] > 0 && (!ragged_checked_multiply(size, extents[k], &size) || size > INT32_MAX))
      return "has more than 2147483647 elements";
  }
  return NULL;
}

const char *ragged_tile_element_fault(MlirType element, bool memory) {
  ragged_element_type type;
  bool known = ragged_type_is_scalar(element) && ragged_type_get_element(element, &type);
  if (memory) return known ? NULL : "has elements that are none of f64, f32, bf16, i64, i1";
  return known && type != RAGGED_ELEMENT_BF16 ? NULL
                                              : "has elements that are none of f64, f32, i64, i1";
}

intptr_t ragged_ref_layout_size(int64_t kind, intptr_t num_axes, intptr_t tail_rank) {
  return kind == RAGGED_REF_BOX ? 1 + num_axes + tail_rank : kind == RAGGED_REF_SLICES ? 1 : 0;
}

const char *ragged_ref_layout_fault(int64_t kind, intptr_t num_layout, const int64_t *layout,
                                    intptr_t num_axes, const int64_t *axes, intptr_t tail_rank) {
  if (num_axes + tail_rank > RAGGED_MAX_RANK) return "has more than 16 dimensions";
  for (intptr_t k = 0; k < num_axes; ++k)
    if (axes[k] < 0 || axes[k] >= KERNEL_MAX_AXES) return "has an axis outside [0, 32)";
  intptr_t expected = ragged_ref_layout_size(kind, num_axes, tail_rank);
  if (kind == RAGGED_REF_SLICES)
    return num_layout == 1 && layout[0] >= 0 && layout[0] <= INT32_MAX
               ? NULL
               : "has slices of no number of rows in [0, 2147483647]";
  const char *fault = "has a layout that is no permutation of its batch, axes and tail";
  bool found[1 + RAGGED_MAX_RANK] = {false};
  if (num_layout != expected) return fault;
  for (intptr_t k = 0; k < num_layout; ++k) {
    if (layout[k] < 0 || layout[k] >= expected || found[layout[k]]) return fault;
    found[layout[k]] = true;
  }
  return NULL;
}

int64_t ragged_tile_size(const ragged_tile_shape *shape) {
  int64_t size = 1;  // a schema's tail, or a type, was checked not to overflow
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
