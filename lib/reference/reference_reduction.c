// sum, max, mean, argmax, scatter_max: over dimensions of each sample (a builtin tensor is one) or, with
// `batch`, over all samples as well. Entries are taken in logical order, sample after sample; sums and
// their like go into one accumulator per result element: a long double, so that f64 results can be held
// against it.
#include <math.h>
#include <stdlib.h>

#include "ir/build.h"
#include "reference/reference_internal.h"

typedef struct reduction {
  ragged_reference_number empty;  // what the accumulators begin with
  void (*real)(long double *accumulator, double entry);
  void (*integer)(int64_t *accumulator, int64_t entry);
  bool mean;         // divided by the number of entries
  double empty_mean;
} reduction;

static void real_sum(long double *accumulator, double entry) { *accumulator += (long double)entry; }
static void integer_sum(int64_t *accumulator, int64_t entry) {
  *accumulator = ragged_reference_wrap_add(*accumulator, entry);
}
static void real_max(long double *accumulator, double entry) {
  *accumulator = (long double)ragged_reference_maximum((double)*accumulator, entry);
}
static void integer_max(int64_t *accumulator, int64_t entry) {
  if (entry > *accumulator) *accumulator = entry;
}

typedef struct dimensions {
  int count;
  int64_t list[RAGGED_MAX_RANK];
  bool reduced[RAGGED_MAX_RANK];
  bool keep, batch;
} dimensions;

static ragged_status read_dimensions(const ragged_reference_step *step, dimensions *out) {
  *out = (dimensions){0};
  out->keep = ragged_operation_has(step->operation, "keep_dims");
  out->batch = ragged_operation_has(step->operation, "batch");
  RAGGED_RETURN_IF_ERROR(ragged_reference_int_array(step, "dims", &out->count, out->list));
  for (int k = 0; k < out->count; ++k)
    if (out->list[k] >= 0 && out->list[k] < RAGGED_MAX_RANK) out->reduced[out->list[k]] = true;
  return NULL;
}

// Of a position (or a list of extents) what is left after the reduction.
static void leave(const dimensions *dims, int rank, const int64_t *from, int64_t kept, int64_t *to) {
  int count = 0;
  for (int d = 0; d < rank; ++d) {
    if (!dims->reduced[d])
      to[count++] = from[d];
    else if (dims->keep)
      to[count++] = kept;
  }
}

static ragged_status allocate_result(ragged_reference_step *step, const dimensions *dims,
                                     ragged_element_type element) {
  const ragged_reference_value *x = step->operands[0];
  ragged_rule_error error;
  if (dims->batch && x->kind == RAGGED_REFERENCE_DENSE)
    return RAGGED_REFERENCE_INVALID("has a builtin tensor, which has no batch to reduce over");
  if (dims->batch || x->kind == RAGGED_REFERENCE_DENSE) {
    int64_t shape[RAGGED_MAX_RANK];
    int rank;
    if (!ragged_rule_reduce_batch(&x->schema, dims->count, dims->list, dims->keep, shape, &rank,
                                  &error))
      return ragged_reference_rule(&error);
    return ragged_reference_allocate_dense(element, rank, shape, step->result);
  }
  ragged_schema schema;
  if (!ragged_rule_reduce(&x->schema, dims->count, dims->list, dims->keep, &schema, &error))
    return ragged_reference_rule(&error);
  schema.element_type = element;
  int64_t *extents;
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_array(x->batch * schema.rank, sizeof(int64_t), (void **)&extents));
  for (int64_t i = 0; i < x->batch; ++i)
    leave(dims, x->schema.rank, ragged_reference_extents(x, i), 1, extents + i * schema.rank);
  ragged_status status = ragged_reference_allocate(&schema, x->batch, extents, step->result);
  free(extents);
  return status;
}

// Entries that go into one result element: of sample i, or of all samples.
static double count_entries(const ragged_reference_value *x, const dimensions *dims, int64_t i) {
  double count = 0;
  for (int64_t s = dims->batch ? 0 : i; s < (dims->batch ? x->batch : i + 1); ++s) {
    double own = 1;
    for (int d = 0; d < x->schema.rank; ++d)
      if (dims->reduced[d]) own *= (double)ragged_reference_extents(x, s)[d];
    count += own;
  }
  return count;
}

