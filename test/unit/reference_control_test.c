// Control flow, calls and builtin scalars of the reference interpreter, how accuracies add up through
// them, and every run-time error with its message.
#include "reference_fixture.h"

static reference_fixture fixture;

#define RUN(text, num_arguments, arguments, num_results, results) \
  CHECK_OK(reference_fixture_run(&fixture, text, num_arguments, arguments, num_results, results))
#define FAIL(text, num_arguments, arguments, code, part)                                        \
  do {                                                                                          \
    ragged_reference_value unused[4] = {{0}};                                                   \
    CHECK_ERROR(reference_fixture_run(&fixture, text, num_arguments, arguments, 1, unused), code, \
                part);                                                                          \
  } while (0)

static ragged_reference_value integer(int64_t number) {
  ragged_reference_value value = {0};
  CHECK_OK(ragged_reference_from_integer(number, &value));
  return value;
}

// ---- Control flow ---------------------------------------------------------------------------

// Doubles x `count` times, then negates it through scf.if, then halves it until it is small.
static const char *const kLoops =
    "func.func @f(%x: !ragged.tensor<[n], f64>, %count: index)\n"
    "    -> (!ragged.tensor<[n], f64>, i64) {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %y = scf.for %i = %c0 to %count step %c1 iter_args(%a = %x) -> (!ragged.tensor<[n], f64>) {\n"
    "    %b = ragged.add %a, %a : !ragged.tensor<[n], f64>, !ragged.tensor<[n], f64>\n"
    "      -> !ragged.tensor<[n], f64>\n"
    "    scf.yield %b : !ragged.tensor<[n], f64>\n"
    "  }\n"
    "  %many = arith.cmpi sgt, %count, %c1 : index\n"
    "  %z = scf.if %many -> (!ragged.tensor<[n], f64>) {\n"
    "    %m = arith.constant -1.0 : f64\n"
    "    %b = ragged.mul %y, %m : !ragged.tensor<[n], f64>, f64 -> !ragged.tensor<[n], f64>\n"
    "    scf.yield %b : !ragged.tensor<[n], f64>\n"
    "  } else {\n"
    "    scf.yield %y : !ragged.tensor<[n], f64>\n"
    "  }\n"
    "  scf.if %many {\n"
    "  }\n"
    "  %k0 = arith.constant 100 : i64\n"
    "  %two = arith.constant 2 : i64\n"
    "  %k = scf.while (%k1 = %k0) : (i64) -> i64 {\n"
    "    %go = arith.cmpi sge, %k1, %two : i64\n"
    "    scf.condition(%go) %k1 : i64\n"
    "  } do {\n"
    "  ^bb0(%k2: i64):\n"
    "    %half = arith.divsi %k2, %two : i64\n"
    "    scf.yield %half : i64\n"
    "  }\n"
    "  return %z, %k : !ragged.tensor<[n], f64>, i64\n"
    "}";

static void test_loops(void) {
  ragged_reference_value arguments[2] = {
      reference_ragged(&fixture, "!ragged.tensor<[n], f64>", 2, EXTENTS(1, 2), 3, REALS(1, 2, 3)),
      integer(3)};
  ragged_reference_value results[2] = {{0}};
  RUN(kLoops, 2, arguments, 2, results);
  CHECK_REALS(results[0], -8, -16, -24);
  CHECK_INT(results[0].accuracy.operations, 4);  // three turns and the product
  CHECK_INTEGERS(results[1], 1);
  reference_free_all(2, results);
  arguments[1].numbers[0].integer = 0;
  RUN(kLoops, 2, arguments, 2, results);
  CHECK_REALS(results[0], 1, 2, 3);
  CHECK_INT(results[0].accuracy.operations, 0);
  reference_free_all(2, results);

  fixture.options.max_operations = 1000;
  arguments[1].numbers[0].integer = INT64_MAX;
  FAIL(kLoops, 2, arguments, RESOURCE_EXHAUSTED, "the limit of this run");
  fixture.options.max_operations = 0;
  reference_free_all(2, arguments);
}

