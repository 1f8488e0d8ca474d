// Which values of the forward part the backward part finds in memory, and which it computes again.
// Called by differentiate.c once the whole backward part of a block stands.
#ifndef RAGGED_PASSES_GRAD_KEEP_H
#define RAGGED_PASSES_GRAD_KEEP_H

#include <stdbool.h>

#include "mlir-c/IR.h"
#include "passes/grad/gradient.h"
#include "support/arena.h"

typedef struct gradient_kept {
  int count;
  MlirValue *values;  // of the forward part, in its order
} gradient_kept;

// `block` is a function's body: what stands before `mark` is the forward part. `apart`: the backward
// part will be a function of its own, so that nothing of the forward part is there but `*out`; else
// recomputed ops carry the attribute `ragged.recomputed`, which keeps CSE from undoing it all. False
// after a diagnostic.
bool gradient_choose_kept(ragged_arena *arena, MlirBlock block, MlirOperation mark,
                          gradient_keep keep, bool apart, gradient_kept *out);

// The same for a region that runs again in the backward part: only says which of the values before
// `mark` are worth handing over instead.
void gradient_decide_kept(ragged_arena *arena, MlirBlock block, MlirOperation mark,
                          gradient_keep keep, gradient_kept *out);

// Whether one value may stand for another where only the structure counts: the same dimensions in the
// same order. Extents of builtin tensors that the type does not say are the value's own.
bool gradient_same_structure(MlirValue a, MlirValue b);

// Bytes of one row of a value (of all of it for a builtin tensor; 0 where its extents are not known),
// and what its rows are counted in: "(n, n)", or "dense". In the arena.
int64_t gradient_row_bytes(ragged_arena *arena, MlirValue value, const char **out_space);

#endif  // RAGGED_PASSES_GRAD_KEEP_H
