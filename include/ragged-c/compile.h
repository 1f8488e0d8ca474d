// Compiling a program for the machine it runs on, or ahead of time into an object file.
#ifndef RAGGED_C_COMPILE_H
#define RAGGED_C_COMPILE_H

#include "mlir-c/IR.h"
#include "ragged_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

// A smaller structSize, of an older header: what is missing is 0. A larger one, of a newer header: what this
// library does not know must be 0.
typedef struct RaggedCompileOptions {
  size_t structSize;      // sizeof(RaggedCompileOptions)
  int optimizationLevel;  // 0 to 3; negative: 3
  const char *cpu;        // an LLVM CPU name; null: this machine's
  const char *target;     // "cpu" (also null), "cuda" or "emulated": which device kernels run on
  const char *chips;      // cuda: a list, as "sm_86,sm_90"; null: "sm_80,sm_90". Null for other targets
} RaggedCompileOptions;

// Compiles every public function of `module`, which stays as it is and the caller's. Null options:
// all defaults. Runtime contexts of the target's device run the result. The caller ends *outModule
// with ragged_rt_module_release; it does not need the MLIR context and may be used by any number of
// runtime contexts and threads. One compilation serves every batch size and every length vector.
// Diagnostics about the program go to the context's handlers; the status then says INVALID_ARGUMENT.
// INVALID_ARGUMENT also: a null module, bad options, an unknown cpu, target or chip.
RAGGED_MUST_USE MLIR_CAPI_EXPORTED ragged_status raggedCompile(
    MlirModule module, const RaggedCompileOptions *options, ragged_rt_module **outModule);

// Compiles as raggedCompile and writes the code as an object file at `path`. A program that links it
// needs libragged_rt, libm (where the processor has no fused multiply-add) and nothing of LLVM. The object
// exports one function,
//   const ragged_rt_entry *SYMBOL(int *outCount);
// whose entries ragged_rt_call takes; they live as long as the code. Null symbol.data:
// "ragged_program_entries". With names of their own, objects of several programs can be linked
// together. Without a `cpu` the code is for this machine's processor. INVALID_ARGUMENT also: a symbol
// that is no C identifier or that the program has, a path that cannot be opened.
RAGGED_MUST_USE MLIR_CAPI_EXPORTED ragged_status raggedCompileToObject(
    MlirModule module, const RaggedCompileOptions *options, MlirStringRef symbol,
    const char *path);

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
