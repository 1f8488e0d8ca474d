// Reductions in text, generic form and bytecode.
// RUN: ragged-opt %s --verify-roundtrip | FileCheck %s
// RUN: ragged-opt %s | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --mlir-print-op-generic | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --emit-bytecode | ragged-opt | FileCheck %s

// CHECK-LABEL: @dims
func.func @dims(%p: !ragged.tensor<[n, m, 128], f32>, %t: !ragged.tensor<[n, m, 128], i64, order = [1, 0, 2]>) {
  // CHECK: ragged.sum %{{.*}} dims = [1] : !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[n, 128], f32>
  %0 = ragged.sum %p dims = [1] : !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[n, 128], f32>
  // CHECK: ragged.max %{{.*}} dims = [2, 0] : !ragged.tensor<[n, m, 128], i64, order = [1, 0, 2]> -> !ragged.tensor<[m], i64>
  %1 = ragged.max %t dims = [2, 0] : !ragged.tensor<[n, m, 128], i64, order = [1, 0, 2]> -> !ragged.tensor<[m], i64>
  // Over the whole sample; over nothing.
  // CHECK: ragged.mean %{{.*}} dims = [0, 1, 2] : !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[], f32>
  %2 = ragged.mean %p dims = [0, 1, 2] : !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[], f32>
  // CHECK: ragged.sum %{{.*}} dims = [] : !ragged.tensor<[n, m, 128], i64, order = [1, 0, 2]> -> !ragged.tensor<[n, m, 128], i64, order = [1, 0, 2]>
  %3 = ragged.sum %t dims = [] : !ragged.tensor<[n, m, 128], i64, order = [1, 0, 2]> -> !ragged.tensor<[n, m, 128], i64, order = [1, 0, 2]>
  return
}

// CHECK-LABEL: @keep_dims
func.func @keep_dims(%p: !ragged.tensor<[n, m, 128], f32>) {
  // CHECK: ragged.sum %{{.*}} dims = [0] keep_dims : !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[1, m, 128], f32>
  %0 = ragged.sum %p dims = [0] keep_dims : !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[1, m, 128], f32>
  // CHECK: ragged.mean %{{.*}} dims = [0, 1] keep_dims empty = zero : !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[1, 1, 128], f32>
  %1 = ragged.mean %p dims = [0, 1] keep_dims empty = zero : !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[1, 1, 128], f32>
  // `nan` is the default and not printed.
  // CHECK: ragged.mean %{{.*}} dims = [2] : !ragged.tensor<[n, m, 128], f32>
  %2 = ragged.mean %p dims = [2] empty = nan : !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[n, m], f32>
  return
}

// CHECK-LABEL: @batch
func.func @batch(%p: !ragged.tensor<[n, m, 2, 8], bf16>, %s: !ragged.tensor<[], f64>) {
  // CHECK: ragged.sum %{{.*}} dims = [0, 1] batch : !ragged.tensor<[n, m, 2, 8], bf16> -> tensor<2x8xbf16>
  %0 = ragged.sum %p dims = [0, 1] batch : !ragged.tensor<[n, m, 2, 8], bf16> -> tensor<2x8xbf16>
  // CHECK: ragged.max %{{.*}} dims = [0, 3, 1] keep_dims batch : !ragged.tensor<[n, m, 2, 8], bf16> -> tensor<1x1x2x1xbf16>
  %1 = ragged.max %p dims = [0, 3, 1] keep_dims batch : !ragged.tensor<[n, m, 2, 8], bf16> -> tensor<1x1x2x1xbf16>
  // CHECK: ragged.mean %{{.*}} dims = [] batch empty = zero : !ragged.tensor<[], f64> -> tensor<f64>
  %2 = ragged.mean %s dims = [] batch empty = zero : !ragged.tensor<[], f64> -> tensor<f64>
  return
}

