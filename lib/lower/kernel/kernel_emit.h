// Emission of one kernel from its tile program: numbers, memory, and the evaluation of tiles, which
// both back ends share. What visits rows and elements is the back end's (cpu/cpu_emit.h, gpu/).
//
// Within a row, tiles are evaluated where they are read, element by element or a vector of `lanes`
// elements at a time. Lanes run either along the last dimension of the loop's tile, or (on the CPU)
// along one coordinate of the kernel (`lane_coordinate`) when tails are narrow: then one evaluation
// covers `lanes` rows.
#ifndef RAGGED_LOWER_KERNEL_KERNEL_EMIT_H
#define RAGGED_LOWER_KERNEL_KERNEL_EMIT_H

#include "lower/cpu/target.h"
#include "lower/kernel/kernel_layout.h"
#include "lower/kernel/kernel_plan.h"
#include "support/arena.h"

// An i64 that is known now or computed in the kernel.
typedef struct number {
  bool constant;
  int64_t known;
  MlirValue value;
} number;

// An element, or `lanes` of them. Uniform: one scalar that all lanes share.
typedef struct lanes_value {
  MlirValue value;
  bool uniform;
} lanes_value;

// Position inside a tile: one index per dimension. `lane` is the dimension that lanes run along (-1:
// none), together with the `span` dimensions after it, as one; indices there are those of lane 0.
typedef struct tile_index {
  int lane, span;
  number at[RAGGED_MAX_RANK];
} tile_index;

// The sample, a coordinate per grid axis, a position per accumulation.
#define EMIT_MAX_COORDINATES (1 + RAGGED_MAX_RANK + KERNEL_MAX_ACCUMULATIONS)

typedef struct emission emission;
typedef void (*element_function)(emission *e, const tile_index *index, void *user);

// What a back end does its own way.
typedef struct emission_backend {
  // Calls `body` for each position of `shape`, vectors along the last dimension where they fit.
  void (*for_each_element)(emission *e, const ragged_tile_shape *shape, element_function body,
                           void *user);
  // Row arrays of a tile (kernel_plan.h) with `lanes` of each element: where a kept tile stands.
  MlirValue (*row_array)(emission *e, const tile_plan *tile, int number, int lanes);
  // Write the kept result of a ragged_tile.reduce or .accumulate of the current row.
  void (*reduce)(emission *e, const tile_plan *tile);
  void (*accumulate)(emission *e, const tile_plan *tile);
  // The value of one that is not kept, at a position. Null where all are.
  lanes_value (*evaluate_reduction)(emission *e, const tile_plan *tile, const tile_index *index);
  // Row `function` of elementwise.def: ragged_emit_elementwise, or with the device's own instructions.
  MlirValue (*elementwise)(const ragged_builder *builder, const char *function, const MlirValue *x);
  // Stands between the writes of a level and the reads of later ones. Null: nothing does.
  void (*end_level)(emission *e);
  // Vectors lie at multiples of their size, but of no more than this, wherever the tile's shape makes it
  // so. 0: at multiples of an element's size.
  int64_t alignment;
} emission_backend;

struct emission {
  ragged_arena *arena;
  MlirContext context;
  MlirOperation kernel;
  const emission_backend *backend;
  const ragged_cpu_target *target;  // null on the GPU
  kernel_layout layout;
  kernel_plan plan;
  ragged_builder b;       // where ops go now
  ragged_builder allocas; // start of the function
  MlirType i64, ptr;
  MlirValue slots[KERNEL_LAYOUT_MAX_SLOTS];
  MlirValue first, last, scratch;
  bool flat;      // rows need no coordinates
  bool elements;  // a flat kernel on equal tails: rows are single elements
  // The current row; extents and offsets of its sample, loaded once per run (null: not yet).
  number sample, row, block_row;
  number axis_extents[KERNEL_MAX_AXES], space_offsets[KERNEL_LAYOUT_MAX_SLOTS];
  int num_coordinates;
  MlirValue coordinate_keys[EMIT_MAX_COORDINATES];  // of the tile program
  number coordinates[EMIT_MAX_COORDINATES];
  int segment;
  int lanes;                    // of vectors here; 1: scalars
  MlirValue lane_coordinate;    // null: along tiles
  bool lane_rows;               // lanes run along rows of a flat kernel or a run
  bool rows_in_lanes;           // the kernel's rows run in lanes but for a remainder, which computes in
                                // the same order: a row's bits do not depend on its place
  MlirValue *row_scratch;       // per tile of the plan: its alloca; null: none yet
  int *row_scratch_lanes;       // lanes that the alloca was made for
  MlirValue **row_values;       // instead of scratch, where every index in a row is known: the elements of
                                // each kept tile. Null: not so
  struct memo_entry {
    MlirValue tile;
    tile_index index;
    int lanes;  // a row may hold tiles of types that fill vectors with different numbers of elements
    lanes_value value;
  } *memo;
  int num_memo, memo_capacity;
  const tile_plan *writing;  // a kept tile whose elements are being evaluated
};

