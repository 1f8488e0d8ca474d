// The CUDA device over the fake driver: finding the driver, memory, transfers, streams, errors that
// show late, times of kernels. Launches have a test of their own.
#define _DEFAULT_SOURCE
#include <unistd.h>

#include "cuda_device.h"
#include "dlpack_abi.h"
#include "runtime_cuda_support.h"

static const ragged_rt_kernel_image kImage[] = {PTX("sm_80", "PTX")};
static const ragged_rt_kernel_module kModule = {sizeof kModule, 1, kImage};

static void nothing(const int64_t *words, int64_t num_words, unsigned blocks, unsigned threads) {
  (void)words, (void)num_words, (void)blocks, (void)threads;
}

static void faulty(const int64_t *words, int64_t num_words, unsigned blocks, unsigned threads) {
  (void)words, (void)num_words, (void)blocks, (void)threads;
  fake_cuda_raise(CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void start(void) {
  fake_cuda_reset();
  fake_cuda_add_kernel("nothing", nothing);
  fake_cuda_add_kernel("faulty", faulty);
}

// ---- Finding the driver ------------------------------------------------------------------------

static ragged_status with_driver(const char *driver, int device_index) {
  ragged_rt_context *context = NULL;
  ragged_rt_context_options options = {.struct_size = sizeof options, .device = "cuda",
                                       .cuda_driver = driver, .device_index = device_index};
  ragged_status status = ragged_rt_context_create(&options, &context);
  CHECK((context == NULL) == (status != NULL));
  ragged_rt_context_release(context);
  return status;
}

static void test_driver(void) {
  start();
  CHECK_FAILS(with_driver("/nowhere/libcuda.so.1", 0), RAGGED_STATUS_UNAVAILABLE,
              "no CUDA driver found: /nowhere/libcuda.so.1: ");
  CHECK_FAILS(with_driver("libm.so.6", 0), RAGGED_STATUS_UNAVAILABLE,
              "no CUDA driver found: 'libm.so.6' lacks cuInit");
  CHECK_OK(with_driver(FAKE_CUDA_DRIVER, 0));
  CHECK_FAILS(with_driver(FAKE_CUDA_DRIVER, 1), RAGGED_STATUS_INVALID_ARGUMENT,
              "device_index is 1, but there are 1 CUDA devices");
  CHECK_FAILS(with_driver(FAKE_CUDA_DRIVER, -1), RAGGED_STATUS_INVALID_ARGUMENT,
              "device_index is -1");
  setenv("RAGGED_CUDA_DRIVER", FAKE_CUDA_DRIVER, 1);
  CHECK_OK(with_driver(NULL, 0));
  setenv("RAGGED_CUDA_DRIVER", "/nowhere/at/all", 1);
  CHECK_FAILS(with_driver(NULL, 0), RAGGED_STATUS_UNAVAILABLE, "/nowhere/at/all");
  unsetenv("RAGGED_CUDA_DRIVER");
  fake_cuda_get_settings()->num_devices = 2;
  CHECK_OK(with_driver(FAKE_CUDA_DRIVER, 1));
  fake_cuda_get_settings()->num_devices = 0;
  CHECK_FAILS(with_driver(FAKE_CUDA_DRIVER, 0), RAGGED_STATUS_UNAVAILABLE,
              "no CUDA driver found: there is one, but it has no device");
  fake_cuda_fail_call(0, CUDA_ERROR_NO_DEVICE);
  CHECK_FAILS(with_driver(FAKE_CUDA_DRIVER, 0), RAGGED_STATUS_UNAVAILABLE,
              "no CUDA driver found: cuInit: CUDA_ERROR_OF_THE_FAKE (100): text of the error");
  CHECK_INT(fake_cuda_num_live(), 0);
}

// ---- Memory and transfers ----------------------------------------------------------------------

static void test_memory(void) {
  start();
  ragged_rt_context *context = runtime_cuda_context();
  ragged_rt_memory_statistics memory;
  int64_t count = 100;
  ragged_rt_tensor *a = NULL, *b = NULL;
  CHECK_OK(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F32, 1, &count, &a));
  void *data = ragged_rt_tensor_data(a);
  CHECK_INT((int64_t)((uintptr_t)data % 64), 0);
  CHECK(fake_cuda_host_address(data) != NULL);
  ragged_rt_context_memory(context, &memory);
  CHECK_INT(memory.allocated, 400);
  CHECK_INT(memory.reserved, 448);
  ragged_rt_tensor_release(a);
  CHECK_OK(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F32, 1, &count, &b));
  CHECK(ragged_rt_tensor_data(b) == data);  // of the cache
  ragged_rt_tensor_release(b);
  ragged_rt_context_memory(context, &memory);
  CHECK_INT(memory.allocated, 0);
  CHECK_INT(memory.reserved, 448);
  // The cache gives way before memory is said to be exhausted.
  fake_cuda_get_settings()->memory_bytes = 1 << 20;
  count = (1 << 20) / 4;
  CHECK_OK(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F32, 1, &count, &a));
  ragged_rt_context_memory(context, &memory);
  CHECK_INT(memory.reserved, 1 << 20);
  CHECK_FAILS(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F32, 1, &count, &b),
              RAGGED_STATUS_RESOURCE_EXHAUSTED,
              "no memory for 1048576 bytes of values: cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY (2)");
  ragged_rt_tensor_release(a);
  runtime_cuda_check_end(context);
}

