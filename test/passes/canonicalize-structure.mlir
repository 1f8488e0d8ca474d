// RUN: ragged-opt %s --canonicalize --split-input-file | FileCheck %s
// Canonical forms of the ops that change schemas.

// CHECK-LABEL: func @cast_there_and_back
// CHECK-SAME: %[[X:.*]]: !ragged.tensor<[n], f32>
// CHECK-NEXT: return %[[X]]
func.func @cast_there_and_back(%x: !ragged.tensor<[n], f32>) -> !ragged.tensor<[n], f32> {
  %0 = ragged.schema_cast %x : !ragged.tensor<[n], f32> -> !ragged.tensor<*, f32>
  %1 = ragged.schema_cast %0 : !ragged.tensor<*, f32> -> !ragged.tensor<[n], f32>
  return %1 : !ragged.tensor<[n], f32>
}

// The casts say what %x is, so they stay.
// CHECK-LABEL: func @cast_of_unknown
// CHECK-COUNT-2: ragged.schema_cast
func.func @cast_of_unknown(%x: !ragged.tensor<*, f32>) -> !ragged.tensor<*, f32> {
  %0 = ragged.schema_cast %x : !ragged.tensor<*, f32> -> !ragged.tensor<[4], f32>
  %1 = ragged.schema_cast %0 : !ragged.tensor<[4], f32> -> !ragged.tensor<*, f32>
  return %1 : !ragged.tensor<*, f32>
}

// -----

// CHECK-LABEL: func @transpose_of_transpose
// CHECK-SAME: %[[X:.*]]: !ragged.tensor<[n, m, 4], f32>
// CHECK-NEXT: %[[Y:.*]] = ragged.transpose %[[X]] permutation = [2, 1, 0] : !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[4, m, n], f32, order = [2, 1, 0]>
// CHECK-NEXT: return %[[Y]]
func.func @transpose_of_transpose(%x: !ragged.tensor<[n, m, 4], f32>) -> !ragged.tensor<[4, m, n], f32, order = [2, 1, 0]> {
  %0 = ragged.transpose %x permutation = [1, 2, 0] : !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[m, 4, n], f32, order = [2, 0, 1]>
  %1 = ragged.transpose %0 permutation = [1, 0, 2] : !ragged.tensor<[m, 4, n], f32, order = [2, 0, 1]> -> !ragged.tensor<[4, m, n], f32, order = [2, 1, 0]>
  return %1 : !ragged.tensor<[4, m, n], f32, order = [2, 1, 0]>
}

// Two that undo each other; one that does nothing. On [n, n] only the permutation tells.
// CHECK-LABEL: func @identity_transpose
// CHECK-SAME: %[[X:.*]]: !ragged.tensor<[n, n], f32>
// CHECK-NEXT: return %[[X]], %[[X]]
func.func @identity_transpose(%x: !ragged.tensor<[n, n], f32>) -> (!ragged.tensor<[n, n], f32>, !ragged.tensor<[n, n], f32>) {
  %0 = ragged.transpose %x permutation = [1, 0] : !ragged.tensor<[n, n], f32> -> !ragged.tensor<[n, n], f32, order = [1, 0]>
  %1 = ragged.transpose %0 permutation = [1, 0] : !ragged.tensor<[n, n], f32, order = [1, 0]> -> !ragged.tensor<[n, n], f32>
  %2 = ragged.transpose %x permutation = [0, 1] : !ragged.tensor<[n, n], f32> -> !ragged.tensor<[n, n], f32>
  return %1, %2 : !ragged.tensor<[n, n], f32>, !ragged.tensor<[n, n], f32>
}

// -----

// CHECK-LABEL: func @reorder
// CHECK-SAME: %[[X:.*]]: !ragged.tensor<[n, m], f32>, %[[Y:.*]]: !ragged.tensor<[n, m], f32, order = [1, 0]>
// CHECK-NEXT: %[[Z:.*]] = ragged.reorder %[[X]] order = [1, 0]
// CHECK-NEXT: return %[[Z]], %[[Y]], %[[X]]
func.func @reorder(%x: !ragged.tensor<[n, m], f32>, %y: !ragged.tensor<[n, m], f32, order = [1, 0]>)
    -> (!ragged.tensor<[n, m], f32, order = [1, 0]>, !ragged.tensor<[n, m], f32, order = [1, 0]>, !ragged.tensor<[n, m], f32>) {
  %0 = ragged.reorder %x order = [1, 0] : !ragged.tensor<[n, m], f32> -> !ragged.tensor<[n, m], f32, order = [1, 0]>
  %1 = ragged.reorder %y order = [1, 0] : !ragged.tensor<[n, m], f32, order = [1, 0]> -> !ragged.tensor<[n, m], f32, order = [1, 0]>
  %2 = ragged.reorder %0 order = [0, 1] : !ragged.tensor<[n, m], f32, order = [1, 0]> -> !ragged.tensor<[n, m], f32>
  return %0, %1, %2 : !ragged.tensor<[n, m], f32, order = [1, 0]>, !ragged.tensor<[n, m], f32, order = [1, 0]>, !ragged.tensor<[n, m], f32>
}

