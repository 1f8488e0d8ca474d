// A rewrite of a kernel's tile program before it is planned. Called by lower_gpu.c.
//
// Sums of sums change their order: where every position of an accumulation reduces its tile in the same way, the
// tile is accumulated whole and reduced once at the end. Then threads read rows as they lie, each with a sum of
// its own elements, instead of a whole row each. Maxima alike.
//
//   accumulate add { t; yield reduce add t }    becomes    reduce add (accumulate add { t; yield t })
#include "lower/gpu/gpu_rewrite.h"

#include <string.h>

#include "lower/tile/tile_types.h"

// The sums of a whole tile stand in shared memory.
enum { MAX_ELEMENTS = 512 };

typedef struct accumulations {
  MlirOperation found[KERNEL_MAX_ACCUMULATIONS];  // inner ones first
  int count;
} accumulations;

static MlirWalkResult collect(MlirOperation operation, void *user) {
  accumulations *all = user;
  if (ragged_operation_is(operation, "ragged_tile.accumulate") && all->count < KERNEL_MAX_ACCUMULATIONS)
    all->found[all->count++] = operation;
  return MlirWalkResultAdvance;
}

static bool same_kind(MlirOperation a, MlirOperation b) {
  return !strcmp(ragged_operation_string(a, "kind"), ragged_operation_string(b, "kind"));
}

// The reduce that `accumulate` yields; null where there is none to lift.
static MlirOperation yielded_reduce(MlirOperation accumulate, MlirOperation yield) {
  if (mlirOperationGetNumResults(accumulate) != 1) return (MlirOperation){NULL};
  MlirValue value = mlirOperationGetOperand(yield, 0);
  if (!mlirValueIsAOpResult(value)) return (MlirOperation){NULL};
  MlirOperation reduce = mlirOpResultGetOwner(value);
  ragged_tile_shape shape;
  if (!ragged_operation_is(reduce, "ragged_tile.reduce") || !same_kind(reduce, accumulate) ||
      !mlirBlockEqual(mlirOperationGetBlock(reduce), mlirOperationGetBlock(yield)))
    return (MlirOperation){NULL};
  ragged_tile_type_get(mlirValueGetType(mlirOperationGetOperand(reduce, 0)), &shape);
  int64_t size = ragged_tile_size(&shape);
  return size > 0 && size <= MAX_ELEMENTS ? reduce : (MlirOperation){NULL};
}

static void lift(MlirOperation accumulate) {
  MlirOperation yield = mlirBlockGetTerminator(ragged_operation_body(accumulate));
  MlirOperation reduce = yielded_reduce(accumulate, yield);
  if (mlirOperationIsNull(reduce)) return;
  MlirValue whole = mlirOperationGetOperand(reduce, 0);
  MlirValue old = mlirOperationGetResult(accumulate, 0);
  mlirOperationSetOperand(yield, 0, whole);
  // The accumulation's result has another shape: an op with the same body in its place.
  intptr_t count = mlirOperationGetNumOperands(accumulate);
  MlirValue sample = count ? mlirOperationGetOperand(accumulate, 0) : (MlirValue){NULL};
  MlirType type = mlirValueGetType(whole);
  MlirNamedAttribute attributes[4];
  intptr_t num_attributes = mlirOperationGetNumAttributes(accumulate);
  for (intptr_t k = 0; k < num_attributes && k < 4; ++k) attributes[k] = mlirOperationGetAttribute(accumulate, k);
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetFirstRegion(accumulate));
  ragged_builder at = ragged_builder_before(accumulate);
  at.location = mlirOperationGetLocation(accumulate);
  MlirOperation made = ragged_build(&at, "ragged_tile.accumulate", count, &sample, 1, &type, num_attributes,
                                    attributes, 1, &region);
  MlirOperation after = mlirOperationClone(reduce);
  mlirOperationSetOperand(after, 0, mlirOperationGetResult(made, 0));
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(made), made, after);
  mlirValueReplaceAllUsesOfWith(old, mlirOperationGetResult(after, 0));
  mlirOperationDestroy(accumulate);
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(reduce, 0)))) mlirOperationDestroy(reduce);
}

void gpu_rewrite(MlirOperation kernel) {
  accumulations all = {.count = 0};
  mlirOperationWalk(kernel, collect, &all, MlirWalkPostOrder);
  for (int k = 0; k < all.count; ++k) lift(all.found[k]);
}
