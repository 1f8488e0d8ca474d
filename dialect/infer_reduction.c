// Result types of the reductions. Called through op_table.c.
#include "dialect/infer.h"

// What a reduction of the operand's elements gives: a sum of truth values counts them.
static ragged_element_type result_element(const ragged_op_view *view) {
  ragged_element_type element = ragged_infer_element(view, 0);
  return element == RAGGED_ELEMENT_I1 ? RAGGED_ELEMENT_I64 : element;
}

static bool infer(const ragged_op_view *view, bool floats_only, MlirType *types, intptr_t *count) {
  ragged_schema x, result;
  ragged_rule_error error;
  int num_dims, rank;
  int64_t dims[RAGGED_MAX_RANK], shape[RAGGED_MAX_RANK];
  bool unknown;
  bool known = ragged_view_operand_schema(view, 0, &x, &unknown);
  if (!known && !unknown) return false;
  if (floats_only && !ragged_infer_expect_float(view, 0)) return false;
  if (!ragged_view_int_array(view, "dims", &num_dims, dims)) return false;
  bool keep_dims = ragged_view_has_unit(view, "keep_dims");
  bool batch = ragged_view_has_unit(view, "batch");
  if (!known && batch)
    return ragged_infer_declared_dense(view, result_element(view), types, count);
  if (!known) {
    types[0] = ragged_type_unknown(view->context, result_element(view));
    *count = 1;
    return true;
  }
  x.element_type = result_element(view);
  if (!batch) {
    if (!ragged_rule_reduce(&x, num_dims, dims, keep_dims, &result, &error))
      return ragged_view_rule_error(view, &error);
    return ragged_infer_schema(view, &result, types, count);
  }
  if (!ragged_rule_reduce_batch(&x, num_dims, dims, keep_dims, shape, &rank, &error))
    return ragged_view_rule_error(view, &error);
  types[0] = ragged_type_dense(view->context, x.element_type, rank, shape);
  *count = 1;
  return true;
}

bool ragged_infer_sum(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  return infer(view, false, types, count);
}

bool ragged_infer_max(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_element_type element;
  if (ragged_type_get_element(ragged_view_operand_type(view, 0), &element) &&
      !ragged_infer_expect_number(view, 0))
    return false;
  return infer(view, false, types, count);
}

bool ragged_infer_mean(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  return infer(view, true, types, count);
}
