// See ragged-c/dialect.h.
#include "ragged-c/dialect.h"

#include "mlir-c/RegisterEverything.h"

void raggedRegisterDialects(MlirDialectRegistry registry) {
  mlirRegisterAllDialects(registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__ragged__(), registry);
}
