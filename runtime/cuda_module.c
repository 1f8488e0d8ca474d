// Loaded modules and their functions. A module is known by the content of its image: an address
// says nothing, because compiled code ends and other code takes its place. The content is looked at
// once per call of the context; within a call the address is enough.
#include <string.h>

#include "cuda_device.h"
#include "intern_table.h"

enum { kMaxModules = 64, kLogBytes = 2048 };

struct ragged_rt_cuda_module {
  ragged_rt_cuda_module *next;
  uint64_t hash;
  int64_t kind, size;                        // of the image
  const ragged_rt_kernel_module *seen;       // where it was found last ...
  int64_t seen_in_call;                      // ... and when
  bool captured;                             // a graph may have its kernels: it stays
  CUmodule handle;
  ragged_rt_cuda_function *functions;
};

static uint64_t hash_image(const ragged_rt_kernel_image *image) {
  return ragged_rt_hash_bytes((uint64_t)image->kind, image->data, (size_t)image->size);
}

// ---- Loading -----------------------------------------------------------------------------------

// The driver reads PTX up to a zero byte.
static ragged_status terminated(ragged_rt_cuda_device *cuda, const ragged_rt_kernel_image *image,
                                char **out_copy) {
  const char *text = image->data;
  if (image->kind != RAGGED_RT_IMAGE_PTX || text[image->size - 1] == 0) return NULL;
  *out_copy = ragged_rt_metadata_allocate(cuda->memory, 1, image->size, 1);
  if (!*out_copy) return ragged_rt_no_metadata("a copy of PTX");
  memcpy(*out_copy, text, (size_t)image->size);
  return NULL;
}

static ragged_status load(ragged_rt_cuda_device *cuda, const ragged_rt_kernel_image *image,
                          CUmodule *out) {
  char *copy = NULL;
  char log[kLogBytes] = "";
  int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)sizeof log};
  RAGGED_RETURN_IF_ERROR(terminated(cuda, image, &copy));
  ragged_status status = RAGGED_CUDA_CALL(cuda, cuModuleLoadDataEx, out,
                                          copy ? copy : image->data, 2, options, values);
  ragged_rt_metadata_free(cuda->memory, copy);
  if (!status || !log[0]) return status;
  log[sizeof log - 1] = 0;
  ragged_status explained = ragged_status_make(ragged_status_get_code(status), "%s\n%s",
                                               ragged_status_message(status), log);
  ragged_status_free(status);
  return explained;
}

static void unload(ragged_rt_cuda_device *cuda, ragged_rt_cuda_module *module) {
  while (module->functions) {
    ragged_rt_cuda_function *next = module->functions->next;
    ragged_rt_metadata_free(cuda->memory, module->functions);
    module->functions = next;
  }
  if (module->handle)
    ragged_rt_cuda_keep(cuda, RAGGED_CUDA_CALL(cuda, cuModuleUnload, module->handle));
  ragged_rt_metadata_free(cuda->memory, module);
  cuda->num_modules -= 1;
}

static void push(ragged_rt_cuda_device *cuda, ragged_rt_cuda_module *module) {
  module->next = cuda->modules;
  cuda->modules = module;
}

// Kernels of the module that was not used for longest may still run.
static ragged_status unload_last(ragged_rt_cuda_device *cuda) {
  ragged_rt_cuda_module **last = NULL;
  for (ragged_rt_cuda_module **link = &cuda->modules; *link; link = &(*link)->next)
    if (!(*link)->captured) last = link;
  if (!last) return NULL;
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuStreamSynchronize, cuda->stream));
  ragged_rt_cuda_module *module = *last;
  *last = module->next;
  unload(cuda, module);
  return NULL;
}

