// Tensors: values with their structure, owning or borrowing. All sizes are checked here, once; what
// has been made is trusted afterwards.
#include "context.h"

#include <string.h>

#include "support/checked.h"

// "[3, 128]" for messages.
static void print_shape(int rank, const int64_t *shape, ragged_string_buffer *out) {
  ragged_string_append(out, "[", 1);
  for (int k = 0; k < rank; ++k)
    ragged_string_appendf(out, k ? ", %lld" : "%lld", (long long)shape[k]);
  ragged_string_append(out, "]", 1);
}

static ragged_status too_large(int rank, const int64_t *shape, int64_t rows) {
  ragged_string_buffer text = {0};
  print_shape(rank, shape, &text);
  ragged_status status = ragged_status_make(
      RAGGED_STATUS_INVALID_ARGUMENT, "%lld rows of %s are more than 2^63 - 1 bytes",
      (long long)rows, text.data ? text.data : "[?]");
  ragged_string_free(&text);
  return status;
}

static ragged_status check_description(ragged_element_type element_type, int rank,
                                       const int64_t *shape) {
  if ((int)element_type < 0 || element_type >= RAGGED_ELEMENT_COUNT)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "there is no element type %d",
                              (int)element_type);
  if (rank < 0 || rank > RAGGED_MAX_RANK)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "the rank is %d, but 0 to %d are supported", rank, RAGGED_MAX_RANK);
  for (int k = 0; k < rank; ++k)
    if (shape[k] < 0)
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "extent %d is %lld, but extents must not be negative", k,
                                (long long)shape[k]);
  return NULL;
}

// *bytes := rows * product of shape * element size; 0 if any factor is 0, whatever the others.
static bool total_bytes(ragged_element_type element_type, int64_t rows, int rank,
                        const int64_t *shape, int64_t *bytes) {
  int64_t total = (int64_t)ragged_element_size(element_type);
  bool fits = ragged_checked_multiply(total, rows, &total);
  bool empty = rows == 0;
  for (int k = 0; k < rank; ++k) {
    empty = empty || shape[k] == 0;
    fits = fits && ragged_checked_multiply(total, shape[k], &total);
  }
  *bytes = empty ? 0 : total;
  return empty || fits;
}

ragged_status ragged_rt_dense_bytes(ragged_element_type element_type, int rank,
                                    const int64_t *shape, int64_t *out_bytes) {
  RAGGED_RETURN_IF_ERROR(check_description(element_type, rank, shape));
  return total_bytes(element_type, 1, rank, shape, out_bytes) ? NULL : too_large(rank, shape, 1);
}

// A tensor without data. `space` null: dense, `capacity` unused.
static ragged_status make_tensor(ragged_rt_context *context, ragged_element_type element_type,
                                 ragged_rt_space *space, int rank, const int64_t *shape,
                                 int64_t capacity, ragged_rt_tensor **out_tensor,
                                 int64_t *out_bytes) {
  RAGGED_RETURN_IF_ERROR(check_description(element_type, rank, shape));
  if (space && space->context != context)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "the tensor's space belongs to another context");
  if (!total_bytes(element_type, space ? capacity : 1, rank, shape, out_bytes))
    return too_large(rank, shape, space ? capacity : 1);
  ragged_rt_tensor *tensor = ragged_rt_metadata_allocate(&context->memory, sizeof *tensor, 0, 1);
  if (!tensor) return ragged_rt_no_metadata("a tensor");
  tensor->references = 1;
  tensor->context = context;
  tensor->element_type = element_type;
  tensor->space = space;
  tensor->rank = rank;
  if (rank) memcpy(tensor->shape, shape, (size_t)rank * sizeof *shape);
  tensor->capacity = space ? capacity : rank ? shape[0] : 1;
  tensor->rows = space ? space->rows : tensor->capacity;
  ragged_rt_context_retain(context);
  ragged_rt_space_retain(space);
  *out_tensor = tensor;
  return NULL;
}

static ragged_status make_owning(ragged_rt_context *context, ragged_element_type element_type,
                                 ragged_rt_space *space, int rank, const int64_t *shape,
                                 ragged_rt_tensor **out_tensor) {
  ragged_rt_tensor *tensor;
  int64_t bytes;
  RAGGED_RETURN_IF_ERROR(make_tensor(context, element_type, space, rank, shape,
                                     space ? space->rows : 0, &tensor, &bytes));
  ragged_status status =
      ragged_rt_memory_allocate(&context->memory, bytes, "values", &tensor->data);
  if (status) {
    ragged_rt_tensor_release(tensor);
    return status;
  }
  tensor->owned_bytes = bytes;
  *out_tensor = tensor;
  return NULL;
}

ragged_status ragged_rt_tensor_create(ragged_rt_context *context, ragged_element_type element_type,
                                      ragged_rt_space *space, int tail_rank, const int64_t *tail,
                                      ragged_rt_tensor **out_tensor) {
  if (!space)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "a ragged tensor needs a space");
  return make_owning(context, element_type, space, tail_rank, tail, out_tensor);
}

ragged_status ragged_rt_tensor_create_dense(ragged_rt_context *context,
                                            ragged_element_type element_type, int rank,
                                            const int64_t *shape, ragged_rt_tensor **out_tensor) {
  return make_owning(context, element_type, NULL, rank, shape, out_tensor);
}

