// Unification of a ragged.call with its callee. Called by the C++ glue (verification), schema
// propagation and the inliner. Must not change the call or the callee.
#include "dialect/call.h"

#include <limits.h>
#include <string.h>

#include "dialect/diagnostic.h"
#include "dialect/glue/glue.h"
#include "dialect/infer.h"
#include "dialect/op_table.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "schema/axis_expression.h"

// An error about the call with a note at the callee. Returns false.
RAGGED_PRINTF(3, 4)
static bool call_error(const ragged_op_view *call, MlirOperation callee, const char *format, ...) {
  if (call->quiet) return false;
  ragged_arena arena = {0};
  va_list arguments;
  va_start(arguments, format);
  const char *message = ragged_arena_vformat(&arena, format, arguments);
  va_end(arguments);
  message = ragged_arena_format(&arena, "'%.*s' op %s", (int)call->name.length, call->name.data,
                                message);
  ragged_emit_error(call->location, message, mlirOperationGetLocation(callee),
                    "the callee is defined here");
  ragged_arena_free(&arena);
  return false;
}

// A rule's error: the note is at the operand that disagrees, or else at the callee.
static bool call_rule_error(const ragged_op_view *call, MlirOperation callee,
                            const ragged_rule_error *error) {
  if (error->other_operand >= 0) return ragged_view_rule_error(call, error);
  return call_error(call, callee, "%s", error->message);
}

// C1.
static bool get_function_type(const ragged_op_view *call, MlirOperation callee, MlirType *out) {
  if (mlirOperationIsNull(callee))
    return ragged_view_error(call, "calls a function that the module does not have");
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(callee));
  MlirAttribute type = mlirOperationGetAttributeByName(
      callee, mlirStringRefCreateFromCString("function_type"));
  if (!mlirStringRefEqual(name, mlirStringRefCreateFromCString("func.func")) ||
      mlirAttributeIsNull(type) || !mlirAttributeIsAType(type) ||
      !mlirTypeIsAFunction(mlirTypeAttrGetValue(type)))
    return call_error(call, callee, "calls %.*s, expected a func.func", (int)name.length,
                      name.data);
  *out = mlirTypeAttrGetValue(type);
  return true;
}

// ---- Axis names -----------------------------------------------------------------------------

typedef struct name_list {
  ragged_arena *arena;
  const char **names;  // distinct, in order of mention
  int size, capacity;
} name_list;

static bool has_name(const name_list *list, const char *name) {
  for (int k = 0; k < list->size; ++k)
    if (!strcmp(list->names[k], name)) return true;
  return false;
}

static void add_name(const char *name, void *user) {
  name_list *list = user;
  if (has_name(list, name)) return;
  if (list->size == list->capacity) {
    list->capacity = list->capacity ? 2 * list->capacity : 8;
    const char **larger = RAGGED_ARENA_ARRAY(list->arena, const char *, list->capacity);
    for (int k = 0; k < list->size; ++k) larger[k] = list->names[k];
    list->names = larger;
  }
  list->names[list->size++] = ragged_arena_copy_string(list->arena, name, strlen(name));
}

// Adds the names in the schema's axes. `plain_only`: those of dimensions that are a mere name.
static bool add_schema_names(const ragged_op_view *call, const ragged_schema *schema,
                             bool plain_only, name_list *list) {
  for (int d = 0; d < schema->rank; ++d) {
    const char *axis = schema->dimensions[d].axis;
    if (!axis || (plain_only && !ragged_axis_is_name(axis))) continue;
    ragged_status status = ragged_axis_visit_names(list->arena, axis, add_name, list);
    if (!status) continue;
    ragged_view_error(call, "%s", ragged_status_message(status));
    ragged_status_free(status);
    return false;
  }
  return true;
}

// ---- Operands against arguments -------------------------------------------------------------

typedef struct call_sides {
  int count;
  ragged_schema *formals, *actuals;  // both of rank 0 where there is nothing to unify
  bool open;   // an argument of the callee is `*`
  bool loose;  // an operand is `*` where the argument is known
} call_sides;

