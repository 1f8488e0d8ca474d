// Elementwise ops in text, generic form and bytecode: each op, each element type of its domain.

// RUN: ragged-opt %s --verify-roundtrip | FileCheck %s
// RUN: ragged-opt %s | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --mlir-print-op-generic | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --emit-bytecode | ragged-opt | FileCheck %s

// CHECK-LABEL: @ops_f64
func.func @ops_f64(%x: !ragged.tensor<[n, 4], f64>, %y: !ragged.tensor<[n, 4], f64>) {
  // CHECK: ragged.add %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  %0 = ragged.add %x, %y : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  // CHECK: ragged.sub %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  %1 = ragged.sub %x, %y : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  // CHECK: ragged.mul %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  %2 = ragged.mul %x, %y : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  // CHECK: ragged.div %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  %3 = ragged.div %x, %y : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  // CHECK: ragged.maximum %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  %4 = ragged.maximum %x, %y : !ragged.tensor<[n, 4], f64>, !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  // CHECK: ragged.exp %{{.*}} : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  %5 = ragged.exp %x : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  // CHECK: ragged.gelu %{{.*}} : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  %6 = ragged.gelu %x : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  // CHECK: ragged.relu %{{.*}} : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  %7 = ragged.relu %x : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  // CHECK: ragged.sigmoid %{{.*}} : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  %8 = ragged.sigmoid %x : !ragged.tensor<[n, 4], f64> -> !ragged.tensor<[n, 4], f64>
  return
}

// CHECK-LABEL: @ops_f32
func.func @ops_f32(%x: !ragged.tensor<[n, 4], f32>, %y: !ragged.tensor<[n, 4], f32>) {
  // CHECK: ragged.add %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %0 = ragged.add %x, %y : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.sub %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %1 = ragged.sub %x, %y : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.mul %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %2 = ragged.mul %x, %y : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.div %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %3 = ragged.div %x, %y : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.maximum %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %4 = ragged.maximum %x, %y : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.exp %{{.*}} : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %5 = ragged.exp %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.gelu %{{.*}} : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %6 = ragged.gelu %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.relu %{{.*}} : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %7 = ragged.relu %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.sigmoid %{{.*}} : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %8 = ragged.sigmoid %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// CHECK-LABEL: @ops_bf16
func.func @ops_bf16(%x: !ragged.tensor<[n, 4], bf16>, %y: !ragged.tensor<[n, 4], bf16>) {
  // CHECK: ragged.add %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  %0 = ragged.add %x, %y : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  // CHECK: ragged.sub %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  %1 = ragged.sub %x, %y : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  // CHECK: ragged.mul %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  %2 = ragged.mul %x, %y : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  // CHECK: ragged.div %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  %3 = ragged.div %x, %y : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  // CHECK: ragged.maximum %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  %4 = ragged.maximum %x, %y : !ragged.tensor<[n, 4], bf16>, !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  // CHECK: ragged.exp %{{.*}} : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  %5 = ragged.exp %x : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  // CHECK: ragged.gelu %{{.*}} : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  %6 = ragged.gelu %x : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  // CHECK: ragged.relu %{{.*}} : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  %7 = ragged.relu %x : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  // CHECK: ragged.sigmoid %{{.*}} : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  %8 = ragged.sigmoid %x : !ragged.tensor<[n, 4], bf16> -> !ragged.tensor<[n, 4], bf16>
  return
}

// CHECK-LABEL: @ops_i64
func.func @ops_i64(%x: !ragged.tensor<[n, 4], i64>, %y: !ragged.tensor<[n, 4], i64>) {
  // CHECK: ragged.add %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  %0 = ragged.add %x, %y : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  // CHECK: ragged.sub %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  %1 = ragged.sub %x, %y : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  // CHECK: ragged.mul %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  %2 = ragged.mul %x, %y : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  // CHECK: ragged.div %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  %3 = ragged.div %x, %y : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  // CHECK: ragged.maximum %{{.*}}, %{{.*}} : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  %4 = ragged.maximum %x, %y : !ragged.tensor<[n, 4], i64>, !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  // CHECK: ragged.relu %{{.*}} : !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  %5 = ragged.relu %x : !ragged.tensor<[n, 4], i64> -> !ragged.tensor<[n, 4], i64>
  return
}

// CHECK-LABEL: @broadcasting
func.func @broadcasting(%u: !ragged.tensor<[n, 1, 128], f32>, %v: !ragged.tensor<[1, n, 128], f32, order = [1, 0, 2]>,
                        %one: !ragged.tensor<[1, 1, 1], f32>, %t: !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>,
                        %p: !ragged.tensor<[n, m, 4], f32>) {
  // CHECK: ragged.add %{{.*}} -> !ragged.tensor<[n, n, 128], f32>
  %0 = ragged.add %u, %v : !ragged.tensor<[n, 1, 128], f32>, !ragged.tensor<[1, n, 128], f32, order = [1, 0, 2]> -> !ragged.tensor<[n, n, 128], f32>
  // The order is that of the first operand that is ragged wherever the result is.
  // CHECK: ragged.mul %{{.*}} -> !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>
  %1 = ragged.mul %one, %t : !ragged.tensor<[1, 1, 1], f32>, !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]> -> !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>
  // CHECK: ragged.mul %{{.*}} -> !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>
  %2 = ragged.mul %t, %p : !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>, !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>
  // CHECK: ragged.mul %{{.*}} -> !ragged.tensor<[n, m, 4], f32>
  %3 = ragged.mul %p, %t : !ragged.tensor<[n, m, 4], f32>, !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]> -> !ragged.tensor<[n, m, 4], f32>
  return
}

