// Truth values in the reference interpreter: comparisons, choices, casts, sums that count, and what a cast
// means for the allowed error. Expected values are written out here.
#include "reference_fixture.h"

static reference_fixture fixture;

// ---- Comparisons ---------------------------------------------------------------------------------

static void compare(const char *type, const char *name, const ragged_reference_value *arguments,
                    int64_t count, const int64_t *expected) {
  char text[512];
  snprintf(text, sizeof text,
           "func.func @f(%%x: tensor<?x%s>, %%y: tensor<?x%s>) -> tensor<?xi1> {\n"
           "  %%r = ragged.%s %%x, %%y : tensor<?x%s>, tensor<?x%s> -> tensor<?xi1>\n"
           "  return %%r : tensor<?xi1>\n}",
           type, type, name, type, type);
  ragged_reference_value result = {0};
  if (!CHECK_OK(reference_fixture_run(&fixture, text, 2, arguments, 1, &result))) return;
  CHECK_INT(result.schema.element_type, RAGGED_ELEMENT_I1);
  for (int64_t k = 0; k < count; ++k)
    if (!CHECK_INT(result.numbers[k].integer, expected[k])) printf("%s %d\n", name, (int)k);
  ragged_reference_value_free(&result);
}

static void test_comparisons(void) {
  int64_t nine = 9, six = 6, four = 4;
  ragged_reference_value real[2] = {
      reference_dense(RAGGED_ELEMENT_F64, 1, &nine,
                      REALS(1, 2, 2, -0.0, NAN, 1, NAN, INFINITY, -INFINITY)),
      reference_dense(RAGGED_ELEMENT_F64, 1, &nine,
                      REALS(2, 1, 2, 0.0, 1, NAN, NAN, INFINITY, INFINITY))};
  compare("f64", "equal", real, nine, INTEGERS(0, 0, 1, 1, 0, 0, 0, 1, 0));
  compare("f64", "not_equal", real, nine, INTEGERS(1, 1, 0, 0, 1, 1, 1, 0, 1));
  compare("f64", "less", real, nine, INTEGERS(1, 0, 0, 0, 0, 0, 0, 0, 1));
  compare("f64", "less_equal", real, nine, INTEGERS(1, 0, 1, 1, 0, 0, 0, 1, 1));
  compare("f64", "greater", real, nine, INTEGERS(0, 1, 0, 0, 0, 0, 0, 0, 0));
  compare("f64", "greater_equal", real, nine, INTEGERS(0, 1, 1, 1, 0, 0, 0, 1, 0));
  // Neighbours that one f64 would not tell apart.
  ragged_reference_value integer[2] = {
      reference_dense(RAGGED_ELEMENT_I64, 1, &six,
                      INTEGERS(1, -1, INT64_MAX, INT64_MIN, INT64_MAX, 0)),
      reference_dense(RAGGED_ELEMENT_I64, 1, &six,
                      INTEGERS(2, 1, INT64_MAX - 1, INT64_MAX, INT64_MAX, 0))};
  compare("i64", "equal", integer, six, INTEGERS(0, 0, 0, 0, 1, 1));
  compare("i64", "not_equal", integer, six, INTEGERS(1, 1, 1, 1, 0, 0));
  compare("i64", "less", integer, six, INTEGERS(1, 1, 0, 1, 0, 0));
  compare("i64", "less_equal", integer, six, INTEGERS(1, 1, 0, 1, 1, 1));
  compare("i64", "greater", integer, six, INTEGERS(0, 0, 1, 0, 0, 0));
  compare("i64", "greater_equal", integer, six, INTEGERS(0, 0, 1, 0, 1, 1));
  // Any byte but 0 is true.
  ragged_reference_value truth[2] = {
      reference_dense(RAGGED_ELEMENT_I1, 1, &four, (uint8_t[]){0, 0, 1, 255}),
      reference_dense(RAGGED_ELEMENT_I1, 1, &four, (uint8_t[]){0, 1, 0, 2})};
  compare("i1", "equal", truth, four, INTEGERS(1, 0, 0, 1));
  compare("i1", "not_equal", truth, four, INTEGERS(0, 1, 1, 0));
  compare("i1", "less", truth, four, INTEGERS(0, 1, 0, 0));
  compare("i1", "less_equal", truth, four, INTEGERS(1, 1, 0, 1));
  compare("i1", "greater", truth, four, INTEGERS(0, 0, 1, 0));
  compare("i1", "greater_equal", truth, four, INTEGERS(1, 0, 1, 1));
  reference_free_all(2, real);
  reference_free_all(2, integer);
  reference_free_all(2, truth);
}

