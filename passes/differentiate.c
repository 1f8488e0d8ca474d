// --ragged-differentiate: adds a function's derivative to its module. A copy of the function, its calls
// inlined, gets the backward part behind its own ops (passes/grad/gradient.c), then computes again what
// is not to be kept (passes/grad/keep.c). That is @f_vjp; cut in two it is @f_fwd and @f_bwd.
#include <stdlib.h>
#include <string.h>

#include "dialect/diagnostic.h"
#include "dialect/type_schema.h"
#include "passes/allowed_ops.h"
#include "passes/grad/fresh_copy.h"
#include "passes/grad/gradient.h"
#include "passes/grad/keep.h"
#include "passes/grad/unroll.h"
#include "passes/inline.h"
#include "passes/name_table.h"
#include "passes/passes.h"
#include "passes/program.h"
#include "support/string_buffer.h"

#define MARK "ragged.mark"

typedef struct differentiation {
  MlirContext context;
  ragged_arena *arena;
  MlirOperation module, entry;  // the function that is asked for
  const char *name;
  gradient_keep keep;
  bool split;
  int num_inputs, num_results, num_cotangents, num_gradients;
  int *wanted;                  // the argument of each gradient
  MlirOperation function;       // the copy that becomes the derivative
  MlirBlock body;
  gradient_kept kept;
} differentiation;

// ---- Options --------------------------------------------------------------------------------

static bool fail(const differentiation *d, const char *message) {
  MlirLocation location = mlirOperationIsNull(d->entry) ? ragged_module_location(d->module)
                                                        : mlirOperationGetLocation(d->entry);
  ragged_emit_error(location, message, location, NULL);
  return false;
}

static bool read_modes(differentiation *d, const ragged_differentiate_options *options) {
  static const char *const keeps[] = {"minimal", "inputs", "all"};
  int keep = 0;
  while (keep < 3 && strcmp(options->keep, keeps[keep])) ++keep;
  if (keep == 3)
    return fail(d, ragged_arena_format(d->arena, "keep is '%s', expected minimal, inputs or all",
                                       options->keep));
  d->keep = (gradient_keep)keep;
  d->split = !strcmp(options->mode, "split");
  if (!d->split && strcmp(options->mode, "vjp"))
    return fail(d, ragged_arena_format(d->arena, "mode is '%s', expected vjp or split",
                                       options->mode));
  return true;
}

static bool fail_missing(const differentiation *d, const ragged_program *program,
                         const char *entry) {
  ragged_string_buffer names = {0};
  for (int k = 0; k < program->size; ++k)
    if (!mlirBlockIsNull(program->functions[k].body))
      ragged_string_appendf(&names, "%s@%s", names.length ? ", " : "", program->functions[k].name);
  fail(d, ragged_arena_format(d->arena, "the module has no function @%s to differentiate, but %s",
                              entry, names.length ? names.data : "none at all"));
  ragged_string_free(&names);
  return false;
}

static bool find_entry(differentiation *d, const ragged_program *program, const char *entry) {
  if (!*entry) return fail(d, "entry names no function to differentiate");
  for (int k = 0; k < program->size; ++k)
    if (!strcmp(program->functions[k].name, entry)) {
      if (mlirBlockIsNull(program->functions[k].body))
        return fail(d, ragged_arena_format(d->arena, "entry @%s has no body", entry));
      d->entry = program->functions[k].operation;
      d->name = program->functions[k].name;
      return true;
    }
  return fail_missing(d, program, entry);
}

static bool is_free(const differentiation *d, const char *suffix) {
  const char *name = ragged_arena_format(d->arena, "%s_%s", d->name, suffix);
  if (mlirOperationIsNull(ragged_module_lookup(d->module, name))) return true;
  return fail(d, ragged_arena_format(d->arena, "the module has a @%s already", name));
}

static bool fail_range(const differentiation *d, long long number) {
  if (!d->num_inputs)
    return fail(d, ragged_arena_format(d->arena, "wrt names argument #%lld, but @%s has no arguments",
                                       number, d->name));
  return fail(d, ragged_arena_format(d->arena, "wrt names argument #%lld, but @%s has arguments 0 to "
                                     "%d, counted from 0", number, d->name, d->num_inputs - 1));
}

// `what`: argument, result.
static bool fail_no_floats(const differentiation *d, const char *what) {
  return fail(d, ragged_arena_format(
                     d->arena, "@%s has no %s of floats, but at least one is required; its type is %s",
                     d->name, what, ragged_type_text(d->arena, ragged_function_type(d->entry))));
}

