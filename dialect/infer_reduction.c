// Result types of the reductions. Called through op_table.c.
#include "dialect/infer.h"

// What a reduction of the operand's elements gives: a sum of truth values counts them.
static ragged_element_type result_element(const ragged_op_view *view) {
  ragged_element_type element = ragged_infer_element(view, 0);
  return element == RAGGED_ELEMENT_I1 ? RAGGED_ELEMENT_I64 : element;
}

// The static dimensions that are left, as a builtin tensor. Extents of a builtin operand that its type
// does not say stay open.
static bool infer_dense(const ragged_op_view *view, const ragged_schema *x, int num_dims,
                        const int64_t *dims, bool keep_dims, MlirType *types, intptr_t *count) {
  ragged_rule_error error;
  int64_t shape[RAGGED_MAX_RANK];
  int rank;
  if (!ragged_rule_reduce_batch(x, num_dims, dims, keep_dims, shape, &rank, &error))
    return ragged_view_rule_error(view, &error);
  types[0] = ragged_type_dense(view->context, x->element_type, rank, shape);
  *count = 1;
  return true;
}

// C1: a ragged or a builtin tensor.
static bool get_operand(const ragged_op_view *view, ragged_schema *out, bool *out_dense,
                        bool *out_unknown) {
  MlirType type = ragged_view_operand_type(view, 0);
  *out_dense = ragged_type_get_dense(type, out);
  *out_unknown = ragged_type_is_unknown(type);
  if (*out_dense || *out_unknown || ragged_type_get_schema(type, out)) return true;
  return ragged_infer_operand_error(view, 0, "a ragged tensor or a builtin tensor of f64, f32, bf16, "
                                    "i64 or i1");
}

static bool infer(const ragged_op_view *view, bool floats_only, MlirType *types, intptr_t *count) {
  ragged_schema x, result;
  ragged_rule_error error;
  int num_dims;
  int64_t dims[RAGGED_MAX_RANK];
  bool dense, unknown;
  if (!get_operand(view, &x, &dense, &unknown)) return false;
  if (floats_only && !ragged_infer_expect_float(view, 0)) return false;
  if (!ragged_view_int_array(view, "dims", &num_dims, dims)) return false;
  bool keep_dims = ragged_view_has_unit(view, "keep_dims");
  bool batch = ragged_view_has_unit(view, "batch");
  if (unknown && batch)
    return ragged_infer_declared_dense(view, result_element(view), types, count);
  if (unknown) {
    types[0] = ragged_type_unknown(view->context, result_element(view));
    *count = 1;
    return true;
  }
  if (batch && dense)
    return ragged_view_error_at(view, 0, "operand #0 is a builtin tensor, which has no batch to "
                                "reduce over");
  x.element_type = result_element(view);
  if (batch || dense) return infer_dense(view, &x, num_dims, dims, keep_dims, types, count);
  if (!ragged_rule_reduce(&x, num_dims, dims, keep_dims, &result, &error))
    return ragged_view_rule_error(view, &error);
  return ragged_infer_schema(view, &result, types, count);
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
