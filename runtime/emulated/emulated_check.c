// Every access of a kernel: bounds, alignment, whether its bytes were ever written, and races. Also
// counts what goes to and from global memory.
#include <stdio.h>
#include <string.h>

#include "emulated/emulator_internal.h"

static const char *space_name(int32_t space) {
  switch (space) {
    case RAGGED_EMULATED_GLOBAL: return "global ";
    case RAGGED_EMULATED_SHARED: return "shared ";
    case RAGGED_EMULATED_CONSTANT: return "constant ";
    default: return "";
  }
}

// ---- Where it is ---------------------------------------------------------------------------------

// Whether `bytes` at `offset` of the shared memory lie in one variable, or in the dynamic memory.
static bool is_shared_range(const emulated_launch *launch, int64_t offset, int64_t bytes) {
  int64_t dynamic = EMULATED_SHARED - EMULATED_DYNAMIC_SHARED;
  if (offset >= dynamic) return offset - dynamic + bytes <= launch->what->dynamic_shared_bytes;
  for (int k = 0; k < launch->num_variables; ++k) {
    const emulated_variable *variable = &launch->variables[k];
    if (offset >= variable->offset && offset + bytes <= variable->offset + variable->bytes)
      return true;
  }
  return false;
}

static bool in_own_stack(const ragged_emulated_thread *thread, const char *address, size_t bytes) {
  uintptr_t offset = (uintptr_t)address - (uintptr_t)thread->fiber.stack;
  return offset < thread->fiber.stack_bytes && bytes <= thread->fiber.stack_bytes - offset;
}

// Fills `out`; false when no memory that `space` allows holds the range.
static bool find_range(ragged_emulated_thread *thread, const void *address, size_t bytes,
                       int32_t space, emulated_range *out) {
  emulated_launch *launch = thread->launch;
  ragged_emulator *emulator = launch->emulator;
  uintptr_t shared_offset = (uintptr_t)address - (uintptr_t)emulator->shared;
  if (shared_offset < EMULATED_SHARED) {
    *out = (emulated_range){.state = emulator->shared_state + shared_offset,
                            .races = &launch->shared_races, .offset = shared_offset,
                            .covered = EMULATED_SHARED};
    return (space == RAGGED_EMULATED_GENERIC || space == RAGGED_EMULATED_SHARED) &&
           bytes <= EMULATED_SHARED &&
           is_shared_range(launch, (int64_t)shared_offset, (int64_t)bytes);
  }
  if (space == RAGGED_EMULATED_SHARED) return false;
  emulated_allocation *allocation = emulated_find(emulator, address, bytes);
  if (!allocation) return false;
  size_t offset = (uintptr_t)address - (uintptr_t)allocation->begin;
  *out = (emulated_range){.state = allocation->state ? allocation->state + offset : NULL,
                          .races = &allocation->races, .touched = allocation->touched, .offset = offset,
                          .covered = allocation->bytes,
                          .global = !allocation->read_only, .read_only = allocation->read_only};
  return allocation->read_only || space != RAGGED_EMULATED_CONSTANT;
}

bool emulated_locate(ragged_emulated_thread *thread, const void *address, int64_t bytes,
                     int64_t alignment, int32_t space, const char *verb, const char *where,
                     emulated_range *out) {
  char text[EMULATED_TEXT];
  if (bytes == 0) return false;
  if (bytes < 0)
    emulated_fault(thread, where, "%s of %lld bytes", verb, (long long)bytes);
  bool own = space == RAGGED_EMULATED_GENERIC && in_own_stack(thread, address, (size_t)bytes);
  if (!own && !find_range(thread, address, (size_t)bytes, space, out))
    emulated_fault(thread, where, "%s%s of %lld bytes out of bounds: %s", space_name(space), verb,
                   (long long)bytes, emulated_describe_address(thread, address, text));
  if ((uintptr_t)address & ((uintptr_t)alignment - 1))
    emulated_fault(thread, where, "%s%s of %lld bytes is not aligned to %lld: %s",
                   space_name(space), verb, (long long)bytes, (long long)alignment,
                   emulated_describe_address(thread, address, text));
  return !own;
}

// ---- What is there -------------------------------------------------------------------------------

// The first byte that is not in state `wanted`; `bytes` when all are.
static int64_t find_other_state(const unsigned char *state, int64_t bytes, unsigned char wanted) {
  const uint64_t words = UINT64_C(0x0101010101010101) * wanted;
  uint64_t word;
  int64_t k = 0;
  for (; k + 8 <= bytes; k += 8) {
    memcpy(&word, state + k, sizeof word);
    if (word != words) break;
  }
  while (k < bytes && state[k] == wanted) ++k;
  return k;
}

