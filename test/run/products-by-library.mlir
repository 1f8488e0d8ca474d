// Functions of nothing but plain products: on the fake driver, which has none of their kernels, all of
// them are run by the fake cuBLASLt, over all length vectors. On the emulated device the same programs
// run generated kernels.
// RUN: %fake_gpu %run_all_lengths --target=cuda %s
// RUN: %run_all_lengths --target=emulated %s
// RUN: %run_all_lengths %s

// Statistics say who ran a product.
// RUN: %fake_gpu ragged-run %s --entry=pairs --axis n=3,0,2 --target=cuda --compare=reference --stats | FileCheck %s --check-prefix=STATS
// STATS: product_f32_k8_n6_bias (cuBLASLt 13.1.2) 1 13 
// STATS: product library: cuBLASLt 13.1.2

// tf32 is for who asks for it: the error is beyond what f32 is allowed.
// RUN: %fake_gpu env RAGGED_TF32=1 ragged-run %s --entry=pairs --axis n=3,0,2 --target=cuda --stats | FileCheck %s --check-prefix=TF32
// TF32: product_f32_k8_n6_bias (cuBLASLt 13.1.2, tf32)
// RUN: %fake_gpu env RAGGED_TF32=1 not ragged-run %s --entry=pairs --axis n=3,0,2 --target=cuda --compare=reference

// Without the library, and where it is not wanted, the kernel is launched, which the driver lacks.
// RUN: %fake_gpu env RAGGED_CUBLASLT=/nowhere/at/all not ragged-run %s --entry=pairs --axis n=3 --target=cuda 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: %fake_gpu env RAGGED_PRODUCTS=generated not ragged-run %s --entry=pairs --axis n=3 --target=cuda 2>&1 | FileCheck %s --check-prefix=KERNEL
// KERNEL: kernel 'pairs_0_linear': cuModuleGetFunction
// RUN: %fake_gpu env RAGGED_CUBLASLT=/nowhere/at/all RAGGED_PRODUCTS=library not ragged-run %s --entry=pairs --axis n=3 --target=cuda 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: cuBLASLt cannot be loaded: /nowhere/at/all

!x32 = !ragged.tensor<[n, 12], f32>
!y32 = !ragged.tensor<[n, 5], f32>
func.func @f32(%x: !x32, %w: tensor<5x12xf32>) -> !y32 {
  %0 = ragged.linear %x, %w dim = 1 : !x32, tensor<5x12xf32> -> !y32
  return %0 : !y32
}

func.func @f32_residual(%x: !x32, %w: tensor<5x12xf32>, %r: !y32) -> !y32 {
  %0 = ragged.linear %x, %w dim = 1 : !x32, tensor<5x12xf32> -> !y32
  %1 = ragged.add %r, %0 : !y32, !y32 -> !y32
  return %1 : !y32
}

func.func @f32_bias_residual(%x: !x32, %w: tensor<5x12xf32>, %b: tensor<5xf32>, %r: !y32) -> !y32 {
  %0 = ragged.linear %x, %w, %b dim = 1 : !x32, tensor<5x12xf32>, tensor<5xf32> -> !y32
  %1 = ragged.add %0, %r : !y32, !y32 -> !y32
  return %1 : !y32
}

// Rows are their own residual.
func.func @f32_square(%x: !x32, %w: tensor<12x12xf32>, %b: tensor<12xf32>) -> !x32 {
  %0 = ragged.linear %x, %w, %b dim = 1 : !x32, tensor<12x12xf32>, tensor<12xf32> -> !x32
  %1 = ragged.add %0, %x : !x32, !x32 -> !x32
  return %1 : !x32
}

!x64 = !ragged.tensor<[n, 9], f64>
!y64 = !ragged.tensor<[n, 4], f64>
func.func @f64(%x: !x64, %w: tensor<4x9xf64>, %b: tensor<4xf64>, %r: !y64) -> !y64 {
  %0 = ragged.linear %x, %w, %b dim = 1 : !x64, tensor<4x9xf64>, tensor<4xf64> -> !y64
  %1 = ragged.add %0, %r : !y64, !y64 -> !y64
  return %1 : !y64
}

