// Host programs: handles become pointers, in place; loops stop working after the frame's first error;
// then each host op is replaced (lower_host_ops.c). Called by the lowering to the CPU while the
// module still has its kernels, whose layouts say what launches pass.
#include "lower/host/lower_host.h"

#include <string.h>

#define HOST_PREFIX "ragged_tile."

// ---- Types -------------------------------------------------------------------------------------

static void retype(const host_lowering *self, MlirValue value) {
  if (ragged_type_is_host_handle(mlirValueGetType(value))) mlirValueSetType(value, self->pointer);
}

static void retype_block(const host_lowering *self, MlirBlock block);

static void retype_operation(const host_lowering *self, MlirOperation operation) {
  for (intptr_t k = 0; k < mlirOperationGetNumResults(operation); ++k)
    retype(self, mlirOperationGetResult(operation, k));
  for (intptr_t k = 0; k < mlirOperationGetNumRegions(operation); ++k) {
    MlirRegion region = mlirOperationGetRegion(operation, k);
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      retype_block(self, block);
  }
}

static void retype_block(const host_lowering *self, MlirBlock block) {
  for (intptr_t k = 0; k < mlirBlockGetNumArguments(block); ++k)
    retype(self, mlirBlockGetArgument(block, k));
  for (MlirOperation operation = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(operation); operation = mlirOperationGetNextInBlock(operation))
    retype_operation(self, operation);
}

// The signature from the entry block, and no attribute of the dialect that has been lowered.
static void update_function(host_lowering *self, MlirOperation function, MlirBlock entry) {
  intptr_t count = mlirBlockGetNumArguments(entry);
  MlirType *arguments = RAGGED_ARENA_ARRAY(self->arena, MlirType, count);
  for (intptr_t k = 0; k < count; ++k)
    arguments[k] = mlirValueGetType(mlirBlockGetArgument(entry, k));
  MlirType type = mlirFunctionTypeGet(self->context, count, arguments, RAGGED_NONE);
  mlirOperationSetAttributeByName(function, mlirStringRefCreateFromCString("function_type"),
                                  ragged_attribute_type(type));
  for (intptr_t k = mlirOperationGetNumDiscardableAttributes(function) - 1; k >= 0; --k) {
    MlirStringRef name =
        mlirIdentifierStr(mlirOperationGetDiscardableAttribute(function, k).name);
    if (name.length > strlen(HOST_PREFIX) && !memcmp(name.data, HOST_PREFIX, strlen(HOST_PREFIX)))
      mlirOperationRemoveDiscardableAttributeByName(function, name);
  }
}

// ---- Loops after an error ------------------------------------------------------------------------

static bool has_host_op(MlirBlock block) {
  for (MlirOperation operation = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(operation); operation = mlirOperationGetNextInBlock(operation)) {
    if (ragged_operation_in_dialect(operation, HOST_PREFIX)) return true;
    for (intptr_t k = 0; k < mlirOperationGetNumRegions(operation); ++k) {
      MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, k));
      if (!mlirBlockIsNull(body) && has_host_op(body)) return true;
    }
  }
  return false;
}

static MlirValue build_frame_ok(host_lowering *self, const ragged_builder *at) {
  MlirValue ok = lower_host_call(self, at, "ragged_rt_frame_ok", 1, &self->frame);
  return lower_host_is_set(self, at, ok);
}

static void guard_condition(host_lowering *self, MlirBlock before) {
  MlirOperation condition = mlirBlockGetTerminator(before);
  ragged_builder at = ragged_builder_before(condition);
  MlirValue both = ragged_build_value(
      &at, "arith.andi", self->i1,
      RAGGED_VALUES(mlirOperationGetOperand(condition, 0), build_frame_ok(self, &at)));
  mlirOperationSetOperand(condition, 0, both);
}

