// Launches of kernels that are one dense product: by the device's library where it has one that can,
// else as any kernel (frame_grid.c).
#include "frame_state.h"
#include "support/struct_size.h"

static ragged_status check_product(const char *kernel, const ragged_rt_plain_product *product,
                                   int64_t num_words) {
  const int64_t words[] = {product->rows, product->weight, product->result, product->bias,
                           product->residual};
  enum { kNeeded = 3 };
  bool good = product->struct_size >= (int64_t)sizeof *product &&
              ragged_struct_ends_in_zeros(product, (size_t)product->struct_size, sizeof *product) &&
              product->k >= 0 && product->n >= 0 && product->rows_per_item >= 0 &&
              product->activation >= 0 && product->activation < RAGGED_RT_ACTIVATION_COUNT;
  for (int k = 0; k < (int)(sizeof words / sizeof words[0]); ++k)
    good = good && words[k] >= (k < kNeeded ? 0 : -1) && words[k] < num_words;
  if (good) return NULL;
  return ragged_status_make(RAGGED_STATUS_INTERNAL,
                            "kernel '%s': its product has %lld bytes, K = %lld, N = %lld, %lld rows "
                            "an item, activation %lld, and words %lld, %lld, %lld, %lld, %lld of %lld",
                            kernel, (long long)product->struct_size, (long long)product->k,
                            (long long)product->n, (long long)product->rows_per_item,
                            (long long)product->activation, (long long)product->rows,
                            (long long)product->weight, (long long)product->bias,
                            (long long)product->residual, (long long)product->result,
                            (long long)num_words);
}

static void *word_pointer(const int64_t *words, int64_t k) {
  return k < 0 ? NULL : (void *)(uintptr_t)words[k];
}

static ragged_status run_by_library(ragged_rt_device *device, const char *kernel,
                                    const ragged_rt_plain_product *product, const int64_t *words,
                                    int64_t num_words, int64_t items, bool *out_done) {
  RAGGED_RETURN_IF_ERROR(check_product(kernel, product, num_words));
  const ragged_rt_product_shape shape = {
      .element_type = (ragged_element_type)product->element_type, .k = product->k,
      .n = product->n, .transposed = product->transposed != 0, .activation = (int)product->activation, .has_bias = product->bias >= 0,
      .residual = product->residual >= 0};
  ragged_rt_product_launch launch = {
      .shape = &shape,
      .num_rows = ragged_rt_saturating_multiply(items, product->rows_per_item),
      .rows = word_pointer(words, product->rows),
      .weight = word_pointer(words, product->weight),
      .bias = word_pointer(words, product->bias),
      .residual = word_pointer(words, product->residual),
      .result = word_pointer(words, product->result)};
  if (launch.num_rows < 1) return NULL;
  return device->table->launch_product(device, &launch, out_done);
}

// A library is told how many rows there are, which takes a host that knows.
void ragged_rt_frame_launch_product(ragged_rt_frame *frame, const ragged_rt_kernel_module *module,
                                    const char *kernel, const int64_t *words, int64_t num_words,
                                    ragged_rt_space *space, int64_t items, int64_t items_per_block,
                                    int64_t threads, int64_t shared_bytes,
                                    int64_t scratch_bytes_per_block, int64_t bytes_per_item,
                                    int64_t flops_per_item, const ragged_rt_plain_product *product) {
  if (frame->status || items <= 0) return;
  ragged_rt_device *device = frame->context->device;
  bool done = false, known = !frame->planning && !(space && space->on_device);
  if (device->table->launch_product && known &&
      !ragged_rt_frame_note(frame, run_by_library(device, kernel, product, words, num_words, items,
                                                  &done)))
    return;
  if (!done)
    ragged_rt_frame_launch_grid(frame, module, kernel, words, num_words, space, items,
                                items_per_block, threads, shared_bytes, scratch_bytes_per_block,
                                bytes_per_item, flops_per_item);
}
