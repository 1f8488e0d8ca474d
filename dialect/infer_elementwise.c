// Result types of the elementwise ops (rows of elementwise.def) and of cast. Called through op_table.c.
#include "dialect/elementwise_table.h"
#include "dialect/infer.h"

// The type of a result that has the operand's shape and elements of `element`.
static MlirType with_element(const ragged_op_view *view, MlirType type,
                             ragged_element_type element) {
  ragged_schema schema;
  if (ragged_type_is_unknown(type)) return ragged_type_unknown(view->context, element);
  if (ragged_type_get_schema(type, &schema)) {
    schema.element_type = element;
    return ragged_type_from_schema(view->context, &schema);
  }
  if (!ragged_type_get_dense(type, &schema)) return ragged_element_to_mlir(view->context, element);
  MlirType dense;
  intptr_t count;
  ragged_infer_dense(view, element, &schema, &dense, &count);
  return dense;
}

// Two builtin tensors agree where their ranks are equal and so are the extents that both types say.
static bool agree(const ragged_op_view *view, int k, const ragged_schema *own, int other,
                  const ragged_schema *expected) {
  if (own->rank != expected->rank)
    return ragged_view_error_at(view, other, "operand #%d has rank %d, expected %d as in operand #%d",
                                k, own->rank, expected->rank, other);
  for (int d = 0; d < own->rank; ++d) {
    int64_t extent = own->dimensions[d].extent, required = expected->dimensions[d].extent;
    if (extent >= 0 && required >= 0 && extent != required)
      return ragged_view_error_at(view, other,
                                  "operand #%d has extent %lld in dimension %d, expected %lld as in "
                                  "operand #%d; builtin tensors do not broadcast",
                                  k, (long long)extent, d, (long long)required, other);
  }
  return true;
}

// C4 where no operand is ragged: builtin tensors of one shape, and scalars. An extent of the result is
// static where that of any operand is; extents that are not are compared at run time.
static bool infer_dense(const ragged_op_view *view, ragged_element_type element, MlirType *types,
                        intptr_t *count) {
  ragged_schema shapes[RAGGED_MAX_RANK];
  int tensors[RAGGED_MAX_RANK], num_tensors = 0;
  for (intptr_t k = 0; k < view->num_operands; ++k) {
    ragged_schema *own = &shapes[num_tensors];
    if (!ragged_type_get_dense(ragged_view_operand_type(view, k), own)) continue;
    for (int j = 0; j < num_tensors; ++j)
      if (!agree(view, (int)k, own, tensors[j], &shapes[j])) return false;
    for (int d = 0; num_tensors && d < own->rank; ++d)
      if (own->dimensions[d].extent >= 0) shapes[0].dimensions[d] = own->dimensions[d];
    tensors[num_tensors++] = (int)k;
  }
  *count = 1;
  if (num_tensors) ragged_infer_dense(view, element, &shapes[0], types, count);
  else types[0] = ragged_element_to_mlir(view->context, element);
  return true;
}

// C1 of one operand.
static bool check_element(const ragged_op_view *view, const ragged_elementwise_row *row, intptr_t k,
                          ragged_element_type own, ragged_element_type first) {
  if (k < row->num_conditions)
    return own == RAGGED_ELEMENT_I1 ||
           ragged_view_error_at(view, (int)k, "operand #%d has element type %s, expected i1", (int)k,
                                ragged_element_name(own));
  if (!ragged_elementwise_takes(row, own))
    return ragged_view_error_at(view, (int)k, "operand #%d has element type %s, expected a %s",
                                (int)k, ragged_element_name(own), row->domain);
  return own == first ||
         ragged_view_error_at(view, row->num_conditions, "operand #%d has element type %s, expected "
                              "%s as in operand #%d", (int)k, ragged_element_name(own),
                              ragged_element_name(first), row->num_conditions);
}

// A value with elements: C4 of any elementwise op.
static bool check_kind(const ragged_op_view *view, intptr_t k, ragged_element_type *element) {
  MlirType type = ragged_view_operand_type(view, k);
  ragged_schema shape;
  if (ragged_type_get_element(type, element) &&
      (ragged_type_is_tensor(type) || ragged_type_is_scalar(type) ||
       ragged_type_get_dense(type, &shape)))
    return true;
  return ragged_infer_operand_error(view, k, "a ragged tensor, a builtin tensor or a scalar of f64, "
                                    "f32, bf16, i64 or i1");
}

bool ragged_infer_elementwise(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  const ragged_elementwise_row *row = ragged_elementwise_find(view->name.data, view->name.length);
  ragged_schema schemas[RAGGED_MAX_RANK], shape;
  int num_schemas = 0, positions[RAGGED_MAX_RANK];
  ragged_element_type element = RAGGED_ELEMENT_COUNT;
  bool dense = false, unknown = false;
  for (intptr_t k = 0; k < view->num_operands; ++k) {
    MlirType type = ragged_view_operand_type(view, k);
    ragged_element_type own;
    if (!check_kind(view, k, &own)) return false;
    if (k == row->num_conditions) element = own;
    if (!check_element(view, row, k, own, element)) return false;
    dense |= ragged_type_get_dense(type, &shape);
    unknown |= ragged_type_is_unknown(type);
    if (ragged_type_get_schema(type, &schemas[num_schemas])) positions[num_schemas++] = (int)k;
  }
  if (dense && (num_schemas || unknown))
    return ragged_view_error(view, "mixes ragged and builtin tensors; put a builtin tensor on "
                             "dimensions with ragged.broadcast");
  if (row->compares) element = RAGGED_ELEMENT_I1;
  if (unknown) {
    types[0] = ragged_type_unknown(view->context, element);
    *count = 1;
    return true;
  }
  if (num_schemas == 0) return infer_dense(view, element, types, count);
  // The rule is about shapes; element types were looked at above.
  for (int k = 0; k < num_schemas; ++k) schemas[k].element_type = element;
  ragged_schema result;
  ragged_rule_error error;
  if (!ragged_rule_elementwise(num_schemas, schemas, &result, &error)) {
    // Positions among the ragged operands are those of the op unless scalars stand between.
    if (error.operand >= 0) error.operand = positions[error.operand];
    if (error.other_operand >= 0) error.other_operand = positions[error.other_operand];
    return ragged_view_rule_error(view, &error);
  }
  return ragged_infer_schema(view, &result, types, count);
}

bool ragged_infer_cast(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  ragged_element_type element;
  if (!check_kind(view, 0, &element)) return false;
  if (view->num_results != 1)
    return ragged_view_error(view, "needs a declared result, which says the element type");
  if (!ragged_type_get_element(view->results[0], &element)) {
    ragged_arena arena = {0};
    ragged_view_error_at(view, 0, "result #0 is %s, expected elements of f64, f32, bf16, i64 or i1",
                         ragged_type_text(&arena, view->results[0]));
    ragged_arena_free(&arena);
    return false;
  }
  types[0] = with_element(view, ragged_view_operand_type(view, 0), element);
  *count = 1;
  return true;
}
