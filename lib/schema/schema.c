// Schemas as plain values: make, validate, compare, print, and the space and tail they stand for.
// Called by types, verifiers, rules, the interpreter and the lowering. Takes axis strings as
// canonical and compares them as text; parsing them is axis_expression.h's part.
#include "schema/schema.h"

#include <string.h>

#include "support/checked.h"

ragged_dimension ragged_dimension_static(int64_t extent) {
  return (ragged_dimension){.axis = NULL, .extent = extent};
}

ragged_dimension ragged_dimension_ragged(const char *canonical_axis) {
  return (ragged_dimension){.axis = canonical_axis, .extent = 0};
}

bool ragged_dimension_equal(ragged_dimension a, ragged_dimension b) {
  if (a.axis && b.axis) return strcmp(a.axis, b.axis) == 0;
  return !a.axis && !b.axis && a.extent == b.extent;
}

void ragged_schema_set_default_order(ragged_schema *schema) {
  int position = 0;
  for (int ragged = 1; ragged >= 0; --ragged)
    for (int d = 0; d < schema->rank; ++d)
      if (ragged_dimension_is_ragged(schema->dimensions[d]) == (ragged == 1))
        schema->order[position++] = d;
}

bool ragged_schema_has_default_order(const ragged_schema *schema) {
  ragged_schema other = *schema;
  ragged_schema_set_default_order(&other);
  return memcmp(other.order, schema->order, sizeof(int) * (size_t)schema->rank) == 0;
}

ragged_schema ragged_schema_make(ragged_element_type type, int rank, const ragged_dimension *dims) {
  ragged_schema schema = {.element_type = type, .rank = rank};
  // A rank that is out of range stays in the value, without dimensions, for validate to refuse.
  if (rank < 0 || rank > RAGGED_MAX_RANK) return schema;
  for (int d = 0; d < rank; ++d) schema.dimensions[d] = dims[d];
  ragged_schema_set_default_order(&schema);
  return schema;
}

static ragged_status validate_order(const ragged_schema *schema) {
  bool seen[RAGGED_MAX_RANK] = {false};
  int first_static = -1;
  for (int k = 0; k < schema->rank; ++k) {
    int d = schema->order[k];
    if (d < 0 || d >= schema->rank)
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "order names dimension %d at position %d, expected 0 to %d", d, k,
                                schema->rank - 1);
    if (seen[d])
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "order names dimension %d twice",
                                d);
    seen[d] = true;
    const char *axis = schema->dimensions[d].axis;
    if (!axis) {
      if (first_static < 0) first_static = d;
    } else if (first_static >= 0) {
      return ragged_status_make(
          RAGGED_STATUS_INVALID_ARGUMENT,
          "order puts static dimension %d before ragged dimension %d (axis %s), expected all "
          "ragged dimensions first",
          first_static, d, axis);
    }
  }
  return NULL;
}

ragged_status ragged_schema_validate(const ragged_schema *schema) {
  if (schema->rank < 0 || schema->rank > RAGGED_MAX_RANK)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "rank is %d, expected 0 to %d",
                              schema->rank, RAGGED_MAX_RANK);
  if ((unsigned)schema->element_type >= RAGGED_ELEMENT_COUNT)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "element type %d is not known",
                              (int)schema->element_type);
  // Extents of 0 count as 1, so that strides fit too and the answer does not hang on their place.
  int64_t size = 1;
  for (int d = 0; d < schema->rank; ++d) {
    ragged_dimension dimension = schema->dimensions[d];
    if (dimension.axis) continue;
    if (dimension.extent < 0)
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "dimension %d has extent %lld, expected 0 or more", d,
                                (long long)dimension.extent);
    if (dimension.extent > 0 && !ragged_checked_multiply(size, dimension.extent, &size))
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "the product of the static extents does not fit 63 bits");
  }
  return validate_order(schema);
}

bool ragged_schema_same_layout(const ragged_schema *a, const ragged_schema *b) {
  if (a->rank != b->rank) return false;
  for (int d = 0; d < a->rank; ++d)
    if (!ragged_dimension_equal(a->dimensions[d], b->dimensions[d]) || a->order[d] != b->order[d])
      return false;
  return true;
}

bool ragged_schema_equal(const ragged_schema *a, const ragged_schema *b) {
  return a->element_type == b->element_type && ragged_schema_same_layout(a, b);
}

void ragged_schema_print(const ragged_schema *schema, ragged_string_buffer *out) {
  ragged_string_append(out, "[", 1);
  for (int d = 0; d < schema->rank; ++d) {
    ragged_dimension dimension = schema->dimensions[d];
    if (d) ragged_string_append(out, ", ", 2);
    if (dimension.axis)
      ragged_string_append(out, dimension.axis, strlen(dimension.axis));
    else
      ragged_string_appendf(out, "%lld", (long long)dimension.extent);
  }
  ragged_string_appendf(out, "], %s", ragged_element_name(schema->element_type));
  if (ragged_schema_has_default_order(schema)) return;
  for (int k = 0; k < schema->rank; ++k)
    ragged_string_appendf(out, "%s%d", k ? ", " : ", order = [", schema->order[k]);
  ragged_string_append(out, "]", 1);
}

int ragged_schema_num_ragged(const ragged_schema *schema) {
  int count = 0;
  for (int d = 0; d < schema->rank; ++d) count += ragged_dimension_is_ragged(schema->dimensions[d]);
  return count;
}

int ragged_schema_space(const ragged_schema *schema, const char *axes[RAGGED_MAX_RANK]) {
  int count = 0;
  for (int k = 0; k < schema->rank; ++k) {
    const char *axis = schema->dimensions[schema->order[k]].axis;
    if (axis) axes[count++] = axis;
  }
  return count;
}

bool ragged_schema_same_space(const ragged_schema *a, const ragged_schema *b) {
  const char *a_axes[RAGGED_MAX_RANK], *b_axes[RAGGED_MAX_RANK];
  int count = ragged_schema_space(a, a_axes);
  if (ragged_schema_space(b, b_axes) != count) return false;
  for (int k = 0; k < count; ++k)
    if (strcmp(a_axes[k], b_axes[k]) != 0) return false;
  return true;
}

int ragged_schema_tail(const ragged_schema *schema, int64_t extents[RAGGED_MAX_RANK]) {
  int count = 0;
  for (int k = 0; k < schema->rank; ++k) {
    ragged_dimension dimension = schema->dimensions[schema->order[k]];
    if (!dimension.axis) extents[count++] = dimension.extent;
  }
  return count;
}

int64_t ragged_schema_tail_size(const ragged_schema *schema) {
  int64_t extents[RAGGED_MAX_RANK], size = 1;
  int count = ragged_schema_tail(schema, extents);
  for (int k = 0; k < count; ++k) size *= extents[k];
  return size;
}

int ragged_schema_packed_position(const ragged_schema *schema, int dimension) {
  for (int k = 0; k < schema->rank; ++k)
    if (schema->order[k] == dimension) return k;
  return -1;  // not a dimension of the schema
}
