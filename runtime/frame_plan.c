// See frame_plan.h: the steps that compute the numbers of axes and spaces, and the two runs of the host
// program.
#include "frame_plan.h"

#include <stdio.h>
#include <string.h>

#include "axis_program.h"
#include "capture.h"

enum { kThreads = 256, kSharedBytes = (2 * kThreads + 1) * 8 };

// ---- Steps ---------------------------------------------------------------------------------------

static int64_t add_words(ragged_rt_frame *frame, int64_t count) {
  int64_t first = frame->plan.words;
  frame->plan.words += count;
  return first;
}

// Returns `out`, or -1 after noting an error.
static int64_t add_step(ragged_rt_frame *frame, ragged_rt_plan_kind kind, ragged_rt_plan_operand a,
                        ragged_rt_plan_operand b, int64_t limit, int64_t out) {
  ragged_rt_plan *plan = &frame->plan;
  void *steps = plan->steps;
  ragged_status status = ragged_rt_metadata_grow(&frame->context->memory, &steps, plan->num_steps,
                                                 &plan->capacity, sizeof *plan->steps);
  plan->steps = steps;
  if (!ragged_rt_frame_note(frame, status)) return -1;
  plan->steps[plan->num_steps++] =
      (ragged_rt_plan_step){kind, a.mode, a.value, b.mode, b.value, limit, out, 0};
  return out;
}

static ragged_rt_plan_operand number(int64_t value) {
  return (ragged_rt_plan_operand){RAGGED_RT_PLAN_NUMBER, value};
}

static ragged_rt_plan_operand words(int64_t word) {
  return (ragged_rt_plan_operand){RAGGED_RT_PLAN_WORDS, word};
}

static ragged_rt_plan_operand address(const void *pointer, int width) {
  return (ragged_rt_plan_operand){
      width == 32 ? RAGGED_RT_PLAN_ADDRESS_32 : RAGGED_RT_PLAN_ADDRESS,
      (int64_t)(uintptr_t)pointer};
}

// The numbers of an axis, wherever they come from.
static ragged_rt_plan_operand extents_of(ragged_rt_frame *frame, ragged_rt_axis *axis) {
  if (axis->on_device) return words(ragged_rt_plan_axis(frame, axis));
  const int64_t *known = NULL;
  (void)ragged_rt_frame_note(frame, ragged_rt_mirror_get(frame->context, &axis->extents_mirror,
                                                         axis->extents, axis->batch, &known));
  return address(known, 64);
}

static int64_t plan_expression(ragged_rt_frame *frame, const ragged_rt_axis *axis) {
  static const ragged_rt_plan_kind kinds[] = {
      [RAGGED_RT_AXIS_ADD] = RAGGED_RT_PLAN_ADD,
      [RAGGED_RT_AXIS_SUBTRACT] = RAGGED_RT_PLAN_SUBTRACT,
      [RAGGED_RT_AXIS_MULTIPLY] = RAGGED_RT_PLAN_MULTIPLY,
      [RAGGED_RT_AXIS_FLOORDIV] = RAGGED_RT_PLAN_FLOORDIV,
      [RAGGED_RT_AXIS_MAX] = RAGGED_RT_PLAN_MAX,
      [RAGGED_RT_AXIS_MIN] = RAGGED_RT_PLAN_MIN};
  const ragged_rt_device_extents *extents = axis->on_device;
  ragged_rt_plan_operand stack[RAGGED_RT_AXIS_MAX_STEPS];
  ragged_rt_axis_program program;
  int top = 0;
  ragged_rt_axis_compile(&program, extents->expression, extents->num_names, extents->names);
  for (int k = 0; k < program.num_steps; ++k) {
    const ragged_rt_axis_step *step = &program.steps[k];
    if (step->kind == RAGGED_RT_AXIS_CONSTANT) {
      stack[top++] = number(step->operand);
    } else if (step->kind == RAGGED_RT_AXIS_NAME) {
      stack[top++] = extents_of(frame, extents->axes[step->operand]);
    } else {
      bool last = k + 1 == program.num_steps;
      --top;
      stack[top - 1] = words(add_step(frame, kinds[step->kind], stack[top - 1], stack[top],
                                      last ? axis->max_extent : -1,
                                      add_words(frame, axis->batch)));
    }
  }
  return stack[0].value;
}

// Whether the call has the numbers already, or has just been told to make them.
static bool is_planned(const ragged_rt_frame *frame, const ragged_rt_planned *planned) {
  return planned->call == frame->context->num_calls;
}

static bool may_plan(ragged_rt_frame *frame) {
  if (frame->status || frame->planning) return !frame->status;
  return ragged_rt_frame_note(
      frame, ragged_status_make(RAGGED_STATUS_INTERNAL,
                                "'%s' needs lengths that it did not need when it was planned",
                                frame->entry->name));
}

static int64_t keep(ragged_rt_frame *frame, ragged_rt_planned *planned, int64_t word) {
  if (frame->status) return -1;
  *planned = (ragged_rt_planned){frame->context->num_calls, word};
  return word;
}

int64_t ragged_rt_plan_axis(ragged_rt_frame *frame, ragged_rt_axis *axis) {
  if (is_planned(frame, &axis->planned)) return axis->planned.word;
  if (!may_plan(frame)) return -1;
  const ragged_rt_device_extents *extents = axis->on_device;
  int64_t word =
      extents->width
          ? add_step(frame, RAGGED_RT_PLAN_COPY, address(extents->lengths, extents->width),
                     number(0), axis->max_extent, add_words(frame, axis->batch))
          : plan_expression(frame, axis);
  return keep(frame, &axis->planned, word);
}

