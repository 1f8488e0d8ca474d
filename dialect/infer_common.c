// Helpers of the infer functions: results, and checks that several families make.
#include <string.h>

#include "dialect/infer.h"
#include "mlir-c/BuiltinAttributes.h"
#include "schema/axis_expression.h"

ragged_element_type ragged_infer_element(const ragged_op_view *view, intptr_t k) {
  ragged_element_type element = RAGGED_ELEMENT_F32;
  ragged_type_get_element(ragged_view_operand_type(view, k), &element);
  return element;
}

bool ragged_infer_unknown(const ragged_op_view *view, intptr_t k, MlirType *types,
                          intptr_t *count) {
  types[0] = ragged_type_unknown(view->context, ragged_infer_element(view, k));
  *count = 1;
  return true;
}

bool ragged_infer_schema(const ragged_op_view *view, const ragged_schema *schema, MlirType *types,
                         intptr_t *count) {
  ragged_status status = ragged_schema_validate(schema);
  if (status) {
    ragged_view_error(view, "has no legal result type: %s", ragged_status_message(status));
    ragged_status_free(status);
    return false;
  }
  types[0] = ragged_type_from_schema(view->context, schema);
  *count = 1;
  return true;
}

void ragged_infer_dense(const ragged_op_view *view, ragged_element_type element,
                        const ragged_schema *shape, MlirType *types, intptr_t *count) {
  int64_t extents[RAGGED_MAX_RANK];
  for (int d = 0; d < shape->rank; ++d) extents[d] = shape->dimensions[d].extent;
  types[0] = ragged_type_dense(view->context, element, shape->rank, extents);
  *count = 1;
}

bool ragged_infer_declared_dense(const ragged_op_view *view, ragged_element_type element,
                                 MlirType *types, intptr_t *count) {
  ragged_element_type declared;
  ragged_schema shape;
  if (view->num_results != 1)
    return ragged_view_error(view, "cannot infer its result while the schema of operand #0 is *");
  if (!ragged_type_get_dense(view->results[0], &shape) ||
      !ragged_type_get_element(view->results[0], &declared) || declared != element) {
    ragged_arena arena = {0};
    ragged_view_error_at(view, 0, "result #0 is %s, expected a builtin tensor of %s",
                         ragged_type_text(&arena, view->results[0]), ragged_element_name(element));
    ragged_arena_free(&arena);
    return false;
  }
  types[0] = view->results[0];
  *count = 1;
  return true;
}

bool ragged_infer_operand_error(const ragged_op_view *view, intptr_t k, const char *expected) {
  ragged_arena arena = {0};
  ragged_view_error_at(view, (int)k, "operand #%d is %s, expected %s", (int)k,
                       ragged_type_text(&arena, ragged_view_operand_type(view, k)), expected);
  ragged_arena_free(&arena);
  return false;
}

bool ragged_infer_expect_type(const ragged_op_view *view, intptr_t k, MlirType expected) {
  if (mlirTypeEqual(ragged_view_operand_type(view, k), expected)) return true;
  ragged_arena arena = {0};
  ragged_infer_operand_error(view, k, ragged_type_text(&arena, expected));
  ragged_arena_free(&arena);
  return false;
}

MlirType ragged_infer_index_vector(const ragged_op_view *view) {
  const int64_t dynamic = -1;
  return ragged_type_dense(view->context, RAGGED_ELEMENT_I64, 1, &dynamic);
}

bool ragged_infer_expect_float(const ragged_op_view *view, intptr_t k) {
  ragged_element_type element;
  if (!ragged_type_get_element(ragged_view_operand_type(view, k), &element))
    return ragged_infer_operand_error(view, k, "elements of f64, f32 or bf16");
  if (ragged_element_is_float(element)) return true;
  return ragged_view_error_at(view, (int)k, "operand #%d has element type %s, expected a float",
                              (int)k, ragged_element_name(element));
}

bool ragged_infer_expect_number(const ragged_op_view *view, intptr_t k) {
  ragged_element_type element;
  if (!ragged_type_get_element(ragged_view_operand_type(view, k), &element))
    return ragged_infer_operand_error(view, k, "elements of f64, f32, bf16 or i64");
  if (ragged_element_is_number(element)) return true;
  return ragged_view_error_at(view, (int)k, "operand #%d has element type %s, expected a number",
                              (int)k, ragged_element_name(element));
}

bool ragged_infer_axis_names(const ragged_op_view *view, ragged_arena *arena, int most,
                             int *out_count, const char ***out_names) {
  MlirAttribute array = ragged_view_attribute(view, "axes");
  *out_count = 0;
  *out_names = NULL;
  if (mlirAttributeIsNull(array)) return true;
  if (!mlirAttributeIsAArray(array)) return ragged_view_error(view, "'axes' is no array of names");
  intptr_t count = mlirArrayAttrGetNumElements(array);
  if (count > most)
    return ragged_view_error(view, "'axes' has %lld names, expected at most %d", (long long)count,
                             most);
  const char **names = RAGGED_ARENA_ARRAY(arena, const char *, count + 1);
  for (intptr_t k = 0; k < count; ++k) {
    MlirAttribute element = mlirArrayAttrGetElement(array, k);
    if (!mlirAttributeIsAString(element))
      return ragged_view_error(view, "'axes' entry %d is no string", (int)k);
    MlirStringRef text = mlirStringAttrGetValue(element);
    names[k] = ragged_arena_copy_string(arena, text.data, text.length);
    if (strlen(names[k]) != text.length || !ragged_axis_is_name(names[k]))
      return ragged_view_error(view, "'axes' entry %d is \"%s\", which is no axis name", (int)k,
                               names[k]);
    for (intptr_t j = 0; j < k; ++j)
      if (!strcmp(names[j], names[k]))
        return ragged_view_error(view, "'axes' names %s twice", names[k]);
  }
  *out_count = (int)count;
  *out_names = names;
  return true;
}
