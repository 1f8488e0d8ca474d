// A growing string, for text that is put together in several steps (messages, printed IR).
#ifndef RAGGED_SUPPORT_STRING_BUFFER_H
#define RAGGED_SUPPORT_STRING_BUFFER_H

#include <stddef.h>

#include "support/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ragged_string_buffer {
  char *data;  // null until something was appended; always null-terminated after
  size_t length, capacity;
} ragged_string_buffer;  // zero-initialise

void ragged_string_append(ragged_string_buffer *buffer, const char *text, size_t length);
RAGGED_PRINTF(2, 3) void ragged_string_appendf(ragged_string_buffer *buffer,
                                               const char *format, ...);
void ragged_string_free(ragged_string_buffer *buffer);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_SUPPORT_STRING_BUFFER_H
