// Ops of the NVVM dialect about threads, warps and blocks, as calls of the emulated device.
#include <stdio.h>
#include <string.h>

#include "lower/emulated/emulate.h"

// ---- Special registers ---------------------------------------------------------------------------

#define REGISTER_PREFIX "nvvm.read.ptx.sreg."

// A register is a function of the device, or one number: grids and blocks have one dimension.
typedef struct special_register {
  const char *name, *symbol;
  int32_t value;
} special_register;

static const special_register registers[] = {
    {"tid.x", "ragged_emulated_tid", 0},
    {"tid.y", NULL, 0},
    {"tid.z", NULL, 0},
    {"ntid.x", "ragged_emulated_ntid", 0},
    {"ntid.y", NULL, 1},
    {"ntid.z", NULL, 1},
    {"ctaid.x", "ragged_emulated_ctaid", 0},
    {"ctaid.y", NULL, 0},
    {"ctaid.z", NULL, 0},
    {"nctaid.x", "ragged_emulated_nctaid", 0},
    {"nctaid.y", NULL, 1},
    {"nctaid.z", NULL, 1},
    {"laneid", "ragged_emulated_laneid", 0},
    {"warpid", "ragged_emulated_warpid", 0},
    {"nwarpid", "ragged_emulated_nwarpid", 0},
    {"warpsize", NULL, 32},
    {"dynamic.smem.size", "ragged_emulated_dynamic_shared_size", 0},
};

// Lanes that stand to one's own lane as the register's name says: `ones` shifted left by the lane,
// less one where `below`.
typedef struct lane_mask {
  const char *name;
  int32_t ones;
  bool below;
} lane_mask;

static const lane_mask lane_masks[] = {{"lanemask.eq", 1, false},
                                       {"lanemask.lt", 1, true},
                                       {"lanemask.le", 2, true},
                                       {"lanemask.ge", -1, false},
                                       {"lanemask.gt", -2, false}};

static const char *suffix_of(emulation *self, MlirOperation operation) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  size_t prefix = strlen(REGISTER_PREFIX);
  return name.length < prefix ? ""
                              : ragged_arena_copy_string(&self->arena, name.data + prefix,
                                                         name.length - prefix);
}

bool emulate_convert_register(emulation *self, MlirOperation operation) {
  const char *name = suffix_of(self, operation);
  ragged_builder at = ragged_builder_before(operation);
  for (size_t k = 0; k < sizeof registers / sizeof *registers; ++k) {
    if (strcmp(registers[k].name, name)) continue;
    emulate_replace(operation, registers[k].symbol
                                   ? emulate_call(self, &at, registers[k].symbol,
                                                  RAGGED_VALUES(self->thread))
                                   : emulate_i32(self, &at, registers[k].value));
    return true;
  }
  for (size_t k = 0; k < sizeof lane_masks / sizeof *lane_masks; ++k) {
    if (strcmp(lane_masks[k].name, name)) continue;
    MlirValue lane = emulate_call(self, &at, "ragged_emulated_laneid", RAGGED_VALUES(self->thread));
    MlirValue mask = ragged_build_value(
        &at, "llvm.shl", self->i32,
        RAGGED_VALUES(emulate_i32(self, &at, lane_masks[k].ones), lane));
    if (lane_masks[k].below)
      mask = ragged_build_value(&at, "llvm.add", self->i32,
                                RAGGED_VALUES(mask, emulate_i32(self, &at, -1)));
    emulate_replace(operation, mask);
    return true;
  }
  return ragged_op_error(operation, "is a register that the emulated device does not have");
}

// ---- Barriers ------------------------------------------------------------------------------------

bool emulate_convert_barrier(emulation *self, MlirOperation operation) {
  ragged_builder at = ragged_builder_before(operation);
  MlirValue where = emulate_where(self, &at, operation);
  intptr_t count = mlirOperationGetNumOperands(operation);
  if (mlirOperationGetNumResults(operation) || ragged_operation_has(operation, "reductionOp"))
    return ragged_op_error(operation, "reduces, which the emulated device does not");
  if (count == 0) {
    emulate_call(self, &at, "ragged_emulated_barrier", RAGGED_VALUES(self->thread, where));
  } else {
    // operandSegmentSizes: id, number of threads, predicate.
    MlirAttribute segments = ragged_operation_attribute(operation, "operandSegmentSizes");
    bool has_id = count == 2 || (mlirAttributeIsADenseI32Array(segments) &&
                                 mlirDenseI32ArrayGetElement(segments, 0) == 1);
    MlirValue first = mlirOperationGetOperand(operation, 0), zero = emulate_i32(self, &at, 0);
    MlirValue id = has_id ? first : zero;
    MlirValue threads = count == 2 ? mlirOperationGetOperand(operation, 1) : has_id ? zero : first;
    emulate_call(self, &at, "ragged_emulated_barrier_count",
                 RAGGED_VALUES(self->thread, id, threads, where));
  }
  mlirOperationDestroy(operation);
  return true;
}

