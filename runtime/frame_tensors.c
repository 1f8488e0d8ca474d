// Tensors made, counted and checked during a call.
#include "frame_plan.h"

static ragged_rt_tensor *keep_tensor(ragged_rt_frame *frame, ragged_status status,
                                     ragged_rt_tensor *tensor) {
  if (!ragged_rt_frame_note(frame, status)) return NULL;
  return ragged_rt_frame_own_tensor(frame, tensor);
}

ragged_rt_tensor *ragged_rt_frame_allocate(ragged_rt_frame *frame, int64_t element_type,
                                           ragged_rt_space *space, int64_t tail_elements) {
  if (frame->status || !space) return NULL;
  ragged_rt_tensor *tensor = NULL;
  ragged_status status =
      ragged_rt_tensor_create(frame->context, (ragged_element_type)element_type, space, 1,
                              &tail_elements, &tensor);
  return keep_tensor(frame, status, tensor);
}

ragged_rt_tensor *ragged_rt_frame_allocate_dense(ragged_rt_frame *frame, int64_t element_type,
                                                 int64_t rank, const int64_t *shape) {
  if (frame->status) return NULL;
  ragged_rt_tensor *tensor = NULL;
  int checked_rank = rank >= 0 && rank <= RAGGED_MAX_RANK ? (int)rank : -1;
  ragged_status status =
      ragged_rt_tensor_create_dense(frame->context, (ragged_element_type)element_type,
                                    checked_rank, shape, &tensor);
  return keep_tensor(frame, status, tensor);
}

void ragged_rt_frame_release(ragged_rt_frame *frame, ragged_rt_tensor *tensor) {
  if (tensor && ragged_rt_frame_disown_tensor(frame, tensor)) ragged_rt_tensor_release(tensor);
}

void ragged_rt_frame_retain(ragged_rt_frame *frame, ragged_rt_tensor *tensor) {
  if (frame->status || !tensor) return;
  for (int64_t k = frame->num_tensors - 1; k >= 0; --k) {
    if (frame->tensors[k].tensor != tensor) continue;
    frame->tensors[k].count += 1;
    ragged_rt_tensor_retain(tensor);
    return;
  }
  ragged_rt_tensor_retain(tensor);
  (void)ragged_rt_frame_own_tensor(frame, tensor);
}

void *ragged_rt_frame_data(ragged_rt_frame *frame, ragged_rt_tensor *tensor) {
  return frame->status || !tensor ? NULL : tensor->data;
}

int64_t ragged_rt_frame_dense_extent(ragged_rt_frame *frame, ragged_rt_tensor *tensor,
                                     int64_t dim) {
  if (frame->status || !tensor || dim < 0 || dim >= tensor->rank) return 0;
  return tensor->shape[dim];
}

static void release_viewed(void *tensor) { ragged_rt_tensor_release(tensor); }

ragged_rt_tensor *ragged_rt_frame_viewed(const ragged_rt_tensor *tensor) {
  return tensor->release_data == release_viewed ? tensor->user : NULL;
}

ragged_rt_tensor *ragged_rt_frame_values(ragged_rt_frame *frame, ragged_rt_tensor *tensor,
                                         ragged_rt_space *space, int64_t tail_rank,
                                         const int64_t *tail) {
  if (frame->status || !tensor || !space ||
      !ragged_rt_plan_allows(frame, space->on_device,
                             "the number of rows is the extent of a dense tensor",
                             "a ragged result is required"))
    return NULL;
  int64_t shape[RAGGED_MAX_RANK] = {space->rows};
  bool rank_fits = tail_rank >= 0 && tail_rank < RAGGED_MAX_RANK;
  for (int64_t k = 0; rank_fits && k < tail_rank; ++k) shape[k + 1] = tail[k];
  ragged_rt_tensor *view = NULL;
  ragged_rt_tensor_retain(tensor);
  ragged_status status = ragged_rt_tensor_wrap_dense(
      frame->context, tensor->element_type, rank_fits ? (int)tail_rank + 1 : -1, shape,
      tensor->data, release_viewed, tensor, &view);
  if (status) {
    ragged_rt_tensor_release(tensor);
  } else if (ragged_rt_tensor_elements(view) > ragged_rt_tensor_elements(tensor)) {
    status = ragged_status_make(RAGGED_STATUS_INTERNAL,
                                "%lld elements of a buffer were asked for, but it holds %lld",
                                (long long)ragged_rt_tensor_elements(view),
                                (long long)ragged_rt_tensor_elements(tensor));
    ragged_rt_tensor_release(view);
  }
  return keep_tensor(frame, status, view);
}

