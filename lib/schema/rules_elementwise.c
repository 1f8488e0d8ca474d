// Elementwise ops: NumPy broadcasting on logical dimensions, whatever the packed orders. Called by
// verifiers, inference, the interpreter and the lowering. Must not look at sizes of axes: two axes
// are equal when their texts are.
#include "schema/rules_common.h"

static bool is_static_one(ragged_dimension dimension) {
  return !dimension.axis && dimension.extent == 1;
}

static bool check_operand_kinds(int num_operands, const ragged_schema *operands,
                                ragged_rule_error *error) {
  for (int k = 1; k < num_operands; ++k) {
    if (operands[k].rank != operands[0].rank)
      return ragged_rule_fail(error, k, 0, "operand #%d has rank %d, expected %d as in operand #0 (ragged.expand_dims adds "
                              "dimensions)",
                              k, operands[k].rank, operands[0].rank);
    if (operands[k].element_type != operands[0].element_type)
      return ragged_rule_fail(error, k, 0,
                              "operand #%d has element type %s, expected %s as in operand #0", k,
                              ragged_element_name(operands[k].element_type),
                              ragged_element_name(operands[0].element_type));
  }
  return true;
}

// The one dimension `d` of the result: that of the first operand that does not broadcast there.
static bool broadcast_dimension(int num_operands, const ragged_schema *operands, int d,
                                ragged_dimension *out, ragged_rule_error *error) {
  int chosen = -1;
  for (int k = 0; k < num_operands; ++k) {
    ragged_dimension dimension = operands[k].dimensions[d];
    if (is_static_one(dimension)) continue;
    if (chosen < 0) {
      chosen = k;
    } else if (!ragged_dimension_equal(dimension, operands[chosen].dimensions[d])) {
      ragged_dimension expected = operands[chosen].dimensions[d];
      return ragged_rule_fail(error, k, chosen,
                              "operand #%d has %s in dimension %d, expected %s as in operand #%d",
                              k, ragged_rule_describe(dimension).text, d,
                              ragged_rule_describe_expected(expected, dimension).text, chosen);
    }
  }
  *out = operands[chosen < 0 ? 0 : chosen].dimensions[d];
  return true;
}

static bool is_ragged_wherever(const ragged_schema *operand, const ragged_schema *result) {
  for (int d = 0; d < result->rank; ++d)
    if (result->dimensions[d].axis && !operand->dimensions[d].axis) return false;
  return true;
}

bool ragged_rule_elementwise(int num_operands, const ragged_schema *operands, ragged_schema *out,
                             ragged_rule_error *error) {
  if (num_operands < 1) return ragged_rule_fail(error, -1, -1, "found no operand, expected one");
  if (!check_operand_kinds(num_operands, operands, error)) return false;
  ragged_schema result = {.element_type = operands[0].element_type, .rank = operands[0].rank};
  for (int d = 0; d < result.rank; ++d)
    if (!broadcast_dimension(num_operands, operands, d, &result.dimensions[d], error)) return false;

  // An operand's order fits the result when both are ragged in the same places: a ragged dimension
  // of an operand is always one of the result.
  ragged_schema_set_default_order(&result);
  for (int k = 0; k < num_operands; ++k) {
    if (!is_ragged_wherever(&operands[k], &result)) continue;
    for (int d = 0; d < result.rank; ++d) result.order[d] = operands[k].order[d];
    break;
  }
  return ragged_rule_finish(&result, out, error);
}
