// Dense products on the CUDA device, by a fake cuBLASLt: what it is asked for and told, its results for
// every type with and without bias and residual, what is left to the kernel, and how an algorithm is
// chosen and used for any number of rows.
#include "runtime_cuda_product_support.h"

// ---- Results -----------------------------------------------------------------------------------

// Nothing of it is rounded before it is stored: the library's bits are those of the formula.
static void check_results(ragged_rt_context *context, const product_case *c) {
  ragged_rt_tensor *tensors[PRODUCT_WORDS] = {NULL};
  int64_t words[PRODUCT_WORDS], count = product_elements(c, PRODUCT_RESULT);
  int64_t size = (int64_t)ragged_element_size(c->type);
  CHECK_OK(product_operands(context, c, tensors, words));
  CHECK_OK(product_launch(context, c, words));
  char *got = calloc((size_t)count, (size_t)size), *expected = calloc((size_t)count, (size_t)size);
  CHECK_OK(ragged_rt_tensor_to_host(tensors[PRODUCT_RESULT], got, count * size));
  for (int64_t i = 0; i < count; ++i)
    product_write(c->type, expected, i, product_expected(c, i / c->n, i % c->n));
  if (!CHECK(memcmp(got, expected, (size_t)(count * size)) == 0))
    printf("  %s, bias %d, residual %d\n", ragged_element_name(c->type), c->bias, c->residual);
  free(got);
  free(expected);
  product_release(tensors);
}

static void test_results(void) {
  static const ragged_element_type types[] = {RAGGED_ELEMENT_F32, RAGGED_ELEMENT_F64,
                                              RAGGED_ELEMENT_BF16};
  static const int kType[] = {CUDA_R_32F, CUDA_R_64F, CUDA_R_16BF},
                   kCompute[] = {CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_64F, CUBLAS_COMPUTE_32F},
                   kScale[] = {CUDA_R_32F, CUDA_R_64F, CUDA_R_32F};
  product_start();
  ragged_rt_context *context = product_context(NULL, FAKE_CUBLASLT, false);
  for (int t = 0; t < COUNT(types); ++t) {
    for (int form = 0; form < 4; ++form) {
      product_case c = {types[t], 13, 7, 5, 3, 0, form & 1, form & 2};
      int before = fake_cublaslt_num_products();
      check_results(context, &c);
      CHECK_INT(fake_cublaslt_num_products(), before + 1);
      const fake_cublaslt_product *got = fake_cublaslt_get_product(before);
      CHECK_INT(got->type, kType[t]);
      CHECK_INT(got->compute, kCompute[t]);
      CHECK_INT(got->scale_type, kScale[t]);
      CHECK_INT(got->epilogue, c.bias ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT);
      CHECK_DOUBLE(got->alpha, 1, 0);
      CHECK_DOUBLE(got->beta, c.residual, 0);
      CHECK_INT(got->num_rows, 15);
    }
  }
  CHECK_INT(product_kernels, 0);
  product_check_end(context);
}

// ---- What is left to the kernel ----------------------------------------------------------------

static void test_left_to_kernel(void) {
  product_start();
  ragged_rt_context *context = product_context(NULL, FAKE_CUBLASLT, false);
  const product_case good = {RAGGED_ELEMENT_F32, 8, 8, 4, 1, 0, true, false};
  for (int activation = 1; activation < RAGGED_RT_ACTIVATION_COUNT; ++activation) {
    product_case c = good;
    c.activation = activation;
    CHECK(!product_run(context, &c));
  }
  product_case c = good;
  c.type = RAGGED_ELEMENT_I64;
  CHECK(!product_run(context, &c));
  c = good;
  c.k = 0;
  CHECK(!product_run(context, &c));
  c = good;
  c.n = 0;
  CHECK(!product_run(context, &c));
  c = good;
  c.rows_per_item = 0;  // no rows: it makes no difference who does nothing
  CHECK(!product_run(context, &c));
  c = good;
  c.items = 0;
  CHECK(!product_run(context, &c));
  CHECK_INT(fake_cublaslt_num_live(), 0);  // it was not even loaded
  CHECK(product_run(context, &good));
  product_check_end(context);
}

