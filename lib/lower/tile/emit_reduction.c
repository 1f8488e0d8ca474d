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
  for (int j = 0; j < count; ++j) r.reduced[dims[j]] = r.group[dims[j]] = true;
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

static MlirValue load_row(kernel *k, const ragged_schema *x, MlirValue buffer,
                          const index_entry *index) {
  ragged_ref_shape shape = kernel_packed_shape(k, x);
  MlirValue at[1 + RAGGED_MAX_RANK] = {k->sample};
  for (int j = 0; j < shape.num_axes; ++j) at[1 + j] = k->coordinates[index[x->order[j]].number];
  return tile_load(k, kernel_ref(k, buffer, &shape), 1 + shape.num_axes, at, NULL);
}

// The accumulations of a kernel, one per reduced ragged axis.
typedef struct accumulations {
  const reduction *reduction;
  ragged_tile_shape shape;         // of what they give
  int64_t dims[RAGGED_MAX_RANK];   // of the operand's row, that are reduced
  int num_dims;
  MlirValue before;  // argmax of a batch: emit_entries_before
} accumulations;

// An argmax keeps whole rows until the end: inside, what to compare a row's numbers with would be computed for
// each of them.
static accumulations plan_accumulations(kernel *k, const reduction *r) {
  const ragged_schema *x = &r->operand;
  int num_ragged = ragged_schema_num_ragged(x);
  accumulations a = {.reduction = r, .shape = {.element_type = r->element}};
  for (int j = num_ragged; j < x->rank; ++j) {
    bool reduced = r->reduced[x->order[j]];
    if (reduced) a.dims[a.num_dims++] = j - num_ragged;
    if (!reduced || r->argmax) a.shape.extents[a.shape.rank++] = x->dimensions[x->order[j]].extent;
  }
  if (r->argmax && r->batch && mlirValueIsNull(r->matches))
    a.before = emit_entries_before(k, x, r->group);
  return a;
}

// The operand's row, in its packed tail order.
static MlirValue read_row(kernel *k, const reduction *r, const index_entry *index) {
  const ragged_schema *x = &r->operand;
  ragged_tile_shape tail = schema_tile_shape(x);
  if (!mlirValueIsNull(r->source)) return load_row(k, x, r->source, index);
  access a = resolve_access(mlirOperationGetOperand(r->operation, 0), index);
  return kernel_read(k, &a, &tail);
}

static ragged_schema matches_of(const ragged_schema *entries) {
  ragged_schema matches = *entries;
  matches.element_type = RAGGED_ELEMENT_I64;
  return matches;
}

static MlirValue read_match(kernel *k, const accumulations *a, const index_entry *index) {
  const reduction *r = a->reduction;
  if (mlirValueIsNull(r->matches))
    return emit_match(k, emit_group_position(k, &r->operand, r->group, index, a->before));
  ragged_schema matches = matches_of(&r->operand);
  return load_row(k, &matches, r->matches, index);
}

static void yield(kernel *k, matched_tile tile) {
  MlirValue values[] = {tile.value, tile.match};
  ragged_build(&k->b, "ragged_tile.yield", mlirValueIsNull(tile.match) ? 1 : 2, values, RAGGED_NONE,
               RAGGED_NONE, RAGGED_NONE);
}

void yield_tile(kernel *k, MlirValue tile) { yield(k, (matched_tile){tile, {NULL}}); }

static matched_tile results_of(MlirOperation accumulate) {
  bool matched = mlirOperationGetNumResults(accumulate) == 2;
  return (matched_tile){mlirOperationGetResult(accumulate, 0),
                        matched ? mlirOperationGetResult(accumulate, 1) : ragged_value_none()};
}

static matched_tile reduce_row(kernel *k, const accumulations *a, const index_entry *index) {
  const reduction *r = a->reduction;
  MlirValue row = tile_convert(k, read_row(k, r, index), r->element);
  if (!r->argmax) return (matched_tile){tile_reduce(k, r->kind, row, a->num_dims, a->dims), {NULL}};
  return (matched_tile){row, read_match(k, a, index)};
}

