// Renames axes in a tree of ops: in all types, and in the attributes of `ragged` ops that name
// axes. Used by the inliner on a copy of the callee.
#ifndef RAGGED_PASSES_RENAME_AXES_H
#define RAGGED_PASSES_RENAME_AXES_H

#include <stdbool.h>

#include "mlir-c/IR.h"
#include "passes/name_table.h"
#include "schema/rules.h"

// Adds the names of the axes that the op itself creates: its `axes`.
void ragged_collect_created(MlirOperation operation, ragged_name_table *names);

// Adds every axis name that `operation` and what is inside it say, in types or in `axes`. Each op
// met counts down *budget. False at 0, or where regions nest deeper than RAGGED_MAX_NESTING.
bool ragged_collect_axes(MlirOperation operation, ragged_name_table *names, int64_t *budget);

// Substitutes in all result types, region argument types and axis attributes of `operation` and
// what is inside it; `substitution` binds every name. `call`: the op that errors are reported at,
// and whose location becomes the outer one of each op's call-site location.
bool ragged_rename_axes(MlirOperation operation, const ragged_substitution *substitution,
                        MlirOperation call, ragged_arena *arena);

#endif  // RAGGED_PASSES_RENAME_AXES_H