static _Noreturn void report_state(ragged_emulated_thread *thread, const void *address,
                                   const emulated_range *range, int64_t bytes, int64_t at,
                                   const char *verb, const char *where) {
  char text[EMULATED_TEXT];
  const char *byte = (const char *)address + at;
  emulated_fault(thread, where, "%s of %lld bytes, byte %lld of which %s: %s", verb,
                 (long long)bytes, (long long)at,
                 range->state[at] == EMULATED_PENDING
                     ? "is still to be written by an asynchronous copy"
                     : "was never written",
                 emulated_describe_address(thread, byte, text));
}

void emulated_record(ragged_emulated_thread *thread, const emulated_range *range,
                     const void *address, int64_t bytes, bool store, const char *where) {
  emulated_launch *launch = thread->launch;
  ragged_emulator *emulator = launch->emulator;
  if (!range->races->pages && !emulated_race_map_cover(range->races, range->covered))
    emulated_out_of_memory(thread);
  emulated_race race;
  switch (emulated_race_access(range->races, &emulator->pages, &launch->order, range->offset,
                               (size_t)bytes, launch->block, thread->index, store, &race)) {
    case EMULATED_NO_RACE: return;
    case EMULATED_RACE_NO_MEMORY: emulated_out_of_memory(thread);
    case EMULATED_RACE: break;
  }
  char text[EMULATED_TEXT], other[64] = "several threads", block[64] = "";
  if (race.thread >= 0) snprintf(other, sizeof other, "thread %d", race.thread);
  if (race.block >= 0 && race.block != launch->block)
    snprintf(block, sizeof block, " of block %lld", (long long)race.block);
  emulated_fault(thread, where,
                 "race: the %s of %lld bytes is not ordered after a %s by %s%s: %s",
                 store ? "store" : "load", (long long)bytes, race.with_store ? "store" : "load",
                 other, block,
                 emulated_describe_address(
                     thread, (const char *)address + (race.offset - range->offset), text));
}

void emulated_count(ragged_emulated_thread *thread, const emulated_range *range, int64_t bytes,
                    bool store) {
  if (!range->global) return;
  ragged_emulator_counts *counts = &thread->launch->emulator->counts[thread->launch->counts];
  bool power = bytes <= 16 && (bytes & (bytes - 1)) == 0;
  int width = power ? __builtin_ctzll((unsigned long long)bytes) : RAGGED_EMULATOR_WIDTHS - 1;
  *(store ? &counts->bytes_stored : &counts->bytes_loaded) += bytes;
  ++(store ? counts->stores : counts->loads)[width];
  uint32_t launch = thread->launch->emulator->launch_number;
  size_t last = (range->offset + (size_t)bytes - 1) / EMULATED_SECTOR;
  for (size_t sector = range->offset / EMULATED_SECTOR; sector <= last; ++sector) {
    if (range->touched[sector][store] == launch) continue;
    range->touched[sector][store] = launch;
    ++*(store ? &counts->sectors_stored : &counts->sectors_loaded);
  }
}

// ---- The two checks ------------------------------------------------------------------------------

void ragged_emulated_check_load(ragged_emulated_thread *thread, const void *address, int64_t bytes,
                                int64_t alignment, int32_t space, const char *where) {
  emulated_range range;
  if (!emulated_locate(thread, address, bytes, alignment, space, "load", where, &range)) return;
  if (range.read_only) return;
  int64_t at = find_other_state(range.state, bytes, EMULATED_WRITTEN);
  if (at < bytes) report_state(thread, address, &range, bytes, at, "load", where);
  emulated_record(thread, &range, address, bytes, false, where);
  emulated_count(thread, &range, bytes, false);
}

void ragged_emulated_check_store(ragged_emulated_thread *thread, void *address, int64_t bytes,
                                 int64_t alignment, int32_t space, const char *where) {
  emulated_range range;
  char text[EMULATED_TEXT];
  if (!emulated_locate(thread, address, bytes, alignment, space, "store", where, &range)) return;
  if (range.read_only)
    emulated_fault(thread, where, "store of %lld bytes to constant data: %s", (long long)bytes,
                   emulated_describe_address(thread, address, text));
  const unsigned char *pending = memchr(range.state, EMULATED_PENDING, (size_t)bytes);
  if (pending)
    report_state(thread, address, &range, bytes, pending - range.state, "store", where);
  emulated_record(thread, &range, address, bytes, true, where);
  emulated_count(thread, &range, bytes, true);
  memset(range.state, EMULATED_WRITTEN, (size_t)bytes);
}
