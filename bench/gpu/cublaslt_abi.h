// The part of cuBLASLt's C ABI that the bench uses, as NVIDIA's documentation states it
// (https://docs.nvidia.com/cuda/cublas), so that nothing of CUDA is needed to build.
#ifndef RAGGED_BENCH_CUBLASLT_ABI_H
#define RAGGED_BENCH_CUBLASLT_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "cuda_abi.h"

enum {
  kBlasComputeF32 = 68,      // CUBLAS_COMPUTE_32F
  kBlasComputeTf32 = 77,     // CUBLAS_COMPUTE_32F_FAST_TF32
  kBlasTypeF32 = 0,          // CUDA_R_32F
  kBlasTypeBf16 = 14,        // CUDA_R_16BF
  kBlasTransposed = 1,       // CUBLAS_OP_T
  kBlasDescTransA = 3,       // CUBLASLT_MATMUL_DESC_TRANSA
  kBlasMaxWorkspace = 1,     // CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES
};

typedef struct blas_heuristic {
  uint64_t algorithm[8];
  size_t workspace;
  int state;
  float waves;
  int reserved[4];
} blas_heuristic;

// F(symbol, parameters); all return a status, 0 for success.
#define RAGGED_BENCH_BLAS_FUNCTIONS(F)                                                           \
  F(cublasLtCreate, (void **out))                                                                \
  F(cublasLtDestroy, (void *handle))                                                             \
  F(cublasLtMatmulDescCreate, (void **out, int compute, int scale_type))                         \
  F(cublasLtMatmulDescSetAttribute, (void *desc, int attribute, const void *value, size_t size)) \
  F(cublasLtMatmulDescDestroy, (void *desc))                                                     \
  F(cublasLtMatrixLayoutCreate, (void **out, int type, uint64_t rows, uint64_t columns,          \
                                 int64_t leading))                                               \
  F(cublasLtMatrixLayoutDestroy, (void *layout))                                                 \
  F(cublasLtMatmulPreferenceCreate, (void **out))                                                \
  F(cublasLtMatmulPreferenceSetAttribute,                                                        \
    (void *preference, int attribute, const void *value, size_t size))                           \
  F(cublasLtMatmulPreferenceDestroy, (void *preference))                                         \
  F(cublasLtMatmulAlgoGetHeuristic,                                                              \
    (void *handle, void *desc, void *a, void *b, void *c, void *d, void *preference, int wanted, \
     blas_heuristic *results, int *out_found))                                                   \
  F(cublasLtMatmul,                                                                              \
    (void *handle, void *desc, const void *alpha, const void *a, void *a_layout, const void *b,  \
     void *b_layout, const void *beta, const void *c, void *c_layout, void *d, void *d_layout,   \
     const void *algorithm, void *workspace, size_t workspace_size, CUstream stream))

#endif  // RAGGED_BENCH_CUBLASLT_ABI_H
