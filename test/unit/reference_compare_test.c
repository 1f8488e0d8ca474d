// Packing and unpacking of values, rounding to element types, and the comparison with its tolerance.
#include "reference_fixture.h"

static reference_fixture fixture;

static void test_round(void) {
  static const struct {
    ragged_element_type type;
    double x, expected;
  } cases[] = {
      {RAGGED_ELEMENT_F64, 0.1, 0.1},
      {RAGGED_ELEMENT_F32, 0.1, 0x1.99999Ap-4},
      {RAGGED_ELEMENT_F32, 1 + 0x1p-24, 1},                      // tie, to even
      {RAGGED_ELEMENT_F32, 1 + 3 * 0x1p-24, 1 + 0x1p-22},        // tie, to even
      {RAGGED_ELEMENT_F32, 1e39, INFINITY},
      {RAGGED_ELEMENT_BF16, 1 + 0x1p-8, 1},                      // tie, to even
      {RAGGED_ELEMENT_BF16, 1 + 3 * 0x1p-8, 1 + 0x1p-6},         // tie, to even
      {RAGGED_ELEMENT_BF16, 1 + 0x1p-8 + 0x1p-40, 1 + 0x1p-7},   // a step over f32 would give 1
      {RAGGED_ELEMENT_BF16, -3.14159, -3.140625},
      {RAGGED_ELEMENT_BF16, 0x1.FEp127, 0x1.FEp127},
      {RAGGED_ELEMENT_BF16, 0x1.FEFp127, 0x1.FEp127},
      {RAGGED_ELEMENT_BF16, 0x1.FFp127, INFINITY},               // tie, to the even infinity
      {RAGGED_ELEMENT_BF16, -1e300, -INFINITY},
      {RAGGED_ELEMENT_BF16, 0x1p-133, 0x1p-133},
      {RAGGED_ELEMENT_BF16, 0x1p-134, 0.0},                      // tie, to even
      {RAGGED_ELEMENT_BF16, 0x1.8p-133, 0x1p-132},
      {RAGGED_ELEMENT_BF16, 5e-324, 0.0},
      {RAGGED_ELEMENT_BF16, -INFINITY, -INFINITY},
      {RAGGED_ELEMENT_BF16, NAN, NAN},
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k)
    if (!CHECK_DOUBLE(ragged_reference_round(cases[k].type, cases[k].x), cases[k].expected, 0))
      printf("case %d\n", (int)k);
  CHECK(signbit(ragged_reference_round(RAGGED_ELEMENT_BF16, -0.0)));
}

// [3, h, w] with its default order: rows (h, w) of 3.
static void test_packed_image(void) {
  float packed[2 * 2 * 3 + 3];
  for (int k = 0; k < 15; ++k) packed[k] = (float)k;
  ragged_reference_value x = reference_ragged(&fixture, "!ragged.tensor<[3, h, w], f32>", 3,
                                              EXTENTS(3, 2, 2, 3, 0, 7, 3, 1, 1), 5, packed);
  // Channel c of pixel (a, b) is packed at (a * 2 + b) * 3 + c.
  CHECK_REALS(x, 0.0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11, 12, 13, 14);
  CHECK_INT(ragged_reference_num_rows(&x), 5);
  CHECK_INT(x.extents[1 * 3 + 2], 7);
  float back[15];
  ragged_reference_to_packed(&x, back);
  CHECK(!memcmp(back, packed, sizeof back));
  ragged_reference_value_free(&x);
}

// Tail and space both permuted.
static void test_packed_order(void) {
  int64_t packed[12];
  for (int k = 0; k < 12; ++k) packed[k] = k;
  ragged_reference_value x =
      reference_ragged(&fixture, "!ragged.tensor<[2, n, 3, m], i64, order = [3, 1, 2, 0]>", 1,
                       EXTENTS(2, 2, 3, 1), 2, packed);
  // m = 1, n = 2: packed (m, n, 3, 2), so logical (c, i, s, j) is at ((j * 2 + i) * 3 + s) * 2 + c.
  CHECK_INTEGERS(x, 0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11);
  int64_t back[12];
  ragged_reference_to_packed(&x, back);
  CHECK(!memcmp(back, packed, sizeof back));
  ragged_reference_value_free(&x);
}