// Many blocks of many sizes, freed in another order, while work is queued.
static void test_many_blocks(void) {
  start();
  ragged_rt_context *context = runtime_cuda_context();
  enum { kMany = 200 };
  ragged_rt_tensor *tensors[kMany] = {NULL};
  uint64_t seed = 5;
  char *bytes = calloc(1, 1 << 20);
  for (int k = 0; k < 5000; ++k) {
    int at = unit_test_random_below(&seed, kMany);
    if (tensors[at]) {
      ragged_rt_tensor_release(tensors[at]);
      tensors[at] = NULL;
      continue;
    }
    int64_t count = 1 + unit_test_random_below(&seed, k % 50 ? 3000 : 100000);
    CHECK_OK(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_F64, NULL, 1, &count, bytes,
                                        &tensors[at]));
  }
  for (int k = 0; k < kMany; ++k) ragged_rt_tensor_release(tensors[k]);
  free(bytes);
  ragged_rt_memory_statistics memory;
  ragged_rt_context_memory(context, &memory);
  CHECK_INT(memory.allocated, 0);
  runtime_cuda_check_end(context);
}

// What was uploaded is what the memory held when it was asked for, although all copies run at the
// end.
static void test_uploads(void) {
  start();
  ragged_rt_context *context = runtime_cuda_context();
  enum { kSmall = 50 };
  ragged_rt_tensor *small[kSmall];
  int64_t values[300], count = 300;
  for (int64_t k = 0; k < kSmall; ++k) {
    for (int64_t i = 0; i < count; ++i) values[i] = 1000 * k + i;
    CHECK_OK(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_I64, NULL, 1, &count, values,
                                        &small[k]));
    memset(values, 0xee, sizeof values);
  }
  CHECK_INT(fake_cuda_num_waits(), 0);
  int64_t large_count = 1300000;  // ten stages
  int64_t *large_values = malloc((size_t)large_count * sizeof *large_values);
  for (int64_t i = 0; i < large_count; ++i) large_values[i] = i * i;
  ragged_rt_tensor *large = NULL;
  CHECK_OK(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_I64, NULL, 1, &large_count,
                                      large_values, &large));
  memset(large_values, 0xee, (size_t)large_count * sizeof *large_values);
  CHECK_OK(ragged_rt_tensor_to_host(large, large_values, large_count * 8));
  bool same = true;
  for (int64_t i = 0; i < large_count; ++i) same = same && large_values[i] == i * i;
  CHECK(same);
  for (int64_t k = 0; k < kSmall; ++k) {
    CHECK_OK(ragged_rt_tensor_to_host(small[k], values, sizeof values));
    same = true;
    for (int64_t i = 0; i < count; ++i) same = same && values[i] == 1000 * k + i;
    CHECK(same);
    ragged_rt_tensor_release(small[k]);
  }
  ragged_rt_tensor_release(large);
  free(large_values);
  runtime_cuda_check_end(context);
}

// ---- Streams and the embedder ------------------------------------------------------------------

static void check_one_stream(void *stream) {
  CHECK(fake_cuda_num_operations() > 0);
  for (int k = 0; k < fake_cuda_num_operations(); ++k)
    CHECK(fake_cuda_get_operation(k)->stream == stream);
}

