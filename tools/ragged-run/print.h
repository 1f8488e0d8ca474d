// Results as text.
#ifndef RAGGED_RUN_PRINT_H
#define RAGGED_RUN_PRINT_H

#include <stdio.h>

#include "value.h"

// A ragged value: `sample i: [...]`, one line a sample, nested in logical order. A builtin tensor or
// scalar: one line. Numbers are the shortest that read back as the same.
void ragged_run_print_value(FILE *file, const ragged_run_value *value);

// The shortest decimal that reads back as element `index` of `data`; `out` holds 32 characters.
void ragged_run_format_number(ragged_element_type element_type, const void *data, int64_t index,
                              char out[32]);

#endif  // RAGGED_RUN_PRINT_H
