// The CUDA device: making and ending it, its memory, copies within it, waiting. Everything happens
// in the order of one stream; only download, synchronise and freeing to the driver wait for it.
#include "cuda_device.h"

#include <stdint.h>

#include "dlpack_abi.h"

static ragged_rt_cuda_device *cuda_of(ragged_rt_device *self) {
  return (ragged_rt_cuda_device *)self;
}

static CUdeviceptr pointer_of(const void *pointer) { return (CUdeviceptr)(uintptr_t)pointer; }

ragged_status ragged_rt_cuda_enter(ragged_rt_cuda_device *cuda) {
  CUcontext current = NULL;
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuCtxGetCurrent, &current));
  if (current == cuda->context) return NULL;
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuCtxPushCurrent_v2, cuda->context));
  cuda->entered = true;
  return NULL;
}

ragged_status ragged_rt_cuda_leave(ragged_rt_cuda_device *cuda, ragged_status status) {
  if (!cuda->entered) return status;
  cuda->entered = false;
  CUcontext popped;
  ragged_rt_cuda_keep(cuda, RAGGED_CUDA_CALL(cuda, cuCtxPopCurrent_v2, &popped));
  return status;
}

void ragged_rt_cuda_keep(ragged_rt_cuda_device *cuda, ragged_status status) {
  if (cuda->kept) ragged_status_free(status);
  else cuda->kept = status;
}

// `status`, unless an error was kept: that happened before.
static ragged_status give_kept(ragged_rt_cuda_device *cuda, ragged_status status) {
  if (!cuda->kept) return status;
  ragged_status_free(status);
  status = cuda->kept;
  cuda->kept = NULL;
  return status;
}

// ---- Memory ------------------------------------------------------------------------------------

static ragged_status cuda_allocate(ragged_rt_device *self, size_t bytes, void **out) {
  ragged_rt_cuda_device *cuda = cuda_of(self);
  CUdeviceptr pointer = 0;
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_enter(cuda));
  ragged_status status = ragged_rt_cuda_leave(cuda, ragged_rt_cuda_allocate(cuda, bytes, &pointer));
  if (!status) *out = (void *)(uintptr_t)pointer;
  return status;
}

static void cuda_free(ragged_rt_device *self, void *pointer, size_t bytes) {
  (void)bytes;
  ragged_rt_cuda_device *cuda = cuda_of(self);
  ragged_rt_cuda_keep(cuda, ragged_rt_cuda_enter(cuda));
  ragged_rt_cuda_keep(cuda, RAGGED_CUDA_CALL(cuda, cuStreamSynchronize, cuda->stream));
  ragged_rt_cuda_keep(cuda, RAGGED_CUDA_CALL(cuda, cuMemFree_v2, pointer_of(pointer)));
  ragged_rt_cuda_keep(cuda, ragged_rt_cuda_leave(cuda, NULL));
}

// ---- Copies ------------------------------------------------------------------------------------

static ragged_status cuda_download(ragged_rt_device *self, void *to_host, const void *from,
                                   size_t bytes) {
  ragged_rt_cuda_device *cuda = cuda_of(self);
  if (bytes == 0) return NULL;
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_refuse_captured(self, "read from the device"));
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_enter(cuda));
  ragged_status status = RAGGED_CUDA_CALL(cuda, cuMemcpyDtoHAsync_v2, to_host, pointer_of(from),
                                          bytes, cuda->stream);
  // Also after an error: nothing may still write to the caller's memory when this returns.
  ragged_status waited = RAGGED_CUDA_CALL(cuda, cuStreamSynchronize, cuda->stream);
  if (status) ragged_status_free(waited);
  else status = waited;
  return give_kept(cuda, ragged_rt_cuda_leave(cuda, status));
}

