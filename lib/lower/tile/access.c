// How kernels index values: through transposes, broadcasts and unit dimensions down to a buffer.
// These ops never move data on their own; whoever reads through them composes index maps.
#include <string.h>

#include "lower/tile/translation.h"
#include "mlir-c/BuiltinAttributes.h"

static const char *const kAliases[] = {"ragged.expand_dims", "ragged.squeeze", "ragged.transpose",
                                       "ragged.schema_cast", "ragged.assume_same_axis"};

bool is_alias_op(MlirOperation operation) {
  for (size_t k = 0; k < sizeof kAliases / sizeof kAliases[0]; ++k)
    if (ragged_operation_is(operation, kAliases[k])) return true;
  return false;
}

bool is_view_op(MlirOperation operation) {
  return is_alias_op(operation) || (is_broadcast_op(operation) && !is_dense_broadcast(operation));
}

bool is_broadcast_op(MlirOperation operation) {
  return ragged_operation_is(operation, "ragged.broadcast") ||
         ragged_operation_is(operation, "ragged.full");
}

bool is_remade_op(MlirOperation operation) {
  return (is_broadcast_op(operation) && !is_dense_broadcast(operation)) ||
         (ragged_operation_is(operation, "ragged.size") && is_row_local(operation));
}

bool value_schema(MlirValue value, ragged_schema *out) {
  MlirType type = mlirValueGetType(value);
  if (ragged_type_get_schema(type, out) || ragged_type_get_dense(type, out)) return true;
  *out = (ragged_schema){0};
  return ragged_type_is_scalar(type) && ragged_type_get_element(type, &out->element_type);
}

int op_dims(MlirOperation operation, const char *name, int64_t dims[RAGGED_MAX_RANK]) {
  return ragged_operation_int_array(operation, name, RAGGED_MAX_RANK, dims);
}

// The index of a view's operand from that of its result.
static void step_back(MlirOperation view, const index_entry *index, index_entry *out) {
  int64_t dims[RAGGED_MAX_RANK];
  ragged_schema operand = {0};
  value_schema(mlirOperationGetOperand(view, 0), &operand);
  if (ragged_operation_is(view, "ragged.expand_dims")) {
    int64_t dim = ragged_operation_int(view, "dim", 0);
    for (int d = 0; d < operand.rank; ++d) out[d] = index[d < dim ? d : d + 1];
  } else if (ragged_operation_is(view, "ragged.squeeze")) {
    int count = op_dims(view, "dims", dims), next = 0;
    for (int d = 0; d < operand.rank; ++d) {
      bool dropped = false;
      for (int k = 0; k < count; ++k) dropped |= dims[k] == d;
      out[d] = dropped ? (index_entry){INDEX_ZERO, 0} : index[next++];
    }
  } else if (ragged_operation_is(view, "ragged.transpose")) {
    int count = op_dims(view, "permutation", dims);
    for (int k = 0; k < count; ++k) out[dims[k]] = index[k];
  } else if (ragged_operation_is(view, "ragged.broadcast")) {
    ragged_schema result = {0};
    value_schema(mlirOperationGetResult(view, 0), &result);
    op_dims(view, "dims", dims);
    for (int d = 0; d < operand.rank; ++d) {
      bool repeated = !operand.dimensions[d].axis && operand.dimensions[d].extent == 1 &&
                      !ragged_dimension_equal(operand.dimensions[d], result.dimensions[dims[d]]);
      out[d] = repeated ? (index_entry){INDEX_ZERO, 0} : index[dims[d]];
    }
  } else {
    for (int d = 0; d < operand.rank; ++d) out[d] = index[d];
  }
}

// Up to a value that is no view, or stands in `buffers` (may be null).
static access resolve(const ragged_value_map *buffers, MlirValue value, const index_entry *index) {
  access a = {.leaf = value};
  memcpy(a.index, index, sizeof a.index);
  for (;;) {
    if (buffers && !mlirValueIsNull(ragged_value_map_get(buffers, a.leaf))) return a;
    MlirOperation definition = ragged_value_definition(a.leaf);
    if (mlirOperationIsNull(definition) || !is_view_op(definition)) return a;
    index_entry before[RAGGED_MAX_RANK] = {0};
    step_back(definition, a.index, before);
    memcpy(a.index, before, sizeof before);
    a.leaf = mlirOperationGetOperand(definition, 0);
  }
}

access resolve_access(MlirValue value, const index_entry *index) {
  return resolve(NULL, value, index);
}

access resolve_to_buffer(const translation *t, MlirValue value, const index_entry *index) {
  return resolve(&t->buffers, value, index);
}

access resolve_operand(MlirOperation operation, const index_entry *index) {
  index_entry before[RAGGED_MAX_RANK] = {0};
  step_back(operation, index, before);
  return resolve_access(mlirOperationGetOperand(operation, 0), before);
}

void index_identity(const ragged_schema *schema, index_entry out[RAGGED_MAX_RANK]) {
  int num_ragged = ragged_schema_num_ragged(schema);
  memset(out, 0, sizeof(index_entry) * RAGGED_MAX_RANK);
  for (int k = 0; k < schema->rank; ++k)
    out[schema->order[k]] = k < num_ragged ? (index_entry){INDEX_COORDINATE, k}
                                           : (index_entry){INDEX_TAIL, k - num_ragged};
}

void index_elementwise(const ragged_schema *operand, const ragged_schema *result,
                       index_entry index[RAGGED_MAX_RANK]) {
  for (int d = 0; d < operand->rank; ++d)
    if (!ragged_dimension_equal(operand->dimensions[d], result->dimensions[d]))
      index[d] = (index_entry){INDEX_ZERO, 0};  // static 1, repeated
}

bool is_elementwise_op(MlirOperation operation) {
#define RAGGED_UNARY(Class, name, domain, summary, formula) \
  if (ragged_operation_is(operation, "ragged." #name)) return true;
#define RAGGED_BINARY RAGGED_UNARY
#define RAGGED_COMPARE RAGGED_UNARY
#define RAGGED_TERNARY RAGGED_UNARY
#include "dialect/elementwise.def"
  return ragged_operation_is(operation, "ragged.cast");
}

const char *short_name(translation *t, MlirOperation operation) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  size_t skip = strlen("ragged.");
  return ragged_arena_copy_string(t->arena, name.data + skip, name.length - skip);
}
