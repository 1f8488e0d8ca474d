// C++ classes that mlir-tblgen generates for the dialect. Included by glue only.
#ifndef RAGGED_DIALECT_GLUE_RAGGEDDIALECT_H
#define RAGGED_DIALECT_GLUE_RAGGEDDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpAsmSupport.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace ragged::glue {
// Calls ragged_op_infer for an op named `name`; `types` holds declared result types or nothing.
llvm::LogicalResult inferTypes(llvm::StringRef name, mlir::MLIRContext *context,
                               std::optional<mlir::Location> location, mlir::ValueRange operands,
                               mlir::DictionaryAttr attributes,
                               llvm::SmallVectorImpl<mlir::Type> &types);
// Names the result of an op with a named location.
void nameResult(mlir::Operation *operation, mlir::OpAsmSetValueNameFn set);
// Calls ragged_op_verify.
llvm::LogicalResult verify(mlir::Operation *operation);

// Attributes arrive as opaque properties or, where nobody set those, as a dictionary.
template <typename Op>
llvm::LogicalResult inferTypes(mlir::MLIRContext *context, std::optional<mlir::Location> location,
                               mlir::ValueRange operands, mlir::DictionaryAttr attributes,
                               mlir::OpaqueProperties properties,
                               llvm::SmallVectorImpl<mlir::Type> &types) {
  if constexpr (!std::is_same_v<typename Op::Properties, mlir::EmptyProperties>)
    if (properties)
      if (auto set = llvm::dyn_cast_or_null<mlir::DictionaryAttr>(Op::getPropertiesAsAttr(
              context, *properties.as<typename Op::Properties *>())))
        if (!set.empty()) attributes = set;
  return inferTypes(Op::getOperationName(), context, location, operands, attributes, types);
}
}  // namespace ragged::glue

#include "dialect/RaggedDialect.h.inc"
#include "dialect/RaggedEnums.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialect/RaggedTypes.h.inc"
#define GET_OP_CLASSES
#include "dialect/RaggedOps.h.inc"

#endif  // RAGGED_DIALECT_GLUE_RAGGEDDIALECT_H
