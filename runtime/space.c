// Spaces: the rows of one or more axes in packed order. Interned by their axes (which are interned
// by content), weakly. Offsets are made at once, row splits when first asked for.
#include "context.h"

#include <string.h>

#include "support/checked.h"

typedef struct space_key {
  int64_t batch;
  int num_axes;
  ragged_rt_axis *const *axes;
} space_key;

static uint64_t hash_key(const space_key *key) {
  uint64_t hash = ragged_rt_hash_step((uint64_t)key->batch, (uint64_t)key->num_axes);
  for (int k = 0; k < key->num_axes; ++k)
    hash = ragged_rt_hash_step(hash, (uint64_t)(uintptr_t)key->axes[k]);
  return hash;
}

static bool has_key(const ragged_rt_intern_node *node, const void *key_pointer) {
  const ragged_rt_space *space = (const ragged_rt_space *)node;
  const space_key *key = key_pointer;
  if (space->batch != key->batch || space->num_axes != key->num_axes) return false;
  for (int k = 0; k < key->num_axes; ++k)
    if (space->axes[k] != key->axes[k]) return false;
  return true;
}

static ragged_status check_axes(const ragged_rt_context *context, space_key *key) {
  if (key->num_axes < 0 || key->num_axes > RAGGED_MAX_RANK)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "a space of %d axes was asked for, but at most %d are supported",
                              key->num_axes, RAGGED_MAX_RANK);
  if (key->num_axes == 0 && key->batch < 0)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "a space without axes needs a batch size");
  for (int k = 0; k < key->num_axes; ++k) {
    const ragged_rt_axis *axis = key->axes[k];
    if (!axis)
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "axis %d of a space is null", k);
    if (axis->context != context)
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "axis %d of a space belongs to another context", k);
    if (key->batch < 0) key->batch = axis->batch;
    if (axis->batch != key->batch)
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "axis %d of a space has %lld samples, but the batch has %lld", k,
                                (long long)axis->batch, (long long)key->batch);
  }
  return NULL;
}

// Product of the first `count` extents of a sample; 0 if any is 0, whatever the others are.
static bool sample_groups(int count, ragged_rt_axis *const *axes, int64_t sample, int64_t *out) {
  int64_t groups = 1;
  bool fits = true;
  for (int k = 0; k < count; ++k) {
    int64_t extent = axes[k]->extents[sample];
    if (extent == 0) {
      *out = 0;
      return true;
    }
    fits = fits && ragged_checked_multiply(groups, extent, &groups);
  }
  *out = groups;
  return fits;
}

// Running sums of sample_groups into offsets[0 .. batch].
static ragged_status fill_offsets(int count, ragged_rt_axis *const *axes, int64_t batch,
                                  int64_t *offsets) {
  offsets[0] = 0;
  for (int64_t i = 0; i < batch; ++i) {
    int64_t groups;
    if (!sample_groups(count, axes, i, &groups) ||
        !ragged_checked_add(offsets[i], groups, &offsets[i + 1]))
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "a space of %d axes has more than 2^63 - 1 rows at sample %lld",
                                count, (long long)i);
  }
  return NULL;
}

static ragged_status make_space(ragged_rt_context *context, const space_key *key, uint64_t hash,
                                ragged_rt_space **out_space) {
  if (key->batch == INT64_MAX)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "the batch size is out of range");
  bool on_device = false;
  for (int k = 0; k < key->num_axes; ++k) on_device = on_device || key->axes[k]->on_device;
  ragged_rt_space *space = ragged_rt_metadata_allocate(
      &context->memory, sizeof *space, on_device ? 0 : key->batch + 1, sizeof space->offsets[0]);
  if (!space) return ragged_rt_no_metadata("a space");
  space->node.hash = hash;
  space->references = 1;
  space->context = context;
  space->batch = key->batch;
  space->num_axes = key->num_axes;
  for (int k = 0; k < key->num_axes; ++k) space->axes[k] = key->axes[k];
  space->on_device = on_device;
  ragged_status status =
      on_device ? NULL : fill_offsets(key->num_axes, key->axes, key->batch, space->offsets);
  if (!status) status = ragged_rt_intern_insert(&context->spaces, &context->memory, &space->node);
  if (status) {
    ragged_rt_metadata_free(&context->memory, space);
    return status;
  }
  space->rows = on_device ? ragged_rt_space_bound(space) : space->offsets[key->batch];
  for (int k = 0; k < key->num_axes; ++k) ragged_rt_axis_retain(key->axes[k]);
  ragged_rt_context_retain(context);
  *out_space = space;
  return NULL;
}

