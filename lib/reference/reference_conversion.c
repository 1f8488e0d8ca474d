// Between builtin tensors and ragged ones, with the run-time checks of the conversion ops.
#include <stdlib.h>
#include <string.h>

#include "dialect/type_schema.h"
#include "ir/build.h"
#include "mlir-c/BuiltinAttributes.h"
#include "reference/reference_internal.h"
#include "support/checked.h"

// ---- What makes axes: from_values, from_offsets, pack -----------------------------------------

typedef struct new_axes {
  int count;
  const char *names[RAGGED_MAX_RANK];
  const ragged_reference_number *lengths[RAGGED_MAX_RANK];  // `batch` of them each
  int64_t batch;
} new_axes;

static ragged_status read_axis_names(const ragged_reference_step *step, new_axes *axes) {
  MlirAttribute attribute = ragged_operation_attribute(step->operation, "axes");
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAArray(attribute))
    return RAGGED_REFERENCE_INVALID("needs a list 'axes'");
  intptr_t count = mlirArrayAttrGetNumElements(attribute);
  if (count < 1 || count > RAGGED_MAX_RANK)
    return RAGGED_REFERENCE_INVALID("'axes' has %d names, expected 1 to %d", (int)count,
                                    RAGGED_MAX_RANK);
  axes->count = (int)count;
  for (int k = 0; k < axes->count; ++k) {
    MlirAttribute name = mlirArrayAttrGetElement(attribute, k);
    if (!mlirAttributeIsAString(name)) return RAGGED_REFERENCE_INVALID("'axes' holds no strings");
    axes->names[k] = ragged_attribute_text(name);  // null-terminated
  }
  return NULL;
}

// Operand k is a vector of i64.
static ragged_status expect_vector(const ragged_reference_step *step, int k) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, k, RAGGED_REFERENCE_DENSE));
  if (step->operands[k]->schema.rank == 1 && !ragged_reference_is_float(step->operands[k]))
    return NULL;
  return RAGGED_REFERENCE_INVALID("operand #%d is no vector of i64", k);
}

// One lengths vector per name, from operand #1 on.
static ragged_status read_lengths(const ragged_reference_step *step, new_axes *axes) {
  RAGGED_RETURN_IF_ERROR(read_axis_names(step, axes));
  if (step->num_operands != axes->count + 1)
    return RAGGED_REFERENCE_INVALID("has %d lengths vectors for %d axes", step->num_operands - 1,
                                    axes->count);
  for (int k = 0; k < axes->count; ++k) {
    RAGGED_RETURN_IF_ERROR(expect_vector(step, k + 1));
    const ragged_reference_value *lengths = step->operands[k + 1];
    int64_t batch = ragged_reference_num_elements(lengths);
    if (k == 0) axes->batch = batch;
    if (batch != axes->batch)
      return RAGGED_REFERENCE_INVALID("axis %s has %lld lengths, axis %s has %lld", axes->names[k],
                                      (long long)batch, axes->names[0], (long long)axes->batch);
    axes->lengths[k] = lengths->numbers;
    for (int64_t i = 0; i < batch; ++i)
      if (lengths->numbers[i].integer < 0)
        return RAGGED_REFERENCE_INVALID("axis %s has length %lld in sample %lld, expected 0 or more",
                                        axes->names[k], (long long)lengths->numbers[i].integer,
                                        (long long)i);
  }
  return NULL;
}

// The declared schema, or the one that `fallback` says.
static ragged_schema result_schema(const ragged_reference_step *step, const ragged_schema *fallback) {
  ragged_schema schema;
  MlirType type = mlirValueGetType(mlirOperationGetResult(step->operation, 0));
  return ragged_type_get_schema(type, &schema) ? schema : *fallback;
}

