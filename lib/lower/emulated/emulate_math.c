// Arithmetic that the host has no instruction for: math ops and intrinsics, calls of CUDA's device
// library, and the float formats of 16 bits. Element by element where operands are vectors.
#include <string.h>

#include "lower/emulated/emulate.h"

// ---- Elements ------------------------------------------------------------------------------------

static MlirType element_of(MlirType type) {
  return mlirTypeIsAVector(type) ? mlirShapedTypeGetElementType(type) : type;
}

static bool is_narrow(MlirType type) {
  type = element_of(type);
  return mlirTypeIsAF16(type) || mlirTypeIsABF16(type);
}

// Makes one element of the result from one of each operand.
typedef MlirValue (*make_element)(emulation *self, const ragged_builder *at, void *data,
                                  const MlirValue *elements, MlirType result);

enum { MAX_OPERANDS = 3 };

static void map_elements(emulation *self, MlirOperation operation, make_element make, void *data) {
  ragged_builder at = ragged_builder_before(operation);
  MlirType type = mlirValueGetType(mlirOperationGetResult(operation, 0));
  intptr_t count = mlirOperationGetNumOperands(operation);
  MlirValue operands[MAX_OPERANDS], elements[MAX_OPERANDS];
  for (intptr_t k = 0; k < count && k < MAX_OPERANDS; ++k)
    operands[k] = mlirOperationGetOperand(operation, k);
  if (!mlirTypeIsAVector(type)) {
    emulate_replace(operation, make(self, &at, data, operands, type));
    return;
  }
  MlirValue all = ragged_build_value(&at, "llvm.mlir.poison", type, RAGGED_NONE);
  for (int64_t lane = 0; lane < mlirShapedTypeGetDimSize(type, 0); ++lane) {
    MlirValue position = emulate_i64(self, &at, lane);
    for (intptr_t k = 0; k < count && k < MAX_OPERANDS; ++k)
      elements[k] = ragged_build_value(&at, "llvm.extractelement",
                                       element_of(mlirValueGetType(operands[k])),
                                       RAGGED_VALUES(operands[k], position));
    all = ragged_build_value(
        &at, "llvm.insertelement", type,
        RAGGED_VALUES(all, make(self, &at, data, elements, element_of(type)), position));
  }
  emulate_replace(operation, all);
}

// ---- Functions -----------------------------------------------------------------------------------

// What a name stands for: a function of emulated_abi.h, which has an f32 and an f64 form, or an op.
// `flush`: subnormal f32 operands and results are zero.
typedef struct math_rule {
  const char *name, *function, *op;
  int operands;
  bool flush;
} math_rule;

static const math_rule op_rules[] = {
    {"llvm.intr.exp", "exp", NULL, 1, false},   {"llvm.intr.exp2", "ex2", NULL, 1, false},
    {"llvm.intr.log", "log", NULL, 1, false},   {"llvm.intr.log2", "lg2", NULL, 1, false},
    {"llvm.intr.sin", "sin", NULL, 1, false},   {"llvm.intr.cos", "cos", NULL, 1, false},
    {"llvm.intr.tanh", "tanh", NULL, 1, false}, {"llvm.intr.pow", "pow", NULL, 2, false},
};

// After "llvm.nvvm.", without the type at the end.
static const math_rule intrinsic_rules[] = {
    {"ex2.approx", "ex2", NULL, 1, false},
    {"ex2.approx.ftz", "ex2", NULL, 1, true},
    {"lg2.approx", "lg2", NULL, 1, false},
    {"lg2.approx.ftz", "lg2", NULL, 1, true},
    {"rcp.approx.ftz", "rcp", NULL, 1, true},
    {"rcp.rn", "rcp_rn", NULL, 1, false},
    {"rcp.rn.ftz", "rcp_rn", NULL, 1, true},
    {"rsqrt.approx", "rsqrt", NULL, 1, false},
    {"rsqrt.approx.ftz", "rsqrt", NULL, 1, true},
    {"sqrt.approx", "sqrt", NULL, 1, false},
    {"sqrt.approx.ftz", "sqrt", NULL, 1, true},
    {"sqrt.rn", "sqrt", NULL, 1, false},
    {"sqrt.rn.ftz", "sqrt", NULL, 1, true},
    {"sqrt", "sqrt", NULL, 1, false},
    {"sin.approx", "sin", NULL, 1, false},
    {"sin.approx.ftz", "sin", NULL, 1, true},
    {"cos.approx", "cos", NULL, 1, false},
    {"cos.approx.ftz", "cos", NULL, 1, true},
    {"tanh.approx", "tanh", NULL, 1, false},
    {"div.approx", NULL, "llvm.fdiv", 2, false},
    {"div.approx.ftz", NULL, "llvm.fdiv", 2, true},
    {"div.full", NULL, "llvm.fdiv", 2, false},
    {"div.full.ftz", NULL, "llvm.fdiv", 2, true},
    {"div.rn", NULL, "llvm.fdiv", 2, false},
    {"div.rn.ftz", NULL, "llvm.fdiv", 2, true},
    {"add.rn", NULL, "llvm.fadd", 2, false},
    {"add.rn.ftz", NULL, "llvm.fadd", 2, true},
    {"mul.rn", NULL, "llvm.fmul", 2, false},
    {"mul.rn.ftz", NULL, "llvm.fmul", 2, true},
    {"fma.rn", NULL, "llvm.intr.fma", 3, false},
    {"fma.rn.ftz", NULL, "llvm.intr.fma", 3, true},
    {"fmax", NULL, "llvm.intr.maxnum", 2, false},
    {"fmax.ftz", NULL, "llvm.intr.maxnum", 2, true},
    {"fmax.nan", NULL, "llvm.intr.maximum", 2, false},
    {"fmin", NULL, "llvm.intr.minnum", 2, false},
    {"fmin.ftz", NULL, "llvm.intr.minnum", 2, true},
    {"fmin.nan", NULL, "llvm.intr.minimum", 2, false},
    {"fabs", NULL, "llvm.intr.fabs", 1, false},
};

