// NumPy's .npy files, versions 1 to 3: little-endian, C order, the element types of the project.
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#ifndef RAGGED_RUN_NPY_H
#define RAGGED_RUN_NPY_H

#include <stdint.h>

#include "schema/element_type.h"
#include "support/status.h"

#define RAGGED_NPY_MAX_RANK 32

typedef struct ragged_npy {
  char type[8];  // "<f8", "<f4", "<u2", "<i8", "<i4"
  int rank;
  int64_t shape[RAGGED_NPY_MAX_RANK];
  void *data;  // aligned to 64; null when there is no element
} ragged_npy;

// Reads a whole file whose elements are of one of the `count` types. INVALID_ARGUMENT and NOT_FOUND
// messages name the file, what was found and what was expected.
RAGGED_MUST_USE ragged_status ragged_npy_read(const char *path, int count,
                                              const char *const *types, ragged_npy *out);
void ragged_npy_free(ragged_npy *array);  // a zeroed one is allowed

// The type string of an element type: bf16 travels as "<u2".
const char *ragged_npy_type(ragged_element_type element_type);
RAGGED_MUST_USE ragged_status ragged_npy_write(const char *path, ragged_element_type element_type,
                                               int rank, const int64_t *shape, const void *data);

#endif  // RAGGED_RUN_NPY_H
