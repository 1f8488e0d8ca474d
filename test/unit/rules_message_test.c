// What each rule says when it refuses, and which operands it points at. That rules accept the right
// things is rules_property_test.c's part.
#include "schema/rules.h"
#include "unit_test.h"

static ragged_dimension axis(const char *name) { return ragged_dimension_ragged(name); }
static ragged_dimension extent(int64_t value) { return ragged_dimension_static(value); }

#define SCHEMA(type, ...)                                                                         \
  ragged_schema_make((type),                                                                      \
                     (int)(sizeof((ragged_dimension[]){__VA_ARGS__}) / sizeof(ragged_dimension)), \
                     (ragged_dimension[]){__VA_ARGS__})
#define F32(...) SCHEMA(RAGGED_ELEMENT_F32, __VA_ARGS__)

static ragged_schema result;
static ragged_rule_error error;

// Checks a refusal: `accepted` is the rule's own result.
static void check_refusal(bool accepted, int operand, int other, const char *message) {
  CHECK(!accepted);
  CHECK_STRING(error.message, message);
  CHECK_INT(error.operand, operand);
  CHECK_INT(error.other_operand, other);
  memset(&error, 0, sizeof error);
}

static void test_elementwise(void) {
  ragged_schema pair[3] = {F32(axis("n"), extent(4)), F32(axis("m"), extent(4))};
  check_refusal(ragged_rule_elementwise(2, pair, &result, &error), 1, 0,
                "operand #1 has axis m in dimension 0, expected n as in operand #0");
  pair[1] = F32(axis("n"), extent(3));
  check_refusal(ragged_rule_elementwise(2, pair, &result, &error), 1, 0,
                "operand #1 has extent 3 in dimension 1, expected 4 as in operand #0");
  pair[1] = F32(extent(3), extent(4));
  check_refusal(ragged_rule_elementwise(2, pair, &result, &error), 1, 0,
                "operand #1 has extent 3 in dimension 0, expected axis n as in operand #0");
  pair[0] = F32(extent(1), extent(4));
  pair[2] = F32(axis("n"), extent(4));
  check_refusal(ragged_rule_elementwise(3, pair, &result, &error), 2, 1,
                "operand #2 has axis n in dimension 0, expected extent 3 as in operand #1");
  pair[1] = F32(axis("n"));
  check_refusal(ragged_rule_elementwise(2, pair, &result, &error), 1, 0,
                "operand #1 has rank 1, expected 2 as in operand #0 (ragged.expand_dims adds "
                "dimensions)");
  pair[1] = SCHEMA(RAGGED_ELEMENT_BF16, axis("n"), extent(4));
  check_refusal(ragged_rule_elementwise(2, pair, &result, &error), 1, 0,
                "operand #1 has element type bf16, expected f32 as in operand #0");
  check_refusal(ragged_rule_elementwise(0, pair, &result, &error), -1, -1,
                "found no operand, expected one");
  pair[0] = F32(extent(1), extent(INT64_C(1) << 40));
  pair[1] = F32(extent(INT64_C(1) << 40), extent(1));
  check_refusal(ragged_rule_elementwise(2, pair, &result, &error), -1, -1,
                "result: the product of the static extents does not fit 63 bits");
  CHECK(!ragged_rule_elementwise(2, pair, &result, NULL));  // no message wanted
  pair[1] = F32(axis("n"), extent(1));
  pair[0] = F32(axis("n"), extent(2));
  error.operand = 7;
  CHECK(ragged_rule_elementwise(2, pair, &result, &error));
  CHECK_INT(error.operand, -1);
  CHECK_STRING(error.message, "");
}