// One layer function for two axes; the callee makes an axis that the call names.
static void test_calls(void) {
  const char *text =
      "func.func @layer(%x: !ragged.tensor<[a, b], f64>, %l: tensor<?xi64>)\n"
      "    -> (!ragged.tensor<[a, b], f64>, !ragged.tensor<[new], i64>) {\n"
      "  %y = ragged.relu %x : !ragged.tensor<[a, b], f64> -> !ragged.tensor<[a, b], f64>\n"
      "  %z = func.call @make(%l) : (tensor<?xi64>) -> !ragged.tensor<[new], i64>\n"
      "  return %y, %z : !ragged.tensor<[a, b], f64>, !ragged.tensor<[new], i64>\n"
      "}\n"
      "func.func @make(%l: tensor<?xi64>) -> !ragged.tensor<[new], i64> {\n"
      "  %n = arith.constant 1 : i64\n"
      "  %v = ragged.add %l, %n : tensor<?xi64>, i64 -> tensor<?xi64>\n"
      "  %z = ragged.from_values %v, %l axes = [\"new\"] : tensor<?xi64>, tensor<?xi64>\n"
      "    -> !ragged.tensor<[new], i64>\n"
      "  return %z : !ragged.tensor<[new], i64>\n"
      "}\n"
      "func.func @f(%x: !ragged.tensor<[n, m], f64>, %l: tensor<?xi64>)\n"
      "    -> (!ragged.tensor<[n, m], f64>, !ragged.tensor<[k], i64>, !ragged.tensor<[m, n], f64>) {\n"
      "  %y, %z = ragged.call @layer(%x, %l) axes = [\"k\"]\n"
      "    : (!ragged.tensor<[n, m], f64>, tensor<?xi64>)\n"
      "    -> (!ragged.tensor<[n, m], f64>, !ragged.tensor<[k], i64>)\n"
      "  %t0 = ragged.transpose %y permutation = [1, 0] : !ragged.tensor<[n, m], f64>\n"
      "    -> !ragged.tensor<[m, n], f64, order = [1, 0]>\n"
      "  %t = ragged.reorder %t0 order = [0, 1] : !ragged.tensor<[m, n], f64, order = [1, 0]>\n"
      "    -> !ragged.tensor<[m, n], f64>\n"
      "  %u, %w = ragged.call @layer(%t, %l) axes = [\"j\"]\n"
      "    : (!ragged.tensor<[m, n], f64>, tensor<?xi64>)\n"
      "    -> (!ragged.tensor<[m, n], f64>, !ragged.tensor<[j], i64>)\n"
      "  return %y, %z, %u : !ragged.tensor<[n, m], f64>, !ragged.tensor<[k], i64>,\n"
      "    !ragged.tensor<[m, n], f64>\n"
      "}";
  ragged_reference_value arguments[2] = {
      reference_ragged(&fixture, "!ragged.tensor<[n, m], f64>", 2, EXTENTS(2, 2, 1, 0), 4,
                       REALS(1, -2, 3, 4)),
      reference_dense(RAGGED_ELEMENT_I64, 1, EXTENTS(2), INTEGERS(2, 0))};
  ragged_reference_value results[3] = {{0}};
  RUN(text, 2, arguments, 3, results);
  CHECK_REALS(results[0], 1, 0.0, 3, 4);
  CHECK_INTEGERS(results[1], 3, 1);
  CHECK_STRING(results[1].schema.dimensions[0].axis, "k");
  CHECK_REALS(results[2], 1, 3, 0.0, 4);
  CHECK_INT(results[2].accuracy.operations, 2);
  reference_free_all(2, arguments);
  reference_free_all(3, results);
}

// ---- Builtin scalars ------------------------------------------------------------------------

// Runs one op of arith on two constants.
static ragged_status run_arith(const char *op, const char *type, const char *x, const char *y,
                               const char *result, ragged_reference_value *out) {
  char text[512], suffix[16];
  // `true` and `false` have their type already.
  snprintf(suffix, sizeof suffix, strcmp(type, "i1") ? " : %s" : "", type);
  snprintf(text, sizeof text,
           "func.func @f() -> %s {\n  %%x = arith.constant %s%s\n  %%y = arith.constant %s%s\n"
           "  %%r = arith.%s %%x, %%y : %s\n  return %%r : %s\n}",
           result, x, suffix, y, suffix, op, type, result);
  return reference_fixture_run(&fixture, text, 0, NULL, 1, out);
}

