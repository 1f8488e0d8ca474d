// The types of the ragged_tile dialect as plain values (implemented by the C++ glue).
#ifndef RAGGED_LOWER_TILE_TILE_TYPES_H
#define RAGGED_LOWER_TILE_TILE_TYPES_H

#include <stdbool.h>

#include "mlir-c/IR.h"
#include "schema/schema.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(RaggedTile, ragged_tile);

// What a kernel may hold; arrays of translation.h and kernel_layout.h are as large.
#define KERNEL_MAX_AXES 32
#define KERNEL_MAX_REFS 96
#define KERNEL_MAX_OPS 1024
#define KERNEL_MAX_ACCUMULATIONS 32
#define KERNEL_MAX_DOTS 32

typedef struct ragged_tile_shape {
  ragged_element_type element_type;
  int rank;
  int64_t extents[RAGGED_MAX_RANK];
} ragged_tile_shape;

typedef enum ragged_ref_kind {
  RAGGED_REF_PACKED,
  RAGGED_REF_DENSE,
  RAGGED_REF_BOX,
  RAGGED_REF_SLICES,
} ragged_ref_kind;

typedef struct ragged_ref_shape {
  ragged_ref_kind kind;
  // Box: memory order of (batch, axes..., tail...). Slices: how many rows each of them has.
  int64_t layout[RAGGED_MAX_RANK + 1];
  int num_axes;
  int64_t axes[RAGGED_MAX_RANK];  // kernel axis numbers, in the order in which rows are laid out
  ragged_tile_shape tail;         // element type: as in memory
} ragged_ref_shape;

// Numbers in the layout of a ref of that kind.
intptr_t ragged_ref_layout_size(int64_t kind, intptr_t num_axes, intptr_t tail_rank);
// What is wrong with parts of a type; null: nothing. `memory`: bf16 is an element type too.
const char *ragged_tile_shape_fault(intptr_t rank, const int64_t *extents);
const char *ragged_tile_element_fault(MlirType element, bool memory);
const char *ragged_ref_layout_fault(int64_t kind, intptr_t num_layout, const int64_t *layout,
                                    intptr_t num_axes, const int64_t *axes, intptr_t tail_rank);

int64_t ragged_tile_size(const ragged_tile_shape *shape);  // elements; below 2^31
bool ragged_tile_shape_equal(const ragged_tile_shape *a, const ragged_tile_shape *b);
// What a memory element type is computed with: f32 for bf16, else itself.
ragged_element_type ragged_compute_type(ragged_element_type type);

MlirType ragged_tile_type(MlirContext context, const ragged_tile_shape *shape);
bool ragged_tile_type_get(MlirType type, ragged_tile_shape *out);  // false: no tile
MlirType ragged_ref_type(MlirContext context, const ragged_ref_shape *shape);
bool ragged_ref_type_get(MlirType type, ragged_ref_shape *out);  // false: no ref

// Opaque handles of the host program.
typedef enum ragged_host_type { RAGGED_HOST_FRAME, RAGGED_HOST_AXIS, RAGGED_HOST_SPACE, RAGGED_HOST_BUFFER } ragged_host_type;
MlirType ragged_host_type_get(MlirContext context, ragged_host_type kind);
bool ragged_type_is_buffer(MlirType type);
bool ragged_type_is_host_handle(MlirType type);  // any of the four

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_LOWER_TILE_TILE_TYPES_H
