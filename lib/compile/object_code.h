// LLVM-dialect module → LLVM IR → optimised object code for a CPU, in memory.
#ifndef RAGGED_COMPILE_OBJECT_CODE_H
#define RAGGED_COMPILE_OBJECT_CODE_H

#include "compile/compile.h"
#include "llvm-c/Types.h"

// Diagnostics of the translation go to the MLIR context's handlers. The caller disposes of the buffer
// (LLVMDisposeMemoryBuffer). `options` as in ragged_compile_for_cpu, not null.
RAGGED_MUST_USE ragged_status ragged_emit_object(MlirOperation module,
                                                 const ragged_compile_options *options,
                                                 LLVMMemoryBufferRef *out_object);

#endif  // RAGGED_COMPILE_OBJECT_CODE_H
