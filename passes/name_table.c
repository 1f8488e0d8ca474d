// See name_table.h.
#include "passes/name_table.h"

#include <string.h>

#include "dialect/type_schema.h"
#include "schema/axis_expression.h"

static unsigned hash_name(const char *name) {
  unsigned hash = 2166136261u;
  for (; *name; ++name) hash = (hash ^ (unsigned char)*name) * 16777619u;
  return hash;
}

// The slot that holds `name`, or the free one where it would go. There is always a free one.
static int find_slot(const ragged_name_table *table, const char *name) {
  unsigned mask = (unsigned)table->num_slots - 1;
  unsigned slot = hash_name(name) & mask;
  while (table->slots[slot] && strcmp(table->names[table->slots[slot] - 1], name))
    slot = (slot + 1) & mask;
  return (int)slot;
}

int ragged_name_table_find(const ragged_name_table *table, const char *name) {
  return table->num_slots ? table->slots[find_slot(table, name)] - 1 : -1;
}

static void grow(ragged_name_table *table) {
  int capacity = table->capacity ? 2 * table->capacity : 16;
  const char **names = RAGGED_ARENA_ARRAY(table->arena, const char *, capacity);
  for (int k = 0; k < table->size; ++k) names[k] = table->names[k];
  table->names = names;
  table->capacity = capacity;
  table->num_slots = 2 * capacity;
  table->slots = RAGGED_ARENA_ARRAY(table->arena, int, table->num_slots);
  for (int k = 0; k < table->size; ++k) table->slots[find_slot(table, names[k])] = k + 1;
}

int ragged_name_table_add(ragged_name_table *table, const char *name) {
  int found = ragged_name_table_find(table, name);
  if (found >= 0) return found;
  if (table->size == table->capacity) grow(table);
  table->names[table->size] = ragged_arena_copy_string(table->arena, name, strlen(name));
  table->slots[find_slot(table, name)] = table->size + 1;
  return table->size++;
}

typedef struct expression_visit {
  ragged_name_visitor visit;
  void *user;
} expression_visit;

static void visit_in_expression(const char *name, void *user) {
  const expression_visit *outer = user;
  outer->visit(name, false, outer->user);
}

void ragged_type_visit_names(MlirType type, ragged_arena *arena, ragged_name_visitor visit,
                             void *user) {
  ragged_schema schema;
  if (!ragged_type_get_schema(type, &schema)) return;
  for (int d = 0; d < schema.rank; ++d) {
    const char *axis = schema.dimensions[d].axis;
    if (!axis) continue;
    if (ragged_axis_is_name(axis)) {
      visit(axis, true, user);
      continue;
    }
    expression_visit inner = {visit, user};
    // Fails only for text that is not canonical, which no type holds.
    ragged_status_free(ragged_axis_visit_names(arena, axis, visit_in_expression, &inner));
  }
}

typedef struct table_visit {
  ragged_name_table *table;
  bool plain_only;
} table_visit;

static void add_to_table(const char *name, bool plain, void *user) {
  const table_visit *to = user;
  if (plain || !to->plain_only) ragged_name_table_add(to->table, name);
}

void ragged_name_table_add_type(ragged_name_table *table, MlirType type, bool plain_only) {
  table_visit to = {table, plain_only};
  ragged_type_visit_names(type, table->arena, add_to_table, &to);
}
