// Building kernels: refs, coordinates, tile ops. Called by the op families; decides nothing about
// what a kernel computes.
#include <string.h>

#include "dialect/elementwise_table.h"
#include "lower/tile/translation.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static MlirType index_type(const kernel *k) { return mlirIndexTypeGet(k->t->context); }

void kernel_begin(translation *t, kernel *k, const ragged_schema *grid, const char *hint) {
  *k = (kernel){.t = t};
  const char *base = ragged_operation_string(t->function, "sym_name");
  const char *name = ragged_arena_format(t->arena, "%s_%d_%s", base ? base : "f",
                                         t->num_kernels++, hint);
  MlirRegion region = mlirRegionCreate();
  k->entry = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, k->entry);
  const char *axes[RAGGED_MAX_RANK];
  int num_ragged = grid ? ragged_schema_space(grid, axes) : 0;
  int64_t numbers[RAGGED_MAX_RANK];
  ragged_builder b = t->kernels;
  b.location = t->host.location;
  for (int j = 0; j < num_ragged; ++j)
    numbers[j] = kernel_axis(k, axes[j], host_axis(t, axes[j]));
  k->operation = ragged_build(
      &b, "ragged_tile.kernel", RAGGED_NONE, RAGGED_NONE,
      RAGGED_ATTRIBUTES(ragged_named(t->context, "sym_name", translation_string(t, name)),
                        ragged_named(t->context, "axes", mlirArrayAttrGet(t->context, 0, NULL)),
                        ragged_named(t->context, "grid",
                                     ragged_attribute_i64_array(t->context, num_ragged, numbers))),
      1, &region);
  if (grid) k->sample = mlirBlockAddArgument(k->entry, index_type(k), t->host.location);
  for (int j = 0; j < num_ragged; ++j) {
    k->coordinates[j] = mlirBlockAddArgument(k->entry, index_type(k), t->host.location);
    k->coordinate_axes[j] = (int)numbers[j];
  }
  k->num_coordinates = k->num_grid = num_ragged;
  k->b = ragged_builder_at_end(k->entry, t->host.location);
}

int kernel_axis(kernel *k, const char *name, MlirValue handle) {
  for (int j = 0; j < k->num_axes; ++j)
    if (!strcmp(k->axis_names[j], name)) return j;
  if (k->num_axes == KERNEL_MAX_AXES) {
    translation_fail(k->t, "needs a kernel of more than %d axes", KERNEL_MAX_AXES);
    return 0;
  }
  k->axis_names[k->num_axes] = name;
  k->axis_handles[k->num_axes] = handle;
  return k->num_axes++;
}

MlirValue kernel_ref(kernel *k, MlirValue buffer, const ragged_ref_shape *shape) {
  MlirType type = ragged_ref_type(k->t->context, shape);
  for (int j = 0; j < k->num_refs; ++j)
    if (mlirValueEqual(k->ref_buffers[j], buffer) && mlirTypeEqual(k->ref_types[j], type))
      return k->refs[j];
  if (k->num_refs == KERNEL_MAX_REFS) {
    translation_fail(k->t, "needs a kernel of more than %d refs", KERNEL_MAX_REFS);
    return k->refs[0];
  }
  k->ref_buffers[k->num_refs] = buffer;
  k->ref_types[k->num_refs] = type;
  k->refs[k->num_refs] = mlirBlockAddArgument(k->entry, type, k->t->host.location);
  return k->refs[k->num_refs++];
}

void kernel_schema(kernel *k, MlirValue value, ragged_schema *out) {
  if (k->kind == KERNEL_DENSE) {
    rows_schema(k->t, value, out);
    return;
  }
  value_schema(value, out);
  if (k->kind == KERNEL_ELEMENTS) *out = (ragged_schema){.element_type = out->element_type};
}

