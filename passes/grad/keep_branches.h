// What branches of an scf.if keep for its backward one: more results of the forward op.
#ifndef RAGGED_PASSES_GRAD_KEEP_BRANCHES_H
#define RAGGED_PASSES_GRAD_KEEP_BRANCHES_H

#include "passes/grad/gradient.h"

// `forward` is an scf.if, `backward` the one made of it, whose branch r runs the forward ops again up to
// marks[r] and then goes back. Of the values that g->keep says are worth it, those that a value in reach of
// the forward op has the structure of become results of it; the branch that is not taken gives zeros for
// them. The marks are gone afterwards, and so are forward ops of which nothing is read any more. Returns
// the op that has taken the place of `forward`.
MlirOperation gradient_keep_branches(gradient *g, MlirOperation forward, MlirOperation backward,
                                     const MlirOperation *marks);

#endif  // RAGGED_PASSES_GRAD_KEEP_BRANCHES_H