bool emulate_convert_warp_barrier(emulation *self, MlirOperation operation) {
  ragged_builder at = ragged_builder_before(operation);
  emulate_call(self, &at, "ragged_emulated_warp_barrier",
               RAGGED_VALUES(self->thread, mlirOperationGetOperand(operation, 0),
                             emulate_where(self, &at, operation)));
  mlirOperationDestroy(operation);
  return true;
}

// ---- Shuffles and votes --------------------------------------------------------------------------

// The last word of "#nvvm<shfl_kind bfly>", where `kinds` has it; null otherwise.
static const char *kind_of(emulation *self, MlirOperation operation, const char *const *kinds) {
  const char *text = emulate_attribute_text(self, operation, "kind");
  const char *word = strrchr(text, ' ');
  for (; word && *kinds; ++kinds)
    if (!strncmp(word + 1, *kinds, strlen(*kinds)) && word[1 + strlen(*kinds)] == '>')
      return *kinds;
  return NULL;
}

bool emulate_convert_shuffle(emulation *self, MlirOperation operation) {
  static const char *const kinds[] = {"idx", "up", "down", "bfly", NULL};
  const char *kind = kind_of(self, operation, kinds);
  if (!kind) return ragged_op_error(operation, "is a kind of shuffle that is not known");
  ragged_builder at = ragged_builder_before(operation);
  bool pair = ragged_operation_has(operation, "return_value_and_is_valid");
  MlirType result = mlirValueGetType(mlirOperationGetResult(operation, 0));
  MlirType type = mlirValueGetType(mlirOperationGetOperand(operation, 1));
  MlirValue valid = pair ? emulate_alloca(self, self->i32, 1)
                         : ragged_build_value(&at, "llvm.mlir.zero", self->pointer, RAGGED_NONE);
  MlirValue bits =
      emulate_cast(&at, "llvm.bitcast", mlirOperationGetOperand(operation, 1), self->i32);
  MlirValue value = emulate_call(
      self, &at, ragged_arena_format(&self->arena, "ragged_emulated_shuffle_%s", kind),
      RAGGED_VALUES(self->thread, mlirOperationGetOperand(operation, 0), bits,
                    mlirOperationGetOperand(operation, 2), mlirOperationGetOperand(operation, 3),
                    valid, emulate_where(self, &at, operation)));
  value = emulate_cast(&at, "llvm.bitcast", value, type);
  if (pair) {
    MlirValue both = ragged_build_value(&at, "llvm.mlir.poison", result, RAGGED_NONE);
    both = emulate_insert_value(&at, both, value, 0);
    value = emulate_insert_value(
        &at, both, emulate_is_set(self, &at, emulate_load(&at, valid, self->i32)), 1);
  }
  emulate_replace(operation, value);
  return true;
}

bool emulate_convert_vote(emulation *self, MlirOperation operation) {
  static const char *const kinds[] = {"all", "any", "uni", "ballot", NULL};
  const char *kind = kind_of(self, operation, kinds);
  if (!kind) return ragged_op_error(operation, "is a kind of vote that is not known");
  ragged_builder at = ragged_builder_before(operation);
  MlirValue predicate =
      emulate_cast(&at, "llvm.zext", mlirOperationGetOperand(operation, 1), self->i32);
  MlirValue value = emulate_call(
      self, &at, ragged_arena_format(&self->arena, "ragged_emulated_vote_%s", kind),
      RAGGED_VALUES(self->thread, mlirOperationGetOperand(operation, 0), predicate,
                    emulate_where(self, &at, operation)));
  if (mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(operation, 0)), self->i1))
    value = emulate_is_set(self, &at, value);
  emulate_replace(operation, value);
  return true;
}

// ---- Matrices ------------------------------------------------------------------------------------

// The registers of one operand in an array; elements become `element` by their bits.
static MlirValue spill(emulation *self, const ragged_builder *at, MlirOperation operation,
                       intptr_t first, intptr_t count, MlirType element) {
  MlirValue array = emulate_alloca(self, element, count);
  for (intptr_t k = 0; k < count; ++k) {
    MlirValue value = emulate_cast(at, "llvm.bitcast",
                                   mlirOperationGetOperand(operation, first + k), element);
    emulate_store(at, value, emulate_element(self, at, array, element, k));
  }
  return array;
}

