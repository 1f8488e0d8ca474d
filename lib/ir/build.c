// See build.h.
#include "ir/build.h"

#include <string.h>

#define STRING mlirStringRefCreateFromCString

ragged_builder ragged_builder_at_end(MlirBlock block, MlirLocation location) {
  return (ragged_builder){mlirLocationGetContext(location), location, block, {NULL}};
}

ragged_builder ragged_builder_before(MlirOperation operation) {
  return (ragged_builder){mlirOperationGetContext(operation), mlirOperationGetLocation(operation),
                          mlirOperationGetBlock(operation), operation};
}

void ragged_builder_insert(const ragged_builder *builder, MlirOperation operation) {
  if (mlirOperationIsNull(builder->before)) {
    mlirBlockAppendOwnedOperation(builder->block, operation);
  } else {
    mlirBlockInsertOwnedOperationBefore(builder->block, builder->before, operation);
  }
}

MlirOperation ragged_build(const ragged_builder *builder, const char *name, intptr_t num_operands,
                           const MlirValue *operands, intptr_t num_results, const MlirType *results,
                           intptr_t num_attributes, const MlirNamedAttribute *attributes,
                           intptr_t num_regions, MlirRegion *regions) {
  MlirOperationState state = mlirOperationStateGet(STRING(name), builder->location);
  mlirOperationStateAddOperands(&state, num_operands, operands);
  mlirOperationStateAddResults(&state, num_results, results);
  mlirOperationStateAddAttributes(&state, num_attributes, attributes);
  mlirOperationStateAddOwnedRegions(&state, num_regions, regions);
  MlirOperation operation = mlirOperationCreate(&state);
  ragged_builder_insert(builder, operation);
  return operation;
}

MlirValue ragged_build_value_with(const ragged_builder *builder, const char *name, MlirType result,
                                  intptr_t num_operands, const MlirValue *operands,
                                  intptr_t num_attributes, const MlirNamedAttribute *attributes) {
  MlirOperation operation = ragged_build(builder, name, num_operands, operands, 1, &result,
                                         num_attributes, attributes, RAGGED_NONE);
  return mlirOperationGetResult(operation, 0);
}

MlirValue ragged_build_value(const ragged_builder *builder, const char *name, MlirType result,
                             intptr_t num_operands, const MlirValue *operands) {
  return ragged_build_value_with(builder, name, result, num_operands, operands, RAGGED_NONE);
}

void ragged_build_declaration(const ragged_builder *builder, const char *name, MlirType type) {
  MlirContext context = builder->context;
  MlirRegion body = mlirRegionCreate();
  ragged_build(builder, "func.func", RAGGED_NONE, RAGGED_NONE,
               RAGGED_ATTRIBUTES(
                   ragged_named(context, "sym_name", ragged_attribute_string(context, name)),
                   ragged_named(context, "function_type", ragged_attribute_type(type)),
                   ragged_named(context, "sym_visibility",
                                ragged_attribute_string(context, "private"))),
               1, &body);
}

MlirNamedAttribute ragged_named(MlirContext context, const char *name, MlirAttribute attribute) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, STRING(name)), attribute);
}

MlirAttribute ragged_attribute_parse(MlirContext context, const char *text) {
  return mlirAttributeParseGet(context, STRING(text));
}

MlirAttribute ragged_attribute_i64(MlirContext context, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), value);
}

MlirAttribute ragged_attribute_i32(MlirContext context, int32_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32), value);
}

MlirAttribute ragged_attribute_index(MlirContext context, int64_t value) {
  return mlirIntegerAttrGet(mlirIndexTypeGet(context), value);
}

MlirAttribute ragged_attribute_i64_array(MlirContext context, intptr_t count,
                                         const int64_t *values) {
  return mlirDenseI64ArrayGet(context, count, values);
}

MlirAttribute ragged_attribute_string(MlirContext context, const char *text) {
  return mlirStringAttrGet(context, STRING(text));
}

MlirAttribute ragged_attribute_type(MlirType type) { return mlirTypeAttrGet(type); }

MlirAttribute ragged_attribute_symbol(MlirContext context, const char *name) {
  return mlirFlatSymbolRefAttrGet(context, STRING(name));
}

MlirType ragged_type_parse(MlirContext context, const char *text) {
  return mlirTypeParseGet(context, STRING(text));
}

static MlirValue build_constant(const ragged_builder *builder, MlirType type,
                                MlirAttribute attribute) {
  MlirNamedAttribute value = ragged_named(builder->context, "value", attribute);
  return ragged_build_value_with(builder, "arith.constant", type, RAGGED_NONE, 1, &value);
}

