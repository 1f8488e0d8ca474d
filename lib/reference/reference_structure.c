// Ops that change schemas. Values are kept in logical order, so most of them copy or permute; none
// computes a number.
#include <stdlib.h>
#include <string.h>

#include "dialect/type_schema.h"
#include "ir/build.h"
#include "reference/reference_internal.h"

// The result of `schema` whose dimension d has the extents of operand dimension from[d], or 1 where
// from[d] < 0.
static ragged_status allocate_from(ragged_reference_step *step, const ragged_schema *schema,
                                   const int *from) {
  const ragged_reference_value *x = step->operands[0];
  int64_t *extents;
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_array(x->batch * schema->rank, sizeof(int64_t), (void **)&extents));
  for (int64_t i = 0; i < x->batch; ++i)
    for (int d = 0; d < schema->rank; ++d)
      extents[i * schema->rank + d] = from[d] < 0 ? 1 : ragged_reference_extents(x, i)[from[d]];
  ragged_status status = ragged_reference_allocate(schema, x->batch, extents, step->result);
  free(extents);
  return status;
}

// The same numbers in the same logical order, under another schema.
static ragged_status relabel(ragged_reference_step *step, const ragged_schema *schema,
                             const int *from) {
  RAGGED_RETURN_IF_ERROR(allocate_from(step, schema, from));
  const ragged_reference_value *x = step->operands[0];
  memcpy(step->result->numbers, x->numbers,
         sizeof(ragged_reference_number) * (size_t)ragged_reference_num_elements(x));
  return NULL;
}

static const int kIdentity[RAGGED_MAX_RANK] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static ragged_status evaluate_expand_dims(ragged_reference_step *step) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 0, RAGGED_REFERENCE_RAGGED));
  int64_t dim = ragged_operation_int(step->operation, "dim", -1);
  ragged_schema schema;
  ragged_rule_error error;
  if (!ragged_rule_expand_dims(&step->operands[0]->schema, dim, &schema, &error))
    return ragged_reference_rule(&error);
  // The declared type says where the 1 is packed; the verifier has seen to it that it may.
  ragged_schema declared;
  MlirType type = mlirValueGetType(mlirOperationGetResult(step->operation, 0));
  if (ragged_type_get_schema(type, &declared)) memcpy(schema.order, declared.order, sizeof schema.order);
  int from[RAGGED_MAX_RANK];
  for (int d = 0; d < schema.rank; ++d) from[d] = d < dim ? d : d == dim ? -1 : d - 1;
  return relabel(step, &schema, from);
}

static ragged_status evaluate_squeeze(ragged_reference_step *step) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 0, RAGGED_REFERENCE_RAGGED));
  const ragged_schema *own = &step->operands[0]->schema;
  int64_t dims[RAGGED_MAX_RANK];
  int count;
  RAGGED_RETURN_IF_ERROR(ragged_reference_int_array(step, "dims", &count, dims));
  ragged_schema schema;
  ragged_rule_error error;
  if (!ragged_rule_squeeze(own, count, dims, &schema, &error)) return ragged_reference_rule(&error);
  int from[RAGGED_MAX_RANK], left = 0;
  for (int d = 0; d < own->rank; ++d) {
    bool dropped = false;
    for (int k = 0; k < count; ++k) dropped = dropped || dims[k] == d;
    if (!dropped) from[left++] = d;
  }
  return relabel(step, &schema, from);
}

