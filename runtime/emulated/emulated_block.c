// The threads of one block: fibers that run until they wait for others, warp after warp. When none
// can run and some wait, the block has diverged.
#include <stdlib.h>
#include <string.h>

#include "emulated/emulator_internal.h"

// The first code of a thread's fiber.
static void thread_main(void *argument) {
  ragged_emulated_thread *thread = argument;
  const ragged_emulator_launch *what = thread->launch->what;
  what->function(thread, what->words);
  thread->state = EMULATED_FINISHED;
  for (;;) emulated_fiber_switch(&thread->fiber, &thread->launch->scheduler, true);
}

void emulated_wait(ragged_emulated_thread *thread, emulated_thread_state state,
                   const char *where) {
  thread->state = state;
  thread->where = where;
  emulated_fiber_switch(&thread->fiber, &thread->launch->scheduler, false);
}

static void begin_block(emulated_launch *launch) {
  ragged_emulator *emulator = launch->emulator;
  // Blocks are not ordered, but what this one does is compared with its own only.
  emulated_order_all(&launch->order);
  emulated_race_map_clear(&launch->shared_races, &emulator->pages);
  size_t used = EMULATED_SHARED - EMULATED_DYNAMIC_SHARED +
                (size_t)launch->what->dynamic_shared_bytes;
  memset(emulator->shared, 0xff, used);
  memset(emulator->shared_state, EMULATED_UNWRITTEN, used);
  memset(launch->barriers, 0, sizeof launch->barriers);
  launch->num_variables = 0;
  for (int32_t k = 0; k < launch->num_threads; ++k) {
    ragged_emulated_thread *thread = &launch->threads[k];
    *thread = (ragged_emulated_thread){.launch = launch, .index = k};
    emulated_fiber_prepare(&thread->fiber, &emulator->stacks, (size_t)k, thread_main, thread);
  }
}

// What threads that stopped in the middle still hold.
static void end_block(emulated_launch *launch) {
  for (int32_t k = 0; k < launch->num_threads; ++k) {
    free(launch->threads[k].copies);
    launch->threads[k].copies = NULL;
  }
}

// Runs the ready threads of the warp that begins with thread `first` until none is. True: some ran.
static bool run_warp(emulated_launch *launch, int32_t first) {
  int32_t end = first + EMULATED_WARP;
  if (end > launch->num_threads) end = launch->num_threads;
  bool ran = false;
  for (bool again = true; again && !launch->fault;) {
    again = false;
    for (int32_t k = first; k < end && !launch->fault; ++k) {
      if (launch->threads[k].state != EMULATED_READY) continue;
      emulated_fiber_switch(&launch->scheduler, &launch->threads[k].fiber, false);
      ran = again = true;
    }
  }
  return ran;
}

// Why `thread` waits: the first thread that it needs and that is elsewhere.
static const ragged_emulated_thread *find_missing(const emulated_launch *launch,
                                                  const ragged_emulated_thread *thread) {
  bool in_warp = thread->state == EMULATED_IN_WARP;
  int32_t first = in_warp ? thread->index / EMULATED_WARP * EMULATED_WARP : 0;
  int32_t count = in_warp ? EMULATED_WARP : launch->num_threads;
  for (int32_t k = first; k < first + count && k < launch->num_threads; ++k) {
    const ragged_emulated_thread *other = &launch->threads[k];
    if (in_warp && !(thread->operation.mask >> (k % EMULATED_WARP) & 1)) continue;
    bool together = other->state == thread->state &&
                    (in_warp ? other->operation.kind == thread->operation.kind &&
                                   other->operation.mask == thread->operation.mask
                             : other->barrier == thread->barrier);
    if (!together) return other;
  }
  return NULL;
}

// Nothing can run. A fault unless all have finished.
static void check_end(emulated_launch *launch) {
  for (int32_t k = 0; k < launch->num_threads; ++k) {
    ragged_emulated_thread *thread = &launch->threads[k];
    if (thread->state == EMULATED_FINISHED) continue;
    char own[EMULATED_TEXT], others[EMULATED_TEXT];
    const ragged_emulated_thread *missing = find_missing(launch, thread);
    emulated_set_fault(thread, thread->where, "divergence: %s, but %s",
                       emulated_describe_state(thread, own),
                       missing ? emulated_describe_state(missing, others)
                               : "a thread that it waits for does not exist");
    return;
  }
}

bool emulated_run_block(emulated_launch *launch) {
  begin_block(launch);
  for (bool ran = true; ran && !launch->fault;) {
    ran = false;
    for (int32_t first = 0; first < launch->num_threads && !launch->fault; first += EMULATED_WARP)
      ran |= run_warp(launch, first);
  }
  if (!launch->fault) check_end(launch);
  end_block(launch);
  ragged_emulator_counts *counts = &launch->emulator->counts[launch->counts];
  ++counts->blocks;
  counts->threads += launch->num_threads;
  return !launch->fault;
}
