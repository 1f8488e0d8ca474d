// Small ops for kernel emission: numbers that fold, vectors, memory. Knows nothing of tiles.
#include <string.h>

#include "dialect/type_schema.h"
#include "lower/kernel/kernel_emit.h"
#include "lower/math/vector_convert.h"
#include "lower/math/vector_emit.h"
#include "lower/math/vector_math.h"

// ---- Numbers ---------------------------------------------------------------------------------

number number_of(int64_t known) { return (number){.constant = true, .known = known}; }

number number_value(MlirValue value) { return (number){.value = value}; }

MlirValue number_emit(emission *e, number n) {
  return n.constant ? ragged_build_integer(&e->b, e->i64, n.known) : n.value;
}

static number binary(emission *e, const char *op, number a, number b) {
  return number_value(emit_binary(e, op, number_emit(e, a), number_emit(e, b)));
}

bool number_equal(number a, number b) {
  return a.constant == b.constant && (a.constant ? a.known == b.known : a.value.ptr == b.value.ptr);
}

number number_add(emission *e, number a, number b) {
  if (a.constant && b.constant) return number_of(a.known + b.known);
  if (a.constant && a.known == 0) return b;
  if (b.constant && b.known == 0) return a;
  return binary(e, "arith.addi", a, b);
}

number number_sub(emission *e, number a, number b) {
  if (a.constant && b.constant) return number_of(a.known - b.known);
  if (b.constant && b.known == 0) return a;
  return binary(e, "arith.subi", a, b);
}

number number_mul(emission *e, number a, number b) {
  if (a.constant && b.constant) return number_of(a.known * b.known);
  if ((a.constant && a.known == 0) || (b.constant && b.known == 1)) return a;
  if ((b.constant && b.known == 0) || (a.constant && a.known == 1)) return b;
  return binary(e, "arith.muli", a, b);
}

number number_div(emission *e, number a, number b) {
  if (b.constant && b.known == 1) return a;
  return binary(e, "arith.divui", a, b);
}

number number_rem(emission *e, number a, number b) { return binary(e, "arith.remui", a, b); }

number number_min(emission *e, number a, number b) { return binary(e, "arith.minsi", a, b); }

number number_max(emission *e, number a, number b) { return binary(e, "arith.maxsi", a, b); }

MlirValue emit_compare(emission *e, int64_t predicate, number a, number b) {
  MlirNamedAttribute attribute =
      ragged_named(e->context, "predicate", ragged_attribute_i64(e->context, predicate));
  return ragged_build_value_with(&e->b, "arith.cmpi", mlirIntegerTypeGet(e->context, 1),
                                 RAGGED_VALUES(number_emit(e, a), number_emit(e, b)), 1, &attribute);
}

// ---- Values ----------------------------------------------------------------------------------

MlirType element_mlir(emission *e, ragged_element_type type) {
  return ragged_element_to_mlir(e->context, type);
}

MlirType lanes_type(emission *e, ragged_element_type type, int lanes) {
  MlirType element = element_mlir(e, type);
  int64_t count = lanes;
  return lanes == 1 ? element : mlirVectorTypeGet(1, &count, element);
}

MlirValue emit_binary(emission *e, const char *op, MlirValue a, MlirValue b) {
  return ragged_build_value(&e->b, op, mlirValueGetType(a), RAGGED_VALUES(a, b));
}

MlirValue emit_splat(emission *e, MlirValue scalar, int lanes) {
  int64_t count = lanes;
  if (lanes == 1) return scalar;
  return ragged_build_value(&e->b, "vector.broadcast",
                            mlirVectorTypeGet(1, &count, mlirValueGetType(scalar)),
                            RAGGED_VALUES(scalar));
}

lanes_value emit_constant(emission *e, ragged_element_type type, double value) {
  MlirType element = element_mlir(e, type);
  return (lanes_value){ragged_element_is_float(type)
                           ? ragged_build_float(&e->b, element, value)
                           : ragged_build_integer(&e->b, element, (int64_t)value),
                       true};
}

