// --ragged-emulate-kernels: kernels in gpu.modules, in the LLVM and NVVM dialects, to host functions
// that the emulated device runs. The module around them becomes ordinary LLVM dialect.
#ifndef RAGGED_LOWER_EMULATED_EMULATE_KERNELS_H
#define RAGGED_LOWER_EMULATED_EMULATE_KERNELS_H

#include <stdbool.h>

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

// False after diagnostics: the module is then of no use.
bool ragged_emulate_kernels_run(MlirOperation module);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_LOWER_EMULATED_EMULATE_KERNELS_H