static void test_bf16_bits(void) {
  const uint16_t bits[6] = {0x3F80, 0x8000, 0x7F80, 0x7FC0, 0x0001, 0xC049};
  ragged_reference_value x =
      reference_ragged(&fixture, "!ragged.tensor<[n], bf16>", 1, EXTENTS(6), 6, bits);
  CHECK_REALS(x, 1, -0.0, INFINITY, NAN, 0x1p-133, -3.140625);
  uint16_t back[6];
  ragged_reference_to_packed(&x, back);
  CHECK(!memcmp(back, bits, sizeof bits));
  x.numbers[0].real = 1 + 0x1p-8 + 0x1p-40;
  ragged_reference_to_packed(&x, back);
  CHECK_INT(back[0], 0x3F81);
  ragged_reference_value_free(&x);
}

static void test_packed_errors(void) {
  ragged_schema schema;
  ragged_reference_value x = {0};
  const double numbers[4] = {0};
  CHECK(ragged_type_get_schema(ragged_type_parse(fixture.context, "!ragged.tensor<[n, m], f64>"),
                               &schema));
  int64_t n[2] = {1, 2}, m[2] = {1, 2};
  const int64_t *extents[2] = {n, m};
  CHECK_ERROR(ragged_reference_from_packed(&schema, 2, extents, 4, numbers, &x), INVALID_ARGUMENT,
              "ask for 5 rows, the values have 4");
  m[1] = -1;
  CHECK_ERROR(ragged_reference_from_packed(&schema, 2, extents, 4, numbers, &x), INVALID_ARGUMENT,
              "extent of m in sample 1 is -1");
  n[1] = m[1] = INT64_C(1) << 40;
  CHECK_ERROR(ragged_reference_from_packed(&schema, 2, extents, 4, numbers, &x), INVALID_ARGUMENT,
              "do not fit 63 bits");
  m[1] = 1;
  CHECK_ERROR(ragged_reference_from_packed(&schema, 2, extents, 4, numbers, &x), RESOURCE_EXHAUSTED,
              "limit");
  CHECK_ERROR(ragged_reference_from_packed(&schema, -1, extents, 4, numbers, &x), INVALID_ARGUMENT,
              "batch is -1");
  m[1] = 0;  // no row, whatever the other extent
  CHECK_OK(ragged_reference_from_packed(&schema, 2, extents, 1, numbers, &x));
  CHECK_INT(ragged_reference_num_rows(&x), 1);
  ragged_reference_value_free(&x);
}

// ---- Comparing ------------------------------------------------------------------------------

// Two samples of f32: (3, 4) and (e); compares `got` with it.
static double compare(const double *got, const double *expected, int64_t operations,
                      ragged_reference_comparison *out) {
  const float zeros[3] = {0};
  ragged_reference_value x =
      reference_ragged(&fixture, "!ragged.tensor<[n], f32>", 2, EXTENTS(2, 1), 3, zeros);
  ragged_reference_value y =
      reference_ragged(&fixture, "!ragged.tensor<[n], f32>", 2, EXTENTS(2, 1), 3, zeros);
  for (int k = 0; k < 3; ++k) {
    x.numbers[k].real = got[k];
    y.numbers[k].real = expected[k];
  }
  y.accuracy.operations = operations;
  y.accuracy.accumulation = 64;  // twice eps
  CHECK_OK(ragged_reference_compare(&x, &y, out));
  ragged_reference_value_free(&x);
  ragged_reference_value_free(&y);
  return out->worst;
}

