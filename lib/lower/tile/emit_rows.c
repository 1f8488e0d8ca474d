// The rows of row-local ops: elementwise, norms, softmax, linear, static reductions, copies. Each
// function puts tile ops into an open kernel and returns the tile of the op's result.
#include <string.h>

#include "lower/tile/translation.h"
#include "mlir-c/BuiltinAttributes.h"

static MlirValue read_operand(kernel *k, MlirOperation operation, int operand,
                              const index_entry *index, const ragged_tile_shape *shape) {
  access a = resolve_access(mlirOperationGetOperand(operation, operand), index);
  return kernel_read(k, &a, shape);
}

// The row of an operand that has the result's layout but for its element count: read as it is.
static MlirValue read_row(kernel *k, MlirOperation operation, int operand, ragged_schema *schema) {
  index_entry index[RAGGED_MAX_RANK];
  value_schema(mlirOperationGetOperand(operation, operand), schema);
  index_identity(schema, index);
  ragged_tile_shape shape = schema_tile_shape(schema);
  return read_operand(k, operation, operand, index, &shape);
}

static void result_schema(MlirOperation operation, ragged_schema *schema) {
  value_schema(mlirOperationGetResult(operation, 0), schema);
}

// Position in the tail of logical dimension `dim`.
static int64_t tail_position(const ragged_schema *schema, int64_t dim) {
  return ragged_schema_packed_position(schema, (int)dim) - ragged_schema_num_ragged(schema);
}

MlirValue emit_function(kernel *k, MlirOperation operation, intptr_t count, const MlirValue *tiles) {
  if (!ragged_operation_is(operation, "ragged.cast"))
    return tile_elementwise(k, short_name(k->t, operation), count, tiles);
  ragged_schema from, to;
  value_schema(mlirOperationGetOperand(operation, 0), &from);
  result_schema(operation, &to);
  return tile_cast(k, tiles[0], from.element_type, to.element_type);
}

// The row of the result that `at` indexes, its tail as it is packed.
static MlirValue emit_elementwise_at(kernel *k, MlirOperation operation, const ragged_schema *result,
                                     const index_entry *at) {
  ragged_tile_shape shape = schema_tile_shape(result);
  intptr_t count = mlirOperationGetNumOperands(operation);
  MlirValue tiles[RAGGED_MAX_RANK];
  for (intptr_t j = 0; j < count; ++j) {
    ragged_schema operand;
    index_entry index[RAGGED_MAX_RANK] = {0};
    kernel_schema(k, mlirOperationGetOperand(operation, j), &operand);
    shape.element_type = ragged_compute_type(operand.element_type);
    if (operand.rank) {
      memcpy(index, at, sizeof index);
      index_elementwise(&operand, result, index);
    }
    tiles[j] = read_operand(k, operation, (int)j, index, &shape);
  }
  return emit_function(k, operation, count, tiles);
}

static MlirValue emit_elementwise(kernel *k, MlirOperation operation) {
  ragged_schema result;
  index_entry index[RAGGED_MAX_RANK];
  kernel_schema(k, mlirOperationGetResult(operation, 0), &result);
  index_identity(&result, index);
  return emit_elementwise_at(k, operation, &result, index);
}

MlirValue emit_late(kernel *k, const access *a) {
  ragged_schema result;
  index_entry index[RAGGED_MAX_RANK];
  value_schema(a->leaf, &result);
  index_identity(&result, index);
  for (int j = 0; j < ragged_schema_num_ragged(&result); ++j)
    index[result.order[j]] = a->index[result.order[j]];
  return emit_elementwise_at(k, ragged_value_definition(a->leaf), &result, index);
}

// broadcast, full and reorder: the result's row, read from the operand wherever it lies.
static MlirValue emit_copy(kernel *k, MlirOperation operation) {
  ragged_schema result;
  kernel_schema(k, mlirOperationGetResult(operation, 0), &result);
  ragged_tile_shape shape = schema_tile_shape(&result);
  index_entry index[RAGGED_MAX_RANK];
  index_identity(&result, index);
  if (ragged_operation_is(operation, "ragged.reorder")) return read_operand(k, operation, 0, index, &shape);
  access a = resolve_operand(operation, index);
  return kernel_read(k, &a, &shape);
}

