// What the tests of the CUDA device share: contexts on the fake driver, kernel modules of one
// image, and calls of one launch.
#ifndef RAGGED_RUNTIME_CUDA_SUPPORT_H
#define RAGGED_RUNTIME_CUDA_SUPPORT_H

#include "context.h"
#include "cuda_abi.h"
#include "fake_cuda_driver.h"
#include "runtime_test_support.h"

static inline ragged_status runtime_cuda_create(void *stream, const char *trace_file,
                                                ragged_rt_context **out) {
  ragged_rt_context_options options = {.struct_size = sizeof options, .device = "cuda",
                                       .cuda_driver = FAKE_CUDA_DRIVER, .stream = stream,
                                       .trace_file = trace_file};
  return ragged_rt_context_create(&options, out);
}

static inline ragged_rt_context *runtime_cuda_context(void) {
  ragged_rt_context *context = NULL;
  if (!CHECK_OK(runtime_cuda_create(NULL, NULL, &context))) exit(EXIT_FAILURE);
  return context;
}

// What a test leaves behind: nothing, and a driver that was used as it must be.
static inline void runtime_cuda_check_end(ragged_rt_context *context) {
  CHECK_INT(runtime_test_live(context), 0);
  ragged_rt_context_release(context);
  CHECK_INT(fake_cuda_num_live(), 0);
  CHECK_STRING(fake_cuda_mistake(), NULL);
}

// One launch, made in a call of its own.
typedef struct runtime_cuda_launch {
  const ragged_rt_kernel_module *module;
  const char *kernel;
  int64_t words[4], num_words;
  int64_t items, items_per_block, threads, shared_bytes, scratch_bytes;
} runtime_cuda_launch;

// What the entry of the call in progress launches: entries take no arguments of their own.
static const runtime_cuda_launch *runtime_cuda_current;

static void runtime_cuda_entry(ragged_rt_frame *frame) {
  const runtime_cuda_launch *l = runtime_cuda_current;
  ragged_rt_frame_launch_grid(frame, l->module, l->kernel, l->words, l->num_words, NULL, l->items,
                              l->items_per_block, l->threads, l->shared_bytes, l->scratch_bytes, 8,
                              2);
}

static inline ragged_status runtime_cuda_call(ragged_rt_context *context,
                                              const runtime_cuda_launch *launch) {
  ragged_rt_entry entry = {"launch", runtime_cuda_entry, 0, 0, 0, NULL, NULL, NULL};
  runtime_cuda_current = launch;
  return ragged_rt_call(context, &entry, 0, NULL, 0, NULL);
}

#define PTX(chip, text) {RAGGED_RT_IMAGE_PTX, chip, text, sizeof(text)}
#define CUBIN(chip, text) {RAGGED_RT_IMAGE_CUBIN, chip, text, sizeof(text)}
#define FATBIN(text) {RAGGED_RT_IMAGE_FATBIN, NULL, text, sizeof(text)}

#endif  // RAGGED_RUNTIME_CUDA_SUPPORT_H
