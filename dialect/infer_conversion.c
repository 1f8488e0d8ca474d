// Result types of the ops between builtin tensors and ragged ones. Called through op_table.c.
#include <string.h>

#include "dialect/infer.h"

// The declared result, where it is a known ragged tensor.
static bool get_declared(const ragged_op_view *view, ragged_schema *out) {
  return view->num_results == 1 && ragged_type_get_schema(view->results[0], out);
}

// ---- Axes and lengths -----------------------------------------------------------------------

// C2 of from_values and pack: names, and one lengths vector for each after operand 0.
static bool get_axes(const ragged_op_view *view, ragged_arena *arena, int *out_count,
                     const char ***out_names) {
  if (!ragged_infer_axis_names(view, arena, RAGGED_MAX_RANK, out_count, out_names)) return false;
  if (*out_count == 0) return ragged_view_error(view, "'axes' has no name, expected at least one");
  if (view->num_operands - 1 != *out_count)
    return ragged_view_error(view, "has %d lengths operands for %d axes, expected one for each",
                             (int)view->num_operands - 1, *out_count);
  for (intptr_t k = 1; k < view->num_operands; ++k)
    if (!ragged_infer_expect_type(view, k, ragged_infer_index_vector(view))) return false;
  return true;
}

// A declared result's ragged axes are exactly `names`.
static bool check_result_axes(const ragged_op_view *view, const ragged_schema *result, int count,
                              const char **names) {
  bool used[RAGGED_MAX_RANK] = {false};
  for (int d = 0; d < result->rank; ++d) {
    const char *axis = result->dimensions[d].axis;
    if (!axis) continue;
    int k = 0;
    while (k < count && strcmp(axis, names[k]) != 0) ++k;
    if (k == count)
      return ragged_view_error(view, "result has axis %s in dimension %d, which 'axes' does not "
                               "name", axis, d);
    used[k] = true;
  }
  for (int k = 0; k < count; ++k)
    if (!used[k])
      return ragged_view_error(view, "'axes' names %s, which is no axis of the result", names[k]);
  return true;
}

// ---- Packed values --------------------------------------------------------------------------

// C1 of from_values and from_offsets: `?xtail` with a static tail.
static bool get_values(const ragged_op_view *view, ragged_schema *out) {
  bool ok = ragged_type_get_dense(ragged_view_operand_type(view, 0), out) && out->rank >= 1 &&
            out->dimensions[0].extent < 0;
  for (int d = 1; ok && d < out->rank; ++d) ok = out->dimensions[d].extent >= 0;
  return ok || ragged_infer_operand_error(
                   view, 0, "a builtin tensor with a dynamic extent followed by static ones");
}

// The tail of `found`, which is the result or `like`, is in packed order that of `values`.
static bool check_tail(const ragged_op_view *view, const char *what, const ragged_schema *found,
                       const ragged_schema *values) {
  int64_t tail[RAGGED_MAX_RANK];
  int count = ragged_schema_tail(found, tail);
  if (count != values->rank - 1)
    return ragged_view_error_at(view, 0, "%s has %d static dimensions, expected %d as in "
                                "operand #0", what, count, values->rank - 1);
  for (int k = 0; k < count; ++k)
    if (tail[k] != values->dimensions[k + 1].extent)
      return ragged_view_error_at(view, 0, "%s has extent %lld in its packed static dimension "
                                  "%d, expected %lld as in operand #0", what, (long long)tail[k], k,
                                  (long long)values->dimensions[k + 1].extent);
  return true;
}

static bool check_result_element(const ragged_op_view *view, const ragged_schema *result,
                                 const ragged_schema *operand) {
  return result->element_type == operand->element_type ||
         ragged_view_error_at(view, 0, "result has element type %s, expected %s as in operand #0",
                              ragged_element_name(result->element_type),
                              ragged_element_name(operand->element_type));
}

// C3 of from_values and from_offsets.
static bool check_result_rows(const ragged_op_view *view, const ragged_schema *result,
                              const ragged_schema *values) {
  return check_tail(view, "result", result, values) && check_result_element(view, result, values);
}

// Without a declared type: the axes in their order, then the tail.
static bool infer_default_values(const ragged_op_view *view, int count, const char **names,
                                 const ragged_schema *values, MlirType *types,
                                 intptr_t *out_count) {
  ragged_dimension dimensions[RAGGED_MAX_RANK];
  int rank = count + values->rank - 1;
  if (rank > RAGGED_MAX_RANK)
    return ragged_view_error(view, "result would have rank %d, at most %d is supported", rank,
                             RAGGED_MAX_RANK);
  for (int k = 0; k < count; ++k) dimensions[k] = ragged_dimension_ragged(names[k]);
  for (int k = count; k < rank; ++k)
    dimensions[k] = ragged_dimension_static(values->dimensions[k - count + 1].extent);
  ragged_schema result = ragged_schema_make(values->element_type, rank, dimensions);
  return ragged_infer_schema(view, &result, types, out_count);
}

