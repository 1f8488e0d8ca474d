// Describe, compile and call through the public C API: one compilation, lengths 2, 3 and others.
// RUN: %ragged_build/test/capi/capi-run-c11 | FileCheck %s
// RUN: %ragged_build/test/capi/capi-run-cxx17 | FileCheck %s
#include "ragged-c/run.h"

#include <stddef.h>

#include "capi_test.h"
#include "ragged-c/compile.h"
#include "ragged-c/passes.h"

static const char *const program =
    "func.func @scale(%x: !ragged.tensor<[n, 2], f32>, %s: f32) -> !ragged.tensor<[n, 2], f32> {\n"
    "  %y = ragged.mul %x, %s : !ragged.tensor<[n, 2], f32>, f32 -> !ragged.tensor<[n, 2], f32>\n"
    "  return %y : !ragged.tensor<[n, 2], f32>\n"
    "}\n"
    "func.func @sums(%x: !ragged.tensor<[n, 2], f32>) -> !ragged.tensor<*, f32> {\n"
    "  %y = ragged.sum %x dims = [0] : !ragged.tensor<[n, 2], f32> -> !ragged.tensor<*, f32>\n"
    "  return %y : !ragged.tensor<*, f32>\n"
    "}\n"
    "func.func private @hidden(%x: tensor<?x3xi64>) -> tensor<?x3xi64> {\n"
    "  return %x : tensor<?x3xi64>\n"
    "}\n";

// A tensor of shape [n, 2] holding 0, 1, 2, ... in memory of the context.
static ragged_rt_tensor *make_input(ragged_rt_context *context, int64_t batch,
                                    const int64_t *lengths) {
  ragged_rt_axis *axis;
  ragged_rt_space *space;
  ragged_rt_tensor *tensor;
  int64_t tail = 2;
  CHECK_OK(ragged_rt_axis_create_from_lengths(context, batch, 64, lengths, &axis));
  CHECK_OK(ragged_rt_space_get(context, batch, 1, &axis, &space));
  CHECK_OK(ragged_rt_tensor_create(context, RAGGED_ELEMENT_F32, space, 1, &tail, &tensor));
  float *values = (float *)ragged_rt_tensor_data(tensor);
  for (int64_t k = 0; k < 2 * ragged_rt_space_rows(space); ++k) values[k] = (float)k;
  ragged_rt_space_release(space);
  ragged_rt_axis_release(axis);
  return tensor;
}

static void print_rows(const char *what, ragged_rt_tensor *tensor) {
  const float *values = (const float *)ragged_rt_tensor_data(tensor);
  printf("%s: %d rows:", what, (int)ragged_rt_tensor_rows(tensor));
  for (int64_t k = 0; k < 2 * ragged_rt_tensor_rows(tensor); ++k) printf(" %g", (double)values[k]);
  printf("\n");
}

static void run(const ragged_rt_module *module, ragged_rt_context *context, int64_t batch,
                const int64_t *lengths) {
  float factor = 10;
  ragged_rt_tensor *arguments[2] = {make_input(context, batch, lengths), NULL}, *result;
  CHECK_OK(ragged_rt_tensor_wrap_dense(context, RAGGED_ELEMENT_F32, 0, NULL, &factor, NULL, NULL,
                                       &arguments[1]));
  CHECK_OK(raggedCall(module, mlirStringRefCreateFromCString("scale"), context, 2, arguments, 1,
                      &result));
  print_rows("scale", result);
  ragged_rt_tensor_release(result);
  CHECK_OK(
      raggedCall(module, mlirStringRefCreateFromCString("sums"), context, 1, arguments, 1, &result));
  print_rows("sums", result);
  ragged_rt_tensor_release(result);
  ragged_rt_tensor_release(arguments[1]);
  ragged_rt_tensor_release(arguments[0]);
}

// Processors that LLVM does not know, or that have 32 bits only.
static void compile_for_unknown(void) {
  static const char *const names[] = {"nocpu", "i386", ""};
  MlirContext context = create_context();
  MlirModule module = parse(context, program);
  RaggedCompileOptions options = {sizeof options, -1, NULL, NULL, NULL};
  for (int k = 0; k < 3; ++k) {
    ragged_rt_module *compiled = NULL;
    MlirStringRef symbol = {NULL, 0};
    options.cpu = names[k];
    report("unknown cpu", raggedCompile(module, &options, &compiled));
    report("unknown cpu", raggedCompileToObject(module, &options, symbol, "never-written.o"));
  }
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
}

// Options of programs that were built against another header. There is no module, so that what is taken
// fails for that.
static void compile_with_sizes(void) {
  struct {
    RaggedCompileOptions known;
    int64_t more;
  } newer = {{sizeof newer, -1, NULL, NULL, NULL}, 0};
  MlirModule none = {NULL};
  ragged_rt_module *compiled = NULL;
  report("newer, nothing asked", raggedCompile(none, &newer.known, &compiled));
  newer.more = 1;
  report("newer", raggedCompile(none, &newer.known, &compiled));
  newer.known.structSize = SIZE_MAX;  // nothing is read there
  report("no size either", raggedCompile(none, &newer.known, &compiled));
  newer.known.structSize = offsetof(RaggedCompileOptions, cpu);
  report("older", raggedCompile(none, &newer.known, &compiled));
  newer.known.structSize = 0;
  report("no size", raggedCompile(none, &newer.known, &compiled));
}

