// Uploads: through pinned memory of ours, so that the caller's memory may be reused at once and the
// copy itself waits for nothing. The pinned memory is a ring of stages; one that is full is used
// again when the copies from it are done, which is the only thing an upload may wait for.
#include <stdint.h>
#include <string.h>

#include "cuda_device.h"

enum { kStageBytes = 1 << 20, kAlignment = 64 };

static ragged_status make_staging(ragged_rt_cuda_device *cuda) {
  void *memory = NULL;
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuMemHostAlloc, &memory,
                                          (size_t)RAGGED_RT_CUDA_STAGES * kStageBytes, 0));
  cuda->staging = memory;
  return NULL;
}

// Leaves the full stage and takes the next, whose copies are done then.
static ragged_status next_stage(ragged_rt_cuda_device *cuda) {
  ragged_rt_cuda_stage *full = &cuda->stages[cuda->stage];
  if (!full->left)
    RAGGED_RETURN_IF_ERROR(
        RAGGED_CUDA_CALL(cuda, cuEventCreate, &full->left, CU_EVENT_DISABLE_TIMING));
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuEventRecord, full->left, cuda->stream));
  full->is_left = true;
  int next = (cuda->stage + 1) % RAGGED_RT_CUDA_STAGES;
  ragged_rt_cuda_stage *stage = &cuda->stages[next];
  if (stage->is_left)
    RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuEventSynchronize, stage->left));
  cuda->stage = next;
  stage->is_left = false;
  stage->used = 0;
  return NULL;
}

// Copies what the stage has room for. `used` first: a copy that failed may still have begun.
static ragged_status upload_part(ragged_rt_cuda_device *cuda, uintptr_t to, const char *from,
                                 size_t bytes) {
  ragged_rt_cuda_stage *stage = &cuda->stages[cuda->stage];
  char *pinned = cuda->staging + (size_t)cuda->stage * kStageBytes + stage->used;
  stage->used += (bytes + kAlignment - 1) / kAlignment * kAlignment;
  memcpy(pinned, from, bytes);
  return RAGGED_CUDA_CALL(cuda, cuMemcpyHtoDAsync_v2, (CUdeviceptr)to, pinned, bytes,
                          cuda->stream);
}

static ragged_status upload_parts(ragged_rt_cuda_device *cuda, void *to, const void *from_host,
                                  size_t bytes) {
  if (!cuda->staging) RAGGED_RETURN_IF_ERROR(make_staging(cuda));
  for (size_t done = 0; done < bytes;) {
    size_t room = kStageBytes - cuda->stages[cuda->stage].used;
    if (room == 0) {
      RAGGED_RETURN_IF_ERROR(next_stage(cuda));
      continue;
    }
    size_t part = bytes - done < room ? bytes - done : room;
    RAGGED_RETURN_IF_ERROR(
        upload_part(cuda, (uintptr_t)to + done, (const char *)from_host + done, part));
    done += part;
  }
  return NULL;
}

ragged_status ragged_rt_cuda_upload(ragged_rt_device *self, void *to, const void *from_host,
                                    size_t bytes) {
  ragged_rt_cuda_device *cuda = (ragged_rt_cuda_device *)self;
  if (bytes == 0) return NULL;
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_refuse_captured(self, "upload"));
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_enter(cuda));
  return ragged_rt_cuda_leave(cuda, upload_parts(cuda, to, from_host, bytes));
}

void ragged_rt_cuda_staging_destroy(ragged_rt_cuda_device *cuda) {
  for (int k = 0; k < RAGGED_RT_CUDA_STAGES; ++k)
    if (cuda->stages[k].left)
      ragged_rt_cuda_keep(cuda, RAGGED_CUDA_CALL(cuda, cuEventDestroy_v2, cuda->stages[k].left));
  if (cuda->staging)
    ragged_rt_cuda_keep(cuda, RAGGED_CUDA_CALL(cuda, cuMemFreeHost, cuda->staging));
}
