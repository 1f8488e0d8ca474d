// Late ops: elementwise ops that one op reads and whose operands stand in memory anyway. They wait for
// their reader: storing what they compute would cost more than reading their operands there. A reduction
// computes them inside; before a row-local op they join its row group. Called by the walk in to_tiles.c.
#include "dialect/op_table.h"
#include "lower/tile/translation.h"

enum {
  MOST_OPS = 16,     // of late ops that one op computes inside
  MOST_OPERANDS = 8  // that they read
};

// The only op that reads the result of `definition`, directly and in the same block; null: none, or more.
static MlirOperation only_reader(const translation *t, MlirOperation definition) {
  MlirOperation reader = {NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(definition, 0));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    if (!use_reads(t, use)) continue;
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool other = !mlirOperationIsNull(reader) && !mlirOperationEqual(reader, user);
    if (other || !mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(definition)))
      return (MlirOperation){NULL};
    reader = user;
  }
  return reader;
}

// A reduction that reads its operand once, or a row-local op over the same rows. Not a view: who reads through
// it may be at another row.
static bool can_compute(MlirOperation reader, MlirOperation operation) {
  if (mlirOperationIsNull(reader) || is_view_op(reader)) return false;
  if (is_reduction_op(reader) && !is_row_local(reader))
    return !ragged_operation_is(reader, "ragged.argmax");
  ragged_schema own, rows;
  value_schema(mlirOperationGetResult(operation, 0), &own);
  return is_row_local(reader) &&
         ragged_type_get_schema(mlirValueGetType(mlirOperationGetResult(reader, 0)), &rows) &&
         ragged_schema_same_space(&own, &rows);
}

// Whether `value`, maybe behind views, is read by an op that only reads what stands in memory.
static bool is_stored_for_others(const translation *t, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!use_reads(t, use)) continue;
    if (is_view_op(user) ? is_stored_for_others(t, mlirOperationGetResult(user, 0))
                         : !is_row_local(user))
      return true;
  }
  return false;
}

static bool stands_anyway(const translation *t, MlirValue value) {
  MlirOperation definition;
  while (!mlirOperationIsNull(definition = ragged_value_definition(value)) && is_view_op(definition))
    value = mlirOperationGetOperand(definition, 0);
  return mlirOperationIsNull(definition) || !is_row_local(definition) || is_remade_op(definition) ||
         !ragged_type_is_tensor(mlirValueGetType(value)) || is_stored_for_others(t, value);
}

// Adds the late ops that `operation` is made of, and what they read.
static bool count_parts(const translation *t, MlirOperation operation, int *ops, int *operands) {
  if (++*ops > MOST_OPS) return false;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(operation); ++k) {
    MlirValue operand = mlirOperationGetOperand(operation, k);
    MlirOperation definition = ragged_value_definition(operand);
    if (!mlirOperationIsNull(definition) && is_late(t, definition)) {
      if (!count_parts(t, definition, ops, operands)) return false;
    } else if (!stands_anyway(t, operand) || ++*operands > MOST_OPERANDS) {
      return false;
    }
  }
  return true;
}

static MlirWalkResult visit(MlirOperation operation, void *user) {
  translation *t = user;
  int ops = 0, operands = 0;
  if (!is_elementwise_op(operation)) return MlirWalkResultAdvance;
  MlirValue result = mlirOperationGetResult(operation, 0);
  if (ragged_type_is_tensor(mlirValueGetType(result)) &&
      can_compute(only_reader(t, operation), operation) && count_parts(t, operation, &ops, &operands))
    ragged_value_map_set(t->arena, &t->late, result, result);
  return MlirWalkResultAdvance;
}

void find_late(translation *t) { mlirOperationWalk(t->function, visit, t, MlirWalkPreOrder); }

bool is_late(const translation *t, MlirOperation operation) {
  return mlirOperationGetNumResults(operation) == 1 &&
         !mlirValueIsNull(ragged_value_map_get(&t->late, mlirOperationGetResult(operation, 0)));
}
