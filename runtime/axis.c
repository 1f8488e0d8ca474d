// Axes: made from lengths or offsets, checked, and interned by content, so that two equal axes of a
// context are one object and comparing them is comparing pointers.
#include "context.h"

#include <string.h>

#include "support/checked.h"

ragged_rt_axis *ragged_rt_axis_new(ragged_rt_context *context, int64_t batch) {
  ragged_rt_axis *axis = ragged_rt_metadata_allocate(&context->memory, sizeof *axis, batch,
                                                     sizeof axis->extents[0]);
  if (!axis) return NULL;
  axis->references = 1;
  axis->context = context;
  axis->batch = batch;
  return axis;
}

void ragged_rt_axis_discard(ragged_rt_axis *axis) {
  ragged_rt_device_extents_free(axis);
  ragged_rt_metadata_free(&axis->context->memory, axis);
}

static bool has_extents_of(const ragged_rt_intern_node *node, const void *key) {
  const ragged_rt_axis *a = (const ragged_rt_axis *)node, *b = key;
  if (a->on_device || b->on_device)
    return a->on_device && b->on_device && ragged_rt_device_extents_equal(a, b);
  return a->batch == b->batch &&
         memcmp(a->extents, b->extents, (size_t)a->batch * sizeof a->extents[0]) == 0;
}

// Fills in what follows from the extents. Errors: a negative extent, a sum over 2^63 - 1.
static ragged_status finish(ragged_rt_axis *axis) {
  uint64_t hash = (uint64_t)axis->batch;
  int64_t sum = 0;
  for (int64_t i = 0; i < axis->batch; ++i) {
    int64_t extent = axis->extents[i];
    if (extent < 0)
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "the length of sample %lld is %lld, but lengths must not be "
                                "negative",
                                (long long)i, (long long)extent);
    if (!ragged_checked_add(sum, extent, &sum))
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "the lengths sum to more than 2^63 - 1 at sample %lld",
                                (long long)i);
    if (extent > axis->max_extent) axis->max_extent = extent;
    hash = ragged_rt_hash_step(hash, (uint64_t)extent);
  }
  axis->node.hash = hash;
  return NULL;
}

ragged_status ragged_rt_axis_intern(ragged_rt_axis *axis, ragged_rt_axis **out_axis) {
  ragged_rt_context *context = axis->context;
  ragged_status status = axis->on_device ? NULL : finish(axis);
  if (!status) {
    ragged_rt_axis *known = (ragged_rt_axis *)ragged_rt_intern_find(
        &context->axes, axis->node.hash, has_extents_of, axis);
    if (known) {
      ragged_rt_axis_discard(axis);
      ragged_rt_axis_retain(known);
      *out_axis = known;
      return NULL;
    }
    status = ragged_rt_intern_insert(&context->axes, &context->memory, &axis->node);
  }
  if (status) {
    ragged_rt_axis_discard(axis);
    return status;
  }
  ragged_rt_context_retain(context);
  *out_axis = axis;
  return NULL;
}

static int64_t read_integer(const void *integers, int width, int64_t k) {
  return width == 32 ? ((const int32_t *)integers)[k] : ((const int64_t *)integers)[k];
}

ragged_status ragged_rt_axis_check_source(int64_t batch, int width, const void *integers,
                                          const char *what) {
  if (width != 32 && width != 64)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "%s are %d bits wide, but 32 or 64 are required", what, width);
  if (batch < 0 || batch == INT64_MAX)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "the batch size %lld of %s is out of range", (long long)batch, what);
  if (!integers && (batch > 0 || what[0] == 'o'))
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "the pointer to %s is null", what);
  if (integers && (uintptr_t)integers % (uintptr_t)(width / 8) != 0)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "the pointer to %s is not aligned to %d bytes", what, width / 8);
  return NULL;
}

ragged_status ragged_rt_axis_create_from_lengths(ragged_rt_context *context, int64_t batch,
                                                 int width, const void *lengths,
                                                 ragged_rt_axis **out_axis) {
  RAGGED_RETURN_IF_ERROR(ragged_rt_axis_check_source(batch, width, lengths, "lengths"));
  ragged_rt_axis *axis = ragged_rt_axis_new(context, batch);
  if (!axis) return ragged_rt_no_metadata("an axis");
  for (int64_t i = 0; i < batch; ++i) axis->extents[i] = read_integer(lengths, width, i);
  return ragged_rt_axis_intern(axis, out_axis);
}

ragged_status ragged_rt_axis_create_from_offsets(ragged_rt_context *context, int64_t batch,
                                                 int width, const void *offsets,
                                                 ragged_rt_axis **out_axis) {
  RAGGED_RETURN_IF_ERROR(ragged_rt_axis_check_source(batch, width, offsets, "offsets"));
  int64_t begin = read_integer(offsets, width, 0);
  if (begin != 0)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "the first offset is %lld, but 0 is required", (long long)begin);
  for (int64_t i = 0; i < batch; ++i) {
    int64_t end = read_integer(offsets, width, i + 1);
    if (end < begin)
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "offset %lld is %lld, less than the one before it, %lld",
                                (long long)(i + 1), (long long)end, (long long)begin);
    begin = end;
  }
  ragged_rt_axis *axis = ragged_rt_axis_new(context, batch);
  if (!axis) return ragged_rt_no_metadata("an axis");
  for (int64_t i = 0; i < batch; ++i)
    axis->extents[i] = read_integer(offsets, width, i + 1) - read_integer(offsets, width, i);
  return ragged_rt_axis_intern(axis, out_axis);
}

void ragged_rt_axis_retain(ragged_rt_axis *axis) {
  if (axis) axis->references += 1;
}

void ragged_rt_axis_release(ragged_rt_axis *axis) {
  if (!axis || --axis->references > 0) return;
  ragged_rt_context *context = axis->context;
  ragged_rt_intern_remove(&context->axes, &axis->node);
  ragged_rt_constant_release(axis->extents_mirror);
  ragged_rt_axis_discard(axis);
  ragged_rt_context_release(context);
}

int64_t ragged_rt_axis_batch(const ragged_rt_axis *axis) { return axis->batch; }
bool ragged_rt_axis_on_device(const ragged_rt_axis *axis) { return axis->on_device != NULL; }
const int64_t *ragged_rt_axis_extents(const ragged_rt_axis *axis) {
  return axis->on_device ? NULL : axis->extents;
}
int64_t ragged_rt_axis_max_extent(const ragged_rt_axis *axis) { return axis->max_extent; }

bool ragged_rt_axis_equal(const ragged_rt_axis *a, const ragged_rt_axis *b) {
  if (a == b) return true;
  if (!a || !b || a->context == b->context) return false;  // interned within a context
  return has_extents_of(&a->node, b);
}