static void test_stream(void) {
  start();
  void *stream = fake_cuda_make_stream(true), *foreign = fake_cuda_make_stream(false);
  ragged_rt_context *context = NULL;
  CHECK_FAILS(runtime_cuda_create(foreign, NULL, &context), RAGGED_STATUS_INVALID_ARGUMENT,
              "the stream belongs to another CUDA context than the primary one of device 0");
  CHECK_OK(runtime_cuda_create(stream, NULL, &context));
  ragged_rt_context_enable_statistics(context, true);
  int64_t value = 3, got = 0;
  ragged_rt_tensor *tensor = NULL;
  CHECK_OK(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_I64, NULL, 0, NULL, &value, &tensor));
  runtime_cuda_launch launch = {&kModule, "nothing", {0}, 0, 8, 1, 64, 0, 0};
  CHECK_OK(runtime_cuda_call(context, &launch));
  CHECK_OK(ragged_rt_tensor_to_host(tensor, &got, sizeof got));
  CHECK_INT(got, 3);
  check_one_stream(stream);
  const fake_cuda_kind order[] = {FAKE_CUDA_UPLOAD, FAKE_CUDA_RECORD, FAKE_CUDA_RECORD,
                                  FAKE_CUDA_LAUNCH, FAKE_CUDA_RECORD, FAKE_CUDA_DOWNLOAD};
  if (CHECK_INT(fake_cuda_num_operations(), COUNT(order)))
    for (int k = 0; k < COUNT(order); ++k)
      CHECK_INT(fake_cuda_get_operation(k)->kind, order[k]);
  ragged_rt_tensor_release(tensor);
  ragged_rt_context_release(context);
  CHECK_INT(fake_cuda_num_live(), 2);  // the embedder's streams
  fake_cuda_end_stream(stream);
  fake_cuda_end_stream(foreign);
  CHECK_STRING(fake_cuda_mistake(), NULL);
}

// The embedder's allocator: blocks of another context.
static void *embedder_allocate(void *user, size_t bytes) {
  void *pointer = NULL;
  ragged_rt_context *other = user;
  ragged_status status =
      ragged_rt_memory_allocate(&other->memory, (int64_t)bytes, "the embedder", &pointer);
  ragged_status_free(status);
  return pointer;
}

static void embedder_free(void *user, void *pointer, size_t bytes) {
  ragged_rt_memory_free(&((ragged_rt_context *)user)->memory, pointer, (int64_t)bytes);
}

static void test_embedder(void) {
  start();
  ragged_rt_context *other = runtime_cuda_context(), *context = NULL;
  ragged_rt_allocator allocator = {other, embedder_allocate, embedder_free};
  ragged_rt_context_options options = {.struct_size = sizeof options, .device = "cuda",
                                       .cuda_driver = FAKE_CUDA_DRIVER, .allocator = &allocator};
  CHECK_OK(ragged_rt_context_create(&options, &context));
  double value = 2.5, got = 0;
  ragged_rt_tensor *tensor = NULL;
  CHECK_OK(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_F64, NULL, 0, NULL, &value, &tensor));
  CHECK_INT(runtime_test_live(other), 1);
  CHECK_OK(ragged_rt_tensor_to_host(tensor, &got, sizeof got));
  CHECK_DOUBLE(got, 2.5, 0);
  ragged_rt_tensor_release(tensor);
  CHECK_INT(runtime_test_live(other), 0);
  ragged_rt_context_release(context);
  runtime_cuda_check_end(other);
}

// What CUDA context is current on the thread is the embedder's business.
CUresult cuCtxPushCurrent_v2(CUcontext context);
CUresult cuCtxPopCurrent_v2(CUcontext *out);

static void test_current_context(void) {
  start();
  ragged_rt_context *context = runtime_cuda_context();
  const ragged_rt_cuda_device *cuda = (const ragged_rt_cuda_device *)context->device;
  CUcontext foreign = (CUcontext)&context, popped = NULL;
  const CUcontext current[] = {foreign, cuda->context};
  for (int k = 0; k < 2; ++k) {
    CHECK_INT(cuCtxPushCurrent_v2(current[k]), CUDA_SUCCESS);
    int64_t value = 3, got = 0;
    ragged_rt_tensor *tensor = NULL;
    runtime_cuda_launch launch = {&kModule, "nothing", {0}, 0, 8, 1, 64, 0, 64};
    CHECK_OK(
        ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_I64, NULL, 0, NULL, &value, &tensor));
    CHECK_OK(runtime_cuda_call(context, &launch));
    CHECK_OK(ragged_rt_tensor_to_host(tensor, &got, sizeof got));
    CHECK_INT(got, 3);
    ragged_rt_tensor_release(tensor);
    CHECK_INT(cuCtxPopCurrent_v2(&popped), CUDA_SUCCESS);
    CHECK(popped == current[k]);
  }
  runtime_cuda_check_end(context);
}

