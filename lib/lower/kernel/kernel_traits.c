// What kind of loop over rows serves a kernel. See kernel_traits.h.
#include "lower/kernel/kernel_traits.h"

typedef struct survey {
  MlirBlock body;
  const kernel_layout *layout;
  const kernel_plan *plan;
  bool coordinates;  // something reads another row than its own, or an extent
  bool structured;   // a reduction, view, dot, or tiles of different shapes
  bool fill;
  bool numbers;      // a row of some buffer is one number
  const ragged_tile_shape *shape;
} survey;

static bool own_row(const survey *s, MlirOperation access, int ref_operand) {
  intptr_t count = mlirOperationGetNumOperands(access) - ref_operand - 1;
  if (count != 1 + s->layout->num_grid) return false;
  for (intptr_t k = 0; k < count; ++k)
    if (!mlirValueEqual(mlirOperationGetOperand(access, ref_operand + 1 + k),
                        mlirBlockGetArgument(s->body, k)))
      return false;
  return true;
}

static void survey_access(survey *s, MlirOperation op, int ref_operand) {
  ragged_ref_shape ref;
  ragged_ref_type_get(mlirValueGetType(mlirOperationGetOperand(op, ref_operand)), &ref);
  if (ref.kind == RAGGED_REF_BOX || ref.kind == RAGGED_REF_SLICES ||
      (ref.kind == RAGGED_REF_PACKED && !own_row(s, op, ref_operand)))
    s->coordinates = true;
  if (ref.kind == RAGGED_REF_DENSE && ref.tail.rank > 0) s->structured = true;
  if (ref.kind == RAGGED_REF_PACKED && ref.tail.rank == 0) s->numbers = true;
}

static void survey_shape(survey *s, MlirOperation op, const tile_plan *tile) {
  if (ragged_operation_is(op, "ragged_tile.view")) {
    ragged_tile_shape from;
    ragged_tile_type_get(mlirValueGetType(mlirOperationGetOperand(op, 0)), &from);
    s->structured |= from.rank > 0;
  }
  if (tile->shape.rank == 0) return;
  for (int d = 0; s->shape && d < RAGGED_MAX_RANK; ++d)
    if (s->shape->rank != tile->shape.rank || s->shape->extents[d] != tile->shape.extents[d])
      s->structured = true;
  s->shape = &tile->shape;
}

static MlirWalkResult survey_op(MlirOperation op, void *user) {
  survey *s = user;
  if (ragged_operation_is(op, "ragged_tile.load")) survey_access(s, op, 0);
  if (ragged_operation_is(op, "ragged_tile.store")) survey_access(s, op, 1);
  s->fill |= ragged_operation_has(op, "fill");
  bool accumulates = ragged_operation_is(op, "ragged_tile.accumulate");
  s->coordinates |= accumulates || ragged_operation_is(op, "ragged_tile.extent") ||
                    ragged_operation_is(op, "ragged_tile.position");
  s->structured |= accumulates || ragged_operation_is(op, "ragged_tile.iota") ||
                   ragged_operation_is(op, "ragged_tile.reduce") ||
                   ragged_operation_is(op, "ragged_tile.dot");
  if (mlirOperationGetNumResults(op) == 0) return MlirWalkResultAdvance;
  const tile_plan *tile = kernel_plan_find(s->plan, mlirOperationGetResult(op, 0));
  if (tile) survey_shape(s, op, tile);
  return MlirWalkResultAdvance;
}

kernel_traits kernel_traits_read(MlirOperation kernel, const kernel_layout *layout,
                                 const kernel_plan *plan) {
  survey s = {.body = ragged_operation_body(kernel), .layout = layout, .plan = plan};
  mlirOperationWalk(kernel, survey_op, &s, MlirWalkPreOrder);
  kernel_traits traits = {.fill = s.fill, .flat = layout->has_sample && !s.coordinates};
  // Rows may all be numbers, but numbers repeated along tails are not at the place of every element.
  traits.elements = traits.flat && !s.structured &&
                    (!s.shape || (!s.numbers && ragged_tile_size(s.shape) > 0));
  return traits;
}
