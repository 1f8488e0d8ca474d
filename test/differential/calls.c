// See calls.h.
#include "calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ragged-run/file.h"

static ragged_status malformed(const char *what) {
  return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "malformed list of calls: %s", what);
}

ragged_status call_list_open(const char *calls, const char *values, ragged_rt_context *context,
                             call_list *out) {
  int64_t size;
  *out = (call_list){.context = context};
  RAGGED_RETURN_IF_ERROR(ragged_run_file_read(values, &out->values, &size));
  return ragged_run_file_open(calls, &out->file, &size);
}

void call_list_close(call_list *list) {
  if (list->file) fclose(list->file);
  free(list->values);
  *list = (call_list){0};
}

// `axis E0 E1 ... : TEXT`, after the first word.
static ragged_status read_axis(call_list *list, call *c, char *line) {
  char *text = strstr(line, " : ");
  if (!text || c->num_axes == CALL_MAX_AXES) return malformed("axis");
  *text = 0;
  int64_t *lengths = calloc((size_t)c->batch + 1, sizeof *lengths);
  if (!lengths) return malformed("memory");
  for (int64_t i = 0; i < c->batch; ++i) lengths[i] = strtoll(line, &line, 10);
  ragged_status status = ragged_rt_axis_create_from_lengths(list->context, c->batch, 64, lengths,
                                                            &c->axes[c->num_axes]);
  free(lengths);
  if (!status) c->axis_texts[c->num_axes++] = strdup(text + 3);
  return status;
}

static ragged_status make_space(call_list *list, const call *c, const ragged_schema *schema,
                                ragged_rt_space **out) {
  const char *names[RAGGED_MAX_RANK];
  ragged_rt_axis *axes[RAGGED_MAX_RANK];
  int count = ragged_schema_space(schema, names);
  for (int k = 0; k < count; ++k) {
    int a = 0;
    while (a < c->num_axes && strcmp(c->axis_texts[a], names[k])) ++a;
    if (a == c->num_axes) return malformed(names[k]);
    axes[k] = c->axes[a];
  }
  return ragged_rt_space_get(list->context, c->batch, count, axes, out);
}

// The host wraps the values of the file, so that a write shows; other devices get a copy. `rank` and
// `shape` with the rows in front.
static ragged_status make_argument(call_list *list, ragged_element_type element,
                                   ragged_rt_space *space, int rank, const int64_t *shape,
                                   void *data, ragged_rt_tensor **out) {
  bool host = !strcmp(ragged_rt_context_device(list->context), "host");
  if (host && space)
    return ragged_rt_tensor_wrap(list->context, element, space, rank - 1, shape + 1, shape[0], data,
                                 NULL, NULL, out);
  if (host)
    return ragged_rt_tensor_wrap_dense(list->context, element, rank, shape, data, NULL, NULL, out);
  return ragged_rt_tensor_from_host(list->context, element, space, space ? rank - 1 : rank,
                                    space ? shape + 1 : shape, data, out);
}

// `argument OFFSET RANK E0 ...`, after the first word.
static ragged_status read_argument(call_list *list, call *c, const ragged_rt_entry *entry,
                                   char *line) {
  int k = c->num_arguments;
  if (k >= entry->num_arguments || k == CALL_MAX_ARGUMENTS) return malformed("argument");
  const ragged_rt_value_type *type = &entry->arguments[k];
  int64_t offset = strtoll(line, &line, 10), shape[RAGGED_MAX_RANK + 1];
  int rank = (int)strtoll(line, &line, 10);
  if (rank > RAGGED_MAX_RANK) return malformed("rank");
  for (int d = 0; d < rank; ++d) shape[d] = strtoll(line, &line, 10);
  ragged_rt_space *space = NULL;
  if (type->kind == RAGGED_RT_VALUE_RAGGED)
    RAGGED_RETURN_IF_ERROR(make_space(list, c, &type->schema, &space));
  ragged_status status = make_argument(list, type->schema.element_type, space, rank, shape,
                                       list->values + offset, &c->arguments[k]);
  ragged_rt_space_release(space);
  if (!status) ++c->num_arguments;
  return status;
}

static ragged_status read_line(call_list *list, call *c, const ragged_rt_entry *entry, char *line) {
  if (!strncmp(line, "axis ", 5)) return read_axis(list, c, line + 5);
  if (!strncmp(line, "argument ", 9) && entry) return read_argument(list, c, entry, line + 9);
  return malformed(line);
}

bool call_begin(call_list *list, call *out) {
  char *line = NULL;
  size_t capacity = 0;
  long long batch = 0;
  *out = (call){.batch = 0};
  bool more = getline(&line, &capacity, list->file) > 0;
  if (more && sscanf(line, "call %127s %lld", out->function, &batch) != 2) out->function[0] = 0;
  out->batch = batch;
  free(line);
  return more;
}

ragged_status call_read(call_list *list, const ragged_rt_entry *entry, call *c) {
  char *line = NULL;
  size_t capacity = 0;
  ragged_status status = entry ? NULL : malformed(c->function[0] ? c->function : "call");
  while (getline(&line, &capacity, list->file) > 0 && strcmp(line, "end\n") != 0) {
    line[strcspn(line, "\n")] = 0;
    if (!status) status = read_line(list, c, entry, line);
  }
  free(line);
  return status || c->num_arguments == entry->num_arguments ? status : malformed("number of arguments");
}

void call_free(call *c) {
  for (int k = 0; k < c->num_arguments; ++k) ragged_rt_tensor_release(c->arguments[k]);
  for (int k = 0; k < c->num_axes; ++k) {
    ragged_rt_axis_release(c->axes[k]);
    free(c->axis_texts[k]);
  }
  *c = (call){.batch = 0};
}
