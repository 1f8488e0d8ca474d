// Results as .npy files.
#ifndef RAGGED_RUN_OUTPUT_H
#define RAGGED_RUN_OUTPUT_H

#include "support/arena.h"
#include "value.h"

// Writes DIR/result0.npy, ...: packed values [rows, tail...], dense contents as they are. The folder
// is made if it is not there. All files appear or none: they are written under other names first.
RAGGED_MUST_USE ragged_status ragged_run_output_write(const char *folder, int count,
                                                      const ragged_run_value *values,
                                                      ragged_arena *arena);

#endif  // RAGGED_RUN_OUTPUT_H
