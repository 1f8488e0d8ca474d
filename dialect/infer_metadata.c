// Result types of the ops that say what a value's structure is. Called through op_table.c.
#include "dialect/infer.h"

bool ragged_infer_extents(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema x;
  bool unknown;
  bool known = ragged_view_operand_schema(view, 0, &x, &unknown);
  if (!known && !unknown) return false;
  int64_t dim = ragged_view_int(view, "dim", -1);
  if (known && (dim < 0 || dim >= x.rank))
    return ragged_view_error_at(view, 0, "'dim' is %lld, but operand #0 has rank %d",
                                (long long)dim, x.rank);
  types[0] = ragged_infer_index_vector(view);
  *count = 1;
  return true;
}

bool ragged_infer_offsets(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema x;
  bool unknown;
  if (!ragged_view_operand_schema(view, 0, &x, &unknown) && !unknown) return false;
  types[0] = ragged_infer_index_vector(view);
  *count = 1;
  return true;
}

bool ragged_infer_size(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema x, result = {.element_type = RAGGED_ELEMENT_I64};
  ragged_rule_error error;
  int num_dims;
  int64_t dims[RAGGED_MAX_RANK];
  bool unknown;
  bool known = ragged_view_operand_schema(view, 0, &x, &unknown);
  if (!known && !unknown) return false;
  if (!ragged_view_int_array(view, "dims", &num_dims, dims)) return false;
  // A reduction demands the same of its dims.
  if (known && !ragged_rule_reduce(&x, num_dims, dims, false, &x, &error))
    return ragged_view_rule_error(view, &error);
  types[0] = ragged_view_has_unit(view, "batch")
                 ? ragged_type_dense(view->context, RAGGED_ELEMENT_I64, 0, NULL)
                 : ragged_type_from_schema(view->context, &result);
  *count = 1;
  return true;
}
