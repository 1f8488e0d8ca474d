// C++ classes that mlir-tblgen generates for the ragged_tile dialect. Included by glue only.
#ifndef RAGGED_LOWER_TILE_RAGGEDTILEDIALECT_H
#define RAGGED_LOWER_TILE_RAGGEDTILEDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "lib/lower/RaggedTileDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "lib/lower/RaggedTileTypes.h.inc"
#define GET_OP_CLASSES
#include "lib/lower/RaggedTileOps.h.inc"

#endif  // RAGGED_LOWER_TILE_RAGGEDTILEDIALECT_H
