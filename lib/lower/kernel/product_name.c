// The name under which the product function of a shape is emitted once and found by host code.
#include "lower/kernel/product_shape.h"

const char *ragged_product_name(ragged_arena *arena, const ragged_product_shape *shape) {
  static const char *const activations[] = {
      [RAGGED_ACTIVATION_NONE] = "",
      [RAGGED_ACTIVATION_RELU] = "_relu",
      [RAGGED_ACTIVATION_GELU] = "_gelu",
      [RAGGED_ACTIVATION_SIGMOID] = "_sigmoid",
  };
  return ragged_arena_format(arena, "ragged_product_%s_%lldx%lld%s%s%s",
                             ragged_element_name(shape->element_type), (long long)shape->k,
                             (long long)shape->n, shape->bias ? "_bias" : "",
                             activations[shape->activation], shape->residual ? "_residual" : "");
}
