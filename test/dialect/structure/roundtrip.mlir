// Structure ops in text, generic form and bytecode.
// RUN: ragged-opt %s --verify-roundtrip | FileCheck %s
// RUN: ragged-opt %s | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --mlir-print-op-generic | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --emit-bytecode | ragged-opt | FileCheck %s

// CHECK-LABEL: @expand_dims
func.func @expand_dims(%x: !ragged.tensor<[n, 128], f32>, %y: !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>) {
  // CHECK: ragged.expand_dims %{{.*}} dim = 0 : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[1, n, 128], f32, order = [1, 2, 0]>
  %0 = ragged.expand_dims %x dim = 0 : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[1, n, 128], f32, order = [1, 2, 0]>
  // CHECK: ragged.expand_dims %{{.*}} dim = 2 : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[n, 128, 1], f32>
  %1 = ragged.expand_dims %x dim = 2 : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[n, 128, 1], f32>
  // CHECK: -> !ragged.tensor<[n, 1, m, 4], f32, order = [2, 0, 3, 1]>
  %2 = ragged.expand_dims %y dim = 1 : !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]> -> !ragged.tensor<[n, 1, m, 4], f32, order = [2, 0, 3, 1]>
  return
}

// CHECK-LABEL: @squeeze
func.func @squeeze(%x: !ragged.tensor<[1, n, m, 1, 4], f32, order = [2, 1, 0, 3, 4]>) {
  // CHECK: ragged.squeeze %{{.*}} dims = [0, 3] : {{.*}} -> !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>
  %0 = ragged.squeeze %x dims = [0, 3] : !ragged.tensor<[1, n, m, 1, 4], f32, order = [2, 1, 0, 3, 4]> -> !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>
  // CHECK: ragged.squeeze %{{.*}} dims = [] :
  %1 = ragged.squeeze %0 dims = [] : !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]> -> !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>
  return
}

// CHECK-LABEL: @broadcast
func.func @broadcast(%w: tensor<128xf32>, %s: bf16, %x: !ragged.tensor<[n, 128], f64>, %d: tensor<2x1xi64>,
                     %p: !ragged.tensor<[n, n, 128], f32>, %t: !ragged.tensor<[n, m, 2], f32, order = [1, 0, 2]>) {
  // CHECK: ragged.broadcast %{{.*}} dims = [2] like %{{.*}} : tensor<128xf32>, !ragged.tensor<[n, n, 128], f32> -> !ragged.tensor<[n, n, 128], f32>
  %0 = ragged.broadcast %w dims = [2] like %p : tensor<128xf32>, !ragged.tensor<[n, n, 128], f32> -> !ragged.tensor<[n, n, 128], f32>
  // A scalar goes everywhere; the element type is the operand's, the order that of `like`.
  // CHECK: ragged.broadcast %{{.*}} dims = [] like %{{.*}} : bf16, {{.*}} -> !ragged.tensor<[n, m, 2], bf16, order = [1, 0, 2]>
  %1 = ragged.broadcast %s dims = [] like %t : bf16, !ragged.tensor<[n, m, 2], f32, order = [1, 0, 2]> -> !ragged.tensor<[n, m, 2], bf16, order = [1, 0, 2]>
  // CHECK: ragged.broadcast %{{.*}} dims = [1, 2] like
  %2 = ragged.broadcast %x dims = [1, 2] like %p : !ragged.tensor<[n, 128], f64>, !ragged.tensor<[n, n, 128], f32> -> !ragged.tensor<[n, n, 128], f64>
  // Dimensions may cross, and a static 1 goes to a ragged one.
  // CHECK: ragged.broadcast %{{.*}} dims = [2, 0] like
  %3 = ragged.broadcast %d dims = [2, 0] like %t : tensor<2x1xi64>, !ragged.tensor<[n, m, 2], f32, order = [1, 0, 2]> -> !ragged.tensor<[n, m, 2], i64, order = [1, 0, 2]>
  return
}

// CHECK-LABEL: @dense_broadcast
func.func @dense_broadcast(%w: tensor<4xf32>, %u: tensor<1x?xf32>, %l: tensor<5x?xi64>, %s: bf16, %z: tensor<f64>) {
  // CHECK: ragged.broadcast %{{.*}} dims = [1] like %{{.*}} : tensor<4xf32>, tensor<5x?xi64> -> tensor<5x?xf32>
  %0 = ragged.broadcast %w dims = [1] like %l : tensor<4xf32>, tensor<5x?xi64> -> tensor<5x?xf32>
  // CHECK: ragged.broadcast %{{.*}} dims = [0, 1] like %{{.*}} : tensor<1x?xf32>, tensor<5x?xi64> -> tensor<5x?xf32>
  %1 = ragged.broadcast %u dims = [0, 1] like %l : tensor<1x?xf32>, tensor<5x?xi64> -> tensor<5x?xf32>
  // A scalar becomes a tensor of rank 0, and is read out of one.
  // CHECK: ragged.broadcast %{{.*}} dims = [] like %{{.*}} : bf16, tensor<f64> -> tensor<bf16>
  %2 = ragged.broadcast %s dims = [] like %z : bf16, tensor<f64> -> tensor<bf16>
  // CHECK: tensor.extract %{{.*}}[] : tensor<bf16>
  %3 = tensor.extract %2[] : tensor<bf16>
  return
}

