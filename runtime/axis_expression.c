// Axes that are expressions of others. Where the host knows all of these, the extents are computed at
// once; otherwise the axis says what the device has to compute, and how large the result can be.
#include <string.h>

#include "axis_program.h"
#include "context.h"

enum { kMaxNames = 2 * RAGGED_MAX_RANK };

// ---- Known to the host ---------------------------------------------------------------------------

static ragged_status evaluate(const ragged_rt_axis_program *program, ragged_rt_axis *const *axes,
                              ragged_rt_axis *out) {
  int64_t values[kMaxNames];
  for (int64_t i = 0; i < out->batch; ++i) {
    for (int k = 0; k < program->num_names; ++k) values[k] = axes[k]->extents[i];
    ragged_status status = ragged_rt_axis_run(program, values, &out->extents[i]);
    if (!status) continue;
    ragged_status explained = ragged_status_make(ragged_status_get_code(status),
                                                 "axis %s in sample %lld: %s", program->canonical,
                                                 (long long)i, ragged_status_message(status));
    ragged_status_free(status);
    return explained;
  }
  return NULL;
}

static ragged_status create_known(ragged_rt_context *context, const ragged_rt_axis_program *program,
                                  ragged_rt_axis *const *axes, ragged_rt_axis **out_axis) {
  ragged_rt_axis *axis = ragged_rt_axis_new(context, axes[0]->batch);
  if (!axis) return ragged_rt_no_metadata("an axis");
  ragged_status status = evaluate(program, axes, axis);
  if (!status) return ragged_rt_axis_intern(axis, out_axis);
  ragged_rt_axis_discard(axis);
  return status;
}

// ---- Known to the device only --------------------------------------------------------------------

static size_t text_bytes(const ragged_rt_axis_program *program) {
  size_t bytes = strlen(program->canonical) + 1;
  for (int k = 0; k < program->num_names; ++k) bytes += strlen(program->names[k]) + 1;
  return bytes;
}

static const char *copy_text(char **at, const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = memcpy(*at, text, size);
  *at += size;
  return copy;
}

static ragged_status create_on_device(ragged_rt_context *context,
                                      const ragged_rt_axis_program *program,
                                      ragged_rt_axis *const *axes, ragged_rt_axis **out_axis) {
  if (!program->num_steps)
    return ragged_status_make(RAGGED_STATUS_UNIMPLEMENTED,
                              "axis %s is too long to be computed on the device",
                              program->canonical);
  int64_t bounds[kMaxNames];
  for (int k = 0; k < program->num_names; ++k) bounds[k] = axes[k]->max_extent;
  int64_t largest = ragged_rt_axis_bound(program, bounds), total;
  if (__builtin_mul_overflow(axes[0]->batch, largest, &total)) total = INT64_MAX;
  ragged_rt_device_extents *extents = ragged_rt_metadata_allocate(
      &context->memory, sizeof *extents, (int64_t)text_bytes(program), 1);
  if (!extents) return ragged_rt_no_metadata("an axis");
  char *at = extents->text;
  extents->max_total = total;
  extents->expression = copy_text(&at, program->canonical);
  for (int k = 0; k < program->num_names; ++k) {
    extents->names[k] = copy_text(&at, program->names[k]);
    extents->axes[k] = axes[k];
    ragged_rt_axis_retain(axes[k]);
  }
  extents->num_names = program->num_names;
  return ragged_rt_axis_intern_on_device(context, axes[0]->batch, largest, extents, out_axis);
}

// ---- Both ----------------------------------------------------------------------------------------

static ragged_status check_names(const ragged_rt_context *context, const char *canonical,
                                 int num_names, const char *const *names,
                                 ragged_rt_axis *const *axes) {
  for (int k = 0; k < num_names; ++k) {
    if (!axes[k])
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "axis %s: the axis %s is null",
                                canonical, names[k]);
    if (axes[k]->context != context)
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "axis %s: the axis %s belongs to another context", canonical,
                                names[k]);
    if (axes[k]->batch != axes[0]->batch)
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "axis %s: its names have %lld and %lld samples", canonical,
                                (long long)axes[0]->batch, (long long)axes[k]->batch);
  }
  return NULL;
}

ragged_status ragged_rt_axis_compute(ragged_rt_context *context, const char *canonical,
                                     int num_names, const char *const *names,
                                     ragged_rt_axis *const *axes, ragged_rt_axis **out_axis) {
  RAGGED_RETURN_IF_ERROR(check_names(context, canonical, num_names, names, axes));
  bool on_device = false;
  for (int k = 0; k < num_names; ++k) {
    on_device = on_device || axes[k]->on_device;
    if (strcmp(names[k], canonical) != 0) continue;  // a name by itself is its axis
    ragged_rt_axis_retain(axes[k]);
    *out_axis = axes[k];
    return NULL;
  }
  ragged_rt_axis_program program;
  ragged_rt_axis_compile(&program, canonical, num_names, names);
  return on_device ? create_on_device(context, &program, axes, out_axis)
                   : create_known(context, &program, axes, out_axis);
}

// The names of an expression, each with its axis among those that are given.
typedef struct needed_names {
  int given;
  const char *const *names;
  ragged_rt_axis *const *axes;
  int count;
  const char *own_names[kMaxNames];
  ragged_rt_axis *own_axes[kMaxNames];
  ragged_status status;
} needed_names;

static void need_name(const char *name, void *user) {
  needed_names *needed = user;
  int k = 0;
  while (k < needed->given && strcmp(needed->names[k], name) != 0) ++k;
  if (needed->status) return;
  if (k == needed->given) {
    needed->status = ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                        "an axis expression needs the axis %s, which is not given",
                                        name);
  } else if (needed->count == kMaxNames) {
    needed->status = ragged_status_make(RAGGED_STATUS_UNIMPLEMENTED,
                                        "an axis expression has more than %d names", kMaxNames);
  } else {
    needed->own_names[needed->count] = needed->names[k];
    needed->own_axes[needed->count++] = needed->axes[k];
  }
}

ragged_status ragged_rt_axis_create_from_expression(ragged_rt_context *context,
                                                    const char *expression, int num_names,
                                                    const char *const *names,
                                                    ragged_rt_axis *const *axes,
                                                    ragged_rt_axis **out_axis) {
  ragged_arena arena = {0};
  const char *canonical = NULL;
  needed_names needed = {.given = num_names, .names = names, .axes = axes};
  ragged_status status = ragged_axis_canonicalize(&arena, expression, &canonical);
  if (!status) status = ragged_axis_visit_names(&arena, canonical, need_name, &needed);
  if (!status) status = needed.status;
  if (!status)
    status = ragged_rt_axis_compute(context, canonical, needed.count, needed.own_names,
                                    needed.own_axes, out_axis);
  ragged_arena_free(&arena);
  return status;
}
