// Reductions by accumulation, of ragged and of builtin tensors: what the files that translate them
// share (emit_reduction.c, emit_dense_reduction.c).
#ifndef RAGGED_LOWER_TILE_REDUCTION_H
#define RAGGED_LOWER_TILE_REDUCTION_H

#include "lower/tile/translation.h"

typedef struct reduction {
  MlirOperation operation;
  ragged_schema operand;
  MlirValue source;               // buffer with the operand's rows; null: the op's operand, through views
  bool reduced[RAGGED_MAX_RANK];  // per logical dimension
  bool group[RAGGED_MAX_RANK];    // argmax: dimensions that positions count along, those of other steps too
  ragged_element_type element;    // that it is computed in
  const char *kind;               // of the accumulation
  bool mean, empty_zero, argmax;
  bool batch;
  MlirValue matches;  // argmax: buffer with those of the source's entries; null: from their positions
} reduction;

// Where a reduction's result goes: the rows of `grid` in `buffer`.
typedef struct reduction_target {
  const ragged_schema *grid;
  int place[RAGGED_MAX_RANK];  // dimension of the grid that each operand dimension that is left becomes
  MlirValue buffer;
  // argmax: where maxima go, while `buffer` gets their matches, to be reduced further; null: nowhere, and
  // `buffer` gets positions.
  MlirValue maxima;
  const reduction *counted;  // whose groups' entries a mean divides by; null: it does not divide
  kernel_kind kind;
  MlirValue items, batch;  // null: those of the grid's space
} reduction_target;

reduction reduction_read(MlirOperation operation);
// A kernel over the grid's rows, with an accumulation per reduced ragged axis.
void reduction_launch(translation *t, const reduction *r, const reduction_target *target);

#endif  // RAGGED_LOWER_TILE_REDUCTION_H
