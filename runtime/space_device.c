// Spaces that only the device knows: how many rows they can have, stated or by their axes, and the
// space that the host knows when it asks the device.
#include "context.h"

static int64_t total_of(const ragged_rt_axis *axis) {
  if (axis->on_device) return axis->on_device->max_total;
  int64_t total = 0;  // was checked when the axis was made
  for (int64_t i = 0; i < axis->batch; ++i) total += axis->extents[i];
  return total;
}

// The sum of one axis times the largest extents of the others, where that is least.
int64_t ragged_rt_space_bound(const ragged_rt_space *space) {
  int64_t least = INT64_MAX;
  for (int k = 0; k < space->num_axes; ++k) {
    int64_t bound = total_of(space->axes[k]);
    for (int j = 0; j < space->num_axes; ++j)
      if (j != k) bound = ragged_rt_saturating_multiply(bound, space->axes[j]->max_extent);
    if (bound < least) least = bound;
  }
  return least;
}

ragged_status ragged_rt_space_set_capacity(ragged_rt_space *space, int64_t rows) {
  if (rows < 0)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "a capacity of %lld rows was stated, but it must not be negative",
                              (long long)rows);
  if (!space->on_device && rows < space->rows)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "a capacity of %lld rows was stated, but the space has %lld",
                              (long long)rows, (long long)space->rows);
  if (rows < space->rows) space->rows = rows;
  return NULL;
}

static ragged_status check_capacity(const ragged_rt_space *space, const ragged_rt_space *known) {
  if (known->rows <= space->rows) return NULL;
  return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                            "the lengths on the device give a space of %d axes %lld rows, but its "
                            "capacity is %lld",
                            space->num_axes, (long long)known->rows, (long long)space->rows);
}

ragged_status ragged_rt_space_resolve(ragged_rt_space *space, ragged_rt_space **out_space) {
  ragged_rt_axis *axes[RAGGED_MAX_RANK] = {NULL};
  ragged_status status = NULL;
  int count = 0;
  if (!space->on_device) {
    ragged_rt_space_retain(space);
    *out_space = space;
    return NULL;
  }
  while (count < space->num_axes && !(status = ragged_rt_axis_resolve(space->axes[count], &axes[count])))
    ++count;
  if (!status)
    status = ragged_rt_space_get(space->context, space->batch, count, axes, out_space);
  for (int k = 0; k < count; ++k) ragged_rt_axis_release(axes[k]);
  if (status) return status;
  status = check_capacity(space, *out_space);
  if (status) ragged_rt_space_release(*out_space);
  return status;
}
