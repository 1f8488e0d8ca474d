// Totals per kernel name, kept while statistics are enabled.
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "support/checked.h"

static int64_t saturating_add(int64_t a, int64_t b) {
  int64_t sum;
  return ragged_checked_add(a, b, &sum) ? sum : INT64_MAX;
}

int64_t ragged_rt_saturating_multiply(int64_t a, int64_t b) {
  int64_t product;
  return ragged_checked_multiply(a, b, &product) ? product : INT64_MAX;
}

static ragged_rt_kernel_statistics *find_or_add(ragged_rt_observer *observer,
                                                ragged_rt_memory *memory, const char *name) {
  for (int64_t k = 0; k < observer->count; ++k)
    if (strcmp(observer->entries[k].name, name) == 0) return &observer->entries[k];
  size_t size = strlen(name) + 1;
  char *copy = ragged_rt_metadata_allocate(memory, size, 0, 1);
  if (!copy) return NULL;
  void *entries = observer->entries;
  ragged_status status = ragged_rt_metadata_grow(memory, &entries, observer->count,
                                                 &observer->capacity, sizeof *observer->entries);
  observer->entries = entries;
  if (status) {
    ragged_status_free(status);
    ragged_rt_metadata_free(memory, copy);
    return NULL;
  }
  memcpy(copy, name, size);
  observer->entries[observer->count] = (ragged_rt_kernel_statistics){.name = copy};
  return &observer->entries[observer->count++];
}

void ragged_rt_statistics_add(ragged_rt_observer *observer, ragged_rt_memory *memory,
                              const char *name, int64_t calls, int64_t rows, int64_t bytes,
                              int64_t flops, int64_t nanoseconds) {
  if (!observer->enabled) return;
  ragged_rt_kernel_statistics *entry = find_or_add(observer, memory, name);
  if (!entry) return;
  entry->calls = saturating_add(entry->calls, calls);
  entry->rows = saturating_add(entry->rows, rows);
  entry->bytes = saturating_add(entry->bytes, bytes);
  entry->flops = saturating_add(entry->flops, flops);
  entry->seconds += 1e-9 * (double)nanoseconds;
}

void ragged_rt_observe_launch(ragged_rt_observer *observer, ragged_rt_memory *memory,
                              const char *name, int64_t items, int64_t bytes, int64_t flops,
                              int64_t begin, int64_t end) {
  ragged_rt_statistics_add(observer, memory, name, 1, items, bytes, flops, end - begin);
  ragged_rt_trace_span(observer, name, 0, begin, end, items, bytes, flops);
}

void ragged_rt_statistics_clear(ragged_rt_observer *observer, ragged_rt_memory *memory) {
  for (int64_t k = 0; k < observer->count; ++k)
    ragged_rt_metadata_free(memory, (char *)observer->entries[k].name);
  ragged_rt_metadata_free(memory, observer->entries);
  observer->entries = NULL;
  observer->count = observer->capacity = 0;
}

static void complete(const ragged_rt_context *context) {
  ragged_rt_device *device = context->device;
  if (device->table->report_times) device->table->report_times(device);
}

void ragged_rt_context_enable_statistics(ragged_rt_context *context, bool enabled) {
  complete(context);
  ragged_rt_statistics_clear(&context->observer, &context->memory);
  context->observer.enabled = enabled;
}

int ragged_rt_context_statistics(const ragged_rt_context *context, int capacity,
                                 ragged_rt_kernel_statistics *out) {
  const ragged_rt_observer *observer = &context->observer;
  complete(context);
  int filled = 0;
  for (int64_t k = 0; k < observer->count; ++k) {  // insertion into the sorted prefix
    const ragged_rt_kernel_statistics *entry = &observer->entries[k];
    int at = filled;
    while (at > 0 && out[at - 1].seconds < entry->seconds) --at;
    if (at >= capacity) continue;
    int last = filled < capacity ? filled : capacity - 1;
    for (int j = last; j > at; --j) out[j] = out[j - 1];
    out[at] = *entry;
    if (filled < capacity) ++filled;
  }
  return (int)observer->count;
}