static void test_arith(void) {
  static const struct {
    const char *op, *type, *x, *y, *result;
    int64_t expected;
  } cases[] = {
      {"addi", "i8", "127", "1", "i8", -128},      {"subi", "i8", "-128", "1", "i8", 127},
      {"muli", "i8", "100", "3", "i8", 44},        {"divsi", "i8", "-7", "2", "i8", -3},
      {"divui", "i8", "-7", "2", "i8", 124},       {"remsi", "i8", "-7", "2", "i8", -1},
      {"remui", "i8", "-7", "2", "i8", 1},         {"floordivsi", "i8", "-7", "2", "i8", -4},
      {"ceildivsi", "i8", "7", "2", "i8", 4},      {"ceildivsi", "i8", "-7", "2", "i8", -3},
      {"floordivsi", "i8", "7", "2", "i8", 3},     {"andi", "i8", "12", "10", "i8", 8},
      {"ori", "i8", "12", "10", "i8", 14},         {"xori", "i8", "12", "10", "i8", 6},
      {"shli", "i8", "65", "1", "i8", -126},       {"shrsi", "i8", "-128", "7", "i8", -1},
      {"shrui", "i8", "-128", "7", "i8", 1},       {"minsi", "i8", "-1", "1", "i8", -1},
      {"maxsi", "i8", "-1", "1", "i8", 1},         {"minui", "i8", "-1", "1", "i8", 1},
      {"maxui", "i8", "-1", "1", "i8", -1},        {"cmpi ult,", "i8", "-1", "1", "i1", 0},
      {"cmpi slt,", "i8", "-1", "1", "i1", 1},     {"andi", "i1", "true", "true", "i1", 1},
      {"xori", "i1", "true", "true", "i1", 0},     {"cmpi slt,", "i1", "true", "false", "i1", 1},
      {"cmpf olt,", "f32", "1.0", "2.0", "i1", 1}, {"cmpf une,", "f32", "1.0", "0x7FC00000", "i1", 1},
      {"cmpf one,", "f32", "1.0", "0x7FC00000", "i1", 0},
  };
  ragged_reference_value value = {0};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
    if (!CHECK_OK(run_arith(cases[k].op, cases[k].type, cases[k].x, cases[k].y, cases[k].result,
                            &value)))
      continue;
    if (!CHECK_INT(value.numbers[0].integer, cases[k].expected)) printf("arith.%s\n", cases[k].op);
    ragged_reference_value_free(&value);
  }
  CHECK_ERROR(run_arith("divsi", "i8", "1", "0", "i8", &value), INVALID_ARGUMENT,
              "'arith.divsi' op has no defined result for 1 and 0");
  CHECK_ERROR(run_arith("divsi", "i8", "-128", "-1", "i8", &value), INVALID_ARGUMENT, "for -128");
  CHECK_ERROR(run_arith("shli", "i8", "1", "8", "i8", &value), INVALID_ARGUMENT, "arith.shli");

  const char *text =
      "func.func @f(%i: i32, %x: f64) -> (f32, i64, i64, f64, f64, index) {\n"
      "  %a = arith.sitofp %i : i32 to f32\n"
      "  %b = arith.extsi %i : i32 to i64\n"
      "  %c = arith.extui %i : i32 to i64\n"
      "  %t = arith.truncf %x : f64 to bf16\n"
      "  %d = arith.extf %t : bf16 to f64\n"
      "  %y = arith.subf %x, %d : f64\n"
      "  %z = arith.cmpf ogt, %y, %x : f64\n"
      "  %w = arith.select %z, %x, %y : f64\n"
      "  %j = arith.fptosi %x : f64 to i64\n"
      "  %k = arith.index_cast %j : i64 to index\n"
      "  return %a, %b, %c, %d, %w, %k : f32, i64, i64, f64, f64, index\n"
      "}";
  ragged_reference_value arguments[2] = {integer(-3), {0}}, results[6] = {{0}};
  CHECK_OK(ragged_reference_from_real(RAGGED_ELEMENT_F64, 3.015625, &arguments[1]));
  RUN(text, 2, arguments, 6, results);
  CHECK_REALS(results[0], -3);
  CHECK_INTEGERS(results[1], -3);
  CHECK_INTEGERS(results[2], 0xFFFFFFFD);
  CHECK_REALS(results[3], 3.015625);
  CHECK_REALS(results[4], 0.0);
  CHECK_INTEGERS(results[5], 3);
  reference_free_all(2, arguments);
  reference_free_all(6, results);
}

