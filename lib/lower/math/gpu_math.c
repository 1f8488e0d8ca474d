// See gpu_math.h. math.exp2 of f32 is one instruction on NVIDIA's GPUs, ex2.approx.f32.
#include "lower/math/gpu_math.h"

#include <string.h>

#include "lower/math/vector_emit.h"
#include "lower/math/vector_math.h"

static MlirValue emit_ex2(const ragged_builder *builder, MlirType type, MlirValue x) {
  return ragged_build_value(builder, "math.exp2", type, RAGGED_VALUES(x));
}

// e^x = 2^h 2^t (1 + d ln 2), where t + h is x log2 e, rounded, and d what the rounding left, 2^-18 at most. h is 1
// for x > 64 and else 0: without it t might be rounded up to 128, where 2^t is infinite. `any_sign`: x may exceed
// 64 at all.
static MlirValue emit_exp(const ragged_builder *builder, MlirType type, MlirValue x, bool any_sign) {
  MlirValue log2_e = ragged_build_float(builder, type, 0x1.715476p+0);
  MlirValue log2_e_low = ragged_build_float(builder, type, 0x1.4ae0cp-26);
  MlirValue one = ragged_build_float(builder, type, 1.0), zero = ragged_build_float(builder, type, 0.0);
  x = ragged_emit_at_least(builder, type, x, -104.0);  // below it e^x rounds to 0
  MlirValue t, rounded, h = zero;
  if (any_sign) {
    x = ragged_emit_at_most(builder, type, x, 89.0);  // above it e^x overflows
    MlirValue high = ragged_emit_compare(builder, "arith.cmpf", RAGGED_CMPF_GREATER, type, x,
                                         ragged_build_float(builder, type, 64.0));
    h = ragged_emit_select(builder, type, high, one, zero);
    t = ragged_emit_fma(builder, type, x, log2_e, ragged_emit_negate(builder, type, h));
    rounded = ragged_emit_add(builder, type, t, h);  // exact
  } else {
    t = rounded = ragged_emit_mul(builder, type, x, log2_e);
  }
  MlirValue d = ragged_emit_fma(builder, type, x, log2_e, ragged_emit_negate(builder, type, rounded));
  d = ragged_emit_fma(builder, type, x, log2_e_low, d);
  d = ragged_emit_mul(builder, type, d, ragged_build_float(builder, type, 0x1.62e430p-1));
  MlirValue power = emit_ex2(builder, type, t);
  power = ragged_emit_fma(builder, type, power, d, power);
  return any_sign ? ragged_emit_mul(builder, type, power, ragged_emit_add(builder, type, h, one)) : power;
}

// Of normal numbers, within 1 ulp; one element after the other where there are several.
static MlirValue emit_approximate_reciprocal(const ragged_builder *builder, MlirType type, MlirValue x) {
  if (!mlirTypeIsAVector(type))
    return ragged_build_value(builder, "nvvm.rcp.approx.ftz.f", type, RAGGED_VALUES(x));
  MlirType element = ragged_emit_element_type(type);
  MlirValue out = x;
  for (int64_t lane = 0; lane < mlirShapedTypeGetDimSize(type, 0); ++lane) {
    MlirNamedAttribute place = ragged_named(builder->context, "static_position",
                                            ragged_attribute_i64_array(builder->context, 1, &lane));
    MlirValue own = ragged_build_value_with(builder, "vector.extract", element, RAGGED_VALUES(x), 1, &place);
    own = ragged_build_value(builder, "nvvm.rcp.approx.ftz.f", element, RAGGED_VALUES(own));
    out = ragged_build_value_with(builder, "vector.insert", type, RAGGED_VALUES(own, out), 1, &place);
  }
  return out;
}

// A step of Newton's method makes 1 / 1 exactly 1, and a sigmoid no more than 1.
static MlirValue emit_reciprocal(const ragged_builder *builder, MlirType type, MlirValue x) {
  MlirValue near = emit_approximate_reciprocal(builder, type, x);
  MlirValue missing = ragged_emit_fma(builder, type, ragged_emit_negate(builder, type, x), near,
                                      ragged_build_float(builder, type, 1.0));
  return ragged_emit_fma(builder, type, near, missing, near);
}

static MlirValue emit_exp_any(const ragged_builder *builder, MlirType type, MlirValue x) {
  return emit_exp(builder, type, x, true);
}

// As the sigmoid of vector_math.c: 1 / (1 + z) or z / (1 + z) with z = e^-|x|.
static MlirValue emit_sigmoid(const ragged_builder *builder, MlirType type, MlirValue x) {
  MlirValue z = emit_exp(builder, type, ragged_emit_negate(builder, type, ragged_emit_abs(builder, type, x)),
                         false);
  MlirValue one = ragged_build_float(builder, type, 1.0);
  MlirValue negative = ragged_emit_compare(builder, "arith.cmpf", RAGGED_CMPF_LESS, type, x,
                                           ragged_build_float(builder, type, 0.0));
  MlirValue numerator = ragged_emit_select(builder, type, negative, z, one);
  return ragged_emit_mul(builder, type, numerator,
                         emit_reciprocal(builder, type, ragged_emit_add(builder, type, z, one)));
}

static MlirValue emit_normal_cdf(const ragged_builder *builder, MlirType type, MlirValue x) {
  return ragged_emit_normal_cdf(builder, type, x, emit_ex2);
}

static MlirValue emit_gelu(const ragged_builder *builder, MlirType type, MlirValue x) {
  return ragged_emit_gelu(builder, type, x, emit_ex2);
}

static MlirValue emit_erf(const ragged_builder *builder, MlirType type, MlirValue x) {
  return ragged_emit_erf(builder, type, x, emit_ex2);
}

MlirValue ragged_emit_gpu_elementwise(const ragged_builder *builder, const char *name,
                                      const MlirValue *x) {
  static const struct {
    const char *name;
    MlirValue (*emit)(const ragged_builder *, MlirType, MlirValue);
  } rows[] = {{"exp", emit_exp_any},
              {"sigmoid", emit_sigmoid},
              {"normal_cdf", emit_normal_cdf},
              {"gelu", emit_gelu},
              {"erf", emit_erf}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
    if (!strcmp(rows[k].name, name) && ragged_emit_is_f32(mlirValueGetType(x[0])))
      return rows[k].emit(builder, mlirValueGetType(x[0]), x[0]);
  return ragged_emit_elementwise(builder, name, x);
}
