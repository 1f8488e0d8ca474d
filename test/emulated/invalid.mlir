// What is not emulated is an error at its op.
// RUN: ragged-opt %s --ragged-emulate-kernels --verify-diagnostics --split-input-file

gpu.module @m {
  llvm.func @kernel(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    // expected-error @+1 {{'llvm.atomicrmw' op is not emulated}}
    %0 = llvm.atomicrmw add %p, %one monotonic : !llvm.ptr<1>, i32
    // expected-error @+1 {{'llvm.load' op is atomic, which the emulated device does not have}}
    %1 = llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    // expected-error @+1 {{'nvvm.read.ptx.sreg.clock' op is a register that the emulated device does not have}}
    %2 = nvvm.read.ptx.sreg.clock : i32
    // expected-error @+1 {{'llvm.inline_asm' op is not emulated}}
    llvm.inline_asm has_side_effects "bar.sync 0;", "" : () -> ()
    // expected-error @+1 {{'llvm.call_intrinsic' op 'llvm.nvvm.suq.width' with such operands is not emulated}}
    %3 = llvm.call_intrinsic "llvm.nvvm.suq.width"(%one) : (i32) -> i32
    llvm.return
  }
}

// -----

gpu.module @m {
  llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
  llvm.func @kernel(%p: !llvm.ptr, %f: i64) attributes {nvvm.kernel} {
    // expected-error @+1 {{'llvm.call' op calls @vprintf, which is neither a function of the gpu.module nor known to the emulated device}}
    %0 = llvm.call @vprintf(%p, %p) : (!llvm.ptr, !llvm.ptr) -> i32
    // expected-error @+1 {{'llvm.call' op calls the kernel @kernel}}
    llvm.call @kernel(%p, %f) : (!llvm.ptr, i64) -> ()
    %1 = llvm.inttoptr %f : i64 to !llvm.ptr
    // expected-error @+1 {{'llvm.call' op is indirect, which is not emulated}}
    llvm.call %1() : !llvm.ptr, () -> ()
    llvm.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{'llvm.func' op has parameter 1 of type f32, expected i64 or a pointer to global memory}}
  llvm.func @kernel(%p: !llvm.ptr, %f: f32) attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{'llvm.mlir.global' op is a global variable, which the emulated device does not have}}
  llvm.mlir.global internal @counter(0 : i32) {addr_space = 1 : i32} : i32
  // expected-error @+1 {{'llvm.mlir.global' op has a value, which shared memory cannot have}}
  llvm.mlir.global internal @set(0 : i32) {addr_space = 3 : i32} : i32
  llvm.mlir.global internal @half() {addr_space = 3 : i32} : !llvm.array<60000 x i8>
  // expected-error @+1 {{'llvm.mlir.global' op does not fit: the emulated device has 98304 bytes for the shared variables of a gpu.module}}
  llvm.mlir.global internal @other() {addr_space = 3 : i32} : !llvm.array<60000 x i8>
}

// -----

gpu.module @m {
  llvm.func @kernel(%a: bf16, %h: vector<2xf16>, %i: i32, %x: f32, %p: !llvm.ptr<7>) {
    // expected-error @+1 {{'llvm.fadd' op computes in bf16, which is not emulated}}
    %0 = llvm.fadd %a, %a : bf16
    // expected-error @+1 {{'llvm.intr.exp' op 'llvm.intr.exp' with such operands is not emulated}}
    %1 = llvm.intr.exp(%h) : (vector<2xf16>) -> vector<2xf16>
    // expected-error @+1 {{'llvm.sitofp' op computes in f16, which is not emulated}}
    %2 = llvm.sitofp %i : i32 to f16
    // expected-error @+1 {{'nvvm.mma.sync' op is a matrix product that the emulated device does not have}}
    %3 = nvvm.mma.sync A[%h, %h, %h, %h] B[%h, %h] C[%h, %h] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
    // expected-error @+1 {{'llvm.load' op accesses address space 7, which the emulated device does not have}}
    %4 = llvm.load %p : !llvm.ptr<7> -> f32
    // expected-error @+1 {{'nvvm.barrier' op reduces, which the emulated device does not}}
    %5 = nvvm.barrier #nvvm.reduction<and> %i -> i32
    llvm.return
  }
}

// -----

llvm.func @m__kernel() {
  llvm.return
}
gpu.module @m {
  // expected-error @+1 {{'llvm.func' op becomes @m__kernel, which the module already has}}
  llvm.func @kernel() attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{'gpu.func' op is not emulated}}
  gpu.func @kernel() kernel {
    gpu.return
  }
}
