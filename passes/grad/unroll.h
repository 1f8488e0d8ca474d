// Loops of a constant number of turns, before a function is differentiated: each turn's values become
// values of their own, which can be kept.
#ifndef RAGGED_PASSES_GRAD_UNROLL_H
#define RAGGED_PASSES_GRAD_UNROLL_H

#include "passes/grad/gradient.h"

// Unrolls the loops in `block` and its branches, and those that this brings there, as long as the function
// grows to no more than some thousands of ops. Loops in other loops that stay are left alone.
void gradient_unroll(gradient *g, MlirBlock block);

#endif  // RAGGED_PASSES_GRAD_UNROLL_H
