// Reductions over ragged axes, and over the batch: one kernel over the result's rows, with an
// accumulation per reduced axis; for the batch a second kernel that runs once.
#include <string.h>

#include "lower/tile/translation.h"
#include "mlir-c/BuiltinAttributes.h"

typedef struct reduction {
  MlirOperation operation;
  ragged_schema operand;
  bool reduced[RAGGED_MAX_RANK];  // per logical dimension
  const char *kind;               // of the accumulation
  bool mean, empty_zero;
} reduction;

static reduction read_reduction(MlirOperation operation) {
  reduction r = {.operation = operation};
  value_schema(mlirOperationGetOperand(operation, 0), &r.operand);
  int64_t dims[RAGGED_MAX_RANK];
  int count = op_dims(operation, "dims", dims);
  for (int j = 0; j < count; ++j) r.reduced[dims[j]] = true;
  r.kind = ragged_operation_is(operation, "ragged.max") ? "maximum" : "add";
  r.mean = ragged_operation_is(operation, "ragged.mean");
  r.empty_zero = r.mean && ragged_operation_int(operation, "empty", 0) == 1;
  return r;
}

// What the accumulations give: the static dimensions that are left, in packed order.
static ragged_tile_shape kept_shape(const reduction *r) {
  ragged_tile_shape shape = {.element_type = ragged_compute_type(r->operand.element_type)};
  for (int j = ragged_schema_num_ragged(&r->operand); j < r->operand.rank; ++j) {
    int d = r->operand.order[j];
    if (!r->reduced[d]) shape.extents[shape.rank++] = r->operand.dimensions[d].extent;
  }
  return shape;
}

// Opens an accumulation with its body; the caller continues in the body and yields.
static MlirOperation begin_accumulate(kernel *k, const char *kind, const ragged_tile_shape *shape,
                                      int axis, MlirBlock *out_body) {
  MlirContext context = k->t->context;
  MlirType index = mlirIndexTypeGet(context);
  MlirRegion region = mlirRegionCreate();
  *out_body = mlirBlockCreate(1, &index, &k->b.location);
  mlirRegionAppendOwnedBlock(region, *out_body);
  MlirType type = ragged_tile_type(context, shape);
  MlirNamedAttribute attributes[] = {
      ragged_named(context, "kind", translation_string(k->t, kind)),
      ragged_named(context, "axis", ragged_attribute_i64(context, axis))};
  return ragged_build(&k->b, "ragged_tile.accumulate", axis < 0 ? 0 : 1, &k->sample, 1, &type,
                      axis < 0 ? 1 : 2, attributes, 1, &region);
}

static void yield(const ragged_builder *b, MlirValue tile) {
  ragged_build(b, "ragged_tile.yield", RAGGED_VALUES(tile), RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
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
    MlirOperation loop = begin_accumulate(k, r->kind, &shape, axis, &body);
    ragged_builder outer = k->b;
    k->b = ragged_builder_at_end(body, outer.location);
    int coordinate = k->num_coordinates++;
    k->coordinates[coordinate] = mlirBlockGetArgument(body, 0);
    k->coordinate_axes[coordinate] = axis;
    index[x->order[next]] = (index_entry){INDEX_COORDINATE, coordinate};
    yield(&k->b, accumulate_axes(k, r, index, next + 1));
    k->b = outer;
    return mlirOperationGetResult(loop, 0);
  }
  access a = resolve_access(mlirOperationGetOperand(r->operation, 0), index);
  ragged_tile_shape tail = schema_tile_shape(x);
  MlirValue tile = kernel_read(k, &a, &tail);
  int64_t positions[RAGGED_MAX_RANK];
  int count = 0;
  for (int j = num_ragged; j < x->rank; ++j)
    if (r->reduced[x->order[j]]) positions[count++] = j - num_ragged;
  return tile_reduce(k, r->kind, tile, count, positions);
}

// sum / count, count an i64 tile of rank 0; an empty group divides by 1 with `empty = zero`.
static MlirValue divide(kernel *k, const reduction *r, MlirValue sum, MlirValue count) {
  if (r->empty_zero) count = TILE1(k, "zero_to_one", count);
  ragged_tile_shape shape = tile_shape_of(sum);
  MlirValue number = tile_convert(k, count, shape.element_type);
  return TILE2(k, "div", sum, tile_view(k, number, NULL, &shape));
}

static MlirValue static_count(kernel *k, const reduction *r) {
  ragged_tile_shape number = {.element_type = RAGGED_ELEMENT_I64};
  double entries = 1;
  for (int d = 0; d < r->operand.rank; ++d)
    if (r->reduced[d] && !r->operand.dimensions[d].axis)
      entries *= (double)r->operand.dimensions[d].extent;
  return tile_constant(k, &number, entries);
}

