// The one funnel through which the runtime gets memory: `allocate` for values, scratch and packed
// weights (counted in the statistics), `metadata` for objects and offsets (small, not counted).
// Both obey ragged_rt_context_fail_allocation. Called only from the thread that uses the context.
#ifndef RAGGED_RT_ALLOCATOR_H
#define RAGGED_RT_ALLOCATOR_H

#include "device.h"
#include "ragged_rt.h"

#define RAGGED_RT_ALIGNMENT 64
#define RAGGED_RT_NUM_SIZE_CLASSES 448

typedef struct ragged_rt_free_block ragged_rt_free_block;

struct ragged_rt_memory {
  ragged_rt_device *device;      // null until it is made: there is only metadata then
  ragged_rt_allocator embedder;  // allocate is null: the cache below is used
  ragged_rt_memory_statistics statistics;
  int64_t lifetime_peak;     // highest `allocated` ever; bounds what the cache may keep
  int64_t fail_after;        // allocations left before all fail; -1: none fails
  int64_t num_metadata;      // live metadata blocks
  ragged_rt_free_block *classes[RAGGED_RT_NUM_SIZE_CLASSES];  // most recently freed first
  ragged_rt_free_block *newest, *oldest;                      // all cached blocks by age
  ragged_rt_free_block *spare;  // notes for blocks in use, where blocks cannot hold them
  ragged_rt_capture *captures;  // whose blocks are not the cache's; the first may be in progress
  bool capturing;               // the first is
};

void ragged_rt_memory_initialise(ragged_rt_memory *memory, const ragged_rt_allocator *embedder);
// Gives the cache back to the device. Nothing may be live.
void ragged_rt_memory_destroy(ragged_rt_memory *memory);

// `bytes` uninitialised bytes of the device, aligned to 64; null in *out for 0 bytes. `what` names
// the use in the RESOURCE_EXHAUSTED message.
RAGGED_MUST_USE ragged_status ragged_rt_memory_allocate(ragged_rt_memory *memory, int64_t bytes,
                                                        const char *what, void **out);
// `bytes` as asked for. Null is allowed.
void ragged_rt_memory_free(ragged_rt_memory *memory, void *pointer, int64_t bytes);

// A live block that nobody uses for now is not counted as live, and counts again when somebody does.
void ragged_rt_memory_park(ragged_rt_memory *memory, int64_t bytes);
void ragged_rt_memory_unpark(ragged_rt_memory *memory, int64_t bytes);
void ragged_rt_memory_free_parked(ragged_rt_memory *memory, void *pointer, int64_t bytes);

// ---- What a capture keeps (capture.c) ------------------------------------------------------------

// A block for the capture in progress, of `class_bytes` bytes as the cache has them: one that the
// capture has free, one of the cache, or a new one. It stays the capture's until that is released.
RAGGED_MUST_USE ragged_status ragged_rt_memory_capture(ragged_rt_memory *memory,
                                                       int64_t class_bytes, void **out);
// Whether a block that is being freed is a capture's; then it is free in it.
bool ragged_rt_memory_return_captured(ragged_rt_memory *memory, void *pointer);
// What capture.c needs of the cache: a block out of it, from the device, and into it.
void *ragged_rt_memory_take_cached(ragged_rt_memory *memory, int64_t bytes);
RAGGED_MUST_USE ragged_status ragged_rt_memory_take_new(ragged_rt_memory *memory,
                                                        int64_t class_bytes, void **out);
void ragged_rt_memory_keep_freed(ragged_rt_memory *memory, void *pointer, int64_t bytes);

// Zeroed host memory of `count` elements after a header of `header` bytes; null when there is none
// (ragged_rt_no_metadata makes the status) or when the size overflows.
void *ragged_rt_metadata_allocate(ragged_rt_memory *memory, size_t header, int64_t count,
                                  size_t size);
void ragged_rt_metadata_free(ragged_rt_memory *memory, void *pointer);
// Makes room for one element more in *array (of *capacity elements of `size` bytes, `count` used).
RAGGED_MUST_USE ragged_status ragged_rt_metadata_grow(ragged_rt_memory *memory, void **array,
                                                      int64_t count, int64_t *capacity,
                                                      size_t size);
RAGGED_MUST_USE ragged_status ragged_rt_no_metadata(const char *what);

#endif  // RAGGED_RT_ALLOCATOR_H
