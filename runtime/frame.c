// Calls: the life of a frame and what it owns. A frame's first error is sticky; its end releases
// everything that was not given to the caller as a result.
#include "capture.h"
#include "frame_plan.h"

#include <string.h>

bool ragged_rt_frame_note(ragged_rt_frame *frame, ragged_status status) {
  if (!status) return !frame->status;
  if (frame->status || !frame->where) {
    if (frame->status) ragged_status_free(status);
    else frame->status = status;
    return false;
  }
  frame->status = ragged_status_make(ragged_status_get_code(status), "%s: %s", frame->where,
                                     ragged_status_message(status));
  ragged_status_free(status);
  return false;
}

void ragged_rt_frame_at(ragged_rt_frame *frame, const char *where) { frame->where = where; }

void ragged_rt_frame_kernels(ragged_rt_frame *frame, const ragged_rt_kernel_module *kernels) {
  frame->kernels = kernels;
}

int64_t ragged_rt_frame_ok(ragged_rt_frame *frame) { return frame->status == NULL; }

// ---- Handles ---------------------------------------------------------------------------------

ragged_rt_tensor *ragged_rt_frame_own_tensor(ragged_rt_frame *frame, ragged_rt_tensor *tensor) {
  void *tensors = frame->tensors;
  ragged_status status =
      ragged_rt_metadata_grow(&frame->context->memory, &tensors, frame->num_tensors,
                              &frame->tensors_capacity, sizeof *frame->tensors);
  frame->tensors = tensors;
  if (status) {
    ragged_rt_tensor_release(tensor);
    (void)ragged_rt_frame_note(frame, status);
    return NULL;
  }
  frame->tensors[frame->num_tensors++] = (ragged_rt_owned_tensor){tensor, 1};
  return tensor;
}

// The latest handles are the ones released first, so the search starts at the end.
static ragged_rt_owned_tensor *find_owned(ragged_rt_frame *frame, const ragged_rt_tensor *tensor) {
  for (int64_t k = frame->num_tensors - 1; k >= 0; --k)
    if (frame->tensors[k].tensor == tensor) return &frame->tensors[k];
  return NULL;
}

bool ragged_rt_frame_disown_tensor(ragged_rt_frame *frame, ragged_rt_tensor *tensor) {
  ragged_rt_owned_tensor *owned = find_owned(frame, tensor);
  if (!owned) return false;
  if (--owned->count == 0) *owned = frame->tensors[--frame->num_tensors];
  return true;
}

// Whether the array now holds `item`. A handle that was given out lately is not kept twice: a loop
// that asks for the same interned axis or space again does not make the frame grow.
static bool keep(ragged_rt_frame *frame, ragged_rt_handles *handles, void *item, bool *known) {
  enum { kLookBack = 64 };
  int64_t from = handles->count > kLookBack ? handles->count - kLookBack : 0;
  *known = false;
  for (int64_t k = from; k < handles->count && !*known; ++k) *known = handles->items[k] == item;
  if (*known) return true;
  void *items = handles->items;
  ragged_status status = ragged_rt_metadata_grow(&frame->context->memory, &items, handles->count,
                                                 &handles->capacity, sizeof *handles->items);
  handles->items = items;
  if (!ragged_rt_frame_note(frame, status)) return false;
  handles->items[handles->count++] = item;
  return true;
}

ragged_rt_axis *ragged_rt_frame_own_axis(ragged_rt_frame *frame, ragged_rt_axis *axis) {
  bool known;
  bool kept = keep(frame, &frame->owned_axes, axis, &known);
  if (!kept || known) ragged_rt_axis_release(axis);
  return kept ? axis : NULL;
}

ragged_rt_space *ragged_rt_frame_own_space(ragged_rt_frame *frame, ragged_rt_space *space) {
  bool known;
  bool kept = keep(frame, &frame->owned_spaces, space, &known);
  if (!kept || known) ragged_rt_space_release(space);
  return kept ? space : NULL;
}

ragged_rt_product *ragged_rt_frame_own_product(ragged_rt_frame *frame, ragged_rt_product *product) {
  bool known;
  if (keep(frame, &frame->owned_products, product, &known)) return product;
  ragged_rt_product_destroy(product);
  return NULL;
}