// Dense constants, one of them a splat.
static void test_dense_constants(void) {
  const char *text =
      "func.func @f() -> (tensor<2x2xf32>, tensor<2xbf16>, tensor<3xi64>) {\n"
      "  %a = arith.constant dense<[[1.0, 2.0], [3.0, 0.1]]> : tensor<2x2xf32>\n"
      "  %b = arith.constant dense<1.5> : tensor<2xbf16>\n"
      "  %c = arith.constant dense<[4, -5, 6]> : tensor<3xi64>\n"
      "  return %a, %b, %c : tensor<2x2xf32>, tensor<2xbf16>, tensor<3xi64>\n"
      "}";
  ragged_reference_value results[3] = {{0}};
  RUN(text, 0, NULL, 3, results);
  CHECK_REALS(results[0], 1, 2, 3, 0x1.99999Ap-4);
  CHECK_REALS(results[1], 1.5, 1.5);
  CHECK_INTEGERS(results[2], 4, -5, 6);
  reference_free_all(3, results);
}

// ---- Errors ---------------------------------------------------------------------------------

static void test_entry_errors(void) {
  const char *text =
      "func.func @f(%x: !ragged.tensor<[n, 2], f64>, %y: !ragged.tensor<[n], f64>,\n"
      "             %w: tensor<?x2xf64>) -> !ragged.tensor<[n], f64> {\n"
      "  return %y : !ragged.tensor<[n], f64>\n"
      "}";
  const double numbers[32] = {0};
  ragged_reference_value good[3] = {
      reference_ragged(&fixture, "!ragged.tensor<[n, 2], f64>", 2, EXTENTS(1, 2, 3, 2), 4, numbers),
      reference_ragged(&fixture, "!ragged.tensor<[n], f64>", 2, EXTENTS(1, 3), 4, numbers),
      reference_dense(RAGGED_ELEMENT_F64, 2, EXTENTS(5, 2), numbers)};
  ragged_reference_value result = {0};
  RUN(text, 3, good, 1, &result);
  ragged_reference_value_free(&result);
  FAIL(text, 2, good, INVALID_ARGUMENT, "the function has 3 arguments, 2 were given");
  CHECK_ERROR(reference_fixture_run(&fixture, text, 3, good, 0, NULL), INVALID_ARGUMENT,
              "has 1 results, 0 were asked for");

  ragged_reference_value bad[3] = {good[0], good[2], good[2]};
  FAIL(text, 3, bad, INVALID_ARGUMENT,
       "argument #1 is a builtin tensor ([5, 2], f64), expected !ragged.tensor<[n], f64>");
  bad[1] = reference_ragged(&fixture, "!ragged.tensor<[n], f64>", 2, EXTENTS(1, 4), 5, numbers);
  FAIL(text, 3, bad, INVALID_ARGUMENT,
       "axis n has extent 4 in sample 1 of argument #1, expected 3 as in argument #0");
  ragged_reference_value_free(&bad[1]);
  bad[1] = reference_ragged(&fixture, "!ragged.tensor<[n], f64>", 1, EXTENTS(1), 1, numbers);
  FAIL(text, 3, bad, INVALID_ARGUMENT, "argument #1 has a batch of 1, expected 2 as in argument #0");
  ragged_reference_value_free(&bad[1]);
  bad[1] = good[1];
  bad[2] = reference_dense(RAGGED_ELEMENT_F64, 2, EXTENTS(5, 3), numbers);
  FAIL(text, 3, bad, INVALID_ARGUMENT, "argument #2 is a builtin tensor ([5, 3], f64)");
  ragged_reference_value_free(&bad[2]);
  bad[2] = reference_dense(RAGGED_ELEMENT_I64, 2, EXTENTS(5, 2), numbers);
  FAIL(text, 3, bad, INVALID_ARGUMENT, "argument #2 is a builtin tensor ([5, 2], i64)");
  ragged_reference_value_free(&bad[2]);
  reference_free_all(3, good);

  const char *expression =
      "func.func @f(%x: !ragged.tensor<[n], f64>, %y: !ragged.tensor<[n + 1], f64>)\n"
      "    -> !ragged.tensor<[n], f64> {\n"
      "  return %x : !ragged.tensor<[n], f64>\n"
      "}";
  ragged_reference_value pair[2] = {
      reference_ragged(&fixture, "!ragged.tensor<[n], f64>", 2, EXTENTS(1, 2), 3, numbers),
      reference_ragged(&fixture, "!ragged.tensor<[n + 1], f64>", 2, EXTENTS(2, 4), 6, numbers)};
  FAIL(expression, 2, pair, INVALID_ARGUMENT,
       "axis n + 1 has extent 4 in sample 1 of argument #1, but its value is 3");
  ragged_reference_value_free(&pair[1]);
  pair[1] =
      reference_ragged(&fixture, "!ragged.tensor<[n + 1], f64>", 2, EXTENTS(2, 3), 5, numbers);
  RUN(expression, 2, pair, 1, &result);
  ragged_reference_value_free(&result);
  reference_free_all(2, pair);
}