// y = (x - mean) / sqrt(var + eps) * scale + bias. The mean is rounded; what that leaves in the mean of
// x - mean is taken out of it and of the variance, or it would be all there is where x varies little.
static MlirValue emit_layer_norm(kernel *k, MlirOperation operation) {
  ragged_schema schema;
  MlirValue x = read_row(k, operation, 0, &schema);
  ragged_tile_shape shape = tile_shape_of(x);
  int64_t dims[RAGGED_MAX_RANK], positions[RAGGED_MAX_RANK];
  int count = op_dims(operation, "dims", dims);
  double entries = 1;
  for (int j = 0; j < count; ++j) {
    positions[j] = tail_position(&schema, dims[j]);
    entries *= (double)schema.dimensions[dims[j]].extent;
  }
  MlirValue sum = tile_reduce(k, "add", x, count, positions);
  ragged_tile_shape reduced = tile_shape_of(sum);
  MlirValue n = tile_constant(k, &reduced, entries);
  MlirValue mean = TILE2(k, "div", sum, n);
  MlirValue near = TILE2(k, "sub", x, tile_restore(k, mean, count, positions, &shape));
  MlirValue error = TILE2(k, "div", tile_reduce(k, "add", near, count, positions), n);
  MlirValue squares = tile_reduce(k, "add", TILE2(k, "mul", near, near), count, positions);
  MlirValue variance = TILE2(k, "sub", TILE2(k, "div", squares, n), TILE2(k, "mul", error, error));
  variance = TILE1(k, "relu", variance);  // rounding may take it below 0
  double eps = mlirFloatAttrGetValueDouble(ragged_operation_attribute(operation, "eps"));
  // An eps that is not 0 keeps constant rows finite, even where f32 has no such small number.
  if (reduced.element_type == RAGGED_ELEMENT_F32 && eps > 0 && eps < 0x1p-149) eps = 0x1p-149;
  MlirValue deviation = TILE1(k, "sqrt", TILE2(k, "add", variance, tile_constant(k, &reduced, eps)));
  MlirValue inverse = TILE2(k, "div", tile_constant(k, &reduced, 1), deviation);
  MlirValue centered = TILE2(k, "sub", near, tile_restore(k, error, count, positions, &shape));
  MlirValue y = TILE2(k, "mul", centered, tile_restore(k, inverse, count, positions, &shape));
  // Parameter dimension j is dimension dims[j] of x.
  index_entry index[RAGGED_MAX_RANK] = {0};
  for (int j = 0; j < count; ++j) index[j] = (index_entry){INDEX_TAIL, (int)positions[j]};
  for (intptr_t p = 1; p < mlirOperationGetNumOperands(operation); ++p)
    y = TILE2(k, p == 1 ? "mul" : "add", y, read_operand(k, operation, (int)p, index, &shape));
  return y;
}

// y = e^(x - max) / sum; a group that is all -inf gives e^(-inf - 0) / 1 = 0.
static MlirValue emit_softmax(kernel *k, MlirOperation operation) {
  ragged_schema schema;
  MlirValue x = read_row(k, operation, 0, &schema);
  ragged_tile_shape shape = tile_shape_of(x);
  int64_t position = tail_position(&schema, ragged_operation_int(operation, "dim", 0));
  MlirValue largest = TILE1(k, "lowest_to_zero", tile_reduce(k, "maximum", x, 1, &position));
  MlirValue shifted = TILE2(k, "sub", x, tile_restore(k, largest, 1, &position, &shape));
  MlirValue powers = TILE1(k, "exp", shifted);
  MlirValue sum = TILE1(k, "zero_to_one", tile_reduce(k, "add", powers, 1, &position));
  return TILE2(k, "div", powers, tile_restore(k, sum, 1, &position, &shape));
}

static MlirValue dense_ref(kernel *k, MlirValue value) {
  ragged_schema schema;
  value_schema(value, &schema);
  ragged_ref_shape shape = kernel_dense_shape(&schema);
  return kernel_ref(k, host_buffer(k->t, value), &shape);
}

// The feature dimension goes last for the product and back to its place after it.
static MlirValue emit_linear(kernel *k, MlirOperation operation) {
  ragged_schema schema, result;
  MlirValue x = read_row(k, operation, 0, &schema);
  result_schema(operation, &result);
  int64_t position = tail_position(&schema, ragged_operation_int(operation, "dim", 0));
  ragged_tile_shape own = tile_shape_of(x), last = own, out_last, out = schema_tile_shape(&result);
  int64_t map[RAGGED_MAX_RANK], back[RAGGED_MAX_RANK];
  for (int d = 0, next = 0; d < own.rank; ++d) {
    int64_t place = d == position ? own.rank - 1 : next++;
    map[d] = place;
    last.extents[place] = own.extents[d];
    back[place] = d;
  }
  x = tile_view(k, x, map, &last);
  out_last = last;
  out_last.extents[own.rank - 1] = out.extents[position];
  bool bias = mlirOperationGetNumOperands(operation) == 3;
  MlirValue operands[3] = {x, dense_ref(k, mlirOperationGetOperand(operation, 1))};
  if (bias) operands[2] = dense_ref(k, mlirOperationGetOperand(operation, 2));
  MlirAttribute unit = mlirUnitAttrGet(k->t->context);
  MlirNamedAttribute attributes[2];
  intptr_t num_attributes = 0;
  if (bias) attributes[num_attributes++] = ragged_named(k->t->context, "has_bias", unit);
  if (ragged_operation_has(operation, "transposed"))
    attributes[num_attributes++] = ragged_named(k->t->context, "transposed", unit);
  MlirValue y = ragged_build_value_with(&k->b, "ragged_tile.dot",
                                        ragged_tile_type(k->t->context, &out_last), bias ? 3 : 2,
                                        operands, num_attributes, attributes);
  return tile_view(k, y, back, &out);
}

