// Canonical forms of the ops that change schemas. Rows of canonicalize.c. A dimension list is
// checked before it indexes anything: an op may be rewritten before it was verified.
#include "dialect/canonicalize.h"
#include "dialect/type_schema.h"
#include "mlir-c/BuiltinAttributes.h"

static bool is_identity(int count, const int64_t *permutation) {
  for (int k = 0; k < count; ++k)
    if (permutation[k] != k) return false;
  return true;
}

// out[k] = inner[outer[k]]; false when an entry is out of range.
static bool compose(int inner_count, const int64_t *inner, int outer_count, const int64_t *outer,
                    int64_t *out) {
  for (int k = 0; k < outer_count; ++k) {
    if (outer[k] < 0 || outer[k] >= inner_count) return false;
    out[k] = inner[outer[k]];
  }
  return true;
}

// Gives the op another first operand and, unless `name` is null, other dimensions.
static bool modify(MlirOperation operation, MlirRewriterBase rewriter, MlirValue operand,
                   const char *name, int count, const int64_t *dims) {
  mlirRewriterBaseStartOpModification(rewriter, operation);
  mlirOperationSetOperand(operation, 0, operand);
  if (name)
    mlirOperationSetAttributeByName(
        operation, mlirStringRefCreateFromCString(name),
        mlirDenseI64ArrayGet(mlirOperationGetContext(operation), count, dims));
  mlirRewriterBaseFinalizeOpModification(rewriter, operation);
  return true;
}

static MlirValue first_operand(MlirOperation operation) {
  return mlirOperationGetOperand(operation, 0);
}

// known → * → the same known. (* → known → * stays: the cast says something about the operand.)
bool ragged_canonicalize_schema_cast(MlirOperation operation, MlirRewriterBase rewriter) {
  MlirOperation inner = ragged_rewrite_operand_op(operation, 0, "ragged.schema_cast");
  if (mlirOperationIsNull(inner)) return false;
  MlirValue source = first_operand(inner);
  return !ragged_type_is_unknown(mlirValueGetType(source)) &&
         ragged_rewrite_replace(operation, rewriter, source);
}

// The identity is its operand; two in a row are one.
bool ragged_canonicalize_transpose(MlirOperation operation, MlirRewriterBase rewriter) {
  int count, inner_count;
  int64_t outer[RAGGED_MAX_RANK], inner[RAGGED_MAX_RANK], composed[RAGGED_MAX_RANK];
  if (!ragged_rewrite_int_array(operation, "permutation", &count, outer)) return false;
  if (is_identity(count, outer) &&
      ragged_rewrite_replace(operation, rewriter, first_operand(operation)))
    return true;
  MlirOperation before = ragged_rewrite_operand_op(operation, 0, "ragged.transpose");
  if (mlirOperationIsNull(before) ||
      !ragged_rewrite_int_array(before, "permutation", &inner_count, inner) ||
      inner_count != count || !compose(count, inner, count, outer, composed))
    return false;
  return modify(operation, rewriter, first_operand(before), "permutation", count, composed);
}

// To the order that the operand has is the operand; of two in a row the last one counts.
bool ragged_canonicalize_reorder(MlirOperation operation, MlirRewriterBase rewriter) {
  if (ragged_type_is_unknown(mlirValueGetType(first_operand(operation)))) return false;
  if (ragged_rewrite_replace(operation, rewriter, first_operand(operation))) return true;
  MlirOperation before = ragged_rewrite_operand_op(operation, 0, "ragged.reorder");
  if (mlirOperationIsNull(before)) return false;
  return modify(operation, rewriter, first_operand(before), NULL, 0, NULL);
}

// Of no dimension, or of the one that expand_dims has just put in.
bool ragged_canonicalize_squeeze(MlirOperation operation, MlirRewriterBase rewriter) {
  int count;
  int64_t dims[RAGGED_MAX_RANK];
  if (!ragged_rewrite_int_array(operation, "dims", &count, dims)) return false;
  if (count == 0) return ragged_rewrite_replace(operation, rewriter, first_operand(operation));
  MlirOperation before = ragged_rewrite_operand_op(operation, 0, "ragged.expand_dims");
  if (mlirOperationIsNull(before) || count != 1) return false;
  MlirAttribute dim =
      mlirOperationGetAttributeByName(before, mlirStringRefCreateFromCString("dim"));
  if (mlirAttributeIsNull(dim) || !mlirAttributeIsAInteger(dim) ||
      mlirIntegerAttrGetValueInt(dim) != dims[0])
    return false;
  return ragged_rewrite_replace(operation, rewriter, first_operand(before));
}

