// Times of kernels for statistics and the trace, by events on the stream. They are read when
// somebody asks for them, or many are due, so that observing does not make the host wait for each
// launch.
#include <string.h>

#include "cuda_device.h"

enum { kMaxTimings = 1024 };

static ragged_status make_events(ragged_rt_cuda_device *cuda, ragged_rt_cuda_timing *timing) {
  if (!timing->start)
    RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuEventCreate, &timing->start, CU_EVENT_DEFAULT));
  if (!timing->stop)
    RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuEventCreate, &timing->stop, CU_EVENT_DEFAULT));
  return NULL;
}

// Ties the events' clock to the observer's, once for the launches until the next report.
static ragged_status drop_anchor(ragged_rt_cuda_device *cuda) {
  if (!cuda->anchor)
    RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuEventCreate, &cuda->anchor, CU_EVENT_DEFAULT));
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuStreamSynchronize, cuda->stream));
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuEventRecord, cuda->anchor, cuda->stream));
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuEventSynchronize, cuda->anchor));
  cuda->anchor_time = ragged_rt_now();
  return NULL;
}

// The place for one launch more. Events stay in it from launch to launch.
static ragged_status take_place(ragged_rt_cuda_device *cuda, ragged_rt_cuda_timing **out) {
  if (cuda->num_timings == kMaxTimings) RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_timing_report(cuda));
  if (cuda->num_timings == cuda->num_event_pairs) {
    void *timings = cuda->timings;
    ragged_status status =
        ragged_rt_metadata_grow(cuda->memory, &timings, cuda->num_event_pairs,
                                &cuda->timings_capacity, sizeof *cuda->timings);
    cuda->timings = timings;
    if (status) return status;
    cuda->timings[cuda->num_event_pairs++] = (ragged_rt_cuda_timing){0};
  }
  *out = &cuda->timings[cuda->num_timings];
  return make_events(cuda, *out);
}

ragged_status ragged_rt_cuda_timing_start(ragged_rt_cuda_device *cuda, const ragged_rt_grid *grid,
                                          ragged_rt_cuda_timing **out) {
  if (!ragged_rt_observes(cuda->observer)) return NULL;
  bool capturing = false;  // then nothing runs, and no clock is read
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_capturing(&cuda->device, &capturing));
  if (capturing) return NULL;
  ragged_rt_cuda_timing *timing = NULL;
  RAGGED_RETURN_IF_ERROR(take_place(cuda, &timing));
  if (cuda->num_timings == 0) RAGGED_RETURN_IF_ERROR(drop_anchor(cuda));
  size_t size = strlen(grid->kernel) + 1;
  ragged_rt_metadata_free(cuda->memory, timing->name);  // of a launch that failed
  timing->name = ragged_rt_metadata_allocate(cuda->memory, size, 0, 1);
  if (!timing->name) return ragged_rt_no_metadata("a kernel's name");
  memcpy(timing->name, grid->kernel, size);
  timing->items = grid->items;
  timing->bytes = grid->bytes;
  timing->flops = grid->flops;
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuEventRecord, timing->start, cuda->stream));
  *out = timing;
  return NULL;
}

ragged_status ragged_rt_cuda_timing_stop(ragged_rt_cuda_device *cuda,
                                         ragged_rt_cuda_timing *timing) {
  if (!timing) return NULL;
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuEventRecord, timing->stop, cuda->stream));
  cuda->num_timings += 1;
  return NULL;
}

static int64_t nanoseconds(float milliseconds) {
  return (int64_t)(1e6 * (double)milliseconds + 0.5);
}

static ragged_status report_one(ragged_rt_cuda_device *cuda, const ragged_rt_cuda_timing *timing) {
  float since_anchor = 0, duration = 0;
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuEventElapsedTime, &since_anchor, cuda->anchor,
                                          timing->start));
  RAGGED_RETURN_IF_ERROR(
      RAGGED_CUDA_CALL(cuda, cuEventElapsedTime, &duration, timing->start, timing->stop));
  int64_t begin = cuda->anchor_time + nanoseconds(since_anchor);
  ragged_rt_observe_launch(cuda->observer, cuda->memory, timing->name, timing->items,
                           timing->bytes, timing->flops, begin, begin + nanoseconds(duration));
  return NULL;
}

static void forget_names(ragged_rt_cuda_device *cuda) {
  for (int64_t k = 0; k < cuda->num_event_pairs; ++k) {
    ragged_rt_metadata_free(cuda->memory, cuda->timings[k].name);
    cuda->timings[k].name = NULL;
  }
}

ragged_status ragged_rt_cuda_timing_report(ragged_rt_cuda_device *cuda) {
  if (!cuda->num_timings) return NULL;
  ragged_status status = RAGGED_CUDA_CALL(cuda, cuStreamSynchronize, cuda->stream);
  for (int64_t k = 0; k < cuda->num_timings && !status; ++k)
    status = report_one(cuda, &cuda->timings[k]);
  forget_names(cuda);
  cuda->num_timings = 0;
  return status;
}

void ragged_rt_cuda_timing_destroy(ragged_rt_cuda_device *cuda) {
  forget_names(cuda);
  for (int64_t k = 0; k < cuda->num_event_pairs; ++k) {
    CUevent events[] = {cuda->timings[k].start, cuda->timings[k].stop};
    for (int j = 0; j < 2; ++j)
      if (events[j])
        ragged_rt_cuda_keep(cuda, RAGGED_CUDA_CALL(cuda, cuEventDestroy_v2, events[j]));
  }
  if (cuda->anchor)
    ragged_rt_cuda_keep(cuda, RAGGED_CUDA_CALL(cuda, cuEventDestroy_v2, cuda->anchor));
  ragged_rt_metadata_free(cuda->memory, cuda->timings);
}