// After "__nv_" or "__nv_fast_", without the f at the end. libm's error in double is far below what
// CUDA documents for these.
static const math_rule library_rules[] = {
    {"exp", "exp", NULL, 1, false},
    {"exp2", "ex2", NULL, 1, false},
    {"log", "log", NULL, 1, false},
    {"log2", "lg2", NULL, 1, false},
    {"sin", "sin", NULL, 1, false},
    {"cos", "cos", NULL, 1, false},
    {"tanh", "tanh", NULL, 1, false},
    {"erf", "erf", NULL, 1, false},
    {"pow", "pow", NULL, 2, false},
    {"sqrt", "sqrt", NULL, 1, false},
    {"rsqrt", "rsqrt", NULL, 1, false},
    {"fma", NULL, "llvm.intr.fma", 3, false},
    {"fabs", NULL, "llvm.intr.fabs", 1, false},
    {"floor", NULL, "llvm.intr.floor", 1, false},
    {"ceil", NULL, "llvm.intr.ceil", 1, false},
    {"trunc", NULL, "llvm.intr.trunc", 1, false},
    {"rint", NULL, "llvm.intr.rint", 1, false},
    {"fmax", NULL, "llvm.intr.maxnum", 2, false},
    {"fmin", NULL, "llvm.intr.minnum", 2, false},
};

#define FIND(rules, name) find_rule((rules), sizeof(rules) / sizeof *(rules), (name))

static const math_rule *find_rule(const math_rule *rules, size_t count, const char *name) {
  for (size_t k = 0; k < count; ++k)
    if (!strcmp(rules[k].name, name)) return &rules[k];
  return NULL;
}

static MlirValue flush(emulation *self, const ragged_builder *at, MlirValue value) {
  return emulate_call(self, at, "ragged_emulated_flush", RAGGED_VALUES(value));
}

static MlirValue make_math(emulation *self, const ragged_builder *at, void *data,
                           const MlirValue *elements, MlirType result) {
  const math_rule *rule = data;
  bool wide = mlirTypeEqual(result, self->f64), flushes = rule->flush && !wide;
  MlirValue operands[MAX_OPERANDS];
  for (int k = 0; k < rule->operands; ++k)
    operands[k] = flushes ? flush(self, at, elements[k]) : elements[k];
  MlirValue value =
      rule->op ? ragged_build_value(at, rule->op, result, rule->operands, operands)
               : emulate_call(self, at,
                              ragged_arena_format(&self->arena, "ragged_emulated_%s%s",
                                                  rule->function, wide ? "_f64" : ""),
                              rule->operands, operands);
  return flushes ? flush(self, at, value) : value;
}

// `rule` may be null.
static bool apply(emulation *self, MlirOperation operation, const math_rule *rule) {
  if (!rule || mlirOperationGetNumResults(operation) != 1 ||
      mlirOperationGetNumOperands(operation) != rule->operands)
    return false;
  MlirType type = element_of(mlirValueGetType(mlirOperationGetResult(operation, 0)));
  if (!mlirTypeEqual(type, self->f32) && !mlirTypeEqual(type, self->f64)) return false;
  for (int k = 0; k < rule->operands; ++k)
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(operation, k)),
                       mlirValueGetType(mlirOperationGetResult(operation, 0))))
      return false;
  map_elements(self, operation, make_math, (void *)rule);
  return true;
}

static bool no_such_math(MlirOperation operation, const char *name) {
  return ragged_op_error(operation, "'%s' with such operands is not emulated", name);
}

bool emulate_convert_math(emulation *self, MlirOperation operation) {
  const char *name = mlirIdentifierStr(mlirOperationGetName(operation)).data;
  return apply(self, operation, FIND(op_rules, name)) || no_such_math(operation, name);
}

