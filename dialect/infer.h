// The infer functions of all op families, one C file a family (infer_<family>.c).
#ifndef RAGGED_DIALECT_INFER_H
#define RAGGED_DIALECT_INFER_H

#include "dialect/op_view.h"

bool ragged_infer_elementwise(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_cast(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_from_values(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_from_offsets(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_values(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_with_values(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_pack(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_with_padded(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_unpack(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_extents(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_offsets(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_size(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_expand_dims(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_squeeze(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_full(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_broadcast(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_transpose(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_reorder(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_assume_same_axis(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_schema_cast(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_linear(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_product_over_rows(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_layer_norm(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_softmax(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_sum(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_max(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_argmax(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_scatter_max(const ragged_op_view *, MlirType *, intptr_t *);
bool ragged_infer_mean(const ragged_op_view *, MlirType *, intptr_t *);

// Helpers shared by the families.

// The result type when some operand is still `*`: `*` of the element type of operand k.
bool ragged_infer_unknown(const ragged_op_view *view, intptr_t k, MlirType *types, intptr_t *count);
// The element type of operand k; f32 where it has none.
ragged_element_type ragged_infer_element(const ragged_op_view *view, intptr_t k);
// Stores the type of `schema` as the only result; an illegal schema (a product of extents that does
// not fit) is a diagnostic.
bool ragged_infer_schema(const ragged_op_view *view, const ragged_schema *schema, MlirType *types,
                         intptr_t *count);
// The only result, a builtin tensor of that element type and of the extents of `shape`.
void ragged_infer_dense(const ragged_op_view *view, ragged_element_type element,
                        const ragged_schema *shape, MlirType *types, intptr_t *count);
// The only result of an op that gives a builtin tensor while operand 0 is still `*`: the declared
// type, if it is a builtin tensor of that element type.
bool ragged_infer_declared_dense(const ragged_op_view *view, ragged_element_type element,
                                 MlirType *types, intptr_t *count);

// `operand #k is <its type>, expected <expected>`, with a note at the operand. Returns false.
bool ragged_infer_operand_error(const ragged_op_view *view, intptr_t k, const char *expected);
bool ragged_infer_expect_type(const ragged_op_view *view, intptr_t k, MlirType expected);
bool ragged_infer_expect_float(const ragged_op_view *view, intptr_t k);
bool ragged_infer_expect_number(const ragged_op_view *view, intptr_t k);
// tensor<?xi64>: the type of lengths, extents and offsets.
MlirType ragged_infer_index_vector(const ragged_op_view *view);
// The names of attribute `axes` (none when it is absent), in the arena: at most `most`, all plain
// axis names, distinct.
bool ragged_infer_axis_names(const ragged_op_view *view, ragged_arena *arena, int most,
                             int *out_count, const char ***out_names);

#endif  // RAGGED_DIALECT_INFER_H