MlirValue emit_full(emission *e, lanes_value v) {
  return v.uniform ? emit_splat(e, v.value, e->lanes) : v.value;
}

MlirValue emit_extract(emission *e, MlirValue vector, int lane) {
  int64_t position = lane;
  MlirNamedAttribute attribute =
      ragged_named(e->context, "static_position", ragged_attribute_i64_array(e->context, 1, &position));
  return ragged_build_value_with(&e->b, "vector.extract",
                                 mlirShapedTypeGetElementType(mlirValueGetType(vector)),
                                 RAGGED_VALUES(vector), 1, &attribute);
}

MlirValue emit_insert(emission *e, MlirValue vector, MlirValue scalar, int lane) {
  int64_t position = lane;
  MlirNamedAttribute attribute =
      ragged_named(e->context, "static_position", ragged_attribute_i64_array(e->context, 1, &position));
  return ragged_build_value_with(&e->b, "vector.insert", mlirValueGetType(vector),
                                 RAGGED_VALUES(scalar, vector), 1, &attribute);
}

// ---- Memory ----------------------------------------------------------------------------------

MlirValue emit_pointer(emission *e, MlirValue base, MlirType element, number offset) {
  if (offset.constant && offset.known == 0) return base;
  int32_t dynamic = INT32_MIN;
  return ragged_build_value_with(
      &e->b, "llvm.getelementptr", mlirValueGetType(base), RAGGED_VALUES(base, number_emit(e, offset)),
      RAGGED_ATTRIBUTES(ragged_named(e->context, "rawConstantIndices",
                                     mlirDenseI32ArrayGet(e->context, 1, &dynamic)),
                        ragged_named(e->context, "elem_type", ragged_attribute_type(element))));
}

static MlirType integer_lanes(emission *e, unsigned bits, int lanes) {
  int64_t count = lanes;
  MlirType type = mlirIntegerTypeGet(e->context, bits);
  return lanes == 1 ? type : mlirVectorTypeGet(1, &count, type);
}

// Truth values are bytes in memory.
static MlirType memory_type(emission *e, ragged_element_type memory, int lanes) {
  if (memory == RAGGED_ELEMENT_BF16) return integer_lanes(e, 16, lanes);
  return memory == RAGGED_ELEMENT_I1 ? integer_lanes(e, 8, lanes) : lanes_type(e, memory, lanes);
}

MlirValue emit_load_aligned(emission *e, MlirValue base, ragged_element_type memory, number offset,
                            int count, int64_t alignment) {
  MlirValue pointer = emit_pointer(e, base, memory_type(e, memory, 1), offset);
  MlirNamedAttribute attribute =
      ragged_named(e->context, "alignment", ragged_attribute_i64(e->context, alignment));
  MlirValue value = ragged_build_value_with(&e->b, "llvm.load", memory_type(e, memory, count),
                                            RAGGED_VALUES(pointer), 1, &attribute);
  if (memory == RAGGED_ELEMENT_I1)
    return ragged_emit_convert(&e->b, mlirIntegerTypeGet(e->context, 1), value);
  return memory == RAGGED_ELEMENT_BF16 ? ragged_emit_widen_bf16(&e->b, value) : value;
}

void emit_store_aligned(emission *e, MlirValue base, ragged_element_type memory, number offset,
                        MlirValue value, int64_t alignment) {
  if (memory == RAGGED_ELEMENT_BF16) value = ragged_emit_round_bf16(&e->b, value);
  if (memory == RAGGED_ELEMENT_I1)
    value = ragged_emit_convert(&e->b, mlirIntegerTypeGet(e->context, 8), value);
  MlirValue pointer = emit_pointer(e, base, memory_type(e, memory, 1), offset);
  ragged_build(&e->b, "llvm.store", RAGGED_VALUES(value, pointer), RAGGED_NONE,
               RAGGED_ATTRIBUTES(ragged_named(e->context, "alignment",
                                              ragged_attribute_i64(e->context, alignment))),
               RAGGED_NONE);
}

