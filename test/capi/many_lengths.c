// One process, one compilation, 100,000 different length vectors: memory stays, nothing is compiled
// again.
// A sanitizer keeps freed memory for a while.
// UNSUPPORTED: sanitize
// RUN: %ragged_build/test/capi/capi-many_lengths-c11 | FileCheck %s
// RUN: %ragged_build/test/capi/capi-many_lengths-cxx17 | FileCheck %s
#include <string.h>
#include <unistd.h>

#include "capi_test.h"
#include "ragged-c/compile.h"
#include "ragged-c/run.h"

enum { CALLS = 100000, BATCH = 6 };

static const char *const program =
    "func.func @pair_mean(%x: !ragged.tensor<[n, 2], f32>) -> !ragged.tensor<[n, 2], f32> {\n"
    "  %a = ragged.expand_dims %x dim = 1 : !ragged.tensor<[n, 2], f32>\n"
    "      -> !ragged.tensor<[n, 1, 2], f32, order = [0, 2, 1]>\n"
    "  %b = ragged.expand_dims %x dim = 0 : !ragged.tensor<[n, 2], f32>\n"
    "      -> !ragged.tensor<[1, n, 2], f32, order = [1, 2, 0]>\n"
    "  %p = ragged.add %a, %b : !ragged.tensor<[n, 1, 2], f32, order = [0, 2, 1]>,\n"
    "      !ragged.tensor<[1, n, 2], f32, order = [1, 2, 0]> -> !ragged.tensor<[n, n, 2], f32>\n"
    "  %m = ragged.mean %p dims = [1] : !ragged.tensor<[n, n, 2], f32>\n"
    "      -> !ragged.tensor<[n, 2], f32>\n"
    "  return %m : !ragged.tensor<[n, 2], f32>\n"
    "}\n";

static long resident_kib(void) {
  long pages = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return 0;
  if (fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
  fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

// Call k's lengths are the digits of k in base 7: all vectors differ.
static void call(const ragged_rt_module *module, ragged_rt_context *context, int64_t k,
                 float *values) {
  int64_t lengths[BATCH], rows = 0, tail = 2;
  for (int i = 0; i < BATCH; ++i, k /= 7) rows += lengths[i] = k % 7;
  ragged_rt_axis *axis;
  ragged_rt_space *space;
  ragged_rt_tensor *argument, *result;
  CHECK_OK(ragged_rt_axis_create_from_lengths(context, BATCH, 64, lengths, &axis));
  CHECK_OK(ragged_rt_space_get(context, BATCH, 1, &axis, &space));
  CHECK_OK(ragged_rt_tensor_wrap(context, RAGGED_ELEMENT_F32, space, 1, &tail, rows, values, NULL,
                                 NULL, &argument));
  CHECK_OK(raggedCall(module, mlirStringRefCreateFromCString("pair_mean"), context, 1, &argument, 1,
                      &result));
  // Every value is 1: u[a] + u[b] = 2 everywhere.
  const float *got = (const float *)ragged_rt_tensor_data(result);
  for (int64_t r = 0; r < 2 * rows; ++r)
    if (got[r] < 2 || got[r] > 2) {
      printf("wrong value\n");
      exit(1);
    }
  ragged_rt_tensor_release(result);
  ragged_rt_tensor_release(argument);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(axis);
}

int main(void) {
  MlirContext context = create_context();
  MlirModule module = parse(context, program);
  ragged_rt_module *compiled = NULL;
  CHECK_OK(raggedCompile(module, NULL, &compiled));
  ragged_rt_context_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.num_threads = 1;
  ragged_rt_context *runtime = NULL;
  CHECK_OK(ragged_rt_context_create(&options, &runtime));
  float values[2 * 7 * BATCH];
  for (int k = 0; k < 2 * 7 * BATCH; ++k) values[k] = 1;
  long settled = 0;
  for (int64_t k = 0; k < CALLS; ++k) {
    call(compiled, runtime, k, values);
    if (k == 1000) settled = resident_kib();
  }
  long growth = resident_kib() - settled;
  // CHECK: resident memory grew by at most 1 MiB: 1
  printf("resident memory grew by at most 1 MiB: %d (%ld KiB)\n", growth <= 1024, growth);
  // CHECK: compilations: 1
  printf("compilations: %d\n", (int)raggedGetCompileStatistics().compilations);
  ragged_rt_context_release(runtime);
  ragged_rt_module_release(compiled);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return 0;
}
