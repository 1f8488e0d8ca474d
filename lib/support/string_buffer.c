// A growing string. Called by printers and whoever puts a message together. Aborts without memory,
// as the arena does, so it must not be used by the runtime.
#include "support/string_buffer.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Room for `length` more characters and the terminator.
static void reserve(ragged_string_buffer *buffer, size_t length) {
  if (length >= SIZE_MAX / 4 - buffer->length) abort();
  size_t needed = buffer->length + length + 1;
  if (needed <= buffer->capacity) return;
  size_t capacity = buffer->capacity ? buffer->capacity * 2 : 64;
  if (capacity < needed) capacity = needed;
  char *data = realloc(buffer->data, capacity);
  if (!data) abort();
  buffer->data = data;
  buffer->capacity = capacity;
}

void ragged_string_append(ragged_string_buffer *buffer, const char *text, size_t length) {
  reserve(buffer, length);
  if (length) memcpy(buffer->data + buffer->length, text, length);
  buffer->length += length;
  buffer->data[buffer->length] = '\0';
}

void ragged_string_appendf(ragged_string_buffer *buffer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length < 0) abort();
  reserve(buffer, (size_t)length);
  va_start(arguments, format);
  vsnprintf(buffer->data + buffer->length, (size_t)length + 1, format, arguments);
  va_end(arguments);
  buffer->length += (size_t)length;
}

void ragged_string_free(ragged_string_buffer *buffer) {
  free(buffer->data);
  *buffer = (ragged_string_buffer){0};
}
