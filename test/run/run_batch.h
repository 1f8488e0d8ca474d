// A batch of samples for one function of a test program, and its arguments drawn for it.
#ifndef RAGGED_TEST_RUN_BATCH_H
#define RAGGED_TEST_RUN_BATCH_H

#include "program.h"
#include "ragged_rt.h"

enum { RUN_MAX_AXES = 8, RUN_MAX_ARGUMENTS = 32, RUN_MAX_BATCH = 8 };

// Axes of the function: those that arguments bear, then those that it creates from arguments.
typedef struct run_axes {
  int count;
  const char *names[RUN_MAX_AXES];
} run_axes;

// What an argument is, beyond its type.
typedef struct run_argument {
  enum {
    ARGUMENT_PLAIN,
    ARGUMENT_LENGTHS,  // of axis `axis`
    ARGUMENT_OFFSETS,
    ARGUMENT_VALUES,   // packed rows of `schema`, which the function creates
    ARGUMENT_BOX,      // a padded box of `schema`, the batch as dimension `batch`
  } kind;
  int axis, batch;
  ragged_schema schema;
} run_argument;

typedef struct run_function {
  const ragged_rt_entry *entry;
  MlirOperation operation;
  run_axes axes;
  run_argument arguments[RUN_MAX_ARGUMENTS];
  int most_ragged;  // dimensions of any value in it
} run_function;

typedef struct run_batch {
  int64_t size;
  int64_t extents[RUN_MAX_AXES][RUN_MAX_BATCH];
  int64_t identity[RUN_MAX_BATCH];  // a sample's values depend on this number and its extents only
  int64_t poisoned;                 // this sample is all `poison`; -1: none
  double poison;
} run_batch;

// Lengths of the first axis and of the second; third axes are short.
typedef struct run_lengths {
  int64_t batch;
  int64_t first[RUN_MAX_BATCH], second[RUN_MAX_BATCH];
} run_lengths;

// The batch with these lengths, none above `limit`.
run_batch run_batch_of_lengths(const run_lengths *lengths, int64_t limit);

// "n=2,3 m=4,1 ": the lengths of the function's axes.
void run_batch_print(const run_function *function, const run_batch *batch);

// Reads what `entry` of the program needs. The arena outlives *out.
void run_function_read(const ragged_run_program *program, const ragged_rt_entry *entry,
                       ragged_arena *arena, run_function *out);

// Errors: more arguments or results than RUN_MAX_ARGUMENTS, for which runners have arrays.
RAGGED_MUST_USE ragged_status run_function_check(const run_function *function);

// Fills `tensors`, one per argument, which the caller releases. Rows beyond what the extents ask for,
// and the padding of boxes, are NaN (integers: a large number).
RAGGED_MUST_USE ragged_status run_batch_arguments(const run_function *function,
                                                  const run_batch *batch, ragged_arena *arena,
                                                  ragged_rt_context *context,
                                                  ragged_rt_tensor **tensors);

#endif  // RAGGED_TEST_RUN_BATCH_H
