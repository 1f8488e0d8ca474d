// Reductions over ragged axes, and over the batch: one kernel over the result's rows, with an
// accumulation per reduced axis; for the batch a second kernel that runs once.
#include <string.h>

#include "lower/tile/reduction.h"
#include "mlir-c/BuiltinAttributes.h"

reduction reduction_read(MlirOperation operation) {
  reduction r = {.operation = operation};
  value_schema(mlirOperationGetOperand(operation, 0), &r.operand);
  int64_t dims[RAGGED_MAX_RANK];
  int count = op_dims(operation, "dims", dims);
  for (int j = 0; j < count; ++j) r.reduced[dims[j]] = true;
  ragged_element_type element = r.operand.element_type;
  r.element = element == RAGGED_ELEMENT_I1 ? RAGGED_ELEMENT_I64  // truth values are counted
                                           : ragged_compute_type(element);
  r.argmax = ragged_operation_is(operation, "ragged.argmax");
  r.batch = ragged_operation_has(operation, "batch");
  r.kind = r.argmax || ragged_operation_is(operation, "ragged.max") ? "maximum" : "add";
  r.mean = ragged_operation_is(operation, "ragged.mean");
  r.empty_zero = r.mean && ragged_operation_int(operation, "empty", 0) == 1;
  return r;
}

// What the accumulations give: the static dimensions that are left, in packed order.
static ragged_tile_shape kept_shape(const reduction *r) {
  ragged_tile_shape shape = {.element_type =
                                 mlirValueIsNull(r->maximum) ? r->element : RAGGED_ELEMENT_I64};
  for (int j = ragged_schema_num_ragged(&r->operand); j < r->operand.rank; ++j) {
    int d = r->operand.order[j];
    if (!r->reduced[d]) shape.extents[shape.rank++] = r->operand.dimensions[d].extent;
  }
  return shape;
}

