// Launches of a device's own kernels during a call: the grid, the scratch and the parameters.
#include <string.h>

#include "frame_state.h"
#include "support/struct_size.h"

static ragged_status check_launch(const ragged_rt_device_table *device,
                                  const ragged_rt_kernel_module *module, const char *kernel,
                                  int64_t num_words, int64_t items_per_block,
                                  const ragged_rt_grid *grid, int64_t scratch_bytes) {
  if (!device->launch_grid)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "kernel '%s' was compiled for a device with kernels of its own, but "
                              "the context's device is '%s'",
                              kernel, device->name);
  if (!module || module->struct_size < (int64_t)sizeof *module)
    return ragged_status_make(RAGGED_STATUS_INTERNAL,
                              "kernel '%s': its module has %lld bytes, but %zu are required", kernel,
                              module ? (long long)module->struct_size : 0LL, sizeof *module);
  if (!ragged_struct_ends_in_zeros(module, (size_t)module->struct_size, sizeof *module))
    return ragged_status_make(RAGGED_STATUS_INTERNAL,
                              "kernel '%s': its module has %lld bytes, but this runtime knows %zu; the "
                              "others must be 0",
                              kernel, (long long)module->struct_size, sizeof *module);
  if (num_words < 0 || num_words > RAGGED_RT_MAX_KERNEL_WORDS || items_per_block < 1 ||
      grid->threads < 1 || grid->shared_bytes < 0 || scratch_bytes < 0)
    return ragged_status_make(RAGGED_STATUS_INTERNAL,
                              "kernel '%s' was launched with %lld words (at most %d), %lld items a "
                              "block, %lld threads, %lld bytes of shared memory, %lld of scratch",
                              kernel, (long long)num_words, RAGGED_RT_MAX_KERNEL_WORDS,
                              (long long)items_per_block, (long long)grid->threads,
                              (long long)grid->shared_bytes, (long long)scratch_bytes);
  return NULL;
}

static ragged_status choose_blocks(ragged_rt_device *device, ragged_rt_grid *grid,
                                   int64_t items_per_block, bool has_scratch) {
  int64_t limit = RAGGED_RT_MAX_BLOCKS;
  if (has_scratch) {
    RAGGED_RETURN_IF_ERROR(device->table->resident_blocks(device, grid, &limit));
    if (limit < 1)
      return ragged_status_make(RAGGED_STATUS_UNAVAILABLE,
                                "kernel '%s': not one block of %lld threads with %lld bytes of "
                                "dynamic shared memory fits on device '%s'",
                                grid->kernel, (long long)grid->threads,
                                (long long)grid->shared_bytes, device->table->name);
  }
  int64_t wanted = (grid->items - 1) / items_per_block + 1;
  grid->blocks = wanted < limit ? wanted : limit;
  return NULL;
}

// The scratch goes back to the cache at once: what takes it next comes later on the stream.
static ragged_status run_grid(ragged_rt_context *context, ragged_rt_grid *grid,
                              const int64_t *words, int64_t num_words,
                              int64_t scratch_bytes_per_block, bool items_on_device) {
  int64_t parameters[2 + RAGGED_RT_MAX_KERNEL_WORDS];
  void *scratch = NULL;
  int64_t scratch_bytes = ragged_rt_saturating_multiply(grid->blocks, scratch_bytes_per_block);
  RAGGED_RETURN_IF_ERROR(
      ragged_rt_memory_allocate(&context->memory, scratch_bytes, "scratch", &scratch));
  parameters[0] = items_on_device ? -1 : grid->items;
  parameters[1] = (int64_t)(uintptr_t)scratch;
  if (num_words) memcpy(parameters + 2, words, (size_t)num_words * sizeof *words);
  grid->parameters = parameters;
  grid->num_parameters = 2 + num_words;
  ragged_status status = context->device->table->launch_grid(context->device, grid);
  ragged_rt_memory_free(&context->memory, scratch, scratch_bytes);
  return status;
}

void ragged_rt_frame_launch_grid(ragged_rt_frame *frame, const ragged_rt_kernel_module *module,
                                 const char *kernel, const int64_t *words, int64_t num_words,
                                 ragged_rt_space *space, int64_t items, int64_t items_per_block,
                                 int64_t threads, int64_t shared_bytes,
                                 int64_t scratch_bytes_per_block, int64_t bytes_per_item,
                                 int64_t flops_per_item) {
  if (frame->status || items <= 0) return;
  ragged_rt_context *context = frame->context;
  ragged_rt_grid grid = {.module = module, .kernel = kernel, .items = items, .threads = threads,
                         .shared_bytes = shared_bytes,
                         .bytes = ragged_rt_saturating_multiply(items, bytes_per_item),
                         .flops = ragged_rt_saturating_multiply(items, flops_per_item),
                         .call = context->num_calls};
  ragged_status status = check_launch(context->device->table, module, kernel, num_words,
                                      items_per_block, &grid, scratch_bytes_per_block);
  if (!status)
    status = choose_blocks(context->device, &grid, items_per_block, scratch_bytes_per_block > 0);
  if (!status && !frame->planning)
    status = run_grid(context, &grid, words, num_words, scratch_bytes_per_block,
                      space && space->on_device);
  (void)ragged_rt_frame_note(frame, status);
}
