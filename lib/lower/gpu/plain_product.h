// Kernels that are one dense product and nothing else, so that a library of the device may take their
// place at run time.
#ifndef RAGGED_LOWER_GPU_PLAIN_PRODUCT_H
#define RAGGED_LOWER_GPU_PLAIN_PRODUCT_H

#include "lower/gpu/gpu_layout.h"

// Whether a ragged_tile.kernel with this layout loads its row, multiplies it with a weight and stores
// what comes out, with what the dot itself adds: no other op, no rows but its own, one element type in
// memory. *out: a dense constant laid out as ragged_rt_plain_product of runtime/kernels.h.
bool plain_product_read(MlirOperation kernel, const gpu_layout *layout, MlirAttribute *out);

#endif  // RAGGED_LOWER_GPU_PLAIN_PRODUCT_H
