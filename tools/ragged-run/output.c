// See output.h.
#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "npy.h"

static ragged_status make_folder(const char *folder, bool *out_made) {
  *out_made = mkdir(folder, 0777) == 0;
  if (*out_made) return NULL;
  int reason = errno;
  struct stat properties;
  if (reason == EEXIST && !stat(folder, &properties)) {
    if (S_ISDIR(properties.st_mode)) return NULL;
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "--output: '%s' is no folder, expected one", folder);
  }
  return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "--output: folder '%s': %s", folder,
                            strerror(reason));
}

static ragged_status write_value(const char *path, const ragged_run_value *value) {
  const ragged_schema *schema = &value->type->schema;
  if (value->type->kind != RAGGED_RT_VALUE_RAGGED)
    return ragged_npy_write(path, schema->element_type, schema->rank, value->extents, value->data);
  int64_t shape[RAGGED_MAX_RANK + 1] = {value->rows};
  int tail_rank = ragged_schema_tail(schema, shape + 1);
  return ragged_npy_write(path, schema->element_type, tail_rank + 1, shape, value->data);
}

static char *final_name(ragged_arena *arena, const char *folder, int k) {
  return ragged_arena_format(arena, "%s/result%d.npy", folder, k);
}

static char *temporary_name(ragged_arena *arena, const char *folder, int k) {
  return ragged_arena_format(arena, "%s/.result%d.npy.%ld", folder, k, (long)getpid());
}

// A result that a folder stands in the way of would otherwise be noticed after others were renamed.
static ragged_status check_free(ragged_arena *arena, const char *folder, int count) {
  for (int k = 0; k < count; ++k) {
    const char *path = final_name(arena, folder, k);
    struct stat properties;
    if (!stat(path, &properties) && !S_ISREG(properties.st_mode))
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "--output: '%s' exists and is no file", path);
  }
  return NULL;
}

ragged_status ragged_run_output_write(const char *folder, int count,
                                      const ragged_run_value *values, ragged_arena *arena) {
  bool made;
  RAGGED_RETURN_IF_ERROR(make_folder(folder, &made));
  ragged_status status = check_free(arena, folder, count);
  int written = 0;
  for (; written < count && !status; ++written)
    status = write_value(temporary_name(arena, folder, written), &values[written]);
  for (int k = 0; k < written && !status; ++k)
    if (rename(temporary_name(arena, folder, k), final_name(arena, folder, k)))
      status = ragged_status_make(RAGGED_STATUS_UNAVAILABLE, "'%s' cannot be written: %s",
                                  final_name(arena, folder, k), strerror(errno));
  if (!status) return NULL;
  for (int k = 0; k < written; ++k) unlink(temporary_name(arena, folder, k));
  if (made) rmdir(folder);
  return status;
}
