// See unroll.h.
#include "passes/grad/unroll.h"

#include "passes/grad/fresh_copy.h"
#include "passes/program.h"

enum { MAX_UNROLLED_OPS = 4096 };

static bool count_op(MlirOperation operation, void *user) {
  (void)operation;
  ++*(int64_t *)user;
  return true;
}

// The number of turns of a loop by a positive step between constants; -1 where it is not known.
static int64_t constant_turns(MlirOperation loop, int64_t *lower, int64_t *step) {
  int64_t upper;
  if (!ragged_operation_is(loop, "scf.for") || ragged_operation_has(loop, "unsignedCmp") ||
      !ragged_value_is_constant(mlirOperationGetOperand(loop, 0), lower) ||
      !ragged_value_is_constant(mlirOperationGetOperand(loop, 1), &upper) ||
      !ragged_value_is_constant(mlirOperationGetOperand(loop, 2), step) || *step < 1)
    return -1;
  if (upper <= *lower) return 0;
  uint64_t distance = (uint64_t)upper - (uint64_t)*lower;
  uint64_t turns = (distance - 1) / (uint64_t)*step + 1;
  return turns > MAX_UNROLLED_OPS ? -1 : (int64_t)turns;
}

static void unroll(gradient *g, MlirOperation loop, int64_t turns, int64_t lower, int64_t step) {
  intptr_t num_results = mlirOperationGetNumResults(loop);
  MlirValue *values = RAGGED_ARENA_ARRAY(g->arena, MlirValue, num_results + 1);
  for (intptr_t k = 0; k < num_results; ++k) values[k] = mlirOperationGetOperand(loop, 3 + k);
  ragged_builder at = ragged_builder_before(loop);
  MlirType type = mlirValueGetType(mlirOperationGetOperand(loop, 0));
  for (int64_t turn = 0; turn < turns && !g->failed; ++turn) {
    // Wraps: the way from one bound to the other may be longer than the counter's type.
    uint64_t value = (uint64_t)lower + (uint64_t)turn * (uint64_t)step;
    MlirValue counter = ragged_build_integer(&at, type, (int64_t)value);
    g->failed = !gradient_copy_turn(g->arena, loop, counter, values, loop);
  }
  if (g->failed) return;
  for (intptr_t k = 0; k < num_results; ++k)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, k), values[k]);
  mlirOperationDestroy(loop);
}

// `size`: of the function, in ops. Depth is bounded: ragged_program_read refuses deep nesting.
static void unroll_in(gradient *g, MlirBlock block, int64_t *size) {
  for (bool changed = true; changed && !g->failed;) {
    changed = false;
    for (MlirOperation op = mlirBlockGetFirstOperation(block), next; !mlirOperationIsNull(op);
         op = next) {
      next = mlirOperationGetNextInBlock(op);
      for (int r = 0; ragged_operation_is(op, "scf.if") && r < 2; ++r) {
        MlirBlock branch = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
        if (!mlirBlockIsNull(branch)) unroll_in(g, branch, size);
      }
      int64_t lower, step, own = 1, turns = constant_turns(op, &lower, &step);
      if (turns < 0) continue;
      ragged_walk(op, count_op, &own);
      if (turns * own > MAX_UNROLLED_OPS - *size) continue;
      unroll(g, op, turns, lower, step);
      if (g->failed) return;
      *size += turns * own;
      changed = true;
    }
  }
}

void gradient_unroll(gradient *g, MlirBlock block) {
  int64_t size = 0;
  ragged_walk(mlirBlockGetParentOperation(block), count_op, &size);
  unroll_in(g, block, &size);
}
