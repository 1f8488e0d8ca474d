// Who accessed which byte last, and whether two accesses are ordered. Barriers order the accesses of
// the threads that meet; blocks are never ordered. One map covers an allocation for a launch, or the
// shared memory for a block.
#ifndef RAGGED_RUNTIME_EMULATED_EMULATED_RACES_H
#define RAGGED_RUNTIME_EMULATED_EMULATED_RACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The order of the threads of a block. Time passes when threads meet. An access of thread u at time s
// is ordered before what thread t does now when s <= all, or s <= seen[t][u].
typedef struct emulated_order {
  uint32_t now;        // 1 at the launch's begin
  uint32_t all;        // everything up to it is ordered, for all threads
  uint32_t *seen;      // num_threads x num_threads; null until some threads, not all, have met
  int32_t num_threads;
} emulated_order;

#pragma GCC visibility push(hidden)

// All threads have met.
void emulated_order_all(emulated_order *order);
// Those with included[t] have met. False: no memory.
bool emulated_order_some(emulated_order *order, const bool *included);

typedef struct emulated_race_page emulated_race_page;
typedef struct emulated_race_map {
  emulated_race_page **pages;  // null where nothing was accessed
  size_t num_pages;
  emulated_race_page *used;    // of this map, linked
} emulated_race_map;           // zero-initialise
// Pages to be used again. Zero-initialise.
typedef struct emulated_race_pages {
  emulated_race_page *free_words, *free_bytes;
} emulated_race_pages;

// Covers `bytes`. False: no memory.
bool emulated_race_map_cover(emulated_race_map *map, size_t bytes);
// Forgets all accesses.
void emulated_race_map_clear(emulated_race_map *map, emulated_race_pages *pages);
void emulated_race_map_free(emulated_race_map *map, emulated_race_pages *pages);
void emulated_race_pages_free(emulated_race_pages *pages);

typedef enum emulated_race_result {
  EMULATED_NO_RACE,
  EMULATED_RACE,
  EMULATED_RACE_NO_MEMORY
} emulated_race_result;

typedef struct emulated_race {
  size_t offset;    // of the first byte
  bool with_store;  // what the other thread did
  int64_t block;    // the other's; -1: one of several
  int32_t thread;   // likewise
} emulated_race;

// Records an access of bytes of the map by a thread of block `block`, and says whether it races with
// an earlier one.
emulated_race_result emulated_race_access(emulated_race_map *map, emulated_race_pages *pages,
                                          const emulated_order *order, size_t offset, size_t bytes,
                                          int64_t block, int32_t thread, bool store,
                                          emulated_race *out);

#pragma GCC visibility pop

#endif  // RAGGED_RUNTIME_EMULATED_EMULATED_RACES_H
