// Ops that compute a tile from tiles.
#include <string.h>

#include "dialect/elementwise_table.h"
#include "lower/tile/verify_internal.h"

static ragged_tile_shape operand_shape(MlirOperation operation, int k) {
  ragged_tile_shape shape = {0};
  ragged_tile_type_get(mlirValueGetType(mlirOperationGetOperand(operation, k)), &shape);
  return shape;
}

static ragged_tile_shape result_shape(MlirOperation operation) {
  ragged_tile_shape shape = {0};
  ragged_tile_type_get(mlirValueGetType(mlirOperationGetResult(operation, 0)), &shape);
  return shape;
}

// ---- Elementwise -----------------------------------------------------------------------------

// Functions that only tile programs have.
static const ragged_elementwise_row kOwnFunctions[] = {
    {"lowest_to_zero", "float", 1, 0, false},
    {"zero_to_one", "number", 1, 0, false},
};

static const ragged_elementwise_row *find_function(const char *function) {
  for (size_t k = 0; k < sizeof kOwnFunctions / sizeof *kOwnFunctions; ++k)
    if (!strcmp(kOwnFunctions[k].name, function)) return &kOwnFunctions[k];
  return ragged_elementwise_find(function, strlen(function));
}

bool verify_tile_elementwise(MlirOperation operation) {
  const char *function = ragged_operation_string(operation, "function");
  const ragged_elementwise_row *row = find_function(function);
  if (!row) return ragged_op_error(operation, "has no function \"%s\"", function);
  int count = (int)mlirOperationGetNumOperands(operation);
  if (count != row->num_operands)
    return ragged_op_error(operation, "has %d operands, but \"%s\" takes %d", count, function,
                           row->num_operands);
  ragged_tile_shape result = result_shape(operation);
  ragged_element_type element =
      row->compares ? operand_shape(operation, 0).element_type : result.element_type;
  if (row->compares && result.element_type != RAGGED_ELEMENT_I1)
    return ragged_op_error(operation, "has a result of %s, but \"%s\" gives i1",
                           ragged_element_name(result.element_type), function);
  for (int k = 0; k < count; ++k) {
    ragged_tile_shape shape = operand_shape(operation, k), expected = result;
    expected.element_type = k < row->num_conditions ? RAGGED_ELEMENT_I1 : element;
    if (!ragged_tile_shape_equal(&shape, &expected))
      return tile_error_noted(operation,
                              ragged_value_location(mlirOperationGetOperand(operation, k)),
                              "defined here", "has an operand #%d of another type than %s", k,
                              k < row->num_conditions ? "a condition of its result"
                              : row->compares         ? "another, or another shape than its result"
                                                      : "the result");
  }
  if (!ragged_elementwise_takes(row, element))
    return ragged_op_error(operation, "has elements of %s, but \"%s\" takes %ss",
                           ragged_element_name(element), function, row->domain);
  return true;
}

bool verify_tile_convert(MlirOperation operation) {
  ragged_tile_shape from = operand_shape(operation, 0), to = result_shape(operation);
  bool rounds = ragged_operation_has(operation, "bf16");
  if (rounds && to.element_type != RAGGED_ELEMENT_F32)
    return ragged_op_error(operation, "rounds to bf16, but has a result of %s, expected f32",
                           ragged_element_name(to.element_type));
  if (!rounds && from.element_type == to.element_type)
    return ragged_op_error(operation, "has an operand and a result of one element type, %s",
                           ragged_element_name(from.element_type));
  from.element_type = to.element_type;
  if (ragged_tile_shape_equal(&from, &to)) return true;
  return ragged_op_error(operation, "has a result of another shape than its operand");
}

// ---- Shapes ----------------------------------------------------------------------------------

static bool verify_map_entry(MlirOperation operation, int k, int64_t entry, int64_t extent,
                             const ragged_tile_shape *result) {
  if (entry < -1 || entry >= result->rank)
    return ragged_op_error(operation, "'map' has %lld for operand dimension %d, expected -1 or a "
                           "result dimension", (long long)entry, k);
  if (entry < 0 && extent < 1)
    return ragged_op_error(operation, "reads position 0 of operand dimension %d, which has none", k);
  if (entry >= 0 && extent != result->extents[entry])
    return ragged_op_error(operation, "operand dimension %d has extent %lld, but result dimension "
                           "%lld, which indexes it, has %lld",
                           k, (long long)extent, (long long)entry,
                           (long long)result->extents[entry]);
  return true;
}

