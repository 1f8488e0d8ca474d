// Ops between builtin tensors and ragged ones.
#include <string.h>

#include "lower/tile/translation.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static const char *const kConversions[] = {
    "ragged.from_values", "ragged.from_offsets", "ragged.values",  "ragged.pack",
    "ragged.unpack",      "ragged.extents",      "ragged.offsets", "ragged.assume_same_axis"};

bool is_conversion_op(MlirOperation operation) {
  for (size_t k = 0; k < sizeof kConversions / sizeof kConversions[0]; ++k)
    if (ragged_operation_is(operation, kConversions[k])) return true;
  return false;
}

static MlirValue buffer_op(translation *t, const char *name, intptr_t num_operands,
                           const MlirValue *operands, intptr_t num_attributes,
                           const MlirNamedAttribute *attributes) {
  return host_value(t, name, translation_type(t, RAGGED_HOST_BUFFER), num_operands, operands,
                    num_attributes, attributes);
}

static MlirNamedAttribute tail_attribute(translation *t, const ragged_schema *schema) {
  int64_t tail[RAGGED_MAX_RANK];
  int count = ragged_schema_tail(schema, tail);
  return ragged_named(t->context, "tail", ragged_attribute_i64_array(t->context, count, tail));
}

static void define_axes(translation *t, MlirOperation operation, const char *maker) {
  MlirAttribute names = ragged_operation_attribute(operation, "axes");
  for (intptr_t k = 0; k < mlirArrayAttrGetNumElements(names); ++k) {
    MlirValue lengths = host_buffer(t, mlirOperationGetOperand(operation, k + 1));
    MlirValue axis = host_value(t, maker, translation_type(t, RAGGED_HOST_AXIS),
                                RAGGED_VALUES(lengths), RAGGED_NONE);
    host_define_axis(t, mlirStringAttrGetValue(mlirArrayAttrGetElement(names, k)).data, axis);
  }
}

static void translate_from_values(translation *t, MlirOperation operation) {
  bool offsets = ragged_operation_is(operation, "ragged.from_offsets");
  define_axes(t, operation, offsets ? "ragged_tile.axis_from_offsets" : "ragged_tile.axis_from_lengths");
  MlirValue result = mlirOperationGetResult(operation, 0);
  ragged_schema schema;
  value_schema(result, &schema);
  MlirValue values = host_buffer(t, mlirOperationGetOperand(operation, 0));
  MlirNamedAttribute tail = tail_attribute(t, &schema);
  host_op(t, "ragged_tile.check_values", RAGGED_VALUES(values, host_space(t, &schema)), 1, &tail);
  host_set_buffer(t, result, values);
}

// ---- Padded boxes ----------------------------------------------------------------------------

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

static void translate_pack(translation *t, MlirOperation operation) {
  MlirValue padded = host_buffer(t, mlirOperationGetOperand(operation, 0));
  MlirValue result = mlirOperationGetResult(operation, 0);
  int64_t batch = ragged_operation_int(operation, "batch", 0);
  define_axes(t, operation, "ragged_tile.axis_from_lengths");
  ragged_schema schema;
  value_schema(result, &schema);
  MlirType i64 = mlirIntegerTypeGet(t->context, 64);
  host_op(t, "ragged_tile.check_extent", RAGGED_VALUES(padded, host_batch(t)),
          RAGGED_ATTRIBUTES(
              ragged_named(t->context, "dim", ragged_attribute_i64(t->context, batch)),
              ragged_named(t->context, "what",
                           translation_string(t, "the batch of the padded box"))));
  const char *axes[RAGGED_MAX_RANK];
  MlirValue boxes[RAGGED_MAX_RANK];
  int count = ragged_schema_space(&schema, axes);
  for (int k = 0; k < count; ++k) {
    MlirNamedAttribute dim = ragged_named(
        t->context, "dim", ragged_attribute_i64(t->context, box_dimension(&schema, k, batch)));
    MlirValue extent =
        host_value(t, "ragged_tile.dense_extent", i64, RAGGED_VALUES(padded), 1, &dim);
    MlirNamedAttribute what =
        ragged_named(t->context, "what",
                     translation_string(t, ragged_arena_format(t->arena, "axis %s", axes[k])));
    host_op(t, "ragged_tile.check_limit", RAGGED_VALUES(host_axis(t, axes[k]), extent), 1, &what);
    boxes[k] = host_value(t, "ragged_tile.constant_axis", translation_type(t, RAGGED_HOST_AXIS),
                          RAGGED_VALUES(extent, host_axis(t, axes[k])), RAGGED_NONE);
  }
  MlirValue buffer = host_allocate(t, &schema);
  kernel k;
  kernel_begin(t, &k, KERNEL_RAGGED, &schema, "pack");
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
    int64_t declared = dense.dimensions[box_dimension(&schema, k, batch)].extent;
    MlirValue axis = host_axis(t, axes[k]), envelope;
    if (declared < 0) {
      envelope = host_value(t, "ragged_tile.envelope_axis", axis_type, RAGGED_VALUES(axis), RAGGED_NONE);
      extents[k] = host_value(t, "ragged_tile.max_extent", i64, RAGGED_VALUES(axis), RAGGED_NONE);
    } else {
      extents[k] = host_i64(t, declared);
      MlirNamedAttribute what = ragged_named(
          t->context, "what",
          translation_string(t, ragged_arena_format(t->arena, "axis %s", axes[k])));
      host_op(t, "ragged_tile.check_limit", RAGGED_VALUES(axis, extents[k]), 1, &what);
      envelope = host_value(t, "ragged_tile.constant_axis", axis_type,
                            RAGGED_VALUES(extents[k], axis), RAGGED_NONE);
    }
    const char *name = ragged_arena_format(t->arena, "box %d", k);
    host_define_axis(t, name, envelope);  // for this op only
    box.dimensions[schema.order[k]] = ragged_dimension_ragged(name);
  }
  MlirValue shape[RAGGED_MAX_RANK + 1];
  shape[batch] = host_batch(t);
  for (int k = 0; k < schema.rank; ++k)
    shape[box_dimension(&schema, k, batch)] =
        k < count ? extents[k] : host_i64(t, schema.dimensions[schema.order[k]].extent);
  MlirValue buffer = host_allocate_dense(t, schema.element_type, schema.rank + 1, shape);
  MlirAttribute fill_attribute = ragged_operation_attribute(operation, "fill");
  double fill = mlirAttributeIsNull(fill_attribute) ? 0 : mlirFloatAttrGetValueDouble(fill_attribute);
  kernel k;
  kernel_begin(t, &k, KERNEL_RAGGED, &box, "unpack");
  k.needs_batch = true;  // a stride of the box where the batch is not first
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

