// One row per op with a canonical form. See canonicalize.h. Every rewrite is exact: the same bits,
// for NaN, infinities and -0 too.
#include "dialect/canonicalize.h"

#include <string.h>

#include "dialect/type_schema.h"
#include "mlir-c/BuiltinAttributes.h"

typedef struct rewrite_row {
  const char *name;
  ragged_rewrite rewrite;
} rewrite_row;

static const rewrite_row kRows[] = {
    {"ragged.schema_cast", ragged_canonicalize_schema_cast},
    {"ragged.transpose", ragged_canonicalize_transpose},
    {"ragged.reorder", ragged_canonicalize_reorder},
    {"ragged.squeeze", ragged_canonicalize_squeeze},
    {"ragged.broadcast", ragged_canonicalize_broadcast},
    {"ragged.assume_same_axis", ragged_canonicalize_assume_same_axis},
    {"ragged.sum", ragged_canonicalize_reduction},
    {"ragged.max", ragged_canonicalize_reduction},
    {"ragged.mean", ragged_canonicalize_reduction},
    {"ragged.add", ragged_canonicalize_neutral},
    {"ragged.sub", ragged_canonicalize_neutral},
    {"ragged.mul", ragged_canonicalize_neutral},
    {"ragged.div", ragged_canonicalize_neutral},
    {"ragged.neg", ragged_canonicalize_neg},
    {"ragged.where", ragged_canonicalize_where},
    {"ragged.cast", ragged_canonicalize_cast},
};

static MlirLogicalResult apply(MlirRewritePattern pattern, MlirOperation operation,
                               MlirPatternRewriter rewriter, void *user) {
  (void)pattern;
  const rewrite_row *row = user;
  return row->rewrite(operation, mlirPatternRewriterAsBase(rewriter))
             ? mlirLogicalResultSuccess()
             : mlirLogicalResultFailure();
}

void ragged_canonicalize_populate(MlirRewritePatternSet patterns, MlirContext context) {
  const MlirRewritePatternCallbacks callbacks = {.matchAndRewrite = apply};
  for (size_t k = 0; k < sizeof kRows / sizeof kRows[0]; ++k)
    mlirRewritePatternSetAdd(
        patterns, mlirOpRewritePatternCreate(mlirStringRefCreateFromCString(kRows[k].name), 1,
                                             context, callbacks, (void *)&kRows[k], 0, NULL));
}

bool ragged_rewrite_replace(MlirOperation operation, MlirRewriterBase rewriter, MlirValue value) {
  MlirValue result = mlirOperationGetResult(operation, 0);
  if (!mlirTypeEqual(mlirValueGetType(value), mlirValueGetType(result))) return false;
  mlirRewriterBaseReplaceOpWithValues(rewriter, operation, 1, &value);
  return true;
}

MlirOperation ragged_rewrite_operand_op(MlirOperation operation, intptr_t k, const char *name) {
  MlirValue operand = mlirOperationGetOperand(operation, k);
  if (!mlirValueIsAOpResult(operand)) return (MlirOperation){NULL};
  MlirOperation owner = mlirOpResultGetOwner(operand);
  MlirStringRef own = mlirIdentifierStr(mlirOperationGetName(owner));
  bool same = mlirStringRefEqual(own, mlirStringRefCreateFromCString(name));
  return same ? owner : (MlirOperation){NULL};
}

bool ragged_rewrite_int_array(MlirOperation operation, const char *name, int *out_count,
                              int64_t *out) {
  MlirAttribute attribute =
      mlirOperationGetAttributeByName(operation, mlirStringRefCreateFromCString(name));
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsADenseI64Array(attribute)) return false;
  intptr_t count = mlirDenseArrayGetNumElements(attribute);
  if (count > RAGGED_MAX_RANK) return false;
  for (intptr_t k = 0; k < count; ++k) out[k] = mlirDenseI64ArrayGetElement(attribute, k);
  *out_count = (int)count;
  return true;
}