bool verify_tile_view(MlirOperation operation) {
  ragged_tile_shape own = operand_shape(operation, 0), result = result_shape(operation);
  if (own.element_type != result.element_type)
    return ragged_op_error(operation, "has a result of another element type than its operand");
  MlirAttribute map = ragged_operation_attribute(operation, "map");
  int count = (int)mlirDenseArrayGetNumElements(map);
  if (count != own.rank)
    return ragged_op_error(operation, "'map' has %d %s, expected %d", count,
                           count == 1 ? "entry" : "entries", own.rank);
  bool used[RAGGED_MAX_RANK] = {false};
  for (int k = 0; k < count; ++k) {
    int64_t entry = mlirDenseI64ArrayGetElement(map, k);
    if (!verify_map_entry(operation, k, entry, own.extents[k], &result)) return false;
    if (entry < 0) continue;
    if (used[entry])
      return ragged_op_error(operation, "'map' has result dimension %lld twice", (long long)entry);
    used[entry] = true;
  }
  return true;
}

bool verify_tile_reduce(MlirOperation operation) {
  const char *kind = ragged_operation_string(operation, "kind");
  if (!tile_is_reduction_kind(kind))
    return ragged_op_error(operation, "has kind \"%s\", expected \"add\" or \"maximum\"", kind);
  ragged_tile_shape own = operand_shape(operation, 0), result = result_shape(operation);
  MlirAttribute dims = ragged_operation_attribute(operation, "dims");
  intptr_t count = mlirDenseArrayGetNumElements(dims);
  if (count == 0) return ragged_op_error(operation, "reduces no dimension");
  bool reduced[RAGGED_MAX_RANK] = {false};
  for (intptr_t k = 0; k < count; ++k) {
    int64_t dim = mlirDenseI64ArrayGetElement(dims, k);
    if (dim < 0 || dim >= own.rank)
      return ragged_op_error(operation, "'dims' has %lld, expected a dimension in [0, %d)",
                             (long long)dim, own.rank);
    if (reduced[dim]) return ragged_op_error(operation, "'dims' has %lld twice", (long long)dim);
    reduced[dim] = true;
  }
  ragged_tile_shape left = {.element_type = own.element_type};
  for (int d = 0; d < own.rank; ++d)
    if (!reduced[d]) left.extents[left.rank++] = own.extents[d];
  if (ragged_tile_shape_equal(&left, &result)) return true;
  return ragged_op_error(operation, "has a result that is not what its reduction leaves");
}

// ---- Positions -------------------------------------------------------------------------------

bool verify_tile_iota(MlirOperation operation) {
  ragged_tile_shape result = result_shape(operation);
  int64_t dim = ragged_operation_int(operation, "dim", -1);
  if (result.element_type != RAGGED_ELEMENT_I64)
    return ragged_op_error(operation, "has elements of %s, expected i64",
                           ragged_element_name(result.element_type));
  if (dim >= 0 && dim < result.rank) return true;
  return ragged_op_error(operation, "has dim %lld, expected a dimension in [0, %d)", (long long)dim,
                         result.rank);
}

bool verify_tile_where_equal(MlirOperation operation) {
  ragged_tile_shape a = operand_shape(operation, 0), b = operand_shape(operation, 1);
  ragged_tile_shape x = operand_shape(operation, 2), y = operand_shape(operation, 3);
  ragged_tile_shape result = result_shape(operation);
  if (!ragged_tile_shape_equal(&a, &b))
    return ragged_op_error(operation, "compares tiles of two types");
  if (!ragged_tile_shape_equal(&x, &result) || !ragged_tile_shape_equal(&y, &result))
    return ragged_op_error(operation, "chooses between tiles of another type than its result");
  a.element_type = result.element_type;
  if (ragged_tile_shape_equal(&a, &result)) return true;
  return ragged_op_error(operation, "compares tiles of another shape than its result");
}

// ---- Products --------------------------------------------------------------------------------

// Whether `value` is a dense ref of that tail, of elements computed with in `type`.
static bool is_parameter(MlirValue value, ragged_element_type type, int rank, const int64_t *extents) {
  ragged_ref_shape ref;
  if (!ragged_ref_type_get(mlirValueGetType(value), &ref) || ref.kind != RAGGED_REF_DENSE ||
      ragged_compute_type(ref.tail.element_type) != type || ref.tail.rank != rank)
    return false;
  for (int d = 0; d < rank; ++d)
    if (ref.tail.extents[d] != extents[d]) return false;
  return true;
}

static bool parameter_error(MlirOperation operation, const char *what, MlirValue value,
                            const char *expected) {
  return tile_error_noted(operation, ragged_value_location(value), "defined here",
                          "has a %s that is not %s of elements computed with in the value's type",
                          what, expected);
}

