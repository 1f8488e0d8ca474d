// RUN: ragged-opt %s --ragged-verify-axes --ragged-propagate-schemas --ragged-inline --ragged-to-tiles | FileCheck %s
// Kernels that know where in the sample a row stands: pairs, coarser operands, other orders, reductions.

// Every u[a] + v[b]: each read by its own coordinate, nothing expanded in memory.
// CHECK-LABEL: ragged_tile.kernel @pair_0_add axes = ["n", "m"] grid = [0, 1]
// CHECK-NEXT:  ^bb0(%[[I:.*]]: index, %[[A:.*]]: index, %[[B:.*]]: index, %[[U:.*]]: !ragged_tile.ref<[0], 8xf32>, %[[V:.*]]: !ragged_tile.ref<[1], 8xf32>, %[[P:.*]]: !ragged_tile.ref<[0, 1], 8xf32>):
// CHECK:         ragged_tile.load %[[U]][%[[I]], %[[A]]]
// CHECK:         ragged_tile.load %[[V]][%[[I]], %[[B]]]
// CHECK:         ragged_tile.store %{{.*}}, %[[P]][%[[I]], %[[A]], %[[B]]]
func.func @pair(%u: !ragged.tensor<[n, 8], f32>, %v: !ragged.tensor<[m, 8], f32>) -> !ragged.tensor<[n, m, 8], f32> {
  %a = ragged.expand_dims %u dim = 1 : !ragged.tensor<[n, 8], f32> -> !ragged.tensor<[n, 1, 8], f32, order = [0, 2, 1]>
  %b = ragged.expand_dims %v dim = 0 : !ragged.tensor<[m, 8], f32> -> !ragged.tensor<[1, m, 8], f32, order = [1, 2, 0]>
  %p = ragged.add %a, %b : !ragged.tensor<[n, 1, 8], f32, order = [0, 2, 1]>, !ragged.tensor<[1, m, 8], f32, order = [1, 2, 0]>
      -> !ragged.tensor<[n, m, 8], f32>
  return %p : !ragged.tensor<[n, m, 8], f32>
}

// The grid is in the result's packed order; the operand says its own.
// CHECK-LABEL: ragged_tile.kernel @reorder_0_reorder axes = ["m", "n"] grid = [0, 1]
// CHECK-NEXT:  ^bb0(%[[I:.*]]: index, %[[B:.*]]: index, %[[A:.*]]: index, %[[X:.*]]: !ragged_tile.ref<[1, 0], 4xf32>, %[[Y:.*]]: !ragged_tile.ref<[0, 1], 4xf32>):
// CHECK:         ragged_tile.load %[[X]][%[[I]], %[[A]], %[[B]]]
// CHECK:         ragged_tile.store %{{.*}}, %[[Y]][%[[I]], %[[B]], %[[A]]]
func.func @reorder(%x: !ragged.tensor<[n, m, 4], f32>) -> !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]> {
  %y = ragged.reorder %x order = [1, 0, 2] : !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>
  return %y : !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>
}

// One row per sample.
// CHECK-LABEL: ragged_tile.kernel @coarse_0_sub axes = ["n"] grid = [0]
// CHECK-NEXT:  ^bb0(%[[I:.*]]: index, %[[A:.*]]: index, %[[X:.*]]: !ragged_tile.ref<[0], 8xf32>, %[[S:.*]]: !ragged_tile.ref<[], 1x8xf32>,
// CHECK:         ragged_tile.load %[[S]][%[[I]]]
func.func @coarse(%x: !ragged.tensor<[n, 8], f32>, %s: !ragged.tensor<[1, 8], f32>) -> !ragged.tensor<[n, 8], f32> {
  %y = ragged.sub %x, %s : !ragged.tensor<[n, 8], f32>, !ragged.tensor<[1, 8], f32> -> !ragged.tensor<[n, 8], f32>
  return %y : !ragged.tensor<[n, 8], f32>
}

// ---- Reductions --------------------------------------------------------------------------------

// Over the second axis: a kernel over what is left, which accumulates rows; the count is the extent.
// CHECK-LABEL: ragged_tile.kernel @mean_0_mean axes = ["n", "m"] grid = [0]
// CHECK-NEXT:  ^bb0(%[[I:.*]]: index, %[[A:.*]]: index, %[[X:.*]]: !ragged_tile.ref<[0, 1], 8xf32>, %[[Y:.*]]: !ragged_tile.ref<[0], 8xf32>):
// CHECK:         %[[SUM:.*]] = ragged_tile.accumulate "add" over 1 of %[[I]] : <8xf32> {
// CHECK-NEXT:    ^bb0(%[[B:.*]]: index):
// CHECK-NEXT:      %[[ROW:.*]] = ragged_tile.load %[[X]][%[[I]], %[[A]], %[[B]]]
// CHECK-NEXT:      ragged_tile.yield %[[ROW]]
// CHECK:         ragged_tile.extent 1 of %[[I]] : <i64>
// CHECK:         ragged_tile.elementwise "zero_to_one"
// CHECK:         ragged_tile.elementwise "div", %[[SUM]]
func.func @mean(%x: !ragged.tensor<[n, m, 8], f32>) -> !ragged.tensor<[n, 8], f32> {
  %y = ragged.mean %x dims = [1] empty = zero : !ragged.tensor<[n, m, 8], f32> -> !ragged.tensor<[n, 8], f32>
  return %y : !ragged.tensor<[n, 8], f32>
}

