// The batch of a run: the lengths of the entry's axes, from --axis and --batch.
#ifndef RAGGED_RUN_LENGTHS_H
#define RAGGED_RUN_LENGTHS_H

#include "options.h"
#include "ragged_rt.h"

typedef struct ragged_run_lengths {
  int64_t batch;
  int num_axes;               // of the entry
  const char *const *names;   // the entry's
  int64_t **extents;          // num_axes x batch; as given, not yet checked by the runtime
} ragged_run_lengths;

// Arrays live in the arena. INVALID_ARGUMENT or NOT_FOUND: one line about what is missing or wrong.
RAGGED_MUST_USE ragged_status ragged_run_lengths_read(const ragged_run_options *options,
                                                      const ragged_rt_entry *entry,
                                                      ragged_arena *arena,
                                                      ragged_run_lengths *out);

// The `batch` extents of a canonical axis expression over the entry's axes; alive as the arena.
RAGGED_MUST_USE ragged_status ragged_run_lengths_evaluate(const ragged_run_lengths *lengths,
                                                          const char *canonical,
                                                          ragged_arena *arena,
                                                          const int64_t **out_extents);

#endif  // RAGGED_RUN_LENGTHS_H
