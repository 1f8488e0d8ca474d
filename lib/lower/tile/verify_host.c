// Ops of host programs: where they stand, and attributes that the runtime would have to trust.
#include <string.h>

#include "dialect/type_schema.h"
#include "lower/tile/verify_internal.h"
#include "schema/axis_expression.h"

// ---- H1 to H3 --------------------------------------------------------------------------------

static bool is_only_block(MlirBlock block) {
  MlirRegion region = mlirBlockGetParentRegion(block);
  return mlirBlockEqual(mlirRegionGetFirstBlock(region), block) &&
         mlirBlockIsNull(mlirBlockGetNextInRegion(block));
}

static bool verify_frame(MlirOperation operation) {
  MlirValue frame = mlirOperationGetOperand(operation, 0);
  MlirBlock entry = {NULL};
  MlirOperation function = {NULL};
  if (mlirValueIsABlockArgument(frame) && mlirBlockArgumentGetArgNumber(frame) == 0) {
    entry = mlirBlockArgumentGetOwner(frame);
    function = mlirBlockGetParentOperation(entry);
  }
  if (mlirOperationIsNull(function) || !ragged_operation_is(function, "func.func") ||
      !ragged_operation_is(mlirOperationGetParentOperation(function), "builtin.module"))
    return tile_error_noted(operation, ragged_value_location(frame), "defined here",
                            "has a frame that is not the first argument of a func.func of the module");
  MlirType type = mlirTypeAttrGetValue(ragged_operation_attribute(function, "function_type"));
  if (mlirFunctionTypeGetNumResults(type))
    return tile_error_noted(operation, mlirOperationGetLocation(function), "the function is here",
                            "stands in a function with results; a host program gives them with "
                            "ragged_tile.result");
  MlirBlock block = mlirOperationGetBlock(operation);
  while (is_only_block(block) && !mlirBlockEqual(block, entry))
    block = mlirOperationGetBlock(mlirBlockGetParentOperation(block));
  if (is_only_block(block)) return true;
  return ragged_op_error(operation, "stands in a region of several blocks, which a host program does "
                         "not have");
}

static bool verify_tail(MlirOperation operation) {
  MlirAttribute tail = ragged_operation_attribute(operation, "tail");
  if (mlirAttributeIsNull(tail)) return true;
  int64_t extents[RAGGED_MAX_RANK];
  intptr_t count = mlirDenseArrayGetNumElements(tail);
  for (intptr_t k = 0; k < count && k < RAGGED_MAX_RANK; ++k)
    extents[k] = mlirDenseI64ArrayGetElement(tail, k);
  const char *fault = ragged_tile_shape_fault(count, extents);  // looks at 16 at most
  return !fault || ragged_op_error(operation, "'tail' %s", fault);
}

bool verify_tile_host(MlirOperation operation, tile_verifier own) {
  if (!verify_frame(operation)) return false;
  int64_t index = ragged_operation_int(operation, "index", 0);
  if (index < 0)
    return ragged_op_error(operation, "'index' is %lld, expected no negative number", (long long)index);
  int64_t dim = ragged_operation_int(operation, "dim", 0);
  if (dim < 0 || dim >= RAGGED_MAX_RANK)
    return ragged_op_error(operation, "'dim' is %lld, expected a number in [0, %d)", (long long)dim,
                           RAGGED_MAX_RANK);
  return verify_tail(operation) && (!own || own(operation));
}

static bool verify_element_type(MlirOperation operation, MlirType type) {
  ragged_element_type element;
  if (ragged_type_is_scalar(type) && ragged_type_get_element(type, &element)) return true;
  ragged_arena arena = {0};
  ragged_op_error(operation, "has an element type that the runtime does not have: %s",
                  ragged_type_text(&arena, type));
  ragged_arena_free(&arena);
  return false;
}

// ---- Ops -------------------------------------------------------------------------------------

typedef struct known_names {
  MlirOperation operation;
  MlirAttribute names;
  bool ok;
} known_names;

static void look_up_name(const char *name, void *user) {
  known_names *known = user;
  if (!known->ok) return;
  for (intptr_t k = 0; k < mlirArrayAttrGetNumElements(known->names); ++k)
    if (mlirStringRefEqual(mlirStringAttrGetValue(mlirArrayAttrGetElement(known->names, k)),
                           mlirStringRefCreateFromCString(name)))
      return;
  known->ok = ragged_op_error(known->operation, "has %s in its expression, which is none of its names",
                              name);
}

bool verify_tile_axis_expression(MlirOperation operation) {
  known_names known = {operation, ragged_operation_attribute(operation, "names"), true};
  int num_names = (int)mlirArrayAttrGetNumElements(known.names);
  int num_axes = (int)mlirOperationGetNumOperands(operation) - 1;
  if (num_names != num_axes)
    return ragged_op_error(operation, "has %d names for %d axes", num_names, num_axes);
  for (int k = 0; k < num_names; ++k) {
    MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(known.names, k));
    if (memchr(name.data, 0, name.length))
      return ragged_op_error(operation, "has a null byte in its name #%d", k);
  }
  ragged_arena arena = {0};
  ragged_status status = ragged_axis_visit_names(
      &arena, ragged_operation_string(operation, "expression"), look_up_name, &known);
  if (status) known.ok = ragged_op_error_status(operation, status);
  ragged_arena_free(&arena);
  return known.ok;
}

