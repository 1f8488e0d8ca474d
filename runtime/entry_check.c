// The check of a call's arguments against the entry's signature, once per call: number, kind,
// element types, tails and shapes, capacity, one batch size, equal extents for equal axis names, and
// axes that are expressions of others. Nothing is written but the frame. Axes that only the device
// knows are read where the device is the host; elsewhere the comparisons become part of the plan.
#include <string.h>

#include "axis_program.h"
#include "frame_plan.h"

enum { kMaxAxisNames = 4 * RAGGED_MAX_RANK };

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

// Axis j of an argument's space. The host reads lengths that lie in its own memory at every call.
static ragged_status axis_of(ragged_rt_frame *frame, const ragged_rt_space *space, int j,
                             ragged_rt_axis **out) {
  *out = space->axes[j];
  if (!(*out)->on_device) return NULL;
  if (!frame->context->device->table->is_host) {
    frame->without_host = true;
    return NULL;
  }
  RAGGED_RETURN_IF_ERROR(ragged_rt_axis_resolve(space->axes[j], out));
  *out = ragged_rt_frame_own_axis(frame, *out);
  return *out ? NULL : ragged_rt_no_metadata("an axis of a call");
}

// An argument whose space only the device knows has no more rows than there is room for. The host looks
// at once; for a device that is in the plan, also of a call that uses lengths only.
static ragged_status check_rows(ragged_rt_frame *frame, int k) {
  const ragged_rt_tensor *tensor = frame->arguments[k];
  if (!tensor->space || !tensor->space->on_device) return NULL;
  if (!frame->context->device->table->is_host) {
    frame->planning = true;
    (void)ragged_rt_plan_space(frame, tensor->space);
    return NULL;
  }
  ragged_rt_space *known = NULL;
  ragged_status status = ragged_rt_space_resolve(tensor->space, &known);
  if (status) {
    ragged_status explained = ragged_status_make(ragged_status_get_code(status), "argument %d: %s",
                                                 k, ragged_status_message(status));
    ragged_status_free(status);
    return explained;
  }
  if (known->rows > tensor->capacity)
    status = INVALID("argument %d: its buffer holds %lld rows, but its space has %lld", k,
                     (long long)tensor->capacity, (long long)known->rows);
  ragged_rt_space_release(known);
  return status;
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

static const char *knower(const ragged_rt_axis *axis) { return axis->on_device ? "device" : "host"; }

// In the plan of the call, whose other steps come after.
static void plan_same(ragged_rt_frame *frame, ragged_rt_axis *found, ragged_rt_axis *required) {
  frame->planning = true;
  ragged_rt_plan_same(frame, found, required);
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
    ragged_rt_axis *axis = NULL;
    RAGGED_RETURN_IF_ERROR(axis_of(frame, space, j, &axis));
    if (!frame->axes[at]) {
      frame->axes[at] = axis;
      frame->axis_arguments[at] = k;
    } else if (ragged_rt_axis_equal(frame->axes[at], axis)) {
      continue;
    } else if ((axis->on_device != NULL) != (frame->axes[at]->on_device != NULL)) {
      return INVALID("argument %d: only the %s knows axis %s, but only the %s that of argument %d; "
                     "one of the two is required for both",
                     k, knower(axis), names[j], knower(frame->axes[at]), frame->axis_arguments[at]);
    } else if (axis->on_device) {
      plan_same(frame, axis, frame->axes[at]);
    } else {
      return extents_differ(k, names[j], axis, frame->axes[at], frame->axis_arguments[at]);
    }
  }
  return NULL;
}

// An expression over names that an argument gives: the axis that it must be is computed, and compared,
// on the device.
static ragged_status compare_on_device(ragged_rt_frame *frame, int k,
                                       const ragged_rt_axis_program *program,
                                       ragged_rt_axis *const *bound, ragged_rt_axis *axis,
                                       ragged_rt_axis **out_required) {
  ragged_rt_axis *required = NULL;
  const char *names[kMaxAxisNames];
  ragged_rt_axis *axes[kMaxAxisNames];
  int count = 0;
  if (!program->num_steps)
    return ragged_status_make(RAGGED_STATUS_UNIMPLEMENTED,
                              "argument %d: axis %s cannot be compared on the device: it is too "
                              "long, or not all its names are axes of arguments",
                              k, program->canonical);
  for (int s = 0; s < program->num_steps; ++s) {
    if (program->steps[s].kind != RAGGED_RT_AXIS_NAME) continue;
    const char *name = program->names[program->steps[s].operand];
    int j = 0;
    while (j < count && names[j] != name) ++j;
    if (j < count) continue;
    if (count == 2 * RAGGED_MAX_RANK) break;
    names[count] = name;
    axes[count++] = bound[program->steps[s].operand];
  }
  ragged_status status =
      ragged_rt_axis_compute(frame->context, program->canonical, count, names, axes, &required);
  if (status) {
    ragged_status explained = ragged_status_make(ragged_status_get_code(status), "argument %d: %s",
                                                 k, ragged_status_message(status));
    ragged_status_free(status);
    return explained;
  }
  *out_required = required = ragged_rt_frame_own_axis(frame, required);
  if (!required || ragged_rt_axis_equal(required, axis)) return NULL;
  if ((axis->on_device != NULL) != (required->on_device != NULL))
    return INVALID("argument %d: only the %s knows axis %s, but only the %s its names; one of the two "
                   "is required for both",
                   k, knower(axis), program->canonical, knower(required));
  plan_same(frame, axis, required);
  return NULL;
}

