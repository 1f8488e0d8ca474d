// See print.h.
#include "print.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Whether `text`, rounded to the type, is `value` again.
static bool reads_back(ragged_element_type element_type, const char *text, double value) {
  double read = strtod(text, NULL);
  if (element_type == RAGGED_ELEMENT_F32) return strtof(text, NULL) == (float)value;
  return ragged_reference_round(element_type, read) == value;
}

static double read_float(ragged_element_type element_type, const void *data, int64_t index) {
  if (element_type == RAGGED_ELEMENT_F64) return ((const double *)data)[index];
  if (element_type == RAGGED_ELEMENT_F32) return (double)((const float *)data)[index];
  uint32_t bits = (uint32_t)((const uint16_t *)data)[index] << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

void ragged_run_format_number(ragged_element_type element_type, const void *data, int64_t index,
                              char out[32]) {
  if (element_type == RAGGED_ELEMENT_I1) {
    strcpy(out, ((const uint8_t *)data)[index] ? "true" : "false");
    return;
  }
  if (element_type == RAGGED_ELEMENT_I64) {
    snprintf(out, 32, "%" PRId64, ((const int64_t *)data)[index]);
    return;
  }
  double value = read_float(element_type, data, index);
  if (isnan(value)) {
    strcpy(out, "nan");
    return;
  }
  int digits = 1;
  do {
    snprintf(out, 32, "%.*g", digits, value);
  } while (!isinf(value) && !reads_back(element_type, out, value) && ++digits <= 17);
  // 10 and not 1e+01: digits before the point are written out.
  if (!isfinite(value) || !strchr(out, 'e')) return;
  int whole = (int)floor(log10(fabs(value))) + 1;
  if (whole > digits && whole <= 16) snprintf(out, 32, "%.*g", whole, value);
}

typedef struct printer {
  FILE *file;
  const ragged_run_value *value;
  const int64_t *extents;            // of the sample
  int64_t strides[RAGGED_MAX_RANK];  // in elements, by logical dimension
} printer;

static void print_nested(const printer *p, int dimension, int64_t element) {
  const ragged_schema *schema = &p->value->type->schema;
  if (dimension == schema->rank) {
    char text[32];
    ragged_run_format_number(schema->element_type, p->value->data, element, text);
    fputs(text, p->file);
    return;
  }
  fputc('[', p->file);
  for (int64_t k = 0; k < p->extents[dimension]; ++k) {
    if (k) fputs(", ", p->file);
    print_nested(p, dimension + 1, element + k * p->strides[dimension]);
  }
  fputc(']', p->file);
}

void ragged_run_print_value(FILE *file, const ragged_run_value *value) {
  const ragged_schema *schema = &value->type->schema;
  bool ragged = value->type->kind == RAGGED_RT_VALUE_RAGGED;
  printer p = {.file = file, .value = value};
  int64_t first = 0;  // element
  for (int64_t i = 0; i < value->batch; ++i) {
    p.extents = value->extents + i * schema->rank;
    int64_t elements = 1;
    for (int k = 0; k < schema->rank; ++k)
      if (p.extents[k] == 0) elements = 0;  // the product of the others may not fit
    for (int k = schema->rank - 1; k >= 0 && elements; --k) {
      int dimension = ragged ? schema->order[k] : k;
      p.strides[dimension] = elements;
      elements *= p.extents[dimension];
    }
    if (ragged) fprintf(file, "sample %" PRId64 ": ", i);
    print_nested(&p, 0, first);
    fputc('\n', file);
    first += elements;
  }
}
