// Axis names → numbers: a hash table that the passes use to ask whether a name is known. Also the
// walk over the names that a type mentions. Storage in the arena that the table was made with.
#ifndef RAGGED_PASSES_NAME_TABLE_H
#define RAGGED_PASSES_NAME_TABLE_H

#include <stdbool.h>

#include "mlir-c/IR.h"
#include "support/arena.h"

typedef struct ragged_name_table {
  ragged_arena *arena;
  const char **names;  // by number
  int size, capacity;
  int *slots;          // number + 1; 0 is free
  int num_slots;
} ragged_name_table;  // set `arena`, zero the rest

int ragged_name_table_find(const ragged_name_table *table, const char *name);  // -1: not there
// The number of `name`, which is copied and added if it is new.
int ragged_name_table_add(ragged_name_table *table, const char *name);

// Calls `visit` for each name that a type mentions (none unless it is a known ragged tensor);
// `plain` says that a dimension is the mere name, not an expression with it.
typedef void (*ragged_name_visitor)(const char *name, bool plain, void *user);
void ragged_type_visit_names(MlirType type, ragged_arena *arena, ragged_name_visitor visit,
                             void *user);
// Adds them all to a table (`plain_only`: those that are a dimension of their own).
void ragged_name_table_add_type(ragged_name_table *table, MlirType type, bool plain_only);

#endif  // RAGGED_PASSES_NAME_TABLE_H
