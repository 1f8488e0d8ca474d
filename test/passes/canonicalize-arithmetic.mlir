// RUN: ragged-opt %s --canonicalize --split-input-file | FileCheck %s
// Canonical forms of reductions and elementwise ops: only what keeps every bit.

!x = !ragged.tensor<[n, 4], f32>
!i = !ragged.tensor<[n, 4], i64>

// CHECK-LABEL: func @reduce_nothing
// CHECK-SAME: %[[X:.*]]: !ragged
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]]
func.func @reduce_nothing(%x: !x) -> (!x, !x, !x) {
  %0 = ragged.sum %x dims = [] : !x -> !x
  %1 = ragged.max %x dims = [] keep_dims : !x -> !x
  %2 = ragged.mean %x dims = [] empty = zero : !x -> !x
  return %0, %1, %2 : !x, !x, !x
}

// -----

!x = !ragged.tensor<[n, 4], f32>

// CHECK-LABEL: func @one
// CHECK-SAME: %[[X:.*]]: !ragged
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]]
func.func @one(%x: !x) -> (!x, !x, !x) {
  %one = arith.constant 1.0 : f32
  %0 = ragged.mul %x, %one : !x, f32 -> !x
  %1 = ragged.mul %one, %x : f32, !x -> !x
  %2 = ragged.div %x, %one : !x, f32 -> !x
  return %0, %1, %2 : !x, !x, !x
}

// x + 0 would turn -0 into 0, and 0 - x and 1 / x are no identity.
// CHECK-LABEL: func @float_zero
// CHECK-SAME: %[[X:.*]]: !ragged
// CHECK-DAG: %[[A:.*]] = ragged.add %[[X]]
// CHECK-DAG: %[[B:.*]] = ragged.sub %[[X]]
// CHECK-DAG: %[[C:.*]] = ragged.sub %{{.*}}, %[[X]]
// CHECK-DAG: %[[D:.*]] = ragged.div %{{.*}}, %[[X]]
// CHECK: return %[[A]], %[[X]], %[[X]], %[[B]], %[[C]], %[[D]]
func.func @float_zero(%x: !x) -> (!x, !x, !x, !x, !x, !x) {
  %zero = arith.constant 0.0 : f32
  %negative = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %0 = ragged.add %x, %zero : !x, f32 -> !x
  %1 = ragged.add %x, %negative : !x, f32 -> !x
  %2 = ragged.sub %x, %zero : !x, f32 -> !x
  %3 = ragged.sub %x, %negative : !x, f32 -> !x
  %4 = ragged.sub %zero, %x : f32, !x -> !x
  %5 = ragged.div %one, %x : f32, !x -> !x
  return %0, %1, %2, %3, %4, %5 : !x, !x, !x, !x, !x, !x
}

// -----

!i = !ragged.tensor<[n, 4], i64>

// CHECK-LABEL: func @integers
// CHECK-SAME: %[[X:.*]]: !ragged
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]]
func.func @integers(%x: !i) -> (!i, !i, !i, !i) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %0 = ragged.add %zero, %x : i64, !i -> !i
  %1 = ragged.sub %x, %zero : !i, i64 -> !i
  %2 = ragged.mul %x, %one : !i, i64 -> !i
  %3 = ragged.div %x, %one : !i, i64 -> !i
  return %0, %1, %2, %3 : !i, !i, !i, !i
}

// -----

// An op whose result has another type than the operand stays: the schema is not known yet.
// CHECK-LABEL: func @unknown
// CHECK: ragged.mul
func.func @unknown(%x: !ragged.tensor<[n], f32>) -> !ragged.tensor<*, f32> {
  %one = arith.constant 1.0 : f32
  %0 = ragged.mul %x, %one : !ragged.tensor<[n], f32>, f32 -> !ragged.tensor<*, f32>
  return %0 : !ragged.tensor<*, f32>
}

// CHECK-LABEL: @signs
// CHECK-NEXT: return %arg0
func.func @signs(%x: !ragged.tensor<[n, 4], f32>) -> !ragged.tensor<[n, 4], f32> {
  %0 = ragged.neg %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %1 = ragged.neg %0 : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return %1 : !ragged.tensor<[n, 4], f32>
}

// CHECK-LABEL: @choices
// CHECK-SAME: (%[[C:.*]]: !ragged.tensor<[n, 4], i1>, %[[X:.*]]: !ragged.tensor<[n, 4], f32>, %[[Y:.*]]: !ragged.tensor<[n, 4], f32>, %[[Z:.*]]: !ragged.tensor<[n, 1], f32>)
// The condition may be wider than the values: then the choice stays.
// CHECK-NEXT: %[[W:.*]] = ragged.where %[[C]], %[[Z]], %[[Z]]
// CHECK-NEXT: return %[[X]], %[[X]], %[[Y]], %[[W]]
func.func @choices(%c: !ragged.tensor<[n, 4], i1>, %x: !ragged.tensor<[n, 4], f32>, %y: !ragged.tensor<[n, 4], f32>,
                   %z: !ragged.tensor<[n, 1], f32>)
    -> (!ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32>) {
  %true = arith.constant true
  %false = arith.constant false
  %0 = ragged.where %c, %x, %x : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %1 = ragged.where %true, %x, %y : i1, !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %2 = ragged.where %false, %x, %y : i1, !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %3 = ragged.where %c, %z, %z : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 1], f32>, !ragged.tensor<[n, 1], f32> -> !ragged.tensor<[n, 4], f32>
  return %0, %1, %2, %3 : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32>
}

// CHECK-LABEL: @casts
// CHECK-NEXT: %[[R:.*]] = ragged.cast %arg0 {{.*}} -> !ragged.tensor<[n, 4], bf16>
// CHECK-NEXT: return %arg0, %[[R]]
func.func @casts(%x: !ragged.tensor<[n, 4], f32>) -> (!ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], bf16>) {
  %0 = ragged.cast %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %1 = ragged.cast %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], bf16>
  return %0, %1 : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], bf16>
}

// Builtin tensors and scalars as ragged values.
// CHECK-LABEL: func @dense
// CHECK-SAME: %[[X:.*]]: tensor<?x3xf32>, %[[S:.*]]: f32
// CHECK-NEXT: return %[[X]], %[[X]], %[[S]]
func.func @dense(%x: tensor<?x3xf32>, %s: f32) -> (tensor<?x3xf32>, tensor<?x3xf32>, f32) {
  %one = arith.constant 1.0 : f32
  %0 = ragged.mul %one, %x : f32, tensor<?x3xf32> -> tensor<?x3xf32>
  %1 = ragged.mean %x dims = [] : tensor<?x3xf32> -> tensor<?x3xf32>
  %2 = ragged.div %s, %one : f32, f32 -> f32
  return %0, %1, %2 : tensor<?x3xf32>, tensor<?x3xf32>, f32
}
