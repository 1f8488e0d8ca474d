// See lengths.h.
#include "lengths.h"

#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "npy.h"
#include "schema/axis_expression.h"
#include "support/string_buffer.h"

#define MISTAKE(...) ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, __VA_ARGS__)

typedef struct length_list {
  int64_t count;
  int64_t *values;  // in the arena
} length_list;

static const char *plural(int64_t count) { return count == 1 ? "" : "s"; }

static ragged_status parse_list(const char *name, const char *text, ragged_arena *arena,
                                length_list *out) {
  int64_t capacity = 1;
  for (const char *c = text; *c; ++c) capacity += *c == ',';
  out->values = RAGGED_ARENA_ARRAY(arena, int64_t, capacity);
  for (const char *c = text;; ++c) {
    size_t length = strcspn(c, ",");
    if (!ragged_run_parse_integer(c, length, &out->values[out->count]))
      return MISTAKE("--axis %s: length %lld is '%.*s', expected an integer of 64 bits", name,
                     (long long)out->count, (int)(length < 40 ? length : 40), c);
    ++out->count;
    c += length;
    if (!*c) return NULL;
  }
}

// Residues of each sequence: the letters between two header lines. Gaps, stops, the numbers that old
// files have, and comment lines are none.
static ragged_status parse_fasta(const char *path, const char *text, int64_t size,
                                 ragged_arena *arena, length_list *out) {
  int64_t capacity = 0;
  for (int64_t k = 0; k < size; ++k) capacity += text[k] == '>';
  out->values = RAGGED_ARENA_ARRAY(arena, int64_t, capacity);
  bool line_start = true, skip = false;  // the rest of the line
  for (int64_t k = 0; k < size; ++k) {
    unsigned char c = (unsigned char)text[k];
    if (line_start && (c == '>' || c == ';')) {
      skip = true;
      if (c == '>') ++out->count;
    } else if (!skip && ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))) {
      if (!out->count) break;
      ++out->values[out->count - 1];
    } else if (!skip && (!c || !strchr(" \t\r\n*-.0123456789", c))) {
      return MISTAKE("'%s' is no FASTA file: byte %lld, 0x%02x, is none that a sequence has", path,
                     (long long)k, c);
    }
    line_start = c == '\n' || c == '\r';
    if (line_start) skip = false;
  }
  if (out->count) return NULL;
  return MISTAKE("'%s' is no FASTA file: no line that begins with '>' precedes its sequences", path);
}

static ragged_status read_fasta(const char *path, ragged_arena *arena, length_list *out) {
  char *text;
  int64_t size;
  RAGGED_RETURN_IF_ERROR(ragged_run_file_read(path, &text, &size));
  ragged_status status = parse_fasta(path, text, size, arena, out);
  free(text);
  return status;
}

static ragged_status copy_lengths(const char *path, const ragged_npy *array, ragged_arena *arena,
                                  length_list *out) {
  bool wide = !strcmp(array->type, "<i8");
  if (array->rank != 1)
    return MISTAKE("'%s' has %d dimensions, expected 1", path, array->rank);
  out->count = array->shape[0];
  out->values = RAGGED_ARENA_ARRAY(arena, int64_t, out->count);
  for (int64_t k = 0; k < out->count; ++k)
    out->values[k] = wide ? ((const int64_t *)array->data)[k] : ((const int32_t *)array->data)[k];
  return NULL;
}

static ragged_status read_npy(const char *path, ragged_arena *arena, length_list *out) {
  static const char *const types[] = {"<i8", "<i4"};
  ragged_npy array;
  RAGGED_RETURN_IF_ERROR(ragged_npy_read(path, 2, types, &array));
  ragged_status status = copy_lengths(path, &array, arena, out);
  ragged_npy_free(&array);
  return status;
}

static ragged_status read_list(const ragged_run_assignment *axis, int64_t batch,
                               ragged_arena *arena, length_list *out) {
  if (axis->value[0] != '@') return parse_list(axis->key, axis->value, arena, out);
  const char *path = axis->value + 1;
  if (ragged_run_ends_with(path, ".npy"))
    RAGGED_RETURN_IF_ERROR(read_npy(path, arena, out));
  else if (ragged_run_ends_with(path, ".fasta") || ragged_run_ends_with(path, ".fa"))
    RAGGED_RETURN_IF_ERROR(read_fasta(path, arena, out));
  else
    return MISTAKE("--axis %s: '%s' ends in none of .fasta, .fa and .npy", axis->key, path);
  if (batch > out->count)
    return MISTAKE("--batch %lld, but '%s' holds %lld length%s", (long long)batch, path,
                   (long long)out->count, plural(out->count));
  if (batch >= 0) out->count = batch;
  return NULL;
}