// The kernel over `grid`'s rows; `result` says where each dimension that is left goes.
static void reduce_samples(translation *t, const reduction *r, const ragged_schema *grid,
                           const int *place, bool divide_here, MlirValue buffer) {
  kernel k;
  kernel_begin(t, &k, grid, short_name(t, r->operation));
  index_entry index[RAGGED_MAX_RANK] = {0};
  const ragged_schema *x = &r->operand;
  int num_ragged = ragged_schema_num_ragged(x);
  for (int j = 0; j < x->rank; ++j) {
    int d = x->order[j];
    if (j >= num_ragged) index[d] = (index_entry){INDEX_TAIL, j - num_ragged};
    else if (!r->reduced[d])
      index[d] = (index_entry){INDEX_COORDINATE, ragged_schema_packed_position(grid, place[d])};
  }
  MlirValue tile = accumulate_axes(&k, r, index, 0);
  if (r->mean && divide_here) {
    MlirValue count = static_count(&k, r);
    for (int d = 0; d < x->rank; ++d)
      if (r->reduced[d] && x->dimensions[d].axis) {
        int axis = kernel_axis(&k, x->dimensions[d].axis, host_axis(t, x->dimensions[d].axis));
        count = TILE2(&k, "mul", count, tile_extent(&k, axis));
      }
    tile = divide(&k, r, tile, count);
  }
  int64_t map[RAGGED_MAX_RANK];
  int next = 0, grid_ragged = ragged_schema_num_ragged(grid);
  for (int j = num_ragged; j < x->rank; ++j)
    if (!r->reduced[x->order[j]])
      map[next++] = ragged_schema_packed_position(grid, place[x->order[j]]) - grid_ragged;
  ragged_tile_shape out = schema_tile_shape(grid);
  kernel_store_rows(&k, tile_view(&k, tile, map, &out), buffer, grid);
  kernel_launch(&k, host_rows(t, grid));
}

// Result dimension of each operand dimension that is left.
static void result_places(const reduction *r, bool keep, int place[RAGGED_MAX_RANK]) {
  for (int d = 0, next = 0; d < r->operand.rank; ++d)
    place[d] = keep ? d : r->reduced[d] ? -1 : next++;
}

static void reduce_batch(translation *t, const reduction *r, MlirValue result) {
  // Per sample first: all ragged dimensions are reduced, what is left is the kept tail.
  ragged_tile_shape kept = kept_shape(r);
  ragged_schema partial = {.element_type = kept.element_type, .rank = kept.rank};
  int place[RAGGED_MAX_RANK], next = 0;
  for (int j = ragged_schema_num_ragged(&r->operand); j < r->operand.rank; ++j)
    if (!r->reduced[r->operand.order[j]]) place[r->operand.order[j]] = next++;
  for (int d = 0; d < kept.rank; ++d) {
    partial.dimensions[d] = ragged_dimension_static(kept.extents[d]);
    partial.order[d] = d;
  }
  MlirValue sums = host_allocate(t, &partial);
  reduce_samples(t, r, &partial, place, false, sums);

  ragged_schema dense;
  value_schema(result, &dense);
  MlirValue shape[RAGGED_MAX_RANK];
  for (int d = 0; d < dense.rank; ++d) shape[d] = host_i64(t, dense.dimensions[d].extent);
  MlirNamedAttribute element =
      ragged_named(t->context, "element_type",
                   ragged_attribute_type(ragged_element_to_mlir(t->context, dense.element_type)));
  MlirValue buffer = host_value(t, "ragged_tile.allocate_dense",
                                translation_type(t, RAGGED_HOST_BUFFER), dense.rank, shape, 1,
                                &element);
  MlirValue count_buffer = ragged_value_none();
  if (r->mean)
    count_buffer = host_value(t, "ragged_tile.row_count", translation_type(t, RAGGED_HOST_BUFFER),
                              RAGGED_VALUES(host_space(t, &r->operand)), RAGGED_NONE);
  kernel k;
  kernel_begin(t, &k, NULL, "batch");
  k.needs_batch = true;
  MlirBlock body;
  MlirOperation loop = begin_accumulate(&k, r->kind, &kept, -1, &body);
  ragged_builder outer = k.b;
  k.b = ragged_builder_at_end(body, outer.location);
  ragged_ref_shape ref_shape = kernel_packed_shape(&k, &partial);
  MlirValue sample = mlirBlockGetArgument(body, 0);
  yield(&k.b, tile_load(&k, kernel_ref(&k, sums, &ref_shape), 1, &sample, NULL));
  k.b = outer;
  MlirValue tile = mlirOperationGetResult(loop, 0);
  if (r->mean) {
    ragged_schema number = {.element_type = RAGGED_ELEMENT_I64};
    ragged_ref_shape number_shape = kernel_dense_shape(&number);
    MlirValue rows = tile_load(&k, kernel_ref(&k, count_buffer, &number_shape), 0, NULL, NULL);
    tile = divide(&k, r, tile, TILE2(&k, "mul", rows, static_count(&k, r)));
  }
  bool keep = ragged_operation_has(r->operation, "keep_dims");
  int64_t map[RAGGED_MAX_RANK];
  next = 0;
  result_places(r, keep, place);
  for (int j = ragged_schema_num_ragged(&r->operand); j < r->operand.rank; ++j)
    if (!r->reduced[r->operand.order[j]]) map[next++] = place[r->operand.order[j]];
  ragged_ref_shape out_shape = kernel_dense_shape(&dense);
  ragged_tile_shape out = schema_tile_shape(&dense);
  kernel_store(&k, tile_view(&k, tile, map, &out), kernel_ref(&k, buffer, &out_shape), 0, NULL);
  kernel_launch(&k, host_i64(t, 1));
  host_set_buffer(t, result, buffer);
}

void translate_reduction(translation *t, MlirOperation operation) {
  reduction r = read_reduction(operation);
  MlirValue result = mlirOperationGetResult(operation, 0);
  if (ragged_operation_has(operation, "batch")) {
    reduce_batch(t, &r, result);
    return;
  }
  ragged_schema schema;
  value_schema(result, &schema);
  int place[RAGGED_MAX_RANK];
  result_places(&r, ragged_operation_has(operation, "keep_dims"), place);
  MlirValue buffer = host_allocate(t, &schema);
  reduce_samples(t, &r, &schema, place, true, buffer);
  host_set_buffer(t, result, buffer);
}
