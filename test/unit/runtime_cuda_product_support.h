// What the tests of dense products on the CUDA device share: products of a few small numbers on the
// fake driver, launched as compiled code does, by the fake library or by a kernel that counts its
// launches and computes nothing.
#ifndef RAGGED_RUNTIME_CUDA_PRODUCT_SUPPORT_H
#define RAGGED_RUNTIME_CUDA_PRODUCT_SUPPORT_H

#include "cublaslt_abi.h"
#include "fake_cublaslt.h"
#include "product.h"
#include "runtime_cuda_support.h"

typedef struct product_case {
  ragged_element_type type;
  int64_t k, n, items, rows_per_item;
  int activation;
  bool bias, residual;
} product_case;

enum { PRODUCT_ROWS, PRODUCT_WEIGHT, PRODUCT_BIAS, PRODUCT_RESIDUAL, PRODUCT_RESULT, PRODUCT_WORDS };

static int product_kernels;  // launches of the kernel

static inline void product_kernel(const int64_t *words, int64_t num_words, unsigned blocks,
                                  unsigned threads) {
  (void)words, (void)num_words, (void)blocks, (void)threads;
  ++product_kernels;
}

static const ragged_rt_kernel_image kProductImage[] = {PTX("sm_80", "PTX")};
static const ragged_rt_kernel_module kProductModule = {sizeof kProductModule, 1, kProductImage};

static inline void product_start(void) {
  fake_cuda_reset();
  fake_cublaslt_reset();
  fake_cuda_add_kernel("product", product_kernel);
  product_kernels = 0;
}

// `library`: a path, or null.
static inline ragged_rt_context *product_context(const char *products, const char *library,
                                                 bool tf32) {
  ragged_rt_context_options options = {.struct_size = sizeof options, .device = "cuda",
                                       .cuda_driver = FAKE_CUDA_DRIVER, .products = products,
                                       .cublaslt = library, .tf32 = tf32};
  ragged_rt_context *context = NULL;
  if (!CHECK_OK(ragged_rt_context_create(&options, &context))) exit(EXIT_FAILURE);
  return context;
}

static inline void product_check_end(ragged_rt_context *context) {
  runtime_cuda_check_end(context);
  CHECK_INT(fake_cublaslt_num_live(), 0);
  CHECK_STRING(fake_cublaslt_mistake(), NULL);
}

static inline ragged_rt_plain_product product_describe(const product_case *c) {
  return (ragged_rt_plain_product){.struct_size = sizeof(ragged_rt_plain_product),
                                   .element_type = c->type,
                                   .k = c->k,
                                   .n = c->n,
                                   .rows_per_item = c->rows_per_item,
                                   .activation = c->activation,
                                   .rows = PRODUCT_ROWS,
                                   .weight = PRODUCT_WEIGHT,
                                   .bias = c->bias ? PRODUCT_BIAS : -1,
                                   .residual = c->residual ? PRODUCT_RESIDUAL : -1,
                                   .result = PRODUCT_RESULT};
}

// What the entry of the call in progress launches.
static struct {
  ragged_rt_space *space;  // null: the items are no rows of a space
  int64_t items;
  const int64_t *words;
  ragged_rt_plain_product product;
} product_current;

static inline void product_entry(ragged_rt_frame *frame) {
  ragged_rt_frame_launch_product(frame, &kProductModule, "product", product_current.words,
                                 PRODUCT_WORDS, product_current.space, product_current.items, 64, 256, 0,
                                 0, 8, 2, &product_current.product);
}

static inline ragged_status product_launch(ragged_rt_context *context, const product_case *c,
                                           const int64_t *words) {
  ragged_rt_entry entry = {"product", product_entry, 0, 0, 0, NULL, NULL, NULL};
  product_current.items = c->items;
  product_current.words = words;
  product_current.product = product_describe(c);
  return ragged_rt_call(context, &entry, 0, NULL, 0, NULL);
}

