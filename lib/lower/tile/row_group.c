// Row groups: consecutive row-local ops over one space become one kernel, so that what only they
// read never stands in memory. Called by the walk in to_tiles.c.
#include <string.h>

#include "dialect/op_table.h"
#include "ir/location.h"
#include "lower/tile/translation.h"
#include "mlir-c/BuiltinTypes.h"

enum { GROUP_MAX_OPS = 64 };

struct row_group {
  bool dense;  // rows of builtin tensors
  int num_ops, num_operands;
  MlirOperation ops[GROUP_MAX_OPS];
};

// The schema of the first op's result: its ragged axes are the grid.
static ragged_schema group_space(translation *t, const row_group *group) {
  ragged_schema space;
  rows_schema(t, mlirOperationGetResult(group->ops[0], 0), &space);
  return space;
}

static bool in_group(const row_group *group, MlirOperation operation) {
  if (!group || mlirOperationIsNull(operation)) return false;
  for (int j = 0; j < group->num_ops; ++j)
    if (mlirOperationEqual(group->ops[j], operation)) return true;
  return false;
}

static bool reads_group(const translation *t, MlirOperation operation);

// Whether the group computes a value, or what it is a view of, or made of late. A broadcast may be the
// first or the second.
static bool comes_from_group(const translation *t, MlirValue value) {
  MlirOperation definition = ragged_value_definition(value);
  while (!mlirOperationIsNull(definition) && !in_group(t->group, definition)) {
    if (is_late(t, definition)) return reads_group(t, definition);
    if (!is_view_op(definition)) return false;
    definition = ragged_value_definition(mlirOperationGetOperand(definition, 0));
  }
  return !mlirOperationIsNull(definition);
}

static bool reads_group(const translation *t, MlirOperation operation) {
  for (intptr_t j = 0; j < mlirOperationGetNumOperands(operation); ++j)
    if (ragged_op_reads(operation, j) && comes_from_group(t, mlirOperationGetOperand(operation, j)))
      return true;
  return false;
}

typedef struct nested_search {
  const translation *t;
  bool found;
} nested_search;

static MlirWalkResult visit_nested(MlirOperation operation, void *user) {
  nested_search *search = user;
  search->found |= reads_group(search->t, operation);
  return search->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool group_feeds(const translation *t, MlirOperation operation) {
  if (!t->group) return false;
  nested_search search = {t, false};
  mlirOperationWalk(operation, visit_nested, &search, MlirWalkPreOrder);
  return search.found;
}

// How operand j of a row-local op is indexed by its result's row.
static void operand_index(translation *t, MlirOperation operation, intptr_t j,
                          const ragged_schema *result, index_entry index[RAGGED_MAX_RANK]) {
  ragged_schema operand;
  rows_schema(t, mlirOperationGetOperand(operation, j), &operand);
  memset(index, 0, sizeof(index_entry) * RAGGED_MAX_RANK);
  if (is_elementwise_op(operation)) {
    index_identity(result, index);
    index_elementwise(&operand, result, index);
  } else if (ragged_operation_is(operation, "ragged.scatter_max")) {
    index_group(operation, result, index);
  } else if (j == 0) {
    index_identity(&operand, index);
  }
}

// A value of the group may be read only at the row that is being computed.
static bool reads_own_row(translation *t, MlirOperation operation, const ragged_schema *result) {
  const row_group *group = t->group;
  for (intptr_t j = 0; j < mlirOperationGetNumOperands(operation); ++j) {
    MlirValue operand = mlirOperationGetOperand(operation, j);
    if (!ragged_op_reads(operation, j) || !comes_from_group(t, operand)) continue;
    index_entry index[RAGGED_MAX_RANK];
    bool broadcast = is_broadcast_op(operation);
    if (broadcast || ragged_operation_is(operation, "ragged.reorder")) index_identity(result, index);
    else operand_index(t, operation, j, result, index);
    access a = broadcast ? resolve_operand(operation, index) : resolve_access(operand, index);
    if (!in_group(group, ragged_value_definition(a.leaf))) continue;  // a broadcast is read through
    ragged_schema leaf;
    rows_schema(t, a.leaf, &leaf);
    int num_ragged = ragged_schema_num_ragged(&leaf);
    if (num_ragged != ragged_schema_num_ragged(result)) return false;
    for (int p = 0; p < num_ragged; ++p)
      if (a.index[leaf.order[p]].number != p) return false;
  }
  return true;
}

// The most refs that the op adds to the kernel: operands that stand in memory.
static int count_refs(const translation *t, MlirOperation operation) {
  int count = 0;
  for (intptr_t j = 0; j < mlirOperationGetNumOperands(operation); ++j) {
    MlirValue operand = mlirOperationGetOperand(operation, j);
    MlirOperation definition = ragged_value_definition(operand);
    bool constant =
        !mlirOperationIsNull(definition) && ragged_operation_is(definition, "arith.constant");
    count += ragged_op_reads(operation, j) && !constant &&
             (!t->group || !comes_from_group(t, operand));
  }
  return count;
}

bool group_try_add(translation *t, MlirOperation operation) {
  ragged_schema result;
  MlirValue value = mlirOperationGetResult(operation, 0);
  rows_schema(t, value, &result);
  bool dense = !ragged_type_is_tensor(mlirValueGetType(value));
  row_group *group = t->group;
  ragged_schema space = group ? group_space(t, group) : result;
  int operands = count_refs(t, operation);
  if (group && (!t->fuse || group->num_ops == GROUP_MAX_OPS ||
                group->num_operands + operands + group->num_ops >= KERNEL_MAX_REFS - 8 ||
                group->dense != dense || !ragged_schema_same_space(&space, &result) ||
                !reads_own_row(t, operation, &result)))
    return false;
  if (!group) {
    group = t->group = RAGGED_ARENA_ARRAY(t->arena, row_group, 1);
    group->dense = dense;
  }
  group->ops[group->num_ops++] = operation;
  group->num_operands += operands;
  return true;
}

// ---- What has to be stored -------------------------------------------------------------------

// Whether every use of `value` reads it through a kernel's access, so that it needs no buffer.
static bool reads_through_access(MlirOperation user, intptr_t operand) {
  if (is_broadcast_op(user)) return false;  // decided by its own uses
  return is_row_local(user) || (is_reduction_op(user) && operand == 0);
}

// Whether an op outside the group reads `value` through an access, maybe behind further views.
static bool read_elsewhere(const translation *t, const row_group *group, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    unsigned operand = mlirOpOperandGetOperandNumber(use);
    if (!use_reads(t, use)) continue;
    if (is_view_op(user)) {
      if (read_elsewhere(t, group, mlirOperationGetResult(user, 0))) return true;
    } else if (!in_group(group, user) && reads_through_access(user, (intptr_t)operand)) {
      return true;
    }
  }
  return false;
}

