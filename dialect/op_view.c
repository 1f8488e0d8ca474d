// Access to the operands and attributes of an op that may not exist yet, and errors about it.
// Called by the infer functions. See op_view.h.
#include "dialect/op_view.h"

#include <stdarg.h>

#include "dialect/diagnostic.h"
#include "ir/build.h"
#include "mlir-c/BuiltinAttributes.h"

static bool emit(const ragged_op_view *view, int other, const char *format, va_list arguments) {
  if (view->quiet) return false;
  ragged_arena arena = {0};
  const char *message = ragged_arena_vformat(&arena, format, arguments);
  message = ragged_arena_format(&arena, "'%.*s' op %s", (int)view->name.length, view->name.data,
                                message);
  if (other >= 0 && other < view->num_operands)
    ragged_emit_error(view->location, message, ragged_value_location(view->operands[other]),
                      ragged_arena_format(&arena, "operand #%d is defined here", other));
  else
    ragged_emit_error(view->location, message, view->location, NULL);
  ragged_arena_free(&arena);
  return false;
}

bool ragged_view_error(const ragged_op_view *view, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  emit(view, -1, format, arguments);
  va_end(arguments);
  return false;
}

bool ragged_view_error_at(const ragged_op_view *view, int other, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  emit(view, other, format, arguments);
  va_end(arguments);
  return false;
}

bool ragged_view_rule_error(const ragged_op_view *view, const ragged_rule_error *error) {
  return ragged_view_error_at(view, error->other_operand, "%s", error->message);
}

MlirType ragged_view_operand_type(const ragged_op_view *view, intptr_t k) {
  return mlirValueGetType(view->operands[k]);
}

bool ragged_view_operand_schema(const ragged_op_view *view, intptr_t k, ragged_schema *out,
                                bool *out_unknown) {
  MlirType type = ragged_view_operand_type(view, k);
  *out_unknown = ragged_type_is_unknown(type);
  if (*out_unknown) return false;
  if (ragged_type_get_schema(type, out)) return true;
  ragged_arena arena = {0};
  ragged_view_error_at(view, (int)k, "operand #%d is %s, expected a ragged tensor", (int)k,
                       ragged_type_text(&arena, type));
  ragged_arena_free(&arena);
  return false;
}

MlirAttribute ragged_view_attribute(const ragged_op_view *view, const char *name) {
  return mlirDictionaryAttrGetElementByName(view->attributes, mlirStringRefCreateFromCString(name));
}

bool ragged_view_has_unit(const ragged_op_view *view, const char *name) {
  return !mlirAttributeIsNull(ragged_view_attribute(view, name));
}

bool ragged_view_int_array(const ragged_op_view *view, const char *name, int *out_count,
                           int64_t out[RAGGED_MAX_RANK]) {
  MlirAttribute attribute = ragged_view_attribute(view, name);
  *out_count = 0;
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsADenseI64Array(attribute))
    return ragged_view_error(view, "needs an integer array '%s'", name);
  intptr_t count = mlirDenseArrayGetNumElements(attribute);
  if (count > RAGGED_MAX_RANK)
    return ragged_view_error(view, "'%s' has %d entries, at most %d are supported", name,
                             (int)count, RAGGED_MAX_RANK);
  for (intptr_t k = 0; k < count; ++k) out[k] = mlirDenseI64ArrayGetElement(attribute, k);
  *out_count = (int)count;
  return true;
}

int64_t ragged_view_int(const ragged_op_view *view, const char *name, int64_t absent) {
  MlirAttribute attribute = ragged_view_attribute(view, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute)) return absent;
  return mlirIntegerAttrGetValueInt(attribute);
}

double ragged_view_float(const ragged_op_view *view, const char *name, double absent) {
  MlirAttribute attribute = ragged_view_attribute(view, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAFloat(attribute)) return absent;
  return mlirFloatAttrGetValueDouble(attribute);
}

const char *ragged_view_string(const ragged_op_view *view, const char *name) {
  MlirAttribute attribute = ragged_view_attribute(view, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAString(attribute)) return NULL;
  return ragged_attribute_text(attribute);
}

int ragged_view_string_array(const ragged_op_view *view, const char *name, int capacity,
                             const char **out) {
  MlirAttribute attribute = ragged_view_attribute(view, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAArray(attribute)) return 0;
  int count = (int)mlirArrayAttrGetNumElements(attribute);
  for (int k = 0; k < count && k < capacity; ++k)
    out[k] = ragged_attribute_text(mlirArrayAttrGetElement(attribute, k));
  return count;
}

ragged_op_view ragged_view_of(MlirOperation operation, ragged_arena *arena) {
  ragged_op_view view = {0};
  view.name = mlirIdentifierStr(mlirOperationGetName(operation));
  view.context = mlirOperationGetContext(operation);
  view.location = mlirOperationGetLocation(operation);
  view.operation = operation;
  view.num_operands = mlirOperationGetNumOperands(operation);
  MlirValue *operands = RAGGED_ARENA_ARRAY(arena, MlirValue, view.num_operands);
  for (intptr_t k = 0; k < view.num_operands; ++k) operands[k] = mlirOperationGetOperand(operation, k);
  view.operands = operands;
  view.num_results = mlirOperationGetNumResults(operation);
  MlirType *results = RAGGED_ARENA_ARRAY(arena, MlirType, view.num_results);
  for (intptr_t k = 0; k < view.num_results; ++k)
    results[k] = mlirValueGetType(mlirOperationGetResult(operation, k));
  view.results = results;
  intptr_t count = mlirOperationGetNumAttributes(operation);
  MlirNamedAttribute *attributes = RAGGED_ARENA_ARRAY(arena, MlirNamedAttribute, count);
  for (intptr_t k = 0; k < count; ++k) attributes[k] = mlirOperationGetAttribute(operation, k);
  view.attributes = mlirDictionaryAttrGet(view.context, count, attributes);
  return view;
}
