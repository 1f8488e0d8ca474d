// Dense f32 products of a fixed shape by oneDNN 2.x, called directly: what a user of the library
// would write. The measure of the project's own products, so it shares no code with the runtime.
#ifndef RAGGED_BENCH_LIBRARY_PRODUCT_H
#define RAGGED_BENCH_LIBRARY_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

#include "support/status.h"

typedef struct ragged_bench_library ragged_bench_library;
typedef struct ragged_bench_product ragged_bench_product;

// UNAVAILABLE: no oneDNN 2.x on this machine. Ends with close (null is allowed), after its products.
RAGGED_MUST_USE ragged_status ragged_bench_library_open(ragged_bench_library **out);
void ragged_bench_library_close(ragged_bench_library *library);

// target[rows, n] = (add ? target : 0) + act(source[rows, k] weight[n, k]^T (+ bias)); at most one of
// gelu (erf) and add.
typedef struct ragged_bench_product_shape {
  int64_t rows, k, n;
  bool gelu, add;
} ragged_bench_product_shape;

// Brings the weight into the library's format. Null bias: none. As many slots as OpenMP offers
// threads; `bias` outlives the product. Ends with destroy (null is allowed).
RAGGED_MUST_USE ragged_status ragged_bench_product_create(ragged_bench_library *library,
                                                          const ragged_bench_product_shape *shape,
                                                          const float *weight, const float *bias,
                                                          ragged_bench_product **out);
void ragged_bench_product_destroy(ragged_bench_product *product);

// Runs on the calling thread alone, which must be the only one that uses `slot` (its OpenMP thread
// number). False when the library failed.
RAGGED_MUST_USE bool ragged_bench_product_run(ragged_bench_product *product, int slot,
                                              const float *source, float *target);

#endif  // RAGGED_BENCH_LIBRARY_PRODUCT_H
