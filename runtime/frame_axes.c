// Axes and spaces made during a call. The batch of a call without ragged arguments is fixed by the
// first axis it makes.
#include <stdio.h>
#include <string.h>

#include "frame_plan.h"

static ragged_rt_axis *keep_axis(ragged_rt_frame *frame, ragged_status status,
                                 ragged_rt_axis *axis) {
  if (!ragged_rt_frame_note(frame, status)) return NULL;
  if (frame->batch < 0) frame->batch = axis->batch;
  return ragged_rt_frame_own_axis(frame, axis);
}

// `batch`: samples that a dense tensor of `what` describes.
static bool check_batch(ragged_rt_frame *frame, const char *what, int64_t batch) {
  if (frame->batch < 0 || batch == frame->batch) return true;
  return ragged_rt_frame_note(
      frame, ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "%s are given for %lld samples, but the batch has %lld", what,
                                (long long)batch, (long long)frame->batch));
}

static bool check_integers(ragged_rt_frame *frame, const ragged_rt_tensor *tensor,
                           const char *what) {
  if (!tensor->space && tensor->rank == 1 && tensor->element_type == RAGGED_ELEMENT_I64)
    return true;
  return ragged_rt_frame_note(
      frame, ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "%s are a %s tensor of element type %s and rank %d, but a dense "
                                "i64 tensor of rank 1 is required",
                                what, tensor->space ? "ragged" : "dense",
                                ragged_element_name(tensor->element_type), tensor->rank));
}

typedef ragged_status (*axis_create)(ragged_rt_context *context, int64_t batch, int width,
                                     const void *integers, ragged_rt_axis **out_axis);

// The axis of a dense tensor of integers, which the host reads: in a copy where it is not the
// host's.
static ragged_rt_axis *axis_from_tensor(ragged_rt_frame *frame, axis_create create, int64_t batch,
                                        const ragged_rt_tensor *integers) {
  ragged_rt_context *context = frame->context;
  if (!ragged_rt_plan_allows(frame, frame->without_host,
                             "lengths or offsets of a tensor are read by the host",
                             "an argument that has the axis is required"))
    return NULL;
  const void *values = integers->data;
  void *copy = NULL;
  ragged_status status = NULL;
  if (!context->device->table->is_host) {
    copy = ragged_rt_metadata_allocate(&context->memory, 0, integers->shape[0], sizeof(int64_t));
    status = copy ? ragged_rt_tensor_to_host(integers, copy, ragged_rt_tensor_bytes(integers))
                  : ragged_rt_no_metadata("a copy of lengths or offsets");
    values = copy;
  }
  ragged_rt_axis *axis = NULL;
  if (!status) status = create(context, batch, 64, values, &axis);
  ragged_rt_metadata_free(&context->memory, copy);
  return keep_axis(frame, status, axis);
}

ragged_rt_axis *ragged_rt_frame_axis_from_lengths(ragged_rt_frame *frame,
                                                  ragged_rt_tensor *lengths) {
  if (frame->status || !lengths || !check_integers(frame, lengths, "lengths")) return NULL;
  int64_t batch = lengths->shape[0];
  if (!check_batch(frame, "lengths", batch)) return NULL;
  return axis_from_tensor(frame, ragged_rt_axis_create_from_lengths, batch, lengths);
}

ragged_rt_axis *ragged_rt_frame_axis_from_offsets(ragged_rt_frame *frame,
                                                  ragged_rt_tensor *offsets) {
  if (frame->status || !offsets || !check_integers(frame, offsets, "offsets")) return NULL;
  int64_t batch = offsets->shape[0] - 1;
  if (batch < 0) {
    (void)ragged_rt_frame_note(
        frame, ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                  "offsets are empty, but at least the offset 0 is required"));
    return NULL;
  }
  if (!check_batch(frame, "offsets", batch)) return NULL;
  return axis_from_tensor(frame, ragged_rt_axis_create_from_offsets, batch, offsets);
}

ragged_rt_axis *ragged_rt_frame_axis_expression(ragged_rt_frame *frame, const char *canonical,
                                                int64_t count, const char *names,
                                                ragged_rt_axis *const *axes) {
  enum { kMaxNames = 2 * RAGGED_MAX_RANK };
  if (frame->status) return NULL;
  const char *list[kMaxNames];
  if (count < 1 || count > kMaxNames) {
    (void)ragged_rt_frame_note(
        frame, ragged_status_make(RAGGED_STATUS_UNIMPLEMENTED,
                                  "axis %s has %lld names, but 1 to %d are supported", canonical,
                                  (long long)count, kMaxNames));
    return NULL;
  }
  for (int64_t k = 0; k < count; ++k) {
    if (!axes[k]) return NULL;
    list[k] = names;
    names += strlen(names) + 1;
  }
  ragged_rt_axis *axis = NULL;
  ragged_status status =
      ragged_rt_axis_compute(frame->context, canonical, (int)count, list, axes, &axis);
  return keep_axis(frame, status, axis);
}

