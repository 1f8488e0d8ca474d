// Barriers of a block: all threads, or a number of whole warps under an id. They order the accesses
// of the threads that meet. Strict: a thread that has finished is missing, and the lanes of a warp
// meet at one and the same op, as the aligned instructions demand.
#include <string.h>

#include "emulated/emulator_internal.h"

static bool same_op(const char *a, const char *b) {
  return a == b || (a && b && !strcmp(a, b));
}

// The threads at barrier `id` are whole warps, each at one op; a fault otherwise.
static void check_warps(ragged_emulated_thread *last, int32_t id) {
  emulated_launch *launch = last->launch;
  char own[EMULATED_TEXT], others[EMULATED_TEXT];
  for (int32_t k = 0; k < launch->num_threads; ++k) {
    const ragged_emulated_thread *thread = &launch->threads[k];
    if (thread->state != EMULATED_AT_BARRIER || thread->barrier != id) continue;
    int32_t first = k / EMULATED_WARP * EMULATED_WARP;
    for (int32_t j = first; j < first + EMULATED_WARP && j < launch->num_threads; ++j) {
      const ragged_emulated_thread *other = &launch->threads[j];
      if (other->state == EMULATED_AT_BARRIER && other->barrier == id &&
          same_op(thread->where, other->where))
        continue;
      emulated_fault(last, thread->where, "divergence inside a warp: %s, but %s",
                     emulated_describe_state(thread, own),
                     other->state == EMULATED_READY ? "a thread of its warp is elsewhere"
                                                    : emulated_describe_state(other, others));
    }
  }
}

// Everybody has arrived: the last thread's accesses and the others' are ordered, and all go on.
static void complete(ragged_emulated_thread *last, emulated_barrier *barrier, int32_t id) {
  emulated_launch *launch = last->launch;
  check_warps(last, id);
  bool included[EMULATED_MAX_THREADS] = {false};
  for (int32_t k = 0; k < launch->num_threads; ++k) {
    ragged_emulated_thread *thread = &launch->threads[k];
    if (thread->state != EMULATED_AT_BARRIER || thread->barrier != id) continue;
    included[k] = true;
    thread->state = EMULATED_READY;
  }
  if (barrier->arrived == launch->num_threads)
    emulated_order_all(&launch->order);
  else if (!emulated_order_some(&launch->order, included))
    emulated_out_of_memory(last);
  *barrier = (emulated_barrier){0};
  ++launch->emulator->counts[launch->counts].barriers;
}

void ragged_emulated_barrier(ragged_emulated_thread *thread, const char *where) {
  ragged_emulated_barrier_count(thread, 0, 0, where);
}

void ragged_emulated_barrier_count(ragged_emulated_thread *thread, int32_t id, int32_t count,
                                   const char *where) {
  emulated_launch *launch = thread->launch;
  if (id < 0 || id >= EMULATED_BARRIERS)
    emulated_fault(thread, where, "barrier %d, expected 0 to %d", id, EMULATED_BARRIERS - 1);
  if (count == 0)
    count = launch->num_threads;
  else if (count < 0 || count % EMULATED_WARP || count > launch->num_threads)
    emulated_fault(thread, where,
                   "barrier %d for %d threads, expected a multiple of %d and at most the block's %d",
                   id, count, EMULATED_WARP, launch->num_threads);
  emulated_barrier *barrier = &launch->barriers[id];
  if (barrier->arrived && barrier->count != count)
    emulated_fault(thread, where, "barrier %d for %d threads, but others wait there for %d", id,
                   count, barrier->count);
  barrier->count = count;
  ++barrier->arrived;
  thread->barrier = id;
  if (barrier->arrived < count) {
    emulated_wait(thread, EMULATED_AT_BARRIER, where);
    return;
  }
  thread->state = EMULATED_AT_BARRIER;
  thread->where = where;
  complete(thread, barrier, id);
}
