// Making, freeing and indexing the interpreter's values. Used by every file of lib/reference.
// Must not know what any op does.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference_internal.h"
#include "support/checked.h"

ragged_status ragged_reference_array(int64_t count, size_t size, void **out) {
  int64_t bytes;
  *out = NULL;
  if (count < 0 || !ragged_checked_multiply(count, (int64_t)size, &bytes) ||
      bytes > RAGGED_REFERENCE_MAX_BYTES)
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED,
                              "%lld entries of %d bytes are more than the interpreter's limit of "
                              "%lld bytes",
                              (long long)count, (int)size, (long long)RAGGED_REFERENCE_MAX_BYTES);
  *out = calloc(bytes ? (size_t)bytes : 1, 1);
  if (!*out)
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for %lld bytes",
                              (long long)bytes);
  return NULL;
}

void ragged_reference_value_free(ragged_reference_value *value) {
  free(value->extents);
  free(value->offsets);
  free(value->starts);
  free(value->numbers);
  *value = (ragged_reference_value){0};
}

// The product of the selected extents; 0 when one of them is, whatever the others are.
static bool product(const ragged_schema *schema, const int64_t *extents, bool ragged_only,
                    int64_t *out) {
  int64_t size = 1;
  bool fits = true;
  for (int d = 0; d < schema->rank; ++d) {
    if (ragged_only && !schema->dimensions[d].axis) continue;
    if (extents[d] == 0) {
      *out = 0;
      return true;
    }
    fits = fits && ragged_checked_multiply(size, extents[d], &size);
  }
  *out = size;
  return fits;
}

static ragged_status fill_extents(ragged_reference_value *value, const int64_t *extents) {
  const ragged_schema *schema = &value->schema;
  for (int64_t i = 0; i < value->batch; ++i)
    for (int d = 0; d < schema->rank; ++d) {
      ragged_dimension dimension = schema->dimensions[d];
      int64_t extent = extents ? extents[i * schema->rank + d] : dimension.extent;
      if (extent < 0)
        return RAGGED_REFERENCE_INVALID("extent of %s in sample %lld is %lld, expected 0 or more",
                                        dimension.axis ? dimension.axis : "a static dimension",
                                        (long long)i, (long long)extent);
      if (!dimension.axis && extent != dimension.extent)
        return RAGGED_REFERENCE_INVALID("dimension %d has extent %lld in sample %lld, expected %lld",
                                        d, (long long)extent, (long long)i,
                                        (long long)dimension.extent);
      value->extents[i * schema->rank + d] = extent;
    }
  return NULL;
}

static ragged_status fill_starts(ragged_reference_value *value) {
  for (int64_t i = 0; i < value->batch; ++i) {
    const int64_t *extents = ragged_reference_extents(value, i);
    int64_t rows, size;
    if (!product(&value->schema, extents, true, &rows) ||
        !product(&value->schema, extents, false, &size) ||
        !ragged_checked_add(value->offsets[i], rows, &value->offsets[i + 1]) ||
        !ragged_checked_add(value->starts[i], size, &value->starts[i + 1]))
      return RAGGED_REFERENCE_INVALID("the entries up to sample %lld do not fit 63 bits",
                                      (long long)i);
  }
  return NULL;
}

static ragged_status fill(ragged_reference_value *value, const int64_t *extents) {
  if (value->batch < 0)
    return RAGGED_REFERENCE_INVALID("batch is %lld, expected 0 or more", (long long)value->batch);
  int64_t total;
  if (!ragged_checked_multiply(value->batch, value->schema.rank, &total)) total = INT64_MAX;
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_array(total, sizeof(int64_t), (void **)&value->extents));
  int64_t ends = value->batch < INT64_MAX ? value->batch + 1 : INT64_MAX;
  RAGGED_RETURN_IF_ERROR(ragged_reference_array(ends, sizeof(int64_t), (void **)&value->offsets));
  RAGGED_RETURN_IF_ERROR(ragged_reference_array(ends, sizeof(int64_t), (void **)&value->starts));
  RAGGED_RETURN_IF_ERROR(fill_extents(value, extents));
  RAGGED_RETURN_IF_ERROR(fill_starts(value));
  return ragged_reference_array(value->starts[value->batch], sizeof(ragged_reference_number),
                                (void **)&value->numbers);
}

ragged_status ragged_reference_allocate(const ragged_schema *schema, int64_t batch,
                                        const int64_t *extents, ragged_reference_value *out) {
  *out = (ragged_reference_value){0};
  RAGGED_RETURN_IF_ERROR(ragged_schema_validate(schema));
  out->kind = RAGGED_REFERENCE_RAGGED;
  out->schema = *schema;
  out->batch = batch;
  ragged_status status = fill(out, extents);
  if (status) ragged_reference_value_free(out);
  return status;
}

