// Ops that are computed where they are read, and reductions in steps: element types, views, sizes, operands
// that are used twice, orders, control flow; over all length vectors.
// RUN: %run_all_lengths %s
// RUN: %run_all_lengths --target=emulated %s

!pair = !ragged.tensor<[n, n, 24], f32>
!turned = !ragged.tensor<[n, n, 24], f32, order = [1, 0, 2]>
!one = !ragged.tensor<[n, 24], f32>
!numbers = !ragged.tensor<[], f32>

// Squares weighed by sample and by row, of a value that others read.
func.func @loss(%p: !pair, %x: !one, %w: !numbers) -> (!ragged.tensor<[24], f32>, !numbers, tensor<24xf32>, !pair) {
  %u = ragged.expand_dims %x dim = 1 : !one -> !ragged.tensor<[n, 1, 24], f32>
  %y = ragged.add %p, %u : !pair, !ragged.tensor<[n, 1, 24], f32> -> !pair
  %square = ragged.mul %y, %y : !pair, !pair -> !pair
  %b = ragged.broadcast %w dims = [] like %p : !numbers, !pair -> !pair
  %weighed = ragged.mul %square, %b : !pair, !pair -> !pair
  %0 = ragged.sum %weighed dims = [0, 1] : !pair -> !ragged.tensor<[24], f32>
  %away = ragged.sub %y, %b : !pair, !pair -> !pair
  %1 = ragged.max %away dims = [0, 1, 2] : !pair -> !numbers
  %twice = ragged.neg %y : !pair -> !pair
  %both = ragged.mul %twice, %twice : !pair, !pair -> !pair
  %2 = ragged.mean %both dims = [0, 1] batch empty = zero : !pair -> tensor<24xf32>
  return %0, %1, %2, %y : !ragged.tensor<[24], f32>, !numbers, tensor<24xf32>, !pair
}

// Differences that never stand in memory; truth values that are counted; sizes; a cast on the way.
func.func @pairs(%x: !ragged.tensor<[n], f32>, %y: !ragged.tensor<[m], f32>, %p: !ragged.tensor<[n, m], bf16>)
    -> (!ragged.tensor<[n], f32>, !ragged.tensor<[m], i64>, !ragged.tensor<[], f32>) {
  %a = ragged.expand_dims %x dim = 1 : !ragged.tensor<[n], f32> -> !ragged.tensor<[n, 1], f32>
  %b = ragged.expand_dims %y dim = 0 : !ragged.tensor<[m], f32> -> !ragged.tensor<[1, m], f32>
  %d = ragged.sub %a, %b : !ragged.tensor<[n, 1], f32>, !ragged.tensor<[1, m], f32> -> !ragged.tensor<[n, m], f32>
  %0 = ragged.mean %d dims = [1] empty = zero : !ragged.tensor<[n, m], f32> -> !ragged.tensor<[n], f32>
  %less = ragged.less %a, %b : !ragged.tensor<[n, 1], f32>, !ragged.tensor<[1, m], f32> -> !ragged.tensor<[n, m], i1>
  %1 = ragged.sum %less dims = [0] : !ragged.tensor<[n, m], i1> -> !ragged.tensor<[m], i64>
  %wide = ragged.cast %p : !ragged.tensor<[n, m], bf16> -> !ragged.tensor<[n, m], f32>
  %size = ragged.size %p dims = [0, 1] : !ragged.tensor<[n, m], bf16> -> !ragged.tensor<[], i64>
  %number = ragged.cast %size : !ragged.tensor<[], i64> -> !ragged.tensor<[], f32>
  %spread = ragged.broadcast %number dims = [] like %p : !ragged.tensor<[], f32>, !ragged.tensor<[n, m], bf16> -> !ragged.tensor<[n, m], f32>
  %part = ragged.mul %wide, %spread : !ragged.tensor<[n, m], f32>, !ragged.tensor<[n, m], f32> -> !ragged.tensor<[n, m], f32>
  %2 = ragged.sum %part dims = [0, 1] : !ragged.tensor<[n, m], f32> -> !ragged.tensor<[], f32>
  return %0, %1, %2 : !ragged.tensor<[n], f32>, !ragged.tensor<[m], i64>, !ragged.tensor<[], f32>
}

