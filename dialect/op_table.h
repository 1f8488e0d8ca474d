// Op name → what C code knows of it. One row per op of the dialect.
#ifndef RAGGED_DIALECT_OP_TABLE_H
#define RAGGED_DIALECT_OP_TABLE_H

#include "dialect/op_view.h"

#ifdef __cplusplus
extern "C" {
#endif

// Infers result types (see ragged_infer_function) and compares them with the declared ones; a
// declared `*` of the same element type is accepted. Emits diagnostics unless view->quiet.
bool ragged_op_infer(const ragged_op_view *view, MlirType *types, intptr_t *out_count);
// Whether a declared result type may stand where `inferred` was found: the same type, or one of them
// is `*` (the declared one is still to be inferred, or an operand is) and element types agree.
bool ragged_op_accepts(MlirType declared, MlirType inferred);
bool ragged_op_verify(const ragged_op_view *view);
// Whether `operation` reads the numbers of that operand; false where it looks at nothing but the
// structure (`like`, and what extents, offsets and size are of). True for ops of other dialects.
bool ragged_op_reads(MlirOperation operation, intptr_t operand);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_DIALECT_OP_TABLE_H
