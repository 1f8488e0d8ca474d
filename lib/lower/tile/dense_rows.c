// Builtin tensors as rows: kernels see one as a batch of one sample, whose dimensions are axes of
// constant extents. Such axes have names of their own ("#384"; "#v0" where the type does not say the
// extent), so that two tensors of one shape are in one space. Called by the walk, by row groups and by
// dense reductions.
#include <stdlib.h>
#include <string.h>

#include "ir/location.h"
#include "lower/tile/translation.h"
#include "mlir-c/BuiltinTypes.h"

// ---- Names of extents ------------------------------------------------------------------------

const char *dense_static_name(translation *t, int64_t extent) {
  return ragged_arena_format(t->arena, "#%lld", (long long)extent);
}

static bool is_static_name(const char *name) { return name[1] != 'v'; }

const char *dense_fresh_name(translation *t) {
  return ragged_arena_format(t->arena, "#v%d", t->num_dense_names++);
}

bool is_dense_broadcast(MlirOperation operation) {
  return is_broadcast_op(operation) &&
         !ragged_type_is_tensor(mlirValueGetType(mlirOperationGetResult(operation, 0)));
}

static dense_extent *find_extent(const translation *t, MlirValue leaf, int dim) {
  for (int k = 0; k < t->num_dense_extents; ++k)
    if (mlirValueEqual(t->dense_extents[k].leaf, leaf) && t->dense_extents[k].dim == dim)
      return &t->dense_extents[k];
  return NULL;
}

static dense_extent *add_extent(translation *t, MlirValue leaf, int dim) {
  if (t->num_dense_extents == t->capacity_dense_extents) {
    int capacity = t->capacity_dense_extents ? 2 * t->capacity_dense_extents : 16;
    dense_extent *extents = RAGGED_ARENA_ARRAY(t->arena, dense_extent, capacity);
    if (t->num_dense_extents)
      memcpy(extents, t->dense_extents, sizeof *extents * (size_t)t->num_dense_extents);
    t->dense_extents = extents;
    t->capacity_dense_extents = capacity;
  }
  dense_extent *extent = &t->dense_extents[t->num_dense_extents++];
  *extent = (dense_extent){dense_fresh_name(t), leaf, dim};
  return extent;
}

const char *dense_name(translation *t, MlirValue value, int dim) {
  ragged_schema schema;
  value_schema(value, &schema);
  if (schema.dimensions[dim].extent >= 0) return dense_static_name(t, schema.dimensions[dim].extent);
  value = extents_source(value, &dim);
  value_schema(value, &schema);
  if (schema.dimensions[dim].extent >= 0) return dense_static_name(t, schema.dimensions[dim].extent);
  dense_extent *known = find_extent(t, value, dim);
  return (known ? known : add_extent(t, value, dim))->name;
}

static const dense_extent *named_extent(const translation *t, const char *name) {
  for (int k = 0; k < t->num_dense_extents; ++k)
    if (!strcmp(t->dense_extents[k].name, name)) return &t->dense_extents[k];
  return NULL;
}

MlirValue dense_extent_value(translation *t, const char *name) {
  if (is_static_name(name)) return host_i64(t, strtoll(name + 1, NULL, 10));
  const dense_extent *extent = named_extent(t, name);
  return host_extent(t, extent->leaf, extent->dim);
}

// ---- Checks ----------------------------------------------------------------------------------

// Two extents must be equal: checked at run time, and known from then on. `what` is whose the first is,
// `other_what` whose the second.
static void require_equal(translation *t, const char *name, const char *what, const char *other,
                          const char *other_what) {
  if (!strcmp(name, other)) return;
  bool swap = is_static_name(name);  // then the other is not
  const char *found = swap ? other : name, *required = swap ? name : other;
  MlirNamedAttribute text =
      ragged_named(t->context, "what", translation_string(t, swap ? other_what : what));
  host_op(t, "ragged_tile.check_equal",
          RAGGED_VALUES(dense_extent_value(t, found), dense_extent_value(t, required)), 1, &text);
  for (int k = 0; k < t->num_dense_extents; ++k)
    if (!strcmp(t->dense_extents[k].name, found)) t->dense_extents[k].name = required;
}

static const char *place_text(translation *t, intptr_t operand, int64_t dim) {
  return ragged_arena_format(t->arena, "operand #%d, dimension %lld", (int)operand, (long long)dim);
}

