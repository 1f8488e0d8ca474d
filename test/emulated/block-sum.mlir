// The sum of a block: shuffles within warps, shared memory between them. Each broken twin leaves out
// or misplaces one thing.

// RUN: emulated_run %s m__sum 2 128 0 f32:256:iota f32:2! | FileCheck %s
// CHECK: operand 1: 8128 24512

// RUN: not emulated_run %s m__no_barrier 2 128 0 f32:256:iota f32:2! | FileCheck %s -check-prefix=BARRIER
// BARRIER: block 0, thread 0, {{.*}}block-sum.mlir:[[#]]:[[#]]: 'llvm.load': load of 16 bytes, byte 0 of which was never written: address {{.*}} of the block's shared variables

// RUN: not emulated_run %s m__race 1 64 0 f32:256:iota f32:2! | FileCheck %s -check-prefix=RACE
// RACE: 'llvm.store': race: the store of 4 bytes is not ordered after a store by thread 0: address

// RUN: not emulated_run %s m__divergent 1 128 0 f32:256:iota f32:2! | FileCheck %s -check-prefix=DIVERGENT
// DIVERGENT: block 0, thread 0, {{.*}}block-sum.mlir:[[#]]:[[#]]: 'nvvm.barrier0': divergence: thread 0 waits at barrier 0, {{.*}}, but thread 64 has finished

// RUN: not emulated_run %s m__half_warp 1 32 0 f32:256:iota f32:2! | FileCheck %s -check-prefix=WARP
// WARP: thread 0, {{.*}}block-sum.mlir:[[#]]:[[#]]: 'nvvm.shfl.sync': divergence: thread 0 waits in a shuffle (bfly) with mask 0xffffffff, {{.*}}, but thread 16 has finished

// RUN: not emulated_run %s m__past_variable 1 64 0 f32:256:iota f32:2! | FileCheck %s -check-prefix=PAST
// PAST: thread 4, {{.*}}'llvm.store': shared store of 4 bytes out of bounds: address {{.*}} (offset 16 of the block's shared variables)

// RUN: not emulated_run %s m__two_blocks 2 32 0 f32:256:iota f32:2! | FileCheck %s -check-prefix=BLOCKS
// BLOCKS: block 1, thread 0, {{.*}}'llvm.store': race: the store of 4 bytes is not ordered after a store by thread 0 of block 0

// RUN: emulated_run %s m__dynamic 1 64 256 f32:256:iota f32:64! | FileCheck %s -check-prefix=DYNAMIC
// DYNAMIC: operand 1: 63 62 61 {{.*}} 2 1 0
// RUN: not emulated_run %s m__dynamic 1 64 252 f32:256:iota f32:64! | FileCheck %s -check-prefix=SMALL
// SMALL: thread 63, {{.*}} shared store of 4 bytes out of bounds: address {{.*}} (offset 252 of the block's 252 bytes of dynamic shared memory)

// RUN: not emulated_run %s m__trap 1 64 0 f32:256:iota f32:64! | FileCheck %s -check-prefix=TRAP
// TRAP: thread 0, {{.*}}block-sum.mlir:[[#]]:[[#]]: 'llvm.unreachable': the kernel reached a trap

