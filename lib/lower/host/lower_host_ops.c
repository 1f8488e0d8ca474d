// Each op of the host program as calls of the runtime. Most ops are one call, whose arguments a row of
// a table spells out; what is more than that has a function. Control flow is lower_host.c's.
#include <stdlib.h>
#include <string.h>

#include "dialect/diagnostic.h"
#include "dialect/type_schema.h"
#include "ir/location.h"
#include "lower/host/lower_host.h"

// The arguments of a call, one word each:
//   2        operand 2
//   2?       operand 2, null when the op has only two
//   2#       how many operands there are from number 2 on
//   2@       their array
//   #7       the number 7
//   null     no pointer
//   i:NAME   an integer attribute
//   s:NAME   a string attribute
//   t:NAME   a type attribute, as ragged_element_type
//   l:NAME   a list of integers: its length and its array, two arguments
//   n:NAME   a list of strings, one after the other with their null bytes
// At most one of them is an array: a function has one array for all its calls.
typedef struct call_row {
  const char *op, *symbol, *arguments;
  bool can_fail;
} call_row;

static const call_row kCalls[] = {
    {"argument", "ragged_rt_frame_argument", "0 i:index", false},
    {"argument_axis", "ragged_rt_frame_axis", "0 i:index", false},
    {"axis_from_lengths", "ragged_rt_frame_axis_from_lengths", "0 1", true},
    {"axis_from_offsets", "ragged_rt_frame_axis_from_offsets", "0 1", true},
    {"axis_expression", "ragged_rt_frame_axis_expression", "0 s:expression 1# n:names 1@", true},
    {"envelope_axis", "ragged_rt_frame_envelope_axis", "0 1", true},
    {"constant_axis", "ragged_rt_frame_constant_axis", "0 2? 1", true},
    {"parts_axis", "ragged_rt_frame_parts_axis", "0 1 i:most", true},
    {"check_same_axis", "ragged_rt_frame_check_same_axis", "0 1 s:found_name 2 s:required_name", true},
    {"space", "ragged_rt_frame_space", "0 1# 1@ null", true},
    {"batch_space", "ragged_rt_frame_space", "0 #0 null 1?", true},
    {"space_rows", "ragged_rt_frame_space_rows", "0 1", false},
    {"known_rows", "ragged_rt_frame_known_rows", "0 1", true},
    {"space_batch", "ragged_rt_frame_space_batch", "0 1", false},
    {"max_extent", "ragged_rt_frame_axis_max_extent", "0 1", true},
    {"dense_extent", "ragged_rt_frame_dense_extent", "0 1 i:dim", false},
    {"allocate", "ragged_rt_frame_allocate", "0 t:element_type 1 i:tail_elements", true},
    {"allocate_dense", "ragged_rt_frame_allocate_dense", "0 t:element_type 1# 1@", true},
    {"release", "ragged_rt_frame_release", "0 1", false},
    {"retain", "ragged_rt_frame_retain", "0 1", false},
    {"extents", "ragged_rt_frame_extents", "0 1", true},
    {"offsets", "ragged_rt_frame_offsets", "0 1", true},
    {"row_count", "ragged_rt_frame_row_count", "0 1", true},
    {"values", "ragged_rt_frame_values", "0 1 2 l:tail", true},
    {"extend", "ragged_rt_frame_extend", "0 1 2", true},
    {"check_values", "ragged_rt_frame_check_values", "0 1 2 l:tail", true},
    {"check_extent", "ragged_rt_frame_check_extent", "0 1 i:dim 2 #1 s:what", true},
    {"check_equal", "ragged_rt_frame_check_equal", "0 1 2 s:what", true},
    {"check_limit", "ragged_rt_frame_check_limit", "0 1 2 s:what", true},
    {"result", "ragged_rt_frame_result", "0 i:index 1 2", true},
    {"result_dense", "ragged_rt_frame_result_dense", "0 i:index 1", true},
};

enum { MAX_ARGUMENTS = 16 };

