// --ragged-emulate-kernels: the walk over gpu.modules, their variables and functions. Each function
// moves to the host module, op after op is converted (emulate_ops.c), and at last all types lose
// their address spaces, which the conversions of ops still read.
#include "lower/emulated/emulate_kernels.h"

#include <string.h>

#include "ir/location.h"
#include "lower/emulated/emulate.h"

enum {
  SHARED_GAP = 64,                  // between variables: one's end is not the next one's begin
  MAX_SHARED_BYTES = 96 * 1024      // of the emulated device, gaps included
};

const emulate_function *emulate_find_function(const emulation *self, const char *name) {
  for (const emulate_function *function = self->functions; function; function = function->next)
    if (!strcmp(function->name, name)) return function;
  return NULL;
}

// ---- Variables -----------------------------------------------------------------------------------

static bool place_shared(emulation *self, MlirOperation operation, emulate_global *global,
                         int64_t alignment) {
  if (ragged_operation_has(operation, "value"))
    return ragged_op_error(operation, "has a value, which shared memory cannot have");
  if (global->bytes == 0) {
    global->offset = -1;
    return true;
  }
  if (alignment < 16) alignment = 16;
  global->offset = (self->shared_bytes + alignment - 1) / alignment * alignment;
  self->shared_bytes = global->offset + global->bytes + SHARED_GAP;
  return self->shared_bytes <= MAX_SHARED_BYTES ||
         ragged_op_error(operation, "does not fit: the emulated device has %d bytes for the shared "
                         "variables of a gpu.module", MAX_SHARED_BYTES);
}

// Constant data moves to the host module, under the gpu.module's name.
static bool move_constant(emulation *self, MlirOperation operation, emulate_global *global) {
  MlirContext context = self->context;
  if (!mlirBlockIsNull(ragged_operation_body(operation)))
    return ragged_op_error(operation, "has an initializer region, which is not emulated");
  global->host_name = ragged_arena_format(&self->arena, "%s%s", self->prefix, global->name);
  mlirOperationSetAttributeByName(operation, mlirStringRefCreateFromCString("sym_name"),
                                  ragged_attribute_string(context, global->host_name));
  mlirOperationSetAttributeByName(operation, mlirStringRefCreateFromCString("addr_space"),
                                  ragged_attribute_i32(context, 0));
  mlirOperationRemoveFromParent(operation);
  mlirBlockAppendOwnedOperation(self->body, operation);
  return true;
}

static bool convert_global(emulation *self, MlirOperation operation) {
  emulate_global *global = RAGGED_ARENA_ARRAY(&self->arena, emulate_global, 1);
  int64_t alignment, space = ragged_operation_int(operation, "addr_space", 0);
  MlirType type = mlirTypeAttrGetValue(ragged_operation_attribute(operation, "global_type"));
  global->name = ragged_operation_string(operation, "sym_name");
  if (!emulate_layout(self, type, &global->bytes, &alignment))
    return ragged_op_error(operation, "has a type whose size is not known");
  global->next = self->globals;
  self->globals = global;
  if (space == 3)
    return place_shared(self, operation, global,
                        ragged_operation_int(operation, "alignment", alignment));
  if (space == 4 || ragged_operation_has(operation, "constant"))
    return move_constant(self, operation, global);
  return ragged_op_error(operation, "is a global variable, which the emulated device does not have");
}

// ---- Functions -----------------------------------------------------------------------------------

static bool is_kernel(MlirOperation function) {
  return ragged_operation_has(function, "nvvm.kernel") ||
         ragged_operation_has(function, "gpu.kernel");
}

// Threads of a block in an attribute of the kernel, 0: it has none.
static int64_t threads_of(MlirOperation function, const char *name) {
  MlirAttribute threads = ragged_operation_attribute(function, name);
  if (mlirAttributeIsNull(threads) || !mlirAttributeIsADenseI32Array(threads)) return 0;
  int64_t product = 1;
  for (intptr_t k = 0; k < mlirDenseArrayGetNumElements(threads) && k < 3; ++k)
    product *= mlirDenseI32ArrayGetElement(threads, k);
  return product;
}

