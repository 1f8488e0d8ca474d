// Passes by name over a module, through the public C API.
// RUN: %ragged_build/test/capi/capi-passes-c11 | FileCheck %s
// RUN: %ragged_build/test/capi/capi-passes-cxx17 | FileCheck %s
#include "ragged-c/passes.h"

#include "capi_test.h"
#include "mlir-c/Pass.h"

static const char *const program =
    "func.func private @double(%x: !ragged.tensor<[m, 4], f32>) -> !ragged.tensor<[m, 4], f32> {\n"
    "  %y = ragged.add %x, %x : !ragged.tensor<[m, 4], f32>, !ragged.tensor<[m, 4], f32>\n"
    "    -> !ragged.tensor<[m, 4], f32>\n"
    "  return %y : !ragged.tensor<[m, 4], f32>\n"
    "}\n"
    "func.func @f(%x: !ragged.tensor<[n, 4], f32>) -> !ragged.tensor<*, f32> {\n"
    "  %y = ragged.call @double(%x) : (!ragged.tensor<[n, 4], f32>) -> !ragged.tensor<*, f32>\n"
    "  return %y : !ragged.tensor<*, f32>\n"
    "}\n";

static const char *const wrong_program =
    "func.func @f(%x: !ragged.tensor<[n, 4], f32>, %y: !ragged.tensor<*, f32>) {\n"
    "  return\n"
    "}\n";

int main(void) {
  // Again and again is fine.
  raggedRegisterPasses();
  raggedRegisterPasses();
  MlirContext context = create_context();

  // CHECK: func.func @f(%{{.*}}: !ragged.tensor<[n, 4], f32>) -> !ragged.tensor<[n, 4], f32>
  // CHECK: ragged.call @double
  MlirModule module = parse(context, program);
  CHECK_OK(raggedResolveSchemas(module));
  mlirOperationPrint(mlirModuleGetOperation(module), print_text, NULL);

  // CHECK: module {
  // CHECK-NEXT: func.func @f
  // CHECK-NEXT: ragged.add
  // CHECK-NOT: ragged.call
  // CHECK: return
  CHECK_OK(raggedRunPipeline(
      module, mlirStringRefCreateFromCString("builtin.module(ragged-inline,canonicalize)")));
  mlirOperationPrint(mlirModuleGetOperation(module), print_text, NULL);
  printf("\n");

  // Passes are there for MLIR's own pass manager too.
  // CHECK: parsed 1
  MlirPassManager manager = mlirPassManagerCreate(context);
  printf("parsed %d\n",
         mlirLogicalResultIsSuccess(mlirParsePassPipeline(
             mlirPassManagerGetAsOpPassManager(manager),
             mlirStringRefCreateFromCString("builtin.module(ragged-verify-axes)"), print_text,
             NULL)));
  mlirPassManagerDestroy(manager);

  // CHECK: no such pass: internal: {{.*}}no-such-pass
  report("no such pass",
         raggedRunPipeline(module,
                           mlirStringRefCreateFromCString("builtin.module(no-such-pass)")));
  mlirModuleDestroy(module);

  // An argument is never inferred.
  // CHECK: diagnostic: {{.*}}
  // CHECK: wrong program: invalid argument
  module = parse(context, wrong_program);
  report("wrong program", raggedResolveSchemas(module));
  mlirModuleDestroy(module);

  // CHECK: null module: invalid argument
  MlirModule null_module = {NULL};
  report("null module", raggedResolveSchemas(null_module));
  mlirContextDestroy(context);
  return 0;
}
