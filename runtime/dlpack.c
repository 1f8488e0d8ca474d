// Tensors to and from DLPack without copying. A packed tensor is exchanged as [rows, tail...]: its
// space does not travel and is given again on the way in.
#include "dlpack_abi.h"

#include <string.h>

#include "context.h"

typedef struct dlpack_type {
  ragged_element_type element_type;
  uint8_t code, bits;
} dlpack_type;

static const dlpack_type kTypes[] = {
    {RAGGED_ELEMENT_F64, kDLFloat, 64},
    {RAGGED_ELEMENT_F32, kDLFloat, 32},
    {RAGGED_ELEMENT_BF16, kDLBfloat, 16},
    {RAGGED_ELEMENT_I64, kDLInt, 64},
    {RAGGED_ELEMENT_I1, kDLBool, 8},
};
enum { kNumTypes = sizeof kTypes / sizeof kTypes[0] };

// What _to_ hands out: the managed tensor first, so that the deleter finds the rest.
typedef struct exported {
  DLManagedTensor managed;
  ragged_rt_tensor *tensor;
  int64_t shape[RAGGED_MAX_RANK + 1], strides[RAGGED_MAX_RANK + 1];
} exported;

static void delete_exported(DLManagedTensor *managed) {
  exported *out = (exported *)managed;
  ragged_rt_tensor *tensor = out->tensor;
  ragged_rt_metadata_free(&tensor->context->memory, out);
  ragged_rt_tensor_release(tensor);
}

ragged_status ragged_rt_tensor_to_dlpack(ragged_rt_tensor *tensor,
                                         struct DLManagedTensor **out_managed) {
  const ragged_rt_device_table *device = tensor->context->device->table;
  if (!device->dlpack_type)
    return ragged_status_make(RAGGED_STATUS_UNAVAILABLE, "DLPack has no device '%s'",
                              device->name);
  exported *out = ragged_rt_metadata_allocate(&tensor->context->memory, sizeof *out, 0, 1);
  if (!out) return ragged_rt_no_metadata("a DLPack tensor");
  out->tensor = tensor;
  int rank = 0;
  if (tensor->space) out->shape[rank++] = tensor->rows;
  for (int k = 0; k < tensor->rank; ++k) out->shape[rank++] = tensor->shape[k];
  uint64_t stride = 1;  // an empty tensor may have strides that overflow; they mean nothing
  for (int k = rank - 1; k >= 0; --k) {
    out->strides[k] = (int64_t)stride;
    stride *= (uint64_t)out->shape[k];
  }
  out->managed.dl_tensor = (DLTensor){.data = tensor->data,
                                      .device = {device->dlpack_type,
                                                 tensor->context->device_index},
                                      .ndim = rank,
                                      .shape = out->shape,
                                      .strides = out->strides};
  for (int k = 0; k < kNumTypes; ++k)
    if (kTypes[k].element_type == tensor->element_type)
      out->managed.dl_tensor.dtype = (DLDataType){kTypes[k].code, kTypes[k].bits, 1};
  out->managed.manager_ctx = out;
  out->managed.deleter = delete_exported;
  ragged_rt_tensor_retain(tensor);
  *out_managed = &out->managed;
  return NULL;
}

static ragged_status check_strides(const DLTensor *source) {
  if (!source->strides) return NULL;
  for (int k = 0; k < source->ndim; ++k)
    if (source->shape[k] == 0) return NULL;
  int64_t stride = 1;
  for (int k = source->ndim - 1; k >= 0; --k) {
    if (source->shape[k] != 1 && source->strides[k] != stride)
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "DLPack dimension %d has stride %lld, but %lld is required "
                                "(contiguous, row-major)",
                                k, (long long)source->strides[k], (long long)stride);
    if (__builtin_mul_overflow(stride, source->shape[k], &stride))
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "the DLPack tensor has more than 2^63 - 1 elements");
  }
  return NULL;
}

static ragged_status check_device(const ragged_rt_context *context, DLDevice found) {
  const ragged_rt_device_table *device = context->device->table;
  int index = context->device_index;
  bool on_host = found.device_type == kDLCPU && device->is_host;  // of any index
  if (on_host || (device->dlpack_type && found.device_type == device->dlpack_type &&
                  found.device_id == index))
    return NULL;
  return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                            "the DLPack tensor is on device type %d, index %d, but %d, index %d "
                            "('%s') is required",
                            (int)found.device_type, (int)found.device_id, device->dlpack_type,
                            index, device->name);
}

static ragged_status check_source(const DLTensor *source, bool ragged,
                                  ragged_element_type *element_type) {
  if (source->ndim < (ragged ? 1 : 0) || source->ndim > RAGGED_MAX_RANK + (ragged ? 1 : 0))
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "the DLPack tensor has %d dimensions, but %d to %d are required",
                              (int)source->ndim, ragged ? 1 : 0,
                              RAGGED_MAX_RANK + (ragged ? 1 : 0));
  for (int k = 0; k < source->ndim; ++k)
    if (source->shape[k] < 0)
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "DLPack dimension %d has extent %lld, but extents must not be "
                                "negative",
                                k, (long long)source->shape[k]);
  for (int k = 0; k < kNumTypes; ++k) {
    if (kTypes[k].code == source->dtype.code && kTypes[k].bits == source->dtype.bits &&
        source->dtype.lanes == 1) {
      *element_type = kTypes[k].element_type;
      return check_strides(source);
    }
  }
  return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                            "the DLPack tensor's type (code %d, %d bits, %d lanes) is none of "
                            "f64, f32, bf16, i64, i1",
                            source->dtype.code, source->dtype.bits, source->dtype.lanes);
}

static void delete_imported(void *user) {
  DLManagedTensor *managed = user;
  if (managed->deleter) managed->deleter(managed);
}

ragged_status ragged_rt_tensor_from_dlpack(ragged_rt_context *context,
                                           struct DLManagedTensor *managed,
                                           ragged_rt_space *space, ragged_rt_tensor **out_tensor) {
  const DLTensor *source = &managed->dl_tensor;
  ragged_element_type element_type = RAGGED_ELEMENT_F32;
  RAGGED_RETURN_IF_ERROR(check_device(context, source->device));
  RAGGED_RETURN_IF_ERROR(check_source(source, space != NULL, &element_type));
  void *data = source->data ? (char *)source->data + source->byte_offset : NULL;
  if (!space)
    return ragged_rt_tensor_wrap_dense(context, element_type, source->ndim, source->shape, data,
                                       delete_imported, managed, out_tensor);
  return ragged_rt_tensor_wrap(context, element_type, space, source->ndim - 1, source->shape + 1,
                               source->shape[0], data, delete_imported, managed, out_tensor);
}
