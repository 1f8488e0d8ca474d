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

ragged_status ragged_run_output_stage(const char *folder, int count,
                                      const ragged_run_value *values, ragged_arena *arena,
                                      ragged_run_output *out) {
  *out = (ragged_run_output){.folder = folder, .arena = arena};
  RAGGED_RETURN_IF_ERROR(make_folder(folder, &out->made));
  ragged_status status = check_free(arena, folder, count);
  for (; out->staged < count && !status; ++out->staged)
    status = write_value(temporary_name(arena, folder, out->staged), &values[out->staged]);
  if (status) ragged_run_output_discard(out);
  return status;
}

void ragged_run_output_discard(ragged_run_output *output) {
  for (int k = 0; k < output->staged; ++k)
    unlink(temporary_name(output->arena, output->folder, k));
  if (output->made) rmdir(output->folder);
  *output = (ragged_run_output){0};
}

ragged_status ragged_run_output_commit(ragged_run_output *output) {
  ragged_status status = NULL;
  for (int k = 0; k < output->staged && !status; ++k) {
    const char *path = final_name(output->arena, output->folder, k);
    if (rename(temporary_name(output->arena, output->folder, k), path))
      status = ragged_status_make(RAGGED_STATUS_UNAVAILABLE, "'%s' cannot be written: %s", path,
                                  strerror(errno));
  }
  if (status) ragged_run_output_discard(output);
  else *output = (ragged_run_output){0};
  return status;
}
