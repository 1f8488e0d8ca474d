// Result types of the elementwise ops (rows of elementwise.def). Called through op_table.c.
#include "dialect/infer.h"

// C4 where no operand is ragged: all builtin tensors have one shape.
static bool infer_dense(const ragged_op_view *view, MlirType *types, intptr_t *count) {
  intptr_t tensor = -1;
  for (intptr_t k = 0; k < view->num_operands; ++k) {
    MlirType type = ragged_view_operand_type(view, k);
    if (ragged_type_is_scalar(type)) continue;
    if (tensor >= 0 && !mlirTypeEqual(type, ragged_view_operand_type(view, tensor))) {
      ragged_arena arena = {0};
      ragged_view_error_at(view, (int)tensor, "operand #%d is %s, expected %s as operand #%d",
                           (int)k, ragged_type_text(&arena, type),
                           ragged_type_text(&arena, ragged_view_operand_type(view, tensor)),
                           (int)tensor);
      ragged_arena_free(&arena);
      return false;
    }
    if (tensor < 0) tensor = k;
  }
  types[0] = ragged_view_operand_type(view, tensor < 0 ? 0 : tensor);
  *count = 1;
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
  if (num_schemas == 0) return infer_dense(view, types, count);
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
