// linear: a static feature dimension times a dense weight [out, in], or [in, out] where transposed.
// product_over_rows: rows times rows. Called by the verifier, inference, the interpreter and the
// lowering. Sees dense operands by their extents only.
#include "schema/rules_common.h"
#include "support/checked.h"

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

// Operand k has dimension dims[k], which is static.
static bool check_contracted(const ragged_schema *operand, int k, const int64_t dims[2],
                             ragged_rule_error *error) {
  if (dims[k] < 0 || dims[k] >= operand->rank)
    return ragged_rule_fail(error, k, -1,
                            "dims names dimension %lld of operand #%d, which has rank %d",
                            (long long)dims[k], k, operand->rank);
  const char *axis = operand->dimensions[dims[k]].axis;
  if (!axis) return true;
  return ragged_rule_fail(error, k, -1,
                          "operand #%d has axis %.120s in dimension %lld, product_over_rows needs a "
                          "static one",
                          k, axis, (long long)dims[k]);
}

bool ragged_rule_product_over_rows(const ragged_schema *x, const ragged_schema *dy,
                                   const int64_t dims[2], int64_t shape[2],
                                   ragged_rule_error *error) {
  if (!check_contracted(x, 0, dims, error) || !check_contracted(dy, 1, dims, error)) return false;
  if (x->element_type != dy->element_type)
    return ragged_rule_fail(error, 1, 0, "operand #1 has element type %s, expected %s as in operand #0",
                            ragged_element_name(dy->element_type),
                            ragged_element_name(x->element_type));
  if (x->rank != dy->rank)
    return ragged_rule_fail(error, 1, 0, "operand #1 has rank %d, expected %d as in operand #0",
                            dy->rank, x->rank);
  for (int k = 0; k + 1 < x->rank; ++k) {  // the k-th of those that are left
    int of_x = k < dims[0] ? k : k + 1, of_dy = k < dims[1] ? k : k + 1;
    ragged_dimension expected = x->dimensions[of_x], found = dy->dimensions[of_dy];
    if (ragged_dimension_equal(expected, found)) continue;
    return ragged_rule_fail(error, 1, 0,
                            "operand #1 has %s in dimension %d, expected %s as in dimension %d of "
                            "operand #0",
                            ragged_rule_describe(found).text, of_dy,
                            ragged_rule_describe_expected(expected, found).text, of_x);
  }
  shape[0] = dy->dimensions[dims[1]].extent;
  shape[1] = x->dimensions[dims[0]].extent;
  int64_t elements;
  if (!ragged_checked_multiply(shape[0], shape[1], &elements))
    return ragged_rule_fail(error, 1, 0, "result: %lld x %lld elements do not fit 63 bits",
                            (long long)shape[0], (long long)shape[1]);
  if (error) *error = (ragged_rule_error){.operand = -1, .other_operand = -1};
  return true;
}
