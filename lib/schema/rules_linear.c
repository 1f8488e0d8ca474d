// linear: a static feature dimension times a dense weight [out, in]. Called by the verifier,
// inference, the interpreter and the lowering. Sees the dense operands by their extents only.
#include "schema/rules_common.h"

// Operand numbers of the op: what messages and positions speak of.
enum { INPUT = 0, WEIGHT = 1, BIAS = 2 };

bool ragged_rule_linear(const ragged_schema *operand, int64_t dim, int64_t weight_out,
                        int64_t weight_in, int64_t bias_extent, ragged_schema *out,
                        ragged_rule_error *error) {
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
                            "dimension 1 of operand #1 (weight)",
                            (long long)features.extent, (long long)dim, (long long)weight_in);
  if (bias_extent >= 0 && bias_extent != weight_out)
    return ragged_rule_fail(error, BIAS, WEIGHT,
                            "operand #2 (bias) has extent %lld, expected %lld as in dimension 0 of "
                            "operand #1 (weight)",
                            (long long)bias_extent, (long long)weight_out);
  ragged_schema result = *operand;
  result.dimensions[dim].extent = weight_out;
  return ragged_rule_finish(&result, out, error);
}