// `accumulators` has one per element of y; integers are accumulated in y itself.
static void accumulate(const reduction *kind, const ragged_reference_value *x,
                       const dimensions *dims, ragged_reference_value *y,
                       long double *accumulators) {
  int rank = x->schema.rank;
  bool real = ragged_reference_is_float(x);
  for (int64_t i = 0; i < x->batch; ++i) {
    int64_t target = dims->batch ? 0 : i;
    int64_t position[RAGGED_MAX_RANK] = {0}, left[RAGGED_MAX_RANK] = {0};
    for (int64_t k = 0; k < ragged_reference_sample_size(x, i); ++k) {
      leave(dims, rank, position, 0, left);
      ragged_reference_number *accumulator =
          &ragged_reference_sample(y, target)[ragged_reference_row_major(
              y->schema.rank, ragged_reference_extents(y, target), left)];
      ragged_reference_number entry = ragged_reference_sample(x, i)[k];
      if (real)
        kind->real(&accumulators[accumulator - y->numbers], entry.real);
      else
        kind->integer(&accumulator->integer, entry.integer);
      ragged_reference_advance(rank, ragged_reference_extents(x, i), position);
    }
  }
}

static ragged_status reduce(ragged_reference_step *step, const reduction *kind) {
  const ragged_reference_value *x = step->operands[0];
  if (x->kind == RAGGED_REFERENCE_SCALAR)
    return RAGGED_REFERENCE_INVALID("operand #0 is a scalar, expected a tensor");
  dimensions dims;
  RAGGED_RETURN_IF_ERROR(read_dimensions(step, &dims));
  ragged_element_type element = x->schema.element_type;
  if (element == RAGGED_ELEMENT_I1) element = RAGGED_ELEMENT_I64;  // truth values are counted
  RAGGED_RETURN_IF_ERROR(allocate_result(step, &dims, element));
  ragged_reference_value *y = step->result;
  bool real = ragged_reference_is_float(x);
  int64_t elements = ragged_reference_num_elements(y);
  long double *accumulators;
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_array(elements, sizeof *accumulators, (void **)&accumulators));
  for (int64_t k = 0; k < elements; ++k) {
    y->numbers[k] = kind->empty;
    accumulators[k] = real ? (long double)kind->empty.real : 0;
  }
  accumulate(kind, x, &dims, y, accumulators);
  for (int64_t i = 0; i < y->batch; ++i) {
    double count = count_entries(x, &dims, i);
    if (count > (double)step->accumulation) step->accumulation = (int64_t)count;
    for (int64_t k = y->starts[i]; real && k < y->starts[i + 1]; ++k) {
      if (!kind->mean) y->numbers[k].real = (double)accumulators[k];
      else
        y->numbers[k].real =
            count == 0 ? kind->empty_mean : (double)(accumulators[k] / (long double)count);
    }
  }
  free(accumulators);
  return NULL;
}

static ragged_status evaluate_sum(ragged_reference_step *step) {
  static const reduction kind = {.real = real_sum, .integer = integer_sum};
  return reduce(step, &kind);
}

static ragged_status evaluate_max(ragged_reference_step *step) {
  reduction kind = {.real = real_max, .integer = integer_max};
  if (ragged_reference_is_float(step->operands[0]))
    kind.empty.real = -INFINITY;
  else
    kind.empty.integer = INT64_MIN;
  return reduce(step, &kind);
}

static ragged_status evaluate_mean(ragged_reference_step *step) {
  if (!ragged_reference_is_float(step->operands[0]))
    return RAGGED_REFERENCE_INVALID("is not defined on integers");
  bool zero = ragged_operation_int(step->operation, "empty", 0) == 1;
  reduction kind = {.real = real_sum, .mean = true, .empty_mean = zero ? 0.0 : NAN};
  return reduce(step, &kind);
}

// ---- Positions -------------------------------------------------------------------------------

// Where the entry at `position` of sample i belongs in a value of groups.
static int64_t group_of(const dimensions *dims, int rank, const ragged_reference_value *groups,
                        int64_t i, const int64_t *position) {
  int64_t target = dims->batch ? 0 : i, left[RAGGED_MAX_RANK] = {0};
  leave(dims, rank, position, 0, left);
  return groups->starts[target] +
         ragged_reference_row_major(groups->schema.rank, ragged_reference_extents(groups, target),
                                    left);
}

static bool is_larger(bool real, ragged_reference_number a, ragged_reference_number b) {
  if (!real) return a.integer > b.integer;
  return !isnan(b.real) && (isnan(a.real) || a.real > b.real);
}

