// See fresh_copy.h.
#include "passes/grad/fresh_copy.h"

#include <string.h>

#include "passes/program.h"
#include "passes/rename_axes.h"

typedef struct births {
  ragged_arena *arena;
  int count, capacity;
  const char **names;
} births;

static bool note_births(MlirOperation operation, void *user) {
  births *b = user;
  MlirAttribute axes = ragged_operation_attribute(operation, "axes");
  if (mlirAttributeIsNull(axes) || !mlirAttributeIsAArray(axes)) return true;
  for (intptr_t k = 0; k < mlirArrayAttrGetNumElements(axes); ++k) {
    MlirAttribute name = mlirArrayAttrGetElement(axes, k);
    if (!mlirAttributeIsAString(name)) continue;
    if (b->count == b->capacity) {
      int capacity = 2 * b->capacity + 8;
      const char **names = RAGGED_ARENA_ARRAY(b->arena, const char *, capacity);
      for (int n = 0; n < b->count; ++n) names[n] = b->names[n];
      b->names = names;
      b->capacity = capacity;
    }
    b->names[b->count++] = mlirStringAttrGetValue(name).data;
  }
  return true;
}

static bool is_born(const births *b, const char *name) {
  for (int k = 0; k < b->count; ++k)
    if (!strcmp(b->names[k], name)) return true;
  return false;
}

static MlirOperation function_of(MlirOperation operation) {
  while (!ragged_operation_is(operation, "func.func"))
    operation = mlirOperationGetParentOperation(operation);
  return operation;
}

bool gradient_fresh_axes(ragged_arena *arena, MlirOperation operation,
                         ragged_substitution *substitution) {
  births b = {.arena = arena};
  ragged_walk(operation, note_births, &b);
  if (b.count == 0) return false;
  ragged_name_table taken = {.arena = arena}, inside = {.arena = arena};
  ragged_rule_error error;
  int64_t unlimited = INT64_MAX;
  ragged_collect_axes(function_of(operation), &taken, &unlimited);
  ragged_collect_axes(operation, &inside, &unlimited);
  for (int k = 0; k < inside.size; ++k) {
    const char *name = inside.names[k], *own = name;
    for (int n = 1; is_born(&b, name) && ragged_name_table_find(&taken, own) >= 0; ++n)
      own = ragged_arena_format(arena, "%s_%d", name, n);
    ragged_name_table_add(&taken, own);
    ragged_substitution_bind(substitution, arena, name, own, -1, &error);
  }
  return true;
}

MlirOperation gradient_fresh_copy(gradient *g, MlirOperation operation) {
  MlirOperation copy = mlirOperationClone(operation);
  ragged_substitution substitution = {0};
  if (!gradient_fresh_axes(g->arena, operation, &substitution) ||
      ragged_rename_axes(copy, &substitution, operation, g->arena))
    return copy;
  mlirOperationDestroy(copy);
  g->failed = true;
  return (MlirOperation){NULL};
}
