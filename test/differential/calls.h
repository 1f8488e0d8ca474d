// A list of calls that Python wrote: functions of a module, with lengths and values. Read by
// differential_run and check-gradients.
//
// CALLS, one call after the other (offsets are bytes in VALUES, multiples of 64):
//   call FUNCTION BATCH
//   axis E0 E1 ... : CANONICAL TEXT            one line per distinct ragged dimension
//   argument OFFSET RANK E0 E1 ...             [rows, tail...] or the dense shape
//   end
#ifndef RAGGED_TEST_CALLS_H
#define RAGGED_TEST_CALLS_H

#include <stdio.h>

#include "ragged_rt.h"

enum { CALL_MAX_ARGUMENTS = 64, CALL_MAX_AXES = 64 };

typedef struct call_list {
  FILE *file;
  char *values;  // all of VALUES; the host's arguments are this memory itself
  ragged_rt_context *context;
} call_list;

typedef struct call {
  char function[128];
  int64_t batch;
  int num_axes, num_arguments;
  char *axis_texts[CALL_MAX_AXES];
  ragged_rt_axis *axes[CALL_MAX_AXES];
  ragged_rt_tensor *arguments[CALL_MAX_ARGUMENTS];
} call;

// Opens the two files. `call_list_close` follows, after a failure too.
RAGGED_MUST_USE ragged_status call_list_open(const char *calls, const char *values,
                                             ragged_rt_context *context, call_list *out);
void call_list_close(call_list *list);

// Reads the first line of the next call: false at the end. Its name is empty where the line is none.
bool call_begin(call_list *list, call *out);
// Reads the others, up to `end`, whatever is wrong with them. `entry`: the function; null fails.
RAGGED_MUST_USE ragged_status call_read(call_list *list, const ragged_rt_entry *entry, call *c);
void call_free(call *c);

#endif  // RAGGED_TEST_CALLS_H
