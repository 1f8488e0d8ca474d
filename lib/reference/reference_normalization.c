// layer_norm and softmax: each group along the listed static dimensions on its own.
#include <math.h>
#include <stdlib.h>

#include "ir/build.h"
#include "reference/reference_internal.h"

// The groups of a sample: a group begins at a position that is 0 in the listed dimensions, and its
// entries are found by running through those.
typedef struct groups {
  int count;                        // listed dimensions
  int64_t dims[RAGGED_MAX_RANK];
  int64_t extents[RAGGED_MAX_RANK];  // of the listed dimensions, in their order
  int64_t size;                      // entries of a group
} groups;

static ragged_status find_groups(const ragged_reference_step *step, const char *what, groups *out) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, 0, RAGGED_REFERENCE_RAGGED));
  const ragged_schema *schema = &step->operands[0]->schema;
  if (!ragged_element_is_float(schema->element_type))
    return RAGGED_REFERENCE_INVALID("is not defined on integers");
  ragged_rule_error error;
  if (!ragged_rule_static_dims(schema, out->count, out->dims, what, &error))
    return ragged_reference_rule(&error);
  out->size = 1;
  for (int k = 0; k < out->count; ++k) {
    out->extents[k] = schema->dimensions[out->dims[k]].extent;
    out->size *= out->extents[k];
  }
  return NULL;
}

static bool begins_group(const groups *group, const int64_t *position) {
  for (int k = 0; k < group->count; ++k)
    if (position[group->dims[k]] != 0) return false;
  return true;
}

// The index in its sample of the entry at `inside` of the group that begins at `position`.
static int64_t entry_index(const ragged_reference_value *x, int64_t sample, const groups *group,
                           const int64_t *position, const int64_t *inside) {
  int64_t entry[RAGGED_MAX_RANK] = {0};
  for (int d = 0; d < x->schema.rank; ++d) entry[d] = position[d];
  for (int k = 0; k < group->count; ++k) entry[group->dims[k]] = inside[k];
  return ragged_reference_row_major(x->schema.rank, ragged_reference_extents(x, sample), entry);
}

// Normalises one group; `x` and `y` are the numbers of the sample, `index` of `size` entries says
// which of them belong to the group, in row-major order of the listed dimensions.
typedef struct group_numbers {
  const ragged_reference_number *x;
  ragged_reference_number *y;
  const int64_t *index;
  int64_t size;
} group_numbers;
typedef void (*group_function)(const ragged_reference_step *step, const group_numbers *group);

static ragged_status for_groups(ragged_reference_step *step, const groups *group,
                                group_function function) {
  const ragged_reference_value *x = step->operands[0];
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_allocate(&x->schema, x->batch, x->extents, step->result));
  int64_t *index;
  RAGGED_RETURN_IF_ERROR(ragged_reference_array(group->size, sizeof(int64_t), (void **)&index));
  for (int64_t i = 0; i < x->batch; ++i) {
    int64_t position[RAGGED_MAX_RANK] = {0};
    for (int64_t k = 0; k < ragged_reference_sample_size(x, i); ++k) {
      if (begins_group(group, position)) {
        int64_t inside[RAGGED_MAX_RANK] = {0};
        for (int64_t n = 0; n < group->size; ++n) {
          index[n] = entry_index(x, i, group, position, inside);
          ragged_reference_advance(group->count, group->extents, inside);
        }
        group_numbers numbers = {ragged_reference_sample(x, i),
                                 ragged_reference_sample(step->result, i), index, group->size};
        function(step, &numbers);
      }
      ragged_reference_advance(x->schema.rank, ragged_reference_extents(x, i), position);
    }
  }
  free(index);
  step->accumulation = group->size;
  return NULL;
}

// (x - mean) / sqrt(var + eps) * scale + bias, with the biased variance.
static void normalize(const ragged_reference_step *step, const group_numbers *group) {
  double eps = ragged_reference_float(step, "eps", 0.0);
  // Longer than double: f64 results are held against it.
  long double mean = 0, variance = 0;
  for (int64_t n = 0; n < group->size; ++n) mean += (long double)group->x[group->index[n]].real;
  mean /= (long double)group->size;
  for (int64_t n = 0; n < group->size; ++n) {
    long double difference = (long double)group->x[group->index[n]].real - mean;
    variance += difference * difference;
  }
  variance /= (long double)group->size;
  for (int64_t n = 0; n < group->size; ++n) {
    double y = (double)(((long double)group->x[group->index[n]].real - mean) /
                        sqrtl(variance + (long double)eps));
    if (step->num_operands > 1) y *= step->operands[1]->numbers[n].real;
    if (step->num_operands > 2) y += step->operands[2]->numbers[n].real;
    group->y[group->index[n]].real = y;
  }
}

static ragged_status evaluate_layer_norm(ragged_reference_step *step) {
  groups group = {0};
  RAGGED_RETURN_IF_ERROR(ragged_reference_int_array(step, "dims", &group.count, group.dims));
  RAGGED_RETURN_IF_ERROR(find_groups(step, "layer_norm", &group));
  for (int k = 1; k < step->num_operands; ++k) {
    RAGGED_RETURN_IF_ERROR(ragged_reference_expect(step, k, RAGGED_REFERENCE_DENSE));
    const ragged_reference_value *parameter = step->operands[k];
    bool fits = parameter->schema.rank == group.count &&
                parameter->schema.element_type == step->operands[0]->schema.element_type;
    for (int d = 0; d < group.count && fits; ++d) fits = parameter->extents[d] == group.extents[d];
    if (!fits) return RAGGED_REFERENCE_INVALID("operand #%d does not fit 'dims'", k);
  }
  return for_groups(step, &group, normalize);
}

// e^(x - max) / sum of e^(x - max); 0 where all are -inf.
static void soften(const ragged_reference_step *step, const group_numbers *group) {
  (void)step;
  double largest = -INFINITY;
  long double sum = 0;
  for (int64_t n = 0; n < group->size; ++n)
    largest = ragged_reference_maximum(largest, group->x[group->index[n]].real);
  if (largest == -INFINITY) return;  // the result is zeroed
  for (int64_t n = 0; n < group->size; ++n)
    sum += (long double)exp(group->x[group->index[n]].real - largest);
  for (int64_t n = 0; n < group->size; ++n)
    group->y[group->index[n]].real =
        (double)((long double)exp(group->x[group->index[n]].real - largest) / sum);
}

static ragged_status evaluate_softmax(ragged_reference_step *step) {
  groups group = {.count = 1};
  group.dims[0] = ragged_operation_int(step->operation, "dim", -1);
  RAGGED_RETURN_IF_ERROR(find_groups(step, "softmax", &group));
  return for_groups(step, &group, soften);
}

const ragged_reference_op ragged_reference_normalization_ops[] = {
    {"ragged.layer_norm", evaluate_layer_norm, false},
    {"ragged.softmax", evaluate_softmax, false},
    {NULL, NULL, false},
};
