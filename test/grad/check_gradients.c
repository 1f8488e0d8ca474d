// check-gradients FILE.mlir [FUNCTION...]: differentiates each public function of a program (or those
// named) and checks the derivative with the reference interpreter, in double precision, over length
// vectors:
//   - for each argument, the slope along a random direction against central differences with one step
//     of Richardson's extrapolation;
//   - keep=minimal, inputs and all, in one function and in two, give the same numbers but for rounding;
//   - results are those of the function itself;
//   - what the function does not read (rows beyond the last, padding, both drawn as NaN) gets exactly 0,
//     and nothing else becomes NaN.
// A function called twice_... is differentiated twice: its derivative is checked in the same way.
// --print: prints the program with all derivatives of keep=minimal instead, for the executors' tests.
// --calls=CALLS --values=VALUES --out=OUT: the lengths and numbers are those of a list of calls
// (test/differential/calls.h), taken as they are; a function's calls stand together. OUT gets, for each
// call, the cotangents drawn and the gradients, as doubles in logical order, for a check from outside.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "dialect/type_schema.h"
#include "execute.h"
#include "ir/build.h"
#include "ragged-c/passes.h"
#include "run_batch.h"

enum { MAX_VALUES = 2 * RUN_MAX_ARGUMENTS };

static const run_lengths kOneAxis[] = {
    {0, {0}, {0}},       {1, {0}, {0}},        {1, {1}, {0}},       {2, {0, 0}, {0}},
    {5, {1, 0, 5, 4, 0}, {0}}, {2, {2, 3}, {0}}, {3, {7, 7, 7}, {0}}, {3, {1, 30, 1}, {0}},
};
static const run_lengths kTwoAxes[] = {
    {0, {0}, {0}},       {1, {0}, {0}},        {1, {1}, {1}},       {2, {2, 3}, {6, 4}},
    {2, {0, 4}, {5, 0}}, {5, {1, 0, 5, 4, 0}, {3, 4, 0, 2, 0}},     {2, {7, 7}, {7, 7}},
};

// How a derivative is made.
static const struct {
  const char *mode, *keep;
} kVariants[] = {{"vjp", "minimal"},   {"vjp", "inputs"},   {"vjp", "all"},
                 {"split", "minimal"}, {"split", "inputs"}, {"split", "all"}};
enum { NUM_VARIANTS = sizeof kVariants / sizeof *kVariants };

typedef struct values {
  int count;
  ragged_reference_value items[MAX_VALUES];
} values;

typedef struct checker {
  ragged_run_program program;
  ragged_rt_context *context;
  ragged_arena arena;        // of one function
  run_function function;
  MlirModule variants[NUM_VARIANTS];  // the program with the function's derivative; null: none
  const char *name;
  uint64_t random;
  int call;      // number of the call in a list; 0: none
  bool has_f32;  // numbers of the function are rounded to f32 or less
  FILE *out;     // cotangents and gradients; null: not written
  int functions, checks, failures;
  double worst;
} checker;

static void fail(checker *self, const run_batch *batch, const char *what) {
  printf("%s: ", self->name);
  if (self->call) printf("call %d: ", self->call);
  if (batch) run_batch_print(&self->function, batch);
  printf("%s\n", what);
  ++self->failures;
}

static bool fine(checker *self, const run_batch *batch, ragged_status status) {
  if (!status) return true;
  fail(self, batch, ragged_status_message(status));
  ragged_status_free(status);
  return false;
}

// ---- Values ----------------------------------------------------------------------------------

static void free_values(values *v) {
  for (int k = 0; k < v->count; ++k) ragged_reference_value_free(&v->items[k]);
  v->count = 0;
}

static bool is_real(const ragged_reference_value *value) {
  return ragged_element_is_float(value->schema.element_type);
}

// In [-1, 1).
static double draw(checker *self) {
  self->random ^= self->random << 13;
  self->random ^= self->random >> 7;
  self->random ^= self->random << 17;
  return (double)(self->random >> 11) * 0x1p-52 - 1;
}

// Numbers as drawn for the executors' tests, moved so that none is within a step of 0, of another
// argument's at the same place, or of its next 60 neighbours: kinks stay away. `positive`: to 0.5 and
// more.
static void place(ragged_reference_value *value, int argument, bool positive) {
  for (int64_t k = 0; is_real(value) && k < ragged_reference_num_elements(value); ++k) {
    double *x = &value->numbers[k].real;
    if (isnan(*x)) continue;
    double offset = (double)(1 + (37 * (k + 17 * argument)) % 61) / 4096;
    *x = floor(fmin(fmax(*x, -4), 4) * 64) / 64 + offset;
    if (positive) *x = fabs(*x) + 0.5;
  }
}

