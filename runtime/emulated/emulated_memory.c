// The emulated device's memory: live allocations by address, the state of their bytes, and the copies
// that keep it right. See emulator.h.
#include <stdlib.h>
#include <string.h>

#include "emulated/emulator_internal.h"

enum {
  ALIGNMENT = 256,
  RED_ZONE = 256,  // on both sides: a neighbour is not one step away
  UNDEFINED_BYTE = 0xff,  // of memory that was never written: NaN, or -1
  MAX_FREED_BYTES = 64 * 1024 * 1024
};

// ---- The table -----------------------------------------------------------------------------------

// How many allocations begin at or below `address`.
static size_t count_below(const ragged_emulator *emulator, const void *address) {
  size_t low = 0, high = emulator->num_allocations;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if ((uintptr_t)emulator->allocations[middle].begin <= (uintptr_t)address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

emulated_allocation *emulated_find_below(ragged_emulator *emulator, const void *address) {
  size_t below = count_below(emulator, address);
  return below ? &emulator->allocations[below - 1] : NULL;
}

static bool holds(const emulated_allocation *allocation, const void *address, size_t bytes) {
  uintptr_t begin = (uintptr_t)allocation->begin, at = (uintptr_t)address;
  return at >= begin && at - begin <= allocation->bytes &&
         bytes <= allocation->bytes - (at - begin);
}

emulated_allocation *emulated_find(ragged_emulator *emulator, const void *address, size_t bytes) {
  if (emulator->last_hit < emulator->num_allocations) {
    emulated_allocation *last = &emulator->allocations[emulator->last_hit];
    if (bytes && holds(last, address, bytes)) return last;
  }
  emulated_allocation *found = emulated_find_below(emulator, address);
  if (!found || !holds(found, address, bytes)) return NULL;
  emulator->last_hit = (size_t)(found - emulator->allocations);
  return found;
}

const emulated_freed *emulated_find_freed(const ragged_emulator *emulator, const void *address) {
  for (size_t k = 0; k < EMULATED_FREED; ++k) {
    const emulated_freed *freed = &emulator->freed[k];
    if (freed->memory && (uintptr_t)address - (uintptr_t)freed->begin < freed->bytes) return freed;
  }
  return NULL;
}

ragged_status emulated_insert(ragged_emulator *emulator, const emulated_allocation *allocation) {
  if (emulator->num_allocations == emulator->allocations_capacity) {
    size_t capacity = emulator->allocations_capacity ? emulator->allocations_capacity * 2 : 16;
    emulated_allocation *more =
        realloc(emulator->allocations, capacity * sizeof *emulator->allocations);
    if (!more)
      return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED,
                                "no memory for the emulator's table of allocations");
    emulator->allocations = more;
    emulator->allocations_capacity = capacity;
  }
  size_t at = count_below(emulator, allocation->begin);
  uintptr_t begin = (uintptr_t)allocation->begin;
  const emulated_allocation *before = at ? &emulator->allocations[at - 1] : NULL;
  const emulated_allocation *after =
      at < emulator->num_allocations ? &emulator->allocations[at] : NULL;
  if ((before && (before->begin == allocation->begin ||
                  begin - (uintptr_t)before->begin < before->bytes)) ||
      (after && (uintptr_t)after->begin - begin < allocation->bytes))
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "the %zu bytes at %p overlap memory that the emulator has",
                              allocation->bytes, (void *)allocation->begin);
  memmove(&emulator->allocations[at + 1], &emulator->allocations[at],
          (emulator->num_allocations - at) * sizeof *emulator->allocations);
  emulator->allocations[at] = *allocation;
  ++emulator->num_allocations;
  return NULL;
}

static void remove_at(ragged_emulator *emulator, size_t at) {
  emulated_allocation *allocation = &emulator->allocations[at];
  emulated_race_map_free(&allocation->races, &emulator->pages);
  free(allocation->state);
  free(allocation->touched);
  --emulator->num_allocations;
  memmove(allocation, allocation + 1,
          (emulator->num_allocations - at) * sizeof *emulator->allocations);
}

void emulated_forget_constants(ragged_emulator *emulator) {
  for (size_t k = emulator->num_allocations; k-- > 0;)
    if (emulator->allocations[k].read_only) remove_at(emulator, k);
}

// ---- Allocations ---------------------------------------------------------------------------------

static ragged_status no_memory(size_t bytes) {
  return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED,
                            "no memory for %zu bytes on the emulated device", bytes);
}

// `memory` is taken, also on error.
static ragged_status add(ragged_emulator *emulator, void *memory, char *begin, size_t bytes,
                         int state) {
  emulated_allocation allocation = {.begin = begin, .bytes = bytes, .memory = memory};
  allocation.state = malloc(bytes + 1);
  allocation.touched = calloc(bytes / EMULATED_SECTOR + 1, sizeof *allocation.touched);
  ragged_status status;
  if (allocation.state && allocation.touched) {
    memset(allocation.state, state, bytes);
    status = emulated_insert(emulator, &allocation);
  } else {
    status = no_memory(bytes);
  }
  if (status) {
    free(allocation.state);
    free(allocation.touched);
    free(memory);
  }
  return status;
}

