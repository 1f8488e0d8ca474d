// Kernels as compiled code carries them: plain data that LLVM IR can spell, read by the devices
// that run kernels of their own (ragged_rt_frame_launch_grid). All of it outlives the calls that
// use it and never changes.
#ifndef RAGGED_RT_KERNELS_H
#define RAGGED_RT_KERNELS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ragged_rt_image_kind {
  RAGGED_RT_IMAGE_PTX = 1,       // text; a final zero byte is not needed
  RAGGED_RT_IMAGE_CUBIN = 2,
  RAGGED_RT_IMAGE_FATBIN = 3,
  RAGGED_RT_IMAGE_EMULATED = 4,  // an array of ragged_rt_emulated_kernel
} ragged_rt_image_kind;

// The function's type is the emulated device's business.
typedef struct ragged_rt_emulated_kernel {
  const char *name;
  void (*function)(void);
} ragged_rt_emulated_kernel;

typedef struct ragged_rt_kernel_image {
  int64_t kind;      // ragged_rt_image_kind
  const char *chip;  // "sm_80": what it was made for; null for EMULATED; a FATBIN may have none
  const void *data;
  int64_t size;      // bytes; EMULATED: kernels
} ragged_rt_kernel_image;

typedef struct ragged_rt_kernel_module {
  int64_t struct_size;  // sizeof(ragged_rt_kernel_module); what a runtime does not know is 0
  int64_t num_images;
  const ragged_rt_kernel_image *images;
} ragged_rt_kernel_module;

// What a kernel computes that is one dense product and nothing else: for each row of each item
//   result[n] = act(sum over k of rows[k] weight[n][k] + bias[n]) + residual[n]
// All buffers are contiguous, of one element type; rows, residual and result begin with the first
// item's. A launch may run something else that computes this (ragged_rt_frame_launch_product).
typedef struct ragged_rt_plain_product {
  int64_t struct_size;    // sizeof(ragged_rt_plain_product); what a runtime does not know is 0
  int64_t element_type;   // ragged_element_type
  int64_t k, n;
  int64_t transposed;     // 1: the weight is [k][n], not [n][k]
  int64_t rows_per_item;
  int64_t activation;     // as ragged_rt_frame_product
  int64_t rows, weight, bias, residual, result;  // which of the launch's words it is; -1: none
} ragged_rt_plain_product;

// The most words that a launch may give a kernel, besides the items and the scratch pointer.
#define RAGGED_RT_MAX_KERNEL_WORDS 510

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_RT_KERNELS_H
