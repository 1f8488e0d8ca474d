// What a value's structure is: extents, offsets, sizes, and the check of assume_same_axis. The host
// program knows extents and offsets; a size is computed where a kernel reads it, out of the extents of
// the sample at hand.
#include "lower/tile/translation.h"
#include "mlir-c/BuiltinAttributes.h"

bool is_metadata_op(MlirOperation operation) {
  return ragged_operation_is(operation, "ragged.extents") ||
         ragged_operation_is(operation, "ragged.offsets") ||
         ragged_operation_is(operation, "ragged.size") ||
         ragged_operation_is(operation, "ragged.assume_same_axis");
}

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
  host_set_buffer(t, result,
                  host_value(t, "ragged_tile.extents", translation_type(t, RAGGED_HOST_BUFFER),
                             RAGGED_VALUES(axis), RAGGED_NONE));
}

static void translate_offsets(translation *t, MlirOperation operation) {
  ragged_schema schema;
  value_schema(mlirOperationGetOperand(operation, 0), &schema);
  host_set_buffer(t, mlirOperationGetResult(operation, 0),
                  host_value(t, "ragged_tile.offsets", translation_type(t, RAGGED_HOST_BUFFER),
                             RAGGED_VALUES(host_space(t, &schema)), RAGGED_NONE));
}

// The checks; the buffer is the operand's.
static void translate_assume_same_axis(translation *t, MlirOperation operation) {
  ragged_schema schema;
  int64_t dims[RAGGED_MAX_RANK];
  value_schema(mlirOperationGetOperand(operation, 0), &schema);
  const char *to = ragged_operation_string(operation, "to");
  int count = op_dims(operation, "dims", dims);
  for (int k = 0; k < count; ++k) {
    const char *from = schema.dimensions[dims[k]].axis;
    host_op(t, "ragged_tile.check_same_axis", RAGGED_VALUES(host_axis(t, from), host_axis(t, to)),
            RAGGED_ATTRIBUTES(ragged_named(t->context, "found_name", translation_string(t, from)),
                              ragged_named(t->context, "required_name", translation_string(t, to))));
  }
}

// ---- Sizes -----------------------------------------------------------------------------------

// A constant is a double: larger numbers are made of two.
static MlirValue integer(kernel *k, int64_t value) {
  ragged_tile_shape number = {.element_type = RAGGED_ELEMENT_I64};
  if (value < (int64_t)1 << 53) return tile_constant(k, &number, (double)value);
  MlirValue high = tile_constant(k, &number, (double)(value >> 32));
  MlirValue low = tile_constant(k, &number, (double)(value & UINT32_MAX));
  return TILE2(k, "add", TILE2(k, "mul", high, tile_constant(k, &number, 0x1p32)), low);
}

MlirValue emit_size(kernel *k, const ragged_schema *schema, const bool *counted) {
  int64_t entries = 1;  // a schema's static extents fit 63 bits together
  for (int d = 0; d < schema->rank; ++d)
    if (counted[d] && !schema->dimensions[d].axis) entries *= schema->dimensions[d].extent;
  MlirValue size = ragged_value_none();
  for (int d = 0; d < schema->rank; ++d) {
    const char *name = schema->dimensions[d].axis;
    if (!counted[d] || !name) continue;
    MlirValue extent = tile_extent(k, kernel_axis(k, name, host_axis(k->t, name)));
    size = mlirValueIsNull(size) ? extent : TILE2(k, "mul", size, extent);
  }
  if (mlirValueIsNull(size)) return integer(k, entries);
  return entries == 1 ? size : TILE2(k, "mul", size, integer(k, entries));
}

MlirValue emit_size_op(kernel *k, MlirOperation operation) {
  ragged_schema schema;
  int64_t dims[RAGGED_MAX_RANK];
  bool counted[RAGGED_MAX_RANK] = {false};
  value_schema(mlirOperationGetOperand(operation, 0), &schema);
  int count = op_dims(operation, "dims", dims);
  for (int j = 0; j < count; ++j) counted[dims[j]] = true;
  return emit_size(k, &schema, counted);
}

// Of a builtin tensor: the host program knows its extents.
static void translate_dense_size(translation *t, MlirOperation operation) {
  MlirValue operand = mlirOperationGetOperand(operation, 0), size = host_i64(t, 1);
  int64_t dims[RAGGED_MAX_RANK];
  int count = op_dims(operation, "dims", dims);
  for (int j = 0; j < count; ++j) size = host_product(t, size, host_extent(t, operand, dims[j]));
  host_set_buffer(t, mlirOperationGetResult(operation, 0),
                  host_value(t, "ragged_tile.from_scalar", translation_type(t, RAGGED_HOST_BUFFER),
                             RAGGED_VALUES(size), RAGGED_NONE));
}

// With `batch`: a kernel that runs once and sums over the samples.
static void translate_batch_size(translation *t, MlirOperation operation) {
  ragged_schema number = {.element_type = RAGGED_ELEMENT_I64};
  ragged_tile_shape shape = schema_tile_shape(&number);
  MlirValue buffer = host_allocate_dense(t, RAGGED_ELEMENT_I64, RAGGED_NONE);
  kernel k;
  kernel_begin(t, &k, NULL, "size");
  k.needs_batch = true;
  MlirBlock body;
  MlirOperation loop = kernel_begin_accumulate(&k, "add", &shape, false, -1, &body);
  ragged_builder outer = k.b;
  k.b = ragged_builder_at_end(body, outer.location);
  k.sample = mlirBlockGetArgument(body, 0);
  yield_tile(&k, emit_size_op(&k, operation));
  k.b = outer;
  ragged_ref_shape ref_shape = kernel_dense_shape(&number);
  kernel_store(&k, mlirOperationGetResult(loop, 0), kernel_ref(&k, buffer, &ref_shape), 0, NULL);
  kernel_launch(&k, host_i64(t, 1));
  host_set_buffer(t, mlirOperationGetResult(operation, 0), buffer);
}

void translate_metadata(translation *t, MlirOperation operation) {
  if (ragged_operation_is(operation, "ragged.extents")) translate_extents(t, operation);
  else if (ragged_operation_is(operation, "ragged.offsets")) translate_offsets(t, operation);
  else if (!ragged_operation_is(operation, "ragged.size")) translate_assume_same_axis(t, operation);
  else if (ragged_operation_has(operation, "batch")) translate_batch_size(t, operation);
  else translate_dense_size(t, operation);
}
