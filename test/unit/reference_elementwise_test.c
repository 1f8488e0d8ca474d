// Elementwise ops of the reference interpreter: numbers against an oracle that stands outside the
// table that makes the ops, then broadcasting, orders, scalars, dense operands and rounding.
#include <float.h>

#include "reference_fixture.h"

static reference_fixture fixture;

// Computed with mpmath at 2,400 bits and rounded to double; signs of zeros are those of the formula's
// limit. gelu(-inf) is NaN, as -inf * 0 is.
static const struct {
  double x, exp, normal_cdf, gelu, sigmoid;
} kUnary[] = {
    {0x0p+0, 0x1p+0, 0x1p-1, 0x0p+0, 0x1p-1},
    {-0x0p+0, 0x1p+0, 0x1p-1, -0x0p+0, 0x1p-1},
    {0x1p+0, 0x1.5bf0a8b145769p+1, 0x1.aec4bd120d37dp-1, 0x1.aec4bd120d37dp-1, 0x1.764d4f5d5a2bdp-1},
    {-0x1p+0, 0x1.78b56362cef38p-2, 0x1.44ed0bb7cb20bp-3, -0x1.44ed0bb7cb20bp-3, 0x1.136561454ba86p-2},
    {0x1p-1, 0x1.a61298e1e069cp+0, 0x1.62075e232ac77p-1, 0x1.62075e232ac77p-2, 0x1.3eb2fd4d34391p-1},
    {-0x1.4p+1, 0x1.50385c094f425p-4, 0x1.96f4e57e49ce4p-8, -0x1.fcb21edddc41dp-7, 0x1.36b7112534847p-4},
    {0x1.ap+1, 0x1.9ca53b781114bp+4, 0x1.ffb45e40a0bf3p-1, 0x1.9fc28c94829b5p+1, 0x1.ece37d7f30e3cp-1},
    {-0x1p+3, 0x1.5fc21041027adp-12, 0x1.669d2c90d55cep-51, -0x1.669d2c90d55cep-48, 0x1.5fa3dd7d2f7a6p-12},
    {0x1.4p+4, 0x1.ceb088b68e804p+28, 0x1p+0, 0x1.4p+4, 0x1.ffffffee4b79bp-1},
    {-0x1.ep+4, 0x1.a56e0c2ac7f75p-44, 0x1.7795ad05ea397p-656, -0x1.601c52358b95dp-651, 0x1.a56e0c2ac7cbfp-44},
    {-0x1.4p+5, 0x1.39792499b1a24p-58, 0x0p+0, -0x0p+0, 0x1.39792499b1a24p-58},
    {0x1.628p+9, 0x1.d422d2be5dc9bp+1022, 0x1p+0, 0x1.628p+9, 0x1p+0},
    {-0x1.748p+9, 0x0.0000000000001p-1022, 0x0p+0, -0x0p+0, 0x0.0000000000001p-1022},
    {-0x1.9p+9, 0x0p+0, 0x0p+0, -0x0p+0, 0x0p+0},
    {0x1.7e43c8800759cp+996, INFINITY, 0x1p+0, 0x1.7e43c8800759cp+996, 0x1p+0},
    {-0x1.7e43c8800759cp+996, 0x0p+0, 0x0p+0, -0x0p+0, 0x0p+0},
    {0x0.0000000000001p-1022, 0x1p+0, 0x1p-1, 0x0p+0, 0x1p-1},
    {-0x0.0000000000001p-1022, 0x1p+0, 0x1p-1, -0x0p+0, 0x1p-1},
    {0x0.02e055c9a3f6cp-1022, 0x1p+0, 0x1p-1, 0x0.01702ae4d1fb6p-1022, 0x1p-1},
    {INFINITY, INFINITY, 0x1p+0, INFINITY, 0x1p+0},
    {-INFINITY, 0x0p+0, 0x0p+0, NAN, 0x0p+0},
    {NAN, NAN, NAN, NAN, NAN},
};

