// Running the entry: compiled, or by the reference interpreter.
#ifndef RAGGED_RUN_EXECUTE_H
#define RAGGED_RUN_EXECUTE_H

#include "program.h"
#include "reference/reference.h"
#include "value.h"

typedef struct ragged_run_times {  // seconds of options->repeat runs
  double best, median, total;
} ragged_run_times;

// Compiles the program for options->target and calls its entry options->repeat times. `results` (one per result,
// zeroed by the caller, who ends them) are those of the last call.
RAGGED_MUST_USE ragged_status ragged_run_execute_compiled(const ragged_run_options *options,
                                                     const ragged_run_program *program,
                                                     ragged_rt_context *context,
                                                     ragged_rt_tensor *const *arguments,
                                                     ragged_run_value *results,
                                                     ragged_run_times *times);

// The same by the reference interpreter; `results` is zeroed by the caller, who ends them.
RAGGED_MUST_USE ragged_status ragged_run_execute_reference(int repeat,
                                                           const ragged_run_program *program,
                                                           ragged_rt_tensor *const *arguments,
                                                           ragged_reference_value *results,
                                                           ragged_run_times *times);

#endif  // RAGGED_RUN_EXECUTE_H