static bool read_arguments(checker *self, const run_batch *batch, ragged_rt_tensor *const *tensors,
                           values *out) {
  const ragged_rt_entry *entry = self->function.entry;
  bool done = true;
  out->count = 0;
  for (int k = 0; done && k < entry->num_arguments; ++k) {
    ragged_run_value value;
    out->items[k] = (ragged_reference_value){0};
    done = fine(self, batch, ragged_run_value_from_tensor(&entry->arguments[k], tensors[k], &value));
    if (!done) break;
    done = fine(self, batch, ragged_run_value_to_reference(&value, &out->items[k]));
    ragged_run_value_free(&value);
    out->count = k + 1;
  }
  return done;
}

static bool draw_arguments(checker *self, const run_batch *batch, values *out) {
  ragged_rt_tensor *tensors[RUN_MAX_ARGUMENTS] = {NULL};
  bool done = fine(self, batch, run_batch_arguments(&self->function, batch, &self->arena,
                                                    self->context, tensors));
  out->count = 0;
  done = done && read_arguments(self, batch, tensors, out);
  for (int k = 0; k < out->count; ++k)
    place(&out->items[k], k, strstr(self->name, "positive") != NULL);
  for (int k = 0; k < self->function.entry->num_arguments; ++k)
    ragged_rt_tensor_release(tensors[k]);
  return done;
}

// Copies of the values of floats with random numbers, behind what is in `out`.
static bool draw_cotangents(checker *self, const run_batch *batch, const values *results, int count,
                            values *out) {
  for (int k = 0; k < count; ++k) {
    if (!is_real(&results->items[k])) continue;
    ragged_reference_value *own = &out->items[out->count];
    *own = (ragged_reference_value){0};
    if (!fine(self, batch, ragged_reference_value_copy(&results->items[k], own))) return false;
    ++out->count;
    own->accuracy = (ragged_reference_accuracy){0};
    for (int64_t n = 0; n < ragged_reference_num_elements(own); ++n) own->numbers[n].real = draw(self);
  }
  return true;
}

// ---- Running ---------------------------------------------------------------------------------

static MlirOperation find(MlirModule module, const char *name) {
  return ragged_module_lookup(mlirModuleGetOperation(module), name);
}

static bool run(checker *self, const run_batch *batch, MlirModule module, const char *name,
                const values *arguments, values *out) {
  MlirOperation function = find(module, name);
  if (mlirOperationIsNull(function)) {
    fail(self, batch, ragged_arena_format(&self->arena, "there is no @%s", name));
    return false;
  }
  MlirBlock body = ragged_operation_body(function);
  int count = (int)mlirOperationGetNumOperands(mlirBlockGetTerminator(body));
  if (count > MAX_VALUES || mlirBlockGetNumArguments(body) != arguments->count) {
    fail(self, batch, ragged_arena_format(&self->arena, "@%s takes %d arguments, not %d, and gives %d",
                                          name, (int)mlirBlockGetNumArguments(body),
                                          arguments->count, count));
    return false;
  }
  for (int k = 0; k < count; ++k) out->items[k] = (ragged_reference_value){0};
  out->count = 0;
  values renamed = *arguments;  // a cotangent may run along an axis of its own
  for (int k = 0; k < renamed.count; ++k)
    ragged_type_get_schema(mlirValueGetType(mlirBlockGetArgument(body, k)), &renamed.items[k].schema);
  ragged_reference_options smooth = {.mode = RAGGED_REFERENCE_SMOOTH};
  if (!fine(self, batch, ragged_reference_run(function, &smooth, renamed.count, renamed.items,
                                              count, out->items)))
    return false;
  out->count = count;
  return true;
}

// Moves value k to `out`, which owns it from now on.
static void take(values *from, int k, values *out) {
  out->items[out->count++] = from->items[k];
  from->items[k] = (ragged_reference_value){0};
}

