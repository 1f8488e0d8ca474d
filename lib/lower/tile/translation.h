// State of the translation of one function from stage 1 to stage 2 (to_tiles.c), shared by the files
// that translate op families.
#ifndef RAGGED_LOWER_TILE_TRANSLATION_H
#define RAGGED_LOWER_TILE_TRANSLATION_H

#include "dialect/type_schema.h"
#include "ir/build.h"
#include "ir/value_map.h"
#include "lower/signature.h"
#include "lower/tile/tile_types.h"
#include "support/arena.h"

typedef struct named_axis {
  const char *name;
  MlirValue axis;
} named_axis;

// The extent of a builtin tensor's dimension that its type does not say (dense_rows.c).
typedef struct dense_extent {
  const char *name;  // equal names: equal extents
  MlirValue leaf;    // an extents_source
  int dim;
} dense_extent;

typedef struct row_group row_group;

typedef struct translation {
  MlirContext context;
  ragged_arena *arena;
  MlirOperation module, function;  // the stage-1 function
  ragged_builder host;             // where host ops go
  ragged_builder kernels;          // where kernels go (module level)
  MlirValue frame;
  ragged_value_map buffers;  // ragged and dense stage-1 values → !ragged_tile.buffer
  ragged_value_map scalars;  // stage-1 scalars, indices → host scalars
  ragged_value_map read;     // stage-1 values whose numbers are read → themselves
  ragged_value_map late;     // results of late ops → themselves
  named_axis *axes;   // in scope, innermost last
  int num_axes, capacity_axes;
  named_axis *dense_axes;  // of builtin tensors, in scope as those above
  int num_dense_axes, capacity_dense_axes;
  dense_extent *dense_extents;
  int num_dense_extents, capacity_dense_extents, num_dense_names;
  ragged_signature signature;
  int num_kernels;
  bool fuse;
  row_group *group;  // rows that are being collected; null: none
  MlirOperation *deferred;  // reductions of what the group computes, until it is closed
  int num_deferred, capacity_deferred;
  bool failed;       // a diagnostic was emitted
} translation;

// Ends the translation with a diagnostic at the op in progress.
RAGGED_PRINTF(2, 3) void translation_fail(translation *t, const char *format, ...);

// ---- Host program ---------------------------------------------------------------------------

MlirType translation_type(const translation *t, ragged_host_type kind);
MlirAttribute translation_string(const translation *t, const char *text);
// A host op with one result / without results. The frame is the first operand, put in here.
MlirValue host_value(translation *t, const char *name, MlirType type, intptr_t num_operands,
                     const MlirValue *operands, intptr_t num_attributes,
                     const MlirNamedAttribute *attributes);
void host_op(translation *t, const char *name, intptr_t num_operands, const MlirValue *operands,
             intptr_t num_attributes, const MlirNamedAttribute *attributes);

MlirValue host_axis(translation *t, const char *canonical);  // by name or expression
void host_define_axis(translation *t, const char *name, MlirValue axis);
MlirValue host_space(translation *t, const ragged_schema *schema);
MlirValue host_rows(translation *t, const ragged_schema *schema);   // i64, for launches
MlirValue host_known_rows(translation *t, const ragged_schema *schema);  // i64, for what else counts
MlirValue host_batch(translation *t);                                // i64, of the axes in scope
MlirValue host_i64(translation *t, int64_t value);
MlirValue host_allocate(translation *t, const ragged_schema *schema);
// The buffer that holds a stage-1 value: looks through ops that move nothing.
MlirValue host_buffer(translation *t, MlirValue value);
void host_set_buffer(translation *t, MlirValue value, MlirValue buffer);
MlirValue host_scalar(translation *t, MlirValue value);
MlirValue host_product(translation *t, MlirValue a, MlirValue b);  // i64
MlirValue host_allocate_dense(translation *t, ragged_element_type type, intptr_t rank,
                              const MlirValue *shape);

// ---- Builtin tensors as rows (dense_rows.c) --------------------------------------------------