// Over the reduced ragged axes from packed position `next` on, innermost the row.
static matched_tile accumulate_axes(kernel *k, const accumulations *a, index_entry *index, int next) {
  const reduction *r = a->reduction;
  const ragged_schema *x = &r->operand;
  int num_ragged = ragged_schema_num_ragged(x);
  while (next < num_ragged && !r->reduced[x->order[next]]) ++next;
  if (next == num_ragged) return reduce_row(k, a, index);
  const char *name = x->dimensions[x->order[next]].axis;
  int axis = kernel_axis(k, name, host_axis(k->t, name));
  MlirBlock body;
  MlirOperation loop = kernel_begin_accumulate(k, r->kind, &a->shape, r->argmax, axis, &body);
  ragged_builder outer = k->b;
  k->b = ragged_builder_at_end(body, outer.location);
  int coordinate = k->num_coordinates++;
  k->coordinates[coordinate] = mlirBlockGetArgument(body, 0);
  k->coordinate_axes[coordinate] = axis;
  index[x->order[next]] = (index_entry){INDEX_COORDINATE, coordinate};
  yield(k, accumulate_axes(k, a, index, next + 1));
  k->b = outer;
  return results_of(loop);
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
  accumulations a = plan_accumulations(&k, r);
  matched_tile whole = accumulate_axes(&k, &a, index, 0);
  if (r->argmax) whole = emit_first_maximum(&k, whole, a.num_dims, a.dims);
  MlirValue tile = r->argmax ? whole.match : whole.value;
  const reduction *counted = target->counted;
  if (counted) tile = divide(&k, r, tile, emit_size(&k, &counted->operand, counted->reduced));
  if (!mlirValueIsNull(target->maxima)) store_samples(&k, r, target, whole.value, r->element, target->maxima);
  else if (r->argmax) tile = emit_matched_position(&k, tile);
  store_samples(&k, r, target, tile, target->grid->element_type, target->buffer);
  kernel_launch(&k, mlirValueIsNull(target->items) ? host_rows(t, target->grid) : target->items);
}

// The outermost ragged dimension that is reduced, if an inner one is too; else -1. Not of entries of a
// few numbers: what a step more would read of offsets could be a tenth of them.
static int outer_dimension(const reduction *r) {
  enum { LEAST_TAIL = 8 };
  int outer = -1;
  if (ragged_schema_tail_size(&r->operand) < LEAST_TAIL) return -1;
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
// that. A sample, however large, is shared out, and its sums do not depend on how. Of an argmax the first step
// gives maxima and their matches.
static void launch_in_steps(translation *t, const reduction *r, const reduction_target *target) {
  int outer = outer_dimension(r);
  if (outer < 0) {
    reduction_launch(t, r, target);
    return;
  }
  reduction inner = *r, last = *r;
  inner.reduced[outer] = false;
  reduction_target middle = {0}, end = *target;
  ragged_schema rows = remaining_schema(&inner, middle.place), matches = matches_of(&rows);
  middle.grid = &rows;
  last.source = middle.buffer = host_allocate(t, &rows);
  if (r->argmax) {
    middle.grid = &matches;
    middle.maxima = last.source;
    last.matches = middle.buffer = host_allocate(t, &matches);
  }
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

// Opens an accumulation over the samples; the builder stays in its body until end_batch.
typedef struct batch_loop {
  MlirOperation operation;
  ragged_builder outer;
  MlirValue sample;
} batch_loop;

static batch_loop begin_batch(kernel *k, const reduction *r, const ragged_schema *partial) {
  MlirBlock body;
  ragged_tile_shape shape = schema_tile_shape(partial);
  batch_loop loop = {.operation = kernel_begin_accumulate(k, r->kind, &shape, r->argmax, -1, &body),
                     .outer = k->b};
  loop.sample = mlirBlockGetArgument(body, 0);
  k->b = ragged_builder_at_end(body, loop.outer.location);
  return loop;
}

static matched_tile end_batch(kernel *k, const batch_loop *loop, matched_tile tile) {
  yield(k, tile);
  k->b = loop->outer;
  return results_of(loop->operation);
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
  reduction_target samples = {0};
  ragged_schema partial = remaining_schema(r, samples.place);
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
  batch_loop loop = begin_batch(&k, r, &partial);
  matched_tile own = {load_partial(&k, sums, &partial, loop.sample), {NULL}};
  MlirValue tile = end_batch(&k, &loop, own).value;
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

// Of each sample its maxima and their matches, counted through the batch; then the same of the batch, from
// these.
static void argmax_batch(translation *t, const reduction *r, MlirValue result) {
  reduction_target samples = {0};
  ragged_schema maxima = remaining_schema(r, samples.place), matches = matches_of(&maxima);
  samples.grid = &matches;
  samples.maxima = host_allocate(t, &maxima);
  samples.buffer = host_allocate(t, &matches);
  launch_in_steps(t, r, &samples);

  kernel k;
  kernel_begin(t, &k, NULL, "batch");
  k.needs_batch = true;
  batch_loop loop = begin_batch(&k, r, &maxima);
  matched_tile own = {load_partial(&k, samples.maxima, &maxima, loop.sample),
                      load_partial(&k, samples.buffer, &matches, loop.sample)};
  finish_batch(&k, r, emit_matched_position(&k, end_batch(&k, &loop, own).match), result);
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
