// Which image of a kernel module a chip runs: a cubin for exactly this chip, else a fat binary made for
// it, else the fat binary or PTX for the newest chip that is not newer than this one. The driver
// chooses from a fat binary and translates PTX.
#include <stdlib.h>
#include <string.h>

#include "cuda_device.h"
#include "support/string_buffer.h"

// "sm_90a" is 90 with suffix 'a': this chip only; 'f': chips of the same generation.
typedef struct chip_name {
  int number;  // 0: not understood
  char suffix;
} chip_name;

static chip_name read_chip(const char *text) {
  chip_name chip = {0, 0};
  if (!text || strncmp(text, "sm_", 3) != 0) return chip;
  char *end = NULL;
  long number = strtol(text + 3, &end, 10);
  if (number < 10 || number > 9999) return chip;
  chip.suffix = *end;
  if (*end && (end[1] || (*end != 'a' && *end != 'f'))) return chip;
  chip.number = (int)number;
  return chip;
}

static bool runs_ptx(int device, chip_name chip) {
  if (chip.number == 0 || chip.number > device) return false;
  if (chip.suffix == 'a') return chip.number == device;
  return chip.suffix != 'f' || chip.number / 10 == device / 10;
}

// 0: not at all.
static int rank_image(int device, const ragged_rt_kernel_image *image) {
  enum { kFatbin = 10000, kCubin = 2 * kFatbin };
  chip_name chip = read_chip(image->chip);
  switch (image->kind) {
    case RAGGED_RT_IMAGE_CUBIN:
      return chip.number == device ? kCubin : 0;
    case RAGGED_RT_IMAGE_FATBIN:  // holds PTX for its chip too
      if (!image->chip) return kFatbin;
      if (chip.number == device) return kFatbin + chip.number;
      return runs_ptx(device, chip) ? chip.number : 0;
    case RAGGED_RT_IMAGE_PTX:
      return runs_ptx(device, chip) ? chip.number : 0;
    default:
      return 0;
  }
}

static const char *const kKindNames[] = {[RAGGED_RT_IMAGE_PTX] = "PTX",
                                         [RAGGED_RT_IMAGE_CUBIN] = "cubin",
                                         [RAGGED_RT_IMAGE_FATBIN] = "fat binary",
                                         [RAGGED_RT_IMAGE_EMULATED] = "emulated"};

static ragged_status no_image(const ragged_rt_cuda_device *cuda,
                              const ragged_rt_kernel_module *module) {
  ragged_string_buffer list = {0};
  for (int64_t k = 0; k < module->num_images; ++k) {
    const ragged_rt_kernel_image *image = &module->images[k];
    bool known = image->kind >= RAGGED_RT_IMAGE_PTX && image->kind <= RAGGED_RT_IMAGE_EMULATED;
    ragged_string_appendf(&list, "%s%s%s(%s)", k ? ", " : "", image->chip ? image->chip : "",
                          image->chip ? " " : "", known ? kKindNames[image->kind] : "unknown kind");
  }
  ragged_status status = ragged_status_make(
      RAGGED_STATUS_UNAVAILABLE,
      "the program has kernels for %s, none of which runs on the device '%s', sm_%d",
      list.data ? list.data : "nothing", cuda->name, cuda->chip);
  ragged_string_free(&list);
  return status;
}

ragged_status ragged_rt_cuda_choose_image(const ragged_rt_cuda_device *cuda,
                                          const ragged_rt_kernel_module *module,
                                          const ragged_rt_kernel_image **out) {
  const ragged_rt_kernel_image *best = NULL;
  int best_rank = 0;
  for (int64_t k = 0; k < module->num_images; ++k) {
    int rank = rank_image(cuda->chip, &module->images[k]);
    if (rank <= best_rank) continue;
    best = &module->images[k];
    best_rank = rank;
  }
  if (!best) return no_image(cuda, module);
  if (!best->data || best->size < 1)
    return ragged_status_make(RAGGED_STATUS_INTERNAL, "an image of a kernel module is empty");
  *out = best;
  return NULL;
}