bool is_dense_broadcast(MlirOperation operation);  // to a builtin tensor
// The schema of a value's rows: of a builtin tensor, a batch of one sample with an axis per dimension
// (but for static 1); of a ragged value its own; of a scalar, none.
void rows_schema(translation *t, MlirValue value, ragged_schema *out);
// The name of the axis that dimension `dim` of a builtin tensor is; its extent, i64.
const char *dense_name(translation *t, MlirValue value, int dim);
MlirValue dense_extent_value(translation *t, const char *name);
const char *dense_static_name(translation *t, int64_t extent);
const char *dense_fresh_name(translation *t);  // has no extent until its axis is defined
// The axis of that name; made when it is asked for first.
MlirValue dense_axis_named(translation *t, const char *name);
void dense_define_axis(translation *t, const char *name, MlirValue axis);
// An axis whose samples are parts of `extent`, at most so many.
MlirValue dense_axis(translation *t, MlirValue extent, int64_t most_parts);
// Run-time checks of the extents that the types of the operands of an elementwise op, a dense broadcast
// or a scatter_max leave open.
void dense_check_shapes(translation *t, MlirOperation operation);
MlirValue dense_items(translation *t, MlirValue value);  // its elements
MlirValue dense_allocate(translation *t, MlirValue value);

// ---- What is read ----------------------------------------------------------------------------

// Finds which numbers of the function are read; what only an unread value needs is not.
void find_reads(translation *t);
// A ragged op none of whose results is read: nothing is computed for it.
bool is_unread(const translation *t, MlirOperation operation);
// Whether a use reads numbers: no operand that gives structure only, no unread op.
bool use_reads(const translation *t, MlirOpOperand use);
// The extent of a builtin tensor (i64), whether or not it is read.
MlirValue host_extent(translation *t, MlirValue value, int64_t dim);
// The value that has the extents of a builtin tensor, and in which dimension it has that of `*dim`.
MlirValue extents_source(MlirValue value, int *dim);
// The dimension of what an op with groups reduces that is left as dimension `dim` of the groups.
int kept_dimension(MlirOperation operation, int dim);

// Finds elementwise ops that are computed where they are read (late_ops.c); after find_reads.
void find_late(translation *t);
bool is_late(const translation *t, MlirOperation operation);

// ---- Accesses --------------------------------------------------------------------------------

// How one logical dimension of a value is indexed inside a kernel.
typedef struct index_entry {
  enum { INDEX_ZERO, INDEX_COORDINATE, INDEX_TAIL } kind;
  int number;  // coordinate of the kernel, or dimension of the tile that is being made
} index_entry;

typedef struct access {
  MlirValue leaf;  // a value with a buffer, or one computed in the same kernel
  index_entry index[RAGGED_MAX_RANK];  // per logical dimension of the leaf
} access;

// What kernels make anew where they read it, unless it must stand in memory: broadcasts and sizes.
bool is_remade_op(MlirOperation operation);
bool is_view_op(MlirOperation operation);     // only names dimensions anew: no kernel of its own
bool is_alias_op(MlirOperation operation);    // a view whose buffer is its operand's
// Follows view ops from `value`, indexed by `index`, to what they read.
access resolve_access(MlirValue value, const index_entry *index);
// The same, but only to the first value that stands in memory.
access resolve_to_buffer(const translation *t, MlirValue value, const index_entry *index);
// What a view op or broadcast reads where its result is indexed by `index`.
access resolve_operand(MlirOperation operation, const index_entry *index);
// Changes an index of an elementwise op's result to that of its operand: what is repeated is at 0.
void index_elementwise(const ragged_schema *operand, const ragged_schema *result,
                       index_entry index[RAGGED_MAX_RANK]);
// The identity: every dimension of the schema by its own coordinate or tail position.
void index_identity(const ragged_schema *schema, index_entry out[RAGGED_MAX_RANK]);
// Schema of a ragged or dense (static) value; scalars have rank 0.
bool value_schema(MlirValue value, ragged_schema *out);

// ---- Kernels ---------------------------------------------------------------------------------

// A grid's axes and those accumulated over are the ragged dimensions of one value.
#define KERNEL_MAX_COORDINATES 32

// What a kernel's rows are.
typedef enum kernel_kind {
  KERNEL_RAGGED,
  KERNEL_DENSE,     // of builtin tensors (rows_schema)
  KERNEL_ELEMENTS,  // elements of builtin tensors of one shape
} kernel_kind;

