// Derivatives of structured control flow. The backward op runs the region again and goes back through
// it there and then; what a branch computes may be handed over instead (keep_branches.c). Loops between
// constants have been unrolled before where that is possible (unroll.c); of the others only what they start
// with is read, and the state before each turn is computed from the start.
#include "dialect/diagnostic.h"
#include "dialect/op_table.h"
#include "passes/grad/fresh_copy.h"
#include "passes/grad/gradient.h"
#include "passes/grad/keep_branches.h"
#include "passes/program.h"

typedef struct captures {
  const gradient *g;
  MlirOperation outer;
  int count, capacity;
  MlirValue *values;  // active, from outside of `outer`, read inside, each once
} captures;

static bool is_value_inside(MlirOperation outer, MlirValue value) {
  MlirOperation owner = mlirValueIsABlockArgument(value)
                            ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
                            : mlirOperationGetParentOperation(mlirOpResultGetOwner(value));
  return mlirOperationEqual(owner, outer) || ragged_is_inside(owner, outer);
}

static void add_capture(captures *c, MlirValue value) {
  if (mlirValueIsNull(ragged_value_map_get(c->g->active, value)) || is_value_inside(c->outer, value))
    return;
  for (int k = 0; k < c->count; ++k)
    if (mlirValueEqual(c->values[k], value)) return;
  c->values =
      ragged_arena_grow(c->g->arena, c->values, c->count, &c->capacity, sizeof *c->values);
  c->values[c->count++] = value;
}

static bool collect(MlirOperation operation, void *user) {
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(operation); ++k)
    if (ragged_op_reads(operation, k))
      add_capture(user, mlirOperationGetOperand(operation, k));
  return true;
}

static captures collect_captures(const gradient *g) {
  captures c = {.g = g, .outer = g->operation};
  ragged_walk(g->operation, collect, &c);
  return c;
}

// Goes back through `block` from its end to `after` (null: all of it); its terminator passes on values
// with these cotangents (null: none). Cotangents of what it reads are in the returned state.
static gradient reverse_block(gradient *g, MlirBlock block, MlirOperation after, int count,
                              const MlirValue *passed, const MlirValue *cotangents) {
  gradient inner = *g;
  inner.cotangents = RAGGED_ARENA_ARRAY(g->arena, ragged_value_map, 1);
  inner.mark = (MlirOperation){NULL};
  inner.b = ragged_builder_before(mlirBlockGetTerminator(block));
  gradient_mark_active(&inner, block);
  for (int k = 0; k < count; ++k)
    if (!mlirValueIsNull(cotangents[k])) gradient_add(&inner, passed[k], cotangents[k]);
  gradient_reverse(&inner, block, after);
  inner.operation = g->operation;
  g->failed |= inner.failed;
  return inner;
}

static MlirValue cotangent_or_zeros(gradient *g, MlirValue value) {
  MlirValue cotangent = ragged_value_map_get(g->cotangents, value);
  return mlirValueIsNull(cotangent) ? gradient_zeros(g, value) : cotangent;
}

// ---- scf.if ---------------------------------------------------------------------------------

static void rule_if(gradient *g) {
  captures c = collect_captures(g);
  int num_results = (int)mlirOperationGetNumResults(g->operation);
  MlirValue *cotangents = RAGGED_ARENA_ARRAY(g->arena, MlirValue, num_results + 1);
  MlirType *types = RAGGED_ARENA_ARRAY(g->arena, MlirType, c.count + 1);
  MlirRegion regions[2];
  for (int k = 0; k < num_results; ++k) cotangents[k] = gradient_of_result(g, k);
  for (int k = 0; k < c.count; ++k) types[k] = mlirValueGetType(c.values[k]);
  MlirOperation copy = gradient_fresh_copy(g->arena, g->operation);
  g->failed |= mlirOperationIsNull(copy);
  if (g->failed) return;
  for (int r = 0; r < 2; ++r) {
    regions[r] = mlirRegionCreate();
    mlirRegionTakeBody(regions[r], mlirOperationGetRegion(copy, r));
  }
  mlirOperationDestroy(copy);
  MlirOperation backward =
      ragged_build(&g->b, "scf.if", RAGGED_VALUES(gradient_operand(g, 0)), c.count, types,
                   RAGGED_NONE, 2, regions);
  MlirOperation marks[2];
  for (int r = 0; r < 2 && !g->failed; ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(backward, r));
    MlirOperation last = mlirBlockGetTerminator(block);
    ragged_builder end = ragged_builder_before(last);
    marks[r] = ragged_value_definition(ragged_build_index(&end, 0));
    MlirValue *passed = RAGGED_ARENA_ARRAY(g->arena, MlirValue, num_results + 1);
    for (int k = 0; k < num_results; ++k) passed[k] = mlirOperationGetOperand(last, k);
    gradient inner =
        reverse_block(g, block, (MlirOperation){NULL}, num_results, passed, cotangents);
    MlirValue *yielded = RAGGED_ARENA_ARRAY(g->arena, MlirValue, c.count + 1);
    for (int k = 0; k < c.count; ++k) yielded[k] = cotangent_or_zeros(&inner, c.values[k]);
    g->failed |= inner.failed;
    if (!g->failed) mlirOperationSetOperands(last, c.count, yielded);
  }
  if (!g->failed) g->operation = gradient_keep_branches(g, g->operation, backward, marks);
  for (int k = 0; k < c.count; ++k)
    gradient_add(g, c.values[k], mlirOperationGetResult(backward, k));
}

