// A program that was lowered before, as text of the LLVM dialect: what --lower-to-nvvm=format=nvvm
// prints, for the emulated device. For tests that change what a lowering made.
#ifndef RAGGED_TEST_RUN_LOWERED_H
#define RAGGED_TEST_RUN_LOWERED_H

#include "ragged_rt.h"

// Compiles the text in the file `path` for the emulated device. `entries` describe the functions of
// the program that it was lowered from; they and all they point to outlive *out. The caller ends *out
// with ragged_rt_module_release. Diagnostics go to standard error.
RAGGED_MUST_USE ragged_status run_lowered_compile(const char *path, int num_entries,
                                                  const ragged_rt_entry *const *entries,
                                                  ragged_rt_module **out);

#endif  // RAGGED_TEST_RUN_LOWERED_H
