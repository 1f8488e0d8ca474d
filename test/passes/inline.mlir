// RUN: ragged-opt %s --ragged-verify-axes --ragged-inline --ragged-verify-axes | FileCheck %s
// One layer serves two axes of one caller; nothing of it is left.

// CHECK-NOT: @layer
// CHECK-LABEL: func @two_axes
// CHECK-SAME: %[[X:.*]]: !ragged.tensor<[n, 8], f32>, %[[Y:.*]]: !ragged.tensor<[m, 8], f32>, %[[W:.*]]: tensor<8x8xf32>
// CHECK: %[[A:.*]] = ragged.linear %[[X]], %[[W]] dim = 1 : !ragged.tensor<[n, 8], f32>, tensor<8x8xf32> -> !ragged.tensor<[n, 8], f32>
// CHECK: %[[B:.*]] = ragged.add %[[A]], %[[X]]
// CHECK: %[[C:.*]] = ragged.linear %[[Y]], %[[W]] dim = 1 : !ragged.tensor<[m, 8], f32>, tensor<8x8xf32> -> !ragged.tensor<[m, 8], f32>
// CHECK: %[[D:.*]] = ragged.add %[[C]], %[[Y]]
// CHECK: return %[[B]], %[[D]]
func.func private @layer(%x: !ragged.tensor<[a, 8], f32>, %w: tensor<8x8xf32>) -> !ragged.tensor<[a, 8], f32> {
  %0 = ragged.linear %x, %w dim = 1 : !ragged.tensor<[a, 8], f32>, tensor<8x8xf32> -> !ragged.tensor<[a, 8], f32>
  %1 = ragged.add %0, %x : !ragged.tensor<[a, 8], f32>, !ragged.tensor<[a, 8], f32> -> !ragged.tensor<[a, 8], f32>
  return %1 : !ragged.tensor<[a, 8], f32>
}
func.func @two_axes(%x: !ragged.tensor<[n, 8], f32>, %y: !ragged.tensor<[m, 8], f32>, %w: tensor<8x8xf32>)
    -> (!ragged.tensor<[n, 8], f32>, !ragged.tensor<[m, 8], f32>) {
  %0 = ragged.call @layer(%x, %w) : (!ragged.tensor<[n, 8], f32>, tensor<8x8xf32>) -> !ragged.tensor<[n, 8], f32>
  %1 = ragged.call @layer(%y, %w) : (!ragged.tensor<[m, 8], f32>, tensor<8x8xf32>) -> !ragged.tensor<[m, 8], f32>
  return %0, %1 : !ragged.tensor<[n, 8], f32>, !ragged.tensor<[m, 8], f32>
}

// An axis of the callee may stand for an expression, and two for one.
// CHECK-LABEL: func @expression
// CHECK: ragged.mul {{.*}} : !ragged.tensor<[m + n, 1, 4], f32>, !ragged.tensor<[1, n, 4], f32> -> !ragged.tensor<[m + n, n, 4], f32>
func.func private @outer(%x: !ragged.tensor<[a, 1, 4], f32>, %y: !ragged.tensor<[1, b, 4], f32>) -> !ragged.tensor<[a, b, 4], f32> {
  %0 = ragged.mul %x, %y : !ragged.tensor<[a, 1, 4], f32>, !ragged.tensor<[1, b, 4], f32> -> !ragged.tensor<[a, b, 4], f32>
  return %0 : !ragged.tensor<[a, b, 4], f32>
}
func.func @expression(%x: !ragged.tensor<[n + m, 1, 4], f32>, %y: !ragged.tensor<[1, n, 4], f32>, %z: !ragged.tensor<[m], f32>) -> !ragged.tensor<[n + m, n, 4], f32> {
  %0 = ragged.call @outer(%x, %y) : (!ragged.tensor<[n + m, 1, 4], f32>, !ragged.tensor<[1, n, 4], f32>) -> !ragged.tensor<[n + m, n, 4], f32>
  return %0 : !ragged.tensor<[n + m, n, 4], f32>
}
// CHECK-LABEL: func @square
// CHECK: ragged.mul {{.*}} -> !ragged.tensor<[n, n, 4], f32>
func.func @square(%x: !ragged.tensor<[n, 1, 4], f32>, %y: !ragged.tensor<[1, n, 4], f32>) -> !ragged.tensor<[n, n, 4], f32> {
  %0 = ragged.call @outer(%x, %y) : (!ragged.tensor<[n, 1, 4], f32>, !ragged.tensor<[1, n, 4], f32>) -> !ragged.tensor<[n, n, 4], f32>
  return %0 : !ragged.tensor<[n, n, 4], f32>
}