// C2 for one operand, as far as no axis is concerned.
static bool get_side(const ragged_op_view *call, MlirOperation callee, int k, MlirType formal,
                     call_sides *sides) {
  MlirType actual = ragged_view_operand_type(call, k);
  bool ragged = ragged_type_is_tensor(formal);
  ragged_element_type formal_element, actual_element;
  bool ok = ragged ? ragged_type_is_tensor(actual) : mlirTypeEqual(formal, actual);
  if (ok && ragged && (ragged_type_is_unknown(formal) || ragged_type_is_unknown(actual)))
    ok = ragged_type_get_element(formal, &formal_element) &&
         ragged_type_get_element(actual, &actual_element) && formal_element == actual_element;
  if (!ok) {
    ragged_arena arena = {0};
    call_error(call, callee, "operand #%d is %s, expected %s as in the callee", k,
               ragged_type_text(&arena, actual), ragged_type_text(&arena, formal));
    ragged_arena_free(&arena);
    return false;
  }
  if (!ragged) return true;
  sides->open |= ragged_type_is_unknown(formal);
  sides->loose |= ragged_type_is_unknown(actual) && !ragged_type_is_unknown(formal);
  if (ragged_type_is_unknown(formal) || ragged_type_is_unknown(actual)) return true;
  ragged_type_get_schema(formal, &sides->formals[k]);
  ragged_type_get_schema(actual, &sides->actuals[k]);
  return true;
}

// Drops what cannot be compared because a `*` operand would have to bind a name of it.
static bool drop_unbound_sides(const ragged_op_view *call, call_sides *sides, ragged_arena *arena) {
  name_list plain = {.arena = arena};
  for (int k = 0; k < sides->count; ++k)
    if (!add_schema_names(call, &sides->formals[k], true, &plain)) return false;
  for (int k = 0; k < sides->count; ++k) {
    name_list own = {.arena = arena};
    if (!add_schema_names(call, &sides->formals[k], false, &own)) return false;
    for (int j = 0; j < own.size; ++j)
      if (!has_name(&plain, own.names[j]))
        sides->formals[k] = sides->actuals[k] = (ragged_schema){0};
  }
  return true;
}

// ---- Axes that the callee creates -----------------------------------------------------------

// Names in the results that no argument bears, in order of mention.
static bool get_created(const ragged_op_view *call, MlirType function, ragged_arena *arena,
                        name_list *out) {
  name_list borne = {.arena = arena}, mentioned = {.arena = arena};
  ragged_schema schema;
  for (intptr_t k = 0; k < mlirFunctionTypeGetNumInputs(function); ++k)
    if (ragged_type_get_schema(mlirFunctionTypeGetInput(function, k), &schema) &&
        !add_schema_names(call, &schema, false, &borne))
      return false;
  for (intptr_t k = 0; k < mlirFunctionTypeGetNumResults(function); ++k)
    if (ragged_type_get_schema(mlirFunctionTypeGetResult(function, k), &schema) &&
        !add_schema_names(call, &schema, false, &mentioned))
      return false;
  for (int k = 0; k < mentioned.size; ++k)
    if (!has_name(&borne, mentioned.names[k])) add_name(mentioned.names[k], out);
  return true;
}

// A name that the call gives is new: no operand bears it.
static bool check_given_name(const ragged_op_view *call, const char *name, ragged_arena *arena) {
  for (intptr_t k = 0; k < call->num_operands; ++k) {
    ragged_schema schema;
    name_list own = {.arena = arena};
    if (!ragged_type_get_schema(ragged_view_operand_type(call, k), &schema)) continue;
    if (!add_schema_names(call, &schema, false, &own)) return false;
    if (has_name(&own, name))
      return ragged_view_error_at(call, (int)k, "'axes' names %s, which operand #%d bears already",
                                  name, (int)k);
  }
  return true;
}

// C4.
static bool bind_created(const ragged_op_view *call, MlirOperation callee, MlirType function,
                         bool open, ragged_substitution *substitution, ragged_arena *arena) {
  name_list created = {.arena = arena};
  int count = 0;
  const char **names = NULL;
  ragged_rule_error error;
  if (!get_created(call, function, arena, &created) ||
      !ragged_infer_axis_names(call, arena, open ? RAGGED_MAX_RANK : INT_MAX, &count, &names))
    return false;
  for (int k = 0; k < count; ++k)
    if (!check_given_name(call, names[k], arena)) return false;
  // Which names a `*` argument bears is not known, so neither is which ones are created.
  if (open) return true;
  if (count < created.size)
    return call_error(call, callee, "'axes' has %d names, but the callee creates %d axes, the next "
                      "of them %s", count, created.size, created.names[count]);
  if (count > created.size)
    return call_error(call, callee, "'axes' has %d names, but the callee creates %d axes", count,
                      created.size);
  for (int k = 0; k < count; ++k)
    if (!ragged_substitution_bind(substitution, arena, created.names[k], names[k], -1, &error))
      return call_rule_error(call, callee, &error);
  return true;
}

