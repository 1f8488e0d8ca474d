// Which numbers a function reads. A value that is only looked at for its structure (`like`, what a size
// is of) is neither computed nor stored. Called by the walk in to_tiles.c before it translates.
#include "dialect/op_table.h"
#include "lower/tile/translation.h"
#include "mlir-c/BuiltinAttributes.h"

// ---- Extents of builtin tensors --------------------------------------------------------------

static bool is_named(MlirOperation definition, const char *name) {
  return !mlirOperationIsNull(definition) && ragged_operation_is(definition, name);
}

static bool is_unpack_or_values(MlirOperation definition) {
  return is_named(definition, "ragged.values") || is_named(definition, "ragged.unpack");
}

int kept_dimension(MlirOperation operation, int dim) {
  int64_t dims[RAGGED_MAX_RANK];
  int count = op_dims(operation, "dims", dims), own = 0;
  bool reduced[RAGGED_MAX_RANK + 1] = {false};
  if (ragged_operation_has(operation, "keep_dims")) return dim;
  for (int j = 0; j < count; ++j) reduced[dims[j]] = true;
  for (int left = dim; reduced[own] || left-- > 0;) ++own;
  return own;
}

// The operand that a builtin tensor has its extents from: -1 where there is none.
static intptr_t extents_operand(MlirOperation definition) {
  if (mlirOperationIsNull(definition)) return -1;
  bool like = is_dense_broadcast(definition) ||
              (is_unpack_or_values(definition) && mlirOperationGetNumOperands(definition) == 2);
  if (like) return 1;
  if (ragged_operation_is(definition, "ragged.scatter_max")) return 2;
  if (!is_elementwise_op(definition) && !is_reduction_op(definition)) return -1;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(definition); ++k) {
    ragged_schema dense;
    if (ragged_type_get_dense(mlirValueGetType(mlirOperationGetOperand(definition, k)), &dense)) return k;
  }
  return -1;
}

MlirValue extents_source(MlirValue value, int *dim) {
  for (;;) {
    MlirOperation definition = ragged_value_definition(value);
    intptr_t operand = extents_operand(definition);
    if (operand < 0) return value;
    if (is_reduction_op(definition)) *dim = kept_dimension(definition, *dim);
    value = mlirOperationGetOperand(definition, operand);
  }
}

// Whether the host program knows the extents of such a value without its buffer.
static bool has_known_extents(MlirValue source) {
  MlirOperation definition = ragged_value_definition(source);
  if (is_unpack_or_values(definition)) return true;
  ragged_schema schema;
  value_schema(source, &schema);
  for (int d = 0; d < schema.rank; ++d)
    if (schema.dimensions[d].extent < 0) return false;
  return true;
}

static MlirValue known_extent(translation *t, MlirOperation definition, int64_t dim) {
  ragged_schema schema;
  value_schema(mlirOperationGetOperand(definition, 0), &schema);
  if (ragged_operation_is(definition, "ragged.values")) return host_known_rows(t, &schema);
  int64_t batch = ragged_operation_int(definition, "batch", 0);
  if (dim == batch) return host_batch(t);
  const char *axis = schema.dimensions[dim - (dim > batch)].axis;
  return host_value(t, "ragged_tile.max_extent", mlirIntegerTypeGet(t->context, 64),
                    RAGGED_VALUES(host_axis(t, axis)), RAGGED_NONE);
}

MlirValue host_extent(translation *t, MlirValue value, int64_t dimension) {
  int dim = (int)dimension;
  MlirValue source = extents_source(value, &dim);
  MlirOperation definition = ragged_value_definition(source);
  ragged_schema schema;
  value_schema(source, &schema);
  int64_t extent = schema.dimensions[dim].extent;
  if (extent >= 0) return host_i64(t, extent);
  if (is_unpack_or_values(definition)) return known_extent(t, definition, dim);
  MlirNamedAttribute attribute =
      ragged_named(t->context, "dim", ragged_attribute_i64(t->context, dim));
  return host_value(t, "ragged_tile.dense_extent", mlirIntegerTypeGet(t->context, 64),
                    RAGGED_VALUES(host_buffer(t, source)), 1, &attribute);
}

// ---- Reads -----------------------------------------------------------------------------------

static void mark(translation *t, MlirValue value) {
  ragged_value_map_set(t->arena, &t->read, value, value);
}

bool is_unread(const translation *t, MlirOperation operation) {
  if (!ragged_operation_in_dialect(operation, "ragged.")) return false;
  for (intptr_t k = 0; k < mlirOperationGetNumResults(operation); ++k)
    if (!mlirValueIsNull(ragged_value_map_get(&t->read, mlirOperationGetResult(operation, k)))) return false;
  return true;
}

bool use_reads(const translation *t, MlirOpOperand use) {
  MlirOperation user = mlirOpOperandGetOwner(use);
  return ragged_op_reads(user, (intptr_t)mlirOpOperandGetOperandNumber(use)) && !is_unread(t, user);
}

static void mark_operands(translation *t, MlirOperation operation) {
  bool unread = is_unread(t, operation), creates = ragged_operation_has(operation, "axes");
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(operation); ++k) {
    MlirValue operand = mlirOperationGetOperand(operation, k);
    bool lengths = creates && k > 0;  // an axis is there even if its first bearer is not read
    if (unread && !lengths) continue;
    if (ragged_op_reads(operation, k)) {
      mark(t, operand);
    } else if (!ragged_type_is_tensor(mlirValueGetType(operand))) {
      int dim = 0;  // of all, the source is the same
      MlirValue source = extents_source(operand, &dim);
      if (!has_known_extents(source)) mark(t, source);
    }
  }
}

typedef struct operation_list {
  ragged_arena *arena;
  MlirOperation *operations;
  size_t size, capacity;
} operation_list;

static MlirWalkResult add_operation(MlirOperation operation, void *user) {
  operation_list *list = user;
  if (list->size == list->capacity) {
    size_t capacity = list->capacity ? 2 * list->capacity : 64;
    MlirOperation *larger = RAGGED_ARENA_ARRAY(list->arena, MlirOperation, capacity);
    for (size_t k = 0; k < list->size; ++k) larger[k] = list->operations[k];
    list->operations = larger;
    list->capacity = capacity;
  }
  list->operations[list->size++] = operation;
  return MlirWalkResultAdvance;
}

// Uses stand behind their values, in regions of ops behind them too: one pass from the end sees all
// uses of a value before the op that defines it. What regions yield and take is read.
void find_reads(translation *t) {
  operation_list list = {.arena = t->arena};
  mlirOperationWalk(t->function, add_operation, &list, MlirWalkPreOrder);
  for (size_t k = list.size; k-- > 0;) mark_operands(t, list.operations[k]);
}
