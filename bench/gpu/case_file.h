// Files of cases: an entry, its arguments, and the results that the reference interpreter gives, in
// double. Written on the build machine by ragged-gpu-cases, read by the driver of a bundle. Numbers are
// those of this machine, so both have the same byte order.
#ifndef RAGGED_BENCH_CASE_FILE_H
#define RAGGED_BENCH_CASE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "ragged_rt.h"
#include "reference/reference.h"

enum { kCaseMaxValues = 32, kCaseNameSize = 64, kCaseLabelSize = 192 };

// An argument as the program's memory has it.
typedef struct gpu_argument {
  bool is_ragged;
  int64_t batch;
  int num_axes;  // of the space, in packed order
  int64_t *extents[RAGGED_MAX_RANK];
  int rank;  // of the tail, or of the dense shape
  int64_t shape[RAGGED_MAX_RANK];
  int64_t bytes;
  void *values;
} gpu_argument;

// A result of the reference. The schema is the entry's.
typedef struct gpu_expected {
  int64_t batch;
  int rank;
  int64_t *extents;  // batch x rank
  ragged_reference_accuracy accuracy;
  int64_t count;
  ragged_reference_number *numbers;  // logical order, as in ragged_reference_value
} gpu_expected;

typedef struct gpu_case {
  char entry[kCaseNameSize];
  char label[kCaseLabelSize];  // the lengths, for messages
  int num_arguments, num_results;
  gpu_argument arguments[kCaseMaxValues];
  gpu_expected results[kCaseMaxValues];
} gpu_case;

// Appends a case. `tensors` are the arguments, in memory of the host.
RAGGED_MUST_USE ragged_status gpu_case_write(FILE *file, const char *entry, const char *label,
                                             int num_arguments, ragged_rt_tensor *const *tensors,
                                             int num_results,
                                             const ragged_reference_value *results);

// The next case, ended by gpu_case_free; *out_end: there is none, and nothing was filled.
// INVALID_ARGUMENT: the file is cut short or none of cases.
RAGGED_MUST_USE ragged_status gpu_case_read(FILE *file, gpu_case *out, bool *out_end);
void gpu_case_free(gpu_case *self);

// The argument as a tensor of the context, which the caller releases.
RAGGED_MUST_USE ragged_status gpu_argument_to_tensor(const gpu_argument *self,
                                                     ragged_element_type element_type,
                                                     ragged_rt_context *context,
                                                     ragged_rt_tensor **out);
// The result as a value of that type, freed by the caller.
RAGGED_MUST_USE ragged_status gpu_expected_to_value(const gpu_expected *self,
                                                    const ragged_rt_value_type *type,
                                                    ragged_reference_value *out);

#endif  // RAGGED_BENCH_CASE_FILE_H
