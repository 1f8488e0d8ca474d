// Launches of host kernels and the products they use during a call.
#include "frame_state.h"

static bool run_launch(ragged_rt_frame *frame, ragged_rt_launch *launch, int64_t scratch_bytes) {
  ragged_rt_memory *memory = &frame->context->memory;
  int64_t total = 0;
  if (scratch_bytes > 0) {
    int workers = ragged_rt_parallel_workers(launch->items, launch->grain, launch->num_threads);
    if (scratch_bytes > INT64_MAX / workers - RAGGED_RT_ALIGNMENT)
      return ragged_rt_frame_note(
          frame, ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED,
                                    "no memory for %lld bytes of scratch for each of %d workers",
                                    (long long)scratch_bytes, workers));
    launch->scratch_stride = (scratch_bytes + RAGGED_RT_ALIGNMENT - 1) & ~(int64_t)63;
    total = launch->scratch_stride * workers;
    if (!ragged_rt_frame_note(
            frame, ragged_rt_memory_allocate(memory, total, "scratch", &launch->scratch)))
      return false;
  }
  ragged_rt_device *device = frame->context->device;
  device->table->launch(device, launch);
  ragged_rt_memory_free(memory, launch->scratch, total);
  return true;
}

static void note_product_failures(ragged_rt_frame *frame) {
  for (int64_t k = 0; k < frame->owned_products.count; ++k)
    (void)ragged_rt_frame_note(frame, ragged_rt_product_status(frame->owned_products.items[k]));
}

void ragged_rt_frame_launch(ragged_rt_frame *frame, ragged_rt_kernel_function kernel,
                            const char *name, const int64_t *slots, int64_t items, int64_t grain,
                            int64_t scratch_bytes, int64_t bytes_per_item, int64_t flops_per_item) {
  if (frame->status || items <= 0) return;
  ragged_rt_context *context = frame->context;
  if (!context->device->table->is_host) {
    (void)ragged_rt_frame_note(
        frame, ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                  "kernel '%s' was compiled for the host, but the context's device "
                                  "is '%s'",
                                  name, context->device->table->name));
    return;
  }
  ragged_rt_observer *observer = &context->observer;
  ragged_rt_launch launch = {.kernel = kernel, .slots = slots, .items = items,
                             .grain = grain < 1 ? 1 : grain, .num_threads = context->num_threads};
  if (!ragged_rt_observes(observer)) {
    if (run_launch(frame, &launch, scratch_bytes)) note_product_failures(frame);
    return;
  }
  int64_t start = ragged_rt_now();
  if (!run_launch(frame, &launch, scratch_bytes)) return;
  int64_t stop = ragged_rt_now();
  int64_t bytes = ragged_rt_saturating_multiply(items, bytes_per_item);
  int64_t flops = ragged_rt_saturating_multiply(items, flops_per_item);
  ragged_rt_observe_launch(observer, &context->memory, name, items, bytes, flops, start, stop);
  note_product_failures(frame);
}

ragged_rt_product *ragged_rt_frame_product(ragged_rt_frame *frame, int64_t element_type, int64_t k,
                                           int64_t n, int64_t block_rows, ragged_rt_tensor *weight,
                                           int64_t transposed, ragged_rt_tensor *bias,
                                           int64_t activation, int64_t residual, int64_t panel,
                                           ragged_rt_product_function generated) {
  if (frame->status || !weight) return NULL;
  ragged_rt_product_shape shape = {
      .element_type = (ragged_element_type)element_type, .k = k, .n = n,
      .block_rows = block_rows, .transposed = transposed != 0, .activation = (int)activation,
      .has_bias = bias != NULL, .residual = residual != 0};
  ragged_rt_product *product = NULL;
  ragged_status status = ragged_rt_product_create(frame->context, &shape, weight, bias, panel,
                                                  generated, &product);
  if (!ragged_rt_frame_note(frame, status)) return NULL;
  return ragged_rt_frame_own_product(frame, product);
}
