// Faults of kernels: one message that says which kernel, block, thread and source op, and what was
// found; the first ends the launch.
#include <stdarg.h>
#include <stdio.h>

#include "emulated/emulator_internal.h"

static RAGGED_PRINTF(4, 0) void set_fault(ragged_emulated_thread *thread,
                                          ragged_status_code code, const char *where,
                                          const char *format, va_list arguments) {
  emulated_launch *launch = thread->launch;
  if (launch->fault) return;
  char text[1024];
  vsnprintf(text, sizeof text, format, arguments);
  launch->fault = ragged_status_make(
      code, "kernel '%s', block %lld, thread %d%s%s: %s", launch->what->name,
      (long long)launch->block, thread->index, where ? ", " : "", where ? where : "", text);
}

void emulated_set_fault(ragged_emulated_thread *thread, const char *where, const char *format,
                        ...) {
  va_list arguments;
  va_start(arguments, format);
  set_fault(thread, RAGGED_STATUS_INTERNAL, where, format, arguments);
  va_end(arguments);
}

// The scheduler sees the fault and runs nothing any more.
static _Noreturn void leave(ragged_emulated_thread *thread) {
  for (;;) emulated_fiber_switch(&thread->fiber, &thread->launch->scheduler, true);
}

void emulated_fault(ragged_emulated_thread *thread, const char *where, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  set_fault(thread, RAGGED_STATUS_INTERNAL, where, format, arguments);
  va_end(arguments);
  leave(thread);
}

void emulated_out_of_memory(ragged_emulated_thread *thread) {
  if (!thread->launch->fault)
    thread->launch->fault = ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED,
                                               "no memory for the emulated device's own tables");
  leave(thread);
}

static const char *describe_shared(ragged_emulated_thread *thread, const char *address,
                                   char text[EMULATED_TEXT]) {
  emulated_launch *launch = thread->launch;
  long long offset = address - launch->emulator->shared;
  if (offset >= EMULATED_STATIC_SHARED)
    snprintf(text, EMULATED_TEXT,
             "address %p (offset %lld of the block's %lld bytes of dynamic shared memory)",
             (const void *)address, offset - (EMULATED_SHARED - EMULATED_DYNAMIC_SHARED),
             (long long)launch->what->dynamic_shared_bytes);
  else
    snprintf(text, EMULATED_TEXT, "address %p (offset %lld of the block's shared variables)",
             (const void *)address, offset);
  return text;
}

const char *emulated_describe_address(ragged_emulated_thread *thread, const void *address,
                                      char text[EMULATED_TEXT]) {
  ragged_emulator *emulator = thread->launch->emulator;
  if ((uintptr_t)address - (uintptr_t)emulator->shared < EMULATED_SHARED)
    return describe_shared(thread, address, text);
  const emulated_freed *freed = emulated_find_freed(emulator, address);
  if (freed) {
    snprintf(text, EMULATED_TEXT, "address %p (offset %lld of %zu bytes at %p that were freed)",
             address, (long long)((const char *)address - freed->begin), freed->bytes,
             (void *)freed->begin);
    return text;
  }
  const emulated_allocation *below = emulated_find_below(emulator, address), *nearest = below;
  const emulated_allocation *above = below ? below + 1 : emulator->allocations;
  if (above != emulator->allocations + emulator->num_allocations &&
      (!below || (uintptr_t)above->begin - (uintptr_t)address <
                     (uintptr_t)address - (uintptr_t)below->begin - below->bytes) &&
      (!below || (uintptr_t)address - (uintptr_t)below->begin >= below->bytes))
    nearest = above;
  if (nearest)
    snprintf(text, EMULATED_TEXT, "address %p (offset %lld of the %zu bytes at %p)", address,
             (long long)((intptr_t)address - (intptr_t)nearest->begin), nearest->bytes,
             (void *)nearest->begin);
  else
    snprintf(text, EMULATED_TEXT, "address %p (nothing is allocated)", address);
  return text;
}

static const char *operation_name(const emulated_warp_operation *operation) {
  switch (operation->kind) {
    case EMULATED_WARP_BARRIER: return "a warp's barrier";
    case EMULATED_SHUFFLE_IDX: return "a shuffle (idx)";
    case EMULATED_SHUFFLE_UP: return "a shuffle (up)";
    case EMULATED_SHUFFLE_DOWN: return "a shuffle (down)";
    case EMULATED_SHUFFLE_BFLY: return "a shuffle (bfly)";
    case EMULATED_VOTE_ALL: return "a vote (all)";
    case EMULATED_VOTE_ANY: return "a vote (any)";
    case EMULATED_VOTE_UNI: return "a vote (uni)";
    case EMULATED_VOTE_BALLOT: return "a vote (ballot)";
    case EMULATED_MATRIX: return "a matrix product";
    case EMULATED_LOAD_MATRIX: return "a load of matrices";
  }
  return "a warp's operation";
}

const char *emulated_describe_state(const ragged_emulated_thread *thread,
                                    char text[EMULATED_TEXT]) {
  const char *where = thread->where ? thread->where : "no source op";
  if (thread->state == EMULATED_FINISHED)
    snprintf(text, EMULATED_TEXT, "thread %d has finished", thread->index);
  else if (thread->state == EMULATED_AT_BARRIER)
    snprintf(text, EMULATED_TEXT, "thread %d waits at barrier %d, %s", thread->index,
             thread->barrier, where);
  else
    snprintf(text, EMULATED_TEXT, "thread %d waits in %s with mask 0x%08x, %s", thread->index,
             operation_name(&thread->operation), thread->operation.mask, where);
  return text;
}
