// Which kernels are one dense product and nothing else: their launches say what they compute, so that a
// library may do it. Numbers: size, element type, K, N, rows a row, activation, and which words are
// rows, weight, bias, residual, result (word 0 is the batch).
// RUN: ragged-opt %s --split-input-file --lower-to-nvvm=format=nvvm | FileCheck %s
// RUN: ragged-opt %s --split-input-file --lower-to-emulated | FileCheck %s --check-prefix=EMULATED

// Both devices are told; only one of them has a library.
// EMULATED-LABEL: llvm.func @ragged_entry_bias(
// EMULATED: llvm.call @ragged_rt_frame_launch_product(

// CHECK: constant @[[BIAS:[a-z_0-9]+]](dense<[96, 1, 32, 16, 0, 1, 0, 1, 2, 3, -1, 4]> : tensor<12xi64>)
// CHECK-LABEL: llvm.func @ragged_entry_bias(
// CHECK: %[[PRODUCT:.*]] = llvm.mlir.addressof @[[BIAS]] : !llvm.ptr
// CHECK: llvm.call @ragged_rt_frame_launch_product({{.*}}, %[[PRODUCT]])
// CHECK-NOT: @ragged_rt_frame_launch_grid
!x = !ragged.tensor<[n, 32], f32>
!y = !ragged.tensor<[n, 16], f32>
func.func @bias(%x: !x, %w: tensor<16x32xf32>, %b: tensor<16xf32>) -> !y {
  %0 = ragged.linear %x, %w, %b dim = 1 : !x, tensor<16x32xf32>, tensor<16xf32> -> !y
  return %0 : !y
}

// -----

// CHECK: dense<[96, 2, 32, 16, 0, 1, 2, 1, 2, -1, 3, 4]>
// CHECK-LABEL: llvm.func @ragged_entry_activation_residual(
// CHECK: llvm.call @ragged_rt_frame_launch_product(
!x = !ragged.tensor<[n, 32], bf16>
!y = !ragged.tensor<[n, 16], bf16>
func.func @activation_residual(%x: !x, %w: tensor<16x32xbf16>, %r: !y) -> !y {
  %0 = ragged.linear %x, %w dim = 1 : !x, tensor<16x32xbf16> -> !y
  %1 = ragged.gelu %0 : !y -> !y
  %2 = ragged.add %1, %r : !y, !y -> !y
  return %2 : !y
}

// -----

// CHECK: dense<[96, 0, 4, 7, 0, 3, 0, 1, 2, -1, -1, 3]>
// CHECK-LABEL: llvm.func @ragged_entry_last_dimension(
// CHECK: llvm.call @ragged_rt_frame_launch_product(
!x = !ragged.tensor<[n, m, 3, 4], f64, order = [1, 0, 2, 3]>
!y = !ragged.tensor<[n, m, 3, 7], f64, order = [1, 0, 2, 3]>
func.func @last_dimension(%x: !x, %w: tensor<7x4xf64>) -> !y {
  %0 = ragged.linear %x, %w dim = 3 : !x, tensor<7x4xf64> -> !y
  return %0 : !y
}

// -----

// What is none, and is only launched: another dimension than the last, ...
// CHECK-NOT: launch_product
// CHECK-LABEL: llvm.func @ragged_entry_first_dimension(
// CHECK: llvm.call @ragged_rt_frame_launch_grid(
func.func @first_dimension(%x: !ragged.tensor<[n, 3, 4], f32>, %w: tensor<7x3xf32>) -> !ragged.tensor<[n, 7, 4], f32> {
  %0 = ragged.linear %x, %w dim = 1 : !ragged.tensor<[n, 3, 4], f32>, tensor<7x3xf32> -> !ragged.tensor<[n, 7, 4], f32>
  return %0 : !ragged.tensor<[n, 7, 4], f32>
}

// -----

