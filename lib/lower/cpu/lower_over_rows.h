// A product over rows on the CPU. Used by lower_kernels.c and lower_launch.c.
#ifndef RAGGED_LOWER_CPU_LOWER_OVER_ROWS_H
#define RAGGED_LOWER_CPU_LOWER_OVER_ROWS_H

#include "lower/cpu/target.h"
#include "lower/host/lower_host.h"

// Replaces the tile kernel by the microkernel of its shape, which is emitted once.
void ragged_lower_over_rows_kernel(MlirOperation module, MlirOperation kernel,
                                   const ragged_cpu_target *target, ragged_arena *arena,
                                   const kernel_over_rows *own);
// The launch of the kernel that self->layout was read from: one of the runtime's own.
void ragged_lower_over_rows_launch(host_lowering *self, const ragged_builder *at, const char *name,
                                   const launch_operands *operands);

#endif  // RAGGED_LOWER_CPU_LOWER_OVER_ROWS_H
