// Kernels as GPU functions: who works on a row, how wide memory is accessed, what is exchanged.
// RUN: ragged-opt %s --lower-to-nvvm=format=nvvm | FileCheck %s
// RUN: ragged-opt %s --lower-to-nvvm=format=nvvm | FileCheck %s --check-prefix=HOST
// RUN: ragged-opt %s --lower-to-nvvm="format=isa chips=sm_80" | FileCheck %s --check-prefix=PTX

// No division of 64 bits, no local memory. What comes last computes extents and offsets where only the
// device knows the lengths.
// PTX: .target sm_80
// PTX-NOT: {{(div|rem)\.[su]64}}
// PTX-NOT: {{\.local}}
// PTX: .entry ragged_metadata(
// PTX-NOT: {{\.local}}

// The host asks for offsets and the order of the samples, and launches: 256 threads a block.
// HOST: llvm.mlir.global external constant @ragged_kernel_module() {{.*}} : !llvm.struct<(i64, i64, ptr)>
// HOST-LABEL: llvm.func @ragged_entry_outer_sum(
// HOST: llvm.call @ragged_rt_frame_kernels(
// HOST: llvm.call @ragged_rt_frame_check_rows32(
// HOST: llvm.call @ragged_rt_frame_space_order(
// HOST: llvm.call @ragged_rt_frame_space_ordered_offsets(
// HOST: llvm.call @ragged_rt_frame_launch_grid(

// CHECK: gpu.module @ragged_kernels [#nvvm.target<O = 3, chip = "sm_80", features = "+ptx80">, #nvvm.target<O = 3, chip = "sm_90", features = "+ptx80">] {
// CHECK: llvm.mlir.global external @shared() {addr_space = 3 : i32, alignment = 64 : i64} : !llvm.array<0 x i8>

// Rows as elements: 16 bytes a thread, whatever the tail. No shared memory, no exchange.
// CHECK-LABEL: llvm.func @add_0_add(
// CHECK-SAME: !llvm.ptr<1> {llvm.noalias, llvm.readonly}
// CHECK-SAME: !llvm.ptr<1> {llvm.noalias}
// CHECK-SAME: nvvm.kernel, nvvm.minctasm = 4 : i32, nvvm.reqntid = array<i32: 256>
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: llvm.fadd
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
func.func @add(%x: !ragged.tensor<[n, 7], f32>, %y: !ragged.tensor<[n, 7], f32>) -> !ragged.tensor<[n, 7], f32> {
  %0 = ragged.add %x, %y : !ragged.tensor<[n, 7], f32>, !ragged.tensor<[n, 7], f32> -> !ragged.tensor<[n, 7], f32>
  return %0 : !ragged.tensor<[n, 7], f32>
}

// Truth values are bytes: eight to a thread beside eight numbers, and no vector of bits in memory.
// CHECK-LABEL: llvm.func @mask_0_rows(
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<8xi8>
// CHECK: llvm.icmp "ne" %{{.*}} : vector<8xi8>
// CHECK: llvm.fcmp "olt" %{{.*}} : vector<8xf32>
// CHECK: llvm.select
// CHECK: llvm.zext %{{.*}} : vector<8xi1> to vector<8xi8>
// CHECK: llvm.store %{{.*}} {alignment = 8 : i64} : vector<8xi8>, !llvm.ptr<1>
func.func @mask(%c: !ragged.tensor<[n, 7], i1>, %x: !ragged.tensor<[n, 7], f32>) -> !ragged.tensor<[n, 7], i1> {
  %zero = arith.constant 0.0 : f32
  %0 = ragged.less %x, %zero : !ragged.tensor<[n, 7], f32>, f32 -> !ragged.tensor<[n, 7], i1>
  %1 = ragged.where %c, %0, %c : !ragged.tensor<[n, 7], i1>, !ragged.tensor<[n, 7], i1>, !ragged.tensor<[n, 7], i1>
      -> !ragged.tensor<[n, 7], i1>
  return %1 : !ragged.tensor<[n, 7], i1>
}

