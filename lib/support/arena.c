// Bump allocation from a chain of blocks that double in size. Called by passes, rules and the
// lowering, one thread at a time. Must not be used by the runtime: it aborts without memory.
#include "support/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16, FIRST_BLOCK_SIZE = 4096, LARGEST_BLOCK_SIZE = 1 << 20 };

struct ragged_arena_block {
  ragged_arena_block *next;  // older blocks
  size_t used, capacity;     // bytes behind the header
};

// Where a block's memory starts: the header rounded up, so that malloc's alignment carries over.
#define HEADER_SIZE ((sizeof(ragged_arena_block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

static void *take(ragged_arena_block *block, size_t size) {
  char *memory = (char *)block + HEADER_SIZE + block->used;
  block->used += size;
  return memory;
}

void *ragged_arena_allocate(ragged_arena *arena, size_t size) {
  if (size > SIZE_MAX / 2) abort();
  // One unit at least, so that two allocations never share an address.
  size_t rounded = size == 0 ? ALIGNMENT : (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  ragged_arena_block *top = arena->blocks;
  if (top && top->capacity - top->used >= rounded) return take(top, rounded);

  size_t capacity = FIRST_BLOCK_SIZE;
  if (top && top->capacity >= FIRST_BLOCK_SIZE)
    capacity = top->capacity >= LARGEST_BLOCK_SIZE / 2 ? LARGEST_BLOCK_SIZE : top->capacity * 2;
  if (capacity < rounded) capacity = rounded;
  ragged_arena_block *block = calloc(1, HEADER_SIZE + capacity);
  if (!block) abort();
  block->capacity = capacity;
  block->next = top;
  arena->blocks = block;
  return take(block, rounded);
}

void *ragged_arena_grow(ragged_arena *arena, void *items, int count, int *capacity, size_t item_size) {
  if (count < *capacity) return items;
  *capacity = 2 * *capacity + 8;
  void *larger = ragged_arena_allocate(arena, item_size * (size_t)*capacity);
  if (count) memcpy(larger, items, item_size * (size_t)count);
  return larger;
}

char *ragged_arena_copy_string(ragged_arena *arena, const char *text, size_t length) {
  char *copy = ragged_arena_allocate(arena, length + 1);
  if (length) memcpy(copy, text, length);
  return copy;
}

char *ragged_arena_format(ragged_arena *arena, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = ragged_arena_vformat(arena, format, arguments);
  va_end(arguments);
  return text;
}

char *ragged_arena_vformat(ragged_arena *arena, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0) abort();
  char *text = ragged_arena_allocate(arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, arguments);
  return text;
}

void ragged_arena_free(ragged_arena *arena) {
  ragged_arena_block *block = arena->blocks;
  arena->blocks = NULL;
  while (block) {
    ragged_arena_block *next = block->next;
    free(block);
    block = next;
  }
}
