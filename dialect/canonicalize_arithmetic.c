// Canonical forms of reductions and elementwise ops. Rows of canonicalize.c.
#include <math.h>

#include "dialect/canonicalize.h"
#include "dialect/type_schema.h"
#include "mlir-c/BuiltinAttributes.h"

// A reduction over no dimension, one entry a group, is its operand.
bool ragged_canonicalize_reduction(MlirOperation operation, MlirRewriterBase rewriter) {
  int count;
  int64_t dims[RAGGED_MAX_RANK];
  bool batch = !mlirAttributeIsNull(
      mlirOperationGetAttributeByName(operation, mlirStringRefCreateFromCString("batch")));
  return !batch && ragged_rewrite_int_array(operation, "dims", &count, dims) && count == 0 &&
         ragged_rewrite_replace(operation, rewriter, mlirOperationGetOperand(operation, 0));
}

// What leaves the other operand as it is: x * 1, x / 1, x - 0, and x + 0 for integers. For floats
// x + 0 is not exact (-0 + 0 is 0), x + -0 is.
typedef struct neutral_row {
  const char *name;
  bool either_side;
  double integer_value;
  double float_value;  // the sign of 0 counts
} neutral_row;

static const neutral_row kNeutral[] = {
    {"ragged.add", true, 0.0, -0.0},
    {"ragged.sub", false, 0.0, 0.0},
    {"ragged.mul", true, 1.0, 1.0},
    {"ragged.div", false, 1.0, 1.0},
};

static bool is_constant(MlirOperation operation, intptr_t k, const neutral_row *row) {
  MlirOperation constant = ragged_rewrite_operand_op(operation, k, "arith.constant");
  if (mlirOperationIsNull(constant)) return false;
  MlirAttribute value =
      mlirOperationGetAttributeByName(constant, mlirStringRefCreateFromCString("value"));
  if (mlirAttributeIsNull(value)) return false;
  if (mlirAttributeIsAInteger(value))
    return ragged_type_is_scalar(mlirAttributeGetType(value)) &&
           (double)mlirIntegerAttrGetValueInt(value) == row->integer_value;
  if (!mlirAttributeIsAFloat(value)) return false;
  double found = mlirFloatAttrGetValueDouble(value);
  return found == row->float_value && !signbit(found) == !signbit(row->float_value);
}

bool ragged_canonicalize_neutral(MlirOperation operation, MlirRewriterBase rewriter) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  for (size_t k = 0; k < sizeof kNeutral / sizeof kNeutral[0]; ++k) {
    const neutral_row *row = &kNeutral[k];
    if (!mlirStringRefEqual(name, mlirStringRefCreateFromCString(row->name))) continue;
    if (is_constant(operation, 1, row) &&
        ragged_rewrite_replace(operation, rewriter, mlirOperationGetOperand(operation, 0)))
      return true;
    return row->either_side && is_constant(operation, 0, row) &&
           ragged_rewrite_replace(operation, rewriter, mlirOperationGetOperand(operation, 1));
  }
  return false;
}

// -(-x), which changes no bit.
bool ragged_canonicalize_neg(MlirOperation operation, MlirRewriterBase rewriter) {
  MlirOperation before = ragged_rewrite_operand_op(operation, 0, "ragged.neg");
  return !mlirOperationIsNull(before) &&
         ragged_rewrite_replace(operation, rewriter, mlirOperationGetOperand(before, 0));
}

// A choice between a value and itself, or one that a constant has made.
bool ragged_canonicalize_where(MlirOperation operation, MlirRewriterBase rewriter) {
  MlirValue chosen = mlirOperationGetOperand(operation, 1);
  if (!mlirValueEqual(chosen, mlirOperationGetOperand(operation, 2))) {
    MlirOperation constant = ragged_rewrite_operand_op(operation, 0, "arith.constant");
    if (mlirOperationIsNull(constant)) return false;
    MlirAttribute value =
        mlirOperationGetAttributeByName(constant, mlirStringRefCreateFromCString("value"));
    if (mlirAttributeIsNull(value) || !mlirAttributeIsABool(value)) return false;
    if (!mlirBoolAttrGetValue(value)) chosen = mlirOperationGetOperand(operation, 2);
  }
  return ragged_rewrite_replace(operation, rewriter, chosen);
}

// To the type that the operand has.
bool ragged_canonicalize_cast(MlirOperation operation, MlirRewriterBase rewriter) {
  MlirValue x = mlirOperationGetOperand(operation, 0);
  return !ragged_type_is_unknown(mlirValueGetType(x)) &&
         ragged_rewrite_replace(operation, rewriter, x);
}