// A result whose ragged dimensions have the extents that the lengths give.
static ragged_status allocate_along(ragged_reference_step *step, const new_axes *axes,
                                    const ragged_schema *schema) {
  int64_t *extents, total;
  if (!ragged_checked_multiply(axes->batch, schema->rank, &total)) total = INT64_MAX;
  RAGGED_RETURN_IF_ERROR(ragged_reference_array(total, sizeof(int64_t), (void **)&extents));
  ragged_status status = NULL;
  for (int d = 0; d < schema->rank && !status; ++d) {
    const char *axis = schema->dimensions[d].axis;
    int named = 0;
    while (axis && named < axes->count && strcmp(axes->names[named], axis) != 0) ++named;
    if (axis && named == axes->count)
      status = RAGGED_REFERENCE_INVALID("does not create axis %s of its result", axis);
    for (int64_t i = 0; i < axes->batch && !status; ++i)
      extents[i * schema->rank + d] =
          axis ? axes->lengths[named][i].integer : schema->dimensions[d].extent;
  }
  if (!status) status = ragged_reference_allocate(schema, axes->batch, extents, step->result);
  free(extents);
  return status;
}

// The numbers of the result, which is allocated, from the packed rows of operand #0. `asker` says who
// needs them.
static ragged_status take_rows(ragged_reference_step *step, const char *asker) {
  const ragged_reference_value *values = step->operands[0];
  const ragged_schema *schema = &step->result->schema, *dense = &values->schema;
  int64_t tail[RAGGED_MAX_RANK];
  int count = ragged_schema_tail(schema, tail);
  bool fits = count == dense->rank - 1 && schema->element_type == dense->element_type;
  for (int d = 0; d < count && fits; ++d) fits = tail[d] == dense->dimensions[d + 1].extent;
  if (!fits) return RAGGED_REFERENCE_INVALID("the rows of the values do not fit the result");
  int64_t needed = ragged_reference_num_rows(step->result), rows = dense->dimensions[0].extent;
  if (needed > rows)
    return RAGGED_REFERENCE_INVALID("%s %lld rows, the values have %lld", asker, (long long)needed,
                                    (long long)rows);
  ragged_reference_unpack_numbers(values->numbers, step->result);
  return NULL;
}

// The rest of from_values and from_offsets: rows of operand #0 along the axes.
static ragged_status take_rows_along(ragged_reference_step *step, const new_axes *axes) {
  const ragged_schema *dense = &step->operands[0]->schema;
  ragged_dimension dimensions[2 * RAGGED_MAX_RANK];
  int rank = axes->count;
  for (int k = 0; k < axes->count; ++k) dimensions[k] = ragged_dimension_ragged(axes->names[k]);
  for (int d = 1; d < dense->rank; ++d) dimensions[rank++] = dense->dimensions[d];
  if (rank > RAGGED_MAX_RANK) return RAGGED_REFERENCE_INVALID("the rank is too high");
  ragged_schema fallback = ragged_schema_make(dense->element_type, rank, dimensions);
  ragged_schema schema = result_schema(step, &fallback);
  RAGGED_RETURN_IF_ERROR(allocate_along(step, axes, &schema));
  return take_rows(step, "the lengths ask for");
}

static ragged_status expect_rows(const ragged_reference_step *step) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 0, RAGGED_REFERENCE_DENSE));
  if (step->operands[0]->schema.rank < 1) return RAGGED_REFERENCE_INVALID("the values have no rows");
  return NULL;
}

static ragged_status evaluate_from_values(ragged_reference_step *step) {
  new_axes axes = {0};
  RAGGED_RETURN_IF_ERROR(expect_rows(step));
  RAGGED_RETURN_IF_ERROR(read_lengths(step, &axes));
  return take_rows_along(step, &axes);
}

