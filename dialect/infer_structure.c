// Result types of the ops that change schemas. Called through op_table.c.
#include <string.h>

#include "dialect/infer.h"
#include "mlir-c/BuiltinAttributes.h"

// Whether the schemas differ only in where static dimensions of extent 1 stand in the packed order,
// which no position of the values depends on.
static bool same_positions(const ragged_schema *a, const ragged_schema *b) {
  ragged_schema ordered = *b;
  if (a->rank != b->rank) return false;
  for (int i = 0, j = 0; i < a->rank || j < b->rank;) {
    bool unit_a = i < a->rank && ragged_dimension_equal(a->dimensions[a->order[i]],
                                                        ragged_dimension_static(1));
    bool unit_b = j < b->rank && ragged_dimension_equal(b->dimensions[b->order[j]],
                                                        ragged_dimension_static(1));
    if (unit_a) ++i;
    else if (unit_b) ++j;
    else if (i == a->rank || j == b->rank || a->order[i++] != b->order[j++]) return false;
  }
  for (int k = 0; k < a->rank; ++k) ordered.order[k] = a->order[k];
  return ragged_schema_equal(a, &ordered);
}

bool ragged_infer_expand_dims(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema x, result;
  ragged_rule_error error;
  bool unknown;
  if (!ragged_view_operand_schema(view, 0, &x, &unknown))
    return unknown && ragged_infer_unknown(view, 0, types, count);
  if (!ragged_rule_expand_dims(&x, ragged_view_int(view, "dim", -1), &result, &error))
    return ragged_view_rule_error(view, &error);
  // The 1 may be declared anywhere among the static dimensions of the packed order.
  ragged_schema declared;
  if (view->num_results == 1 && ragged_type_get_schema(view->results[0], &declared) &&
      same_positions(&declared, &result))
    result = declared;
  return ragged_infer_schema(view, &result, types, count);
}

typedef bool (*dims_rule)(const ragged_schema *, int, const int64_t *, ragged_schema *,
                          ragged_rule_error *);

// Ops of one operand and one integer array.
static bool infer_with_dims(const ragged_op_view *view, const char *attribute, dims_rule rule,
                            MlirType *types, intptr_t *count) {
  ragged_schema x, result;
  ragged_rule_error error;
  int num_dims;
  int64_t dims[RAGGED_MAX_RANK];
  bool unknown;
  bool known = ragged_view_operand_schema(view, 0, &x, &unknown);
  if (!known && !unknown) return false;
  if (!ragged_view_int_array(view, attribute, &num_dims, dims)) return false;
  if (!known) return ragged_infer_unknown(view, 0, types, count);
  if (!rule(&x, num_dims, dims, &result, &error)) return ragged_view_rule_error(view, &error);
  return ragged_infer_schema(view, &result, types, count);
}

bool ragged_infer_squeeze(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  return infer_with_dims(view, "dims", ragged_rule_squeeze, types, count);
}

bool ragged_infer_transpose(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  return infer_with_dims(view, "permutation", ragged_rule_transpose, types, count);
}

bool ragged_infer_reorder(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  return infer_with_dims(view, "order", ragged_rule_reorder, types, count);
}

// C1: what is repeated, and what like. `out_dense`: both are builtin.
static bool get_broadcast_operands(const ragged_op_view *view, ragged_schema *x, ragged_schema *like,
                                   bool *out_x_unknown, bool *out_like_unknown, bool *out_dense) {
  MlirType type = ragged_view_operand_type(view, 0), like_type = ragged_view_operand_type(view, 1);
  *out_dense = ragged_type_get_dense(like_type, like);
  *out_like_unknown = ragged_type_is_unknown(like_type);
  if (!*out_dense && !*out_like_unknown && !ragged_type_get_schema(like_type, like))
    return ragged_infer_operand_error(view, 1, "a ragged or a builtin tensor");
  *out_x_unknown = !*out_dense && ragged_type_is_unknown(type);
  if (*out_x_unknown || (!*out_dense && ragged_type_get_schema(type, x))) return true;
  bool dense = ragged_type_get_dense(type, x);
  for (int d = 0; !*out_dense && dense && d < x->rank; ++d) dense = x->dimensions[d].extent >= 0;
  if (dense) return true;
  if (ragged_type_is_scalar(type)) {
    *x = (ragged_schema){0};
    return ragged_type_get_element(type, &x->element_type);
  }
  return ragged_infer_operand_error(
      view, 0, *out_dense ? "a builtin tensor or a scalar, like operand #1"
                          : "a ragged tensor, a builtin tensor of static shape or a scalar");
}