bool verify_tile_space(MlirOperation operation) {
  int count = (int)mlirOperationGetNumOperands(operation) - 1;
  if (count >= 1 && count <= RAGGED_MAX_RANK) return true;
  return ragged_op_error(operation, "has %d axes, expected 1 to %d", count, RAGGED_MAX_RANK);
}

bool verify_tile_checked(MlirOperation operation) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(operation, 1));
  if (mlirTypeIsAIndex(type)) return true;
  if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) <= 64) return true;
  ragged_arena arena = {0};
  ragged_op_error(operation, "is of type %s, expected index or an integer of at most 64 bits",
                  ragged_type_text(&arena, type));
  ragged_arena_free(&arena);
  return false;
}

bool verify_tile_parts_axis(MlirOperation operation) {
  int64_t most = ragged_operation_int(operation, "most", 0);
  if (most >= 1) return true;
  return ragged_op_error(operation, "'most' is %lld, expected at least 1", (long long)most);
}

bool verify_tile_allocate(MlirOperation operation) {
  int64_t tail = ragged_operation_int(operation, "tail_elements", 0);
  if (tail < 0)
    return ragged_op_error(operation, "'tail_elements' is %lld, expected no negative number",
                           (long long)tail);
  return verify_element_type(
      operation, mlirTypeAttrGetValue(ragged_operation_attribute(operation, "element_type")));
}

bool verify_tile_allocate_dense(MlirOperation operation) {
  int rank = (int)mlirOperationGetNumOperands(operation) - 1;
  if (rank > RAGGED_MAX_RANK)
    return ragged_op_error(operation, "has rank %d, at most %d are supported", rank, RAGGED_MAX_RANK);
  return verify_element_type(
      operation, mlirTypeAttrGetValue(ragged_operation_attribute(operation, "element_type")));
}

bool verify_tile_constant_buffer(MlirOperation operation) {
  MlirAttribute value = ragged_operation_attribute(operation, "value");
  if (!mlirAttributeIsADenseElements(value) && !mlirAttributeIsADenseResourceElements(value))
    return ragged_op_error(operation, "must have dense elements");
  MlirType type = mlirAttributeGetType(value);
  ragged_element_type element;
  if (mlirAttributeIsADenseResourceElements(value) && ragged_type_get_element(type, &element) &&
      element == RAGGED_ELEMENT_I1)
    return ragged_op_error(operation, "has elements of i1 in a resource, expected them written out");
  long long rank = mlirShapedTypeGetRank(type);
  if (rank > RAGGED_MAX_RANK)
    return ragged_op_error(operation, "has rank %lld, at most %d are supported", rank,
                           RAGGED_MAX_RANK);
  return verify_element_type(operation, mlirShapedTypeGetElementType(type));
}

static bool verify_number(MlirOperation operation, MlirType type) {
  ragged_element_type element;
  if (mlirTypeIsAIndex(type) ||
      (ragged_type_is_scalar(type) && ragged_type_get_element(type, &element)))
    return true;
  ragged_arena arena = {0};
  ragged_op_error(operation, "has a number of type %s, which the runtime does not have",
                  ragged_type_text(&arena, type));
  ragged_arena_free(&arena);
  return false;
}

bool verify_tile_from_scalar(MlirOperation operation) {
  return verify_number(operation, mlirValueGetType(mlirOperationGetOperand(operation, 1)));
}

bool verify_tile_to_scalar(MlirOperation operation) {
  return verify_number(operation, mlirValueGetType(mlirOperationGetResult(operation, 0)));
}

// ---- Launches --------------------------------------------------------------------------------

bool ragged_tile_verify_launch(MlirOperation launch, MlirOperation kernel) {
  if (mlirOperationIsNull(kernel) || !ragged_operation_is(kernel, "ragged_tile.kernel"))
    return ragged_op_error(launch, "launches @%s, which is no kernel of the module",
                           ragged_operation_string(launch, "kernel"));
  int num_axes = 0, num_buffers = 0, num_refs = 0;
  MlirType axis =
      ragged_host_type_get(mlirOperationGetContext(launch), RAGGED_HOST_AXIS);
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(launch); ++k) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(launch, k));
    num_axes += mlirTypeEqual(type, axis);
    num_buffers += ragged_type_is_buffer(type);
  }
  MlirBlock body = ragged_operation_body(kernel);
  for (intptr_t k = 0; k < mlirBlockGetNumArguments(body); ++k)
    num_refs += !mlirTypeIsAIndex(mlirValueGetType(mlirBlockGetArgument(body, k)));
  int axes = (int)mlirArrayAttrGetNumElements(ragged_operation_attribute(kernel, "axes"));
  if (num_axes == axes && num_buffers == num_refs) return true;
  return tile_error_noted(launch, mlirOperationGetLocation(kernel), "the kernel is here",
                          "has %d axes and %d buffers, but its kernel has %d axes and %d refs",
                          num_axes, num_buffers, axes, num_refs);
}
