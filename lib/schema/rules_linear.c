// linear: a static feature dimension times a dense weight [out, in], or [in, out] where transposed.
// Called by the verifier, inference, the interpreter and the lowering. Sees the dense operands by
// their extents only.
#include "schema/rules_common.h"

// Operand numbers of the op: what messages and positions speak of.
enum { INPUT = 0, WEIGHT = 1, BIAS = 2 };

bool ragged_rule_linear(const ragged_schema *operand, int64_t dim, const int64_t weight[2],
                        bool transposed, int64_t bias_extent, ragged_schema *out,
                        ragged_rule_error *error) {
  int in_dimension = transposed ? 0 : 1, out_dimension = transposed ? 1 : 0;
  int64_t weight_out = weight[out_dimension], weight_in = weight[in_dimension];
  bool selected[RAGGED_MAX_RANK];
  if (!ragged_rule_select(operand->rank, 1, &dim, "dim", selected, error)) return false;
  if (weight_out < 0 || weight_in < 0)
    return ragged_rule_fail(error, WEIGHT, -1,
                            "operand #1 (weight) has a dynamic extent, expected static ones");
  ragged_dimension features = operand->dimensions[dim];
  if (features.axis)
    return ragged_rule_fail(error, INPUT, -1,
                            "operand #0 has axis %.120s in dimension %lld, linear needs a static "
                            "one",
                            features.axis, (long long)dim);
  if (features.extent != weight_in)
    return ragged_rule_fail(error, INPUT, WEIGHT,
                            "operand #0 has extent %lld in dimension %lld, expected %lld as in "
                            "dimension %d of operand #1 (weight)",
                            (long long)features.extent, (long long)dim, (long long)weight_in,
                            in_dimension);
  if (bias_extent >= 0 && bias_extent != weight_out)
    return ragged_rule_fail(error, BIAS, WEIGHT,
                            "operand #2 (bias) has extent %lld, expected %lld as in dimension %d of "
                            "operand #1 (weight)",
                            (long long)bias_extent, (long long)weight_out, out_dimension);
  ragged_schema result = *operand;
  result.dimensions[dim].extent = weight_out;
  return ragged_rule_finish(&result, out, error);
}
