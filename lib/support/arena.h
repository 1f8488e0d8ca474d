// Memory for the life of a pass or a call: bump allocation, released at once.
// Single-threaded; nothing in an arena is freed alone.
#ifndef RAGGED_SUPPORT_ARENA_H
#define RAGGED_SUPPORT_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#include "support/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ragged_arena_block ragged_arena_block;
typedef struct ragged_arena {
  ragged_arena_block *blocks;
} ragged_arena;  // zero-initialise: `ragged_arena arena = {0};`

// `size` bytes, zeroed, aligned to 16. Ends the process only through the C library's own
// exhaustion rules: compile-time memory that cannot be had is not recoverable, so this prints
// nothing and calls abort(). Not used by the runtime.
void *ragged_arena_allocate(ragged_arena *arena, size_t size);
#define RAGGED_ARENA_ARRAY(arena, type, count) \
  ((type *)ragged_arena_allocate((arena), sizeof(type) * (size_t)(count)))

// Room for one more item in an array of `count` of them: `items` itself, or a larger copy, whose room is then
// in *capacity.
void *ragged_arena_grow(ragged_arena *arena, void *items, int count, int *capacity, size_t item_size);

char *ragged_arena_copy_string(ragged_arena *arena, const char *text, size_t length);
RAGGED_PRINTF(2, 3) char *ragged_arena_format(ragged_arena *arena, const char *format, ...);
RAGGED_PRINTF(2, 0) char *ragged_arena_vformat(ragged_arena *arena, const char *format,
                                               va_list arguments);

// Releases everything; the arena may be used again.
void ragged_arena_free(ragged_arena *arena);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_SUPPORT_ARENA_H
