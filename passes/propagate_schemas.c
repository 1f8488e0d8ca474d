// --ragged-propagate-schemas: one walk in the order of execution gives every `*` the schema that
// its op infers, callees first. A value is known before its uses are reached, also in loops: what a
// loop carries has the schema that goes in. The first value that stays unknown is the error.
#include "dialect/call.h"
#include "dialect/diagnostic.h"
#include "dialect/op_table.h"
#include "dialect/type_schema.h"
#include "ir/build.h"
#include "passes/passes.h"
#include "passes/program.h"

typedef struct propagation {
  ragged_arena arena;
  const ragged_program *program;
  const bool *done;  // by function: whether its signature is final
  const ragged_program_function *function;
  int next_call;  // calls are met in the order in which they were read
} propagation;

static bool propagate_block(propagation *p, MlirBlock block);

static const char *type_text(propagation *p, MlirType type) {
  return ragged_type_text(&p->arena, type);
}

// Gives `value` the type `type` if it is unknown and the type says more.
static void refine(MlirValue value, MlirType type) {
  if (ragged_type_is_unknown(mlirValueGetType(value)) && ragged_type_is_tensor(type) &&
      !ragged_type_is_unknown(type))
    mlirValueSetType(value, type);
}

static MlirType operand_type(MlirOperation operation, intptr_t k) {
  return mlirValueGetType(mlirOperationGetOperand(operation, k));
}

// ---- Structured control flow ----------------------------------------------------------------

static MlirBlock region_block(MlirOperation operation, intptr_t region) {
  if (region >= mlirOperationGetNumRegions(operation)) return (MlirBlock){NULL};
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, region));
}

// The values that leave `block` with its terminator (`name`); their number in *count. A condition's
// first operand is its flag and is skipped.
static MlirOperation leaving(MlirBlock block, const char *name, intptr_t *first, intptr_t *count) {
  MlirOperation last = {NULL};
  if (!mlirBlockIsNull(block)) last = mlirBlockGetTerminator(block);
  *first = ragged_operation_is(last, "scf.condition") ? 1 : 0;
  *count = 0;
  if (!ragged_operation_is(last, name)) return (MlirOperation){NULL};
  *count = mlirOperationGetNumOperands(last) - *first;
  return last;
}

// Compares what `last` hands back with what went in; a difference is an error with a note there.
static bool check_carried(propagation *p, MlirOperation loop, intptr_t k, MlirType in,
                          MlirOperation last, MlirType back) {
  if (mlirTypeEqual(in, back)) return true;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(loop));
  ragged_emit_error(mlirOperationGetLocation(loop),
                    ragged_arena_format(&p->arena, "'%.*s' op carries value #%d in as %s, but an "
                                        "iteration hands on %s; a loop-carried schema must be "
                                        "invariant", (int)name.length, name.data, (int)k,
                                        type_text(p, in), type_text(p, back)),
                    mlirOperationGetLocation(last), "it is handed on here");
  return false;
}

static bool propagate_if(propagation *p, MlirOperation operation) {
  intptr_t num_results = mlirOperationGetNumResults(operation), first, then_count, else_count;
  MlirBlock then_block = region_block(operation, 0), else_block = region_block(operation, 1);
  if (!mlirBlockIsNull(then_block) && !propagate_block(p, then_block)) return false;
  if (!mlirBlockIsNull(else_block) && !propagate_block(p, else_block)) return false;
  if (num_results == 0) return true;
  MlirOperation then_yield = leaving(then_block, "scf.yield", &first, &then_count);
  MlirOperation else_yield = leaving(else_block, "scf.yield", &first, &else_count);
  if (then_count != num_results || else_count != num_results)
    return ragged_op_error(operation, "yields other than its results");
  for (intptr_t k = 0; k < num_results; ++k) {
    MlirType on_true = operand_type(then_yield, k), on_false = operand_type(else_yield, k);
    if (!mlirTypeEqual(on_true, on_false)) {
      ragged_emit_error(mlirOperationGetLocation(operation),
                        ragged_arena_format(&p->arena, "'scf.if' op result #%d is %s in one branch "
                                            "and %s in the other", (int)k, type_text(p, on_true),
                                            type_text(p, on_false)),
                        mlirOperationGetLocation(else_yield), "the other branch yields here");
      return false;
    }
    refine(mlirOperationGetResult(operation, k), on_true);
  }
  return true;
}

