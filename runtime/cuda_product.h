// Dense products of the CUDA device by cuBLASLt (cuda_blas.c loads it, cuda_product.c uses it), which
// nothing needs: where it is not there, or cannot do a product, the kernel of that product runs.
#ifndef RAGGED_RT_CUDA_PRODUCT_H
#define RAGGED_RT_CUDA_PRODUCT_H

#include "cublaslt_abi.h"
#include "device.h"

typedef struct ragged_rt_cublaslt {
  void *library;  // of dlopen
#define F(symbol, parameters) cublasStatus_t(*symbol) parameters;
  RAGGED_CUBLASLT_FUNCTIONS(F)
#undef F
} ragged_rt_cublaslt;

typedef struct ragged_rt_cuda_plan ragged_rt_cuda_plan;      // cuda_product.c
typedef struct ragged_rt_cuda_device ragged_rt_cuda_device;  // cuda_device.h

// What a device knows of it. Loading takes seconds the first time, so it waits for a product.
typedef struct ragged_rt_cuda_products {
  ragged_rt_products choice;
  bool tf32;                 // f32 products may round their factors to it
  bool looked_for;
  char *path;                // metadata; null: where libraries are usually found
  ragged_rt_cublaslt blas;
  cublasLtHandle_t handle;   // null: none is loaded
  char name[64];             // "cuBLASLt 13.1.0"
  ragged_rt_cuda_plan *plans;
} ragged_rt_cuda_products;

// cuda_blas.c. UNAVAILABLE, with the reason, when there is none. `path` null: libcublasLt.so.13, .12
// or .11, the newest that is found.
RAGGED_MUST_USE ragged_status ragged_rt_cublaslt_load(const char *path, ragged_rt_cublaslt *out);
void ragged_rt_cublaslt_unload(ragged_rt_cublaslt *blas);
// Null for success; else "<call>: cuBLAS status <number>".
RAGGED_MUST_USE ragged_status ragged_rt_cublaslt_check(cublasStatus_t result, const char *call);

// cuda_blas.c (entered). Takes over the options; loads now where the library is required.
RAGGED_MUST_USE ragged_status ragged_rt_cuda_products_create(
    ragged_rt_cuda_device *cuda, const ragged_rt_device_options *options);
// Loads the library, makes its handle and its name. Once; later calls give null.
RAGGED_MUST_USE ragged_status ragged_rt_cuda_products_open(ragged_rt_cuda_device *cuda);
void ragged_rt_cuda_products_destroy(ragged_rt_cuda_device *cuda);

// cuda_product.c: the table's; the end of what was planned (entered).
RAGGED_MUST_USE ragged_status ragged_rt_cuda_launch_product(ragged_rt_device *self,
                                                            const ragged_rt_product_launch *launch,
                                                            bool *out_done);
void ragged_rt_cuda_plans_destroy(ragged_rt_cuda_device *cuda);

#endif  // RAGGED_RT_CUDA_PRODUCT_H
