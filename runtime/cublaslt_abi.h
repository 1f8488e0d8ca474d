// The part of cuBLASLt's C ABI that is used here: types, numbers and functions as NVIDIA's cuBLAS
// documentation states them (https://docs.nvidia.com/cuda/cublas), so that nothing of CUDA is needed
// to build. They are the same in cuBLAS 11, 12 and 13. Do not include next to cublasLt.h itself.
#ifndef RAGGED_RT_CUBLASLT_ABI_H
#define RAGGED_RT_CUBLASLT_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "cuda_abi.h"

typedef int cublasStatus_t;
typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct cublasLtMatmulDescOpaque *cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayoutOpaque *cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulPreferenceOpaque *cublasLtMatmulPreference_t;

typedef struct cublasLtMatmulAlgo_t {
  uint64_t data[8];
} cublasLtMatmulAlgo_t;

typedef struct cublasLtMatmulHeuristicResult_t {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
} cublasLtMatmulHeuristicResult_t;

enum {  // cublasStatus_t
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
};

enum { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL };  // libraryPropertyType

enum {  // cudaDataType_t
  CUDA_R_32F = 0,
  CUDA_R_64F = 1,
  CUDA_R_16BF = 14,
};

enum {  // cublasComputeType_t
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
};

enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1 };  // cublasOperation_t, an int32_t where it is an attribute

enum {  // cublasLtMatmulDescAttributes_t
  CUBLASLT_MATMUL_DESC_TRANSA = 3,        // int32_t
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,      // uint32_t
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,  // const void *
};

enum {  // cublasLtEpilogue_t
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_BIAS = 4,
};

enum { CUBLASLT_MATRIX_LAYOUT_COLS = 3 };  // cublasLtMatrixLayoutAttribute_t; uint64_t

enum {  // cublasLtMatmulPreferenceAttributes_t
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,    // uint64_t; 0 if not set
  CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,  // uint32_t; all if not set
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,  // uint32_t; 256 if not set
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8,
};

enum { CUBLASLT_REDUCTION_SCHEME_NONE = 0 };  // cublasLtReductionScheme_t

// F(symbol, parameters); all return cublasStatus_t.
#define RAGGED_CUBLASLT_FUNCTIONS(F)                                                              \
  F(cublasLtCreate, (cublasLtHandle_t * out))                                                     \
  F(cublasLtDestroy, (cublasLtHandle_t handle))                                                   \
  F(cublasLtGetProperty, (int property, int *out))                                                \
  F(cublasLtMatmulDescCreate, (cublasLtMatmulDesc_t * out, int compute, int scale_type))          \
  F(cublasLtMatmulDescSetAttribute,                                                               \
    (cublasLtMatmulDesc_t desc, int attribute, const void *value, size_t size))                   \
  F(cublasLtMatmulDescDestroy, (cublasLtMatmulDesc_t desc))                                       \
  F(cublasLtMatrixLayoutCreate, (cublasLtMatrixLayout_t * out, int type, uint64_t rows,           \
                                 uint64_t columns, int64_t leading))                              \
  F(cublasLtMatrixLayoutSetAttribute,                                                             \
    (cublasLtMatrixLayout_t layout, int attribute, const void *value, size_t size))               \
  F(cublasLtMatrixLayoutDestroy, (cublasLtMatrixLayout_t layout))                                 \
  F(cublasLtMatmulPreferenceCreate, (cublasLtMatmulPreference_t * out))                           \
  F(cublasLtMatmulPreferenceSetAttribute,                                                         \
    (cublasLtMatmulPreference_t preference, int attribute, const void *value, size_t size))       \
  F(cublasLtMatmulPreferenceDestroy, (cublasLtMatmulPreference_t preference))                     \
  F(cublasLtMatmulAlgoGetHeuristic,                                                               \
    (cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,                \
     cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,                \
     cublasLtMatmulPreference_t preference, int wanted, cublasLtMatmulHeuristicResult_t *results, \
     int *out_found))                                                                             \
  F(cublasLtMatmulAlgoCheck,                                                                      \
    (cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,                \
     cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,                \
     const cublasLtMatmulAlgo_t *algorithm, cublasLtMatmulHeuristicResult_t *result))             \
  F(cublasLtMatmul,                                                                               \
    (cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha, const void *a,        \
     cublasLtMatrixLayout_t a_layout, const void *b, cublasLtMatrixLayout_t b_layout,             \
     const void *beta, const void *c, cublasLtMatrixLayout_t c_layout, void *d,                   \
     cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t *algorithm, void *workspace,     \
     size_t workspace_size, CUstream stream))

#endif  // RAGGED_RT_CUBLASLT_ABI_H
