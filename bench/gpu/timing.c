// Times a function of a program; see driver.h. Used by the stages that time.
#include <stdlib.h>
#include <string.h>

#include "driver.h"

enum { kMostResults = 32, kMostKernels = 64, kObservedCalls = 3 };

static ragged_status call_once(ragged_rt_context *context, const ragged_rt_entry *entry,
                               ragged_rt_tensor *const *arguments, gpu_timing *out) {
  ragged_rt_tensor *results[kMostResults] = {NULL};
  if (entry->num_results > kMostResults)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "'%s' has more than %d results",
                              entry->name, kMostResults);
  RAGGED_RETURN_IF_ERROR(ragged_rt_call(context, entry, entry->num_arguments, arguments,
                                        entry->num_results, results));
  out->result_bytes = 0;
  for (int k = 0; k < entry->num_results; ++k) {
    ragged_rt_space *space = ragged_rt_tensor_space(results[k]);
    int64_t count = space ? ragged_rt_space_rows(space) : 1;
    for (int d = 0; d < ragged_rt_tensor_rank(results[k]); ++d)
      count *= ragged_rt_tensor_shape(results[k])[d];
    out->result_bytes +=
        count * (int64_t)ragged_element_size(ragged_rt_tensor_element_type(results[k]));
    ragged_rt_tensor_release(results[k]);
  }
  return NULL;
}

static int64_t bytes_of(const ragged_rt_tensor *tensor) {
  ragged_rt_space *space = ragged_rt_tensor_space(tensor);
  int64_t count = space ? ragged_rt_space_rows(space) : 1;
  for (int d = 0; d < ragged_rt_tensor_rank(tensor); ++d) count *= ragged_rt_tensor_shape(tensor)[d];
  return count * (int64_t)ragged_element_size(ragged_rt_tensor_element_type(tensor));
}

// `repeat` calls, seconds of one.
static ragged_status time_calls(ragged_rt_context *context, const ragged_rt_entry *entry,
                                ragged_rt_tensor *const *arguments, int repeat, gpu_timing *out,
                                double *out_seconds) {
  RAGGED_RETURN_IF_ERROR(ragged_rt_context_synchronise(context));
  double begin = gpu_now();
  for (int k = 0; k < repeat; ++k)
    RAGGED_RETURN_IF_ERROR(call_once(context, entry, arguments, out));
  RAGGED_RETURN_IF_ERROR(ragged_rt_context_synchronise(context));
  *out_seconds = (gpu_now() - begin) / repeat;
  return NULL;
}

static ragged_status observe(ragged_rt_context *context, const ragged_rt_entry *entry,
                             ragged_rt_tensor *const *arguments, gpu_timing *out) {
  ragged_rt_context_enable_statistics(context, true);
  double seconds;
  ragged_status status = time_calls(context, entry, arguments, kObservedCalls, out, &seconds);
  ragged_rt_kernel_statistics kernels[kMostKernels];
  int count = ragged_rt_context_statistics(context, kMostKernels, kernels);
  out->num_kernels = count < kMostKernels ? count : kMostKernels;
  for (int k = 0; k < out->num_kernels; ++k) {
    out->kernel_seconds += kernels[k].seconds / kObservedCalls;
    out->flops += (double)kernels[k].flops / kObservedCalls;
    out->bytes += (double)kernels[k].bytes / kObservedCalls;
  }
  if (count > 0) {
    strncpy(out->slowest, kernels[0].name, sizeof out->slowest - 1);
    out->slowest[sizeof out->slowest - 1] = 0;
  }
  ragged_rt_context_enable_statistics(context, false);
  return status;
}

ragged_status gpu_time_entry(ragged_rt_context *context, const ragged_rt_entry *entry,
                             ragged_rt_tensor *const *arguments, gpu_timing *out) {
  const double wanted = 0.05;
  *out = (gpu_timing){.num_kernels = 0};
  for (int k = 0; k < entry->num_arguments; ++k) out->argument_bytes += bytes_of(arguments[k]);
  double seconds;
  RAGGED_RETURN_IF_ERROR(time_calls(context, entry, arguments, 1, out, &seconds));  // loads code
  ragged_rt_memory_statistics before, after;
  ragged_rt_context_memory(context, &before);
  ragged_rt_context_reset_peak(context);
  RAGGED_RETURN_IF_ERROR(time_calls(context, entry, arguments, 1, out, &seconds));
  ragged_rt_context_memory(context, &after);
  out->peak_bytes = after.peak_allocated - before.allocated - out->result_bytes;
  int repeat = seconds > 0 ? (int)(wanted / seconds) : 50;
  repeat = repeat < 1 ? 1 : repeat > 50 ? 50 : repeat;
  RAGGED_RETURN_IF_ERROR(time_calls(context, entry, arguments, repeat, out, &out->call_seconds));
  return observe(context, entry, arguments, out);
}
