// Products over rows: rows that lie alike are read in place; of others the operand with fewer elements is
// copied. Two launches, whatever the batch: slices of at least 256 rows, then a row of the result each.
// RUN: ragged-opt %s --split-input-file --ragged-to-tiles | FileCheck %s

// CHECK-LABEL: ragged_tile.kernel @same_0_product_over_rows axes = ["n"] grid = []
// CHECK: ragged_tile.product_over_rows %{{.*}}, %{{.*}}, %{{.*}}[%{{.*}}] of 256 at_most 64 : <[0, 0], 8xbf16>, <[0, 0], 4xbf16>, <slices 8, 4xf32>
// CHECK-LABEL: ragged_tile.kernel @same_1_join axes = [] grid = []
// CHECK: ragged_tile.accumulate "add" plain : <4xf32>
// CHECK: ragged_tile.store %{{.*}} : <4xf32>, <[], 4xbf16>
// CHECK-LABEL: func.func @ragged_entry_same
// CHECK: %[[X:.*]] = ragged_tile.argument %{{.*}}, 0
// CHECK: %[[DY:.*]] = ragged_tile.argument %{{.*}}, 1
// CHECK: %[[ROWS:.*]] = arith.muli
// CHECK: %[[MORE:.*]] = arith.addi %[[ROWS]], %{{.*}}
// CHECK: %[[NEEDED:.*]] = arith.divui %[[MORE]]
// CHECK: %[[SLICES:.*]] = arith.minsi %[[NEEDED]]
// CHECK: %[[SUMS:.*]] = ragged_tile.allocate_dense
// CHECK: ragged_tile.launch %{{.*}}, @same_0_product_over_rows items %[[SLICES]] batch %{{.*}} axes(%{{.*}}) buffers(%[[DY]], %[[X]], %[[SUMS]])
// CHECK: ragged_tile.launch %{{.*}}, @same_1_join items %{{.*}} batch %[[SLICES]]
func.func @same(%x: !ragged.tensor<[n, n, 4], bf16>, %dy: !ragged.tensor<[n, n, 8], bf16>) -> tensor<8x4xbf16> {
  %0 = ragged.product_over_rows %x, %dy dims = [2, 2] : !ragged.tensor<[n, n, 4], bf16>, !ragged.tensor<[n, n, 8], bf16> -> tensor<8x4xbf16>
  return %0 : tensor<8x4xbf16>
}

// -----

// x has fewer elements: it is copied to dy's order, columns first.
// CHECK-LABEL: ragged_tile.kernel @turned_0_reorder axes = ["n"] grid = [0, 0]
// CHECK: ragged_tile.load %{{.*}} : <[0, 0], 4xf32> -> <4xf32>
// CHECK-LABEL: ragged_tile.kernel @turned_1_product_over_rows
// CHECK-NOT: ragged_tile.kernel @turned_{{.*}}reorder
func.func @turned(%x: !ragged.tensor<[n, n, 4], f32>, %dy: !ragged.tensor<[n, n, 8], f32>) -> tensor<8x4xf32> {
  %t = ragged.transpose %dy permutation = [1, 0, 2] : !ragged.tensor<[n, n, 8], f32> -> !ragged.tensor<[n, n, 8], f32, order = [1, 0, 2]>
  %0 = ragged.product_over_rows %x, %t dims = [2, 2] : !ragged.tensor<[n, n, 4], f32>, !ragged.tensor<[n, n, 8], f32, order = [1, 0, 2]> -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