// Every extent `extent` but the last, which is `last`. The batch of the call does not hang on it.
static ragged_rt_axis *constant_axis(ragged_rt_frame *frame, int64_t batch, int64_t extent,
                                     int64_t last) {
  ragged_rt_axis *axis = ragged_rt_axis_new(frame->context, batch);
  if (!axis) {
    (void)ragged_rt_frame_note(frame, ragged_rt_no_metadata("an axis"));
    return NULL;
  }
  for (int64_t i = 0; i < batch; ++i) axis->extents[i] = i + 1 < batch ? extent : last;
  ragged_status status = ragged_rt_axis_intern(axis, &axis);
  if (!ragged_rt_frame_note(frame, status)) return NULL;
  return ragged_rt_frame_own_axis(frame, axis);
}

bool ragged_rt_frame_knows_extents(ragged_rt_frame *frame, const ragged_rt_axis *axis) {
  char name[64], what[128];
  snprintf(what, sizeof what, "the largest extent of %s is asked for",
           ragged_rt_plan_axis_name(frame, axis, name));
  return ragged_rt_plan_allows(frame, axis->on_device != NULL, what,
                               "a box with static extents is required");
}

ragged_rt_axis *ragged_rt_frame_envelope_axis(ragged_rt_frame *frame, ragged_rt_axis *axis) {
  if (frame->status || !axis || !ragged_rt_frame_knows_extents(frame, axis)) return NULL;
  return constant_axis(frame, axis->batch, axis->max_extent, axis->max_extent);
}

// The batch of `axis`, or of the call when it is null; -1 after noting an error.
static int64_t find_batch(ragged_rt_frame *frame, const ragged_rt_axis *axis) {
  int64_t batch = axis ? axis->batch : frame->batch;
  if (batch < 0)
    (void)ragged_rt_frame_note(
        frame, ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                  "neither an argument nor an axis says how many samples the "
                                  "batch has"));
  return batch;
}

ragged_rt_axis *ragged_rt_frame_constant_axis(ragged_rt_frame *frame, ragged_rt_axis *axis,
                                              int64_t extent) {
  if (frame->status) return NULL;
  int64_t batch = find_batch(frame, axis);
  return batch < 0 ? NULL : constant_axis(frame, batch, extent, extent);
}

ragged_rt_axis *ragged_rt_frame_parts_axis(ragged_rt_frame *frame, int64_t extent, int64_t most) {
  enum { kLeast = 32 };  // positions of a part that is worth one
  if (frame->status) return NULL;
  if (extent < 0 || most < 1) {
    (void)ragged_rt_frame_note(
        frame, ragged_status_make(RAGGED_STATUS_INTERNAL,
                                  "an extent of %lld was to be cut into %lld parts",
                                  (long long)extent, (long long)most));
    return NULL;
  }
  int64_t part = extent / most + (extent % most != 0);
  if (part < kLeast) part = kLeast;
  int64_t parts = extent <= part ? 1 : (extent - 1) / part + 1;
  return constant_axis(frame, parts, part, extent - (parts - 1) * part);
}

void ragged_rt_frame_check_same_axis(ragged_rt_frame *frame, ragged_rt_axis *found,
                                     const char *found_name, ragged_rt_axis *required,
                                     const char *required_name) {
  if (frame->status || !found || !required || ragged_rt_axis_equal(found, required)) return;
  ragged_status status = NULL;
  if (found->batch == required->batch && (found->on_device || required->on_device)) {
    if (frame->planning) ragged_rt_plan_same(frame, found, required);
    return;
  }
  if (found->batch != required->batch)
    status = ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "axis %s has %lld samples, but axis %s has %lld", found_name,
                                (long long)found->batch, required_name,
                                (long long)required->batch);
  for (int64_t i = 0; i < found->batch && !status; ++i)
    if (found->extents[i] != required->extents[i])
      status = ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                  "axis %s has extent %lld in sample %lld, but axis %s, which "
                                  "must be the same, has %lld",
                                  found_name, (long long)found->extents[i], (long long)i,
                                  required_name, (long long)required->extents[i]);
  (void)ragged_rt_frame_note(frame, status);
}

ragged_rt_space *ragged_rt_frame_space(ragged_rt_frame *frame, int64_t count,
                                       ragged_rt_axis *const *axes, ragged_rt_axis *batch_of) {
  if (frame->status) return NULL;
  int64_t batch = count == 0 ? find_batch(frame, batch_of) : -1;
  if (frame->status) return NULL;
  ragged_rt_space *space = NULL;
  int num_axes = count >= 0 && count <= RAGGED_MAX_RANK ? (int)count : RAGGED_MAX_RANK + 1;
  ragged_status status = ragged_rt_space_get(frame->context, batch, num_axes, axes, &space);
  if (!ragged_rt_frame_note(frame, status)) return NULL;
  return ragged_rt_frame_own_space(frame, space);
}
