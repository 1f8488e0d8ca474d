// What host code is made of: calls of the runtime and their declarations, arrays on the stack, strings
// and constants in the module. Knows no host op.
#include <string.h>

#include "dialect/type_schema.h"
#include "lower/host/lower_host.h"

// ---- Functions of the runtime ----------------------------------------------------------------

typedef struct runtime_function {
  const char *symbol, *result, *arguments;  // "P, I, P"
} runtime_function;

static const runtime_function kFunctions[] = {
#define RUNTIME_FUNCTION(symbol, result, ...) {#symbol, #result, #__VA_ARGS__},
#include "lower/runtime_abi.def"
};
enum {
  NUM_FUNCTIONS = sizeof kFunctions / sizeof *kFunctions,
  MAX_ARGUMENTS = 16,
};

static MlirType letter_type(const host_lowering *self, char letter) {
  return letter == 'P' ? self->pointer : self->i64;
}

static intptr_t argument_types(const host_lowering *self, const runtime_function *function,
                               MlirType *arguments) {
  intptr_t count = 0;
  for (const char *at = function->arguments; *at; ++at)
    if (*at == 'P' || *at == 'I') arguments[count++] = letter_type(self, *at);
  return count;
}

static void declare(host_lowering *self, const runtime_function *function) {
  MlirContext context = self->context;
  MlirType arguments[MAX_ARGUMENTS];
  intptr_t num_arguments = argument_types(self, function, arguments);
  bool returns = function->result[0] != 'V';
  MlirType result = letter_type(self, function->result[0]);
  MlirType type = mlirFunctionTypeGet(context, num_arguments, arguments, returns ? 1 : 0, &result);
  ragged_build_declaration(&self->top, function->symbol, type);
}

static const runtime_function *declared_function(host_lowering *self, const char *symbol) {
  int k = 0;
  while (strcmp(kFunctions[k].symbol, symbol)) ++k;  // it is one of the table
  if (!self->declared) self->declared = RAGGED_ARENA_ARRAY(self->arena, bool, NUM_FUNCTIONS);
  if (!self->declared[k] && mlirOperationIsNull(ragged_module_lookup(self->module, symbol)))
    declare(self, &kFunctions[k]);
  self->declared[k] = true;
  return &kFunctions[k];
}

MlirValue lower_host_runtime_function(host_lowering *self, const ragged_builder *at,
                                      const char *symbol) {
  MlirType arguments[MAX_ARGUMENTS];
  intptr_t count = argument_types(self, declared_function(self, symbol), arguments);
  return lower_host_function(self, at, symbol, count, arguments);
}

MlirValue lower_host_call(host_lowering *self, const ragged_builder *at, const char *symbol,
                          intptr_t num_arguments, const MlirValue *arguments) {
  const runtime_function *function = declared_function(self, symbol);
  bool returns = function->result[0] != 'V';
  MlirType result = letter_type(self, function->result[0]);
  MlirNamedAttribute callee =
      ragged_named(self->context, "callee", ragged_attribute_symbol(self->context, symbol));
  MlirOperation call = ragged_build(at, "func.call", num_arguments, arguments, returns ? 1 : 0,
                                    &result, 1, &callee, RAGGED_NONE);
  return returns ? mlirOperationGetResult(call, 0) : ragged_value_none();
}

MlirValue lower_host_function(const host_lowering *self, const ragged_builder *at,
                              const char *symbol, intptr_t num_arguments,
                              const MlirType *arguments) {
  MlirType type = mlirFunctionTypeGet(self->context, num_arguments, arguments, RAGGED_NONE);
  MlirNamedAttribute value =
      ragged_named(self->context, "value", ragged_attribute_symbol(self->context, symbol));
  MlirValue function =
      ragged_build_value_with(at, "func.constant", type, RAGGED_NONE, 1, &value);
  // Becomes an address by itself when functions are converted to the LLVM dialect.
  return ragged_build_value(at, "builtin.unrealized_conversion_cast", self->pointer,
                            RAGGED_VALUES(function));
}

// ---- Numbers and arrays ----------------------------------------------------------------------

MlirValue lower_host_i64(const host_lowering *self, const ragged_builder *at, int64_t value) {
  return ragged_build_integer(at, self->i64, value);
}