// ---- Numbers and ops (kernel_emit_ops.c) -------------------------------------------------------

number number_of(int64_t known);
number number_value(MlirValue value);
MlirValue number_emit(emission *e, number n);
bool number_equal(number a, number b);  // the same value of the program
number number_add(emission *e, number a, number b);
number number_sub(emission *e, number a, number b);
number number_mul(emission *e, number a, number b);
number number_div(emission *e, number a, number b);
number number_rem(emission *e, number a, number b);
number number_min(emission *e, number a, number b);
number number_max(emission *e, number a, number b);
MlirValue emit_compare(emission *e, int64_t predicate, number a, number b);  // i1; arith.cmpi
enum { COMPARE_EQ = 0, COMPARE_NE = 1, COMPARE_LT = 2, COMPARE_LE = 3, COMPARE_GT = 4, COMPARE_GE = 5 };
// i1, or a vector of them. A predicate of integers, or of floats (RAGGED_CMPF_* of vector_emit.h).
MlirValue emit_compare_elements(emission *e, int predicate, MlirValue a, MlirValue b);

MlirType element_mlir(emission *e, ragged_element_type type);   // of a tile element
MlirType lanes_type(emission *e, ragged_element_type type, int lanes);
MlirValue emit_binary(emission *e, const char *op, MlirValue a, MlirValue b);
MlirValue emit_splat(emission *e, MlirValue scalar, int lanes);
lanes_value emit_constant(emission *e, ragged_element_type type, double value);
MlirValue emit_full(emission *e, lanes_value v);  // as a vector when lanes > 1
MlirValue emit_pointer(emission *e, MlirValue base, MlirType element, number offset);
// `count` consecutive elements of memory type, as tile elements.
MlirValue emit_load(emission *e, MlirValue base, ragged_element_type memory, number offset, int count);
void emit_store(emission *e, MlirValue base, ragged_element_type memory, number offset,
                MlirValue value);
// The same at an address that is a multiple of `alignment` bytes.
MlirValue emit_load_aligned(emission *e, MlirValue base, ragged_element_type memory, number offset,
                            int count, int64_t alignment);
void emit_store_aligned(emission *e, MlirValue base, ragged_element_type memory, number offset,
                        MlirValue value, int64_t alignment);
MlirValue emit_load_i64(emission *e, MlirValue base, number index);
MlirValue emit_alloca(emission *e, MlirType element, int64_t count);
MlirValue emit_extract(emission *e, MlirValue vector, int lane);
MlirValue emit_insert(emission *e, MlirValue vector, MlirValue scalar, int lane);
// Combines two values of one type: add or maximum; and all lanes of a vector.
MlirValue emit_combine(emission *e, const char *kind, MlirValue a, MlirValue b);
MlirValue emit_across(emission *e, const char *kind, MlirValue vector);
// NaN equals NaN, and -0 equals +0. i1, or a vector of them.
MlirValue emit_equal(emission *e, MlirValue a, MlirValue b);
// Whether a flag is true in some lane: i1.
MlirValue emit_any(emission *e, MlirValue flags);
MlirValue emit_select(emission *e, MlirValue condition, MlirValue a, MlirValue b);
// The sum where it is finite, else `other`. Nothing may be contracted or reassociated here.
MlirValue emit_finite_or(emission *e, MlirValue sum, MlirValue other);
// A number, or lanes of them, with the match of each (ragged_tile.accumulate): the greatest pair.
typedef struct matched_value {
  MlirValue value, match;
} matched_value;
matched_value emit_combine_matched(emission *e, matched_value a, matched_value b);
matched_value emit_across_matched(emission *e, matched_value vector);
double reduction_identity(const char *kind);  // of floats
lanes_value emit_identity(emission *e, const char *kind, ragged_element_type type);

