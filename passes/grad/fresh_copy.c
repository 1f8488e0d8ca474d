// See fresh_copy.h.
#include "passes/grad/fresh_copy.h"

#include "ir/build.h"
#include "passes/program.h"
#include "passes/rename_axes.h"

static bool note_births(MlirOperation operation, void *user) {
  ragged_collect_created(operation, user);
  return true;
}

static MlirOperation function_of(MlirOperation operation) {
  while (!ragged_operation_is(operation, "func.func"))
    operation = mlirOperationGetParentOperation(operation);
  return operation;
}

bool gradient_fresh_axes(ragged_arena *arena, MlirOperation operation,
                         ragged_substitution *substitution) {
  ragged_name_table born = {.arena = arena}, taken = {.arena = arena}, inside = {.arena = arena};
  ragged_walk(operation, note_births, &born);
  if (born.size == 0) return false;
  ragged_rule_error error;
  int64_t unlimited = INT64_MAX;
  ragged_collect_axes(function_of(operation), &taken, &unlimited);
  ragged_collect_axes(operation, &inside, &unlimited);
  for (int k = 0; k < inside.size; ++k) {
    const char *name = inside.names[k], *own = name;
    bool is_born = ragged_name_table_find(&born, name) >= 0;
    for (int n = 1; is_born && ragged_name_table_find(&taken, own) >= 0; ++n)
      own = ragged_arena_format(arena, "%s_%d", name, n);
    ragged_name_table_add(&taken, own);
    ragged_substitution_bind(substitution, arena, name, own, -1, &error);
  }
  return true;
}

MlirOperation gradient_fresh_copy(ragged_arena *arena, MlirOperation operation) {
  MlirOperation copy = mlirOperationClone(operation);
  ragged_substitution substitution = {0};
  if (!gradient_fresh_axes(arena, operation, &substitution) ||
      ragged_rename_axes(copy, &substitution, operation, arena))
    return copy;
  mlirOperationDestroy(copy);
  return (MlirOperation){NULL};
}

bool gradient_copy_turn(ragged_arena *arena, MlirOperation loop, MlirValue counter, MlirValue *values,
                        MlirOperation before) {
  MlirOperation copy = gradient_fresh_copy(arena, loop);
  if (mlirOperationIsNull(copy)) return false;
  MlirBlock body = ragged_operation_body(copy);
  MlirOperation yield = mlirBlockGetTerminator(body);
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, 0), counter);
  intptr_t num_carried = mlirOperationGetNumOperands(yield);
  for (intptr_t k = 0; k < num_carried; ++k)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, k + 1), values[k]);
  for (MlirOperation op = mlirBlockGetFirstOperation(body), next; !mlirOperationEqual(op, yield);
       op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, before);
  }
  for (intptr_t k = 0; k < num_carried; ++k) values[k] = mlirOperationGetOperand(yield, k);
  mlirOperationDestroy(copy);
  return true;
}