ragged_tile_shape schema_tile_shape(const ragged_schema *schema) {
  ragged_tile_shape shape = {.element_type = ragged_compute_type(schema->element_type)};
  shape.rank = ragged_schema_tail(schema, shape.extents);
  return shape;
}

ragged_ref_shape kernel_packed_shape(kernel *k, const ragged_schema *schema) {
  ragged_ref_shape shape = {.kind = RAGGED_REF_PACKED};
  const char *axes[RAGGED_MAX_RANK];
  shape.num_axes = ragged_schema_space(schema, axes);
  for (int j = 0; j < shape.num_axes; ++j)
    shape.axes[j] = kernel_axis(k, axes[j], host_axis(k->t, axes[j]));
  shape.tail = schema_tile_shape(schema);
  shape.tail.element_type = schema->element_type;
  return shape;
}

ragged_ref_shape kernel_dense_shape(const ragged_schema *schema) {
  ragged_ref_shape shape = {.kind = RAGGED_REF_DENSE};
  shape.tail = schema_tile_shape(schema);
  shape.tail.element_type = schema->element_type;
  return shape;
}

void kernel_launch(kernel *k, MlirValue items) {
  translation *t = k->t;
  MlirAttribute names[KERNEL_MAX_AXES];
  for (int j = 0; j < k->num_axes; ++j) names[j] = translation_string(t, k->axis_names[j]);
  mlirOperationSetAttributeByName(k->operation, mlirStringRefCreateFromCString("axes"),
                                  mlirArrayAttrGet(t->context, k->num_axes, names));
  fuse_epilogues(k);
  MlirValue batch = k->batch;
  if (mlirValueIsNull(batch) && k->kind != KERNEL_RAGGED) batch = host_i64(t, 1);
  else if (mlirValueIsNull(batch))
    batch = k->needs_batch || t->num_axes ? host_batch(t) : host_i64(t, 0);
  MlirValue operands[3 + KERNEL_MAX_AXES + KERNEL_MAX_REFS] = {t->frame, items, batch};
  intptr_t count = 3;
  for (int j = 0; j < k->num_axes; ++j) operands[count++] = k->axis_handles[j];
  for (int j = 0; j < k->num_refs; ++j) operands[count++] = k->ref_buffers[j];
  int32_t segments[] = {1, 1, 1, k->num_axes, k->num_refs};
  ragged_build(&t->host, "ragged_tile.launch", count, operands, RAGGED_NONE,
               RAGGED_ATTRIBUTES(
                   ragged_named(t->context, "kernel",
                                ragged_attribute_symbol(
                                    t->context, ragged_operation_string(k->operation, "sym_name"))),
                   ragged_named(t->context, "operandSegmentSizes",
                                mlirDenseI32ArrayGet(t->context, 5, segments))),
               RAGGED_NONE);
}

// ---- Tile ops --------------------------------------------------------------------------------

ragged_tile_shape tile_shape_of(MlirValue tile) {
  ragged_tile_shape shape = {0};
  ragged_tile_type_get(mlirValueGetType(tile), &shape);
  return shape;
}

MlirValue tile_constant(kernel *k, const ragged_tile_shape *shape, double value) {
  MlirNamedAttribute attribute = ragged_named(
      k->t->context, "value",
      mlirFloatAttrDoubleGet(k->t->context, mlirF64TypeGet(k->t->context), value));
  return ragged_build_value_with(&k->b, "ragged_tile.constant", ragged_tile_type(k->t->context, shape),
                                 RAGGED_NONE, 1, &attribute);
}

MlirValue tile_elementwise(kernel *k, const char *function, intptr_t count,
                           const MlirValue *tiles) {
  MlirNamedAttribute attribute =
      ragged_named(k->t->context, "function", translation_string(k->t, function));
  ragged_tile_shape shape = tile_shape_of(tiles[count - 1]);  // a condition comes first
  const ragged_elementwise_row *row = ragged_elementwise_find(function, strlen(function));
  if (row && row->compares) shape.element_type = RAGGED_ELEMENT_I1;
  return ragged_build_value_with(&k->b, "ragged_tile.elementwise",
                                 ragged_tile_type(k->t->context, &shape), count, tiles, 1, &attribute);
}

