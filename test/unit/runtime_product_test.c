// Dense products: the library and generated kernels against plain double loops, with every
// activation, bias and residual; bf16 weights; packing; bits that do not depend on the row count or
// on the number of threads. Where there is no library, that half is reported as skipped.
#include <math.h>

#include "runtime_test_support.h"

enum { kBlock = 24, kMaxK = 70, kMaxN = 50, kPanel = 8, kMaxRows = 100 };

typedef struct product_case {
  int64_t k, n, rows;
  int activation;
  bool bias, residual, bf16, transposed;
} product_case;

// The case in progress: what compiled code would have baked in.
static product_case current;
static bool used_generated;

static double activate(double x, int activation) {
  if (activation == 1) return x > 0 ? x : 0;
  if (activation == 2) return 0.5 * x * (1 + erf(x / sqrt(2.0)));
  if (activation == 3) return 1 / (1 + exp(-x));
  return x;
}

#define DEFINE_GENERATED(name, type)                                                            \
  static void name(const void *a, const void *packed, const void *bias, void *c, int64_t rows) { \
    used_generated = true;                                                                      \
    for (int64_t r = 0; r < rows; ++r) {                                                        \
      for (int64_t j = 0; j < current.n; ++j) {                                                 \
        const type *panel = (const type *)packed + j / kPanel * kPanel * current.k;             \
        type sum = 0;                                                                           \
        for (int64_t i = 0; i < current.k; ++i)                                                 \
          sum += ((const type *)a)[r * current.k + i] * panel[i * kPanel + j % kPanel];         \
        if (bias) sum += ((const type *)bias)[j];                                               \
        type *out = (type *)c + r * current.n + j;                                              \
        type value = (type)activate((double)sum, current.activation);                           \
        *out = current.residual ? *out + value : value;                                         \
      }                                                                                         \
    }                                                                                           \
  }
DEFINE_GENERATED(generated_f32, float)
DEFINE_GENERATED(generated_f64, double)
DEFINE_GENERATED(generated_i64, int64_t)

static void run_blocks(const int64_t *slots, int64_t first, int64_t last, void *scratch) {
  (void)scratch;
  ragged_rt_product *product = (ragged_rt_product *)(uintptr_t)slots[0];
  for (int64_t block = first; block < last; ++block) {
    int64_t begin = block * kBlock, left = slots[3] - begin;
    char *a = (char *)(uintptr_t)slots[1] + begin * current.k * slots[4];
    char *c = (char *)(uintptr_t)slots[2] + begin * current.n * slots[4];
    ragged_rt_product_run(product, a, c, left < kBlock ? left : kBlock);
  }
}

// (a [rows + block, k], w [n, k], b [n], c [rows + block, n]) -> c after the product.
static ragged_rt_product_function generated;

static void product_entry(ragged_rt_frame *frame) {
  ragged_rt_tensor *a = ragged_rt_frame_argument(frame, 0), *w = ragged_rt_frame_argument(frame, 1),
                   *b = ragged_rt_frame_argument(frame, 2), *c = ragged_rt_frame_argument(frame, 3);
  if (!ragged_rt_frame_ok(frame)) return;
  int64_t type = ragged_rt_tensor_element_type(a);
  ragged_rt_product *product =
      ragged_rt_frame_product(frame, type, current.k, current.n, kBlock, w, current.transposed,
                              current.bias ? b : NULL, current.activation, current.residual, kPanel,
                              generated);
  int64_t slots[] = {(int64_t)(uintptr_t)product, (int64_t)(uintptr_t)ragged_rt_frame_data(frame, a),
                     (int64_t)(uintptr_t)ragged_rt_frame_data(frame, c), current.rows,
                     (int64_t)ragged_element_size((ragged_element_type)type)};
  ragged_rt_frame_launch(frame, run_blocks, "blocks", slots, (current.rows + kBlock - 1) / kBlock, 1,
                         0, 0, 0);
  ragged_rt_frame_release_product(frame, product);
}

typedef struct operands {
  float a[(kMaxRows + kBlock) * kMaxK], w[kMaxN * kMaxK], b[kMaxN], c[(kMaxRows + kBlock) * kMaxN];
  uint16_t w16[kMaxN * kMaxK], b16[kMaxN];
} operands;

static float small(uint64_t *seed) {  // a multiple of 1/8 in [-2, 2]: exact in bf16
  return (float)(unit_test_random_below(seed, 33) - 16) / 8;
}