typedef struct kernel {
  translation *t;
  kernel_kind kind;  // KERNEL_RAGGED unless it is set after kernel_begin
  MlirOperation operation;
  MlirBlock entry;   // block arguments live here
  ragged_builder b;  // where body ops go
  MlirValue sample;  // null in a kernel that runs once
  bool needs_batch;  // its code reads the number of samples
  MlirValue batch;   // what it takes for that; null: the batch's, or 1 where rows are not ragged
  int num_axes, num_grid, num_coordinates, num_refs;
  const char *axis_names[KERNEL_MAX_AXES];
  MlirValue axis_handles[KERNEL_MAX_AXES];
  int coordinate_axes[KERNEL_MAX_COORDINATES];
  MlirValue coordinates[KERNEL_MAX_COORDINATES];
  MlirValue ref_buffers[KERNEL_MAX_REFS], refs[KERNEL_MAX_REFS];
  MlirType ref_types[KERNEL_MAX_REFS];
  ragged_value_map tiles;  // stage-1 values computed in this kernel → tiles in the value's packed order
} kernel;

// A kernel over the rows of `grid` (its ragged axes in packed order); null: runs once.
void kernel_begin(translation *t, kernel *k, const ragged_schema *grid, const char *hint);
// The schema of a value in the kernel: of its rows, or of the dense operand that it is.
void kernel_schema(kernel *k, MlirValue value, ragged_schema *out);
// Ends the body and launches it over `items` rows.
void kernel_launch(kernel *k, MlirValue items);
int kernel_axis(kernel *k, const char *name, MlirValue handle);
// A ref to `buffer`; the same ref for the same buffer and type.
MlirValue kernel_ref(kernel *k, MlirValue buffer, const ragged_ref_shape *shape);
ragged_ref_shape kernel_packed_shape(kernel *k, const ragged_schema *schema);
ragged_ref_shape kernel_dense_shape(const ragged_schema *schema);

// The tile that an access reads, in the leaf's own packed tail order (loaded if it is not computed
// here); then seen as a tile of `shape` (element type: computed with).
MlirValue kernel_read(kernel *k, const access *a, const ragged_tile_shape *shape);
void kernel_store(kernel *k, MlirValue tile, MlirValue ref, intptr_t num_coordinates,
                  const MlirValue *coordinates);
// Stores to packed rows at the kernel's own grid coordinates.
void kernel_store_rows(kernel *k, MlirValue tile, MlirValue buffer, const ragged_schema *schema);

// Tile ops.
ragged_tile_shape tile_shape_of(MlirValue tile);
ragged_tile_shape schema_tile_shape(const ragged_schema *schema);  // tail, compute type
MlirValue tile_constant(kernel *k, const ragged_tile_shape *shape, double value);
MlirValue tile_elementwise(kernel *k, const char *function, intptr_t count, const MlirValue *tiles);
#define TILE2(k, function, a, b) tile_elementwise((k), (function), RAGGED_VALUES(a, b))
#define TILE1(k, function, a) tile_elementwise((k), (function), RAGGED_VALUES(a))
MlirValue tile_reduce(kernel *k, const char *kind, MlirValue tile, int num_dims, const int64_t *dims);
MlirValue tile_view(kernel *k, MlirValue tile, const int64_t *map, const ragged_tile_shape *shape);
// A reduced tile repeated along `dims` of `shape`.
MlirValue tile_restore(kernel *k, MlirValue reduced, int num_dims, const int64_t *dims,
                       const ragged_tile_shape *shape);
// An accumulation over `axis`, or over the samples where it is negative, with its body, of which the
// first argument is the position; the caller builds that and ends it with yield_tile. `matched`: with a
// match beside each element.
MlirOperation kernel_begin_accumulate(kernel *k, const char *kind, const ragged_tile_shape *shape,
                                      bool matched, int axis, MlirBlock *out_body);
void yield_tile(kernel *k, MlirValue tile);
MlirValue tile_convert(kernel *k, MlirValue tile, ragged_element_type type);
// The numbers of a tile with elements of memory type `from` as a cast to `to` makes them.
MlirValue tile_cast(kernel *k, MlirValue tile, ragged_element_type from, ragged_element_type to);
MlirValue tile_extent(kernel *k, int axis);  // tile<i64>
MlirValue tile_load(kernel *k, MlirValue ref, intptr_t num_coordinates, const MlirValue *coordinates,
                    const double *fill);

// x where a equals b, else y (ragged_tile.where_equal).
MlirValue tile_where_equal(kernel *k, MlirValue a, MlirValue b, MlirValue x, MlirValue y);

// ---- Positions (emit_positions.c) ------------------------------------------------------------

