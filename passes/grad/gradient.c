// The walk over a block: who is active, whose rule runs, what a value's cotangent is called. See
// gradient.h. Called by differentiate.c and, for regions, by rules_control.c.
#include "passes/grad/gradient.h"

#include <string.h>

#include "dialect/diagnostic.h"
#include "dialect/op_table.h"
#include "dialect/type_schema.h"
#include "passes/program.h"

// ---- Rules ----------------------------------------------------------------------------------

const gradient_rule_row *gradient_find_rule(MlirOperation operation) {
  static const gradient_rule_row *const tables[] = {
      gradient_elementwise_rules, gradient_reduction_rules,     gradient_structure_rules,
      gradient_linear_rules,      gradient_normalization_rules, gradient_conversion_rules,
      gradient_control_rules,     gradient_scalar_rules};
  for (size_t t = 0; t < sizeof tables / sizeof *tables; ++t)
    for (const gradient_rule_row *row = tables[t]; row->name; ++row)
      if (ragged_operation_is(operation, row->name)) return row;
  return NULL;
}

// ---- Who is active --------------------------------------------------------------------------

static bool is_active(const gradient *g, MlirValue value) {
  return !mlirValueIsNull(ragged_value_map_get(g->active, value));
}

static void mark(gradient *g, MlirValue value) {
  if (gradient_is_float(mlirValueGetType(value)))
    ragged_value_map_set(g->arena, g->active, value, value);
}

typedef struct activity {
  gradient *g;
  bool reads_active;
} activity;

static bool look(MlirOperation operation, void *user) {
  activity *a = user;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(operation); ++k)
    if (ragged_op_reads(operation, k))
      a->reads_active |= is_active(a->g, mlirOperationGetOperand(operation, k));
  return !a->reads_active;
}

// An op with regions is active as a whole: what its regions read counts.
void gradient_mark_active(gradient *g, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    activity a = {g, false};
    if (look(op, &a)) ragged_walk(op, look, &a);
    const gradient_rule_row *row = gradient_find_rule(op);
    if (!a.reads_active || (row && !row->rule)) continue;
    for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k)
      mark(g, mlirOperationGetResult(op, k));
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      for (MlirBlock inner = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
           !mlirBlockIsNull(inner); inner = mlirBlockGetNextInRegion(inner)) {
        for (intptr_t k = 0; k < mlirBlockGetNumArguments(inner); ++k)
          mark(g, mlirBlockGetArgument(inner, k));
        gradient_mark_active(g, inner);
      }
  }
}

static bool forget(MlirOperation operation, void *user) {
  gradient *g = user;
  for (intptr_t k = 0; k < mlirOperationGetNumResults(operation); ++k)
    ragged_value_map_set(g->arena, g->active, mlirOperationGetResult(operation, k),
                         ragged_value_none());
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(operation); ++r)
    for (MlirBlock inner = mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, r));
         !mlirBlockIsNull(inner); inner = mlirBlockGetNextInRegion(inner))
      for (intptr_t k = 0; k < mlirBlockGetNumArguments(inner); ++k)
        ragged_value_map_set(g->arena, g->active, mlirBlockGetArgument(inner, k),
                             ragged_value_none());
  return true;
}

void gradient_destroy(gradient *g, MlirOperation operation) {
  forget(operation, g);
  ragged_walk(operation, forget, g);
  mlirOperationDestroy(operation);
}

// A rule's ops have the place of the op in the text, not its name.
static MlirLocation unnamed(MlirLocation location) {
  return mlirLocationIsAName(location) ? mlirLocationNameGetChildLoc(location) : location;
}

// ---- Backwards ------------------------------------------------------------------------------

static bool is_needed(const gradient *g, MlirOperation operation) {
  for (intptr_t k = 0; k < mlirOperationGetNumResults(operation); ++k) {
    MlirValue result = mlirOperationGetResult(operation, k);
    if (is_active(g, result) && !mlirValueIsNull(ragged_value_map_get(g->cotangents, result)))
      return true;
  }
  return false;
}

// Only calls of functions without a body are left.
static bool is_call(MlirOperation operation) {
  return ragged_operation_is(operation, "func.call") || ragged_operation_is(operation, "ragged.call");
}

