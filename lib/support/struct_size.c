// See struct_size.h.
#include "support/struct_size.h"

#include <string.h>

bool ragged_struct_ends_in_zeros(const void *given, size_t size, size_t known) {
  const unsigned char *bytes = given;
  for (size_t k = known; k < size; ++k)
    if (bytes[k]) return false;
  return true;
}

ragged_status ragged_struct_read(const char *name, const void *given, size_t least, size_t known,
                                 void *out) {
  size_t size;
  memcpy(&size, given, sizeof size);
  if (size < least)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "%s is %zu, but the size of the struct is required, %zu bytes", name,
                              size, known);
  if (size > RAGGED_STRUCT_MOST_BYTES || !ragged_struct_ends_in_zeros(given, size, known))
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "%s is %zu, but this version knows %zu bytes; the others must be 0, and "
                              "at most %d in all",
                              name, size, known, RAGGED_STRUCT_MOST_BYTES);
  memset(out, 0, known);
  memcpy(out, given, size < known ? size : known);
  return NULL;
}
