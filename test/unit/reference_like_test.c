// Conversions whose structure is another value's, and sizes, in the reference interpreter: numbers worked
// out by hand, what is not read, what adds no error, and what is refused at run time.
#include "reference_fixture.h"

static reference_fixture fixture;

#define RUN(text, num_arguments, arguments, num_results, results) \
  CHECK_OK(reference_fixture_run(&fixture, text, num_arguments, arguments, num_results, results))
#define FAIL(text, num_arguments, arguments, part)                                               \
  do {                                                                                           \
    ragged_reference_value unused[4] = {{0}};                                                    \
    CHECK_ERROR(reference_fixture_run(&fixture, text, num_arguments, arguments, 1, unused),      \
                INVALID_ARGUMENT, part);                                                         \
  } while (0)

// Lengths 1, 0, 2 along n; the tail is packed (2, 1) where the order says so.
static ragged_reference_value rows_of_three(const char *type, const double *numbers) {
  return reference_ragged(&fixture, type, 3, EXTENTS(1, 2, 0, 2, 2, 2), 3, numbers);
}

static void test_values(void) {
  const char *text =
      "func.func @f(%x: !ragged.tensor<[n, 2], f64>, %v: tensor<?x2xf64>)\n"
      "    -> (tensor<?x2xf64>, tensor<?x2xf64>) {\n"
      "  %e = ragged.exp %v : tensor<?x2xf64> -> tensor<?x2xf64>\n"
      "  %w = ragged.values %x like %e : !ragged.tensor<[n, 2], f64>, tensor<?x2xf64>\n"
      "    -> tensor<?x2xf64>\n"
      "  %y = ragged.add %x, %x : !ragged.tensor<[n, 2], f64>, !ragged.tensor<[n, 2], f64>\n"
      "    -> !ragged.tensor<[n, 2], f64>\n"
      "  %u = ragged.values %y : !ragged.tensor<[n, 2], f64> -> tensor<?x2xf64>\n"
      "  return %w, %u : tensor<?x2xf64>, tensor<?x2xf64>\n"
      "}";
  const double nan[10] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  ragged_reference_value arguments[2] = {
      rows_of_three("!ragged.tensor<[n, 2], f64>", REALS(1, 2, 3, 4, 5, 6))};
  for (int64_t rows = 3; rows <= 5; ++rows) {
    ragged_reference_value results[2] = {{0}};
    arguments[1] = reference_dense(RAGGED_ELEMENT_F64, 2, EXTENTS(rows, 2), nan);
    RUN(text, 2, arguments, 2, results);
    if (rows == 3) CHECK_REALS(results[0], 1, 2, 3, 4, 5, 6);
    if (rows == 5) CHECK_REALS(results[0], 1, 2, 3, 4, 5, 6, 0.0, 0.0, 0.0, 0.0);
    CHECK_INT(results[0].accuracy.operations, 0);  // the exponential is not read
    CHECK_INT(results[1].accuracy.operations, 1);
    reference_free_all(2, results);
    ragged_reference_value_free(&arguments[1]);
  }
  arguments[1] = reference_dense(RAGGED_ELEMENT_F64, 2, EXTENTS(2, 2), nan);
  FAIL(text, 2, arguments, "'ragged.values' op operand #0 has 3 rows, operand #1 has room for 2");
  reference_free_all(2, arguments);
}

