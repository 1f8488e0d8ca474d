// Calls in text, generic form and bytecode, and what unification accepts.
// RUN: ragged-opt %s --verify-roundtrip | FileCheck %s
// RUN: ragged-opt %s | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --mlir-print-op-generic | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --emit-bytecode | ragged-opt | FileCheck %s

func.func private @layer(!ragged.tensor<[n, 4], f32>, tensor<4xf32>) -> !ragged.tensor<[n, 4], f32>
func.func private @outer(!ragged.tensor<[n], f32>, !ragged.tensor<[m], f32>) -> !ragged.tensor<[n, m], f32>
func.func private @join(!ragged.tensor<[n], f32>, !ragged.tensor<[m], f32>, !ragged.tensor<[m + n], f32>) -> !ragged.tensor<[n - 1], f32>
func.func private @create(!ragged.tensor<[n], f32>) -> (!ragged.tensor<[k, n], f32>, !ragged.tensor<[l + k], f32>, i64)
func.func private @nothing()
func.func private @open(!ragged.tensor<*, f32>) -> (!ragged.tensor<*, f32>, !ragged.tensor<[n], f32>)

// CHECK-LABEL: @renames
func.func @renames(%x: !ragged.tensor<[a, 4], f32>, %w: tensor<4xf32>, %u: !ragged.tensor<[a], f32>, %e: !ragged.tensor<[a - 1], f32>) {
  // CHECK: ragged.call @layer(%{{.*}}, %{{.*}}) : (!ragged.tensor<[a, 4], f32>, tensor<4xf32>) -> !ragged.tensor<[a, 4], f32>
  %0 = ragged.call @layer(%x, %w) : (!ragged.tensor<[a, 4], f32>, tensor<4xf32>) -> !ragged.tensor<[a, 4], f32>
  // Two axes of the callee may be one here, and an axis may be an expression.
  // CHECK: ragged.call @outer(%{{.*}}) : (!ragged.tensor<[a], f32>, !ragged.tensor<[a], f32>) -> !ragged.tensor<[a, a], f32>
  %1 = ragged.call @outer(%u, %u) : (!ragged.tensor<[a], f32>, !ragged.tensor<[a], f32>) -> !ragged.tensor<[a, a], f32>
  // CHECK: -> !ragged.tensor<[a - 1, a], f32>
  %2 = ragged.call @outer(%e, %u) : (!ragged.tensor<[a - 1], f32>, !ragged.tensor<[a], f32>) -> !ragged.tensor<[a - 1, a], f32>
  // CHECK: ragged.call @nothing() : () -> ()
  ragged.call @nothing() : () -> ()
  return
}

// CHECK-LABEL: @expressions
func.func @expressions(%x: !ragged.tensor<[a + 2], f32>, %y: !ragged.tensor<[b], f32>, %z: !ragged.tensor<[a + b + 2], f32>) {
  // CHECK: ragged.call @join({{.*}}) : ({{.*}}) -> !ragged.tensor<[a + 1], f32>
  %0 = ragged.call @join(%x, %y, %z) : (!ragged.tensor<[a + 2], f32>, !ragged.tensor<[b], f32>, !ragged.tensor<[a + b + 2], f32>) -> !ragged.tensor<[a + 1], f32>
  return
}

// Names are given in the order in which the results mention what no argument bears.
// CHECK-LABEL: @names
func.func @names(%x: !ragged.tensor<[k], f32>) {
  // CHECK: ragged.call @create(%{{.*}}) axes = ["p", "q"] : (!ragged.tensor<[k], f32>) -> (!ragged.tensor<[p, k], f32>, !ragged.tensor<[p + q], f32>, i64)
  %0:3 = ragged.call @create(%x) axes = ["p", "q"] : (!ragged.tensor<[k], f32>) -> (!ragged.tensor<[p, k], f32>, !ragged.tensor<[p + q], f32>, i64)
  return
}

// What hangs on a schema that is still to be inferred is accepted.
// CHECK-LABEL: @unknown
func.func @unknown(%x: !ragged.tensor<*, f32>, %y: !ragged.tensor<[b], f32>, %w: tensor<4xf32>) {
  // CHECK: ragged.call @layer
  %0 = ragged.call @layer(%x, %w) : (!ragged.tensor<*, f32>, tensor<4xf32>) -> !ragged.tensor<*, f32>
  // CHECK: ragged.call @layer
  %1 = ragged.call @layer(%x, %w) : (!ragged.tensor<*, f32>, tensor<4xf32>) -> !ragged.tensor<[c, 4], f32>
  // CHECK: ragged.call @join
  %2 = ragged.call @join(%y, %x, %y) : (!ragged.tensor<[b], f32>, !ragged.tensor<*, f32>, !ragged.tensor<[b], f32>) -> !ragged.tensor<[b - 1], f32>
  // CHECK: ragged.call @outer
  %3 = ragged.call @outer(%y, %y) : (!ragged.tensor<[b], f32>, !ragged.tensor<[b], f32>) -> !ragged.tensor<*, f32>
  // CHECK: ragged.call @open
  %4:2 = ragged.call @open(%y) : (!ragged.tensor<[b], f32>) -> (!ragged.tensor<*, f32>, !ragged.tensor<[b], f32>)
  return
}
