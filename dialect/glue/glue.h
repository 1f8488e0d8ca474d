// C functions that the C++ hooks call beyond the op table, and the dialect's handle.
#ifndef RAGGED_DIALECT_GLUE_GLUE_H
#define RAGGED_DIALECT_GLUE_GLUE_H

#include <stdbool.h>

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Ragged, ragged);

// ragged.call against its callee (null when there is none of that name). Emits diagnostics.
bool ragged_call_verify(MlirOperation call, MlirOperation callee);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_DIALECT_GLUE_GLUE_H
