// Result types of products with dense weights and of rows. Called through op_table.c.
#include "dialect/infer.h"

// A builtin tensor of `rank` static extents with the element type of x (C2, C3).
static bool get_weight(const ragged_op_view *view, intptr_t k, int rank, const char *expected,
                       ragged_schema *out) {
  bool ok = ragged_type_get_dense(ragged_view_operand_type(view, k), out) && out->rank == rank;
  for (int d = 0; ok && d < rank; ++d) ok = out->dimensions[d].extent >= 0;
  if (!ok) return ragged_infer_operand_error(view, k, expected);
  ragged_element_type element;
  if (ragged_type_get_element(ragged_view_operand_type(view, 0), &element) &&
      element == out->element_type)
    return true;
  return ragged_view_error_at(view, 0, "operand #%d has element type %s, expected that of operand "
                              "#0", (int)k, ragged_element_name(out->element_type));
}

bool ragged_infer_linear(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema x, weight, bias, result;
  ragged_rule_error error;
  bool unknown;
  bool known = ragged_view_operand_schema(view, 0, &x, &unknown);
  if (!known && !unknown) return false;
  if (!ragged_infer_expect_number(view, 0)) return false;
  bool transposed = ragged_view_has_unit(view, "transposed");
  if (!get_weight(view, 1, 2,
                  transposed ? "a builtin tensor of static shape [in, out]"
                             : "a builtin tensor of static shape [out, in]",
                  &weight))
    return false;
  int64_t bias_extent = -1;
  if (view->num_operands > 2) {
    if (!get_weight(view, 2, 1, "a builtin tensor of static shape [out]", &bias)) return false;
    bias_extent = bias.dimensions[0].extent;
  }
  if (!known) return ragged_infer_unknown(view, 0, types, count);
  const int64_t shape[] = {weight.dimensions[0].extent, weight.dimensions[1].extent};
  if (!ragged_rule_linear(&x, ragged_view_int(view, "dim", -1), shape, transposed, bias_extent,
                          &result, &error))
    return ragged_view_rule_error(view, &error);
  return ragged_infer_schema(view, &result, types, count);
}

bool ragged_infer_product_over_rows(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema x, dy;
  ragged_rule_error error;
  bool x_unknown, dy_unknown;
  int num_dims;
  int64_t dims[RAGGED_MAX_RANK], shape[2];
  bool x_known = ragged_view_operand_schema(view, 0, &x, &x_unknown);
  if (!x_known && !x_unknown) return false;
  bool dy_known = ragged_view_operand_schema(view, 1, &dy, &dy_unknown);
  if (!dy_known && !dy_unknown) return false;
  if (!ragged_view_int_array(view, "dims", &num_dims, dims)) return false;
  if (num_dims != 2)
    return ragged_view_error(view, "dims has %d numbers, expected 2: a dimension of each operand",
                             num_dims);
  ragged_element_type x_element, dy_element;
  if (ragged_type_get_element(ragged_view_operand_type(view, 0), &x_element) &&
      ragged_type_get_element(ragged_view_operand_type(view, 1), &dy_element) &&
      x_element != dy_element)
    return ragged_view_error_at(view, 0, "operand #1 has element type %s, expected %s as in operand "
                                "#0", ragged_element_name(dy_element), ragged_element_name(x_element));
  if (!ragged_infer_expect_number(view, 0)) return false;
  if (!x_known || !dy_known)
    return ragged_infer_declared_dense(view, ragged_infer_element(view, 0), types, count);
  if (!ragged_rule_product_over_rows(&x, &dy, dims, shape, &error))
    return ragged_view_rule_error(view, &error);
  types[0] = ragged_type_dense(view->context, x.element_type, 2, shape);
  *count = 1;
  return true;
}
