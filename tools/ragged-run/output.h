// Results as .npy files.
#ifndef RAGGED_RUN_OUTPUT_H
#define RAGGED_RUN_OUTPUT_H

#include "support/arena.h"
#include "value.h"

// Files under other names, which get their own when everything else has succeeded.
typedef struct ragged_run_output {
  const char *folder;
  ragged_arena *arena;
  int staged;
  bool made;  // the folder was not there before
} ragged_run_output;

// Writes what will be DIR/result0.npy, ...: packed values [rows, tail...], dense contents as they are.
// The folder is made if it is not there. Leaves nothing behind on error. `folder` and `arena` outlive
// the output, which ends with commit or discard.
RAGGED_MUST_USE ragged_status ragged_run_output_stage(const char *folder, int count,
                                                      const ragged_run_value *values,
                                                      ragged_arena *arena, ragged_run_output *out);
RAGGED_MUST_USE ragged_status ragged_run_output_commit(ragged_run_output *output);
void ragged_run_output_discard(ragged_run_output *output);  // a zeroed one is allowed

#endif  // RAGGED_RUN_OUTPUT_H
