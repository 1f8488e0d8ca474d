// Derivatives of the ops that change schemas: each goes back the way its op came.
#include "passes/grad/gradient.h"

static void rule_expand_dims(gradient *g) {
  int64_t dim = ragged_operation_int(g->operation, "dim", 0);
  gradient_give(g, 0, gradient_op(g, "ragged.squeeze", RAGGED_VALUES(gradient_of_result(g, 0)),
                                  RAGGED_ATTRIBUTES(gradient_dims(g, "dims", 1, &dim))));
}

// One expand_dims per dropped dimension, in increasing order; the last has the operand's own type,
// which may pack the 1s elsewhere.
static void rule_squeeze(gradient *g) {
  MlirValue cotangent = gradient_of_result(g, 0), x = gradient_operand(g, 0);
  int64_t dims[RAGGED_MAX_RANK], kept[RAGGED_MAX_RANK], dropped[RAGGED_MAX_RANK];
  int rank = gradient_schema(x).rank, count = gradient_op_dims(g, "dims", dims);
  gradient_other_dims(rank, gradient_other_dims(rank, count, dims, kept), kept, dropped);
  for (int k = 0; k < count; ++k) {
    MlirNamedAttribute dim = gradient_int(g, "dim", dropped[k]);
    cotangent = k + 1 < count ? gradient_op(g, "ragged.expand_dims", 1, &cotangent, 1, &dim)
                              : gradient_typed(g, "ragged.expand_dims", mlirValueGetType(x), 1,
                                               &cotangent, 1, &dim);
  }
  gradient_give(g, 0, cotangent);
}

static void rule_transpose(gradient *g) {
  int64_t permutation[RAGGED_MAX_RANK], inverse[RAGGED_MAX_RANK];
  int rank = gradient_op_dims(g, "permutation", permutation);
  for (int d = 0; d < rank; ++d) inverse[permutation[d]] = d;
  gradient_give(g, 0,
                gradient_op(g, "ragged.transpose", RAGGED_VALUES(gradient_of_result(g, 0)),
                            RAGGED_ATTRIBUTES(gradient_dims(g, "permutation", rank, inverse))));
}

static void rule_reorder(gradient *g) {
  gradient_give(g, 0, gradient_reordered(g, gradient_of_result(g, 0),
                                         mlirValueGetType(gradient_operand(g, 0))));
}

static void rule_broadcast(gradient *g) {
  int64_t dims[RAGGED_MAX_RANK];
  gradient_op_dims(g, "dims", dims);
  gradient_give(g, 0, gradient_unbroadcast(g, gradient_of_result(g, 0), dims,
                                           gradient_operand(g, 0)));
}

// The scalar is repeated everywhere.
static void rule_full(gradient *g) {
  gradient_give(g, 0, gradient_unbroadcast(g, gradient_of_result(g, 0), NULL,
                                           gradient_operand(g, 0)));
}

// The values are the same, whatever the axes are called; renaming back could not tell two axes apart
// that have become one.
static void rule_assume_same_axis(gradient *g) {
  MlirValue values = GRADIENT1(g, "values", gradient_of_result(g, 0));
  gradient_give(g, 0, GRADIENT2(g, "with_values", values, gradient_operand(g, 0)));
}

static void rule_schema_cast(gradient *g) {
  gradient_give(g, 0, gradient_typed(g, "ragged.schema_cast",
                                     mlirValueGetType(gradient_operand(g, 0)),
                                     RAGGED_VALUES(gradient_of_result(g, 0)), RAGGED_NONE));
}

const gradient_rule_row gradient_structure_rules[] = {
    {"ragged.expand_dims", rule_expand_dims},
    {"ragged.squeeze", rule_squeeze},
    {"ragged.transpose", rule_transpose},
    {"ragged.reorder", rule_reorder},
    {"ragged.broadcast", rule_broadcast},
    {"ragged.full", rule_full},
    {"ragged.assume_same_axis", rule_assume_same_axis},
    {"ragged.schema_cast", rule_schema_cast},
    {NULL, NULL},
};