static void test_dlpack(void) {
  start();
  ragged_rt_context *context = runtime_cuda_context();
  int64_t count = 3, values[] = {4, 5, 6}, got[3] = {0};
  ragged_rt_tensor *tensor = NULL, *back = NULL;
  DLManagedTensor *managed = NULL;
  CHECK_OK(
      ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_I64, NULL, 1, &count, values, &tensor));
  CHECK_OK(ragged_rt_tensor_to_dlpack(tensor, &managed));
  CHECK_INT(managed->dl_tensor.device.device_type, kDLCUDA);
  CHECK_INT(managed->dl_tensor.device.device_id, 0);
  managed->dl_tensor.device.device_id = 1;
  CHECK_FAILS(ragged_rt_tensor_from_dlpack(context, managed, NULL, &back),
              RAGGED_STATUS_INVALID_ARGUMENT,
              "on device type 2, index 1, but 2, index 0 ('cuda') is required");
  managed->dl_tensor.device = (DLDevice){kDLCPU, 0};
  CHECK_FAILS(ragged_rt_tensor_from_dlpack(context, managed, NULL, &back),
              RAGGED_STATUS_INVALID_ARGUMENT, "on device type 1");
  managed->dl_tensor.device.device_type = kDLCUDA;
  CHECK_OK(ragged_rt_tensor_from_dlpack(context, managed, NULL, &back));
  CHECK_OK(ragged_rt_tensor_to_host(back, got, sizeof got));
  CHECK_INT(got[2], 6);
  ragged_rt_tensor_release(back);
  ragged_rt_tensor_release(tensor);
  runtime_cuda_check_end(context);
}

// ---- Errors that show late ---------------------------------------------------------------------

static void test_late_errors(void) {
  start();
  ragged_rt_context *context = runtime_cuda_context();
  int64_t value = 3;
  ragged_rt_tensor *tensor = NULL;
  CHECK_OK(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_I64, NULL, 0, NULL, &value, &tensor));
  runtime_cuda_launch launch = {&kModule, "faulty", {0}, 0, 8, 1, 64, 0, 0};
  CHECK_OK(runtime_cuda_call(context, &launch));
  const char *expected =
      "cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS (700): text of the error";
  CHECK_FAILS(ragged_rt_context_synchronise(context), RAGGED_STATUS_INTERNAL, expected);
  CHECK_FAILS(ragged_rt_context_synchronise(context), RAGGED_STATUS_INTERNAL, expected);
  CHECK_FAILS(ragged_rt_tensor_to_host(tensor, &value, sizeof value), RAGGED_STATUS_INTERNAL,
              "CUDA_ERROR_ILLEGAL_ADDRESS");
  CHECK_FAILS(runtime_cuda_call(context, &launch), RAGGED_STATUS_INTERNAL,
              "kernel 'faulty': cuLaunchKernel: CUDA_ERROR_ILLEGAL_ADDRESS");
  ragged_rt_tensor_release(tensor);
  runtime_cuda_check_end(context);
  // A function that returns nothing leaves its error to the next wait, once.
  start();
  context = runtime_cuda_context();
  void *block = NULL;
  CHECK_OK(ragged_rt_memory_allocate(&context->memory, 64, "a test", &block));
  fake_cuda_fail_call(2, CUDA_ERROR_INVALID_VALUE);  // after cuCtxGetCurrent and cuCtxPushCurrent
  context->device->table->free(context->device, block, 64);
  CHECK_FAILS(ragged_rt_context_synchronise(context), RAGGED_STATUS_INTERNAL,
              "cuStreamSynchronize: CUDA_ERROR_OF_THE_FAKE (1)");
  CHECK_OK(ragged_rt_context_synchronise(context));
  CHECK_OK(context->device->table->allocate(context->device, 64, &block));
  ragged_rt_memory_free(&context->memory, block, 64);
  runtime_cuda_check_end(context);
}

// ---- Times -------------------------------------------------------------------------------------