// Operands in another order, and a transpose of what others read.
func.func @orders(%p: !pair, %t: !turned) -> (!one, !one, !pair) {
  %e = ragged.exp %p : !pair -> !pair
  %v = ragged.transpose %e permutation = [1, 0, 2] : !pair -> !turned
  %d = ragged.sub %t, %v : !turned, !turned -> !turned
  %0 = ragged.sum %d dims = [0] : !turned -> !one
  %1 = ragged.max %e dims = [0] : !pair -> !one
  return %0, %1, %e : !one, !one, !pair
}

// What a kernel computes at one row and reads at another one, behind an op and a view.
!wide = !ragged.tensor<[n, n, 2, 24], f32>
func.func @views(%p: !pair, %q: !wide) -> (!one, !wide) {
  %e = ragged.exp %p : !pair -> !pair
  %0 = ragged.max %e dims = [0] : !pair -> !one
  %neg = ragged.neg %e : !pair -> !pair
  %b = ragged.broadcast %neg dims = [1, 0, 3] like %q : !pair, !wide -> !wide
  %y = ragged.add %q, %b : !wide, !wide -> !wide
  return %0, %y : !one, !wide
}

// Rows of another space between an op and what reads it; an op of a branch and its operand outside.
func.func @between(%p: !pair, %x: !one, %c: i1) -> (!pair, !one) {
  %neg = ragged.neg %p : !pair -> !pair
  %g = ragged.gelu %x : !one -> !one
  %b = ragged.broadcast %g dims = [1, 2] like %p : !one, !pair -> !pair
  %y = ragged.add %neg, %b : !pair, !pair -> !pair
  %outside = ragged.sigmoid %p : !pair -> !pair
  %s = scf.if %c -> !one {
    %inside = ragged.relu %p : !pair -> !pair
    %0 = ragged.sum %inside dims = [0] : !pair -> !one
    scf.yield %0 : !one
  } else {
    %0 = ragged.sum %outside dims = [1] : !pair -> !one
    scf.yield %0 : !one
  }
  return %y, %s : !pair, !one
}

// Steps: three axes, kept ones between, static ones among them; truth values; the batch.
!cube = !ragged.tensor<[n, m, n, 9], f32>
func.func @steps(%c: !cube, %h: !ragged.tensor<[m, 3, n, 5], bf16>, %t: !ragged.tensor<[n, m, 12], i1>, %i: !ragged.tensor<[n, m, 8], i64>)
    -> (!ragged.tensor<[9], f32>, !ragged.tensor<[m], f32>, !ragged.tensor<[1, 3, 1, 5], bf16, order = [0, 2, 1, 3]>, !ragged.tensor<[12], i64>, tensor<8xi64>, tensor<f32>) {
  %0 = ragged.sum %c dims = [0, 1, 2] : !cube -> !ragged.tensor<[9], f32>
  %1 = ragged.mean %c dims = [0, 2, 3] empty = zero : !cube -> !ragged.tensor<[m], f32>
  %2 = ragged.max %h dims = [0, 2] keep_dims : !ragged.tensor<[m, 3, n, 5], bf16> -> !ragged.tensor<[1, 3, 1, 5], bf16, order = [0, 2, 1, 3]>
  %3 = ragged.sum %t dims = [0, 1] : !ragged.tensor<[n, m, 12], i1> -> !ragged.tensor<[12], i64>
  %4 = ragged.sum %i dims = [0, 1] batch : !ragged.tensor<[n, m, 8], i64> -> tensor<8xi64>
  %5 = ragged.max %c dims = [0, 1, 2, 3] batch : !cube -> tensor<f32>
  return %0, %1, %2, %3, %4, %5 : !ragged.tensor<[9], f32>, !ragged.tensor<[m], f32>, !ragged.tensor<[1, 3, 1, 5], bf16, order = [0, 2, 1, 3]>, !ragged.tensor<[12], i64>, tensor<8xi64>, tensor<f32>
}