MlirValue tile_reduce(kernel *k, const char *kind, MlirValue tile, int num_dims,
                      const int64_t *dims) {
  ragged_tile_shape shape = tile_shape_of(tile), out = {.element_type = shape.element_type};
  for (int d = 0; d < shape.rank; ++d) {
    bool reduced = false;
    for (int j = 0; j < num_dims; ++j) reduced |= dims[j] == d;
    if (!reduced) out.extents[out.rank++] = shape.extents[d];
  }
  if (num_dims == 0) return tile;
  return ragged_build_value_with(
      &k->b, "ragged_tile.reduce", ragged_tile_type(k->t->context, &out), RAGGED_VALUES(tile),
      RAGGED_ATTRIBUTES(ragged_named(k->t->context, "kind", translation_string(k->t, kind)),
                        ragged_named(k->t->context, "dims",
                                     ragged_attribute_i64_array(k->t->context, num_dims, dims))));
}

MlirOperation kernel_begin_accumulate(kernel *k, const char *kind, const ragged_tile_shape *shape,
                                      bool matched, int axis, MlirBlock *out_body) {
  MlirContext context = k->t->context;
  MlirType index = mlirIndexTypeGet(context);
  MlirRegion region = mlirRegionCreate();
  *out_body = mlirBlockCreate(1, &index, &k->b.location);
  mlirRegionAppendOwnedBlock(region, *out_body);
  ragged_tile_shape match = *shape;
  match.element_type = RAGGED_ELEMENT_I64;
  MlirType types[] = {ragged_tile_type(context, shape), ragged_tile_type(context, &match)};
  MlirNamedAttribute attributes[] = {
      ragged_named(context, "kind", translation_string(k->t, kind)),
      ragged_named(context, "axis", ragged_attribute_i64(context, axis))};
  return ragged_build(&k->b, "ragged_tile.accumulate", axis < 0 ? 0 : 1, &k->sample, matched ? 2 : 1, types,
                      axis < 0 ? 1 : 2, attributes, 1, &region);
}

MlirValue tile_view(kernel *k, MlirValue tile, const int64_t *map, const ragged_tile_shape *shape) {
  ragged_tile_shape own = tile_shape_of(tile);
  bool identity = ragged_tile_shape_equal(&own, shape);
  for (int d = 0; d < own.rank; ++d) identity &= map[d] == d;
  if (identity) return tile;
  MlirNamedAttribute attribute = ragged_named(
      k->t->context, "map", ragged_attribute_i64_array(k->t->context, own.rank, map));
  return ragged_build_value_with(&k->b, "ragged_tile.view", ragged_tile_type(k->t->context, shape),
                                 RAGGED_VALUES(tile), 1, &attribute);
}

MlirValue tile_restore(kernel *k, MlirValue reduced, int num_dims, const int64_t *dims,
                       const ragged_tile_shape *shape) {
  int64_t map[RAGGED_MAX_RANK];
  int next = 0;
  for (int d = 0; d < shape->rank; ++d) {
    bool dropped = false;
    for (int j = 0; j < num_dims; ++j) dropped |= dims[j] == d;
    if (!dropped) map[next++] = d;
  }
  return tile_view(k, reduced, map, shape);
}

MlirValue tile_convert(kernel *k, MlirValue tile, ragged_element_type type) {
  ragged_tile_shape shape = tile_shape_of(tile);
  if (shape.element_type == type) return tile;
  shape.element_type = type;
  return ragged_build_value(&k->b, "ragged_tile.convert", ragged_tile_type(k->t->context, &shape),
                            RAGGED_VALUES(tile));
}

