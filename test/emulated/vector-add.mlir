// A kernel with a guard for the tail, run on the emulated device; and what happens without the guard,
// past the end, on memory that nobody wrote, and where vectors are not aligned.

// RUN: emulated_run %s m__add 4 32 0 word:100 f32:100:iota f32:100:2 f32:100! | FileCheck %s
// CHECK: operand 3: 2 3 4 5 {{.*}} 100 101
// CHECK: loaded 800 bytes, stored 400 bytes; loads 0 0 200 0 0 0, stores 0 0 100 0 0 0

// RUN: not emulated_run %s m__unguarded 4 32 0 word:100 f32:100:iota f32:100:2 f32:100! | FileCheck %s -check-prefix=UNGUARDED
// UNGUARDED: error: internal: kernel 'm__unguarded', block 3, thread 4, {{.*}}vector-add.mlir:[[#]]:[[#]]: 'llvm.load': global load of 4 bytes out of bounds: address {{.*}} (offset 400 of the 400 bytes at

// RUN: not emulated_run %s m__add 4 32 0 word:101 f32:101:iota f32:101:2 f32:100! | FileCheck %s -check-prefix=STORE
// STORE: thread 4, {{.*}}vector-add.mlir:[[#]]:[[#]]: 'llvm.store': global store of 4 bytes out of bounds

// RUN: not emulated_run %s m__add 4 32 0 word:100 f32:100:iota f32:100 f32:100! | FileCheck %s -check-prefix=UNWRITTEN
// UNWRITTEN: block 0, thread 0, {{.*}}'llvm.load': load of 4 bytes, byte 0 of which was never written

// A result that is not all written is not read back.
// RUN: not emulated_run %s m__add 4 32 0 word:99 f32:100:iota f32:100:2 f32:100! | FileCheck %s -check-prefix=RESULT
// RESULT: error: internal: download of 400 bytes at {{.*}}: byte 396 was never written

// RUN: not emulated_run %s m__add 4 32 0 word:100 f32:100:iota f32:100:2 | FileCheck %s -check-prefix=PARAMETERS
// PARAMETERS: launched with 3 parameters, expected 4

// RUN: not emulated_run %s m__add 4 64 0 word:100 f32:100:iota f32:100:2 f32:100! | FileCheck %s -check-prefix=THREADS
// THREADS: launched in blocks of 64 threads, expected 32

// RUN: not emulated_run %s m__vectors 1 4 0 word:0 f32:20:iota f32:20! | FileCheck %s -check-prefix=VECTORS
// VECTORS-NOT: operand
// VECTORS: error: internal: download of 80 bytes
// RUN: emulated_run %s m__vectors 1 5 0 word:0 f32:20:iota f32:20! | FileCheck %s -check-prefix=FIVE
// FIVE: operand 2: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19
// FIVE: loads 0 0 0 0 5 0, stores 0 0 0 0 5 0
// RUN: not emulated_run %s m__vectors 1 4 0 word:2 f32:20:iota f32:20! | FileCheck %s -check-prefix=ALIGNED
// ALIGNED: thread 0, add.py:7:3: 'ragged.add': load of 16 bytes is not aligned to 16: address {{.*}} (offset 8 of the 80 bytes

gpu.module @m {
  llvm.func @add(%n: i64, %a: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %b: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %block = nvvm.read.ptx.sreg.ctaid.x : i32
    %threads = nvvm.read.ptx.sreg.ntid.x : i32
    %first = llvm.mul %block, %threads : i32
    %index32 = llvm.add %first, %thread : i32
    %index = llvm.sext %index32 : i32 to i64
    %inside = llvm.icmp "slt" %index, %n : i64
    llvm.cond_br %inside, ^then, ^end
  ^then:
    llvm.call @add_one(%index, %a, %b, %out) : (i64, !llvm.ptr<1>, !llvm.ptr<1>, !llvm.ptr<1>) -> ()
    llvm.br ^end
  ^end:
    llvm.return
  }
  llvm.func @unguarded(%n: i64, %a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %block = nvvm.read.ptx.sreg.ctaid.x : i32
    %threads = nvvm.read.ptx.sreg.ntid.x : i32
    %first = llvm.mul %block, %threads : i32
    %index32 = llvm.add %first, %thread : i32
    %index = llvm.sext %index32 : i32 to i64
    llvm.call @add_one(%index, %a, %b, %out) : (i64, !llvm.ptr<1>, !llvm.ptr<1>, !llvm.ptr<1>) -> ()
    llvm.return
  }
  llvm.func internal @add_one(%index: i64, %a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %out: !llvm.ptr<1>) {
    %ai = llvm.getelementptr %a[%index] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %bi = llvm.getelementptr %b[%index] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %oi = llvm.getelementptr %out[%index] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %ai invariant {alignment = 4 : i64} : !llvm.ptr<1> -> f32
    %y = llvm.load %bi {alignment = 4 : i64} : !llvm.ptr<1> -> f32
    %sum = llvm.fadd %x, %y : f32
    llvm.store %sum, %oi {alignment = 4 : i64} : f32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @vectors(%shift: i64, %in: !llvm.ptr, %out: !llvm.ptr) attributes {nvvm.kernel} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %shifted = llvm.getelementptr %in[%shift] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from = llvm.getelementptr %shifted[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, vector<4xf32>
    %to = llvm.getelementptr %out[%thread] : (!llvm.ptr, i32) -> !llvm.ptr, vector<4xf32>
    %x = llvm.load %from : !llvm.ptr -> vector<4xf32> loc("ragged.add"("add.py":7:3))
    llvm.store %x, %to {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
    llvm.return
  }
}
