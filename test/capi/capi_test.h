// What the C API tests share.
#ifndef CAPI_TEST_H
#define CAPI_TEST_H

#include <stdio.h>
#include <stdlib.h>

#include "mlir-c/Diagnostics.h"
#include "ragged-c/dialect.h"
#include "support/status.h"

static inline void print_text(MlirStringRef text, void *user) {
  (void)user;
  fwrite(text.data, 1, text.length, stdout);
}

static inline MlirLogicalResult print_diagnostic(MlirDiagnostic diagnostic, void *user) {
  (void)user;
  printf("diagnostic: ");
  mlirDiagnosticPrint(diagnostic, print_text, NULL);
  printf("\n");
  return mlirLogicalResultSuccess();
}

// A context with all dialects that prints its diagnostics to stdout.
static inline MlirContext create_context(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  raggedRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(context, print_diagnostic, NULL, NULL);
  return context;
}

static inline MlirModule parse(MlirContext context, const char *text) {
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  if (mlirModuleIsNull(module)) exit(1);
  return module;
}

// Prints the outcome of `call` and ends the status; true: it succeeded.
static inline bool report(const char *call, ragged_status status) {
  if (status)
    printf("%s: %s: %s\n", call, ragged_status_code_name(ragged_status_get_code(status)),
           ragged_status_message(status));
  bool ok = !status;
  ragged_status_free(status);
  return ok;
}

// Ends the program when the call fails.
#define CHECK_OK(call)               \
  do {                               \
    if (!report(#call, call)) exit(1); \
  } while (0)

#endif  // CAPI_TEST_H