static ragged_status load_new(ragged_rt_cuda_device *cuda, const ragged_rt_kernel_image *image,
                              uint64_t hash) {
  RAGGED_RETURN_IF_ERROR(
      ragged_rt_cuda_refuse_captured(&cuda->device, "load the module of kernels"));
  if (cuda->num_modules >= kMaxModules) RAGGED_RETURN_IF_ERROR(unload_last(cuda));
  ragged_rt_cuda_module *module =
      ragged_rt_metadata_allocate(cuda->memory, sizeof *module, 0, 1);
  if (!module) return ragged_rt_no_metadata("a kernel module");
  cuda->num_modules += 1;
  module->hash = hash;
  module->kind = image->kind;
  module->size = image->size;
  ragged_status status = load(cuda, image, &module->handle);
  if (status) {
    module->handle = NULL;
    unload(cuda, module);
    return status;
  }
  push(cuda, module);
  return NULL;
}

// ---- Finding -----------------------------------------------------------------------------------

static bool is_image(const ragged_rt_cuda_module *module, const ragged_rt_kernel_image *image,
                     uint64_t hash) {
  return module->hash == hash && module->kind == image->kind && module->size == image->size;
}

static void move_to_front(ragged_rt_cuda_device *cuda, ragged_rt_cuda_module **link) {
  ragged_rt_cuda_module *module = *link;
  *link = module->next;
  push(cuda, module);
}

// The module of `grid` becomes the first of the list.
static ragged_status find_module(ragged_rt_cuda_device *cuda, const ragged_rt_grid *grid) {
  for (ragged_rt_cuda_module **link = &cuda->modules; *link; link = &(*link)->next) {
    if ((*link)->seen != grid->module || (*link)->seen_in_call != grid->call) continue;
    move_to_front(cuda, link);
    return NULL;
  }
  const ragged_rt_kernel_image *image = NULL;
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_choose_image(cuda, grid->module, &image));
  uint64_t hash = hash_image(image);
  ragged_rt_cuda_module **link = &cuda->modules;
  while (*link && !is_image(*link, image, hash)) link = &(*link)->next;
  if (*link) move_to_front(cuda, link);
  else RAGGED_RETURN_IF_ERROR(load_new(cuda, image, hash));
  cuda->modules->seen = grid->module;
  cuda->modules->seen_in_call = grid->call;
  return NULL;
}

static ragged_status add_function(ragged_rt_cuda_device *cuda, ragged_rt_cuda_module *module,
                                  const char *name) {
  CUfunction handle = NULL;
  int static_shared = 0;
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_refuse_captured(&cuda->device, "load the kernel"));
  RAGGED_RETURN_IF_ERROR(
      RAGGED_CUDA_CALL(cuda, cuModuleGetFunction, &handle, module->handle, name));
  RAGGED_RETURN_IF_ERROR(RAGGED_CUDA_CALL(cuda, cuFuncGetAttribute, &static_shared,
                                          CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, handle));
  size_t size = strlen(name) + 1;
  ragged_rt_cuda_function *function =
      ragged_rt_metadata_allocate(cuda->memory, sizeof *function + size, 0, 1);
  if (!function) return ragged_rt_no_metadata("a kernel");
  memcpy(function->name, name, size);
  function->handle = handle;
  function->static_shared = static_shared;
  function->next = module->functions;
  module->functions = function;
  return NULL;
}

ragged_status ragged_rt_cuda_find_function(ragged_rt_cuda_device *cuda,
                                           const ragged_rt_grid *grid,
                                           ragged_rt_cuda_function **out) {
  RAGGED_RETURN_IF_ERROR(find_module(cuda, grid));
  ragged_rt_cuda_module *module = cuda->modules;
  ragged_rt_cuda_function *function = module->functions;
  while (function && strcmp(function->name, grid->kernel) != 0) function = function->next;
  if (!function) {
    RAGGED_RETURN_IF_ERROR(add_function(cuda, module, grid->kernel));
    function = module->functions;
  }
  *out = function;
  bool capturing = false;
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_capturing(&cuda->device, &capturing));
  module->captured = module->captured || capturing;
  return NULL;
}

void ragged_rt_cuda_modules_destroy(ragged_rt_cuda_device *cuda) {
  while (cuda->modules) {
    ragged_rt_cuda_module *next = cuda->modules->next;
    unload(cuda, cuda->modules);
    cuda->modules = next;
  }
}