// Entries of the samples before this one, in groups that go through the batch: tile<i64>.
MlirValue emit_entries_before(kernel *k, const ragged_schema *x, const bool *reduced);
// Each entry's position in its group, as argmax counts: a tile of i64 shaped like a row of `x`, whose
// dimensions `index` tells by coordinate or tail position. `before`: the above; null: none.
MlirValue emit_group_position(kernel *k, const ragged_schema *x, const bool *reduced,
                              const index_entry *index, MlirValue before);
// Entries, or what is left of them, and the match of each: minus its position, so that the first of equal
// entries has the greatest; the lowest integer where there is none.
typedef struct matched_tile {
  MlirValue value, match;
} matched_tile;
MlirValue emit_match(kernel *k, MlirValue position);
// The maximum over dimensions `dims`, with its match.
matched_tile emit_first_maximum(kernel *k, matched_tile entries, int num_dims, const int64_t *dims);
// The position that a match says; -1: there is none.
MlirValue emit_matched_position(kernel *k, MlirValue match);
// How dy and positions of a scatter_max are indexed by a row of its result.
void index_group(MlirOperation operation, const ragged_schema *result,
                 index_entry out[RAGGED_MAX_RANK]);
MlirValue emit_scatter_max(kernel *k, MlirOperation operation);

// ---- Op families -----------------------------------------------------------------------------

// How many positions the `counted` dimensions of `schema` span in the kernel's sample: tile<i64>.
MlirValue emit_size(kernel *k, const ragged_schema *schema, const bool *counted);
// The tile of a ragged.size.
MlirValue emit_size_op(kernel *k, MlirOperation operation);
// The row of a late op that `a` reads, in its own packed tail order.
MlirValue emit_late(kernel *k, const access *a);
// Emits the rows of a row-local op into a kernel over the rows of its result; returns its tile.
MlirValue emit_rows(kernel *k, MlirOperation operation);
// Row-local: the result's row needs the operands' rows only, all in one space. Elements of builtin
// tensors are rows too.
bool is_row_local(MlirOperation operation);
void translate_reduction(translation *t, MlirOperation operation);   // that is not row-local
void translate_dense_reduction(translation *t, MlirOperation operation);  // of a builtin tensor
void translate_product_over_rows(translation *t, MlirOperation operation);
void translate_conversion(translation *t, MlirOperation operation);  // values, pack, ...
void translate_metadata(translation *t, MlirOperation operation);    // extents, offsets, sizes
void translate_box(translation *t, MlirOperation operation);         // pack, unpack, with_padded
// The axes that an op creates, of lengths or offsets; none for most.
void define_axes(translation *t, MlirOperation operation);
bool is_conversion_op(MlirOperation operation);
bool is_metadata_op(MlirOperation operation);
bool is_box_op(MlirOperation operation);
bool is_reduction_op(MlirOperation operation);
bool is_elementwise_op(MlirOperation operation);  // a row of elementwise.def, or cast
bool is_broadcast_op(MlirOperation operation);    // broadcast or full: operand 1 is not read
// What an elementwise op makes of the tiles of its operands, which have one shape.
MlirValue emit_function(kernel *k, MlirOperation operation, intptr_t count, const MlirValue *tiles);
// arith on scalars that computes in bf16 (scalar_bf16.c), and what it gives in the host program.
bool is_bf16_arithmetic(MlirOperation operation);
MlirValue emit_bf16_arithmetic(translation *t, MlirOperation operation);
// "add" for "ragged.add".
const char *short_name(translation *t, MlirOperation operation);
// dims attribute; returns their number.
int op_dims(MlirOperation operation, const char *name, int64_t dims[RAGGED_MAX_RANK]);

// ---- Row groups ------------------------------------------------------------------------------

bool group_try_add(translation *t, MlirOperation operation);  // opens one if none is open
void group_close(translation *t);                             // emits and launches the kernel
// Whether the open group computes something that `operation` reads.
bool group_feeds(const translation *t, MlirOperation operation);
// A value has to stand in memory if something other than a kernel's load reads it.
bool value_needs_buffer(const translation *t, MlirValue value);
void fuse_epilogues(kernel *k);  // dot followed by an activation or a sum → one dot

// Inserts ragged_tile.release and .retain so that every buffer ends after its last use.
void insert_releases(MlirContext context, MlirOperation host_function, MlirValue frame);

#endif  // RAGGED_LOWER_TILE_TRANSLATION_H
