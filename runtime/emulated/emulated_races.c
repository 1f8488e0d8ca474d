// See emulated_races.h. A cell keeps the last store, and of the loads since it the lanes and warps
// that made them with the latest time: who is left of earlier loads is ordered before a later one.
// A cell is a word until some access is less than one; then its page gets a cell for each byte.
// The set of readers is all warps x all lanes that read, at the latest time of any: too large where
// warps read with different lanes or at different times, which only threads can notice that meet in
// parts of warps, or in some warps and later in others.
#include "emulated/emulated_races.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 1024, WORD = 4, WARP = 32 };

typedef struct race_cell {
  uint32_t store_block, store_time;  // blocks count from 1; 0: no store
  uint32_t load_block, load_time;    // 0: no load
  uint32_t load_warps, load_lanes;
  uint16_t store_thread;
  bool many_blocks;                  // loads of other blocks than load_block, too
} race_cell;

struct emulated_race_page {
  emulated_race_page *next;
  emulated_race_page **slot;  // where the map points to it; null: no longer
  size_t granule;             // bytes of a cell
  race_cell cells[];          // PAGE_BYTES / granule
};

// ---- Order ---------------------------------------------------------------------------------------

void emulated_order_all(emulated_order *order) { order->all = order->now++; }

bool emulated_order_some(emulated_order *order, const bool *included) {
  size_t n = (size_t)order->num_threads;
  if (!order->seen) {
    order->seen = calloc(n * n, sizeof *order->seen);
    if (!order->seen) return false;
  }
  uint32_t *joined = calloc(n, sizeof *joined);
  if (!joined) return false;
  for (size_t t = 0; t < n; ++t) {
    if (!included[t]) continue;
    const uint32_t *row = order->seen + t * n;
    for (size_t u = 0; u < n; ++u)
      if (row[u] > joined[u]) joined[u] = row[u];
  }
  for (size_t t = 0; t < n; ++t)
    if (included[t]) joined[t] = order->now;
  for (size_t t = 0; t < n; ++t)
    if (included[t]) memcpy(order->seen + t * n, joined, n * sizeof *joined);
  free(joined);
  ++order->now;
  return true;
}

// Whether what thread u did up to `time` is ordered before what t does now.
static bool is_ordered(const emulated_order *order, int32_t t, int32_t u, uint32_t time) {
  if (t == u || time <= order->all) return true;
  return order->seen &&
         time <= order->seen[(size_t)t * (size_t)order->num_threads + (size_t)u];
}

// ---- Pages ---------------------------------------------------------------------------------------

static emulated_race_page *take_page(emulated_race_pages *pages, size_t granule) {
  emulated_race_page **list = granule == 1 ? &pages->free_bytes : &pages->free_words;
  size_t bytes = PAGE_BYTES / granule * sizeof(race_cell);
  emulated_race_page *page = *list;
  if (page) {
    *list = page->next;
  } else {
    page = malloc(sizeof *page + bytes);
    if (!page) return NULL;
  }
  memset(page->cells, 0, bytes);
  page->granule = granule;
  return page;
}

static void give_page(emulated_race_pages *pages, emulated_race_page *page) {
  emulated_race_page **list = page->granule == 1 ? &pages->free_bytes : &pages->free_words;
  page->next = *list;
  *list = page;
}

static void link_page(emulated_race_map *map, emulated_race_page *page, emulated_race_page **slot) {
  page->slot = slot;
  page->next = map->used;
  map->used = page;
  *slot = page;
}

// One cell for each byte instead of each word. Null: no memory.
static emulated_race_page *split_page(emulated_race_map *map, emulated_race_pages *pages,
                                      emulated_race_page *page) {
  emulated_race_page *fine = take_page(pages, 1);
  if (!fine) return NULL;
  for (size_t k = 0; k < PAGE_BYTES; ++k) fine->cells[k] = page->cells[k / WORD];
  link_page(map, fine, page->slot);
  page->slot = NULL;  // goes back to the pool with the others
  return fine;
}

bool emulated_race_map_cover(emulated_race_map *map, size_t bytes) {
  if (map->pages) return true;
  size_t count = bytes / PAGE_BYTES + 1;
  map->pages = calloc(count, sizeof *map->pages);
  map->num_pages = map->pages ? count : 0;
  return map->pages != NULL;
}

void emulated_race_map_clear(emulated_race_map *map, emulated_race_pages *pages) {
  while (map->used) {
    emulated_race_page *page = map->used;
    map->used = page->next;
    if (page->slot) *page->slot = NULL;
    give_page(pages, page);
  }
}

void emulated_race_map_free(emulated_race_map *map, emulated_race_pages *pages) {
  emulated_race_map_clear(map, pages);
  free(map->pages);
  *map = (emulated_race_map){0};
}

static void free_list(emulated_race_page *page) {
  while (page) {
    emulated_race_page *next = page->next;
    free(page);
    page = next;
  }
}

void emulated_race_pages_free(emulated_race_pages *pages) {
  free_list(pages->free_words);
  free_list(pages->free_bytes);
  *pages = (emulated_race_pages){0};
}

// ---- Accesses ------------------------------------------------------------------------------------

typedef struct accessor {
  const emulated_order *order;
  uint32_t block;  // from 1
  int32_t thread;
  uint32_t warp, lane;  // its bits
} accessor;

