// See file.h.
#include "file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

ragged_status ragged_run_file_open(const char *path, FILE **out_file, int64_t *out_size) {
  struct stat properties;
  if (stat(path, &properties))
    return ragged_status_make(RAGGED_STATUS_NOT_FOUND, "file '%s': %s", path, strerror(errno));
  if (!S_ISREG(properties.st_mode))
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "'%s' is %s, expected a file", path,
                              S_ISDIR(properties.st_mode) ? "a folder" : "no regular file");
  FILE *file = fopen(path, "rb");
  if (!file)
    return ragged_status_make(RAGGED_STATUS_NOT_FOUND, "file '%s': %s", path, strerror(errno));
  *out_file = file;
  *out_size = properties.st_size;
  return NULL;
}

ragged_status ragged_run_allocate(int64_t bytes, const char *what, void **out) {
  *out = NULL;
  if (bytes == 0) return NULL;
  int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  bool fits = pages <= 0 || page <= 0 || bytes / page < pages;
  if (fits) *out = aligned_alloc(64, ((size_t)bytes + 63) / 64 * 64);
  if (*out) return NULL;
  return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED,
                            "%s needs %lld bytes of memory, which this machine does not have", what,
                            (long long)bytes);
}

ragged_status ragged_run_file_read(const char *path, char **out_text, int64_t *out_size) {
  FILE *file;
  int64_t size;
  RAGGED_RETURN_IF_ERROR(ragged_run_file_open(path, &file, &size));
  void *text = NULL;
  ragged_status status = ragged_run_allocate(size + 1, path, &text);
  if (!status) {
    size = (int64_t)fread(text, 1, (size_t)size, file);
    ((char *)text)[size] = 0;
    if (ferror(file))
      status = ragged_status_make(RAGGED_STATUS_NOT_FOUND, "file '%s' cannot be read", path);
  }
  fclose(file);
  if (status) {
    free(text);
    return status;
  }
  *out_text = text;
  *out_size = size;
  return NULL;
}

bool ragged_run_ends_with(const char *text, const char *end) {
  size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && !strcmp(text + length - end_length, end);
}
