// !ragged.tensor: creation and queries. Types belong to their context; strings that queries return
// live as long as it. Element types are builtin ones: f64, f32, bf16, i64, i1.
#ifndef RAGGED_C_TYPES_H
#define RAGGED_C_TYPES_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

// A tensor of `rank` dimensions. Dimension k is ragged when axes[k].data is not null (an axis name or
// expression such as "n + m"; it need not be in canonical form), else static with extents[k]. `axes`
// may be null (all static), so may `extents` (all ragged); order[k] is the dimension packed k-th,
// null: the default order. Null type, with a diagnostic at an unknown location, when the rank is over
// 16, an extent negative, an axis or the order not legal, or the element type none of the above.
MLIR_CAPI_EXPORTED MlirType raggedTensorTypeGet(MlirContext context, MlirType elementType,
                                                intptr_t rank, const MlirStringRef *axes,
                                                const int64_t *extents, const int64_t *order);
// !ragged.tensor<*, T>: the schema is still to be inferred. Null type for other element types.
MLIR_CAPI_EXPORTED MlirType raggedTensorTypeGetUnknown(MlirContext context, MlirType elementType);

// Whether a type is a !ragged.tensor, known or not. False for the null type.
MLIR_CAPI_EXPORTED bool raggedTypeIsATensor(MlirType type);

// The queries below want a !ragged.tensor. For any other type, for `*` where they ask for more than
// the element type, and for positions out of range they give the value that is named last.
MLIR_CAPI_EXPORTED bool raggedTensorTypeIsUnknown(MlirType type);           // false
MLIR_CAPI_EXPORTED MlirType raggedTensorTypeGetElementType(MlirType type);  // null
MLIR_CAPI_EXPORTED intptr_t raggedTensorTypeGetRank(MlirType type);         // -1
MLIR_CAPI_EXPORTED bool raggedTensorTypeIsRaggedDim(MlirType type, intptr_t dim);         // false
// The canonical axis of a ragged dimension, null-terminated; static dimension: null data.
MLIR_CAPI_EXPORTED MlirStringRef raggedTensorTypeGetDimAxis(MlirType type, intptr_t dim);
// The extent of a static dimension; ragged dimension: -1.
MLIR_CAPI_EXPORTED int64_t raggedTensorTypeGetDimExtent(MlirType type, intptr_t dim);
// The logical dimension that is packed at `position`.
MLIR_CAPI_EXPORTED intptr_t raggedTensorTypeGetOrder(MlirType type, intptr_t position);   // -1
MLIR_CAPI_EXPORTED bool raggedTensorTypeHasDefaultOrder(MlirType type);                   // false

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_C_TYPES_H
