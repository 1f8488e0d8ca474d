// Runs the functions of a module by the reference interpreter and compiled for a target (cpu,
// emulated), many calls in one process, and compares the two. Started by run.py, which wrote the files
// and reads what is printed; it must not decide anything itself.
//
//   differential_run TARGET MODULE.mlir CALLS VALUES OUT_VALUES
//
// CALLS and VALUES: calls.h.
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

#include "calls.h"
#include "mlir-c/Diagnostics.h"
#include "ragged-c/compile.h"
#include "ragged-c/dialect.h"
#include "ragged-c/passes.h"
#include "ragged-c/run.h"
#include "reference/reference.h"
#include "tools/ragged-run/value.h"

typedef struct driver {
  const char *target;
  MlirModule module;
  ragged_rt_module *compiled;
  ragged_rt_context *context;
  call_list calls;
  FILE *out;
} driver;

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

// ---- Running --------------------------------------------------------------------------------

static ragged_status run_reference(driver *self, const call *c, const ragged_rt_entry *entry,
                                   ragged_reference_value *results) {
  ragged_reference_value arguments[CALL_MAX_ARGUMENTS];
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

// The next call of the list, whose first line is read.
static void run_next(driver *self, call *c) {
  printf("call %s\n", c->function);
  const ragged_rt_entry *entry = ragged_rt_module_find(self->compiled, c->function);
  if (report("arguments", call_read(&self->calls, entry, c))) run_call(self, c, entry);
  printf("end\n");
  fflush(stdout);
  call_free(c);
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
  call next;
  if (!report("module", load(&self, context, argv[2])) ||
      !report("values", call_list_open(argv[3], argv[4], self.context, &self.calls)))
    return 1;
  self.out = fopen(argv[5], "wb");
  if (!self.out) {
    fprintf(stderr, "differential_run: %s\n", strerror(errno));
    return 2;
  }
  while (call_begin(&self.calls, &next)) run_next(&self, &next);
  call_list_close(&self.calls);
  int failed = fclose(self.out);
  ragged_rt_context_release(self.context);
  ragged_rt_module_release(self.compiled);
  mlirModuleDestroy(self.module);
  mlirContextDestroy(context);
  return failed ? 2 : 0;
}