int64_t ragged_rt_plan_space(ragged_rt_frame *frame, ragged_rt_space *space) {
  if (is_planned(frame, &space->planned)) return space->planned.word;
  if (!may_plan(frame)) return -1;
  ragged_rt_plan_operand rows = extents_of(frame, space->axes[0]);
  for (int k = 1; k < space->num_axes; ++k)
    rows = words(add_step(frame, RAGGED_RT_PLAN_ROWS, rows, extents_of(frame, space->axes[k]), -1,
                          add_words(frame, space->batch)));
  int64_t limit = space->rows < RAGGED_RT_PLAN_MAX_ROWS ? space->rows : RAGGED_RT_PLAN_MAX_ROWS - 1;
  int64_t out = add_words(frame, 3 * space->batch + 2);
  return keep(frame, &space->planned,
              add_step(frame, RAGGED_RT_PLAN_SCAN, rows, number(0), limit, out));
}

void ragged_rt_plan_same(ragged_rt_frame *frame, ragged_rt_axis *found, ragged_rt_axis *required) {
  if (frame->status) return;
  ragged_rt_plan_operand a = extents_of(frame, found), b = extents_of(frame, required);
  (void)add_step(frame, RAGGED_RT_PLAN_SAME, a, b, -1, 0);
}

// ---- What such calls must not ask ----------------------------------------------------------------

bool ragged_rt_plan_allows(ragged_rt_frame *frame, bool asks, const char *what,
                           const char *required) {
  if (frame->status) return false;
  if (!asks) return true;
  return ragged_rt_frame_note(
      frame,
      ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "%s, but %s; %s", what,
                         frame->context->capture
                             ? "the host takes no part in what is captured"
                             : "axes of this call are known to the device only",
                         required));
}

const char *ragged_rt_plan_axis_name(const ragged_rt_frame *frame, const ragged_rt_axis *axis,
                                     char room[64]) {
  const char *name = axis->on_device ? axis->on_device->expression : NULL;
  for (int k = 0; k < frame->entry->num_axes; ++k)
    if (frame->axes[k] == axis) name = frame->entry->axes[k];
  snprintf(room, 64, name ? "axis %s" : "an axis", name);
  return room;
}

// ---- The two runs --------------------------------------------------------------------------------

static ragged_status launch_kernel(ragged_rt_frame *frame, const void *steps) {
  ragged_rt_context *context = frame->context;
  const ragged_rt_device_table *table = context->device->table;
  const int64_t parameters[] = {frame->plan.num_steps, 0, (int64_t)(uintptr_t)steps,
                                (int64_t)(uintptr_t)frame->plan.data, frame->plan.words,
                                frame->batch, (int64_t)(uintptr_t)context->fault};
  ragged_rt_grid grid = {.module = frame->kernels, .kernel = RAGGED_RT_PLAN_KERNEL,
                         .items = frame->plan.num_steps, .blocks = 1, .threads = kThreads,
                         .shared_bytes = kSharedBytes, .parameters = parameters,
                         .num_parameters = sizeof parameters / sizeof *parameters,
                         .call = context->num_calls};
  if (table->launch_grid && frame->kernels) return table->launch_grid(context->device, &grid);
  return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                            "'%s' was given axes that only the device knows, but it was not compiled "
                            "for a device with kernels of its own",
                            frame->entry->name);
}

// Computes what was planned. The steps hold no address of this call, so that they are the same, and
// on the device already, when the call is made again.
static ragged_status compute(ragged_rt_frame *frame) {
  ragged_rt_plan *plan = &frame->plan;
  ragged_rt_context *context = frame->context;
  if (plan->num_steps == 0) return NULL;
  int64_t bytes = ragged_rt_saturating_multiply(plan->words, (int64_t)sizeof *plan->data);
  void *data = NULL;
  RAGGED_RETURN_IF_ERROR(
      ragged_rt_memory_allocate(&context->memory, bytes, "lengths and offsets", &data));
  plan->data = data;
  plan->data_bytes = bytes;
  RAGGED_RETURN_IF_ERROR(ragged_rt_constant_get(
      context, plan->steps, plan->num_steps * (int64_t)sizeof *plan->steps, &plan->uploaded));
  return launch_kernel(frame, plan->uploaded->data);
}

static void end_first_run(ragged_rt_frame *frame) {
  ragged_rt_frame_release_tensors(frame);
  frame->planning = false;
  frame->where = NULL;
}

void ragged_rt_plan_run(ragged_rt_frame *frame) {
  frame->planning = true;
  frame->entry->function(frame);
  end_first_run(frame);
  if (!ragged_rt_frame_ok(frame) || !ragged_rt_frame_note(frame, compute(frame))) return;
  frame->entry->function(frame);
}

void ragged_rt_plan_end(ragged_rt_frame *frame) {
  ragged_rt_context *context = frame->context;
  ragged_rt_constant_release(frame->plan.uploaded);
  ragged_rt_memory_free(&context->memory, frame->plan.data, frame->plan.data_bytes);
  ragged_rt_metadata_free(&context->memory, frame->plan.steps);
}
