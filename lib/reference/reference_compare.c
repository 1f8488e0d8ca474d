// The one place that says how far a computed result may be from the reference, and the comparison.
#include <float.h>
#include <math.h>

#include "reference/reference_internal.h"

// bf16 is accumulated in f32, every other type in itself. docs/decisions/0007 derives the root.
double ragged_reference_epsilon(ragged_element_type type,
                                const ragged_reference_accuracy *accuracy) {
  ragged_element_type accumulator = type == RAGGED_ELEMENT_BF16 ? RAGGED_ELEMENT_F32 : type;
  double chain = ragged_element_epsilon(accumulator) * sqrt((double)accuracy->accumulation / 16);
  return fmax(fmax(ragged_element_epsilon(type), chain), accuracy->epsilon);
}

double ragged_reference_allowed_relative(ragged_element_type type,
                                         const ragged_reference_accuracy *accuracy) {
  double relative =
      4 * (double)accuracy->operations * ragged_reference_epsilon(type, accuracy);
  return fmin(relative, 0.25);  // more would let anything pass, zeros first
}

// The largest finite number and the smallest positive one.
static double largest_of(ragged_element_type type) {
  return type == RAGGED_ELEMENT_F64 ? DBL_MAX : type == RAGGED_ELEMENT_F32 ? FLT_MAX : 0x1.FEp127;
}
double ragged_reference_smallest(ragged_element_type type) {
  return type == RAGGED_ELEMENT_F64 ? 0x1p-1074 : type == RAGGED_ELEMENT_F32 ? 0x1p-149 : 0x1p-133;
}

// Root mean square of the entries that the type can hold, scaled so that squares do not overflow.
static double rms(const ragged_reference_number *numbers, int64_t count, double largest) {
  double scale = 0, sum = 0;
  int64_t finite = 0;
  for (int64_t k = 0; k < count; ++k)
    if (fabs(numbers[k].real) <= largest) scale = fmax(scale, fabs(numbers[k].real));
  if (scale == 0) return 0;
  for (int64_t k = 0; k < count; ++k)
    if (fabs(numbers[k].real) <= largest) {
      sum += (numbers[k].real / scale) * (numbers[k].real / scale);
      ++finite;
    }
  return scale * sqrt(sum / (double)finite);
}

static ragged_status check_shapes(const ragged_reference_value *got,
                                  const ragged_reference_value *expected) {
  if (got->kind != expected->kind)
    return RAGGED_REFERENCE_INVALID("got %s, expected %s", ragged_reference_kind_name(got->kind),
                                    ragged_reference_kind_name(expected->kind));
  if (got->schema.element_type != expected->schema.element_type)
    return RAGGED_REFERENCE_INVALID("got elements of %s, expected %s",
                                    ragged_element_name(got->schema.element_type),
                                    ragged_element_name(expected->schema.element_type));
  if (got->batch != expected->batch || got->schema.rank != expected->schema.rank)
    return RAGGED_REFERENCE_INVALID("got a batch of %lld and rank %d, expected %lld and %d",
                                    (long long)got->batch, got->schema.rank,
                                    (long long)expected->batch, expected->schema.rank);
  for (int64_t i = 0; i < got->batch; ++i)
    for (int d = 0; d < got->schema.rank; ++d) {
      int64_t own = ragged_reference_extents(got, i)[d];
      int64_t other = ragged_reference_extents(expected, i)[d];
      if (own != other)
        return RAGGED_REFERENCE_INVALID("got extent %lld in dimension %d of sample %lld, expected "
                                        "%lld",
                                        (long long)own, d, (long long)i, (long long)other);
    }
  return NULL;
}

// The error of one element over the allowed one; infinity where they must be the same and are not.
static double relative_error(ragged_element_type type, bool exact, double allowed,
                             ragged_reference_number got, ragged_reference_number expected) {
  if (!ragged_element_is_float(type)) return got.integer == expected.integer ? 0 : INFINITY;
  double x = got.real, y = expected.real;
  if (isnan(x) || isnan(y)) return isnan(x) && isnan(y) ? 0 : INFINITY;
  if (exact) return x == y && signbit(x) == signbit(y) ? 0 : INFINITY;
  if (x == y) return 0;
  if (isinf(y)) return INFINITY;
  if (isinf(x)) {
    // An expected number that overflows the type, give or take the allowed error.
    bool overflows = fabs(y) + allowed > largest_of(type) && signbit(x) == signbit(y);
    return overflows ? 0 : INFINITY;
  }
  double error = fabs(x - y);
  return allowed > 0 ? error / allowed : INFINITY;
}

// What entries of a sample are like: their rms; where they are few, at least that of the whole value,
// since one entry may be small by chance.
static double typical_of(const ragged_reference_value *value, int64_t sample) {
  enum { kMany = 32 };
  double largest = largest_of(value->schema.element_type);
  int64_t size = ragged_reference_sample_size(value, sample);
  double own = rms(ragged_reference_sample(value, sample), size, largest);
  if (size >= kMany || size == 0) return own;
  return fmax(own, rms(value->numbers, ragged_reference_num_elements(value), largest));
}

ragged_status ragged_reference_compare(const ragged_reference_value *got,
                                       const ragged_reference_value *expected,
                                       ragged_reference_comparison *out) {
  *out = (ragged_reference_comparison){0};
  RAGGED_RETURN_IF_ERROR(check_shapes(got, expected));
  ragged_element_type type = expected->schema.element_type;
  bool real = ragged_element_is_float(type), exact = expected->accuracy.operations == 0;
  int rank = out->rank = expected->schema.rank;
  double relative = real ? ragged_reference_allowed_relative(type, &expected->accuracy) : 0;
  double smallest = fmax(ragged_reference_smallest(type), expected->accuracy.smallest);
  double absolute = real ? 4 * (double)expected->accuracy.operations * smallest : 0;
  bool any = false;
  for (int64_t i = 0; i < expected->batch; ++i) {
    const ragged_reference_number *x = ragged_reference_sample(got, i);
    const ragged_reference_number *y = ragged_reference_sample(expected, i);
    int64_t size = ragged_reference_sample_size(expected, i);
    double typical = real && !exact ? typical_of(expected, i) : 0;
    int64_t position[RAGGED_MAX_RANK] = {0};
    for (int64_t k = 0; k < size; ++k) {
      double allowed = 0;
      if (real && !exact)
        allowed = relative * ((isfinite(y[k].real) ? fabs(y[k].real) : 0) + typical) + absolute;
      double error = relative_error(type, exact, allowed, x[k], y[k]);
      if (!any || error > out->worst) {
        any = true;
        out->worst = error;
        out->sample = i;
        for (int d = 0; d < rank; ++d) out->position[d] = position[d];
        out->got = x[k];
        out->expected = y[k];
        out->allowed = allowed;
      }
      ragged_reference_advance(rank, ragged_reference_extents(expected, i), position);
    }
  }
  return NULL;
}