static void test_with_values(void) {
  const char *text =
      "func.func @f(%x: !ragged.tensor<[2, n], f32>, %v: tensor<?x2xf64>)\n"
      "    -> (!ragged.tensor<[2, n], f64>, !ragged.tensor<[], i64>, tensor<?xi64>) {\n"
      "  %e = ragged.exp %x : !ragged.tensor<[2, n], f32> -> !ragged.tensor<[2, n], f32>\n"
      "  %y = ragged.with_values %v like %e : tensor<?x2xf64>, !ragged.tensor<[2, n], f32>\n"
      "    -> !ragged.tensor<[2, n], f64>\n"
      "  %s = ragged.size %y dims = [1] : !ragged.tensor<[2, n], f64> -> !ragged.tensor<[], i64>\n"
      "  %o = ragged.offsets %y : !ragged.tensor<[2, n], f64> -> tensor<?xi64>\n"
      "  return %y, %s, %o : !ragged.tensor<[2, n], f64>, !ragged.tensor<[], i64>, tensor<?xi64>\n"
      "}";
  const float nan[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
  ragged_reference_value arguments[2] = {
      reference_ragged(&fixture, "!ragged.tensor<[2, n], f32>", 3, EXTENTS(2, 1, 2, 0, 2, 2), 3, nan),
      reference_dense(RAGGED_ELEMENT_F64, 2, EXTENTS(4, 2), REALS(1, 2, 3, 4, 5, 6, NAN, NAN))};
  ragged_reference_value results[3] = {{0}};
  RUN(text, 2, arguments, 3, results);
  CHECK_REALS(results[0], 1, 2, 3, 5, 4, 6);  // logical order: the static dimension first
  CHECK_INT(results[0].accuracy.operations, 0);
  CHECK_INTEGERS(results[1], 1, 0, 2);
  CHECK_INTEGERS(results[2], 0, 1, 1, 3);
  reference_free_all(3, results);
  ragged_reference_value_free(&arguments[1]);
  arguments[1] = reference_dense(RAGGED_ELEMENT_F64, 2, EXTENTS(2, 2), REALS(1, 2, 3, 4));
  FAIL(text, 2, arguments, "'ragged.with_values' op operand #1 has 3 rows, the values have 2");
  reference_free_all(2, arguments);
}

static void test_unpack(void) {
  const char *text =
      "func.func @f(%x: !ragged.tensor<[n, 2], f64>, %b: tensor<?x?x2xf64>)\n"
      "    -> (tensor<?x?x2xf64>, tensor<?x?x2xf64>) {\n"
      "  %e = ragged.exp %b : tensor<?x?x2xf64> -> tensor<?x?x2xf64>\n"
      "  %u = ragged.unpack %x like %e batch = 1 : !ragged.tensor<[n, 2], f64>, tensor<?x?x2xf64>\n"
      "    -> tensor<?x?x2xf64>\n"
      "  %w = ragged.unpack %x like %e fill = 0.5 batch = 1 : !ragged.tensor<[n, 2], f64>,\n"
      "    tensor<?x?x2xf64> -> tensor<?x?x2xf64>\n"
      "  return %u, %w : tensor<?x?x2xf64>, tensor<?x?x2xf64>\n"
      "}";
  double nan[24];
  for (int k = 0; k < 24; ++k) nan[k] = NAN;
  ragged_reference_value arguments[2] = {
      rows_of_three("!ragged.tensor<[n, 2], f64>", REALS(1, 2, 3, 4, 5, 6)),
      reference_dense(RAGGED_ELEMENT_F64, 3, EXTENTS(3, 3, 2), nan)};
  ragged_reference_value results[2] = {{0}};
  RUN(text, 2, arguments, 2, results);
  // Three positions of three samples; the largest sample has two.
  CHECK_REALS(results[0], 1, 2, 0.0, 0.0, 3, 4, 0.0, 0.0, 0.0, 0.0, 5, 6, 0.0, 0.0, 0.0, 0.0, 0.0,
              0.0);
  CHECK_REALS(results[1], 1, 2, 0.5, 0.5, 3, 4, 0.5, 0.5, 0.5, 0.5, 5, 6, 0.5, 0.5, 0.5, 0.5, 0.5,
              0.5);
  CHECK_INT(results[0].accuracy.operations, 0);
  reference_free_all(2, results);
  ragged_reference_value_free(&arguments[1]);
  arguments[1] = reference_dense(RAGGED_ELEMENT_F64, 3, EXTENTS(1, 3, 2), nan);
  FAIL(text, 2, arguments, "axis n has extent 2 in sample 2, the result holds 1");
  ragged_reference_value_free(&arguments[1]);
  arguments[1] = reference_dense(RAGGED_ELEMENT_F64, 3, EXTENTS(3, 4, 2), nan);
  FAIL(text, 2, arguments, "has a batch of 3, operand #1 holds 4");
  reference_free_all(2, arguments);
}

static void test_with_padded(void) {
  const char *text =
      "func.func @f(%x: !ragged.tensor<[n, 2], f32>, %b: tensor<2x?x?xi64>)\n"
      "    -> !ragged.tensor<[2, n], i64, order = [1, 0]> {\n"
      "  %t = ragged.transpose %x permutation = [1, 0] : !ragged.tensor<[n, 2], f32>\n"
      "    -> !ragged.tensor<[2, n], f32, order = [1, 0]>\n"
      "  %y = ragged.with_padded %b like %t batch = 2 : tensor<2x?x?xi64>,\n"
      "    !ragged.tensor<[2, n], f32, order = [1, 0]> -> !ragged.tensor<[2, n], i64, order = [1, 0]>\n"
      "  return %y : !ragged.tensor<[2, n], i64, order = [1, 0]>\n"
      "}";
  const float nan[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
  // [2, 2, 3]: static dimension, positions, samples. 99 is padding.
  ragged_reference_value arguments[2] = {
      reference_ragged(&fixture, "!ragged.tensor<[n, 2], f32>", 3, EXTENTS(1, 2, 0, 2, 2, 2), 3, nan),
      reference_dense(RAGGED_ELEMENT_I64, 3, EXTENTS(2, 2, 3),
                      INTEGERS(1, 99, 2, 99, 99, 3, 4, 99, 5, 99, 99, 6))};
  ragged_reference_value result = {0};
  RUN(text, 2, arguments, 1, &result);
  CHECK_INTEGERS(result, 1, 4, 2, 3, 5, 6);
  ragged_reference_value_free(&result);
  ragged_reference_value_free(&arguments[1]);
  arguments[1] = reference_dense(RAGGED_ELEMENT_I64, 3, EXTENTS(2, 1, 3), INTEGERS(1, 2, 3, 4, 5, 6));
  FAIL(text, 2, arguments, "axis n has length 2 in sample 2, the padded box holds 1");
  ragged_reference_value_free(&arguments[1]);
  arguments[1] = reference_dense(RAGGED_ELEMENT_I64, 3, EXTENTS(2, 2, 1), INTEGERS(1, 2, 3, 4));
  FAIL(text, 2, arguments, "operand #1 has a batch of 3, the padded box one of 1");
  reference_free_all(2, arguments);
}

static void test_size(void) {
  const char *text =
      "func.func @f(%x: !ragged.tensor<[n, 5, m], f64>) -> (!ragged.tensor<[], i64>,\n"
      "    !ragged.tensor<[], i64>, !ragged.tensor<[], i64>, tensor<i64>, tensor<i64>, tensor<i64>) {\n"
      "  %a = ragged.size %x dims = [] : !ragged.tensor<[n, 5, m], f64> -> !ragged.tensor<[], i64>\n"
      "  %b = ragged.size %x dims = [2, 1] : !ragged.tensor<[n, 5, m], f64> -> !ragged.tensor<[], i64>\n"
      "  %c = ragged.size %x dims = [0, 2] : !ragged.tensor<[n, 5, m], f64> -> !ragged.tensor<[], i64>\n"
      "  %d = ragged.size %x dims = [] batch : !ragged.tensor<[n, 5, m], f64> -> tensor<i64>\n"
      "  %e = ragged.size %x dims = [0] batch : !ragged.tensor<[n, 5, m], f64> -> tensor<i64>\n"
      "  %g = ragged.size %x dims = [0, 1, 2] batch : !ragged.tensor<[n, 5, m], f64> -> tensor<i64>\n"
      "  return %a, %b, %c, %d, %e, %g : !ragged.tensor<[], i64>, !ragged.tensor<[], i64>,\n"
      "    !ragged.tensor<[], i64>, tensor<i64>, tensor<i64>, tensor<i64>\n"
      "}";
  const double numbers[40] = {0};
  ragged_reference_value results[6] = {{0}};
  // 2 x 3, 0 x 4, 1 x 1.
  ragged_reference_value x = reference_ragged(&fixture, "!ragged.tensor<[n, 5, m], f64>", 3,
                                              EXTENTS(2, 5, 3, 0, 5, 4, 1, 5, 1), 7, numbers);
  RUN(text, 1, &x, 6, results);
  CHECK_INTEGERS(results[0], 1, 1, 1);
  CHECK_INTEGERS(results[1], 15, 20, 5);
  CHECK_INTEGERS(results[2], 6, 0, 1);
  CHECK_INTEGERS(results[3], 3);
  CHECK_INTEGERS(results[4], 3);
  CHECK_INTEGERS(results[5], 35);
  CHECK_INT(results[5].accuracy.operations, 0);
  reference_free_all(6, results);
  ragged_reference_value_free(&x);

  // No samples; and a sample that is empty along m, so long along n that 5 n m wraps.
  x = reference_ragged(&fixture, "!ragged.tensor<[n, 5, m], f64>", 0, NULL, 0, NULL);
  RUN(text, 1, &x, 6, results);
  CHECK_INT(ragged_reference_num_elements(&results[0]), 0);
  CHECK_INTEGERS(results[3], 0);
  CHECK_INTEGERS(results[5], 0);
  reference_free_all(6, results);
  ragged_reference_value_free(&x);
  x = reference_ragged(&fixture, "!ragged.tensor<[n, 5, m], f64>", 1,
                       EXTENTS(0, 5, INT64_C(1) << 62), 0, NULL);
  RUN(text, 1, &x, 6, results);
  CHECK_INTEGERS(results[1], INT64_C(1) << 62);
  CHECK_INTEGERS(results[2], 0);
  reference_free_all(6, results);
  ragged_reference_value_free(&x);
}

// Errors of lengths do not grow those of the values along them.
static void test_integers_are_exact(void) {
  const char *text =
      "func.func @f(%v: tensor<?xf64>, %l: tensor<?xi64>) -> (!ragged.tensor<[n], f64>, tensor<?xi64>) {\n"
      "  %k = ragged.add %l, %l : tensor<?xi64>, tensor<?xi64> -> tensor<?xi64>\n"
      "  %x = ragged.from_values %v, %k axes = [\"n\"] : tensor<?xf64>, tensor<?xi64>\n"
      "    -> !ragged.tensor<[n], f64>\n"
      "  return %x, %k : !ragged.tensor<[n], f64>, tensor<?xi64>\n"
      "}";
  ragged_reference_value arguments[2] = {
      reference_dense(RAGGED_ELEMENT_F64, 1, EXTENTS(4), REALS(1, 2, 3, 4)),
      reference_dense(RAGGED_ELEMENT_I64, 1, EXTENTS(2), INTEGERS(1, 1))};
  ragged_reference_value results[2] = {{0}};
  RUN(text, 2, arguments, 2, results);
  CHECK_REALS(results[0], 1, 2, 3, 4);
  CHECK_INT(results[0].accuracy.operations, 0);
  CHECK_INTEGERS(results[1], 2, 2);
  reference_free_all(2, results);
  reference_free_all(2, arguments);
}

int main(void) {
  fixture = reference_fixture_make();
  test_values();
  test_with_values();
  test_unpack();
  test_with_padded();
  test_size();
  test_integers_are_exact();
  reference_fixture_free(&fixture);
  return unit_test_finish();
}