// The arguments to differentiate for, in that order: those listed, or all of floats.
static bool read_wanted(differentiation *d, const ragged_differentiate_options *options) {
  MlirType type = ragged_function_type(d->entry);
  d->num_inputs = (int)mlirFunctionTypeGetNumInputs(type);
  d->num_results = (int)mlirFunctionTypeGetNumResults(type);
  d->wanted = RAGGED_ARENA_ARRAY(d->arena, int, d->num_inputs + 1);
  for (int k = 0; k < d->num_inputs && options->num_wrt == 0; ++k)
    if (gradient_is_float(mlirFunctionTypeGetInput(type, k))) d->wanted[d->num_gradients++] = k;
  for (int k = 0; k < options->num_wrt; ++k) {
    int64_t number = options->wrt[k];
    if (number < 0 || number >= d->num_inputs) return fail_range(d, number);
    for (int g = 0; g < d->num_gradients; ++g)
      if (d->wanted[g] == number)
        return fail(d, ragged_arena_format(d->arena, "wrt names argument #%lld twice",
                                           (long long)number));
    MlirType own = mlirFunctionTypeGetInput(type, number);
    if (!gradient_is_float(own))
      return fail(d, ragged_arena_format(d->arena, "wrt names argument #%lld of type %s, expected "
                                         "a value of floats", (long long)number,
                                         ragged_type_text(d->arena, own)));
    d->wanted[d->num_gradients++] = (int)number;
  }
  return d->num_gradients || fail_no_floats(d, "argument");
}

static bool check_results(const differentiation *d) {
  MlirType type = ragged_function_type(d->entry);
  for (int k = 0; k < d->num_results; ++k)
    if (gradient_is_float(mlirFunctionTypeGetResult(type, k))) return true;
  return fail_no_floats(d, "result");
}

static bool check_op(MlirOperation operation, void *user) {
  (void)user;
  for (intptr_t k = 0; k < mlirOperationGetNumResults(operation); ++k)
    if (ragged_type_is_unknown(mlirValueGetType(mlirOperationGetResult(operation, k))))
      return ragged_op_error(operation, "result #%d has an unknown schema, which cannot be "
                             "differentiated; run --ragged-propagate-schemas first", (int)k);
  return ragged_check_allowed_op(operation);
}

// ---- The copy -------------------------------------------------------------------------------

static void set_name(const differentiation *d, MlirOperation function, const char *suffix) {
  const char *name = ragged_arena_format(d->arena, "%s_%s", d->name, suffix);
  mlirOperationSetAttributeByName(function, mlirStringRefCreateFromCString("sym_name"),
                                  ragged_attribute_string(d->context, name));
}

// Attribute `name` (arg_attrs, res_attrs) for `count` values: an empty dictionary where there was none.
static void pad_attributes(const differentiation *d, MlirOperation function, const char *name,
                           intptr_t first, intptr_t count) {
  MlirAttribute own = ragged_operation_attribute(function, name);
  if (mlirAttributeIsNull(own) || !mlirAttributeIsAArray(own)) return;
  MlirAttribute *all = RAGGED_ARENA_ARRAY(d->arena, MlirAttribute, count + 1);
  for (intptr_t k = 0; k < count; ++k)
    all[k] = k < first && k < mlirArrayAttrGetNumElements(own)
                 ? mlirArrayAttrGetElement(own, k)
                 : mlirDictionaryAttrGet(d->context, 0, NULL);
  mlirOperationSetAttributeByName(function, mlirStringRefCreateFromCString(name),
                                  mlirArrayAttrGet(d->context, count, all));
}

// Makes the function's type that of its body; `old_inputs` and `old_results` keep their attributes.
static void set_type(const differentiation *d, MlirOperation function, intptr_t old_inputs,
                     intptr_t old_results) {
  MlirBlock body = ragged_operation_body(function);
  MlirOperation last = mlirBlockGetTerminator(body);
  intptr_t num_inputs = mlirBlockGetNumArguments(body);
  intptr_t num_results = mlirOperationGetNumOperands(last);
  MlirType *inputs = RAGGED_ARENA_ARRAY(d->arena, MlirType, num_inputs + 1);
  MlirType *results = RAGGED_ARENA_ARRAY(d->arena, MlirType, num_results + 1);
  for (intptr_t k = 0; k < num_inputs; ++k)
    inputs[k] = mlirValueGetType(mlirBlockGetArgument(body, k));
  for (intptr_t k = 0; k < num_results; ++k)
    results[k] = mlirValueGetType(mlirOperationGetOperand(last, k));
  mlirOperationSetAttributeByName(
      function, mlirStringRefCreateFromCString("function_type"),
      ragged_attribute_type(
          mlirFunctionTypeGet(d->context, num_inputs, inputs, num_results, results)));
  pad_attributes(d, function, "arg_attrs", old_inputs, num_inputs);
  pad_attributes(d, function, "res_attrs", old_results, num_results);
}

