// The smallest complete embedding: parse a program, compile it once, call it on two batches.
// Link it with the CMake target `ragged_capi`. docs/getting-started.md walks through it.
#include <stdio.h>
#include <stdlib.h>

#include "ragged-c/compile.h"
#include "ragged-c/dialect.h"
#include "ragged-c/run.h"

static const char program[] =
    "func.func @totals(%x: !ragged.tensor<[n], f32>) -> !ragged.tensor<[], f32> {\n"
    "  %y = ragged.sum %x dims = [0] : !ragged.tensor<[n], f32> -> !ragged.tensor<[], f32>\n"
    "  return %y : !ragged.tensor<[], f32>\n"
    "}\n";

// A function that can fail returns a status: null for success, else a code and a message.
static void check(ragged_status status) {
  if (!status) return;
  fprintf(stderr, "%s: %s\n", ragged_status_code_name(ragged_status_get_code(status)),
          ragged_status_message(status));
  ragged_status_free(status);
  exit(1);
}

// Text to code. The compiled module outlives the MLIR context it was made in.
static ragged_rt_module *compile(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  raggedRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(program));
  if (mlirModuleIsNull(module)) exit(1);  // MLIR has printed what is wrong
  ragged_rt_module *compiled;
  check(raggedCompile(module, NULL, &compiled));
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return compiled;
}

// Calls @totals on a batch of samples of these lengths; `values` holds them one after the other.
static void run(const ragged_rt_module *module, ragged_rt_context *context, int64_t batch,
                const int64_t *lengths, float *values) {
  ragged_rt_axis *n;
  ragged_rt_space *space;
  ragged_rt_tensor *x, *totals;
  check(ragged_rt_axis_create_from_lengths(context, batch, 64, lengths, &n));
  check(ragged_rt_space_get(context, batch, 1, &n, &space));
  check(ragged_rt_tensor_wrap(context, RAGGED_ELEMENT_F32, space, /*tail_rank=*/0, NULL,
                              ragged_rt_space_rows(space), values, NULL, NULL, &x));
  check(raggedCall(module, mlirStringRefCreateFromCString("totals"), context, 1, &x, 1, &totals));
  const float *sums = (const float *)ragged_rt_tensor_data(totals);
  for (int64_t k = 0; k < batch; ++k) printf("sample %d: %g\n", (int)k, (double)sums[k]);
  ragged_rt_tensor_release(totals);
  ragged_rt_tensor_release(x);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(n);
}

int main(void) {
  ragged_rt_module *module = compile();
  ragged_rt_context *context;
  check(ragged_rt_context_create(NULL, &context));
  float values[] = {1, 2, 3, 4};
  const int64_t first[] = {1, 3}, second[] = {2, 0, 2};
  run(module, context, 2, first, values);
  run(module, context, 3, second, values);
  printf("compilations: %d\n", (int)raggedGetCompileStatistics().compilations);
  ragged_rt_context_release(context);
  ragged_rt_module_release(module);
  return 0;
}
