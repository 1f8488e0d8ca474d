// How the conversion to the emulated device builds host code: constants, calls of the device,
// declarations, texts. See emulate.h.
#include <string.h>

#include "ir/location.h"
#include "lower/emulated/emulate.h"

typedef struct abi_function {
  const char *symbol, *result, *arguments;  // letters as in emulated_abi.def
} abi_function;

static const abi_function abi_functions[] = {
#define EMULATED_FUNCTION(symbol, result, ...) {#symbol, #result, #__VA_ARGS__},
#include "lower/emulated/emulated_abi.def"
};

static MlirValue build_constant(const ragged_builder *at, MlirType type, int64_t value) {
  return ragged_build_value_with(
      at, "llvm.mlir.constant", type, RAGGED_NONE,
      RAGGED_ATTRIBUTES(ragged_named(at->context, "value", mlirIntegerAttrGet(type, value))));
}

MlirValue emulate_i32(emulation *self, const ragged_builder *at, int64_t value) {
  return build_constant(at, self->i32, value);
}

MlirValue emulate_i64(emulation *self, const ragged_builder *at, int64_t value) {
  return build_constant(at, self->i64, value);
}

// ---- Texts ---------------------------------------------------------------------------------------

// The name location in `location`, if there is one.
static MlirLocation find_name(emulation *self, MlirLocation location) {
  for (;;) {
    if (mlirLocationIsACallSite(location)) {
      location = mlirLocationCallSiteGetCallee(location);
    } else if (mlirLocationIsAFused(location) && mlirLocationFusedGetNumLocations(location) > 0) {
      intptr_t count = mlirLocationFusedGetNumLocations(location);
      MlirLocation *parts = RAGGED_ARENA_ARRAY(&self->arena, MlirLocation, count);
      mlirLocationFusedGetLocations(location, parts);
      location = parts[0];
    } else {
      return location;
    }
  }
}

static const char *text_of(emulation *self, MlirOperation operation) {
  MlirLocation location = find_name(self, mlirOperationGetLocation(operation));
  const char *text = ragged_location_text(&self->arena, location);
  return text ? text : ragged_location_text(&self->arena, ragged_location_of(operation));
}

static const char *symbol_of_text(emulation *self, const char *text) {
  for (emulate_text *known = self->texts; known; known = known->next)
    if (!strcmp(known->text, text)) return known->symbol;
  emulate_text *added = RAGGED_ARENA_ARRAY(&self->arena, emulate_text, 1);
  do {
    added->symbol =
        ragged_arena_format(&self->arena, "ragged_emulated_where_%d", self->num_texts++);
  } while (!mlirOperationIsNull(ragged_module_lookup(self->host, added->symbol)));
  added->text = text;
  added->next = self->texts;
  self->texts = added;
  size_t length = strlen(text) + 1;
  ragged_builder at = ragged_builder_at_end(self->body, mlirLocationUnknownGet(self->context));
  MlirContext context = self->context;
  MlirRegion region = mlirRegionCreate();
  MlirType type = ragged_type_parse(
      context, ragged_arena_format(&self->arena, "!llvm.array<%zu x i8>", length));
  ragged_build(
      &at, "llvm.mlir.global", RAGGED_NONE, RAGGED_NONE,
      RAGGED_ATTRIBUTES(
          ragged_named(context, "sym_name", ragged_attribute_string(context, added->symbol)),
          ragged_named(context, "global_type", ragged_attribute_type(type)),
          ragged_named(context, "linkage",
                       ragged_attribute_parse(context, "#llvm.linkage<internal>")),
          ragged_named(context, "constant", mlirUnitAttrGet(context)),
          ragged_named(context, "value",
                       mlirStringAttrGet(context, mlirStringRefCreate(text, length)))),
      1, &region);
  return added->symbol;
}

MlirValue emulate_where(emulation *self, const ragged_builder *at, MlirOperation operation) {
  const char *symbol = symbol_of_text(self, text_of(self, operation));
  return ragged_build_value_with(
      at, "llvm.mlir.addressof", self->pointer, RAGGED_NONE,
      RAGGED_ATTRIBUTES(ragged_named(self->context, "global_name",
                                     ragged_attribute_symbol(self->context, symbol))));
}

// ---- Calls ---------------------------------------------------------------------------------------

static MlirType type_of_letter(emulation *self, char letter) {
  switch (letter) {
    case 'P': return self->pointer;
    case 'L': return self->i64;
    case 'I': return self->i32;
    case 'F': return self->f32;
    case 'D': return self->f64;
    default: return (MlirType){NULL};
  }
}

static const char *name_of_letter(char letter) {
  switch (letter) {
    case 'P': return "ptr";
    case 'L': return "i64";
    case 'I': return "i32";
    case 'F': return "f32";
    case 'D': return "f64";
    default: return "void";
  }
}

static const abi_function *find_function(const char *symbol) {
  for (size_t k = 0; k < sizeof abi_functions / sizeof *abi_functions; ++k)
    if (!strcmp(abi_functions[k].symbol, symbol)) return &abi_functions[k];
  return NULL;
}

