// See keep_branches.h.
#include "passes/grad/keep_branches.h"

#include "passes/grad/keep.h"
#include "passes/program.h"

// A value that a branch hands over: in the forward branch, and as the backward one computes it again.
typedef struct handed {
  int branch;
  MlirValue original, again;
  MlirValue like;  // a value outside with its structure; null for a scalar
} handed;

typedef struct hand_over {
  gradient *g;
  MlirOperation forward;
  int count, capacity;
  handed *values;
} hand_over;

static MlirBlock branch_of(MlirOperation operation, int r) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, r));
}

// A value before the forward op, in its block or among the function's arguments.
static MlirValue find_like(const hand_over *h, MlirValue value) {
  MlirBlock block = mlirOperationGetBlock(h->forward);
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationEqual(op, h->forward);
       op = mlirOperationGetNextInBlock(op))
    for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k)
      if (gradient_same_structure(mlirOperationGetResult(op, k), value))
        return mlirOperationGetResult(op, k);
  for (;;) {
    for (intptr_t k = 0; k < mlirBlockGetNumArguments(block); ++k)
      if (gradient_same_structure(mlirBlockGetArgument(block, k), value))
        return mlirBlockGetArgument(block, k);
    MlirOperation parent = mlirBlockGetParentOperation(block);
    if (ragged_operation_is(parent, "func.func")) return ragged_value_none();
    block = mlirOperationGetBlock(parent);
  }
}

static void hand(hand_over *h, int branch, MlirValue original, MlirValue again) {
  MlirValue like = find_like(h, original);
  if (mlirValueIsNull(like) && !gradient_is_scalar(original)) return;
  if (!gradient_is_float(mlirValueGetType(original))) return;
  h->values = ragged_arena_grow(h->g->arena, h->values, h->count, &h->capacity, sizeof *h->values);
  h->values[h->count++] = (handed){branch, original, again, like};
}

// The branches are copies of each other up to the mark: values correspond by their places.
static void collect(hand_over *h, MlirOperation backward, int branch, MlirOperation mark) {
  gradient_kept kept;
  MlirBlock block = branch_of(backward, branch);
  gradient_decide_kept(h->g->arena, block, mark, h->g->keep, &kept);
  MlirOperation original = mlirBlockGetFirstOperation(branch_of(h->forward, branch));
  int next = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationEqual(op, mark);
       op = mlirOperationGetNextInBlock(op), original = mlirOperationGetNextInBlock(original))
    for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k)
      if (next < kept.count && mlirValueEqual(kept.values[next], mlirOperationGetResult(op, k))) {
        hand(h, branch, mlirOperationGetResult(original, k), kept.values[next]);
        ++next;
      }
}

static void extend_yield(hand_over *h, MlirOperation choice, int branch) {
  gradient *g = h->g;
  MlirOperation yield = mlirBlockGetTerminator(branch_of(choice, branch));
  intptr_t own = mlirOperationGetNumOperands(yield);
  MlirValue *values = RAGGED_ARENA_ARRAY(g->arena, MlirValue, own + h->count + 1);
  for (intptr_t k = 0; k < own; ++k) values[k] = mlirOperationGetOperand(yield, k);
  ragged_builder outer = g->b;
  g->b = ragged_builder_before(yield);
  for (int k = 0; k < h->count; ++k) {
    const handed *value = &h->values[k];
    values[own + k] = value->branch == branch
                          ? value->original
                          : gradient_filled(g, value->original, value->like, 0);
  }
  g->b = outer;
  if (!g->failed) mlirOperationSetOperands(yield, own + h->count, values);
}

// The forward op with what is handed over as further results.
static MlirOperation extend(hand_over *h) {
  MlirOperation forward = h->forward;
  intptr_t own = mlirOperationGetNumResults(forward);
  MlirType *types = RAGGED_ARENA_ARRAY(h->g->arena, MlirType, own + h->count + 1);
  MlirRegion regions[2];
  for (intptr_t k = 0; k < own; ++k) types[k] = mlirValueGetType(mlirOperationGetResult(forward, k));
  for (int k = 0; k < h->count; ++k) types[own + k] = mlirValueGetType(h->values[k].original);
  for (int r = 0; r < 2; ++r) {
    regions[r] = mlirRegionCreate();
    mlirRegionTakeBody(regions[r], mlirOperationGetRegion(forward, r));
  }
  ragged_builder at = ragged_builder_before(forward);
  MlirOperation choice =
      ragged_build(&at, "scf.if", RAGGED_VALUES(mlirOperationGetOperand(forward, 0)),
                   own + h->count, types, RAGGED_NONE, 2, regions);
  for (intptr_t k = 0; k < own; ++k)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(forward, k),
                                  mlirOperationGetResult(choice, k));
  for (int k = 0; k < h->count; ++k)
    mlirValueReplaceAllUsesOfWith(h->values[k].again, mlirOperationGetResult(choice, own + k));
  mlirOperationDestroy(forward);
  for (int r = 0; r < 2; ++r) extend_yield(h, choice, r);
  return choice;
}

static bool is_unused(MlirOperation operation) {
  for (intptr_t k = 0; k < mlirOperationGetNumResults(operation); ++k)
    if (ragged_value_num_uses(mlirOperationGetResult(operation, k))) return false;
  // Checks and creations of axes stay; they cost next to nothing.
  return !ragged_operation_is(operation, "ragged.assume_same_axis") &&
         !ragged_operation_has(operation, "axes");
}

// Drops the mark and the ops before it whose results nobody reads, the last one first.
static void sweep(const gradient *g, MlirBlock block, MlirOperation mark) {
  int count;
  MlirOperation *operations =
      ragged_ops_between(g->arena, mlirBlockGetFirstOperation(block), mark, &count);
  while (count--)
    if (is_unused(operations[count])) mlirOperationDestroy(operations[count]);
  mlirOperationDestroy(mark);
}

MlirOperation gradient_keep_branches(gradient *g, MlirOperation forward, MlirOperation backward,
                                     const MlirOperation *marks) {
  hand_over h = {.g = g, .forward = forward};
  if (g->keep != GRADIENT_KEEP_INPUTS)
    for (int r = 0; r < 2; ++r) collect(&h, backward, r, marks[r]);
  if (h.count) forward = extend(&h);
  for (int r = 0; r < 2; ++r) sweep(g, branch_of(backward, r), marks[r]);
  return forward;
}
