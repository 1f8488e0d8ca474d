// Padded boxes: pack, with_padded, unpack. Each is one kernel, over the rows of the ragged tensor or
// over the cells of the box, after checks in the host program.
#include "lower/tile/translation.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

bool is_box_op(MlirOperation operation) {
  return ragged_operation_is(operation, "ragged.pack") ||
         ragged_operation_is(operation, "ragged.with_padded") ||
         ragged_operation_is(operation, "ragged.unpack");
}

// The ref of a padded box for `schema`, whose axis k in packed order has the kernel axis box_axes[k].
static ragged_ref_shape box_shape(const ragged_schema *schema, int64_t batch, const int *box_axes) {
  ragged_ref_shape shape = {.kind = RAGGED_REF_BOX};
  shape.num_axes = ragged_schema_num_ragged(schema);
  for (int k = 0; k < shape.num_axes; ++k) shape.axes[k] = box_axes[k];
  shape.tail.rank = ragged_schema_tail(schema, shape.tail.extents);
  shape.tail.element_type = schema->element_type;
  // Memory order: logical dimensions with the batch put in.
  int next = 0;
  for (int d = 0; d <= schema->rank; ++d) {
    if (d == batch) shape.layout[next++] = 0;
    if (d < schema->rank) shape.layout[next++] = 1 + ragged_schema_packed_position(schema, d);
  }
  return shape;
}

// Dimension of the box that holds the schema's dimension packed k-th.
static int64_t box_dimension(const ragged_schema *schema, int k, int64_t batch) {
  return schema->order[k] + (schema->order[k] >= batch ? 1 : 0);
}

static void check_batch(translation *t, MlirValue box, int64_t batch) {
  host_op(t, "ragged_tile.check_extent", RAGGED_VALUES(box, host_batch(t)),
          RAGGED_ATTRIBUTES(
              ragged_named(t->context, "dim", ragged_attribute_i64(t->context, batch)),
              ragged_named(t->context, "what",
                           translation_string(t, "the batch of the padded box"))));
}

// The axis along which the box has `extent` for every sample of `axis`, none of which may exceed it.
static MlirValue box_axis(translation *t, const char *axis, MlirValue extent) {
  MlirValue handle = host_axis(t, axis);
  MlirNamedAttribute what = ragged_named(
      t->context, "what", translation_string(t, ragged_arena_format(t->arena, "axis %s", axis)));
  host_op(t, "ragged_tile.check_limit", RAGGED_VALUES(handle, extent), 1, &what);
  return host_value(t, "ragged_tile.constant_axis", translation_type(t, RAGGED_HOST_AXIS),
                    RAGGED_VALUES(extent, handle), RAGGED_NONE);
}

// pack and with_padded: a kernel over the rows of the result.
static void translate_pack(translation *t, MlirOperation operation) {
  MlirValue operand = mlirOperationGetOperand(operation, 0);
  MlirValue padded = host_buffer(t, operand);
  MlirValue result = mlirOperationGetResult(operation, 0);
  int64_t batch = ragged_operation_int(operation, "batch", 0);
  define_axes(t, operation);
  ragged_schema schema;
  value_schema(result, &schema);
  check_batch(t, padded, batch);
  const char *axes[RAGGED_MAX_RANK];
  MlirValue boxes[RAGGED_MAX_RANK];
  int count = ragged_schema_space(&schema, axes);
  for (int k = 0; k < count; ++k)
    boxes[k] = box_axis(t, axes[k], host_extent(t, operand, box_dimension(&schema, k, batch)));
  MlirValue buffer = host_allocate(t, &schema);
  kernel k;
  kernel_begin(t, &k, &schema, short_name(t, operation));
  k.needs_batch = true;  // a stride of the box where the batch is not first
  int box_axes[RAGGED_MAX_RANK] = {0};
  for (int j = 0; j < count; ++j)
    box_axes[j] = kernel_axis(&k, ragged_arena_format(t->arena, "box %d", j), boxes[j]);
  ragged_ref_shape shape = box_shape(&schema, batch, box_axes);
  MlirValue at[1 + RAGGED_MAX_RANK] = {k.sample};
  for (int j = 0; j < count; ++j) at[1 + j] = k.coordinates[j];
  MlirValue tile = tile_load(&k, kernel_ref(&k, padded, &shape), 1 + count, at, NULL);
  kernel_store_rows(&k, tile, buffer, &schema);
  kernel_launch(&k, host_rows(t, &schema));
  host_set_buffer(t, result, buffer);
}

