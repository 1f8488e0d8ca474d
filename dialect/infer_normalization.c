// Result types of the normalisations. Called through op_table.c.
#include "dialect/infer.h"

static const int kMostParameters = 2;  // scale, bias

// C3 while x is not known: builtin tensors of x's element type, all of one static shape.
static bool check_parameter_kinds(const ragged_op_view *view) {
  for (intptr_t k = 1; k < view->num_operands; ++k) {
    ragged_schema shape;
    ragged_element_type element;
    if (!ragged_type_get_dense(ragged_view_operand_type(view, k), &shape))
      return ragged_infer_operand_error(view, k, "a builtin tensor");
    if (ragged_type_get_element(ragged_view_operand_type(view, 0), &element) &&
        element != shape.element_type)
      return ragged_view_error_at(view, 0, "operand #%d has element type %s, expected %s as in "
                                  "operand #0", (int)k, ragged_element_name(shape.element_type),
                                  ragged_element_name(element));
  }
  return true;
}

bool ragged_infer_layer_norm(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema x;
  ragged_rule_error error;
  int num_dims;
  int64_t dims[RAGGED_MAX_RANK], shape[RAGGED_MAX_RANK];
  bool unknown;
  bool known = ragged_view_operand_schema(view, 0, &x, &unknown);
  if (!known && !unknown) return false;
  if (!ragged_infer_expect_float(view, 0)) return false;
  if (view->num_operands - 1 > kMostParameters)
    return ragged_view_error(view, "has %d parameters, expected at most a scale and a bias",
                             (int)view->num_operands - 1);
  double eps = ragged_view_float(view, "eps", -1);
  if (!(eps >= 0)) return ragged_view_error(view, "'eps' is %g, expected 0 or more", eps);
  if (!ragged_view_int_array(view, "dims", &num_dims, dims) || !check_parameter_kinds(view))
    return false;
  if (!known) return ragged_infer_unknown(view, 0, types, count);
  if (!ragged_rule_static_dims(&x, num_dims, dims, "layer_norm", &error))
    return ragged_view_rule_error(view, &error);
  for (int k = 0; k < num_dims; ++k) shape[k] = x.dimensions[dims[k]].extent;
  MlirType parameter = ragged_type_dense(view->context, x.element_type, num_dims, shape);
  for (intptr_t k = 1; k < view->num_operands; ++k)
    if (!ragged_infer_expect_type(view, k, parameter)) return false;
  return ragged_infer_schema(view, &x, types, count);
}

bool ragged_infer_softmax(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema x;
  ragged_rule_error error;
  bool unknown;
  bool known = ragged_view_operand_schema(view, 0, &x, &unknown);
  if (!known && !unknown) return false;
  if (!ragged_infer_expect_float(view, 0)) return false;
  if (!known) return ragged_infer_unknown(view, 0, types, count);
  int64_t dim = ragged_view_int(view, "dim", -1);
  if (!ragged_rule_static_dims(&x, 1, &dim, "softmax", &error))
    return ragged_view_rule_error(view, &error);
  return ragged_infer_schema(view, &x, types, count);
}
