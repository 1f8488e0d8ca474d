// What ragged-run says beside the results: comparison, times, statistics.
#ifndef RAGGED_RUN_REPORT_H
#define RAGGED_RUN_REPORT_H

#include "execute.h"

// Prints the largest error over the allowed one of result k; *out_agrees tells whether it is at most
// 1. Beyond that the worst element is printed too.
RAGGED_MUST_USE ragged_status ragged_run_report_comparison(int k, const ragged_run_value *result,
                                                           const ragged_reference_value *expected,
                                                           bool *out_agrees);
void ragged_run_report_times(int repeat, const ragged_run_times *times);
// Kernels by time with their shares of `seconds`, the time of all runs (library calls that a kernel
// makes count in both); what the device counted of each, in the order of their first launches, where
// it counts; memory peaks, compilations.
RAGGED_MUST_USE ragged_status ragged_run_report_statistics(const ragged_rt_context *context,
                                                           double seconds);

#endif  // RAGGED_RUN_REPORT_H
