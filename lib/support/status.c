// Status values: one allocation that holds code and message. Called by everything below the MLIR
// line and by the runtime. Must not fail itself: without memory it hands out a static status.
#include "support/status.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ragged_status_object {
  ragged_status_code code;
  const char *message;  // behind the object, or a literal in the static status
};

// Shared by all who get it and by all threads; never written, never freed.
static struct ragged_status_object out_of_memory_status = {
    RAGGED_STATUS_RESOURCE_EXHAUSTED, "out of memory (none was left to say for what)"};

ragged_status ragged_status_make(ragged_status_code code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  // The C library refuses a format only for text that it cannot encode or count; the format itself
  // then says at least what went wrong.
  size_t size = length < 0 ? strlen(format) : (size_t)length;
  ragged_status status = malloc(sizeof *status + size + 1);
  if (!status) return &out_of_memory_status;
  char *message = (char *)(status + 1);
  if (length < 0) {
    memcpy(message, format, size + 1);
  } else {
    va_start(arguments, format);
    vsnprintf(message, size + 1, format, arguments);
    va_end(arguments);
  }
  // A status that says OK would be lost by whoever tests the code instead of the pointer.
  status->code = code == RAGGED_STATUS_OK ? RAGGED_STATUS_INTERNAL : code;
  status->message = message;
  return status;
}

ragged_status_code ragged_status_get_code(ragged_status status) {
  return status ? status->code : RAGGED_STATUS_OK;
}

const char *ragged_status_code_name(ragged_status_code code) {
  switch (code) {
    case RAGGED_STATUS_OK: return "ok";
    case RAGGED_STATUS_INVALID_ARGUMENT: return "invalid argument";
    case RAGGED_STATUS_RESOURCE_EXHAUSTED: return "resource exhausted";
    case RAGGED_STATUS_UNAVAILABLE: return "unavailable";
    case RAGGED_STATUS_UNIMPLEMENTED: return "unimplemented";
    case RAGGED_STATUS_NOT_FOUND: return "not found";
    case RAGGED_STATUS_INTERNAL: return "internal";
  }
  return "unknown";
}

const char *ragged_status_message(ragged_status status) { return status ? status->message : ""; }

void ragged_status_free(ragged_status status) {
  if (status != &out_of_memory_status) free(status);
}
