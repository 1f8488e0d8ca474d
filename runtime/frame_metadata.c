// What host programs and kernels ask about axes and spaces. Numbers for the host come from the
// objects, arrays for kernels from their copies on the device.
#include "frame_plan.h"

int64_t ragged_rt_frame_space_rows(ragged_rt_frame *frame, ragged_rt_space *space) {
  return frame->status || !space ? 0 : space->rows;
}

int64_t ragged_rt_frame_known_rows(ragged_rt_frame *frame, ragged_rt_space *space) {
  if (frame->status || !space ||
      !ragged_rt_plan_allows(frame, space->on_device, "the number of rows is asked for",
                             "lengths that the host knows are required"))
    return 0;
  return space->rows;
}

int64_t ragged_rt_frame_space_batch(ragged_rt_frame *frame, ragged_rt_space *space) {
  return frame->status || !space ? 0 : space->batch;
}

int64_t ragged_rt_frame_axis_max_extent(ragged_rt_frame *frame, ragged_rt_axis *axis) {
  if (frame->status || !axis || !ragged_rt_frame_knows_extents(frame, axis)) return 0;
  return axis->max_extent;
}

static const int64_t *on_device(ragged_rt_frame *frame, ragged_rt_constant **mirror,
                                const int64_t *values, int64_t count) {
  const int64_t *found = NULL;
  ragged_status status = ragged_rt_mirror_get(frame->context, mirror, values, count, &found);
  return ragged_rt_frame_note(frame, status) ? found : NULL;
}

// Null in the first run of a host program, which only says what it needs.
static const int64_t *planned(const ragged_rt_frame *frame, int64_t word) {
  return word < 0 || !frame->plan.data ? NULL : frame->plan.data + word;
}

const int64_t *ragged_rt_frame_axis_extents(ragged_rt_frame *frame, ragged_rt_axis *axis) {
  if (frame->status || !axis) return NULL;
  if (axis->on_device) return planned(frame, ragged_rt_plan_axis(frame, axis));
  return on_device(frame, &axis->extents_mirror, axis->extents, axis->batch);
}

const int64_t *ragged_rt_frame_space_offsets(ragged_rt_frame *frame, ragged_rt_space *space) {
  if (frame->status || !space) return NULL;
  if (space->on_device) return planned(frame, ragged_rt_plan_space(frame, space));
  return on_device(frame, &space->offsets_mirror, space->offsets, space->batch + 1);
}

const int64_t *ragged_rt_frame_space_order(ragged_rt_frame *frame, ragged_rt_space *space) {
  if (frame->status || !space) return NULL;
  if (space->on_device) {
    const int64_t *offsets = ragged_rt_frame_space_offsets(frame, space);
    return offsets ? offsets + space->batch + 1 : NULL;
  }
  if (!ragged_rt_frame_note(frame, ragged_rt_space_make_order(space))) return NULL;
  return on_device(frame, &space->order_mirror, space->order, 2 * space->batch + 1);
}

// The two lie one after the other.
const int64_t *ragged_rt_frame_space_ordered_offsets(ragged_rt_frame *frame,
                                                     ragged_rt_space *space) {
  const int64_t *order = ragged_rt_frame_space_order(frame, space);
  return order ? order + space->batch : NULL;
}

// Of a space that only the device knows: what its largest sample could have.
static void check_bound32(ragged_rt_frame *frame, const ragged_rt_space *space) {
  int64_t rows = 1;
  for (int k = 0; k < space->num_axes; ++k)
    rows = ragged_rt_saturating_multiply(rows, space->axes[k]->max_extent);
  if (rows <= UINT32_MAX) return;
  (void)ragged_rt_frame_note(
      frame, ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "a sample can have %lld rows by the bounds of its axes and %lld by "
                                "the capacity of its space, but kernels of device '%s' take at most "
                                "%lld rows of one sample",
                                (long long)rows, (long long)space->rows,
                                frame->context->device->table->name, (long long)UINT32_MAX));
}

void ragged_rt_frame_check_rows32(ragged_rt_frame *frame, ragged_rt_space *space) {
  if (frame->status || !space || space->rows <= UINT32_MAX) return;
  if (space->on_device) {
    check_bound32(frame, space);
    return;
  }
  for (int64_t i = 0; i < space->batch; ++i) {
    int64_t rows = space->offsets[i + 1] - space->offsets[i];
    if (rows <= UINT32_MAX) continue;
    (void)ragged_rt_frame_note(
        frame, ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                  "sample %lld has %lld rows, but kernels of device '%s' take at "
                                  "most %lld rows of one sample",
                                  (long long)i, (long long)rows,
                                  frame->context->device->table->name, (long long)UINT32_MAX));
    return;
  }
}
