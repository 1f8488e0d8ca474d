// Erases private functions that nothing refers to. Used by the inliner.
#ifndef RAGGED_PASSES_UNUSED_FUNCTIONS_H
#define RAGGED_PASSES_UNUSED_FUNCTIONS_H

#include "passes/program.h"

// A reference is a symbol in any attribute of any op that is kept. The program's functions are not
// to be used afterwards.
void ragged_erase_unused_functions(const ragged_program *program);

#endif  // RAGGED_PASSES_UNUSED_FUNCTIONS_H