bool ragged_infer_broadcast(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema x, like, result;
  ragged_rule_error error;
  int num_dims;
  int64_t dims[RAGGED_MAX_RANK];
  bool x_unknown, like_unknown, dense;
  if (!get_broadcast_operands(view, &x, &like, &x_unknown, &like_unknown, &dense)) return false;
  if (!ragged_view_int_array(view, "dims", &num_dims, dims)) return false;
  if (like_unknown) return ragged_infer_unknown(view, 0, types, count);
  if (x_unknown) {  // the result does not hang on the operand's dimensions
    result = like;
    ragged_type_get_element(ragged_view_operand_type(view, 0), &result.element_type);
    return ragged_infer_schema(view, &result, types, count);
  }
  if (dense) {
    if (!ragged_rule_may_broadcast(&x, num_dims, dims, &like, &error))
      return ragged_view_rule_error(view, &error);
    ragged_infer_dense(view, x.element_type, &like, types, count);
    return true;
  }
  if (!ragged_rule_broadcast(&x, num_dims, dims, &like, &result, &error))
    return ragged_view_rule_error(view, &error);
  return ragged_infer_schema(view, &result, types, count);
}

bool ragged_infer_full(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema like;
  MlirType type = ragged_view_operand_type(view, 1);
  if (!ragged_type_is_scalar(ragged_view_operand_type(view, 0)))
    return ragged_infer_operand_error(view, 0, "a scalar of f64, f32, bf16, i64 or i1");
  if (ragged_type_get_dense(type, &like)) {
    ragged_infer_dense(view, ragged_infer_element(view, 0), &like, types, count);
    return true;
  }
  if (ragged_type_is_unknown(type)) return ragged_infer_unknown(view, 0, types, count);
  if (!ragged_type_get_schema(type, &like))
    return ragged_infer_operand_error(view, 1, "a ragged or a builtin tensor");
  like.element_type = ragged_infer_element(view, 0);
  return ragged_infer_schema(view, &like, types, count);
}

bool ragged_infer_assume_same_axis(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema x, like, result;
  ragged_rule_error error;
  int num_dims;
  int64_t dims[RAGGED_MAX_RANK];
  bool x_unknown, like_unknown;
  bool x_known = ragged_view_operand_schema(view, 0, &x, &x_unknown);
  if (!x_known && !x_unknown) return false;
  bool like_known = ragged_view_operand_schema(view, 1, &like, &like_unknown);
  if (!like_known && !like_unknown) return false;
  if (!ragged_view_int_array(view, "dims", &num_dims, dims)) return false;
  const char *to = ragged_view_string(view, "to");  // compared as a string: no null inside
  if (!to || strlen(to) != mlirStringAttrGetValue(ragged_view_attribute(view, "to")).length)
    return ragged_view_error(view, "'to' is no axis");
  bool found = !like_known;
  for (int d = 0; !found && d < like.rank; ++d)
    found = like.dimensions[d].axis && !strcmp(like.dimensions[d].axis, to);
  if (!found)
    return ragged_view_error_at(view, 1, "'to' is \"%s\", which is no axis of operand #1", to);
  // Until `like` is known, `to` is not known to be an axis.
  if (!x_known || !like_known) return ragged_infer_unknown(view, 0, types, count);
  if (!ragged_rule_rename_axes(&x, num_dims, dims, to, &result, &error))
    return ragged_view_rule_error(view, &error);
  return ragged_infer_schema(view, &result, types, count);
}

bool ragged_infer_schema_cast(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema x;
  bool unknown;
  if (!ragged_view_operand_schema(view, 0, &x, &unknown) && !unknown) return false;
  // The declared type may be `*` where this is not, or the reverse: op_table.c compares.
  types[0] = ragged_view_operand_type(view, 0);
  *count = 1;
  return true;
}
