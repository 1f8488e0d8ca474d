// The host as a device: memory of the C library, launches on OpenMP threads, products of the
// library or of generated kernels. Nothing is asynchronous.
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "allocator.h"
#include "dlpack_abi.h"
#include "product.h"

static const size_t kHugePage = (size_t)2 << 20;

typedef struct host_device {
  ragged_rt_device device;
  ragged_rt_memory *memory;
} host_device;

static void host_destroy(ragged_rt_device *self) {
  ragged_rt_metadata_free(((host_device *)self)->memory, self);
}

// Large blocks ask for huge pages: the first touch of a fresh block is otherwise dearer than the
// kernel that writes it.
static ragged_status host_allocate(ragged_rt_device *self, size_t bytes, void **out) {
  (void)self;
  bool large = bytes >= 4 * kHugePage;
  size_t alignment = large ? kHugePage : RAGGED_RT_ALIGNMENT;
  void *pointer = NULL;
  if (bytes <= SIZE_MAX - alignment) {
    size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    pointer = aligned_alloc(alignment, rounded);
    if (pointer && large) (void)madvise(pointer, rounded, MADV_HUGEPAGE);  // a hint
  }
  if (!pointer)
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED,
                              "the C library gives no block of %zu bytes", bytes);
  *out = pointer;
  return NULL;
}

static void host_free(ragged_rt_device *self, void *pointer, size_t bytes) {
  (void)self, (void)bytes;
  free(pointer);
}

static ragged_status host_copy(ragged_rt_device *self, void *to, const void *from, size_t bytes) {
  (void)self;
  if (bytes) memcpy(to, from, bytes);
  return NULL;
}

static ragged_status host_fill(ragged_rt_device *self, void *to, int byte, size_t bytes) {
  (void)self;
  if (bytes) memset(to, byte, bytes);
  return NULL;
}

static void host_launch(ragged_rt_device *self, const ragged_rt_launch *launch) {
  (void)self;
  ragged_rt_parallel_launch(launch);
}

static ragged_status host_synchronise(ragged_rt_device *self) {
  (void)self;
  return NULL;
}

static const ragged_rt_device_table kTable = {
    .name = "host",
    .is_host = true,
    .keeps_freed = true,
    .dlpack_type = kDLCPU,
    .destroy = host_destroy,
    .allocate = host_allocate,
    .free = host_free,
    .upload = host_copy,
    .download = host_copy,
    .copy = host_copy,
    .fill = host_fill,
    .launch = host_launch,
    .synchronise = host_synchronise,
    .product = ragged_rt_product_prepare_host,
};

ragged_status ragged_rt_device_create_host(const ragged_rt_device_options *options,
                                           ragged_rt_device **out_device) {
  if (options->stream)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "a stream was given, but device 'host' has none");
  if (options->device_index != 0)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "device_index is %d, but device 'host' has only 0",
                              options->device_index);
  host_device *device = ragged_rt_metadata_allocate(options->memory, sizeof *device, 0, 1);
  if (!device) return ragged_rt_no_metadata("a device");
  device->device.table = &kTable;
  device->memory = options->memory;
  *out_device = &device->device;
  return NULL;
}
