// Derivatives of products with dense weights: y = x W^T + b along one dimension, and the product over
// rows, which is what a weight's derivative is.
#include "passes/grad/gradient.h"

// Moves dimension `from` of x to place `to`, and packs it as `like`.
static MlirValue moved(gradient *g, MlirValue x, int64_t from, int64_t to, MlirValue like) {
  if (mlirValueIsNull(x)) return x;
  int rank = gradient_schema(x).rank;
  int64_t others[RAGGED_MAX_RANK], permutation[RAGGED_MAX_RANK];
  gradient_other_dims(rank, 1, &from, others);
  for (int d = 0, next = 0; d < rank; ++d) permutation[d] = d == to ? from : others[next++];
  if (from != to)
    x = gradient_op(g, "ragged.transpose", RAGGED_VALUES(x),
                    RAGGED_ATTRIBUTES(gradient_dims(g, "permutation", rank, permutation)));
  return gradient_reordered(g, x, mlirValueGetType(like));
}

static MlirValue linear(gradient *g, MlirValue x, MlirValue weight, int64_t dim, bool transposed) {
  MlirNamedAttribute attributes[] = {gradient_int(g, "dim", dim), gradient_flag(g, "transposed")};
  return gradient_op(g, "ragged.linear", RAGGED_VALUES(x, weight), transposed ? 2 : 1, attributes);
}

static MlirValue product_over_rows(gradient *g, MlirValue x, MlirValue y, int64_t i, int64_t j) {
  int64_t dims[] = {i, j};
  return gradient_op(g, "ragged.product_over_rows", RAGGED_VALUES(x, y),
                     RAGGED_ATTRIBUTES(gradient_dims(g, "dims", 2, dims)));
}

static void rule_linear(gradient *g) {
  MlirValue dy = gradient_of_result(g, 0), x = gradient_operand(g, 0);
  int64_t dim = ragged_operation_int(g->operation, "dim", 0);
  bool transposed = ragged_operation_has(g->operation, "transposed");
  if (gradient_wants(g, 0)) gradient_give(g, 0, linear(g, dy, gradient_operand(g, 1), dim, !transposed));
  if (gradient_wants(g, 1))
    gradient_give(g, 1, transposed ? product_over_rows(g, dy, x, dim, dim)
                                   : product_over_rows(g, x, dy, dim, dim));
  if (gradient_wants(g, 2)) gradient_give(g, 2, gradient_unbroadcast(g, dy, &dim, gradient_operand(g, 2)));
}

// result[o, c] = sum over p of y[p, o] x[p, c]: dx[p, c] = sum over o of y[p, o] d[o, c], and
// dy[p, o] = sum over c of x[p, c] d[o, c].
static void rule_product_over_rows(gradient *g) {
  MlirValue d = gradient_of_result(g, 0), x = gradient_operand(g, 0), y = gradient_operand(g, 1);
  int64_t dims[RAGGED_MAX_RANK] = {0};
  gradient_op_dims(g, "dims", dims);
  if (gradient_wants(g, 0))
    gradient_give(g, 0, moved(g, linear(g, y, d, dims[1], true), dims[1], dims[0], x));
  if (gradient_wants(g, 1))
    gradient_give(g, 1, moved(g, linear(g, x, d, dims[0], false), dims[0], dims[1], y));
}

const gradient_rule_row gradient_linear_rules[] = {
    {"ragged.linear", rule_linear},
    {"ragged.product_over_rows", rule_product_over_rows},
    {NULL, NULL},
};
