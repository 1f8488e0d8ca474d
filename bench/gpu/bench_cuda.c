// See bench_cuda.h.
#include "bench_cuda.h"

#include <stdlib.h>

static ragged_status read_device(bench_cuda *cuda) {
  int major, minor;
  RAGGED_RETURN_IF_ERROR(
      BENCH_CUDA(cuda, cuDeviceGetName, cuda->name, (int)sizeof cuda->name, cuda->device));
  RAGGED_RETURN_IF_ERROR(BENCH_CUDA(cuda, cuDeviceGetAttribute, &major,
                                    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, cuda->device));
  RAGGED_RETURN_IF_ERROR(BENCH_CUDA(cuda, cuDeviceGetAttribute, &minor,
                                    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, cuda->device));
  cuda->chip = 10 * major + minor;
  return BENCH_CUDA(cuda, cuDeviceGetAttribute, &cuda->num_multiprocessors,
                    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, cuda->device);
}

ragged_status bench_cuda_open(bench_cuda *out) {
  *out = (bench_cuda){.device = 0};
  const char *library = getenv("RAGGED_CUDA_DRIVER");
  RAGGED_RETURN_IF_ERROR(
      ragged_rt_cuda_load(library && *library ? library : "libcuda.so.1", &out->driver));
  RAGGED_RETURN_IF_ERROR(BENCH_CUDA(out, cuInit, 0));
  RAGGED_RETURN_IF_ERROR(BENCH_CUDA(out, cuDeviceGet, &out->device, 0));
  RAGGED_RETURN_IF_ERROR(read_device(out));
  RAGGED_RETURN_IF_ERROR(BENCH_CUDA(out, cuDevicePrimaryCtxRetain, &out->context, out->device));
  RAGGED_RETURN_IF_ERROR(BENCH_CUDA(out, cuCtxPushCurrent_v2, out->context));
  RAGGED_RETURN_IF_ERROR(BENCH_CUDA(out, cuStreamCreate, &out->stream, CU_STREAM_DEFAULT));
  RAGGED_RETURN_IF_ERROR(BENCH_CUDA(out, cuEventCreate, &out->begin, CU_EVENT_DEFAULT));
  return BENCH_CUDA(out, cuEventCreate, &out->end, CU_EVENT_DEFAULT);
}

void bench_cuda_close(bench_cuda *cuda) {
  CUcontext popped;
  cuda->driver.cuEventDestroy_v2(cuda->end);
  cuda->driver.cuEventDestroy_v2(cuda->begin);
  cuda->driver.cuStreamDestroy_v2(cuda->stream);
  cuda->driver.cuCtxPopCurrent_v2(&popped);
  cuda->driver.cuDevicePrimaryCtxRelease_v2(cuda->device);
  ragged_rt_cuda_unload(&cuda->driver);
}

ragged_status bench_cuda_time(bench_cuda *cuda, int repeat, ragged_status (*work)(void *user),
                              void *user, double *out) {
  enum { kTries = 5 };
  RAGGED_RETURN_IF_ERROR(work(user));
  for (int k = 0; k < kTries; ++k) {
    float milliseconds;
    RAGGED_RETURN_IF_ERROR(BENCH_CUDA(cuda, cuEventRecord, cuda->begin, cuda->stream));
    for (int i = 0; i < repeat; ++i) RAGGED_RETURN_IF_ERROR(work(user));
    RAGGED_RETURN_IF_ERROR(BENCH_CUDA(cuda, cuEventRecord, cuda->end, cuda->stream));
    RAGGED_RETURN_IF_ERROR(BENCH_CUDA(cuda, cuEventSynchronize, cuda->end));
    RAGGED_RETURN_IF_ERROR(
        BENCH_CUDA(cuda, cuEventElapsedTime, &milliseconds, cuda->begin, cuda->end));
    double seconds = 1e-3 * (double)milliseconds / repeat;
    if (k == 0 || seconds < *out) *out = seconds;
  }
  return NULL;
}
