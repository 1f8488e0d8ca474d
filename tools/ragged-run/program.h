// The program: file → module with known schemas → the function that is run.
#ifndef RAGGED_RUN_PROGRAM_H
#define RAGGED_RUN_PROGRAM_H

#include "options.h"
#include "ragged-c/run.h"

typedef struct ragged_run_program {
  const char *path;
  int64_t num_errors;  // diagnostics that were printed
  MlirContext context;
  MlirModule module;
  RaggedDescription description;
  const ragged_rt_entry *entry;  // of the description
} ragged_run_program;            // zero-initialise

// Loads options->file and finds options->entry. Diagnostics about the program are printed to stderr
// as they come, with the line they are about. The caller ends the program either way.
RAGGED_MUST_USE ragged_status ragged_run_program_load(const ragged_run_options *options,
                                                      ragged_arena *arena,
                                                      ragged_run_program *program);
// The func.func of the entry.
MlirOperation ragged_run_program_function(const ragged_run_program *program);
void ragged_run_program_destroy(ragged_run_program *program);

#endif  // RAGGED_RUN_PROGRAM_H
