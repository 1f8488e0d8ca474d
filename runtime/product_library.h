// The dense-product library, found at run time (product_onednn.c). Everything it keeps (the loaded
// library, engine, streams, primitives) belongs to a context.
#ifndef RAGGED_RT_PRODUCT_LIBRARY_H
#define RAGGED_RT_PRODUCT_LIBRARY_H

#include "product.h"

// UNAVAILABLE, with the reason, when it cannot be loaded. Writes its name and version to `name`.
RAGGED_MUST_USE ragged_status ragged_rt_library_open(ragged_rt_memory *memory, int num_threads,
                                                     char *name, size_t name_size,
                                                     ragged_rt_library **out_library);
void ragged_rt_library_close(ragged_rt_library *library, ragged_rt_memory *memory);  // null is fine

// Sets the product's primitive (cached), weight, bias and scratch. `weight` and `bias`: f32,
// [n][k] and [n]; `weight` outlives the product or is copied (weight_block).
RAGGED_MUST_USE ragged_status ragged_rt_library_prepare(ragged_rt_library *library,
                                                        ragged_rt_product *product,
                                                        const float *weight, const float *bias);
// Any worker thread. False when the library reports an error.
bool ragged_rt_library_run(ragged_rt_product *product, const float *a, float *c, int64_t rows);

#endif  // RAGGED_RT_PRODUCT_LIBRARY_H