bool verify_tile_dot(MlirOperation operation) {
  ragged_tile_shape value = operand_shape(operation, 0), result = result_shape(operation);
  if (value.rank == 0) return ragged_op_error(operation, "has a value without dimensions");
  int last = value.rank - 1;
  ragged_tile_shape expected = value;
  if (result.rank == value.rank) expected.extents[last] = result.extents[last];
  if (!ragged_tile_shape_equal(&result, &expected))
    return ragged_op_error(operation,
                           "has a result that is not its value with another last dimension");
  ragged_element_type type = value.element_type;
  int64_t extents[] = {result.extents[last], value.extents[last]};
  int64_t turned[] = {extents[1], extents[0]};
  MlirValue weight = mlirOperationGetOperand(operation, 1);
  bool transposed = ragged_operation_has(operation, "transposed");
  if (!is_parameter(weight, type, 2, transposed ? turned : extents))
    return parameter_error(operation, "weight", weight,
                           transposed ? "a dense ref k x n" : "a dense ref n x k");
  bool bias = ragged_operation_has(operation, "has_bias");
  bool residual = ragged_operation_has(operation, "has_residual");
  int count = (int)mlirOperationGetNumOperands(operation) - 2;
  if (count != bias + residual)
    return ragged_op_error(operation, "has %d operands after its weight, expected %d", count,
                           bias + residual);
  if (bias && !is_parameter(mlirOperationGetOperand(operation, 2), type, 1, extents))
    return parameter_error(operation, "bias", mlirOperationGetOperand(operation, 2), "a dense ref n");
  if (residual && !mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(operation, 2 + bias)),
                                 mlirValueGetType(mlirOperationGetResult(operation, 0))))
    return ragged_op_error(operation, "has a residual of another type than its result");
  int64_t activation = ragged_operation_int(operation, "activation", 0);
  int64_t most = type == RAGGED_ELEMENT_I64 ? 1 : 3;
  if (activation >= 0 && activation <= most) return true;
  return ragged_op_error(operation, "has activation %lld, expected 0 to %lld for elements of %s",
                         (long long)activation, (long long)most, ragged_element_name(type));
}

// A packed ref with a dimension.
static bool is_lines(MlirValue value, ragged_ref_shape *out) {
  return ragged_ref_type_get(mlirValueGetType(value), out) && out->kind == RAGGED_REF_PACKED &&
         out->tail.rank > 0;
}

// But for the last dimension.
static bool lie_alike(const ragged_ref_shape *a, const ragged_ref_shape *b) {
  return a->num_axes == b->num_axes && a->tail.rank == b->tail.rank &&
         !memcmp(a->axes, b->axes, sizeof *a->axes * (size_t)a->num_axes) &&
         !memcmp(a->tail.extents, b->tail.extents,
                 sizeof *a->tail.extents * (size_t)(a->tail.rank - 1));
}

bool verify_tile_product_over_rows(MlirOperation operation) {
  ragged_ref_shape refs[2], sums;
  for (int k = 0; k < 2; ++k) {
    MlirValue value = mlirOperationGetOperand(operation, k);
    if (!is_lines(value, &refs[k]))
      return tile_error_noted(operation, ragged_value_location(value), "defined here",
                              "has an operand #%d that is no packed ref with a dimension", k);
  }
  if (!lie_alike(&refs[0], &refs[1]))
    return ragged_op_error(operation, "has refs that differ in more than their last dimension");
  MlirValue target = mlirOperationGetOperand(operation, 2);
  ragged_ref_type_get(mlirValueGetType(target), &sums);
  ragged_element_type type = refs[0].tail.element_type;
  if (refs[1].tail.element_type != type)
    return ragged_op_error(operation, "has rows of %s and of %s", ragged_element_name(type),
                           ragged_element_name(refs[1].tail.element_type));
  int last = refs[0].tail.rank - 1;
  if (sums.kind != RAGGED_REF_SLICES || sums.layout[0] != refs[0].tail.extents[last] ||
      sums.tail.rank != 1 || sums.tail.extents[0] != refs[1].tail.extents[last] ||
      sums.tail.element_type != ragged_compute_type(type))
    return tile_error_noted(operation, ragged_value_location(target), "defined here",
                            "has sums that are not slices of the products of its rows");
  MlirOperation kernel = mlirOperationGetParentOperation(operation);
  MlirBlock body = ragged_operation_body(kernel);
  MlirValue slice = mlirOperationGetOperand(operation, 3);
  if (mlirDenseArrayGetNumElements(ragged_operation_attribute(kernel, "grid")) != 0 ||
      !mlirValueIsABlockArgument(slice) || mlirBlockArgumentGetArgNumber(slice) != 0)
    return ragged_op_error(operation, "has a slice that is not the sample of a kernel with an empty "
                           "grid");
  MlirOperation first = mlirBlockGetFirstOperation(body);
  if (!mlirOperationEqual(first, operation) ||
      !mlirOperationIsNull(mlirOperationGetNextInBlock(operation)))
    return ragged_op_error(operation, "stands with other ops in its kernel");
  int64_t rows = ragged_operation_int(operation, "slice_rows", 0);
  int64_t slices = ragged_operation_int(operation, "most_slices", 0);
  if (rows >= 1 && slices >= 1) return true;
  return ragged_op_error(operation, "has at most %lld slices of %lld rows or more, expected positive numbers",
                         (long long)slices, (long long)rows);
}
