// A map from values to values, by identity: what passes and lowerings remember of the IR that they
// rebuild. Keys are never dropped; storage is the arena's.
#ifndef RAGGED_IR_VALUE_MAP_H
#define RAGGED_IR_VALUE_MAP_H

#include <stddef.h>

#include "mlir-c/IR.h"
#include "support/arena.h"

typedef struct ragged_value_map {
  struct ragged_value_map_entry {
    const void *key;
    MlirValue value;
  } *entries;  // open addressing
  size_t capacity, size;
} ragged_value_map;  // zero-initialise

void ragged_value_map_set(ragged_arena *arena, ragged_value_map *map, MlirValue key,
                          MlirValue value);
// A null value where there is none.
MlirValue ragged_value_map_get(const ragged_value_map *map, MlirValue key);

#endif  // RAGGED_IR_VALUE_MAP_H
