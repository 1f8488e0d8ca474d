// From a module to code that runs, or to an object file: pipelines, LLVM IR, optimisation, ORC JIT.
// LLVM's C API only, but for glue/.
// Called by the C API. Compiles of different MLIR contexts may run on different threads at once.
#ifndef RAGGED_COMPILE_COMPILE_H
#define RAGGED_COMPILE_COMPILE_H

#include "mlir-c/IR.h"
#include "ragged_rt.h"
#include "support/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ragged_compile_options {
  int optimization_level;  // 0 to 3; negative: 3
  const char *cpu;         // null: this machine's
  const char *target;      // "cpu" (also null), "cuda", "emulated"
  const char *chips;       // cuda: as lower-to-nvvm takes them; null: its default
} ragged_compile_options;

// Compiles every public function of `module` (stage 1; left as it is, a clone is lowered) for the
// target's device. Null options: all defaults. The result owns the JIT memory and ends it with its
// last reference; it does not need the MLIR context. Diagnostics about the program go to the
// context's handlers; the status then says INVALID_ARGUMENT.
RAGGED_MUST_USE ragged_status ragged_compile(MlirModule module,
                                             const ragged_compile_options *options,
                                             ragged_rt_module **out_module);

// The same to an object file at `path`, which a linker takes, with libragged_rt and nothing of LLVM. It
// exports one function, `const ragged_rt_entry *SYMBOL(int *out_count)`; null `symbol`:
// "ragged_program_entries". INVALID_ARGUMENT also: a symbol that is no C identifier or is taken, a path
// that cannot be opened.
RAGGED_MUST_USE ragged_status ragged_compile_to_object(MlirModule module,
                                                       const ragged_compile_options *options,
                                                       const char *symbol, const char *path);

// Of this process, all threads together, successful or not.
typedef struct ragged_compile_statistics {
  int64_t compilations;
  double seconds;
} ragged_compile_statistics;
void ragged_compile_get_statistics(ragged_compile_statistics *out);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_COMPILE_COMPILE_H
