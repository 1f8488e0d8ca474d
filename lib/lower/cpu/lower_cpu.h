// Stage 2 → the LLVM dialect's level: kernels and host programs as func + scf + arith + vector + llvm
// ops on bare pointers. The upstream conversions do the rest (pipeline in passes/glue).
#ifndef RAGGED_LOWER_CPU_LOWER_CPU_H
#define RAGGED_LOWER_CPU_LOWER_CPU_H

#include <stdbool.h>

#include "ir/build.h"
#include "support/arena.h"
#include "lower/kernel/kernel_layout.h"
#include "lower/cpu/target.h"

#ifdef __cplusplus
extern "C" {
#endif

// Replaces every ragged_tile.kernel of the module by `func.func @NAME(slots: !llvm.ptr, first: i64,
// last: i64, scratch: !llvm.ptr)` and emits the products that they need.
bool ragged_lower_kernels_to_cpu(MlirOperation module, const ragged_cpu_target *target);

// Replaces ragged_tile host ops by calls of the runtime (host/lower_host.h) for CPU kernels.
bool ragged_lower_host_to_cpu(MlirOperation module, const ragged_cpu_target *target);

// The layout of a kernel with what the CPU chooses. False after a diagnostic: it needs too much
// scratch.
bool ragged_cpu_layout_read(MlirOperation kernel, kernel_layout *out);

// The pass --ragged-lower-host: ragged_lower_host_to_cpu for a fixed target, for its tests.
bool ragged_lower_host_run(MlirOperation module);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_LOWER_CPU_LOWER_CPU_H
