// How GPU kernels read rows, what they keep of them, and how rows find their samples.
// RUN: ragged-opt %s --lower-to-nvvm=format=nvvm | FileCheck %s
// RUN: ragged-opt %s --lower-to-nvvm="format=isa chips=sm_80" | FileCheck %s --check-prefix=PTX

// Twelve numbers are three accesses, whatever their dimensions. A thread that has a row to itself reads it once
// and keeps it in registers: no shared memory, no loop but that over rows. 2^x is an instruction.
// CHECK-LABEL: llvm.func @narrow_0_softmax(
// CHECK-NOT: @shared
// CHECK-COUNT-1: llvm.cond_br
// CHECK-COUNT-3: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NOT: llvm.load
// CHECK-COUNT-3: llvm.intr.exp2
// CHECK-COUNT-3: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NOT: llvm.store
// CHECK-LABEL: llvm.func @wide_0_softmax(
// PTX-LABEL: .entry narrow_0_softmax(
// PTX-COUNT-12: ex2.approx.f32
// PTX-LABEL: .entry wide_0_softmax(
func.func @narrow(%x: !ragged.tensor<[n, 4, 3], f32>) -> !ragged.tensor<[n, 4, 3], f32> {
  %0 = ragged.softmax %x dim = 2 : !ragged.tensor<[n, 4, 3], f32> -> !ragged.tensor<[n, 4, 3], f32>
  return %0 : !ragged.tensor<[n, 4, 3], f32>
}

// A wider row is read once too: its maximum, its sum and its result come from shared memory.
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK: nvvm.bar.warp.sync
// CHECK-NOT: llvm.load %{{.*}} : !llvm.ptr<1>
// CHECK-LABEL: llvm.func @pair_0_add(
func.func @wide(%x: !ragged.tensor<[n, 128], f32>) -> !ragged.tensor<[n, 128], f32> {
  %0 = ragged.softmax %x dim = 1 : !ragged.tensor<[n, 128], f32> -> !ragged.tensor<[n, 128], f32>
  return %0 : !ragged.tensor<[n, 128], f32>
}

// Two threads search for the samples of a block's rows in memory. Seven words of each sample go to shared memory:
// where its rows begin, its number, two extents, three offsets but those that no buffer has. After the second
// barrier nothing but rows is read from memory.
// CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
// CHECK: llvm.icmp "slt" %{{.*}}, %[[TWO]] : i32
// CHECK: llvm.load %{{.*}} : !llvm.ptr<1> -> i64
// CHECK: nvvm.barrier0
// CHECK-COUNT-7: llvm.store %{{.*}} {alignment = 8 : i64} : i64, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK-NOT: llvm.load %{{.*}} : !llvm.ptr<1> -> i64
// CHECK-LABEL: llvm.func @sums_0_sum(
func.func @pair(%u: !ragged.tensor<[n, 1, 4], f32>, %v: !ragged.tensor<[1, m, 4], f32>) -> !ragged.tensor<[n, m, 4], f32> {
  %0 = ragged.add %u, %v : !ragged.tensor<[n, 1, 4], f32>, !ragged.tensor<[1, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32>
  return %0 : !ragged.tensor<[n, m, 4], f32>
}

// The sums of all twelve elements are taken over the rows; those over the three of a dimension come last.
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: nvvm.shfl.sync
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-NOT: llvm.load %{{.*}} : !llvm.ptr<1>
// CHECK-LABEL: llvm.func @repeated_0_rows(
func.func @sums(%x: !ragged.tensor<[n, 4, 3], f32>) -> !ragged.tensor<[4], f32> {
  %0 = ragged.sum %x dims = [0, 2] : !ragged.tensor<[n, 4, 3], f32> -> !ragged.tensor<[4], f32>
  return %0 : !ragged.tensor<[4], f32>
}

// Two ops that read one value load it once.
// CHECK-COUNT-1: llvm.load %{{.*}} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NOT: llvm.load %{{.*}} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: llvm.return
func.func @repeated(%x: !ragged.tensor<[n, 4], f32>) -> (!ragged.tensor<[n], f32>, !ragged.tensor<[n], f32>) {
  %0 = ragged.sum %x dims = [1] : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n], f32>
  %1 = ragged.max %x dims = [1] : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n], f32>
  return %0, %1 : !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32>
}

// Weights are copied to shared memory once for all rows of a block.
// CHECK-LABEL: llvm.func @weights_0_layer_norm(
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK-COUNT-1: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NOT: llvm.load %{{.*}} : !llvm.ptr<1>
// CHECK: llvm.return
func.func @weights(%x: !ragged.tensor<[n, 128], f32>, %g: tensor<128xf32>) -> !ragged.tensor<[n, 128], f32> {
  %0 = ragged.layer_norm %x, %g dims = [1] eps = 1.0e-5 : !ragged.tensor<[n, 128], f32>, tensor<128xf32> -> !ragged.tensor<[n, 128], f32>
  return %0 : !ragged.tensor<[n, 128], f32>
}