static bool propagate_for(propagation *p, MlirOperation operation) {
  MlirBlock body = region_block(operation, 0);
  intptr_t count = mlirOperationGetNumResults(operation), first, yielded;
  if (mlirBlockIsNull(body) || mlirBlockGetNumArguments(body) != count + 1 ||
      mlirOperationGetNumOperands(operation) != count + 3)
    return ragged_op_error(operation, "is no complete loop");
  for (intptr_t k = 0; k < count; ++k)
    refine(mlirBlockGetArgument(body, k + 1), operand_type(operation, k + 3));
  if (!propagate_block(p, body)) return false;
  MlirOperation yield = leaving(body, "scf.yield", &first, &yielded);
  if (yielded != count) return ragged_op_error(operation, "yields other than its results");
  for (intptr_t k = 0; k < count; ++k) {
    MlirType in = mlirValueGetType(mlirBlockGetArgument(body, k + 1));
    if (!check_carried(p, operation, k, in, yield, operand_type(yield, k))) return false;
    refine(mlirOperationGetResult(operation, k), in);
  }
  return true;
}

static bool propagate_while(propagation *p, MlirOperation operation) {
  MlirBlock before = region_block(operation, 0), after = region_block(operation, 1);
  intptr_t inputs = mlirOperationGetNumOperands(operation), first, passed, yielded;
  intptr_t results = mlirOperationGetNumResults(operation);
  if (mlirBlockIsNull(before) || mlirBlockIsNull(after) ||
      mlirBlockGetNumArguments(before) != inputs || mlirBlockGetNumArguments(after) != results)
    return ragged_op_error(operation, "is no complete loop");
  for (intptr_t k = 0; k < inputs; ++k)
    refine(mlirBlockGetArgument(before, k), operand_type(operation, k));
  if (!propagate_block(p, before)) return false;
  MlirOperation condition = leaving(before, "scf.condition", &first, &passed);
  if (passed != results) return ragged_op_error(operation, "passes on other than its results");
  for (intptr_t k = 0; k < results; ++k) {
    refine(mlirBlockGetArgument(after, k), operand_type(condition, first + k));
    refine(mlirOperationGetResult(operation, k), operand_type(condition, first + k));
  }
  if (!propagate_block(p, after)) return false;
  MlirOperation yield = leaving(after, "scf.yield", &first, &yielded);
  if (yielded != inputs) return ragged_op_error(operation, "yields other than its inputs");
  for (intptr_t k = 0; k < inputs; ++k)
    if (!check_carried(p, operation, k, mlirValueGetType(mlirBlockGetArgument(before, k)), yield,
                       operand_type(yield, k)))
      return false;
  return true;
}

// Any other op with regions: what is inside is inferred as usual, what it hands out is not.
static bool propagate_regions(propagation *p, MlirOperation operation) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(operation); ++r)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      if (!propagate_block(p, block)) return false;
  return true;
}

// ---- Calls ----------------------------------------------------------------------------------