// *out: the axis that kernels use for the expression.
static ragged_status check_expression(ragged_rt_frame *frame, int k, const char *expression,
                                      ragged_rt_axis *axis, ragged_rt_axis **out) {
  const ragged_rt_entry *entry = frame->entry;
  const char *names[kMaxAxisNames];
  ragged_rt_axis *bound[kMaxAxisNames];
  int64_t values[kMaxAxisNames];
  int count = 0;
  bool on_device = axis->on_device != NULL;
  for (int j = 0; j < entry->num_axes && count < kMaxAxisNames; ++j) {
    if (!frame->axes[j] || !ragged_axis_is_name(entry->axes[j])) continue;
    if (!strstr(expression, entry->axes[j])) continue;  // cannot occur in it
    names[count] = entry->axes[j];
    on_device = on_device || frame->axes[j]->on_device;
    bound[count++] = frame->axes[j];
  }
  ragged_rt_axis_program program;
  ragged_rt_axis_compile(&program, expression, count, names);
  *out = axis;
  if (on_device) return compare_on_device(frame, k, &program, bound, axis, out);
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

// Kernels find an argument's rows by the axes that its names stand for. Where these are not its own,
// its buffer has room for what they allow.
static ragged_status check_room(ragged_rt_frame *frame, int k, int count,
                                ragged_rt_axis *const *axes) {
  const ragged_rt_tensor *tensor = frame->arguments[k];
  bool own = true;
  for (int j = 0; j < count; ++j) own = own && axes[j] == tensor->space->axes[j];
  if (own || frame->context->device->table->is_host) return NULL;
  ragged_rt_space *space = NULL;
  RAGGED_RETURN_IF_ERROR(
      ragged_rt_space_get(frame->context, frame->batch, count, axes, &space));
  space = ragged_rt_frame_own_space(frame, space);
  if (!space || tensor->capacity >= space->rows) return NULL;
  return INVALID("argument %d: its buffer holds %lld rows, but its space can have %lld by the axes "
                 "that its names stand for",
                 k, (long long)tensor->capacity, (long long)space->rows);
}

// Expressions are compared with what their names say. One that the entry lists as an axis of its
// own is free: its names are not arguments' axes.
static ragged_status check_expressions(ragged_rt_frame *frame, int k) {
  const ragged_rt_space *space = frame->arguments[k]->space;
  if (!space) return NULL;
  const char *names[RAGGED_MAX_RANK];
  ragged_rt_axis *used[RAGGED_MAX_RANK];
  int count = ragged_schema_space(&frame->entry->arguments[k].schema, names);
  for (int j = 0; j < count; ++j) {
    int at = find_axis(frame->entry, names[j]);
    ragged_rt_axis *axis = NULL;
    used[j] = at >= 0 ? frame->axes[at] : NULL;
    if (at >= 0) continue;
    RAGGED_RETURN_IF_ERROR(axis_of(frame, space, j, &axis));
    RAGGED_RETURN_IF_ERROR(check_expression(frame, k, names[j], axis, &used[j]));
    if (!used[j]) return ragged_rt_no_metadata("an axis of a call");
  }
  return check_room(frame, k, count, used);
}

ragged_status ragged_rt_entry_check(ragged_rt_frame *frame, int num_arguments, int num_results) {
  frame->without_host = frame->context->capture != NULL;
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
  for (int k = 0; k < num_arguments; ++k) RAGGED_RETURN_IF_ERROR(check_rows(frame, k));
  for (int k = 0; k < entry->num_axes; ++k)
    if (!frame->axes[k])
      return ragged_status_make(RAGGED_STATUS_INTERNAL,
                                "'%s' names axis %s, but no argument has it", entry->name,
                                entry->axes[k]);
  return NULL;
}