MlirValue tile_cast(kernel *k, MlirValue tile, ragged_element_type from, ragged_element_type to) {
  if (to != RAGGED_ELEMENT_BF16 || from == RAGGED_ELEMENT_BF16)
    return tile_convert(k, tile, ragged_compute_type(to));
  ragged_tile_shape shape = tile_shape_of(tile);
  shape.element_type = RAGGED_ELEMENT_F32;
  MlirNamedAttribute rounds = ragged_named(k->t->context, "bf16", mlirUnitAttrGet(k->t->context));
  return ragged_build_value_with(&k->b, "ragged_tile.convert", ragged_tile_type(k->t->context, &shape),
                                 RAGGED_VALUES(tile), 1, &rounds);
}

MlirValue tile_extent(kernel *k, int axis) {
  ragged_tile_shape shape = {.element_type = RAGGED_ELEMENT_I64};
  MlirNamedAttribute attribute =
      ragged_named(k->t->context, "axis", ragged_attribute_i64(k->t->context, axis));
  return ragged_build_value_with(&k->b, "ragged_tile.extent", ragged_tile_type(k->t->context, &shape),
                                 RAGGED_VALUES(k->sample), 1, &attribute);
}

// The load of the same place that is in the kernel's block already, or null. Nobody stores to what a
// kernel loads.
static MlirValue find_load(kernel *k, intptr_t count, const MlirValue *operands, MlirAttribute fill) {
  for (MlirOpOperand use = mlirValueGetFirstUse(operands[0]); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation load = mlirOpOperandGetOwner(use);
    if (!ragged_operation_is(load, "ragged_tile.load") ||
        !mlirBlockEqual(mlirOperationGetBlock(load), k->b.block) ||
        mlirOperationGetNumOperands(load) != count ||
        !mlirAttributeEqual(ragged_operation_attribute(load, "fill"), fill))
      continue;
    bool same = true;
    for (intptr_t j = 0; j < count; ++j)
      same &= mlirValueEqual(mlirOperationGetOperand(load, j), operands[j]);
    if (same) return mlirOperationGetResult(load, 0);
  }
  return ragged_value_none();
}

MlirValue tile_load(kernel *k, MlirValue ref, intptr_t num_coordinates,
                    const MlirValue *coordinates, const double *fill) {
  ragged_ref_shape shape;
  ragged_ref_type_get(mlirValueGetType(ref), &shape);
  shape.tail.element_type = ragged_compute_type(shape.tail.element_type);
  MlirValue operands[1 + 1 + RAGGED_MAX_RANK] = {ref};
  for (intptr_t j = 0; j < num_coordinates; ++j) operands[1 + j] = coordinates[j];
  MlirAttribute filling =
      fill ? mlirFloatAttrDoubleGet(k->t->context, mlirF64TypeGet(k->t->context), *fill)
           : (MlirAttribute){NULL};
  MlirValue found = find_load(k, 1 + num_coordinates, operands, filling);
  if (!mlirValueIsNull(found)) return found;
  MlirNamedAttribute attribute;
  if (fill) attribute = ragged_named(k->t->context, "fill", filling);
  return ragged_build_value_with(&k->b, "ragged_tile.load",
                                 ragged_tile_type(k->t->context, &shape.tail), 1 + num_coordinates,
                                 operands, fill ? 1 : 0, &attribute);
}

void kernel_store(kernel *k, MlirValue tile, MlirValue ref, intptr_t num_coordinates,
                  const MlirValue *coordinates) {
  MlirValue operands[2 + 1 + RAGGED_MAX_RANK] = {tile, ref};
  for (intptr_t j = 0; j < num_coordinates; ++j) operands[2 + j] = coordinates[j];
  ragged_build(&k->b, "ragged_tile.store", 2 + num_coordinates, operands, RAGGED_NONE, RAGGED_NONE,
               RAGGED_NONE);
}

