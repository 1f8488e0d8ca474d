// Runs the functions of a module by the reference interpreter and compiled for a target (cpu,
// emulated), many calls in one process, and compares the two. Started by run.py, which wrote the files
// and reads what is printed; it must not decide anything itself.
//
//   differential_run TARGET MODULE.mlir CALLS VALUES OUT_VALUES
//
// CALLS, one call after the other (offsets are bytes in VALUES, multiples of 64):
//   call FUNCTION BATCH
//   axis E0 E1 ... : CANONICAL TEXT            one line per distinct ragged dimension
//   argument OFFSET RANK E0 E1 ...             [rows, tail...] or the dense shape
//   end
// Printed, per call: `call FUNCTION`, then `error STAGE MESSAGE` or, per result k,
//   result K BATCH ROWS ELEMENTS OFFSET REFERENCE_ELEMENTS REFERENCE_OFFSET WORST
//   extents E...                               batch x rank, logical dimensions, of the compiled one
//   reference E...                             the same of the reference
// and `end`. OUT_VALUES holds the compiled results packed as they are, and the reference's numbers as
// doubles or 64-bit integers in logical order.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlir-c/Diagnostics.h"
#include "ragged-c/compile.h"
#include "ragged-c/dialect.h"
#include "ragged-c/passes.h"
#include "ragged-c/run.h"
#include "reference/reference.h"
#include "tools/ragged-run/file.h"
#include "tools/ragged-run/value.h"

#define MAX_ARGUMENTS 64
#define MAX_AXES 64

typedef struct driver {
  const char *target;
  MlirModule module;
  ragged_rt_module *compiled;
  ragged_rt_context *context;
  char *values;
  FILE *out;
} driver;

typedef struct call {
  char function[128];
  int64_t batch;
  int num_axes, num_arguments;
  char *axis_texts[MAX_AXES];
  ragged_rt_axis *axes[MAX_AXES];
  ragged_rt_tensor *arguments[MAX_ARGUMENTS];
} call;

static bool report(const char *stage, ragged_status status) {
  if (!status) return true;
  printf("error %s ", stage);
  for (const char *c = ragged_status_message(status); *c; ++c) putchar(*c == '\n' ? ' ' : *c);
  putchar('\n');
  ragged_status_free(status);
  return false;
}

static void print_text(MlirStringRef text, void *user) {
  fwrite(text.data, 1, text.length, (FILE *)user);
}

static MlirLogicalResult print_diagnostic(MlirDiagnostic diagnostic, void *user) {
  (void)user;
  mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), print_text, stderr);
  fputs(": ", stderr);
  mlirDiagnosticPrint(diagnostic, print_text, stderr);
  fputc('\n', stderr);
  for (intptr_t k = 0; k < mlirDiagnosticGetNumNotes(diagnostic); ++k)
    print_diagnostic(mlirDiagnosticGetNote(diagnostic, k), NULL);
  return mlirLogicalResultSuccess();
}

// ---- Arguments ------------------------------------------------------------------------------

static ragged_status malformed(const char *what) {
  return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "malformed list of calls: %s", what);
}

// `axis E0 E1 ... : TEXT`, after the first word.
static ragged_status read_axis(driver *self, call *c, char *line) {
  char *text = strstr(line, " : ");
  if (!text || c->num_axes == MAX_AXES) return malformed("axis");
  *text = 0;
  int64_t *lengths = calloc((size_t)c->batch + 1, sizeof *lengths);
  if (!lengths) return malformed("memory");
  for (int64_t i = 0; i < c->batch; ++i) lengths[i] = strtoll(line, &line, 10);
  ragged_status status = ragged_rt_axis_create_from_lengths(self->context, c->batch, 64, lengths,
                                                            &c->axes[c->num_axes]);
  free(lengths);
  if (!status) c->axis_texts[c->num_axes++] = strdup(text + 3);
  return status;
}

static ragged_status make_space(driver *self, const call *c, const ragged_schema *schema,
                                ragged_rt_space **out) {
  const char *names[RAGGED_MAX_RANK];
  ragged_rt_axis *axes[RAGGED_MAX_RANK];
  int count = ragged_schema_space(schema, names);
  for (int k = 0; k < count; ++k) {
    int a = 0;
    while (a < c->num_axes && strcmp(c->axis_texts[a], names[k])) ++a;
    if (a == c->num_axes) return malformed(names[k]);
    axes[k] = c->axes[a];
  }
  return ragged_rt_space_get(self->context, c->batch, count, axes, out);
}

