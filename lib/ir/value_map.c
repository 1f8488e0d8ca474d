// See value_map.h.
#include "ir/value_map.h"

#include <stdint.h>

static size_t slot_of(const ragged_value_map *map, const void *key) {
  size_t slot = ((size_t)(uintptr_t)key >> 4) * 0x9E3779B97F4A7C15u >> 20;
  for (slot &= map->capacity - 1; map->entries[slot].key && map->entries[slot].key != key;)
    slot = (slot + 1) & (map->capacity - 1);
  return slot;
}

void ragged_value_map_set(ragged_arena *arena, ragged_value_map *map, MlirValue key,
                          MlirValue value) {
  if (2 * (map->size + 1) > map->capacity) {
    ragged_value_map larger = {.capacity = map->capacity ? 2 * map->capacity : 64};
    larger.entries = RAGGED_ARENA_ARRAY(arena, struct ragged_value_map_entry, larger.capacity);
    for (size_t k = 0; k < map->capacity; ++k)
      if (map->entries[k].key) larger.entries[slot_of(&larger, map->entries[k].key)] = map->entries[k];
    larger.size = map->size;
    *map = larger;
  }
  struct ragged_value_map_entry *entry = &map->entries[slot_of(map, key.ptr)];
  map->size += !entry->key;
  *entry = (struct ragged_value_map_entry){key.ptr, value};
}

MlirValue ragged_value_map_get(const ragged_value_map *map, MlirValue key) {
  if (!map->capacity) return (MlirValue){NULL};
  return map->entries[slot_of(map, key.ptr)].value;
}
