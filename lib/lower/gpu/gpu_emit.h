// Emission of one GPU kernel, shared by the files of this folder. A group of threads works on a row;
// its elements are spread over the group, 16 bytes a thread where rows allow it. What is kept of a row
// stands in the group's part of shared memory, or in the registers of a thread that has a row to itself.
#ifndef RAGGED_LOWER_GPU_GPU_EMIT_H
#define RAGGED_LOWER_GPU_GPU_EMIT_H

#include "lower/gpu/gpu_layout.h"
#include "lower/kernel/kernel_emit.h"

typedef struct gpu_emission {
  emission e;  // first: what both back ends share gets a pointer to it
  const gpu_layout *layout;
  MlirType i32;
  MlirValue items, scratch;       // i64: rows; pointer: the second parameter
  MlirValue thread, block, grid;  // i32: in the block, of the grid, number of blocks
  MlirValue group;                // i32: number of the thread's group in its block
  MlirValue lane;                 // i32: number of the thread in its group
  MlirValue mask;                 // i32: the group's lanes of its warp (groups up to 32)
  MlirValue shared;               // pointer to the block's shared memory; null: it has none
  MlirValue arrays;               // where the group's row arrays begin; null: there are none
  MlirValue order, ordered_offsets;  // pointers; null: rows are visited as they lie
  MlirValue samples;              // pointer to the table of the samples of a block's rows
  number num_samples;             // in the table, where samples have several rows
  bool kept;                      // something was written to row arrays since the last barrier
} gpu_emission;

extern const emission_backend gpu_emission_backend;

// ---- gpu_emit_ops.c: numbers of 32 bits, loops that carry values, exchange within a group -------

MlirValue gpu_i32(gpu_emission *g, int64_t value);
MlirValue gpu_op(gpu_emission *g, const char *op, MlirValue a, MlirValue b);
MlirValue gpu_compare(gpu_emission *g, int64_t predicate, MlirValue a, MlirValue b);  // i1
number gpu_number(gpu_emission *g, MlirValue i32);  // zero-extended
// A divisor of the block's threads that no optimiser knows, so that it unrolls no loop by it: what all
// turns load at once would not fit the registers.
number gpu_opaque(gpu_emission *g, int value);
// Bytes from a pointer.
MlirValue gpu_offset(gpu_emission *g, MlirValue pointer, number bytes);

// scf.for over i64 that carries values. The builder moves into the body until end.
enum { GPU_MAX_CARRIED = 16 };
typedef struct carried_loop {
  loop outer;
  MlirOperation operation;
  int count;
  MlirValue values[GPU_MAX_CARRIED];  // in the body; after end: the results
} carried_loop;
number gpu_begin_loop(gpu_emission *g, carried_loop *l, number from, number to, number step,
                      int count, const MlirValue *initial);
void gpu_end_loop(gpu_emission *g, carried_loop *l, const MlirValue *next);

// All threads of the group, or of the block.
void gpu_group_barrier(gpu_emission *g);
void gpu_block_barrier(gpu_emission *g);
// The scalar of the lane whose number in the warp differs by `distance`.
MlirValue gpu_shuffle(gpu_emission *g, MlirValue value, int distance);
// Combines a scalar of every thread of the group; all threads get the result. kind: as emit_combine.
MlirValue gpu_group_combine(gpu_emission *g, const char *kind, MlirValue value);

// ---- gpu_emit_loops.c: elements of a row ----------------------------------------------------------

// Position `unit` of a tile, in accesses of `width` elements, which divides its size.
void gpu_tile_index(gpu_emission *g, const ragged_tile_shape *shape, int width, number unit,
                    tile_index *out);
// Accesses of `width` elements of a tile, shared among the group's threads.
void gpu_for_each_unit(gpu_emission *g, const ragged_tile_shape *shape, int width, element_function body,
                       void *user);
void gpu_for_each_element(emission *e, const ragged_tile_shape *shape, element_function body,
                          void *user);

// ---- gpu_emit_reduce.c: reductions over a row's dimensions ------------------------------------------

void gpu_reduce(emission *e, const tile_plan *tile);
// Of a ragged_tile.reduce that is not kept, by one thread.
lanes_value gpu_evaluate_reduce(gpu_emission *g, const tile_plan *tile, const tile_index *index);

// ---- gpu_emit_accumulate.c -----------------------------------------------------------------------

void gpu_accumulate(emission *e, const tile_plan *tile);
// Of a reduce or an accumulate that stands inside an accumulation: every thread works alone there.
lanes_value gpu_evaluate_reduction(emission *e, const tile_plan *tile, const tile_index *index);

// ---- gpu_emit_samples.c --------------------------------------------------------------------------

// Fills the table for the block's share, `rows` rows from `first` on; all threads of the block.
void gpu_load_samples(gpu_emission *g, number first, number rows);
// Makes row n of the share that begins at `first` the current one: its sample, its extents, its
// coordinates.
void gpu_find_row(gpu_emission *g, number first, number n);

// ---- gpu_emit_dense.c ----------------------------------------------------------------------------

// Copies the block's dense operands to shared memory and puts their places there into the slots.
void gpu_copy_dense(gpu_emission *g);

// ---- gpu_emit_rows.c -----------------------------------------------------------------------------

void gpu_emit_kernel(gpu_emission *g);
// The rows of the grid: the first parameter, or, where that is -1, what the offsets of its space say.
MlirValue gpu_emit_items(gpu_emission *g, MlirValue parameter);

// ---- gpu_product.c -------------------------------------------------------------------------------

// The device function of dense product k of the layout's kernel, e.g.
// "ragged_product_f32_128x512_bias_gelu"; in the arena. Its weight and bias may be bf16.
const char *gpu_product_name(gpu_emission *g, const kernel_dot *dot);
// Emits it with `builder` in the GPU module: `name`(a, weight, bias, c: pointers, rows: i64, shared:
// pointer), called by all threads of a block. C[r, n] = act(sum_k A[r, k] W[n, k] + bias[n])
// (+ C[r, n]); A and C are rows of what is computed with. Every element of C is one chain over k in
// increasing order, whatever `rows` and the row's position.
void gpu_emit_product(gpu_emission *g, const ragged_builder *builder, const kernel_dot *dot,
                      const char *name);

// ---- gpu_product_over_rows.c -----------------------------------------------------------------------

// Tiles of the sums of one slice: items of a launch are those of all slices.
int64_t gpu_over_rows_tiles(const kernel_over_rows *own);
// All of a kernel that is a product over rows.
void gpu_emit_over_rows(gpu_emission *g);

#endif  // RAGGED_LOWER_GPU_GPU_EMIT_H
