// LLVM-dialect module → LLVM IR → optimised object code for a CPU, in memory.
#ifndef RAGGED_COMPILE_OBJECT_CODE_H
#define RAGGED_COMPILE_OBJECT_CODE_H

#include "compile/compile.h"
#include "compile/entry_table.h"
#include "llvm-c/Types.h"

// INVALID_ARGUMENT for a processor that LLVM does not know. To be asked before code is made for one: LLVM
// would end the process.
RAGGED_MUST_USE ragged_status ragged_check_cpu(const char *cpu);

// Diagnostics of the translation go to the MLIR context's handlers. The caller disposes of the buffer
// (LLVMDisposeMemoryBuffer). `options` not null, its cpu checked.
RAGGED_MUST_USE ragged_status ragged_emit_object(MlirOperation module,
                                                 const ragged_compile_options *options,
                                                 LLVMMemoryBufferRef *out_object);

// The same to be linked: all that it exports is the table's entries, under `symbol` (entry_code.h).
RAGGED_MUST_USE ragged_status ragged_emit_linkable_object(MlirOperation module,
                                                          const ragged_compile_options *options,
                                                          const ragged_entry_table *table,
                                                          const char *symbol,
                                                          LLVMMemoryBufferRef *out_object);

#endif  // RAGGED_COMPILE_OBJECT_CODE_H