// scf.for from `from` to `to` by `step`; builder moves into the body until end_loop.
typedef struct loop {
  ragged_builder outer;
  int memo;
} loop;
number begin_loop(emission *e, loop *l, number from, number to, int64_t step);
void end_loop(emission *e, loop *l);

// scf.if without a result and without an else. A null condition: always.
typedef struct guard {
  ragged_builder outer;
  int memo;
  bool open;
} guard;
void begin_if(emission *e, guard *i, MlirValue condition);
void end_if(emission *e, guard *i);

// ---- Values of tiles (kernel_emit_evaluate.c) ---------------------------------------------------

lanes_value emit_tile(emission *e, MlirValue tile, const tile_index *index);
// Says what the tile is there, to those who read it in the same loop.
void emit_remember(emission *e, MlirValue tile, const tile_index *index, lanes_value value);

// ---- Memory (kernel_emit_access.c) --------------------------------------------------------------

// An element (or lanes) of a ragged_tile.load; written by a ragged_tile.store; of a tile's own scratch.
lanes_value emit_tile_load(emission *e, const tile_plan *tile, const tile_index *index);
void emit_tile_store(emission *e, MlirOperation store, const tile_index *index, lanes_value value);
void emit_scratch_store(emission *e, const tile_plan *tile, const tile_index *index,
                        lanes_value value);
lanes_value emit_scratch_load(emission *e, const tile_plan *tile, const tile_index *index);
MlirValue block_array(emission *e, const tile_plan *tile);  // base pointer
number coordinate_of(emission *e, MlirValue key);
void set_coordinate(emission *e, MlirValue key, number value);
number axis_extent(emission *e, int64_t axis, number sample);

// ---- Lanes along several dimensions (kernel_emit_lanes.c) -----------------------------------------

// The position of every lane, at which one element is evaluated; `shape`: of the tile that is indexed.
typedef void (*lane_function)(emission *e, const tile_index *index, int lane, void *user);
void emit_each_lane(emission *e, const ragged_tile_shape *shape, const tile_index *index,
                    lane_function body, void *user);
lanes_value emit_lane_by_lane(emission *e, const tile_plan *tile, const tile_index *index);
// The operand's index in a view. False: lanes do not run along dimensions of the operand, and must be
// evaluated one by one.
bool map_lanes(const tile_plan *view, const ragged_tile_shape *source, const tile_index *index,
               tile_index *out);

// ---- Kept tiles in registers (kernel_emit_registers.c) --------------------------------------------

bool emit_in_registers(const emission *e, const tile_plan *tile);
void emit_register_store(emission *e, const tile_plan *tile, const tile_index *index, lanes_value value);
lanes_value emit_register_load(emission *e, const tile_plan *tile, const tile_index *index);

// ---- Samples (kernel_emit_sample.c) ---------------------------------------------------------------

MlirValue emit_argument(const emission *e, int k);  // of the kernel's body
// Extents and offsets of the current sample (e->sample), once for all that follows; forgets them.
void emit_load_sample(emission *e);
void emit_forget_sample(emission *e);
// The last s with offsets[s] <= row: binary search in [0, count).
number emit_find_sample(emission *e, MlirValue offsets, number count, number row);

// scf.while that carries `count` i64 values. begin opens the region that decides, condition the body.
typedef struct while_loop {
  ragged_builder outer;
  MlirRegion regions[2];
  MlirValue carried[2];
  int count;
} while_loop;

void begin_while(emission *e, while_loop *w, int count);
void while_condition(emission *e, while_loop *w, MlirValue condition);
MlirOperation end_while(emission *e, while_loop *w, const MlirValue *next, const MlirValue *initial);

// ---- One row (kernel_emit_block.c) ---------------------------------------------------------------

// All sinks of one block of the tile program in the current segment: stores, kept tiles, reductions.
void emit_block(emission *e, MlirBlock block);
bool tile_is_reduction(const tile_plan *tile);  // a reduce or an accumulate

#endif  // RAGGED_LOWER_KERNEL_KERNEL_EMIT_H