static void test_reduce(void) {
  ragged_schema x = F32(axis("n"), axis("m"), extent(4)), scalar = F32(extent(1));
  scalar.rank = 0;
  check_refusal(ragged_rule_reduce(&x, 1, (int64_t[]){3}, false, &result, &error), 0, -1,
                "dims names dimension 3, expected 0 to 2 for rank 3");
  check_refusal(ragged_rule_reduce(&x, 1, (int64_t[]){-1}, true, &result, &error), 0, -1,
                "dims names dimension -1, expected 0 to 2 for rank 3");
  check_refusal(ragged_rule_reduce(&x, 3, (int64_t[]){1, 0, 1}, false, &result, &error), 0, -1,
                "dims names dimension 1 twice");
  check_refusal(ragged_rule_reduce(&scalar, 1, (int64_t[]){0}, false, &result, &error), 0, -1,
                "dims names dimension 0, but operand #0 has rank 0");
  int64_t shape[RAGGED_MAX_RANK];
  int rank;
  check_refusal(
      ragged_rule_reduce_batch(&x, 2, (int64_t[]){0, 2}, false, shape, &rank, &error), 0, -1,
      "dimension 1 of operand #0 is ragged (axis m) and not in dims; a reduction over the batch "
      "must list every ragged dimension");
  check_refusal(ragged_rule_reduce_batch(&x, 1, (int64_t[]){5}, false, shape, &rank, &error), 0, -1,
                "dims names dimension 5, expected 0 to 2 for rank 3");
  check_refusal(ragged_rule_static_dims(&x, 0, NULL, "softmax", &error), 0, -1,
                "dims is empty, softmax needs at least one dimension");
  check_refusal(ragged_rule_static_dims(&x, 2, (int64_t[]){2, 1}, "layer_norm", &error), 0, -1,
                "operand #0 has axis m in dimension 1, layer_norm needs a static one");
  check_refusal(ragged_rule_static_dims(&x, 2, (int64_t[]){2, 2}, "layer_norm", &error), 0, -1,
                "dims names dimension 2 twice");
  CHECK(ragged_rule_static_dims(&x, 1, (int64_t[]){2}, "layer_norm", &error));
}

static void test_structure(void) {
  ragged_schema x = F32(axis("n"), extent(1), extent(4));
  check_refusal(ragged_rule_expand_dims(&x, 4, &result, &error), 0, -1,
                "dim is 4, expected 0 to 3 for rank 3");
  check_refusal(ragged_rule_expand_dims(&x, -1, &result, &error), 0, -1,
                "dim is -1, expected 0 to 3 for rank 3");
  ragged_schema full = {.rank = RAGGED_MAX_RANK};
  ragged_schema_set_default_order(&full);
  check_refusal(ragged_rule_expand_dims(&full, 0, &result, &error), 0, -1,
                "operand #0 has rank 16, the largest there is");
  check_refusal(ragged_rule_squeeze(&x, 1, (int64_t[]){2}, &result, &error), 0, -1,
                "operand #0 has extent 4 in dimension 2, expected 1 to squeeze it");
  check_refusal(ragged_rule_squeeze(&x, 2, (int64_t[]){1, 0}, &result, &error), 0, -1,
                "operand #0 has axis n in dimension 0, expected static extent 1 to squeeze it");
  check_refusal(ragged_rule_squeeze(&x, 2, (int64_t[]){1, 1}, &result, &error), 0, -1,
                "dims names dimension 1 twice");
  check_refusal(ragged_rule_transpose(&x, 2, (int64_t[]){1, 0}, &result, &error), 0, -1,
                "permutation has 2 entries, expected 3 as operand #0's rank");
  check_refusal(ragged_rule_transpose(&x, 3, (int64_t[]){1, 0, 1}, &result, &error), 0, -1,
                "permutation names dimension 1 twice");
  check_refusal(ragged_rule_reorder(&x, 4, (int64_t[]){0, 1, 2, 3}, &result, &error), 0, -1,
                "order has 4 entries, expected 3 as operand #0's rank");
  check_refusal(ragged_rule_reorder(&x, 3, (int64_t[]){0, 1, 3}, &result, &error), 0, -1,
                "order names dimension 3, expected 0 to 2 for rank 3");
  check_refusal(ragged_rule_reorder(&x, 3, (int64_t[]){1, 0, 2}, &result, &error), -1, -1,
                "result: order puts static dimension 1 before ragged dimension 0 (axis n), "
                "expected all ragged dimensions first");
  ragged_schema row = F32(extent(5));
  check_refusal(ragged_rule_broadcast(&row, 1, (int64_t[]){2}, &x, &result, &error), 0, 1,
                "operand #0 has extent 5 in dimension 0, expected 1 or 4 as in dimension 2 of "
                "operand #1");
  check_refusal(ragged_rule_broadcast(&row, 1, (int64_t[]){0}, &x, &result, &error), 0, 1,
                "operand #0 has extent 5 in dimension 0, expected 1 or axis n as in dimension 0 of "
                "operand #1");
  check_refusal(ragged_rule_broadcast(&row, 1, (int64_t[]){3}, &x, &result, &error), 0, 1,
                "dims names dimension 3 of operand #1, which has rank 3");
  check_refusal(ragged_rule_broadcast(&row, 0, NULL, &x, &result, &error), 0, -1,
                "dims has 0 entries, expected 1 as operand #0's rank");
  ragged_schema ones = F32(extent(1), extent(1));
  check_refusal(ragged_rule_broadcast(&ones, 2, (int64_t[]){1, 1}, &x, &result, &error), 0, 1,
                "dims names dimension 1 twice");
  check_refusal(ragged_rule_rename_axes(&x, 2, (int64_t[]){0, 2}, "m", &result, &error), 0, -1,
                "operand #0 has extent 4 in dimension 2, expected an axis");
  check_refusal(ragged_rule_rename_axes(&x, 1, (int64_t[]){3}, "m", &result, &error), 0, -1,
                "dims names dimension 3, expected 0 to 2 for rank 3");
}

