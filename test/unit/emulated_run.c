// Runs one kernel of a module on the emulated device, for the tests in test/emulated:
//   emulated_run FILE KERNEL GRID BLOCK SHARED OPERAND...
// KERNEL is a function that --ragged-emulate-kernels makes. Operands are parameters in order, printed
// afterwards where they end in "!":
//   word:7           a number
//   f32:10           memory for 10 elements (f32, i32, i64) that nobody wrote
//   f32:10:5         filled with 5;  f32:10:iota  with 0, 1, 2, ...
// Then the counts of the kernel, or the error. Any diagnostic goes to standard error.
#include "compile/jit.h"
#include "compile/object_code.h"
#include "compile/pipeline.h"
#include "emulated/emulator.h"
#include "mlir_test_context.h"
#include "unit_test.h"

enum { MAX_OPERANDS = 32 };

typedef struct operand {
  char type[8], fill[32];
  int64_t count, size;
  bool print;
  int64_t word;  // what the kernel gets
} operand;

static int fail(ragged_status status) {
  printf("error: %s: %s\n", ragged_status_code_name(ragged_status_get_code(status)),
         ragged_status_message(status));
  ragged_status_free(status);
  return 1;
}

// ---- Operands ------------------------------------------------------------------------------------

static bool parse_operand(const char *text, operand *out) {
  *out = (operand){.print = text[strlen(text) - 1] == '!'};
  long long count = 0;
  int found = sscanf(text, "%7[a-z0-9]:%lld:%31[a-z0-9.-]", out->type, &count, out->fill);
  out->count = count;
  out->size = strcmp(out->type, "i64") ? 4 : 8;
  if (found == 2 && !strcmp(out->type, "word")) return out->word = count, true;
  return found >= 2 && (!strcmp(out->type, "f32") || !strcmp(out->type, "i32") ||
                        !strcmp(out->type, "i64"));
}

static void set_element(const operand *of, void *elements, int64_t k) {
  double value = strcmp(of->fill, "iota") ? atof(of->fill) : (double)k;
  if (!strcmp(of->type, "f32")) ((float *)elements)[k] = (float)value;
  if (!strcmp(of->type, "i32")) ((int32_t *)elements)[k] = (int32_t)value;
  if (!strcmp(of->type, "i64")) ((int64_t *)elements)[k] = (int64_t)value;
}

static ragged_status allocate(ragged_emulator *emulator, operand *of) {
  if (!strcmp(of->type, "word")) return NULL;
  void *address = NULL;
  size_t bytes = (size_t)(of->count * of->size);
  RAGGED_RETURN_IF_ERROR(ragged_emulator_allocate(emulator, bytes, &address));
  of->word = (int64_t)(uintptr_t)address;
  if (!of->fill[0]) return NULL;
  void *elements = malloc(bytes + 1);
  for (int64_t k = 0; k < of->count; ++k) set_element(of, elements, k);
  ragged_status status = ragged_emulator_upload(emulator, address, elements, bytes);
  free(elements);
  return status;
}

static ragged_status print(ragged_emulator *emulator, const operand *of, int index) {
  if (!of->print) return NULL;
  size_t bytes = (size_t)(of->count * of->size);
  void *elements = malloc(bytes + 1);
  ragged_status status =
      ragged_emulator_download(emulator, elements, (void *)(uintptr_t)of->word, bytes);
  if (!status) {
    printf("operand %d:", index);
    for (int64_t k = 0; k < of->count; ++k) {
      if (!strcmp(of->type, "f32")) printf(" %g", (double)((float *)elements)[k]);
      if (!strcmp(of->type, "i32")) printf(" %d", ((int32_t *)elements)[k]);
      if (!strcmp(of->type, "i64")) printf(" %lld", (long long)((int64_t *)elements)[k]);
    }
    printf("\n");
  }
  free(elements);
  return status;
}

// ---- The kernel ----------------------------------------------------------------------------------

static ragged_status compile(const char *path, const char *kernel, ragged_jit **out_jit,
                             ragged_emulated_kernel *out_function) {
  MlirContext context = mlir_test_context_create();
  MlirModule parsed = mlirModuleCreateParseFromFile(context, mlirStringRefCreateFromCString(path));
  MlirOperation module = mlirModuleGetOperation(parsed);
  ragged_status status = NULL;
  LLVMMemoryBufferRef object = NULL;
  const ragged_compile_options options = {.optimization_level = -1};
  if (mlirModuleIsNull(parsed))
    status = ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "the file cannot be parsed");
  if (!status) status = ragged_run_pipeline(module, "builtin.module(ragged-emulate-kernels)");
  if (!status) status = ragged_emit_object(module, &options, &object);
  if (!status) status = ragged_jit_create(object, out_jit);
  if (!status) status = ragged_jit_lookup(*out_jit, kernel, (void (**)(void))out_function);
  if (!mlirModuleIsNull(parsed)) mlirModuleDestroy(parsed);
  mlirContextDestroy(context);
  return status;
}

static ragged_status run(ragged_emulator *emulator, ragged_emulator_launch *launch, int count,
                         operand *operands) {
  int64_t words[MAX_OPERANDS];
  for (int k = 0; k < count; ++k) {
    RAGGED_RETURN_IF_ERROR(allocate(emulator, &operands[k]));
    words[k] = operands[k].word;
  }
  launch->words = words;
  launch->num_words = count;
  RAGGED_RETURN_IF_ERROR(ragged_emulator_run(emulator, launch));
  for (int k = 0; k < count; ++k) RAGGED_RETURN_IF_ERROR(print(emulator, &operands[k], k));
  const ragged_emulator_counts *counts = ragged_emulator_kernel(emulator, 0);
  printf("loaded %lld bytes, stored %lld bytes; loads", (long long)counts->bytes_loaded,
         (long long)counts->bytes_stored);
  for (int k = 0; k < RAGGED_EMULATOR_WIDTHS; ++k) printf(" %lld", (long long)counts->loads[k]);
  printf(", stores");
  for (int k = 0; k < RAGGED_EMULATOR_WIDTHS; ++k) printf(" %lld", (long long)counts->stores[k]);
  printf("\n");
  return NULL;
}

int main(int argc, char **argv) {
  operand operands[MAX_OPERANDS];
  if (argc < 6 || argc - 6 > MAX_OPERANDS) return 2;
  for (int k = 6; k < argc; ++k)
    if (!parse_operand(argv[k], &operands[k - 6])) return 2;
  ragged_emulator *emulator = NULL;
  ragged_jit *jit = NULL;
  ragged_emulator_launch launch = {.name = argv[2], .grid = atoll(argv[3]),
                                   .block = atoi(argv[4]), .dynamic_shared_bytes = atoll(argv[5])};
  ragged_status status = compile(argv[1], argv[2], &jit, &launch.function);
  if (!status) status = ragged_emulator_create(&emulator);
  if (!status) status = run(emulator, &launch, argc - 6, operands);
  ragged_emulator_destroy(emulator);
  ragged_jit_destroy(jit);
  return status ? fail(status) : 0;
}