// from_values with these lengths; `rows` rows of one f64 each.
static void fail_lengths(int64_t rows, int64_t batch, const int64_t *lengths, const char *part) {
  const char *text =
      "func.func @f(%v: tensor<?xf64>, %l: tensor<?xi64>) -> !ragged.tensor<[n, n], f64> {\n"
      "  %x = ragged.from_values %v, %l axes = [\"n\"] : tensor<?xf64>, tensor<?xi64>\n"
      "    -> !ragged.tensor<[n, n], f64>\n"
      "  return %x : !ragged.tensor<[n, n], f64>\n"
      "}";
  const double numbers[32] = {0};
  ragged_reference_value arguments[2] = {
      reference_dense(RAGGED_ELEMENT_F64, 1, &rows, numbers),
      reference_dense(RAGGED_ELEMENT_I64, 1, &batch, lengths)};
  FAIL(text, 2, arguments, INVALID_ARGUMENT, part);
  reference_free_all(2, arguments);
}

static void fail_offsets(int64_t ends, const int64_t *offsets, const char *part) {
  const char *text =
      "func.func @f(%v: tensor<?xf64>, %o: tensor<?xi64>) -> !ragged.tensor<[n], f64> {\n"
      "  %x = ragged.from_offsets %v, %o axes = [\"n\"] : tensor<?xf64>, tensor<?xi64>\n"
      "    -> !ragged.tensor<[n], f64>\n"
      "  return %x : !ragged.tensor<[n], f64>\n"
      "}";
  ragged_reference_value arguments[2] = {
      reference_dense(RAGGED_ELEMENT_F64, 1, EXTENTS(4), REALS(1, 2, 3, 4)),
      reference_dense(RAGGED_ELEMENT_I64, 1, &ends, offsets)};
  FAIL(text, 2, arguments, INVALID_ARGUMENT, part);
  reference_free_all(2, arguments);
}