// CHECK-LABEL: @dense
func.func @dense(%x: !ragged.tensor<[n, 4], f32>, %s: f32, %w: tensor<4x?xf32>) {
  // CHECK: ragged.mul %{{.*}} : !ragged.tensor<[n, 4], f32>, f32 -> !ragged.tensor<[n, 4], f32>
  %0 = ragged.mul %x, %s : !ragged.tensor<[n, 4], f32>, f32 -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.sub %{{.*}} : f32, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  %1 = ragged.sub %s, %x : f32, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.add %{{.*}} : tensor<4x?xf32>, tensor<4x?xf32> -> tensor<4x?xf32>
  %2 = ragged.add %w, %w : tensor<4x?xf32>, tensor<4x?xf32> -> tensor<4x?xf32>
  // CHECK: ragged.div %{{.*}} : f32, tensor<4x?xf32> -> tensor<4x?xf32>
  %3 = ragged.div %s, %w : f32, tensor<4x?xf32> -> tensor<4x?xf32>
  // CHECK: ragged.exp %{{.*}} : f32 -> f32
  %4 = ragged.exp %s : f32 -> f32
  // CHECK: ragged.maximum %{{.*}} : f32, f32 -> f32
  %5 = ragged.maximum %s, %s : f32, f32 -> f32
  return
}

// Extents are static where an operand's are; rank 0 and no elements are nothing special.
// CHECK-LABEL: @dense_shapes
func.func @dense_shapes(%a: tensor<?x3x?xbf16>, %b: tensor<4x?x?xbf16>, %z: tensor<i64>, %e: tensor<0x2xf64>, %s: i64) {
  // CHECK: ragged.mul %{{.*}} : tensor<?x3x?xbf16>, tensor<4x?x?xbf16> -> tensor<4x3x?xbf16>
  %0 = ragged.mul %a, %b : tensor<?x3x?xbf16>, tensor<4x?x?xbf16> -> tensor<4x3x?xbf16>
  // CHECK: ragged.sub %{{.*}} : i64, tensor<i64> -> tensor<i64>
  %1 = ragged.sub %s, %z : i64, tensor<i64> -> tensor<i64>
  // CHECK: ragged.sigmoid %{{.*}} : tensor<0x2xf64> -> tensor<0x2xf64>
  %2 = ragged.sigmoid %e : tensor<0x2xf64> -> tensor<0x2xf64>
  return
}