// -----

// CHECK-LABEL: func @squeeze
// CHECK-SAME: %[[X:.*]]: !ragged.tensor<[n, 1, 4], f32>
// CHECK-NEXT: %[[S:.*]] = ragged.expand_dims %[[X]] dim = 0
// CHECK-NEXT: %[[T:.*]] = ragged.squeeze %[[S]] dims = [2]
// CHECK-NEXT: return %[[X]], %[[X]], %[[T]]
func.func @squeeze(%x: !ragged.tensor<[n, 1, 4], f32>) -> (!ragged.tensor<[n, 1, 4], f32>, !ragged.tensor<[n, 1, 4], f32>, !ragged.tensor<[1, n, 4], f32, order = [1, 2, 0]>) {
  %0 = ragged.expand_dims %x dim = 0 : !ragged.tensor<[n, 1, 4], f32> -> !ragged.tensor<[1, n, 1, 4], f32, order = [1, 2, 3, 0]>
  %1 = ragged.squeeze %0 dims = [0] : !ragged.tensor<[1, n, 1, 4], f32, order = [1, 2, 3, 0]> -> !ragged.tensor<[n, 1, 4], f32>
  %2 = ragged.squeeze %x dims = [] : !ragged.tensor<[n, 1, 4], f32> -> !ragged.tensor<[n, 1, 4], f32>
  %3 = ragged.squeeze %0 dims = [2] : !ragged.tensor<[1, n, 1, 4], f32, order = [1, 2, 3, 0]> -> !ragged.tensor<[1, n, 4], f32, order = [1, 2, 0]>
  return %1, %2, %3 : !ragged.tensor<[n, 1, 4], f32>, !ragged.tensor<[n, 1, 4], f32>, !ragged.tensor<[1, n, 4], f32, order = [1, 2, 0]>
}

// -----

// CHECK-LABEL: func @broadcast_of_expand_dims
// CHECK-SAME: %[[X:.*]]: !ragged.tensor<[n, 4], f32>, %[[Y:.*]]: !ragged.tensor<[n, m, 4], f32>
// CHECK-NEXT: ragged.broadcast %[[X]] dims = [0, 2] like %[[Y]]
// CHECK-NEXT: return
func.func @broadcast_of_expand_dims(%x: !ragged.tensor<[n, 4], f32>, %y: !ragged.tensor<[n, m, 4], f32>) -> !ragged.tensor<[n, m, 4], f32> {
  %0 = ragged.expand_dims %x dim = 1 : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 1, 4], f32, order = [0, 2, 1]>
  %1 = ragged.broadcast %0 dims = [0, 1, 2] like %y : !ragged.tensor<[n, 1, 4], f32, order = [0, 2, 1]>, !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32>
  return %1 : !ragged.tensor<[n, m, 4], f32>
}

// CHECK-LABEL: func @broadcast_of_broadcast
// CHECK-SAME: %[[W:.*]]: tensor<4xf32>, %[[X:.*]]: !ragged.tensor<[n, 4], f32>, %[[Y:.*]]: !ragged.tensor<[m, n, 4], f32>
// CHECK-NEXT: ragged.broadcast %[[W]] dims = [2] like %[[Y]]
// CHECK-NEXT: return
func.func @broadcast_of_broadcast(%w: tensor<4xf32>, %x: !ragged.tensor<[n, 4], f32>, %y: !ragged.tensor<[m, n, 4], f32>) -> !ragged.tensor<[m, n, 4], f32> {
  %0 = ragged.broadcast %w dims = [1] like %x : tensor<4xf32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %1 = ragged.broadcast %0 dims = [1, 2] like %y : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[m, n, 4], f32> -> !ragged.tensor<[m, n, 4], f32>
  return %1 : !ragged.tensor<[m, n, 4], f32>
}

