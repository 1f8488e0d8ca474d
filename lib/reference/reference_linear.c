// Products: linear, of one static dimension with a dense weight, and product_over_rows, of rows with rows.
#include <stdlib.h>

#include "ir/build.h"
#include "reference/reference_internal.h"

static bool is_transposed(const ragged_reference_step *step) {
  return ragged_operation_has(step->operation, "transposed");
}

// sum over k of x[..., k, ...] w[o, k] (+ bias[o]); `source` is a position of x along dimension dim.
static ragged_reference_number dot(const ragged_reference_step *step, int64_t sample, int64_t dim,
                                   int64_t *source, int64_t o) {
  const ragged_reference_value *x = step->operands[0], *weight = step->operands[1];
  const int64_t *extents = ragged_reference_extents(x, sample);
  bool real = ragged_reference_is_float(x);
  ragged_reference_number sum = {0};
  long double real_sum = 0;  // f64 results are held against it
  for (int64_t k = 0; k < extents[dim]; ++k) {
    source[dim] = k;
    ragged_reference_number a = ragged_reference_sample(
        x, sample)[ragged_reference_row_major(x->schema.rank, extents, source)];
    ragged_reference_number b = weight->numbers[
        is_transposed(step) ? k * weight->extents[1] + o : o * weight->extents[1] + k];
    if (real)
      real_sum += (long double)a.real * (long double)b.real;
    else
      sum.integer = ragged_reference_wrap_add(
          sum.integer, ragged_reference_wrap_multiply(a.integer, b.integer));
  }
  if (step->num_operands >= 3) {
    ragged_reference_number bias = step->operands[2]->numbers[o];
    if (real)
      real_sum += (long double)bias.real;
    else
      sum.integer = ragged_reference_wrap_add(sum.integer, bias.integer);
  }
  if (real) sum.real = (double)real_sum;
  return sum;
}

// The result: x with the weight's other extent in place of dimension dim.
static ragged_status allocate_result(ragged_reference_step *step, int64_t dim) {
  const ragged_reference_value *x = step->operands[0], *weight = step->operands[1];
  bool biased = step->num_operands > 2, transposed = is_transposed(step);
  ragged_schema schema;
  ragged_rule_error error;
  if (!ragged_rule_linear(&x->schema, dim, weight->extents, transposed,
                          biased ? step->operands[2]->extents[0] : -1, &schema, &error))
    return ragged_reference_rule(&error);
  int rank = schema.rank;
  int64_t *extents;
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_array(x->batch * rank, sizeof(int64_t), (void **)&extents));
  for (int64_t i = 0; i < x->batch; ++i)
    for (int d = 0; d < rank; ++d)
      extents[i * rank + d] = d == dim ? weight->extents[transposed] : ragged_reference_extents(x, i)[d];
  ragged_status status = ragged_reference_allocate(&schema, x->batch, extents, step->result);
  free(extents);
  return status;
}

static ragged_status evaluate_linear(ragged_reference_step *step) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 0, RAGGED_REFERENCE_RAGGED));
  for (int k = 1; k < step->num_operands; ++k) {
    RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, k, RAGGED_REFERENCE_DENSE));
    if (step->operands[k]->schema.rank != 3 - k ||
        step->operands[k]->schema.element_type != step->operands[0]->schema.element_type)
      return RAGGED_REFERENCE_INVALID("operand #%d has another rank or element type", k);
  }
  int64_t dim = ragged_operation_int(step->operation, "dim", -1);
  RAGGED_RETURN_IF_ERROR(allocate_result(step, dim));
  const ragged_reference_value *x = step->operands[0];
  ragged_reference_value *y = step->result;
  for (int64_t i = 0; i < x->batch; ++i) {
    int64_t position[RAGGED_MAX_RANK] = {0};
    for (int64_t k = 0; k < ragged_reference_sample_size(y, i); ++k) {
      int64_t source[RAGGED_MAX_RANK];
      for (int d = 0; d < x->schema.rank; ++d) source[d] = position[d];
      ragged_reference_sample(y, i)[k] = dot(step, i, dim, source, position[dim]);
      ragged_reference_advance(x->schema.rank, ragged_reference_extents(y, i), position);
    }
  }
  step->accumulation = step->operands[1]->extents[is_transposed(step) ? 0 : 1];
  return NULL;
}

