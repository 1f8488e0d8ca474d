// What a context records about kernels and library calls: totals by name (statistics.c) and a trace
// file (trace.c). Off unless asked for. Kernels are recorded by the context's thread, library calls
// by workers: the trace has a lock, statistics of products are added when the product ends.
#ifndef RAGGED_RT_OBSERVE_H
#define RAGGED_RT_OBSERVE_H

#include <stdatomic.h>
#include <stdio.h>

#include "allocator.h"

struct ragged_rt_observer {
  bool enabled;  // statistics
  ragged_rt_kernel_statistics *entries;  // names owned
  int64_t count, capacity;
  FILE *trace;  // null: none
  atomic_flag trace_lock;
  bool trace_has_events;
  int64_t origin;  // nanoseconds at which the trace began
};

static inline bool ragged_rt_observes(const ragged_rt_observer *observer) {
  return observer->enabled || observer->trace;
}
int64_t ragged_rt_now(void);  // nanoseconds of a steady clock

// Adds to the totals of `name` (copied). A total that overflows stays at its greatest value; a new
// name for which there is no memory is not recorded.
void ragged_rt_statistics_add(ragged_rt_observer *observer, ragged_rt_memory *memory,
                              const char *name, int64_t calls, int64_t rows, int64_t bytes,
                              int64_t flops, int64_t nanoseconds);
// One launch of a kernel, for both.
void ragged_rt_observe_launch(ragged_rt_observer *observer, ragged_rt_memory *memory,
                              const char *name, int64_t items, int64_t bytes, int64_t flops,
                              int64_t begin, int64_t end);
void ragged_rt_statistics_clear(ragged_rt_observer *observer, ragged_rt_memory *memory);

RAGGED_MUST_USE ragged_status ragged_rt_trace_open(ragged_rt_observer *observer, const char *path);
void ragged_rt_trace_close(ragged_rt_observer *observer);  // null trace: nothing
// One span from `begin` to `end` on lane `worker`. Any thread.
void ragged_rt_trace_span(ragged_rt_observer *observer, const char *name, int worker,
                          int64_t begin, int64_t end, int64_t rows, int64_t bytes, int64_t flops);

int64_t ragged_rt_saturating_multiply(int64_t a, int64_t b);  // both >= 0

#endif  // RAGGED_RT_OBSERVE_H