static void test_conversion_errors(void) {
  fail_lengths(8, 3, INTEGERS(1, -1, 2), "axis n has length -1 in sample 1");
  fail_lengths(8, 2, INTEGERS(2, 3), "'ragged.from_values' op the lengths ask for 13 rows, the "
                                     "values have 8");
  fail_lengths(8, 2, INTEGERS(1, INT64_MAX), "do not fit 63 bits");
  fail_lengths(8, 3, INTEGERS(INT64_C(3000000000), INT64_C(3000000000), 1), "do not fit 63 bits");
  fail_offsets(0, INTEGERS(0), "has 0 offsets");
  fail_offsets(2, INTEGERS(1, 2), "the offsets begin with 1");
  fail_offsets(3, INTEGERS(0, 2, 1), "the offsets decrease from 2 to 1 at sample 1");
  fail_offsets(3, INTEGERS(0, 2, 5), "ask for 5 rows, the values have 4");

  const char *two =
      "func.func @f(%v: tensor<?xf64>, %a: tensor<?xi64>, %b: tensor<?xi64>)\n"
      "    -> !ragged.tensor<[n, m], f64> {\n"
      "  %x = ragged.from_values %v, %a, %b axes = [\"n\", \"m\"] : tensor<?xf64>, tensor<?xi64>,\n"
      "    tensor<?xi64> -> !ragged.tensor<[n, m], f64>\n"
      "  return %x : !ragged.tensor<[n, m], f64>\n"
      "}";
  ragged_reference_value three[3] = {
      reference_dense(RAGGED_ELEMENT_F64, 1, EXTENTS(4), REALS(1, 2, 3, 4)),
      reference_dense(RAGGED_ELEMENT_I64, 1, EXTENTS(2), INTEGERS(1, 1)),
      reference_dense(RAGGED_ELEMENT_I64, 1, EXTENTS(1), INTEGERS(1))};
  FAIL(two, 3, three, INVALID_ARGUMENT, "axis m has 1 lengths, axis n has 2");
  reference_free_all(3, three);

  const char *pack =
      "func.func @f(%p: tensor<?x?xf64>, %l: tensor<?xi64>) -> !ragged.tensor<[n], f64> {\n"
      "  %x = ragged.pack %p, %l axes = [\"n\"] : tensor<?x?xf64>, tensor<?xi64>\n"
      "    -> !ragged.tensor<[n], f64>\n"
      "  return %x : !ragged.tensor<[n], f64>\n"
      "}";
  ragged_reference_value box[2] = {
      reference_dense(RAGGED_ELEMENT_F64, 2, EXTENTS(2, 2), REALS(1, 2, 3, 4)),
      reference_dense(RAGGED_ELEMENT_I64, 1, EXTENTS(2), INTEGERS(1, 3))};
  FAIL(pack, 2, box, INVALID_ARGUMENT,
       "axis n has length 3 in sample 1, the padded box holds 2");
  ragged_reference_value_free(&box[1]);
  box[1] = reference_dense(RAGGED_ELEMENT_I64, 1, EXTENTS(1), INTEGERS(1));
  FAIL(pack, 2, box, INVALID_ARGUMENT, "has 1 lengths for a batch of 2");
  reference_free_all(2, box);

  const char *unpack =
      "func.func @f(%x: !ragged.tensor<[n], f64>) -> tensor<?x2xf64> {\n"
      "  %u = ragged.unpack %x : !ragged.tensor<[n], f64> -> tensor<?x2xf64>\n"
      "  return %u : tensor<?x2xf64>\n"
      "}";
  ragged_reference_value x =
      reference_ragged(&fixture, "!ragged.tensor<[n], f64>", 1, EXTENTS(3), 3, REALS(1, 2, 3));
  FAIL(unpack, 1, &x, INVALID_ARGUMENT, "axis n has extent 3 in sample 0, the result holds 2");
  ragged_reference_value_free(&x);
}

