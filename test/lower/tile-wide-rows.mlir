// Row arrays that are too large for the stack lie in the launch's scratch; beyond a limit a kernel is
// refused (tile-scratch-limit.mlir).
// RUN: ragged-opt %s --lower-to-cpu | mlir-translate --mlir-to-llvmir | FileCheck %s
// DEFINE: %{entry} =
// DEFINE: %{lengths} =
// DEFINE: %{check} = ragged-run %s %{entry} %{lengths} --target=cpu --compare=reference | FileCheck %s --check-prefix=NEAR
// NEAR: result 0: largest error / allowed error = {{0$|0\.|1$}}

// No array of more than three digits, each element of four or eight bytes.
// CHECK-NOT: = alloca {{[a-z0-9]+}}, i64 {{[0-9][0-9][0-9][0-9]}}
// Small ones stay there.
// CHECK: define void @narrow_0_layer_norm(
// CHECK: = alloca float, i64 64
// CHECK: define void @norm_0_layer_norm(
// CHECK-NOT: = alloca {{[a-z0-9]+}}, i64 {{[0-9][0-9][0-9][0-9]}}

func.func @narrow(%x: !ragged.tensor<[n, 64], f32>) -> !ragged.tensor<[n, 64], f32> {
  %0 = ragged.layer_norm %x dims = [1] eps = 1.0e-5 : !ragged.tensor<[n, 64], f32> -> !ragged.tensor<[n, 64], f32>
  return %0 : !ragged.tensor<[n, 64], f32>
}

// REDEFINE: %{entry} = --entry norm
// REDEFINE: %{lengths} = --axis n=2,0,1
// RUN: %{check}
func.func @norm(%x: !ragged.tensor<[n, 20000], f32>) -> !ragged.tensor<[n, 20000], f32> {
  %0 = ragged.layer_norm %x dims = [1] eps = 1.0e-5 : !ragged.tensor<[n, 20000], f32> -> !ragged.tensor<[n, 20000], f32>
  return %0 : !ragged.tensor<[n, 20000], f32>
}

// REDEFINE: %{entry} = --entry norm_two
// RUN: %{check}
func.func @norm_two(%x: !ragged.tensor<[n, 64, 512], f32>, %g: tensor<64x512xf32>, %b: tensor<64x512xf32>) -> !ragged.tensor<[n, 64, 512], f32> {
  %0 = ragged.layer_norm %x, %g, %b dims = [1, 2] eps = 1.0e-5 : !ragged.tensor<[n, 64, 512], f32>, tensor<64x512xf32>, tensor<64x512xf32> -> !ragged.tensor<[n, 64, 512], f32>
  return %0 : !ragged.tensor<[n, 64, 512], f32>
}

// Between products: after the arrays of the block.
// REDEFINE: %{entry} = --entry product
// REDEFINE: %{lengths} = --axis n=30,1
// RUN: %{check}
func.func @product(%x: !ragged.tensor<[n, 64, 512], f32>, %w: tensor<3x64xf32>) -> (!ragged.tensor<[n, 3, 512], f32>, !ragged.tensor<[n, 64, 512], f32>) {
  %0 = ragged.softmax %x dim = 2 : !ragged.tensor<[n, 64, 512], f32> -> !ragged.tensor<[n, 64, 512], f32>
  %1 = ragged.linear %0, %w dim = 1 : !ragged.tensor<[n, 64, 512], f32>, tensor<3x64xf32> -> !ragged.tensor<[n, 3, 512], f32>
  return %1, %0 : !ragged.tensor<[n, 3, 512], f32>, !ragged.tensor<[n, 64, 512], f32>
}

// The parts of an accumulation, compensated and not.
// REDEFINE: %{entry} = --entry sum
// REDEFINE: %{lengths} = --axis n=5,0,2
// RUN: %{check}
func.func @sum(%x: !ragged.tensor<[n, 20000], f64>) -> !ragged.tensor<[20000], f64> {
  %0 = ragged.sum %x dims = [0] : !ragged.tensor<[n, 20000], f64> -> !ragged.tensor<[20000], f64>
  return %0 : !ragged.tensor<[20000], f64>
}

// REDEFINE: %{entry} = --entry max
// REDEFINE: %{lengths} = --axis n=5,0,2 --axis m=1,2,3
// RUN: %{check}
func.func @max(%x: !ragged.tensor<[n, m, 20000], i64>) -> !ragged.tensor<[20000], i64> {
  %0 = ragged.max %x dims = [0, 1] : !ragged.tensor<[n, m, 20000], i64> -> !ragged.tensor<[20000], i64>
  return %0 : !ragged.tensor<[20000], i64>
}

// A kernel that runs once has scratch too.
// REDEFINE: %{entry} = --entry batch
// REDEFINE: %{lengths} = --axis n=5,0,2
// RUN: %{check}
func.func @batch(%x: !ragged.tensor<[n, 20000], f32>) -> tensor<20000xf32> {
  %0 = ragged.sum %x dims = [0] batch : !ragged.tensor<[n, 20000], f32> -> tensor<20000xf32>
  return %0 : tensor<20000xf32>
}

// Rows whose elements are computed one by one, and read twice.
// REDEFINE: %{entry} = --entry kept
// RUN: %{check}
func.func @kept(%x: !ragged.tensor<[n, 20000], f32>) -> (!ragged.tensor<[n, 20000], f32>, !ragged.tensor<[n, 20000], f32>) {
  %0 = ragged.exp %x : !ragged.tensor<[n, 20000], f32> -> !ragged.tensor<[n, 20000], f32>
  %1 = ragged.add %0, %0 : !ragged.tensor<[n, 20000], f32>, !ragged.tensor<[n, 20000], f32> -> !ragged.tensor<[n, 20000], f32>
  return %0, %1 : !ragged.tensor<[n, 20000], f32>, !ragged.tensor<[n, 20000], f32>
}