ragged_status ragged_rt_space_get(ragged_rt_context *context, int64_t batch, int num_axes,
                                  ragged_rt_axis *const *axes, ragged_rt_space **out_space) {
  space_key key = {batch, num_axes, axes};
  RAGGED_RETURN_IF_ERROR(check_axes(context, &key));
  uint64_t hash = hash_key(&key);
  ragged_rt_space *known =
      (ragged_rt_space *)ragged_rt_intern_find(&context->spaces, hash, has_key, &key);
  if (!known) return make_space(context, &key, hash, out_space);
  ragged_rt_space_retain(known);
  *out_space = known;
  return NULL;
}

void ragged_rt_space_retain(ragged_rt_space *space) {
  if (space) space->references += 1;
}

void ragged_rt_space_release(ragged_rt_space *space) {
  if (!space || --space->references > 0) return;
  ragged_rt_context *context = space->context;
  ragged_rt_intern_remove(&context->spaces, &space->node);
  for (int k = 0; k < space->num_axes; ++k) {
    ragged_rt_axis_release(space->axes[k]);
    ragged_rt_metadata_free(&context->memory, space->splits[k]);
  }
  ragged_rt_constant_release(space->offsets_mirror);
  ragged_rt_constant_release(space->order_mirror);
  ragged_rt_metadata_free(&context->memory, space->order);
  ragged_rt_metadata_free(&context->memory, space);
  ragged_rt_context_release(context);
}

int64_t ragged_rt_space_batch(const ragged_rt_space *space) { return space->batch; }
int64_t ragged_rt_space_rows(const ragged_rt_space *space) { return space->rows; }
int ragged_rt_space_num_axes(const ragged_rt_space *space) { return space->num_axes; }
ragged_rt_axis *ragged_rt_space_axis(const ragged_rt_space *space, int k) {
  return k >= 0 && k < space->num_axes ? space->axes[k] : NULL;
}
bool ragged_rt_space_on_device(const ragged_rt_space *space) { return space->on_device; }
const int64_t *ragged_rt_space_offsets(const ragged_rt_space *space) {
  return space->on_device ? NULL : space->offsets;
}

// Groups of `level` axes: one per sample and coordinates 0 .. level - 1; each holds extent `level`
// of its sample.
static ragged_status make_splits(ragged_rt_space *space, int level) {
  ragged_rt_memory *memory = &space->context->memory;
  int64_t groups = 0, begins = 0;
  for (int64_t i = 0; i < space->batch; ++i) {
    int64_t in_sample, next;
    if (!sample_groups(level, space->axes, i, &in_sample) ||
        !ragged_checked_add(groups, in_sample, &groups) ||
        !sample_groups(level + 1, space->axes, i, &next) ||
        !ragged_checked_add(begins, next, &begins) || groups == INT64_MAX)
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "level %d of a space has more than 2^63 - 1 groups at sample %lld",
                                level, (long long)i);
  }
  int64_t *splits = ragged_rt_metadata_allocate(memory, 0, groups + 1, sizeof *splits);
  if (!splits) return ragged_rt_no_metadata("row splits");
  int64_t at = 0;
  for (int64_t i = 0; i < space->batch; ++i) {
    int64_t in_sample = 0;
    (void)sample_groups(level, space->axes, i, &in_sample);
    int64_t extent = space->axes[level]->extents[i];
    for (int64_t g = 0; g < in_sample; ++g, ++at) splits[at + 1] = splits[at] + extent;
  }
  space->splits[level] = splits;
  space->split_counts[level] = groups + 1;
  return NULL;
}

ragged_status ragged_rt_space_row_splits(ragged_rt_space *space, int level,
                                         const int64_t **out_splits, int64_t *out_count) {
  if (level < 0 || level >= space->num_axes)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "row splits of level %d were asked for, but the space has %d axes",
                              level, space->num_axes);
  if (space->on_device)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "row splits were asked for of a space that only the device knows; "
                              "ragged_rt_space_resolve gives one that the host knows");
  if (!space->splits[level]) RAGGED_RETURN_IF_ERROR(make_splits(space, level));
  *out_splits = space->splits[level];
  *out_count = space->split_counts[level];
  return NULL;
}
