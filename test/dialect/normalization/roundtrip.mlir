// Normalisations in text, generic form and bytecode.
// RUN: ragged-opt %s --verify-roundtrip | FileCheck %s
// RUN: ragged-opt %s | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --mlir-print-op-generic | ragged-opt | FileCheck %s
// RUN: ragged-opt %s --emit-bytecode | ragged-opt | FileCheck %s

// CHECK-LABEL: @layer_norm
func.func @layer_norm(%x: !ragged.tensor<[n, 2, 8], f32>, %g: tensor<8xf32>, %b: tensor<8xf32>, %s: tensor<8x2xf32>,
                      %y: !ragged.tensor<[n, 8], bf16>) {
  // CHECK: ragged.layer_norm %{{.*}} dims = [2] eps = 1.000000e-05 : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<[n, 2, 8], f32>
  %0 = ragged.layer_norm %x dims = [2] eps = 1.0e-5 : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<[n, 2, 8], f32>
  // CHECK: ragged.layer_norm %{{.*}}, %{{.*}}, %{{.*}} dims = [2] eps = 1.000000e-05 : !ragged.tensor<[n, 2, 8], f32>, tensor<8xf32>, tensor<8xf32> -> !ragged.tensor<[n, 2, 8], f32>
  %1 = ragged.layer_norm %x, %g, %b dims = [2] eps = 1.0e-5 : !ragged.tensor<[n, 2, 8], f32>, tensor<8xf32>, tensor<8xf32> -> !ragged.tensor<[n, 2, 8], f32>
  // Parameters have the extents of dims in that order.
  // CHECK: ragged.layer_norm %{{.*}}, %{{.*}} dims = [2, 1] eps = 0.000000e+00 : !ragged.tensor<[n, 2, 8], f32>, tensor<8x2xf32> -> !ragged.tensor<[n, 2, 8], f32>
  %2 = ragged.layer_norm %x, %s dims = [2, 1] eps = 0.0 : !ragged.tensor<[n, 2, 8], f32>, tensor<8x2xf32> -> !ragged.tensor<[n, 2, 8], f32>
  // CHECK: -> !ragged.tensor<[n, 8], bf16>
  %3 = ragged.layer_norm %y dims = [1] eps = 1.0 : !ragged.tensor<[n, 8], bf16> -> !ragged.tensor<[n, 8], bf16>
  return
}

// CHECK-LABEL: @softmax
func.func @softmax(%x: !ragged.tensor<[3, h, w], f64>) {
  // CHECK: ragged.softmax %{{.*}} dim = 0 : !ragged.tensor<[3, h, w], f64> -> !ragged.tensor<[3, h, w], f64>
  %0 = ragged.softmax %x dim = 0 : !ragged.tensor<[3, h, w], f64> -> !ragged.tensor<[3, h, w], f64>
  return
}