static ragged_status evaluate_transpose(ragged_reference_step *step) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 0, RAGGED_REFERENCE_RAGGED));
  const ragged_reference_value *x = step->operands[0];
  int64_t permutation[RAGGED_MAX_RANK];
  int rank;
  RAGGED_RETURN_IF_ERROR(ragged_reference_int_array(step, "permutation", &rank, permutation));
  ragged_schema schema;
  ragged_rule_error error;
  if (!ragged_rule_transpose(&x->schema, rank, permutation, &schema, &error))
    return ragged_reference_rule(&error);
  int from[RAGGED_MAX_RANK];
  for (int d = 0; d < rank; ++d) from[d] = (int)permutation[d];
  RAGGED_RETURN_IF_ERROR(allocate_from(step, &schema, from));
  for (int64_t i = 0; i < x->batch; ++i) {
    int64_t position[RAGGED_MAX_RANK] = {0}, source[RAGGED_MAX_RANK] = {0};
    for (int64_t k = 0; k < ragged_reference_sample_size(x, i); ++k) {
      for (int d = 0; d < rank; ++d) source[from[d]] = position[d];
      ragged_reference_sample(step->result, i)[k] = ragged_reference_sample(
          x, i)[ragged_reference_row_major(rank, ragged_reference_extents(x, i), source)];
      ragged_reference_advance(rank, ragged_reference_extents(step->result, i), position);
    }
  }
  return NULL;
}

static ragged_status evaluate_reorder(ragged_reference_step *step) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 0, RAGGED_REFERENCE_RAGGED));
  int64_t order[RAGGED_MAX_RANK];
  int count;
  RAGGED_RETURN_IF_ERROR(ragged_reference_int_array(step, "order", &count, order));
  ragged_schema schema;
  ragged_rule_error error;
  if (!ragged_rule_reorder(&step->operands[0]->schema, count, order, &schema, &error))
    return ragged_reference_rule(&error);
  return relabel(step, &schema, kIdentity);
}

static ragged_status evaluate_schema_cast(ragged_reference_step *step) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 0, RAGGED_REFERENCE_RAGGED));
  return relabel(step, &step->operands[0]->schema, kIdentity);
}

static ragged_status same_batch(const ragged_reference_step *step, int k, int other) {
  int64_t own = step->operands[k]->batch, expected = step->operands[other]->batch;
  if (own == expected) return NULL;
  return RAGGED_REFERENCE_INVALID("operand #%d has a batch of %lld, expected %lld as in operand #%d",
                                  k, (long long)own, (long long)expected, other);
}

// An extent of 1 that a builtin tensor happens to have is no static 1: its type counts.
static ragged_schema declared_schema(const ragged_reference_step *step) {
  ragged_schema declared;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(step->operation, 0));
  return ragged_type_get_dense(type, &declared) ? declared : step->operands[0]->schema;
}

static ragged_status evaluate_broadcast(ragged_reference_step *step) {
  const ragged_reference_value *x = step->operands[0], *like = step->operands[1];
  if (like->kind == RAGGED_REFERENCE_SCALAR)
    return RAGGED_REFERENCE_INVALID("operand #1 is a scalar, expected a tensor");
  int64_t dims[RAGGED_MAX_RANK];
  int rank = 0;
  if (!ragged_operation_is(step->operation, "ragged.full"))  // one number has no dimension
    RAGGED_RETURN_IF_ERROR(ragged_reference_int_array(step, "dims", &rank, dims));
  ragged_schema own_schema = declared_schema(step), schema = like->schema;
  ragged_rule_error error;
  if (!ragged_rule_may_broadcast(&own_schema, rank, dims, &like->schema, &error))
    return ragged_reference_rule(&error);
  // Scalars of i1 travel as i64.
  ragged_type_get_element(mlirValueGetType(mlirOperationGetOperand(step->operation, 0)),
                          &schema.element_type);
  bool ragged = x->kind == RAGGED_REFERENCE_RAGGED;
  if (ragged) RAGGED_RETURN_IF_ERROR(same_batch(step, 0, 1));
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_allocate(&schema, like->batch, like->extents, step->result));
  step->result->kind = like->kind;
  for (int64_t i = 0; i < like->batch; ++i) {
    const int64_t *own = ragged_reference_extents(x, ragged ? i : 0);
    const int64_t *extents = ragged_reference_extents(like, i);
    int64_t position[RAGGED_MAX_RANK] = {0}, source[RAGGED_MAX_RANK] = {0};
    bool repeated[RAGGED_MAX_RANK] = {false};
    for (int d = 0; d < rank; ++d) {
      repeated[d] = ragged_dimension_equal(own_schema.dimensions[d], ragged_dimension_static(1));
      if (!repeated[d] && own[d] != extents[dims[d]] && like->kind == RAGGED_REFERENCE_DENSE)
        return RAGGED_REFERENCE_INVALID("operand #0 has extent %lld in dimension %d, expected %lld as in "
                                        "dimension %d of operand #1",
                                        (long long)own[d], d, (long long)extents[dims[d]],
                                        (int)dims[d]);
      if (!repeated[d] && own[d] != extents[dims[d]])
        return RAGGED_REFERENCE_INVALID("operand #0 has extent %lld in dimension %d of sample %lld, "
                                        "expected %lld as in dimension %d of operand #1",
                                        (long long)own[d], d, (long long)i,
                                        (long long)extents[dims[d]], (int)dims[d]);
    }
    for (int64_t k = 0; k < ragged_reference_sample_size(step->result, i); ++k) {
      for (int d = 0; d < rank; ++d) source[d] = repeated[d] ? 0 : position[dims[d]];
      ragged_reference_sample(step->result, i)[k] = ragged_reference_sample(
          x, ragged ? i : 0)[ragged_reference_row_major(rank, own, source)];
      ragged_reference_advance(schema.rank, extents, position);
    }
  }
  return NULL;
}

