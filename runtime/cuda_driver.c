// Loading the CUDA driver, and its errors as statuses.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // RTLD_NODELETE
#endif
#include <dlfcn.h>
#include <string.h>

#include "cuda_device.h"

ragged_status ragged_rt_cuda_load(const char *library, ragged_rt_cuda_driver *driver) {
  // The driver has threads and handlers of its own, which must not lose their code.
  driver->handle = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!driver->handle) {
    const char *why = dlerror();
    return ragged_status_make(RAGGED_STATUS_UNAVAILABLE, "no CUDA driver found: %s",
                              why ? why : library);
  }
  const char *missing = NULL;
#define F(symbol, parameters)                                      \
  {                                                                \
    void *found = dlsym(driver->handle, #symbol);                  \
    if (!found && !missing) missing = #symbol;                     \
    memcpy(&driver->symbol, &found, sizeof found);                 \
  }
  RAGGED_CUDA_FUNCTIONS(F)
#undef F
  if (!missing) return NULL;
  ragged_rt_cuda_unload(driver);
  return ragged_status_make(RAGGED_STATUS_UNAVAILABLE,
                            "no CUDA driver found: '%s' lacks %s, which drivers of CUDA 11 and later "
                            "have",
                            library, missing);
}

void ragged_rt_cuda_unload(ragged_rt_cuda_driver *driver) {
  if (driver->handle) dlclose(driver->handle);
  driver->handle = NULL;
}

static ragged_status_code code_of(CUresult result) {
  switch (result) {
    case CUDA_ERROR_OUT_OF_MEMORY:
      return RAGGED_STATUS_RESOURCE_EXHAUSTED;
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_NOT_INITIALIZED:
      return RAGGED_STATUS_UNAVAILABLE;
    case CUDA_ERROR_NOT_FOUND:
      return RAGGED_STATUS_NOT_FOUND;
    default:
      return RAGGED_STATUS_INTERNAL;
  }
}

ragged_status ragged_rt_cuda_check(const ragged_rt_cuda_driver *driver, CUresult result,
                                   const char *call) {
  if (result == CUDA_SUCCESS) return NULL;
  const char *name = NULL, *text = NULL;
  if (driver->cuGetErrorName(result, &name) != CUDA_SUCCESS || !name) name = "unknown error";
  if (driver->cuGetErrorString(result, &text) != CUDA_SUCCESS || !text) text = "no description";
  return ragged_status_make(code_of(result), "%s: %s (%d): %s", call, name, result, text);
}
