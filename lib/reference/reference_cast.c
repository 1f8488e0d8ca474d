// cast: values in another element type, rounded once. What the operand's type cannot hold is rounded to
// that first, as a cast makes it seen. In a smooth run floats stay what they are. Called through the
// table at the end.
#include <math.h>

#include "dialect/type_schema.h"
#include "ir/build.h"
#include "reference/reference_internal.h"

// Toward zero; saturates, and NaN gives 0.
static int64_t truncate(double x) {
  if (isnan(x)) return 0;
  if (x >= 0x1p63) return INT64_MAX;
  return x < -0x1p63 ? INT64_MIN : (int64_t)x;
}

// The nearest integer of 8 significant bits, ties to even: that is a bf16.
static double nearest_bf16(int64_t integer) {
  uint64_t magnitude = integer < 0 ? 0 - (uint64_t)integer : (uint64_t)integer, unit = 1;
  while (magnitude / unit >= 256) unit *= 2;
  uint64_t whole = magnitude / unit, rest = magnitude % unit;
  if (2 * rest > unit || (2 * rest == unit && whole % 2)) ++whole;
  double rounded = (double)whole * (double)unit;
  return integer < 0 ? -rounded : rounded;
}

static ragged_reference_number from_integer(int64_t x, ragged_element_type to) {
  ragged_reference_number y = {0};
  switch (to) {
    case RAGGED_ELEMENT_I64: y.integer = x; break;
    case RAGGED_ELEMENT_I1: y.integer = x != 0; break;
    case RAGGED_ELEMENT_BF16: y.real = nearest_bf16(x); break;
    case RAGGED_ELEMENT_F32: y.real = (double)(float)x; break;
    default: y.real = (double)x; break;
  }
  return y;
}

static ragged_reference_number from_real(double x, ragged_element_type to) {
  ragged_reference_number y = {0};
  switch (to) {
    case RAGGED_ELEMENT_I64: y.integer = truncate(x); break;
    case RAGGED_ELEMENT_I1: y.integer = x != 0; break;
    default: y.real = ragged_reference_round(to, x); break;
  }
  return y;
}

static ragged_reference_number convert(const ragged_reference_step *step, ragged_element_type from,
                                       ragged_element_type to, ragged_reference_number x) {
  if (!ragged_element_is_float(from)) return from_integer(x.integer, to);
  if (step->mode == RAGGED_REFERENCE_SMOOTH && ragged_element_is_float(to)) return x;
  return from_real(ragged_reference_round(from, x.real), to);
}

static ragged_status evaluate(ragged_reference_step *step) {
  const ragged_reference_value *x = step->operands[0];
  MlirType type = mlirValueGetType(mlirOperationGetResult(step->operation, 0));
  ragged_element_type from = x->schema.element_type, to;
  if (!ragged_type_get_element(type, &to))
    return RAGGED_REFERENCE_INVALID("has a result of no known element type");
  ragged_schema schema = x->schema;
  // Scalars of i1 travel as i64.
  bool travels = x->kind == RAGGED_REFERENCE_SCALAR && to == RAGGED_ELEMENT_I1;
  schema.element_type = travels ? RAGGED_ELEMENT_I64 : to;
  RAGGED_RETURN_IF_ERROR(ragged_reference_allocate(&schema, x->batch, x->extents, step->result));
  step->result->kind = x->kind;
  for (int64_t k = 0; k < ragged_reference_num_elements(x); ++k)
    step->result->numbers[k] = convert(step, from, to, x->numbers[k]);
  return NULL;
}

// Moves: where the operand is known, so is the result, to the last bit.
const ragged_reference_op ragged_reference_cast_ops[] = {
    {"ragged.cast", evaluate, true},
    {NULL, NULL, false},
};
