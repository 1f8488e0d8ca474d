// A stream of the embedder's that is being captured for a graph: what must not be done then, and memory,
// which may be had all the same.
#include "cuda_device.h"

// A stream of our own is nobody else's to capture.
ragged_status ragged_rt_cuda_capturing(ragged_rt_device *self, bool *out) {
  ragged_rt_cuda_device *cuda = (ragged_rt_cuda_device *)self;
  int state = CU_STREAM_CAPTURE_STATUS_NONE;
  *out = false;
  if (cuda->owns_stream) return NULL;
  bool inside = cuda->entered;
  if (!inside) RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_enter(cuda));
  ragged_status status = RAGGED_CUDA_CALL(cuda, cuStreamIsCapturing, cuda->stream, &state);
  if (!inside) status = ragged_rt_cuda_leave(cuda, status);
  if (!status && state == CU_STREAM_CAPTURE_STATUS_INVALIDATED)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "the capture of the stream has failed and must be ended");
  *out = state == CU_STREAM_CAPTURE_STATUS_ACTIVE;
  return status;
}

ragged_status ragged_rt_cuda_refuse_captured(ragged_rt_device *self, const char *what) {
  bool capturing = false;
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_capturing(self, &capturing));
  if (!capturing) return NULL;
  return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                            "the stream is being captured, when the runtime must not %s; make the "
                            "same call once before the capture begins, and read and wait after it",
                            what);
}

// Memory is no work of the stream: it is there at once, whatever else the graph will do. The driver
// allows that to a thread that says that it knows.
ragged_status ragged_rt_cuda_allocate(ragged_rt_cuda_device *cuda, size_t bytes,
                                      CUdeviceptr *out) {
  bool capturing = false;
  int mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_capturing(&cuda->device, &capturing));
  if (!capturing) return RAGGED_CUDA_CALL(cuda, cuMemAlloc_v2, out, bytes);
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuThreadExchangeStreamCaptureMode, &mode));
  ragged_status status = RAGGED_CUDA_CALL(cuda, cuMemAlloc_v2, out, bytes);
  ragged_status restored = RAGGED_CUDA_CALL(cuda, cuThreadExchangeStreamCaptureMode, &mode);
  if (!restored) return status;
  if (!status) ragged_rt_cuda_keep(cuda, RAGGED_CUDA_CALL(cuda, cuMemFree_v2, *out));
  ragged_status_free(status);
  return restored;
}
