// See case_file.h. All integers are 64 bits wide; arrays follow their counts.
#include "case_file.h"

#include <stdlib.h>
#include <string.h>

#include "reference/reference_internal.h"

static const char kMagic[8] = "RAGCASE1";
#define MOST_BYTES (INT64_C(1) << 32)  // of an array: more is a damaged file

// ---- Writing ---------------------------------------------------------------------------------

// Errors of the stream are looked at once, at the end.
static void put(FILE *file, const void *data, int64_t bytes) {
  if (bytes > 0) fwrite(data, 1, (size_t)bytes, file);
}
static void put_integer(FILE *file, int64_t value) { put(file, &value, (int64_t)sizeof value); }
static void put_text(FILE *file, const char *text, int size) {
  char buffer[kCaseLabelSize] = {0};
  strncpy(buffer, text, (size_t)size - 1);
  put(file, buffer, size);
}

static int64_t tensor_bytes(const ragged_rt_tensor *tensor) {
  int64_t elements = ragged_rt_tensor_space(tensor) ? ragged_rt_tensor_rows(tensor) : 1;
  for (int d = 0; d < ragged_rt_tensor_rank(tensor); ++d)
    elements *= ragged_rt_tensor_shape(tensor)[d];
  return elements * (int64_t)ragged_element_size(ragged_rt_tensor_element_type(tensor));
}

static void put_argument(FILE *file, const ragged_rt_tensor *tensor) {
  ragged_rt_space *space = ragged_rt_tensor_space(tensor);
  int num_axes = space ? ragged_rt_space_num_axes(space) : 0;
  int64_t batch = space ? ragged_rt_space_batch(space) : 0;
  put_integer(file, space != NULL);
  put_integer(file, batch);
  put_integer(file, num_axes);
  for (int k = 0; k < num_axes; ++k)
    put(file, ragged_rt_axis_extents(ragged_rt_space_axis(space, k)),
        batch * (int64_t)sizeof(int64_t));
  int rank = ragged_rt_tensor_rank(tensor);
  put_integer(file, rank);
  put(file, ragged_rt_tensor_shape(tensor), rank * (int64_t)sizeof(int64_t));
  put_integer(file, tensor_bytes(tensor));
  put(file, ragged_rt_tensor_data(tensor), tensor_bytes(tensor));
}

static void put_result(FILE *file, const ragged_reference_value *value) {
  int64_t count = ragged_reference_num_elements(value);
  put_integer(file, value->batch);
  put_integer(file, value->schema.rank);
  put(file, value->extents, value->batch * value->schema.rank * (int64_t)sizeof(int64_t));
  put_integer(file, value->accuracy.operations);
  put_integer(file, value->accuracy.accumulation);
  put_integer(file, count);
  put(file, value->numbers, count * (int64_t)sizeof *value->numbers);
}

ragged_status gpu_case_write(FILE *file, const char *entry, const char *label, int num_arguments,
                             ragged_rt_tensor *const *tensors, int num_results,
                             const ragged_reference_value *results) {
  if (strlen(entry) >= kCaseNameSize || num_arguments > kCaseMaxValues ||
      num_results > kCaseMaxValues)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "function '%s' has a name of more than %d characters, or more than %d "
                              "arguments or results",
                              entry, kCaseNameSize - 1, kCaseMaxValues);
  put(file, kMagic, (int64_t)sizeof kMagic);
  put_text(file, entry, kCaseNameSize);
  put_text(file, label, kCaseLabelSize);
  put_integer(file, num_arguments);
  put_integer(file, num_results);
  for (int k = 0; k < num_arguments; ++k) put_argument(file, tensors[k]);
  for (int k = 0; k < num_results; ++k) put_result(file, &results[k]);
  if (!ferror(file)) return NULL;
  return ragged_status_make(RAGGED_STATUS_UNAVAILABLE, "a case cannot be written");
}

// ---- Reading ---------------------------------------------------------------------------------

typedef struct reader {
  FILE *file;
  bool failed;
} reader;

static void get(reader *self, void *data, int64_t bytes) {
  if (bytes > 0 && !self->failed)
    self->failed = fread(data, 1, (size_t)bytes, self->file) != (size_t)bytes;
}

static int64_t get_integer(reader *self, int64_t least, int64_t most) {
  int64_t value = least;
  get(self, &value, (int64_t)sizeof value);
  if (!self->failed && value >= least && value <= most) return value;
  self->failed = true;
  return least;
}

// A new array, never null on success.
static void *get_array(reader *self, int64_t count, int64_t size) {
  if (count < 0 || count > MOST_BYTES / size) self->failed = true;
  if (self->failed) return NULL;
  void *data = malloc(count ? (size_t)(count * size) : 1);
  if (!data) self->failed = true;
  get(self, data, count * size);
  return data;
}

