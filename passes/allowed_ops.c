// The closed list of what stands beside the ops of `ragged` in a function. See allowed_ops.h.
#include "passes/allowed_ops.h"

#include <stddef.h>

#include "dialect/diagnostic.h"
#include "dialect/type_schema.h"
#include "ir/build.h"

static const char *const kStructure[] = {"func.call", "func.return", "scf.if",       "scf.for",
                                         "scf.while", "scf.yield",   "scf.condition"};

static bool is_scalar(MlirType type) {
  return mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type) || mlirTypeIsAFloat(type);
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
    ragged_op_error(operation, "works on %s; in a ragged program arith is for scalars and indices, "
                    "and its constants", ragged_type_text(&arena, wrong));
  ragged_arena_free(&arena);
  return mlirTypeIsNull(wrong);
}

bool ragged_check_allowed_op(MlirOperation operation) {
  MlirContext context = mlirOperationGetContext(operation);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  bool registered = mlirContextIsRegisteredOperation(context, name);
  if (registered && ragged_operation_in_dialect(operation, "ragged.")) return true;
  if (registered && ragged_operation_in_dialect(operation, "arith.")) return check_arith(operation);
  if (registered && ragged_operation_is(operation, "tensor.extract")) return check_extract(operation);
  for (size_t k = 0; registered && k < sizeof kStructure / sizeof kStructure[0]; ++k)
    if (ragged_operation_is(operation, kStructure[k])) return true;
  return ragged_op_error(operation, "has no place in a ragged program, which is made of ragged "
                         "ops, func.call and func.return, scf.if, scf.for and scf.while, arith on "
                         "scalars and indices, dense constants, and tensor.extract of rank 0");
}