MlirValue lower_host_null(const host_lowering *self, const ragged_builder *at) {
  return ragged_build_value(at, "llvm.mlir.zero", self->pointer, RAGGED_NONE);
}

MlirValue lower_host_is_set(const host_lowering *self, const ragged_builder *at, MlirValue value) {
  bool pointer = mlirTypeEqual(mlirValueGetType(value), self->pointer);
  MlirValue zero = pointer ? lower_host_null(self, at) : lower_host_i64(self, at, 0);
  enum { NOT_EQUAL = 1 };  // of both dialects
  MlirNamedAttribute predicate =
      ragged_named(self->context, "predicate", ragged_attribute_i64(self->context, NOT_EQUAL));
  return ragged_build_value_with(at, pointer ? "llvm.icmp" : "arith.cmpi", self->i1,
                                 RAGGED_VALUES(value, zero), 1, &predicate);
}

void lower_host_begin_function(host_lowering *self, MlirBlock entry) {
  ragged_builder at = ragged_builder_before(mlirBlockGetFirstOperation(entry));
  self->num_words = 0;
  MlirValue size = lower_host_i64(self, &at, 0);
  self->array_size = mlirOpResultGetOwner(size);
  self->array = ragged_build_value_with(
      &at, "llvm.alloca", self->pointer, RAGGED_VALUES(size),
      RAGGED_ATTRIBUTES(ragged_named(self->context, "elem_type", ragged_attribute_type(self->i64))));
}

void lower_host_end_function(host_lowering *self) {
  if (self->num_words) {
    mlirOperationSetAttributeByName(self->array_size, mlirStringRefCreateFromCString("value"),
                                    ragged_attribute_i64(self->context, self->num_words));
    return;
  }
  mlirOperationDestroy(mlirOpResultGetOwner(self->array));
  mlirOperationDestroy(self->array_size);
}

static MlirValue word_address(const host_lowering *self, const ragged_builder *at, intptr_t word) {
  if (word == 0) return self->array;
  int32_t index = (int32_t)word;
  return ragged_build_value_with(
      at, "llvm.getelementptr", self->pointer, RAGGED_VALUES(self->array),
      RAGGED_ATTRIBUTES(
          ragged_named(self->context, "elem_type", ragged_attribute_type(self->i64)),
          ragged_named(self->context, "rawConstantIndices",
                       mlirDenseI32ArrayGet(self->context, 1, &index))));
}