// ---- Choices -------------------------------------------------------------------------------------

// [n, 1] conditions, [1, m] values and a scalar, which meet in [n, m].
static void test_where(void) {
  const char *text =
      "!c = !ragged.tensor<[n, 1], i1>\n!x = !ragged.tensor<[1, m], f64>\n"
      "!r = !ragged.tensor<[n, m], f64>\n"
      "func.func @f(%c: !c, %x: !x, %s: f64, %k: i1) -> (!r, !r, !ragged.tensor<[1, m], f64>) {\n"
      "  %0 = ragged.where %c, %x, %s : !c, !x, f64 -> !r\n"
      "  %1 = ragged.where %c, %s, %x : !c, f64, !x -> !r\n"
      "  %2 = ragged.where %k, %x, %s : i1, !x, f64 -> !x\n"
      "  return %0, %1, %2 : !r, !r, !x\n}";
  ragged_reference_value arguments[4] = {
      reference_ragged(&fixture, "!ragged.tensor<[n, 1], i1>", 2, EXTENTS(2, 1, 1, 1), 3,
                       (uint8_t[]){1, 0, 7}),
      reference_ragged(&fixture, "!ragged.tensor<[1, m], f64>", 2, EXTENTS(1, 2, 1, 1), 3,
                       REALS(NAN, -0.0, 5)),
      {0}, {0}};
  CHECK_OK(ragged_reference_from_real(RAGGED_ELEMENT_F64, 9, &arguments[2]));
  CHECK_OK(ragged_reference_from_integer(0, &arguments[3]));
  ragged_reference_value results[3] = {{0}};
  if (CHECK_OK(reference_fixture_run(&fixture, text, 4, arguments, 3, results))) {
    CHECK_REALS(results[0], NAN, -0.0, 9, 9, 5);
    CHECK_REALS(results[1], 9, 9, NAN, -0.0, 9);
    CHECK_REALS(results[2], 9, 9, 9);
    CHECK_INT(results[0].accuracy.operations, 0);  // only moved
  }
  reference_free_all(4, arguments);
  reference_free_all(3, results);
}

static void test_clamp(void) {
  const char *text =
      "!x = tensor<?xf64>\n!i = tensor<?xi64>\n"
      "func.func @f(%x: !x, %l: !x, %h: !x, %i: !i, %j: !i, %k: i64) -> (!x, !i) {\n"
      "  %0 = ragged.clamp %x, %l, %h : !x, !x, !x -> !x\n"
      "  %1 = ragged.clamp %i, %j, %k : !i, !i, i64 -> !i\n"
      "  return %0, %1 : !x, !i\n}";
  int64_t ten = 10, four = 4;
  ragged_reference_value arguments[6] = {
      reference_dense(RAGGED_ELEMENT_F64, 1, &ten,
                      REALS(0.5, -3, 7, 1, NAN, 1, 1, -0.0, 0.0, INFINITY)),
      reference_dense(RAGGED_ELEMENT_F64, 1, &ten, REALS(0, 0, 0, 4, 0, NAN, 0, 0.0, -2, -INFINITY)),
      reference_dense(RAGGED_ELEMENT_F64, 1, &ten, REALS(1, 1, 1, 2, 1, 1, NAN, 1, -0.0, INFINITY)),
      reference_dense(RAGGED_ELEMENT_I64, 1, &four, INTEGERS(INT64_MIN, 5, 3, INT64_MAX)),
      reference_dense(RAGGED_ELEMENT_I64, 1, &four, INTEGERS(-7, 0, 9, 0)),
      {0}};
  CHECK_OK(ragged_reference_from_integer(4, &arguments[5]));
  ragged_reference_value results[2] = {{0}};
  if (CHECK_OK(reference_fixture_run(&fixture, text, 6, arguments, 2, results))) {
    // The fourth has its bounds crossed: the upper one wins.
    CHECK_REALS(results[0], 0.5, 0.0, 1, 2, NAN, NAN, NAN, 0.0, -0.0, INFINITY);
    CHECK_INTEGERS(results[1], -7, 4, 4, 4);
  }
  reference_free_all(6, arguments);
  reference_free_all(2, results);
}