// sum, max, mean, argmax over static dimensions only.
static MlirValue emit_static_reduction(kernel *k, MlirOperation operation) {
  ragged_schema schema, result;
  MlirValue x = read_row(k, operation, 0, &schema);
  result_schema(operation, &result);
  ragged_tile_shape out = schema_tile_shape(&result);
  int64_t dims[RAGGED_MAX_RANK], positions[RAGGED_MAX_RANK];
  int count = op_dims(operation, "dims", dims);
  double entries = 1;
  bool reduced[RAGGED_MAX_RANK] = {false};
  for (int j = 0; j < count; ++j) {
    positions[j] = tail_position(&schema, dims[j]);
    entries *= (double)schema.dimensions[dims[j]].extent;
    reduced[dims[j]] = true;
  }
  bool argmax = ragged_operation_is(operation, "ragged.argmax");
  bool maximum = argmax || ragged_operation_is(operation, "ragged.max");
  if (!argmax) x = tile_convert(k, x, out.element_type);  // truth values are counted
  MlirValue y;
  if (argmax) {
    index_entry index[RAGGED_MAX_RANK];
    index_identity(&schema, index);
    MlirValue position = emit_group_position(k, &schema, reduced, index, ragged_value_none());
    matched_tile entries = {x, emit_match(k, position)};
    y = emit_matched_position(k, emit_first_maximum(k, entries, count, positions).match);
  } else {
    y = tile_reduce(k, maximum ? "maximum" : "add", x, count, positions);
  }
  if (ragged_operation_is(operation, "ragged.mean")) {
    bool zero = ragged_operation_int(operation, "empty", 0) == 1 && entries == 0;
    ragged_tile_shape shape = tile_shape_of(y);
    y = TILE2(k, "div", y, tile_constant(k, &shape, zero ? 1 : entries));
  }
  // What is left stands in the operand's relative order; dimensions kept as 1 come from nowhere.
  bool keep = ragged_operation_has(operation, "keep_dims");
  int64_t map[RAGGED_MAX_RANK];
  int next = 0, num_ragged = ragged_schema_num_ragged(&schema);
  for (int j = num_ragged; j < schema.rank; ++j) {
    int d = schema.order[j], own = d;
    if (reduced[d]) continue;
    if (!keep)
      for (int e = 0; e < d; ++e) own -= reduced[e];
    map[next++] = tail_position(&result, own);
  }
  return tile_view(k, y, map, &out);
}

MlirValue emit_rows(kernel *k, MlirOperation operation) {
  MlirValue tile;
  if (is_elementwise_op(operation)) tile = emit_elementwise(k, operation);
  else if (ragged_operation_is(operation, "ragged.layer_norm")) tile = emit_layer_norm(k, operation);
  else if (ragged_operation_is(operation, "ragged.softmax")) tile = emit_softmax(k, operation);
  else if (ragged_operation_is(operation, "ragged.linear")) tile = emit_linear(k, operation);
  else if (ragged_operation_is(operation, "ragged.scatter_max")) tile = emit_scatter_max(k, operation);
  else if (is_reduction_op(operation)) tile = emit_static_reduction(k, operation);
  else if (ragged_operation_is(operation, "ragged.size")) tile = emit_size_op(k, operation);
  else tile = emit_copy(k, operation);
  ragged_value_map_set(k->t->arena, &k->tiles, mlirOperationGetResult(operation, 0), tile);
  return tile;
}

bool is_reduction_op(MlirOperation operation) {
  return ragged_operation_is(operation, "ragged.sum") ||
         ragged_operation_is(operation, "ragged.max") ||
         ragged_operation_is(operation, "ragged.argmax") ||
         ragged_operation_is(operation, "ragged.mean");
}

bool is_row_local(MlirOperation operation) {
  if (mlirOperationGetNumResults(operation) != 1) return false;
  if (!ragged_type_is_tensor(mlirValueGetType(mlirOperationGetResult(operation, 0))))
    return is_elementwise_op(operation) || is_dense_broadcast(operation) ||
           ragged_operation_is(operation, "ragged.scatter_max");
  if (is_elementwise_op(operation) || ragged_operation_is(operation, "ragged.layer_norm") ||
      ragged_operation_is(operation, "ragged.softmax") ||
      ragged_operation_is(operation, "ragged.linear") ||
      is_broadcast_op(operation) || ragged_operation_is(operation, "ragged.scatter_max") ||
      ragged_operation_is(operation, "ragged.reorder") || ragged_operation_is(operation, "ragged.size"))
    return true;
  if (!is_reduction_op(operation)) return false;
  ragged_schema operand;
  int64_t dims[RAGGED_MAX_RANK];
  value_schema(mlirOperationGetOperand(operation, 0), &operand);
  int count = op_dims(operation, "dims", dims);
  for (int j = 0; j < count; ++j)
    if (operand.dimensions[dims[j]].axis) return false;
  return !ragged_operation_has(operation, "batch");
}
