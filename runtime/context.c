// Making and ending contexts. The only place that reads the environment.
#include "context.h"

#include <limits.h>
#include <omp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "product_library.h"
#include "support/struct_size.h"

// Null `given`: all defaults.
static ragged_status read_options(const ragged_rt_context_options *given,
                                  ragged_rt_context_options *options) {
  memset(options, 0, sizeof *options);
  if (given)
    RAGGED_RETURN_IF_ERROR(
        ragged_struct_read("ragged_rt_context_options.struct_size", given,
                           offsetof(ragged_rt_context_options, num_threads), sizeof *options, options));
  if (options->num_threads < 0)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "num_threads is %d, but 0 (all) or more is required",
                              options->num_threads);
  if (options->allocator && (!options->allocator->allocate || !options->allocator->free))
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "an allocator needs both allocate and free");
  if (!options->device) options->device = "host";
  return NULL;
}

static const char *option_or_environment(const char *option, const char *variable) {
  if (option) return option;
  const char *value = getenv(variable);
  return value && *value ? value : NULL;
}

static ragged_status read_products(const char *products, ragged_rt_products *out) {
  static const char *const names[] = {[RAGGED_RT_PRODUCTS_AUTO] = "auto",
                                      [RAGGED_RT_PRODUCTS_LIBRARY] = "library",
                                      [RAGGED_RT_PRODUCTS_GENERATED] = "generated"};
  *out = RAGGED_RT_PRODUCTS_AUTO;
  if (!products) return NULL;
  for (int k = 0; k < 3; ++k) {
    if (strcmp(products, names[k]) != 0) continue;
    *out = (ragged_rt_products)k;
    return NULL;
  }
  return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                            "products is '%s', but 'library', 'generated' or 'auto' is required",
                            products);
}

static ragged_status read_tf32(bool asked, bool *out) {
  const char *value = option_or_environment(asked ? "1" : NULL, "RAGGED_TF32");
  *out = value && strcmp(value, "1") == 0;
  if (!value || *out || strcmp(value, "0") == 0) return NULL;
  return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                            "RAGGED_TF32 is '%s', but '0' or '1' is required", value);
}

// The host's library; a device with one of its own sees to that.
static ragged_status open_library(ragged_rt_context *context, ragged_rt_products products) {
  const ragged_rt_device_table *device = context->device->table;
  bool required = products == RAGGED_RT_PRODUCTS_LIBRARY;
  context->library_required = required;
  strcpy(context->product_library, "generated");
  if (products == RAGGED_RT_PRODUCTS_GENERATED || device->product_library) return NULL;
  if (!device->is_host) {
    if (!required) return NULL;
    return ragged_status_make(RAGGED_STATUS_UNAVAILABLE,
                              "there is no library of products for device '%s'", device->name);
  }
  ragged_status status = ragged_rt_library_open(&context->memory, context->num_threads,
                                                context->product_library,
                                                sizeof context->product_library,
                                                &context->library);
  if (required || ragged_status_get_code(status) == RAGGED_STATUS_RESOURCE_EXHAUSTED)
    return status;
  ragged_status_free(status);
  return NULL;
}

static ragged_status make_device(ragged_rt_context *context,
                                 const ragged_rt_context_options *options,
                                 ragged_rt_products products) {
  bool tf32;
  RAGGED_RETURN_IF_ERROR(read_tf32(options->tf32, &tf32));
  const char *driver = option_or_environment(options->cuda_driver, "RAGGED_CUDA_DRIVER");
  ragged_rt_device_options wanted = {.memory = &context->memory,
                                     .observer = &context->observer,
                                     .stream = options->stream,
                                     .device_index = options->device_index,
                                     .cuda_driver = driver ? driver : "libcuda.so.1",
                                     .products = products,
                                     .cublaslt = option_or_environment(options->cublaslt,
                                                                       "RAGGED_CUBLASLT"),
                                     .tf32 = tf32};
  RAGGED_RETURN_IF_ERROR(ragged_rt_device_create(options->device, &wanted, &context->device));
  context->device_index = options->device_index;
  context->embedder_stream = options->stream != NULL;
  context->memory.device = context->device;
  return NULL;
}

