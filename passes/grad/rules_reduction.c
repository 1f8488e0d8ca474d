// Derivatives of the reductions. An empty group has no entry to give anything to, so what stands in
// its place in the cotangent is read by nobody.
#include "passes/grad/gradient.h"

// The op's dims, and the dimensions of x that those of its result are.
static int result_dims(const gradient *g, int64_t places[RAGGED_MAX_RANK]) {
  int64_t dims[RAGGED_MAX_RANK];
  int rank = gradient_schema(gradient_operand(g, 0)).rank;
  bool keep = ragged_operation_has(g->operation, "keep_dims");
  int count = keep ? 0 : gradient_op_dims(g, "dims", dims);
  return gradient_other_dims(rank, count, dims, places);
}

// A value of the result's shape, repeated over the groups.
static MlirValue over_groups(gradient *g, MlirValue value) {
  int64_t places[RAGGED_MAX_RANK];
  int count = result_dims(g, places);
  MlirValue x = gradient_operand(g, 0);
  return gradient_reordered(g, gradient_broadcast(g, value, count, places, x),
                            mlirValueGetType(x));
}

static void rule_sum(gradient *g) { gradient_give(g, 0, over_groups(g, gradient_of_result(g, 0))); }

// Entries of a group as a value that broadcasts against the cotangent: a constant, or per sample. 1 for
// an empty group, so that its part of the cotangent stays a number.
static MlirValue group_size(gradient *g, MlirValue cotangent) {
  MlirValue x = gradient_operand(g, 0);
  ragged_schema schema = gradient_schema(x);
  int64_t dims[RAGGED_MAX_RANK];
  int count = gradient_op_dims(g, "dims", dims);
  bool batch = ragged_operation_has(g->operation, "batch"), is_static = !batch;
  double product = 1;
  for (int k = 0; k < count; ++k) {
    const ragged_dimension *dimension = &schema.dimensions[dims[k]];
    is_static &= !ragged_dimension_is_ragged(*dimension) && dimension->extent >= 0;
    product *= (double)dimension->extent;
  }
  if (is_static) return gradient_constant(g, cotangent, product < 1 ? 1 : product);
  MlirNamedAttribute attributes[] = {gradient_dims(g, "dims", count, dims),
                                     gradient_flag(g, "batch")};
  MlirValue size = gradient_op(g, "ragged.size", RAGGED_VALUES(x), batch ? 2 : 1, attributes);
  MlirValue one = ragged_build_integer(&g->b, mlirIntegerTypeGet(g->context, 64), 1);
  size = GRADIENT2(g, "maximum", size, one);
  size = gradient_cast(g, size, gradient_schema(cotangent).element_type);
  return gradient_broadcast(g, size, 0, NULL, cotangent);
}

static void rule_mean(gradient *g) {
  MlirValue dy = gradient_of_result(g, 0), x = gradient_operand(g, 0);
  MlirValue wide = gradient_cast(g, dy, gradient_accumulator(dy));
  MlirValue share = GRADIENT2(g, "div", wide, group_size(g, wide));
  gradient_give(g, 0, over_groups(g, gradient_cast(g, share, gradient_schema(x).element_type)));
}

// An op over the groups of the op in progress, with its dims and flags.
static MlirValue grouped(gradient *g, const char *name, intptr_t num_operands,
                         const MlirValue *operands) {
  static const char *const flags[] = {"keep_dims", "batch"};
  int64_t dims[RAGGED_MAX_RANK];
  int count = gradient_op_dims(g, "dims", dims), num_attributes = 1;
  MlirNamedAttribute attributes[3] = {gradient_dims(g, "dims", count, dims)};
  for (int k = 0; k < 2; ++k)
    if (ragged_operation_has(g->operation, flags[k]))
      attributes[num_attributes++] = gradient_flag(g, flags[k]);
  return gradient_op(g, name, num_operands, operands, num_attributes, attributes);
}

// To the first largest entry. Where that is belongs to the forward part: it is smaller than x.
static void rule_max(gradient *g) {
  MlirValue x = gradient_operand(g, 0);
  ragged_builder backward = g->b;
  if (!mlirOperationIsNull(g->mark)) g->b = ragged_builder_before(g->mark);
  g->b.location = backward.location;
  MlirValue position = grouped(g, "ragged.argmax", RAGGED_VALUES(x));
  g->b = backward;
  MlirValue dx =
      grouped(g, "ragged.scatter_max", RAGGED_VALUES(gradient_of_result(g, 0), position, x));
  gradient_give(g, 0, gradient_reordered(g, dx, mlirValueGetType(x)));
}

// One entry a group comes back: the others are 0, whatever stands there.
static void rule_scatter_max(gradient *g) {
  MlirValue d = gradient_of_result(g, 0), dy = gradient_operand(g, 0);
  MlirValue there = grouped(g, "ragged.scatter_max",
                            RAGGED_VALUES(gradient_filled(g, dy, dy, 1), gradient_operand(g, 1), d));
  MlirValue zero = gradient_constant(g, d, 0);
  MlirValue chosen = GRADIENT3(g, "where", GRADIENT2(g, "not_equal", there, zero), d, zero);
  MlirValue sum = grouped(g, "ragged.sum", RAGGED_VALUES(chosen));
  gradient_give(g, 0, gradient_reordered(g, sum, mlirValueGetType(dy)));
}

const gradient_rule_row gradient_reduction_rules[] = {
    {"ragged.sum", rule_sum},
    {"ragged.mean", rule_mean},
    {"ragged.max", rule_max},
    {"ragged.scatter_max", rule_scatter_max},
    {"ragged.argmax", NULL},
    {NULL, NULL},
};
