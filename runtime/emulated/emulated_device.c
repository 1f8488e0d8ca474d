// The emulated GPU as a device of the runtime. Everything happens at once, in order. Freed memory is
// not kept for reuse, so that what reads it is found.
#include <string.h>

#include "allocator.h"
#include "device.h"
#include "emulated/emulator.h"
#include "observe.h"

typedef struct emulated_device {
  ragged_rt_device device;
  ragged_rt_memory *memory;
  ragged_rt_observer *observer;
  ragged_emulator *emulator;
} emulated_device;

static emulated_device *of(ragged_rt_device *self) { return (emulated_device *)self; }

static void emulated_destroy(ragged_rt_device *self) {
  ragged_emulator_destroy(of(self)->emulator);
  ragged_rt_metadata_free(of(self)->memory, self);
}

static ragged_status emulated_allocate(ragged_rt_device *self, size_t bytes, void **out) {
  return ragged_emulator_allocate(of(self)->emulator, bytes, out);
}

static void emulated_free(ragged_rt_device *self, void *pointer, size_t bytes) {
  (void)bytes;
  ragged_status_free(ragged_emulator_free(of(self)->emulator, pointer));
}

static ragged_status emulated_upload(ragged_rt_device *self, void *to, const void *from_host,
                                     size_t bytes) {
  return bytes ? ragged_emulator_upload(of(self)->emulator, to, from_host, bytes) : NULL;
}

static ragged_status emulated_download(ragged_rt_device *self, void *to_host, const void *from,
                                       size_t bytes) {
  return bytes ? ragged_emulator_download(of(self)->emulator, to_host, from, bytes) : NULL;
}

static ragged_status emulated_copy(ragged_rt_device *self, void *to, const void *from, size_t bytes) {
  return bytes ? ragged_emulator_copy(of(self)->emulator, to, from, bytes) : NULL;
}

static ragged_status emulated_fill(ragged_rt_device *self, void *to, int byte, size_t bytes) {
  return bytes ? ragged_emulator_fill(of(self)->emulator, to, byte, bytes) : NULL;
}

// Few, so that blocks take several turns and use their scratch again.
static ragged_status emulated_resident_blocks(ragged_rt_device *self, const ragged_rt_grid *grid,
                                              int64_t *out) {
  (void)self, (void)grid;
  *out = 3;
  return NULL;
}

static ragged_status find_kernel(const ragged_rt_grid *grid, ragged_emulated_kernel *out) {
  for (int64_t k = 0; k < grid->module->num_images; ++k) {
    const ragged_rt_kernel_image *image = &grid->module->images[k];
    if (image->kind != RAGGED_RT_IMAGE_EMULATED) continue;
    const ragged_rt_emulated_kernel *kernels = image->data;
    for (int64_t j = 0; j < image->size; ++j)
      if (!strcmp(kernels[j].name, grid->kernel)) {
        *out = (ragged_emulated_kernel)kernels[j].function;
        return NULL;
      }
    return ragged_status_make(RAGGED_STATUS_INTERNAL, "the program has no kernel '%s'", grid->kernel);
  }
  return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                            "the program was not compiled for the emulated device");
}

static ragged_status emulated_launch_grid(ragged_rt_device *self, const ragged_rt_grid *grid) {
  ragged_emulator_launch launch = {.name = grid->kernel,
                                   .grid = grid->blocks,
                                   .block = (int32_t)grid->threads,
                                   .dynamic_shared_bytes = grid->shared_bytes,
                                   .words = grid->parameters,
                                   .num_words = grid->num_parameters};
  RAGGED_RETURN_IF_ERROR(find_kernel(grid, &launch.function));
  int64_t begin = ragged_rt_now();
  RAGGED_RETURN_IF_ERROR(ragged_emulator_run(of(self)->emulator, &launch));
  if (ragged_rt_observes(of(self)->observer))
    ragged_rt_observe_launch(of(self)->observer, of(self)->memory, grid->kernel, grid->items,
                             grid->bytes, grid->flops, begin, ragged_rt_now());
  return NULL;
}

_Static_assert((int)RAGGED_RT_ACCESS_WIDTHS == (int)RAGGED_EMULATOR_WIDTHS, "the same widths");

static int emulated_counts(const ragged_rt_device *self, int capacity,
                           ragged_rt_device_counts *out) {
  const ragged_emulator *emulator = ((const emulated_device *)self)->emulator;
  int count = (int)ragged_emulator_num_kernels(emulator);
  for (int k = 0; k < count && k < capacity; ++k) {
    const ragged_emulator_counts *from = ragged_emulator_kernel(emulator, (size_t)k);
    out[k] = (ragged_rt_device_counts){.name = from->name,
                                       .launches = from->launches,
                                       .blocks = from->blocks,
                                       .threads = from->threads,
                                       .bytes_loaded = from->bytes_loaded,
                                       .bytes_stored = from->bytes_stored,
                                       .sectors_loaded = from->sectors_loaded,
                                       .sectors_stored = from->sectors_stored,
                                       .barriers = from->barriers,
                                       .warp_operations = from->warp_operations};
    memcpy(out[k].loads, from->loads, sizeof out[k].loads);
    memcpy(out[k].stores, from->stores, sizeof out[k].stores);
  }
  return count;
}

static ragged_status emulated_synchronise(ragged_rt_device *self) {
  (void)self;
  return NULL;
}

static const ragged_rt_device_table kTable = {.name = "emulated",
                                              .destroy = emulated_destroy,
                                              .allocate = emulated_allocate,
                                              .free = emulated_free,
                                              .upload = emulated_upload,
                                              .download = emulated_download,
                                              .copy = emulated_copy,
                                              .fill = emulated_fill,
                                              .resident_blocks = emulated_resident_blocks,
                                              .launch_grid = emulated_launch_grid,
                                              .counts = emulated_counts,
                                              .synchronise = emulated_synchronise};

ragged_status ragged_rt_device_create_emulated(const ragged_rt_device_options *options,
                                               ragged_rt_device **out_device) {
  emulated_device *device =
      ragged_rt_metadata_allocate(options->memory, sizeof *device, 0, 1);
  if (!device) return ragged_rt_no_metadata("a device");
  *device = (emulated_device){.device = {&kTable}, .memory = options->memory,
                              .observer = options->observer};
  ragged_status status = ragged_emulator_create(&device->emulator);
  if (status) ragged_rt_metadata_free(options->memory, device);
  else *out_device = &device->device;
  return status;
}
