// The check of a call's arguments against the entry's signature, once per call: number, kind,
// element types, tails and shapes, capacity, one batch size, equal extents for equal axis names, and
// axes that are expressions of others. Nothing is allocated and nothing written but the frame.
#include <string.h>

#include "axis_program.h"
#include "frame_state.h"

#define INVALID(...) ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, __VA_ARGS__)

static ragged_status check_shape(int k, const ragged_rt_tensor *tensor, const char *what, int rank,
                                 const int64_t *shape) {
  if (tensor->rank != rank)
    return INVALID("argument %d: its %s has %d dimensions, but %d are required", k, what,
                   tensor->rank, rank);
  for (int j = 0; j < rank; ++j)
    if (shape[j] >= 0 && tensor->shape[j] != shape[j])
      return INVALID("argument %d: its %s has extent %lld in position %d, but %lld is required", k,
                     what, (long long)tensor->shape[j], j, (long long)shape[j]);
  return NULL;
}

static ragged_status check_ragged(int k, const ragged_rt_tensor *tensor,
                                  const ragged_schema *schema) {
  int num_axes = ragged_schema_num_ragged(schema);
  if (tensor->space->num_axes != num_axes)
    return INVALID("argument %d: it has %d ragged axes, but %d are required", k,
                   tensor->space->num_axes, num_axes);
  int64_t tail[RAGGED_MAX_RANK];
  int tail_rank = ragged_schema_tail(schema, tail);
  RAGGED_RETURN_IF_ERROR(check_shape(k, tensor, "tail", tail_rank, tail));
  if (tensor->capacity < tensor->rows)
    return INVALID("argument %d: its buffer holds %lld rows, but its space has %lld", k,
                   (long long)tensor->capacity, (long long)tensor->rows);
  return NULL;
}

static ragged_status check_dense(int k, const ragged_rt_tensor *tensor,
                                 const ragged_schema *schema) {
  int64_t shape[RAGGED_MAX_RANK];
  for (int j = 0; j < schema->rank; ++j) shape[j] = schema->dimensions[j].extent;
  return check_shape(k, tensor, "shape", schema->rank, shape);
}

static ragged_status check_alone(const ragged_rt_frame *frame, int k) {
  const ragged_rt_tensor *tensor = frame->arguments[k];
  const ragged_rt_value_type *type = &frame->entry->arguments[k];
  bool ragged = type->kind == RAGGED_RT_VALUE_RAGGED;
  if (!tensor) return INVALID("argument %d is null", k);
  if (tensor->context != frame->context)
    return INVALID("argument %d belongs to another context", k);
  if ((tensor->space != NULL) != ragged)
    return INVALID("argument %d is a %s tensor, but a %s one is required", k,
                   tensor->space ? "ragged" : "dense", ragged ? "ragged" : "dense");
  if (tensor->element_type != type->schema.element_type)
    return INVALID("argument %d has element type %s, but %s is required", k,
                   ragged_element_name(tensor->element_type),
                   ragged_element_name(type->schema.element_type));
  size_t alignment = ragged_element_size(tensor->element_type);
  if ((uintptr_t)tensor->data % alignment != 0)
    return INVALID("argument %d: its data is not aligned to %zu bytes", k, alignment);
  return ragged ? check_ragged(k, tensor, &type->schema) : check_dense(k, tensor, &type->schema);
}

static ragged_status check_batch(ragged_rt_frame *frame, int k) {
  const ragged_rt_space *space = frame->arguments[k]->space;
  if (!space) return NULL;
  if (frame->batch < 0) {
    frame->batch = space->batch;
    frame->batch_argument = k;
  }
  if (space->batch == frame->batch) return NULL;
  return INVALID("argument %d has %lld samples, but argument %d has %lld", k,
                 (long long)space->batch, frame->batch_argument, (long long)frame->batch);
}

// ---- Axes --------------------------------------------------------------------------------------

static int find_axis(const ragged_rt_entry *entry, const char *name) {
  for (int k = 0; k < entry->num_axes; ++k)
    if (strcmp(entry->axes[k], name) == 0) return k;
  return -1;
}

static ragged_status extents_differ(int k, const char *name, const ragged_rt_axis *found,
                                    const ragged_rt_axis *required, int other) {
  int64_t i = 0;
  while (found->extents[i] == required->extents[i]) ++i;
  return INVALID("argument %d: axis %s has extent %lld in sample %lld, but argument %d gives it "
                 "%lld",
                 k, name, (long long)found->extents[i], (long long)i, other,
                 (long long)required->extents[i]);
}