static ragged_status evaluate_from_offsets(ragged_reference_step *step) {
  new_axes axes = {0};
  RAGGED_RETURN_IF_ERROR(expect_rows(step));
  RAGGED_RETURN_IF_ERROR(read_axis_names(step, &axes));
  RAGGED_RETURN_IF_ERROR(expect_vector(step, 1));
  const ragged_reference_value *offsets = step->operands[1];
  int64_t ends = ragged_reference_num_elements(offsets);
  if (ends < 1 || axes.count != 1)
    return RAGGED_REFERENCE_INVALID("has %lld offsets for %d axes, expected at least 1 for 1",
                                    (long long)ends, axes.count);
  if (offsets->numbers[0].integer != 0)
    return RAGGED_REFERENCE_INVALID("the offsets begin with %lld, expected 0",
                                    (long long)offsets->numbers[0].integer);
  ragged_reference_number *lengths;
  RAGGED_RETURN_IF_ERROR(ragged_reference_array(ends, sizeof *lengths, (void **)&lengths));
  ragged_status status = NULL;
  for (int64_t i = 0; i + 1 < ends && !status; ++i) {
    int64_t begin = offsets->numbers[i].integer, end = offsets->numbers[i + 1].integer;
    if (end < begin)
      status = RAGGED_REFERENCE_INVALID("the offsets decrease from %lld to %lld at sample %lld",
                                        (long long)begin, (long long)end, (long long)i);
    lengths[i].integer = end < begin ? 0 : end - begin;
  }
  axes.batch = ends - 1;
  axes.lengths[0] = lengths;
  if (!status) status = take_rows_along(step, &axes);
  free(lengths);
  return status;
}

// A result like operand #1, with the element type of operand #0.
static ragged_status allocate_like(ragged_reference_step *step) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 1, RAGGED_REFERENCE_RAGGED));
  const ragged_reference_value *like = step->operands[1];
  ragged_schema schema = like->schema;
  schema.element_type = step->operands[0]->schema.element_type;
  return ragged_reference_allocate(&schema, like->batch, like->extents, step->result);
}

static ragged_status evaluate_with_values(ragged_reference_step *step) {
  RAGGED_RETURN_IF_ERROR(expect_rows(step));
  RAGGED_RETURN_IF_ERROR(allocate_like(step));
  return take_rows(step, "operand #1 has");
}

// ---- Padded boxes ------------------------------------------------------------------------------

// Where an element of sample i stands in a padded box whose dimension `batch` is the batch.
static int64_t box_index(int rank, int64_t batch, const int64_t *shape, int64_t sample,
                         const int64_t *position) {
  int64_t cell[RAGGED_MAX_RANK];
  for (int d = 0, k = 0; k <= rank; ++k) cell[k] = k == batch ? sample : position[d++];
  return ragged_reference_row_major(rank + 1, shape, cell);
}

// The numbers of the result, which is allocated, from the box that is operand #0.
static ragged_status take_cells(ragged_reference_step *step, int64_t batch) {
  const ragged_reference_value *padded = step->operands[0];
  const int64_t *shape = padded->extents;
  ragged_reference_value *y = step->result;
  int rank = y->schema.rank;
  for (int64_t i = 0; i < y->batch; ++i) {
    const int64_t *extents = ragged_reference_extents(y, i);
    for (int d = 0; d < rank; ++d) {
      int64_t room = shape[d < batch ? d : d + 1];
      const char *axis = y->schema.dimensions[d].axis;
      if (axis ? extents[d] > room : extents[d] != room)
        return RAGGED_REFERENCE_INVALID("axis %s has length %lld in sample %lld, the padded box "
                                        "holds %lld",
                                        axis ? axis : "(static)", (long long)extents[d],
                                        (long long)i, (long long)room);
    }
    int64_t position[RAGGED_MAX_RANK] = {0};
    for (int64_t k = 0; k < ragged_reference_sample_size(y, i); ++k) {
      ragged_reference_sample(y, i)[k] = padded->numbers[box_index(rank, batch, shape, i, position)];
      ragged_reference_advance(rank, extents, position);
    }
  }
  return NULL;
}

