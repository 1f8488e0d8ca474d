// Caching allocator: blocks are rounded up to size classes (an eighth of a power of two apart), kept
// when freed and handed out again for requests of the same class, so at most an eighth of a block is
// unused. What is kept beyond the highest use ever is bounded by half of that use (64 MiB at least);
// the block unused for longest goes first. An embedder's allocator is asked directly.
#include "allocator.h"

#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define POISON(pointer, bytes) ASAN_POISON_MEMORY_REGION(pointer, bytes)
#define UNPOISON(pointer, bytes) ASAN_UNPOISON_MEMORY_REGION(pointer, bytes)
#else
#define POISON(pointer, bytes) ((void)(pointer), (void)(bytes))
#define UNPOISON(pointer, bytes) ((void)(pointer), (void)(bytes))
#endif

enum { kLinearLimit = 1024 };
static const int64_t kAlwaysKept = (int64_t)64 << 20;

// Lives in the first bytes of a cached block.
struct ragged_rt_free_block {
  ragged_rt_free_block *next, *previous;   // of its class
  ragged_rt_free_block *newer, *older;     // of all
  int64_t bytes;
  int size_class;
};

// Index of the smallest class that holds `bytes` (> 0), and that class' size.
static int size_class_of(int64_t bytes, int64_t *class_bytes) {
  if (bytes <= kLinearLimit) {
    int64_t index = (bytes + RAGGED_RT_ALIGNMENT - 1) / RAGGED_RT_ALIGNMENT;
    *class_bytes = index * RAGGED_RT_ALIGNMENT;
    return (int)index;
  }
  int exponent = 63 - __builtin_clzll((unsigned long long)(bytes - 1));  // 2^e < bytes <= 2^(e+1)
  int64_t step = (int64_t)1 << (exponent - 3);
  int64_t base = (int64_t)1 << exponent;
  int64_t eighths = (bytes - base + step - 1) / step;  // 1 .. 8
  *class_bytes = base + eighths * step;
  return 16 + (exponent - 10) * 8 + (int)eighths;
}

static void unlink_block(ragged_rt_memory *memory, ragged_rt_free_block *block) {
  if (block->previous) block->previous->next = block->next;
  else memory->classes[block->size_class] = block->next;
  if (block->next) block->next->previous = block->previous;
  if (block->newer) block->newer->older = block->older;
  else memory->newest = block->older;
  if (block->older) block->older->newer = block->newer;
  else memory->oldest = block->newer;
}

static void release_oldest(ragged_rt_memory *memory) {
  ragged_rt_free_block *block = memory->oldest;
  int64_t bytes = block->bytes;
  unlink_block(memory, block);
  memory->statistics.reserved -= bytes;
  UNPOISON(block, (size_t)bytes);
  memory->device->free(block, (size_t)bytes);
}

static int64_t kept_limit(const ragged_rt_memory *memory) {
  int64_t half = memory->lifetime_peak / 2;
  return memory->lifetime_peak + (half > kAlwaysKept ? half : kAlwaysKept);
}

static void *take_cached(ragged_rt_memory *memory, int size_class) {
  ragged_rt_free_block *block = memory->classes[size_class];
  if (block) unlink_block(memory, block);
  return block;
}

static void *take_new(ragged_rt_memory *memory, int64_t class_bytes) {
  while (memory->oldest && memory->statistics.reserved > kept_limit(memory) - class_bytes)
    release_oldest(memory);
  void *block = memory->device->allocate((size_t)class_bytes);
  if (!block && memory->oldest) {
    while (memory->oldest) release_oldest(memory);
    block = memory->device->allocate((size_t)class_bytes);
  }
  if (block) memory->statistics.reserved += class_bytes;
  return block;
}

static bool must_fail(ragged_rt_memory *memory) {
  if (memory->fail_after < 0) return false;
  if (memory->fail_after == 0) return true;
  memory->fail_after -= 1;
  return false;
}

void ragged_rt_memory_initialise(ragged_rt_memory *memory, const ragged_rt_device *device,
                                 const ragged_rt_allocator *embedder) {
  memset(memory, 0, sizeof *memory);
  memory->device = device;
  if (embedder) memory->embedder = *embedder;
  memory->fail_after = -1;
}

void ragged_rt_memory_destroy(ragged_rt_memory *memory) {
  while (memory->oldest) release_oldest(memory);
}

static ragged_status no_memory(int64_t bytes, const char *what) {
  return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for %lld bytes of %s",
                            (long long)bytes, what);
}