static bool stored_for(const translation *t, const row_group *group, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!use_reads(t, use)) continue;
    if (in_group(group, user)) {
      // Kernels read through a ragged broadcast, even one that stands in memory.
      if (is_view_op(user) && read_elsewhere(t, group, mlirOperationGetResult(user, 0))) return true;
      continue;
    }
    if (!is_view_op(user) || stored_for(t, group, mlirOperationGetResult(user, 0))) return true;
  }
  return false;
}

bool value_needs_buffer(const translation *t, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    unsigned operand = mlirOpOperandGetOperandNumber(use);
    if (!use_reads(t, use)) continue;
    if (is_view_op(user)) {
      if (value_needs_buffer(t, mlirOperationGetResult(user, 0))) return true;
    } else if (!reads_through_access(user, (intptr_t)operand)) {
      return true;
    }
  }
  return false;
}

// Elements of builtin tensors need no coordinates unless something is repeated, or their positions count.
static kernel_kind group_kind(const row_group *group) {
  if (!group->dense) return KERNEL_RAGGED;
  for (int j = 0; j < group->num_ops; ++j)
    if (is_dense_broadcast(group->ops[j]) ||
        ragged_operation_is(group->ops[j], "ragged.scatter_max"))
      return KERNEL_DENSE;
  return KERNEL_ELEMENTS;
}

void group_close(translation *t) {
  row_group *group = t->group;
  if (!group) return;
  t->group = NULL;
  kernel k;
  const char *hint = short_name(t, group->ops[group->num_ops - 1]);
  t->host.location = ragged_location_of(group->ops[group->num_ops - 1]);
  ragged_schema space = group_space(t, group), number = {.element_type = space.element_type};
  kernel_kind kind = group_kind(group);
  kernel_begin(t, &k, kind == KERNEL_ELEMENTS ? &number : &space,
               group->num_ops == 1 ? hint : group->dense ? "elements" : "rows");
  k.kind = kind;
  bool stored = false;
  for (int j = 0; j < group->num_ops; ++j) {
    MlirValue result = mlirOperationGetResult(group->ops[j], 0), tile = emit_rows(&k, group->ops[j]);
    if (!stored_for(t, group, result)) continue;
    ragged_schema schema;
    kernel_schema(&k, result, &schema);
    MlirValue buffer = group->dense ? dense_allocate(t, result) : host_allocate(t, &schema);
    kernel_store_rows(&k, tile, buffer, &schema);
    host_set_buffer(t, result, buffer);
    stored = true;
  }
  if (!stored) mlirOperationDestroy(k.operation);  // nobody reads what it computes
  else if (group->dense) kernel_launch(&k, dense_items(t, mlirOperationGetResult(group->ops[0], 0)));
  else kernel_launch(&k, host_rows(t, &space));
}
