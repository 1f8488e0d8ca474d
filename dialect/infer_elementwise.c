// Result types of the elementwise ops (rows of elementwise.def). Called through op_table.c.
#include "dialect/infer.h"

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
  ragged_schema shapes[RAGGED_MAX_RANK], *shape = NULL;
  int tensors[RAGGED_MAX_RANK], num_tensors = 0;
  for (intptr_t k = 0; k < view->num_operands; ++k) {
    ragged_schema *own = &shapes[num_tensors];
    if (!ragged_type_get_dense(ragged_view_operand_type(view, k), own)) continue;
    for (int j = 0; j < num_tensors; ++j)
      if (!agree(view, (int)k, own, tensors[j], &shapes[j])) return false;
    tensors[num_tensors++] = (int)k;
    if (!shape) shape = own;
  }
  *count = 1;
  types[0] = ragged_element_to_mlir(view->context, element);
  if (!shape) return true;
  int64_t extents[RAGGED_MAX_RANK];
  for (int d = 0; d < shape->rank; ++d) {
    extents[d] = -1;
    for (int j = 0; j < num_tensors && extents[d] < 0; ++j)
      extents[d] = shapes[j].dimensions[d].extent;
  }
  types[0] = ragged_type_dense(view->context, element, shape->rank, extents);
  return true;
}

static bool infer(const ragged_op_view *view, bool floats_only, MlirType *types, intptr_t *count) {
  ragged_schema schemas[RAGGED_MAX_RANK];
  int num_schemas = 0, positions[RAGGED_MAX_RANK];
  intptr_t unknown = -1;
  ragged_element_type element = RAGGED_ELEMENT_COUNT;
  bool dense = false;
  for (intptr_t k = 0; k < view->num_operands; ++k) {
    MlirType type = ragged_view_operand_type(view, k);
    ragged_element_type own;
    ragged_schema shape;
    bool is_dense = ragged_type_get_dense(type, &shape);
    if (!ragged_type_get_element(type, &own) ||
        (!is_dense && !ragged_type_is_tensor(type) && !ragged_type_is_scalar(type))) {
      ragged_arena arena = {0};
      ragged_view_error_at(view, (int)k, "operand #%d is %s, expected a ragged tensor, a builtin "
                           "tensor or a scalar of f64, f32, bf16 or i64", (int)k,
                           ragged_type_text(&arena, type));
      ragged_arena_free(&arena);
      return false;
    }
    if (floats_only && !ragged_element_is_float(own))
      return ragged_view_error_at(view, (int)k, "operand #%d has element type %s, expected a float",
                                  (int)k, ragged_element_name(own));
    if (element != RAGGED_ELEMENT_COUNT && own != element)
      return ragged_view_error_at(view, 0, "operand #%d has element type %s, expected %s as in "
                                  "operand #0", (int)k, ragged_element_name(own),
                                  ragged_element_name(element));
    element = own;
    dense |= is_dense;
    if (ragged_type_is_unknown(type)) {
      unknown = k;
    } else if (ragged_type_get_schema(type, &schemas[num_schemas])) {
      positions[num_schemas++] = (int)k;
    }
  }
  if (dense && (num_schemas || unknown >= 0))
    return ragged_view_error(view, "mixes ragged and builtin tensors; put a builtin tensor on "
                             "dimensions with ragged.broadcast");
  if (unknown >= 0) return ragged_infer_unknown(view, unknown, types, count);
  if (num_schemas == 0) return infer_dense(view, element, types, count);
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

bool ragged_infer_elementwise_float(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  return infer(view, true, types, count);
}

bool ragged_infer_elementwise_number(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  return infer(view, false, types, count);
}