// Computed with decimal arithmetic at 60 digits and more (erf by its series) and rounded to double.
static const struct {
  double x, sqrt, rsqrt, erf;
} kRoots[] = {
    {0x0p+0, 0x0p+0, INFINITY, 0x0p+0},
    {-0x0p+0, -0x0p+0, -INFINITY, -0x0p+0},
    {0x1p+0, 0x1p+0, 0x1p+0, 0x1.af767a741088bp-1},
    {-0x1p+0, NAN, NAN, -0x1.af767a741088bp-1},
    {0x1p-1, 0x1.6a09e667f3bcdp-1, 0x1.6a09e667f3bcdp+0, 0x1.0a7ef5c18edd2p-1},
    {-0x1.4p+1, NAN, NAN, -0x1.ffcaa8f4c9beap-1},
    {0x1.ap+1, 0x1.cd82b446159f3p+0, 0x1.1c01aa03be896p-1, 0x1.ffff6f9f67e55p-1},
    {-0x1p+3, NAN, NAN, -0x1p+0},
    {0x1.4p+4, 0x1.1e3779b97f4a8p+2, 0x1.c9f25c5bfedd9p-3, 0x1p+0},
    {-0x1.ep+4, NAN, NAN, -0x1p+0},
    {-0x1.4p+5, NAN, NAN, -0x1p+0},
    {0x1.628p+9, 0x1.aa0869aea3e4bp+4, 0x1.33a8325210884p-5, 0x1p+0},
    {0x1.7e43c8800759cp+996, 0x1.38d352e5096afp+498, 0x1.a2fe76a3f9475p-499, 0x1p+0},
    {0x0.0000000000001p-1022, 0x1p-537, 0x1p+537, 0x0.0000000000001p-1022},
    {0x0.02e055c9a3f6cp-1022, 0x1.b22afd2ccdc38p-515, 0x1.2de474c48f010p+514, 0x0.033edd7d7ab6ap-1022},
    {0x1.8p-30, 0x1.3988e1409212ep-15, 0x1.a20bd700c2c3ep+14, 0x1.b14c2f863e924p-30},
    {0x1.0f5c28f5c28f6p-1, 0x1.74bddb3926321p-1, 0x1.5fa49e8332863p+0, 0x1.17ca24618c996p-1},
    {0x1.0f9p-1, 0x1.74e1741c74114p-1, 0x1.5f830ca7850adp+0, 0x1.17f64d835e3ffp-1},
    {0x1.7p+0, 0x1.32eee75770416p+0, 0x1.ab099ae8f539ap-1, 0x1.ea7730ed0bbb9p-1},
    {-0x1.fp-3, NAN, NAN, -0x1.127631eb8de32p-2},
    {INFINITY, INFINITY, 0x0p+0, 0x1p+0},
    {-INFINITY, NAN, NAN, -0x1p+0},
    {NAN, NAN, NAN, NAN},
};

// Computed with NumPy in double; maximum by hand where NumPy leaves the sign of zero open.
static const struct {
  double x, y, add, sub, mul, div, maximum;
} kBinary[] = {
    {0x1.8p+0, 0x1.2p+1, 0x1.ep+1, -0x1.8p-1, 0x1.bp+1, 0x1.5555555555555p-1, 0x1.2p+1},
    {0x1.999999999999ap-4, 0x1.999999999999ap-3, 0x1.3333333333334p-2, -0x1.999999999999ap-4,
      0x1.47ae147ae147cp-6, 0x1p-1, 0x1.999999999999ap-3},
    {-0x1.cp+2, 0x1.8p+1, -0x1p+2, -0x1.4p+3, -0x1.5p+4, -0x1.2aaaaaaaaaaabp+1, 0x1.8p+1},
    {0x0p+0, -0x0p+0, 0x0p+0, 0x0p+0, -0x0p+0, NAN, 0x0p+0},
    {-0x0p+0, 0x0p+0, 0x0p+0, -0x0p+0, -0x0p+0, NAN, 0x0p+0},
    {-0x0p+0, -0x0p+0, -0x0p+0, 0x0p+0, 0x0p+0, NAN, -0x0p+0},
    {0x1p+0, 0x0p+0, 0x1p+0, 0x1p+0, 0x0p+0, INFINITY, 0x1p+0},
    {-0x1p+0, 0x0p+0, -0x1p+0, -0x1p+0, -0x0p+0, -INFINITY, 0x0p+0},
    {0x1p+0, -0x0p+0, 0x1p+0, 0x1p+0, -0x0p+0, -INFINITY, 0x1p+0},
    {0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, NAN, 0x0p+0},
    {INFINITY, 0x1p+0, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY},
    {INFINITY, -INFINITY, NAN, INFINITY, -INFINITY, NAN, INFINITY},
    {INFINITY, INFINITY, INFINITY, NAN, INFINITY, NAN, INFINITY},
    {INFINITY, 0x0p+0, INFINITY, INFINITY, NAN, INFINITY, INFINITY},
    {-0x1.8p+1, INFINITY, INFINITY, -INFINITY, -INFINITY, -0x0p+0, INFINITY},
    {NAN, 0x1p+0, NAN, NAN, NAN, NAN, NAN},
    {-INFINITY, NAN, NAN, NAN, NAN, NAN, NAN},
    {NAN, NAN, NAN, NAN, NAN, NAN, NAN},
    {0x1.1ccf385ebc8ap+1023, 0x1.1ccf385ebc8ap+1023, INFINITY, 0x0p+0, INFINITY, 0x1p+0,
      0x1.1ccf385ebc8ap+1023},
    {0x0.0000000000001p-1022, 0x1p-1, 0x1p-1, -0x1p-1, 0x0p+0, 0x0.0000000000002p-1022, 0x1p-1},
    {0x0.0000000000001p-1022, -0x0.0000000000001p-1022, 0x0p+0, 0x0.0000000000002p-1022, -0x0p+0,
      -0x1p+0, 0x0.0000000000001p-1022},
    {0x1.87e92154ef7acp-665, 0x1.87e92154ef7acp-665, 0x1.87e92154ef7acp-664, 0x0p+0, 0x0p+0, 0x1p+0,
      0x1.87e92154ef7acp-665},
    {0x1.7e43c8800759cp+996, 0x1.56e1fc2f8f359p-997, 0x1.7e43c8800759cp+996, 0x1.7e43c8800759cp+996,
      0x1p+0, INFINITY, 0x1.7e43c8800759cp+996},
};

