// Caching allocator: blocks are rounded up to size classes (an eighth of a power of two apart), kept
// when freed and handed out again for requests of the same class, so at most an eighth of a block is
// unused. What is kept beyond the highest use ever is bounded by half of that use (64 MiB at least);
// the block unused for longest goes first. Reuse needs no waiting: a device does everything in the
// order of one stream. An embedder's allocator is asked directly.
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

// Lives in the first bytes of a cached block of host memory. A block of another device has one of
// the metadata, made with the block so that freeing cannot fail: which one does not matter, so
// those of blocks in use wait in the list `spare`.
struct ragged_rt_free_block {
  ragged_rt_free_block *next, *previous;   // of its class
  ragged_rt_free_block *newer, *older;     // of all
  void *memory;
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

static bool lives_in_block(const ragged_rt_memory *memory) {
  return memory->device->table->is_host;
}

static void add_spare(ragged_rt_memory *memory, ragged_rt_free_block *block) {
  block->next = memory->spare;
  memory->spare = block;
}

static ragged_rt_free_block *take_spare(ragged_rt_memory *memory) {
  ragged_rt_free_block *block = memory->spare;
  memory->spare = block->next;
  return block;
}

static void release_oldest(ragged_rt_memory *memory) {
  ragged_rt_free_block *block = memory->oldest;
  void *pointer = block->memory;
  int64_t bytes = block->bytes;
  unlink_block(memory, block);
  memory->statistics.reserved -= bytes;
  if (lives_in_block(memory)) UNPOISON(block, (size_t)bytes);
  else ragged_rt_metadata_free(memory, block);
  memory->device->table->free(memory->device, pointer, (size_t)bytes);
}

static int64_t kept_limit(const ragged_rt_memory *memory) {
  int64_t half = memory->lifetime_peak / 2;
  return memory->lifetime_peak + (half > kAlwaysKept ? half : kAlwaysKept);
}

// Nothing may wait for a stream that is being captured: blocks then stay with the cache.
static bool may_release(const ragged_rt_memory *memory) {
  const ragged_rt_device_table *table = memory->device->table;
  bool capturing = false;
  ragged_status status = table->capturing ? table->capturing(memory->device, &capturing) : NULL;
  ragged_status_free(status);
  return !status && !capturing;
}

static void *take_cached(ragged_rt_memory *memory, int size_class) {
  ragged_rt_free_block *block = memory->classes[size_class];
  if (!block) return NULL;
  void *pointer = block->memory;
  unlink_block(memory, block);
  if (!lives_in_block(memory)) add_spare(memory, block);
  return pointer;
}

static ragged_status ask_device(ragged_rt_memory *memory, int64_t bytes, void **out) {
  return memory->device->table->allocate(memory->device, (size_t)bytes, out);
}

static ragged_status take_new(ragged_rt_memory *memory, int64_t class_bytes, void **out) {
  bool needs_note = memory->device->table->keeps_freed && !lives_in_block(memory);
  ragged_rt_free_block *note = NULL;
  if (needs_note) {
    note = ragged_rt_metadata_allocate(memory, sizeof *note, 0, 1);
    if (!note) return ragged_rt_no_metadata("the note of a block");
  }
  while (memory->oldest && memory->statistics.reserved > kept_limit(memory) - class_bytes &&
         may_release(memory))
    release_oldest(memory);
  ragged_status status = ask_device(memory, class_bytes, out);
  if (ragged_status_get_code(status) == RAGGED_STATUS_RESOURCE_EXHAUSTED && memory->oldest &&
      may_release(memory)) {
    while (memory->oldest) release_oldest(memory);
    ragged_status_free(status);
    status = ask_device(memory, class_bytes, out);
  }
  if (status) {
    ragged_rt_metadata_free(memory, note);
    return status;
  }
  if (note) add_spare(memory, note);
  memory->statistics.reserved += class_bytes;
  return NULL;
}

static bool must_fail(ragged_rt_memory *memory) {
  if (memory->fail_after < 0) return false;
  if (memory->fail_after == 0) return true;
  memory->fail_after -= 1;
  return false;
}

void ragged_rt_memory_initialise(ragged_rt_memory *memory, const ragged_rt_allocator *embedder) {
  memset(memory, 0, sizeof *memory);
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

static ragged_status no_memory_because(int64_t bytes, const char *what, ragged_status why) {
  ragged_status status =
      ragged_status_make(ragged_status_get_code(why), "no memory for %lld bytes of %s: %s",
                         (long long)bytes, what, ragged_status_message(why));
  ragged_status_free(why);
  return status;
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
  int64_t class_bytes = bytes;
  void *pointer = NULL;
  int size_class = 0;
  if (memory->device->table->keeps_freed) size_class = size_class_of(bytes, &class_bytes);
  ragged_status status = NULL;
  if (memory->capturing) status = ragged_rt_memory_capture(memory, class_bytes, &pointer);
  else if (memory->device->table->keeps_freed) pointer = take_cached(memory, size_class);
  if (!status && !pointer) status = take_new(memory, class_bytes, &pointer);
  if (status) return no_memory_because(bytes, what, status);
  if (lives_in_block(memory)) {
    UNPOISON(pointer, (size_t)class_bytes);
    POISON((char *)pointer + bytes, (size_t)(class_bytes - bytes));
  }
  count_allocation(memory, bytes);
  *out = pointer;
  return NULL;
}

// The note of a block that is being freed.
static ragged_rt_free_block *note_of(ragged_rt_memory *memory, void *pointer, int64_t class_bytes) {
  if (!lives_in_block(memory)) return take_spare(memory);
  UNPOISON(pointer, (size_t)class_bytes);
  return pointer;
}

static void keep_freed(ragged_rt_memory *memory, void *pointer, int64_t bytes) {
  int64_t class_bytes;
  int size_class = size_class_of(bytes, &class_bytes);
  ragged_rt_free_block *block = note_of(memory, pointer, class_bytes);
  *block = (ragged_rt_free_block){.next = memory->classes[size_class], .older = memory->newest,
                                  .memory = pointer, .bytes = class_bytes,
                                  .size_class = size_class};
  if (block->next) block->next->previous = block;
  if (block->older) block->older->newer = block;
  else memory->oldest = block;
  memory->classes[size_class] = block;
  memory->newest = block;
  if (lives_in_block(memory)) POISON(block + 1, (size_t)class_bytes - sizeof *block);
  while (memory->oldest && memory->statistics.reserved > kept_limit(memory) &&
         may_release(memory))
    release_oldest(memory);
}

void ragged_rt_memory_free(ragged_rt_memory *memory, void *pointer, int64_t bytes) {
  if (!pointer) return;
  memory->statistics.num_live -= 1;
  memory->statistics.allocated -= bytes;
  if (memory->embedder.allocate) {
    memory->statistics.reserved -= bytes;
    memory->embedder.free(memory->embedder.user, pointer, (size_t)bytes);
  } else if (!ragged_rt_memory_return_captured(memory, pointer)) {
    ragged_rt_memory_keep_freed(memory, pointer, bytes);
  }
}

void ragged_rt_memory_park(ragged_rt_memory *memory, int64_t bytes) {
  memory->statistics.num_live -= 1;
  memory->statistics.allocated -= bytes;
}

void ragged_rt_memory_unpark(ragged_rt_memory *memory, int64_t bytes) {
  count_allocation(memory, bytes);
}

void ragged_rt_memory_free_parked(ragged_rt_memory *memory, void *pointer, int64_t bytes) {
  memory->statistics.num_live += 1;
  memory->statistics.allocated += bytes;
  ragged_rt_memory_free(memory, pointer, bytes);
}

void *ragged_rt_memory_take_cached(ragged_rt_memory *memory, int64_t bytes) {
  int64_t class_bytes;
  return memory->device->table->keeps_freed
             ? take_cached(memory, size_class_of(bytes, &class_bytes))
             : NULL;
}

ragged_status ragged_rt_memory_take_new(ragged_rt_memory *memory, int64_t class_bytes,
                                        void **out) {
  return take_new(memory, class_bytes, out);
}

void ragged_rt_memory_keep_freed(ragged_rt_memory *memory, void *pointer, int64_t bytes) {
  if (memory->device->table->keeps_freed) {
    keep_freed(memory, pointer, bytes);
    return;
  }
  memory->statistics.reserved -= bytes;
  memory->device->table->free(memory->device, pointer, (size_t)bytes);
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