static void test_compare(void) {
  ragged_reference_comparison c;
  const double *y = REALS(3, 4, 5);
  CHECK_DOUBLE(compare(y, y, 1, &c), 0, 0);
  // 4 * 3 ops * twice eps; samples of a few entries take the rms of all three; eps is 2^-23.
  double allowed = 24 * 0x1p-23 * (4 + sqrt(50.0 / 3)) + 12 * 0x1p-149;
  CHECK_DOUBLE(compare(REALS(3, 4 + allowed / 2, 5), y, 3, &c), 0.5, 1e-9);
  CHECK_INT(c.sample, 0);
  CHECK_INT(c.rank, 1);
  CHECK_INT(c.position[0], 1);
  CHECK_DOUBLE(c.allowed, allowed, 1e-18);
  CHECK_DOUBLE(c.expected.real, 4, 0);
  CHECK(compare(REALS(3, 4, 5.1), y, 3, &c) > 1);
  CHECK_INT(c.sample, 1);
  CHECK_INT(c.position[0], 0);
  // Moved only: the same bits.
  CHECK(compare(REALS(3, 4 + 0x1p-50, 5), y, 0, &c) == INFINITY);
  CHECK(compare(REALS(3, 0.0, 5), REALS(3, -0.0, 5), 0, &c) == INFINITY);
  CHECK(compare(REALS(3, 0.0, 5), REALS(3, -0.0, 5), 1, &c) == 0);
  // NaN only NaN, infinities only themselves; neither spoils the rms.
  CHECK(compare(REALS(NAN, 4, INFINITY), REALS(NAN, 4, INFINITY), 1, &c) == 0);
  CHECK(compare(REALS(3, 4, 5), REALS(NAN, 4, 5), 1, &c) == INFINITY);
  CHECK(compare(REALS(NAN, 4, 5), REALS(3, 4, 5), 1, &c) == INFINITY);
  CHECK(compare(REALS(3, 4, INFINITY), REALS(3, 4, -INFINITY), 1, &c) == INFINITY);
  CHECK(compare(REALS(3, 4, 1e38), REALS(3, 4, INFINITY), 1, &c) == INFINITY);
  CHECK(compare(REALS(3, 4, INFINITY), REALS(3, 4, 1e38), 1, &c) == INFINITY);
  CHECK(compare(REALS(NAN, 4.1, 5), REALS(NAN, 4, 5), 1, &c) > 1);
  // A double that f32 cannot hold.
  CHECK(compare(REALS(3, 4, INFINITY), REALS(3, 4, 1e39), 1, &c) == 0);
  CHECK(compare(REALS(3, 4, -INFINITY), REALS(3, 4, 1e39), 1, &c) == INFINITY);
  // It excuses no other, nor do many ops excuse zeros.
  CHECK(compare(REALS(3, 4.1, INFINITY), REALS(3, 4, 1e39), 1, &c) > 1);
  CHECK(compare(REALS(0, 0, 0), y, 1000000000, &c) > 1);
  // Rounding below the normal range.
  CHECK(compare(REALS(3, 4, 0x1p-149), REALS(3, 4, 0x1.4p-149), 1, &c) < 1);
}

static void test_compare_integers_and_shapes(void) {
  ragged_reference_comparison c;
  ragged_reference_value x = reference_dense(RAGGED_ELEMENT_I64, 2, EXTENTS(2, 2),
                                             INTEGERS(1, 2, 3, INT64_MAX));
  ragged_reference_value y = reference_dense(RAGGED_ELEMENT_I64, 2, EXTENTS(2, 2),
                                             INTEGERS(1, 2, 3, INT64_MAX - 1));
  y.accuracy.operations = 9;
  CHECK_OK(ragged_reference_compare(&x, &y, &c));
  CHECK(c.worst == INFINITY);
  CHECK_INT(c.position[0], 1);
  CHECK_INT(c.position[1], 1);
  CHECK_OK(ragged_reference_compare(&x, &x, &c));
  CHECK(c.worst == 0);
  ragged_reference_value_free(&y);
  y = reference_dense(RAGGED_ELEMENT_I64, 2, EXTENTS(2, 1), INTEGERS(1, 2));
  CHECK_ERROR(ragged_reference_compare(&x, &y, &c), INVALID_ARGUMENT,
              "got extent 2 in dimension 1 of sample 0, expected 1");
  ragged_reference_value_free(&y);
  y = reference_dense(RAGGED_ELEMENT_F64, 2, EXTENTS(2, 2), REALS(1, 2, 3, 4));
  CHECK_ERROR(ragged_reference_compare(&x, &y, &c), INVALID_ARGUMENT,
              "got elements of i64, expected f64");
  ragged_reference_value_free(&y);
  CHECK_OK(ragged_reference_from_integer(1, &y));
  CHECK_ERROR(ragged_reference_compare(&x, &y, &c), INVALID_ARGUMENT,
              "got a builtin tensor, expected a scalar");
  ragged_reference_value_free(&y);
  ragged_reference_value_free(&x);
}

int main(void) {
  fixture = reference_fixture_make();
  test_round();
  test_packed_image();
  test_packed_order();
  test_bf16_bits();
  test_packed_errors();
  test_compare();
  test_compare_integers_and_shapes();
  reference_fixture_free(&fixture);
  return unit_test_finish();
}
