// Finding and loading cuBLASLt, and what a device keeps of it from then on.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // RTLD_NODELETE
#endif
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "cuda_device.h"

static const char *const kLibraries[] = {"libcublasLt.so.13", "libcublasLt.so.12",
                                         "libcublasLt.so.11"};
enum { kNumLibraries = sizeof kLibraries / sizeof kLibraries[0] };

// As with the driver: what it registers with the process does not survive its code.
static void *open_library(const char *path) {
  enum { kFlags = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE };
  if (path) return dlopen(path, kFlags);
  void *library = NULL;
  for (int k = 0; k < kNumLibraries && !library; ++k) library = dlopen(kLibraries[k], kFlags);
  return library;
}

ragged_status ragged_rt_cublaslt_load(const char *path, ragged_rt_cublaslt *out) {
  out->library = open_library(path);
  if (!out->library) {
    const char *why = dlerror();
    return ragged_status_make(RAGGED_STATUS_UNAVAILABLE, "cuBLASLt cannot be loaded: %s",
                              why ? why : path);
  }
  const char *missing = NULL;
#define F(symbol, parameters)                    \
  {                                              \
    void *found = dlsym(out->library, #symbol);  \
    if (!found && !missing) missing = #symbol;   \
    memcpy(&out->symbol, &found, sizeof found);  \
  }
  RAGGED_CUBLASLT_FUNCTIONS(F)
#undef F
  if (!missing) return NULL;
  ragged_rt_cublaslt_unload(out);
  return ragged_status_make(RAGGED_STATUS_UNAVAILABLE,
                            "cuBLASLt cannot be loaded: '%s' lacks %s, which cuBLAS 11 and later have",
                            path ? path : "libcublasLt", missing);
}

void ragged_rt_cublaslt_unload(ragged_rt_cublaslt *blas) {
  if (blas->library) dlclose(blas->library);
  blas->library = NULL;
}

ragged_status ragged_rt_cublaslt_check(cublasStatus_t result, const char *call) {
  if (result == CUBLAS_STATUS_SUCCESS) return NULL;
  ragged_status_code code = result == CUBLAS_STATUS_ALLOC_FAILED ? RAGGED_STATUS_RESOURCE_EXHAUSTED
                            : result == CUBLAS_STATUS_NOT_INITIALIZED ? RAGGED_STATUS_UNAVAILABLE
                                                                      : RAGGED_STATUS_INTERNAL;
  return ragged_status_make(code, "%s: cuBLAS status %d", call, result);
}

// ---- Of a device -------------------------------------------------------------------------------

static ragged_status begin(ragged_rt_cuda_products *products) {
  ragged_rt_cublaslt *blas = &products->blas;
  int version[3] = {0};
  RAGGED_RETURN_IF_ERROR(ragged_rt_cublaslt_load(products->path, blas));
  for (int part = MAJOR_VERSION; part <= PATCH_LEVEL; ++part)
    RAGGED_RETURN_IF_ERROR(ragged_rt_cublaslt_check(blas->cublasLtGetProperty(part, &version[part]),
                                                    "cublasLtGetProperty"));
  RAGGED_RETURN_IF_ERROR(
      ragged_rt_cublaslt_check(blas->cublasLtCreate(&products->handle), "cublasLtCreate"));
  snprintf(products->name, sizeof products->name, "cuBLASLt %d.%d.%d", version[0], version[1],
           version[2]);
  return NULL;
}

ragged_status ragged_rt_cuda_products_open(ragged_rt_cuda_device *cuda) {
  ragged_rt_cuda_products *products = &cuda->products;
  if (products->looked_for) return NULL;
  products->looked_for = true;
  ragged_status status = begin(products);
  if (status) ragged_rt_cublaslt_unload(&products->blas);
  return status;
}

ragged_status ragged_rt_cuda_products_create(ragged_rt_cuda_device *cuda,
                                             const ragged_rt_device_options *options) {
  ragged_rt_cuda_products *products = &cuda->products;
  products->choice = options->products;
  products->tf32 = options->tf32;
  if (options->cublaslt) {  // the library is loaded when the option may be gone
    size_t size = strlen(options->cublaslt) + 1;
    products->path = ragged_rt_metadata_allocate(cuda->memory, size, 0, 1);
    if (!products->path) return ragged_rt_no_metadata("a library's name");
    memcpy(products->path, options->cublaslt, size);
  }
  return products->choice == RAGGED_RT_PRODUCTS_LIBRARY ? ragged_rt_cuda_products_open(cuda) : NULL;
}

void ragged_rt_cuda_products_destroy(ragged_rt_cuda_device *cuda) {
  ragged_rt_cuda_products *products = &cuda->products;
  ragged_rt_cuda_plans_destroy(cuda);
  if (products->handle)
    ragged_rt_cuda_keep(cuda, ragged_rt_cublaslt_check(
                                  products->blas.cublasLtDestroy(products->handle),
                                  "cublasLtDestroy"));
  ragged_rt_cublaslt_unload(&products->blas);
  ragged_rt_metadata_free(cuda->memory, products->path);
}