// ---- Casts ---------------------------------------------------------------------------------------

static ragged_reference_value cast(const char *from, const char *to,
                                   const ragged_reference_value *argument) {
  char text[256];
  snprintf(text, sizeof text,
           "func.func @f(%%x: tensor<?x%s>) -> tensor<?x%s> {\n"
           "  %%r = ragged.cast %%x : tensor<?x%s> -> tensor<?x%s>\n"
           "  return %%r : tensor<?x%s>\n}",
           from, to, from, to, to);
  ragged_reference_value result = {0};
  CHECK_OK(reference_fixture_run(&fixture, text, 1, argument, 1, &result));
  return result;
}

static void test_casts_of_floats(void) {
  int64_t count = 10;
  ragged_reference_value x = reference_dense(
      RAGGED_ELEMENT_F64, 1, &count,
      // The third and fourth lie beside ties of bf16 that f32 would round onto.
      REALS(2.75, -2.75, 1 + 0x1p-8 + 0x1p-40, 1 + 3 * 0x1p-8 - 0x1p-40, 0x1p63, -0x1p63, 1e300, -0.0,
            NAN, -INFINITY));
  ragged_reference_value y = cast("f64", "bf16", &x);
  CHECK_REALS(y, 2.75, -2.75, 1 + 0x1p-7, 1 + 0x1p-7, 0x1p63, -0x1p63, INFINITY, -0.0, NAN, -INFINITY);
  CHECK_INT(y.accuracy.operations, 0);  // what is known stays known, to the last bit
  ragged_reference_value_free(&y);
  y = cast("f64", "f32", &x);
  CHECK_REALS(y, 2.75, -2.75, 1 + 0x1p-8, 1 + 3 * 0x1p-8, 0x1p63, -0x1p63, INFINITY, -0.0, NAN,
              -INFINITY);
  ragged_reference_value_free(&y);
  y = cast("f64", "i64", &x);
  CHECK_INTEGERS(y, 2, -2, 1, 1, INT64_MAX, INT64_MIN, INT64_MAX, 0, 0, INT64_MIN);
  ragged_reference_value_free(&y);
  y = cast("f64", "i1", &x);
  CHECK_INTEGERS(y, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1);
  ragged_reference_value_free(&y);
  ragged_reference_value_free(&x);
}

static void test_casts_of_integers(void) {
  int64_t count = 8;
  const int64_t tie = (INT64_C(1) << 62) + (INT64_C(1) << 54);  // between two bf16
  ragged_reference_value x =
      reference_dense(RAGGED_ELEMENT_I64, 1, &count,
                      INTEGERS(0, 257, -259, tie, tie + 1, -tie - 1, INT64_MAX,
                               (INT64_C(1) << 53) + (INT64_C(1) << 29) + 1));  // beside a tie of f32
  ragged_reference_value y = cast("i64", "bf16", &x);
  CHECK_REALS(y, 0.0, 256, -260, 0x1p62, 0x1.02p62, -0x1.02p62, 0x1p63, 0x1p53);
  ragged_reference_value_free(&y);
  y = cast("i64", "f32", &x);
  CHECK_REALS(y, 0.0, 257, -259, 0x1.01p62, 0x1.01p62, -0x1.01p62, 0x1p63, 0x1.000002p53);
  ragged_reference_value_free(&y);
  y = cast("i64", "f64", &x);
  CHECK_REALS(y, 0.0, 257, -259, 0x1.01p62, 0x1.01p62, -0x1.01p62, 0x1p63, 0x1.000001p53);
  ragged_reference_value_free(&y);
  y = cast("i64", "i1", &x);
  CHECK_INTEGERS(y, 0, 1, 1, 1, 1, 1, 1, 1);
  ragged_reference_value z = cast("i1", "f32", &y);
  CHECK_REALS(z, 0.0, 1, 1, 1, 1, 1, 1, 1);
  ragged_reference_value_free(&z);
  z = cast("i1", "i64", &y);
  CHECK_INTEGERS(z, 0, 1, 1, 1, 1, 1, 1, 1);
  ragged_reference_value_free(&z);
  ragged_reference_value_free(&y);
  ragged_reference_value_free(&x);
}

