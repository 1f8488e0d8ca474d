// The emulator as an object, and its launches: checks, then block after block. See emulator.h.
#include <stdlib.h>
#include <string.h>

#include "emulated/emulator_internal.h"

// ---- The object ----------------------------------------------------------------------------------

ragged_status ragged_emulator_create(ragged_emulator **out_emulator) {
  ragged_emulator *emulator = calloc(1, sizeof *emulator);
  if (!emulator)
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for an emulator");
  *out_emulator = emulator;
  return NULL;
}

void ragged_emulator_destroy(ragged_emulator *emulator) {
  if (!emulator) return;
  for (size_t k = 0; k < emulator->num_allocations; ++k) {
    emulated_allocation *allocation = &emulator->allocations[k];
    emulated_race_map_free(&allocation->races, &emulator->pages);
    free(allocation->state);
    free(allocation->memory);
  }
  free(emulator->allocations);
  for (size_t k = 0; k < EMULATED_FREED; ++k) free(emulator->freed[k].memory);
  for (size_t k = 0; k < emulator->num_kernels; ++k) free((char *)emulator->counts[k].name);
  free(emulator->counts);
  free(emulator->threads);
  emulated_stacks_free(&emulator->stacks);
  free(emulator->shared);
  free(emulator->shared_state);
  emulated_race_pages_free(&emulator->pages);
  free(emulator);
}

// ---- Counts --------------------------------------------------------------------------------------

size_t ragged_emulator_num_kernels(const ragged_emulator *emulator) {
  return emulator->num_kernels;
}

const ragged_emulator_counts *ragged_emulator_kernel(const ragged_emulator *emulator,
                                                     size_t index) {
  return &emulator->counts[index];
}

// The counts under `name`, new where there are none. False: no memory.
static bool find_counts(ragged_emulator *emulator, const char *name, size_t *out_index) {
  for (size_t k = 0; k < emulator->num_kernels; ++k)
    if (!strcmp(emulator->counts[k].name, name)) {
      *out_index = k;
      return true;
    }
  if (emulator->num_kernels == emulator->kernels_capacity) {
    size_t capacity = emulator->kernels_capacity ? emulator->kernels_capacity * 2 : 16;
    ragged_emulator_counts *more =
        realloc(emulator->counts, capacity * sizeof *emulator->counts);
    if (!more) return false;
    emulator->counts = more;
    emulator->kernels_capacity = capacity;
  }
  size_t length = strlen(name);
  char *copy = malloc(length + 1);
  if (!copy) return false;
  memcpy(copy, name, length + 1);
  *out_index = emulator->num_kernels++;
  emulator->counts[*out_index] = (ragged_emulator_counts){.name = copy};
  return true;
}

// ---- Launches ------------------------------------------------------------------------------------

static ragged_status check(const ragged_emulator_launch *launch) {
  if (launch->grid < 0 || launch->grid > INT32_MAX)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "kernel '%s': a grid of %lld blocks, expected 0 to %d", launch->name,
                              (long long)launch->grid, INT32_MAX);
  if (launch->block < 1 || launch->block > EMULATED_MAX_THREADS)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "kernel '%s': blocks of %d threads, expected 1 to %d", launch->name,
                              launch->block, EMULATED_MAX_THREADS);
  if (launch->dynamic_shared_bytes < 0 || launch->dynamic_shared_bytes > EMULATED_DYNAMIC_SHARED)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "kernel '%s': %lld bytes of dynamic shared memory, expected 0 to %d",
                              launch->name, (long long)launch->dynamic_shared_bytes,
                              EMULATED_DYNAMIC_SHARED);
  return NULL;
}

// What launches need and the emulator keeps. False: no memory.
static bool prepare(ragged_emulator *emulator, const ragged_emulator_launch *launch) {
  if (!emulator->threads)
    emulator->threads = calloc(EMULATED_MAX_THREADS, sizeof *emulator->threads);
  if (!emulator->shared) emulator->shared = aligned_alloc(1024, EMULATED_SHARED);
  if (!emulator->shared_state) emulator->shared_state = malloc(EMULATED_SHARED);
  return emulator->threads && emulator->shared && emulator->shared_state &&
         emulated_stacks_reserve(&emulator->stacks, (size_t)launch->block);
}

// Nothing of the launch stays but what it stored.
static void clean_up(emulated_launch *launch) {
  ragged_emulator *emulator = launch->emulator;
  emulated_race_map_free(&launch->shared_races, &emulator->pages);
  for (size_t k = 0; k < emulator->num_allocations; ++k)
    emulated_race_map_clear(&emulator->allocations[k].races, &emulator->pages);
  emulated_forget_constants(emulator);
  free(launch->order.seen);
}

