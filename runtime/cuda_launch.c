// Launches on the stream: shared memory beyond what every kernel may have, how many blocks run at
// once, and the launch itself with its parameters in one buffer.
#include "cuda_device.h"

enum { kUsualSharedBytes = 48 << 10 };  // beyond that the driver wants to be told

static ragged_status explain(const char *kernel, ragged_status status) {
  if (!status) return NULL;
  ragged_status explained = ragged_status_make(ragged_status_get_code(status), "kernel '%s': %s",
                                               kernel, ragged_status_message(status));
  ragged_status_free(status);
  return explained;
}

static ragged_status grant_shared(ragged_rt_cuda_device *cuda, ragged_rt_cuda_function *function,
                                  int64_t dynamic_shared) {
  if (dynamic_shared <= function->dynamic_shared ||
      dynamic_shared <= kUsualSharedBytes - function->static_shared)
    return NULL;
  if (dynamic_shared > cuda->max_shared_bytes - function->static_shared)
    return ragged_status_make(RAGGED_STATUS_UNAVAILABLE,
                              "a block needs %lld bytes of shared memory, but the device '%s' has "
                              "%d",
                              (long long)(dynamic_shared + function->static_shared), cuda->name,
                              cuda->max_shared_bytes);
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuFuncSetAttribute, function->handle,
                                          CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                          (int)dynamic_shared));
  function->dynamic_shared = dynamic_shared;
  return NULL;
}

static ragged_status prepare(ragged_rt_cuda_device *cuda, const ragged_rt_grid *grid,
                             ragged_rt_cuda_function **out) {
  if (grid->threads > INT32_MAX || grid->shared_bytes > INT32_MAX)
    return ragged_status_make(RAGGED_STATUS_INTERNAL,
                              "%lld threads and %lld bytes of shared memory were asked for",
                              (long long)grid->threads, (long long)grid->shared_bytes);
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_find_function(cuda, grid, out));
  return grant_shared(cuda, *out, grid->shared_bytes);
}

static ragged_status count_resident(ragged_rt_cuda_device *cuda, const ragged_rt_grid *grid,
                                    int64_t *out) {
  ragged_rt_cuda_function *function = NULL;
  RAGGED_RETURN_IF_ERROR(prepare(cuda, grid, &function));
  bool known = function->resident && function->resident_threads == grid->threads &&
               function->resident_shared == grid->shared_bytes;
  if (!known) {
    int each = 0;
    RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuOccupancyMaxActiveBlocksPerMultiprocessor,
                                            &each, function->handle, (int)grid->threads,
                                            (size_t)grid->shared_bytes));
    function->resident = (int64_t)each * cuda->num_multiprocessors;
    function->resident_threads = grid->threads;
    function->resident_shared = grid->shared_bytes;
  }
  *out = function->resident;
  return NULL;
}

ragged_status ragged_rt_cuda_resident_blocks(ragged_rt_device *self, const ragged_rt_grid *grid,
                                             int64_t *out) {
  ragged_rt_cuda_device *cuda = (ragged_rt_cuda_device *)self;
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_enter(cuda));
  return explain(grid->kernel, ragged_rt_cuda_leave(cuda, count_resident(cuda, grid, out)));
}

static ragged_status launch(ragged_rt_cuda_device *cuda, const ragged_rt_grid *grid) {
  ragged_rt_cuda_function *function = NULL;
  ragged_rt_cuda_timing *timing = NULL;
  RAGGED_RETURN_IF_ERROR(prepare(cuda, grid, &function));
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_timing_start(cuda, grid, &timing));
  size_t size = (size_t)grid->num_parameters * sizeof *grid->parameters;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, (void *)(uintptr_t)grid->parameters,
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuLaunchKernel, function->handle,
                                          (unsigned)grid->blocks, 1, 1, (unsigned)grid->threads, 1,
                                          1, (unsigned)grid->shared_bytes, cuda->stream, NULL,
                                          extra));
  return ragged_rt_cuda_timing_stop(cuda, timing);
}

ragged_status ragged_rt_cuda_launch_grid(ragged_rt_device *self, const ragged_rt_grid *grid) {
  ragged_rt_cuda_device *cuda = (ragged_rt_cuda_device *)self;
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_enter(cuda));
  return explain(grid->kernel, ragged_rt_cuda_leave(cuda, launch(cuda, grid)));
}