// A warp on a row of 512 bytes, a quarter of one on a row of 32 numbers.
// CHECK-LABEL: llvm.func @norm_0_layer_norm(
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK: nvvm.bar.warp.sync
func.func @norm(%x: !ragged.tensor<[n, 128], f32>) -> !ragged.tensor<[n, 128], f32> {
  %0 = ragged.layer_norm %x dims = [1] eps = 1.0e-5 : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[n, 128], f32>
  return %0 : !ragged.tensor<[n, 128], f32>
}

// CHECK-LABEL: llvm.func @narrow_0_softmax(
// CHECK: %[[EIGHT:.*]] = llvm.mlir.constant(8 : i32)
// CHECK: llvm.udiv %{{.*}}, %[[EIGHT]]
// CHECK-COUNT-3: nvvm.shfl.sync bfly
func.func @narrow(%x: !ragged.tensor<[n, 32], f32>) -> !ragged.tensor<[n, 32], f32> {
  %0 = ragged.softmax %x dim = 1 : !ragged.tensor<[n, 32], f32> -> !ragged.tensor<[n, 32], f32>
  return %0 : !ragged.tensor<[n, 32], f32>
}

// bf16: 8 numbers are 16 bytes; shared memory has them as f32.
// CHECK-LABEL: llvm.func @half_0_layer_norm(
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xi16>
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<8xi16>, !llvm.ptr<1>
func.func @half(%x: !ragged.tensor<[n, 128], bf16>) -> !ragged.tensor<[n, 128], bf16> {
  %0 = ragged.layer_norm %x dims = [1] eps = 1.0e-5 : !ragged.tensor<[n, 128], bf16> -> !ragged.tensor<[n, 128], bf16>
  return %0 : !ragged.tensor<[n, 128], bf16>
}

// A sum over a ragged axis: the sample by search among the longest first, coordinates by division of
// 32 bits, sums in registers.
// CHECK-LABEL: llvm.func @outer_sum_0_sum(
// CHECK: llvm.udiv %{{.*}} : i32
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
func.func @outer_sum(%x: !ragged.tensor<[n, m, 128], f32>) -> !ragged.tensor<[n, 128], f32> {
  %0 = ragged.sum %x dims = [1] : !ragged.tensor<[n, m, 128], f32> -> !ragged.tensor<[n, 128], f32>
  return %0 : !ragged.tensor<[n, 128], f32>
}

// A whole sample is summed by a block: through shuffles, then shared memory.
// CHECK-LABEL: llvm.func @whole_0_sum(
// CHECK: nvvm.shfl.sync bfly
// CHECK: nvvm.barrier0
func.func @whole(%x: !ragged.tensor<[n], f32>) -> !ragged.tensor<[], f32> {
  %0 = ragged.sum %x dims = [0] : !ragged.tensor<[n], f32> -> !ragged.tensor<[], f32>
  return %0 : !ragged.tensor<[], f32>
}

// A product inside a kernel: a device function, called by all threads of the block.
// CHECK-LABEL: llvm.func @product_0_
// CHECK: llvm.call @ragged_product_f32_32x16_bias_gelu_weight_bf16_bias_bf16(
// CHECK: nvvm.barrier0
// CHECK-LABEL: llvm.func internal @ragged_product_f32_32x16_bias_gelu_weight_bf16_bias_bf16(
// CHECK: llvm.intr.fma
func.func @product(%x: !ragged.tensor<[n, 32], bf16>, %w: tensor<16x32xbf16>, %b: tensor<16xbf16>) -> !ragged.tensor<[n, 16], bf16> {
  %0 = ragged.linear %x, %w, %b dim = 1 : !ragged.tensor<[n, 32], bf16>, tensor<16x32xbf16>, tensor<16xbf16> -> !ragged.tensor<[n, 16], bf16>
  %1 = ragged.gelu %0 : !ragged.tensor<[n, 16], bf16> -> !ragged.tensor<[n, 16], bf16>
  return %1 : !ragged.tensor<[n, 16], bf16>
}
