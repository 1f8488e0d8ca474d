// The classes that MLIR wants for the lowering's passes, and the named pipelines.
#include "lower/glue/LowerPasses.h"

#include "dialect/diagnostic.h"
#include "lower/cpu/lower_cpu.h"
#include "lower/emulated/emulate_kernels.h"
#include "lower/gpu/lower_gpu.h"
#include "lower/tile/RaggedTileDialect.h"
#include "lower/tile/tile_types.h"
#include "lower/tile/to_tiles.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "passes/glue/pass_class.h"

namespace {
#define GEN_PASS_DECL
#define GEN_PASS_DEF_RAGGEDEMBEDKERNELS
#define GEN_PASS_DEF_RAGGEDTOTILES
#define GEN_PASS_DEF_RAGGEDLOWERHOST
#define GEN_PASS_DEF_RAGGEDLOWERKERNELSTOCPU
#define GEN_PASS_DEF_RAGGEDLOWERKERNELSTOGPU
#define GEN_PASS_DEF_RAGGEDEMULATEKERNELS
#define GEN_PASS_REGISTRATION
#include "lib/lower/LowerPasses.h.inc"

bool vectorBytesError(MlirOperation module, int64_t vectorBytes) {
  emitError(unwrap(ragged_module_location(module)))
      << "vector-bytes is " << vectorBytes << ", expected 16, 32 or 64";
  return false;
}

ragged_cpu_target targetFor(int64_t vectorBytes) {
  ragged_cpu_target native = ragged_cpu_target_native();
  if (vectorBytes) native = {static_cast<int>(vectorBytes), vectorBytes == 64 ? 32 : 16};
  return native;
}

RAGGED_PASS(RaggedToTiles, ragged_to_tiles_run(op, fuse))
RAGGED_PASS(RaggedLowerHost, ragged_lower_host_run(op))
RAGGED_PASS(RaggedEmulateKernels, ragged_emulate_kernels_run(op))
RAGGED_PASS(RaggedLowerKernelsToCpu, [&] {
  if (vectorBytes != 0 && vectorBytes != 16 && vectorBytes != 32 && vectorBytes != 64)
    return vectorBytesError(op, vectorBytes);
  ragged_cpu_target target = targetFor(vectorBytes);
  return ragged_lower_host_to_cpu(op, &target) && ragged_lower_kernels_to_cpu(op, &target);
}())
RAGGED_PASS(RaggedEmbedKernels, ragged_embed_kernels(op))
RAGGED_PASS(RaggedLowerKernelsToGpu, [&] {
  ragged_gpu_options options = {chips.c_str(), ptx.c_str(), format.c_str()};
  return ragged_lower_to_gpu_run(op, &options);
}())
}  // namespace

#define STAGE_2                                                                                  \
  "ragged-verify-axes,ragged-propagate-schemas,ragged-inline,canonicalize,cse,ragged-to-tiles,"
#define TO_LLVM                                                                                  \
  "canonicalize,cse,convert-scf-to-cf,convert-vector-to-llvm,convert-math-to-llvm,"             \
  "convert-arith-to-llvm,convert-index-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,"        \
  "reconcile-unrealized-casts"

static void addPasses(mlir::OpPassManager &manager, const std::string &text) {
  if (failed(mlir::parsePassPipeline(text, manager)))
    llvm::report_fatal_error("a pipeline names a pass that is not registered");
}

namespace {
struct NvvmOptions : mlir::PassPipelineOptions<NvvmOptions> {
  Option<std::string> chips{*this, "chips", llvm::cl::desc("Chips, default sm_80,sm_90")};
  Option<std::string> ptx{*this, "ptx", llvm::cl::desc("PTX version, default 8.0 or what the chips need")};
  Option<std::string> format{*this, "format", llvm::cl::desc("nvvm, isa, bin or fatbin (default)")};
};
}  // namespace

void ragged::registerLowerPasses() {
  ::registerRaggedLowerPasses();
  mlir::PassPipelineRegistration<>(
      "lower-to-emulated", "Ragged programs to the LLVM dialect, GPU kernels for the emulated device",
      [](mlir::OpPassManager &manager) {
        addPasses(manager, STAGE_2 "ragged-lower-kernels-to-gpu{format=nvvm}," TO_LLVM
                                   ",ragged-emulate-kernels,ragged-embed-kernels");
      });
  mlir::PassPipelineRegistration<>(
      "lower-to-cpu", "Ragged programs to the LLVM dialect for the CPU",
      [](mlir::OpPassManager &manager) {
        addPasses(manager, STAGE_2 "ragged-lower-kernels-to-cpu," TO_LLVM);
      });
  mlir::PassPipelineRegistration<NvvmOptions>(
      "lower-to-nvvm", "Ragged programs to the LLVM dialect with embedded GPU kernels",
      [](mlir::OpPassManager &manager, const NvvmOptions &options) {
        std::string format = options.format.empty() ? std::string("fatbin") : options.format.getValue();
        std::string own = "chips=\"" + options.chips.getValue() + "\" ptx=\"" + options.ptx.getValue() + "\" format=\"" + format + "\"";
        addPasses(manager, STAGE_2 "ragged-lower-kernels-to-gpu{" + own + "}," TO_LLVM);
        if (format != "nvvm") addPasses(manager, "gpu-module-to-binary{format=" + format + "}");
      });
}

void ragged::registerTileDialect(mlir::DialectRegistry &registry) {
  MlirDialectHandle handle = mlirGetDialectHandle__ragged_tile__();
  mlirDialectHandleInsertDialect(handle, wrap(&registry));
}