void dense_check_shapes(translation *t, MlirOperation operation) {
  ragged_schema own;
  intptr_t first = -1, count = mlirOperationGetNumOperands(operation);
  if (is_dense_broadcast(operation)) {
    int64_t dims[RAGGED_MAX_RANK];
    MlirValue x = mlirOperationGetOperand(operation, 0), like = mlirOperationGetOperand(operation, 1);
    value_schema(x, &own);
    op_dims(operation, "dims", dims);
    for (int d = 0; d < own.rank; ++d)
      if (own.dimensions[d].extent != 1)
        require_equal(t, dense_name(t, x, d), place_text(t, 0, d),
                      dense_name(t, like, (int)dims[d]), place_text(t, 1, dims[d]));
    return;
  }
  for (intptr_t j = 0; j < count; ++j) {
    MlirValue operand = mlirOperationGetOperand(operation, j);
    if (ragged_type_is_scalar(mlirValueGetType(operand))) continue;
    if (first < 0) first = j;
    value_schema(operand, &own);
    for (int d = 0; d < own.rank && j != first; ++d)
      require_equal(t, dense_name(t, operand, d), place_text(t, j, d),
                    dense_name(t, mlirOperationGetOperand(operation, first), d),
                    place_text(t, first, d));
  }
}

// ---- Rows ------------------------------------------------------------------------------------

void rows_schema(translation *t, MlirValue value, ragged_schema *out) {
  value_schema(value, out);
  if (ragged_type_is_tensor(mlirValueGetType(value))) return;
  for (int d = 0; d < out->rank; ++d) {
    const char *name = dense_name(t, value, d);
    out->dimensions[d] = !strcmp(name, "#1") ? ragged_dimension_static(1) : ragged_dimension_ragged(name);
  }
  ragged_schema_set_default_order(out);
}

MlirValue dense_axis(translation *t, MlirValue extent, int64_t most_parts) {
  MlirNamedAttribute most =
      ragged_named(t->context, "most", ragged_attribute_i64(t->context, most_parts));
  return host_value(t, "ragged_tile.parts_axis", translation_type(t, RAGGED_HOST_AXIS),
                    RAGGED_VALUES(extent), 1, &most);
}

void dense_define_axis(translation *t, const char *name, MlirValue axis) {
  t->dense_axes = ragged_arena_grow(t->arena, t->dense_axes, t->num_dense_axes,
                                    &t->capacity_dense_axes, sizeof *t->dense_axes);
  t->dense_axes[t->num_dense_axes++] = (named_axis){name, axis};
}

MlirValue dense_axis_named(translation *t, const char *name) {
  for (int k = t->num_dense_axes - 1; k >= 0; --k)
    if (!strcmp(t->dense_axes[k].name, name)) return t->dense_axes[k].axis;
  MlirValue axis = dense_axis(t, dense_extent_value(t, name), 1);
  dense_define_axis(t, name, axis);
  return axis;
}

MlirValue host_product(translation *t, MlirValue a, MlirValue b) {
  return ragged_build_value(&t->host, "arith.muli", mlirIntegerTypeGet(t->context, 64),
                            RAGGED_VALUES(a, b));
}

MlirValue dense_items(translation *t, MlirValue value) {
  ragged_schema schema;
  value_schema(value, &schema);
  MlirValue items = ragged_value_none();
  for (int d = 0; d < schema.rank; ++d) {
    if (schema.dimensions[d].extent == 1) continue;
    MlirValue extent = dense_extent_value(t, dense_name(t, value, d));
    items = mlirValueIsNull(items) ? extent : host_product(t, items, extent);
  }
  return mlirValueIsNull(items) ? host_i64(t, 1) : items;
}

MlirValue host_allocate_dense(translation *t, ragged_element_type type, intptr_t rank,
                              const MlirValue *shape) {
  MlirNamedAttribute element = ragged_named(
      t->context, "element_type", ragged_attribute_type(ragged_element_to_mlir(t->context, type)));
  return host_value(t, "ragged_tile.allocate_dense", translation_type(t, RAGGED_HOST_BUFFER), rank,
                    shape, 1, &element);
}

MlirValue dense_allocate(translation *t, MlirValue value) {
  ragged_schema schema;
  MlirValue shape[RAGGED_MAX_RANK];
  value_schema(value, &schema);
  for (int d = 0; d < schema.rank; ++d) shape[d] = dense_extent_value(t, dense_name(t, value, d));
  return host_allocate_dense(t, schema.element_type, schema.rank, shape);
}