ragged_status ragged_reference_allocate_dense(ragged_element_type element_type, int rank,
                                              const int64_t *shape, ragged_reference_value *out) {
  ragged_dimension dimensions[RAGGED_MAX_RANK] = {{0}};
  for (int d = 0; d < rank && d < RAGGED_MAX_RANK; ++d)
    dimensions[d] = ragged_dimension_static(shape[d]);
  ragged_schema schema = ragged_schema_make(element_type, rank, dimensions);
  RAGGED_RETURN_IF_ERROR(ragged_reference_allocate(&schema, 1, NULL, out));
  out->kind = RAGGED_REFERENCE_DENSE;
  return NULL;
}

ragged_status ragged_reference_allocate_scalar(ragged_element_type element_type,
                                               ragged_reference_value *out) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_allocate_dense(element_type, 0, NULL, out));
  out->kind = RAGGED_REFERENCE_SCALAR;
  return NULL;
}

ragged_status ragged_reference_value_copy(const ragged_reference_value *value,
                                          ragged_reference_value *out) {
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_allocate(&value->schema, value->batch, value->extents, out));
  out->kind = value->kind;
  out->accuracy = value->accuracy;
  memcpy(out->numbers, value->numbers,
         sizeof(ragged_reference_number) * (size_t)value->starts[value->batch]);
  return NULL;
}

int64_t ragged_reference_num_rows(const ragged_reference_value *value) {
  return value->offsets[value->batch];
}

int64_t ragged_reference_num_elements(const ragged_reference_value *value) {
  return value->starts[value->batch];
}

void ragged_reference_advance(int rank, const int64_t *extents, int64_t *position) {
  for (int d = rank - 1; d >= 0; --d) {
    if (++position[d] < extents[d]) return;
    position[d] = 0;
  }
}

int64_t ragged_reference_row_major(int rank, const int64_t *extents, const int64_t *position) {
  int64_t index = 0;
  for (int d = 0; d < rank; ++d) index = index * extents[d] + position[d];
  return index;
}

int64_t ragged_reference_packed_index(const ragged_reference_value *value, int64_t sample,
                                      const int64_t *position) {
  const ragged_schema *schema = &value->schema;
  const int64_t *extents = ragged_reference_extents(value, sample);
  // sum over j of a_j * (product of the extents behind j), by Horner's rule; ragged dimensions are
  // packed before static ones, so `row` is complete when the first static one comes.
  int64_t row = 0, cell = 0, tail = 1;
  for (int k = 0; k < schema->rank; ++k) {
    int d = schema->order[k];
    if (schema->dimensions[d].axis) {
      row = row * extents[d] + position[d];
    } else {
      cell = cell * extents[d] + position[d];
      tail *= extents[d];
    }
  }
  return (value->offsets[sample] + row) * tail + cell;
}

void ragged_reference_pack_numbers(const ragged_reference_value *value,
                                   ragged_reference_number *packed) {
  for (int64_t i = 0; i < value->batch; ++i) {
    int64_t position[RAGGED_MAX_RANK] = {0};
    for (int64_t k = 0; k < ragged_reference_sample_size(value, i); ++k) {
      packed[ragged_reference_packed_index(value, i, position)] =
          ragged_reference_sample(value, i)[k];
      ragged_reference_advance(value->schema.rank, ragged_reference_extents(value, i), position);
    }
  }
}

void ragged_reference_unpack_numbers(const ragged_reference_number *packed,
                                     ragged_reference_value *value) {
  for (int64_t i = 0; i < value->batch; ++i) {
    int64_t position[RAGGED_MAX_RANK] = {0};
    for (int64_t k = 0; k < ragged_reference_sample_size(value, i); ++k) {
      ragged_reference_sample(value, i)[k] =
          packed[ragged_reference_packed_index(value, i, position)];
      ragged_reference_advance(value->schema.rank, ragged_reference_extents(value, i), position);
    }
  }
}

double ragged_reference_maximum(double x, double y) {
  if (isnan(x)) return x;
  if (isnan(y)) return y;
  if (x == 0 && y == 0) return signbit(x) ? y : x;
  return x > y ? x : y;
}

const char *ragged_reference_kind_name(ragged_reference_kind kind) {
  switch (kind) {
    case RAGGED_REFERENCE_RAGGED: return "a ragged tensor";
    case RAGGED_REFERENCE_DENSE: return "a builtin tensor";
    case RAGGED_REFERENCE_SCALAR: return "a scalar";
  }
  return "an unknown kind of value";
}
