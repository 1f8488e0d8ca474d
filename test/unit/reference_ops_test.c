// Structure, conversion, reduction, linear and normalisation ops of the reference interpreter against
// numbers worked out by hand. Empty groups, orders, and neighbours that hold NaN and inf.
#include "reference_fixture.h"

static reference_fixture fixture;

#define RUN(text, num_arguments, arguments, num_results, results) \
  CHECK_OK(reference_fixture_run(&fixture, text, num_arguments, arguments, num_results, results))

// ---- Conversion -----------------------------------------------------------------------------

static void test_from_values(void) {
  const char *text =
      "func.func @f(%v: tensor<?x2xf64>, %l: tensor<?xi64>)\n"
      "    -> (!ragged.tensor<[n, n, 2], f64, order = [1, 0, 2]>, tensor<?x2xf64>, tensor<?xi64>,\n"
      "        tensor<?xi64>, !ragged.tensor<[n, n, 2], f64>, tensor<?x2xf64>) {\n"
      "  %x = ragged.from_values %v, %l axes = [\"n\"] : tensor<?x2xf64>, tensor<?xi64>\n"
      "    -> !ragged.tensor<[n, n, 2], f64, order = [1, 0, 2]>\n"
      "  %w = ragged.values %x : !ragged.tensor<[n, n, 2], f64, order = [1, 0, 2]>\n"
      "    -> tensor<?x2xf64>\n"
      "  %o = ragged.offsets %x : !ragged.tensor<[n, n, 2], f64, order = [1, 0, 2]>\n"
      "    -> tensor<?xi64>\n"
      "  %e = ragged.extents %x dim = 1 : !ragged.tensor<[n, n, 2], f64, order = [1, 0, 2]>\n"
      "    -> tensor<?xi64>\n"
      "  %r = ragged.reorder %x order = [0, 1, 2]\n"
      "    : !ragged.tensor<[n, n, 2], f64, order = [1, 0, 2]> -> !ragged.tensor<[n, n, 2], f64>\n"
      "  %q = ragged.values %r : !ragged.tensor<[n, n, 2], f64> -> tensor<?x2xf64>\n"
      "  return %x, %w, %o, %e, %r, %q : !ragged.tensor<[n, n, 2], f64, order = [1, 0, 2]>,\n"
      "    tensor<?x2xf64>, tensor<?xi64>, tensor<?xi64>, !ragged.tensor<[n, n, 2], f64>,\n"
      "    tensor<?x2xf64>\n"
      "}";
  // Six rows; lengths 0, 2, 1 ask for five, and the last is not read.
  ragged_reference_value arguments[2] = {
      reference_dense(RAGGED_ELEMENT_F64, 2, EXTENTS(6, 2),
                      REALS(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, NAN, NAN)),
      reference_dense(RAGGED_ELEMENT_I64, 1, EXTENTS(3), INTEGERS(0, 2, 1))};
  ragged_reference_value results[6] = {{0}};
  RUN(text, 2, arguments, 6, results);
  // Packed columns first, so logical (0, 1) is the third row.
  CHECK_REALS(results[0], 1, 2, 5, 6, 3, 4, 7, 8, 9, 10);
  CHECK_REALS(results[1], 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  CHECK_INTEGERS(results[2], 0, 0, 4, 5);
  CHECK_INTEGERS(results[3], 0, 2, 1);
  CHECK_REALS(results[4], 1, 2, 5, 6, 3, 4, 7, 8, 9, 10);
  CHECK_REALS(results[5], 1, 2, 5, 6, 3, 4, 7, 8, 9, 10);
  CHECK_INT(results[5].accuracy.operations, 0);
  reference_free_all(2, arguments);
  reference_free_all(6, results);
}

static void test_from_offsets(void) {
  const char *text =
      "func.func @f(%v: tensor<?xi64>, %o: tensor<?xi64>) -> (!ragged.tensor<[n], i64>,\n"
      "    !ragged.tensor<*, i64>) {\n"
      "  %x = ragged.from_offsets %v, %o axes = [\"n\"] : tensor<?xi64>, tensor<?xi64>\n"
      "    -> !ragged.tensor<[n], i64>\n"
      "  %y = ragged.schema_cast %x : !ragged.tensor<[n], i64> -> !ragged.tensor<*, i64>\n"
      "  %z = ragged.add %y, %y : !ragged.tensor<*, i64>, !ragged.tensor<*, i64>\n"
      "    -> !ragged.tensor<*, i64>\n"
      "  return %x, %z : !ragged.tensor<[n], i64>, !ragged.tensor<*, i64>\n"
      "}";
  ragged_reference_value arguments[2] = {
      reference_dense(RAGGED_ELEMENT_I64, 1, EXTENTS(4), INTEGERS(4, 5, 6, 99)),
      reference_dense(RAGGED_ELEMENT_I64, 1, EXTENTS(4), INTEGERS(0, 2, 2, 3))};
  ragged_reference_value results[2] = {{0}};
  RUN(text, 2, arguments, 2, results);
  CHECK_INTEGERS(results[0], 4, 5, 6);
  CHECK_INT(results[0].extents[1], 0);
  CHECK_INTEGERS(results[1], 8, 10, 12);
  CHECK_STRING(results[1].schema.dimensions[0].axis, "n");
  reference_free_all(2, arguments);
  reference_free_all(2, results);
}

static void test_pack(void) {
  const char *text =
      "func.func @f(%p: tensor<?x?x1xf64>, %l: tensor<?xi64>)\n"
      "    -> (!ragged.tensor<[n, 1], f64>, tensor<?x?x1xf64>, tensor<?x4x1xf64>) {\n"
      "  %x = ragged.pack %p, %l axes = [\"n\"] batch = 1 : tensor<?x?x1xf64>, tensor<?xi64>\n"
      "    -> !ragged.tensor<[n, 1], f64>\n"
      "  %u = ragged.unpack %x fill = 0.5 batch = 1 : !ragged.tensor<[n, 1], f64>\n"
      "    -> tensor<?x?x1xf64>\n"
      "  %w = ragged.unpack %x : !ragged.tensor<[n, 1], f64> -> tensor<?x4x1xf64>\n"
      "  return %x, %u, %w : !ragged.tensor<[n, 1], f64>, tensor<?x?x1xf64>, tensor<?x4x1xf64>\n"
      "}";
  // Sequence first: [3, 2, 1]; sample 0 has 1 step, sample 1 has 2; the rest is not read.
  ragged_reference_value arguments[2] = {
      reference_dense(RAGGED_ELEMENT_F64, 3, EXTENTS(3, 2, 1), REALS(1, 2, NAN, 4, NAN, INFINITY)),
      reference_dense(RAGGED_ELEMENT_I64, 1, EXTENTS(2), INTEGERS(1, 2))};
  ragged_reference_value results[3] = {{0}};
  RUN(text, 2, arguments, 3, results);
  CHECK_REALS(results[0], 1, 2, 4);
  CHECK_REALS(results[1], 1, 2, 0.5, 4);
  CHECK_REALS(results[2], 1, 0.0, 0.0, 0.0, 2, 4, 0.0, 0.0);
  CHECK_INT(results[1].extents[0], 2);
  CHECK_INT(results[1].extents[1], 2);
  reference_free_all(2, arguments);
  reference_free_all(3, results);
}

// No samples at all, through every kind of op.
static void test_no_samples(void) {
  const char *text =
      "func.func @f(%x: !ragged.tensor<[n, 2], f64>)\n"
      "    -> (tensor<?x?x2xf64>, tensor<2xf64>, !ragged.tensor<[2], f64>, tensor<?xi64>) {\n"
      "  %u = ragged.unpack %x : !ragged.tensor<[n, 2], f64> -> tensor<?x?x2xf64>\n"
      "  %s = ragged.sum %x dims = [0] batch : !ragged.tensor<[n, 2], f64> -> tensor<2xf64>\n"
      "  %m = ragged.mean %x dims = [0] : !ragged.tensor<[n, 2], f64> -> !ragged.tensor<[2], f64>\n"
      "  %o = ragged.offsets %x : !ragged.tensor<[n, 2], f64> -> tensor<?xi64>\n"
      "  return %u, %s, %m, %o : tensor<?x?x2xf64>, tensor<2xf64>, !ragged.tensor<[2], f64>,\n"
      "    tensor<?xi64>\n"
      "}";
  ragged_reference_value x =
      reference_ragged(&fixture, "!ragged.tensor<[n, 2], f64>", 0, NULL, 0, NULL);
  ragged_reference_value results[4] = {{0}};
  RUN(text, 1, &x, 4, results);
  CHECK_INT(ragged_reference_num_elements(&results[0]), 0);
  CHECK_REALS(results[1], 0.0, 0.0);
  CHECK_INT(ragged_reference_num_elements(&results[2]), 0);
  CHECK_INTEGERS(results[3], 0);
  ragged_reference_value_free(&x);
  reference_free_all(4, results);
}

// ---- Structure ------------------------------------------------------------------------------

static void test_structure(void) {
  const char *text =
      "func.func @f(%x: !ragged.tensor<[n, 2], f64>, %w: tensor<2xf64>, %s: f64)\n"
      "    -> (!ragged.tensor<[2, 1, n], f64>, !ragged.tensor<[n, 2], f64>,\n"
      "        !ragged.tensor<[n, 2], f64>, !ragged.tensor<[n, 2], f64>) {\n"
      "  %e = ragged.expand_dims %x dim = 1 : !ragged.tensor<[n, 2], f64>\n"
      "    -> !ragged.tensor<[n, 1, 2], f64, order = [0, 2, 1]>\n"
      "  %t = ragged.transpose %e permutation = [2, 1, 0]\n"
      "    : !ragged.tensor<[n, 1, 2], f64, order = [0, 2, 1]>\n"
      "    -> !ragged.tensor<[2, 1, n], f64>\n"
      "  %q = ragged.squeeze %e dims = [1] : !ragged.tensor<[n, 1, 2], f64, order = [0, 2, 1]>\n"
      "    -> !ragged.tensor<[n, 2], f64>\n"
      "  %b = ragged.broadcast %w dims = [1] like %x : tensor<2xf64>, !ragged.tensor<[n, 2], f64>\n"
      "    -> !ragged.tensor<[n, 2], f64>\n"
      "  %c = ragged.broadcast %s dims = [] like %x : f64, !ragged.tensor<[n, 2], f64>\n"
      "    -> !ragged.tensor<[n, 2], f64>\n"
      "  return %t, %q, %b, %c : !ragged.tensor<[2, 1, n], f64>,\n"
      "    !ragged.tensor<[n, 2], f64>, !ragged.tensor<[n, 2], f64>, !ragged.tensor<[n, 2], f64>\n"
      "}";
  ragged_reference_value arguments[3] = {
      reference_ragged(&fixture, "!ragged.tensor<[n, 2], f64>", 3, EXTENTS(2, 2, 0, 2, 1, 2), 3,
                       REALS(1, 2, 3, 4, 5, 6)),
      reference_dense(RAGGED_ELEMENT_F64, 1, EXTENTS(2), REALS(7, 8)),
      {0}};
  CHECK_OK(ragged_reference_from_real(RAGGED_ELEMENT_F64, 9, &arguments[2]));
  ragged_reference_value results[4] = {{0}};
  RUN(text, 3, arguments, 4, results);
  CHECK_REALS(results[0], 1, 3, 2, 4, 5, 6);
  CHECK_REALS(results[1], 1, 2, 3, 4, 5, 6);
  CHECK_REALS(results[2], 7, 8, 7, 8, 7, 8);
  CHECK_REALS(results[3], 9, 9, 9, 9, 9, 9);
  reference_free_all(3, arguments);
  reference_free_all(4, results);
}

// A ragged operand repeated along an axis that it lacks, and assume_same_axis.
static void test_pair(void) {
  const char *text =
      "func.func @f(%x: !ragged.tensor<[n], f64>, %y: !ragged.tensor<[m], f64>,\n"
      "             %p: !ragged.tensor<[n, m], f64>)\n"
      "    -> (!ragged.tensor<[n, m], f64>, !ragged.tensor<[n], f64>) {\n"
      "  %b = ragged.broadcast %y dims = [1] like %p : !ragged.tensor<[m], f64>,\n"
      "    !ragged.tensor<[n, m], f64> -> !ragged.tensor<[n, m], f64>\n"
      "  %a = ragged.assume_same_axis %y dims = [0] to = \"n\" like %x\n"
      "    : !ragged.tensor<[m], f64>, !ragged.tensor<[n], f64> -> !ragged.tensor<[n], f64>\n"
      "  %s = ragged.add %x, %a : !ragged.tensor<[n], f64>, !ragged.tensor<[n], f64>\n"
      "    -> !ragged.tensor<[n], f64>\n"
      "  return %b, %s : !ragged.tensor<[n, m], f64>, !ragged.tensor<[n], f64>\n"
      "}";
  ragged_reference_value arguments[3] = {
      reference_ragged(&fixture, "!ragged.tensor<[n], f64>", 2, EXTENTS(2, 1), 3, REALS(1, 2, 3)),
      reference_ragged(&fixture, "!ragged.tensor<[m], f64>", 2, EXTENTS(2, 1), 3, REALS(4, 5, 6)),
      reference_ragged(&fixture, "!ragged.tensor<[n, m], f64>", 2, EXTENTS(2, 2, 1, 1), 5,
                       REALS(NAN, NAN, NAN, NAN, NAN))};
  ragged_reference_value results[2] = {{0}};
  RUN(text, 3, arguments, 2, results);
  CHECK_REALS(results[0], 4, 5, 4, 5, 6);
  CHECK_INT(results[0].accuracy.operations, 0);
  CHECK_REALS(results[1], 5, 7, 9);
  reference_free_all(3, arguments);
  reference_free_all(2, results);
}

// ---- Reductions -----------------------------------------------------------------------------

// Pairs of extents 2x3, 0x2 and 1x0, columns packed first.
static void test_reductions(void) {
  const char *text =
      "func.func @f(%x: !ragged.tensor<[n, m], f64, order = [1, 0]>)\n"
      "    -> (!ragged.tensor<[n], f64>, !ragged.tensor<[m], f64>, !ragged.tensor<[n, 1], f64>,\n"
      "        !ragged.tensor<[m], f64>, !ragged.tensor<[m], f64>, f64) {\n"
      "  %s = ragged.sum %x dims = [1] : !ragged.tensor<[n, m], f64, order = [1, 0]>\n"
      "    -> !ragged.tensor<[n], f64>\n"
      "  %m = ragged.max %x dims = [0] : !ragged.tensor<[n, m], f64, order = [1, 0]>\n"
      "    -> !ragged.tensor<[m], f64>\n"
      "  %k = ragged.mean %x dims = [1] keep_dims : !ragged.tensor<[n, m], f64, order = [1, 0]>\n"
      "    -> !ragged.tensor<[n, 1], f64>\n"
      "  %a = ragged.mean %x dims = [0] : !ragged.tensor<[n, m], f64, order = [1, 0]>\n"
      "    -> !ragged.tensor<[m], f64>\n"
      "  %z = ragged.mean %x dims = [0] empty = zero\n"
      "    : !ragged.tensor<[n, m], f64, order = [1, 0]> -> !ragged.tensor<[m], f64>\n"
      "  %l = arith.constant 2.0 : f64\n"
      "  return %s, %m, %k, %a, %z, %l : !ragged.tensor<[n], f64>, !ragged.tensor<[m], f64>,\n"
      "    !ragged.tensor<[n, 1], f64>, !ragged.tensor<[m], f64>, !ragged.tensor<[m], f64>, f64\n"
      "}";
  // Sample 0 is [[1, 3, 5], [2, 4, NaN]].
  ragged_reference_value x =
      reference_ragged(&fixture, "!ragged.tensor<[n, m], f64, order = [1, 0]>", 3,
                       EXTENTS(2, 3, 0, 2, 1, 0), 6, REALS(1, 2, 3, 4, 5, NAN));
  ragged_reference_value results[6] = {{0}};
  RUN(text, 1, &x, 6, results);
  CHECK_REALS(results[0], 9, NAN, 0.0);
  CHECK_REALS(results[1], 2, 4, NAN, -INFINITY, -INFINITY);
  CHECK_REALS(results[2], 3, NAN, NAN);
  CHECK_REALS(results[3], 1.5, 3.5, NAN, NAN, NAN);
  CHECK_REALS(results[4], 1.5, 3.5, NAN, 0.0, 0.0);
  CHECK_INT(results[0].accuracy.accumulation, 3);
  CHECK_INT(results[1].accuracy.accumulation, 2);
  ragged_reference_value_free(&x);
  reference_free_all(6, results);
}

static void test_batch_reductions(void) {
  const char *text =
      "func.func @f(%x: !ragged.tensor<[n, 2], f64>, %i: !ragged.tensor<[n], i64>)\n"
      "    -> (tensor<2xf64>, tensor<1x2xf64>, tensor<f64>, !ragged.tensor<[], i64>,\n"
      "        !ragged.tensor<[], i64>, !ragged.tensor<[n, 2], f64>) {\n"
      "  %s = ragged.sum %x dims = [0] batch : !ragged.tensor<[n, 2], f64> -> tensor<2xf64>\n"
      "  %k = ragged.mean %x dims = [0] keep_dims batch : !ragged.tensor<[n, 2], f64>\n"
      "    -> tensor<1x2xf64>\n"
      "  %m = ragged.max %x dims = [0, 1] batch : !ragged.tensor<[n, 2], f64> -> tensor<f64>\n"
      "  %a = ragged.sum %i dims = [0] : !ragged.tensor<[n], i64> -> !ragged.tensor<[], i64>\n"
      "  %b = ragged.max %i dims = [0] : !ragged.tensor<[n], i64> -> !ragged.tensor<[], i64>\n"
      "  %n = ragged.sum %x dims = [] : !ragged.tensor<[n, 2], f64> -> !ragged.tensor<[n, 2], f64>\n"
      "  return %s, %k, %m, %a, %b, %n : tensor<2xf64>, tensor<1x2xf64>, tensor<f64>,\n"
      "    !ragged.tensor<[], i64>, !ragged.tensor<[], i64>, !ragged.tensor<[n, 2], f64>\n"
      "}";
  ragged_reference_value arguments[2] = {
      reference_ragged(&fixture, "!ragged.tensor<[n, 2], f64>", 3, EXTENTS(1, 2, 0, 2, 2, 2), 3,
                       REALS(1, 2, 3, 4, 5, -6)),
      reference_ragged(&fixture, "!ragged.tensor<[n], i64>", 3, EXTENTS(1, 0, 2), 3,
                       INTEGERS(-5, INT64_MAX, 1))};
  ragged_reference_value results[6] = {{0}};
  RUN(text, 2, arguments, 6, results);
  CHECK_REALS(results[0], 9, 0.0);
  CHECK_REALS(results[1], 3, 0.0);
  CHECK_REALS(results[2], 5);
  CHECK_INTEGERS(results[3], -5, 0, INT64_MIN);
  CHECK_INTEGERS(results[4], -5, INT64_MIN, INT64_MAX);
  CHECK_REALS(results[5], 1, 2, 3, 4, 5, -6);
  CHECK_INT(results[2].accuracy.accumulation, 6);
  reference_free_all(2, arguments);
  reference_free_all(6, results);
}

// 512 equal bf16 values: the sum is 512, although a bf16 accumulator would stop at 256.
static void test_bf16_sum(void) {
  const char *text =
      "func.func @f(%x: !ragged.tensor<[n], bf16>) -> !ragged.tensor<[], bf16> {\n"
      "  %s = ragged.sum %x dims = [0] : !ragged.tensor<[n], bf16> -> !ragged.tensor<[], bf16>\n"
      "  return %s : !ragged.tensor<[], bf16>\n"
      "}";
  uint16_t ones[512];
  for (int k = 0; k < 512; ++k) ones[k] = 0x3F80;
  ragged_reference_value x =
      reference_ragged(&fixture, "!ragged.tensor<[n], bf16>", 1, EXTENTS(512), 512, ones);
  ragged_reference_value result = {0};
  fixture.options.mode = RAGGED_REFERENCE_ROUNDED;
  RUN(text, 1, &x, 1, &result);
  fixture.options.mode = RAGGED_REFERENCE_EXACT;
  CHECK_REALS(result, 512);
  // One op. A chain of 512 terms in f32 is nothing beside one rounding to bf16.
  CHECK_DOUBLE(ragged_reference_allowed_relative(RAGGED_ELEMENT_BF16, &result.accuracy), 4 * 0x1p-7, 0);
  CHECK_DOUBLE(ragged_reference_allowed_relative(RAGGED_ELEMENT_F32, &result.accuracy),
               4 * 0x1p-23 * sqrt(32), 1e-20);
  ragged_reference_value_free(&x);
  ragged_reference_value_free(&result);
}

// ---- Linear and normalisations --------------------------------------------------------------

static void test_linear(void) {
  const char *text =
      "func.func @f(%x: !ragged.tensor<[2, n], f64>, %w: tensor<3x2xf64>, %b: tensor<3xf64>,\n"
      "             %i: !ragged.tensor<[n, 2], i64>, %v: tensor<1x2xi64>)\n"
      "    -> (!ragged.tensor<[3, n], f64>, !ragged.tensor<[n, 1], i64>,\n"
      "        !ragged.tensor<[2, n], f64>) {\n"
      "  %y = ragged.linear %x, %w, %b dim = 0 : !ragged.tensor<[2, n], f64>, tensor<3x2xf64>,\n"
      "    tensor<3xf64> -> !ragged.tensor<[3, n], f64>\n"
      "  %j = ragged.linear %i, %v dim = 1 : !ragged.tensor<[n, 2], i64>, tensor<1x2xi64>\n"
      "    -> !ragged.tensor<[n, 1], i64>\n"
      "  %t = ragged.linear %y, %w dim = 0 transposed : !ragged.tensor<[3, n], f64>,\n"
      "    tensor<3x2xf64> -> !ragged.tensor<[2, n], f64>\n"
      "  return %y, %j, %t : !ragged.tensor<[3, n], f64>, !ragged.tensor<[n, 1], i64>,\n"
      "    !ragged.tensor<[2, n], f64>\n"
      "}";
  ragged_reference_value arguments[5] = {
      // Packed (n, 2): the rows are the columns (1, 2), (3, 4), then (inf, 0) of another sample.
      reference_ragged(&fixture, "!ragged.tensor<[2, n], f64>", 2, EXTENTS(2, 2, 2, 1), 3,
                       REALS(1, 2, 3, 4, INFINITY, 0)),
      reference_dense(RAGGED_ELEMENT_F64, 2, EXTENTS(3, 2), REALS(1, 10, 2, 20, 3, -1)),
      reference_dense(RAGGED_ELEMENT_F64, 1, EXTENTS(3), REALS(100, 200, 300)),
      reference_ragged(&fixture, "!ragged.tensor<[n, 2], i64>", 2, EXTENTS(2, 2, 1, 2), 3,
                       INTEGERS(3, 4, INT64_MAX, 1, 0, 0)),
      reference_dense(RAGGED_ELEMENT_I64, 2, EXTENTS(1, 2), INTEGERS(2, 5))};
  ragged_reference_value results[3] = {{0}};
  RUN(text, 5, arguments, 3, results);
  CHECK_REALS(results[0], 121, 143, 242, 286, 301, 305, INFINITY, INFINITY, INFINITY);
  // 1 * 121 + 2 * 242 + 3 * 301, then 1 * 143 + 2 * 286 + 3 * 305; 10 * 121 + 20 * 242 - 301, ...
  CHECK_REALS(results[2], 1508, 1630, 5749, 6845, INFINITY, NAN);
  CHECK_INT(results[2].accuracy.accumulation, 3);
  CHECK_INT(results[0].accuracy.accumulation, 2);
  CHECK_INTEGERS(results[1], 26, 3, 0);
  reference_free_all(5, arguments);
  reference_free_all(3, results);
}

// Samples of 2 and 1 positions; dy packs its columns first.
static void test_product_over_rows(void) {
  const char *text =
      "func.func @f(%x: !ragged.tensor<[n, n, 2], f64>,\n"
      "             %g: !ragged.tensor<[3, n, n], f64, order = [2, 1, 0]>,\n"
      "             %i: !ragged.tensor<[2], i64>) -> (tensor<3x2xf64>, tensor<2x2xi64>) {\n"
      "  %y = ragged.product_over_rows %x, %g dims = [2, 0] : !ragged.tensor<[n, n, 2], f64>,\n"
      "    !ragged.tensor<[3, n, n], f64, order = [2, 1, 0]> -> tensor<3x2xf64>\n"
      "  %j = ragged.product_over_rows %i, %i dims = [0, 0] : !ragged.tensor<[2], i64>,\n"
      "    !ragged.tensor<[2], i64> -> tensor<2x2xi64>\n"
      "  return %y, %j : tensor<3x2xf64>, tensor<2x2xi64>\n"
      "}";
  ragged_reference_value arguments[3] = {
      // Positions (0, 0), (0, 1), (1, 0), (1, 1) of the first sample, then that of the second.
      reference_ragged(&fixture, "!ragged.tensor<[n, n, 2], f64>", 2, EXTENTS(2, 2, 2, 1, 1, 2), 5,
                       REALS(1, 0, 2, 0, 3, 0, 4, 1, 10, 0)),
      // Positions (0, 0), (1, 0), (0, 1), (1, 1), then that of the second.
      reference_ragged(&fixture, "!ragged.tensor<[3, n, n], f64, order = [2, 1, 0]>", 2,
                       EXTENTS(3, 2, 2, 3, 1, 1), 5,
                       REALS(1, 0, 5, 1, 0, 0, 1, 0, 0, 1, 7, 0, 0, 1, 0)),
      reference_ragged(&fixture, "!ragged.tensor<[2], i64>", 2, EXTENTS(2, 2), 2,
                       INTEGERS(3, 5, INT64_MAX, 2))};
  ragged_reference_value results[2] = {{0}};
  RUN(text, 3, arguments, 2, results);
  // 1 * 1 + 3 * 1 + 2 * 1 + 4 * 1, 1 * 1; 7 * 4 + 1 * 10, 7 * 1; 5 * 1, 0.
  CHECK_REALS(results[0], 10, 1, 38, 7, 5, 0);
  CHECK_INT(results[0].accuracy.accumulation, 5);
  // 9 + 1 (INT64_MAX squared wraps to 1), 15 - 2; 15 - 2, 25 + 4.
  CHECK_INTEGERS(results[1], 10, 13, 13, 29);
  reference_free_all(3, arguments);
  reference_free_all(2, results);
}

// Positions count the listed dimensions in their own order, whatever that of the list and of memory.
static void test_positions(void) {
  const char *text =
      "!x = !ragged.tensor<[2, n], f64, order = [1, 0]>\n"
      "func.func @f(%x: !x, %g: !ragged.tensor<[], f64>)\n"
      "    -> (!ragged.tensor<[n], i64>, !ragged.tensor<[2, 1], i64, order = [1, 0]>, !ragged.tensor<[], i64>,\n"
      "        tensor<2xi64>, tensor<i64>, !x, !x) {\n"
      "  %a = ragged.argmax %x dims = [0] : !x -> !ragged.tensor<[n], i64>\n"
      "  %b = ragged.argmax %x dims = [1] keep_dims : !x -> !ragged.tensor<[2, 1], i64, order = [1, 0]>\n"
      "  %c = ragged.argmax %x dims = [1, 0] : !x -> !ragged.tensor<[], i64>\n"
      "  %d = ragged.argmax %x dims = [1] batch : !x -> tensor<2xi64>\n"
      "  %e = ragged.argmax %x dims = [0, 1] batch : !x -> tensor<i64>\n"
      "  %s = ragged.scatter_max %g, %c dims = [0, 1] like %x : !ragged.tensor<[], f64>,\n"
      "    !ragged.tensor<[], i64>, !x -> !x\n"
      "  %m = ragged.max %x dims = [1] batch : !x -> tensor<2xf64>\n"
      "  %t = ragged.scatter_max %m, %d dims = [1] batch like %x : tensor<2xf64>, tensor<2xi64>, !x\n"
      "    -> !x\n"
      "  return %a, %b, %c, %d, %e, %s, %t : !ragged.tensor<[n], i64>, !ragged.tensor<[2, 1], i64, order = [1, 0]>,\n"
      "    !ragged.tensor<[], i64>, tensor<2xi64>, tensor<i64>, !x, !x\n"
      "}";
  ragged_reference_value arguments[2] = {
      // Sample 0 is [[1, 5, 5], [5, 2, 0]], sample 1 is empty, sample 2 is [[-0, NaN], [9, NaN]], packed
      // by columns.
      reference_ragged(&fixture, "!ragged.tensor<[2, n], f64>", 3, EXTENTS(2, 3, 2, 0, 2, 2), 5,
                       REALS(1, 5, 5, 2, 5, 0, -0.0, 9, NAN, NAN)),
      reference_ragged(&fixture, "!ragged.tensor<[], f64>", 3, EXTENTS(0), 3, REALS(7, 8, 9))};
  ragged_reference_value results[7] = {{0}};
  RUN(text, 2, arguments, 7, results);
  CHECK_INTEGERS(results[0], 1, 0, 0, 1, 0);
  CHECK_INTEGERS(results[1], 1, 0, -1, -1, 1, 1);
  CHECK_INTEGERS(results[2], 1, -1, 1);
  CHECK_INTEGERS(results[3], 4, 4);  // three entries of the first sample, then those of the third
  CHECK_INTEGERS(results[4], 7);     // row-major in each sample: six of the first, then the second
  CHECK_REALS(results[5], 0, 7, 0, 0, 0, 0, 0, 9, 0, 0);
  CHECK_REALS(results[6], 0, 0, 0, 0, 0, 0, 0, NAN, 0, NAN);
  reference_free_all(2, arguments);
  reference_free_all(7, results);
}

static void test_layer_norm(void) {
  const char *text =
      "func.func @f(%x: !ragged.tensor<[n, 2, 2], f64>, %g: tensor<2x2xf64>, %b: tensor<2x2xf64>)\n"
      "    -> (!ragged.tensor<[n, 2, 2], f64>, !ragged.tensor<[n, 2, 2], f64>) {\n"
      "  %y = ragged.layer_norm %x dims = [2] eps = 0.0 : !ragged.tensor<[n, 2, 2], f64>\n"
      "    -> !ragged.tensor<[n, 2, 2], f64>\n"
      "  %z = ragged.layer_norm %x, %g, %b dims = [2, 1] eps = 1.0\n"
      "    : !ragged.tensor<[n, 2, 2], f64>, tensor<2x2xf64>, tensor<2x2xf64>\n"
      "    -> !ragged.tensor<[n, 2, 2], f64>\n"
      "  return %y, %z : !ragged.tensor<[n, 2, 2], f64>, !ragged.tensor<[n, 2, 2], f64>\n"
      "}";
  ragged_reference_value arguments[3] = {
      reference_ragged(&fixture, "!ragged.tensor<[n, 2, 2], f64>", 2, EXTENTS(1, 2, 2, 0, 2, 2), 1,
                       REALS(1, 3, 5, 9)),
      reference_dense(RAGGED_ELEMENT_F64, 2, EXTENTS(2, 2), REALS(1, 2, 3, 4)),
      reference_dense(RAGGED_ELEMENT_F64, 2, EXTENTS(2, 2), REALS(10, 20, 30, 40))};
  ragged_reference_value results[2] = {{0}};
  RUN(text, 3, arguments, 2, results);
  CHECK_REALS(results[0], -1, 1, -1, 1);
  // Mean 4.5, variance (12.25 + 2.25 + 0.25 + 20.25) / 4 = 8.75, divided by sqrt(9.75). Parameters
  // are indexed by (dimension 2, dimension 1), so logical (0, 1) takes entry (1, 0).
  double s = sqrt(9.75);
  CHECK_REALS_WITHIN(results[1], 1e-15, -3.5 / s * 1 + 10, -1.5 / s * 3 + 30, 0.5 / s * 2 + 20,
                     4.5 / s * 4 + 40);
  CHECK_INT(results[1].accuracy.accumulation, 4);
  reference_free_all(3, arguments);
  reference_free_all(2, results);
}

static void test_softmax(void) {
  const char *text =
      "func.func @f(%x: !ragged.tensor<[2, n], f64>) -> !ragged.tensor<[2, n], f64> {\n"
      "  %y = ragged.softmax %x dim = 0 : !ragged.tensor<[2, n], f64> -> !ragged.tensor<[2, n], f64>\n"
      "  return %y : !ragged.tensor<[2, n], f64>\n"
      "}";
  // Groups: (0, 0), (1000, 1001), all -inf; then NaN and +inf in their own samples.
  ragged_reference_value x = reference_ragged(
      &fixture, "!ragged.tensor<[2, n], f64>", 3, EXTENTS(2, 3, 2, 1, 2, 1), 5,
      REALS(0, 0, 1000, 1001, -INFINITY, -INFINITY, NAN, 1, INFINITY, 1));
  ragged_reference_value y = {0};
  RUN(text, 1, &x, 1, &y);
  double small = 1 / (1 + 2.718281828459045235);
  CHECK_REALS_WITHIN(y, 1e-15, 0.5, small, 0.0, 0.5, 1 - small, 0.0, NAN, NAN, NAN, NAN);
  ragged_reference_value_free(&x);
  ragged_reference_value_free(&y);
}

// ---- Builtin tensors --------------------------------------------------------------------------

static void test_dense(void) {
  const char *text =
      "!t = tensor<?x3xf64>\n"
      "func.func @f(%x: !t, %s: f64, %e: tensor<0x3xf64>, %l: tensor<2x2xi64>) -> (tensor<3xf64>,\n"
      "    tensor<?x1xf64>, !t, f64, tensor<f64>, tensor<3xf64>, tensor<3xf64>, tensor<i64>) {\n"
      "  %0 = ragged.sum %x dims = [0] : !t -> tensor<3xf64>\n"
      "  %1 = ragged.max %x dims = [1] keep_dims : !t -> tensor<?x1xf64>\n"
      "  %b = ragged.broadcast %1 dims = [0, 1] like %x : tensor<?x1xf64>, !t -> !t\n"
      "  %c = ragged.broadcast %0 dims = [1] like %x : tensor<3xf64>, !t -> !t\n"
      "  %d = ragged.sub %c, %b : !t, !t -> !t\n"
      "  %m = ragged.mean %x dims = [1, 0] : !t -> tensor<f64>\n"
      "  %i = tensor.extract %m[] : tensor<f64>\n"
      "  %j = ragged.mul %i, %s : f64, f64 -> f64\n"
      "  %z = ragged.broadcast %s dims = [] like %m : f64, tensor<f64> -> tensor<f64>\n"
      "  %n = ragged.mean %e dims = [0] : tensor<0x3xf64> -> tensor<3xf64>\n"
      "  %o = ragged.mean %e dims = [0] empty = zero : tensor<0x3xf64> -> tensor<3xf64>\n"
      "  %w = ragged.sum %l dims = [0, 1] : tensor<2x2xi64> -> tensor<i64>\n"
      "  return %0, %1, %d, %j, %z, %n, %o, %w : tensor<3xf64>, tensor<?x1xf64>, !t, f64,\n"
      "    tensor<f64>, tensor<3xf64>, tensor<3xf64>, tensor<i64>\n"
      "}";
  ragged_reference_value arguments[4] = {
      reference_dense(RAGGED_ELEMENT_F64, 2, EXTENTS(2, 3), REALS(1, 2, 3, 40, -5, 6)),
      reference_dense(RAGGED_ELEMENT_F64, 0, NULL, REALS(3)),
      reference_dense(RAGGED_ELEMENT_F64, 2, EXTENTS(0, 3), REALS(0)),
      reference_dense(RAGGED_ELEMENT_I64, 2, EXTENTS(2, 2), INTEGERS(INT64_MAX, 1, 2, 3))};
  arguments[1].kind = RAGGED_REFERENCE_SCALAR;
  ragged_reference_value results[8] = {{0}};
  RUN(text, 4, arguments, 8, results);
  CHECK_REALS(results[0], 41, -3, 9);
  CHECK_REALS(results[1], 3, 40);
  CHECK_REALS(results[2], 38, -6, 6, 1, -43, -31);
  CHECK_REALS(results[3], 23.5);
  CHECK_REALS(results[4], 3);
  CHECK_REALS(results[5], NAN, NAN, NAN);
  CHECK_REALS(results[6], 0, 0, 0);
  CHECK_INTEGERS(results[7], INT64_MIN + 5);
  CHECK_INT(results[3].accuracy.operations, 2);  // reading a number computes nothing
  CHECK_INT(results[3].accuracy.accumulation, 6);
  CHECK_INT(results[4].accuracy.operations, 0);
  reference_free_all(8, results);

  // Extents that types leave open, and one that is 1 only here.
  const char *broadcast =
      "func.func @f(%x: tensor<?x?xf64>, %l: tensor<2x3xf64>) -> tensor<2x3xf64> {\n"
      "  %0 = ragged.broadcast %x dims = [0, 1] like %l : tensor<?x?xf64>, tensor<2x3xf64>\n"
      "    -> tensor<2x3xf64>\n"
      "  return %0 : tensor<2x3xf64>\n"
      "}";
  ragged_reference_value pair[2] = {
      reference_dense(RAGGED_ELEMENT_F64, 2, EXTENTS(1, 3), REALS(1, 2, 3)),
      reference_dense(RAGGED_ELEMENT_F64, 2, EXTENTS(2, 3), REALS(0, 0, 0, 0, 0, 0))};
  CHECK_ERROR(reference_fixture_run(&fixture, broadcast, 2, pair, 1, results), INVALID_ARGUMENT,
              "operand #0 has extent 1 in dimension 0, expected 2 as in dimension 0 of operand #1");
  const char *add =
      "func.func @f(%x: tensor<?x?xf64>, %l: tensor<2x3xf64>) -> tensor<2x3xf64> {\n"
      "  %0 = ragged.add %l, %x : tensor<2x3xf64>, tensor<?x?xf64> -> tensor<2x3xf64>\n"
      "  return %0 : tensor<2x3xf64>\n"
      "}";
  CHECK_ERROR(reference_fixture_run(&fixture, add, 2, pair, 1, results), INVALID_ARGUMENT,
              "operand #1 has extent 1 in dimension 0, expected 2 as in operand #0");
  reference_free_all(2, pair);
  reference_free_all(4, arguments);
}

int main(void) {
  fixture = reference_fixture_make();
  test_from_values();
  test_from_offsets();
  test_pack();
  test_no_samples();
  test_structure();
  test_pair();
  test_reductions();
  test_batch_reductions();
  test_bf16_sum();
  test_linear();
  test_product_over_rows();
  test_positions();
  test_layer_norm();
  test_softmax();
  test_dense();
  reference_fixture_free(&fixture);
  return unit_test_finish();
}