static int find_axis(const ragged_schema *schema, const char *axis) {
  for (int d = 0; d < schema->rank; ++d)
    if (schema->dimensions[d].axis && !strcmp(schema->dimensions[d].axis, axis)) return d;
  return -1;
}

static ragged_status evaluate_assume_same_axis(ragged_reference_step *step) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 0, RAGGED_REFERENCE_RAGGED));
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 1, RAGGED_REFERENCE_RAGGED));
  const ragged_reference_value *x = step->operands[0], *like = step->operands[1];
  int num_dims;
  int64_t dims[RAGGED_MAX_RANK];
  RAGGED_RETURN_IF_ERROR(ragged_reference_int_array(step, "dims", &num_dims, dims));
  const char *to = ragged_operation_string(step->operation, "to");
  if (!to) return RAGGED_REFERENCE_INVALID("needs a string 'to'");
  int other = find_axis(&like->schema, to);
  if (other < 0) return RAGGED_REFERENCE_INVALID("operand #1 has no axis %s", to);
  RAGGED_RETURN_IF_ERROR(same_batch(step, 0, 1));
  ragged_schema schema;
  ragged_rule_error error;
  if (!ragged_rule_rename_axes(&x->schema, num_dims, dims, to, &schema, &error))
    return ragged_reference_rule(&error);
  for (int64_t i = 0; i < x->batch; ++i)
    for (int k = 0; k < num_dims; ++k) {
      int64_t own = ragged_reference_extents(x, i)[dims[k]];
      int64_t expected = ragged_reference_extents(like, i)[other];
      if (own != expected)
        return RAGGED_REFERENCE_INVALID("axis %s has extent %lld in sample %lld, but axis %s has "
                                        "%lld",
                                        x->schema.dimensions[dims[k]].axis, (long long)own,
                                        (long long)i, to, (long long)expected);
    }
  return relabel(step, &schema, kIdentity);
}

const ragged_reference_op ragged_reference_structure_ops[] = {
    {"ragged.expand_dims", evaluate_expand_dims, true},
    {"ragged.squeeze", evaluate_squeeze, true},
    {"ragged.broadcast", evaluate_broadcast, true},
    {"ragged.full", evaluate_broadcast, true},
    {"ragged.transpose", evaluate_transpose, true},
    {"ragged.reorder", evaluate_reorder, true},
    {"ragged.assume_same_axis", evaluate_assume_same_axis, true},
    {"ragged.schema_cast", evaluate_schema_cast, true},
    {NULL, NULL, false},
};