static void get_argument(reader *self, gpu_argument *out) {
  out->is_ragged = get_integer(self, 0, 1);
  out->batch = get_integer(self, 0, MOST_BYTES);
  out->num_axes = (int)get_integer(self, 0, RAGGED_MAX_RANK);
  for (int k = 0; k < out->num_axes; ++k)
    out->extents[k] = get_array(self, out->batch, (int64_t)sizeof(int64_t));
  out->rank = (int)get_integer(self, 0, RAGGED_MAX_RANK);
  get(self, out->shape, out->rank * (int64_t)sizeof(int64_t));
  out->bytes = get_integer(self, 0, MOST_BYTES);
  out->values = get_array(self, out->bytes, 1);
}

static void get_result(reader *self, gpu_expected *out) {
  out->batch = get_integer(self, 0, MOST_BYTES);
  out->rank = (int)get_integer(self, 0, RAGGED_MAX_RANK);
  out->extents = get_array(self, out->batch * out->rank, (int64_t)sizeof(int64_t));
  out->accuracy.operations = get_integer(self, 0, INT64_MAX);
  out->accuracy.accumulation = get_integer(self, 0, INT64_MAX);
  out->count = get_integer(self, 0, MOST_BYTES);
  out->numbers = get_array(self, out->count, (int64_t)sizeof *out->numbers);
}

ragged_status gpu_case_read(FILE *file, gpu_case *out, bool *out_end) {
  *out = (gpu_case){.num_arguments = 0};
  int first = fgetc(file);
  *out_end = first == EOF;
  if (*out_end) return NULL;
  ungetc(first, file);
  reader self = {.file = file};
  char magic[sizeof kMagic];
  get(&self, magic, (int64_t)sizeof magic);
  if (!self.failed) self.failed = memcmp(magic, kMagic, sizeof kMagic) != 0;
  get(&self, out->entry, kCaseNameSize);
  get(&self, out->label, kCaseLabelSize);
  out->entry[kCaseNameSize - 1] = out->label[kCaseLabelSize - 1] = 0;
  out->num_arguments = (int)get_integer(&self, 0, kCaseMaxValues);
  out->num_results = (int)get_integer(&self, 0, kCaseMaxValues);
  for (int k = 0; k < out->num_arguments; ++k) get_argument(&self, &out->arguments[k]);
  for (int k = 0; k < out->num_results; ++k) get_result(&self, &out->results[k]);
  if (!self.failed) return NULL;
  gpu_case_free(out);
  return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                            "the file of cases is damaged, or there is no memory for it");
}

void gpu_case_free(gpu_case *self) {
  for (int k = 0; k < self->num_arguments; ++k) {
    for (int d = 0; d < self->arguments[k].num_axes; ++d) free(self->arguments[k].extents[d]);
    free(self->arguments[k].values);
  }
  for (int k = 0; k < self->num_results; ++k) {
    free(self->results[k].extents);
    free(self->results[k].numbers);
  }
  *self = (gpu_case){.num_arguments = 0};
}

// ---- Use -------------------------------------------------------------------------------------

static ragged_status make_space(const gpu_argument *self, ragged_rt_context *context,
                                ragged_rt_space **out) {
  ragged_rt_axis *axes[RAGGED_MAX_RANK] = {NULL};
  ragged_status status = NULL;
  for (int k = 0; k < self->num_axes && !status; ++k)
    status = ragged_rt_axis_create_from_lengths(context, self->batch, 64, self->extents[k],
                                                &axes[k]);
  if (!status) status = ragged_rt_space_get(context, self->batch, self->num_axes, axes, out);
  for (int k = 0; k < self->num_axes; ++k) ragged_rt_axis_release(axes[k]);
  return status;
}

ragged_status gpu_argument_to_tensor(const gpu_argument *self, ragged_element_type element_type,
                                     ragged_rt_context *context, ragged_rt_tensor **out) {
  ragged_rt_space *space = NULL;
  if (self->is_ragged) RAGGED_RETURN_IF_ERROR(make_space(self, context, &space));
  ragged_status status = ragged_rt_tensor_from_host(context, element_type, space, self->rank,
                                                    self->shape, self->values, out);
  ragged_rt_space_release(space);
  return status;
}

static ragged_status allocate(const gpu_expected *self, const ragged_rt_value_type *type,
                              ragged_reference_value *out) {
  switch (type->kind) {
    case RAGGED_RT_VALUE_RAGGED:
      return ragged_reference_allocate(&type->schema, self->batch, self->extents, out);
    case RAGGED_RT_VALUE_DENSE:
      return ragged_reference_allocate_dense(type->schema.element_type, self->rank, self->extents,
                                             out);
    case RAGGED_RT_VALUE_SCALAR: break;
  }
  return ragged_reference_allocate_scalar(type->schema.element_type, out);
}

ragged_status gpu_expected_to_value(const gpu_expected *self, const ragged_rt_value_type *type,
                                    ragged_reference_value *out) {
  if (self->rank != type->schema.rank)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "a result has rank %d in the file, %d in the program", self->rank,
                              type->schema.rank);
  RAGGED_RETURN_IF_ERROR(allocate(self, type, out));
  out->accuracy = self->accuracy;
  if (ragged_reference_num_elements(out) != self->count) {
    ragged_reference_value_free(out);
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "a result has another number of elements than its extents say");
  }
  if (self->count) memcpy(out->numbers, self->numbers, (size_t)self->count * sizeof *out->numbers);
  return NULL;
}
