// Chained hash table for intern_table.h. Grows with the number of live objects, never with the
// number ever made; a table that cannot grow stays as it is and gets slower.
#include "intern_table.h"

#include <string.h>

enum { kFirstBuckets = 64 };

static ragged_rt_intern_node **bucket_of(const ragged_rt_intern_table *table, uint64_t hash) {
  return &table->buckets[hash & (uint64_t)(table->num_buckets - 1)];
}

ragged_rt_intern_node *ragged_rt_intern_find(const ragged_rt_intern_table *table, uint64_t hash,
                                             bool (*same)(const ragged_rt_intern_node *node,
                                                          const void *key),
                                             const void *key) {
  if (!table->num_buckets) return NULL;
  ragged_rt_intern_node *node = *bucket_of(table, hash);
  while (node && !(node->hash == hash && same(node, key))) node = node->next;
  return node;
}

static void rehash(ragged_rt_intern_table *table, ragged_rt_memory *memory, int64_t num_buckets) {
  ragged_rt_intern_node **buckets =
      ragged_rt_metadata_allocate(memory, 0, num_buckets, sizeof *buckets);
  if (!buckets) return;
  ragged_rt_intern_table grown = {buckets, num_buckets, table->count};
  for (int64_t k = 0; k < table->num_buckets; ++k) {
    for (ragged_rt_intern_node *node = table->buckets[k], *next; node; node = next) {
      next = node->next;
      ragged_rt_intern_node **bucket = bucket_of(&grown, node->hash);
      node->next = *bucket;
      *bucket = node;
    }
  }
  ragged_rt_metadata_free(memory, table->buckets);
  *table = grown;
}

ragged_status ragged_rt_intern_insert(ragged_rt_intern_table *table, ragged_rt_memory *memory,
                                      ragged_rt_intern_node *node) {
  if (table->count >= table->num_buckets)
    rehash(table, memory, table->num_buckets ? 2 * table->num_buckets : kFirstBuckets);
  if (!table->num_buckets) return ragged_rt_no_metadata("the table of interned objects");
  ragged_rt_intern_node **bucket = bucket_of(table, node->hash);
  node->next = *bucket;
  *bucket = node;
  table->count += 1;
  return NULL;
}

void ragged_rt_intern_remove(ragged_rt_intern_table *table, ragged_rt_intern_node *node) {
  ragged_rt_intern_node **link = bucket_of(table, node->hash);
  while (*link != node) link = &(*link)->next;
  *link = node->next;
  table->count -= 1;
}

// Four streams of words, so that much data takes little time.
uint64_t ragged_rt_hash_bytes(uint64_t word, const void *data, size_t size) {
  enum { kLanes = 4 };
  const char *bytes = data;
  size_t step = kLanes * sizeof(uint64_t), at = 0;
  uint64_t lanes[kLanes], words[kLanes];
  for (int k = 0; k < kLanes; ++k) lanes[k] = ragged_rt_hash_step(word, (uint64_t)k + 1);
  for (; size - at >= step; at += step) {
    memcpy(words, bytes + at, step);
    for (int k = 0; k < kLanes; ++k) lanes[k] = ragged_rt_hash_step(lanes[k], words[k]);
  }
  memset(words, 0, sizeof words);
  if (size > at) memcpy(words, bytes + at, size - at);
  uint64_t hash = ragged_rt_hash_step(word, (uint64_t)size);
  for (int k = 0; k < kLanes; ++k)
    hash = ragged_rt_hash_step(hash, ragged_rt_hash_step(lanes[k], words[k]));
  return hash;
}
