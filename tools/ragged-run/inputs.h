// The arguments of a run as runtime tensors: from .npy files or drawn.
#ifndef RAGGED_RUN_INPUTS_H
#define RAGGED_RUN_INPUTS_H

#include "lengths.h"
#include "options.h"
#include "ragged_rt.h"

// Fills `tensors`, one per argument of the entry; zeroed by the caller, who ends those that are not
// null, also on error. Values are no memory of the context, so its statistics do not count them.
// Messages name the argument, its type, what was found and what was expected.
RAGGED_MUST_USE ragged_status ragged_run_inputs_make(const ragged_run_options *options,
                                                     const ragged_rt_entry *entry,
                                                     const ragged_run_lengths *lengths,
                                                     ragged_arena *arena,
                                                     ragged_rt_context *context,
                                                     ragged_rt_tensor **tensors);

// The text of a type, in the arena.
const char *ragged_run_type_text(ragged_arena *arena, const ragged_rt_value_type *type);

#endif  // RAGGED_RUN_INPUTS_H
