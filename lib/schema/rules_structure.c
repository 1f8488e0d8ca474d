// Ops that change a schema's shape or order and compute nothing: expand_dims, squeeze, transpose,
// reorder, broadcast, and renaming axes. Called by verifiers, inference, the interpreter and the
// lowering. Only reorder and broadcast may change where a value stands in its packed buffer.
#include <string.h>

#include "schema/rules_common.h"

bool ragged_rule_expand_dims(const ragged_schema *operand, int64_t dim, ragged_schema *out,
                             ragged_rule_error *error) {
  if (operand->rank == RAGGED_MAX_RANK)
    return ragged_rule_fail(error, 0, -1, "operand #0 has rank %d, the largest there is",
                            operand->rank);
  if (dim < 0 || dim > operand->rank)
    return ragged_rule_fail(error, 0, -1, "dim is %lld, expected 0 to %d for rank %d",
                            (long long)dim, operand->rank, operand->rank);
  ragged_schema result = {.element_type = operand->element_type, .rank = operand->rank + 1};
  for (int d = 0; d < operand->rank; ++d)
    result.dimensions[d < dim ? d : d + 1] = operand->dimensions[d];
  result.dimensions[dim] = ragged_dimension_static(1);
  for (int k = 0; k < operand->rank; ++k) {
    int d = operand->order[k];
    result.order[k] = d < dim ? d : d + 1;
  }
  result.order[operand->rank] = (int)dim;
  return ragged_rule_finish(&result, out, error);
}

bool ragged_rule_squeeze(const ragged_schema *operand, int num_dims, const int64_t *dims,
                         ragged_schema *out, ragged_rule_error *error) {
  bool dropped[RAGGED_MAX_RANK];
  if (!ragged_rule_select(operand->rank, num_dims, dims, "dims", dropped, error)) return false;
  for (int d = 0; d < operand->rank; ++d) {
    ragged_dimension dimension = operand->dimensions[d];
    if (!dropped[d] || ragged_dimension_equal(dimension, ragged_dimension_static(1))) continue;
    return ragged_rule_fail(
        error, 0, -1, "operand #0 has %s in dimension %d, expected %s to squeeze it",
        ragged_rule_describe(dimension).text, d, dimension.axis ? "static extent 1" : "1");
  }
  ragged_schema result = ragged_rule_drop(operand, dropped);
  return ragged_rule_finish(&result, out, error);
}

// True when `list` has one entry for each dimension, each dimension once.
static bool check_permutation(const ragged_schema *operand, int num_dims, const int64_t *list,
                              const char *name, ragged_rule_error *error) {
  bool selected[RAGGED_MAX_RANK];
  if (num_dims != operand->rank)
    return ragged_rule_fail(error, 0, -1, "%s has %d %s, expected %d as operand #0's rank", name,
                            num_dims, num_dims == 1 ? "entry" : "entries", operand->rank);
  return ragged_rule_select(operand->rank, num_dims, list, name, selected, error);
}

bool ragged_rule_transpose(const ragged_schema *operand, int num_dims, const int64_t *permutation,
                           ragged_schema *out, ragged_rule_error *error) {
  if (!check_permutation(operand, num_dims, permutation, "permutation", error)) return false;
  ragged_schema result = {.element_type = operand->element_type, .rank = operand->rank};
  int new_place[RAGGED_MAX_RANK] = {0};
  for (int d = 0; d < result.rank; ++d) {
    result.dimensions[d] = operand->dimensions[permutation[d]];
    new_place[permutation[d]] = d;
  }
  for (int k = 0; k < result.rank; ++k) result.order[k] = new_place[operand->order[k]];
  return ragged_rule_finish(&result, out, error);
}

bool ragged_rule_reorder(const ragged_schema *operand, int num_dims, const int64_t *order,
                         ragged_schema *out, ragged_rule_error *error) {
  if (!check_permutation(operand, num_dims, order, "order", error)) return false;
  ragged_schema result = *operand;
  for (int k = 0; k < num_dims; ++k) result.order[k] = (int)order[k];
  return ragged_rule_finish(&result, out, error);
}

// Whether two dimensions may be equal: extents that a builtin tensor's type does not say are negative.
static bool may_be_equal(ragged_dimension a, ragged_dimension b) {
  bool open = (!a.axis && a.extent < 0) || (!b.axis && b.extent < 0);
  return open || ragged_dimension_equal(a, b);
}

bool ragged_rule_may_broadcast(const ragged_schema *operand, int num_dims, const int64_t *dims,
                                 const ragged_schema *like, ragged_rule_error *error) {
  if (num_dims != operand->rank)
    return ragged_rule_fail(error, 0, -1, "dims has %d %s, expected %d as operand #0's rank", num_dims,
                            num_dims == 1 ? "entry" : "entries", operand->rank);
  bool used[RAGGED_MAX_RANK] = {false};
  for (int d = 0; d < num_dims; ++d) {
    if (dims[d] < 0 || dims[d] >= like->rank)
      return ragged_rule_fail(error, 0, 1,
                              "dims names dimension %lld of operand #1, which has rank %d",
                              (long long)dims[d], like->rank);
    if (used[dims[d]])
      return ragged_rule_fail(error, 0, 1, "dims names dimension %lld twice", (long long)dims[d]);
    used[dims[d]] = true;
    ragged_dimension found = operand->dimensions[d], expected = like->dimensions[dims[d]];
    if (ragged_dimension_equal(found, ragged_dimension_static(1)) ||
        may_be_equal(found, expected))
      continue;
    return ragged_rule_fail(
        error, 0, 1,
        "operand #0 has %s in dimension %d, expected 1 or %s as in dimension %lld of operand #1",
        ragged_rule_describe(found).text, d, ragged_rule_describe_expected(expected, found).text,
        (long long)dims[d]);
  }
  if (error) *error = (ragged_rule_error){.operand = -1, .other_operand = -1};
  return true;
}

bool ragged_rule_broadcast(const ragged_schema *operand, int num_dims, const int64_t *dims,
                           const ragged_schema *like, ragged_schema *out,
                           ragged_rule_error *error) {
  if (!ragged_rule_may_broadcast(operand, num_dims, dims, like, error)) return false;
  ragged_schema result = *like;
  result.element_type = operand->element_type;
  return ragged_rule_finish(&result, out, error);
}

bool ragged_rule_rename_axes(const ragged_schema *operand, int num_dims, const int64_t *dims,
                             const char *to, ragged_schema *out, ragged_rule_error *error) {
  bool renamed[RAGGED_MAX_RANK];
  if (!ragged_rule_select(operand->rank, num_dims, dims, "dims", renamed, error)) return false;
  ragged_schema result = *operand;
  for (int d = 0; d < result.rank; ++d) {
    if (!renamed[d]) continue;
    if (!result.dimensions[d].axis)
      return ragged_rule_fail(error, 0, -1, "operand #0 has %s in dimension %d, expected an axis",
                              ragged_rule_describe(result.dimensions[d]).text, d);
    result.dimensions[d] = ragged_dimension_ragged(to);
  }
  return ragged_rule_finish(&result, out, error);
}