// An scf.for as the scf.while that stops after an error: host ops then do nothing, and turns that are
// left could be many. Returns it.
static MlirOperation build_while(host_lowering *self, MlirOperation loop) {
  ragged_builder at = ragged_builder_before(loop);
  MlirValue lower = mlirOperationGetOperand(loop, 0), upper = mlirOperationGetOperand(loop, 1),
            step = mlirOperationGetOperand(loop, 2);
  intptr_t count = mlirOperationGetNumResults(loop) + 1;  // the counter, then what is carried
  MlirValue *values = RAGGED_ARENA_ARRAY(self->arena, MlirValue, count);
  MlirType *types = RAGGED_ARENA_ARRAY(self->arena, MlirType, count);
  MlirLocation *locations = RAGGED_ARENA_ARRAY(self->arena, MlirLocation, count);
  for (intptr_t k = 0; k < count; ++k) {
    values[k] = k ? mlirOperationGetOperand(loop, 2 + k) : lower;
    types[k] = mlirValueGetType(values[k]);
    locations[k] = at.location;
  }
  MlirRegion regions[] = {mlirRegionCreate(), mlirRegionCreate()};
  MlirBlock before = mlirBlockCreate(count, types, locations);
  mlirRegionAppendOwnedBlock(regions[0], before);
  mlirRegionTakeBody(regions[1], mlirOperationGetRegion(loop, 0));
  MlirBlock body = mlirRegionGetFirstBlock(regions[1]);
  MlirOperation result =
      ragged_build(&at, "scf.while", count, values, count, types, RAGGED_NONE, 2, regions);

  ragged_builder decide = ragged_builder_at_end(before, at.location);
  enum { LESS = 2, LESS_UNSIGNED = 6 };
  MlirNamedAttribute less = ragged_named(
      self->context, "predicate",
      ragged_attribute_i64(self->context,
                           ragged_operation_has(loop, "unsignedCmp") ? LESS_UNSIGNED : LESS));
  MlirValue goes_on = ragged_build_value_with(
      &decide, "arith.cmpi", self->i1, RAGGED_VALUES(mlirBlockGetArgument(before, 0), upper), 1,
      &less);
  MlirValue *condition = RAGGED_ARENA_ARRAY(self->arena, MlirValue, count + 1);
  condition[0] = ragged_build_value(&decide, "arith.andi", self->i1,
                                    RAGGED_VALUES(goes_on, build_frame_ok(self, &decide)));
  for (intptr_t k = 0; k < count; ++k) condition[1 + k] = mlirBlockGetArgument(before, k);
  ragged_build(&decide, "scf.condition", count + 1, condition, RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);

  MlirOperation yield = mlirBlockGetTerminator(body);
  ragged_builder end = ragged_builder_before(yield);
  values[0] = ragged_build_value(&end, "arith.addi", types[0],
                                 RAGGED_VALUES(mlirBlockGetArgument(body, 0), step));
  for (intptr_t k = 1; k < count; ++k) values[k] = mlirOperationGetOperand(yield, k - 1);
  ragged_build(&end, "scf.yield", count, values, RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
  mlirOperationDestroy(yield);
  for (intptr_t k = 1; k < count; ++k)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, k - 1),
                                  mlirOperationGetResult(result, k));
  mlirOperationDestroy(loop);
  return result;
}

// A loop whose host ops do nothing after an error could run for long, or for ever.
static MlirOperation stop_after_error(host_lowering *self, MlirOperation operation) {
  if (ragged_operation_is(operation, "scf.while"))
    guard_condition(self, ragged_operation_body(operation));
  else if (ragged_operation_is(operation, "scf.for") && has_host_op(ragged_operation_body(operation)))
    return build_while(self, operation);
  return operation;
}

// ---- Functions -----------------------------------------------------------------------------------

static bool lower_block(host_lowering *self, MlirBlock block) {
  MlirOperation next;
  self->where = NULL;
  for (MlirOperation operation = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(operation); operation = next) {
    next = mlirOperationGetNextInBlock(operation);
    operation = stop_after_error(self, operation);
    for (intptr_t k = 0; k < mlirOperationGetNumRegions(operation); ++k) {
      MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, k));
      if (!mlirBlockIsNull(body) && !lower_block(self, body)) return false;
      self->where = NULL;
    }
    if (ragged_operation_in_dialect(operation, HOST_PREFIX) &&
        !lower_host_operation(self, operation))
      return false;
  }
  return true;
}

static bool is_host_program(MlirOperation function) {
  if (!ragged_operation_is(function, "func.func")) return false;
  MlirBlock entry = ragged_operation_body(function);
  if (mlirBlockIsNull(entry) || mlirBlockGetNumArguments(entry) == 0) return false;
  MlirType type = mlirValueGetType(mlirBlockGetArgument(entry, 0));
  return mlirTypeEqual(type, ragged_host_type_get(mlirTypeGetContext(type), RAGGED_HOST_FRAME));
}

static bool lower_function(host_lowering *self, MlirOperation function) {
  MlirBlock entry = ragged_operation_body(function);
  retype_block(self, entry);
  update_function(self, function, entry);
  self->frame = mlirBlockGetArgument(entry, 0);
  lower_host_begin_function(self, entry);
  if (self->backend->begin_program) {
    ragged_builder at = ragged_builder_before(mlirOpResultGetOwner(self->array));
    self->backend->begin_program(self, &at);
  }
  if (!lower_block(self, entry)) return false;
  lower_host_end_function(self);
  return true;
}

bool ragged_lower_host(MlirOperation module, const host_backend *backend) {
  MlirBlock body = ragged_operation_body(module);
  MlirOperation first = mlirBlockGetFirstOperation(body);
  if (mlirOperationIsNull(first)) return true;
  MlirContext context = mlirOperationGetContext(module);
  ragged_arena arena = {0};
  host_lowering self = {.context = context, .module = module, .backend = backend, .arena = &arena,
                        .top = ragged_builder_before(first),
                        .pointer = ragged_type_parse(context, "!llvm.ptr"),
                        .i64 = mlirIntegerTypeGet(context, 64),
                        .i1 = mlirIntegerTypeGet(context, 1)};
  self.layout = RAGGED_ARENA_ARRAY(&arena, kernel_layout, 1);
  bool lowered = true;
  for (MlirOperation operation = first; lowered && !mlirOperationIsNull(operation);
       operation = mlirOperationGetNextInBlock(operation))
    if (is_host_program(operation)) lowered = lower_function(&self, operation);
  ragged_arena_free(&arena);
  return lowered;
}