void yield_tile(const ragged_builder *b, MlirValue tile) {
  ragged_build(b, "ragged_tile.yield", RAGGED_VALUES(tile), RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
}

static MlirValue load_row(kernel *k, const ragged_schema *x, MlirValue buffer,
                          const index_entry *index) {
  ragged_ref_shape shape = kernel_packed_shape(k, x);
  MlirValue at[1 + RAGGED_MAX_RANK] = {k->sample};
  for (int j = 0; j < shape.num_axes; ++j) at[1 + j] = k->coordinates[index[x->order[j]].number];
  return tile_load(k, kernel_ref(k, buffer, &shape), 1 + shape.num_axes, at, NULL);
}

// The operand's row, in its packed tail order.
static MlirValue read_row(kernel *k, const reduction *r, const index_entry *index) {
  const ragged_schema *x = &r->operand;
  ragged_tile_shape tail = schema_tile_shape(x);
  if (!mlirValueIsNull(r->source)) return load_row(k, x, r->source, index);
  access a = resolve_access(mlirOperationGetOperand(r->operation, 0), index);
  return kernel_read(k, &a, &tail);
}

static MlirValue read_positions(kernel *k, const reduction *r, const index_entry *index) {
  if (mlirValueIsNull(r->positions))
    return emit_group_position(k, &r->operand, r->reduced, index, r->batch);
  ragged_schema positions = r->operand;
  positions.element_type = RAGGED_ELEMENT_I64;
  return load_row(k, &positions, r->positions, index);
}

// Accumulations over the reduced ragged axes from packed position `next` on, innermost the row.
static MlirValue accumulate_axes(kernel *k, const reduction *r, index_entry *index, int next) {
  const ragged_schema *x = &r->operand;
  int num_ragged = ragged_schema_num_ragged(x);
  while (next < num_ragged && !r->reduced[x->order[next]]) ++next;
  ragged_tile_shape shape = kept_shape(r);
  if (next < num_ragged) {
    const char *name = x->dimensions[x->order[next]].axis;
    int axis = kernel_axis(k, name, host_axis(k->t, name));
    MlirBlock body;
    MlirOperation loop = kernel_begin_accumulate(k, r->kind, &shape, axis, &body);
    ragged_builder outer = k->b;
    k->b = ragged_builder_at_end(body, outer.location);
    int coordinate = k->num_coordinates++;
    k->coordinates[coordinate] = mlirBlockGetArgument(body, 0);
    k->coordinate_axes[coordinate] = axis;
    index[x->order[next]] = (index_entry){INDEX_COORDINATE, coordinate};
    yield_tile(&k->b, accumulate_axes(k, r, index, next + 1));
    k->b = outer;
    return mlirOperationGetResult(loop, 0);
  }
  MlirValue tile = tile_convert(k, read_row(k, r, index), r->element);
  int64_t positions[RAGGED_MAX_RANK];
  int count = 0;
  for (int j = num_ragged; j < x->rank; ++j)
    if (r->reduced[x->order[j]]) positions[count++] = j - num_ragged;
  if (mlirValueIsNull(r->maximum)) return tile_reduce(k, r->kind, tile, count, positions);
  return emit_first_match(k, tile, r->maximum, read_positions(k, r, index), count, positions);
}

// sum / count, count an i64 tile of rank 0; an empty group divides by 1 with `empty = zero`.
static MlirValue divide(kernel *k, const reduction *r, MlirValue sum, MlirValue count) {
  if (r->empty_zero) count = TILE1(k, "zero_to_one", count);
  ragged_tile_shape shape = tile_shape_of(sum);
  MlirValue number = tile_convert(k, count, shape.element_type);
  return TILE2(k, "div", sum, tile_view(k, number, NULL, &shape));
}

// Opens the kernel over the rows of the target's grid. `index` is that of the operand but for what is
// reduced.
static void begin_samples(translation *t, kernel *k, const reduction *r,
                          const reduction_target *target, index_entry *index) {
  const ragged_schema *x = &r->operand, *grid = target->grid;
  kernel_begin(t, k, grid, short_name(t, r->operation));
  k->kind = target->kind;
  k->batch = target->batch;
  memset(index, 0, sizeof *index * RAGGED_MAX_RANK);
  int num_ragged = ragged_schema_num_ragged(x);
  for (int j = 0; j < x->rank; ++j) {
    int d = x->order[j];
    if (j >= num_ragged) index[d] = (index_entry){INDEX_TAIL, j - num_ragged};
    else if (!r->reduced[d])
      index[d] = (index_entry){INDEX_COORDINATE, ragged_schema_packed_position(grid, target->place[d])};
  }
}

// Stores what is left, a tile in the operand's packed order, to the rows of the grid.
static void store_samples(kernel *k, const reduction *r, const reduction_target *target, MlirValue tile,
                          ragged_element_type element, MlirValue buffer) {
  const ragged_schema *x = &r->operand;
  ragged_schema grid = *target->grid;
  grid.element_type = element;
  int64_t map[RAGGED_MAX_RANK];
  int next = 0, grid_ragged = ragged_schema_num_ragged(&grid);
  for (int j = ragged_schema_num_ragged(x); j < x->rank; ++j)
    if (!r->reduced[x->order[j]])
      map[next++] = ragged_schema_packed_position(&grid, target->place[x->order[j]]) - grid_ragged;
  ragged_tile_shape out = schema_tile_shape(&grid);
  kernel_store_rows(k, tile_view(k, tile, map, &out), buffer, &grid);
}

void reduction_launch(translation *t, const reduction *r, const reduction_target *target) {
  kernel k;
  index_entry index[RAGGED_MAX_RANK];
  begin_samples(t, &k, r, target, index);
  MlirValue tile = accumulate_axes(&k, r, index, 0);
  const reduction *counted = target->counted;
  if (counted) tile = divide(&k, r, tile, emit_size(&k, &counted->operand, counted->reduced));
  if (r->argmax) {
    reduction match = *r;
    match.maximum = tile;
    MlirValue first = accumulate_axes(&k, &match, index, 0);
    bool last = mlirValueIsNull(target->maxima);
    if (!last) store_samples(&k, r, target, tile, r->element, target->maxima);
    tile = last ? emit_found_position(&k, first) : emit_match_position(&k, first);
  }
  store_samples(&k, r, target, tile, target->grid->element_type, target->buffer);
  kernel_launch(&k, mlirValueIsNull(target->items) ? host_rows(t, target->grid) : target->items);
}

// The outermost ragged dimension that is reduced, if an inner one is too; else -1. Not of entries of a
// few numbers: what a step more would read of offsets could be a tenth of them.
static int outer_dimension(const reduction *r) {
  enum { LEAST_TAIL = 8 };
  int outer = -1;
  if (r->argmax || ragged_schema_tail_size(&r->operand) < LEAST_TAIL) return -1;
  for (int j = 0; j < ragged_schema_num_ragged(&r->operand); ++j) {
    int d = r->operand.order[j];
    if (!r->reduced[d]) continue;
    if (outer >= 0) return outer;
    outer = d;
  }
  return -1;
}

// The operand's dimensions without those that `r` reduces, in its order; `place`: where each goes.
static ragged_schema remaining_schema(const reduction *r, int place[RAGGED_MAX_RANK]) {
  ragged_schema rows = {.element_type = r->element};
  for (int d = 0; d < r->operand.rank; ++d)
    if (!r->reduced[d]) rows.dimensions[place[d] = rows.rank++] = r->operand.dimensions[d];
  for (int j = 0, next = 0; j < r->operand.rank; ++j)
    if (!r->reduced[r->operand.order[j]]) rows.order[next++] = place[r->operand.order[j]];
  return rows;
}

// Over two ragged dimensions or more: the inner ones first, a row for each position of the outermost, then
// that. A sample, however large, is shared out, and its sums do not depend on how.
static void launch_in_steps(translation *t, const reduction *r, const reduction_target *target) {
  int outer = outer_dimension(r);
  if (outer < 0) {
    reduction_launch(t, r, target);
    return;
  }
  reduction inner = *r, last = *r;
  inner.reduced[outer] = false;
  reduction_target middle = {0}, end = *target;
  ragged_schema rows = remaining_schema(&inner, middle.place);
  middle.grid = &rows;
  last.source = middle.buffer = host_allocate(t, &rows);
  reduction_launch(t, &inner, &middle);
  last.operand = rows;
  memset(last.reduced, 0, sizeof last.reduced);
  last.reduced[middle.place[outer]] = true;
  for (int d = 0; d < r->operand.rank; ++d)
    if (!r->reduced[d]) end.place[middle.place[d]] = target->place[d];
  reduction_launch(t, &last, &end);
}

// Result dimension of each operand dimension that is left.
static void result_places(const reduction *r, bool keep, int place[RAGGED_MAX_RANK]) {
  for (int d = 0, next = 0; d < r->operand.rank; ++d)
    place[d] = keep ? d : r->reduced[d] ? -1 : next++;
}

// What a sample has before the batch is reduced: a row of the kept dimensions, in packed order.
static ragged_schema partial_schema(const reduction *r, int place[RAGGED_MAX_RANK]) {
  ragged_tile_shape kept = kept_shape(r);
  ragged_schema partial = {.element_type = kept.element_type, .rank = kept.rank};
  for (int j = ragged_schema_num_ragged(&r->operand), next = 0; j < r->operand.rank; ++j)
    if (!r->reduced[r->operand.order[j]]) place[r->operand.order[j]] = next++;
  for (int d = 0; d < kept.rank; ++d) {
    partial.dimensions[d] = ragged_dimension_static(kept.extents[d]);
    partial.order[d] = d;
  }
  return partial;
}

// Opens an accumulation over the samples; the builder stays in its body until end_batch.
typedef struct batch_loop {
  MlirOperation operation;
  ragged_builder outer;
  MlirValue sample;
} batch_loop;

static batch_loop begin_batch(kernel *k, const char *kind, const ragged_tile_shape *shape) {
  MlirBlock body;
  batch_loop loop = {.operation = kernel_begin_accumulate(k, kind, shape, -1, &body), .outer = k->b};
  loop.sample = mlirBlockGetArgument(body, 0);
  k->b = ragged_builder_at_end(body, loop.outer.location);
  return loop;
}

static MlirValue end_batch(kernel *k, const batch_loop *loop, MlirValue tile) {
  yield_tile(&k->b, tile);
  k->b = loop->outer;
  return mlirOperationGetResult(loop->operation, 0);
}

static MlirValue load_partial(kernel *k, MlirValue buffer, const ragged_schema *partial,
                              MlirValue sample) {
  ragged_ref_shape shape = kernel_packed_shape(k, partial);
  return tile_load(k, kernel_ref(k, buffer, &shape), 1, &sample, NULL);
}

// Stores what is left of the batch and launches the kernel, which runs once.
static void finish_batch(kernel *k, const reduction *r, MlirValue tile, MlirValue result) {
  translation *t = k->t;
  ragged_schema dense;
  value_schema(result, &dense);
  MlirValue buffer = dense_allocate(t, result);
  int64_t map[RAGGED_MAX_RANK];
  int place[RAGGED_MAX_RANK], next = 0;
  result_places(r, ragged_operation_has(r->operation, "keep_dims"), place);
  for (int j = ragged_schema_num_ragged(&r->operand); j < r->operand.rank; ++j)
    if (!r->reduced[r->operand.order[j]]) map[next++] = place[r->operand.order[j]];
  ragged_ref_shape out_shape = kernel_dense_shape(&dense);
  ragged_tile_shape out = schema_tile_shape(&dense);
  kernel_store(k, tile_view(k, tile, map, &out), kernel_ref(k, buffer, &out_shape), 0, NULL);
  kernel_launch(k, host_i64(t, 1));
  host_set_buffer(t, result, buffer);
}

static void reduce_batch(translation *t, const reduction *r, MlirValue result) {
  // Per sample first: all ragged dimensions are reduced, what is left is the kept tail.
  ragged_tile_shape kept = kept_shape(r);
  reduction_target samples = {0};
  ragged_schema partial = partial_schema(r, samples.place);
  MlirValue sums = host_allocate(t, &partial);
  samples.grid = &partial;
  samples.buffer = sums;
  launch_in_steps(t, r, &samples);
  MlirValue count_buffer = ragged_value_none();
  if (r->mean)
    count_buffer = host_value(t, "ragged_tile.row_count", translation_type(t, RAGGED_HOST_BUFFER),
                              RAGGED_VALUES(host_space(t, &r->operand)), RAGGED_NONE);
  kernel k;
  kernel_begin(t, &k, NULL, "batch");
  k.needs_batch = true;
  batch_loop loop = begin_batch(&k, r->kind, &kept);
  MlirValue tile = end_batch(&k, &loop, load_partial(&k, sums, &partial, loop.sample));
  if (r->mean) {
    ragged_schema number = {.element_type = RAGGED_ELEMENT_I64};
    ragged_ref_shape number_shape = kernel_dense_shape(&number);
    MlirValue rows = tile_load(&k, kernel_ref(&k, count_buffer, &number_shape), 0, NULL, NULL);
    bool fixed[RAGGED_MAX_RANK];  // along the others there are as many entries as rows
    for (int d = 0; d < r->operand.rank; ++d)
      fixed[d] = r->reduced[d] && !r->operand.dimensions[d].axis;
    tile = divide(&k, r, tile, TILE2(&k, "mul", rows, emit_size(&k, &r->operand, fixed)));
  }
  finish_batch(&k, r, tile, result);
}

// Of each sample its maximum and where that is first, counted through the batch; then the same of the
// batch, from these.
static void argmax_batch(translation *t, const reduction *r, MlirValue result) {
  ragged_tile_shape kept = kept_shape(r), numbers = kept;
  numbers.element_type = RAGGED_ELEMENT_I64;
  reduction_target samples = {0};
  ragged_schema maxima = partial_schema(r, samples.place), positions = maxima;
  positions.element_type = RAGGED_ELEMENT_I64;
  samples.grid = &positions;
  samples.maxima = host_allocate(t, &maxima);
  samples.buffer = host_allocate(t, &positions);
  reduction_launch(t, r, &samples);

  kernel k;
  kernel_begin(t, &k, NULL, "batch");
  k.needs_batch = true;
  batch_loop loop = begin_batch(&k, r->kind, &kept);
  MlirValue maximum =
      end_batch(&k, &loop, load_partial(&k, samples.maxima, &maxima, loop.sample));
  loop = begin_batch(&k, r->kind, &numbers);
  MlirValue own = load_partial(&k, samples.maxima, &maxima, loop.sample);
  MlirValue position = load_partial(&k, samples.buffer, &positions, loop.sample);
  MlirValue match = emit_first_match(&k, own, maximum, position, 0, NULL);
  finish_batch(&k, r, emit_found_position(&k, end_batch(&k, &loop, match)), result);
}

void translate_reduction(translation *t, MlirOperation operation) {
  if (!ragged_type_is_tensor(mlirValueGetType(mlirOperationGetOperand(operation, 0)))) {
    translate_dense_reduction(t, operation);
    return;
  }
  reduction r = reduction_read(operation);
  MlirValue result = mlirOperationGetResult(operation, 0);
  if (r.batch) {
    (r.argmax ? argmax_batch : reduce_batch)(t, &r, result);
    return;
  }
  ragged_schema schema;
  value_schema(result, &schema);
  reduction_target target = {.grid = &schema, .counted = r.mean ? &r : NULL};
  result_places(&r, ragged_operation_has(operation, "keep_dims"), target.place);
  target.buffer = host_allocate(t, &schema);
  launch_in_steps(t, &r, &target);
  host_set_buffer(t, result, target.buffer);
}
