// ragged-opt: mlir-opt with the dialects and passes of this project.
#include "dialect/glue/RaggedDialect.h"
#include "lower/glue/LowerPasses.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "passes/glue/Passes.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  ragged::registerRaggedPasses();
  ragged::registerLowerPasses();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);  // GPU modules become binaries
  registry.insert<ragged::RaggedDialect>();
  ragged::registerTileDialect(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "ragged optimizer driver\n", registry));
}
