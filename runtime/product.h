// Dense products of row blocks with one shared weight: choosing what runs them, packing the weight,
// running. A product lives within one call; primitives of the library outlive it in the context.
#ifndef RAGGED_RT_PRODUCT_H
#define RAGGED_RT_PRODUCT_H

#include <stdatomic.h>

#include "context.h"

enum {  // as in frame.h
  RAGGED_RT_ACTIVATION_NONE,
  RAGGED_RT_ACTIVATION_RELU,
  RAGGED_RT_ACTIVATION_GELU,
  RAGGED_RT_ACTIVATION_SIGMOID,
  RAGGED_RT_ACTIVATION_COUNT
};

typedef struct ragged_rt_product_shape {
  ragged_element_type element_type;
  int64_t k, n, block_rows;  // block_rows: 0 where there are no blocks
  bool transposed;  // the weight is stored as [k][n], not as [n][k]
  int activation;
  bool has_bias, residual;
} ragged_rt_product_shape;

typedef struct ragged_rt_primitive ragged_rt_primitive;  // product_onednn.c

struct ragged_rt_product {
  ragged_rt_context *context;
  ragged_rt_product_shape shape;
  ragged_rt_product_function generated;
  ragged_rt_primitive *primitive;  // null: `generated` runs
  const void *weight, *bias;       // as the runner wants them; bias may be null
  // What the product keeps: memory of the context, and the tensors it reads in place.
  void *weight_block, *bias_block, *scratch;
  int64_t weight_bytes, bias_bytes, scratch_bytes;
  int64_t scratch_stride;  // per worker slot of the primitive
  ragged_rt_tensor *weight_tensor, *bias_tensor;
  char name[96];  // for statistics and the trace
  atomic_bool failed;
  atomic_llong calls, rows, nanoseconds;  // counted only while the context observes
};

RAGGED_MUST_USE ragged_status ragged_rt_product_create(ragged_rt_context *context,
                                                       const ragged_rt_product_shape *shape,
                                                       ragged_rt_tensor *weight,
                                                       ragged_rt_tensor *bias, int64_t panel,
                                                       ragged_rt_product_function generated,
                                                       ragged_rt_product **out_product);
// Adds its counts to the statistics. Null is allowed.
void ragged_rt_product_destroy(ragged_rt_product *product);
// INTERNAL when a run has failed since the product was made.
RAGGED_MUST_USE ragged_status ragged_rt_product_status(ragged_rt_product *product);
// The host device's `product`.
RAGGED_MUST_USE ragged_status ragged_rt_product_prepare_host(ragged_rt_product *product,
                                                             ragged_rt_tensor *weight,
                                                             ragged_rt_tensor *bias,
                                                             int64_t panel);

// For statistics and the trace: "product_f32_k128_n512_bias_gelu (<runner>)"; operations and bytes of
// `rows` rows in `calls` calls: rows and results once, the weight once a call.
void ragged_rt_product_write_name(const ragged_rt_product_shape *shape, const char *runner,
                                  char *out, size_t size);
int64_t ragged_rt_product_count_flops(const ragged_rt_product_shape *shape, int64_t rows);
int64_t ragged_rt_product_count_bytes(const ragged_rt_product_shape *shape, int64_t calls,
                                      int64_t rows);

// product_pack.c. Packs `source` (f32, f64, i64 or bf16, which becomes f32), [n][k] or transposed
// [k][n], into `packed`, [ceil(n / panel)][k][panel], zero beyond n. In parallel.
void ragged_rt_product_pack(const ragged_rt_context *context, ragged_element_type source_type,
                            const void *source, bool transposed, int64_t n, int64_t k,
                            int64_t panel, void *packed);
// The same by the calling thread alone.
void ragged_rt_product_pack_here(ragged_element_type source_type, const void *source, bool transposed,
                                 int64_t n, int64_t k, int64_t panel, void *packed);
void ragged_rt_product_widen_here(const uint16_t *bf16, int64_t count, float *out);
void ragged_rt_product_widen(const ragged_rt_context *context, const void *bf16, int64_t count,
                             float *out);

#endif  // RAGGED_RT_PRODUCT_H
