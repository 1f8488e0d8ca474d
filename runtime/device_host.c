// The host as a device: memory of the C library, launches on OpenMP threads, products of the
// library or of generated kernels. Nothing is asynchronous.
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "allocator.h"
#include "product.h"

static const size_t kHugePage = (size_t)2 << 20;

// Large blocks ask for huge pages: the first touch of a fresh block is otherwise dearer than the
// kernel that writes it.
static void *host_allocate(size_t bytes) {
  bool large = bytes >= 4 * kHugePage;
  size_t alignment = large ? kHugePage : RAGGED_RT_ALIGNMENT;
  if (bytes > SIZE_MAX - alignment) return NULL;
  size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void *pointer = aligned_alloc(alignment, rounded);
  if (pointer && large) (void)madvise(pointer, rounded, MADV_HUGEPAGE);  // a hint; may be refused
  return pointer;
}

static void host_free(void *pointer, size_t bytes) {
  (void)bytes;
  free(pointer);
}

static void host_copy(void *to, const void *from, size_t bytes) {
  if (bytes) memcpy(to, from, bytes);
}

static void host_fill(void *to, int byte, size_t bytes) {
  if (bytes) memset(to, byte, bytes);
}

static void host_synchronise(void) {}

const ragged_rt_device ragged_rt_device_host = {
    .name = "host",
    .allocate = host_allocate,
    .free = host_free,
    .copy = host_copy,
    .fill = host_fill,
    .launch = ragged_rt_parallel_launch,
    .synchronise = host_synchronise,
    .product = ragged_rt_product_prepare_host,
};
