// What the driver of a bundle found, a row a line: measured, the bound, their ratio. Stages write rows
// to a pipe, the parent collects them, prints the table and writes gpu.json.
#ifndef RAGGED_BENCH_ROWS_H
#define RAGGED_BENCH_ROWS_H

#include <stdbool.h>
#include <stdio.h>

typedef enum gpu_state {
  GPU_ROW_FINE,
  GPU_ROW_WRONG,    // a result that is not right, or a call that failed: exit status 1
  GPU_ROW_SKIPPED,  // not measured; the note says why
} gpu_state;

typedef struct gpu_row {
  gpu_state state;
  char stage[24], name[80], unit[16], bound_name[40], note[400];
  double measured, bound, ratio;  // NaN: none. Ratio: the part of the bound that was reached
} gpu_row;

// A row without figures.
gpu_row gpu_row_make(gpu_state state, const char *stage, const char *name);
// Figures: `measured` in `unit`, `bound` in the same (0: none). `ratio` is bound / measured for
// times (less is better), measured / bound otherwise.
void gpu_row_set(gpu_row *row, double measured, const char *unit, double bound,
                 const char *bound_name, bool less_is_better);
__attribute__((format(printf, 2, 3))) void gpu_row_note(gpu_row *row, const char *format, ...);

// One line, for the pipe; false: the line is none that _write wrote.
void gpu_row_write(FILE *file, const gpu_row *row);
bool gpu_row_read(const char *line, gpu_row *out);

typedef struct gpu_table {
  int count, capacity;
  gpu_row *rows;
} gpu_table;  // zero-initialise; `rows` ends with free

void gpu_table_add(gpu_table *table, const gpu_row *row);
double gpu_table_measured(const gpu_table *table, const char *name);  // 0: there is none
void gpu_table_print(const gpu_table *table);
bool gpu_table_write_json(const gpu_table *table, const char *device, const char *path);

#endif  // RAGGED_BENCH_ROWS_H
