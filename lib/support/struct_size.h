// Structs of callers that say their size in their first field, so that a program and a library which were
// built against different headers understand each other. Used wherever a public struct has a size.
#ifndef RAGGED_SUPPORT_STRUCT_SIZE_H
#define RAGGED_SUPPORT_STRUCT_SIZE_H

#include <stdbool.h>
#include <stddef.h>

#include "support/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// A larger size is no size: nothing is read there.
#define RAGGED_STRUCT_MOST_BYTES 4096

// Copies the struct at `given`, which begins with its size in a size_t, to the `known` bytes at `out`:
// zeros where the caller's ends before. `name`: the size's, as "RaggedCompileOptions.structSize".
// INVALID_ARGUMENT: it has less than `least` bytes, or says something in bytes that are not known.
RAGGED_MUST_USE ragged_status ragged_struct_read(const char *name, const void *given, size_t least,
                                                 size_t known, void *out);

// Whether the struct at `given`, of `size` bytes, holds nothing but zeros beyond the `known` ones.
bool ragged_struct_ends_in_zeros(const void *given, size_t size, size_t known);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_SUPPORT_STRUCT_SIZE_H
