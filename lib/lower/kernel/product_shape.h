// What a dense product inside a kernel computes. Read by the layouts of kernels and by both back ends.
#ifndef RAGGED_LOWER_KERNEL_PRODUCT_SHAPE_H
#define RAGGED_LOWER_KERNEL_PRODUCT_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "schema/element_type.h"
#include "support/arena.h"

typedef enum ragged_activation {  // numbered as in runtime/frame.h
  RAGGED_ACTIVATION_NONE,
  RAGGED_ACTIVATION_RELU,
  RAGGED_ACTIVATION_GELU,
  RAGGED_ACTIVATION_SIGMOID,
} ragged_activation;

typedef struct ragged_product_shape {
  ragged_element_type element_type;  // f32, f64 or i64: what is computed with
  int64_t k, n;                      // C[r, n] = act(sum_k A[r, k] W[n, k] + bias[n]) (+ C[r, n])
  bool transposed;                   // the weight is stored as [k, n]
  bool bias, residual;
  ragged_activation activation;
} ragged_product_shape;

// Name of the generated function for a shape, e.g. "ragged_product_f32_128x512_bias_gelu"; in the
// arena. How the weight is stored is not in it: a function may read a packed one.
const char *ragged_product_name(ragged_arena *arena, const ragged_product_shape *shape);

#endif  // RAGGED_LOWER_KERNEL_PRODUCT_SHAPE_H