// To its own type, but of these two the second one transposes.
// CHECK-LABEL: func @broadcast_to_itself
// CHECK-SAME: %[[X:.*]]: !ragged.tensor<[n, n], f32>
// CHECK-NEXT: %[[T:.*]] = ragged.broadcast %[[X]] dims = [1, 0] like %[[X]]
// CHECK-NEXT: return %[[X]], %[[T]]
func.func @broadcast_to_itself(%x: !ragged.tensor<[n, n], f32>) -> (!ragged.tensor<[n, n], f32>, !ragged.tensor<[n, n], f32>) {
  %0 = ragged.broadcast %x dims = [0, 1] like %x : !ragged.tensor<[n, n], f32>, !ragged.tensor<[n, n], f32> -> !ragged.tensor<[n, n], f32>
  %1 = ragged.broadcast %x dims = [1, 0] like %x : !ragged.tensor<[n, n], f32>, !ragged.tensor<[n, n], f32> -> !ragged.tensor<[n, n], f32>
  return %0, %1 : !ragged.tensor<[n, n], f32>, !ragged.tensor<[n, n], f32>
}

// -----

// Of builtin tensors: a static shape is the same; an open one is compared at run time, also by what is
// left of two broadcasts. A ragged one takes no operand of open shape.
// CHECK-LABEL: func @dense_broadcast
// CHECK-SAME: %[[X:.*]]: tensor<4x3xf32>, %[[Y:.*]]: tensor<?xf32>, %[[Z:.*]]: tensor<?x3xf32>, %[[R:.*]]: !ragged.tensor<[n, 4, 3], f32>
// CHECK-NEXT: %[[O:.*]] = ragged.broadcast %[[Z]] dims = [0, 1] like %[[Z]]
// CHECK-NEXT: %[[T:.*]] = ragged.broadcast %[[Y]] dims = [0] like %[[X]]
// CHECK-NEXT: %[[A:.*]] = ragged.broadcast %[[Y]] dims = [0] like %[[X]]
// CHECK-NEXT: %[[B:.*]] = ragged.broadcast %[[A]] dims = [1, 2] like %[[R]]
// CHECK-NEXT: return %[[X]], %[[O]], %[[T]], %[[B]]
func.func @dense_broadcast(%x: tensor<4x3xf32>, %y: tensor<?xf32>, %z: tensor<?x3xf32>, %r: !ragged.tensor<[n, 4, 3], f32>)
    -> (tensor<4x3xf32>, tensor<?x3xf32>, tensor<4x3xf32>, !ragged.tensor<[n, 4, 3], f32>) {
  %0 = ragged.broadcast %x dims = [0, 1] like %x : tensor<4x3xf32>, tensor<4x3xf32> -> tensor<4x3xf32>
  %1 = ragged.broadcast %z dims = [0, 1] like %z : tensor<?x3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
  %2 = ragged.broadcast %y dims = [0] like %z : tensor<?xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
  %3 = ragged.broadcast %2 dims = [0, 1] like %x : tensor<?x3xf32>, tensor<4x3xf32> -> tensor<4x3xf32>
  %4 = ragged.broadcast %y dims = [0] like %x : tensor<?xf32>, tensor<4x3xf32> -> tensor<4x3xf32>
  %5 = ragged.broadcast %4 dims = [1, 2] like %r : tensor<4x3xf32>, !ragged.tensor<[n, 4, 3], f32> -> !ragged.tensor<[n, 4, 3], f32>
  return %0, %1, %3, %5 : tensor<4x3xf32>, tensor<?x3xf32>, tensor<4x3xf32>, !ragged.tensor<[n, 4, 3], f32>
}

// -----

// An axis is the same as itself; the check of one against another stays where its result is used.
// CHECK-LABEL: func @assume_same_axis
// CHECK-SAME: %[[X:.*]]: !ragged.tensor<[n], f32>, %[[Y:.*]]: !ragged.tensor<[m], f32>
// CHECK-NEXT: %[[Z:.*]] = ragged.assume_same_axis %[[Y]] dims = [0] to = "n"
// CHECK-NEXT: return %[[X]], %[[Z]]
func.func @assume_same_axis(%x: !ragged.tensor<[n], f32>, %y: !ragged.tensor<[m], f32>) -> (!ragged.tensor<[n], f32>, !ragged.tensor<[n], f32>) {
  %0 = ragged.assume_same_axis %x dims = [0] to = "n" like %x : !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  %1 = ragged.assume_same_axis %y dims = [0] to = "n" like %x : !ragged.tensor<[m], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  return %0, %1 : !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32>
}

// -----

// CHECK-LABEL: func @unused
// CHECK-NEXT: return
func.func @unused(%x: !ragged.tensor<[n, 4], f32>) {
  %0 = ragged.exp %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %1 = ragged.sum %0 dims = [1] : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n], f32>
  return
}
