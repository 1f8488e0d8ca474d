// The closed list of what stands beside the ops of `ragged` in a function. See allowed_ops.h.
#include "passes/allowed_ops.h"

#include <stddef.h>

#include "dialect/diagnostic.h"
#include "dialect/type_schema.h"
#include "ir/build.h"

static const char *const kStructure[] = {"func.call", "func.return", "scf.if",
                                         "scf.while", "scf.yield",   "scf.condition"};

// Floats are of the dialect's element types: for others a compiler calls functions that are not there.
static bool is_scalar(MlirType type) {
  return mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type) || ragged_type_is_scalar(type);
}

bool ragged_type_is_allowed(MlirType type) {
  return ragged_type_is_tensor(type) || mlirTypeIsARankedTensor(type) || is_scalar(type);
}

// Of a builtin tensor, the number in one of rank 0 only.
static bool check_extract(MlirOperation operation) {
  if (mlirOperationGetNumOperands(operation) == 1) return true;
  return ragged_op_error(operation, "reads an element of a tensor of rank %d; in a ragged program it "
                         "reads the number in a tensor of rank 0",
                         (int)mlirOperationGetNumOperands(operation) - 1);
}

static bool is_constant(MlirOperation operation) {
  return ragged_operation_is(operation, "arith.constant");
}

// arith works on scalars; a constant may also be a dense tensor.
static bool check_arith(MlirOperation operation) {
  ragged_arena arena = {0};
  MlirType wrong = {NULL};
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(operation); ++k) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(operation, k));
    if (!is_scalar(type)) wrong = type;
  }
  for (intptr_t k = 0; k < mlirOperationGetNumResults(operation); ++k) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(operation, k));
    if (!is_scalar(type) && !(is_constant(operation) && mlirTypeIsARankedTensor(type)))
      wrong = type;
  }
  if (!mlirTypeIsNull(wrong))
    ragged_op_error(operation, "works on %s; in a ragged program arith is for integers, indices and "
                    "scalars of f64, f32 and bf16, and its constants", ragged_type_text(&arena, wrong));
  ragged_arena_free(&arena);
  return mlirTypeIsNull(wrong);
}

// What only the call knows is the call's error; what stands here is refused before canonicalization
// could take such a loop for one that never runs. In i1 the only step, 1, is -1 as well.
static bool check_for(MlirOperation loop) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(loop, 2));
  unsigned width = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 64;
  if (width < 2 || width > 64)
    return ragged_op_error(loop, "counts in i%u, expected index or an integer of 2 to 64 bits", width);
  int64_t step;
  if (!ragged_value_is_constant(mlirOperationGetOperand(loop, 2), &step)) return true;
  bool has_sign = width == 64 || !ragged_operation_has(loop, "unsignedCmp");
  if (has_sign ? step > 0 : step != 0) return true;
  return ragged_op_error(loop, "has a step of %lld, expected 1 or more", (long long)step);
}

bool ragged_check_allowed_op(MlirOperation operation) {
  MlirContext context = mlirOperationGetContext(operation);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  bool registered = mlirContextIsRegisteredOperation(context, name);
  if (registered && ragged_operation_in_dialect(operation, "ragged.")) return true;
  if (registered && ragged_operation_in_dialect(operation, "arith.")) return check_arith(operation);
  if (registered && ragged_operation_is(operation, "tensor.extract")) return check_extract(operation);
  if (registered && ragged_operation_is(operation, "scf.for")) return check_for(operation);
  for (size_t k = 0; registered && k < sizeof kStructure / sizeof kStructure[0]; ++k)
    if (ragged_operation_is(operation, kStructure[k])) return true;
  return ragged_op_error(operation, "has no place in a ragged program, which is made of ragged "
                         "ops, func.call and func.return, scf.if, scf.for and scf.while, arith on "
                         "scalars and indices, dense constants, and tensor.extract of rank 0");
}
