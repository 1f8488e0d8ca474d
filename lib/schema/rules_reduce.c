// Reductions over dimensions of a sample and, in the batch form, over the batch too; and the ops
// that keep their operand's schema but need static dimensions. Called by verifiers, inference, the
// interpreter and the lowering. Must not care what is reduced with which operation.
#include "schema/rules_common.h"

// Ragged before static, the relative order otherwise kept.
static void move_static_behind_ragged(ragged_schema *schema) {
  int old[RAGGED_MAX_RANK] = {0}, position = 0;
  for (int k = 0; k < schema->rank; ++k) old[k] = schema->order[k];
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < schema->rank; ++k)
      if (ragged_dimension_is_ragged(schema->dimensions[old[k]]) == (pass == 0))
        schema->order[position++] = old[k];
}

bool ragged_rule_reduce(const ragged_schema *operand, int num_dims, const int64_t *dims,
                        bool keep_dims, ragged_schema *out, ragged_rule_error *error) {
  bool reduced[RAGGED_MAX_RANK];
  if (!ragged_rule_select(operand->rank, num_dims, dims, "dims", reduced, error)) return false;
  ragged_schema result;
  if (keep_dims) {
    result = *operand;
    for (int d = 0; d < result.rank; ++d)
      if (reduced[d]) result.dimensions[d] = ragged_dimension_static(1);
    move_static_behind_ragged(&result);
  } else {
    result = ragged_rule_drop(operand, reduced);
  }
  return ragged_rule_finish(&result, out, error);
}

bool ragged_rule_reduce_batch(const ragged_schema *operand, int num_dims, const int64_t *dims,
                              bool keep_dims, int64_t shape[RAGGED_MAX_RANK], int *out_rank,
                              ragged_rule_error *error) {
  bool reduced[RAGGED_MAX_RANK];
  if (!ragged_rule_select(operand->rank, num_dims, dims, "dims", reduced, error)) return false;
  for (int d = 0; d < operand->rank; ++d)
    if (operand->dimensions[d].axis && !reduced[d])
      return ragged_rule_fail(error, 0, -1,
                              "dimension %d of operand #0 is ragged (axis %.120s) and not in dims; "
                              "a reduction over the batch must list every ragged dimension",
                              d, operand->dimensions[d].axis);
  int rank = 0;
  for (int d = 0; d < operand->rank; ++d) {
    if (!reduced[d])
      shape[rank++] = operand->dimensions[d].extent;
    else if (keep_dims)
      shape[rank++] = 1;
  }
  *out_rank = rank;
  if (error) *error = (ragged_rule_error){.operand = -1, .other_operand = -1};
  return true;
}

bool ragged_rule_static_dims(const ragged_schema *operand, int num_dims, const int64_t *dims,
                             const char *what, ragged_rule_error *error) {
  bool selected[RAGGED_MAX_RANK];
  if (num_dims < 1)
    return ragged_rule_fail(error, 0, -1, "dims is empty, %s needs at least one dimension", what);
  if (!ragged_rule_select(operand->rank, num_dims, dims, "dims", selected, error)) return false;
  for (int k = 0; k < num_dims; ++k) {
    const char *axis = operand->dimensions[dims[k]].axis;
    if (axis)
      return ragged_rule_fail(error, 0, -1,
                              "operand #0 has axis %.120s in dimension %lld, %s needs a static one",
                              axis, (long long)dims[k], what);
  }
  if (error) *error = (ragged_rule_error){.operand = -1, .other_operand = -1};
  return true;
}