gpu.module @m {
  llvm.mlir.global internal @partial() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x f32>
  llvm.mlir.global external @dynamic_memory() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>

  llvm.func @warp_sum(%x: f32) -> f32 {
    %all = llvm.mlir.constant(-1 : i32) : i32
    %clamp = llvm.mlir.constant(31 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    llvm.br ^loop(%c16, %x : i32, f32)
  ^loop(%distance: i32, %sum: f32):
    %other = nvvm.shfl.sync bfly %all, %sum, %distance, %clamp : f32 -> f32
    %next = llvm.fadd %sum, %other : f32
    %half = llvm.lshr %distance, %c1 : i32
    %more = llvm.icmp "ne" %half, %c0 : i32
    llvm.cond_br %more, ^loop(%half, %next : i32, f32), ^end
  ^end:
    llvm.return %next : f32
  }
  // The thread's element of the block's 128.
  llvm.func @element(%in: !llvm.ptr<1>) -> f32 {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %block = nvvm.read.ptx.sreg.ctaid.x : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %first = llvm.mul %block, %c128 : i32
    %index = llvm.add %first, %thread : i32
    %address = llvm.getelementptr %in[%index] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %address : !llvm.ptr<1> -> f32
    llvm.return %x : f32
  }
  llvm.func @store_partial(%index: i32, %x: f32) {
    %partial = llvm.mlir.addressof @partial : !llvm.ptr<3>
    %address = llvm.getelementptr %partial[%index] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    llvm.store %x, %address : f32, !llvm.ptr<3>
    llvm.return
  }
  // Thread 0 adds the four partial sums, which it reads at once through a generic pointer.
  llvm.func @finish(%out: !llvm.ptr<1>) {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %block = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %first = llvm.icmp "eq" %thread, %c0 : i32
    llvm.cond_br %first, ^then, ^end
  ^then:
    %partial = llvm.mlir.addressof @partial : !llvm.ptr<3>
    %generic = llvm.addrspacecast %partial : !llvm.ptr<3> to !llvm.ptr
    %all = llvm.load %generic : !llvm.ptr -> vector<4xf32>
    %sum = "llvm.intr.vector.reduce.fadd"(%zero, %all) : (f32, vector<4xf32>) -> f32
    %address = llvm.getelementptr %out[%block] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %sum, %address : f32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
  llvm.func @sum(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %x = llvm.call @element(%in) : (!llvm.ptr<1>) -> f32
    %sum = llvm.call @warp_sum(%x) : (f32) -> f32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %warp = nvvm.read.ptx.sreg.warpid : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %leads = llvm.icmp "eq" %lane, %c0 : i32
    llvm.cond_br %leads, ^then, ^end
  ^then:
    llvm.call @store_partial(%warp, %sum) : (i32, f32) -> ()
    llvm.br ^end
  ^end:
    nvvm.barrier0
    llvm.call @finish(%out) : (!llvm.ptr<1>) -> ()
    llvm.return
  }
  llvm.func @no_barrier(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %x = llvm.call @element(%in) : (!llvm.ptr<1>) -> f32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %c124 = llvm.mlir.constant(124 : i32) : i32
    %late = llvm.icmp "uge" %thread, %c124 : i32
    llvm.cond_br %late, ^then, ^end
  ^then:
    %index = llvm.sub %thread, %c124 : i32
    llvm.call @store_partial(%index, %x) : (i32, f32) -> ()
    llvm.br ^end
  ^end:
    llvm.call @finish(%out) : (!llvm.ptr<1>) -> ()
    llvm.return
  }
  llvm.func @race(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %x = llvm.call @element(%in) : (!llvm.ptr<1>) -> f32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %index = llvm.and %lane, %c3 : i32
    llvm.call @store_partial(%index, %x) : (i32, f32) -> ()
    llvm.return
  }
  llvm.func @divergent(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %early = llvm.icmp "ult" %thread, %c64 : i32
    llvm.cond_br %early, ^then, ^end
  ^then:
    nvvm.barrier0
    llvm.br ^end
  ^end:
    llvm.return
  }
  llvm.func @half_warp(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %x = llvm.call @element(%in) : (!llvm.ptr<1>) -> f32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %early = llvm.icmp "ult" %thread, %c16 : i32
    llvm.cond_br %early, ^then, ^end
  ^then:
    %sum = llvm.call @warp_sum(%x) : (f32) -> f32
    llvm.br ^end
  ^end:
    llvm.return
  }
  llvm.func @past_variable(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %x = llvm.call @element(%in) : (!llvm.ptr<1>) -> f32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    llvm.call @store_partial(%thread, %x) : (i32, f32) -> ()
    llvm.return
  }
  llvm.func @two_blocks(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %first = llvm.icmp "eq" %thread, %c0 : i32
    %x = llvm.call @element(%in) : (!llvm.ptr<1>) -> f32
    llvm.cond_br %first, ^then, ^end
  ^then:
    llvm.store %x, %out : f32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
  // The block's elements, backwards, by an asynchronous copy into dynamic shared memory.
  llvm.func @dynamic(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %c63 = llvm.mlir.constant(63 : i32) : i32
    %memory = llvm.mlir.addressof @dynamic_memory : !llvm.ptr<3>
    %from = llvm.getelementptr %in[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %to = llvm.getelementptr %memory[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    nvvm.cp.async.shared.global %to, %from, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    nvvm.barrier
    %back = llvm.sub %c63, %thread : i32
    %other = llvm.getelementptr %memory[%back] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %x = llvm.load %other : !llvm.ptr<3> -> f32
    %result = llvm.getelementptr %out[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %x, %result : f32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @trap(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %wrong = llvm.icmp "ult" %thread, %c64 : i32
    llvm.cond_br %wrong, ^then, ^end
  ^then:
    llvm.unreachable
  ^end:
    llvm.return
  }
}