// The kernel's parameters come from the words. `num_words` block arguments stand behind the new two.
static bool load_parameters(emulation *self, MlirOperation function, MlirBlock entry,
                            intptr_t num_words) {
  ragged_builder at = ragged_builder_before(mlirBlockGetFirstOperation(entry));
  at.location = mlirOperationGetLocation(function);
  MlirValue words = mlirBlockGetArgument(entry, 1);
  emulate_call(self, &at, "ragged_emulated_enter",
               RAGGED_VALUES(self->thread, emulate_i64(self, &at, num_words),
                             emulate_i64(self, &at, threads_of(function, "nvvm.reqntid")),
                             emulate_i64(self, &at, threads_of(function, "nvvm.maxntid")),
                             emulate_where(self, &at, function)));
  for (intptr_t k = 0; k < num_words; ++k) {
    MlirValue parameter = mlirBlockGetArgument(entry, 2);
    MlirType type = mlirValueGetType(parameter);
    int space = emulate_address_space(self, type);
    if (!mlirTypeEqual(type, self->i64) && space != 0 && space != 1)
      return ragged_op_error(function, "has parameter %d of type %s, expected i64 or a pointer to "
                             "global memory", (int)k, emulate_type_text(self, type));
    MlirValue value =
        emulate_load(&at, emulate_element(self, &at, words, self->i64, k), type);
    mlirValueReplaceAllUsesOfWith(parameter, value);
    mlirBlockEraseArgument(entry, 2);
  }
  return true;
}

// "!llvm.func<f32 (i64)>" → the same with the thread before the arguments; a kernel's is fixed.
static MlirType host_function_type(emulation *self, MlirOperation function, bool kernel) {
  if (kernel) return ragged_type_parse(self->context, "!llvm.func<void (ptr, ptr)>");
  MlirType type = emulate_host_type(
      self, mlirTypeAttrGetValue(ragged_operation_attribute(function, "function_type")));
  if (mlirTypeIsNull(type)) return type;
  // The arguments' parenthesis is the last that opens outside of others.
  const char *text = emulate_type_text(self, type), *open = NULL;
  int depth = 0;
  for (const char *at = text; *at; ++at) {
    if (*at == '(' && depth++ == 0) open = at;
    if (*at == ')') --depth;
  }
  if (!open) return (MlirType){NULL};
  return ragged_type_parse(
      self->context, ragged_arena_format(&self->arena, "%.*s(ptr%s%s", (int)(open - text), text,
                                         open[1] == ')' ? "" : ", ", open + 1));
}

static bool is_vararg(emulation *self, MlirOperation function) {
  return strstr(emulate_attribute_text(self, function, "function_type"), "...") != NULL;
}

// Moves the body to a new function of the host module.
static MlirBlock move_body(emulation *self, MlirOperation function, const char *name,
                           MlirType type) {
  MlirContext context = self->context;
  MlirLocation location = mlirOperationGetLocation(function);
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(function, 0));
  ragged_builder at = ragged_builder_at_end(self->body, location);
  MlirOperation host = ragged_build(
      &at, "llvm.func", RAGGED_NONE, RAGGED_NONE,
      RAGGED_ATTRIBUTES(ragged_named(context, "sym_name", ragged_attribute_string(context, name)),
                        ragged_named(context, "function_type", ragged_attribute_type(type))),
      1, &region);
  return ragged_operation_body(host);
}