// Binds the names that the entry lists; a name bound before must have equal extents.
static ragged_status bind_axes(ragged_rt_frame *frame, int k) {
  const ragged_rt_space *space = frame->arguments[k]->space;
  if (!space) return NULL;
  const char *names[RAGGED_MAX_RANK];
  int count = ragged_schema_space(&frame->entry->arguments[k].schema, names);
  for (int j = 0; j < count; ++j) {
    int at = find_axis(frame->entry, names[j]);
    if (at < 0) continue;
    if (!frame->axes[at]) {
      frame->axes[at] = space->axes[j];
      frame->axis_arguments[at] = k;
    } else if (!ragged_rt_axis_equal(frame->axes[at], space->axes[j])) {
      return extents_differ(k, names[j], space->axes[j], frame->axes[at],
                            frame->axis_arguments[at]);
    }
  }
  return NULL;
}

static ragged_status check_expression(const ragged_rt_frame *frame, int k, const char *expression,
                                      const ragged_rt_axis *axis) {
  enum { kMaxNames = 4 * RAGGED_MAX_RANK };
  const ragged_rt_entry *entry = frame->entry;
  const char *names[kMaxNames];
  const ragged_rt_axis *bound[kMaxNames];
  int64_t values[kMaxNames];
  int count = 0;
  for (int j = 0; j < entry->num_axes && count < kMaxNames; ++j) {
    if (!frame->axes[j] || !ragged_axis_is_name(entry->axes[j])) continue;
    if (!strstr(expression, entry->axes[j])) continue;  // cannot occur in it
    names[count] = entry->axes[j];
    bound[count++] = frame->axes[j];
  }
  ragged_rt_axis_program program;
  ragged_rt_axis_compile(&program, expression, count, names);
  for (int64_t i = 0; i < axis->batch; ++i) {
    for (int j = 0; j < count; ++j) values[j] = bound[j]->extents[i];
    int64_t required = 0;
    ragged_status status = ragged_rt_axis_run(&program, values, &required);
    if (status) {
      ragged_status explained = INVALID("argument %d: axis %s in sample %lld: %s", k, expression,
                                        (long long)i, ragged_status_message(status));
      ragged_status_free(status);
      return explained;
    }
    if (axis->extents[i] != required)
      return INVALID("argument %d: axis %s has extent %lld in sample %lld, but its names give it "
                     "%lld",
                     k, expression, (long long)axis->extents[i], (long long)i,
                     (long long)required);
  }
  return NULL;
}

// Expressions are compared with what their names say. One that the entry lists as an axis of its
// own is free: its names are not arguments' axes.
static ragged_status check_expressions(const ragged_rt_frame *frame, int k) {
  const ragged_rt_space *space = frame->arguments[k]->space;
  if (!space) return NULL;
  const char *names[RAGGED_MAX_RANK];
  int count = ragged_schema_space(&frame->entry->arguments[k].schema, names);
  for (int j = 0; j < count; ++j)
    if (find_axis(frame->entry, names[j]) < 0)
      RAGGED_RETURN_IF_ERROR(check_expression(frame, k, names[j], space->axes[j]));
  return NULL;
}

ragged_status ragged_rt_entry_check(ragged_rt_frame *frame, int num_arguments, int num_results) {
  const ragged_rt_entry *entry = frame->entry;
  if (num_arguments != entry->num_arguments)
    return INVALID("'%s' was given %d arguments, but %d are required", entry->name, num_arguments,
                   entry->num_arguments);
  if (num_results != entry->num_results)
    return INVALID("'%s' was asked for %d results, but it has %d", entry->name, num_results,
                   entry->num_results);
  for (int k = 0; k < num_arguments; ++k) RAGGED_RETURN_IF_ERROR(check_alone(frame, k));
  for (int k = 0; k < num_arguments; ++k) RAGGED_RETURN_IF_ERROR(check_batch(frame, k));
  for (int k = 0; k < num_arguments; ++k) RAGGED_RETURN_IF_ERROR(bind_axes(frame, k));
  for (int k = 0; k < num_arguments; ++k) RAGGED_RETURN_IF_ERROR(check_expressions(frame, k));
  for (int k = 0; k < entry->num_axes; ++k)
    if (!frame->axes[k])
      return ragged_status_make(RAGGED_STATUS_INTERNAL,
                                "'%s' names axis %s, but no argument has it", entry->name,
                                entry->axes[k]);
  return NULL;
}
