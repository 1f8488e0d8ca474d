// Ends the life of every buffer of a host program after its last use. Yields, loop conditions and
// results consume a reference; region arguments and results of structured ops own one.
#include "lower/tile/translation.h"

typedef struct release_pass {
  MlirContext context;
  MlirValue frame;
} release_pass;

static void insert(release_pass *pass, const char *name, MlirValue value, MlirOperation before,
                   MlirBlock block) {
  ragged_builder b = mlirOperationIsNull(before)
                         ? ragged_builder_at_end(block, mlirLocationUnknownGet(pass->context))
                         : ragged_builder_before(before);
  ragged_build(&b, name, RAGGED_VALUES(pass->frame, value), RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
}

static bool consumes(MlirOperation operation) {
  return ragged_operation_is(operation, "scf.yield") ||
         ragged_operation_is(operation, "scf.condition") ||
         ragged_operation_is(operation, "ragged_tile.result") ||
         ragged_operation_is(operation, "ragged_tile.result_dense");
}

// Loops take a reference to what they start with.
static bool takes_own(MlirOperation operation) {
  return ragged_operation_is(operation, "scf.for") || ragged_operation_is(operation, "scf.while");
}

static MlirOperation ancestor_in(MlirOperation operation, MlirBlock block) {
  while (!mlirOperationIsNull(operation) &&
         !mlirBlockEqual(mlirOperationGetBlock(operation), block))
    operation = mlirOperationGetParentOperation(operation);
  return operation;
}

static void end_value(release_pass *pass, MlirValue value, MlirBlock block,
                      MlirOperation definition) {
  if (!ragged_type_is_buffer(mlirValueGetType(value))) return;
  MlirOperation last = definition;
  bool inside = false;  // the last user's regions read it too
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = ancestor_in(mlirOpOperandGetOwner(use), block);
    bool nested = !mlirOperationEqual(user, mlirOpOperandGetOwner(use));
    if (mlirOperationIsNull(last) || mlirOperationIsBeforeInBlock(last, user)) {
      last = user;
      inside = nested;
    } else if (mlirOperationEqual(last, user)) {
      inside |= nested;
    }
  }
  // References that others take, but for the one that passes on.
  bool passed_on = false;
  MlirOpOperand next;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = next) {
    next = mlirOpOperandGetNextUse(use);
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!consumes(user) && !takes_own(user)) continue;
    if (!passed_on && !inside && mlirOperationEqual(user, last)) passed_on = true;
    else insert(pass, "ragged_tile.retain", value, user, block);
  }
  if (passed_on) return;
  MlirOperation after = mlirOperationIsNull(last) ? mlirBlockGetFirstOperation(block)
                                                  : mlirOperationGetNextInBlock(last);
  insert(pass, "ragged_tile.release", value, after, block);
}

static void walk_block(release_pass *pass, MlirBlock block, bool entry) {
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
      MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
      if (!mlirBlockIsNull(body)) walk_block(pass, body, false);
    }
    if (ragged_operation_is(op, "ragged_tile.argument")) {  // borrowed: own one like the others
      insert(pass, "ragged_tile.retain", mlirOperationGetResult(op, 0), next, block);
      if (mlirOperationIsNull(next)) next = mlirOperationGetNextInBlock(op);
    }
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k)
      end_value(pass, mlirOperationGetResult(op, k), block, op);
  }
  if (entry) return;
  for (intptr_t k = 0; k < mlirBlockGetNumArguments(block); ++k)
    end_value(pass, mlirBlockGetArgument(block, k), block, (MlirOperation){NULL});
}

void insert_releases(MlirContext context, MlirOperation host_function, MlirValue frame) {
  release_pass pass = {context, frame};
  walk_block(&pass, ragged_operation_body(host_function), true);
}
