// Dense operands that every row reads, weights of norms and tables: a block copies them to shared memory once.
// From then on the kernel finds them there. Called before the loops over rows.
#include "lower/gpu/gpu_emit.h"

typedef struct copy {
  MlirType type;  // of an access
  int64_t bytes;
} copy;

// As wide as the number of bytes allows: buffers begin at multiples of 16.
static copy choose_access(gpu_emission *g, int64_t bytes) {
  int64_t four = 4;
  if (bytes % 16 == 0) return (copy){mlirVectorTypeGet(1, &four, g->i32), 16};
  if (bytes % 8 == 0) return (copy){g->e.i64, 8};
  if (bytes % 4 == 0) return (copy){g->i32, 4};
  int64_t rest = bytes % 2 ? 1 : 2;
  return (copy){mlirIntegerTypeGet(g->e.context, (unsigned)(8 * rest)), rest};
}

static void copy_access(gpu_emission *g, const copy *c, MlirValue from, MlirValue to, number at) {
  emission *e = &g->e;
  number offset = number_mul(e, at, number_of(c->bytes));
  MlirNamedAttribute alignment =
      ragged_named(e->context, "alignment", ragged_attribute_i64(e->context, c->bytes));
  MlirValue value = ragged_build_value_with(&e->b, "llvm.load", c->type,
                                            RAGGED_VALUES(gpu_offset(g, from, offset)), 1, &alignment);
  ragged_build(&e->b, "llvm.store", RAGGED_VALUES(value, gpu_offset(g, to, offset)), RAGGED_NONE, 1,
               &alignment, RAGGED_NONE);
}

static void copy_ref(gpu_emission *g, int ref, MlirValue to) {
  emission *e = &g->e;
  const ragged_tile_shape *tail = &e->layout.refs[ref].tail;
  int64_t bytes = ragged_tile_size(tail) * (int64_t)ragged_element_size(tail->element_type);
  copy c = choose_access(g, bytes);
  MlirValue from = e->slots[kernel_layout_find(&e->layout, SLOT_REF, ref)];
  int64_t units = bytes / c.bytes;
  if (units > GPU_THREADS) {
    carried_loop l;
    number at = gpu_begin_loop(g, &l, gpu_number(g, g->thread), number_of(units), number_of(GPU_THREADS),
                               0, NULL);
    copy_access(g, &c, from, to, at);
    gpu_end_loop(g, &l, NULL);
    return;
  }
  guard within;
  begin_if(&g->e, &within, gpu_compare(g, COMPARE_LT, g->thread, gpu_i32(g, units)));
  copy_access(g, &c, from, to, gpu_number(g, g->thread));
  end_if(&g->e, &within);
}

void gpu_copy_dense(gpu_emission *g) {
  emission *e = &g->e;
  if (g->layout->dense_bytes == 0) return;
  int64_t begin = g->layout->shared_bytes - g->layout->dense_bytes;
  for (int k = 0; k < e->layout.num_refs; ++k) {
    int64_t at = g->layout->dense_offsets[k];
    if (at < 0) continue;
    MlirValue to = gpu_offset(g, g->shared, number_of(begin + at));
    copy_ref(g, k, to);
    e->slots[kernel_layout_find(&e->layout, SLOT_REF, k)] = to;
  }
  gpu_block_barrier(g);
}
