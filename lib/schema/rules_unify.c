// Calls: which caller axis stands for which axis name of the callee. Called by the verifier of
// ragged.call, by inference and by the inliner. Strings it keeps are copies in the given arena.
// Must not decide anything about functions or symbols; it sees schemas only.
#include <string.h>

#include "schema/axis_expression.h"
#include "schema/rules_common.h"

static int find_binding(const ragged_substitution *substitution, const char *from) {
  for (int k = 0; k < substitution->size; ++k)
    if (strcmp(substitution->from[k], from) == 0) return k;
  return -1;
}

const char *ragged_substitution_find(const ragged_substitution *substitution, const char *from) {
  int k = find_binding(substitution, from);
  return k < 0 ? NULL : substitution->to[k];
}

static void grow(ragged_substitution *substitution, ragged_arena *arena) {
  int size = substitution->size, capacity = size ? size * 2 : 8;
  ragged_substitution larger = {
      .size = size,
      .capacity = capacity,
      .from = RAGGED_ARENA_ARRAY(arena, const char *, capacity),
      .to = RAGGED_ARENA_ARRAY(arena, const char *, capacity),
      .operand = RAGGED_ARENA_ARRAY(arena, int, capacity),
  };
  for (int k = 0; k < size; ++k) {
    larger.from[k] = substitution->from[k];
    larger.to[k] = substitution->to[k];
    larger.operand[k] = substitution->operand[k];
  }
  *substitution = larger;
}

bool ragged_substitution_bind(ragged_substitution *substitution, ragged_arena *arena,
                              const char *from, const char *to, int operand,
                              ragged_rule_error *error) {
  int bound = find_binding(substitution, from);
  if (bound >= 0) {
    if (strcmp(substitution->to[bound], to) == 0) return true;
    int other = substitution->operand[bound];
    const char *was = substitution->to[bound];
    if (operand < 0)
      return ragged_rule_fail(error, operand, other,
                              "axis %.120s of the callee is given as %.120s, but it is %.120s "
                              "already",
                              from, to, was);
    if (other < 0)
      return ragged_rule_fail(error, operand, other,
                              "axis %.120s of the callee is %.120s in operand #%d, but the call "
                              "gives it as %.120s",
                              from, to, operand, was);
    return ragged_rule_fail(error, operand, other,
                            "axis %.120s of the callee is %.120s in operand #%d, expected %.120s "
                            "as in operand #%d",
                            from, to, operand, was, other);
  }
  if (substitution->size == substitution->capacity) grow(substitution, arena);
  int k = substitution->size++;
  substitution->from[k] = ragged_arena_copy_string(arena, from, strlen(from));
  substitution->to[k] = ragged_arena_copy_string(arena, to, strlen(to));
  substitution->operand[k] = operand;
  return true;
}

typedef struct unbound_search {
  const ragged_substitution *substitution;
  const char *unbound;  // the first name without a binding
} unbound_search;

static void note_unbound(const char *name, void *user) {
  unbound_search *search = user;
  if (!search->unbound && find_binding(search->substitution, name) < 0) search->unbound = name;
}

// Substitutes in one axis expression, every name of which must be bound.
static bool substitute_axis(const char *axis, const ragged_substitution *substitution,
                            ragged_arena *arena, int operand, const char **out,
                            ragged_rule_error *error) {
  unbound_search search = {.substitution = substitution};
  ragged_status status = ragged_axis_visit_names(arena, axis, note_unbound, &search);
  if (!status && search.unbound)
    return ragged_rule_fail(error, operand, -1,
                            "axis %.120s of the callee is bound by no operand and given by no name "
                            "of the call",
                            search.unbound);
  if (!status)
    status = ragged_axis_substitute(arena, axis, substitution->size, substitution->from,
                                    substitution->to, out);
  if (!status) return true;
  ragged_rule_fail(error, operand, -1, "%s", ragged_status_message(status));
  ragged_status_free(status);
  return false;
}

