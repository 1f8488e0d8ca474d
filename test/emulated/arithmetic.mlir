// Arithmetic that goes through the device's functions, in compiled code: each of the eight threads
// computes one result of 0.5.

// RUN: emulated_run %s m__math 1 8 0 f32:1:0.5 f32:8! | FileCheck %s
// CHECK: operand 1: 1.64872 1.41421 -1 2 1.41421 0.462117 0.5205 0.5

// Subnormal operands are zero where the instruction flushes them.
// RUN: emulated_run %s m__math 1 8 0 f32:1:1e-40 f32:8! | FileCheck %s -check-prefix=FLUSH
// FLUSH: operand 1: 1 1 -132.877 inf

// Private memory, constant data and copies of blocks.
// RUN: emulated_run %s m__memory 1 8 0 f32:8:iota f32:8! | FileCheck %s -check-prefix=MEMORY
// MEMORY: operand 1: 10 21 12 23 14 25 16 27
// RUN: not emulated_run %s m__memory 1 8 0 f32:7:iota f32:8! | FileCheck %s -check-prefix=COPY
// COPY: thread 7, {{.*}}'llvm.intr.memcpy': global load of 4 bytes out of bounds

gpu.module @m {
  llvm.mlir.global internal constant @table(dense<[10.0, 20.0]> : tensor<2xf32>) {addr_space = 4 : i32} : !llvm.array<2 x f32>
  llvm.func @__nv_erff(f32) -> f32
  llvm.func @math(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %x = llvm.load %in : !llvm.ptr<1> -> f32
    %address = llvm.getelementptr %out[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.switch %thread : i32, ^bf16 [0: ^exp, 1: ^ex2, 2: ^lg2, 3: ^rcp, 4: ^rsqrt, 5: ^tanh, 6: ^erf]
  ^exp:
    %exp = llvm.intr.exp(%x) : (f32) -> f32
    llvm.br ^end(%exp : f32)
  ^ex2:
    %ex2 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    llvm.br ^end(%ex2 : f32)
  ^lg2:
    %lg2 = llvm.intr.log2(%x) : (f32) -> f32
    llvm.br ^end(%lg2 : f32)
  ^rcp:
    %rcp = nvvm.rcp.approx.ftz.f %x : f32
    llvm.br ^end(%rcp : f32)
  ^rsqrt:
    %rsqrt = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"(%x) : (f32) -> f32
    llvm.br ^end(%rsqrt : f32)
  ^tanh:
    %v0 = llvm.mlir.poison : vector<1xf32>
    %v1 = llvm.insertelement %x, %v0[%c0 : i32] : vector<1xf32>
    %v2 = llvm.intr.tanh(%v1) : (vector<1xf32>) -> vector<1xf32>
    %tanh = llvm.extractelement %v2[%c0 : i32] : vector<1xf32>
    llvm.br ^end(%tanh : f32)
  ^erf:
    %erf = llvm.call @__nv_erff(%x) : (f32) -> f32
    llvm.br ^end(%erf : f32)
  ^bf16:
    %bf16 = llvm.fptrunc %x : f32 to bf16
    %f16 = llvm.fptrunc %x : f32 to f16
    %wide = llvm.fpext %bf16 : bf16 to f32
    %half = llvm.fpext %f16 : f16 to f64
    %half32 = llvm.fptrunc %half : f64 to f32
    %sum = llvm.fadd %wide, %half32 : f32
    %two = llvm.mlir.constant(2.0 : f32) : f32
    %mean = llvm.fdiv %sum, %two : f32
    llvm.br ^end(%mean : f32)
  ^end(%result: f32):
    llvm.store %result, %address : f32, !llvm.ptr<1>
    llvm.return
  }

  llvm.func @memory(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i64) : i64
    %private = llvm.alloca %c1 x f32 : (i32) -> !llvm.ptr
    %from = llvm.getelementptr %in[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %to = llvm.getelementptr %out[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    "llvm.intr.memcpy"(%private, %from, %c4) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr<1>, i64) -> ()
    // A pointer of which the compiler does not see that it is private.
    %cast = llvm.addrspacecast %from : !llvm.ptr<1> to !llvm.ptr
    %never = llvm.icmp "slt" %thread, %c0 : i32
    %either = llvm.select %never, %cast, %private : i1, !llvm.ptr
    %x = llvm.load %either : !llvm.ptr -> f32
    %odd = llvm.and %thread, %c1 : i32
    %table = llvm.mlir.addressof @table : !llvm.ptr<4>
    %entry = llvm.getelementptr %table[%odd] : (!llvm.ptr<4>, i32) -> !llvm.ptr<4>, f32
    %y = llvm.load %entry : !llvm.ptr<4> -> f32
    %sum = llvm.fadd %x, %y : f32
    llvm.store %sum, %to : f32, !llvm.ptr<1>
    llvm.return
  }
}
