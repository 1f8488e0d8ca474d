// Asynchronous copies from global to shared memory. What is copied is read when the copy is issued
// and arrives when the thread waits for its group; in between nobody may touch the destination.
#include <stdlib.h>
#include <string.h>

#include "emulated/emulator_internal.h"

static emulated_async_copy *append(ragged_emulated_thread *thread) {
  if (thread->num_copies == thread->copies_capacity) {
    size_t capacity = thread->copies_capacity ? thread->copies_capacity * 2 : 8;
    emulated_async_copy *more = realloc(thread->copies, capacity * sizeof *thread->copies);
    if (!more) emulated_out_of_memory(thread);
    thread->copies = more;
    thread->copies_capacity = capacity;
  }
  return &thread->copies[thread->num_copies++];
}

void ragged_emulated_async_copy(ragged_emulated_thread *thread, void *to, const void *from,
                                int64_t bytes, int64_t read_bytes, const char *where) {
  if (bytes != 4 && bytes != 8 && bytes != 16)
    emulated_fault(thread, where, "an asynchronous copy of %lld bytes, expected 4, 8 or 16",
                   (long long)bytes);
  if (read_bytes < 0 || read_bytes > bytes)
    emulated_fault(thread, where, "an asynchronous copy of %lld bytes reads %lld", (long long)bytes,
                   (long long)read_bytes);
  // The source has the alignment of the whole copy, also where less is read.
  ragged_emulated_check_load(thread, from, read_bytes, bytes, RAGGED_EMULATED_GLOBAL, where);
  ragged_emulated_check_store(thread, to, bytes, bytes, RAGGED_EMULATED_SHARED, where);
  emulated_async_copy *copy = append(thread);
  *copy = (emulated_async_copy){.to = to, .bytes = (uint32_t)bytes, .group = thread->groups};
  memcpy(copy->data, from, (size_t)read_bytes);
  ragged_emulator *emulator = thread->launch->emulator;
  size_t offset = (size_t)((char *)to - emulator->shared);
  memset(to, 0xff, (size_t)bytes);
  memset(emulator->shared_state + offset, EMULATED_PENDING, (size_t)bytes);
}

void ragged_emulated_async_commit(ragged_emulated_thread *thread) { ++thread->groups; }

// Groups below `end` arrive: for the other threads they were stored now.
static void complete(ragged_emulated_thread *thread, int64_t end, const char *where) {
  ragged_emulator *emulator = thread->launch->emulator;
  size_t kept = 0;
  for (size_t k = 0; k < thread->num_copies; ++k) {
    emulated_async_copy *copy = &thread->copies[k];
    if (copy->group >= end) {
      thread->copies[kept++] = *copy;
      continue;
    }
    size_t offset = (size_t)(copy->to - emulator->shared);
    memcpy(copy->to, copy->data, copy->bytes);
    memset(emulator->shared_state + offset, EMULATED_WRITTEN, copy->bytes);
    emulated_range range = {.state = emulator->shared_state + offset,
                            .races = &thread->launch->shared_races, .offset = offset,
                            .covered = EMULATED_SHARED};
    emulated_record(thread, &range, copy->to, copy->bytes, true, where);
  }
  thread->num_copies = kept;
}

void ragged_emulated_async_wait(ragged_emulated_thread *thread, int64_t pending,
                                const char *where) {
  if (pending < 0)
    emulated_fault(thread, where, "a wait until %lld groups are left", (long long)pending);
  complete(thread, thread->groups - pending, where);
}

// Copies that were not committed, too.
void ragged_emulated_async_wait_all(ragged_emulated_thread *thread, const char *where) {
  complete(thread, thread->groups + 1, where);
}
