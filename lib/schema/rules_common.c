// What the rules share: see the header. Called by the rules_*.c files. Must not know any op.
#include "schema/rules_common.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool ragged_rule_fail(ragged_rule_error *error, int operand, int other_operand, const char *format,
                      ...) {
  if (!error) return false;
  error->operand = operand;
  error->other_operand = other_operand;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  // Long axis expressions can fill the message; show that it goes on.
  if (length >= (int)sizeof error->message)
    memcpy(error->message + sizeof error->message - 4, "...", 4);
  return false;
}

bool ragged_rule_finish(const ragged_schema *result, ragged_schema *out, ragged_rule_error *error) {
  ragged_status status = ragged_schema_validate(result);
  if (status) {
    ragged_rule_fail(error, -1, -1, "result: %s", ragged_status_message(status));
    ragged_status_free(status);
    return false;
  }
  *out = *result;
  if (error) *error = (ragged_rule_error){.operand = -1, .other_operand = -1};
  return true;
}

bool ragged_rule_select(int rank, int num_dims, const int64_t *dims, const char *list,
                        bool selected[RAGGED_MAX_RANK], ragged_rule_error *error) {
  memset(selected, 0, sizeof(bool) * RAGGED_MAX_RANK);
  for (int k = 0; k < num_dims; ++k) {
    if (dims[k] < 0 || dims[k] >= rank)
      return rank == 0 ? ragged_rule_fail(error, 0, -1,
                                          "%s names dimension %lld, but operand #0 has rank 0",
                                          list, (long long)dims[k])
                       : ragged_rule_fail(error, 0, -1,
                                          "%s names dimension %lld, expected 0 to %d for rank %d",
                                          list, (long long)dims[k], rank - 1, rank);
    if (selected[dims[k]])
      return ragged_rule_fail(error, 0, -1, "%s names dimension %lld twice", list,
                              (long long)dims[k]);
    selected[dims[k]] = true;
  }
  return true;
}

static ragged_dimension_text describe(ragged_dimension dimension, bool with_kind) {
  ragged_dimension_text out;
  if (dimension.axis)
    snprintf(out.text, sizeof out.text, "%s%.120s", with_kind ? "axis " : "", dimension.axis);
  else
    snprintf(out.text, sizeof out.text, "%s%lld", with_kind ? "extent " : "",
             (long long)dimension.extent);
  return out;
}

ragged_dimension_text ragged_rule_describe(ragged_dimension dimension) {
  return describe(dimension, true);
}

ragged_dimension_text ragged_rule_describe_expected(ragged_dimension expected,
                                                    ragged_dimension found) {
  return describe(expected,
                  ragged_dimension_is_ragged(expected) != ragged_dimension_is_ragged(found));
}

ragged_schema ragged_rule_drop(const ragged_schema *schema, const bool dropped[RAGGED_MAX_RANK]) {
  ragged_schema result = {.element_type = schema->element_type};
  int renumbered[RAGGED_MAX_RANK] = {0};
  for (int d = 0; d < schema->rank; ++d) {
    if (dropped[d]) continue;
    renumbered[d] = result.rank;
    result.dimensions[result.rank++] = schema->dimensions[d];
  }
  int position = 0;
  for (int k = 0; k < schema->rank; ++k) {
    int d = schema->order[k];
    if (!dropped[d]) result.order[position++] = renumbered[d];
  }
  return result;
}
