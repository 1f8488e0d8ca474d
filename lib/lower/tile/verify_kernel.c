// Kernels and the ops of their bodies, but for those that compute one tile from others
// (verify_tiles.c): arguments, coordinates, memory, accumulations.
#include <math.h>
#include <string.h>

#include "lower/tile/verify_internal.h"

// ---- Kernels ---------------------------------------------------------------------------------

static int num_kernel_axes(MlirOperation kernel) {
  return (int)mlirArrayAttrGetNumElements(ragged_operation_attribute(kernel, "axes"));
}

static bool verify_axes(MlirOperation kernel) {  // C1
  int num_axes = num_kernel_axes(kernel);
  MlirAttribute grid = ragged_operation_attribute(kernel, "grid");
  int num_grid = (int)mlirDenseArrayGetNumElements(grid);
  if (num_axes > KERNEL_MAX_AXES)
    return ragged_op_error(kernel, "has %d axes, at most %d are supported", num_axes, KERNEL_MAX_AXES);
  if (num_grid > RAGGED_MAX_RANK)
    return ragged_op_error(kernel, "has %d grid axes, at most %d are supported", num_grid,
                           RAGGED_MAX_RANK);
  for (int k = 0; k < num_grid; ++k) {
    int64_t axis = mlirDenseI64ArrayGetElement(grid, k);
    if (axis < 0 || axis >= num_axes)
      return ragged_op_error(kernel, "has grid axis %lld, expected a number in [0, %d)",
                             (long long)axis, num_axes);
  }
  return true;
}

static bool verify_ref_argument(MlirOperation kernel, int number, MlirValue argument) {  // C3
  ragged_ref_shape ref;
  if (!ragged_ref_type_get(mlirValueGetType(argument), &ref))
    return tile_error_noted(kernel, mlirValueGetLocation(argument), "defined here",
                            "has an argument #%d that is no ref", number);
  const char *fault = ragged_tile_shape_fault(ref.tail.rank, ref.tail.extents);
  if (fault) return ragged_op_error(kernel, "argument #%d %s", number, fault);
  for (int k = 0; k < ref.num_axes; ++k)
    if (ref.axes[k] < 0 || ref.axes[k] >= num_kernel_axes(kernel))
      return ragged_op_error(kernel, "argument #%d has axis %lld, expected a number in [0, %d)",
                             number, (long long)ref.axes[k], num_kernel_axes(kernel));
  return true;
}

bool verify_tile_kernel(MlirOperation operation) {
  if (!verify_axes(operation)) return false;
  MlirBlock body = ragged_operation_body(operation);
  int count = (int)mlirBlockGetNumArguments(body), num_index = 0;
  int num_grid =
      (int)mlirDenseArrayGetNumElements(ragged_operation_attribute(operation, "grid"));
  while (num_index < count &&
         mlirTypeIsAIndex(mlirValueGetType(mlirBlockGetArgument(body, num_index))))
    ++num_index;
  if (num_index != 1 + num_grid && (num_index || num_grid))
    return ragged_op_error(operation,
                           "has %d index arguments, expected %d: a sample and a coordinate for each "
                           "grid axis",
                           num_index, 1 + num_grid);
  if (count - num_index > KERNEL_MAX_REFS)
    return ragged_op_error(operation, "has %d refs, at most %d are supported", count - num_index,
                           KERNEL_MAX_REFS);
  for (int k = num_index; k < count; ++k)
    if (!verify_ref_argument(operation, k, mlirBlockGetArgument(body, k))) return false;
  return true;
}

typedef struct body_count {
  MlirOperation kernel;
  int ops, accumulations, dots;
  bool ok;
} body_count;

static MlirWalkResult count_op(MlirOperation operation, void *user) {
  static const char *const kBodyOps[] = {"load",   "store",      "constant", "elementwise",
                                         "convert", "view",      "reduce",   "accumulate",
                                         "yield",  "extent",     "dot",
                                         "product_over_rows", "position", "iota", "where_equal"};
  body_count *count = user;
  if (mlirOperationEqual(operation, count->kernel)) return MlirWalkResultAdvance;
  bool known = false;
  if (ragged_operation_in_dialect(operation, "ragged_tile.")) {
    const char *name = strchr(mlirIdentifierStr(mlirOperationGetName(operation)).data, '.') + 1;
    for (size_t k = 0; k < sizeof kBodyOps / sizeof *kBodyOps; ++k) known |= !strcmp(kBodyOps[k], name);
  }
  if (!known) {
    count->ok = tile_error_noted(operation, mlirOperationGetLocation(count->kernel),
                                 "the kernel is here", "is no op of a kernel's body");
    return MlirWalkResultInterrupt;
  }
  count->ops++;
  count->accumulations += ragged_operation_is(operation, "ragged_tile.accumulate");
  count->dots += ragged_operation_is(operation, "ragged_tile.dot");
  return MlirWalkResultAdvance;
}

