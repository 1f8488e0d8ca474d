// Ops between packed rows and ragged tensors.
#include <string.h>

#include "lower/tile/translation.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static const char *const kConversions[] = {"ragged.from_values", "ragged.from_offsets",
                                           "ragged.values", "ragged.with_values"};

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

void define_axes(translation *t, MlirOperation operation) {
  MlirAttribute names = ragged_operation_attribute(operation, "axes");
  if (mlirAttributeIsNull(names)) return;
  const char *maker = ragged_operation_is(operation, "ragged.from_offsets")
                          ? "ragged_tile.axis_from_offsets"
                          : "ragged_tile.axis_from_lengths";
  for (intptr_t k = 0; k < mlirArrayAttrGetNumElements(names); ++k) {
    MlirValue lengths = host_buffer(t, mlirOperationGetOperand(operation, k + 1));
    MlirValue axis = host_value(t, maker, translation_type(t, RAGGED_HOST_AXIS),
                                RAGGED_VALUES(lengths), RAGGED_NONE);
    host_define_axis(t, ragged_attribute_text(mlirArrayAttrGetElement(names, k)), axis);
  }
}

// from_values, from_offsets, with_values: the buffer of the values, which has enough rows.
static void translate_from_values(translation *t, MlirOperation operation) {
  define_axes(t, operation);
  MlirValue result = mlirOperationGetResult(operation, 0);
  ragged_schema schema;
  value_schema(result, &schema);
  MlirValue values = host_buffer(t, mlirOperationGetOperand(operation, 0));
  MlirNamedAttribute tail = tail_attribute(t, &schema);
  host_op(t, "ragged_tile.check_values", RAGGED_VALUES(values, host_space(t, &schema)), 1, &tail);
  host_set_buffer(t, result, values);
}

static void translate_values(translation *t, MlirOperation operation) {
  MlirValue x = mlirOperationGetOperand(operation, 0);
  ragged_schema schema;
  value_schema(x, &schema);
  MlirNamedAttribute tail = tail_attribute(t, &schema);
  MlirValue rows = buffer_op(t, "ragged_tile.values",
                             RAGGED_VALUES(host_buffer(t, x), host_space(t, &schema)), 1, &tail);
  if (mlirOperationGetNumOperands(operation) == 2) {
    MlirValue room = host_extent(t, mlirOperationGetOperand(operation, 1), 0);
    rows = buffer_op(t, "ragged_tile.extend", RAGGED_VALUES(rows, room), RAGGED_NONE);
  }
  host_set_buffer(t, mlirOperationGetResult(operation, 0), rows);
}

void translate_conversion(translation *t, MlirOperation operation) {
  if (ragged_operation_is(operation, "ragged.values")) translate_values(t, operation);
  else translate_from_values(t, operation);
}