// A choice between two values, which canonicalisation makes of an scf.if that only yields.
static void rule_select(gradient *g) {
  MlirValue dy = gradient_of_result(g, 0), condition = gradient_operand(g, 0);
  for (int k = 1; k <= 2; ++k) {
    if (!gradient_wants(g, k)) continue;
    MlirType type = mlirValueGetType(dy);
    MlirRegion regions[2];
    for (int r = 0; r < 2; ++r) {
      MlirBlock block = mlirBlockCreate(0, NULL, NULL);
      regions[r] = mlirRegionCreate();
      mlirRegionAppendOwnedBlock(regions[r], block);
      ragged_builder outer = g->b;
      g->b = ragged_builder_at_end(block, outer.location);
      MlirValue own = r == k - 1 ? dy : gradient_zeros(g, dy);
      if (!g->failed)
        ragged_build(&g->b, "scf.yield", RAGGED_VALUES(own), RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
      g->b = outer;
    }
    MlirOperation choice = ragged_build(&g->b, "scf.if", RAGGED_VALUES(condition), 1, &type,
                                        RAGGED_NONE, 2, regions);
    gradient_give(g, k, mlirOperationGetResult(choice, 0));
  }
}

// ---- scf.for --------------------------------------------------------------------------------

#define ARITH(name, ...) \
  ragged_build_value(&g->b, "arith." name, type, RAGGED_VALUES(__VA_ARGS__))

// The counter of the last turn, the nearest to `upper`. Distances have no sign, so that none is too long for
// the type; what comes out for a loop that does not run is not read. A step below 1 is the loop's own error.
static MlirValue last_counter(gradient *g, MlirValue lower, MlirValue upper, MlirValue step) {
  MlirType type = mlirValueGetType(lower);
  MlirValue one = ragged_build_integer(&g->b, type, 1);
  MlirValue highest = ARITH("subi", upper, one), distance = ARITH("subi", highest, lower);
  return ARITH("subi", highest, ARITH("remui", distance, ARITH("maxui", step, one)));
}

// The backward loop's carried cotangents: of what the loop carries (floats), then of what it captures.
typedef struct backward_loop {
  int num_carried, count;
  int *position;      // carried[k] is the position[k]-th iteration argument
  MlirValue *starts;  // what they begin with
} backward_loop;

static backward_loop plan_loop(gradient *g, const captures *c) {
  int num_results = (int)mlirOperationGetNumResults(g->operation);
  backward_loop loop = {.position = RAGGED_ARENA_ARRAY(g->arena, int, num_results + 1)};
  loop.starts = RAGGED_ARENA_ARRAY(g->arena, MlirValue, num_results + c->count + 1);
  for (int k = 0; k < num_results; ++k) {
    MlirValue result = mlirOperationGetResult(g->operation, k);
    if (!gradient_is_float(mlirValueGetType(result))) continue;
    loop.position[loop.num_carried++] = k;
    loop.starts[loop.count++] = cotangent_or_zeros(g, result);
  }
  for (int k = 0; k < c->count; ++k) loop.starts[loop.count++] = gradient_zeros(g, c->values[k]);
  return loop;
}

// One turn backwards, in `block`: the body runs again from `state`, then back.
static void emit_turn(gradient *g, const captures *c, const backward_loop *loop, MlirBlock block,
                      MlirValue counter, MlirOperation state) {
  int num_results = (int)mlirOperationGetNumResults(g->operation);
  MlirOperation yield = ragged_build(&g->b, "scf.yield", RAGGED_NONE, RAGGED_NONE, RAGGED_NONE,
                                     RAGGED_NONE);
  MlirValue *passed = RAGGED_ARENA_ARRAY(g->arena, MlirValue, num_results + 1);
  for (int k = 0; k < num_results; ++k) passed[k] = mlirOperationGetResult(state, k);
  g->failed |= !gradient_copy_turn(g->arena, g->operation, counter, passed, yield);
  if (g->failed) return;
  MlirValue *cotangents = RAGGED_ARENA_ARRAY(g->arena, MlirValue, num_results + 1);
  for (int k = 0; k < loop->num_carried; ++k) {
    MlirValue start = mlirOperationGetResult(state, loop->position[k]);
    cotangents[loop->position[k]] = mlirBlockGetArgument(block, k + 1);
    ragged_value_map_set(g->arena, g->active, start, start);
  }
  gradient inner = reverse_block(g, block, state, num_results, passed, cotangents);
  MlirValue *yielded = RAGGED_ARENA_ARRAY(g->arena, MlirValue, loop->count + 1);
  for (int k = 0; k < loop->num_carried; ++k)
    yielded[k] = cotangent_or_zeros(&inner, mlirOperationGetResult(state, loop->position[k]));
  g->failed |= inner.failed;
  for (int k = 0; k < c->count && !g->failed; ++k) {
    gradient sum = inner;  // cotangents of its own: those of other captures are still read
    sum.cotangents = RAGGED_ARENA_ARRAY(g->arena, ragged_value_map, 1);
    gradient_add(&sum, c->values[k], mlirBlockGetArgument(block, loop->num_carried + k + 1));
    gradient_add(&sum, c->values[k], ragged_value_map_get(inner.cotangents, c->values[k]));
    yielded[loop->num_carried + k] = ragged_value_map_get(sum.cotangents, c->values[k]);
    g->failed |= sum.failed;
  }
  if (!g->failed) mlirOperationSetOperands(yield, loop->count, yielded);
}

static void rule_for(gradient *g) {
  MlirOperation forward = g->operation;
  if (g->keep == GRADIENT_KEEP_ALL) {
    g->failed = true;
    ragged_op_error(forward, "cannot be unrolled, so that its values cannot all be kept; use "
                    "keep=minimal or keep=inputs");
    return;
  }
  captures c = collect_captures(g);
  backward_loop loop = plan_loop(g, &c);
  if (g->failed) return;
  MlirValue lower = gradient_operand(g, 0), upper = gradient_operand(g, 1);
  MlirValue step = gradient_operand(g, 2);
  MlirType type = mlirValueGetType(lower);
  MlirValue last = last_counter(g, lower, upper, step);
  MlirNamedAttribute as_unsigned =
      ragged_named(g->context, "unsignedCmp", mlirUnitAttrGet(g->context));
  MlirValue *operands = RAGGED_ARENA_ARRAY(g->arena, MlirValue, loop.count + 3);
  MlirType *types = RAGGED_ARENA_ARRAY(g->arena, MlirType, loop.count + 1);
  MlirBlock block = mlirBlockCreate(1, &type, &g->b.location);
  // It counts as the forward loop does, for as many turns.
  operands[0] = lower;
  operands[1] = upper;
  operands[2] = step;
  for (int k = 0; k < loop.count; ++k) {
    operands[3 + k] = loop.starts[k];
    types[k] = mlirValueGetType(loop.starts[k]);
    mlirBlockAddArgument(block, types[k], g->b.location);
  }
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  MlirOperation backward =
      ragged_build(&g->b, "scf.for", loop.count + 3, operands, loop.count, types,
                   ragged_operation_has(forward, "unsignedCmp"), &as_unsigned, 1, &region);
  ragged_builder outer = g->b;
  g->b = ragged_builder_at_end(block, outer.location);
  MlirValue behind = ARITH("subi", mlirBlockGetArgument(block, 0), lower);
  MlirValue counter = ARITH("subi", last, behind);
  MlirOperation state = gradient_fresh_copy(g->arena, forward);
  g->failed |= mlirOperationIsNull(state);
  if (!g->failed) {
    ragged_builder_insert(&g->b, state);
    mlirOperationSetOperand(state, 1, counter);  // the turns before this one
    emit_turn(g, &c, &loop, block, counter, state);
  }
  g->b = outer;
  if (g->failed) return;
  for (int k = 0; k < loop.num_carried; ++k)
    if (gradient_wants(g, 3 + loop.position[k]))
      gradient_give(g, 3 + loop.position[k], mlirOperationGetResult(backward, k));
  for (int k = 0; k < c.count; ++k)
    gradient_add(g, c.values[k], mlirOperationGetResult(backward, loop.num_carried + k));
}

const gradient_rule_row gradient_control_rules[] = {
    {"scf.if", rule_if},
    {"scf.for", rule_for},
    {"arith.select", rule_select},
    {NULL, NULL},
};
