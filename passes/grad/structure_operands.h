// Operands of which an op looks at the structure only, never at the numbers.
#ifndef RAGGED_PASSES_GRAD_STRUCTURE_OPERANDS_H
#define RAGGED_PASSES_GRAD_STRUCTURE_OPERANDS_H

#include "ir/build.h"

bool ragged_operand_is_structure(MlirOperation operation, intptr_t k);

#endif  // RAGGED_PASSES_GRAD_STRUCTURE_OPERANDS_H