static ragged_status cuda_copy(ragged_rt_device *self, void *to, const void *from, size_t bytes) {
  ragged_rt_cuda_device *cuda = cuda_of(self);
  if (bytes == 0) return NULL;
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_enter(cuda));
  return ragged_rt_cuda_leave(cuda,
                              RAGGED_CUDA_CALL(cuda, cuMemcpyDtoDAsync_v2, pointer_of(to),
                                               pointer_of(from), bytes, cuda->stream));
}

static ragged_status cuda_fill(ragged_rt_device *self, void *to, int byte, size_t bytes) {
  ragged_rt_cuda_device *cuda = cuda_of(self);
  if (bytes == 0) return NULL;
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_enter(cuda));
  return ragged_rt_cuda_leave(cuda, RAGGED_CUDA_CALL(cuda, cuMemsetD8Async, pointer_of(to),
                                                     (unsigned char)byte, bytes, cuda->stream));
}

// ---- Waiting -----------------------------------------------------------------------------------

static ragged_status cuda_synchronise(ragged_rt_device *self) {
  ragged_rt_cuda_device *cuda = cuda_of(self);
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_refuse_captured(self, "wait for the device"));
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_enter(cuda));
  ragged_status status = RAGGED_CUDA_CALL(cuda, cuStreamSynchronize, cuda->stream);
  if (!status) status = ragged_rt_cuda_timing_report(cuda);
  return give_kept(cuda, ragged_rt_cuda_leave(cuda, status));
}

static void cuda_report_times(ragged_rt_device *self) {
  ragged_rt_cuda_device *cuda = cuda_of(self);
  if (!cuda->num_timings) return;
  ragged_status status = ragged_rt_cuda_enter(cuda);
  if (!status) status = ragged_rt_cuda_leave(cuda, ragged_rt_cuda_timing_report(cuda));
  ragged_rt_cuda_keep(cuda, status);
}

// ---- Making and ending -------------------------------------------------------------------------

// Goes on after errors: a device that failed half-way, or whose context is broken, ends too.
static void cuda_destroy(ragged_rt_device *self) {
  ragged_rt_cuda_device *cuda = cuda_of(self);
  if (cuda->context) {
    ragged_rt_cuda_keep(cuda, ragged_rt_cuda_enter(cuda));
    ragged_rt_cuda_keep(cuda, RAGGED_CUDA_CALL(cuda, cuStreamSynchronize, cuda->stream));
    ragged_rt_cuda_timing_destroy(cuda);
    ragged_rt_cuda_modules_destroy(cuda);
    ragged_rt_cuda_staging_destroy(cuda);
    ragged_rt_cuda_products_destroy(cuda);
    if (cuda->owns_stream)
      ragged_rt_cuda_keep(cuda, RAGGED_CUDA_CALL(cuda, cuStreamDestroy_v2, cuda->stream));
    ragged_rt_cuda_keep(cuda, ragged_rt_cuda_leave(cuda, NULL));
    ragged_rt_cuda_keep(cuda, RAGGED_CUDA_CALL(cuda, cuDevicePrimaryCtxRelease_v2, cuda->handle));
  }
  ragged_rt_cuda_unload(&cuda->driver);
  ragged_status_free(cuda->kept);
  ragged_rt_metadata_free(cuda->memory, cuda);
}

static const char *cuda_product_library(const ragged_rt_device *self) {
  const ragged_rt_cuda_products *products = &((const ragged_rt_cuda_device *)self)->products;
  return products->handle ? products->name : "generated";
}

static const ragged_rt_device_table kTable = {
    .name = "cuda",
    .keeps_freed = true,
    .dlpack_type = kDLCUDA,
    .destroy = cuda_destroy,
    .allocate = cuda_allocate,
    .free = cuda_free,
    .upload = ragged_rt_cuda_upload,
    .download = cuda_download,
    .copy = cuda_copy,
    .fill = cuda_fill,
    .resident_blocks = ragged_rt_cuda_resident_blocks,
    .launch_grid = ragged_rt_cuda_launch_grid,
    .launch_product = ragged_rt_cuda_launch_product,
    .product_library = cuda_product_library,
    .report_times = cuda_report_times,
    .capturing = ragged_rt_cuda_capturing,
    .synchronise = cuda_synchronise,
};