static bool propagate_call(propagation *p, MlirOperation call) {
  // Calls inside what this walk skips come in between.
  while (p->next_call < p->function->num_calls &&
         !mlirOperationEqual(p->function->calls[p->next_call].operation, call))
    ++p->next_call;
  if (p->next_call == p->function->num_calls)
    return ragged_op_error(call, "was not read with the function");
  int number = p->function->calls[p->next_call++].callee;
  intptr_t num_results = mlirOperationGetNumResults(call), count = 0;
  if (number < 0) return true;
  const ragged_program_function *callee = &p->program->functions[number];
  MlirType type = ragged_function_type(callee->operation);
  intptr_t declared = mlirFunctionTypeGetNumResults(type);
  MlirType *types = RAGGED_ARENA_ARRAY(&p->arena, MlirType, declared + 1);
  if (ragged_operation_is(call, "ragged.call")) {
    ragged_op_view view = ragged_view_of(call, &p->arena);
    if (!ragged_call_infer(&view, callee->operation, types, &count)) return false;
  } else {
    for (count = 0; count < declared; ++count)
      types[count] = mlirFunctionTypeGetResult(type, count);
  }
  if (count != num_results)
    return ragged_op_error(call, "has %d results, expected %d as in the callee", (int)num_results,
                           (int)count);
  for (intptr_t k = 0; k < num_results; ++k) {
    MlirValue result = mlirOperationGetResult(call, k);
    if (!p->done[number] && ragged_type_is_unknown(types[k]))
      return ragged_op_error(call, "result #%d has an unknown schema, and recursion through @%s "
                             "leaves it open; declare the schema of the function's result", (int)k,
                             callee->name);
    refine(result, types[k]);
    if (!ragged_type_is_unknown(types[k]) && !mlirTypeEqual(mlirValueGetType(result), types[k]))
      return ragged_op_error(call, "result #%d is %s, expected %s as in the callee", (int)k,
                             type_text(p, mlirValueGetType(result)), type_text(p, types[k]));
  }
  return true;
}

// ---- Ops and functions ----------------------------------------------------------------------

static bool infer_results(propagation *p, MlirOperation operation) {
  MlirType types[RAGGED_MAX_RESULTS];
  intptr_t count = 0;
  ragged_op_view view = ragged_view_of(operation, &p->arena);
  if (!ragged_op_infer(&view, types, &count)) return false;
  for (intptr_t k = 0; k < count && k < view.num_results; ++k)
    refine(mlirOperationGetResult(operation, k), types[k]);
  return true;
}

static bool propagate_operation(propagation *p, MlirOperation operation) {
  if (ragged_operation_in_dialect(operation, "ragged_tile.")) return true;
  if (ragged_operation_is(operation, "scf.if")) return propagate_if(p, operation);
  if (ragged_operation_is(operation, "scf.for")) return propagate_for(p, operation);
  if (ragged_operation_is(operation, "scf.while")) return propagate_while(p, operation);
  if (ragged_operation_is(operation, "func.call") || ragged_operation_is(operation, "ragged.call"))
    return propagate_call(p, operation);
  if (ragged_operation_in_dialect(operation, "ragged.")) return infer_results(p, operation);
  return propagate_regions(p, operation);
}

static bool check_known(propagation *p, MlirOperation operation) {
  for (intptr_t k = 0; k < mlirOperationGetNumResults(operation); ++k) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(operation, k));
    if (!ragged_type_is_unknown(type)) continue;
    bool ours = ragged_operation_in_dialect(operation, "ragged.");
    return ragged_op_error(operation, "result #%d is still %s: %s", (int)k, type_text(p, type),
                           ours ? "the op's operands and attributes do not say its schema"
                                : "schemas are not inferred through this op");
  }
  return true;
}

// A cast between equal types folds away.
static bool fold_cast(MlirOperation operation) {
  if (!ragged_operation_is(operation, "ragged.schema_cast") ||
      mlirOperationGetNumOperands(operation) != 1 || mlirOperationGetNumResults(operation) != 1)
    return false;
  MlirValue from = mlirOperationGetOperand(operation, 0), to = mlirOperationGetResult(operation, 0);
  if (!mlirTypeEqual(mlirValueGetType(from), mlirValueGetType(to))) return false;
  mlirValueReplaceAllUsesOfWith(to, from);
  mlirOperationDestroy(operation);
  return true;
}