static const char *list_axes(const ragged_rt_entry *entry, ragged_arena *arena) {
  if (!entry->num_axes) return "has no axes";
  const char *text = entry->num_axes == 1 ? "has the axis " : "has the axes ";
  for (int k = 0; k < entry->num_axes; ++k)
    text = ragged_arena_format(arena, "%s%s%s", text, k ? ", " : "", entry->axes[k]);
  return text;
}

static int find_axis(const ragged_rt_entry *entry, const char *name) {
  for (int k = 0; k < entry->num_axes; ++k)
    if (!strcmp(entry->axes[k], name)) return k;
  return -1;
}

// Keeps the batch that the first axis or --batch gave, or says which two disagree.
static ragged_status agree(const ragged_run_assignment *axis, int64_t count, const char **source,
                           int64_t *batch) {
  if (*batch < 0) {
    *batch = count;
    *source = axis->key;
  }
  if (count == *batch) return NULL;
  if (!*source)
    return MISTAKE("--axis %s has %lld length%s, expected %lld (--batch)", axis->key,
                   (long long)count, plural(count), (long long)*batch);
  return MISTAKE("--axis %s has %lld length%s, expected %lld as --axis %s", axis->key,
                 (long long)count, plural(count), (long long)*batch, *source);
}

// A value that bears no axis has one row per sample all the same.
static bool needs_batch(const ragged_rt_entry *entry) {
  for (int k = 0; k < entry->num_arguments; ++k)
    if (entry->arguments[k].kind == RAGGED_RT_VALUE_RAGGED) return true;
  return false;
}

ragged_status ragged_run_lengths_read(const ragged_run_options *options,
                                      const ragged_rt_entry *entry, ragged_arena *arena,
                                      ragged_run_lengths *out) {
  *out = (ragged_run_lengths){.num_axes = entry->num_axes, .names = entry->axes};
  out->extents = RAGGED_ARENA_ARRAY(arena, int64_t *, entry->num_axes);
  int64_t batch = options->batch;
  const char *source = NULL;
  for (int k = 0; k < options->num_axes; ++k) {
    int position = find_axis(entry, options->axes[k].key);
    if (position < 0)
      return MISTAKE("--axis %s: there is no such axis; function '%s' %s", options->axes[k].key,
                     entry->name, list_axes(entry, arena));
    length_list list = {0};
    RAGGED_RETURN_IF_ERROR(read_list(&options->axes[k], options->batch, arena, &list));
    RAGGED_RETURN_IF_ERROR(agree(&options->axes[k], list.count, &source, &batch));
    out->extents[position] = list.values;
  }
  for (int k = 0; k < entry->num_axes; ++k) {
    if (out->extents[k]) continue;
    if (options->batch != 0)
      return MISTAKE("--axis %s is missing: function '%s' %s", entry->axes[k], entry->name,
                     list_axes(entry, arena));
    out->extents[k] = RAGGED_ARENA_ARRAY(arena, int64_t, 0);
  }
  if (batch < 0 && needs_batch(entry))
    return MISTAKE("--batch is missing: function '%s' %s that would tell it", entry->name,
                   list_axes(entry, arena));
  out->batch = batch < 0 ? 0 : batch;
  return NULL;
}

ragged_status ragged_run_lengths_evaluate(const ragged_run_lengths *lengths, const char *canonical,
                                          ragged_arena *arena, const int64_t **out_extents) {
  int64_t *values = RAGGED_ARENA_ARRAY(arena, int64_t, lengths->batch);
  int64_t *current = RAGGED_ARENA_ARRAY(arena, int64_t, lengths->num_axes);
  for (int64_t i = 0; i < lengths->batch; ++i) {
    for (int k = 0; k < lengths->num_axes; ++k) current[k] = lengths->extents[k][i];
    RAGGED_RETURN_IF_ERROR(ragged_axis_evaluate(canonical, lengths->num_axes, lengths->names,
                                                current, &values[i]));
  }
  *out_extents = values;
  return NULL;
}
