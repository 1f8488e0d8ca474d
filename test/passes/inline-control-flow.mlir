// RUN: ragged-opt %s --ragged-verify-axes --ragged-inline --ragged-verify-axes | FileCheck %s
// Callees with loops and branches, calls of calls, func.call; what must stay stays.

// CHECK-NOT: func private @looped
func.func private @looped(%x: !ragged.tensor<[a, 4], f32>, %n: index, %c: i1) -> !ragged.tensor<[a, 4], f32> {
  %0 = scf.for %i = %n to %n step %n iter_args(%y = %x) -> !ragged.tensor<[a, 4], f32> {
    %1 = scf.if %c -> !ragged.tensor<[a, 4], f32> {
      %2 = ragged.exp %y : !ragged.tensor<[a, 4], f32> -> !ragged.tensor<[a, 4], f32>
      scf.yield %2 : !ragged.tensor<[a, 4], f32>
    } else {
      scf.yield %x : !ragged.tensor<[a, 4], f32>
    }
    scf.yield %1 : !ragged.tensor<[a, 4], f32>
  }
  return %0 : !ragged.tensor<[a, 4], f32>
}

// CHECK-NOT: func private @same_names
func.func private @same_names(%x: !ragged.tensor<[n, 4], f32>, %n: index, %c: i1) -> !ragged.tensor<[n, 4], f32> {
  %0 = ragged.call @looped(%x, %n, %c) : (!ragged.tensor<[n, 4], f32>, index, i1) -> !ragged.tensor<[n, 4], f32>
  return %0 : !ragged.tensor<[n, 4], f32>
}

// CHECK-LABEL: func @nested
// CHECK-SAME: %[[X:.*]]: !ragged.tensor<[n, 4], f32>, %[[N:.*]]: index, %[[C:.*]]: i1
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[Y:.*]] = %[[X]]) -> (!ragged.tensor<[n, 4], f32>)
// CHECK:   scf.if %[[C]] -> (!ragged.tensor<[n, 4], f32>)
// CHECK:     ragged.exp %[[Y]]
// CHECK:     scf.yield %[[X]]
// CHECK: return %[[R]]
func.func @nested(%x: !ragged.tensor<[n, 4], f32>, %n: index, %c: i1) -> !ragged.tensor<[n, 4], f32> {
  %0 = func.call @same_names(%x, %n, %c) : (!ragged.tensor<[n, 4], f32>, index, i1) -> !ragged.tensor<[n, 4], f32>
  return %0 : !ragged.tensor<[n, 4], f32>
}

// A declaration cannot be inlined; a public callee is inlined and kept; the identity leaves nothing.
// CHECK: func private @declared
func.func private @declared(!ragged.tensor<[n, 4], f32>) -> !ragged.tensor<[n, 4], f32>
// CHECK-LABEL: func @identity
func.func @identity(%x: !ragged.tensor<[n, 4], f32>) -> !ragged.tensor<[n, 4], f32> {
  return %x : !ragged.tensor<[n, 4], f32>
}
// CHECK-LABEL: func @keeps
// CHECK-NEXT: %[[R:.*]] = ragged.call @declared
// CHECK-NEXT: return %[[R]]
func.func @keeps(%x: !ragged.tensor<[m, 4], f32>) -> !ragged.tensor<[m, 4], f32> {
  %0 = ragged.call @declared(%x) : (!ragged.tensor<[m, 4], f32>) -> !ragged.tensor<[m, 4], f32>
  %1 = ragged.call @identity(%0) : (!ragged.tensor<[m, 4], f32>) -> !ragged.tensor<[m, 4], f32>
  return %1 : !ragged.tensor<[m, 4], f32>
}

// Results that the call leaves unknown are cast to it; propagation folds the cast.
// CHECK-LABEL: func @unknown_result
// CHECK: %[[R:.*]] = ragged.schema_cast %{{.*}} : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
// CHECK: return %[[R]]
func.func @unknown_result(%x: !ragged.tensor<[n, 4], f32>) -> !ragged.tensor<*, f32> {
  %0 = ragged.call @identity(%x) : (!ragged.tensor<[n, 4], f32>) -> !ragged.tensor<*, f32>
  return %0 : !ragged.tensor<*, f32>
}

// A private function that some attribute names is kept.
// CHECK: func private @named_elsewhere
func.func private @named_elsewhere() {
  return
}
module attributes {ragged.uses = [@named_elsewhere]} {
}