static void destroy(ragged_rt_context *context) {
  ragged_rt_device *device = context->device;
  if (device && device->table->report_times) device->table->report_times(device);
  ragged_rt_trace_close(&context->observer);
  ragged_rt_statistics_clear(&context->observer, &context->memory);
  ragged_rt_library_close(context->library, &context->memory);
  ragged_rt_fault_release(context);
  ragged_rt_constants_clear(context);
  ragged_rt_metadata_free(&context->memory, context->axes.buckets);
  ragged_rt_metadata_free(&context->memory, context->spaces.buckets);
  ragged_rt_memory_destroy(&context->memory);
  if (device) device->table->destroy(device);
  free(context);
}

static ragged_status fill_context(ragged_rt_context *context,
                                  const ragged_rt_context_options *options) {
  ragged_rt_products products;
  RAGGED_RETURN_IF_ERROR(
      read_products(option_or_environment(options->products, "RAGGED_PRODUCTS"), &products));
  RAGGED_RETURN_IF_ERROR(make_device(context, options, products));
  RAGGED_RETURN_IF_ERROR(open_library(context, products));
  const char *trace = option_or_environment(options->trace_file, "RAGGED_TRACE");
  return trace ? ragged_rt_trace_open(&context->observer, trace) : NULL;
}

ragged_status ragged_rt_context_create(const ragged_rt_context_options *given,
                                       ragged_rt_context **out_context) {
  ragged_rt_context_options options;
  RAGGED_RETURN_IF_ERROR(read_options(given, &options));
  ragged_rt_context *context = calloc(1, sizeof *context);
  if (!context) return ragged_rt_no_metadata("a context");
  context->references = 1;
  context->num_threads = options.num_threads ? options.num_threads : omp_get_max_threads();
  atomic_flag_clear(&context->observer.trace_lock);
  ragged_rt_memory_initialise(&context->memory, options.allocator);
  ragged_status status = fill_context(context, &options);
  if (status) {
    destroy(context);
    return status;
  }
  *out_context = context;
  return NULL;
}

void ragged_rt_context_retain(ragged_rt_context *context) {
  if (context) context->references += 1;
}

void ragged_rt_context_release(ragged_rt_context *context) {
  if (context && --context->references == 0) destroy(context);
}

int ragged_rt_context_num_threads(const ragged_rt_context *context) {
  return context->num_threads;
}

const char *ragged_rt_context_device(const ragged_rt_context *context) {
  return context->device->table->name;
}

ragged_status ragged_rt_context_synchronise(ragged_rt_context *context) {
  RAGGED_RETURN_IF_ERROR(context->device->table->synchronise(context->device));
  return ragged_rt_fault_take(context);
}

const char *ragged_rt_context_product_library(const ragged_rt_context *context) {
  const ragged_rt_device *device = context->device;
  return device->table->product_library ? device->table->product_library(device)
                                        : context->product_library;
}

void ragged_rt_context_memory(const ragged_rt_context *context, ragged_rt_memory_statistics *out) {
  *out = context->memory.statistics;
}

int ragged_rt_context_device_counts(const ragged_rt_context *context, int capacity,
                                    ragged_rt_device_counts *out) {
  const ragged_rt_device *device = context->device;
  return device->table->counts ? device->table->counts(device, capacity, out) : 0;
}

void ragged_rt_context_reset_peak(ragged_rt_context *context) {
  ragged_rt_memory_statistics *statistics = &context->memory.statistics;
  statistics->peak_allocated = statistics->allocated;
  statistics->peak_reserved = statistics->reserved;
}

void ragged_rt_context_fail_allocation(ragged_rt_context *context, int64_t n) {
  context->memory.fail_after = n < 0 ? -1 : n;
}