#define WEIGHT(first, second) ((const int64_t[]){first, second})

static void test_linear(void) {
  ragged_schema x = F32(axis("n"), extent(384));
  check_refusal(ragged_rule_linear(&x, 0, WEIGHT(128, 384), false, 128, &result, &error), 0, -1,
                "operand #0 has axis n in dimension 0, linear needs a static one");
  check_refusal(ragged_rule_linear(&x, 1, WEIGHT(128, 256), false, 128, &result, &error), 0, 1,
                "operand #0 has extent 384 in dimension 1, expected 256 as in dimension 1 of "
                "operand #1 (weight)");
  check_refusal(ragged_rule_linear(&x, 1, WEIGHT(128, 384), false, 64, &result, &error), 2, 1,
                "operand #2 (bias) has extent 64, expected 128 as in dimension 0 of operand #1 "
                "(weight)");
  check_refusal(ragged_rule_linear(&x, 2, WEIGHT(128, 384), false, -1, &result, &error), 0, -1,
                "dim names dimension 2, expected 0 to 1 for rank 2");
  check_refusal(ragged_rule_linear(&x, 1, WEIGHT(-5, 384), false, -1, &result, &error), 1, -1,
                "operand #1 (weight) has a dynamic extent, expected static ones");
  CHECK(ragged_rule_linear(&x, 1, WEIGHT(128, 384), false, -1, &result, &error));
  CHECK_INT(result.dimensions[1].extent, 128);
  check_refusal(ragged_rule_linear(&x, 1, WEIGHT(128, 384), true, -1, &result, &error), 0, 1,
                "operand #0 has extent 384 in dimension 1, expected 128 as in dimension 0 of "
                "operand #1 (weight)");
  check_refusal(ragged_rule_linear(&x, 1, WEIGHT(384, 128), true, 384, &result, &error), 2, 1,
                "operand #2 (bias) has extent 384, expected 128 as in dimension 1 of operand #1 "
                "(weight)");
  CHECK(ragged_rule_linear(&x, 1, WEIGHT(384, 128), true, 128, &result, &error));
  CHECK_INT(result.dimensions[1].extent, 128);
  // The result may be the operand itself.
  CHECK(ragged_rule_linear(&x, 1, WEIGHT(7, 384), false, 7, &x, &error));
  CHECK_INT(x.dimensions[1].extent, 7);
}

static void test_product_over_rows(void) {
  ragged_schema x = F32(axis("n"), extent(384)), dy = F32(extent(128), axis("n")), other = F32(axis("m"), extent(8));
  int64_t shape[2];
#define DIMS(of_x, of_dy) ((const int64_t[]){of_x, of_dy})
  check_refusal(ragged_rule_product_over_rows(&x, &dy, DIMS(2, 0), shape, &error), 0, -1,
                "dims names dimension 2 of operand #0, which has rank 2");
  check_refusal(ragged_rule_product_over_rows(&x, &dy, DIMS(1, 1), shape, &error), 1, -1,
                "operand #1 has axis n in dimension 1, product_over_rows needs a static one");
  check_refusal(ragged_rule_product_over_rows(&x, &other, DIMS(1, 1), shape, &error), 1, 0,
                "operand #1 has axis m in dimension 0, expected n as in dimension 0 of operand #0");
  CHECK(ragged_rule_product_over_rows(&x, &dy, DIMS(1, 0), shape, &error));
  CHECK_INT(shape[0], 128);
  CHECK_INT(shape[1], 384);
}