ragged_status ragged_emulator_run(ragged_emulator *emulator, const ragged_emulator_launch *what) {
  RAGGED_RETURN_IF_ERROR(check(what));
  emulated_launch launch = {.emulator = emulator, .what = what, .num_threads = what->block};
  launch.order = (emulated_order){.now = 1, .num_threads = what->block};
  launch.threads = emulator->threads;
  if (!prepare(emulator, what) || !find_counts(emulator, what->name, &launch.counts))
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED,
                              "no memory to run kernel '%s' on the emulated device", what->name);
  launch.threads = emulator->threads;
  ++emulator->launch_number;
  ++emulator->counts[launch.counts].launches;
  for (launch.block = 0; launch.block < what->grid; ++launch.block)
    if (!emulated_run_block(&launch)) break;
  clean_up(&launch);
  return launch.fault;
}

// ---- What a thread knows of its launch -----------------------------------------------------------

void ragged_emulated_enter(ragged_emulated_thread *thread, int64_t num_words,
                           int64_t block_threads, int64_t max_threads, const char *where) {
  const ragged_emulator_launch *what = thread->launch->what;
  if (what->num_words != num_words)
    emulated_fault(thread, where, "launched with %lld parameters, expected %lld",
                   (long long)what->num_words, (long long)num_words);
  if (block_threads && what->block != block_threads)
    emulated_fault(thread, where, "launched in blocks of %d threads, expected %lld", what->block,
                   (long long)block_threads);
  if (max_threads && what->block > max_threads)
    emulated_fault(thread, where, "launched in blocks of %d threads, expected at most %lld",
                   what->block, (long long)max_threads);
}

int32_t ragged_emulated_tid(ragged_emulated_thread *thread) { return thread->index; }
int32_t ragged_emulated_ntid(ragged_emulated_thread *thread) {
  return thread->launch->num_threads;
}
int32_t ragged_emulated_ctaid(ragged_emulated_thread *thread) {
  return (int32_t)thread->launch->block;
}
int32_t ragged_emulated_nctaid(ragged_emulated_thread *thread) {
  return (int32_t)thread->launch->what->grid;
}
int32_t ragged_emulated_laneid(ragged_emulated_thread *thread) {
  return thread->index % EMULATED_WARP;
}
int32_t ragged_emulated_warpid(ragged_emulated_thread *thread) {
  return thread->index / EMULATED_WARP;
}
int32_t ragged_emulated_nwarpid(ragged_emulated_thread *thread) {
  return (thread->launch->num_threads + EMULATED_WARP - 1) / EMULATED_WARP;
}
int32_t ragged_emulated_dynamic_shared_size(ragged_emulated_thread *thread) {
  return (int32_t)thread->launch->what->dynamic_shared_bytes;
}

void ragged_emulated_trap(ragged_emulated_thread *thread, const char *where) {
  emulated_fault(thread, where, "the kernel reached a trap, or code that cannot be reached");
}

void *ragged_emulated_dynamic_shared(ragged_emulated_thread *thread) {
  return thread->launch->emulator->shared + (EMULATED_SHARED - EMULATED_DYNAMIC_SHARED);
}

void *ragged_emulated_static_shared(ragged_emulated_thread *thread, int64_t offset, int64_t bytes,
                                    const char *where) {
  emulated_launch *launch = thread->launch;
  char *address = launch->emulator->shared + offset;
  for (int k = 0; k < launch->num_variables; ++k)
    if (launch->variables[k].offset == offset && launch->variables[k].bytes == bytes)
      return address;
  if (offset < 0 || bytes < 0 || offset > EMULATED_STATIC_SHARED ||
      bytes > EMULATED_STATIC_SHARED - offset || launch->num_variables == EMULATED_VARIABLES)
    emulated_fault(thread, where, "there is no room for shared variables, more than %d or past %d "
                   "bytes", EMULATED_VARIABLES, EMULATED_STATIC_SHARED);
  launch->variables[launch->num_variables++] = (emulated_variable){offset, bytes};
  int64_t total = 0;
  for (int k = 0; k < launch->num_variables; ++k) total += launch->variables[k].bytes;
  if (total > EMULATED_VARIABLE_BYTES ||
      total + launch->what->dynamic_shared_bytes > EMULATED_DYNAMIC_SHARED)
    emulated_fault(thread, where, "the kernel has %lld bytes of shared variables and %lld of dynamic "
                   "shared memory, expected at most %d, and together %d", (long long)total,
                   (long long)launch->what->dynamic_shared_bytes, EMULATED_VARIABLE_BYTES,
                   EMULATED_DYNAMIC_SHARED);
  return address;
}

const void *ragged_emulated_constant(ragged_emulated_thread *thread, const void *address,
                                     int64_t bytes, const char *where) {
  ragged_emulator *emulator = thread->launch->emulator;
  emulated_allocation *known = emulated_find(emulator, address, (size_t)bytes);
  if (known && known->read_only && known->begin == address) return address;
  emulated_allocation allocation = {.begin = (char *)(uintptr_t)address, .bytes = (size_t)bytes,
                                    .read_only = true};
  ragged_status status = emulated_insert(emulator, &allocation);
  if (status) {
    ragged_status_free(status);
    emulated_fault(thread, where, "the constant data cannot be made known");
  }
  return address;
}