typedef struct call_builder {
  host_lowering *self;
  MlirOperation operation;
  ragged_builder at;
  intptr_t count;
  MlirValue arguments[MAX_ARGUMENTS];
} call_builder;

static void add(call_builder *call, MlirValue argument) {
  call->arguments[call->count++] = argument;
}

static void add_i64(call_builder *call, int64_t value) {
  add(call, lower_host_i64(call->self, &call->at, value));
}

static void add_array_of_operands(call_builder *call, intptr_t first, intptr_t count) {
  MlirValue *words = RAGGED_ARENA_ARRAY(call->self->arena, MlirValue, count + 1);
  for (intptr_t k = 0; k < count; ++k)
    words[k] = mlirOperationGetOperand(call->operation, first + k);
  add(call, lower_host_array(call->self, &call->at, count, words));
}

static void add_operand(call_builder *call, const char *word) {
  char *suffix;
  intptr_t number = strtol(word, &suffix, 10);
  intptr_t left = mlirOperationGetNumOperands(call->operation) - number;
  if (*suffix == '#') add_i64(call, left);
  else if (*suffix == '@') add_array_of_operands(call, number, left);
  else if (left > 0) add(call, mlirOperationGetOperand(call->operation, number));
  else add(call, lower_host_null(call->self, &call->at));
}

static void add_list(call_builder *call, MlirAttribute list) {
  intptr_t count = mlirDenseArrayGetNumElements(list);
  int64_t *values = RAGGED_ARENA_ARRAY(call->self->arena, int64_t, count + 1);
  for (intptr_t k = 0; k < count; ++k) values[k] = mlirDenseI64ArrayGetElement(list, k);
  add_i64(call, count);
  add(call, lower_host_i64_array(call->self, &call->at, count, values));
}

static void add_strings(call_builder *call, MlirAttribute list) {
  ragged_string_buffer text = {0};
  for (intptr_t k = 0; k < mlirArrayAttrGetNumElements(list); ++k) {
    MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(list, k));
    if (k) ragged_string_append(&text, "", 1);  // the null byte between
    ragged_string_append(&text, name.data, name.length);
  }
  add(call, lower_host_string(call->self, &call->at, text.data ? text.data : "", text.length));
  ragged_string_free(&text);
}

static bool add_element_type(call_builder *call, MlirType type) {
  ragged_element_type element_type;
  if (!ragged_type_get_element(type, &element_type))
    return ragged_op_error(call->operation, "has an element type that the runtime does not have: %s",
                           ragged_type_text(call->self->arena, type));
  add_i64(call, element_type);
  return true;
}

static bool add_attribute(call_builder *call, char kind, const char *name) {
  MlirAttribute attribute = ragged_operation_attribute(call->operation, name);
  switch (kind) {
    case 'i': add_i64(call, mlirIntegerAttrGetValueInt(attribute)); break;
    case 't': return add_element_type(call, mlirTypeAttrGetValue(attribute));
    case 'l': add_list(call, attribute); break;
    case 'n': add_strings(call, attribute); break;
    default: {
      MlirStringRef text = mlirStringAttrGetValue(attribute);
      add(call, lower_host_string(call->self, &call->at, text.data, text.length));
    }
  }
  return true;
}

static bool add_word(call_builder *call, const char *word) {
  if (word[1] == ':') return add_attribute(call, word[0], word + 2);
  if (word[0] == '#') add_i64(call, strtol(word + 1, NULL, 10));
  else if (word[0] == 'n') add(call, lower_host_null(call->self, &call->at));
  else add_operand(call, word);
  return true;
}

static void replace(MlirOperation operation, MlirValue value) {
  if (mlirOperationGetNumResults(operation))
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(operation, 0), value);
  mlirOperationDestroy(operation);
}

// Tells the frame which op of the program is being done, when that is known and new.
static void tell_where(host_lowering *self, MlirOperation operation) {
  const char *where = ragged_location_text(self->arena, mlirOperationGetLocation(operation));
  if (!where || (self->where && !strcmp(where, self->where))) return;
  self->where = where;
  ragged_builder at = ragged_builder_before(operation);
  lower_host_call(self, &at, "ragged_rt_frame_at",
                  RAGGED_VALUES(self->frame, lower_host_string(self, &at, where, strlen(where))));
}