// Within two units in the last place, and two of the smallest numbers.
static void check_close(double got, double expected, const char *name, double x) {
  bool same = got == expected && !signbit(got) == !signbit(expected);
  bool close = (isnan(got) && isnan(expected)) || same ||
               fabs(got - expected) <= 2 * DBL_EPSILON * fabs(expected) ||
               (expected != 0 && fabs(got - expected) <= 2 * 0x1p-1074);
  if (unit_test_count(close, __FILE__, __LINE__))
    printf("%s(%a) is %a, expected %a\n", name, x, got, expected);
}

// Runs `ragged.<name>` on scalars.
static double run_scalar(const char *name, int count, const double *x) {
  char text[512];
  ragged_reference_value arguments[2] = {{0}}, result = {0};
  for (int k = 0; k < count; ++k)
    CHECK_OK(ragged_reference_from_real(RAGGED_ELEMENT_F64, x[k], &arguments[k]));
  snprintf(text, sizeof text,
           count == 1 ? "func.func @f(%%x: f64) -> f64 {\n"
                        "  %%r = ragged.%s %%x : f64 -> f64\n  return %%r : f64\n}"
                      : "func.func @f(%%x: f64, %%y: f64) -> f64 {\n"
                        "  %%r = ragged.%s %%x, %%y : f64, f64 -> f64\n  return %%r : f64\n}",
           name);
  double number = NAN;
  if (CHECK_OK(reference_fixture_run(&fixture, text, count, arguments, 1, &result)))
    number = result.numbers[0].real;
  reference_free_all(count, arguments);
  ragged_reference_value_free(&result);
  return number;
}

static void test_oracle(void) {
  for (size_t k = 0; k < sizeof kUnary / sizeof kUnary[0]; ++k) {
    double x = kUnary[k].x;
    check_close(run_scalar("exp", 1, &x), kUnary[k].exp, "exp", x);
    check_close(run_scalar("normal_cdf", 1, &x), kUnary[k].normal_cdf, "normal_cdf", x);
    check_close(run_scalar("gelu", 1, &x), kUnary[k].gelu, "gelu", x);
    check_close(run_scalar("sigmoid", 1, &x), kUnary[k].sigmoid, "sigmoid", x);
    double relu = isnan(x) ? NAN : x > 0 ? x : 0.0;
    check_close(run_scalar("relu", 1, &x), relu, "relu", x);
  }
  for (size_t k = 0; k < sizeof kRoots / sizeof kRoots[0]; ++k) {
    double x = kRoots[k].x;
    check_close(run_scalar("sqrt", 1, &x), kRoots[k].sqrt, "sqrt", x);
    check_close(run_scalar("rsqrt", 1, &x), kRoots[k].rsqrt, "rsqrt", x);
    check_close(run_scalar("erf", 1, &x), kRoots[k].erf, "erf", x);
    double neg = isnan(x) ? NAN : signbit(x) ? fabs(x) : -fabs(x);
    check_close(run_scalar("neg", 1, &x), neg, "neg", x);
  }
  for (size_t k = 0; k < sizeof kBinary / sizeof kBinary[0]; ++k) {
    double x[2] = {kBinary[k].x, kBinary[k].y};
    check_close(run_scalar("add", 2, x), kBinary[k].add, "add", x[0]);
    check_close(run_scalar("sub", 2, x), kBinary[k].sub, "sub", x[0]);
    check_close(run_scalar("mul", 2, x), kBinary[k].mul, "mul", x[0]);
    check_close(run_scalar("div", 2, x), kBinary[k].div, "div", x[0]);
    check_close(run_scalar("maximum", 2, x), kBinary[k].maximum, "maximum", x[0]);
  }
}