// As many bytes as both hold.
static ragged_status copy_data(ragged_rt_frame *frame, ragged_rt_tensor *to,
                               const ragged_rt_tensor *from) {
  ragged_rt_device *device = frame->context->device;
  int64_t bytes = ragged_rt_tensor_bytes(from), room = ragged_rt_tensor_bytes(to);
  if (room < bytes) bytes = room;
  if (!bytes || frame->planning) return NULL;
  return device->table->copy(device, to->data, from->data, (size_t)bytes);
}

ragged_rt_tensor *ragged_rt_frame_align(ragged_rt_frame *frame, ragged_rt_tensor *tensor) {
  bool aligned = (uintptr_t)tensor->data % RAGGED_RT_ACCESS_BYTES == 0;
  if (aligned || frame->context->device->table->is_host) return tensor;
  ragged_rt_tensor *copy = NULL;
  ragged_status status =
      tensor->space ? ragged_rt_tensor_create(frame->context, tensor->element_type, tensor->space,
                                              tensor->rank, tensor->shape, &copy)
                    : ragged_rt_tensor_create_dense(frame->context, tensor->element_type,
                                                    tensor->rank, tensor->shape, &copy);
  if (!status) status = copy_data(frame, copy, tensor);
  if (status && copy) ragged_rt_tensor_release(copy);
  return keep_tensor(frame, status, copy);
}

// The rows of `tensor`, then zeros.
static ragged_status make_extended(ragged_rt_frame *frame, const ragged_rt_tensor *tensor,
                                   int64_t rows, ragged_rt_tensor **out) {
  int64_t shape[RAGGED_MAX_RANK] = {rows};
  for (int k = 1; k < tensor->rank; ++k) shape[k] = tensor->shape[k];
  ragged_rt_tensor *copy = NULL;
  RAGGED_RETURN_IF_ERROR(ragged_rt_tensor_create_dense(frame->context, tensor->element_type,
                                                       tensor->rank, shape, &copy));
  ragged_rt_device *device = frame->context->device;
  size_t kept = (size_t)ragged_rt_tensor_bytes(tensor), all = (size_t)ragged_rt_tensor_bytes(copy);
  ragged_status status = copy_data(frame, copy, tensor);
  if (!status && all > kept && !frame->planning)
    status = device->table->fill(device, (char *)copy->data + kept, 0, all - kept);
  if (status) ragged_rt_tensor_release(copy);
  else *out = copy;
  return status;
}

ragged_rt_tensor *ragged_rt_frame_extend(ragged_rt_frame *frame, ragged_rt_tensor *tensor,
                                         int64_t rows) {
  if (frame->status || !tensor) return NULL;
  if (!tensor->space && tensor->rank > 0 && tensor->shape[0] == rows) {
    ragged_rt_frame_retain(frame, tensor);
    return tensor;
  }
  ragged_rt_tensor *extended = NULL;
  ragged_status status = NULL;
  if (tensor->space || tensor->rank == 0)
    status = ragged_status_make(RAGGED_STATUS_INTERNAL,
                                "a %s tensor of rank %d was to get more rows",
                                tensor->space ? "ragged" : "dense", tensor->rank);
  else if (tensor->shape[0] > rows)
    status = ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "there is room for %lld rows, but %lld are required",
                                (long long)rows, (long long)tensor->shape[0]);
  else
    status = make_extended(frame, tensor, rows, &extended);
  return keep_tensor(frame, status, extended);
}

