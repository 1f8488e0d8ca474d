// See rows.h.
#include "rows.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *const kStates[] = {
    [GPU_ROW_FINE] = "ok", [GPU_ROW_WRONG] = "WRONG", [GPU_ROW_SKIPPED] = "skipped"};
enum { kNumStates = (int)(sizeof kStates / sizeof *kStates), kFields = 9 };

// Cut to its room, without what would break a line or a field.
static void copy_text(char *out, size_t size, const char *text) {
  size_t k = 0;
  for (; text[k] && k + 1 < size; ++k) out[k] = (unsigned char)text[k] < ' ' ? ' ' : text[k];
  out[k] = 0;
}

gpu_row gpu_row_make(gpu_state state, const char *stage, const char *name) {
  gpu_row row = {.state = state, .measured = NAN, .bound = NAN, .ratio = NAN};
  copy_text(row.stage, sizeof row.stage, stage);
  copy_text(row.name, sizeof row.name, name);
  return row;
}

void gpu_row_set(gpu_row *row, double measured, const char *unit, double bound,
                 const char *bound_name, bool less_is_better) {
  row->measured = measured;
  copy_text(row->unit, sizeof row->unit, unit);
  if (!(bound > 0)) return;
  row->bound = bound;
  copy_text(row->bound_name, sizeof row->bound_name, bound_name);
  double over = less_is_better ? bound : measured, under = less_is_better ? measured : bound;
  if (under > 0) row->ratio = over / under;
}

void gpu_row_note(gpu_row *row, const char *format, ...) {
  char text[sizeof row->note];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  copy_text(row->note, sizeof row->note, text);
}

void gpu_row_write(FILE *file, const gpu_row *row) {
  fprintf(file, "%d\t%s\t%s\t%.17g\t%s\t%.17g\t%s\t%.17g\t%s\n", (int)row->state, row->stage,
          row->name, row->measured, row->unit, row->bound, row->bound_name, row->ratio, row->note);
  fflush(file);
}

bool gpu_row_read(const char *line, gpu_row *out) {
  char fields[kFields][sizeof out->note] = {{0}};
  int count = 0;
  for (const char *at = line; count < kFields; ++at) {
    size_t length = strcspn(at, "\t\n");
    size_t kept = length < sizeof fields[0] ? length : sizeof fields[0] - 1;
    memcpy(fields[count++], at, kept);
    at += length;
    if (*at != '\t') break;
  }
  int state = atoi(fields[0]);
  if (count != kFields || state < 0 || state >= kNumStates) return false;
  *out = gpu_row_make((gpu_state)state, fields[1], fields[2]);
  out->measured = strtod(fields[3], NULL);
  copy_text(out->unit, sizeof out->unit, fields[4]);
  out->bound = strtod(fields[5], NULL);
  copy_text(out->bound_name, sizeof out->bound_name, fields[6]);
  out->ratio = strtod(fields[7], NULL);
  copy_text(out->note, sizeof out->note, fields[8]);
  return true;
}

void gpu_table_add(gpu_table *table, const gpu_row *row) {
  if (table->count == table->capacity) {
    table->capacity = table->capacity ? 2 * table->capacity : 64;
    table->rows = realloc(table->rows, (size_t)table->capacity * sizeof *table->rows);
    if (!table->rows) abort();  // a report that cannot be kept
  }
  table->rows[table->count++] = *row;
}

double gpu_table_measured(const gpu_table *table, const char *name) {
  for (int k = 0; k < table->count; ++k)
    if (!strcmp(table->rows[k].name, name) && !isnan(table->rows[k].measured))
      return table->rows[k].measured;
  return 0;
}

// ---- Printing --------------------------------------------------------------------------------

static void print_number(int width, double number) {
  if (isnan(number)) printf(" %*s", width, "-");
  else
    printf(" %*.4g", width, number);
}

void gpu_table_print(const gpu_table *table) {
  int width = 4;
  for (int k = 0; k < table->count; ++k) {
    int length = (int)strlen(table->rows[k].name);
    if (length > width) width = length;
  }
  printf("%-8s %-*s %10s %-8s %10s %6s  %-7s %s\n", "stage", width, "what", "measured", "unit",
         "bound", "ratio", "", "bound is; notes");
  for (int k = 0; k < table->count; ++k) {
    const gpu_row *row = &table->rows[k];
    printf("%-8s %-*s", row->stage, width, row->name);
    print_number(10, row->measured);
    printf(" %-8s", row->unit);
    print_number(10, row->bound);
    if (isnan(row->ratio)) printf(" %6s", "-");
    else
      printf(" %6.3f", row->ratio);
    printf("  %-7s %s%s%s\n", kStates[row->state], row->bound_name,
           row->bound_name[0] && row->note[0] ? "; " : "", row->note);
  }
}

static void write_text(FILE *file, const char *key, const char *text) {
  fprintf(file, "\"%s\": \"", key);
  for (; *text; ++text) {
    if (*text == '"' || *text == '\\') fputc('\\', file);
    fputc(*text, file);
  }
  fputs("\", ", file);
}

static void write_number(FILE *file, const char *key, double number, const char *after) {
  if (isfinite(number)) fprintf(file, "\"%s\": %.9g%s", key, number, after);
  else
    fprintf(file, "\"%s\": null%s", key, after);
}

bool gpu_table_write_json(const gpu_table *table, const char *device, const char *path) {
  FILE *file = fopen(path, "w");
  if (!file) return false;
  fputs("{", file);
  write_text(file, "device", device);
  fputs("\"rows\": [\n", file);
  for (int k = 0; k < table->count; ++k) {
    const gpu_row *row = &table->rows[k];
    fputs("  {", file);
    write_text(file, "stage", row->stage);
    write_text(file, "what", row->name);
    write_text(file, "state", kStates[row->state]);
    write_text(file, "unit", row->unit);
    write_text(file, "bound_is", row->bound_name);
    write_text(file, "note", row->note);
    write_number(file, "measured", row->measured, ", ");
    write_number(file, "bound", row->bound, ", ");
    write_number(file, "ratio", row->ratio, "}");
    fputs(k + 1 < table->count ? ",\n" : "\n", file);
  }
  fputs("]}\n", file);
  bool written = !ferror(file);
  return !fclose(file) && written;
}