static void test_integers(void) {
  const char *text =
      "func.func @f(%x: tensor<?xi64>, %y: tensor<?xi64>)\n"
      "    -> (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>,\n"
      "        tensor<?xi64>) {\n"
      "  %a = ragged.add %x, %y : tensor<?xi64>, tensor<?xi64> -> tensor<?xi64>\n"
      "  %s = ragged.sub %x, %y : tensor<?xi64>, tensor<?xi64> -> tensor<?xi64>\n"
      "  %m = ragged.mul %x, %y : tensor<?xi64>, tensor<?xi64> -> tensor<?xi64>\n"
      "  %d = ragged.div %x, %y : tensor<?xi64>, tensor<?xi64> -> tensor<?xi64>\n"
      "  %n = ragged.maximum %x, %y : tensor<?xi64>, tensor<?xi64> -> tensor<?xi64>\n"
      "  %r = ragged.relu %x : tensor<?xi64> -> tensor<?xi64>\n"
      "  return %a, %s, %m, %d, %n, %r : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>,\n"
      "      tensor<?xi64>, tensor<?xi64>, tensor<?xi64>\n"
      "}";
  int64_t six = 6;
  ragged_reference_value arguments[2] = {
      reference_dense(RAGGED_ELEMENT_I64, 1, &six, INTEGERS(7, -7, INT64_MAX, INT64_MIN, 5, 3)),
      reference_dense(RAGGED_ELEMENT_I64, 1, &six, INTEGERS(2, 2, 1, -1, 0, INT64_MAX))};
  ragged_reference_value results[6] = {{0}};
  CHECK_OK(reference_fixture_run(&fixture, text, 2, arguments, 6, results));
  CHECK_INTEGERS(results[0], 9, -5, INT64_MIN, INT64_MAX, 5, INT64_MIN + 2);
  CHECK_INTEGERS(results[1], 5, -9, INT64_MAX - 1, INT64_MIN + 1, 5, 4 - INT64_MAX - 1);
  CHECK_INTEGERS(results[2], 14, -14, INT64_MAX, INT64_MIN, 0, INT64_MAX - 2);
  CHECK_INTEGERS(results[3], 3, -3, INT64_MAX, INT64_MIN, 0, 0);
  CHECK_INTEGERS(results[4], 7, 2, INT64_MAX, -1, 5, INT64_MAX);
  CHECK_INTEGERS(results[5], 7, 0, INT64_MAX, 0, 5, 3);
  reference_free_all(2, arguments);
  reference_free_all(6, results);
}

// [n, 1, 2] + [1, n, 2], samples of 2, 0 and 1 positions.
static void test_broadcast(void) {
  const char *text =
      "func.func @f(%x: !ragged.tensor<[n, 1, 2], f64>, %y: !ragged.tensor<[1, n, 2], f64>)\n"
      "    -> !ragged.tensor<[n, n, 2], f64> {\n"
      "  %r = ragged.add %x, %y : !ragged.tensor<[n, 1, 2], f64>, !ragged.tensor<[1, n, 2], f64>\n"
      "    -> !ragged.tensor<[n, n, 2], f64>\n"
      "  return %r : !ragged.tensor<[n, n, 2], f64>\n"
      "}";
  ragged_reference_value arguments[2] = {
      reference_ragged(&fixture, "!ragged.tensor<[n, 1, 2], f64>", 3,
                       EXTENTS(2, 1, 2, 0, 1, 2, 1, 1, 2), 3, REALS(1, 2, 3, 4, INFINITY, 5)),
      reference_ragged(&fixture, "!ragged.tensor<[1, n, 2], f64>", 3,
                       EXTENTS(1, 2, 2, 1, 0, 2, 1, 1, 2), 3, REALS(10, 20, 30, 40, 1, NAN))};
  ragged_reference_value result = {0};
  CHECK_OK(reference_fixture_run(&fixture, text, 2, arguments, 1, &result));
  CHECK_REALS(result, 11, 22, 31, 42, 13, 24, 33, 44, INFINITY, NAN);
  CHECK_INT(result.accuracy.operations, 1);
  CHECK_INT(result.offsets[1], 4);
  CHECK_INT(result.offsets[3], 5);
  reference_free_all(2, arguments);
  ragged_reference_value_free(&result);
}

