// Between buffers as users hold them and the interpreter's values. The linear-position formula of
// docs/vocabulary.md, element by element, and rounding to element types.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference_internal.h"
#include "support/checked.h"

// bf16 keeps 8 significant bits; below 2^-126 its numbers stand 2^-133 apart.
static double round_bf16(double number) {
  if (!isfinite(number) || number == 0) return number;
  int exponent = ilogb(number);
  int unit = (exponent < -126 ? -126 : exponent) - 7;
  double rounded = ldexp(nearbyint(ldexp(number, -unit)), unit);
  return fabs(rounded) > 0x1.FEp127 ? copysign(INFINITY, number) : rounded;
}

double ragged_reference_round(ragged_element_type element_type, double number) {
  switch (element_type) {
    case RAGGED_ELEMENT_F32: return (double)(float)number;
    case RAGGED_ELEMENT_BF16: return round_bf16(number);
    default: return number;
  }
}

ragged_reference_number ragged_reference_load(ragged_element_type element_type, const void *values,
                                              int64_t index) {
  const char *at = (const char *)values + (size_t)index * ragged_element_size(element_type);
  ragged_reference_number number = {0};
  if (element_type == RAGGED_ELEMENT_F64) {
    memcpy(&number.real, at, 8);
  } else if (element_type == RAGGED_ELEMENT_I64) {
    memcpy(&number.integer, at, 8);
  } else if (element_type == RAGGED_ELEMENT_I1) {
    number.integer = *at != 0;
  } else {
    uint32_t bits = 0;
    float single;
    if (element_type == RAGGED_ELEMENT_F32) {
      memcpy(&bits, at, 4);
    } else {
      uint16_t half;
      memcpy(&half, at, 2);
      bits = (uint32_t)half << 16;  // a bf16 is the upper half of an f32
    }
    memcpy(&single, &bits, 4);
    number.real = (double)single;
  }
  return number;
}

static void store(ragged_element_type element_type, ragged_reference_number number, void *values,
                  int64_t index) {
  char *at = (char *)values + (size_t)index * ragged_element_size(element_type);
  if (element_type == RAGGED_ELEMENT_F64) {
    memcpy(at, &number.real, 8);
  } else if (element_type == RAGGED_ELEMENT_I64) {
    memcpy(at, &number.integer, 8);
  } else if (element_type == RAGGED_ELEMENT_I1) {
    *at = number.integer != 0;
  } else {
    float single = (float)ragged_reference_round(element_type, number.real);
    uint32_t bits;
    memcpy(&bits, &single, 4);
    if (element_type == RAGGED_ELEMENT_F32) {
      memcpy(at, &bits, 4);
    } else {
      // A NaN whose payload lies in the lower half must not turn into an infinity.
      uint16_t half = isnan(single) ? 0x7FC0 : (uint16_t)(bits >> 16);
      memcpy(at, &half, 2);
    }
  }
}

static ragged_status gather_extents(const ragged_schema *schema, int64_t batch,
                                    const int64_t *const *extents, int64_t **out) {
  int64_t total;
  if (batch < 0 || !ragged_checked_multiply(batch, schema->rank, &total))
    return RAGGED_REFERENCE_INVALID("batch is %lld, expected 0 or more", (long long)batch);
  RAGGED_RETURN_IF_ERROR(ragged_reference_array(total, sizeof(int64_t), (void **)out));
  for (int64_t i = 0; i < batch; ++i)
    for (int d = 0; d < schema->rank; ++d)
      (*out)[i * schema->rank + d] =
          schema->dimensions[d].axis ? extents[d][i] : schema->dimensions[d].extent;
  return NULL;
}

ragged_status ragged_reference_from_packed(const ragged_schema *schema, int64_t batch,
                                           const int64_t *const *extents, int64_t rows,
                                           const void *values, ragged_reference_value *out) {
  int64_t *all = NULL;
  RAGGED_RETURN_IF_ERROR(ragged_schema_validate(schema));
  RAGGED_RETURN_IF_ERROR(gather_extents(schema, batch, extents, &all));
  ragged_status status = ragged_reference_allocate(schema, batch, all, out);
  free(all);
  RAGGED_RETURN_IF_ERROR(status);
  if (ragged_reference_num_rows(out) > rows) {
    status = RAGGED_REFERENCE_INVALID("the extents ask for %lld rows, the values have %lld",
                                      (long long)ragged_reference_num_rows(out), (long long)rows);
    ragged_reference_value_free(out);
    return status;
  }
  for (int64_t i = 0; i < batch; ++i) {
    int64_t position[RAGGED_MAX_RANK] = {0};
    for (int64_t k = 0; k < ragged_reference_sample_size(out, i); ++k) {
      ragged_reference_sample(out, i)[k] =
          ragged_reference_load(schema->element_type, values,
                                ragged_reference_packed_index(out, i, position));
      ragged_reference_advance(schema->rank, ragged_reference_extents(out, i), position);
    }
  }
  return NULL;
}

void ragged_reference_to_packed(const ragged_reference_value *value, void *values) {
  const ragged_schema *schema = &value->schema;
  for (int64_t i = 0; i < value->batch; ++i) {
    int64_t position[RAGGED_MAX_RANK] = {0};
    for (int64_t k = 0; k < ragged_reference_sample_size(value, i); ++k) {
      store(schema->element_type, ragged_reference_sample(value, i)[k], values,
            ragged_reference_packed_index(value, i, position));
      ragged_reference_advance(schema->rank, ragged_reference_extents(value, i), position);
    }
  }
}

ragged_status ragged_reference_from_dense(ragged_element_type element_type, int rank,
                                          const int64_t *shape, const void *contents,
                                          ragged_reference_value *out) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_allocate_dense(element_type, rank, shape, out));
  for (int64_t k = 0; k < ragged_reference_num_elements(out); ++k)
    out->numbers[k] = ragged_reference_load(element_type, contents, k);
  return NULL;
}

ragged_status ragged_reference_from_real(ragged_element_type element_type, double number,
                                         ragged_reference_value *out) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_allocate_scalar(element_type, out));
  out->numbers[0].real = ragged_reference_round(element_type, number);
  return NULL;
}

ragged_status ragged_reference_from_integer(int64_t number, ragged_reference_value *out) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_allocate_scalar(RAGGED_ELEMENT_I64, out));
  out->numbers[0].integer = number;
  return NULL;
}