static uint16_t to_bf16(float value) {
  uint32_t word;
  memcpy(&word, &value, sizeof word);
  return (uint16_t)(word >> 16);
}

static operands *make_operands(uint64_t seed) {
  operands *data = calloc(1, sizeof *data);
  for (int i = 0; i < COUNT(data->a); ++i) data->a[i] = small(&seed);
  for (int i = 0; i < COUNT(data->c); ++i) data->c[i] = small(&seed);
  for (int i = 0; i < COUNT(data->w); ++i) data->w16[i] = to_bf16(data->w[i] = small(&seed));
  for (int i = 0; i < COUNT(data->b); ++i) data->b16[i] = to_bf16(data->b[i] = small(&seed));
  return data;
}

static ragged_status call_product(ragged_rt_context *context, ragged_element_type type,
                                  ragged_element_type weight_type, void *a, void *w, void *b,
                                  void *c) {
  ragged_rt_value_type types[] = {
      runtime_test_dense(type, 2, -1, -1), runtime_test_dense(weight_type, 2, -1, -1),
      runtime_test_dense(weight_type, 1, -1, 0), runtime_test_dense(type, 2, -1, -1)};
  ragged_rt_entry entry = {"product", product_entry, 4, 0, 0, types, NULL, NULL};
  bool turned = current.transposed;
  int64_t shapes[4][2] = {{current.rows + kBlock, current.k},
                          {turned ? current.k : current.n, turned ? current.n : current.k},
                          {current.n, 0}, {current.rows + kBlock, current.n}};
  void *data[] = {a, w, b, c};
  ragged_rt_tensor *arguments[4];
  for (int k = 0; k < 4; ++k)
    CHECK_OK(ragged_rt_tensor_wrap_dense(context, types[k].schema.element_type, k == 2 ? 1 : 2,
                                         shapes[k], data[k], NULL, NULL, &arguments[k]));
  ragged_status status = ragged_rt_call(context, &entry, 4, arguments, 0, NULL);
  for (int k = 0; k < 4; ++k) ragged_rt_tensor_release(arguments[k]);
  CHECK_INT(runtime_test_live(context), 0);
  return status;
}

// Runs the current case and compares with double loops; leaves the result in data->c.
static void check_case(ragged_rt_context *context, operands *data) {
  float *before = malloc(sizeof data->c);
  memcpy(before, data->c, sizeof data->c);
  generated = generated_f32;
  void *w = current.bf16 ? (void *)data->w16 : (void *)data->w;
  void *b = current.bf16 ? (void *)data->b16 : (void *)data->b;
  CHECK_OK(call_product(context, RAGGED_ELEMENT_F32,
                        current.bf16 ? RAGGED_ELEMENT_BF16 : RAGGED_ELEMENT_F32, data->a, w, b,
                        data->c));
  double worst = 0;
  for (int64_t r = 0; r < current.rows; ++r) {
    for (int64_t j = 0; j < current.n; ++j) {
      double sum = current.bias ? (double)data->b[j] : 0, size = 1;
      for (int64_t i = 0; i < current.k; ++i) {
        double term = (double)data->a[r * current.k + i] * (double)data->w[current.transposed ? i * current.n + j : j * current.k + i];
        sum += term;
        size += fabs(term);
      }
      double expected = activate(sum, current.activation);
      if (current.residual) expected += (double)before[r * current.n + j];
      double error = fabs((double)data->c[r * current.n + j] - expected);
      // A sum of k terms and a few operations: k + 16 roundings of f32 on their magnitude.
      double allowed = (double)(current.k + 16) * ldexp(1, -24) * size;
      if (error / allowed > worst) worst = error / allowed;
    }
  }
  if (!CHECK(worst <= 1))
    printf("  k %d n %d rows %d activation %d bias %d residual %d: error %g of allowed\n",
           (int)current.k, (int)current.n, (int)current.rows, current.activation, current.bias,
           current.residual, worst);
  free(before);
}