// ---- The rest --------------------------------------------------------------------------------

static void translate_extents(translation *t, MlirOperation operation) {
  MlirValue result = mlirOperationGetResult(operation, 0);
  ragged_schema schema;
  value_schema(mlirOperationGetOperand(operation, 0), &schema);
  ragged_dimension dimension = schema.dimensions[ragged_operation_int(operation, "dim", 0)];
  MlirValue axis;
  if (dimension.axis) {
    axis = host_axis(t, dimension.axis);
  } else {
    // The batch's () space has no axis to be like; a constant axis needs one of the batch.
    MlirValue like = t->num_axes ? t->axes[0].axis : ragged_value_none();
    MlirValue operands[] = {host_i64(t, dimension.extent), like};
    axis = host_value(t, "ragged_tile.constant_axis", translation_type(t, RAGGED_HOST_AXIS),
                      mlirValueIsNull(like) ? 1 : 2, operands, RAGGED_NONE);
  }
  host_set_buffer(t, result, buffer_op(t, "ragged_tile.extents", RAGGED_VALUES(axis), RAGGED_NONE));
}

void translate_conversion(translation *t, MlirOperation operation) {
  ragged_schema schema;
  if (ragged_operation_is(operation, "ragged.from_values") ||
      ragged_operation_is(operation, "ragged.from_offsets")) {
    translate_from_values(t, operation);
  } else if (ragged_operation_is(operation, "ragged.pack")) {
    translate_pack(t, operation);
  } else if (ragged_operation_is(operation, "ragged.unpack")) {
    translate_unpack(t, operation);
  } else if (ragged_operation_is(operation, "ragged.extents")) {
    translate_extents(t, operation);
  } else if (ragged_operation_is(operation, "ragged.values")) {
    value_schema(mlirOperationGetOperand(operation, 0), &schema);
    MlirNamedAttribute tail = tail_attribute(t, &schema);
    MlirValue buffer = host_buffer(t, mlirOperationGetOperand(operation, 0));
    host_set_buffer(t, mlirOperationGetResult(operation, 0),
                    buffer_op(t, "ragged_tile.values",
                              RAGGED_VALUES(buffer, host_space(t, &schema)), 1, &tail));
  } else if (ragged_operation_is(operation, "ragged.offsets")) {
    value_schema(mlirOperationGetOperand(operation, 0), &schema);
    host_set_buffer(t, mlirOperationGetResult(operation, 0),
                    buffer_op(t, "ragged_tile.offsets", RAGGED_VALUES(host_space(t, &schema)),
                              RAGGED_NONE));
  } else {  // assume_same_axis: the check; the buffer is its operand's
    const char *from = ragged_operation_string(operation, "from");
    const char *to = ragged_operation_string(operation, "to");
    host_op(t, "ragged_tile.check_same_axis", RAGGED_VALUES(host_axis(t, from), host_axis(t, to)),
            RAGGED_ATTRIBUTES(ragged_named(t->context, "found_name", translation_string(t, from)),
                              ragged_named(t->context, "required_name", translation_string(t, to))));
  }
}