bool ragged_infer_from_values(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema values, result;
  ragged_arena arena = {0};
  int num_axes;
  const char **names;
  bool ok = get_values(view, &values) && get_axes(view, &arena, &num_axes, &names);
  if (ok && get_declared(view, &result))
    ok = check_result_axes(view, &result, num_axes, names) &&
         check_result_rows(view, &result, &values) &&
         ragged_infer_schema(view, &result, types, count);
  else if (ok)
    ok = infer_default_values(view, num_axes, names, &values, types, count);
  ragged_arena_free(&arena);
  return ok;
}

bool ragged_infer_from_offsets(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema values, result;
  ragged_arena arena = {0};
  int num_axes = 0;
  const char **names = NULL;
  bool ok = get_values(view, &values) &&
            ragged_infer_expect_type(view, 1, ragged_infer_index_vector(view)) &&
            ragged_infer_axis_names(view, &arena, RAGGED_MAX_RANK, &num_axes, &names);
  if (ok && num_axes != 1)
    ok = ragged_view_error(view, "'axes' has %d names, expected one", num_axes);
  if (ok && get_declared(view, &result)) {
    ok = check_result_axes(view, &result, num_axes, names);
    if (ok && ragged_schema_num_ragged(&result) != 1)
      ok = ragged_view_error(view, "result has %d ragged dimensions, expected one",
                             ragged_schema_num_ragged(&result));
    ok = ok && check_result_rows(view, &result, &values) &&
         ragged_infer_schema(view, &result, types, count);
  } else if (ok) {
    ok = infer_default_values(view, num_axes, names, &values, types, count);
  }
  ragged_arena_free(&arena);
  return ok;
}

// `like` of values and unpack, where it is given, has the result's type.
static bool check_like(const ragged_op_view *view, MlirType result) {
  return view->num_operands < 2 || ragged_infer_expect_type(view, 1, result);
}

bool ragged_infer_values(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema x;
  int64_t shape[RAGGED_MAX_RANK + 1];
  bool unknown;
  if (!ragged_view_operand_schema(view, 0, &x, &unknown))
    return unknown &&
           ragged_infer_declared_dense(view, ragged_infer_element(view, 0), types, count) &&
           check_like(view, types[0]);
  int tail = ragged_schema_tail(&x, shape + 1);
  if (tail + 1 > RAGGED_MAX_RANK)
    return ragged_view_error_at(view, 0, "operand #0 has %d static dimensions, at most %d are "
                                "supported", tail, RAGGED_MAX_RANK - 1);
  shape[0] = -1;
  types[0] = ragged_type_dense(view->context, x.element_type, tail + 1, shape);
  *count = 1;
  return check_like(view, types[0]);
}

// The result of with_values and with_padded: `like` with the element type of operand #0.
static bool infer_structured(const ragged_op_view *view, const ragged_schema *like,
                             ragged_element_type element_type, MlirType *types, intptr_t *count) {
  ragged_schema result = *like;
  result.element_type = element_type;
  return ragged_infer_schema(view, &result, types, count);
}

bool ragged_infer_with_values(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema values, like;
  bool unknown;
  if (!get_values(view, &values)) return false;
  if (!ragged_view_operand_schema(view, 1, &like, &unknown))
    return unknown && ragged_infer_unknown(view, 0, types, count);
  return check_tail(view, "operand #1", &like, &values) &&
         infer_structured(view, &like, values.element_type, types, count);
}

// ---- Padded boxes ---------------------------------------------------------------------------

// C1 of pack and with_padded.
static bool get_box(const ragged_op_view *view, ragged_schema *out, int *out_batch) {
  if (!ragged_type_get_dense(ragged_view_operand_type(view, 0), out) || out->rank == 0)
    return ragged_infer_operand_error(
        view, 0, "a builtin tensor of f64, f32, bf16, i64 or i1 with a batch dimension");
  int64_t batch = ragged_view_int(view, "batch", 0);
  if (batch < 0 || batch >= out->rank)
    return ragged_view_error_at(view, 0, "'batch' is %lld, expected 0 to %d for operand #0",
                                (long long)batch, out->rank - 1);
  *out_batch = (int)batch;
  return true;
}

// The dimensions of `found`, which is the result or `like`, against those of the box.
static bool check_box(const ragged_op_view *view, const char *what, const ragged_schema *found,
                      const ragged_schema *box, int batch) {
  if (found->rank != box->rank - 1)
    return ragged_view_error_at(view, 0, "%s has rank %d, expected %d for operand #0 and its "
                                "batch", what, found->rank, box->rank - 1);
  for (int d = 0; d < found->rank; ++d) {
    int in_box = d < batch ? d : d + 1;
    int64_t extent = box->dimensions[in_box].extent;
    if (found->dimensions[d].axis || found->dimensions[d].extent == extent) continue;
    if (extent < 0)
      return ragged_view_error_at(view, 0, "%s has extent %lld in dimension %d, which is "
                                  "dynamic in dimension %d of operand #0", what,
                                  (long long)found->dimensions[d].extent, d, in_box);
    return ragged_view_error_at(view, 0, "%s has extent %lld in dimension %d, expected %lld as "
                                "in dimension %d of operand #0", what,
                                (long long)found->dimensions[d].extent, d, (long long)extent,
                                in_box);
  }
  return true;
}