static bool lower_call(host_lowering *self, MlirOperation operation, const char *symbol,
                       const char *arguments) {
  call_builder call = {.self = self, .operation = operation,
                       .at = ragged_builder_before(operation)};
  while (*arguments) {
    size_t length = strcspn(arguments, " ");
    if (!add_word(&call, ragged_arena_copy_string(self->arena, arguments, length))) return false;
    arguments += length + strspn(arguments + length, " ");
  }
  replace(operation, lower_host_call(self, &call.at, symbol, call.count, call.arguments));
  return true;
}

// ---- Constants and numbers -------------------------------------------------------------------------

static bool lower_constant_buffer(host_lowering *self, MlirOperation operation) {
  call_builder call = {.self = self, .operation = operation,
                       .at = ragged_builder_before(operation)};
  MlirAttribute value = ragged_operation_attribute(operation, "value");
  MlirType type = mlirAttributeGetType(value);
  if (!mlirAttributeIsADenseElements(value) && !mlirAttributeIsADenseResourceElements(value))
    return ragged_op_error(operation, "must have dense elements");
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t shape[RAGGED_MAX_RANK];
  if (rank > RAGGED_MAX_RANK)
    return ragged_op_error(operation, "has rank %lld, at most %d are supported", (long long)rank,
                           RAGGED_MAX_RANK);
  for (intptr_t k = 0; k < rank; ++k) shape[k] = mlirShapedTypeGetDimSize(type, k);
  add(&call, self->frame);
  if (!add_element_type(&call, mlirShapedTypeGetElementType(type))) return false;
  add_i64(&call, rank);
  add(&call, lower_host_i64_array(self, &call.at, rank, shape));
  add(&call, lower_host_elements(self, &call.at, value));
  replace(operation, lower_host_call(self, &call.at, "ragged_rt_frame_constant", call.count,
                                     call.arguments));
  return true;
}

static MlirValue widen(const host_lowering *self, const ragged_builder *at, MlirValue value,
                       bool is_unsigned) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeEqual(type, self->i64)) return value;
  return ragged_build_value(at, mlirTypeIsAIndex(type) ? "arith.index_cast"
                                : is_unsigned          ? "arith.extui"
                                                       : "arith.extsi",
                            self->i64, RAGGED_VALUES(value));
}

// What a number is in memory: an index is an i64.
static bool memory_type(const host_lowering *self, MlirOperation operation, MlirType type,
                        ragged_element_type *out) {
  if (mlirTypeIsAIndex(type)) type = self->i64;
  if (ragged_type_is_scalar(type) && ragged_type_get_element(type, out)) return true;
  return ragged_op_error(operation, "has a number of type %s, which the runtime does not have",
                         ragged_type_text(self->arena, type));
}

// The type of an element's bits: i64, i32, i16 or i8.
static MlirType bits_type(const host_lowering *self, ragged_element_type element) {
  return mlirIntegerTypeGet(self->context, 8 * (unsigned)ragged_element_size(element));
}

static bool lower_from_scalar(host_lowering *self, MlirOperation operation) {
  ragged_builder at = ragged_builder_before(operation);
  MlirValue value = mlirOperationGetOperand(operation, 1);
  MlirType type = mlirValueGetType(value);
  ragged_element_type element;
  if (!memory_type(self, operation, type, &element)) return false;
  MlirType bits = bits_type(self, element);
  if (ragged_element_is_float(element))
    value = ragged_build_value(&at, "arith.bitcast", bits, RAGGED_VALUES(value));
  value = widen(self, &at, value, true);
  replace(operation,
          lower_host_call(self, &at, "ragged_rt_frame_scalar",
                          RAGGED_VALUES(self->frame, lower_host_i64(self, &at, element), value)));
  return true;
}

