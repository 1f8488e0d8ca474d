// Dense products on the CUDA device: who runs them, where the library is looked for and when, tf32, the
// embedder's stream, statistics and the trace.
#include "runtime_cuda_product_support.h"

#include <unistd.h>

// ---- Options -----------------------------------------------------------------------------------

static void test_products_option(void) {
  const product_case c = {RAGGED_ELEMENT_F32, 8, 8, 4, 1, 0, true, false};
  product_start();
  ragged_rt_context *context = product_context("generated", FAKE_CUBLASLT, false);
  CHECK(!product_run(context, &c));
  CHECK_STRING(ragged_rt_context_product_library(context), "generated");
  product_check_end(context);
  // It is loaded when a product needs it, or at once.
  context = product_context("auto", FAKE_CUBLASLT, false);
  CHECK_STRING(ragged_rt_context_product_library(context), "generated");
  CHECK_INT(fake_cublaslt_num_live(), 0);
  CHECK(product_run(context, &c));
  CHECK_STRING(ragged_rt_context_product_library(context), "cuBLASLt 13.1.2");
  product_check_end(context);
  context = product_context("library", FAKE_CUBLASLT, false);
  CHECK_STRING(ragged_rt_context_product_library(context), "cuBLASLt 13.1.2");
  CHECK_INT(fake_cublaslt_num_live(), 1);
  CHECK(product_run(context, &c));
  product_check_end(context);
}

static ragged_status create_requiring(const char *library, ragged_rt_context **out) {
  ragged_rt_context_options options = {.struct_size = sizeof options, .device = "cuda",
                                       .cuda_driver = FAKE_CUDA_DRIVER, .products = "library",
                                       .cublaslt = library};
  return ragged_rt_context_create(&options, out);
}

static void test_no_library(void) {
  const product_case c = {RAGGED_ELEMENT_F32, 8, 8, 4, 1, 0, true, false};
  static const char *const libraries[] = {"/nowhere/at/all", FAKE_CUDA_DRIVER};
  static const char *const reasons[] = {"cuBLASLt cannot be loaded: /nowhere/at/all",
                                        "lacks cublasLtCreate, which cuBLAS 11 and later have"};
  ragged_rt_context *context = NULL;
  product_start();
  for (int k = 0; k < COUNT(libraries); ++k) {
    CHECK_FAILS(create_requiring(libraries[k], &context), RAGGED_STATUS_UNAVAILABLE, reasons[k]);
    context = product_context("auto", libraries[k], false);
    for (int j = 0; j < 2; ++j) CHECK(!product_run(context, &c));
    CHECK_STRING(ragged_rt_context_product_library(context), "generated");
    product_check_end(context);
  }
  // One that gives no handle, as without a device that it knows.
  fake_cublaslt_fail_call(3, CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK_FAILS(create_requiring(FAKE_CUBLASLT, &context), RAGGED_STATUS_UNAVAILABLE,
              "cublasLtCreate: cuBLAS status 1");
  context = product_context("auto", FAKE_CUBLASLT, false);
  fake_cublaslt_fail_call(3, CUBLAS_STATUS_NOT_INITIALIZED);
  for (int j = 0; j < 2; ++j) CHECK(!product_run(context, &c));
  CHECK_STRING(fake_cublaslt_failed_call(), "cublasLtCreate");
  product_check_end(context);
}

static void test_environment(void) {
  const product_case c = {RAGGED_ELEMENT_F32, 8, 8, 4, 1, 0, true, false};
  product_start();
  setenv("RAGGED_CUBLASLT", FAKE_CUBLASLT, 1);
  ragged_rt_context *context = product_context(NULL, NULL, false);
  unsetenv("RAGGED_CUBLASLT");  // read when the context was made
  CHECK(product_run(context, &c));
  product_check_end(context);
  setenv("RAGGED_TF32", "yes", 1);
  ragged_rt_context_options options = {.struct_size = sizeof options};
  CHECK_FAILS(ragged_rt_context_create(&options, &context), RAGGED_STATUS_INVALID_ARGUMENT,
              "RAGGED_TF32 is 'yes', but '0' or '1' is required");
  unsetenv("RAGGED_TF32");
}

static int compute_type(ragged_rt_context *context, ragged_element_type type) {
  product_case c = {type, 8, 8, 4, 1, 0, false, false};
  if (!CHECK(product_run(context, &c))) return -1;
  return fake_cublaslt_get_product(fake_cublaslt_num_products() - 1)->compute;
}

// 1 + 2^-12 is 1 in tf32.
static float first_of_rounded(ragged_rt_context *context) {
  const product_case c = {RAGGED_ELEMENT_F32, 4, 1, 1, 1, 0, false, false};
  ragged_rt_tensor *tensors[PRODUCT_WORDS] = {NULL};
  int64_t words[PRODUCT_WORDS], count = 4;
  float factor[] = {1 + 0x1p-12f, 0, 0, 0}, result = 0;
  CHECK_OK(product_operands(context, &c, tensors, words));
  for (int k = 0; k < 2; ++k) {
    ragged_rt_tensor_release(tensors[k]);
    CHECK_OK(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_F32, NULL, 1, &count, factor,
                                        &tensors[k]));
    words[k] = (int64_t)(uintptr_t)ragged_rt_tensor_data(tensors[k]);
    factor[0] = 1;
  }
  CHECK_OK(product_launch(context, &c, words));
  CHECK_OK(ragged_rt_tensor_to_host(tensors[PRODUCT_RESULT], &result, sizeof result));
  product_release(tensors);
  return result;
}