// Without a declared type: the box's dynamic dimensions are the axes in their order.
static bool infer_default_box(const ragged_op_view *view, int count, const char **names,
                              const ragged_schema *box, int batch, MlirType *types,
                              intptr_t *out_count) {
  ragged_dimension dimensions[RAGGED_MAX_RANK];
  int rank = 0, dynamic = 0;
  for (int d = 0; d < box->rank; ++d) {
    if (d == batch) continue;
    int64_t extent = box->dimensions[d].extent;
    if (extent >= 0) {
      dimensions[rank++] = ragged_dimension_static(extent);
      continue;
    }
    if (dynamic < count) dimensions[rank++] = ragged_dimension_ragged(names[dynamic]);
    ++dynamic;
  }
  if (dynamic != count)
    return ragged_view_error_at(view, 0, "names %d axes where operand #0 has %d dynamic dimensions "
                                "besides the batch: the result type must say which is which", count,
                                dynamic);
  ragged_schema result = ragged_schema_make(box->element_type, rank, dimensions);
  return ragged_infer_schema(view, &result, types, out_count);
}

bool ragged_infer_pack(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema box, result;
  int batch, num_axes;
  if (!get_box(view, &box, &batch)) return false;
  ragged_arena arena = {0};
  const char **names;
  bool ok = get_axes(view, &arena, &num_axes, &names);
  if (ok && get_declared(view, &result))
    ok = check_result_axes(view, &result, num_axes, names) &&
         check_box(view, "result", &result, &box, batch) &&
         check_result_element(view, &result, &box) &&
         ragged_infer_schema(view, &result, types, count);
  else if (ok)
    ok = infer_default_box(view, num_axes, names, &box, batch, types, count);
  ragged_arena_free(&arena);
  return ok;
}

bool ragged_infer_with_padded(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema box, like;
  int batch;
  bool unknown;
  if (!get_box(view, &box, &batch)) return false;
  if (!ragged_view_operand_schema(view, 1, &like, &unknown))
    return unknown && ragged_infer_unknown(view, 0, types, count);
  return check_box(view, "operand #1", &like, &box, batch) &&
         infer_structured(view, &like, box.element_type, types, count);
}

// C2 of unpack.
static bool check_fill(const ragged_op_view *view) {
  ragged_element_type element;
  double fill = ragged_view_float(view, "fill", 0);
  if (!ragged_type_get_element(ragged_view_operand_type(view, 0), &element) ||
      ragged_element_is_float(element))
    return true;
  if (element == RAGGED_ELEMENT_I1)
    return fill == 0 || fill == 1 ||
           ragged_view_error_at(view, 0, "'fill' is %g, expected 0 or 1 for elements of i1", fill);
  // The comparison comes first: it is false for NaN, and the conversion needs it.
  if (fill >= -0x1p63 && fill < 0x1p63 && (double)(int64_t)fill == fill) return true;
  return ragged_view_error_at(view, 0, "'fill' is %g, expected a whole number for elements of %s",
                              fill, ragged_element_name(element));
}

bool ragged_infer_unpack(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_schema x, declared;
  bool unknown;
  bool known = ragged_view_operand_schema(view, 0, &x, &unknown);
  if (!known && !unknown) return false;
  if (!check_fill(view)) return false;
  if (!known)
    return ragged_infer_declared_dense(view, ragged_infer_element(view, 0), types, count) &&
           check_like(view, types[0]);
  if (x.rank + 1 > RAGGED_MAX_RANK)
    return ragged_view_error_at(view, 0, "operand #0 has rank %d, at most %d is supported", x.rank,
                                RAGGED_MAX_RANK - 1);
  int64_t batch = ragged_view_int(view, "batch", 0);
  if (batch < 0 || batch > x.rank)
    return ragged_view_error_at(view, 0, "'batch' is %lld, expected 0 to %d for operand #0",
                                (long long)batch, x.rank);
  // What says the box's extents along the batch and ragged dimensions: `like`, or the declaration.
  bool like = view->num_operands > 1;
  bool sized = (like || view->num_results == 1) &&
               ragged_type_get_dense(like ? ragged_view_operand_type(view, 1) : view->results[0],
                                     &declared) &&
               declared.rank == x.rank + 1;
  int64_t shape[RAGGED_MAX_RANK];
  for (int k = 0, d = 0; k < x.rank + 1; ++k) {
    if (k == batch) {
      shape[k] = like && sized ? declared.dimensions[k].extent : -1;
      continue;
    }
    if (x.dimensions[d].axis) shape[k] = sized ? declared.dimensions[k].extent : -1;
    else shape[k] = x.dimensions[d].extent;
    ++d;
  }
  types[0] = ragged_type_dense(view->context, x.element_type, x.rank + 1, shape);
  *count = 1;
  return check_like(view, types[0]);
}