void gradient_reverse(gradient *g, MlirBlock block, MlirOperation after) {
  MlirOperation first = mlirOperationIsNull(after) ? mlirBlockGetFirstOperation(block)
                                                   : mlirOperationGetNextInBlock(after);
  int count;
  MlirOperation *operations = ragged_ops_between(g->arena, first, g->mark, &count);
  for (int k = count - 1; k >= 0 && !g->failed; --k) {
    if (!is_needed(g, operations[k])) continue;
    const gradient_rule_row *row = gradient_find_rule(operations[k]);
    g->operation = operations[k];
    g->b.location = unnamed(mlirOperationGetLocation(operations[k]));
    if (row) row->rule(g);
    else
      g->failed = !ragged_op_error(operations[k], "%s, and the derivative depends on it",
                                   is_call(operations[k]) ? "calls a function without a body"
                                                          : "has no derivative rule");
  }
}

// ---- Cotangents -----------------------------------------------------------------------------

MlirValue gradient_operand(const gradient *g, intptr_t k) {
  return mlirOperationGetOperand(g->operation, k);
}

MlirValue gradient_result(const gradient *g) { return mlirOperationGetResult(g->operation, 0); }

MlirValue gradient_of_result(const gradient *g, intptr_t k) {
  return ragged_value_map_get(g->cotangents, mlirOperationGetResult(g->operation, k));
}

bool gradient_wants(const gradient *g, intptr_t k) {
  return k < mlirOperationGetNumOperands(g->operation) && is_active(g, gradient_operand(g, k));
}

const char *gradient_name_of(ragged_arena *arena, MlirValue value) {
  MlirOperation definition = ragged_value_definition(value);
  MlirLocation location = mlirOperationIsNull(definition) ? mlirValueGetLocation(value)
                                                          : mlirOperationGetLocation(definition);
  if (mlirLocationIsAName(location)) {
    MlirStringRef name = mlirIdentifierStr(mlirLocationNameGetName(location));
    return ragged_arena_copy_string(arena, name.data, name.length);
  }
  if (mlirOperationIsNull(definition))
    return ragged_arena_format(arena, "arg%d", (int)mlirBlockArgumentGetArgNumber(value));
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(definition));
  const char *dot = memchr(name.data, '.', name.length);
  size_t skip = dot ? (size_t)(dot + 1 - name.data) : 0;
  return ragged_arena_copy_string(arena, name.data + skip, name.length - skip);
}

// The printer calls the result of an op with a named location by that name. A cotangent of several
// values has the name of the first.
static void name_cotangent(const gradient *g, MlirValue value, MlirValue cotangent) {
  MlirOperation definition = ragged_value_definition(cotangent);
  if (mlirOperationIsNull(definition)) return;
  MlirLocation location = mlirOperationGetLocation(definition);
  if (mlirLocationIsAName(location)) return;
  const char *name = ragged_arena_format(g->arena, "d_%s", gradient_name_of(g->arena, value));
  mlirOperationSetLocation(definition,
                           mlirLocationNameGet(g->context, mlirStringRefCreateFromCString(name),
                                               location));
}

void gradient_add(gradient *g, MlirValue value, MlirValue cotangent) {
  if (g->failed || mlirValueIsNull(cotangent)) return;
  if (!mlirTypeEqual(mlirValueGetType(value), mlirValueGetType(cotangent))) {
    g->failed = true;
    ragged_op_error(g->operation, "cannot be differentiated: the cotangent of a value of type %s "
                    "came out as %s",
                    ragged_type_text(g->arena, mlirValueGetType(value)),
                    ragged_type_text(g->arena, mlirValueGetType(cotangent)));
    return;
  }
  MlirValue sum = ragged_value_map_get(g->cotangents, value);
  sum = mlirValueIsNull(sum) ? cotangent : GRADIENT2(g, "add", sum, cotangent);
  if (mlirValueIsNull(sum)) return;
  name_cotangent(g, value, sum);
  ragged_value_map_set(g->arena, g->cotangents, value, sum);
}

void gradient_give(gradient *g, intptr_t k, MlirValue cotangent) {
  gradient_add(g, gradient_operand(g, k), cotangent);
}