void kernel_store_rows(kernel *k, MlirValue tile, MlirValue buffer, const ragged_schema *schema) {
  ragged_ref_shape shape = kernel_packed_shape(k, schema);
  MlirValue at[1 + RAGGED_MAX_RANK] = {k->sample};
  for (int j = 0; j < k->num_grid; ++j) at[1 + j] = k->coordinates[j];
  kernel_store(k, tile, kernel_ref(k, buffer, &shape), 1 + k->num_grid, at);
}

// Whether the kernel reads rows of a value, or all of it in every row.
static bool stands_in_rows(const kernel *k, MlirValue value) {
  ragged_schema dense;
  if (k->kind == KERNEL_RAGGED) return ragged_type_is_tensor(mlirValueGetType(value));
  return ragged_type_get_dense(mlirValueGetType(value), &dense) && dense.rank > 0;
}

// A scalar constant that a tile constant can hold needs no buffer.
static MlirValue constant_tile(kernel *k, MlirValue value, ragged_element_type type) {
  MlirOperation definition = ragged_value_definition(value);
  if (mlirOperationIsNull(definition) || !ragged_operation_is(definition, "arith.constant") ||
      type == RAGGED_ELEMENT_I1)
    return ragged_value_none();
  MlirAttribute attribute = ragged_operation_attribute(definition, "value");
  ragged_tile_shape number = {.element_type = ragged_compute_type(type)};
  enum { EXACT_BITS = 53 };
  if (mlirAttributeIsAFloat(attribute))
    return tile_constant(k, &number, mlirFloatAttrGetValueDouble(attribute));
  if (!mlirAttributeIsAInteger(attribute)) return ragged_value_none();
  int64_t integer = mlirIntegerAttrGetValueInt(attribute);
  bool exact = integer < (1LL << EXACT_BITS) && integer > -(1LL << EXACT_BITS);
  return exact ? tile_constant(k, &number, (double)integer) : ragged_value_none();
}

// What this kernel computes of its own: sizes, and late ops that no buffer holds. Null: nothing of `a`.
static MlirValue remake(kernel *k, const access *a) {
  MlirOperation definition = ragged_value_definition(a->leaf);
  if (mlirOperationIsNull(definition)) return ragged_value_none();
  if (is_remade_op(definition) && !is_view_op(definition)) return emit_size_op(k, definition);
  bool stored = !mlirValueIsNull(ragged_value_map_get(&k->t->buffers, a->leaf));
  return is_late(k->t, definition) && !stored ? emit_late(k, a) : ragged_value_none();
}

MlirValue kernel_read(kernel *k, const access *a, const ragged_tile_shape *shape) {
  ragged_schema schema;
  kernel_schema(k, a->leaf, &schema);
  int num_ragged = ragged_schema_num_ragged(&schema);
  MlirValue tile = ragged_value_map_get(&k->tiles, a->leaf);
  if (mlirValueIsNull(tile)) tile = remake(k, a);
  if (mlirValueIsNull(tile)) tile = constant_tile(k, a->leaf, schema.element_type);
  if (mlirValueIsNull(tile)) {
    bool ragged = stands_in_rows(k, a->leaf);
    ragged_ref_shape ref_shape = ragged ? kernel_packed_shape(k, &schema) : kernel_dense_shape(&schema);
    MlirValue ref = kernel_ref(k, host_buffer(k->t, a->leaf), &ref_shape);
    MlirValue at[1 + RAGGED_MAX_RANK];
    intptr_t count = 0;
    if (ragged) {
      at[count++] = k->sample;
      for (int j = 0; j < num_ragged; ++j)
        at[count++] = k->coordinates[a->index[schema.order[j]].number];
    }
    tile = tile_load(k, ref, count, at, NULL);
  }
  int64_t map[RAGGED_MAX_RANK];
  for (int j = num_ragged; j < schema.rank; ++j) {
    index_entry entry = a->index[schema.order[j]];
    map[j - num_ragged] = entry.kind == INDEX_TAIL ? entry.number : -1;
  }
  return tile_view(k, tile, map, shape);
}