// The host wraps the values of the file, so that a write shows; other devices get a copy. `rank` and
// `shape` with the rows in front.
static ragged_status make_argument(driver *self, ragged_element_type element, ragged_rt_space *space,
                                   int rank, const int64_t *shape, void *data,
                                   ragged_rt_tensor **out) {
  bool host = !strcmp(ragged_rt_context_device(self->context), "host");
  if (host && space)
    return ragged_rt_tensor_wrap(self->context, element, space, rank - 1, shape + 1, shape[0], data,
                                 NULL, NULL, out);
  if (host)
    return ragged_rt_tensor_wrap_dense(self->context, element, rank, shape, data, NULL, NULL, out);
  return ragged_rt_tensor_from_host(self->context, element, space, space ? rank - 1 : rank,
                                    space ? shape + 1 : shape, data, out);
}

// `argument OFFSET RANK E0 ...`, after the first word.
static ragged_status read_argument(driver *self, call *c, const ragged_rt_entry *entry, char *line) {
  int k = c->num_arguments;
  if (k >= entry->num_arguments || k == MAX_ARGUMENTS) return malformed("argument");
  const ragged_rt_value_type *type = &entry->arguments[k];
  int64_t offset = strtoll(line, &line, 10), shape[RAGGED_MAX_RANK + 1];
  int rank = (int)strtoll(line, &line, 10);
  if (rank > RAGGED_MAX_RANK) return malformed("rank");
  for (int d = 0; d < rank; ++d) shape[d] = strtoll(line, &line, 10);
  ragged_rt_space *space = NULL;
  if (type->kind == RAGGED_RT_VALUE_RAGGED)
    RAGGED_RETURN_IF_ERROR(make_space(self, c, &type->schema, &space));
  ragged_status status = make_argument(self, type->schema.element_type, space, rank, shape,
                                       self->values + offset, &c->arguments[k]);
  ragged_rt_space_release(space);
  if (!status) ++c->num_arguments;
  return status;
}

// ---- Running --------------------------------------------------------------------------------

static ragged_status run_reference(driver *self, const call *c, const ragged_rt_entry *entry,
                                   ragged_reference_value *results) {
  ragged_reference_value arguments[MAX_ARGUMENTS];
  memset(arguments, 0, sizeof arguments);
  ragged_status status = NULL;
  for (int k = 0; k < c->num_arguments && !status; ++k) {
    ragged_run_value value;
    status = ragged_run_value_from_tensor(&entry->arguments[k], c->arguments[k], &value);
    if (status) break;
    status = ragged_run_value_to_reference(&value, &arguments[k]);
    ragged_run_value_free(&value);
  }
  if (!status) {
    MlirSymbolTable symbols = mlirSymbolTableCreate(mlirModuleGetOperation(self->module));
    MlirOperation function =
        mlirSymbolTableLookup(symbols, mlirStringRefCreateFromCString(c->function));
    mlirSymbolTableDestroy(symbols);
    status = ragged_reference_run(function, NULL, c->num_arguments, arguments, entry->num_results,
                                  results);
  }
  for (int k = 0; k < c->num_arguments; ++k) ragged_reference_value_free(&arguments[k]);
  return status;
}

static void print_extents(const char *what, int64_t batch, int rank, const int64_t *extents) {
  printf("%s", what);
  for (int64_t k = 0; k < batch * rank; ++k) printf(" %lld", (long long)extents[k]);
  putchar('\n');
}

// Elements of `batch` samples with those extents.
static int64_t count_elements(int64_t batch, int rank, const int64_t *extents) {
  int64_t count = 0;
  for (int64_t i = 0; i < batch; ++i) {
    int64_t own = 1;
    for (int d = 0; d < rank; ++d) own *= extents[i * rank + d];
    count += own;
  }
  return count;
}

static void print_result(driver *self, int k, const ragged_run_value *got,
                         const ragged_reference_value *expected, double worst) {
  int rank = got->type->schema.rank;
  int64_t elements = count_elements(got->batch, rank, got->extents);
  int64_t num_expected = ragged_reference_num_elements(expected);
  long offset = ftell(self->out);
  if (elements)
    fwrite(got->data, ragged_element_size(got->type->schema.element_type), (size_t)elements,
           self->out);
  long reference_offset = ftell(self->out);
  if (num_expected)
    fwrite(expected->numbers, sizeof *expected->numbers, (size_t)num_expected, self->out);
  printf("result %d %lld %lld %lld %ld %lld %ld %.17g\n", k, (long long)got->batch,
         (long long)got->rows, (long long)elements, offset, (long long)num_expected,
         reference_offset, worst);
  print_extents("extents", got->batch, rank, got->extents);
  print_extents("reference", expected->batch, expected->schema.rank, expected->extents);
}