// Convergent: LLVM must not move such a call to where fewer threads get.
static void declare(emulation *self, const abi_function *function) {
  if (!mlirOperationIsNull(ragged_module_lookup(self->host, function->symbol))) return;
  MlirContext context = self->context;
  const char *text =
      ragged_arena_format(&self->arena, "!llvm.func<%s (", name_of_letter(function->result[0]));
  const char *separator = "";
  for (const char *letter = function->arguments; *letter; ++letter)
    if (*letter >= 'A' && *letter <= 'Z') {
      text = ragged_arena_format(&self->arena, "%s%s%s", text, separator, name_of_letter(*letter));
      separator = ", ";
    }
  text = ragged_arena_format(&self->arena, "%s)>", text);
  ragged_builder at = ragged_builder_at_end(self->body, mlirLocationUnknownGet(context));
  MlirRegion region = mlirRegionCreate();
  ragged_build(
      &at, "llvm.func", RAGGED_NONE, RAGGED_NONE,
      RAGGED_ATTRIBUTES(
          ragged_named(context, "sym_name", ragged_attribute_string(context, function->symbol)),
          ragged_named(context, "function_type",
                       ragged_attribute_type(ragged_type_parse(context, text))),
          ragged_named(context, "convergent", mlirUnitAttrGet(context))),
      1, &region);
}

MlirOperation emulate_call_function(emulation *self, const ragged_builder *at, const char *symbol,
                                    intptr_t num_arguments, const MlirValue *arguments,
                                    intptr_t num_results, const MlirType *results) {
  MlirContext context = self->context;
  int32_t segments[] = {(int32_t)num_arguments, 0};
  return ragged_build(
      at, "llvm.call", num_arguments, arguments, num_results, results,
      RAGGED_ATTRIBUTES(
          ragged_named(context, "callee", ragged_attribute_symbol(context, symbol)),
          ragged_named(context, "convergent", mlirUnitAttrGet(context)),
          ragged_named(context, "op_bundle_sizes", mlirDenseI32ArrayGet(context, 0, NULL)),
          ragged_named(context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 2, segments))),
      RAGGED_NONE);
}

MlirValue emulate_call(emulation *self, const ragged_builder *at, const char *symbol,
                       intptr_t num_arguments, const MlirValue *arguments) {
  const abi_function *function = find_function(symbol);
  declare(self, function);
  MlirType result = type_of_letter(self, function->result[0]);
  MlirOperation call = emulate_call_function(self, at, symbol, num_arguments, arguments,
                                             mlirTypeIsNull(result) ? 0 : 1, &result);
  return mlirTypeIsNull(result) ? ragged_value_none() : mlirOperationGetResult(call, 0);
}

// ---- Values --------------------------------------------------------------------------------------

MlirValue emulate_alloca(emulation *self, MlirType element, int64_t count) {
  ragged_builder at = ragged_builder_before(mlirBlockGetFirstOperation(self->entry));
  return ragged_build_value_with(
      &at, "llvm.alloca", self->pointer, RAGGED_VALUES(emulate_i32(self, &at, count)),
      RAGGED_ATTRIBUTES(ragged_named(self->context, "elem_type", ragged_attribute_type(element))));
}

MlirValue emulate_element(emulation *self, const ragged_builder *at, MlirValue array,
                          MlirType element, int64_t index) {
  int32_t indices[] = {(int32_t)index};
  return ragged_build_value_with(
      at, "llvm.getelementptr", self->pointer, RAGGED_VALUES(array),
      RAGGED_ATTRIBUTES(
          ragged_named(self->context, "elem_type", ragged_attribute_type(element)),
          ragged_named(self->context, "rawConstantIndices",
                       mlirDenseI32ArrayGet(self->context, 1, indices))));
}

MlirValue emulate_load(const ragged_builder *at, MlirValue address, MlirType type) {
  return ragged_build_value(at, "llvm.load", type, RAGGED_VALUES(address));
}

void emulate_store(const ragged_builder *at, MlirValue value, MlirValue address) {
  ragged_build(at, "llvm.store", RAGGED_VALUES(value, address), RAGGED_NONE, RAGGED_NONE,
               RAGGED_NONE);
}

MlirValue emulate_cast(const ragged_builder *at, const char *name, MlirValue value,
                       MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(value), type)) return value;
  return ragged_build_value(at, name, type, RAGGED_VALUES(value));
}

MlirValue emulate_insert_value(const ragged_builder *at, MlirValue aggregate, MlirValue value,
                               int64_t position) {
  return ragged_build_value_with(at, "llvm.insertvalue", mlirValueGetType(aggregate),
                                 RAGGED_VALUES(aggregate, value),
                                 RAGGED_ATTRIBUTES(ragged_named(
                                     at->context, "position",
                                     mlirDenseI64ArrayGet(at->context, 1, &position))));
}

MlirValue emulate_is_set(emulation *self, const ragged_builder *at, MlirValue value) {
  return ragged_build_value_with(
      at, "llvm.icmp", self->i1, RAGGED_VALUES(value, emulate_i32(self, at, 0)),
      RAGGED_ATTRIBUTES(ragged_named(self->context, "predicate",
                                     ragged_attribute_i64(self->context, 1))));  // ne
}

void emulate_replace(MlirOperation operation, MlirValue value) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(operation, 0), value);
  mlirOperationDestroy(operation);
}
