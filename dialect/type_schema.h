// The one place where `!ragged.tensor` types and schemas meet (implemented by the C++ glue, called
// by all C code). Schemas read from a type borrow its strings, which live as long as the context.
#ifndef RAGGED_DIALECT_TYPE_SCHEMA_H
#define RAGGED_DIALECT_TYPE_SCHEMA_H

#include <stdbool.h>

#include "mlir-c/IR.h"
#include "schema/schema.h"

#ifdef __cplusplus
extern "C" {
#endif

bool ragged_type_is_tensor(MlirType type);     // any !ragged.tensor, known or not
bool ragged_type_is_unknown(MlirType type);    // !ragged.tensor<*, T>
// True for a known !ragged.tensor.
bool ragged_type_get_schema(MlirType type, ragged_schema *out_schema);
// The schema must be valid.
MlirType ragged_type_from_schema(MlirContext context, const ragged_schema *schema);
MlirType ragged_type_unknown(MlirContext context, ragged_element_type element_type);
// Element type of a ragged tensor, builtin ranked tensor or builtin scalar; false for other types and
// element types that the project does not have.
bool ragged_type_get_element(MlirType type, ragged_element_type *out_element_type);
MlirType ragged_element_to_mlir(MlirContext context, ragged_element_type element_type);
// Builtin ranked tensor → schema of static dimensions, -1 for dynamic extents; false for others.
bool ragged_type_get_dense(MlirType type, ragged_schema *out_schema);
// Builtin scalar of a known element type.
bool ragged_type_is_scalar(MlirType type);
// Builtin ranked tensor of `rank` extents (-1 = dynamic).
MlirType ragged_type_dense(MlirContext context, ragged_element_type element_type, int rank,
                           const int64_t *shape);
// The text of a type, null-terminated, in the arena.
const char *ragged_type_text(ragged_arena *arena, MlirType type);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_DIALECT_TYPE_SCHEMA_H