static bool races_with_store(const race_cell *cell, const accessor *by, emulated_race *out) {
  if (!cell->store_block) return false;
  if (cell->store_block == by->block &&
      is_ordered(by->order, by->thread, cell->store_thread, cell->store_time))
    return false;
  out->with_store = true;
  out->block = (int64_t)cell->store_block - 1;
  out->thread = cell->store_thread;
  return true;
}

// A reader that is not ordered before `by`; -1: all are.
static int32_t find_reader(const race_cell *cell, const accessor *by) {
  if (cell->load_time <= by->order->all) return -1;
  for (uint32_t warps = cell->load_warps; warps; warps &= warps - 1)
    for (uint32_t lanes = cell->load_lanes; lanes; lanes &= lanes - 1) {
      int32_t reader = __builtin_ctz(warps) * WARP + __builtin_ctz(lanes);
      if (reader < by->order->num_threads &&
          !is_ordered(by->order, by->thread, reader, cell->load_time))
        return reader;
    }
  return -1;
}

static bool races_with_load(const race_cell *cell, const accessor *by, emulated_race *out) {
  if (!cell->load_block) return false;
  int32_t reader = -1;
  bool other_block = cell->many_blocks || cell->load_block != by->block;
  if (!other_block) {
    reader = find_reader(cell, by);
    if (reader < 0) return false;
  }
  out->with_store = false;
  out->block = cell->many_blocks ? -1 : (int64_t)cell->load_block - 1;
  out->thread = reader;
  if (other_block && !cell->many_blocks && !(cell->load_warps & (cell->load_warps - 1)) &&
      !(cell->load_lanes & (cell->load_lanes - 1)))
    out->thread = __builtin_ctz(cell->load_warps) * WARP + __builtin_ctz(cell->load_lanes);
  return true;
}

static void record_store(race_cell *cell, const accessor *by) {
  *cell = (race_cell){.store_block = by->block, .store_time = by->order->now,
                      .store_thread = (uint16_t)by->thread};
}

static void record_load(race_cell *cell, const accessor *by) {
  if (cell->load_block && cell->load_block != by->block) cell->many_blocks = true;
  bool keep = cell->load_block == by->block && cell->load_time > by->order->all;
  if (keep && by->order->seen && cell->load_time != by->order->now) {
    if (cell->load_warps == by->warp) {
      for (uint32_t lanes = cell->load_lanes; lanes; lanes &= lanes - 1) {
        int32_t reader = by->thread / WARP * WARP + __builtin_ctz(lanes);
        if (is_ordered(by->order, by->thread, reader, cell->load_time))
          cell->load_lanes &= ~(1u << (reader % WARP));
      }
      keep = cell->load_lanes != 0;
    } else {
      keep = find_reader(cell, by) >= 0;
    }
  }
  cell->load_warps = (keep ? cell->load_warps : 0) | by->warp;
  cell->load_lanes = (keep ? cell->load_lanes : 0) | by->lane;
  cell->load_block = by->block;
  cell->load_time = by->order->now;
}

// One cell. False: a race.
static inline bool access_cell(race_cell *cell, const accessor *by, bool store,
                               emulated_race *out) {
  const emulated_order *order = by->order;
  // Most cells were stored before a barrier that all have passed, or by another launch.
  bool stored_before = cell->store_block == by->block && cell->store_time <= order->all;
  if (cell->store_block && !stored_before && races_with_store(cell, by, out)) return false;
  if (store) {
    if (races_with_load(cell, by, out)) return false;
    record_store(cell, by);
  } else if (cell->load_block == by->block && cell->load_time == order->now) {
    cell->load_warps |= by->warp;
    cell->load_lanes |= by->lane;
  } else {
    record_load(cell, by);
  }
  return true;
}

// The page that `slot` points to, with cells that fit the access. Null: no memory.
static emulated_race_page *find_page(emulated_race_map *map, emulated_race_pages *pages,
                                     emulated_race_page **slot, bool whole_words) {
  emulated_race_page *page = *slot;
  if (page) return whole_words || page->granule == 1 ? page : split_page(map, pages, page);
  page = take_page(pages, whole_words ? WORD : 1);
  if (page) link_page(map, page, slot);
  return page;
}

emulated_race_result emulated_race_access(emulated_race_map *map, emulated_race_pages *pages,
                                          const emulated_order *order, size_t offset, size_t bytes,
                                          int64_t block, int32_t thread, bool store,
                                          emulated_race *out) {
  const accessor by = {order, (uint32_t)block + 1, thread, 1u << (thread / WARP),
                       1u << (thread % WARP)};
  bool whole_words = offset % WORD == 0 && bytes % WORD == 0;
  for (size_t end = offset + bytes; offset < end;) {
    emulated_race_page *page =
        find_page(map, pages, &map->pages[offset / PAGE_BYTES], whole_words);
    if (!page) return EMULATED_RACE_NO_MEMORY;
    size_t page_end = (offset / PAGE_BYTES + 1) * PAGE_BYTES, granule = page->granule;
    race_cell *cell = &page->cells[granule == 1 ? offset % PAGE_BYTES : offset % PAGE_BYTES / WORD];
    for (; offset < end && offset < page_end; offset += granule, ++cell)
      if (!access_cell(cell, &by, store, out)) {
        out->offset = offset;
        return EMULATED_RACE;
      }
  }
  return EMULATED_NO_RACE;
}