// ---- The derivative -------------------------------------------------------------------------

static MlirLocation named(const differentiation *d, const char *name) {
  return mlirLocationNameGet(d->context, mlirStringRefCreateFromCString(name),
                             mlirOperationGetLocation(d->entry));
}

// A function that creates an axis cannot have an argument along it: the cotangent has an axis of its
// own there, whose extents are checked.
static MlirValue along_created_axes(gradient *g, MlirValue argument, MlirValue result) {
  ragged_schema own = gradient_schema(argument), wanted = gradient_schema(result);
  for (int d = 0; d < own.rank; ++d) {
    if (ragged_dimension_equal(own.dimensions[d], wanted.dimensions[d])) continue;
    int64_t dims[RAGGED_MAX_RANK];
    int count = 0;
    for (int e = d; e < own.rank; ++e)
      if (ragged_dimension_equal(wanted.dimensions[e], wanted.dimensions[d])) dims[count++] = e;
    MlirAttribute to = ragged_attribute_string(g->context, wanted.dimensions[d].axis);
    argument = gradient_op(g, "ragged.assume_same_axis", RAGGED_VALUES(argument, result),
                           RAGGED_ATTRIBUTES(gradient_dims(g, "dims", count, dims),
                                             ragged_named(g->context, "to", to)));
    if (mlirValueIsNull(argument)) return argument;
    own = gradient_schema(argument);
  }
  return argument;
}

// One cotangent per result of floats, behind the arguments.
static void add_cotangents(differentiation *d, gradient *g, MlirOperation last) {
  ragged_substitution fresh = {0};
  bool creates = !d->split && gradient_fresh_axes(d->arena, d->function, &fresh);
  for (int k = 0; k < d->num_results; ++k) {
    MlirValue result = mlirOperationGetOperand(last, k);
    MlirType type = mlirValueGetType(result);
    if (!gradient_is_float(type)) continue;
    ragged_schema schema = gradient_schema(result), renamed;
    ragged_rule_error error;
    if (creates && gradient_is_ragged(result) &&
        ragged_rule_substitute(&schema, &fresh, d->arena, &renamed, &error))
      type = ragged_type_from_schema(d->context, &renamed);
    MlirValue cotangent = mlirBlockAddArgument(
        d->body, type, named(d, ragged_arena_format(d->arena, "d_%s", gradient_name_of(d->arena, result))));
    ++d->num_cotangents;
    if (gradient_is_ragged(result)) cotangent = along_created_axes(g, cotangent, result);
    gradient_add(g, result, cotangent);
  }
}

static void set_results(differentiation *d, gradient *g, MlirOperation last) {
  MlirValue *results =
      RAGGED_ARENA_ARRAY(d->arena, MlirValue, d->num_results + d->num_gradients + 1);
  int count = 0;
  for (; count < d->num_results; ++count) results[count] = mlirOperationGetOperand(last, count);
  for (int k = 0; k < d->num_gradients && !g->failed; ++k) {
    MlirValue argument = mlirBlockGetArgument(d->body, d->wanted[k]);
    MlirValue cotangent = ragged_value_map_get(g->cotangents, argument);
    if (mlirValueIsNull(cotangent)) cotangent = gradient_zeros(g, argument);
    results[count++] = cotangent;
  }
  if (!g->failed) mlirOperationSetOperands(last, count, results);
}

// Between the forward part and the backward one; gone before the pass ends.
static MlirOperation add_mark(const differentiation *d, MlirOperation last) {
  ragged_builder at = ragged_builder_before(last);
  MlirOperation mark = ragged_value_definition(ragged_build_index(&at, 0));
  mlirOperationSetDiscardableAttributeByName(mark, mlirStringRefCreateFromCString(MARK),
                                             mlirUnitAttrGet(d->context));
  return mark;
}

