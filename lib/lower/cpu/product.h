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

// A product over rows: C[m, n] += sum over k of A[k, m] B[k, n].
typedef struct ragged_over_rows_shape {
  ragged_element_type element_type;  // as the microkernel reads and adds
  int64_t m, n;
  int64_t line;      // elements from one k of A to the next
  int64_t ahead[2];  // bytes of the next rows of A and of B to ask for, for each m in one panel of n
} ragged_over_rows_shape;

// The same microkernel for it: emits the public function `name`(a: !llvm.ptr, packed: !llvm.ptr, c:
// !llvm.ptr, next_a: !llvm.ptr, next_b: !llvm.ptr, steps: i64), which adds `steps` k; B is packed as a
// weight of n columns and `steps` steps. While it computes, it asks for the memory at next_a and next_b.
void ragged_emit_product_over_rows(const ragged_builder *builder, const ragged_cpu_target *target,
                                   const ragged_over_rows_shape *shape, const char *name);

#endif  // RAGGED_LOWER_CPU_PRODUCT_H
