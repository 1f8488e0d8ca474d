// The CUDA driver as the bench uses it by itself, beside the runtime: the device's primary context,
// which the runtime uses too, a stream, and events. The functions are those that the runtime loads.
#ifndef RAGGED_BENCH_CUDA_H
#define RAGGED_BENCH_CUDA_H

#include "cuda_device.h"

typedef struct bench_cuda {
  ragged_rt_cuda_driver driver;
  CUdevice device;
  CUcontext context;
  CUstream stream;
  CUevent begin, end;
  char name[128];
  int chip, num_multiprocessors;
} bench_cuda;

#define BENCH_CUDA(cuda, symbol, ...) \
  ragged_rt_cuda_check(&(cuda)->driver, (cuda)->driver.symbol(__VA_ARGS__), #symbol)

// Device 0; its context is current until _close. The process ends what an error leaves.
RAGGED_MUST_USE ragged_status bench_cuda_open(bench_cuda *out);
void bench_cuda_close(bench_cuda *cuda);

// Runs `work`, which puts something on the stream, `repeat` times in a row; *out: seconds of one, the
// best of five such rows.
RAGGED_MUST_USE ragged_status bench_cuda_time(bench_cuda *cuda, int repeat,
                                              ragged_status (*work)(void *user), void *user,
                                              double *out);

#endif  // RAGGED_BENCH_CUDA_H
