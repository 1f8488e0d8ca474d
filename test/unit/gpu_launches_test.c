// One program compiled for CUDA, on a fake driver that records its launches, and for the emulated
// device: both are given the same kernels, blocks and threads, and as many items. The driver's kernels
// compute nothing; what they would is the emulated device's to show. The same with lengths that only the
// device knows, where the driver captures the call and launches the graph. There is a library of products,
// too, which leaves them to their kernels, and is not asked where the host does not know the rows.
#include <string.h>

#include "fake_cublaslt.h"
#include "fake_cuda_driver.h"
#include "ragged-c/compile.h"
#include "ragged-c/dialect.h"
#include "runtime_test_support.h"

static const char *const kProgram =
    "!x = !ragged.tensor<[n, 48], f32>\n"
    "func.func @f(%x: !x, %w: tensor<32x48xf32>)\n"
    "    -> (!x, !x, !ragged.tensor<[n, n, 48], f32>, !ragged.tensor<[n, 48], f32>,\n"
    "        !ragged.tensor<[48], f32>, !ragged.tensor<[n, 32], f32>) {\n"
    "  %a = ragged.exp %x : !x -> !x\n"
    "  %b = ragged.layer_norm %x dims = [1] eps = 1.0e-5 : !x -> !x\n"
    "  %r = ragged.expand_dims %x dim = 1 : !x -> !ragged.tensor<[n, 1, 48], f32>\n"
    "  %c = ragged.expand_dims %x dim = 0 : !x -> !ragged.tensor<[1, n, 48], f32>\n"
    "  %p = ragged.add %r, %c : !ragged.tensor<[n, 1, 48], f32>, !ragged.tensor<[1, n, 48], f32>\n"
    "      -> !ragged.tensor<[n, n, 48], f32>\n"
    "  %s = ragged.sum %p dims = [1] : !ragged.tensor<[n, n, 48], f32> -> !x\n"
    "  %t = ragged.max %x dims = [0] : !x -> !ragged.tensor<[48], f32>\n"
    "  %l = ragged.linear %x, %w dim = 1 : !x, tensor<32x48xf32> -> !ragged.tensor<[n, 32], f32>\n"
    "  return %a, %b, %p, %s, %t, %l : !x, !x, !ragged.tensor<[n, n, 48], f32>, !x,\n"
    "      !ragged.tensor<[48], f32>, !ragged.tensor<[n, 32], f32>\n"
    "}\n";

enum { NUM_RESULTS = 6, MAX_KERNELS = 16, WIDTH = 48 };

static int first_operation;  // of the driver's, for the call in question

static void compute_nothing(const int64_t *words, int64_t num_words, unsigned blocks,
                            unsigned threads) {
  (void)words, (void)num_words, (void)blocks, (void)threads;
}

static ragged_rt_module *compile(MlirModule module, const char *target) {
  RaggedCompileOptions options = {.structSize = sizeof options, .optimizationLevel = -1,
                                  .target = target,
                                  .chips = strcmp(target, "cuda") ? NULL : "sm_80"};
  ragged_rt_module *out = NULL;
  if (!CHECK_OK(raggedCompile(module, &options, &out))) exit(EXIT_FAILURE);
  return out;
}

// Calls @f on samples of these lengths.
static void call(ragged_rt_context *context, const ragged_rt_module *module, int64_t batch,
                 const int64_t *lengths) {
  ragged_rt_axis *axis = NULL;
  ragged_rt_space *space = NULL;
  ragged_rt_tensor *arguments[2] = {NULL}, *results[NUM_RESULTS] = {NULL};
  const int64_t tail = WIDTH, shape[] = {32, WIDTH};
  float *values = calloc(WIDTH * 4096, sizeof *values);
  CHECK_OK(ragged_rt_axis_create_from_lengths(context, batch, 64, lengths, &axis));
  CHECK_OK(ragged_rt_space_get(context, batch, 1, &axis, &space));
  CHECK_OK(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_F32, space, 1, &tail, values,
                                      &arguments[0]));
  CHECK_OK(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_F32, NULL, 2, shape, values,
                                      &arguments[1]));
  const ragged_rt_entry *entry = ragged_rt_module_find(module, "f");
  CHECK_OK(ragged_rt_call(context, entry, 2, arguments, NUM_RESULTS, results));
  CHECK_OK(ragged_rt_context_synchronise(context));
  for (int k = 0; k < NUM_RESULTS; ++k) ragged_rt_tensor_release(results[k]);
  for (int k = 0; k < 2; ++k) ragged_rt_tensor_release(arguments[k]);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(axis);
  free(values);
}