bool emulate_convert_rcp(emulation *self, MlirOperation operation) {
  static const char name[] = "rcp.approx.ftz";
  return apply(self, operation, FIND(intrinsic_rules, name)) || no_such_math(operation, name);
}

static bool ends_with(const char *text, size_t *length, const char *end) {
  size_t end_length = strlen(end);
  if (*length < end_length || memcmp(text + *length - end_length, end, end_length)) return false;
  *length -= end_length;
  return true;
}

bool emulate_convert_intrinsic(emulation *self, MlirOperation operation) {
  static const char prefix[] = "llvm.nvvm.";
  const char *name = ragged_operation_string(operation, "intrin");
  if (!name || strncmp(name, prefix, sizeof prefix - 1))
    return ragged_op_error(operation, "'%s' is not emulated", name ? name : "");
  const char *rest = name + sizeof prefix - 1;
  ragged_builder at = ragged_builder_before(operation);
  if (!strcmp(rest, "cp.async.wait.all")) {
    emulate_call(self, &at, "ragged_emulated_async_wait_all",
                 RAGGED_VALUES(self->thread, emulate_where(self, &at, operation)));
    mlirOperationDestroy(operation);
    return true;
  }
  size_t length = strlen(rest);
  if (!ends_with(rest, &length, ".f32") && !ends_with(rest, &length, ".f64") &&
      !ends_with(rest, &length, ".f"))
    ends_with(rest, &length, ".d");
  const char *plain = ragged_arena_copy_string(&self->arena, rest, length);
  return apply(self, operation, FIND(intrinsic_rules, plain)) || no_such_math(operation, name);
}

bool emulate_convert_library_call(emulation *self, MlirOperation operation, const char *callee) {
  static const char prefix[] = "__nv_", fast[] = "fast_";
  if (strncmp(callee, prefix, sizeof prefix - 1)) return false;
  callee += sizeof prefix - 1;
  if (!strncmp(callee, fast, sizeof fast - 1)) callee += sizeof fast - 1;
  const math_rule *rule = FIND(library_rules, callee);
  size_t length = strlen(callee);
  if (!rule && ends_with(callee, &length, "f"))
    rule = FIND(library_rules, ragged_arena_copy_string(&self->arena, callee, length));
  return apply(self, operation, rule);
}

// ---- Floats of 16 bits ---------------------------------------------------------------------------

static MlirValue make_narrow(emulation *self, const ragged_builder *at, void *data,
                             const MlirValue *elements, MlirType result) {
  (void)data;
  bool wide = mlirTypeEqual(mlirValueGetType(elements[0]), self->f64);
  const char *symbol =
      ragged_arena_format(&self->arena, "ragged_emulated_%s_to_%s", wide ? "f64" : "f32",
                          mlirTypeIsABF16(result) ? "bf16" : "f16");
  MlirValue bits = emulate_call(self, at, symbol, RAGGED_VALUES(elements[0]));
  return emulate_cast(at, "llvm.bitcast", emulate_cast(at, "llvm.trunc", bits, self->i16), result);
}

bool emulate_convert_narrowing(emulation *self, MlirOperation operation) {
  if (is_narrow(mlirValueGetType(mlirOperationGetResult(operation, 0))))
    map_elements(self, operation, make_narrow, NULL);
  return true;
}

static MlirValue make_wide(emulation *self, const ragged_builder *at, void *data,
                           const MlirValue *elements, MlirType result) {
  (void)data;
  const char *symbol = mlirTypeIsABF16(mlirValueGetType(elements[0]))
                           ? "ragged_emulated_bf16_to_f32"
                           : "ragged_emulated_f16_to_f32";
  MlirValue bits = emulate_cast(at, "llvm.bitcast", elements[0], self->i16);
  bits = emulate_cast(at, "llvm.zext", bits, self->i32);
  return emulate_cast(at, "llvm.fpext", emulate_call(self, at, symbol, RAGGED_VALUES(bits)),
                      result);
}

bool emulate_convert_widening(emulation *self, MlirOperation operation) {
  if (is_narrow(mlirValueGetType(mlirOperationGetOperand(operation, 0))))
    map_elements(self, operation, make_wide, NULL);
  return true;
}

// Tiles compute in wider types; the host has no instructions for these.
bool emulate_convert_arithmetic(emulation *self, MlirOperation operation) {
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(operation); ++k) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(operation, k));
    if (is_narrow(type))
      return ragged_op_error(operation, "computes in %s, which is not emulated",
                             emulate_type_text(self, type));
  }
  MlirType type = mlirValueGetType(mlirOperationGetResult(operation, 0));
  return !is_narrow(type) || ragged_op_error(operation, "computes in %s, which is not emulated",
                                             emulate_type_text(self, type));
}
