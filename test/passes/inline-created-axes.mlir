// RUN: ragged-opt %s --ragged-verify-axes --ragged-inline --ragged-verify-axes | FileCheck %s
// Axes of results are named by the call; others that the callee creates get names that are free.

// CHECK-NOT: func private
// Internal axis k of @through; result axis r.
func.func private @through(%v: tensor<?x4xf32>, %l: tensor<?xi64>) -> (!ragged.tensor<[r, 4], f32>, !ragged.tensor<[4], f32>) {
  %0 = ragged.from_values %v, %l axes = ["r"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[r, 4], f32>
  %1 = ragged.from_values %v, %l axes = ["k"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[k, 4], f32>
  %2 = ragged.assume_same_axis %1 dims = [0] to = "r" like %0 : !ragged.tensor<[k, 4], f32>, !ragged.tensor<[r, 4], f32> -> !ragged.tensor<[r, 4], f32>
  %3 = ragged.sum %2 dims = [0] : !ragged.tensor<[r, 4], f32> -> !ragged.tensor<[4], f32>
  return %0, %3 : !ragged.tensor<[r, 4], f32>, !ragged.tensor<[4], f32>
}

// The caller has a k of its own, and r is what another call of it made.
// CHECK-LABEL: func @twice
// CHECK: ragged.from_values {{.*}} axes = ["r"] {{.*}} -> !ragged.tensor<[r, 4], f32>
// CHECK: ragged.from_values {{.*}} axes = ["k_1"] {{.*}} -> !ragged.tensor<[k_1, 4], f32>
// CHECK: ragged.assume_same_axis {{.*}} dims = [0] to = "r" like
// CHECK: ragged.from_values {{.*}} axes = ["s"] {{.*}} -> !ragged.tensor<[s, 4], f32>
// CHECK: ragged.from_values {{.*}} axes = ["k_3"] {{.*}} -> !ragged.tensor<[k_3, 4], f32>
// CHECK: ragged.assume_same_axis {{.*}} dims = [0] to = "s" like
func.func @twice(%x: !ragged.tensor<[k, k_2], f32>, %v: tensor<?x4xf32>, %l: tensor<?xi64>) -> (!ragged.tensor<[r, 4], f32>, !ragged.tensor<[s, 4], f32>) {
  %0:2 = ragged.call @through(%v, %l) axes = ["r"] : (tensor<?x4xf32>, tensor<?xi64>) -> (!ragged.tensor<[r, 4], f32>, !ragged.tensor<[4], f32>)
  %1:2 = ragged.call @through(%v, %l) axes = ["s"] : (tensor<?x4xf32>, tensor<?xi64>) -> (!ragged.tensor<[s, 4], f32>, !ragged.tensor<[4], f32>)
  return %0#0, %1#0 : !ragged.tensor<[r, 4], f32>, !ragged.tensor<[s, 4], f32>
}

// In a loop the axes are local to an iteration, and stay so.
// CHECK-LABEL: func @in_loop
// CHECK: scf.for
// CHECK:   ragged.from_values {{.*}} axes = ["q"]
// CHECK:   ragged.from_values {{.*}} axes = ["k"]
// CHECK:   scf.yield
func.func @in_loop(%v: tensor<?x4xf32>, %l: tensor<?xi64>, %i: index, %x: !ragged.tensor<[4], f32>) -> !ragged.tensor<[4], f32> {
  %0 = scf.for %j = %i to %i step %i iter_args(%y = %x) -> !ragged.tensor<[4], f32> {
    %1:2 = ragged.call @through(%v, %l) axes = ["q"] : (tensor<?x4xf32>, tensor<?xi64>) -> (!ragged.tensor<[q, 4], f32>, !ragged.tensor<[4], f32>)
    %2 = ragged.add %y, %1#1 : !ragged.tensor<[4], f32>, !ragged.tensor<[4], f32> -> !ragged.tensor<[4], f32>
    scf.yield %2 : !ragged.tensor<[4], f32>
  }
  return %0 : !ragged.tensor<[4], f32>
}

// A caller that has no axis of its own.
// CHECK-LABEL: func @no_axes
// CHECK: axes = ["r"]
// CHECK: axes = ["k"]
// CHECK: axes = ["r_1"]
// CHECK: axes = ["k_1"]
func.func private @closed(%v: tensor<?x4xf32>, %l: tensor<?xi64>) -> tensor<?xi64> {
  %0 = ragged.from_values %v, %l axes = ["r"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[r, 4], f32>
  %1 = ragged.from_values %v, %l axes = ["k"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[k, 4], f32>
  %2 = ragged.extents %1 dim = 0 : !ragged.tensor<[k, 4], f32> -> tensor<?xi64>
  return %2 : tensor<?xi64>
}
func.func @no_axes(%v: tensor<?x4xf32>, %l: tensor<?xi64>) -> tensor<?xi64> {
  %0 = func.call @closed(%v, %l) : (tensor<?x4xf32>, tensor<?xi64>) -> tensor<?xi64>
  %1 = func.call @closed(%v, %0) : (tensor<?x4xf32>, tensor<?xi64>) -> tensor<?xi64>
  return %1 : tensor<?xi64>
}