// Results and gradients of one variant, whatever functions it is made of.
static bool run_variant(checker *self, const run_batch *batch, int variant, const values *arguments,
                        int num_results, values *out) {
  const char *split = strcmp(kVariants[variant].mode, "split") ? NULL : "fwd";
  MlirModule module = self->variants[variant];
  const char *name = ragged_arena_format(&self->arena, "%s_%s", self->name, split ? split : "vjp");
  if (!split) return run(self, batch, module, name, arguments, out);
  values forward = {0}, backward = {0}, inputs = *arguments;
  inputs.count = self->function.entry->num_arguments;
  bool done = run(self, batch, module, name, &inputs, &forward);
  out->count = 0;
  values all = inputs;
  for (int k = num_results; done && k < forward.count; ++k) all.items[all.count++] = forward.items[k];
  for (int k = inputs.count; done && k < arguments->count; ++k)
    all.items[all.count++] = arguments->items[k];
  name = ragged_arena_format(&self->arena, "%s_bwd", self->name);
  done = done && run(self, batch, module, name, &all, &backward);
  for (int k = 0; done && k < num_results; ++k) take(&forward, k, out);
  for (int k = 0; done && k < backward.count; ++k) take(&backward, k, out);
  free_values(&forward);
  free_values(&backward);
  return done;
}

// ---- Checking --------------------------------------------------------------------------------

static void note(checker *self, const run_batch *batch, double error, double allowed,
                 const char *what) {
  ++self->checks;
  double ratio = error == 0 ? 0 : error / allowed;
  if (ratio > self->worst) self->worst = ratio;
  if (!(ratio <= 1))
    fail(self, batch, ragged_arena_format(&self->arena, "%s: off by %.3g, allowed %.3g", what, error,
                                          allowed));
}

// All numbers agree but for rounding.
static void check_same(checker *self, const run_batch *batch, const char *what,
                       const ragged_reference_value *a, const ragged_reference_value *b) {
  int64_t count = ragged_reference_num_elements(a);
  if (count != ragged_reference_num_elements(b)) {
    fail(self, batch, ragged_arena_format(&self->arena, "%s: another number of elements", what));
    return;
  }
  double error = 0, scale = 0;
  for (int64_t k = 0; k < count; ++k) {
    if (!is_real(a)) {
      error += a->numbers[k].integer != b->numbers[k].integer;
    } else if (isnan(a->numbers[k].real) != isnan(b->numbers[k].real)) {
      error = INFINITY;
    } else if (!isnan(a->numbers[k].real)) {
      error = fmax(error, fabs(a->numbers[k].real - b->numbers[k].real));
      scale = fmax(scale, fabs(a->numbers[k].real));
    }
  }
  note(self, batch, error, 1e-12 * scale, what);
}

// The sum over all results of cotangent times result, and of its size. The maximum of an empty group is
// infinite, whatever the arguments are.
static double weigh(const values *results, int count, const values *arguments, int first,
                    double *size) {
  double sum = 0;
  for (int k = 0; k < count; ++k) {
    if (!is_real(&results->items[k])) continue;
    const ragged_reference_value *cotangent = &arguments->items[first++];
    for (int64_t n = 0; n < ragged_reference_num_elements(cotangent); ++n) {
      double result = results->items[k].numbers[n].real;
      double term = isfinite(result) ? cotangent->numbers[n].real * result : 0;
      sum += term;
      *size += fabs(term);
    }
  }
  return sum;
}

// The weighed results with argument k moved by `step` along `direction`.
static bool moved(checker *self, const run_batch *batch, const values *arguments, int k,
                  const double *direction, double step, int num_results, double *out, double *size) {
  values shifted = *arguments, results = {0};
  shifted.count = self->function.entry->num_arguments;
  ragged_reference_value own = {0};
  if (!fine(self, batch, ragged_reference_value_copy(&arguments->items[k], &own))) return false;
  for (int64_t n = 0; n < ragged_reference_num_elements(&own); ++n)
    own.numbers[n].real += step * direction[n];
  shifted.items[k] = own;
  bool done = run(self, batch, self->program.module, self->name, &shifted, &results);
  if (done) *out = weigh(&results, num_results, arguments, shifted.count, size);
  free_values(&results);
  ragged_reference_value_free(&own);
  return done;
}