// P + transpose(P): operands whose packed orders differ meet on logical positions.
static void test_orders(void) {
  const char *text =
      "func.func @f(%p: !ragged.tensor<[n, n], f64, order = [1, 0]>, %s: f64)\n"
      "    -> !ragged.tensor<[n, n], f64, order = [1, 0]> {\n"
      "  %t = ragged.transpose %p permutation = [1, 0]\n"
      "    : !ragged.tensor<[n, n], f64, order = [1, 0]> -> !ragged.tensor<[n, n], f64>\n"
      "  %q = ragged.add %p, %t : !ragged.tensor<[n, n], f64, order = [1, 0]>,\n"
      "    !ragged.tensor<[n, n], f64> -> !ragged.tensor<[n, n], f64, order = [1, 0]>\n"
      "  %r = ragged.mul %s, %q : f64, !ragged.tensor<[n, n], f64, order = [1, 0]>\n"
      "    -> !ragged.tensor<[n, n], f64, order = [1, 0]>\n"
      "  return %r : !ragged.tensor<[n, n], f64, order = [1, 0]>\n"
      "}";
  // Packed columns first: logically [[1, 3], [2, 4]].
  ragged_reference_value arguments[2] = {
      reference_ragged(&fixture, "!ragged.tensor<[n, n], f64, order = [1, 0]>", 1, EXTENTS(2, 2), 4,
                       REALS(1, 2, 3, 4)),
      {0}};
  CHECK_REALS(arguments[0], 1, 3, 2, 4);
  CHECK_OK(ragged_reference_from_real(RAGGED_ELEMENT_F64, 10, &arguments[1]));
  ragged_reference_value result = {0};
  CHECK_OK(reference_fixture_run(&fixture, text, 2, arguments, 1, &result));
  CHECK_REALS(result, 20, 50, 50, 80);
  CHECK_INT(result.accuracy.operations, 2);
  reference_free_all(2, arguments);
  ragged_reference_value_free(&result);
}

// 1 + 2^-30 is 1 in f32 once it is rounded; subtracting 1 tells the modes apart.
static void test_modes(void) {
  const char *text =
      "func.func @f(%x: f32, %y: f32) -> f32 {\n"
      "  %s = ragged.add %x, %y : f32, f32 -> f32\n"
      "  %r = ragged.sub %s, %x : f32, f32 -> f32\n"
      "  return %r : f32\n"
      "}";
  ragged_reference_value arguments[2] = {{0}}, result = {0};
  CHECK_OK(ragged_reference_from_real(RAGGED_ELEMENT_F32, 1, &arguments[0]));
  CHECK_OK(ragged_reference_from_real(RAGGED_ELEMENT_F32, 0x1p-30, &arguments[1]));
  CHECK_OK(reference_fixture_run(&fixture, text, 2, arguments, 1, &result));
  CHECK_REALS(result, 0x1p-30);
  ragged_reference_value_free(&result);
  fixture.options.mode = RAGGED_REFERENCE_ROUNDED;
  CHECK_OK(reference_fixture_run(&fixture, text, 2, arguments, 1, &result));
  CHECK_REALS(result, 0.0);
  CHECK_INT(result.accuracy.operations, 2);
  fixture.options.mode = RAGGED_REFERENCE_EXACT;
  reference_free_all(2, arguments);
  ragged_reference_value_free(&result);
}

int main(void) {
  fixture = reference_fixture_make();
  test_oracle();
  test_integers();
  test_broadcast();
  test_orders();
  test_modes();
  reference_fixture_free(&fixture);
  return unit_test_finish();
}
