// --ragged-inline: replaces calls by copies of the callees' bodies, callees first, so that a copied
// body holds no call that could be inlined. A copy's axes are renamed: those of the arguments to
// the caller's, those of the results to what the call says, others to names free in the caller.
#include <ctype.h>
#include <string.h>

#include "dialect/call.h"
#include "dialect/diagnostic.h"
#include "dialect/type_schema.h"
#include "ir/build.h"
#include "passes/inline.h"
#include "passes/passes.h"
#include "passes/program.h"
#include "passes/rename_axes.h"
#include "passes/unused_functions.h"

// Ops that inlining may add to a module: calls of calls of calls grow without bound.
#define MAX_INLINED_OPS (1 << 20)

typedef struct inliner {
  ragged_arena arena;        // for one caller
  ragged_name_table names;   // of the caller
  ragged_name_table stems;   // of the names made so far
  int *next_suffix;          // by number of the stem
  int suffix_capacity;
  int64_t *budget;
} inliner;

// ---- Names ----------------------------------------------------------------------------------

// `name` without a suffix such as `_12`.
static const char *stem_of(inliner *in, const char *name) {
  size_t length = strlen(name), end = length;
  while (end > 0 && isdigit((unsigned char)name[end - 1])) --end;
  bool suffix = end < length && end > 1 && name[end - 1] == '_';
  return ragged_arena_copy_string(&in->arena, name, suffix ? end - 1 : length);
}

static int *suffix_of(inliner *in, const char *stem) {
  int number = ragged_name_table_add(&in->stems, stem);
  if (number >= in->suffix_capacity) {
    int capacity = 2 * in->suffix_capacity + 16;
    int *larger = RAGGED_ARENA_ARRAY(&in->arena, int, capacity);
    for (int k = 0; k < in->suffix_capacity; ++k) larger[k] = in->next_suffix[k];
    in->next_suffix = larger;
    in->suffix_capacity = capacity;
  }
  return &in->next_suffix[number];
}

// A name that the caller does not have yet: `name` itself, or its stem with a number.
static const char *make_name(inliner *in, const char *name) {
  if (ragged_name_table_find(&in->names, name) >= 0) {
    const char *stem = stem_of(in, name);
    int *suffix = suffix_of(in, stem);
    do name = ragged_arena_format(&in->arena, "%s_%d", stem, ++*suffix);
    while (ragged_name_table_find(&in->names, name) >= 0);
  }
  int number = ragged_name_table_add(&in->names, name);  // may move the array of names
  return in->names.names[number];
}

// ---- What stands for what -------------------------------------------------------------------

// Names can be matched only where both sides say their schemas.
static bool check_known(const ragged_op_view *call, const ragged_program_function *callee) {
  MlirType type = ragged_function_type(callee->operation);
  bool known = call->num_operands == mlirFunctionTypeGetNumInputs(type) &&
               call->num_results == mlirFunctionTypeGetNumResults(type);
  if (!known)
    return ragged_op_error(call->operation, "does not match the signature of @%s", callee->name);
  for (intptr_t k = 0; k < call->num_operands; ++k)
    known &= !ragged_type_is_unknown(mlirFunctionTypeGetInput(type, k)) &&
             !ragged_type_is_unknown(ragged_view_operand_type(call, k));
  for (intptr_t k = 0; k < call->num_results; ++k)
    known &= !ragged_type_is_unknown(mlirFunctionTypeGetResult(type, k));
  if (known) return true;
  return ragged_op_error(call->operation, "cannot be inlined: an operand, or the signature of @%s, "
                         "has an unknown schema; run --ragged-propagate-schemas first",
                         callee->name);
}

static bool bind(const ragged_op_view *call, ragged_substitution *substitution, ragged_arena *arena,
                 const char *from, const char *to) {
  ragged_rule_error error;
  if (ragged_substitution_bind(substitution, arena, from, to, -1, &error)) return true;
  return ragged_op_error(call->operation, "cannot be inlined: %s", error.message);
}

// The axes of the signature: by unification, or as they are for func.call, of equal types.
static bool bind_signature(const ragged_op_view *call, const ragged_program_function *callee,
                           ragged_substitution *substitution, ragged_arena *arena) {
  if (ragged_operation_is(call->operation, "ragged.call"))
    return ragged_call_substitution(call, callee->operation, substitution, arena);
  ragged_name_table borne = {.arena = arena};
  for (intptr_t k = 0; k < call->num_operands; ++k)
    ragged_name_table_add_type(&borne, ragged_view_operand_type(call, k), false);
  for (int k = 0; k < borne.size; ++k)
    if (!bind(call, substitution, arena, borne.names[k], borne.names[k])) return false;
  return true;
}

static bool bind_all(inliner *in, const ragged_op_view *call, const ragged_program_function *callee,
                     ragged_substitution *substitution, ragged_arena *arena) {
  if (!check_known(call, callee) || !bind_signature(call, callee, substitution, arena))
    return false;
  ragged_name_table inside = {.arena = arena};
  if (!ragged_collect_axes(callee->operation, &inside, in->budget))
    return ragged_op_error(call->operation, "makes more than %d ops, or more than %d nested "
                           "regions, by inlining", MAX_INLINED_OPS, RAGGED_MAX_NESTING);
  for (int k = 0; k < inside.size; ++k) {
    const char *name = inside.names[k];
    if (!ragged_substitution_find(substitution, name) &&
        !bind(call, substitution, arena, name, make_name(in, name)))
      return false;
  }
  return true;
}