static bool lower_to_scalar(host_lowering *self, MlirOperation operation) {
  ragged_builder at = ragged_builder_before(operation);
  MlirType type = mlirValueGetType(mlirOperationGetResult(operation, 0));
  ragged_element_type element;
  if (!memory_type(self, operation, type, &element)) return false;
  MlirType bits = bits_type(self, element);
  MlirValue value =
      lower_host_call(self, &at, "ragged_rt_frame_scalar_bits",
                      RAGGED_VALUES(self->frame, mlirOperationGetOperand(operation, 1)));
  if (element == RAGGED_ELEMENT_I1) {
    replace(operation, lower_host_is_set(self, &at, value));
    return true;
  }
  if (!mlirTypeEqual(bits, self->i64))
    value = ragged_build_value(&at, "arith.trunci", bits, RAGGED_VALUES(value));
  if (ragged_element_is_float(element))
    value = ragged_build_value(&at, "arith.bitcast", type, RAGGED_VALUES(value));
  else if (mlirTypeIsAIndex(type))
    value = ragged_build_value(&at, "arith.index_cast", type, RAGGED_VALUES(value));
  replace(operation, value);
  return true;
}

// The op's numbers as i64, then `more`, then their sign to a function of the runtime.
static MlirValue call_checked(host_lowering *self, const ragged_builder *at, MlirOperation operation,
                              const char *symbol, intptr_t num_more, const MlirValue *more) {
  call_builder call = {.self = self, .operation = operation, .at = *at};
  bool is_unsigned = ragged_operation_has(operation, "is_unsigned");
  add(&call, self->frame);
  for (intptr_t k = 1; k < mlirOperationGetNumOperands(operation); ++k)
    add(&call, widen(self, at, mlirOperationGetOperand(operation, k), is_unsigned));
  for (intptr_t k = 0; k < num_more; ++k) add(&call, more[k]);
  add_i64(&call, is_unsigned);
  return lower_host_call(self, at, symbol, call.count, call.arguments);
}

// An index has 64 bits.
static bool lower_checked_divisor(host_lowering *self, MlirOperation operation) {
  ragged_builder at = ragged_builder_before(operation);
  MlirType type = mlirValueGetType(mlirOperationGetResult(operation, 0));
  bool index = mlirTypeIsAIndex(type);
  MlirValue bits = lower_host_i64(self, &at, index ? 64 : mlirIntegerTypeGetWidth(type));
  MlirValue value =
      call_checked(self, &at, operation, "ragged_rt_frame_checked_divisor", 1, &bits);
  if (!mlirTypeEqual(type, self->i64))
    value = ragged_build_value(&at, index ? "arith.index_cast" : "arith.trunci", type,
                               RAGGED_VALUES(value));
  replace(operation, value);
  return true;
}

static bool lower_trip_count(host_lowering *self, MlirOperation operation) {
  ragged_builder at = ragged_builder_before(operation);
  replace(operation,
          call_checked(self, &at, operation, "ragged_rt_frame_trip_count", RAGGED_NONE));
  return true;
}

bool lower_host_operation(host_lowering *self, MlirOperation operation) {
  const struct {
    const char *op;
    bool (*lower)(host_lowering *self, MlirOperation operation);
  } others[] = {
      {"checked_divisor", lower_checked_divisor},
      {"constant_buffer", lower_constant_buffer},
      {"from_scalar", lower_from_scalar},
      {"to_scalar", lower_to_scalar},
      {"trip_count", lower_trip_count},
      {"launch", self->backend->lower_launch},
  };
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  const char *op = strchr(name.data, '.') + 1;  // identifiers end with a null byte
  for (size_t k = 0; k < sizeof kCalls / sizeof *kCalls; ++k)
    if (!strcmp(kCalls[k].op, op)) {
      if (kCalls[k].can_fail) tell_where(self, operation);
      return lower_call(self, operation, kCalls[k].symbol, kCalls[k].arguments);
    }
  tell_where(self, operation);
  for (size_t k = 0; k < sizeof others / sizeof *others; ++k)
    if (!strcmp(others[k].op, op)) return others[k].lower(self, operation);
  return ragged_op_error(operation, "is no op of a host program");
}