// Gives each value without a name that of its op, with a number where it is not the first: so that a
// reader finds what `%d_add_2` is the cotangent of.
static void name_values(const differentiation *d) {
  ragged_name_table names = {.arena = d->arena};
  for (MlirOperation op = mlirBlockGetFirstOperation(d->body); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    MlirLocation location = mlirOperationGetLocation(op);
    if (mlirOperationGetNumResults(op) != 1 || mlirLocationIsAName(location)) continue;
    const char *stem = gradient_name_of(d->arena, mlirOperationGetResult(op, 0)), *name = stem;
    for (int n = 1; ragged_name_table_find(&names, name) >= 0; ++n)
      name = ragged_arena_format(d->arena, "%s_%d", stem, n);
    ragged_name_table_add(&names, name);
    mlirOperationSetLocation(op, mlirLocationNameGet(d->context,
                                                     mlirStringRefCreateFromCString(name), location));
  }
}

static bool add_backward(differentiation *d, MlirOperation *out_mark) {
  MlirOperation last = mlirBlockGetTerminator(d->body);
  ragged_value_map active = {0}, cotangents = {0};
  gradient g = {.context = d->context, .arena = d->arena, .b = ragged_builder_before(last),
                .active = &active, .cotangents = &cotangents, .operation = last,
                .keep = d->keep};
  gradient_unroll(&g, d->body);
  name_values(d);
  g.mark = add_mark(d, last);
  g.b = ragged_builder_before(last);
  for (int k = 0; k < d->num_gradients; ++k) {
    MlirValue argument = mlirBlockGetArgument(d->body, d->wanted[k]);
    ragged_value_map_set(d->arena, &active, argument, argument);
  }
  gradient_mark_active(&g, d->body);
  add_cotangents(d, &g, last);
  gradient_reverse(&g, d->body, (MlirOperation){NULL});
  g.b.location = mlirOperationGetLocation(last);
  set_results(d, &g, last);
  *out_mark = g.mark;
  return !g.failed;
}

// Destroys the ops from `first` to the one before `end`, the last one first.
static void destroy_between(const differentiation *d, MlirOperation first, MlirOperation end) {
  int count;
  MlirOperation *operations = ragged_ops_between(d->arena, first, end, &count);
  while (count) mlirOperationDestroy(operations[--count]);
}

// ---- What is reported -----------------------------------------------------------------------

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// `ragged.kept = {"(n, n)" = 2048 : i64}`: bytes of a row of each space (of all for "dense") that are
// kept besides arguments and results.
static void report_kept(const differentiation *d, MlirOperation function) {
  const char **spaces = RAGGED_ARENA_ARRAY(d->arena, const char *, d->kept.count + 1);
  const char **names = RAGGED_ARENA_ARRAY(d->arena, const char *, d->kept.count + 1);
  int64_t *bytes = RAGGED_ARENA_ARRAY(d->arena, int64_t, d->kept.count + 1);
  MlirOperation last = mlirBlockGetTerminator(ragged_operation_body(d->function));
  int count = 0, distinct = 0;
  for (int k = 0; k < d->kept.count; ++k) {
    bool is_result = false;
    for (int r = 0; r < d->num_results; ++r)
      is_result |= mlirValueEqual(mlirOperationGetOperand(last, r), d->kept.values[k]);
    if (is_result) continue;
    bytes[count] = gradient_row_bytes(d->arena, d->kept.values[k], &spaces[count]);
    names[count] = spaces[count];
    ++count;
  }
  qsort(names, (size_t)count, sizeof *names, compare_names);
  MlirNamedAttribute *entries = RAGGED_ARENA_ARRAY(d->arena, MlirNamedAttribute, count + 1);
  for (int n = 0; n < count; ++n) {
    if (n && !strcmp(names[n], names[n - 1])) continue;
    int64_t sum = 0;
    for (int k = 0; k < count; ++k) sum += strcmp(spaces[k], names[n]) ? 0 : bytes[k];
    entries[distinct++] = ragged_named(d->context, names[n], ragged_attribute_i64(d->context, sum));
  }
  mlirOperationSetDiscardableAttributeByName(
      function, mlirStringRefCreateFromCString("ragged.kept"),
      mlirDictionaryAttrGet(d->context, distinct, entries));
}

// ---- Two functions --------------------------------------------------------------------------