static bool propagate_block(propagation *p, MlirBlock block) {
  for (intptr_t k = 0; k < mlirBlockGetNumArguments(block); ++k) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(block, k));
    if (ragged_type_is_unknown(type))
      return ragged_op_error(mlirBlockGetParentOperation(block),
                             "region argument #%d is still %s: schemas are not inferred through "
                             "this op", (int)k, type_text(p, type));
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next; !mlirOperationIsNull(op);
       op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (!propagate_operation(p, op) || !check_known(p, op)) return false;
    fold_cast(op);
  }
  return true;
}

// The declared signature has no `*` in its arguments; a declaration has none at all.
static bool check_signature(propagation *p, const ragged_program_function *function) {
  intptr_t num_inputs = mlirFunctionTypeGetNumInputs(function->type);
  intptr_t num_results = mlirFunctionTypeGetNumResults(function->type);
  for (intptr_t k = 0; k < num_inputs; ++k)
    if (ragged_type_is_unknown(mlirFunctionTypeGetInput(function->type, k)))
      return ragged_op_error(function->operation, "argument #%d is %s; the schema of a function's "
                             "argument is never inferred", (int)k,
                             type_text(p, mlirFunctionTypeGetInput(function->type, k)));
  for (intptr_t k = 0; mlirBlockIsNull(function->body) && k < num_results; ++k)
    if (ragged_type_is_unknown(mlirFunctionTypeGetResult(function->type, k)))
      return ragged_op_error(function->operation, "result #%d is %s, and a declaration has no body "
                             "to infer it from", (int)k,
                             type_text(p, mlirFunctionTypeGetResult(function->type, k)));
  return true;
}

// The function's type takes the types of the values that it returns.
static void update_signature(propagation *p, const ragged_program_function *function) {
  MlirOperation last = ragged_function_return(function->body);
  intptr_t num_inputs = mlirFunctionTypeGetNumInputs(function->type);
  intptr_t num_results = mlirOperationGetNumOperands(last);
  MlirType *inputs = RAGGED_ARENA_ARRAY(&p->arena, MlirType, num_inputs + 1);
  MlirType *results = RAGGED_ARENA_ARRAY(&p->arena, MlirType, num_results + 1);
  for (intptr_t k = 0; k < num_inputs; ++k)
    inputs[k] = mlirFunctionTypeGetInput(function->type, k);
  for (intptr_t k = 0; k < num_results; ++k) results[k] = operand_type(last, k);
  MlirContext context = mlirOperationGetContext(function->operation);
  MlirType type = mlirFunctionTypeGet(context, num_inputs, inputs, num_results, results);
  if (!mlirTypeEqual(type, function->type))
    mlirOperationSetAttributeByName(function->operation,
                                    mlirStringRefCreateFromCString("function_type"),
                                    mlirTypeAttrGet(type));
}

static bool propagate_function(const ragged_program *program, const bool *done, int number) {
  const ragged_program_function *function = &program->functions[number];
  propagation p = {.program = program, .done = done, .function = function};
  bool ok = check_signature(&p, function);
  if (ok && !mlirBlockIsNull(function->body)) {
    ok = propagate_block(&p, function->body);
    if (ok) update_signature(&p, function);
  }
  ragged_arena_free(&p.arena);
  return ok;
}

bool ragged_propagate_schemas_run(MlirOperation module) {
  ragged_arena arena = {0};
  ragged_program program;
  bool ok = ragged_program_read(module, &arena, &program);
  bool *done = RAGGED_ARENA_ARRAY(&arena, bool, ok ? program.size + 1 : 1);
  for (int k = 0; ok && k < program.size; ++k) {
    ok = propagate_function(&program, done, program.order[k]);
    done[program.order[k]] = true;
  }
  ragged_arena_free(&arena);
  return ok;
}
