// Every call of cuBLASLt fails once, and so does every allocation: contexts are made, run products of
// three shapes and end, with the n-th failing, for n = 0, 1, ... until none does. What the library
// cannot do, the kernel does; what goes wrong is told, and the next call is as good as new. Nothing
// stays live.
#include "runtime_cuda_product_support.h"

static const product_case kCases[] = {
    {RAGGED_ELEMENT_F32, 8, 8, 4, 1, 0, true, false},
    {RAGGED_ELEMENT_F32, 8, 8, 7, 1, 0, true, false},  // the same shape
    {RAGGED_ELEMENT_F64, 3, 5, 4, 1, 0, false, true},
    {RAGGED_ELEMENT_BF16, 16, 8, 4, 1, 0, true, true},
};

// *out_library: how many of them the library did.
static ragged_status use(ragged_rt_context *context, int *out_library) {
  int before = fake_cublaslt_num_products();
  ragged_status status = NULL;
  for (int k = 0; k < COUNT(kCases) && !status; ++k) {
    ragged_rt_tensor *tensors[PRODUCT_WORDS] = {NULL};
    int64_t words[PRODUCT_WORDS];
    status = product_operands(context, &kCases[k], tensors, words);
    if (!status) status = product_launch(context, &kCases[k], words);
    product_release(tensors);
  }
  ragged_status waited = ragged_rt_context_synchronise(context);
  if (status) ragged_status_free(waited);
  else status = waited;
  *out_library = fake_cublaslt_num_products() - before;
  return status;
}

static bool is_of_loading(const char *call) {
  return !strcmp(call, "cublasLtCreate") || !strcmp(call, "cublasLtGetProperty");
}
static bool is_refusable(const char *call) {
  return !strcmp(call, "cublasLtMatmulAlgoGetHeuristic") || !strcmp(call, "cublasLtMatmulAlgoCheck");
}

// `refused`: NOT_SUPPORTED rather than an error.
static bool fail_call(long n, bool refused, int *told) {
  product_start();
  ragged_rt_context *context = product_context(NULL, FAKE_CUBLASLT, false);
  fake_cublaslt_fail_call(n, refused ? CUBLAS_STATUS_NOT_SUPPORTED : CUBLAS_STATUS_ALLOC_FAILED);
  int library = 0;
  ragged_status status = use(context, &library);
  const char *failed = fake_cublaslt_failed_call();
  if (failed && (is_of_loading(failed) || (refused && is_refusable(failed)))) {
    if (!CHECK(!status)) printf("  %s: %s\n", failed, ragged_status_message(status));
    CHECK_INT(library + product_kernels, COUNT(kCases));
    CHECK(product_kernels > 0);
  } else if (failed) {
    *told += status != NULL;
    if (!CHECK(status)) printf("  not told of %s\n", failed);
    CHECK_CONTAINS(ragged_status_message(status), failed);
    if (!refused) CHECK_INT(ragged_status_get_code(status), RAGGED_STATUS_RESOURCE_EXHAUSTED);
  }
  ragged_status_free(status);
  fake_cublaslt_fail_call(-1, 0);
  if (!CHECK_OK(use(context, &library))) printf("  after %s\n", failed ? failed : "nothing");
  if (!failed) CHECK_INT(product_kernels, 0);
  fake_cublaslt_fail_call(0, CUBLAS_STATUS_ALLOC_FAILED);  // ending does not fail
  product_check_end(context);
  return failed != NULL;
}

static bool fail_allocation(int64_t n) {
  product_start();
  ragged_rt_context *context = product_context(NULL, FAKE_CUBLASLT, false);
  int library = 0;
  ragged_rt_context_fail_allocation(context, n);
  ragged_status status = use(context, &library);
  ragged_rt_context_fail_allocation(context, -1);
  bool failed = status != NULL;
  if (failed) CHECK_INT(ragged_status_get_code(status), RAGGED_STATUS_RESOURCE_EXHAUSTED);
  ragged_status_free(status);
  CHECK_OK(use(context, &library));
  CHECK_INT(library, COUNT(kCases));
  product_check_end(context);
  return failed;
}

int main(void) {
  product_forget_environment();
  for (int refused = 0; refused < 2; ++refused) {
    long n = 0;
    int told = 0;
    while (fail_call(n, refused, &told) && n < 10000) ++n;
    printf("%ld calls, %d failures told\n", n, told);
    CHECK(n > 60);
    CHECK(told > 40);
  }
  int64_t n = 0;
  while (fail_allocation(n) && n < 10000) ++n;
  printf("%lld allocations\n", (long long)n);
  CHECK(n > 20);
  return unit_test_finish();
}