int main(void) {
  MlirContext context = create_context();
  MlirModule program_module = parse(context, program);

  // A module whose schemas are not known yet is described with a diagnostic only.
  // CHECK: diagnostic: {{.*}}!ragged.tensor<*, f32>
  // CHECK-NEXT: described 0
  RaggedDescription description = raggedModuleDescribe(program_module);
  printf("described %d\n", !raggedDescriptionIsNull(description));

  ragged_rt_module *module = NULL;
  CHECK_OK(raggedCompile(program_module, NULL, &module));

  // Compiling left the module alone.
  // CHECK-NEXT: diagnostic: {{.*}}!ragged.tensor<*, f32>
  // CHECK-NEXT: module unchanged 1
  description = raggedModuleDescribe(program_module);
  printf("module unchanged %d\n", raggedDescriptionIsNull(description));

  CHECK_OK(raggedResolveSchemas(program_module));
  description = raggedModuleDescribe(program_module);
  mlirModuleDestroy(program_module);
  mlirContextDestroy(context);

  // Both outlive the MLIR context.
  // CHECK: 2 entries
  // CHECK-NEXT: scale(!ragged.tensor<[n, 2], f32>, f32) -> (!ragged.tensor<[n, 2], f32>) axes [n]
  // CHECK-NEXT: sums(!ragged.tensor<[n, 2], f32>) -> (!ragged.tensor<[2], f32>) axes [n]
  printf("%d entries\n", (int)raggedDescriptionGetNumEntries(description));
  for (intptr_t k = 0; k < raggedDescriptionGetNumEntries(description); ++k) {
    raggedEntryPrint(raggedDescriptionGetEntry(description, k), print_text, NULL);
    printf("\n");
  }
  // CHECK-NEXT: compiled: 2 entries, first scale, beyond 0
  printf("compiled: %d entries, first %s, beyond %d\n", ragged_rt_module_num_entries(module),
         ragged_rt_module_entry(module, 0)->name, ragged_rt_module_entry(module, 2) != NULL);
  raggedDescriptionDestroy(description);

  ragged_rt_context *runtime;
  CHECK_OK(ragged_rt_context_create(NULL, &runtime));
  // CHECK-NEXT: scale: 5 rows: 0 10 20 30 40 50 60 70 80 90
  // CHECK-NEXT: sums: 2 rows: 2 4 18 21
  const int64_t two_three[2] = {2, 3}, with_empty[3] = {0, 1, 0};
  run(module, runtime, 2, two_three);
  // CHECK-NEXT: scale: 1 rows: 0 10
  // CHECK-NEXT: sums: 3 rows: 0 0 0 1 0 0
  run(module, runtime, 3, with_empty);
  // CHECK-NEXT: scale: 0 rows:
  // CHECK-NEXT: sums: 0 rows:
  run(module, runtime, 0, two_three);
  // CHECK-NEXT: compilations 1
  printf("compilations %d\n", (int)raggedGetCompileStatistics().compilations);

  // CHECK-NEXT: no entry: not found: there is no entry 'f', but 'scale', 'sums'
  report("no entry",
         raggedCall(module, mlirStringRefCreateFromCString("f"), runtime, 0, NULL, 0, NULL));
  // CHECK-NEXT: too few arguments: invalid argument
  ragged_rt_tensor *result;
  report("too few arguments", raggedCall(module, mlirStringRefCreateFromCString("sums"), runtime, 0,
                                         NULL, 1, &result));
  // CHECK-NEXT: null module: invalid argument
  MlirModule null_module = {NULL};
  report("null module", raggedCompile(null_module, NULL, &module));
  // CHECK-NEXT: unknown cpu: invalid argument: there is no processor 'nocpu', expected
  // CHECK-NEXT: unknown cpu: invalid argument: there is no processor 'nocpu', expected
  // CHECK-NEXT: unknown cpu: invalid argument: there is no processor 'i386', expected
  // CHECK-NEXT: unknown cpu: invalid argument: there is no processor 'i386', expected
  // CHECK-NEXT: unknown cpu: invalid argument: there is no processor '', expected
  // CHECK-NEXT: unknown cpu: invalid argument: there is no processor '', expected
  compile_for_unknown();
  // CHECK-NEXT: newer, nothing asked: invalid argument: there is no module to compile
  // CHECK-NEXT: newer: invalid argument: RaggedCompileOptions.structSize is [[#%u, SIZE:]], but this version knows {{[0-9]+}} bytes; the others must be 0
  // CHECK-NEXT: no size either: invalid argument: RaggedCompileOptions.structSize is {{[0-9]+}}, but this version knows
  // CHECK-NEXT: older: invalid argument: there is no module to compile
  // CHECK-NEXT: no size: invalid argument: RaggedCompileOptions.structSize is 0, but the size of the struct is required, [[#SIZE - 8]] bytes
  compile_with_sizes();

  ragged_rt_context_release(runtime);
  ragged_rt_module_release(module);
  return 0;
}
