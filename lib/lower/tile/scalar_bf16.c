// arith on scalars of bf16 in host programs: computed in f32 and rounded by integer arithmetic, as kernels
// do it. LLVM would call functions of a compiler's support library for it, which programs are not linked
// with.
#include "lower/math/vector_convert.h"
#include "lower/tile/translation.h"
#include "mlir-c/BuiltinTypes.h"

static bool is_bf16(MlirValue value) { return mlirTypeIsABF16(mlirValueGetType(value)); }

static MlirValue bitcast(translation *t, MlirValue value, MlirType type) {
  return ragged_build_value(&t->host, "arith.bitcast", type, RAGGED_VALUES(value));
}

static MlirValue widened(translation *t, MlirValue value) {
  if (!is_bf16(value)) return value;
  return ragged_emit_widen_bf16(&t->host, bitcast(t, value, mlirIntegerTypeGet(t->context, 16)));
}

bool is_bf16_arithmetic(MlirOperation operation) {
  bool any = false;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(operation); ++k)
    any |= is_bf16(mlirOperationGetOperand(operation, k));
  any |= is_bf16(mlirOperationGetResult(operation, 0));
  // These move bits.
  return any && !ragged_operation_is(operation, "arith.constant") &&
         !ragged_operation_is(operation, "arith.select") &&
         !ragged_operation_is(operation, "arith.bitcast");
}

// An f64 holds all of an integer that decides how it rounds, but for a few of more than 53 bits.
static MlirType wide_result(MlirOperation operation) {
  MlirContext context = mlirOperationGetContext(operation);
  bool of_integer = ragged_operation_is(operation, "arith.sitofp") ||
                    ragged_operation_is(operation, "arith.uitofp");
  return of_integer ? mlirF64TypeGet(context) : mlirF32TypeGet(context);
}

MlirValue emit_bf16_arithmetic(translation *t, MlirOperation operation) {
  MlirValue result = mlirOperationGetResult(operation, 0), wide;
  MlirType type = mlirValueGetType(result);
  if (ragged_operation_is(operation, "arith.extf")) {
    wide = widened(t, host_scalar(t, mlirOperationGetOperand(operation, 0)));
    return ragged_emit_convert(&t->host, type, wide);
  }
  if (ragged_operation_is(operation, "arith.truncf")) {
    wide = host_scalar(t, mlirOperationGetOperand(operation, 0));
  } else {
    MlirOperation copy = mlirOperationClone(operation);
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(operation); ++k)
      mlirOperationSetOperand(copy, k,
                              widened(t, host_scalar(t, mlirOperationGetOperand(operation, k))));
    ragged_builder_insert(&t->host, copy);
    wide = mlirOperationGetResult(copy, 0);
    if (!is_bf16(result)) return wide;
    mlirValueSetType(wide, wide_result(operation));
  }
  return bitcast(t, ragged_emit_round_bf16(&t->host, wide), type);
}