static bool unify(int count, const ragged_schema *formals, const ragged_schema *actuals) {
  ragged_arena arena = {0};
  ragged_substitution substitution = {0};
  bool good = ragged_rule_unify_all(count, formals, actuals, &substitution, &arena, &error);
  ragged_arena_free(&arena);
  return good;
}

static void test_unify(void) {
  ragged_schema formals[2] = {F32(axis("a"), extent(4)), F32(axis("a + b"), extent(4))};
  ragged_schema actuals[2] = {F32(axis("n"), extent(4)), F32(axis("n + 1"), extent(4))};
  check_refusal(unify(2, formals, actuals), 1, -1,
                "axis b of the callee is bound by no operand and given by no name of the call");
  formals[1] = F32(axis("2 * a"), extent(4));
  check_refusal(unify(2, formals, actuals), 1, -1,
                "operand #1 has axis n + 1 in dimension 0, expected 2 * n (2 * a in the callee)");
  formals[1] = F32(axis("a"), extent(4));
  check_refusal(unify(2, formals, actuals), 1, 0,
                "axis a of the callee is n + 1 in operand #1, expected n as in operand #0");
  actuals[1] = F32(axis("n"), extent(5));
  check_refusal(unify(2, formals, actuals), 1, -1,
                "operand #1 has extent 5 in dimension 1, expected 4 as in the callee");
  actuals[1] = F32(extent(1), extent(4));
  check_refusal(unify(2, formals, actuals), 1, -1,
                "operand #1 has extent 1 in dimension 0, expected axis a as in the callee");
  actuals[1] = F32(axis("n"), axis("m"));
  check_refusal(unify(2, formals, actuals), 1, -1,
                "operand #1 has axis m in dimension 1, expected extent 4 as in the callee");
  actuals[1] = F32(axis("n"));
  check_refusal(unify(2, formals, actuals), 1, -1,
                "operand #1 has rank 1, expected 2 as in the callee");
  actuals[1] = SCHEMA(RAGGED_ELEMENT_F64, axis("n"), extent(4));
  check_refusal(unify(2, formals, actuals), 1, -1,
                "operand #1 has element type f64, expected f32 as in the callee");
  formals[0] = F32(axis("a"), axis("a"));
  actuals[0] = F32(axis("n"), axis("n"));
  actuals[0].order[0] = 1, actuals[0].order[1] = 0;
  check_refusal(unify(1, formals, actuals), 0, -1,
                "operand #0 packs dimension 1 at position 0, expected dimension 0 as in the "
                "callee's order");
}

static void test_bind(void) {
  ragged_arena arena = {0};
  ragged_substitution s = {0};
  CHECK(ragged_substitution_bind(&s, &arena, "k", "n + 1", -1, &error));
  CHECK(ragged_substitution_bind(&s, &arena, "k", "n + 1", 2, &error));
  CHECK(ragged_substitution_bind(&s, &arena, "a", "n", 0, &error));
  CHECK_STRING(ragged_substitution_find(&s, "k"), "n + 1");
  CHECK(!ragged_substitution_find(&s, "n"));
  check_refusal(ragged_substitution_bind(&s, &arena, "k", "m", 3, &error), 3, -1,
                "axis k of the callee is m in operand #3, but the call gives it as n + 1");
  check_refusal(ragged_substitution_bind(&s, &arena, "a", "m", -1, &error), -1, 0,
                "axis a of the callee is given as m, but it is n already");
  ragged_schema x = F32(axis("a"), axis("c + a"));
  check_refusal(ragged_rule_substitute(&x, &s, &arena, &result, &error), -1, -1,
                "axis c of the callee is bound by no operand and given by no name of the call");
  x = F32(axis("-a + k"));  // (n + 1) - n: no axis any more
  check_refusal(ragged_rule_substitute(&x, &s, &arena, &result, &error), -1, -1,
                "axis expression \"-a + k\": it is 1 for every sample, expected an axis that "
                "varies");
  ragged_arena_free(&arena);
}

int main(void) {
  test_elementwise();
  test_reduce();
  test_structure();
  test_linear();
  test_product_over_rows();
  test_unify();
  test_bind();
  return unit_test_finish();
}
