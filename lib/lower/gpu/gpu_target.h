// What GPU code is generated for: the chips, the PTX version, the form of the result. Everything is
// checked here, before LLVM sees it: LLVM ends the process on what it does not know.
#ifndef RAGGED_LOWER_GPU_GPU_TARGET_H
#define RAGGED_LOWER_GPU_GPU_TARGET_H

#include <stdbool.h>

#include "mlir-c/IR.h"
#include "support/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// Null or empty: the default.
typedef struct ragged_gpu_options {
  const char *chips;   // "sm_80,sm_90" (default)
  const char *ptx;     // PTX version, "8.0"; default: 8.0, or the least that the newest chip needs
  const char *format;  // nvvm, isa (PTX), bin, fatbin (default)
} ragged_gpu_options;

typedef enum ragged_gpu_format {
  RAGGED_GPU_NVVM,    // stop at the NVVM dialect
  RAGGED_GPU_ISA,     // PTX
  RAGGED_GPU_BIN,     // a cubin per chip
  RAGGED_GPU_FATBIN,  // one fat binary, PTX included
} ragged_gpu_format;

enum { RAGGED_GPU_MAX_CHIPS = 8 };

typedef struct ragged_gpu_target {
  int num_chips;
  const char *chips[RAGGED_GPU_MAX_CHIPS];  // of a table: not owned
  int ptx;                                  // 80 for 8.0
  ragged_gpu_format format;
} ragged_gpu_target;

// INVALID_ARGUMENT: an unknown chip (the message lists the known), one that is given twice, none, too
// many; a PTX version that is unknown or too old for a chip; an unknown format. UNAVAILABLE: format
// bin or fatbin without NVIDIA's ptxas (and fatbinary) on PATH or below CUDA_HOME, CUDA_PATH or
// CUDA_ROOT.
RAGGED_MUST_USE ragged_status ragged_gpu_target_read(const ragged_gpu_options *options,
                                                     ragged_gpu_target *out);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_LOWER_GPU_GPU_TARGET_H
