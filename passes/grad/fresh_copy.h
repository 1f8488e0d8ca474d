// New names for axes that are born inside an op, and copies of ops with regions under such names.
#ifndef RAGGED_PASSES_GRAD_FRESH_COPY_H
#define RAGGED_PASSES_GRAD_FRESH_COPY_H

#include "mlir-c/IR.h"
#include "schema/rules.h"

// Names for what is born inside `operation`, a part of a function or all of it, that the function does
// not have; every other name that it mentions stands for itself. False: nothing is born there.
bool gradient_fresh_axes(ragged_arena *arena, MlirOperation operation,
                         ragged_substitution *substitution);

// A detached copy; null after a diagnostic.
MlirOperation gradient_fresh_copy(ragged_arena *arena, MlirOperation operation);

// The body of an scf.for once more, before `before`: `counter` is its counter, values[k] what it carries,
// which become what the turn hands on. False after a diagnostic.
bool gradient_copy_turn(ragged_arena *arena, MlirOperation loop, MlirValue counter, MlirValue *values,
                        MlirOperation before);

#endif  // RAGGED_PASSES_GRAD_FRESH_COPY_H
