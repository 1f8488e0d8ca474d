// See arrays.h.
#include "arrays.h"

#include <stdlib.h>
#include <string.h>

#include "draw.h"

void gpu_arrays_create(ragged_rt_context *context, int64_t rows, gpu_arrays *out) {
  *out = (gpu_arrays){.context = context, .elements = 2 * 128 * rows};
}

void gpu_arrays_destroy(gpu_arrays *arrays) {
  for (int k = 0; k < RAGGED_ELEMENT_COUNT; ++k) ragged_rt_tensor_release(arrays->buffers[k]);
}

// Drawing is slower than copying: what is drawn is repeated.
static ragged_status make_buffer(gpu_arrays *arrays, ragged_element_type type) {
  enum { kDrawn = 1 << 20 };
  size_t size = ragged_element_size(type), bytes = (size_t)arrays->elements * size;
  char *values = malloc(bytes);
  if (!values)
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for %zu bytes", bytes);
  size_t drawn = bytes < kDrawn * size ? bytes : kDrawn * size;
  ragged_run_draw(7, (int)type, type, 1.0, (int64_t)(drawn / size), values);
  for (size_t at = drawn; at < bytes; at += drawn)
    memcpy(values + at, values, at + drawn < bytes ? drawn : bytes - at);
  ragged_status status = ragged_rt_tensor_from_host(arrays->context, type, NULL, 1,
                                                    &arrays->elements, values,
                                                    &arrays->buffers[type]);
  free(values);
  return status;
}

// Memory for `count` elements, from the buffer's second half for odd positions where it fits there.
static ragged_status find_values(gpu_arrays *arrays, ragged_element_type type, int position,
                                 int64_t count, void **out) {
  if (!arrays->buffers[type]) RAGGED_RETURN_IF_ERROR(make_buffer(arrays, type));
  if (count > arrays->elements)
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED,
                              "an argument of %lld elements is larger than the array for it",
                              (long long)count);
  int64_t first = position % 2 && count <= arrays->elements / 2 ? arrays->elements / 2 : 0;
  *out = (char *)ragged_rt_tensor_data(arrays->buffers[type]) +
         first * (int64_t)ragged_element_size(type);
  return NULL;
}

static ragged_status make_ragged(gpu_arrays *arrays, const ragged_schema *schema, int position,
                                 const gpu_lengths *lengths, ragged_rt_tensor **out) {
  const char *names[RAGGED_MAX_RANK];
  int count = ragged_schema_space(schema, names);
  int64_t tail[RAGGED_MAX_RANK];
  int rank = ragged_schema_tail(schema, tail);
  ragged_rt_axis *axis, *axes[RAGGED_MAX_RANK];
  RAGGED_RETURN_IF_ERROR(ragged_rt_axis_create_from_lengths(arrays->context, lengths->batch, 64,
                                                            lengths->values, &axis));
  for (int k = 0; k < count; ++k) axes[k] = axis;
  ragged_rt_space *space;
  ragged_status status =
      ragged_rt_space_get(arrays->context, lengths->batch, count, axes, &space);
  ragged_rt_axis_release(axis);
  RAGGED_RETURN_IF_ERROR(status);
  int64_t rows = ragged_rt_space_rows(space);
  void *values;
  status = find_values(arrays, schema->element_type, position,
                       rows * ragged_schema_tail_size(schema), &values);
  if (!status)
    status = ragged_rt_tensor_wrap(arrays->context, schema->element_type, space, rank, tail, rows,
                                   values, NULL, NULL, out);
  ragged_rt_space_release(space);
  return status;
}

static ragged_status make_dense(gpu_arrays *arrays, const ragged_schema *schema, int position,
                                const gpu_lengths *lengths, ragged_rt_tensor **out) {
  int64_t shape[RAGGED_MAX_RANK], count = 1, longest = 0;
  for (int64_t i = 0; i < lengths->batch; ++i)
    if (lengths->values[i] > longest) longest = lengths->values[i];
  for (int d = 0; d < schema->rank; ++d) {
    shape[d] = schema->dimensions[d].extent;
    if (shape[d] < 0) shape[d] = d == 0 ? lengths->batch : longest;
    count *= shape[d];
  }
  if (schema->element_type == RAGGED_ELEMENT_I64 && schema->rank == 1)
    return ragged_rt_tensor_from_host(arrays->context, RAGGED_ELEMENT_I64, NULL, 1, shape,
                                      lengths->values, out);
  void *values;
  RAGGED_RETURN_IF_ERROR(find_values(arrays, schema->element_type, position, count, &values));
  return ragged_rt_tensor_wrap_dense(arrays->context, schema->element_type, schema->rank, shape,
                                     values, NULL, NULL, out);
}

ragged_status gpu_arrays_arguments(gpu_arrays *arrays, const ragged_rt_entry *entry,
                                   const gpu_lengths *lengths, ragged_rt_tensor **out) {
  for (int k = 0; k < entry->num_arguments; ++k) {
    const ragged_rt_value_type *type = &entry->arguments[k];
    if (type->kind == RAGGED_RT_VALUE_RAGGED)
      RAGGED_RETURN_IF_ERROR(make_ragged(arrays, &type->schema, k, lengths, &out[k]));
    else
      RAGGED_RETURN_IF_ERROR(make_dense(arrays, &type->schema, k, lengths, &out[k]));
  }
  return NULL;
}