// CHECK-LABEL: @permutations
func.func @permutations(%x: !ragged.tensor<[n, m, 128], f32>) {
  // CHECK: ragged.transpose %{{.*}} permutation = [1, 0, 2] : !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[m, n, 128], f32, order = [1, 0, 2]>
  %0 = ragged.transpose %x permutation = [1, 0, 2] : !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[m, n, 128], f32, order = [1, 0, 2]>
  // CHECK: ragged.transpose %{{.*}} permutation = [2, 0, 1] : !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[128, n, m], f32>
  %1 = ragged.transpose %x permutation = [2, 0, 1] : !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[128, n, m], f32>
  // CHECK: ragged.reorder %{{.*}} order = [1, 0, 2] : !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[n, m, 128], f32, order = [1, 0, 2]>
  %2 = ragged.reorder %x order = [1, 0, 2] : !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[n, m, 128], f32, order = [1, 0, 2]>
  return
}

// CHECK-LABEL: @assume_same_axis
func.func @assume_same_axis(%x: !ragged.tensor<[m, m, n, 4], f32>, %y: !ragged.tensor<[n], i64>, %e: !ragged.tensor<[n - 1], f32>) {
  // CHECK: ragged.assume_same_axis %{{.*}} dims = [0, 1] to = "n" like %{{.*}} : !ragged.tensor<[m, m, n, 4], f32>, !ragged.tensor<[n], i64> -> !ragged.tensor<[n, n, n, 4], f32>
  %0 = ragged.assume_same_axis %x dims = [0, 1] to = "n" like %y : !ragged.tensor<[m, m, n, 4], f32>, !ragged.tensor<[n], i64> -> !ragged.tensor<[n, n, n, 4], f32>
  // Axes may be expressions.
  // CHECK: ragged.assume_same_axis %{{.*}} dims = [0] to = "n - 1" like
  %1 = ragged.assume_same_axis %y dims = [0] to = "n - 1" like %e : !ragged.tensor<[n], i64>, !ragged.tensor<[n - 1], f32> -> !ragged.tensor<[n - 1], i64>
  // One of two dimensions along an axis.
  // CHECK: ragged.assume_same_axis %{{.*}} dims = [1] to = "n" like %{{.*}} -> !ragged.tensor<[m, n, n, 4], f32>
  %2 = ragged.assume_same_axis %x dims = [1] to = "n" like %y : !ragged.tensor<[m, m, n, 4], f32>, !ragged.tensor<[n], i64> -> !ragged.tensor<[m, n, n, 4], f32>
  // Dimensions along several axes; one that runs along `to` already.
  // CHECK: ragged.assume_same_axis %{{.*}} dims = [2, 0] to = "n" like %{{.*}} -> !ragged.tensor<[n, m, n, 4], f32>
  %3 = ragged.assume_same_axis %x dims = [2, 0] to = "n" like %y : !ragged.tensor<[m, m, n, 4], f32>, !ragged.tensor<[n], i64> -> !ragged.tensor<[n, m, n, 4], f32>
  return
}

// CHECK-LABEL: @schema_cast
func.func @schema_cast(%x: !ragged.tensor<[n, 4], f32>) {
  // CHECK: ragged.schema_cast %{{.*}} : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  %0 = ragged.schema_cast %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  // CHECK: ragged.schema_cast %{{.*}} : !ragged.tensor<*, f32> -> !ragged.tensor<[n, 4], f32>
  %1 = ragged.schema_cast %0 : !ragged.tensor<*, f32> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.schema_cast %{{.*}} : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %2 = ragged.schema_cast %1 : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// The 1 may be declared anywhere among the static dimensions of the packed order.
// CHECK-LABEL: func.func @declared_order
func.func @declared_order(%x: !ragged.tensor<[n, 128], f32>) -> !ragged.tensor<[n, 1, 128], f32> {
  // CHECK: ragged.expand_dims %{{.*}} dim = 1 : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[n, 1, 128], f32>
  %y = ragged.expand_dims %x dim = 1 : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[n, 1, 128], f32>
  return %y : !ragged.tensor<[n, 1, 128], f32>
}