// Over both axes and the few features: two accumulations, innermost the reduction of a row; per sample.
// CHECK-LABEL: ragged_tile.kernel @all_0_max axes = ["n", "m"] grid = []
// CHECK:         ragged_tile.accumulate "maximum" over 0 of %{{.*}} : <f32> {
// CHECK:           ragged_tile.accumulate "maximum" over 1 of %{{.*}} : <f32> {
// CHECK:             ragged_tile.reduce "maximum", %{{.*}} dims = [0] : <3xf32> -> <f32>
func.func @all(%x: !ragged.tensor<[n, m, 3], f32>) -> !ragged.tensor<[], f32> {
  %y = ragged.max %x dims = [0, 1, 2] : !ragged.tensor<[n, m, 3], f32> -> !ragged.tensor<[], f32>
  return %y : !ragged.tensor<[], f32>
}

// Where the maximum is: a row is read once; the features come last. Behind the samples before, in a batch.
// CHECK-LABEL: ragged_tile.kernel @where_0_argmax axes = ["m"] grid = []
// CHECK:         %[[BEFORE:.*]] = ragged_tile.elementwise "mul"
// CHECK:         %[[MAX:.*]], %[[MATCH:.*]] = ragged_tile.accumulate "maximum" over 0 of %{{.*}} : <3xf32>, !ragged_tile.tile<3xi64> {
// CHECK-COUNT-1:   ragged_tile.load
// CHECK-NOT:       ragged_tile.load
// CHECK:           ragged_tile.view %[[BEFORE]]
// CHECK:           ragged_tile.yield %{{.*}}, %{{.*}} : <3xf32>, !ragged_tile.tile<3xi64>
// CHECK:         ragged_tile.reduce "maximum", %[[MAX]] dims = [0]
// CHECK:         ragged_tile.where_equal %[[MAX]], %{{.*}}, %[[MATCH]],
func.func @where(%x: !ragged.tensor<[m, 3], f32>) -> tensor<i64> {
  %y = ragged.argmax %x dims = [0, 1] batch : !ragged.tensor<[m, 3], f32> -> tensor<i64>
  return %y : tensor<i64>
}

// Static dimensions only: a row of the operand's own space.
// CHECK-LABEL: ragged_tile.kernel @static_0_sum axes = ["n"] grid = [0]
// CHECK-NOT:     accumulate
// CHECK:         ragged_tile.reduce "add", %{{.*}} dims = [0] : <3x4xf32> -> <4xf32>
func.func @static(%x: !ragged.tensor<[n, 3, 4], f32>) -> !ragged.tensor<[n, 4], f32> {
  %y = ragged.sum %x dims = [1] : !ragged.tensor<[n, 3, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return %y : !ragged.tensor<[n, 4], f32>
}

// Across the batch: per sample first, then one kernel that runs once. The partial sums stay in f32.
// CHECK-LABEL: ragged_tile.kernel @batch_0_sum axes = ["n"] grid = []
// CHECK:         ragged_tile.store %{{.*}} : <8xf32>, <[], 8xf32>
// CHECK-LABEL: ragged_tile.kernel @batch_1_batch axes = [] grid = []
// CHECK-NEXT:  ^bb0(%[[PARTIAL:.*]]: !ragged_tile.ref<[], 8xf32>, %[[OUT:.*]]: !ragged_tile.ref<dense, 8xbf16>):
// CHECK-NEXT:    ragged_tile.accumulate "add" : <8xf32> {
// CHECK-LABEL: func.func @ragged_entry_batch
// CHECK:         %[[SUMS:.*]] = ragged_tile.allocate %{{.*}}, %{{.*}} of 8 x f32
// CHECK:         ragged_tile.launch %{{.*}}, @batch_0_sum
// CHECK:         ragged_tile.launch %{{.*}}, @batch_1_batch
// CHECK:         ragged_tile.release %{{.*}}, %[[SUMS]]
// CHECK:         ragged_tile.result_dense
func.func @batch(%x: !ragged.tensor<[n, 8], bf16>) -> tensor<8xbf16> {
  %y = ragged.sum %x dims = [0] batch : !ragged.tensor<[n, 8], bf16> -> tensor<8xbf16>
  return %y : tensor<8xbf16>
}

// A reduction reads through a broadcast: nothing is expanded.
// CHECK-LABEL: ragged_tile.kernel @through_view_0_sum
// CHECK:         ragged_tile.accumulate
// CHECK:           ragged_tile.load %{{.*}}[] : <dense, 8xf32>
// CHECK-LABEL: func.func @ragged_entry_through_view
// CHECK-COUNT-1: ragged_tile.launch
// CHECK-NOT:     ragged_tile.launch
func.func @through_view(%x: !ragged.tensor<[n, 8], f32>, %w: tensor<8xf32>) -> !ragged.tensor<[8], f32> {
  %b = ragged.broadcast %w dims = [1] like %x : tensor<8xf32>, !ragged.tensor<[n, 8], f32> -> !ragged.tensor<[n, 8], f32>
  %y = ragged.sum %b dims = [0] : !ragged.tensor<[n, 8], f32> -> !ragged.tensor<[8], f32>
  return %y : !ragged.tensor<[8], f32>
}