static ragged_status compare_result(driver *self, const ragged_rt_entry *entry, int k,
                                    ragged_rt_tensor *tensor,
                                    const ragged_reference_value *expected) {
  ragged_run_value value;
  ragged_reference_value got = {0};
  ragged_reference_comparison comparison;
  RAGGED_RETURN_IF_ERROR(ragged_run_value_from_tensor(&entry->results[k], tensor, &value));
  ragged_status status = ragged_run_value_to_reference(&value, &got);
  if (!status) status = ragged_reference_compare(&got, expected, &comparison);
  if (!status) print_result(self, k, &value, expected, comparison.worst);
  ragged_reference_value_free(&got);
  ragged_run_value_free(&value);
  return status;
}

static void run_call(driver *self, const call *c, const ragged_rt_entry *entry) {
  ragged_reference_value *expected = calloc((size_t)entry->num_results + 1, sizeof *expected);
  ragged_rt_tensor **results = calloc((size_t)entry->num_results + 1, sizeof *results);
  if (expected && results &&
      report("reference", run_reference(self, c, entry, expected)) &&
      report(self->target, ragged_rt_call(self->context, entry, c->num_arguments, c->arguments,
                                   entry->num_results, results)))
    for (int k = 0; k < entry->num_results; ++k)
      if (!report("compare", compare_result(self, entry, k, results[k], &expected[k]))) break;
  for (int k = 0; k < entry->num_results; ++k) {
    if (results) ragged_rt_tensor_release(results[k]);
    if (expected) ragged_reference_value_free(&expected[k]);
  }
  free(results);
  free(expected);
}

static ragged_status read_line(driver *self, call *c, const ragged_rt_entry *entry, char *line) {
  if (!strncmp(line, "axis ", 5)) return read_axis(self, c, line + 5);
  if (!strncmp(line, "argument ", 9) && entry) return read_argument(self, c, entry, line + 9);
  return malformed(line);
}

// The lines of one call, up to `end`.
static void read_call(driver *self, FILE *calls, char *first) {
  call c = {.batch = 0};
  long long batch = 0;
  ragged_status status = NULL;
  if (sscanf(first, "call %127s %lld", c.function, &batch) != 2) status = malformed(first);
  c.batch = batch;
  printf("call %s\n", c.function);
  const ragged_rt_entry *entry = ragged_rt_module_find(self->compiled, c.function);
  char *line = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, calls) > 0 && strcmp(line, "end\n") != 0) {
    line[strcspn(line, "\n")] = 0;
    if (!status) status = read_line(self, &c, entry, line);
  }
  if (!status && (!entry || c.num_arguments != entry->num_arguments)) status = malformed(first);
  if (report("arguments", status)) run_call(self, &c, entry);
  printf("end\n");
  fflush(stdout);
  free(line);
  for (int k = 0; k < c.num_arguments; ++k) ragged_rt_tensor_release(c.arguments[k]);
  for (int k = 0; k < c.num_axes; ++k) {
    ragged_rt_axis_release(c.axes[k]);
    free(c.axis_texts[k]);
  }
}

// ---- The program ----------------------------------------------------------------------------

static ragged_status load(driver *self, MlirContext context, const char *path) {
  self->module =
      mlirModuleCreateParseFromFile(context, mlirStringRefCreateFromCString(path));
  if (mlirModuleIsNull(self->module))
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "the module does not parse");
  RAGGED_RETURN_IF_ERROR(raggedResolveSchemas(self->module));
  RaggedCompileOptions compile = {.structSize = sizeof compile, .optimizationLevel = -1,
                                  .target = self->target};
  RAGGED_RETURN_IF_ERROR(raggedCompile(self->module, &compile, &self->compiled));
  ragged_rt_context_options options = {.struct_size = sizeof options,
                                       .device = strcmp(self->target, "cpu") ? self->target : "host"};
  return ragged_rt_context_create(&options, &self->context);
}

int main(int argc, char **argv) {
  if (argc != 6) {
    fprintf(stderr, "usage: differential_run TARGET MODULE.mlir CALLS VALUES OUT_VALUES\n");
    return 2;
  }
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  raggedRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(context, print_diagnostic, NULL, NULL);
  driver self = {.target = argv[1]};
  int64_t size;
  if (!report("module", load(&self, context, argv[2])) ||
      !report("values", ragged_run_file_read(argv[4], &self.values, &size)))
    return 1;
  FILE *calls = fopen(argv[3], "r");
  self.out = fopen(argv[5], "wb");
  if (!calls || !self.out) {
    fprintf(stderr, "differential_run: %s\n", strerror(errno));
    return 2;
  }
  char *line = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, calls) > 0) read_call(&self, calls, line);
  free(line);
  fclose(calls);
  int failed = fclose(self.out);
  ragged_rt_context_release(self.context);
  ragged_rt_module_release(self.compiled);
  mlirModuleDestroy(self.module);
  mlirContextDestroy(context);
  free(self.values);
  return failed ? 2 : 0;
}
