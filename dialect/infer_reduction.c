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

// The type of a reduction of x with elements of `element`.
static bool reduced_type(const ragged_op_view *view, const ragged_schema *x, const dimensions *dims,
                         ragged_element_type element, MlirType *out, ragged_rule_error *error) {
  ragged_schema result;
  int rank;
  int64_t shape[RAGGED_MAX_RANK];
  if (dims->batch) {
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

// `element`: of the result.
static bool infer(const ragged_op_view *view, bool floats_only, ragged_element_type element,
                  MlirType *types, intptr_t *count) {
  ragged_schema x;
  ragged_rule_error error;
  dimensions dims;
  bool unknown;
  bool known = ragged_view_operand_schema(view, 0, &x, &unknown);
  if (!known && !unknown) return false;
  if (floats_only && !ragged_infer_expect_float(view, 0)) return false;
  if (!get_dimensions(view, &dims)) return false;
  if (!known && dims.batch) return ragged_infer_declared_dense(view, element, types, count);
  *count = 1;
  if (!known) types[0] = ragged_type_unknown(view->context, element);
  else if (!reduced_type(view, &x, &dims, element, types, &error))
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
    if (!reduced_type(view, &like, &dims, elements[k], &expected, &error))
      return like_error(view, &error);
    if (!check_group_operand(view, k, expected)) return false;
  }
  like.element_type = element;
  return ragged_infer_schema(view, &like, types, count);
}