MlirValue lower_host_array(host_lowering *self, const ragged_builder *at, intptr_t count,
                           const MlirValue *words) {
  if (count == 0) return lower_host_null(self, at);
  if (count > self->num_words) self->num_words = count;
  for (intptr_t k = 0; k < count; ++k)
    ragged_build(at, "llvm.store", RAGGED_VALUES(words[k], word_address(self, at, k)),
                 RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
  return self->array;
}

MlirValue lower_host_i64_array(host_lowering *self, const ragged_builder *at, intptr_t count,
                               const int64_t *values) {
  MlirValue *words = RAGGED_ARENA_ARRAY(self->arena, MlirValue, count + 1);
  for (intptr_t k = 0; k < count; ++k) words[k] = lower_host_i64(self, at, values[k]);
  return lower_host_array(self, at, count, words);
}

// ---- Globals -----------------------------------------------------------------------------------

// A constant of the module under a name that nothing has yet.
static const char *build_global(host_lowering *self, const char *prefix, MlirType type,
                                MlirAttribute value, int64_t alignment) {
  MlirContext context = self->context;
  const char *symbol;
  do symbol = ragged_arena_format(self->arena, "%s_%d", prefix, self->num_globals++);
  while (!mlirOperationIsNull(ragged_module_lookup(self->module, symbol)));
  MlirRegion initialiser = mlirRegionCreate();
  ragged_build(
      &self->top, "llvm.mlir.global", RAGGED_NONE, RAGGED_NONE,
      RAGGED_ATTRIBUTES(
          ragged_named(context, "sym_name", ragged_attribute_string(context, symbol)),
          ragged_named(context, "global_type", ragged_attribute_type(type)),
          ragged_named(context, "linkage",
                       ragged_attribute_parse(context, "#llvm.linkage<internal>")),
          ragged_named(context, "constant", mlirUnitAttrGet(context)),
          ragged_named(context, "addr_space", ragged_attribute_i32(context, 0)),
          ragged_named(context, "alignment", ragged_attribute_i64(context, alignment)),
          ragged_named(context, "value", value)),
      1, &initialiser);
  return symbol;
}

static MlirValue build_address(const host_lowering *self, const ragged_builder *at,
                               const char *symbol) {
  MlirNamedAttribute name =
      ragged_named(self->context, "global_name", ragged_attribute_symbol(self->context, symbol));
  return ragged_build_value_with(at, "llvm.mlir.addressof", self->pointer, RAGGED_NONE, 1, &name);
}

MlirValue lower_host_string(host_lowering *self, const ragged_builder *at, const char *text,
                            size_t length) {
  host_text *known = self->texts;
  while (known && (known->length != length + 1 || memcmp(known->data, text, length)))
    known = known->next;
  if (!known) {
    known = RAGGED_ARENA_ARRAY(self->arena, host_text, 1);
    *known = (host_text){.data = ragged_arena_copy_string(self->arena, text, length),
                         .length = length + 1, .next = self->texts};
    MlirType type = ragged_type_parse(
        self->context, ragged_arena_format(self->arena, "!llvm.array<%zu x i8>", known->length));
    MlirAttribute value =
        mlirStringAttrGet(self->context, mlirStringRefCreate(known->data, known->length));
    known->symbol = build_global(self, "ragged_string", type, value, 1);
    self->texts = known;
  }
  return build_address(self, at, known->symbol);
}

// Truth values as the bytes that the runtime has for them.
static MlirAttribute build_bytes(host_lowering *self, MlirAttribute value) {
  int64_t count = mlirElementsAttrGetNumElements(value);
  int8_t *bytes = RAGGED_ARENA_ARRAY(self->arena, int8_t, count);
  for (int64_t k = 0; k < count; ++k) bytes[k] = mlirDenseElementsAttrGetBoolValue(value, k);
  MlirType type = mlirRankedTensorTypeGet(1, &count, mlirIntegerTypeGet(self->context, 8),
                                          mlirAttributeGetNull());
  return mlirDenseElementsAttrInt8Get(type, count, bytes);
}

// One dimension for any number of them, and for none, which the LLVM dialect would not take.
// Resources keep their shape.
static const char *build_elements(host_lowering *self, MlirAttribute value, MlirType type) {
  ragged_element_type element;
  if (mlirAttributeIsADenseElements(value) && ragged_type_get_element(type, &element) &&
      element == RAGGED_ELEMENT_I1) {
    value = build_bytes(self, value);
    type = mlirAttributeGetType(value);
  }
  const char *text =
      ragged_type_text(self->arena, mlirShapedTypeGetElementType(type));
  if (mlirAttributeIsADenseElements(value)) {
    int64_t count = mlirElementsAttrGetNumElements(value);
    text = ragged_arena_format(self->arena, "!llvm.array<%lld x %s>", (long long)count, text);
    value = mlirDenseElementsAttrReshapeGet(
        value, mlirRankedTensorTypeGet(1, &count, mlirShapedTypeGetElementType(type),
                                       mlirAttributeGetNull()));
  } else {
    for (int64_t k = mlirShapedTypeGetRank(type) - 1; k >= 0; --k)
      text = ragged_arena_format(self->arena, "%sarray<%lld x %s>", k ? "" : "!llvm.",
                                 (long long)mlirShapedTypeGetDimSize(type, k), text);
  }
  return build_global(self, "ragged_constant", ragged_type_parse(self->context, text), value, 64);
}

MlirValue lower_host_elements(host_lowering *self, const ragged_builder *at, MlirAttribute value) {
  if (mlirElementsAttrGetNumElements(value) == 0) return lower_host_null(self, at);
  host_constant *known = self->constants;
  while (known && !mlirAttributeEqual(known->value, value)) known = known->next;
  if (!known) {
    known = RAGGED_ARENA_ARRAY(self->arena, host_constant, 1);
    *known = (host_constant){value, build_elements(self, value, mlirAttributeGetType(value)),
                             self->constants};
    self->constants = known;
  }
  return build_address(self, at, known->symbol);
}
