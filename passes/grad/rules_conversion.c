// Derivatives of the conversions between builtin tensors and ragged ones. What an op does not read
// (rows beyond the last, padding) gets exactly 0. Lengths, offsets and extents are integers.
#include "passes/grad/gradient.h"

// from_values, from_offsets, with_values: packed rows, and 0 for those beyond.
static void rule_from_values(gradient *g) {
  gradient_give(g, 0, GRADIENT2(g, "values", gradient_of_result(g, 0), gradient_operand(g, 0)));
}

static void rule_values(gradient *g) {
  gradient_give(g, 0, GRADIENT2(g, "with_values", gradient_of_result(g, 0), gradient_operand(g, 0)));
}

static MlirNamedAttribute batch_dim(gradient *g) {
  return gradient_int(g, "batch", ragged_operation_int(g->operation, "batch", 0));
}

// pack, with_padded: a box of the padded one's own extents.
static void rule_pack(gradient *g) {
  MlirValue padded = gradient_operand(g, 0);
  gradient_give(g, 0, gradient_typed(g, "ragged.unpack", mlirValueGetType(padded),
                                     RAGGED_VALUES(gradient_of_result(g, 0), padded),
                                     RAGGED_ATTRIBUTES(batch_dim(g))));
}

static void rule_unpack(gradient *g) {
  gradient_give(g, 0, gradient_op(g, "ragged.with_padded",
                                  RAGGED_VALUES(gradient_of_result(g, 0), gradient_operand(g, 0)),
                                  RAGGED_ATTRIBUTES(batch_dim(g))));
}

const gradient_rule_row gradient_conversion_rules[] = {
    {"ragged.from_values", rule_from_values},
    {"ragged.from_offsets", rule_from_values},
    {"ragged.values", rule_values},
    {"ragged.with_values", rule_from_values},
    {"ragged.pack", rule_pack},
    {"ragged.with_padded", rule_pack},
    {"ragged.unpack", rule_unpack},
    {"ragged.extents", NULL},
    {"ragged.offsets", NULL},
    {"ragged.size", NULL},
    {NULL, NULL},
};