ragged_status ragged_emulator_allocate(ragged_emulator *emulator, size_t bytes,
                                       void **out_address) {
  if (bytes > SIZE_MAX / 2) return no_memory(bytes);
  size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  char *memory = aligned_alloc(ALIGNMENT, rounded + 2 * RED_ZONE);
  if (!memory) return no_memory(bytes);
  char *begin = memory + RED_ZONE;
  memset(begin, UNDEFINED_BYTE, bytes);
  RAGGED_RETURN_IF_ERROR(add(emulator, memory, begin, bytes, EMULATED_UNWRITTEN));
  *out_address = begin;
  return NULL;
}

// Keeps freed memory from the C library as long as there is room for it.
static void retire(ragged_emulator *emulator, const emulated_allocation *allocation) {
  emulator->freed_bytes += allocation->bytes;
  emulated_freed *next = &emulator->freed[emulator->next_freed];
  for (size_t k = 0; k < EMULATED_FREED; ++k) {  // oldest first
    emulated_freed *freed = &emulator->freed[(emulator->next_freed + k) % EMULATED_FREED];
    if (freed != next && emulator->freed_bytes <= MAX_FREED_BYTES) break;
    if (freed->memory) emulator->freed_bytes -= freed->bytes;
    free(freed->memory);
    *freed = (emulated_freed){0};
  }
  *next = (emulated_freed){allocation->begin, allocation->bytes, allocation->memory};
  emulator->next_freed = (emulator->next_freed + 1) % EMULATED_FREED;
}

static ragged_status end_allocation(ragged_emulator *emulator, const void *address, bool owned) {
  size_t below = count_below(emulator, address);
  emulated_allocation *allocation = below ? &emulator->allocations[below - 1] : NULL;
  if (!allocation || allocation->begin != address || (allocation->memory != NULL) != owned)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "%p is not the begin of memory that was %s", address,
                              owned ? "allocated on the emulated device"
                                    : "adopted by the emulated device");
  if (owned) retire(emulator, allocation);
  remove_at(emulator, below - 1);
  return NULL;
}

ragged_status ragged_emulator_free(ragged_emulator *emulator, void *address) {
  return address ? end_allocation(emulator, address, true) : NULL;
}

ragged_status ragged_emulator_adopt(ragged_emulator *emulator, void *address, size_t bytes) {
  return add(emulator, NULL, address, bytes, EMULATED_WRITTEN);
}

ragged_status ragged_emulator_forget(ragged_emulator *emulator, void *address) {
  return end_allocation(emulator, address, false);
}

// ---- Copies --------------------------------------------------------------------------------------

// The states of the bytes of a range; null when it does not lie in memory of the device.
static unsigned char *find_state(ragged_emulator *emulator, const void *address, size_t bytes) {
  emulated_allocation *allocation = emulated_find(emulator, address, bytes);
  if (!allocation || !allocation->state) return NULL;
  return allocation->state + ((uintptr_t)address - (uintptr_t)allocation->begin);
}

static ragged_status no_range(const char *what, const void *address, size_t bytes) {
  return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                            "%s: the %zu bytes at %p do not lie in memory of the emulated device",
                            what, bytes, address);
}

ragged_status ragged_emulator_discard(ragged_emulator *emulator, void *address, size_t bytes) {
  if (!bytes) return NULL;
  unsigned char *state = find_state(emulator, address, bytes);
  if (!state) return no_range("discard", address, bytes);
  memset(state, EMULATED_UNWRITTEN, bytes);
  memset(address, UNDEFINED_BYTE, bytes);
  return NULL;
}

ragged_status ragged_emulator_upload(ragged_emulator *emulator, void *to, const void *host,
                                     size_t bytes) {
  if (!bytes) return NULL;
  unsigned char *state = find_state(emulator, to, bytes);
  if (!state) return no_range("upload", to, bytes);
  memcpy(to, host, bytes);
  memset(state, EMULATED_WRITTEN, bytes);
  return NULL;
}

ragged_status ragged_emulator_download(ragged_emulator *emulator, void *host, const void *from,
                                       size_t bytes) {
  if (!bytes) return NULL;
  unsigned char *state = find_state(emulator, from, bytes);
  if (!state) return no_range("download", from, bytes);
  const unsigned char *unwritten = memchr(state, EMULATED_UNWRITTEN, bytes);
  if (unwritten)
    return ragged_status_make(RAGGED_STATUS_INTERNAL,
                              "download of %zu bytes at %p: byte %zu was never written", bytes,
                              from, (size_t)(unwritten - state));
  memcpy(host, from, bytes);
  return NULL;
}

ragged_status ragged_emulator_copy(ragged_emulator *emulator, void *to, const void *from,
                                   size_t bytes) {
  if (!bytes) return NULL;
  const unsigned char *from_state = find_state(emulator, from, bytes);
  if (!from_state) return no_range("copy from", from, bytes);
  unsigned char *to_state = find_state(emulator, to, bytes);
  if (!to_state) return no_range("copy to", to, bytes);
  memmove(to, from, bytes);
  memmove(to_state, from_state, bytes);
  return NULL;
}

ragged_status ragged_emulator_fill(ragged_emulator *emulator, void *to, int byte, size_t bytes) {
  if (!bytes) return NULL;
  unsigned char *state = find_state(emulator, to, bytes);
  if (!state) return no_range("fill", to, bytes);
  memset(to, byte, bytes);
  memset(state, EMULATED_WRITTEN, bytes);
  return NULL;
}