MlirValue ragged_build_integer(const ragged_builder *builder, MlirType type, int64_t value) {
  bool vector = mlirTypeIsAVector(type);
  MlirType element = vector ? mlirShapedTypeGetElementType(type) : type;
  MlirAttribute attribute = mlirIntegerAttrGet(element, value);
  if (vector) attribute = mlirDenseElementsAttrSplatGet(type, attribute);
  return build_constant(builder, type, attribute);
}

MlirValue ragged_build_index(const ragged_builder *builder, int64_t value) {
  return ragged_build_integer(builder, mlirIndexTypeGet(builder->context), value);
}

MlirValue ragged_build_float(const ragged_builder *builder, MlirType type, double value) {
  bool vector = mlirTypeIsAVector(type);
  MlirType element = vector ? mlirShapedTypeGetElementType(type) : type;
  MlirAttribute attribute = mlirFloatAttrDoubleGet(builder->context, element, value);
  if (vector) attribute = mlirDenseElementsAttrSplatGet(type, attribute);
  return build_constant(builder, type, attribute);
}

bool ragged_operation_is(MlirOperation operation, const char *name) {
  if (mlirOperationIsNull(operation)) return false;
  MlirStringRef own = mlirIdentifierStr(mlirOperationGetName(operation));
  return own.length == strlen(name) && !memcmp(own.data, name, own.length);
}

bool ragged_operation_in_dialect(MlirOperation operation, const char *prefix) {
  MlirStringRef own = mlirIdentifierStr(mlirOperationGetName(operation));
  size_t length = strlen(prefix);
  return own.length > length && !memcmp(own.data, prefix, length);
}

MlirAttribute ragged_operation_attribute(MlirOperation operation, const char *name) {
  return mlirOperationGetAttributeByName(operation, STRING(name));
}

const char *ragged_attribute_text(MlirAttribute string) {
  MlirStringRef text = mlirStringAttrGetValue(string);
  return text.length ? text.data : "";  // an empty one may have no storage
}

const char *ragged_operation_string(MlirOperation operation, const char *name) {
  MlirAttribute attribute = ragged_operation_attribute(operation, name);
  if (mlirAttributeIsNull(attribute)) return NULL;
  // Storage of string and symbol attributes is null-terminated.
  if (mlirAttributeIsAString(attribute)) return ragged_attribute_text(attribute);
  if (mlirAttributeIsAFlatSymbolRef(attribute)) return mlirFlatSymbolRefAttrGetValue(attribute).data;
  return NULL;
}

int64_t ragged_operation_int(MlirOperation operation, const char *name, int64_t absent) {
  MlirAttribute attribute = ragged_operation_attribute(operation, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute)) return absent;
  return mlirIntegerAttrGetValueInt(attribute);
}

bool ragged_operation_has(MlirOperation operation, const char *name) {
  return !mlirAttributeIsNull(ragged_operation_attribute(operation, name));
}

int ragged_operation_int_array(MlirOperation operation, const char *name, int capacity, int64_t *out) {
  MlirAttribute attribute = ragged_operation_attribute(operation, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsADenseI64Array(attribute)) return 0;
  int count = 0;
  for (; count < capacity && count < mlirDenseArrayGetNumElements(attribute); ++count)
    out[count] = mlirDenseI64ArrayGetElement(attribute, count);
  return count;
}

MlirBlock ragged_operation_body(MlirOperation operation) {
  if (mlirOperationGetNumRegions(operation) == 0) return (MlirBlock){NULL};
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, 0));
}

MlirOperation ragged_module_lookup(MlirOperation module, const char *name) {
  MlirBlock body = ragged_operation_body(module);
  if (mlirBlockIsNull(body)) return (MlirOperation){NULL};
  for (MlirOperation operation = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(operation);
       operation = mlirOperationGetNextInBlock(operation)) {
    const char *symbol = ragged_operation_string(operation, "sym_name");
    if (symbol && !strcmp(symbol, name)) return operation;
  }
  return (MlirOperation){NULL};
}

bool ragged_value_is_constant(MlirValue value, int64_t *out) {
  MlirOperation definition = ragged_value_definition(value);
  if (mlirOperationIsNull(definition) || !ragged_operation_is(definition, "arith.constant"))
    return false;
  MlirAttribute number = ragged_operation_attribute(definition, "value");
  if (mlirAttributeIsNull(number) || !mlirAttributeIsAInteger(number)) return false;
  *out = mlirIntegerAttrGetValueInt(number);
  return true;
}

int64_t ragged_value_num_uses(MlirValue value) {
  int64_t count = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    ++count;
  return count;
}

bool ragged_value_has_one_use(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

MlirOperation ragged_value_definition(MlirValue value) {
  if (!mlirValueIsAOpResult(value)) return (MlirOperation){NULL};
  return mlirOpResultGetOwner(value);
}

MlirValue ragged_value_none(void) { return (MlirValue){NULL}; }
