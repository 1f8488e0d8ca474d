// The entry table of a program as data of its object code, so that a linker finds it
// (raggedCompileToObject). Called by object_code.c for code that is written to a file; code that is
// run where it was compiled has its table in memory.
#ifndef RAGGED_COMPILE_ENTRY_CODE_H
#define RAGGED_COMPILE_ENTRY_CODE_H

#include "compile/entry_table.h"
#include "llvm-c/Types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Adds `const ragged_rt_entry *SYMBOL(int *out_count)`, which gives the table's entries with their
// functions, and makes all other definitions internal, so that objects of several programs can be
// linked together. The module has its data layout already, and every entry's function under
// RAGGED_ENTRY_PREFIX. INVALID_ARGUMENT: the symbol is taken. INTERNAL: a function is missing, or the layout
// disagrees with the runtime's structs.
RAGGED_MUST_USE ragged_status ragged_entry_code_add(LLVMModuleRef module,
                                                    const ragged_entry_table *table,
                                                    const char *symbol);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_COMPILE_ENTRY_CODE_H
