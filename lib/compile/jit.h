// Object code → callable addresses (ORC LLJIT).
#ifndef RAGGED_COMPILE_JIT_H
#define RAGGED_COMPILE_JIT_H

#include "llvm-c/Types.h"
#include "support/status.h"

typedef struct ragged_jit ragged_jit;

// Takes `object`, also on error. Calls of the runtime are bound to the libragged_rt of this program,
// all else to what the process exports.
RAGGED_MUST_USE ragged_status ragged_jit_create(LLVMMemoryBufferRef object, ragged_jit **out_jit);
// INTERNAL when there is no such symbol or the code cannot be linked.
RAGGED_MUST_USE ragged_status ragged_jit_lookup(ragged_jit *jit, const char *symbol,
                                                void (**out_address)(void));
void ragged_jit_destroy(ragged_jit *jit);  // null is allowed; frees the code

#endif  // RAGGED_COMPILE_JIT_H
