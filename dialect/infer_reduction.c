// Result types of the reductions. Called through op_table.c.
#include <string.h>

#include "dialect/infer.h"

// What is reduced, and how.
typedef struct dimensions {
  int count;
  int64_t list[RAGGED_MAX_RANK];
  bool keep, batch;
} dimensions;

static bool get_dimensions(const ragged_op_view *view, dimensions *out) {
  out->keep = ragged_view_has_unit(view, "keep_dims");
  out->batch = ragged_view_has_unit(view, "batch");
  return ragged_view_int_array(view, "dims", &out->count, out->list);
}

// The type of a reduction of x with elements of `element`. Over the batch, or of a builtin tensor, the
// static dimensions that are left; extents of a builtin operand that its type does not say stay open.
static bool reduced_type(const ragged_op_view *view, const ragged_schema *x, const dimensions *dims,
                         bool dense, ragged_element_type element, MlirType *out,
                         ragged_rule_error *error) {
  ragged_schema result;
  int rank;
  int64_t shape[RAGGED_MAX_RANK];
  if (dense) {
    if (!ragged_rule_reduce_batch(x, dims->count, dims->list, dims->keep, shape, &rank, error))
      return false;
    *out = ragged_type_dense(view->context, element, rank, shape);
    return true;
  }
  if (!ragged_rule_reduce(x, dims->count, dims->list, dims->keep, &result, error)) return false;
  result.element_type = element;
  *out = ragged_type_from_schema(view->context, &result);
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

// `element`: of the result.
static bool infer(const ragged_op_view *view, bool floats_only, ragged_element_type element,
                  MlirType *types, intptr_t *count) {
  ragged_schema x;
  ragged_rule_error error;
  dimensions dims;
  bool dense, unknown;
  if (!get_operand(view, &x, &dense, &unknown)) return false;
  if (floats_only && !ragged_infer_expect_float(view, 0)) return false;
  if (!get_dimensions(view, &dims)) return false;
  if (unknown && dims.batch) return ragged_infer_declared_dense(view, element, types, count);
  if (dense && dims.batch)
    return ragged_view_error_at(view, 0, "operand #0 is a builtin tensor, which has no batch to "
                                "reduce over");
  *count = 1;
  if (unknown) types[0] = ragged_type_unknown(view->context, element);
  else if (!reduced_type(view, &x, &dims, dense || dims.batch, element, types, &error))
    return ragged_view_rule_error(view, &error);
  return true;
}

// Of two truth values none is the larger one.
static bool infer_largest(const ragged_op_view *view, ragged_element_type result, MlirType *types,
                          intptr_t *count) {
  ragged_element_type element;
  if (ragged_type_get_element(ragged_view_operand_type(view, 0), &element) &&
      !ragged_infer_expect_number(view, 0))
    return false;
  return infer(view, false, result, types, count);
}

bool ragged_infer_sum(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_element_type element = ragged_infer_element(view, 0);
  if (element == RAGGED_ELEMENT_I1) element = RAGGED_ELEMENT_I64;  // truth values are counted
  return infer(view, false, element, types, count);
}

bool ragged_infer_max(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  return infer_largest(view, ragged_infer_element(view, 0), types, count);
}

bool ragged_infer_mean(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  return infer(view, true, ragged_infer_element(view, 0), types, count);
}

bool ragged_infer_argmax(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema x;
  bool unknown;
  if (!ragged_view_operand_schema(view, 0, &x, &unknown) && !unknown) return false;
  return infer_largest(view, RAGGED_ELEMENT_I64, types, count);
}

// The rules speak of their only operand as #0; here it is `like`.
static bool like_error(const ragged_op_view *view, ragged_rule_error *error) {
  static const char name[] = "operand #0";
  enum { LIKE = 2 };
  for (char *at = error->message; (at = strstr(at, name)); at += sizeof name - 1)
    at[sizeof name - 2] = '0' + LIKE;
  if (error->operand >= 0) error->operand = LIKE;
  return ragged_view_rule_error(view, error);
}

// Operand k may still be `*` of the expected element type, unless the expected type is builtin.
static bool check_group_operand(const ragged_op_view *view, intptr_t k, MlirType expected) {
  MlirType found = ragged_view_operand_type(view, k);
  if (!ragged_type_is_unknown(found) || !ragged_type_is_tensor(expected))
    return ragged_infer_expect_type(view, k, expected);
  ragged_element_type a = ragged_infer_element(view, k), b;
  return (ragged_type_get_element(expected, &b) && a == b) || ragged_infer_expect_type(view, k, expected);
}

bool ragged_infer_scatter_max(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  enum { DY, POSITIONS, LIKE };
  ragged_schema like;
  ragged_rule_error error;
  dimensions dims;
  bool unknown;
  bool known = ragged_view_operand_schema(view, LIKE, &like, &unknown);
  if (!known && !unknown) return false;
  if (!ragged_infer_expect_number(view, DY)) return false;
  ragged_element_type element = ragged_infer_element(view, DY);
  if (!get_dimensions(view, &dims)) return false;
  *count = 1;
  if (!known) {
    types[0] = ragged_type_unknown(view->context, element);
    return true;
  }
  const ragged_element_type elements[] = {element, RAGGED_ELEMENT_I64};
  for (int k = DY; k <= POSITIONS; ++k) {
    MlirType expected;
    if (!reduced_type(view, &like, &dims, dims.batch, elements[k], &expected, &error))
      return like_error(view, &error);
    if (!check_group_operand(view, k, expected)) return false;
  }
  like.element_type = element;
  return ragged_infer_schema(view, &like, types, count);
}
