// The structures of DLPack's C ABI (version 0.8, unversioned DLManagedTensor), as far as this
// runtime reads and writes them. Layouts and codes are those published by the DLPack project
// (https://dmlc.github.io/dlpack/latest/c_api.html); do not include next to dlpack.h itself.
#ifndef RAGGED_RT_DLPACK_ABI_H
#define RAGGED_RT_DLPACK_ABI_H

#include <stdint.h>

enum { kDLCPU = 1, kDLCUDA = 2 };                         // DLDeviceType
enum { kDLInt = 0, kDLUInt = 1, kDLFloat = 2, kDLBfloat = 4, kDLBool = 6 };  // DLDataTypeCode

typedef struct DLDevice {
  int32_t device_type;
  int32_t device_id;
} DLDevice;

typedef struct DLDataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} DLDataType;

typedef struct DLTensor {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides;  // in elements; null: contiguous, row-major
  uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

#endif  // RAGGED_RT_DLPACK_ABI_H