// broadcast(expand_dims(x)): the inserted 1 is repeated like any dimension that x does not have.
static bool skip_expand_dims(MlirOperation operation, MlirRewriterBase rewriter, int count,
                             const int64_t *dims) {
  MlirOperation before = ragged_rewrite_operand_op(operation, 0, "ragged.expand_dims");
  if (mlirOperationIsNull(before)) return false;
  MlirAttribute dim =
      mlirOperationGetAttributeByName(before, mlirStringRefCreateFromCString("dim"));
  if (mlirAttributeIsNull(dim) || !mlirAttributeIsAInteger(dim)) return false;
  int64_t inserted = mlirIntegerAttrGetValueInt(dim), rest[RAGGED_MAX_RANK];
  if (inserted < 0 || inserted >= count) return false;
  for (int k = 0, next = 0; k < count; ++k)
    if (k != inserted) rest[next++] = dims[k];
  return modify(operation, rewriter, first_operand(before), "dims", count - 1, rest);
}

// Rank of a value that a broadcast to its own type would leave as it is: no extent is compared at run
// time. -1: there is no such rank.
static int settled_rank(MlirType type) {
  ragged_schema schema;
  if (ragged_type_get_schema(type, &schema)) return schema.rank;
  if (!ragged_type_get_dense(type, &schema)) return -1;
  for (int d = 0; d < schema.rank; ++d)
    if (schema.dimensions[d].extent < 0) return -1;
  return schema.rank;
}

// Whether a broadcast may read `operand` instead of one that was broadcast to a builtin tensor: the
// checks of the first one are made by the second, but ragged ones take builtin tensors of static shape.
static bool may_read(MlirOperation broadcast, MlirValue operand) {
  ragged_schema dense;
  MlirType result = mlirValueGetType(mlirOperationGetResult(broadcast, 0));
  return !ragged_type_get_dense(mlirValueGetType(operand), &dense) ||
         ragged_type_get_dense(result, &dense) || settled_rank(mlirValueGetType(operand)) >= 0;
}

// To the operand's own type, dimension by dimension, is the operand ([n, n] → [n, n] along [1, 0] is
// not). Two in a row are one.
bool ragged_canonicalize_broadcast(MlirOperation operation, MlirRewriterBase rewriter) {
  int count, inner_count;
  int64_t outer[RAGGED_MAX_RANK], inner[RAGGED_MAX_RANK], composed[RAGGED_MAX_RANK];
  if (!ragged_rewrite_int_array(operation, "dims", &count, outer)) return false;
  MlirType own = mlirValueGetType(first_operand(operation));
  if (is_identity(count, outer) && settled_rank(own) == count &&
      ragged_rewrite_replace(operation, rewriter, first_operand(operation)))
    return true;
  if (skip_expand_dims(operation, rewriter, count, outer)) return true;
  MlirOperation before = ragged_rewrite_operand_op(operation, 0, "ragged.broadcast");
  if (mlirOperationIsNull(before) ||
      !may_read(operation, first_operand(before)) ||
      !ragged_rewrite_int_array(before, "dims", &inner_count, inner) ||
      !compose(count, outer, inner_count, inner, composed))
    return false;
  return modify(operation, rewriter, first_operand(before), "dims", inner_count, composed);
}

// An axis is the same as itself: what inlining under equal names leaves.
bool ragged_canonicalize_assume_same_axis(MlirOperation operation, MlirRewriterBase rewriter) {
  MlirValue x = first_operand(operation);
  MlirType type = mlirValueGetType(x);
  return !ragged_type_is_unknown(type) &&
         mlirTypeEqual(type, mlirValueGetType(mlirOperationGetResult(operation, 0))) &&
         ragged_rewrite_replace(operation, rewriter, x);
}