bool ragged_tile_verify_body(MlirOperation kernel) {  // C4, C5
  body_count count = {.kernel = kernel, .ok = true};
  mlirOperationWalk(kernel, count_op, &count, MlirWalkPreOrder);
  if (!count.ok) return false;
  const struct {
    int found, most;
    const char *what;
  } limits[] = {{count.ops, KERNEL_MAX_OPS, "ops"},
                {count.accumulations, KERNEL_MAX_ACCUMULATIONS, "accumulations"},
                {count.dots, KERNEL_MAX_DOTS, "dots"}};
  for (size_t k = 0; k < sizeof limits / sizeof *limits; ++k)
    if (limits[k].found > limits[k].most)
      return ragged_op_error(kernel, "has %d %s, at most %d are supported", limits[k].found,
                             limits[k].what, limits[k].most);
  return true;
}

// ---- Coordinates -----------------------------------------------------------------------------

typedef enum coordinate_kind { NO_COORDINATE, SAMPLE, POSITION } coordinate_kind;

// A kernel is isolated, so an index in it is an argument of its own or of an accumulation in it.
static coordinate_kind kind_of_coordinate(MlirValue value) {
  if (!mlirValueIsABlockArgument(value)) return NO_COORDINATE;
  MlirOperation owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  if (ragged_operation_is(owner, "ragged_tile.accumulate"))
    return ragged_operation_has(owner, "axis") ? POSITION : SAMPLE;
  return mlirBlockArgumentGetArgNumber(value) == 0 ? SAMPLE : POSITION;
}

static bool verify_sample(MlirOperation operation, MlirValue value) {
  if (kind_of_coordinate(value) == SAMPLE) return true;
  return tile_error_noted(operation, ragged_value_location(value), "defined here",
                          "takes a value for its sample that is none");
}

static bool verify_axis_number(MlirOperation operation) {
  int64_t axis = ragged_operation_int(operation, "axis", 0);
  MlirOperation kernel = mlirOperationGetParentOperation(operation);
  while (!ragged_operation_is(kernel, "ragged_tile.kernel"))
    kernel = mlirOperationGetParentOperation(kernel);
  if (axis >= 0 && axis < num_kernel_axes(kernel)) return true;
  return tile_error_noted(operation, mlirOperationGetLocation(kernel), "the kernel is here",
                          "has axis %lld, expected a number in [0, %d)", (long long)axis,
                          num_kernel_axes(kernel));
}

bool verify_tile_extent(MlirOperation operation) {
  ragged_tile_shape shape;
  ragged_tile_type_get(mlirValueGetType(mlirOperationGetResult(operation, 0)), &shape);
  if (shape.rank || shape.element_type != RAGGED_ELEMENT_I64)
    return ragged_op_error(operation, "has a result that is not a tile<i64>");
  return verify_axis_number(operation) &&
         verify_sample(operation, mlirOperationGetOperand(operation, 0));
}

bool verify_tile_position(MlirOperation operation) {
  ragged_tile_shape shape;
  ragged_tile_type_get(mlirValueGetType(mlirOperationGetResult(operation, 0)), &shape);
  MlirValue coordinate = mlirOperationGetOperand(operation, 0);
  if (kind_of_coordinate(coordinate) == NO_COORDINATE)
    return tile_error_noted(operation, ragged_value_location(coordinate), "defined here",
                            "takes a value for its coordinate that is none");
  if (shape.rank == 0 && shape.element_type == RAGGED_ELEMENT_I64) return true;
  return ragged_op_error(operation, "has a result that is not a tile<i64>");
}

// ---- Memory ----------------------------------------------------------------------------------

// C1 and C2 of load and store.
static bool verify_access(MlirOperation operation, int ref_operand, MlirValue tile,
                          ragged_ref_shape *ref) {
  MlirValue buffer = mlirOperationGetOperand(operation, ref_operand);
  ragged_ref_type_get(mlirValueGetType(buffer), ref);
  int count = (int)mlirOperationGetNumOperands(operation) - ref_operand - 1;
  bool slices = ref->kind == RAGGED_REF_SLICES;
  int expected = ref->kind == RAGGED_REF_DENSE ? 0 : slices ? 2 : 1 + ref->num_axes;
  if (count != expected)
    return tile_error_noted(operation, ragged_value_location(buffer), "defined here",
                            "has %d coordinates, expected %d", count, expected);
  for (int k = 0; k < count; ++k) {
    MlirValue coordinate = mlirOperationGetOperand(operation, ref_operand + 1 + k);
    if ((k == 0 || slices) && !verify_sample(operation, coordinate)) return false;
    if (k > 0 && !slices && kind_of_coordinate(coordinate) != POSITION)
      return tile_error_noted(operation, ragged_value_location(coordinate), "defined here",
                              "takes a value for its coordinate #%d that is none", k);
  }
  ragged_tile_shape shape, tail = ref->tail;
  ragged_tile_type_get(mlirValueGetType(tile), &shape);
  tail.element_type = ragged_compute_type(tail.element_type);
  if (ragged_tile_shape_equal(&shape, &tail)) return true;
  return tile_error_noted(operation, ragged_value_location(buffer), "defined here",
                          "has a tile that is not the tail of its ref in the type that is computed "
                          "with");
}

