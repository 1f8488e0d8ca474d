// What each kind of op does to schemas. Each rule gives the result's schema or says what was found,
// what was required, and which operands disagree. Used by verifiers, inference, the interpreter and
// the lowering; knows nothing of MLIR. The rules are those of docs/vocabulary.md.
#ifndef RAGGED_SCHEMA_RULES_H
#define RAGGED_SCHEMA_RULES_H

#include "schema/schema.h"

#ifdef __cplusplus
extern "C" {
#endif

// Why a rule refused. Positions are operand numbers of the op, -1 where none is to blame.
typedef struct ragged_rule_error {
  char message[512];  // e.g. "operand #1 has axis m in dimension 0, expected n as in operand #0"
  int operand;        // the operand found wrong
  int other_operand;  // the operand that it disagrees with
} ragged_rule_error;

// NumPy broadcasting on logical dimensions: ranks equal; in each dimension all operands that are
// not static 1 must be the same (axis or extent); element types equal. The result takes the order
// of the first operand that has a ragged dimension wherever the result has one, else the default.
bool ragged_rule_elementwise(int num_operands, const ragged_schema *operands, ragged_schema *out,
                             ragged_rule_error *error);

// A reduction over `dims` (distinct, in range, any order, may be empty: the identity). keep_dims
// leaves static 1. Dropped dimensions leave the others in their relative packed order; a kept
// static 1 that was ragged moves to where the first static dimension would stand (the order stays
// ragged before static, relative order otherwise kept).
bool ragged_rule_reduce(const ragged_schema *operand, int num_dims, const int64_t *dims,
                        bool keep_dims, ragged_schema *out, ragged_rule_error *error);

// The batch form: dims must list every ragged dimension. Fills the dense result's shape (static
// dimensions that are left, in logical order; 1 for reduced dimensions with keep_dims; the batch
// itself gives no dimension) and its rank.
bool ragged_rule_reduce_batch(const ragged_schema *operand, int num_dims, const int64_t *dims,
                              bool keep_dims, int64_t shape[RAGGED_MAX_RANK], int *out_rank,
                              ragged_rule_error *error);

// Inserts static 1 so that it becomes logical dimension `dim` (0 <= dim <= rank) of the result,
// packed last.
bool ragged_rule_expand_dims(const ragged_schema *operand, int64_t dim, ragged_schema *out,
                             ragged_rule_error *error);
// Drops the listed dimensions, each static 1.
bool ragged_rule_squeeze(const ragged_schema *operand, int num_dims, const int64_t *dims,
                         ragged_schema *out, ragged_rule_error *error);
// Result dimension k is operand dimension permutation[k]. Moves no data: the packed order names
// the same dimensions in the same places.
bool ragged_rule_transpose(const ragged_schema *operand, int num_dims, const int64_t *permutation,
                           ragged_schema *out, ragged_rule_error *error);
// The same logical value packed as `order` says.
bool ragged_rule_reorder(const ragged_schema *operand, int num_dims, const int64_t *order,
                         ragged_schema *out, ragged_rule_error *error);
// Operand dimension k becomes dimension dims[k] (distinct) of `like`, each extent equal or static
// 1; result: `like` with the operand's element type. For a dense operand (builtin tensor) pass a
// schema of static dimensions.
bool ragged_rule_broadcast(const ragged_schema *operand, int num_dims, const int64_t *dims,
                           const ragged_schema *like, ragged_schema *out, ragged_rule_error *error);
// Whether that is so. Extents of builtin tensors that are not known yet (negative) may be anything.
bool ragged_rule_may_broadcast(const ragged_schema *operand, int num_dims, const int64_t *dims,
                               const ragged_schema *like, ragged_rule_error *error);
// y[..., o, ...] = sum_i x[..., i, ...] w[o, i] + b[o]: dimension `dim` is static and equals the
// weight's second extent; the result has the first extent in its place. A transposed weight is
// [in, out]. bias_extent < 0: none.
bool ragged_rule_linear(const ragged_schema *operand, int64_t dim, const int64_t weight[2],
                        bool transposed, int64_t bias_extent, ragged_schema *out,
                        ragged_rule_error *error);
// result[o, c] = sum of dy[..., o, ...] x[..., c, ...] over everything else: dimension dims[0] of x and
// dims[1] of dy are static, the others equal in logical order. Fills the dense result's shape.
bool ragged_rule_product_over_rows(const ragged_schema *x, const ragged_schema *dy,
                                   const int64_t dims[2], int64_t shape[2],
                                   ragged_rule_error *error);
// layer_norm and softmax: dims distinct, in range, static, at least one; the schema stays.
bool ragged_rule_static_dims(const ragged_schema *operand, int num_dims, const int64_t *dims,
                             const char *what, ragged_rule_error *error);
// The listed dimensions, each ragged, run along axis `to`.
bool ragged_rule_rename_axes(const ragged_schema *operand, int num_dims, const int64_t *dims,
                             const char *to, ragged_schema *out, ragged_rule_error *error);

// Call unification: callee axis names → caller axis expressions.
typedef struct ragged_substitution {
  int size, capacity;
  const char **from;  // names
  const char **to;    // canonical expressions
  int *operand;       // which operand bound it, -1 for a name given at the call
} ragged_substitution;  // zero-initialise; storage in the arena given to bind

// Adds from → to; false with a message if `from` is already bound to something else.
bool ragged_substitution_bind(ragged_substitution *substitution, ragged_arena *arena,
                              const char *from, const char *to, int operand,
                              ragged_rule_error *error);
const char *ragged_substitution_find(const ragged_substitution *substitution, const char *from);
// Unifies argument `operand` of a callee (schema `formal`) with what the caller passes (`actual`):
// equal rank, static extents, element type and order; a formal plain name binds; a formal
// expression must equal the actual one after substitution, so call this for all operands with
// plain names first (the function does both passes when called through _unify_all).
bool ragged_rule_unify_all(int num_operands, const ragged_schema *formals,
                           const ragged_schema *actuals, ragged_substitution *substitution,
                           ragged_arena *arena, ragged_rule_error *error);
// The schema with every axis substituted (in the arena); unbound names are an error naming them.
bool ragged_rule_substitute(const ragged_schema *schema, const ragged_substitution *substitution,
                            ragged_arena *arena, ragged_schema *out, ragged_rule_error *error);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_SCHEMA_RULES_H
