// Whole files in memory, and what the machine has of it.
#ifndef RAGGED_RUN_FILE_H
#define RAGGED_RUN_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "support/status.h"

// Opens a regular file for reading and tells its size. NOT_FOUND names the file and the reason.
RAGGED_MUST_USE ragged_status ragged_run_file_open(const char *path, FILE **out_file,
                                                   int64_t *out_size);
// All of it, null-terminated; the caller frees it.
RAGGED_MUST_USE ragged_status ragged_run_file_read(const char *path, char **out_text,
                                                   int64_t *out_size);

// Memory aligned to 64 for `bytes` (null for 0); ends with free. RESOURCE_EXHAUSTED when the machine
// has less: a system that promises more than it has would end the process later.
RAGGED_MUST_USE ragged_status ragged_run_allocate(int64_t bytes, const char *what, void **out);

bool ragged_run_ends_with(const char *text, const char *end);

#endif  // RAGGED_RUN_FILE_H