static void test_tf32(void) {
  product_start();
  for (int way = 0; way < 4; ++way) {  // neither, the option, the environment, the environment's no
    bool asked = way == 1 || way == 2;
    if (way >= 2) setenv("RAGGED_TF32", way == 2 ? "1" : "0", 1);
    ragged_rt_context *context = product_context(NULL, FAKE_CUBLASLT, way == 1);
    unsetenv("RAGGED_TF32");
    CHECK_INT(compute_type(context, RAGGED_ELEMENT_F32),
              asked ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F);
    CHECK_INT(compute_type(context, RAGGED_ELEMENT_F64), CUBLAS_COMPUTE_64F);
    CHECK_INT(compute_type(context, RAGGED_ELEMENT_BF16), CUBLAS_COMPUTE_32F);
    CHECK(first_of_rounded(context) == (asked ? 1 : 1 + 0x1p-12f));
    product_check_end(context);
  }
}

// ---- The stream, statistics and the trace ------------------------------------------------------

static void test_stream(void) {
  product_start();
  void *stream = fake_cuda_make_stream(true);
  ragged_rt_context_options options = {.struct_size = sizeof options, .device = "cuda",
                                       .cuda_driver = FAKE_CUDA_DRIVER, .stream = stream,
                                       .cublaslt = FAKE_CUBLASLT};
  ragged_rt_context *context = NULL;
  CHECK_OK(ragged_rt_context_create(&options, &context));
  const product_case c = {RAGGED_ELEMENT_F32, 8, 8, 4, 1, 0, true, false};
  ragged_rt_tensor *tensors[PRODUCT_WORDS] = {NULL};
  int64_t words[PRODUCT_WORDS];
  CHECK_OK(product_operands(context, &c, tensors, words));
  CHECK_OK(product_launch(context, &c, words));
  CHECK_INT(fake_cuda_num_waits(), 0);  // a call only queues
  CHECK(fake_cublaslt_get_product(0)->stream == stream);
  product_release(tensors);  // in use until the stream gets there
  CHECK_OK(ragged_rt_context_synchronise(context));
  CHECK_INT(runtime_test_live(context), 0);
  ragged_rt_context_release(context);
  fake_cuda_end_stream(stream);
  CHECK_INT(fake_cuda_num_live() + fake_cublaslt_num_live(), 0);
  CHECK_STRING(fake_cuda_mistake(), NULL);
}

static void check_statistics(ragged_rt_context *context, const product_case *c, const char *name,
                             int64_t bytes) {
  ragged_rt_context_enable_statistics(context, true);
  for (int k = 0; k < 3; ++k) CHECK(product_run(context, c));
  ragged_rt_kernel_statistics got[4];
  CHECK_INT(ragged_rt_context_statistics(context, 4, got), 1);
  CHECK_STRING(got[0].name, name);
  CHECK_INT(got[0].calls, 3);
  CHECK_INT(got[0].rows, 3 * 15);
  CHECK_INT(got[0].flops, 3 * 2 * 15 * 6 * 8);
  CHECK_INT(got[0].bytes, 3 * bytes);
  CHECK(got[0].seconds > 0);
  ragged_rt_context_enable_statistics(context, false);
}

static void test_statistics(void) {
  product_start();
  ragged_rt_context *context = product_context(NULL, FAKE_CUBLASLT, true);
  // Rows and result; the residual; the weight.
  product_case c = {RAGGED_ELEMENT_BF16, 6, 8, 5, 3, 0, true, true};
  check_statistics(context, &c, "product_bf16_k6_n8_bias_residual (cuBLASLt 13.1.2)",
                   2 * (15 * (6 + 8 + 8) + 6 * 8));
  c = (product_case){RAGGED_ELEMENT_F32, 6, 8, 5, 3, 0, false, false};
  check_statistics(context, &c, "product_f32_k6_n8 (cuBLASLt 13.1.2, tf32)",
                   4 * (15 * (6 + 8) + 6 * 8));
  product_check_end(context);
}

static void test_trace(void) {
  char path[] = "/tmp/ragged-trace-XXXXXX", text[4096] = {0};
  int file = mkstemp(path);
  product_start();
  ragged_rt_context_options options = {.struct_size = sizeof options, .device = "cuda",
                                       .cuda_driver = FAKE_CUDA_DRIVER, .trace_file = path,
                                       .cublaslt = FAKE_CUBLASLT};
  ragged_rt_context *context = NULL;
  CHECK_OK(ragged_rt_context_create(&options, &context));
  const product_case c = {RAGGED_ELEMENT_F64, 6, 8, 5, 3, 0, true, false};
  CHECK(product_run(context, &c));
  product_check_end(context);
  CHECK(read(file, text, sizeof text - 1) > 0);
  CHECK_CONTAINS(text, "\"name\": \"product_f64_k6_n8_bias (cuBLASLt 13.1.2)\"");
  CHECK_CONTAINS(text, "\"rows\": 15");
  close(file);
  unlink(path);
}

int main(void) {
  product_forget_environment();
  test_products_option();
  test_no_library();
  test_environment();
  test_tf32();
  test_stream();
  test_statistics();
  test_trace();
  return unit_test_finish();
}