// A struct of `count` registers, or the one.
static MlirValue collect(emulation *self, const ragged_builder *at, MlirValue array, int64_t count,
                         MlirType element, MlirType result) {
  if (mlirTypeEqual(result, element)) return emulate_load(at, array, element);
  MlirValue all = ragged_build_value(at, "llvm.mlir.poison", result, RAGGED_NONE);
  for (int64_t k = 0; k < count; ++k)
    all = emulate_insert_value(
        at, all, emulate_load(at, emulate_element(self, at, array, element, k), element), k);
  return all;
}

// "f16" of "#nvvm.mma_type<f16>"; of packed halves where the op leaves it to its operands.
static const char *product_type(emulation *self, MlirOperation operation) {
  static const char *const types[] = {"bf16", "f16", "tf32"};
  const char *text = emulate_attribute_text(self, operation, "multiplicandAPtxType");
  if (strcmp(text, emulate_attribute_text(self, operation, "multiplicandBPtxType"))) return NULL;
  if (!*text) text = emulate_type_text(self, mlirValueGetType(mlirOperationGetOperand(operation, 0)));
  for (size_t k = 0; k < sizeof types / sizeof *types; ++k)
    if (strstr(text, types[k])) return types[k];
  return NULL;
}

bool emulate_convert_product(emulation *self, MlirOperation operation) {
  const char *type = product_type(self, operation);
  int m = 0, n = 0, k = 0;
  sscanf(emulate_attribute_text(self, operation, "shape"), "#nvvm.shape<m = %d, n = %d, k = %d>",
         &m, &n, &k);
  MlirAttribute segments = ragged_operation_attribute(operation, "operandSegmentSizes");
  MlirType result = mlirValueGetType(mlirOperationGetResult(operation, 0));
  bool layouts = strstr(emulate_attribute_text(self, operation, "layoutA"), "<row>") &&
                 strstr(emulate_attribute_text(self, operation, "layoutB"), "<col>");
  bool shapes = m == 16 && n == 8 && type &&
                (!strcmp(type, "tf32") ? k == 4 || k == 8 : k == 8 || k == 16);
  if (!layouts || !shapes || !mlirAttributeIsADenseI32Array(segments) ||
      strcmp(emulate_type_text(self, result), "!llvm.struct<(f32, f32, f32, f32)>"))
    return ragged_op_error(operation, "is a matrix product that the emulated device does not have: "
                           "m16n8k16 and m16n8k8 of f16 and bf16, m16n8k8 and m16n8k4 of tf32, row "
                           "by column, with f32 accumulators");
  intptr_t a = mlirDenseI32ArrayGetElement(segments, 0);
  intptr_t b = mlirDenseI32ArrayGetElement(segments, 1);
  ragged_builder at = ragged_builder_before(operation);
  MlirValue d = emulate_alloca(self, self->f32, 4);
  emulate_call(
      self, &at, ragged_arena_format(&self->arena, "ragged_emulated_mma_%s_m16n8k%d", type, k),
      RAGGED_VALUES(self->thread, spill(self, &at, operation, 0, a, self->i32),
                    spill(self, &at, operation, a, b, self->i32),
                    spill(self, &at, operation, a + b, 4, self->f32), d,
                    emulate_where(self, &at, operation)));
  emulate_replace(operation, collect(self, &at, d, 4, self->f32, result));
  return true;
}

bool emulate_convert_load_matrix(emulation *self, MlirOperation operation) {
  int64_t num = ragged_operation_int(operation, "num", 0);
  if (!strstr(emulate_attribute_text(self, operation, "shape"), "m = 8, n = 8") ||
      !strstr(emulate_attribute_text(self, operation, "eltType"), "b16"))
    return ragged_op_error(operation, "is no load of 8x8 matrices of 16-bit elements, which are "
                           "what the emulated device has");
  bool transposed = strstr(emulate_attribute_text(self, operation, "layout"), "<col>") != NULL;
  ragged_builder at = ragged_builder_before(operation);
  MlirValue array = emulate_alloca(self, self->i32, num);
  emulate_call(self, &at, "ragged_emulated_load_matrix",
               RAGGED_VALUES(self->thread, mlirOperationGetOperand(operation, 0),
                             emulate_i32(self, &at, num), emulate_i32(self, &at, transposed), array,
                             emulate_where(self, &at, operation)));
  emulate_replace(operation,
                  collect(self, &at, array, num, self->i32,
                          mlirValueGetType(mlirOperationGetResult(operation, 0))));
  return true;
}