static void count_allocation(ragged_rt_memory *memory, int64_t bytes) {
  ragged_rt_memory_statistics *statistics = &memory->statistics;
  statistics->num_live += 1;
  statistics->allocated += bytes;
  if (statistics->allocated > statistics->peak_allocated)
    statistics->peak_allocated = statistics->allocated;
  if (statistics->reserved > statistics->peak_reserved)
    statistics->peak_reserved = statistics->reserved;
  if (statistics->allocated > memory->lifetime_peak) memory->lifetime_peak = statistics->allocated;
}

static ragged_status allocate_from_embedder(ragged_rt_memory *memory, int64_t bytes,
                                            const char *what, void **out) {
  ragged_rt_allocator *embedder = &memory->embedder;
  void *pointer = embedder->allocate(embedder->user, (size_t)bytes);
  if (!pointer) return no_memory(bytes, what);
  if ((uintptr_t)pointer % RAGGED_RT_ALIGNMENT != 0) {
    embedder->free(embedder->user, pointer, (size_t)bytes);
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "the context's allocator returned a block that is not aligned to %d "
                              "bytes for %s",
                              RAGGED_RT_ALIGNMENT, what);
  }
  memory->statistics.reserved += bytes;
  count_allocation(memory, bytes);
  *out = pointer;
  return NULL;
}

ragged_status ragged_rt_memory_allocate(ragged_rt_memory *memory, int64_t bytes, const char *what,
                                        void **out) {
  if (bytes == 0) {
    *out = NULL;
    return NULL;
  }
  if (bytes < 0 || bytes > INT64_MAX / 4 || must_fail(memory)) return no_memory(bytes, what);
  if (memory->embedder.allocate) return allocate_from_embedder(memory, bytes, what, out);
  int64_t class_bytes;
  int size_class = size_class_of(bytes, &class_bytes);
  void *pointer = take_cached(memory, size_class);
  if (!pointer) pointer = take_new(memory, class_bytes);
  if (!pointer) return no_memory(bytes, what);
  UNPOISON(pointer, (size_t)class_bytes);
  POISON((char *)pointer + bytes, (size_t)(class_bytes - bytes));
  count_allocation(memory, bytes);
  *out = pointer;
  return NULL;
}

void ragged_rt_memory_free(ragged_rt_memory *memory, void *pointer, int64_t bytes) {
  if (!pointer) return;
  memory->statistics.num_live -= 1;
  memory->statistics.allocated -= bytes;
  if (memory->embedder.allocate) {
    memory->statistics.reserved -= bytes;
    memory->embedder.free(memory->embedder.user, pointer, (size_t)bytes);
    return;
  }
  int64_t class_bytes;
  int size_class = size_class_of(bytes, &class_bytes);
  UNPOISON(pointer, (size_t)class_bytes);
  ragged_rt_free_block *block = pointer;
  *block = (ragged_rt_free_block){.next = memory->classes[size_class], .older = memory->newest,
                                  .bytes = class_bytes, .size_class = size_class};
  if (block->next) block->next->previous = block;
  if (block->older) block->older->newer = block;
  else memory->oldest = block;
  memory->classes[size_class] = block;
  memory->newest = block;
  POISON(block + 1, (size_t)class_bytes - sizeof *block);
  while (memory->oldest && memory->statistics.reserved > kept_limit(memory)) release_oldest(memory);
}

ragged_status ragged_rt_no_metadata(const char *what) {
  return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for %s", what);
}

void *ragged_rt_metadata_allocate(ragged_rt_memory *memory, size_t header, int64_t count,
                                  size_t size) {
  size_t bytes;
  if (count < 0 || __builtin_mul_overflow((size_t)count, size, &bytes) ||
      __builtin_add_overflow(bytes, header, &bytes) || bytes > PTRDIFF_MAX || must_fail(memory))
    return NULL;
  void *pointer = calloc(1, bytes ? bytes : 1);
  if (pointer) memory->num_metadata += 1;
  return pointer;
}

void ragged_rt_metadata_free(ragged_rt_memory *memory, void *pointer) {
  if (!pointer) return;
  memory->num_metadata -= 1;
  free(pointer);
}

ragged_status ragged_rt_metadata_grow(ragged_rt_memory *memory, void **array, int64_t count,
                                      int64_t *capacity, size_t size) {
  if (count < *capacity) return NULL;
  int64_t wanted = *capacity ? 2 * *capacity : 16;
  void *grown = ragged_rt_metadata_allocate(memory, 0, wanted, size);
  if (!grown) return ragged_rt_no_metadata("the handles of a call");
  if (count) memcpy(grown, *array, (size_t)count * size);
  ragged_rt_metadata_free(memory, *array);
  *array = grown;
  *capacity = wanted;
  return NULL;
}
