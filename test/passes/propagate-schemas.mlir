// RUN: ragged-opt %s --ragged-propagate-schemas | FileCheck %s
// RUN: ragged-opt %s --ragged-propagate-schemas | FileCheck %s --check-prefix=NONE
// Unknown schemas are inferred through ops, branches, loops and calls; casts fold away.

// NONE-NOT: tensor<*
// NONE-NOT: schema_cast

!unknown = !ragged.tensor<*, f32>

// CHECK-LABEL: func @chain
// CHECK-SAME: -> !ragged.tensor<[n], f32>
// CHECK: ragged.exp {{.*}} -> !ragged.tensor<[n, 4], f32>
// CHECK: ragged.sum {{.*}} -> !ragged.tensor<[n], f32>
func.func @chain(%x: !ragged.tensor<[n, 4], f32>) -> !unknown {
  %0 = ragged.exp %x : !ragged.tensor<[n, 4], f32> -> !unknown
  %1 = ragged.sum %0 dims = [1] : !unknown -> !unknown
  return %1 : !unknown
}

// A caller that stands before its callee takes what the callee infers, under its own names.
// CHECK-LABEL: func @caller
// CHECK-SAME: -> !ragged.tensor<[m, m], f32>
// CHECK: ragged.call @callee({{.*}}) : (!ragged.tensor<[m, m, 8], f32>) -> !ragged.tensor<[m, m], f32>
func.func @caller(%x: !ragged.tensor<[m, m, 8], f32>) -> !unknown {
  %0 = ragged.call @callee(%x) : (!ragged.tensor<[m, m, 8], f32>) -> !unknown
  return %0 : !unknown
}
// CHECK-LABEL: func private @callee
// CHECK-SAME: -> !ragged.tensor<[a, b], f32>
func.func private @callee(%x: !ragged.tensor<[a, b, 8], f32>) -> !unknown {
  %0 = ragged.sum %x dims = [2] : !ragged.tensor<[a, b, 8], f32> -> !unknown
  return %0 : !unknown
}

// CHECK-LABEL: func @plain_call
// CHECK: call @chain({{.*}}) : (!ragged.tensor<[n, 4], f32>) -> !ragged.tensor<[n], f32>
func.func @plain_call(%x: !ragged.tensor<[n, 4], f32>) -> !unknown {
  %0 = func.call @chain(%x) : (!ragged.tensor<[n, 4], f32>) -> !unknown
  return %0 : !unknown
}

// CHECK-LABEL: func @branches
// CHECK: scf.if {{.*}} -> (!ragged.tensor<[n, 4], f32>)
func.func @branches(%c: i1, %x: !ragged.tensor<[n, 4], f32>) -> !unknown {
  %0 = scf.if %c -> !unknown {
    %1 = ragged.exp %x : !ragged.tensor<[n, 4], f32> -> !unknown
    scf.yield %1 : !unknown
  } else {
    %1 = ragged.schema_cast %x : !ragged.tensor<[n, 4], f32> -> !unknown
    scf.yield %1 : !unknown
  }
  return %0 : !unknown
}

// CHECK-LABEL: func @loop
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (!ragged.tensor<[n, 4], f32>)
// CHECK:   scf.if
// CHECK:     scf.yield {{.*}} : !ragged.tensor<[n, 4], f32>
// CHECK:   scf.yield {{.*}} : !ragged.tensor<[n, 4], f32>
// CHECK: return %[[R]] : !ragged.tensor<[n, 4], f32>
func.func @loop(%c: i1, %k: index, %x: !ragged.tensor<[n, 4], f32>) -> !ragged.tensor<[n, 4], f32> {
  %init = ragged.schema_cast %x : !ragged.tensor<[n, 4], f32> -> !unknown
  %0 = scf.for %i = %k to %k step %k iter_args(%y = %init) -> !unknown {
    %1 = scf.if %c -> !unknown {
      %2 = ragged.exp %y : !unknown -> !unknown
      scf.yield %2 : !unknown
    } else {
      scf.yield %y : !unknown
    }
    %3 = ragged.add %1, %x : !unknown, !ragged.tensor<[n, 4], f32> -> !unknown
    scf.yield %3 : !unknown
  }
  %4 = ragged.schema_cast %0 : !unknown -> !ragged.tensor<[n, 4], f32>
  return %4 : !ragged.tensor<[n, 4], f32>
}