static void test_other_errors(void) {
  const char *assume =
      "func.func @f(%x: !ragged.tensor<[n], f64>, %y: !ragged.tensor<[m], f64>)\n"
      "    -> !ragged.tensor<[n], f64> {\n"
      "  %a = ragged.assume_same_axis %y dims = [0] to = \"n\" like %x\n"
      "    : !ragged.tensor<[m], f64>, !ragged.tensor<[n], f64> -> !ragged.tensor<[n], f64>\n"
      "  return %a : !ragged.tensor<[n], f64>\n"
      "}";
  ragged_reference_value pair[2] = {
      reference_ragged(&fixture, "!ragged.tensor<[n], f64>", 2, EXTENTS(1, 2), 3, REALS(1, 2, 3)),
      reference_ragged(&fixture, "!ragged.tensor<[m], f64>", 2, EXTENTS(2, 1), 3, REALS(1, 2, 3))};
  FAIL(assume, 2, pair, INVALID_ARGUMENT, "axis m has extent 2 in sample 0, but axis n has 1");
  FAIL(assume, 2, pair, INVALID_ARGUMENT, "-:3:8: 'ragged.assume_same_axis' op ");

  // Two axes of unequal batches meet in one op.
  const char *batches =
      "func.func @f(%x: !ragged.tensor<[n], f64>, %l: tensor<?xi64>, %v: tensor<?xf64>)\n"
      "    -> !ragged.tensor<[n, k], f64> {\n"
      "  %y = ragged.from_values %v, %l axes = [\"k\"] : tensor<?xf64>, tensor<?xi64>\n"
      "    -> !ragged.tensor<[k], f64>\n"
      "  %a = ragged.expand_dims %x dim = 1 : !ragged.tensor<[n], f64> -> !ragged.tensor<[n, 1], f64>\n"
      "  %b = ragged.expand_dims %y dim = 0 : !ragged.tensor<[k], f64> -> !ragged.tensor<[1, k], f64>\n"
      "  %s = ragged.add %a, %b : !ragged.tensor<[n, 1], f64>, !ragged.tensor<[1, k], f64>\n"
      "    -> !ragged.tensor<[n, k], f64>\n"
      "  return %s : !ragged.tensor<[n, k], f64>\n"
      "}";
  ragged_reference_value three[3] = {
      pair[0], reference_dense(RAGGED_ELEMENT_I64, 1, EXTENTS(1), INTEGERS(1)),
      reference_dense(RAGGED_ELEMENT_F64, 1, EXTENTS(1), REALS(1))};
  FAIL(batches, 3, three, INVALID_ARGUMENT, "operand #1 has a batch of 1, expected 2");
  reference_free_all(2, three + 1);
  reference_free_all(2, pair);

  const char *dense =
      "func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {\n"
      "  %s = ragged.add %x, %y : tensor<?xf64>, tensor<?xf64> -> tensor<?xf64>\n"
      "  return %s : tensor<?xf64>\n"
      "}";
  ragged_reference_value tensors[2] = {
      reference_dense(RAGGED_ELEMENT_F64, 1, EXTENTS(1), REALS(1)),
      reference_dense(RAGGED_ELEMENT_F64, 1, EXTENTS(2), REALS(1, 2))};
  FAIL(dense, 2, tensors, INVALID_ARGUMENT, "operand #1 has extent 2 in dimension 0");
  reference_free_all(2, tensors);

  const char *recursion =
      "func.func @f(%x: f64) -> f64 {\n"
      "  %y = func.call @f(%x) : (f64) -> f64\n"
      "  return %y : f64\n"
      "}";
  ragged_reference_value number = {0};
  CHECK_OK(ragged_reference_from_real(RAGGED_ELEMENT_F64, 1, &number));
  FAIL(recursion, 1, &number, INVALID_ARGUMENT, "'func.call' op recursion is too deep");
  FAIL("func.func private @f(%x: f64) -> f64", 1, &number, INVALID_ARGUMENT, "has no body");
  FAIL("func.func @f(%x: f64) -> f64 {\n"
       "  %y = arith.bitcast %x : f64 to i64\n"
       "  %z = arith.bitcast %y : i64 to f64\n"
       "  return %z : f64\n}",
       1, &number, UNIMPLEMENTED,
       "'arith.bitcast' op is not implemented by the reference interpreter");
  FAIL("func.func @f(%x: f64) -> f32 {\n"
       "  %y = arith.constant 1.0 : f16\n"
       "  %z = arith.extf %y : f16 to f32\n"
       "  return %z : f32\n}",
       1, &number, UNIMPLEMENTED, "'arith.constant' op has a result that is no scalar of a type");
  ragged_reference_value_free(&number);

  const char *large =
      "func.func @f(%x: !ragged.tensor<[n], f64>) -> tensor<?x?xf64> {\n"
      "  %w = arith.constant dense<0.0> : tensor<9223372036854775807x1xf64>\n"
      "  %u = ragged.unpack %x : !ragged.tensor<[n], f64> -> tensor<?x?xf64>\n"
      "  return %u : tensor<?x?xf64>\n"
      "}";
  ragged_reference_value x =
      reference_ragged(&fixture, "!ragged.tensor<[n], f64>", 1, EXTENTS(0), 0, NULL);
  FAIL(large, 1, &x, RESOURCE_EXHAUSTED, "are more than the interpreter's limit");
  ragged_reference_value_free(&x);
}

int main(void) {
  fixture = reference_fixture_make();
  test_loops();
  test_calls();
  test_arith();
  test_dense_constants();
  test_entry_errors();
  test_conversion_errors();
  test_other_errors();
  reference_fixture_free(&fixture);
  return unit_test_finish();
}
