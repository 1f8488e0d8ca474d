// Canonical forms of the dialect's ops, which MLIR's --canonicalize applies. Called by the glue.
#ifndef RAGGED_DIALECT_CANONICALIZE_H
#define RAGGED_DIALECT_CANONICALIZE_H

#include <stdbool.h>

#include "mlir-c/IR.h"
#include "mlir-c/Rewrite.h"

#ifdef __cplusplus
extern "C" {
#endif

// Adds all patterns of the dialect.
void ragged_canonicalize_populate(MlirRewritePatternSet patterns, MlirContext context);

// A rewrite of one op: true when it changed something. May replace the op by an existing value
// (ragged_rewrite_replace), or change its operands and attributes in place between
// mlirRewriterBaseStartOpModification and ...FinalizeOpModification. Creates no op.
typedef bool (*ragged_rewrite)(MlirOperation operation, MlirRewriterBase rewriter);

// The rewrites, by subject: canonicalize_structure.c, canonicalize_arithmetic.c.
bool ragged_canonicalize_schema_cast(MlirOperation operation, MlirRewriterBase rewriter);
bool ragged_canonicalize_transpose(MlirOperation operation, MlirRewriterBase rewriter);
bool ragged_canonicalize_reorder(MlirOperation operation, MlirRewriterBase rewriter);
bool ragged_canonicalize_squeeze(MlirOperation operation, MlirRewriterBase rewriter);
bool ragged_canonicalize_broadcast(MlirOperation operation, MlirRewriterBase rewriter);
bool ragged_canonicalize_assume_same_axis(MlirOperation operation, MlirRewriterBase rewriter);
bool ragged_canonicalize_reduction(MlirOperation operation, MlirRewriterBase rewriter);
bool ragged_canonicalize_neutral(MlirOperation operation, MlirRewriterBase rewriter);
bool ragged_canonicalize_neg(MlirOperation operation, MlirRewriterBase rewriter);
bool ragged_canonicalize_where(MlirOperation operation, MlirRewriterBase rewriter);
bool ragged_canonicalize_cast(MlirOperation operation, MlirRewriterBase rewriter);

// Replaces the one result by `value`, if their types are equal. False if not.
bool ragged_rewrite_replace(MlirOperation operation, MlirRewriterBase rewriter, MlirValue value);
// The op called `name` that defines operand k; null when it is another, or an argument.
MlirOperation ragged_rewrite_operand_op(MlirOperation operation, intptr_t k, const char *name);
// A DenseI64ArrayAttr; false when absent or longer than RAGGED_MAX_RANK.
bool ragged_rewrite_int_array(MlirOperation operation, const char *name, int *out_count,
                              int64_t *out);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_DIALECT_CANONICALIZE_H
