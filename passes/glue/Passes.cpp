// The classes that MLIR wants for passes: each calls its C function of passes.h. No logic here.
#include "passes/glue/Passes.h"

#include "dialect/glue/RaggedDialect.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "passes/glue/pass_class.h"
#include "passes/passes.h"

namespace {
#define GEN_PASS_DECL
#define GEN_PASS_DEF_RAGGEDVERIFYAXES
#define GEN_PASS_DEF_RAGGEDPROPAGATESCHEMAS
#define GEN_PASS_DEF_RAGGEDINLINE
#define GEN_PASS_DEF_RAGGEDDIFFERENTIATE
#define GEN_PASS_REGISTRATION
#include "passes/Passes.h.inc"

RAGGED_PASS(RaggedVerifyAxes, ragged_verify_axes_run(op))
RAGGED_PASS(RaggedPropagateSchemas, ragged_propagate_schemas_run(op))
RAGGED_PASS(RaggedInline, ragged_inline_run(op))
RAGGED_PASS(RaggedDifferentiate, [&] {
  std::vector<int64_t> numbers(wrt.begin(), wrt.end());
  ragged_differentiate_options options = {entry.c_str(), static_cast<int>(numbers.size()),
                                          numbers.data(), mode.c_str(), keep.c_str()};
  return ragged_differentiate_run(op, &options);
}())
}  // namespace

void ragged::registerRaggedPasses() { ::registerRaggedPasses(); }