static ragged_rt_context *make_context(const char *device, void *stream) {
  ragged_rt_context_options options = {.struct_size = sizeof options, .device = device,
                                       .cuda_driver = FAKE_CUDA_DRIVER, .cublaslt = FAKE_CUBLASLT,
                                       .stream = stream};
  ragged_rt_context *context = NULL;
  if (!CHECK_OK(ragged_rt_context_create(&options, &context))) exit(EXIT_FAILURE);
  return context;
}

// Captures the call and launches the graph; without a stream, makes it.
static void launch_graph(ragged_rt_context *context, const ragged_rt_entry *entry,
                         ragged_rt_tensor **arguments, ragged_rt_tensor **results,
                         struct CUstream_st *stream) {
  ragged_rt_capture *capture = NULL;
  CUgraph graph = NULL;
  CHECK_OK(ragged_rt_call(context, entry, 2, arguments, NUM_RESULTS, results));
  CHECK_OK(ragged_rt_context_synchronise(context));
  if (!stream) return;
  for (int k = 0; k < NUM_RESULTS; ++k) ragged_rt_tensor_release(results[k]);
  CHECK_OK(ragged_rt_capture_begin(context, &capture));
  CHECK_INT(cuStreamBeginCapture_v2(stream, 0), 0);
  CHECK_OK(ragged_rt_call(context, entry, 2, arguments, NUM_RESULTS, results));
  CHECK_INT(cuStreamEndCapture(stream, &graph), 0);
  ragged_rt_capture_end(capture);
  CHECK_INT(fake_cuda_graph_nodes(graph, FAKE_CUDA_UPLOAD), 0);
  first_operation = fake_cuda_num_operations();
  CHECK_INT(cuGraphLaunch((CUgraphExec)graph, stream), 0);
  CHECK_OK(ragged_rt_context_synchronise(context));
  CHECK_INT(cuGraphDestroy(graph), 0);
  ragged_rt_capture_release(capture);
}

// Calls @f on such lengths in memory of the device, with room for 57 rows.
static void call_on_device(ragged_rt_context *context, const ragged_rt_module *module,
                           const int64_t *lengths, struct CUstream_st *stream) {
  ragged_rt_axis *axis = NULL;
  ragged_rt_space *space = NULL, *pairs = NULL;
  ragged_rt_tensor *memory = NULL, *arguments[2] = {NULL}, *results[NUM_RESULTS] = {NULL};
  const int64_t tail = WIDTH, shape[] = {32, WIDTH}, batch = 3;
  float *values = calloc(WIDTH * 64, sizeof *values);
  CHECK_OK(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_I64, NULL, 1, &batch, lengths, &memory));
  CHECK_OK(ragged_rt_axis_create_on_device(context, batch, 64, ragged_rt_tensor_data(memory), 40, 57,
                                           &axis));
  ragged_rt_axis *axes[] = {axis, axis};
  CHECK_OK(ragged_rt_space_get(context, batch, 1, axes, &space));
  CHECK_OK(ragged_rt_space_get(context, batch, 2, axes, &pairs));
  CHECK_OK(ragged_rt_space_set_capacity(pairs, 2000));
  CHECK_OK(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_F32, space, 1, &tail, values,
                                      &arguments[0]));
  CHECK_OK(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_F32, NULL, 2, shape, values,
                                      &arguments[1]));
  launch_graph(context, ragged_rt_module_find(module, "f"), arguments, results, stream);
  for (int k = 0; k < NUM_RESULTS; ++k) ragged_rt_tensor_release(results[k]);
  for (int k = 0; k < 2; ++k) ragged_rt_tensor_release(arguments[k]);
  ragged_rt_space_release(pairs);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(axis);
  ragged_rt_tensor_release(memory);
  free(values);
}

