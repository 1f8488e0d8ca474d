// Axis expressions evaluated for many samples: the text is read once into a short program, so that a
// batch costs nanoseconds a sample. lib/schema stays the authority: whatever the program does not
// cover (errors, overflow, very long expressions) is answered by ragged_axis_evaluate.
#ifndef RAGGED_RT_AXIS_PROGRAM_H
#define RAGGED_RT_AXIS_PROGRAM_H

#include "schema/axis_expression.h"

enum { RAGGED_RT_AXIS_MAX_STEPS = 64 };

typedef struct ragged_rt_axis_step {
  enum {
    RAGGED_RT_AXIS_CONSTANT,
    RAGGED_RT_AXIS_NAME,
    RAGGED_RT_AXIS_ADD,
    RAGGED_RT_AXIS_SUBTRACT,
    RAGGED_RT_AXIS_MULTIPLY,
    RAGGED_RT_AXIS_FLOORDIV,
    RAGGED_RT_AXIS_MAX,
    RAGGED_RT_AXIS_MIN
  } kind;
  int64_t operand;  // of CONSTANT and NAME
} ragged_rt_axis_step;

typedef struct ragged_rt_axis_program {
  const char *canonical;
  int num_names;
  const char *const *names;  // borrowed
  int num_steps;             // postfix; 0: not covered
  ragged_rt_axis_step steps[RAGGED_RT_AXIS_MAX_STEPS];
} ragged_rt_axis_program;

void ragged_rt_axis_compile(ragged_rt_axis_program *program, const char *canonical, int num_names,
                            const char *const *names);
// As ragged_axis_evaluate: name k has extent values[k].
RAGGED_MUST_USE ragged_status ragged_rt_axis_run(const ragged_rt_axis_program *program,
                                                 const int64_t *values, int64_t *out_value);
// The largest value that there can be when name k has an extent of 0 to bounds[k]: not always taken,
// and 2^63 - 1 where the intervals leave the range. Needs steps.
int64_t ragged_rt_axis_bound(const ragged_rt_axis_program *program, const int64_t *bounds);

#endif  // RAGGED_RT_AXIS_PROGRAM_H
