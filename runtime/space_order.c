// The samples of a space from most rows to fewest: kernels start with the longest, so that the last
// blocks to end are short ones. And the device's copies of such metadata.
#include <string.h>

#include "capture.h"
#include "context.h"

static int64_t rows_of(const ragged_rt_space *space, int64_t sample) {
  return space->offsets[sample + 1] - space->offsets[sample];
}

// Merges the sorted runs [begin, middle) and [middle, end). Samples of equally many rows keep their
// order, which is that of their numbers.
static void merge(const ragged_rt_space *space, const int64_t *from, int64_t *to, int64_t begin,
                  int64_t middle, int64_t end) {
  int64_t a = begin, b = middle;
  for (int64_t k = begin; k < end; ++k) {
    bool first = a < middle && (b == end || rows_of(space, from[a]) >= rows_of(space, from[b]));
    to[k] = first ? from[a++] : from[b++];
  }
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

// Bottom-up merge sort of samples[0 .. batch) with as much room. Returns which of the two is
// sorted.
static int64_t *sort(const ragged_rt_space *space, int64_t *samples, int64_t *room) {
  int64_t batch = space->batch;
  for (int64_t width = 1; width < batch; width *= 2) {
    for (int64_t begin = 0; begin < batch; begin += 2 * width)
      merge(space, samples, room, begin, smaller(begin + width, batch),
            smaller(begin + 2 * width, batch));
    int64_t *sorted = room;
    room = samples;
    samples = sorted;
  }
  return samples;
}

ragged_status ragged_rt_space_make_order(ragged_rt_space *space) {
  if (space->order) return NULL;
  int64_t batch = space->batch;
  if (batch > (INT64_MAX - 1) / 2) return ragged_rt_no_metadata("the order of samples");
  int64_t *order = ragged_rt_metadata_allocate(&space->context->memory, 0, 2 * batch + 1,
                                               sizeof *order);
  if (!order) return ragged_rt_no_metadata("the order of samples");
  int64_t *running = order + batch;  // room for the sort until it is filled
  for (int64_t i = 0; i < batch; ++i) order[i] = i;
  const int64_t *sorted = sort(space, order, running);
  if (sorted != order) memcpy(order, sorted, (size_t)batch * sizeof *order);
  int64_t rows = 0;
  for (int64_t k = 0; k < batch; ++k) {
    running[k] = rows;
    rows += rows_of(space, order[k]);
  }
  running[batch] = rows;
  space->order = order;
  return NULL;
}

ragged_status ragged_rt_mirror_get(ragged_rt_context *context, ragged_rt_constant **mirror,
                                   const int64_t *values, int64_t count, const int64_t **out) {
  if (context->device->table->is_host || count == 0) {
    *out = count ? values : NULL;
    return NULL;
  }
  int64_t bytes = count * (int64_t)sizeof *values;
  if (!*mirror) RAGGED_RETURN_IF_ERROR(ragged_rt_constant_get(context, values, bytes, mirror));
  *out = (*mirror)->data;
  return ragged_rt_capture_keep(context, *mirror);
}