// result[o, c] of sample i gets dy[o] x[c] at the position whose entries are in `at`, without the
// contracted dimension.
static void add_position(const ragged_reference_step *step, int64_t i, const int64_t dims[2],
                         const int64_t *at, long double *sums) {
  const ragged_reference_value *operands[] = {step->operands[0], step->operands[1]};
  ragged_reference_value *y = step->result;
  int64_t position[2][RAGGED_MAX_RANK];
  for (int k = 0; k < 2; ++k)
    for (int d = 0, next = 0; d < operands[k]->schema.rank; ++d)
      position[k][d] = d == dims[k] ? 0 : at[next++];
  for (int64_t o = 0; o < y->extents[0]; ++o) {
    for (int64_t c = 0; c < y->extents[1]; ++c) {
      ragged_reference_number factors[2];
      position[0][dims[0]] = c;
      position[1][dims[1]] = o;
      for (int k = 0; k < 2; ++k)
        factors[k] = ragged_reference_sample(operands[k], i)[ragged_reference_row_major(
            operands[k]->schema.rank, ragged_reference_extents(operands[k], i), position[k])];
      int64_t element = o * y->extents[1] + c;
      if (ragged_reference_is_float(y))
        sums[element] += (long double)factors[0].real * (long double)factors[1].real;
      else
        y->numbers[element].integer = ragged_reference_wrap_add(
            y->numbers[element].integer,
            ragged_reference_wrap_multiply(factors[0].integer, factors[1].integer));
    }
  }
}

static ragged_status evaluate_product_over_rows(ragged_reference_step *step) {
  for (int k = 0; k < 2; ++k)
    RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, k, RAGGED_REFERENCE_RAGGED));
  const ragged_reference_value *x = step->operands[0];
  int count;
  int64_t dims[RAGGED_MAX_RANK], shape[2];
  ragged_rule_error error;
  RAGGED_RETURN_IF_ERROR(ragged_reference_int_array(step, "dims", &count, dims));
  if (count != 2) return RAGGED_REFERENCE_INVALID("has %d dims, expected 2", count);
  if (!ragged_rule_product_over_rows(&x->schema, &step->operands[1]->schema, dims, shape, &error))
    return ragged_reference_rule(&error);
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_allocate_dense(x->schema.element_type, 2, shape, step->result));
  int64_t elements = ragged_reference_num_elements(step->result);
  long double *sums;  // f64 results are held against it
  RAGGED_RETURN_IF_ERROR(ragged_reference_array(elements, sizeof *sums, (void **)&sums));
  for (int64_t k = 0; k < elements; ++k) sums[k] = 0;
  for (int64_t i = 0; i < x->batch; ++i) {
    int64_t extents[RAGGED_MAX_RANK], at[RAGGED_MAX_RANK] = {0}, positions = 1;
    int rank = 0;
    for (int d = 0; d < x->schema.rank; ++d)
      if (d != dims[0]) positions *= extents[rank++] = ragged_reference_extents(x, i)[d];
    for (int64_t k = 0; k < positions; ++k) {
      add_position(step, i, dims, at, sums);
      ragged_reference_advance(rank, extents, at);
    }
    step->accumulation += positions;
  }
  if (ragged_reference_is_float(x))
    for (int64_t k = 0; k < elements; ++k) step->result->numbers[k].real = (double)sums[k];
  free(sums);
  return NULL;
}

const ragged_reference_op ragged_reference_linear_ops[] = {
    {"ragged.linear", evaluate_linear, false},
    {"ragged.product_over_rows", evaluate_product_over_rows, false},
    {NULL, NULL, false},
};
