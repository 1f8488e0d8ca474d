// The trace file in Chrome's trace-event JSON (https://ui.perfetto.dev opens it): one complete event
// ("ph": "X") per kernel and library call, times in microseconds, one lane per worker. Events are
// written as they happen, so memory does not grow; the last release of the context closes the file.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <string.h>
#include <time.h>

#include "context.h"

int64_t ragged_rt_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

ragged_status ragged_rt_trace_open(ragged_rt_observer *observer, const char *path) {
  observer->trace = fopen(path, "w");
  if (!observer->trace)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "the trace file '%s' cannot be written: %s", path, strerror(errno));
  observer->origin = ragged_rt_now();
  fputs("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [", observer->trace);
  return NULL;
}

void ragged_rt_trace_close(ragged_rt_observer *observer) {
  if (!observer->trace) return;
  fputs("\n]}\n", observer->trace);
  fclose(observer->trace);
  observer->trace = NULL;
}

static void write_json_string(FILE *file, const char *text) {
  fputc('"', file);
  for (const unsigned char *c = (const unsigned char *)text; *c; ++c) {
    if (*c == '"' || *c == '\\') fprintf(file, "\\%c", *c);
    else if (*c < 0x20) fprintf(file, "\\u%04x", *c);
    else fputc(*c, file);
  }
  fputc('"', file);
}

void ragged_rt_trace_span(ragged_rt_observer *observer, const char *name, int worker,
                          int64_t begin, int64_t end, int64_t rows, int64_t bytes, int64_t flops) {
  if (!observer->trace) return;
  while (atomic_flag_test_and_set_explicit(&observer->trace_lock, memory_order_acquire)) {
  }
  FILE *file = observer->trace;
  fputs(observer->trace_has_events ? ",\n" : "\n", file);
  observer->trace_has_events = true;
  fputs("{\"ph\": \"X\", \"pid\": 0, \"name\": ", file);
  write_json_string(file, name);
  int64_t since = begin - observer->origin, length = end - begin;
  fprintf(file,
          ", \"tid\": %d, \"ts\": %lld.%03d, \"dur\": %lld.%03d, "
          "\"args\": {\"rows\": %lld, \"bytes\": %lld, \"flops\": %lld}}",
          worker, (long long)(since / 1000), (int)(since % 1000), (long long)(length / 1000),
          (int)(length % 1000), (long long)rows, (long long)bytes, (long long)flops);
  atomic_flag_clear_explicit(&observer->trace_lock, memory_order_release);
}
