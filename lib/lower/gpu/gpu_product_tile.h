// Tiles of products on the GPU: 64 rows and 64 columns of sums, 16 steps of K at a time through shared
// memory, by all threads of a block. Used by gpu_product.c and gpu_product_over_rows.c.
#ifndef RAGGED_LOWER_GPU_GPU_PRODUCT_TILE_H
#define RAGGED_LOWER_GPU_GPU_PRODUCT_TILE_H

#include "lower/gpu/gpu_emit.h"

enum {
  PRODUCT_TILE = 64,
  PRODUCT_STEP = 16,  // of K
  PRODUCT_EDGE = 4,   // a thread loads 4 consecutive elements, and has 4 x 4 sums
  PRODUCT_SUMS = PRODUCT_EDGE * PRODUCT_EDGE,
};

// One operand: `lines` lines of K elements each, or, turned, K lines of `lines` elements.
typedef struct product_operand {
  MlirValue base, shared;  // in memory; its tile in shared memory
  ragged_element_type memory;
  bool turned;
  number lines;  // known where it is turned
} product_operand;

typedef struct gpu_product {
  gpu_emission *g;
  ragged_element_type element_type;  // of the sums
  MlirType type;
  bool matrix;  // by matrix instructions: both operands are rounded to bf16
  ragged_element_type shared_memory;
  number k;  // where both operands end; known where one of them is not turned
  product_operand operands[2];
  MlirValue load_outer, load_inner;      // i32: which part of a tile the thread loads
  MlirValue turned_outer, turned_inner;  // i32: of a turned one
  MlirValue own_row, own_column;         // i32: of its first sum
  MlirValue pair;                        // i32, matrix: its lane's pair of elements in a fragment's line
} gpu_product;

// Completes a product of which the emission, the element type, `matrix` and the operands but for their
// shared memory are set: the threads' places and the tiles from `shared` on (at most
// gpu_product_shared_bytes).
void gpu_product_begin(gpu_product *p, MlirValue shared);
int64_t gpu_product_shared_bytes(void);
// The thread's sums over k in [from, to) for the tile whose first row and column are these.
void gpu_product_sum_tile(gpu_product *p, number row0, number column0, number from, number to,
                          MlirValue *sums);
// Row and column of the thread's first sum, from the tile's; and how far sum s lies from it.
void gpu_product_first_sum(const gpu_product *p, MlirValue *row, MlirValue *column);
void gpu_product_sum_place(const gpu_product *p, int s, int *row, int *column);
MlirValue gpu_product_both(gpu_product *p, MlirValue a, MlirValue b);  // of two i1

#endif  // RAGGED_LOWER_GPU_GPU_PRODUCT_TILE_H