static void convert_body(emulation *self, MlirBlock first) {
  MlirOperation next;
  for (MlirBlock block = first; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    for (MlirOperation operation = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(operation); operation = next) {
      next = mlirOperationGetNextInBlock(operation);
      if (!emulate_convert_op(self, operation)) self->failed = true;
    }
}

// ---- Types ---------------------------------------------------------------------------------------

static void retype_value(emulation *self, MlirOperation owner, MlirValue value) {
  MlirType type = emulate_host_type(self, mlirValueGetType(value));
  if (!mlirTypeIsNull(type)) {
    mlirValueSetType(value, type);
  } else {
    ragged_op_error(owner, "has a value of type %s, which is not emulated",
                    emulate_type_text(self, mlirValueGetType(value)));
    self->failed = true;
  }
}

static void retype_op(emulation *self, MlirOperation operation) {
  for (intptr_t k = 0; k < mlirOperationGetNumResults(operation); ++k)
    retype_value(self, operation, mlirOperationGetResult(operation, k));
  MlirAttribute element = ragged_operation_attribute(operation, "elem_type");
  if (mlirAttributeIsNull(element) || !mlirAttributeIsAType(element)) return;
  MlirType type = emulate_host_type(self, mlirTypeAttrGetValue(element));
  if (!mlirTypeIsNull(type))
    mlirOperationSetAttributeByName(operation, mlirStringRefCreateFromCString("elem_type"),
                                    ragged_attribute_type(type));
}

static void retype_body(emulation *self, MlirBlock first) {
  MlirOperation next;
  for (MlirBlock block = first; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    for (intptr_t k = 0; k < mlirBlockGetNumArguments(block); ++k)
      retype_value(self, mlirBlockGetParentOperation(block), mlirBlockGetArgument(block, k));
    for (MlirOperation operation = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(operation); operation = next) {
      next = mlirOperationGetNextInBlock(operation);
      if (ragged_operation_is(operation, "llvm.addrspacecast"))
        emulate_replace(operation, mlirOperationGetOperand(operation, 0));
      else
        retype_op(self, operation);
    }
  }
}

// ---- Modules -------------------------------------------------------------------------------------

static bool convert_function(emulation *self, MlirOperation function) {
  const char *name = ragged_arena_format(&self->arena, "%s%s", self->prefix,
                                         ragged_operation_string(function, "sym_name"));
  bool kernel = is_kernel(function);
  if (!mlirOperationIsNull(ragged_module_lookup(self->host, name)))
    return ragged_op_error(function, "becomes @%s, which the module already has", name);
  MlirType type = host_function_type(self, function, kernel);
  if (mlirTypeIsNull(type) || is_vararg(self, function))
    return ragged_op_error(function, "has a signature that is not emulated: %s",
                           emulate_attribute_text(self, function, "function_type"));
  MlirBlock entry = move_body(self, function, name, type);
  MlirLocation location = mlirOperationGetLocation(function);
  intptr_t num_arguments = mlirBlockGetNumArguments(entry);
  self->entry = entry;
  self->thread = mlirBlockInsertArgument(entry, 0, self->pointer, location);
  if (kernel) mlirBlockInsertArgument(entry, 1, self->pointer, location);
  // Before the parameters: the loads of these are the host's and not checked.
  convert_body(self, entry);
  if (kernel && !load_parameters(self, function, entry, num_arguments)) return false;
  retype_body(self, entry);
  return !self->failed;
}

static void scan_functions(emulation *self) {
  self->functions = NULL;
  for (MlirOperation operation = mlirBlockGetFirstOperation(ragged_operation_body(self->device));
       !mlirOperationIsNull(operation); operation = mlirOperationGetNextInBlock(operation)) {
    if (!ragged_operation_is(operation, "llvm.func")) continue;
    emulate_function *function = RAGGED_ARENA_ARRAY(&self->arena, emulate_function, 1);
    function->name = ragged_operation_string(operation, "sym_name");
    function->defined = !mlirBlockIsNull(ragged_operation_body(operation));
    function->kernel = is_kernel(operation);
    function->next = self->functions;
    self->functions = function;
  }
}

// Variables before functions, which refer to them.
static void convert_module(emulation *self, MlirOperation device) {
  MlirOperation next, first = mlirBlockGetFirstOperation(ragged_operation_body(device));
  self->device = device;
  self->prefix = ragged_arena_format(&self->arena, "%s__",
                                     ragged_operation_string(device, "sym_name"));
  self->globals = NULL;
  self->shared_bytes = 0;
  scan_functions(self);
  for (MlirOperation operation = first; !mlirOperationIsNull(operation); operation = next) {
    next = mlirOperationGetNextInBlock(operation);
    bool converted = ragged_operation_is(operation, "llvm.mlir.global")
                         ? convert_global(self, operation)
                         : ragged_operation_is(operation, "llvm.func") ||
                               ragged_op_error(operation, "is not emulated");
    if (!converted) self->failed = true;
  }
  first = mlirBlockGetFirstOperation(ragged_operation_body(device));
  for (MlirOperation operation = first; !mlirOperationIsNull(operation); operation = next) {
    next = mlirOperationGetNextInBlock(operation);
    if (ragged_operation_is(operation, "llvm.func") &&
        !mlirBlockIsNull(ragged_operation_body(operation)) && !convert_function(self, operation))
      self->failed = true;
  }
  if (!self->failed) mlirOperationDestroy(device);
}

bool ragged_emulate_kernels_run(MlirOperation module) {
  MlirContext context = mlirOperationGetContext(module);
  emulation self = {.context = context, .host = module, .body = ragged_operation_body(module)};
  self.pointer = ragged_type_parse(context, "!llvm.ptr");
  self.i1 = mlirIntegerTypeGet(context, 1);
  self.i16 = mlirIntegerTypeGet(context, 16);
  self.i32 = mlirIntegerTypeGet(context, 32);
  self.i64 = mlirIntegerTypeGet(context, 64);
  self.f32 = mlirF32TypeGet(context);
  self.f64 = mlirF64TypeGet(context);
  MlirOperation next;
  for (MlirOperation operation = mlirBlockGetFirstOperation(self.body);
       !mlirOperationIsNull(operation); operation = next) {
    next = mlirOperationGetNextInBlock(operation);
    if (ragged_operation_is(operation, "gpu.module")) convert_module(&self, operation);
  }
  ragged_arena_free(&self.arena);
  return !self.failed;
}