// Word k's elements in a case.
static inline int64_t product_elements(const product_case *c, int word) {
  int64_t rows = c->items * c->rows_per_item;
  const int64_t counts[] = {rows * c->k, c->n * c->k, c->n, rows * c->n, rows * c->n};
  return counts[word];
}

// A multiple of 1/8 in [-2, 2]: sums of products of some hundred are exact in f32.
static inline double product_value(int word, int64_t element) {
  uint64_t seed = (uint64_t)(word * 1000003 + element);
  return (double)((int64_t)unit_test_random_below(&seed, 33) - 16) / 8;
}

// Before it is rounded to the type.
static inline double product_expected(const product_case *c, int64_t row, int64_t column) {
  double sum = 0;
  for (int64_t k = 0; k < c->k; ++k)
    sum += product_value(PRODUCT_ROWS, row * c->k + k) *
           product_value(PRODUCT_WEIGHT, column * c->k + k);
  if (c->bias) sum += product_value(PRODUCT_BIAS, column);
  if (c->residual) sum += product_value(PRODUCT_RESIDUAL, row * c->n + column);
  return sum;
}

static inline uint16_t product_to_bf16(double value) {
  float narrow = (float)value;
  uint32_t bits;
  memcpy(&bits, &narrow, sizeof bits);
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static inline void product_write(ragged_element_type type, void *to, int64_t element,
                                 double value) {
  float narrow = (float)value;
  uint16_t half = product_to_bf16(value);
  char *at = (char *)to + element * (int64_t)ragged_element_size(type);
  if (type == RAGGED_ELEMENT_F64) memcpy(at, &value, sizeof value);
  if (type == RAGGED_ELEMENT_F32) memcpy(at, &narrow, sizeof narrow);
  if (type == RAGGED_ELEMENT_BF16) memcpy(at, &half, sizeof half);
}

// The operands on the device, and their addresses as a launch's words. The result holds NaNs.
static inline ragged_status product_operands(ragged_rt_context *context, const product_case *c,
                                             ragged_rt_tensor **tensors, int64_t *words) {
  for (int k = 0; k < PRODUCT_WORDS; ++k) {
    int64_t count = product_elements(c, k);
    void *values = calloc((size_t)count + 1, 8);
    for (int64_t i = 0; i < count; ++i)
      product_write(c->type, values, i,
                    k == PRODUCT_RESULT ? (double)__builtin_nanf("") : product_value(k, i));
    ragged_status status =
        ragged_rt_tensor_from_host(context, c->type, NULL, 1, &count, values, &tensors[k]);
    free(values);
    if (status) return status;
    words[k] = (int64_t)(uintptr_t)ragged_rt_tensor_data(tensors[k]);
  }
  return NULL;
}

static inline void product_release(ragged_rt_tensor **tensors) {
  for (int k = 0; k < PRODUCT_WORDS; ++k) ragged_rt_tensor_release(tensors[k]);
}

// Runs a case. Returns whether the library did it; else the kernel did.
static inline bool product_run(ragged_rt_context *context, const product_case *c) {
  ragged_rt_tensor *tensors[PRODUCT_WORDS] = {NULL};
  int64_t words[PRODUCT_WORDS];
  int kernels = product_kernels, products = fake_cublaslt_num_products();
  CHECK_OK(product_operands(context, c, tensors, words));
  CHECK_OK(product_launch(context, c, words));
  CHECK_OK(ragged_rt_context_synchronise(context));
  product_release(tensors);
  products = fake_cublaslt_num_products() - products;
  kernels = product_kernels - kernels;
  if (c->items * c->rows_per_item > 0) CHECK_INT(products + kernels, 1);
  return products > 0;
}

// What else would decide who runs products.
static inline void product_forget_environment(void) {
  unsetenv("RAGGED_PRODUCTS");
  unsetenv("RAGGED_CUBLASLT");
  unsetenv("RAGGED_TF32");
}

#endif  // RAGGED_RUNTIME_CUDA_PRODUCT_SUPPORT_H
