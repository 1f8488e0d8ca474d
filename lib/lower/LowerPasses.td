// The passes of the lowering, in the manner of passes/Passes.td. Stage 1 → tiles → the CPU.
#ifndef RAGGED_LOWER_LOWER_PASSES_TD
#define RAGGED_LOWER_LOWER_PASSES_TD

include "mlir/Pass/PassBase.td"

def RaggedToTiles : Pass<"ragged-to-tiles", "mlir::ModuleOp"> {
  let summary = "Stage 1 to host programs and kernels on tiles";
  let description = [{
    Every function becomes a host program `ragged_entry_NAME` on axes, spaces and buffers, and the
    kernels that it launches. Row-local ops over one space (elementwise, broadcasts, norms and
    softmax along static dimensions, linear) join into one kernel, so that what only they read is
    never stored; a kernel with dense products runs block of rows by block of rows. Every buffer is
    released after its last use. Calls must have been inlined and schemas inferred.
  }];
  let dependentDialects = ["::ragged_tile::RaggedTileDialect", "::mlir::func::FuncDialect",
                           "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
  let options = [
    Option<"fuse", "fuse", "bool", /*default=*/"true", "Join row-local ops into one kernel">
  ];
}

def RaggedLowerHost : Pass<"ragged-lower-host", "mlir::ModuleOp"> {
  let summary = "Host programs to calls of the runtime (for tests)";
  let description = [{
    Handles become pointers, host ops calls of the functions of runtime/frame.h. This is the first
    half of ragged-lower-kernels-to-cpu, for a machine with vectors of 64 bytes; kernels and products
    become declarations of what the other half makes.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"];
}

def RaggedLowerKernelsToCpu : Pass<"ragged-lower-kernels-to-cpu", "mlir::ModuleOp"> {
  let summary = "Kernels on tiles to functions on vectors and pointers";
  let description = [{
    Each kernel becomes a function over a range of its rows, strip-mined to vectors of the target;
    each dense product a register-blocked microkernel; host programs become calls of the runtime. Both
    at once, since each refers to the other: what a launch passes is read from its kernel.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"vectorBytes", "vector-bytes", "int64_t", /*default=*/"0",
           "Width of a vector register in bytes: 16, 32 or 64; 0: this machine's">
  ];
}

def RaggedLowerKernelsToGpu : Pass<"ragged-lower-kernels-to-gpu", "mlir::ModuleOp"> {
  let summary = "Kernels on tiles to functions of a GPU module";
  let description = [{
    Each kernel becomes a function of one `gpu.module` on bare pointers: a group of threads works on a
    row, 16 bytes a thread where rows allow it; reductions are shuffles; dense products run inside the
    kernel, a block of rows at a time. Host programs become calls of the runtime that launch them.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect", "::mlir::gpu::GPUDialect"];
  let options = [
    Option<"chips", "chips", "std::string", /*default=*/"", "Chips, default sm_80,sm_90">,
    Option<"ptx", "ptx", "std::string", /*default=*/"",
           "PTX version, default 8.0 or what the chips need">,
    Option<"format", "format", "std::string", /*default=*/"",
           "nvvm, isa, bin or fatbin (default): checked here, used by lower-to-nvvm">
  ];
}

def RaggedEmbedKernels : Pass<"ragged-embed-kernels", "mlir::ModuleOp"> {
  let summary = "Binaries of kernels to constants of the host module";
  let description = [{
    The objects of the gpu.binary that lower-to-nvvm leaves, or the functions that
    ragged-emulate-kernels makes, become data that the runtime finds a kernel in by its name.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def RaggedEmulateKernels : Pass<"ragged-emulate-kernels", "mlir::ModuleOp"> {
  let summary = "Kernels in gpu.modules to functions that the emulated device runs";
  let description = [{
    Every function of a gpu.module, in the LLVM and NVVM dialects, becomes a function of the module:
    `MODULE__KERNEL(thread, words)` is the program of one thread, whose parameters are loaded from
    `words`. Every load and store is preceded by its check, barriers, warp operations, asynchronous
    copies and matrix products are calls of the emulated device (runtime/emulated/emulated_abi.h), and
    address spaces are gone. An op that is not emulated is an error.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif  // RAGGED_LOWER_LOWER_PASSES_TD
