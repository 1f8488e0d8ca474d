// What --ragged-emulate-kernels makes of kernels.
// RUN: ragged-opt %s --ragged-emulate-kernels | FileCheck %s

// CHECK-NOT: gpu.module
// CHECK-NOT: nvvm.
// CHECK-NOT: ptr<

// CHECK: llvm.mlir.global internal constant @m__table(dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>) {addr_space = 0 : i32} : !llvm.array<2 x f32>
gpu.module @m [#nvvm.target<chip = "sm_80">] {
  llvm.mlir.global internal constant @table(dense<[1.0, 2.0]> : tensor<2xf32>) {addr_space = 4 : i32} : !llvm.array<2 x f32>
  llvm.mlir.global internal @first() {addr_space = 3 : i32} : !llvm.array<3 x i32>
  llvm.mlir.global internal @second() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.struct<(i8, f64)>
  llvm.mlir.global external @dynamic() {addr_space = 3 : i32} : !llvm.array<0 x i8>

  // Parameters come from the words; blocks have the size that the kernel demands.
  // CHECK-LABEL: llvm.func @m__parameters(%arg0: !llvm.ptr, %arg1: !llvm.ptr) {
  // CHECK-DAG: %[[TWO:.*]] = llvm.mlir.constant(2 : i64) : i64
  // CHECK-DAG: %[[THREADS:.*]] = llvm.mlir.constant(64 : i64) : i64
  // CHECK-DAG: %[[MOST:.*]] = llvm.mlir.constant(128 : i64) : i64
  // CHECK: llvm.call @ragged_emulated_enter(%arg0, %[[TWO]], %[[THREADS]], %[[MOST]], %{{.*}})
  // CHECK: %[[WORD0:.*]] = llvm.getelementptr %arg1[0]
  // CHECK: %[[POINTER:.*]] = llvm.load %[[WORD0]] : !llvm.ptr -> !llvm.ptr
  // CHECK: %[[WORD1:.*]] = llvm.getelementptr %arg1[1]
  // CHECK: %[[NUMBER:.*]] = llvm.load %[[WORD1]] : !llvm.ptr -> i64
  // Sizes, alignments and spaces of accesses: i64, as the type has it, in global memory.
  // CHECK-DAG: %[[BYTES:.*]] = llvm.mlir.constant(8 : i64) : i64
  // CHECK-DAG: %[[SPACE:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK-DAG: %[[WHERE:.*]] = llvm.mlir.addressof @[[TEXT:ragged_emulated_where_[0-9]+]]
  // CHECK: llvm.call @ragged_emulated_check_store(%arg0, %[[POINTER]], %[[BYTES]], %{{.*}}, %[[SPACE]], %[[WHERE]]) {convergent}
  // CHECK-NEXT: llvm.store %[[NUMBER]], %[[POINTER]] {alignment = 8 : i64} : i64, !llvm.ptr
  // CHECK: llvm.mlir.global internal constant @[[TEXT]]("model.py:12:5: 'ragged.iota'\00")
  // CHECK: llvm.func @ragged_emulated_check_store(!llvm.ptr, !llvm.ptr, i64, i64, i32, !llvm.ptr) attributes {convergent}
  llvm.func @parameters(%p: !llvm.ptr<1> {llvm.noalias}, %n: i64) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 2>, nvvm.maxntid = array<i32: 128>} {
    llvm.store %n, %p {alignment = 8 : i64} : i64, !llvm.ptr<1> loc("ragged.iota"("model.py":12:5))
    llvm.return
  }

  // A function takes the thread first; its own frame is not checked; promises to LLVM are gone.
  // CHECK-LABEL: llvm.func @m__helper(%arg0: !llvm.ptr, %arg1: !llvm.ptr) -> !llvm.struct<(ptr, vector<8xbf16>)> {
  // CHECK: %[[FRAME:.*]] = llvm.alloca
  // CHECK-NOT: check
  // CHECK: llvm.store %{{.*}}, %{{.*}} : i32, !llvm.ptr
  // CHECK: llvm.mlir.constant(16 : i64)
  // CHECK: llvm.mlir.constant(4 : i64)
  // CHECK: llvm.mlir.constant(0 : i32)
  // CHECK: llvm.call @ragged_emulated_check_load(%arg0, %arg1,
  // CHECK-NEXT: llvm.load %arg1 {alignment = 4 : i64} : !llvm.ptr -> vector<8xbf16>
  llvm.func @helper(%p: !llvm.ptr) -> !llvm.struct<(ptr<3>, vector<8xbf16>)> {
    %one = llvm.mlir.constant(1 : i32) : i32
    %frame = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
    %slot = llvm.getelementptr %frame[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i32>
    llvm.store %one, %slot : i32, !llvm.ptr
    %x = llvm.load %p invariant {alignment = 4 : i64} : !llvm.ptr -> vector<8xbf16>
    %all = llvm.mlir.poison : !llvm.struct<(ptr<3>, vector<8xbf16>)>
    %both = llvm.insertvalue %x, %all[1] : !llvm.struct<(ptr<3>, vector<8xbf16>)>
    llvm.return %both : !llvm.struct<(ptr<3>, vector<8xbf16>)>
  }

  // Variables: constant data, shared ones with gaps between them, dynamic memory.
  // CHECK-LABEL: llvm.func @m__variables(
  // CHECK: %[[TABLE:.*]] = llvm.mlir.addressof @m__table
  // CHECK: llvm.call @ragged_emulated_constant(%arg0, %[[TABLE]],
  // CHECK: %[[OFFSET0:.*]] = llvm.mlir.constant(0 : i64)
  // CHECK: %[[BYTES0:.*]] = llvm.mlir.constant(12 : i64)
  // CHECK: llvm.call @ragged_emulated_static_shared(%arg0, %[[OFFSET0]], %[[BYTES0]],
  // CHECK: %[[OFFSET1:.*]] = llvm.mlir.constant(128 : i64)
  // CHECK: %[[BYTES1:.*]] = llvm.mlir.constant(16 : i64)
  // CHECK: llvm.call @ragged_emulated_static_shared(%arg0, %[[OFFSET1]], %[[BYTES1]],
  // CHECK: llvm.call @ragged_emulated_dynamic_shared(%arg0)
  // CHECK: llvm.call @m__helper(%arg0, %{{.*}}) {convergent} : (!llvm.ptr, !llvm.ptr) -> !llvm.struct<(ptr, vector<8xbf16>)>
  llvm.func @variables(%p: !llvm.ptr) attributes {gpu.kernel} {
    %0 = llvm.mlir.addressof @table : !llvm.ptr<4>
    %1 = llvm.mlir.addressof @first : !llvm.ptr<3>
    %2 = llvm.mlir.addressof @second : !llvm.ptr<3>
    %3 = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    %4 = llvm.addrspacecast %3 : !llvm.ptr<3> to !llvm.ptr
    %5 = llvm.call @helper(%4) : (!llvm.ptr) -> !llvm.struct<(ptr<3>, vector<8xbf16>)>
    llvm.return
  }

  // Grids and blocks have one dimension.
  // CHECK-LABEL: llvm.func @m__registers(
  // CHECK: llvm.call @ragged_emulated_tid(
  // CHECK: llvm.call @ragged_emulated_ctaid(
  // CHECK: llvm.call @ragged_emulated_ntid(
  // CHECK: llvm.call @ragged_emulated_nctaid(
  // CHECK: llvm.call @ragged_emulated_laneid(
  // CHECK: llvm.call @ragged_emulated_warpid(
  // CHECK: llvm.mlir.constant(0 : i32)
  // CHECK: llvm.mlir.constant(1 : i32)
  // CHECK: llvm.mlir.constant(32 : i32)
  // CHECK: %[[LANE:.*]] = llvm.call @ragged_emulated_laneid(
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: %[[BIT:.*]] = llvm.shl %[[ONE]], %[[LANE]]
  // CHECK: llvm.add %[[BIT]],
  llvm.func @registers() attributes {nvvm.kernel} {
    %0 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 1024> : i32
    %1 = nvvm.read.ptx.sreg.ctaid.x : i32
    %2 = nvvm.read.ptx.sreg.ntid.x : i32
    %3 = nvvm.read.ptx.sreg.nctaid.x : i32
    %4 = nvvm.read.ptx.sreg.laneid : i32
    %5 = nvvm.read.ptx.sreg.warpid : i32
    %6 = nvvm.read.ptx.sreg.tid.y : i32
    %7 = nvvm.read.ptx.sreg.ntid.z : i32
    %8 = nvvm.read.ptx.sreg.warpsize : i32
    %9 = nvvm.read.ptx.sreg.lanemask.lt : i32
    llvm.return
  }

  // CHECK-LABEL: llvm.func @m__together(
  // CHECK: llvm.call @ragged_emulated_barrier(%arg0, %{{.*}}) {convergent}
  // CHECK: llvm.call @ragged_emulated_barrier_count(%arg0, %[[ID:.*]], %[[COUNT:.*]], %{{.*}}) {convergent}
  // CHECK: llvm.call @ragged_emulated_warp_barrier(
  // CHECK: %[[NOT_ASKED:.*]] = llvm.mlir.zero : !llvm.ptr
  // CHECK: llvm.bitcast %{{.*}} : f32 to i32
  // CHECK: llvm.call @ragged_emulated_shuffle_down(%arg0, {{.*}}, %[[NOT_ASKED]],
  // CHECK: llvm.bitcast %{{.*}} : i32 to f32
  // CHECK: llvm.call @ragged_emulated_shuffle_idx(
  // CHECK: llvm.insertvalue %{{.*}}[1] : !llvm.struct<(i32, i1)>
  // CHECK: llvm.call @ragged_emulated_vote_any(
  // CHECK: llvm.icmp "ne"
  // CHECK: llvm.call @ragged_emulated_vote_ballot(
  llvm.func @together() attributes {nvvm.kernel} {
    %mask = llvm.mlir.constant(-1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %yes = llvm.mlir.constant(true) : i1
    %x = llvm.mlir.constant(1.0 : f32) : f32
    nvvm.barrier0
    nvvm.barrier id = %c32 number_of_threads = %c32
    nvvm.bar.warp.sync %mask : i32
    %0 = nvvm.shfl.sync down %mask, %x, %c32, %c32 : f32 -> f32
    %1 = nvvm.shfl.sync idx %mask, %c32, %c32, %c32 {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
    %2 = nvvm.vote.sync any %mask, %yes -> i1
    %3 = nvvm.vote.sync ballot %mask, %yes -> i32
    llvm.return
  }

  // Element by element where the host has no instruction; as it is where it has.
  // CHECK-LABEL: llvm.func @m__math(
  // CHECK-COUNT-2: llvm.call @ragged_emulated_exp(
  // CHECK: llvm.call @ragged_emulated_lg2_f64(
  // CHECK: llvm.intr.sqrt(
  // CHECK: llvm.call @ragged_emulated_flush(
  // CHECK: llvm.call @ragged_emulated_rsqrt(
  // CHECK: llvm.call @ragged_emulated_flush(
  // CHECK: llvm.call @ragged_emulated_ex2(
  // CHECK: llvm.call @ragged_emulated_tanh(
  // CHECK-COUNT-2: llvm.call @ragged_emulated_f32_to_bf16(
  llvm.func @math(%v: vector<2xf32>, %d: f64, %x: f32) -> f32 {
    %0 = llvm.intr.exp(%v) : (vector<2xf32>) -> vector<2xf32>
    %1 = llvm.intr.log2(%d) : (f64) -> f64
    %2 = llvm.intr.sqrt(%v) : (vector<2xf32>) -> vector<2xf32>
    %3 = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.ftz.f"(%x) : (f32) -> f32
    %4 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"(%3) : (f32) -> f32
    %5 = llvm.call @__nv_tanhf(%4) : (f32) -> f32
    %6 = llvm.fptrunc %0 : vector<2xf32> to vector<2xbf16>
    llvm.return %5 : f32
  }
  llvm.func @__nv_tanhf(f32) -> f32
}