static ragged_status evaluate_pack(ragged_reference_step *step) {
  new_axes axes = {0};
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 0, RAGGED_REFERENCE_DENSE));
  RAGGED_RETURN_IF_ERROR(read_lengths(step, &axes));
  const ragged_reference_value *padded = step->operands[0];
  int64_t batch = ragged_operation_int(step->operation, "batch", 0);
  int rank = padded->schema.rank - 1;
  if (batch < 0 || batch > rank) return RAGGED_REFERENCE_INVALID("'batch' is no dimension");
  // Without a declared schema: the dimensions that operand #0's type leaves open are the axes.
  MlirType type = mlirValueGetType(mlirOperationGetOperand(step->operation, 0));
  ragged_schema declared, fallback = padded->schema;
  if (!ragged_type_get_dense(type, &declared)) declared = padded->schema;
  ragged_dimension dimensions[RAGGED_MAX_RANK];
  for (int k = 0, d = 0, named = 0; k <= rank; ++k) {
    if (k == batch) continue;
    bool open = declared.dimensions[k].extent < 0 && named < axes.count;
    dimensions[d++] =
        open ? ragged_dimension_ragged(axes.names[named++]) : padded->schema.dimensions[k];
  }
  fallback = ragged_schema_make(padded->schema.element_type, rank, dimensions);
  ragged_schema schema = result_schema(step, &fallback);
  const int64_t *shape = padded->extents;
  if (schema.rank != rank || schema.element_type != padded->schema.element_type)
    return RAGGED_REFERENCE_INVALID("the padded box does not fit the result");
  if (axes.batch != shape[batch])
    return RAGGED_REFERENCE_INVALID("has %lld lengths for a batch of %lld", (long long)axes.batch,
                                    (long long)shape[batch]);
  RAGGED_RETURN_IF_ERROR(allocate_along(step, &axes, &schema));
  return take_cells(step, batch);
}

static ragged_status evaluate_with_padded(ragged_reference_step *step) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 0, RAGGED_REFERENCE_DENSE));
  RAGGED_RETURN_IF_ERROR(allocate_like(step));
  const ragged_reference_value *padded = step->operands[0];
  int64_t batch = ragged_operation_int(step->operation, "batch", 0);
  int rank = step->result->schema.rank;
  if (batch < 0 || batch > rank || padded->schema.rank != rank + 1)
    return RAGGED_REFERENCE_INVALID("the padded box does not fit the result");
  if (padded->extents[batch] != step->result->batch)
    return RAGGED_REFERENCE_INVALID("operand #1 has a batch of %lld, the padded box one of %lld",
                                    (long long)step->result->batch,
                                    (long long)padded->extents[batch]);
  return take_cells(step, batch);
}

// ---- What goes back: values, unpack ------------------------------------------------------------

static ragged_status evaluate_values(ragged_reference_step *step) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 0, RAGGED_REFERENCE_RAGGED));
  const ragged_reference_value *x = step->operands[0];
  int64_t needed = ragged_reference_num_rows(x), shape[RAGGED_MAX_RANK + 1] = {needed};
  int tail = ragged_schema_tail(&x->schema, shape + 1);
  if (step->num_operands > 1) {  // `like`: as many rows, those behind are 0
    RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 1, RAGGED_REFERENCE_DENSE));
    const ragged_schema *like = &step->operands[1]->schema;
    if (like->rank != tail + 1 || like->dimensions[0].extent < needed)
      return RAGGED_REFERENCE_INVALID("operand #0 has %lld rows, operand #1 has room for %lld",
                                      (long long)needed,
                                      (long long)(like->rank ? like->dimensions[0].extent : 0));
    shape[0] = like->dimensions[0].extent;
  }
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_allocate_dense(x->schema.element_type, tail + 1, shape, step->result));
  ragged_reference_pack_numbers(x, step->result->numbers);
  return NULL;
}