// A kernel over the cells of the box: the operand's rows where they are, `fill` elsewhere.
static void translate_unpack(translation *t, MlirOperation operation) {
  MlirValue operand = mlirOperationGetOperand(operation, 0);
  MlirValue result = mlirOperationGetResult(operation, 0);
  int64_t batch = ragged_operation_int(operation, "batch", 0);
  bool like = mlirOperationGetNumOperands(operation) == 2;
  ragged_schema schema, dense, box;
  value_schema(operand, &schema);
  value_schema(result, &dense);
  box = schema;
  const char *axes[RAGGED_MAX_RANK];
  MlirValue extents[RAGGED_MAX_RANK];
  int count = ragged_schema_space(&schema, axes), scope = t->num_axes;
  MlirType i64 = mlirIntegerTypeGet(t->context, 64);
  MlirType axis_type = translation_type(t, RAGGED_HOST_AXIS);
  for (int k = 0; k < count; ++k) {
    int64_t dim = box_dimension(&schema, k, batch), declared = dense.dimensions[dim].extent;
    MlirValue axis = host_axis(t, axes[k]), envelope;
    if (like || declared >= 0) {
      extents[k] = like ? host_extent(t, mlirOperationGetOperand(operation, 1), dim)
                        : host_i64(t, declared);
      envelope = box_axis(t, axes[k], extents[k]);
    } else {
      envelope = host_value(t, "ragged_tile.envelope_axis", axis_type, RAGGED_VALUES(axis), RAGGED_NONE);
      extents[k] = host_value(t, "ragged_tile.max_extent", i64, RAGGED_VALUES(axis), RAGGED_NONE);
    }
    const char *name = ragged_arena_format(t->arena, "box %d", k);
    host_define_axis(t, name, envelope);  // for this op only
    box.dimensions[schema.order[k]] = ragged_dimension_ragged(name);
  }
  MlirValue shape[RAGGED_MAX_RANK + 1];
  shape[batch] = like ? host_extent(t, mlirOperationGetOperand(operation, 1), batch) : host_batch(t);
  for (int k = 0; k < schema.rank; ++k)
    shape[box_dimension(&schema, k, batch)] =
        k < count ? extents[k] : host_i64(t, schema.dimensions[schema.order[k]].extent);
  MlirValue buffer = host_allocate_dense(t, schema.element_type, schema.rank + 1, shape);
  if (like) check_batch(t, buffer, batch);
  MlirAttribute fill_attribute = ragged_operation_attribute(operation, "fill");
  double fill = mlirAttributeIsNull(fill_attribute) ? 0 : mlirFloatAttrGetValueDouble(fill_attribute);
  kernel k;
  kernel_begin(t, &k, &box, "unpack");
  k.needs_batch = true;  // as for pack
  ragged_ref_shape from = kernel_packed_shape(&k, &schema);
  int box_axes[RAGGED_MAX_RANK] = {0};
  MlirValue at[1 + RAGGED_MAX_RANK] = {k.sample};
  for (int j = 0; j < count; ++j) {
    box_axes[j] = k.coordinate_axes[j];
    at[1 + j] = k.coordinates[j];
  }
  // Axes named twice (square pairs) have two box axes of equal extents; either serves.
  MlirValue tile = tile_load(&k, kernel_ref(&k, host_buffer(t, operand), &from), 1 + count, at, &fill);
  ragged_ref_shape to = box_shape(&schema, batch, box_axes);
  kernel_store(&k, tile, kernel_ref(&k, buffer, &to), 1 + count, at);
  kernel_launch(&k, host_rows(t, &box));
  t->num_axes = scope;
  host_set_buffer(t, result, buffer);
}

void translate_box(translation *t, MlirOperation operation) {
  if (ragged_operation_is(operation, "ragged.unpack")) translate_unpack(t, operation);
  else translate_pack(t, operation);
}
