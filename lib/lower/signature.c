// See signature.h.
#include "lower/signature.h"

#include <string.h>

#include "dialect/diagnostic.h"
#include "dialect/type_schema.h"
#include "ir/build.h"
#include "mlir-c/BuiltinTypes.h"
#include "schema/axis_expression.h"

bool ragged_value_type_of(MlirType type, ragged_value_type *out) {
  *out = (ragged_value_type){0};
  if (ragged_type_get_schema(type, &out->schema)) {
    out->kind = RAGGED_VALUE_RAGGED;
    return true;
  }
  if (ragged_type_get_dense(type, &out->schema)) {
    out->kind = RAGGED_VALUE_DENSE;
    return true;
  }
  out->kind = RAGGED_VALUE_SCALAR;
  return ragged_type_is_scalar(type) && ragged_type_get_element(type, &out->schema.element_type);
}

static bool read_types(MlirOperation function, ragged_arena *arena, const char *what, intptr_t count,
                       MlirType (*get)(MlirType, intptr_t), MlirType type,
                       ragged_value_type **out) {
  *out = RAGGED_ARENA_ARRAY(arena, ragged_value_type, count);
  for (intptr_t k = 0; k < count; ++k) {
    MlirType own = get(type, k);
    if (!ragged_value_type_of(own, &(*out)[k]))
      return ragged_op_error(function, "%s #%d is %s, expected a ragged tensor with a known schema, "
                             "a builtin tensor or a scalar of f64, f32, bf16, i64 or i1",
                             what, (int)k, ragged_type_text(arena, own));
  }
  return true;
}

bool ragged_function_signature(MlirOperation function, ragged_arena *arena, ragged_signature *out) {
  *out = (ragged_signature){0};
  out->name = ragged_operation_string(function, "sym_name");
  MlirType type = mlirTypeAttrGetValue(ragged_operation_attribute(function, "function_type"));
  out->num_arguments = (int)mlirFunctionTypeGetNumInputs(type);
  out->num_results = (int)mlirFunctionTypeGetNumResults(type);
  if (!read_types(function, arena, "argument", out->num_arguments, mlirFunctionTypeGetInput, type,
                  &out->arguments) ||
      !read_types(function, arena, "result", out->num_results, mlirFunctionTypeGetResult, type,
                  &out->results))
    return false;
  out->axes = RAGGED_ARENA_ARRAY(arena, const char *, out->num_arguments * RAGGED_MAX_RANK);
  for (int a = 0; a < out->num_arguments; ++a) {
    const ragged_schema *schema = &out->arguments[a].schema;
    for (int d = 0; d < schema->rank; ++d) {
      const char *axis = schema->dimensions[d].axis;
      if (axis && ragged_axis_is_name(axis) && ragged_signature_axis(out, axis) < 0)
        out->axes[out->num_axes++] = axis;
    }
  }
  return true;
}

int ragged_signature_axis(const ragged_signature *signature, const char *axis) {
  for (int k = 0; k < signature->num_axes; ++k)
    if (!strcmp(signature->axes[k], axis)) return k;
  return -1;
}