static ragged_status make_borrowing(ragged_rt_context *context, ragged_element_type element_type,
                                    ragged_rt_space *space, int rank, const int64_t *shape,
                                    int64_t capacity, void *data,
                                    void (*release_data)(void *user), void *user,
                                    ragged_rt_tensor **out_tensor) {
  ragged_rt_tensor *tensor;
  int64_t bytes;
  RAGGED_RETURN_IF_ERROR(
      make_tensor(context, element_type, space, rank, shape, capacity, &tensor, &bytes));
  size_t element_size = ragged_element_size(element_type);
  ragged_status status = NULL;
  if (!data && bytes > 0)
    status = ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "the data pointer is null, but the tensor holds %lld bytes",
                                (long long)bytes);
  else if ((uintptr_t)data % element_size != 0)
    status = ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "the data pointer is not aligned to %zu bytes, the size of %s",
                                element_size, ragged_element_name(element_type));
  if (status) {
    ragged_rt_tensor_release(tensor);
    return status;
  }
  tensor->data = data;
  tensor->release_data = release_data;
  tensor->user = user;
  *out_tensor = tensor;
  return NULL;
}

ragged_status ragged_rt_tensor_wrap(ragged_rt_context *context, ragged_element_type element_type,
                                    ragged_rt_space *space, int tail_rank, const int64_t *tail,
                                    int64_t capacity, void *data,
                                    void (*release_data)(void *user), void *user,
                                    ragged_rt_tensor **out_tensor) {
  if (!space)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "a ragged tensor needs a space");
  if (capacity < space->rows)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "the buffer holds %lld rows, but the space has %lld",
                              (long long)capacity, (long long)space->rows);
  return make_borrowing(context, element_type, space, tail_rank, tail, capacity, data,
                        release_data, user, out_tensor);
}

ragged_status ragged_rt_tensor_wrap_dense(ragged_rt_context *context,
                                          ragged_element_type element_type, int rank,
                                          const int64_t *shape, void *data,
                                          void (*release_data)(void *user), void *user,
                                          ragged_rt_tensor **out_tensor) {
  return make_borrowing(context, element_type, NULL, rank, shape, 0, data, release_data, user,
                        out_tensor);
}

void ragged_rt_tensor_retain(ragged_rt_tensor *tensor) {
  if (tensor) tensor->references += 1;
}

void ragged_rt_tensor_release(ragged_rt_tensor *tensor) {
  if (!tensor || --tensor->references > 0) return;
  ragged_rt_context *context = tensor->context;
  if (tensor->owned_bytes)
    ragged_rt_memory_free(&context->memory, tensor->data, tensor->owned_bytes);
  if (tensor->release_data) tensor->release_data(tensor->user);
  ragged_rt_space_release(tensor->space);
  ragged_rt_metadata_free(&context->memory, tensor);
  ragged_rt_context_release(context);
}

int64_t ragged_rt_tensor_elements(const ragged_rt_tensor *tensor) {
  int64_t elements = tensor->space ? tensor->rows : 1;
  for (int k = 0; k < tensor->rank; ++k)
    if (tensor->shape[k] == 0) return 0;
  for (int k = 0; k < tensor->rank; ++k) elements *= tensor->shape[k];  // checked when made
  return elements;
}

int64_t ragged_rt_tensor_bytes(const ragged_rt_tensor *tensor) {
  return ragged_rt_tensor_elements(tensor) * (int64_t)ragged_element_size(tensor->element_type);
}

ragged_status ragged_rt_tensor_restructure(ragged_rt_tensor *tensor, ragged_rt_space *space,
                                           int rank, const int64_t *shape) {
  int64_t rows = space ? space->rows : rank ? shape[0] : 1;
  int64_t needed;
  if (!total_bytes(tensor->element_type, space ? rows : 1, rank, shape, &needed))
    return too_large(rank, shape, rows);
  if (needed > tensor->owned_bytes)
    return ragged_status_make(RAGGED_STATUS_INTERNAL,
                              "a buffer of %lld bytes was given, but %lld are required",
                              (long long)tensor->owned_bytes, (long long)needed);
  ragged_rt_space_retain(space);
  ragged_rt_space_release(tensor->space);
  tensor->space = space;
  tensor->rank = rank;
  if (rank) memmove(tensor->shape, shape, (size_t)rank * sizeof *shape);
  tensor->rows = tensor->capacity = rows;
  return NULL;
}

void *ragged_rt_tensor_data(const ragged_rt_tensor *tensor) { return tensor->data; }
ragged_element_type ragged_rt_tensor_element_type(const ragged_rt_tensor *tensor) {
  return tensor->element_type;
}
ragged_rt_space *ragged_rt_tensor_space(const ragged_rt_tensor *tensor) { return tensor->space; }
int64_t ragged_rt_tensor_rows(const ragged_rt_tensor *tensor) { return tensor->rows; }
int64_t ragged_rt_tensor_capacity(const ragged_rt_tensor *tensor) { return tensor->capacity; }
int ragged_rt_tensor_rank(const ragged_rt_tensor *tensor) { return tensor->rank; }
const int64_t *ragged_rt_tensor_shape(const ragged_rt_tensor *tensor) { return tensor->shape; }