// CHECK-LABEL: func @while
// CHECK: scf.while {{.*}} : (!ragged.tensor<[n, 4], f32>) -> !ragged.tensor<[n], f32>
// CHECK: return {{.*}} : !ragged.tensor<[n], f32>
func.func @while(%c: i1, %x: !ragged.tensor<[n, 4], f32>) -> !unknown {
  %init = ragged.schema_cast %x : !ragged.tensor<[n, 4], f32> -> !unknown
  %0 = scf.while (%y = %init) : (!unknown) -> !unknown {
    %1 = ragged.sum %y dims = [1] : !unknown -> !unknown
    scf.condition(%c) %1 : !unknown
  } do {
  ^bb0(%s: !unknown):
    %1 = ragged.expand_dims %s dim = 1 : !unknown -> !unknown
    %2 = ragged.broadcast %1 dims = [0, 1] like %x : !unknown, !ragged.tensor<[n, 4], f32> -> !unknown
    scf.yield %2 : !unknown
  }
  return %0 : !unknown
}

// Recursion is no hindrance where the schemas are declared.
// CHECK-LABEL: func @recursive
// CHECK: ragged.exp {{.*}} -> !ragged.tensor<[n, 4], f32>
func.func @recursive(%x: !ragged.tensor<[n, 4], f32>) -> !ragged.tensor<[n, 4], f32> {
  %0 = ragged.exp %x : !ragged.tensor<[n, 4], f32> -> !unknown
  %1 = ragged.schema_cast %0 : !unknown -> !ragged.tensor<[n, 4], f32>
  %2 = ragged.call @recursive(%1) : (!ragged.tensor<[n, 4], f32>) -> !ragged.tensor<[n, 4], f32>
  return %2 : !ragged.tensor<[n, 4], f32>
}

// Element types that an op changes: a comparison, a choice, casts, a count, one number everywhere.
// CHECK-LABEL: func @elements
// CHECK: ragged.less {{.*}} -> !ragged.tensor<[n, 4], i1>
// CHECK: ragged.where {{.*}} -> !ragged.tensor<[n, 4], f32>
// CHECK: ragged.cast {{.*}} -> !ragged.tensor<[n, 4], bf16>
// CHECK: ragged.sum {{.*}} -> !ragged.tensor<[n], i64>
// CHECK: ragged.full {{.*}} -> !ragged.tensor<[n, 4], f64>
func.func @elements(%x: !ragged.tensor<[n, 4], f32>, %s: f64)
    -> (!ragged.tensor<*, bf16>, !ragged.tensor<*, i64>, !ragged.tensor<*, f64>) {
  %u = ragged.exp %x : !ragged.tensor<[n, 4], f32> -> !unknown
  %0 = ragged.less %u, %x : !unknown, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, i1>
  %1 = ragged.where %0, %u, %x : !ragged.tensor<*, i1>, !unknown, !ragged.tensor<[n, 4], f32> -> !unknown
  %2 = ragged.cast %1 : !unknown -> !ragged.tensor<*, bf16>
  %3 = ragged.sum %0 dims = [1] : !ragged.tensor<*, i1> -> !ragged.tensor<*, i64>
  %4 = ragged.full %s like %1 : f64, !unknown -> !ragged.tensor<*, f64>
  return %2, %3, %4 : !ragged.tensor<*, bf16>, !ragged.tensor<*, i64>, !ragged.tensor<*, f64>
}
