// An axis expression is stored in its canonical text, so that equal axes have equal types.
// RUN: ragged-opt %s --verify-roundtrip | FileCheck %s
// RUN: ragged-opt %s --emit-bytecode | ragged-opt | FileCheck %s

// CHECK-LABEL: @sums
// CHECK-SAME: [m + n]
// CHECK-SAME: [m + n]
// CHECK-SAME: [n - 1]
// CHECK-SAME: [n]
// CHECK-SAME: [2 * n + 3]
// CHECK-SAME: [-n + 10]
func.func private @sums(!ragged.tensor<[n + m], f32>, !ragged.tensor<[m+n], f32>,
                        !ragged.tensor<[-1 + n], f32>, !ragged.tensor<[n + 1 - 1], f32>,
                        !ragged.tensor<[n + 3 + n], f32>, !ragged.tensor<[10 - n], f32>)

// CHECK-LABEL: @products
// CHECK-SAME: [m + m * n]
// CHECK-SAME: [m * n]
// CHECK-SAME: [6 * n]
func.func private @products(!ragged.tensor<[(n + 1) * m], f32>, !ragged.tensor<[n * m], f32>,
                            !ragged.tensor<[2 * n * 3], f32>)

// CHECK-LABEL: @floordiv
// CHECK-SAME: [(h + 1) floordiv 2, (w + 1) floordiv 2, 3]
// CHECK-SAME: [n]
func.func private @floordiv(
    !ragged.tensor<[(h - 1) floordiv 2 + 1, 1 + (w-1) floordiv 2, 3], f32>,
    !ragged.tensor<[2 * n floordiv 2], f32>)

// CHECK-LABEL: @extrema
// CHECK-SAME: [max(m, n)]
// CHECK-SAME: [min(m, n + 1)]
func.func private @extrema(!ragged.tensor<[max(n, m)], f32>, !ragged.tensor<[min(n + 1, m)], f32>)

// Differently spelled, the same type: a function may return its argument.
// CHECK-LABEL: @same
func.func @same(%x: !ragged.tensor<[n + m, 4], f32>) -> !ragged.tensor<[m + n, 4], f32> {
  return %x : !ragged.tensor<[n + m, 4], f32>
}