// The launches that the driver saw of one kernel.
static void check_kernel(const ragged_rt_device_counts *emulated, bool on_device) {
  int64_t launches = 0, blocks = 0, threads = 0;
  for (int k = first_operation; k < fake_cuda_num_operations(); ++k) {
    const fake_cuda_operation *operation = fake_cuda_get_operation(k);
    if (operation->kind != FAKE_CUDA_LAUNCH || strcmp(operation->kernel, emulated->name)) continue;
    ++launches;
    blocks += operation->grid[0];
    threads += (int64_t)operation->grid[0] * operation->block[0];
    CHECK(operation->grid[1] == 1 && operation->grid[2] == 1);
    CHECK(operation->block[1] == 1 && operation->block[2] == 1);
    CHECK(operation->words[0] > 0 || (on_device && operation->words[0] == -1));  // items
    CHECK_INT(operation->bytes % 8, 0);
  }
  CHECK_INT(launches, emulated->launches);
  CHECK_INT(blocks, emulated->blocks);
  CHECK_INT(threads, emulated->threads);
}

static void compare(const ragged_rt_module *emulated, const ragged_rt_module *cuda,
                    const int64_t *lengths, bool on_device) {
  ragged_rt_context *context = make_context("emulated", NULL);
  if (on_device) call_on_device(context, emulated, lengths, NULL);
  else call(context, emulated, 3, lengths);
  ragged_rt_device_counts counts[MAX_KERNELS];
  int count = ragged_rt_context_device_counts(context, MAX_KERNELS, counts);
  CHECK(count >= 1 && count <= MAX_KERNELS);
  fake_cuda_reset();
  fake_cublaslt_reset();
  fake_cublaslt_get_settings()->num_candidates = 0;  // the product is left to its kernel
  first_operation = 0;
  for (int k = 0; k < count; ++k) fake_cuda_add_kernel(counts[k].name, compute_nothing);
  void *stream = on_device ? fake_cuda_make_stream(true) : NULL;
  ragged_rt_context *other = make_context("cuda", stream);
  if (on_device) call_on_device(other, cuda, lengths, stream);
  else call(other, cuda, 3, lengths);
  int64_t launches = 0, expected = 0;
  for (int k = first_operation; k < fake_cuda_num_operations(); ++k)
    launches += fake_cuda_get_operation(k)->kind == FAKE_CUDA_LAUNCH;
  for (int k = 0; k < count; ++k) {
    check_kernel(&counts[k], on_device);
    expected += counts[k].launches;
  }
  CHECK_INT(launches, expected);
  CHECK_INT(fake_cublaslt_num_questions(), !on_device && lengths[0] + lengths[1] + lengths[2] > 0);
  CHECK_INT(fake_cublaslt_num_products(), 0);
  ragged_rt_context_release(other);
  ragged_rt_context_release(context);
  if (stream) fake_cuda_end_stream(stream);
}

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  raggedRegisterDialects(registry);
  MlirContext mlir = mlirContextCreateWithRegistry(registry, false);
  MlirModule program = mlirModuleCreateParse(mlir, mlirStringRefCreateFromCString(kProgram));
  if (!CHECK(!mlirModuleIsNull(program))) return EXIT_FAILURE;
  ragged_rt_module *emulated = compile(program, "emulated"), *cuda = compile(program, "cuda");
  // Few rows, so that scratch does not limit the grids: devices hold different numbers of blocks.
  static const int64_t lengths[][3] = {{2, 3, 0}, {0, 0, 0}, {1, 1, 1}, {40, 0, 17}};
  for (int v = 0; v < 2 * COUNT(lengths); ++v) compare(emulated, cuda, lengths[v / 2], v % 2);
  CHECK_STRING(fake_cuda_mistake(), NULL);
  CHECK_INT(fake_cuda_num_live(), 0);
  CHECK_STRING(fake_cublaslt_mistake(), NULL);
  ragged_rt_module_release(cuda);
  ragged_rt_module_release(emulated);
  mlirModuleDestroy(program);
  mlirContextDestroy(mlir);
  mlirDialectRegistryDestroy(registry);
  return unit_test_finish();
}