MlirValue emit_load(emission *e, MlirValue base, ragged_element_type memory, number offset,
                    int count) {
  return emit_load_aligned(e, base, memory, offset, count, (int64_t)ragged_element_size(memory));
}

void emit_store(emission *e, MlirValue base, ragged_element_type memory, number offset,
                MlirValue value) {
  emit_store_aligned(e, base, memory, offset, value, (int64_t)ragged_element_size(memory));
}

MlirValue emit_load_i64(emission *e, MlirValue base, number index) {
  return emit_load(e, base, RAGGED_ELEMENT_I64, index, 1);
}

MlirValue emit_alloca(emission *e, MlirType element, int64_t count) {
  MlirValue size = ragged_build_integer(&e->allocas, e->i64, count < 1 ? 1 : count);
  return ragged_build_value_with(
      &e->allocas, "llvm.alloca", e->ptr, RAGGED_VALUES(size),
      RAGGED_ATTRIBUTES(ragged_named(e->context, "elem_type", ragged_attribute_type(element)),
                        ragged_named(e->context, "alignment", ragged_attribute_i64(e->context, 64))));
}

// ---- Reductions ------------------------------------------------------------------------------

double reduction_identity(const char *kind) {
  return strcmp(kind, "add") == 0 ? 0.0 : -__builtin_inf();
}

lanes_value emit_identity(emission *e, const char *kind, ragged_element_type type) {
  if (type == RAGGED_ELEMENT_I64 && strcmp(kind, "add") != 0)
    return (lanes_value){ragged_build_integer(&e->b, e->i64, INT64_MIN), true};
  return emit_constant(e, type, reduction_identity(kind));
}

MlirValue emit_combine(emission *e, const char *kind, MlirValue a, MlirValue b) {
  return ragged_emit_elementwise(&e->b, kind, (MlirValue[]){a, b});
}

static bool are_integers(MlirValue a) {
  return mlirTypeIsAInteger(ragged_emit_element_type(mlirValueGetType(a)));
}

MlirValue emit_compare_elements(emission *e, int predicate, MlirValue a, MlirValue b) {
  return ragged_emit_compare(&e->b, are_integers(a) ? "arith.cmpi" : "arith.cmpf", predicate,
                             mlirValueGetType(a), a, b);
}

MlirValue emit_select(emission *e, MlirValue condition, MlirValue a, MlirValue b) {
  return ragged_emit_select(&e->b, mlirValueGetType(a), condition, a, b);
}

MlirValue emit_finite_or(emission *e, MlirValue sum, MlirValue other) {
  MlirValue zero = emit_binary(e, "arith.subf", sum, sum);
  return emit_select(e, emit_compare_elements(e, RAGGED_CMPF_ORDERED, zero, zero), sum, other);
}

// NaN is greater than all numbers.
static MlirValue emit_greater(emission *e, MlirValue a, MlirValue b) {
  if (are_integers(a)) return emit_compare_elements(e, COMPARE_GT, a, b);
  return emit_binary(e, "arith.andi", emit_compare_elements(e, RAGGED_CMPF_UNORDERED_GREATER, a, b),
                     emit_compare_elements(e, RAGGED_CMPF_ORDERED, b, b));
}

MlirValue emit_equal(emission *e, MlirValue a, MlirValue b) {
  if (are_integers(a)) return emit_compare_elements(e, COMPARE_EQ, a, b);
  MlirValue both = emit_binary(e, "arith.andi", emit_compare_elements(e, RAGGED_CMPF_UNORDERED, a, a),
                               emit_compare_elements(e, RAGGED_CMPF_UNORDERED, b, b));
  return emit_binary(e, "arith.ori", emit_compare_elements(e, RAGGED_CMPF_EQUAL, a, b), both);
}

