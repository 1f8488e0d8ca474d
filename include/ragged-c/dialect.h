// Registration of the project's dialects, after MLIR's manner. See also mlir-c/IR.h.
#ifndef RAGGED_C_DIALECT_H
#define RAGGED_C_DIALECT_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

// mlirGetDialectHandle__ragged__(): the `ragged` dialect alone.
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Ragged, ragged);

// Adds every dialect that a ragged program may hold, on all stages: the project's own and those of
// MLIR. The registry stays the caller's.
MLIR_CAPI_EXPORTED void raggedRegisterDialects(MlirDialectRegistry registry);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_C_DIALECT_H