// ---- Replacing ------------------------------------------------------------------------------

static bool mismatch(MlirOperation call, const char *what, intptr_t number, MlirType declared,
                     MlirType inlined) {
  ragged_arena arena = {0};
  ragged_op_error(call, "cannot be inlined: %s #%d is %s, but in the callee %s", what, (int)number,
                  ragged_type_text(&arena, declared), ragged_type_text(&arena, inlined));
  ragged_arena_free(&arena);
  return false;
}

// Puts `value` in the place of result `number`, through a cast where that is still unknown.
static bool replace_result(MlirOperation call, intptr_t number, MlirValue value) {
  MlirValue result = mlirOperationGetResult(call, number);
  MlirType own = mlirValueGetType(value), declared = mlirValueGetType(result);
  if (!mlirTypeEqual(own, declared)) {
    ragged_element_type a, b;
    if (!ragged_type_is_unknown(declared) || !ragged_type_is_tensor(own) ||
        !ragged_type_get_element(own, &a) || !ragged_type_get_element(declared, &b) || a != b)
      return mismatch(call, "result", number, declared, own);
    ragged_builder builder = ragged_builder_before(call);
    value = ragged_build_value(&builder, "ragged.schema_cast", declared, 1, &value);
  }
  mlirValueReplaceAllUsesOfWith(result, value);
  return true;
}

// Moves the body of `copy`, a detached function, before the call and replaces the call's results.
static bool splice(MlirOperation call, MlirOperation copy) {
  MlirBlock body = ragged_operation_body(copy);
  for (intptr_t k = 0; k < mlirBlockGetNumArguments(body); ++k) {
    MlirValue argument = mlirBlockGetArgument(body, k);
    MlirValue operand = mlirOperationGetOperand(call, k);
    if (!mlirTypeEqual(mlirValueGetType(argument), mlirValueGetType(operand)))
      return mismatch(call, "operand", k, mlirValueGetType(operand), mlirValueGetType(argument));
    mlirValueReplaceAllUsesOfWith(argument, operand);
  }
  MlirOperation last = ragged_function_return(body);
  for (MlirOperation op = mlirBlockGetFirstOperation(body), next; !mlirOperationEqual(op, last);
       op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, call);
  }
  for (intptr_t k = 0; k < mlirOperationGetNumResults(call); ++k)
    if (!replace_result(call, k, mlirOperationGetOperand(last, k))) return false;
  return true;
}

static bool inline_call(inliner *in, MlirOperation call, const ragged_program_function *callee) {
  ragged_arena arena = {0};
  ragged_substitution substitution = {0};
  ragged_op_view view = ragged_view_of(call, &arena);
  bool ok = bind_all(in, &view, callee, &substitution, &arena);
  if (ok) {
    MlirOperation copy = mlirOperationClone(callee->operation);
    ok = ragged_rename_axes(copy, &substitution, call, &arena) && splice(call, copy);
    mlirOperationDestroy(copy);
    if (ok) mlirOperationDestroy(call);
  }
  ragged_arena_free(&arena);
  return ok;
}

static bool inline_into(const ragged_program *program, const ragged_program_function *caller,
                        int64_t *budget) {
  if (caller->num_calls == 0) return true;
  inliner in = {.budget = budget};
  in.names.arena = in.stems.arena = &in.arena;
  int64_t unlimited = INT64_MAX;
  bool ok = ragged_collect_axes(caller->operation, &in.names, &unlimited);
  for (int k = 0; ok && k < caller->num_calls; ++k) {
    int callee = caller->calls[k].callee;
    if (callee >= 0 && !mlirBlockIsNull(program->functions[callee].body))
      ok = inline_call(&in, caller->calls[k].operation, &program->functions[callee]);
  }
  ragged_arena_free(&in.arena);
  return ok;
}

static bool refuse_recursion(const ragged_program *program) {
  return !program->cycle_text ||
         ragged_op_error(program->cycle[0].operation, "is recursive and cannot be inlined: %s",
                         program->cycle_text);
}

bool ragged_inline_calls(MlirOperation module, MlirOperation function) {
  int64_t budget = MAX_INLINED_OPS;
  for (bool left = true; left;) {  // of what was inlined, calls may remain
    ragged_arena arena = {0};
    ragged_program program;
    bool ok = ragged_program_read(module, &arena, &program);
    left = false;
    for (int k = 0; ok && k < program.size; ++k) {
      const ragged_program_function *own = &program.functions[k];
      if (!mlirOperationEqual(own->operation, function)) continue;
      ragged_program_narrow(&program, k);  // recursion elsewhere does not matter
      ok = refuse_recursion(&program);
      for (int c = 0; c < own->num_calls; ++c)
        left |= own->calls[c].callee >= 0 &&
                !mlirBlockIsNull(program.functions[own->calls[c].callee].body);
      if (ok && left) ok = inline_into(&program, own, &budget);
    }
    ragged_arena_free(&arena);
    if (!ok) return false;
  }
  return true;
}

bool ragged_inline_run(MlirOperation module) {
  ragged_arena arena = {0};
  ragged_program program;
  int64_t budget = MAX_INLINED_OPS;
  bool ok = ragged_program_read(module, &arena, &program) && refuse_recursion(&program);
  for (int k = 0; ok && k < program.size; ++k)
    ok = inline_into(&program, &program.functions[program.order[k]], &budget);
  if (ok) ragged_erase_unused_functions(&program);
  ragged_arena_free(&arena);
  return ok;
}