bool ragged_call_substitution(const ragged_op_view *call, MlirOperation callee,
                              ragged_substitution *out_substitution, ragged_arena *arena) {
  MlirType function;
  ragged_rule_error error;
  if (!get_function_type(call, callee, &function)) return false;
  call_sides sides = {.count = (int)call->num_operands};
  if (call->num_operands != mlirFunctionTypeGetNumInputs(function))
    return call_error(call, callee, "has %d operands, expected %d as in the callee", sides.count,
                      (int)mlirFunctionTypeGetNumInputs(function));
  sides.formals = RAGGED_ARENA_ARRAY(arena, ragged_schema, sides.count + 1);
  sides.actuals = RAGGED_ARENA_ARRAY(arena, ragged_schema, sides.count + 1);
  for (int k = 0; k < sides.count; ++k)
    if (!get_side(call, callee, k, mlirFunctionTypeGetInput(function, k), &sides)) return false;
  if (sides.loose && !drop_unbound_sides(call, &sides, arena)) return false;
  if (!ragged_rule_unify_all(sides.count, sides.formals, sides.actuals, out_substitution, arena,
                             &error))
    return call_rule_error(call, callee, &error);
  return bind_created(call, callee, function, sides.open, out_substitution, arena);
}

// ---- Results --------------------------------------------------------------------------------

static bool infer_result(const ragged_op_view *call, MlirOperation callee, MlirType declared,
                         const ragged_substitution *substitution, ragged_arena *arena,
                         MlirType *out) {
  ragged_schema schema, result;
  ragged_rule_error error;
  name_list names = {.arena = arena};
  *out = declared;
  if (!ragged_type_get_schema(declared, &schema)) return true;
  if (!add_schema_names(call, &schema, false, &names)) return false;
  for (int k = 0; k < names.size; ++k) {
    if (ragged_substitution_find(substitution, names.names[k])) continue;
    *out = ragged_type_unknown(call->context, schema.element_type);
    return true;
  }
  if (!ragged_rule_substitute(&schema, substitution, arena, &result, &error))
    return call_rule_error(call, callee, &error);
  *out = ragged_type_from_schema(call->context, &result);
  return true;
}

static bool infer_results(const ragged_op_view *call, MlirOperation callee, MlirType *types,
                          intptr_t *out_count, ragged_arena *arena) {
  ragged_substitution substitution = {0};
  MlirType function;
  if (!get_function_type(call, callee, &function) ||
      !ragged_call_substitution(call, callee, &substitution, arena))
    return false;
  *out_count = mlirFunctionTypeGetNumResults(function);
  for (intptr_t k = 0; k < *out_count; ++k)
    if (!infer_result(call, callee, mlirFunctionTypeGetResult(function, k), &substitution, arena,
                      &types[k]))
      return false;
  return true;
}

bool ragged_call_infer(const ragged_op_view *call, MlirOperation callee, MlirType *types,
                       intptr_t *out_count) {
  ragged_arena arena = {0};
  bool ok = infer_results(call, callee, types, out_count, &arena);
  ragged_arena_free(&arena);
  return ok;
}

// C5.
static bool verify(const ragged_op_view *call, MlirOperation callee, ragged_arena *arena) {
  MlirType function;
  if (!get_function_type(call, callee, &function)) return false;
  intptr_t count = mlirFunctionTypeGetNumResults(function);
  MlirType *types = RAGGED_ARENA_ARRAY(arena, MlirType, count + 1);
  if (!infer_results(call, callee, types, &count, arena)) return false;
  if (call->num_results != count)
    return call_error(call, callee, "has %d results, expected %d as in the callee",
                      (int)call->num_results, (int)count);
  for (intptr_t k = 0; k < count; ++k)
    if (!ragged_op_accepts(call->results[k], types[k]))
      return call_error(call, callee, "result #%d is %s, expected %s", (int)k,
                        ragged_type_text(arena, call->results[k]),
                        ragged_type_text(arena, types[k]));
  return true;
}

bool ragged_call_verify(MlirOperation call, MlirOperation callee) {
  ragged_arena arena = {0};
  ragged_op_view view = ragged_view_of(call, &arena);
  bool ok = verify(&view, callee, &arena);
  ragged_arena_free(&arena);
  return ok;
}