// All that needs no binding: rank, element type, which dimensions are ragged, extents, order.
static bool check_operand(int operand, const ragged_schema *formal, const ragged_schema *actual,
                          ragged_rule_error *error) {
  if (actual->rank != formal->rank)
    return ragged_rule_fail(error, operand, -1,
                            "operand #%d has rank %d, expected %d as in the callee", operand,
                            actual->rank, formal->rank);
  if (actual->element_type != formal->element_type)
    return ragged_rule_fail(error, operand, -1,
                            "operand #%d has element type %s, expected %s as in the callee",
                            operand, ragged_element_name(actual->element_type),
                            ragged_element_name(formal->element_type));
  for (int d = 0; d < formal->rank; ++d) {
    ragged_dimension found = actual->dimensions[d], expected = formal->dimensions[d];
    if (found.axis ? expected.axis != NULL : ragged_dimension_equal(found, expected)) continue;
    return ragged_rule_fail(error, operand, -1,
                            "operand #%d has %s in dimension %d, expected %s as in the callee",
                            operand, ragged_rule_describe(found).text, d,
                            ragged_rule_describe_expected(expected, found).text);
  }
  for (int k = 0; k < formal->rank; ++k)
    if (actual->order[k] != formal->order[k])
      return ragged_rule_fail(error, operand, -1,
                              "operand #%d packs dimension %d at position %d, expected dimension "
                              "%d as in the callee's order",
                              operand, actual->order[k], k, formal->order[k]);
  return true;
}

static bool bind_names(int operand, const ragged_schema *formal, const ragged_schema *actual,
                       ragged_substitution *substitution, ragged_arena *arena,
                       ragged_rule_error *error) {
  for (int d = 0; d < formal->rank; ++d) {
    const char *axis = formal->dimensions[d].axis;
    if (axis && ragged_axis_is_name(axis) &&
        !ragged_substitution_bind(substitution, arena, axis, actual->dimensions[d].axis, operand,
                                  error))
      return false;
  }
  return true;
}

static bool check_expressions(int operand, const ragged_schema *formal, const ragged_schema *actual,
                              const ragged_substitution *substitution, ragged_arena *arena,
                              ragged_rule_error *error) {
  for (int d = 0; d < formal->rank; ++d) {
    const char *axis = formal->dimensions[d].axis, *found = actual->dimensions[d].axis, *expected;
    if (!axis || ragged_axis_is_name(axis)) continue;
    if (!substitute_axis(axis, substitution, arena, operand, &expected, error)) return false;
    if (strcmp(expected, found) != 0)
      return ragged_rule_fail(
          error, operand, -1,
          "operand #%d has axis %.120s in dimension %d, expected %.120s (%.120s "
          "in the callee)",
          operand, found, d, expected, axis);
  }
  return true;
}

bool ragged_rule_unify_all(int num_operands, const ragged_schema *formals,
                           const ragged_schema *actuals, ragged_substitution *substitution,
                           ragged_arena *arena, ragged_rule_error *error) {
  for (int k = 0; k < num_operands; ++k)
    if (!check_operand(k, &formals[k], &actuals[k], error) ||
        !bind_names(k, &formals[k], &actuals[k], substitution, arena, error))
      return false;
  // Expressions last: their names may be bound by any operand.
  for (int k = 0; k < num_operands; ++k)
    if (!check_expressions(k, &formals[k], &actuals[k], substitution, arena, error)) return false;
  if (error) *error = (ragged_rule_error){.operand = -1, .other_operand = -1};
  return true;
}

bool ragged_rule_substitute(const ragged_schema *schema, const ragged_substitution *substitution,
                            ragged_arena *arena, ragged_schema *out, ragged_rule_error *error) {
  ragged_schema result = *schema;
  for (int d = 0; d < result.rank; ++d) {
    const char *axis = result.dimensions[d].axis;
    if (axis && !substitute_axis(axis, substitution, arena, -1, &result.dimensions[d].axis, error))
      return false;
  }
  return ragged_rule_finish(&result, out, error);
}
