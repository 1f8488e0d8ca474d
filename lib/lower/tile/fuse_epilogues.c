// dot → activation → sum becomes one dot with an epilogue, where the product's result has no other
// reader. Runs on a kernel's body before it is launched.
#include <string.h>

#include "lower/cpu/product.h"
#include "lower/tile/translation.h"
#include "mlir-c/BuiltinAttributes.h"

static MlirOperation dot_with_one_use(MlirValue value) {
  MlirOperation definition = ragged_value_definition(value);
  if (!ragged_operation_is(definition, "ragged_tile.dot") || !ragged_value_has_one_use(value))
    return (MlirOperation){NULL};
  return definition;
}

// The dot again, at `at`, with what is added; replaces the op there.
static void rebuild(kernel *k, MlirOperation dot, MlirOperation at, int64_t activation,
                    MlirValue residual) {
  MlirContext context = k->t->context;
  ragged_builder b = ragged_builder_before(at);
  MlirValue operands[4];
  intptr_t count = mlirOperationGetNumOperands(dot);
  for (intptr_t j = 0; j < count; ++j) operands[j] = mlirOperationGetOperand(dot, j);
  MlirNamedAttribute attributes[4];
  intptr_t num_attributes = 0;
  static const char *const kept[] = {"has_bias", "transposed"};
  for (size_t j = 0; j < sizeof kept / sizeof *kept; ++j)
    if (ragged_operation_has(dot, kept[j]))
      attributes[num_attributes++] = ragged_named(context, kept[j], mlirUnitAttrGet(context));
  if (!mlirValueIsNull(residual)) {
    operands[count++] = residual;
    attributes[num_attributes++] = ragged_named(context, "has_residual", mlirUnitAttrGet(context));
  }
  if (activation)
    attributes[num_attributes++] =
        ragged_named(context, "activation", ragged_attribute_i64(context, activation));
  MlirValue old = mlirOperationGetResult(at, 0);
  MlirValue value = ragged_build_value_with(&b, "ragged_tile.dot", mlirValueGetType(old), count,
                                            operands, num_attributes, attributes);
  mlirValueReplaceAllUsesOfWith(old, value);
  mlirOperationDestroy(at);
  mlirOperationDestroy(dot);
}

static int64_t activation_of(MlirOperation operation) {
  const char *function = ragged_operation_string(operation, "function");
  if (!strcmp(function, "relu")) return RAGGED_ACTIVATION_RELU;
  if (!strcmp(function, "gelu")) return RAGGED_ACTIVATION_GELU;
  if (!strcmp(function, "sigmoid")) return RAGGED_ACTIVATION_SIGMOID;
  return RAGGED_ACTIVATION_NONE;
}

void fuse_epilogues(kernel *k) {
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(k->entry); !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (!ragged_operation_is(op, "ragged_tile.elementwise")) continue;
    MlirValue first = mlirOperationGetOperand(op, 0);
    MlirOperation dot = dot_with_one_use(first);
    if (mlirOperationGetNumOperands(op) == 1) {
      int64_t activation = activation_of(op);
      if (activation && !mlirOperationIsNull(dot) && !ragged_operation_has(dot, "has_residual") &&
          !ragged_operation_int(dot, "activation", 0))
        rebuild(k, dot, op, activation, ragged_value_none());
    } else if (!strcmp(ragged_operation_string(op, "function"), "add")) {
      MlirValue other = mlirOperationGetOperand(op, 1);
      if (mlirOperationIsNull(dot)) {
        dot = dot_with_one_use(other);
        other = first;
      }
      if (!mlirOperationIsNull(dot) && !ragged_operation_has(dot, "has_residual"))
        rebuild(k, dot, op, ragged_operation_int(dot, "activation", 0), other);
    }
  }
}
