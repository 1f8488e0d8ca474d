// The public functions of a module as the runtime describes them (ragged_rt_entry). Made before
// lowering, kept as long as compiled code lives, hence apart from the MLIR context.
#ifndef RAGGED_COMPILE_ENTRY_TABLE_H
#define RAGGED_COMPILE_ENTRY_TABLE_H

#include "mlir-c/IR.h"
#include "ragged_rt.h"
#include "support/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RAGGED_ENTRY_PREFIX "ragged_entry_"  // of the host functions that the lowering makes

typedef struct ragged_entry_table {
  ragged_arena arena;  // all that the entries point to
  int num_entries;
  ragged_rt_entry *entries;  // in the order of the module; `function` is null
} ragged_entry_table;        // zero-initialise

// Fills `table` with the public func.func ops of `module` that have a body. All schemas must be
// known (RAGGED_PIPELINE_RESOLVE). False: a diagnostic was emitted. Ended by _destroy either way.
bool ragged_entry_table_fill(MlirOperation module, ragged_entry_table *table);
void ragged_entry_table_destroy(ragged_entry_table *table);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_COMPILE_ENTRY_TABLE_H
