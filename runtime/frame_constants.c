// Numbers that the host knows, or that lie on the device, as dense tensors of a call. On the host they
// are where they are, or copied; on a device they are constants that are uploaded once (constants.c).
#include "constants.h"
#include "frame_plan.h"

static ragged_rt_tensor *keep_tensor(ragged_rt_frame *frame, ragged_status status,
                                     ragged_rt_tensor *tensor) {
  if (!ragged_rt_frame_note(frame, status)) return NULL;
  return ragged_rt_frame_own_tensor(frame, tensor);
}

static void release_constant(void *constant) { ragged_rt_constant_release(constant); }

static ragged_status make(ragged_rt_context *context, ragged_element_type type, int rank,
                          const int64_t *shape, const void *values, ragged_rt_tensor **out) {
  int64_t bytes = 0;
  if (!context->device->table->is_host)
    RAGGED_RETURN_IF_ERROR(ragged_rt_dense_bytes(type, rank, shape, &bytes));
  if (bytes == 0) return ragged_rt_tensor_from_host(context, type, NULL, rank, shape, values, out);
  ragged_rt_constant *constant = NULL;
  RAGGED_RETURN_IF_ERROR(ragged_rt_constant_get(context, values, bytes, &constant));
  ragged_status status = ragged_rt_tensor_wrap_dense(context, type, rank, shape, constant->data,
                                                     release_constant, constant, out);
  if (status) ragged_rt_constant_release(constant);
  return status;
}

ragged_rt_tensor *ragged_rt_frame_constant(ragged_rt_frame *frame, int64_t element_type,
                                           int64_t rank, const int64_t *shape, const void *data) {
  if (frame->status) return NULL;
  ragged_rt_context *context = frame->context;
  ragged_element_type type = (ragged_element_type)element_type;
  ragged_rt_tensor *tensor = NULL;
  int checked_rank = rank >= 0 && rank <= RAGGED_MAX_RANK ? (int)rank : -1;
  ragged_status status =
      context->device->table->is_host
          ? ragged_rt_tensor_wrap_dense(context, type, checked_rank, shape,
                                        (void *)(uintptr_t)data, NULL, NULL,
                                        &tensor)  // nothing writes to it
          : make(context, type, checked_rank, shape, data, &tensor);
  return keep_tensor(frame, status, tensor);
}

static ragged_rt_tensor *dense_integers(ragged_rt_frame *frame, int64_t count,
                                        const int64_t *values) {
  ragged_rt_tensor *tensor = NULL;
  ragged_status status = make(frame->context, RAGGED_ELEMENT_I64, 1, &count, values, &tensor);
  return keep_tensor(frame, status, tensor);
}

// A copy of numbers that the call has computed on the device; `word` is where, -1 after an error.
static ragged_rt_tensor *planned_integers(ragged_rt_frame *frame, int rank, int64_t count,
                                          int64_t word) {
  ragged_rt_tensor *tensor =
      ragged_rt_frame_allocate_dense(frame, RAGGED_ELEMENT_I64, rank, &count);
  if (!tensor || frame->planning) return tensor;
  ragged_rt_device *device = frame->context->device;
  ragged_status status = device->table->copy(device, tensor->data, frame->plan.data + word,
                                             (size_t)ragged_rt_tensor_bytes(tensor));
  return ragged_rt_frame_note(frame, status) ? tensor : NULL;
}

ragged_rt_tensor *ragged_rt_frame_extents(ragged_rt_frame *frame, ragged_rt_axis *axis) {
  if (frame->status || !axis) return NULL;
  if (axis->on_device)
    return planned_integers(frame, 1, axis->batch, ragged_rt_plan_axis(frame, axis));
  return dense_integers(frame, axis->batch, axis->extents);
}

ragged_rt_tensor *ragged_rt_frame_offsets(ragged_rt_frame *frame, ragged_rt_space *space) {
  if (frame->status || !space) return NULL;
  if (space->on_device)
    return planned_integers(frame, 1, space->batch + 1, ragged_rt_plan_space(frame, space));
  return dense_integers(frame, space->batch + 1, space->offsets);
}

ragged_rt_tensor *ragged_rt_frame_row_count(ragged_rt_frame *frame, ragged_rt_space *space) {
  if (frame->status || !space) return NULL;
  if (!space->on_device) return ragged_rt_frame_scalar(frame, RAGGED_ELEMENT_I64, space->rows);
  int64_t word = ragged_rt_plan_space(frame, space);
  return planned_integers(frame, 0, 1, word < 0 ? word : word + space->batch);
}

ragged_rt_tensor *ragged_rt_frame_scalar(ragged_rt_frame *frame, int64_t element_type,
                                         int64_t bits) {
  if (frame->status) return NULL;
  ragged_rt_tensor *tensor = NULL;
  ragged_status status =
      make(frame->context, (ragged_element_type)element_type, 0, NULL, &bits, &tensor);
  return keep_tensor(frame, status, tensor);  // little-endian: the low bits come first
}
