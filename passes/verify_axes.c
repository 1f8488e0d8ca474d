// --ragged-verify-axes: each axis name is introduced once, and used only where it is introduced.
// Also refuses what a ragged program cannot hold (allowed_ops.c). Changes nothing.
#include <stdlib.h>
#include <string.h>

#include "dialect/diagnostic.h"
#include "dialect/type_schema.h"
#include "ir/build.h"
#include "passes/allowed_ops.h"
#include "passes/name_table.h"
#include "passes/passes.h"
#include "passes/program.h"
#include "schema/axis_expression.h"

// One name of a function. Neither creator nor argument: it was used, but nothing introduces it.
typedef struct axis {
  MlirOperation creator;  // null: an argument bears it
  int argument;           // -1: an op creates it
  bool in_scope, reported;
} axis;

typedef struct verifier {
  ragged_arena arena;
  ragged_name_table names;
  axis *axes;  // by number of the name
  int capacity;
  const ragged_program_function *function;
  bool failed;
} verifier;

static axis *get_axis(verifier *v, const char *name) {
  int before = v->names.size;
  int number = ragged_name_table_add(&v->names, name);
  if (number >= v->capacity) {
    int capacity = 2 * v->capacity + 16;
    axis *axes = RAGGED_ARENA_ARRAY(&v->arena, axis, capacity);
    for (int k = 0; k < before; ++k) axes[k] = v->axes[k];
    v->axes = axes;
    v->capacity = capacity;
  }
  if (number >= before) v->axes[number] = (axis){.argument = -1};
  return &v->axes[number];
}

static MlirLocation axis_location(const verifier *v, const axis *axis) {
  if (axis->argument < 0) return mlirOperationGetLocation(axis->creator);
  return mlirValueGetLocation(mlirBlockGetArgument(v->function->body, axis->argument));
}

// `'op' op message` at `operation`, with a note where `axis` is introduced, if it is.
RAGGED_PRINTF(4, 5)
static void report(verifier *v, MlirOperation operation, axis *axis, const char *format, ...) {
  v->failed = true;
  if (axis->reported) return;
  axis->reported = true;
  va_list arguments;
  va_start(arguments, format);
  const char *message = ragged_arena_vformat(&v->arena, format, arguments);
  va_end(arguments);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  message = ragged_arena_format(&v->arena, "'%.*s' op %s", (int)name.length, name.data, message);
  MlirLocation location = mlirOperationGetLocation(operation);
  if (axis->argument >= 0)
    ragged_emit_error(location, message, axis_location(v, axis),
                      ragged_arena_format(&v->arena, "argument #%d bears it here", axis->argument));
  else if (!mlirOperationIsNull(axis->creator))
    ragged_emit_error(location, message, axis_location(v, axis), "it is created here");
  else
    ragged_emit_error(location, message, location, NULL);
}

// ---- Who introduces what --------------------------------------------------------------------

typedef struct argument_visit {
  verifier *v;
  int argument;
} argument_visit;

static void introduce_argument_name(const char *name, bool plain, void *user) {
  const argument_visit *visit = user;
  if (!plain) return;
  axis *axis = get_axis(visit->v, name);
  if (axis->argument < 0) axis->argument = visit->argument;
  axis->in_scope = true;
}

// The k-th name that `operation` creates; null when there are no more.
static const char *created_name(MlirOperation operation, intptr_t k) {
  if (!ragged_operation_in_dialect(operation, "ragged.")) return NULL;
  MlirAttribute names = ragged_operation_attribute(operation, "axes");
  if (mlirAttributeIsNull(names) || !mlirAttributeIsAArray(names) ||
      k >= mlirArrayAttrGetNumElements(names))
    return NULL;
  MlirAttribute name = mlirArrayAttrGetElement(names, k);
  return mlirAttributeIsAString(name) ? ragged_attribute_text(name) : NULL;
}

static bool collect_created(MlirOperation operation, void *user) {
  verifier *v = user;
  const char *name;
  if (ragged_operation_in_dialect(operation, "ragged_tile.")) return true;
  for (intptr_t k = 0; (name = created_name(operation, k)); ++k) {
    if (!ragged_axis_is_name(name)) {
      v->failed = true;
      ragged_op_error(operation, "creates an axis called '%s', which is no name", name);
      continue;
    }
    axis *axis = get_axis(v, name);
    if (axis->argument >= 0)
      report(v, operation, axis, "creates axis %s, which argument #%d bears", name, axis->argument);
    else if (!mlirOperationIsNull(axis->creator))
      report(v, operation, axis, "creates axis %s, which another op creates", name);
    else
      axis->creator = operation;
  }
  return true;
}

// ---- Where it is used -----------------------------------------------------------------------

typedef struct use {
  verifier *v;
  MlirOperation operation;  // whose result or region argument it is
  const char *what;         // "result", "argument", "region argument"
  int number;
} use;

static void check_name(const char *name, bool plain, void *user) {
  const use *use = user;
  axis *axis = get_axis(use->v, name);
  if (axis->in_scope) return;
  const char *where = plain ? "" : " inside an expression";
  if (mlirOperationIsNull(axis->creator))
    report(use->v, use->operation, axis,
           "%s #%d has axis %s%s, which neither an argument nor an op introduces", use->what,
           use->number, name, where);
  else if (ragged_is_inside(axis->creator, use->operation) &&
           !mlirOperationEqual(use->operation, use->v->function->operation))
    report(use->v, use->operation, axis,
           "%s #%d has axis %s%s, which is born inside a region of the op and is local to it",
           use->what, use->number, name, where);
  else
    report(use->v, use->operation, axis, "%s #%d has axis %s%s, which is not in scope here",
           use->what, use->number, name, where);
}