void ragged_rt_frame_release_product(ragged_rt_frame *frame, ragged_rt_product *product) {
  ragged_rt_handles *products = &frame->owned_products;
  for (int64_t k = products->count - 1; k >= 0; --k) {
    if (products->items[k] != product) continue;
    products->items[k] = products->items[--products->count];
    ragged_rt_product_destroy(product);
    return;
  }
}

// ---- Calls ------------------------------------------------------------------------------------

ragged_rt_tensor *ragged_rt_frame_argument(ragged_rt_frame *frame, int64_t k) {
  if (frame->status || k < 0 || k >= frame->entry->num_arguments) return NULL;
  return ragged_rt_frame_align(frame, frame->arguments[k]);
}

ragged_rt_axis *ragged_rt_frame_axis(ragged_rt_frame *frame, int64_t k) {
  if (frame->status || k < 0 || k >= frame->entry->num_axes) return NULL;
  return frame->axes[k];
}

static ragged_status begin(ragged_rt_frame *frame) {
  ragged_rt_memory *memory = &frame->context->memory;
  const ragged_rt_entry *entry = frame->entry;
  frame->axes = ragged_rt_metadata_allocate(memory, 0, entry->num_axes, sizeof(void *));
  frame->axis_arguments = ragged_rt_metadata_allocate(memory, 0, entry->num_axes, sizeof(int));
  frame->results = ragged_rt_metadata_allocate(memory, 0, entry->num_results, sizeof(void *));
  if (!frame->axes || !frame->axis_arguments || !frame->results)
    return ragged_rt_no_metadata("a call");
  return NULL;
}

static void check_results_given(ragged_rt_frame *frame) {
  for (int k = 0; k < frame->entry->num_results && !frame->status; ++k)
    if (!frame->results[k])
      frame->status = ragged_status_make(RAGGED_STATUS_INTERNAL,
                                         "entry '%s' ended without giving result %d",
                                         frame->entry->name, k);
}

void ragged_rt_frame_release_tensors(ragged_rt_frame *frame) {
  for (int64_t k = 0; k < frame->owned_products.count; ++k)
    ragged_rt_product_destroy(frame->owned_products.items[k]);
  for (int64_t k = 0; k < frame->num_tensors; ++k)
    while (frame->tensors[k].count-- > 0) ragged_rt_tensor_release(frame->tensors[k].tensor);
  frame->owned_products.count = frame->num_tensors = 0;
}

static void end(ragged_rt_frame *frame) {
  ragged_rt_memory *memory = &frame->context->memory;
  ragged_rt_frame_release_tensors(frame);
  ragged_rt_plan_end(frame);
  for (int64_t k = 0; k < frame->owned_spaces.count; ++k)
    ragged_rt_space_release(frame->owned_spaces.items[k]);
  for (int64_t k = 0; k < frame->owned_axes.count; ++k)
    ragged_rt_axis_release(frame->owned_axes.items[k]);
  if (frame->status && frame->results)
    for (int k = 0; k < frame->entry->num_results; ++k)
      ragged_rt_tensor_release(frame->results[k]);
  ragged_rt_metadata_free(memory, frame->owned_products.items);
  ragged_rt_metadata_free(memory, frame->owned_spaces.items);
  ragged_rt_metadata_free(memory, frame->owned_axes.items);
  ragged_rt_metadata_free(memory, frame->tensors);
  ragged_rt_metadata_free(memory, frame->results);
  ragged_rt_metadata_free(memory, frame->axis_arguments);
  ragged_rt_metadata_free(memory, frame->axes);
}

ragged_status ragged_rt_call(ragged_rt_context *context, const ragged_rt_entry *entry,
                             int num_arguments, ragged_rt_tensor *const *arguments, int num_results,
                             ragged_rt_tensor **results) {
  RAGGED_RETURN_IF_ERROR(ragged_rt_capture_check(context));
  context->num_calls += 1;
  ragged_rt_frame frame = {.context = context, .entry = entry, .arguments = arguments,
                           .batch = -1, .batch_argument = -1};
  frame.status = begin(&frame);
  if (!frame.status) frame.status = ragged_rt_entry_check(&frame, num_arguments, num_results);
  if (!frame.status) {
    if (frame.without_host) ragged_rt_plan_run(&frame);
    else entry->function(&frame);
    check_results_given(&frame);
  }
  if (!frame.status && num_results)
    memcpy(results, frame.results, (size_t)num_results * sizeof *results);
  end(&frame);
  return frame.status;
}
