// Compiling a program for the machine it runs on.
#ifndef RAGGED_C_COMPILE_H
#define RAGGED_C_COMPILE_H

#include "mlir-c/IR.h"
#include "ragged_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RaggedCompileOptions {
  size_t structSize;      // sizeof(RaggedCompileOptions)
  int optimizationLevel;  // 0 to 3; negative: 3
  const char *cpu;        // an LLVM CPU name; null: this machine's
  const char *target;     // "cpu" (also null), "cuda" or "emulated": which device kernels run on
  const char *chips;      // cuda: "sm_80,sm_90" (also null); others are not allowed
} RaggedCompileOptions;

// Compiles every public function of `module`, which stays as it is and the caller's. Null options:
// all defaults. Runtime contexts of the target's device run the result. The caller ends *outModule
// with ragged_rt_module_release; it does not need the MLIR context and may be used by any number of
// runtime contexts and threads. One compilation serves every batch size and every length vector.
// Diagnostics about the program go to the context's handlers; the status then says INVALID_ARGUMENT.
// INVALID_ARGUMENT also: a null module, bad options, an unknown target or chip.
RAGGED_MUST_USE MLIR_CAPI_EXPORTED ragged_status raggedCompile(
    MlirModule module, const RaggedCompileOptions *options, ragged_rt_module **outModule);

// What this process has compiled so far, all threads together, successful or not.
typedef struct RaggedCompileStatistics {
  int64_t compilations;
  double seconds;
} RaggedCompileStatistics;
MLIR_CAPI_EXPORTED RaggedCompileStatistics raggedGetCompileStatistics(void);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_C_COMPILE_H
