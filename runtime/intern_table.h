// Weak table of objects by content: an object enters when it is made and leaves when it ends, so the
// table never keeps anything alive. Used for axes and spaces.
#ifndef RAGGED_RT_INTERN_TABLE_H
#define RAGGED_RT_INTERN_TABLE_H

#include "allocator.h"

typedef struct ragged_rt_intern_node {
  struct ragged_rt_intern_node *next;
  uint64_t hash;
} ragged_rt_intern_node;  // first member of an object

typedef struct ragged_rt_intern_table {
  ragged_rt_intern_node **buckets;
  int64_t num_buckets, count;  // num_buckets is a power of two, or 0
} ragged_rt_intern_table;

// The first object of `hash` for which `same(node, key)` holds, or null.
ragged_rt_intern_node *ragged_rt_intern_find(const ragged_rt_intern_table *table, uint64_t hash,
                                             bool (*same)(const ragged_rt_intern_node *node,
                                                          const void *key),
                                             const void *key);
// `node->hash` is set. RESOURCE_EXHAUSTED when there is no table yet and none can be had.
RAGGED_MUST_USE ragged_status ragged_rt_intern_insert(ragged_rt_intern_table *table,
                                                      ragged_rt_memory *memory,
                                                      ragged_rt_intern_node *node);
void ragged_rt_intern_remove(ragged_rt_intern_table *table, ragged_rt_intern_node *node);

static inline uint64_t ragged_rt_hash_step(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

// Of `size` bytes; each `word` gives another function.
uint64_t ragged_rt_hash_bytes(uint64_t word, const void *data, size_t size);

#endif  // RAGGED_RT_INTERN_TABLE_H