// What the driver says while it is being looked for means that there is none.
static ragged_status find_device(ragged_rt_cuda_device *cuda, int device_index) {
  int count = 0;
  ragged_status status = RAGGED_CUDA_CALL(cuda, cuInit, 0);
  if (!status) status = RAGGED_CUDA_CALL(cuda, cuDeviceGetCount, &count);
  if (!status && count > 0) {
    if (device_index >= 0 && device_index < count)
      return RAGGED_CUDA_CALL(cuda, cuDeviceGet, &cuda->handle, device_index);
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "device_index is %d, but there are %d CUDA devices", device_index,
                              count);
  }
  ragged_status explained = ragged_status_make(
      RAGGED_STATUS_UNAVAILABLE, "no CUDA driver found: %s",
      status ? ragged_status_message(status) : "there is one, but it has no device");
  ragged_status_free(status);
  return explained;
}

static ragged_status describe_device(ragged_rt_cuda_device *cuda) {
  int major = 0, minor = 0;
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuDeviceGetName, cuda->name,
                                          (int)sizeof cuda->name, cuda->handle));
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuDeviceGetAttribute, &major,
                                          CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                                          cuda->handle));
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuDeviceGetAttribute, &minor,
                                          CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                                          cuda->handle));
  cuda->chip = 10 * major + minor;
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuDeviceGetAttribute, &cuda->num_multiprocessors,
                                          CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, cuda->handle));
  return RAGGED_CUDA_CALL(cuda, cuDeviceGetAttribute, &cuda->max_shared_bytes,
                          CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, cuda->handle);
}

// Entered. The stream of ours waits for the legacy default stream, and that for it.
static ragged_status choose_stream(ragged_rt_cuda_device *cuda, void *stream, int device_index) {
  if (!stream) {
    RAGGED_RETURN_IF_ERROR(
        RAGGED_CUDA_CALL(cuda, cuStreamCreate, &cuda->stream, CU_STREAM_DEFAULT));
    cuda->owns_stream = true;
    return NULL;
  }
  cuda->stream = stream;
  CUcontext context = NULL;
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuStreamGetCtx, cuda->stream, &context));
  if (context == cuda->context) return NULL;
  return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                            "the stream belongs to another CUDA context than the primary one of "
                            "device %d, which is required",
                            device_index);
}

static ragged_status open_device(ragged_rt_cuda_device *cuda,
                                 const ragged_rt_device_options *options) {
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_load(options->cuda_driver, &cuda->driver));
  RAGGED_RETURN_IF_ERROR(find_device(cuda, options->device_index));
  RAGGED_RETURN_IF_ERROR(describe_device(cuda));
  RAGGED_RETURN_IF_ERROR(
      RAGGED_CUDA_CALL(cuda, cuDevicePrimaryCtxRetain, &cuda->context, cuda->handle));
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_enter(cuda));
  ragged_status status = choose_stream(cuda, options->stream, options->device_index);
  if (!status) status = ragged_rt_cuda_products_create(cuda, options);
  return ragged_rt_cuda_leave(cuda, status);
}

ragged_status ragged_rt_device_create_cuda(const ragged_rt_device_options *options,
                                           ragged_rt_device **out_device) {
  ragged_rt_cuda_device *cuda = ragged_rt_metadata_allocate(options->memory, sizeof *cuda, 0, 1);
  if (!cuda) return ragged_rt_no_metadata("a device");
  cuda->device.table = &kTable;
  cuda->memory = options->memory;
  cuda->observer = options->observer;
  ragged_status status = open_device(cuda, options);
  if (status) cuda_destroy(&cuda->device);
  else *out_device = &cuda->device;
  return status;
}