// The box's extents: those of `like`, or the batch, and for each dimension the largest extent or what
// the result's type says.
static ragged_status box_shape(const ragged_reference_step *step, int64_t batch,
                               int64_t shape[RAGGED_MAX_RANK + 1]) {
  const ragged_reference_value *x = step->operands[0];
  const ragged_reference_value *like = step->num_operands > 1 ? step->operands[1] : NULL;
  ragged_schema declared = {0};
  MlirType type = mlirValueGetType(mlirOperationGetResult(step->operation, 0));
  bool known = ragged_type_get_dense(type, &declared) && declared.rank == x->schema.rank + 1;
  if (like && like->schema.rank != x->schema.rank + 1)
    return RAGGED_REFERENCE_INVALID("operand #1 is no box of operand #0");
  shape[batch] = like ? like->extents[batch] : x->batch;
  if (shape[batch] != x->batch)
    return RAGGED_REFERENCE_INVALID("has a batch of %lld, operand #1 holds %lld",
                                    (long long)x->batch, (long long)shape[batch]);
  for (int d = 0; d < x->schema.rank; ++d) {
    int k = d < batch ? d : d + 1;
    bool open = !like && x->schema.dimensions[d].axis && !(known && declared.dimensions[k].extent >= 0);
    shape[k] = like                           ? like->extents[k]
               : !x->schema.dimensions[d].axis ? x->schema.dimensions[d].extent
               : open                          ? 0
                                               : declared.dimensions[k].extent;
    for (int64_t i = 0; i < x->batch; ++i) {
      int64_t own = ragged_reference_extents(x, i)[d];
      if (own > shape[k] && !open)
        return RAGGED_REFERENCE_INVALID("axis %s has extent %lld in sample %lld, the result holds "
                                        "%lld",
                                        x->schema.dimensions[d].axis, (long long)own, (long long)i,
                                        (long long)shape[k]);
      if (own > shape[k]) shape[k] = own;
    }
  }
  return NULL;
}

static ragged_status evaluate_unpack(ragged_reference_step *step) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 0, RAGGED_REFERENCE_RAGGED));
  const ragged_reference_value *x = step->operands[0];
  int rank = x->schema.rank;
  int64_t batch = ragged_operation_int(step->operation, "batch", 0);
  if (batch < 0 || batch > rank || rank + 1 > RAGGED_MAX_RANK)
    return RAGGED_REFERENCE_INVALID("'batch' is no dimension, or the rank is too high");
  if (step->num_operands > 1)
    RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 1, RAGGED_REFERENCE_DENSE));
  int64_t shape[RAGGED_MAX_RANK + 1];
  RAGGED_RETURN_IF_ERROR(box_shape(step, batch, shape));
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_allocate_dense(x->schema.element_type, rank + 1, shape, step->result));
  // `fill` is a number of the element type, so it is rounded to it even in an exact run.
  double fill = ragged_reference_float(step, "fill", 0.0);
  ragged_reference_number padding = {0};
  if (ragged_reference_is_float(x))
    padding.real = ragged_reference_round(x->schema.element_type, fill);
  else if (fill >= -0x1p63 && fill < 0x1p63)
    padding.integer = (int64_t)fill;
  else
    return RAGGED_REFERENCE_INVALID("'fill' does not fit i64");
  for (int64_t k = 0; k < ragged_reference_num_elements(step->result); ++k)
    step->result->numbers[k] = padding;
  for (int64_t i = 0; i < x->batch; ++i) {
    int64_t position[RAGGED_MAX_RANK] = {0};
    for (int64_t k = 0; k < ragged_reference_sample_size(x, i); ++k) {
      step->result->numbers[box_index(rank, batch, shape, i, position)] =
          ragged_reference_sample(x, i)[k];
      ragged_reference_advance(rank, ragged_reference_extents(x, i), position);
    }
  }
  return NULL;
}

const ragged_reference_op ragged_reference_conversion_ops[] = {
    {"ragged.from_values", evaluate_from_values, true},
    {"ragged.from_offsets", evaluate_from_offsets, true},
    {"ragged.values", evaluate_values, true},
    {"ragged.with_values", evaluate_with_values, true},
    {"ragged.pack", evaluate_pack, true},
    {"ragged.with_padded", evaluate_with_padded, true},
    {"ragged.unpack", evaluate_unpack, true},
    {NULL, NULL, false},
};