// CHECK-LABEL: @positions
func.func @positions(%p: !ragged.tensor<[n, m, 128], f32>, %q: !ragged.tensor<[n, 128], bf16>, %r: tensor<1x1x128xf64>, %u: !ragged.tensor<*, f32>, %v: !ragged.tensor<*, i64>) {
  // CHECK: ragged.argmax %{{.*}} dims = [1] : !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[n, 128], i64>
  %0 = ragged.argmax %p dims = [1] : !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[n, 128], i64>
  // CHECK: ragged.argmax %{{.*}} dims = [1, 0] keep_dims batch : !ragged.tensor<[n, m, 128], f32> -> tensor<1x1x128xi64>
  %1 = ragged.argmax %p dims = [1, 0] keep_dims batch : !ragged.tensor<[n, m, 128], f32> -> tensor<1x1x128xi64>
  // CHECK: ragged.scatter_max %{{.*}}, %{{.*}} dims = [1] like %{{.*}} : !ragged.tensor<[n, 128], bf16>, !ragged.tensor<[n, 128], i64>, !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[n, m, 128], bf16>
  %2 = ragged.scatter_max %q, %0 dims = [1] like %p : !ragged.tensor<[n, 128], bf16>, !ragged.tensor<[n, 128], i64>, !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[n, m, 128], bf16>
  // CHECK: ragged.scatter_max %{{.*}}, %{{.*}} dims = [1, 0] keep_dims batch like %{{.*}} : tensor<1x1x128xf64>, tensor<1x1x128xi64>, !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[n, m, 128], f64>
  %3 = ragged.scatter_max %r, %1 dims = [1, 0] keep_dims batch like %p : tensor<1x1x128xf64>, tensor<1x1x128xi64>, !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[n, m, 128], f64>
  // Schemas that are not known.
  // CHECK: ragged.argmax %{{.*}} dims = [1] : !ragged.tensor<*, f32> -> !ragged.tensor<*, i64>
  %4 = ragged.argmax %u dims = [1] : !ragged.tensor<*, f32> -> !ragged.tensor<*, i64>
  // CHECK: ragged.argmax %{{.*}} dims = [1] batch : !ragged.tensor<*, f32> -> tensor<7xi64>
  %5 = ragged.argmax %u dims = [1] batch : !ragged.tensor<*, f32> -> tensor<7xi64>
  // CHECK: ragged.scatter_max {{.*}} : !ragged.tensor<*, f32>, !ragged.tensor<*, i64>, !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[n, m, 128], f32>
  %6 = ragged.scatter_max %u, %v dims = [1] like %p : !ragged.tensor<*, f32>, !ragged.tensor<*, i64>, !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[n, m, 128], f32>
  // CHECK: ragged.scatter_max {{.*}} : !ragged.tensor<[n, 128], bf16>, !ragged.tensor<*, i64>, !ragged.tensor<*, f32> -> !ragged.tensor<*, bf16>
  %7 = ragged.scatter_max %q, %v dims = [1] like %u : !ragged.tensor<[n, 128], bf16>, !ragged.tensor<*, i64>, !ragged.tensor<*, f32> -> !ragged.tensor<*, bf16>
  return
}

// CHECK-LABEL: @dense
func.func @dense(%w: tensor<2x?x8xbf16>, %z: tensor<f64>, %l: tensor<?xi64>) {
  // CHECK: ragged.sum %{{.*}} dims = [1] : tensor<2x?x8xbf16> -> tensor<2x8xbf16>
  %0 = ragged.sum %w dims = [1] : tensor<2x?x8xbf16> -> tensor<2x8xbf16>
  // CHECK: ragged.max %{{.*}} dims = [2, 0] keep_dims : tensor<2x?x8xbf16> -> tensor<1x?x1xbf16>
  %1 = ragged.max %w dims = [2, 0] keep_dims : tensor<2x?x8xbf16> -> tensor<1x?x1xbf16>
  // CHECK: ragged.mean %{{.*}} dims = [] empty = zero : tensor<f64> -> tensor<f64>
  %2 = ragged.mean %z dims = [] empty = zero : tensor<f64> -> tensor<f64>
  // CHECK: ragged.max %{{.*}} dims = [0] : tensor<?xi64> -> tensor<i64>
  %3 = ragged.max %l dims = [0] : tensor<?xi64> -> tensor<i64>
  return
}