// An address between elements is no operand; one between 16 bytes is none of the library's.
static void test_alignment(void) {
  product_start();
  ragged_rt_context *context = product_context(NULL, FAKE_CUBLASLT, false);
  const product_case c = {RAGGED_ELEMENT_F32, 8, 8, 4, 1, 0, true, true};
  ragged_rt_tensor *tensors[PRODUCT_WORDS] = {NULL};
  int64_t words[PRODUCT_WORDS];
  fake_cublaslt_get_settings()->computes = false;
  CHECK_OK(product_operands(context, &c, tensors, words));
  for (int word = 0; word < PRODUCT_WORDS; ++word) {
    for (int bytes = 4; bytes <= 16; bytes *= 2) {
      int products = fake_cublaslt_num_products();
      words[word] += bytes;
      CHECK_OK(product_launch(context, &c, words));
      words[word] -= bytes;
      CHECK_INT(fake_cublaslt_num_products() - products, bytes == 16);
    }
  }
  CHECK_OK(ragged_rt_context_synchronise(context));
  CHECK_INT(product_kernels, 2 * PRODUCT_WORDS);
  CHECK_INT(fake_cublaslt_num_questions(), 1);
  product_release(tensors);
  product_check_end(context);
}

static void test_bad_descriptions(void) {
  product_start();
  ragged_rt_context *context = product_context(NULL, FAKE_CUBLASLT, false);
  const product_case c = {RAGGED_ELEMENT_F32, 8, 8, 4, 1, 0, true, true};
  int64_t words[] = {1 << 16, 2 << 16, 3 << 16, 4 << 16, 5 << 16};
  fake_cublaslt_get_settings()->computes = false;
  CHECK_OK(product_launch(context, &c, words));
  ragged_rt_entry entry = {"product", product_entry, 0, 0, 0, NULL, NULL, NULL};
  const ragged_rt_plain_product good = product_current.product;
  int64_t *const fields[] = {&product_current.product.struct_size, &product_current.product.k,
                             &product_current.product.n,
                             &product_current.product.rows_per_item,
                             &product_current.product.activation, &product_current.product.rows,
                             &product_current.product.weight, &product_current.product.bias,
                             &product_current.product.residual, &product_current.product.result};
  static const int64_t bad[] = {8, -1, -1, -1, 4, PRODUCT_WORDS, -1, -2, PRODUCT_WORDS, -1};
  for (int k = 0; k < COUNT(fields); ++k) {
    product_current.product = good;
    *fields[k] = bad[k];
    CHECK_FAILS(ragged_rt_call(context, &entry, 0, NULL, 0, NULL), RAGGED_STATUS_INTERNAL,
                "kernel 'product': its product has");
  }
  product_check_end(context);
}

// ---- The choice of an algorithm ----------------------------------------------------------------

static void test_question(void) {
  product_start();
  ragged_rt_context *context = product_context(NULL, FAKE_CUBLASLT, false);
  product_case c = {RAGGED_ELEMENT_F32, 8, 16, 3, 1, 0, true, false};
  CHECK(product_run(context, &c));
  const fake_cublaslt_question *question = fake_cublaslt_last_question();
  CHECK_INT(question->rows, 1 << 14);
  CHECK_INT(question->max_workspace, 0);
  CHECK_INT(question->reductions, CUBLASLT_REDUCTION_SCHEME_NONE);
  for (int k = 0; k < 4; ++k) CHECK_INT(question->alignment[k], 16);
  CHECK_INT((uintptr_t)question->bias, 16);  // no more aligned than a bias is known to be
  // One question for a shape, whatever the number of rows; another shape is another question.
  for (int64_t items = 1; items < 40; items += 6) {
    c.items = items;
    CHECK(product_run(context, &c));
  }
  CHECK_INT(fake_cublaslt_num_questions(), 1);
  product_case others[] = {c, c, c, c, c};
  others[0].k = 9;
  others[1].n = 17;
  others[2].bias = false;
  others[3].residual = true;
  others[4].type = RAGGED_ELEMENT_BF16;
  for (int k = 0; k < COUNT(others); ++k) {
    CHECK(product_run(context, &others[k]));
    CHECK_INT(fake_cublaslt_num_questions(), 2 + k);
  }
  for (int k = 0; k < COUNT(others); ++k) CHECK(product_run(context, &others[k]));
  CHECK_INT(fake_cublaslt_num_questions(), 1 + COUNT(others));
  product_check_end(context);
}

