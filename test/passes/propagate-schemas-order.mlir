// RUN: ragged-opt %s --ragged-propagate-schemas --ragged-verify-axes | FileCheck %s
// Packed orders and created axes come out of inference; from_values takes what only its type can say.

!unknown = !ragged.tensor<*, f32>

// CHECK-LABEL: func @transposed
// CHECK-SAME: -> !ragged.tensor<[m, n, 4], f32, order = [1, 0, 2]>
func.func @transposed(%x: !ragged.tensor<[n, m, 4], f32>) -> !unknown {
  %0 = ragged.transpose %x permutation = [1, 0, 2] : !ragged.tensor<[n, m, 4], f32> -> !unknown
  return %0 : !unknown
}

// CHECK-LABEL: func @created
// CHECK-SAME: -> !ragged.tensor<[k, 8], f32>
func.func @created(%v: tensor<?x8xf32>, %l: tensor<?xi64>) -> !unknown {
  %0 = ragged.from_values %v, %l axes = ["k"] : tensor<?x8xf32>, tensor<?xi64> -> !unknown
  return %0 : !unknown
}