!x16 = !ragged.tensor<[n, 33], bf16>
!y16 = !ragged.tensor<[n, 17], bf16>
func.func @bf16(%x: !x16, %w: tensor<17x33xbf16>, %b: tensor<17xbf16>) -> !y16 {
  %0 = ragged.linear %x, %w, %b dim = 1 : !x16, tensor<17x33xbf16>, tensor<17xbf16> -> !y16
  return %0 : !y16
}

func.func @bf16_residual(%x: !x16, %w: tensor<17x33xbf16>, %r: !y16) -> !y16 {
  %0 = ragged.linear %x, %w dim = 1 : !x16, tensor<17x33xbf16> -> !y16
  %1 = ragged.add %0, %r : !y16, !y16 -> !y16
  return %1 : !y16
}

!pairs = !ragged.tensor<[n, n, 8], f32>
func.func @pairs(%x: !pairs, %w: tensor<6x8xf32>, %b: tensor<6xf32>) -> !ragged.tensor<[n, n, 6], f32> {
  %0 = ragged.linear %x, %w, %b dim = 2 : !pairs, tensor<6x8xf32>, tensor<6xf32> -> !ragged.tensor<[n, n, 6], f32>
  return %0 : !ragged.tensor<[n, n, 6], f32>
}

// Several rows of a product in a row; columns before rows; a row a sample.
func.func @inner(%x: !ragged.tensor<[n, 3, 4], f32>, %w: tensor<7x4xf32>) -> !ragged.tensor<[n, 3, 7], f32> {
  %0 = ragged.linear %x, %w dim = 2 : !ragged.tensor<[n, 3, 4], f32>, tensor<7x4xf32> -> !ragged.tensor<[n, 3, 7], f32>
  return %0 : !ragged.tensor<[n, 3, 7], f32>
}

!turned = !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>
func.func @turned(%x: !turned, %w: tensor<4x4xf32>) -> !turned {
  %0 = ragged.linear %x, %w dim = 2 : !turned, tensor<4x4xf32> -> !turned
  return %0 : !turned
}

func.func @samples(%x: !ragged.tensor<[8], f32>, %w: tensor<3x8xf32>) -> !ragged.tensor<[3], f32> {
  %0 = ragged.linear %x, %w dim = 0 : !ragged.tensor<[8], f32>, tensor<3x8xf32> -> !ragged.tensor<[3], f32>
  return %0 : !ragged.tensor<[3], f32>
}

// Two products in a call.
!m12 = !ragged.tensor<[m, 12], f32>
!m5 = !ragged.tensor<[m, 5], f32>
func.func @two(%x: !x32, %y: !m12, %w: tensor<5x12xf32>) -> (!y32, !m5) {
  %0 = ragged.linear %x, %w dim = 1 : !x32, tensor<5x12xf32> -> !y32
  %1 = ragged.linear %y, %w dim = 1 : !m12, tensor<5x12xf32> -> !m5
  return %0, %1 : !y32, !m5
}

// Weights that are stored the other way round.
func.func @f32_transposed(%x: !x32, %w: tensor<12x5xf32>, %b: tensor<5xf32>, %r: !y32) -> !y32 {
  %0 = ragged.linear %x, %w, %b dim = 1 transposed : !x32, tensor<12x5xf32>, tensor<5xf32> -> !y32
  %1 = ragged.add %0, %r : !y32, !y32 -> !y32
  return %1 : !y32
}

func.func @bf16_transposed(%x: !x16, %w: tensor<33x17xbf16>) -> !y16 {
  %0 = ragged.linear %x, %w dim = 1 transposed : !x16, tensor<33x17xbf16> -> !y16
  return %0 : !y16
}