// Computed in bf16, then cast: the error is that of bf16, and what it cannot hold is infinite.
static void test_accuracy(void) {
  const char *text =
      "func.func @f(%x: tensor<?xbf16>) -> (tensor<?xf64>, tensor<?xf64>) {\n"
      "  %0 = ragged.cast %x : tensor<?xbf16> -> tensor<?xf64>\n"
      "  %1 = ragged.exp %0 : tensor<?xf64> -> tensor<?xf64>\n"
      "  %2 = ragged.exp %x : tensor<?xbf16> -> tensor<?xbf16>\n"
      "  %3 = ragged.cast %2 : tensor<?xbf16> -> tensor<?xf64>\n"
      "  return %1, %3 : tensor<?xf64>, tensor<?xf64>\n}";
  int64_t count = 2;
  ragged_reference_value x =
      reference_dense(RAGGED_ELEMENT_BF16, 1, &count, (uint16_t[]){0x3f80, 0x42c8});  // 1, 100
  ragged_reference_value results[2] = {{0}};
  if (CHECK_OK(reference_fixture_run(&fixture, text, 1, &x, 2, results))) {
    CHECK_INT(results[0].accuracy.operations, 1);
    CHECK_DOUBLE(ragged_reference_allowed_relative(RAGGED_ELEMENT_F64, &results[0].accuracy),
                 4 * 0x1p-52, 0);
    CHECK_REALS(results[1], 2.71875, INFINITY);
    CHECK_INT(results[1].accuracy.operations, 1);
    CHECK_DOUBLE(ragged_reference_allowed_relative(RAGGED_ELEMENT_F64, &results[1].accuracy),
                 4 * 0x1p-7, 0);
    CHECK_DOUBLE(results[1].accuracy.smallest, 0x1p-133, 0);
  }
  ragged_reference_value_free(&x);
  reference_free_all(2, results);
}

// ---- Counts, and one number everywhere -----------------------------------------------------------

static void test_count_and_full(void) {
  const char *text =
      "!c = !ragged.tensor<[n, 2], i1>\n"
      "func.func @f(%c: !c, %k: i1)\n"
      "    -> (!ragged.tensor<[2], i64>, tensor<i64>, !c, !ragged.tensor<[n, 2], f32>) {\n"
      "  %0 = ragged.sum %c dims = [0] : !c -> !ragged.tensor<[2], i64>\n"
      "  %1 = ragged.sum %c dims = [0, 1] batch : !c -> tensor<i64>\n"
      "  %2 = ragged.full %k like %c : i1, !c -> !c\n"
      "  %s = arith.constant 2.5 : f32\n"
      "  %3 = ragged.full %s like %c : f32, !c -> !ragged.tensor<[n, 2], f32>\n"
      "  return %0, %1, %2, %3\n"
      "      : !ragged.tensor<[2], i64>, tensor<i64>, !c, !ragged.tensor<[n, 2], f32>\n}";
  ragged_reference_value arguments[2] = {
      reference_ragged(&fixture, "!ragged.tensor<[n, 2], i1>", 3, EXTENTS(2, 2, 0, 2, 1, 2), 3,
                       (uint8_t[]){1, 0, 1, 1, 0, 9}),
      {0}};
  CHECK_OK(ragged_reference_from_integer(1, &arguments[1]));
  ragged_reference_value results[4] = {{0}};
  if (CHECK_OK(reference_fixture_run(&fixture, text, 2, arguments, 4, results))) {
    CHECK_INTEGERS(results[0], 2, 1, 0, 0, 0, 1);
    CHECK_INTEGERS(results[1], 4);
    CHECK_INTEGERS(results[2], 1, 1, 1, 1, 1, 1);
    CHECK_REALS(results[3], 2.5, 2.5, 2.5, 2.5, 2.5, 2.5);
    uint8_t bytes[6];
    ragged_reference_to_packed(&arguments[0], bytes);
    CHECK(!memcmp(bytes, (uint8_t[]){1, 0, 1, 1, 0, 1}, 6));
  }
  reference_free_all(2, arguments);
  reference_free_all(4, results);
}

int main(void) {
  fixture = reference_fixture_make();
  test_comparisons();
  test_where();
  test_clamp();
  test_casts_of_floats();
  test_casts_of_integers();
  test_accuracy();
  test_count_and_full();
  reference_fixture_free(&fixture);
  return unit_test_finish();
}
