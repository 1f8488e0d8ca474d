// Emission of one CPU kernel, shared by the kernel_emit_*.c files of this folder. Rows are visited in
// runs of consecutive last coordinates.
#ifndef RAGGED_LOWER_CPU_CPU_EMIT_H
#define RAGGED_LOWER_CPU_CPU_EMIT_H

#include "lower/kernel/kernel_emit.h"

// Row arrays on the stack, or in the worker's scratch.
MlirValue cpu_row_array(emission *e, const tile_plan *tile, int number, int lanes);

// ---- Loops over tiles (kernel_emit_loops.c) -----------------------------------------------------

void for_each_element(emission *e, const ragged_tile_shape *shape, element_function body, void *user);
void emit_reduce(emission *e, const tile_plan *tile);
void emit_accumulate(emission *e, const tile_plan *tile);
extern const emission_backend cpu_emission_backend;

// ---- Rows (kernel_emit_rows.c) --------------------------------------------------------------------

void emit_kernel(emission *e);

#endif  // RAGGED_LOWER_CPU_CPU_EMIT_H
