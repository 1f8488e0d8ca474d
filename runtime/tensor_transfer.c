// Copies between the program's memory and tensors of any device. Of a tensor whose rows only the device
// knows, those that it has now are copied: the host asks the device for the lengths first.
#include "context.h"

// Bytes of the rows that are there.
static ragged_status count_bytes(const ragged_rt_tensor *tensor, int64_t *out) {
  *out = ragged_rt_tensor_bytes(tensor);
  if (!tensor->space || !tensor->space->on_device || *out == 0) return NULL;
  ragged_rt_space *known = NULL;
  RAGGED_RETURN_IF_ERROR(ragged_rt_space_resolve(tensor->space, &known));
  *out = *out / tensor->rows * known->rows;
  ragged_rt_space_release(known);
  return NULL;
}

static ragged_status no_values(int64_t bytes) {
  return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                            "the pointer to values is null, but the tensor holds %lld bytes",
                            (long long)bytes);
}

static ragged_status upload(ragged_rt_tensor *tensor, const void *values) {
  int64_t bytes = 0;
  RAGGED_RETURN_IF_ERROR(count_bytes(tensor, &bytes));
  if (bytes == 0) return NULL;
  if (!values) return no_values(bytes);
  ragged_rt_device *device = tensor->context->device;
  return device->table->upload(device, tensor->data, values, (size_t)bytes);
}

ragged_status ragged_rt_tensor_from_host(ragged_rt_context *context,
                                         ragged_element_type element_type, ragged_rt_space *space,
                                         int rank, const int64_t *shape, const void *values,
                                         ragged_rt_tensor **out_tensor) {
  ragged_rt_tensor *tensor = NULL;
  RAGGED_RETURN_IF_ERROR(
      space ? ragged_rt_tensor_create(context, element_type, space, rank, shape, &tensor)
            : ragged_rt_tensor_create_dense(context, element_type, rank, shape, &tensor));
  ragged_status status = upload(tensor, values);
  if (status) ragged_rt_tensor_release(tensor);
  else *out_tensor = tensor;
  return status;
}

ragged_status ragged_rt_tensor_to_host(const ragged_rt_tensor *tensor, void *values,
                                       int64_t bytes) {
  int64_t needed = 0;
  RAGGED_RETURN_IF_ERROR(ragged_rt_fault_take(tensor->context));
  RAGGED_RETURN_IF_ERROR(count_bytes(tensor, &needed));
  if (bytes < needed)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "there is room for %lld bytes, but the tensor holds %lld",
                              (long long)bytes, (long long)needed);
  if (needed == 0) return NULL;
  if (!values) return no_values(needed);
  ragged_rt_device *device = tensor->context->device;
  return device->table->download(device, values, tensor->data, (size_t)needed);
}
