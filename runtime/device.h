// What a device does for the runtime. One table of functions per kind of device; the host's is in
// device_host.c. Memory comes from `allocate` only through allocator.c. Functions other than
// `launch` are called from the thread that uses the context.
#ifndef RAGGED_RT_DEVICE_H
#define RAGGED_RT_DEVICE_H

#include "frame.h"

// One kernel over `items` items in chunks of `grain`. Worker w has `scratch_stride` bytes at
// scratch + w * scratch_stride.
typedef struct ragged_rt_launch {
  ragged_rt_kernel_function kernel;
  const int64_t *slots;
  int64_t items, grain;
  void *scratch;
  int64_t scratch_stride;
  int num_threads;
} ragged_rt_launch;

typedef struct ragged_rt_device {
  const char *name;
  void *(*allocate)(size_t bytes);  // aligned to 64; null when there is none
  void (*free)(void *pointer, size_t bytes);
  void (*copy)(void *to, const void *from, size_t bytes);
  void (*fill)(void *to, int byte, size_t bytes);
  void (*launch)(const ragged_rt_launch *launch);
  void (*synchronise)(void);  // until all launches have ended
  // Prepares a dense product: chooses what runs it, packs the weight (product.h).
  ragged_status (*product)(ragged_rt_product *product, ragged_rt_tensor *weight,
                           ragged_rt_tensor *bias, int64_t panel);
} ragged_rt_device;

extern const ragged_rt_device ragged_rt_device_host;

// How many workers a launch of `items` in chunks of `grain` uses at most.
int ragged_rt_parallel_workers(int64_t items, int64_t grain, int num_threads);
// The host's launch: an OpenMP loop over chunks, or a plain one where one thread is enough.
void ragged_rt_parallel_launch(const ragged_rt_launch *launch);

#endif  // RAGGED_RT_DEVICE_H