static void check_value(verifier *v, MlirOperation operation, const char *what, int number,
                        MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!ragged_type_is_allowed(type)) {
    v->failed = true;
    ragged_op_error(operation, "%s #%d is %s, which a ragged program cannot hold", what, number,
                    ragged_type_text(&v->arena, type));
    return;
  }
  use use = {v, operation, what, number};
  ragged_type_visit_names(type, &v->arena, check_name, &use);
}

// func.call gives no names, so its callee creates no axis of its results.
static void check_function_call(verifier *v, const ragged_program *program, MlirOperation call) {
  const char *callee_name = ragged_operation_string(call, "callee");
  MlirOperation callee = {NULL};
  // The calls of a function are in program order, but few: a search by pointer is enough.
  for (int k = 0; k < v->function->num_calls; ++k)
    if (mlirOperationEqual(v->function->calls[k].operation, call) &&
        v->function->calls[k].callee >= 0)
      callee = program->functions[v->function->calls[k].callee].operation;
  if (mlirOperationIsNull(callee)) return;
  ragged_name_table borne = {.arena = &v->arena}, mentioned = {.arena = &v->arena};
  MlirType type = ragged_function_type(callee);
  for (intptr_t k = 0; k < mlirFunctionTypeGetNumInputs(type); ++k)
    ragged_name_table_add_type(&borne, mlirFunctionTypeGetInput(type, k), true);
  for (intptr_t k = 0; k < mlirFunctionTypeGetNumResults(type); ++k)
    ragged_name_table_add_type(&mentioned, mlirFunctionTypeGetResult(type, k), false);
  for (int k = 0; k < mentioned.size; ++k) {
    if (ragged_name_table_find(&borne, mentioned.names[k]) >= 0) continue;
    v->failed = true;
    ragged_emit_error(mlirOperationGetLocation(call),
                      ragged_arena_format(&v->arena, "'func.call' op calls @%s, which creates axis "
                                          "%s; use ragged.call, which names it", callee_name,
                                          mentioned.names[k]),
                      mlirOperationGetLocation(callee), "the callee is defined here");
    return;
  }
}

// ---- The walk -------------------------------------------------------------------------------

static void set_scope(verifier *v, MlirOperation operation, bool in_scope) {
  const char *name;
  for (intptr_t k = 0; (name = created_name(operation, k)); ++k) {
    int number = ragged_name_table_find(&v->names, name);
    if (number >= 0 && mlirOperationEqual(v->axes[number].creator, operation))
      v->axes[number].in_scope = in_scope;
  }
}

static void check_block(verifier *v, const ragged_program *program, MlirBlock block);

// Depth is bounded: ragged_program_read refuses deep nesting.
static void check_operation(verifier *v, const ragged_program *program, MlirOperation operation) {
  if (ragged_operation_in_dialect(operation, "ragged_tile.")) return;
  if (!ragged_check_allowed_op(operation)) {
    v->failed = true;
    return;
  }
  if (ragged_operation_is(operation, "func.call")) check_function_call(v, program, operation);
  set_scope(v, operation, true);
  for (intptr_t k = 0; k < mlirOperationGetNumResults(operation); ++k)
    check_value(v, operation, "result", (int)k, mlirOperationGetResult(operation, k));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(operation); ++r)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      for (intptr_t k = 0; k < mlirBlockGetNumArguments(block); ++k)
        check_value(v, operation, "region argument", (int)k, mlirBlockGetArgument(block, k));
      check_block(v, program, block);
    }
}

static void check_block(verifier *v, const ragged_program *program, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    check_operation(v, program, op);
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    set_scope(v, op, false);
}

static bool verify_function(const ragged_program *program,
                            const ragged_program_function *function) {
  if (mlirBlockIsNull(function->body)) return true;
  verifier v = {.function = function};
  v.names.arena = &v.arena;
  intptr_t num_arguments = mlirBlockGetNumArguments(function->body);
  for (intptr_t k = 0; k < num_arguments; ++k) {
    argument_visit visit = {&v, (int)k};
    ragged_type_visit_names(mlirValueGetType(mlirBlockGetArgument(function->body, k)), &v.arena,
                            introduce_argument_name, &visit);
  }
  ragged_walk(function->operation, collect_created, &v);
  for (intptr_t k = 0; k < num_arguments; ++k)
    check_value(&v, function->operation, "argument", (int)k,
                mlirBlockGetArgument(function->body, k));
  check_block(&v, program, function->body);
  bool ok = !v.failed;
  ragged_arena_free(&v.arena);
  return ok;
}

bool ragged_verify_axes_run(MlirOperation module) {
  ragged_arena arena = {0};
  ragged_program program;
  bool ok = ragged_program_read(module, &arena, &program);
  // All functions, so that one run shows what is wrong in each.
  for (int k = 0, size = ok ? program.size : 0; k < size; ++k)
    ok &= verify_function(&program, &program.functions[k]);
  ragged_arena_free(&arena);
  return ok;
}