static void test_all(ragged_rt_context *context, bool library) {
  static const int64_t sizes[][3] = {{64, 48, 100}, {70, 50, 1}, {1, 1, 24}, {33, 7, 25}, {8, 9, 0}};
  for (int s = 0; s < COUNT(sizes); ++s) {
    for (int variant = 0; variant < 64; ++variant) {
      current = (product_case){sizes[s][0], sizes[s][1], sizes[s][2], variant & 3,
                               (variant & 4) != 0, (variant & 8) != 0, (variant & 16) != 0,
                               (variant & 32) != 0};
      operands *data = make_operands((uint64_t)(variant + 1));
      used_generated = false;
      check_case(context, data);
      enum { RELU = 1 };  // as frame.h numbers them; the library's gives 0 for NaN
      bool by_library = library && current.activation != RELU;
      CHECK(used_generated == (!by_library && current.rows > 0));
      free(data);
    }
  }
}

// Row r has the same bits whatever the number of rows and of threads.
static void test_bits(ragged_rt_context *context, ragged_rt_context *one_thread) {
  operands *many = make_operands(9), *few = make_operands(9), *single = make_operands(9);
  current = (product_case){64, 48, 100, 2, true, true, false, false};
  check_case(context, many);
  check_case(one_thread, single);
  current.rows = 30;
  check_case(context, few);
  CHECK(memcmp(many->c, few->c, (size_t)(30 * current.n) * sizeof(float)) == 0);
  CHECK(memcmp(many->c, single->c, (size_t)(100 * current.n) * sizeof(float)) == 0);
  free(many);
  free(few);
  free(single);
}

static void test_other_types(ragged_rt_context *context, bool transposed) {
  current = (product_case){3, 10, 2, 0, true, false, false, transposed};
  double a[26 * 3] = {1, 2, 3, 4, 5, 6}, w[30] = {0}, b[10] = {0}, c[26 * 10] = {0};
  int64_t ia[26 * 3] = {1, 2, 3, 4, 5, 6}, iw[30] = {0}, ib[10] = {0}, ic[26 * 10] = {0};
  for (int i = 0; i < 30; ++i) w[i] = (double)(iw[i] = i + 1);
  for (int i = 0; i < 10; ++i) b[i] = (double)(ib[i] = 100 * i);
  generated = generated_f64;
  CHECK_OK(call_product(context, RAGGED_ELEMENT_F64, RAGGED_ELEMENT_F64, a, w, b, c));
  generated = generated_i64;
  CHECK_OK(call_product(context, RAGGED_ELEMENT_I64, RAGGED_ELEMENT_I64, ia, iw, ib, ic));
  for (int r = 0; r < 2; ++r) {
    for (int j = 0; j < 10; ++j) {
      int64_t expected = ib[j];
      for (int i = 0; i < 3; ++i)
        expected += ia[r * 3 + i] * iw[transposed ? i * 10 + j : j * 3 + i];
      CHECK_INT(ic[r * 10 + j], expected);
      CHECK(c[r * 10 + j] == (double)expected);
    }
  }
  generated = NULL;
  CHECK_FAILS(call_product(context, RAGGED_ELEMENT_F64, RAGGED_ELEMENT_F64, a, w, b, c),
              RAGGED_STATUS_UNIMPLEMENTED, "a product in f64 with K = 3, N = 10");
  CHECK_FAILS(call_product(context, RAGGED_ELEMENT_F64, RAGGED_ELEMENT_BF16, a, w, b, c),
              RAGGED_STATUS_INTERNAL, "the weight of a product in f64 has element type bf16");
}

int main(void) {
  ragged_rt_context *context = runtime_test_context("generated", 3);
  ragged_rt_context *one_thread = runtime_test_context("generated", 1);
  test_all(context, false);
  test_bits(context, one_thread);
  test_other_types(context, false);
  test_other_types(context, true);
  ragged_rt_context_release(context);
  ragged_rt_context_release(one_thread);
  ragged_rt_context_options options = {.struct_size = sizeof options, .num_threads = 3,
                                       .products = "library"};
  ragged_status status = ragged_rt_context_create(&options, &context);
  if (status) {
    CHECK_INT(ragged_status_get_code(status), RAGGED_STATUS_UNAVAILABLE);
    printf("SKIPPED: products of the library: %s\n", ragged_status_message(status));
    ragged_status_free(status);
  } else {
    printf("library: %s\n", ragged_rt_context_product_library(context));
    one_thread = runtime_test_context("library", 1);
    test_all(context, true);
    test_bits(context, one_thread);
    test_other_types(context, false);
    test_other_types(context, true);
    ragged_rt_context_release(context);
    ragged_rt_context_release(one_thread);
  }
  return unit_test_finish();
}
