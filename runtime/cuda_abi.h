// The part of the CUDA driver's C ABI that this runtime uses: types, numbers and functions as
// NVIDIA's driver API documentation states them (https://docs.nvidia.com/cuda/cuda-driver-api), so
// that nothing of CUDA is needed to build. Do not include next to cuda.h itself.
#ifndef RAGGED_RT_CUDA_ABI_H
#define RAGGED_RT_CUDA_ABI_H

#include <stddef.h>

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

enum {  // CUresult
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_IMAGE = 200,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
};

enum {  // CUdevice_attribute
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
};

enum {  // CUfunction_attribute
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
};

enum {  // CUjit_option
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
};

enum {  // CUstreamCaptureStatus
  CU_STREAM_CAPTURE_STATUS_NONE = 0,
  CU_STREAM_CAPTURE_STATUS_ACTIVE = 1,
  CU_STREAM_CAPTURE_STATUS_INVALIDATED = 2,
};
enum { CU_STREAM_CAPTURE_MODE_RELAXED = 2 };  // CUstreamCaptureMode

enum { CU_STREAM_DEFAULT = 0, CU_EVENT_DEFAULT = 0, CU_EVENT_DISABLE_TIMING = 2 };

// cuLaunchKernel's `extra`: key, value, ..., END.
#define CU_LAUNCH_PARAM_END ((void *)0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)2)

// F(symbol, parameters); all return CUresult.
#define RAGGED_CUDA_FUNCTIONS(F)                                                                  \
  F(cuInit, (unsigned flags))                                                                     \
  F(cuGetErrorName, (CUresult error, const char **out))                                           \
  F(cuGetErrorString, (CUresult error, const char **out))                                         \
  F(cuDeviceGetCount, (int *out))                                                                 \
  F(cuDeviceGet, (CUdevice *out, int ordinal))                                                    \
  F(cuDeviceGetName, (char *out, int size, CUdevice device))                                      \
  F(cuDeviceGetAttribute, (int *out, int attribute, CUdevice device))                             \
  F(cuDevicePrimaryCtxRetain, (CUcontext * out, CUdevice device))                                 \
  F(cuDevicePrimaryCtxRelease_v2, (CUdevice device))                                              \
  F(cuCtxGetCurrent, (CUcontext * out))                                                           \
  F(cuCtxPushCurrent_v2, (CUcontext context))                                                     \
  F(cuCtxPopCurrent_v2, (CUcontext * out))                                                        \
  F(cuStreamCreate, (CUstream * out, unsigned flags))                                             \
  F(cuStreamDestroy_v2, (CUstream stream))                                                        \
  F(cuStreamGetCtx, (CUstream stream, CUcontext * out))                                           \
  F(cuStreamSynchronize, (CUstream stream))                                                       \
  F(cuStreamIsCapturing, (CUstream stream, int *out_status))                                      \
  F(cuThreadExchangeStreamCaptureMode, (int *mode))                                               \
  F(cuEventCreate, (CUevent * out, unsigned flags))                                               \
  F(cuEventDestroy_v2, (CUevent event))                                                           \
  F(cuEventRecord, (CUevent event, CUstream stream))                                              \
  F(cuEventSynchronize, (CUevent event))                                                          \
  F(cuEventElapsedTime, (float *out_milliseconds, CUevent begin, CUevent end))                    \
  F(cuMemAlloc_v2, (CUdeviceptr * out, size_t bytes))                                             \
  F(cuMemFree_v2, (CUdeviceptr pointer))                                                          \
  F(cuMemHostAlloc, (void **out, size_t bytes, unsigned flags))                                   \
  F(cuMemFreeHost, (void *pointer))                                                               \
  F(cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void *from, size_t bytes, CUstream stream))      \
  F(cuMemcpyDtoHAsync_v2, (void *to, CUdeviceptr from, size_t bytes, CUstream stream))            \
  F(cuMemcpyDtoDAsync_v2, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream))      \
  F(cuMemsetD8Async, (CUdeviceptr to, unsigned char byte, size_t bytes, CUstream stream))         \
  F(cuModuleLoadDataEx,                                                                           \
    (CUmodule * out, const void *image, unsigned num_options, int *options, void **values))       \
  F(cuModuleUnload, (CUmodule module))                                                            \
  F(cuModuleGetFunction, (CUfunction * out, CUmodule module, const char *name))                   \
  F(cuFuncGetAttribute, (int *out, int attribute, CUfunction function))                           \
  F(cuFuncSetAttribute, (CUfunction function, int attribute, int value))                          \
  F(cuOccupancyMaxActiveBlocksPerMultiprocessor,                                                  \
    (int *out, CUfunction function, int threads, size_t dynamic_shared_bytes))                    \
  F(cuLaunchKernel,                                                                               \
    (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,    \
     unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream,                  \
     void **parameters, void **extra))

#endif  // RAGGED_RT_CUDA_ABI_H