// The slope of the weighed results along a random direction of argument k. Central differences of
// steps h and h / 2, extrapolated: their error is of the order of h^4 and of epsilon / h.
//
// In a list of calls a function may hold any chain of ops in f32, whose rules have constants of that type.
static void check_slope(checker *self, const run_batch *batch, const values *arguments, int k,
                        int num_results, const ragged_reference_value *gradient) {
  const double h = 1e-4;
  int64_t count = ragged_reference_num_elements(gradient);
  double *direction = RAGGED_ARENA_ARRAY(&self->arena, double, count + 1);
  double expected = 0, size = 0, unread = 0, values[4];
  for (int64_t n = 0; n < count; ++n) {
    bool read = !isnan(arguments->items[k].numbers[n].real);
    direction[n] = read ? draw(self) : 0;
    if (!read && gradient->numbers[n].real != 0) unread = INFINITY;
    expected += direction[n] * gradient->numbers[n].real;
    size += fabs(direction[n] * gradient->numbers[n].real);
  }
  const char *what = ragged_arena_format(&self->arena, "argument #%d", k);
  note(self, batch, unread, 1, ragged_arena_format(&self->arena, "%s: what is not read", what));
  static const double steps[] = {1, -1, 0.5, -0.5};
  for (int s = 0; s < 4; ++s)
    if (!moved(self, batch, arguments, k, direction, h * steps[s], num_results, &values[s], &size))
      return;
  double wide = (values[0] - values[1]) / (2 * h), narrow = (values[2] - values[3]) / h;
  double allowed = self->call && self->has_f32 ? 1e-8 + 0x1p-23 : 1e-8;
  note(self, batch, fabs((4 * narrow - wide) / 3 - expected), allowed * size, what);
}

static void write_numbers(checker *self, const values *from, int first) {
  for (int k = first; self->out && k < from->count; ++k) {
    if (!is_real(&from->items[k])) continue;
    int64_t count = ragged_reference_num_elements(&from->items[k]);
    for (int64_t n = 0; n < count; ++n)
      fwrite(&from->items[k].numbers[n].real, sizeof(double), 1, self->out);
  }
}

// Takes the arguments, and frees them.
static void check_values(checker *self, const run_batch *batch, values arguments) {
  values results = {0}, first = {0}, other = {0};
  int num_arguments = self->function.entry->num_arguments;
  bool done = run(self, batch, self->program.module, self->name, &arguments, &results) &&
              draw_cotangents(self, batch, &results, results.count, &arguments);
  for (int v = 0; done && v < NUM_VARIANTS; ++v) {
    if (mlirModuleIsNull(self->variants[v])) continue;
    bool is_first = first.count == 0;
    done = run_variant(self, batch, v, &arguments, results.count, is_first ? &first : &other);
    if (!done || is_first) continue;
    const char *variant = ragged_arena_format(&self->arena, "mode=%s keep=%s", kVariants[v].mode,
                                              kVariants[v].keep);
    for (int k = 0; k < other.count; ++k)
      check_same(self, batch, ragged_arena_format(&self->arena, "%s, result %d", variant, k),
                 &first.items[k], &other.items[k]);
    free_values(&other);
  }
  for (int k = 0; done && k < results.count; ++k)
    check_same(self, batch, "a result", &results.items[k], &first.items[k]);
  for (int k = 0, g = results.count; done && k < num_arguments; ++k)
    if (is_real(&arguments.items[k]))
      check_slope(self, batch, &arguments, k, results.count, &first.items[g++]);
  if (done) {
    write_numbers(self, &arguments, num_arguments);
    write_numbers(self, &first, results.count);
  }
  free_values(&arguments);
  free_values(&results);
  free_values(&first);
  free_values(&other);
}

static void check_batch(checker *self, const run_batch *batch) {
  values arguments = {0};
  if (draw_arguments(self, batch, &arguments)) check_values(self, batch, arguments);
  else free_values(&arguments);
}

// ---- Functions -------------------------------------------------------------------------------

// A copy of the program with the derivative; null after a failure.
static MlirModule differentiate(checker *self, int variant) {
  MlirModule module =
      mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(self->program.module)));
  const char *pipeline = ragged_arena_format(
      &self->arena,
      "builtin.module(ragged-differentiate{entry=%s mode=%s keep=%s},ragged-verify-axes)", self->name,
      kVariants[variant].mode, kVariants[variant].keep);
  if (fine(self, NULL, raggedRunPipeline(module, mlirStringRefCreateFromCString(pipeline))))
    return module;
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}

// Of loops whose number of turns is not constant, not everything can be kept.
static bool has_variant(const checker *self, int variant) {
  return strcmp(kVariants[variant].keep, "all") || !strstr(self->name, "turns");
}