// The first that takes one row and as many as there may be, without workspace.
static void test_candidates(void) {
  product_start();
  fake_cublaslt_settings *settings = fake_cublaslt_get_settings();
  settings->num_candidates = 6;
  settings->candidates[0].min_rows = 2;
  settings->candidates[1].max_rows = 1 << 19;
  settings->candidates[2].workspace_bytes = 1;
  settings->candidates[3].state = CUBLAS_STATUS_NOT_SUPPORTED;
  ragged_rt_context *context = product_context(NULL, FAKE_CUBLASLT, false);
  product_case c = {RAGGED_ELEMENT_F32, 8, 16, 3, 1, 0, true, false};
  CHECK(product_run(context, &c));
  CHECK_INT(fake_cublaslt_get_product(0)->candidate, 4);
  settings->num_candidates = 4;  // none of them is left
  c.k = 12;
  for (int k = 0; k < 3; ++k) CHECK(!product_run(context, &c));
  CHECK_INT(fake_cublaslt_num_questions(), 2);
  settings->num_candidates = 0;  // the library has no algorithm
  c.k = 13;
  for (int k = 0; k < 3; ++k) CHECK(!product_run(context, &c));
  CHECK_INT(fake_cublaslt_num_questions(), 3);
  product_check_end(context);
}

// The parts of a launch: each of one algorithm, the next where the last one ends.
static void check_parts(ragged_rt_context *context, const product_case *c, int64_t part) {
  static const int64_t words[] = {1 << 16, 2 << 16, 3 << 16, 4 << 16, 5 << 16};
  int before = fake_cublaslt_num_products();
  CHECK_OK(product_launch(context, c, words));
  CHECK_INT(fake_cublaslt_num_products() - before, (c->items + part - 1) / part);
  for (int64_t first = 0; first < c->items; first += part) {
    const fake_cublaslt_product *got = fake_cublaslt_get_product(before++);
    CHECK_INT(got->num_rows, part < c->items - first ? part : c->items - first);
    CHECK_INT((uintptr_t)got->rows, words[0] + first * c->k * 4);
    CHECK_INT((uintptr_t)got->weight, words[1]);
    CHECK_INT((uintptr_t)got->bias, words[2]);
    CHECK_INT((uintptr_t)got->residual, words[3] + first * c->n * 4);
    CHECK_INT((uintptr_t)got->result, words[4] + first * c->n * 4);
    CHECK_INT(got->candidate, 0);
  }
}

static void test_parts(void) {
  product_start();
  fake_cublaslt_get_settings()->computes = false;
  fake_cublaslt_get_settings()->candidates[0].max_rows = 1 << 20;
  ragged_rt_context *context = product_context(NULL, FAKE_CUBLASLT, false);
  product_case c = {RAGGED_ELEMENT_F32, 8, 3, (1 << 20) + 5, 1, 0, true, true};
  check_parts(context, &c, 1 << 20);
  c.items = 3 << 20;
  check_parts(context, &c, 1 << 20);
  CHECK_INT(fake_cublaslt_num_questions(), 1);
  // More elements than numbers of 31 bits reach.
  c.k = 3000;
  check_parts(context, &c, INT32_MAX / 3000 / 64 * 64);
  c.n = 30000;
  check_parts(context, &c, INT32_MAX / 30000 / 64 * 64);
  // Rows of which not even 64 are reached are the kernel's.
  int products = fake_cublaslt_num_products();
  static const int64_t words[] = {1 << 16, 2 << 16, 3 << 16, 4 << 16, 5 << 16};
  c.n = INT64_C(1) << 26;
  c.items = 1;
  CHECK_OK(product_launch(context, &c, words));
  CHECK_INT(fake_cublaslt_num_products(), products);
  CHECK_OK(ragged_rt_context_synchronise(context));
  CHECK_INT(product_kernels, 1);
  product_check_end(context);
}

// The result of a row alone and among others.
static void test_row_among_others(void) {
  product_start();
  ragged_rt_context *context = product_context(NULL, FAKE_CUBLASLT, false);
  for (int64_t items = 1; items <= 70; items += 23) {
    product_case c = {RAGGED_ELEMENT_BF16, 33, 5, items, 1, 0, true, true};
    check_results(context, &c);
    CHECK_INT(fake_cublaslt_get_product(fake_cublaslt_num_products() - 1)->candidate, 0);
  }
  CHECK_INT(fake_cublaslt_num_questions(), 1);
  product_check_end(context);
}

int main(void) {
  product_forget_environment();
  test_results();
  test_left_to_kernel();
  test_alignment();
  test_bad_descriptions();
  test_question();
  test_candidates();
  test_parts();
  test_row_among_others();
  return unit_test_finish();
}
