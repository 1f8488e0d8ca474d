// A context for tests that build or read MLIR of any dialect.
#ifndef RAGGED_MLIR_TEST_CONTEXT_H
#define RAGGED_MLIR_TEST_CONTEXT_H

#include "mlir-c/RegisterEverything.h"

// With all of MLIR's dialects loaded and their translations to LLVM, on one thread. The caller's to destroy.
static inline MlirContext mlir_test_context_create(void) {
  MlirContext context = mlirContextCreateWithThreading(false);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  mlirRegisterAllLLVMTranslations(context);
  mlirContextLoadAllAvailableDialects(context);
  return context;
}

#endif  // RAGGED_MLIR_TEST_CONTEXT_H
