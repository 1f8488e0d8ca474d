// What a value's structure is: extents, offsets, size. Numbers are not looked at.
#include "ir/build.h"
#include "reference/reference_internal.h"

static ragged_status evaluate_extents(ragged_reference_step *step) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 0, RAGGED_REFERENCE_RAGGED));
  const ragged_reference_value *x = step->operands[0];
  int64_t dim = ragged_operation_int(step->operation, "dim", -1);
  if (dim < 0 || dim >= x->schema.rank) return RAGGED_REFERENCE_INVALID("'dim' is no dimension");
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_allocate_dense(RAGGED_ELEMENT_I64, 1, &x->batch, step->result));
  for (int64_t i = 0; i < x->batch; ++i)
    step->result->numbers[i].integer = ragged_reference_extents(x, i)[dim];
  return NULL;
}

static ragged_status evaluate_offsets(ragged_reference_step *step) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 0, RAGGED_REFERENCE_RAGGED));
  const ragged_reference_value *x = step->operands[0];
  int64_t ends = x->batch + 1;
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_allocate_dense(RAGGED_ELEMENT_I64, 1, &ends, step->result));
  for (int64_t i = 0; i < ends; ++i) step->result->numbers[i].integer = x->offsets[i];
  return NULL;
}

// The product of the listed extents of each sample, or the sum of these. Wraps, as integers do.
static ragged_status evaluate_size(ragged_reference_step *step) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 0, RAGGED_REFERENCE_RAGGED));
  const ragged_reference_value *x = step->operands[0];
  bool batch = ragged_operation_has(step->operation, "batch");
  int64_t dims[RAGGED_MAX_RANK];
  int count;
  RAGGED_RETURN_IF_ERROR(ragged_reference_int_array(step, "dims", &count, dims));
  for (int k = 0; k < count; ++k)
    if (dims[k] < 0 || dims[k] >= x->schema.rank)
      return RAGGED_REFERENCE_INVALID("'dims' holds %lld, which is no dimension", (long long)dims[k]);
  ragged_schema schema = {.element_type = RAGGED_ELEMENT_I64};
  RAGGED_RETURN_IF_ERROR(
      batch ? ragged_reference_allocate_dense(RAGGED_ELEMENT_I64, 0, NULL, step->result)
            : ragged_reference_allocate(&schema, x->batch, NULL, step->result));
  for (int64_t i = 0; i < x->batch; ++i) {
    int64_t size = 1, *out = &step->result->numbers[batch ? 0 : i].integer;
    for (int k = 0; k < count; ++k)
      size = ragged_reference_wrap_multiply(size, ragged_reference_extents(x, i)[dims[k]]);
    *out = ragged_reference_wrap_add(*out, size);
  }
  return NULL;
}

const ragged_reference_op ragged_reference_metadata_ops[] = {
    {"ragged.extents", evaluate_extents, true},
    {"ragged.offsets", evaluate_offsets, true},
    {"ragged.size", evaluate_size, true},
    {NULL, NULL, false},
};