static MlirWalkResult find_f32(MlirOperation op, void *user) {
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
    ragged_schema schema;
    if (ragged_type_get_schema(mlirValueGetType(mlirOperationGetOperand(op, k)), &schema))
      *(bool *)user |= ragged_element_is_float(schema.element_type) &&
                       schema.element_type != RAGGED_ELEMENT_F64;
  }
  return MlirWalkResultAdvance;
}

static void begin_function(checker *self, const ragged_rt_entry *entry) {
  self->name = entry->name;
  ++self->functions;
  run_function_read(&self->program, entry, &self->arena, &self->function);
  self->has_f32 = false;
  mlirOperationWalk(self->function.operation, find_f32, &self->has_f32, MlirWalkPreOrder);
  for (int v = 0; v < NUM_VARIANTS; ++v)
    if (has_variant(self, v)) self->variants[v] = differentiate(self, v);
}

static void end_function(checker *self) {
  for (int v = 0; v < NUM_VARIANTS; ++v) {
    if (!mlirModuleIsNull(self->variants[v])) mlirModuleDestroy(self->variants[v]);
    self->variants[v] = (MlirModule){NULL};
  }
  ragged_arena_free(&self->arena);
}

static void check_function(checker *self, const ragged_rt_entry *entry) {
  begin_function(self, entry);
  bool one = self->function.axes.count < 2;
  const run_lengths *vectors = one ? kOneAxis : kTwoAxes;
  size_t count = one ? sizeof kOneAxis / sizeof *kOneAxis : sizeof kTwoAxes / sizeof *kTwoAxes;
  for (size_t k = 0; k < count && !mlirModuleIsNull(self->variants[0]); ++k) {
    run_batch batch = run_batch_of_lengths(&vectors[k], self->function.most_ragged > 1 ? 7 : 30);
    check_batch(self, &batch);
  }
  end_function(self);
}

static const ragged_rt_entry *find_entry(const checker *self, const char *name) {
  intptr_t count = raggedDescriptionGetNumEntries(self->program.description);
  for (intptr_t k = 0; k < count; ++k) {
    const ragged_rt_entry *entry = raggedDescriptionGetEntry(self->program.description, k);
    if (!strcmp(entry->name, name)) return entry;
  }
  return NULL;
}

// The calls of a list, in its order.
static ragged_status check_calls(checker *self, call_list *list) {
  ragged_status status = NULL;
  const ragged_rt_entry *last = NULL;
  for (call next; !status && call_begin(list, &next); call_free(&next)) {
    const ragged_rt_entry *entry = find_entry(self, next.function);
    ++self->call;
    status = call_read(list, entry, &next);
    if (status) continue;
    if (entry != last) {
      if (last) end_function(self);
      begin_function(self, entry);
      last = entry;
    }
    values arguments = {0};
    if (!mlirModuleIsNull(self->variants[0]) &&
        read_arguments(self, NULL, next.arguments, &arguments))
      check_values(self, NULL, arguments);
    else
      free_values(&arguments);
  }
  if (last) end_function(self);
  return status;
}

static bool is_named(const char *name, int count, char **names) {
  for (int k = 0; k < count; ++k)
    if (!strcmp(name, names[k])) return true;
  return count == 0;
}

static void print(MlirStringRef text, void *user) {
  (void)user;
  fwrite(text.data, 1, text.length, stdout);
}

static bool is_twice(const char *name) { return !strncmp(name, "twice_", 6); }

static bool has_free_extents(const ragged_rt_value_type *type) {
  bool is_free = false;
  for (int d = 0; type->kind == RAGGED_RT_VALUE_DENSE && d < type->schema.rank; ++d)
    is_free |= type->schema.dimensions[d].extent < 0;
  return is_free;
}

// Whether extents of builtin tensors have to go with lengths, which they do not when the arguments of a
// derivative are drawn each alone; or the gradient of a scalar is one number, to which thousands of random
// ones cancel.
static bool has_free_values(const ragged_rt_entry *entry) {
  bool any = false;
  for (int k = 0; k < entry->num_arguments; ++k)
    any |= has_free_extents(&entry->arguments[k]) ||
           (entry->arguments[k].kind == RAGGED_RT_VALUE_SCALAR &&
            ragged_element_is_float(entry->arguments[k].schema.element_type));
  for (int k = 0; k < entry->num_results; ++k) any |= has_free_extents(&entry->results[k]);
  return any;
}

