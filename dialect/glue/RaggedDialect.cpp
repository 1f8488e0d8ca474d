// The dialect's registration and the hooks that MLIR wants in C++. Each hook is a call into C.
#include "dialect/glue/RaggedDialect.h"

#include "dialect/canonicalize.h"
#include "dialect/glue/glue.h"
#include "dialect/op_table.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

#include "dialect/RaggedDialect.cpp.inc"
#include "dialect/RaggedEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialect/RaggedTypes.cpp.inc"
#define GET_OP_CLASSES
#include "dialect/RaggedOps.cpp.inc"

void ragged::RaggedDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialect/RaggedTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/RaggedOps.cpp.inc"
      >();
}

void ragged::RaggedDialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  ragged_canonicalize_populate(wrap(&patterns), wrap(getContext()));
}

LogicalResult ragged::glue::inferTypes(StringRef name, MLIRContext *context,
                                       std::optional<Location> location, ValueRange operands,
                                       DictionaryAttr attributes, SmallVectorImpl<Type> &types) {
  SmallVector<MlirValue> operandHandles;
  for (Value operand : operands) operandHandles.push_back(wrap(operand));
  SmallVector<MlirType> declared;
  for (Type type : types) declared.push_back(wrap(type));
  ragged_op_view view = {};
  view.name = wrap(name);
  view.context = wrap(context);
  view.location = wrap(location ? *location : Location(UnknownLoc::get(context)));
  view.num_operands = static_cast<intptr_t>(operandHandles.size());
  view.operands = operandHandles.data();
  view.attributes = wrap(Attribute(attributes ? attributes : DictionaryAttr::get(context)));
  view.num_results = static_cast<intptr_t>(declared.size());
  view.results = declared.data();
  view.quiet = !location;
  MlirType inferred[RAGGED_MAX_RESULTS];
  intptr_t count = 0;
  if (!ragged_op_infer(&view, inferred, &count)) return failure();
  types.clear();
  for (intptr_t k = 0; k < count; ++k) types.push_back(unwrap(inferred[k]));
  return success();
}

void ragged::glue::nameResult(Operation *operation, OpAsmSetValueNameFn set) {
  if (auto name = dyn_cast<NameLoc>(operation->getLoc())) set(operation->getResult(0), name.getName());
}

LogicalResult ragged::glue::verify(Operation *operation) {
  ragged_arena arena = {};
  ragged_op_view view = ragged_view_of(wrap(operation), &arena);
  bool ok = ragged_op_verify(&view);
  ragged_arena_free(&arena);
  return success(ok);
}

LogicalResult ragged::CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *callee = symbols.lookupNearestSymbolFrom(*this, getCalleeAttr());
  return success(ragged_call_verify(wrap(getOperation()), wrap(callee)));
}

OpFoldResult ragged::SchemaCastOp::fold(FoldAdaptor) {
  return getX().getType() == getResult().getType() ? getX() : Value();
}

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Ragged, ragged, ragged::RaggedDialect)