// An entry's position is the number of entries that its group had before: samples are visited in order,
// each in row-major order.
static ragged_status evaluate_argmax(ragged_reference_step *step) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 0, RAGGED_REFERENCE_RAGGED));
  const ragged_reference_value *x = step->operands[0];
  dimensions dims;
  RAGGED_RETURN_IF_ERROR(read_dimensions(step, &dims));
  RAGGED_RETURN_IF_ERROR(allocate_result(step, &dims, RAGGED_ELEMENT_I64));
  ragged_reference_value *y = step->result;
  int64_t elements = ragged_reference_num_elements(y);
  struct found {
    int64_t entries;
    ragged_reference_number largest;
  } *groups;
  RAGGED_RETURN_IF_ERROR(ragged_reference_array(elements, sizeof *groups, (void **)&groups));
  for (int64_t k = 0; k < elements; ++k) {
    groups[k].entries = 0;
    y->numbers[k].integer = -1;
  }
  bool real = ragged_reference_is_float(x);
  for (int64_t i = 0; i < x->batch; ++i) {
    int64_t position[RAGGED_MAX_RANK] = {0};
    for (int64_t k = 0; k < ragged_reference_sample_size(x, i); ++k) {
      int64_t group = group_of(&dims, x->schema.rank, y, i, position);
      ragged_reference_number entry = ragged_reference_sample(x, i)[k];
      if (y->numbers[group].integer < 0 || is_larger(real, entry, groups[group].largest)) {
        y->numbers[group].integer = groups[group].entries;
        groups[group].largest = entry;
      }
      ++groups[group].entries;
      ragged_reference_advance(x->schema.rank, ragged_reference_extents(x, i), position);
    }
  }
  free(groups);
  return NULL;
}

// dy or positions have what is left of `like`: one entry for each group.
static ragged_status check_groups(const ragged_reference_step *step, const dimensions *dims, int k) {
  const ragged_reference_value *like = step->operands[2], *groups = step->operands[k];
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(
      step, k, dims->batch ? RAGGED_REFERENCE_DENSE : RAGGED_REFERENCE_RAGGED));
  int64_t expected[RAGGED_MAX_RANK];
  int rank = 0;
  for (int d = 0; d < like->schema.rank; ++d) rank += !dims->reduced[d] || dims->keep;
  bool good = groups->schema.rank == rank && groups->batch == (dims->batch ? 1 : like->batch);
  for (int64_t i = 0; good && i < like->batch; ++i) {
    leave(dims, like->schema.rank, ragged_reference_extents(like, i), 1, expected);
    for (int d = 0; d < rank; ++d)
      good &= ragged_reference_extents(groups, dims->batch ? 0 : i)[d] == expected[d];
  }
  if (good) return NULL;
  return RAGGED_REFERENCE_INVALID("operand #%d has not one entry for each group of operand #2", k);
}

static ragged_status evaluate_scatter_max(ragged_reference_step *step) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 2, RAGGED_REFERENCE_RAGGED));
  const ragged_reference_value *dy = step->operands[0], *positions = step->operands[1],
                               *like = step->operands[2];
  dimensions dims;
  RAGGED_RETURN_IF_ERROR(read_dimensions(step, &dims));
  for (int k = 0; k < 2; ++k) RAGGED_RETURN_IF_ERROR(check_groups(step, &dims, k));
  if (positions->schema.element_type != RAGGED_ELEMENT_I64)
    return RAGGED_REFERENCE_INVALID("operand #1 has another element type than i64");
  ragged_schema schema = like->schema;
  schema.element_type = dy->schema.element_type;
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_allocate(&schema, like->batch, like->extents, step->result));
  ragged_reference_value *y = step->result;
  int64_t *entries, groups = ragged_reference_num_elements(positions);
  RAGGED_RETURN_IF_ERROR(ragged_reference_array(groups, sizeof *entries, (void **)&entries));
  for (int64_t k = 0; k < groups; ++k) entries[k] = 0;
  for (int64_t i = 0; i < y->batch; ++i) {
    int64_t position[RAGGED_MAX_RANK] = {0};
    for (int64_t k = 0; k < ragged_reference_sample_size(y, i); ++k) {
      int64_t group = group_of(&dims, schema.rank, positions, i, position);
      if (entries[group]++ == positions->numbers[group].integer)
        ragged_reference_sample(y, i)[k] = dy->numbers[group];
      ragged_reference_advance(schema.rank, ragged_reference_extents(y, i), position);
    }
  }
  free(entries);
  return NULL;
}

const ragged_reference_op ragged_reference_reduction_ops[] = {
    {"ragged.sum", evaluate_sum, false},
    {"ragged.max", evaluate_max, false},
    {"ragged.mean", evaluate_mean, false},
    {"ragged.argmax", evaluate_argmax, false},
    {"ragged.scatter_max", evaluate_scatter_max, true},
    {NULL, NULL, false},
};
