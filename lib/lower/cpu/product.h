// The generated dense product: register-blocked microkernel for a shape known at compile time.
// Emitted once per shape into the module; called through the runtime (ragged_rt_product_function).
#ifndef RAGGED_LOWER_CPU_PRODUCT_H
#define RAGGED_LOWER_CPU_PRODUCT_H

#include "ir/build.h"
#include "lower/cpu/target.h"
#include "lower/kernel/product_shape.h"

// Weight panel width: the runtime packs W as [ceil(n / panel)][k][panel], zero beyond n. As many
// vectors as a register tile has, or as n fills; of the last panel only vectors with columns of C
// are computed.
int64_t ragged_product_panel(const ragged_cpu_target *target, const ragged_product_shape *shape);

// Emits the public function `name`(a: !llvm.ptr, packed: !llvm.ptr, bias: !llvm.ptr, c: !llvm.ptr,
// rows: i64) with `builder` at module level. Pointers need their elements' alignment only (64 bytes
// for `packed` is faster); c overlaps none of the others; a and packed may be null when k is 0,
// bias when the shape has none. Every element of C is one chain of fused multiply-adds over k in
// increasing order from zero, then + bias, activation, + C, whatever `rows` and the row's position:
// a row's bits never depend on its neighbours. Nothing beyond column n or row `rows` is read or
// written. Integers wrap; they take no activation but relu.
void ragged_emit_product(const ragged_builder *builder, const ragged_cpu_target *target,
                         const ragged_product_shape *shape, const char *name);

// The same microkernel for a product over rows: emits the public function `name`(a: !llvm.ptr, packed:
// !llvm.ptr, c: !llvm.ptr, columns: i64, steps: i64). C[m, n] += sum over k < steps of A[k, m] B[k, n]
// for m < columns, where A has lines of `m` elements, C lines of `n`, and B is packed as a weight of
// shape.n columns and `steps` steps. shape.k is not read; the shape has no bias and no activation.
void ragged_emit_product_over_rows(const ragged_builder *builder, const ragged_cpu_target *target,
                                   const ragged_product_shape *shape, int64_t m, const char *name);

#endif  // RAGGED_LOWER_CPU_PRODUCT_H
