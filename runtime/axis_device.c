// Axes whose extents only the device knows: made from lengths in its memory or computed from such
// axes, interned by what they are made from, and resolved when the host has to know them after all.
#include <string.h>

#include "axis_program.h"
#include "context.h"

// ---- Interning -----------------------------------------------------------------------------------

bool ragged_rt_device_extents_equal(const ragged_rt_axis *a, const ragged_rt_axis *b) {
  const ragged_rt_device_extents *x = a->on_device, *y = b->on_device;
  if (a->batch != b->batch || a->max_extent != b->max_extent || x->max_total != y->max_total ||
      x->width != y->width || x->lengths != y->lengths || x->num_names != y->num_names)
    return false;
  if (x->expression && strcmp(x->expression, y->expression) != 0) return false;
  for (int k = 0; k < x->num_names; ++k)
    if (x->axes[k] != y->axes[k] || strcmp(x->names[k], y->names[k]) != 0) return false;
  return true;
}

static uint64_t hash_of(const ragged_rt_axis *axis) {
  const ragged_rt_device_extents *extents = axis->on_device;
  uint64_t hash = ragged_rt_hash_step((uint64_t)axis->batch, (uint64_t)(uintptr_t)extents->lengths);
  for (int k = 0; k < extents->num_names; ++k)
    hash = ragged_rt_hash_step(hash, (uint64_t)(uintptr_t)extents->axes[k]);
  if (!extents->expression) return hash;
  return ragged_rt_hash_bytes(hash, extents->expression, strlen(extents->expression));
}

static void free_extents(ragged_rt_memory *memory, ragged_rt_device_extents *extents) {
  if (!extents) return;
  for (int k = 0; k < extents->num_names; ++k) ragged_rt_axis_release(extents->axes[k]);
  ragged_rt_metadata_free(memory, extents);
}

void ragged_rt_device_extents_free(ragged_rt_axis *axis) {
  free_extents(&axis->context->memory, axis->on_device);
}

ragged_status ragged_rt_axis_intern_on_device(ragged_rt_context *context, int64_t batch,
                                              int64_t max_extent,
                                              ragged_rt_device_extents *extents,
                                              ragged_rt_axis **out_axis) {
  ragged_rt_axis *axis = ragged_rt_metadata_allocate(&context->memory, sizeof *axis, 0, 1);
  if (!axis) {
    free_extents(&context->memory, extents);
    return ragged_rt_no_metadata("an axis");
  }
  axis->references = 1;
  axis->context = context;
  axis->batch = batch;
  axis->max_extent = max_extent;
  axis->on_device = extents;
  axis->node.hash = hash_of(axis);
  return ragged_rt_axis_intern(axis, out_axis);
}

// ---- From lengths --------------------------------------------------------------------------------

ragged_status ragged_rt_axis_create_on_device(ragged_rt_context *context, int64_t batch, int width,
                                              const void *device_lengths, int64_t max_extent,
                                              int64_t max_total, ragged_rt_axis **out_axis) {
  RAGGED_RETURN_IF_ERROR(ragged_rt_axis_check_source(batch, width, device_lengths, "lengths"));
  if (max_extent < 0 || max_total < -1)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "lengths that only the device knows are bounded by %lld each and %lld "
                              "in all, but bounds must not be negative",
                              (long long)max_extent, (long long)max_total);
  RAGGED_RETURN_IF_ERROR(ragged_rt_fault_prepare(context));
  ragged_rt_device_extents *extents =
      ragged_rt_metadata_allocate(&context->memory, sizeof *extents, 0, 1);
  if (!extents) return ragged_rt_no_metadata("an axis");
  int64_t total = ragged_rt_saturating_multiply(batch, max_extent);
  extents->width = width;
  extents->lengths = device_lengths;
  extents->max_total = max_total >= 0 && max_total < total ? max_total : total;
  return ragged_rt_axis_intern_on_device(context, batch, max_extent, extents, out_axis);
}

// ---- What the device has now ---------------------------------------------------------------------

static ragged_status check_bound(const ragged_rt_axis *axis, const ragged_rt_axis *found) {
  int64_t sample = 0;
  if (found->max_extent <= axis->max_extent) return NULL;
  while (found->extents[sample] <= axis->max_extent) ++sample;
  return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                            "the length of sample %lld on the device is %lld, but the axis was made "
                            "for at most %lld",
                            (long long)sample, (long long)found->extents[sample],
                            (long long)axis->max_extent);
}

static ragged_status resolve_lengths(ragged_rt_axis *axis, ragged_rt_axis **out_axis) {
  ragged_rt_context *context = axis->context;
  ragged_rt_device *device = context->device;
  int width = axis->on_device->width;
  void *lengths = ragged_rt_metadata_allocate(&context->memory, 0, axis->batch, (size_t)width / 8);
  if (!lengths) return ragged_rt_no_metadata("a copy of lengths");
  ragged_status status = device->table->download(device, lengths, axis->on_device->lengths,
                                                 (size_t)axis->batch * ((size_t)width / 8));
  if (!status)
    status = ragged_rt_axis_create_from_lengths(context, axis->batch, width, lengths, out_axis);
  ragged_rt_metadata_free(&context->memory, lengths);
  if (status) return status;
  status = check_bound(axis, *out_axis);
  if (status) ragged_rt_axis_release(*out_axis);
  return status;
}

static ragged_status resolve_expression(ragged_rt_axis *axis, ragged_rt_axis **out_axis) {
  const ragged_rt_device_extents *extents = axis->on_device;
  ragged_rt_axis *known[2 * RAGGED_MAX_RANK];
  ragged_status status = NULL;
  int count = 0;
  for (; count < extents->num_names && !status; ++count)
    status = ragged_rt_axis_resolve(extents->axes[count], &known[count]);
  if (status) --count;
  else
    status = ragged_rt_axis_compute(axis->context, extents->expression, count, extents->names, known,
                                    out_axis);
  for (int k = 0; k < count; ++k) ragged_rt_axis_release(known[k]);
  return status;
}

ragged_status ragged_rt_axis_resolve(ragged_rt_axis *axis, ragged_rt_axis **out_axis) {
  if (!axis->on_device) {
    ragged_rt_axis_retain(axis);
    *out_axis = axis;
    return NULL;
  }
  return axis->on_device->width ? resolve_lengths(axis, out_axis)
                                : resolve_expression(axis, out_axis);
}