// The results and what is kept of the forward part; the cotangents' arguments are gone.
static void cut_forward(const differentiation *d, MlirOperation function) {
  MlirBlock body = ragged_operation_body(function);
  MlirOperation last = mlirBlockGetTerminator(body), op = mlirBlockGetFirstOperation(body);
  while (!ragged_operation_has(op, MARK)) op = mlirOperationGetNextInBlock(op);
  MlirValue *results =
      RAGGED_ARENA_ARRAY(d->arena, MlirValue, d->num_results + d->kept.count + 1);
  for (int k = 0; k < d->num_results + d->kept.count; ++k)
    results[k] = mlirOperationGetOperand(last, k);
  mlirOperationSetOperands(last, d->num_results + d->kept.count, results);
  destroy_between(d, op, last);
  for (int k = 0; k < d->num_cotangents; ++k)
    mlirBlockEraseArgument(body, (unsigned)d->num_inputs);
  set_type(d, function, d->num_inputs, d->num_results);
}

// The backward part, with what is kept as arguments between the inputs and the cotangents.
static void cut_backward(const differentiation *d, MlirOperation mark) {
  MlirOperation last = mlirBlockGetTerminator(d->body);
  MlirValue *gradients = RAGGED_ARENA_ARRAY(d->arena, MlirValue, d->num_gradients + 1);
  for (int k = 0; k < d->kept.count; ++k) {
    MlirValue value = d->kept.values[k];
    MlirValue argument =
        mlirBlockInsertArgument(d->body, d->num_inputs + k, mlirValueGetType(value),
                                named(d, gradient_name_of(d->arena, value)));
    mlirValueReplaceAllUsesOfWith(value, argument);
  }
  for (int k = 0; k < d->num_gradients; ++k)
    gradients[k] = mlirOperationGetOperand(last, d->num_results + d->kept.count + k);
  mlirOperationSetOperands(last, d->num_gradients, gradients);
  MlirOperation after = mlirOperationGetNextInBlock(mark);
  destroy_between(d, mlirBlockGetFirstOperation(d->body), after);
  mlirOperationRemoveAttributeByName(d->function, mlirStringRefCreateFromCString("res_attrs"));
  set_type(d, d->function, d->num_inputs, 0);
}

static void split(differentiation *d, MlirOperation mark) {
  MlirOperation last = mlirBlockGetTerminator(d->body);
  int total = d->num_results + d->kept.count + d->num_gradients, next = 0;
  MlirValue *operands = RAGGED_ARENA_ARRAY(d->arena, MlirValue, total + 1);
  for (int k = 0; k < d->num_results; ++k) operands[next++] = mlirOperationGetOperand(last, k);
  for (int k = 0; k < d->kept.count; ++k) operands[next++] = d->kept.values[k];
  for (int k = 0; k < d->num_gradients; ++k)
    operands[next++] = mlirOperationGetOperand(last, d->num_results + k);
  mlirOperationSetOperands(last, total, operands);
  MlirOperation forward = mlirOperationClone(d->function);
  mlirBlockInsertOwnedOperationBefore(ragged_operation_body(d->module), d->function, forward);
  set_name(d, forward, "fwd");
  cut_forward(d, forward);
  report_kept(d, forward);
  cut_backward(d, mark);
}

// ---- The pass -------------------------------------------------------------------------------

static bool read_options(differentiation *d, const ragged_program *program,
                         const ragged_differentiate_options *options) {
  return find_entry(d, program, options->entry) && read_modes(d, options) &&
         read_wanted(d, options) && check_results(d) &&
         (d->split ? is_free(d, "fwd") && is_free(d, "bwd") : is_free(d, "vjp"));
}

static bool differentiate(differentiation *d) {
  MlirOperation mark;
  d->function = mlirOperationClone(d->entry);
  mlirBlockInsertOwnedOperationAfter(ragged_operation_body(d->module), d->entry, d->function);
  set_name(d, d->function, d->split ? "bwd" : "vjp");
  d->body = ragged_operation_body(d->function);
  if (!ragged_inline_calls(d->module, d->function) ||
      !ragged_walk(d->function, check_op, NULL) || !add_backward(d, &mark) ||
      !gradient_choose_kept(d->arena, d->body, mark, d->keep, d->split, &d->kept))
    return false;
  if (d->split) {
    split(d, mark);
  } else {
    report_kept(d, d->function);
    mlirOperationDestroy(mark);
    set_type(d, d->function, d->num_inputs, d->num_results);
  }
  return true;
}

bool ragged_differentiate_run(MlirOperation module, const ragged_differentiate_options *options) {
  ragged_arena arena = {0};
  ragged_program program;
  differentiation d = {.context = mlirOperationGetContext(module), .arena = &arena,
                       .module = module, .entry = {NULL}, .function = {NULL}};
  bool ok = ragged_program_read(module, &arena, &program) &&
            read_options(&d, &program, options) && differentiate(&d);
  ragged_arena_free(&arena);
  return ok;
}
