// Outcome of an operation that can fail: a code and a message, or null for success.
// Used by everything below the MLIR line and, as part of its public surface, by the runtime.
// About a user's IR, MLIR diagnostics are used instead (dialect/diagnostic.h).
#ifndef RAGGED_SUPPORT_STATUS_H
#define RAGGED_SUPPORT_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ragged_status_code {
  RAGGED_STATUS_OK = 0,
  RAGGED_STATUS_INVALID_ARGUMENT,    // the caller's mistake
  RAGGED_STATUS_RESOURCE_EXHAUSTED,  // out of memory
  RAGGED_STATUS_UNAVAILABLE,         // a device, driver or library is not there
  RAGGED_STATUS_UNIMPLEMENTED,       // legal, but not built yet; the message names the op
  RAGGED_STATUS_NOT_FOUND,           // a file or symbol that was asked for by name
  RAGGED_STATUS_INTERNAL,            // a fault of ours
} ragged_status_code;

// Null means OK. Anything else is owned by whoever received it last and ends with
// ragged_status_free. Never ignored.
typedef struct ragged_status_object *ragged_status;

#if defined(__GNUC__)
#define RAGGED_MUST_USE __attribute__((warn_unused_result))
#define RAGGED_PRINTF(format_index, first_argument) \
  __attribute__((format(printf, format_index, first_argument), nonnull(format_index)))
#else
#define RAGGED_MUST_USE
#define RAGGED_PRINTF(format_index, first_argument)
#endif

// Makes a status with a printf-style message of any length. `code` is not OK. When memory for
// it cannot be had, a static out-of-memory status is returned, never null.
RAGGED_MUST_USE RAGGED_PRINTF(2, 3) ragged_status
    ragged_status_make(ragged_status_code code, const char *format, ...);

// RAGGED_STATUS_OK for null.
ragged_status_code ragged_status_get_code(ragged_status status);

// The code's name in lower case with spaces, e.g. "invalid argument". Static.
const char *ragged_status_code_name(ragged_status_code code);

// The message; "" for null. Lives as long as the status.
const char *ragged_status_message(ragged_status status);

// Null is allowed.
void ragged_status_free(ragged_status status);

// Returns from the enclosing function when `expression` is not OK.
#define RAGGED_RETURN_IF_ERROR(expression)              \
  do {                                                  \
    ragged_status ragged_status_tmp_ = (expression);    \
    if (ragged_status_tmp_) return ragged_status_tmp_;  \
  } while (0)

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_SUPPORT_STATUS_H