// ... a product of what is computed, ...
// CHECK-NOT: launch_product
// CHECK-LABEL: llvm.func @ragged_entry_after_exp(
!x = !ragged.tensor<[n, 32], f32>
!y = !ragged.tensor<[n, 16], f32>
func.func @after_exp(%x: !x, %w: tensor<16x32xf32>) -> !y {
  %0 = ragged.exp %x : !x -> !x
  %1 = ragged.linear %0, %w dim = 1 : !x, tensor<16x32xf32> -> !y
  return %1 : !y
}

// -----

// ... one that more is computed from, ...
// CHECK-NOT: launch_product
// CHECK-LABEL: llvm.func @ragged_entry_before_exp(
!x = !ragged.tensor<[n, 32], f32>
!y = !ragged.tensor<[n, 16], f32>
func.func @before_exp(%x: !x, %w: tensor<16x32xf32>) -> !y {
  %0 = ragged.linear %x, %w dim = 1 : !x, tensor<16x32xf32> -> !y
  %1 = ragged.exp %0 : !y -> !y
  return %1 : !y
}

// -----

// ... or that is stored beside something else, ...
// CHECK-NOT: launch_product
// CHECK-LABEL: llvm.func @ragged_entry_beside(
!x = !ragged.tensor<[n, 16], f32>
func.func @beside(%x: !x, %w: tensor<16x16xf32>) -> (!x, !x) {
  %0 = ragged.linear %x, %w dim = 1 : !x, tensor<16x16xf32> -> !x
  %1 = ragged.exp %x : !x -> !x
  return %0, %1 : !x, !x
}

// -----

// ... two of them in one kernel, ...
// CHECK-NOT: launch_product
// CHECK-LABEL: llvm.func @ragged_entry_two(
!x = !ragged.tensor<[n, 16], f32>
func.func @two(%x: !x, %w: tensor<16x16xf32>, %v: tensor<16x16xf32>) -> !x {
  %0 = ragged.linear %x, %w dim = 1 : !x, tensor<16x16xf32> -> !x
  %1 = ragged.linear %0, %v dim = 1 : !x, tensor<16x16xf32> -> !x
  return %1 : !x
}

// -----

// ... a residual that is no row of its own, ...
// CHECK-NOT: launch_product
// CHECK-LABEL: llvm.func @ragged_entry_one_residual(
!x = !ragged.tensor<[n, 16], f32>
func.func @one_residual(%x: !x, %w: tensor<16x16xf32>, %r: tensor<16xf32>) -> !x {
  %0 = ragged.linear %x, %w dim = 1 : !x, tensor<16x16xf32> -> !x
  %1 = ragged.broadcast %r dims = [1] like %x : tensor<16xf32>, !x -> !x
  %2 = ragged.add %0, %1 : !x, !x -> !x
  return %2 : !x
}

// -----

// ... rows of another order, ...
// CHECK-NOT: launch_product
// CHECK-LABEL: llvm.func @ragged_entry_other_order(
!x = !ragged.tensor<[n, m, 16], f32>
!t = !ragged.tensor<[n, m, 16], f32, order = [1, 0, 2]>
func.func @other_order(%x: !x, %w: tensor<16x16xf32>) -> !t {
  %0 = ragged.reorder %x order = [1, 0, 2] : !x -> !t
  %1 = ragged.linear %0, %w dim = 2 : !t, tensor<16x16xf32> -> !t
  return %1 : !t
}

// -----

// ... and another product of a row that is not the kernel's own.
// CHECK-NOT: launch_product
// CHECK-LABEL: llvm.func @ragged_entry_other_row(
!x = !ragged.tensor<[n, 16], f32>
!p = !ragged.tensor<[n, n, 16], f32>
func.func @other_row(%x: !x, %w: tensor<16x16xf32>, %r: !p) -> !p {
  %0 = ragged.expand_dims %x dim = 1 : !x -> !ragged.tensor<[n, 1, 16], f32>
  %1 = ragged.broadcast %0 dims = [0, 1, 2] like %r : !ragged.tensor<[n, 1, 16], f32>, !p -> !p
  %2 = ragged.linear %1, %w dim = 2 : !p, tensor<16x16xf32> -> !p
  return %2 : !p
}