static void test_times(void) {
  start();
  char path[] = "/tmp/ragged_trace_XXXXXX";
  int file = mkstemp(path);
  ragged_rt_context *context = NULL;
  CHECK_OK(runtime_cuda_create(NULL, path, &context));
  ragged_rt_context_enable_statistics(context, true);
  runtime_cuda_launch launch = {&kModule, "nothing", {0}, 0, 10, 1, 64, 0, 0};
  for (int k = 0; k < 3000; ++k) CHECK_OK(runtime_cuda_call(context, &launch));
  CHECK(fake_cuda_num_waits() < 20);
  CHECK(fake_cuda_num_live() < 2100);  // events are used again
  ragged_rt_kernel_statistics lines[2] = {0};
  CHECK_INT(ragged_rt_context_statistics(context, 2, lines), 1);
  CHECK_STRING(lines[0].name, "nothing");
  CHECK_INT(lines[0].calls, 3000);
  CHECK_INT(lines[0].rows, 30000);
  CHECK_INT(lines[0].bytes, 240000);
  CHECK_INT(lines[0].flops, 60000);
  CHECK_DOUBLE(lines[0].seconds, 3000 * 0.5e-3, 1e-5);  // the fake's: two steps of 0.25 ms
  CHECK_OK(runtime_cuda_call(context, &launch));
  runtime_cuda_check_end(context);  // what is queued still reaches the trace
  char *text = calloc(1, 1 << 20);
  CHECK(read(file, text, (1 << 20) - 1) > 0);
  int spans = 0;
  for (char *at = text; (at = strstr(at, "\"dur\": 500.000")); ++at) ++spans;
  CHECK_INT(spans, 3001);
  CHECK(!strstr(text, "\"ts\": -"));  // none begins before the trace
  CHECK(strcmp(text + strlen(text) - 4, "\n]}\n") == 0);
  free(text);
  close(file);
  unlink(path);
}

// ---- What is not the device's ------------------------------------------------------------------

static void host_kernel(const int64_t *slots, int64_t first, int64_t last, void *scratch) {
  (void)slots, (void)first, (void)last, (void)scratch;
}

static void launch_on_host(ragged_rt_frame *frame) {
  ragged_rt_frame_launch(frame, host_kernel, "host_kernel", NULL, 8, 1, 0, 0, 0);
}

static void use_product(ragged_rt_frame *frame) {
  int64_t shape[] = {4, 4};
  ragged_rt_tensor *weight = ragged_rt_frame_allocate_dense(frame, RAGGED_ELEMENT_F32, 2, shape);
  (void)ragged_rt_frame_product(frame, RAGGED_ELEMENT_F32, 4, 4, 16, weight, 0, NULL, 0, 0, 4, NULL);
}

static void test_host_things(void) {
  start();
  ragged_rt_context *context = runtime_cuda_context();
  CHECK_STRING(ragged_rt_context_device(context), "cuda");
  CHECK_STRING(ragged_rt_context_product_library(context), "generated");
  ragged_rt_entry entry = {"entry", launch_on_host, 0, 0, 0, NULL, NULL, NULL};
  CHECK_FAILS(ragged_rt_call(context, &entry, 0, NULL, 0, NULL), RAGGED_STATUS_INVALID_ARGUMENT,
              "kernel 'host_kernel' was compiled for the host, but the context's device is 'cuda'");
  entry.function = use_product;
  CHECK_FAILS(ragged_rt_call(context, &entry, 0, NULL, 0, NULL), RAGGED_STATUS_UNIMPLEMENTED,
              "on device 'cuda'");
  runtime_cuda_check_end(context);
  ragged_rt_context_options options = {.struct_size = sizeof options, .device = "cuda",
                                       .cuda_driver = FAKE_CUDA_DRIVER, .products = "library",
                                       .cublaslt = "/nowhere/at/all"};
  CHECK_FAILS(ragged_rt_context_create(&options, &context), RAGGED_STATUS_UNAVAILABLE,
              "cuBLASLt cannot be loaded: /nowhere/at/all");
  CHECK_INT(fake_cuda_num_live(), 0);
}

int main(void) {
  test_driver();
  test_memory();
  test_many_blocks();
  test_uploads();
  test_stream();
  test_embedder();
  test_current_context();
  test_dlpack();
  test_late_errors();
  test_times();
  test_host_things();
  return unit_test_finish();
}