static bool verify_whole_number(MlirOperation operation, const char *name) {
  ragged_tile_shape shape;
  ragged_tile_type_get(mlirValueGetType(mlirOperationGetResult(operation, 0)), &shape);
  double value = mlirFloatAttrGetValueDouble(ragged_operation_attribute(operation, name));
  if (shape.element_type == RAGGED_ELEMENT_I1)
    return value == 0 || value == 1 ||
           ragged_op_error(operation, "'%s' is %g, expected 0 or 1", name, value);
  if (shape.element_type != RAGGED_ELEMENT_I64 ||
      (value >= -0x1p63 && value < 0x1p63 && floor(value) == value))
    return true;
  return ragged_op_error(operation, "'%s' is %g, expected a whole number of 64 bits", name, value);
}

bool verify_tile_constant(MlirOperation operation) { return verify_whole_number(operation, "value"); }

bool verify_tile_load(MlirOperation operation) {
  ragged_ref_shape ref;
  if (!verify_access(operation, 0, mlirOperationGetResult(operation, 0), &ref)) return false;
  if (!ragged_operation_has(operation, "fill")) return true;
  if (ref.kind == RAGGED_REF_DENSE)
    return ragged_op_error(operation, "has 'fill', which a dense ref does not take");
  return verify_whole_number(operation, "fill");
}

bool verify_tile_store(MlirOperation operation) {
  ragged_ref_shape ref;
  return verify_access(operation, 1, mlirOperationGetOperand(operation, 0), &ref);
}

// ---- Accumulations ---------------------------------------------------------------------------

static bool verify_accumulate_body(MlirOperation operation) {
  MlirBlock body = ragged_operation_body(operation);
  if (mlirBlockGetNumArguments(body) != 1 ||
      !mlirTypeIsAIndex(mlirValueGetType(mlirBlockGetArgument(body, 0))))
    return ragged_op_error(operation, "has a body whose arguments are not one index");
  MlirOperation last = mlirBlockGetTerminator(body);
  if (mlirOperationIsNull(last) || !ragged_operation_is(last, "ragged_tile.yield"))
    return ragged_op_error(operation, "has a body that does not end with ragged_tile.yield");
  intptr_t count = mlirOperationGetNumResults(operation);
  bool same = mlirOperationGetNumOperands(last) == count;
  for (intptr_t k = 0; same && k < count; ++k)
    same = mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(last, k)),
                         mlirValueGetType(mlirOperationGetResult(operation, k)));
  return same || tile_error_noted(operation, mlirOperationGetLocation(last), "the yield is here",
                                  "has a body that does not yield the types of the results");
}

static bool verify_match(MlirOperation operation, const char *kind) {
  if (mlirOperationGetNumResults(operation) == 1) return true;
  if (strcmp(kind, "maximum"))
    return ragged_op_error(operation, "has a match and kind \"%s\", expected \"maximum\"", kind);
  ragged_tile_shape shape, match;
  ragged_tile_type_get(mlirValueGetType(mlirOperationGetResult(operation, 0)), &shape);
  ragged_tile_type_get(mlirValueGetType(mlirOperationGetResult(operation, 1)), &match);
  shape.element_type = RAGGED_ELEMENT_I64;
  return ragged_tile_shape_equal(&shape, &match) ||
         ragged_op_error(operation, "has a match that is not i64 with the extents of the result");
}

bool verify_tile_accumulate(MlirOperation operation) {
  const char *kind = ragged_operation_string(operation, "kind");
  if (!tile_is_reduction_kind(kind))
    return ragged_op_error(operation, "has kind \"%s\", expected \"add\" or \"maximum\"", kind);
  bool axis = ragged_operation_has(operation, "axis");
  bool sample = mlirOperationGetNumOperands(operation) == 1;
  if (axis != sample)
    return ragged_op_error(operation, "has %s, expected both or neither",
                           axis ? "an axis and no sample" : "a sample and no axis");
  if (axis && (!verify_axis_number(operation) ||
               !verify_sample(operation, mlirOperationGetOperand(operation, 0))))
    return false;
  return verify_match(operation, kind) && verify_accumulate_body(operation);
}
