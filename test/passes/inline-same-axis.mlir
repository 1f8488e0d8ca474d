// Axes of the callee that are one axis of the caller: in the inlined op, too, one dimension is renamed.
// RUN: ragged-opt %s --ragged-verify-axes --ragged-inline --ragged-verify-axes | FileCheck %s
// RUN: ragged-opt %s --ragged-inline --canonicalize | FileCheck %s --check-prefix=CANONICAL

func.func private @same(%a: !ragged.tensor<[t], f32>, %b: !ragged.tensor<[p, q], f32>) -> !ragged.tensor<[p, t], f32> {
  %0 = ragged.assume_same_axis %b dims = [1] to = "t" like %a : !ragged.tensor<[p, q], f32>, !ragged.tensor<[t], f32> -> !ragged.tensor<[p, t], f32>
  return %0 : !ragged.tensor<[p, t], f32>
}

// CHECK-LABEL: func @call
// CHECK-NEXT: ragged.assume_same_axis %arg1 dims = [1] to = "k" like %arg0 : !ragged.tensor<[n, n], f32>, !ragged.tensor<[k], f32> -> !ragged.tensor<[n, k], f32>
func.func @call(%x: !ragged.tensor<[k], f32>, %y: !ragged.tensor<[n, n], f32>) -> !ragged.tensor<[n, k], f32> {
  %0 = ragged.call @same(%x, %y) : (!ragged.tensor<[k], f32>, !ragged.tensor<[n, n], f32>) -> !ragged.tensor<[n, k], f32>
  return %0 : !ragged.tensor<[n, k], f32>
}

// All three are one axis, which is the same as itself.
// CHECK-LABEL: func @one
// CHECK-NEXT: ragged.assume_same_axis %arg1 dims = [1] to = "n" like %arg0 {{.*}} -> !ragged.tensor<[n, n], f32>
// CANONICAL-LABEL: func @one
// CANONICAL-NEXT: return %arg1
func.func @one(%x: !ragged.tensor<[n], f32>, %y: !ragged.tensor<[n, n], f32>) -> !ragged.tensor<[n, n], f32> {
  %0 = ragged.call @same(%x, %y) : (!ragged.tensor<[n], f32>, !ragged.tensor<[n, n], f32>) -> !ragged.tensor<[n, n], f32>
  return %0 : !ragged.tensor<[n, n], f32>
}
