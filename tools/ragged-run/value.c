// See value.h.
#include "value.h"

#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "support/checked.h"

// Room for batch x rank extents.
static ragged_status allocate_extents(int64_t batch, int rank, int64_t **out) {
  int64_t bytes;
  if (!ragged_checked_multiply(batch, (int64_t)sizeof **out * (rank ? rank : 1), &bytes))
    bytes = INT64_MAX;
  void *memory;
  RAGGED_RETURN_IF_ERROR(ragged_run_allocate(bytes, "the list of extents", &memory));
  *out = memory;
  return NULL;
}

static void fill_ragged_extents(const ragged_schema *schema, const ragged_rt_space *space,
                                int64_t *extents) {
  int64_t batch = ragged_rt_space_batch(space);
  for (int position = 0; position < schema->rank; ++position) {
    int d = schema->order[position];
    bool ragged = ragged_dimension_is_ragged(schema->dimensions[d]);
    const int64_t *lengths =
        ragged ? ragged_rt_axis_extents(ragged_rt_space_axis(space, position)) : NULL;
    for (int64_t i = 0; i < batch; ++i)
      extents[i * schema->rank + d] = ragged ? lengths[i] : schema->dimensions[d].extent;
  }
}

ragged_status ragged_run_value_from_tensor(const ragged_rt_value_type *type,
                                           ragged_rt_tensor *tensor, ragged_run_value *out) {
  const ragged_schema *schema = &type->schema;
  ragged_rt_space *space = ragged_rt_tensor_space(tensor);
  *out = (ragged_run_value){.type = type, .batch = 1, .rows = 1};
  if (space) {
    out->batch = ragged_rt_space_batch(space);
    out->rows = ragged_rt_space_rows(space);
  }
  RAGGED_RETURN_IF_ERROR(allocate_extents(out->batch, schema->rank, &out->extents));
  if (space)
    fill_ragged_extents(schema, space, out->extents);
  else if (schema->rank)
    memcpy(out->extents, ragged_rt_tensor_shape(tensor),
           (size_t)schema->rank * sizeof *out->extents);
  int64_t elements = out->rows;
  int tail_rank = ragged_rt_tensor_rank(tensor);
  for (int k = 0; k < tail_rank; ++k) elements *= ragged_rt_tensor_shape(tensor)[k];
  int64_t bytes = elements * (int64_t)ragged_element_size(schema->element_type);
  ragged_status status = ragged_run_allocate(bytes, "a copy", &out->data);
  if (!status) status = ragged_rt_tensor_to_host(tensor, out->data, bytes);
  if (status) ragged_run_value_free(out);
  return status;
}

ragged_status ragged_run_value_from_reference(const ragged_rt_value_type *type,
                                              const ragged_reference_value *value,
                                              ragged_run_value *out) {
  int rank = type->schema.rank;
  *out = (ragged_run_value){.type = type, .batch = value->batch, .rows = 1};
  if (type->kind == RAGGED_RT_VALUE_RAGGED) out->rows = ragged_reference_num_rows(value);
  RAGGED_RETURN_IF_ERROR(allocate_extents(out->batch, rank, &out->extents));
  if (rank && out->batch)
    memcpy(out->extents, value->extents,
           (size_t)out->batch * (size_t)rank * sizeof *out->extents);
  int64_t bytes = ragged_reference_num_elements(value) *
                  (int64_t)ragged_element_size(type->schema.element_type);
  ragged_status status = ragged_run_allocate(bytes, "a result", &out->data);
  if (status) {
    ragged_run_value_free(out);
    return status;
  }
  if (bytes) ragged_reference_to_packed(value, out->data);
  return NULL;
}

// ---- To the reference -----------------------------------------------------------------------

static double read_real(ragged_element_type element_type, const void *data) {
  if (element_type == RAGGED_ELEMENT_F64) return *(const double *)data;
  if (element_type == RAGGED_ELEMENT_F32) return (double)*(const float *)data;
  uint32_t bits = (uint32_t)*(const uint16_t *)data << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

static ragged_status ragged_to_reference(const ragged_run_value *value,
                                         ragged_reference_value *out) {
  int rank = value->type->schema.rank;
  int64_t *columns;  // rank x batch: the extents, one dimension after the other
  RAGGED_RETURN_IF_ERROR(allocate_extents(value->batch, rank, &columns));
  const int64_t *extents[RAGGED_MAX_RANK] = {NULL};
  for (int d = 0; d < rank; ++d) {
    if (!ragged_dimension_is_ragged(value->type->schema.dimensions[d])) continue;
    int64_t *column = columns ? columns + d * value->batch : NULL;
    for (int64_t i = 0; i < value->batch; ++i) column[i] = value->extents[i * rank + d];
    static const int64_t none = 0;  // an empty batch: not null, which would mean static
    extents[d] = column ? column : &none;
  }
  ragged_status status = ragged_reference_from_packed(&value->type->schema, value->batch, extents,
                                                      value->rows, value->data, out);
  free(columns);
  return status;
}

ragged_status ragged_run_value_to_reference(const ragged_run_value *value,
                                            ragged_reference_value *out) {
  const ragged_schema *schema = &value->type->schema;
  switch (value->type->kind) {
    case RAGGED_RT_VALUE_RAGGED: return ragged_to_reference(value, out);
    case RAGGED_RT_VALUE_DENSE:
      return ragged_reference_from_dense(schema->element_type, schema->rank, value->extents,
                                         value->data, out);
    case RAGGED_RT_VALUE_SCALAR: break;
  }
  if (schema->element_type == RAGGED_ELEMENT_I64)
    return ragged_reference_from_integer(*(const int64_t *)value->data, out);
  if (schema->element_type == RAGGED_ELEMENT_I1)
    return ragged_reference_from_integer(*(const uint8_t *)value->data != 0, out);
  return ragged_reference_from_real(schema->element_type,
                                    read_real(schema->element_type, value->data), out);
}

void ragged_run_value_free(ragged_run_value *value) {
  free(value->extents);
  free(value->data);
  *value = (ragged_run_value){0};
}