// Functions called twice_... become their derivatives; --print adds all derivatives to the program.
static ragged_status prepare(ragged_run_program *program, bool all) {
  intptr_t count = raggedDescriptionGetNumEntries(program->description);
  ragged_arena arena = {0};
  ragged_status status = NULL;
  for (intptr_t k = 0; k < count && !status; ++k) {
    const ragged_rt_entry *entry = raggedDescriptionGetEntry(program->description, k);
    const char *name = entry->name;
    if (all ? has_free_values(entry) : !is_twice(name)) continue;
    const char *pipeline =
        ragged_arena_format(&arena, "builtin.module(ragged-differentiate{entry=%s})", name);
    status = raggedRunPipeline(program->module, mlirStringRefCreateFromCString(pipeline));
  }
  ragged_arena_free(&arena);
  if (status) return status;
  raggedDescriptionDestroy(program->description);
  program->description = raggedModuleDescribe(program->module);
  return raggedDescriptionIsNull(program->description)
             ? ragged_status_make(RAGGED_STATUS_INTERNAL, "the derivatives cannot be described")
             : NULL;
}

typedef struct options {
  bool prints;
  const char *calls, *values, *out;
} options;

// Takes the options from the front; how many there were.
static int read_options(options *out, int argc, char **argv) {
  const struct {
    const char *name;
    const char **value;
  } known[] = {{"--calls=", &out->calls}, {"--values=", &out->values}, {"--out=", &out->out}};
  int k = 1;
  for (; k < argc && !strncmp(argv[k], "--", 2); ++k) {
    out->prints |= !strcmp(argv[k], "--print");
    for (size_t n = 0; n < sizeof known / sizeof *known; ++n)
      if (!strncmp(argv[k], known[n].name, strlen(known[n].name)))
        *known[n].value = argv[k] + strlen(known[n].name);
  }
  return k - 1;
}

static ragged_status check_list(checker *self, const options *o) {
  call_list list = {0};
  if (!o->values || !o->out)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "--calls needs --values and --out");
  ragged_status status = call_list_open(o->calls, o->values, self->context, &list);
  if (!status && !(self->out = fopen(o->out, "wb")))
    status = ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "file '%s' cannot be written", o->out);
  if (!status) status = check_calls(self, &list);
  if (self->out && fclose(self->out) && !status)
    status = ragged_status_make(RAGGED_STATUS_INTERNAL, "file '%s' cannot be written", o->out);
  call_list_close(&list);
  return status;
}

// All functions, or those named, on values drawn here.
static void check_functions(checker *self, int count, char **names) {
  intptr_t num_entries = raggedDescriptionGetNumEntries(self->program.description);
  for (intptr_t k = 0; k < num_entries; ++k) {
    const ragged_rt_entry *entry = raggedDescriptionGetEntry(self->program.description, k);
    if (is_twice(entry->name) && !strstr(entry->name, "_vjp")) continue;
    if (is_named(entry->name, count, names)) check_function(self, entry);
  }
}

int main(int argc, char **argv) {
  checker self = {.random = 88172645463325252u};
  options own = {0};
  int taken = read_options(&own, argc, argv);
  argc -= taken;
  argv += taken;
  ragged_arena arena = {0};
  ragged_run_options program = {.file = argc > 1 ? argv[1] : ""};
  raggedRegisterPasses();
  ragged_status status = ragged_run_program_load(&program, &arena, &self.program);
  if (!status) status = prepare(&self.program, own.prints);
  ragged_rt_context_options host = {.struct_size = sizeof host, .device = "host", .num_threads = 1};
  if (!status) status = ragged_rt_context_create(&host, &self.context);
  if (!status && own.prints)
    mlirOperationPrint(mlirModuleGetOperation(self.program.module), print, NULL);
  else if (!status && own.calls)
    status = check_list(&self, &own);
  else if (!status)
    check_functions(&self, argc - 2, argv + 2);
  if (status) printf("error: %s\n", ragged_status_message(status));
  else if (!own.prints)
    printf("%d functions, %d checks, largest error / allowed error = %.3g, %d failures\n",
           self.functions, self.checks, self.worst, self.failures);
  bool failed = status || self.failures || (!own.prints && self.functions == 0);
  ragged_status_free(status);
  ragged_rt_context_release(self.context);
  ragged_run_program_destroy(&self.program);
  ragged_arena_free(&arena);
  return failed;
}
