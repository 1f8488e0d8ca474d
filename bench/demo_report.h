// The demo's figures as a table for people and as JSON for programs.
#ifndef RAGGED_BENCH_DEMO_REPORT_H
#define RAGGED_BENCH_DEMO_REPORT_H

#include "demo_measure.h"

enum { kDemoFunctions = 3 };  // square, rectangular, non-leading

// Prints to stdout. Figures that miss what is required of them are marked.
void demo_report_print(const demo_figures figures[kDemoFunctions],
                       const demo_figures training[kDemoFunctions], const char *machine);

// Writes the file: the square function's keys at the top, objects `rectangular` and `non_leading`, and
// the same once more in an object `training`.
RAGGED_MUST_USE ragged_status demo_report_write(const demo_figures figures[kDemoFunctions],
                                                const demo_figures training[kDemoFunctions],
                                                const char *path);

#endif  // RAGGED_BENCH_DEMO_REPORT_H
