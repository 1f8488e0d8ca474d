// Positions of entries in the groups of a reduction, and scatter_max, which compares them. Tiles of i64
// from coordinates, extents and the numbers of elements along static dimensions.
#include <string.h>

#include "lower/tile/translation.h"
#include "mlir-c/BuiltinAttributes.h"

static const ragged_tile_shape kNumber = {.element_type = RAGGED_ELEMENT_I64};

static MlirValue coordinate_tile(kernel *k, MlirValue coordinate) {
  return ragged_build_value(&k->b, "ragged_tile.position", ragged_tile_type(k->t->context, &kNumber),
                            RAGGED_VALUES(coordinate));
}

static MlirValue iota_tile(kernel *k, const ragged_tile_shape *shape, int dim) {
  MlirNamedAttribute attribute =
      ragged_named(k->t->context, "dim", ragged_attribute_i64(k->t->context, dim));
  return ragged_build_value_with(&k->b, "ragged_tile.iota", ragged_tile_type(k->t->context, shape),
                                 RAGGED_NONE, 1, &attribute);
}

static MlirValue extent_tile(kernel *k, ragged_dimension dimension) {
  if (!dimension.axis) return tile_constant(k, &kNumber, (double)dimension.extent);
  return tile_extent(k, kernel_axis(k, dimension.axis, host_axis(k->t, dimension.axis)));
}

MlirValue tile_where_equal(kernel *k, MlirValue a, MlirValue b, MlirValue x, MlirValue y) {
  return ragged_build_value(&k->b, "ragged_tile.where_equal", mlirValueGetType(x),
                            RAGGED_VALUES(a, b, x, y));
}

// As many rows as the offsets of what is reduced say.
MlirValue emit_entries_before(kernel *k, const ragged_schema *x, const bool *reduced) {
  ragged_schema number = {.element_type = RAGGED_ELEMENT_I64}, rows = {0};
  double entries = 1;  // of a row, in its group
  for (int d = 0; d < x->rank; ++d)
    if (reduced[d] && !x->dimensions[d].axis) entries *= (double)x->dimensions[d].extent;
  for (int j = 0; j < ragged_schema_num_ragged(x); ++j)
    if (reduced[x->order[j]]) rows.dimensions[rows.rank++] = x->dimensions[x->order[j]];
  ragged_schema_set_default_order(&rows);
  MlirValue offsets = host_value(k->t, "ragged_tile.offsets", translation_type(k->t, RAGGED_HOST_BUFFER),
                                 RAGGED_VALUES(host_space(k->t, &rows)), RAGGED_NONE);
  ragged_ref_shape ref = kernel_packed_shape(k, &number);
  MlirValue before = tile_load(k, kernel_ref(k, offsets, &ref), 1, &k->sample, NULL);
  return TILE2(k, "mul", before, tile_constant(k, &kNumber, entries));
}

// Row-major over the reduced dimensions: (c0 * e1 + c1) * e2 + c2 and so on. What ragged dimensions
// before the first static one give is one number for the row.
MlirValue emit_group_position(kernel *k, const ragged_schema *x, const bool *reduced,
                              const index_entry *index, MlirValue before) {
  ragged_tile_shape shape = schema_tile_shape(x);
  shape.element_type = RAGGED_ELEMENT_I64;
  MlirValue position = tile_constant(k, &shape, 0);
  bool first = true;
  for (int d = 0; d < x->rank; ++d) {
    if (!reduced[d]) continue;
    MlirValue own = x->dimensions[d].axis
                        ? tile_view(k, coordinate_tile(k, k->coordinates[index[d].number]), NULL, &shape)
                        : iota_tile(k, &shape, index[d].number);
    if (!first) {
      MlirValue extent = tile_view(k, extent_tile(k, x->dimensions[d]), NULL, &shape);
      own = TILE2(k, "add", TILE2(k, "mul", position, extent), own);
    }
    position = own;
    first = false;
  }
  if (mlirValueIsNull(before)) return position;
  return TILE2(k, "add", position, tile_view(k, before, NULL, &shape));
}

MlirValue emit_match(kernel *k, MlirValue position) {
  ragged_tile_shape shape = tile_shape_of(position);
  return TILE2(k, "sub", tile_constant(k, &shape, 0), position);
}

matched_tile emit_first_maximum(kernel *k, matched_tile entries, int num_dims, const int64_t *dims) {
  if (num_dims == 0) return entries;
  ragged_tile_shape shape = tile_shape_of(entries.value), numbers = tile_shape_of(entries.match);
  MlirValue maximum = tile_reduce(k, "maximum", entries.value, num_dims, dims);
  MlirValue matches = tile_where_equal(k, entries.value, tile_restore(k, maximum, num_dims, dims, &shape),
                                       entries.match, tile_constant(k, &numbers, -0x1p63));
  return (matched_tile){maximum, tile_reduce(k, "maximum", matches, num_dims, dims)};
}

MlirValue emit_matched_position(kernel *k, MlirValue match) {
  ragged_tile_shape shape = tile_shape_of(match);
  return tile_where_equal(k, match, tile_constant(k, &shape, -0x1p63), tile_constant(k, &shape, -1),
                          emit_match(k, match));
}

// ---- scatter_max -----------------------------------------------------------------------------

void index_group(MlirOperation operation, const ragged_schema *result,
                 index_entry out[RAGGED_MAX_RANK]) {
  bool reduced[RAGGED_MAX_RANK] = {false}, keep = ragged_operation_has(operation, "keep_dims");
  int64_t dims[RAGGED_MAX_RANK];
  int count = op_dims(operation, "dims", dims), next = 0;
  index_entry own[RAGGED_MAX_RANK];
  for (int j = 0; j < count; ++j) reduced[dims[j]] = true;
  index_identity(result, own);
  for (int d = 0; d < result->rank; ++d) {
    if (!reduced[d]) out[next++] = own[d];
    else if (keep) out[next++] = (index_entry){INDEX_ZERO, 0};
  }
}

MlirValue emit_scatter_max(kernel *k, MlirOperation operation) {
  ragged_schema result;
  kernel_schema(k, mlirOperationGetResult(operation, 0), &result);
  bool reduced[RAGGED_MAX_RANK] = {false};
  int64_t dims[RAGGED_MAX_RANK];
  int count = op_dims(operation, "dims", dims);
  for (int j = 0; j < count; ++j) reduced[dims[j]] = true;
  index_entry own[RAGGED_MAX_RANK], group[RAGGED_MAX_RANK] = {0};
  index_identity(&result, own);
  index_group(operation, &result, group);
  ragged_tile_shape shape = schema_tile_shape(&result), numbers = shape;
  numbers.element_type = RAGGED_ELEMENT_I64;
  MlirValue before = ragged_operation_has(operation, "batch") ? emit_entries_before(k, &result, reduced)
                                                              : ragged_value_none();
  MlirValue position = emit_group_position(k, &result, reduced, own, before);
  access dy = resolve_access(mlirOperationGetOperand(operation, 0), group);
  access chosen = resolve_access(mlirOperationGetOperand(operation, 1), group);
  return tile_where_equal(k, position, kernel_read(k, &chosen, &numbers), kernel_read(k, &dy, &shape),
                          tile_constant(k, &shape, 0));
}
