// See ragged-c/dialect.h.
#include "ragged-c/dialect.h"

#include "lower/tile/tile_types.h"
#include "mlir-c/RegisterEverything.h"

void raggedRegisterDialects(MlirDialectRegistry registry) {
  mlirRegisterAllDialects(registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__ragged__(), registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__ragged_tile__(), registry);
}