int64_t ragged_rt_frame_scalar_bits(ragged_rt_frame *frame, ragged_rt_tensor *tensor) {
  if (frame->status || !tensor ||
      !ragged_rt_plan_allows(frame, frame->without_host, "the host reads a number of the device",
                             "its numbers have to be constants of the program"))
    return 0;
  int64_t bits = 0;
  ragged_status status = NULL;
  if (tensor->space || tensor->rank != 0)
    status = ragged_status_make(RAGGED_STATUS_INTERNAL,
                                "a %s tensor of rank %d was read as a scalar",
                                tensor->space ? "ragged" : "dense", tensor->rank);
  else
    status = ragged_rt_tensor_to_host(tensor, &bits, sizeof bits);
  return ragged_rt_frame_note(frame, status) ? bits : 0;
}

void ragged_rt_frame_check_values(ragged_rt_frame *frame, ragged_rt_tensor *values,
                                  ragged_rt_space *space, int64_t tail_rank, const int64_t *tail) {
  if (frame->status || !values || !space) return;
  ragged_status status = NULL;
  if (values->space || values->rank != tail_rank + 1)
    status = ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "the values are a %s tensor of rank %d, but a dense one of rank "
                                "%lld (rows, then the tail) is required",
                                values->space ? "ragged" : "dense", values->rank,
                                (long long)tail_rank + 1);
  for (int k = 0; !status && k < tail_rank; ++k)
    if (values->shape[k + 1] != tail[k])
      status = ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                  "the values have extent %lld in dimension %d, but the tail has "
                                  "%lld there",
                                  (long long)values->shape[k + 1], k + 1, (long long)tail[k]);
  if (!status && values->shape[0] < space->rows)
    status = ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "the values hold %lld rows, but %lld are required",
                                (long long)values->shape[0], (long long)space->rows);
  (void)ragged_rt_frame_note(frame, status);
}

void ragged_rt_frame_check_extent(ragged_rt_frame *frame, ragged_rt_tensor *tensor, int64_t dim,
                                  int64_t required, int64_t exact, const char *what) {
  if (frame->status || !tensor) return;
  ragged_status status = NULL;
  if (dim < 0 || dim >= tensor->rank)
    status = ragged_status_make(RAGGED_STATUS_INTERNAL, "%s: there is no dimension %lld", what,
                                (long long)dim);
  else if (exact ? tensor->shape[dim] != required : tensor->shape[dim] < required)
    status = ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "%s has extent %lld, but %s%lld is required", what,
                                (long long)tensor->shape[dim], exact ? "" : "at least ",
                                (long long)required);
  (void)ragged_rt_frame_note(frame, status);
}

// Of an axis that only the device knows: its bound.
static ragged_status beyond_limit(const ragged_rt_axis *axis, int64_t limit, const char *what) {
  int64_t sample = 0;
  if (axis->on_device)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "%s: its extents, which only the device knows, are bounded by %lld, "
                              "but at most %lld is allowed",
                              what, (long long)axis->max_extent, (long long)limit);
  while (axis->extents[sample] <= limit) ++sample;
  return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                            "%s: sample %lld has extent %lld, but at most %lld is allowed", what,
                            (long long)sample, (long long)axis->extents[sample], (long long)limit);
}

void ragged_rt_frame_check_limit(ragged_rt_frame *frame, ragged_rt_axis *axis, int64_t limit,
                                 const char *what) {
  if (frame->status || !axis || axis->max_extent <= limit) return;
  (void)ragged_rt_frame_note(frame, beyond_limit(axis, limit, what));
}
