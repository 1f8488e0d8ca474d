// RUN: ragged-opt %s --ragged-to-tiles | FileCheck %s --implicit-check-not=ragged_tile.kernel
// RUN: ragged-opt %s --ragged-to-tiles=fuse=false | FileCheck %s --check-prefix=ALONE
// Elementwise ops with one reader, whose operands stand in memory anyway, are computed where they are read;
// reductions over two ragged axes have two steps.

!x = !ragged.tensor<[n, 8], f32>
!pair = !ragged.tensor<[n, n, 16], f32>

// What a reduction reads is computed in it, a chain as well, also behind a broadcast.
// CHECK-LABEL: ragged_tile.kernel @weighed_0_sum axes = ["n"] grid = []
// CHECK:         ragged_tile.accumulate
// CHECK-COUNT-1:   ragged_tile.load %{{.*}} : <[0], 8xf32>
// CHECK:           ragged_tile.elementwise "mul"
// CHECK:           ragged_tile.load %{{.*}} : <[], f32>
// CHECK:           ragged_tile.elementwise "mul"
// CHECK:           ragged_tile.yield
// ALONE-LABEL: ragged_tile.kernel @weighed_0_
// ALONE:         ragged_tile.store
// ALONE:       ragged_tile.kernel @weighed_1_
func.func @weighed(%x: !x, %w: !ragged.tensor<[], f32>) -> !ragged.tensor<[8], f32> {
  %s = ragged.mul %x, %x : !x, !x -> !x
  %b = ragged.broadcast %w dims = [] like %x : !ragged.tensor<[], f32>, !x -> !x
  %y = ragged.mul %s, %b : !x, !x -> !x
  %r = ragged.sum %y dims = [0] : !x -> !ragged.tensor<[8], f32>
  return %r : !ragged.tensor<[8], f32>
}

// Two readers, an operand that would have to be stored for it, a reduction that reads twice: stored.
// CHECK-LABEL: ragged_tile.kernel @stored_0_rows
// CHECK-COUNT-3: ragged_tile.store
// CHECK:       ragged_tile.kernel @stored_1_sum
// CHECK:       ragged_tile.kernel @stored_2_max
// CHECK:       ragged_tile.kernel @stored_3_sum
// CHECK:       ragged_tile.kernel @stored_4_argmax
func.func @stored(%x: !x) -> (!ragged.tensor<[8], f32>, !ragged.tensor<[8], f32>, !ragged.tensor<[8], f32>, !ragged.tensor<[8], i64>) {
  %both = ragged.exp %x : !x -> !x
  %normal = ragged.layer_norm %x dims = [1] eps = 1.0e-5 : !x -> !x
  %of_norm = ragged.gelu %normal : !x -> !x
  %twice = ragged.sigmoid %x : !x -> !x
  %0 = ragged.sum %both dims = [0] : !x -> !ragged.tensor<[8], f32>
  %1 = ragged.max %both dims = [0] : !x -> !ragged.tensor<[8], f32>
  %2 = ragged.sum %of_norm dims = [0] : !x -> !ragged.tensor<[8], f32>
  %3 = ragged.argmax %twice dims = [0] : !x -> !ragged.tensor<[8], i64>
  return %0, %1, %2, %3 : !ragged.tensor<[8], f32>, !ragged.tensor<[8], f32>, !ragged.tensor<[8], f32>, !ragged.tensor<[8], i64>
}

// An op waits behind rows of another space for the rows that read it.
// CHECK-LABEL: ragged_tile.kernel @waits_0_exp axes = ["n"] grid = [0]
// CHECK:       ragged_tile.kernel @waits_1_rows axes = ["n"] grid = [0, 0]
// CHECK:         %[[NEG:.*]] = ragged_tile.elementwise "neg"
// CHECK:         ragged_tile.elementwise "add", %[[NEG]]
// CHECK-COUNT-1: ragged_tile.store
// CHECK-NOT:     ragged_tile.store
func.func @waits(%p: !pair, %x: !ragged.tensor<[n, 16], f32>) -> !pair {
  %neg = ragged.neg %p : !pair -> !pair
  %e = ragged.exp %x : !ragged.tensor<[n, 16], f32> -> !ragged.tensor<[n, 16], f32>
  %b = ragged.broadcast %e dims = [1, 2] like %p : !ragged.tensor<[n, 16], f32>, !pair -> !pair
  %y = ragged.add %neg, %b : !pair, !pair -> !pair
  return %y : !pair
}

// The inner axis first, a row for each position of the outer one; a mean divides at the end. Entries of few
// numbers are reduced at once.
// CHECK-LABEL: ragged_tile.kernel @steps_0_mean axes = ["n"] grid = [0]
// CHECK-COUNT-1: ragged_tile.accumulate
// CHECK-NOT:     "div"
// CHECK:         ragged_tile.store %{{.*}} : <16xf32>, <[0], 16xf32>
// CHECK:       ragged_tile.kernel @steps_1_mean axes = ["n"] grid = []
// CHECK-COUNT-1: ragged_tile.accumulate
// CHECK:         "div"
// CHECK:       ragged_tile.kernel @steps_2_max axes = ["n"] grid = []
// CHECK-COUNT-2: ragged_tile.accumulate
func.func @steps(%p: !pair, %q: !ragged.tensor<[n, n], f32>) -> (!ragged.tensor<[16], f32>, !ragged.tensor<[], f32>) {
  %0 = ragged.mean %p dims = [0, 1] : !pair -> !ragged.tensor<[16], f32>
  %1 = ragged.max %q dims = [0, 1] : !ragged.tensor<[n, n], f32> -> !ragged.tensor<[], f32>
  return %0, %1 : !ragged.tensor<[16], f32>, !ragged.tensor<[], f32>
}
