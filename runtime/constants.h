// Numbers of the host on the device, known by content (constants.c).
#ifndef RAGGED_RT_CONSTANTS_H
#define RAGGED_RT_CONSTANTS_H

#include "allocator.h"
#include "intern_table.h"

typedef struct ragged_rt_constant {
  ragged_rt_intern_node node;
  ragged_rt_context *context;
  uint64_t check;
  int64_t bytes, references;
  void *data;  // memory of the context's device
  struct ragged_rt_constant *newer, *older;  // of those without references
} ragged_rt_constant;

typedef struct ragged_rt_constants {
  ragged_rt_intern_table table;
  ragged_rt_constant *newest, *oldest;  // without references, kept for the next call
  int64_t num_idle, idle_bytes;
} ragged_rt_constants;

// The constant of these bytes (> 0), with a reference for the caller. While a capture is in progress
// it must be there already, INVALID_ARGUMENT otherwise, and it is kept as long as the capture.
RAGGED_MUST_USE ragged_status ragged_rt_constant_get(ragged_rt_context *context,
                                                     const void *values, int64_t bytes,
                                                     ragged_rt_constant **out);
void ragged_rt_constant_retain(ragged_rt_constant *constant);
void ragged_rt_constant_release(ragged_rt_constant *constant);  // null is allowed
// Nothing has a reference any more.
void ragged_rt_constants_clear(ragged_rt_context *context);

#endif  // RAGGED_RT_CONSTANTS_H