MlirValue emit_any(emission *e, MlirValue flags) {
  if (!mlirTypeIsAVector(mlirValueGetType(flags))) return flags;
  MlirNamedAttribute kind =
      ragged_named(e->context, "kind", ragged_attribute_parse(e->context, "#vector.kind<or>"));
  return ragged_build_value_with(&e->b, "vector.reduction", mlirIntegerTypeGet(e->context, 1),
                                 RAGGED_VALUES(flags), 1, &kind);
}

matched_value emit_combine_matched(emission *e, matched_value a, matched_value b) {
  MlirValue greater = emit_greater(e, b.value, a.value);
  MlirValue match = emit_select(e, emit_equal(e, a.value, b.value),
                                emit_combine(e, "maximum", a.match, b.match), a.match);
  return (matched_value){emit_select(e, greater, b.value, a.value), emit_select(e, greater, b.match, match)};
}

matched_value emit_across_matched(emission *e, matched_value vector) {
  int lanes = (int)mlirShapedTypeGetDimSize(mlirValueGetType(vector.value), 0);
  MlirValue maximum = emit_across(e, "maximum", vector.value);
  MlirValue none = emit_splat(e, emit_identity(e, "maximum", RAGGED_ELEMENT_I64).value, lanes);
  MlirValue match = emit_select(e, emit_equal(e, vector.value, emit_splat(e, maximum, lanes)), vector.match,
                                none);
  return (matched_value){maximum, emit_across(e, "maximum", match)};
}

// Halves are combined until one lane is left: a fixed tree.
MlirValue emit_across(emission *e, const char *kind, MlirValue vector) {
  int64_t lanes = mlirShapedTypeGetDimSize(mlirValueGetType(vector), 0);
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(vector));
  while (lanes > 1) {
    int64_t mask[64], half = lanes / 2;
    MlirValue halves[2];
    for (int part = 0; part < 2; ++part) {
      for (int64_t k = 0; k < half; ++k) mask[k] = k + part * half;
      MlirNamedAttribute attribute =
          ragged_named(e->context, "mask", ragged_attribute_i64_array(e->context, half, mask));
      halves[part] = ragged_build_value_with(&e->b, "vector.shuffle",
                                             mlirVectorTypeGet(1, &half, element),
                                             RAGGED_VALUES(vector, vector), 1, &attribute);
    }
    vector = emit_combine(e, kind, halves[0], halves[1]);
    lanes = half;
  }
  return emit_extract(e, vector, 0);
}

// ---- Control flow -----------------------------------------------------------------------------------

number begin_loop(emission *e, loop *l, number from, number to, int64_t step) {
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = mlirBlockCreate(1, &e->i64, &e->b.location);
  mlirRegionAppendOwnedBlock(region, body);
  MlirValue bounds[] = {number_emit(e, from), number_emit(e, to),
                        ragged_build_integer(&e->b, e->i64, step)};
  ragged_build(&e->b, "scf.for", 3, bounds, RAGGED_NONE, RAGGED_NONE, 1, &region);
  l->outer = e->b;
  l->memo = e->num_memo;
  e->b = ragged_builder_at_end(body, e->b.location);
  return number_value(mlirBlockGetArgument(body, 0));
}

void end_loop(emission *e, loop *l) {
  ragged_build(&e->b, "scf.yield", RAGGED_NONE, RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
  e->b = l->outer;
  e->num_memo = l->memo;
}

void begin_if(emission *e, guard *i, MlirValue condition) {
  *i = (guard){e->b, e->num_memo, !mlirValueIsNull(condition)};
  if (!i->open) return;
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  MlirRegion regions[] = {mlirRegionCreate(), mlirRegionCreate()};
  mlirRegionAppendOwnedBlock(regions[0], block);
  ragged_build(&e->b, "scf.if", RAGGED_VALUES(condition), RAGGED_NONE, RAGGED_NONE, 2, regions);
  e->b = ragged_builder_at_end(block, e->b.location);
}

void end_if(emission *e, guard *i) {
  if (i->open) {
    ragged_build(&e->b, "scf.yield", RAGGED_NONE, RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
    e->b = i->outer;
  }
  e->num_memo = i->memo;
}
