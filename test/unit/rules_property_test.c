// Rules against brute force: schemas are given concrete extents, and each rule must do what NumPy
// (or the definition of the op) does on those shapes. Three assignments of extents tell the axes
// apart from each other and from static extents. A first argument sets the seed.
#include "schema/axis_expression.h"
#include "schema/rules.h"
#include "unit_test.h"

enum { ASSIGNMENTS = 3, NAMES = 3, MAX_TEST_RANK = 4 };
static const char *const axis_names[NAMES] = {"n", "m", "h"};
static const int64_t axis_extents[ASSIGNMENTS][NAMES] = {{4, 5, 6}, {5, 6, 4}, {0, 4, 5}};

static int64_t concrete(ragged_dimension d, int assignment) {
  if (!d.axis) return d.extent;
  for (int k = 0; k < NAMES; ++k)
    if (strcmp(d.axis, axis_names[k]) == 0) return axis_extents[assignment][k];
  return -1;
}

static void print_schema(const char *label, const ragged_schema *schema) {
  ragged_string_buffer text = {0};
  ragged_schema_print(schema, &text);
  printf("  %s <%s>\n", label, text.data);
  ragged_string_free(&text);
}

static void shuffle(int *list, int count, uint64_t *random) {
  for (int k = count - 1; k > 0; --k) {
    int other = unit_test_random_below(random, k + 1), kept = list[k];
    list[k] = list[other];
    list[other] = kept;
  }
}

// Dimension number `code` of six: n, m, h, 1, 2, 3.
static ragged_dimension coded_dimension(int code) {
  return code < NAMES ? ragged_dimension_ragged(axis_names[code])
                      : ragged_dimension_static(code - NAMES + 1);
}

static void randomize_order(ragged_schema *schema, uint64_t *random) {
  ragged_schema_set_default_order(schema);
  int ragged = ragged_schema_num_ragged(schema);
  shuffle(schema->order, ragged, random);
  shuffle(schema->order + ragged, schema->rank - ragged, random);
}

static ragged_schema random_schema(int rank, uint64_t *random) {
  ragged_schema schema = {.element_type = RAGGED_ELEMENT_F32, .rank = rank};
  for (int d = 0; d < rank; ++d)
    schema.dimensions[d] = coded_dimension(unit_test_random_below(random, 6));
  randomize_order(&schema, random);
  return schema;
}

static void concrete_shape(const ragged_schema *schema, int assignment, int64_t *shape) {
  for (int d = 0; d < schema->rank; ++d) shape[d] = concrete(schema->dimensions[d], assignment);
}

// Where logical index `index` stands in the packed buffer of one sample, from the definition.
static int64_t packed_position(const ragged_schema *schema, const int64_t *shape,
                               const int64_t *index) {
  int64_t position = 0;
  for (int k = 0; k < schema->rank; ++k)
    position = position * shape[schema->order[k]] + index[schema->order[k]];
  return position;
}

// Steps through all indices of a shape; false at the end. Start from zeros.
static bool next_index(int rank, const int64_t *shape, int64_t *index) {
  for (int d = rank - 1; d >= 0; --d) {
    if (++index[d] < shape[d]) return true;
    index[d] = 0;
  }
  return false;
}

static bool is_empty(int rank, const int64_t *shape) {
  for (int d = 0; d < rank; ++d)
    if (shape[d] == 0) return true;
  return false;
}

static bool is_valid(const ragged_schema *schema) {
  ragged_status status = ragged_schema_validate(schema);
  bool valid = !status;
  ragged_status_free(status);
  return valid;
}

// True when a precedes b in the packed order.
static bool precedes(const ragged_schema *schema, int a, int b) {
  return ragged_schema_packed_position(schema, a) < ragged_schema_packed_position(schema, b);
}

// --- elementwise -------------------------------------------------------------------------------

static bool numpy_broadcasts(int count, const ragged_schema *operands, int assignment,
                             int64_t *shape) {
  for (int d = 0; d < operands[0].rank; ++d) {
    shape[d] = 1;
    for (int k = 0; k < count; ++k) {
      int64_t extent = concrete(operands[k].dimensions[d], assignment);
      if (extent == 1) continue;
      if (shape[d] != 1 && shape[d] != extent) return false;
      shape[d] = extent;
    }
  }
  return true;
}

// The order from the words of the rule, by comparing which dimensions are ragged.
static void expected_elementwise_order(int count, const ragged_schema *operands,
                                       const ragged_schema *result, int *order) {
  ragged_schema fallback = *result;
  ragged_schema_set_default_order(&fallback);
  memcpy(order, fallback.order, sizeof fallback.order);
  for (int k = count - 1; k >= 0; --k) {
    bool fits = true;
    for (int d = 0; d < result->rank; ++d)
      fits = fits && (!result->dimensions[d].axis || operands[k].dimensions[d].axis);
    if (fits) memcpy(order, operands[k].order, sizeof operands[k].order);
  }
}

static bool elementwise_accepted;
static void check_elementwise(int count, const ragged_schema *operands) {
  int64_t shape[ASSIGNMENTS][MAX_TEST_RANK];
  bool expected = true;
  for (int a = 0; a < ASSIGNMENTS; ++a)
    expected = numpy_broadcasts(count, operands, a, shape[a]) && expected;
  ragged_schema result;
  ragged_rule_error error;
  bool accepted = ragged_rule_elementwise(count, operands, &result, &error);
  elementwise_accepted = accepted;
  bool good = accepted == expected;
  if (accepted && expected) {
    int64_t got[MAX_TEST_RANK];
    int order[RAGGED_MAX_RANK];
    for (int a = 0; a < ASSIGNMENTS; ++a) {
      concrete_shape(&result, a, got);
      good = good && memcmp(got, shape[a], sizeof(int64_t) * (size_t)result.rank) == 0;
    }
    expected_elementwise_order(count, operands, &result, order);
    good = good && is_valid(&result) && result.element_type == operands[0].element_type &&
           memcmp(order, result.order, sizeof(int) * (size_t)result.rank) == 0;
  } else if (!accepted) {
    good = good && error.message[0] && error.operand > error.other_operand;
  }
  if (CHECK(good)) return;
  for (int k = 0; k < count; ++k) print_schema("operand", &operands[k]);
  if (accepted) print_schema("result", &result);
}

static void test_elementwise(uint64_t *random) {
  int accepted = 0;
  // All pairs up to rank 2, then random triples of which most share dimensions.
  for (int rank = 0; rank <= 2; ++rank) {
    int codes = rank == 0 ? 1 : rank == 1 ? 6 : 36;
    for (int i = 0; i < codes * codes; ++i) {
      ragged_schema pair[2] = {{.rank = rank}, {.rank = rank}};
      int code[2] = {i / codes, i % codes};
      for (int k = 0; k < 2; ++k) {
        for (int d = 0; d < rank; ++d, code[k] /= 6)
          pair[k].dimensions[d] = coded_dimension(code[k] % 6);
        randomize_order(&pair[k], random);
      }
      check_elementwise(2, pair);
    }
  }
  for (int round = 0; round < 20000; ++round) {
    int count = 1 + unit_test_random_below(random, 3);
    ragged_schema operands[3], base = random_schema(1 + round % MAX_TEST_RANK, random);
    for (int k = 0; k < count; ++k) {
      operands[k] = base;
      for (int d = 0; d < base.rank; ++d) {
        int draw = unit_test_random_below(random, 20);
        if (draw < 5) operands[k].dimensions[d] = ragged_dimension_static(1);
        if (draw == 5)
          operands[k].dimensions[d] = coded_dimension(unit_test_random_below(random, 6));
      }
      randomize_order(&operands[k], random);
    }
    check_elementwise(count, operands);
    accepted += elementwise_accepted;
  }
  CHECK(accepted > 5000 && accepted < 19500);
}

// --- reductions --------------------------------------------------------------------------------

static int random_subset(int rank, int64_t *dims, bool *chosen, uint64_t *random) {
  int list[MAX_TEST_RANK], count = 0;
  for (int d = 0; d < rank; ++d) {
    chosen[d] = unit_test_random_below(random, 2);
    if (chosen[d]) list[count++] = d;
  }
  shuffle(list, count, random);
  for (int k = 0; k < count; ++k) dims[k] = list[k];
  return count;
}

static void check_reduce(const ragged_schema *x, uint64_t *random) {
  int64_t dims[MAX_TEST_RANK];
  bool reduced[MAX_TEST_RANK] = {false}, keep = unit_test_random_below(random, 2), good;
  int count = random_subset(x->rank, dims, reduced, random);
  ragged_schema result;
  ragged_rule_error error;
  good = ragged_rule_reduce(x, count, dims, keep, &result, &error) && is_valid(&result);
  // origin[d]: which operand dimension result dimension d is.
  int origin[MAX_TEST_RANK], rank = 0;
  for (int d = 0; d < x->rank; ++d)
    if (keep || !reduced[d]) origin[rank++] = d;
  good = good && result.rank == rank;
  for (int d = 0; good && d < rank; ++d) {
    ragged_dimension expected =
        reduced[origin[d]] ? ragged_dimension_static(1) : x->dimensions[origin[d]];
    good = ragged_dimension_equal(result.dimensions[d], expected);
    // Dimensions of one kind keep their relative order; validity puts ragged ones first.
    for (int e = 0; e < rank; ++e)
      if (!result.dimensions[d].axis == !result.dimensions[e].axis)
        good = good && precedes(&result, d, e) == precedes(x, origin[d], origin[e]);
  }
  if (!CHECK(good)) print_schema("reduced", x), print_schema("result", &result);

  int64_t shape[RAGGED_MAX_RANK], dense[MAX_TEST_RANK];
  int dense_rank = -1;
  bool all_ragged = true;
  for (int d = 0; d < x->rank; ++d)
    all_ragged = all_ragged && (reduced[d] || !x->dimensions[d].axis);
  CHECK(ragged_rule_reduce_batch(x, count, dims, keep, shape, &dense_rank, &error) == all_ragged);
  if (!all_ragged) return;
  concrete_shape(&result, 0, dense);
  CHECK(dense_rank == result.rank && memcmp(shape, dense, sizeof(int64_t) * (size_t)rank) == 0);
}

// --- structure ---------------------------------------------------------------------------------

// With the mapping `to_operand` from result to operand dimensions (-1: a new 1), every logical
// index must stand at the same packed position in both.
static bool positions_unchanged(const ragged_schema *x, const ragged_schema *result,
                                const int *to_operand) {
  for (int a = 0; a < ASSIGNMENTS; ++a) {
    int64_t shape[RAGGED_MAX_RANK], x_shape[RAGGED_MAX_RANK], index[RAGGED_MAX_RANK] = {0};
    concrete_shape(result, a, shape);
    concrete_shape(x, a, x_shape);
    if (is_empty(x->rank, x_shape)) continue;
    do {
      int64_t x_index[RAGGED_MAX_RANK] = {0};
      for (int d = 0; d < result->rank; ++d)
        if (to_operand[d] >= 0) x_index[to_operand[d]] = index[d];
      if (packed_position(x, x_shape, x_index) != packed_position(result, shape, index))
        return false;
    } while (next_index(result->rank, shape, index));
  }
  return true;
}

static void check_transpose(const ragged_schema *x, uint64_t *random) {
  int map[MAX_TEST_RANK] = {0, 1, 2, 3};
  int64_t permutation[MAX_TEST_RANK];
  shuffle(map, x->rank, random);
  for (int d = 0; d < x->rank; ++d) permutation[d] = map[d];
  ragged_schema result;
  bool good = ragged_rule_transpose(x, x->rank, permutation, &result, NULL) && is_valid(&result);
  for (int d = 0; d < x->rank; ++d)
    good = good && ragged_dimension_equal(result.dimensions[d], x->dimensions[map[d]]);
  good = good && positions_unchanged(x, &result, map) && ragged_schema_same_space(x, &result);
  if (!CHECK(good)) print_schema("transposed", x), print_schema("result", &result);
}

static void check_expand_and_squeeze(const ragged_schema *x, uint64_t *random) {
  int64_t dim = unit_test_random_below(random, x->rank + 1);
  int map[MAX_TEST_RANK + 1];
  for (int d = 0; d <= x->rank; ++d) map[d] = d < dim ? d : d == dim ? -1 : d - 1;
  ragged_schema result, back;
  bool good = ragged_rule_expand_dims(x, dim, &result, NULL) && is_valid(&result);
  for (int d = 0; d <= x->rank; ++d)
    good =
        good && ragged_dimension_equal(result.dimensions[d], map[d] < 0 ? ragged_dimension_static(1)
                                                                        : x->dimensions[map[d]]);
  good = good && positions_unchanged(x, &result, map) && result.order[x->rank] == dim;
  good =
      good && ragged_rule_squeeze(&result, 1, &dim, &back, NULL) && ragged_schema_equal(&back, x);
  if (!CHECK(good)) print_schema("expanded", x), print_schema("result", &result);

  // Squeezing any subset: legal exactly when each is a static 1; no value moves.
  int64_t dims[MAX_TEST_RANK];
  bool chosen[MAX_TEST_RANK] = {false}, legal = true;
  int count = random_subset(x->rank, dims, chosen, random), rank = 0;
  for (int d = 0; d < x->rank; ++d) {
    if (chosen[d])
      legal = legal && !x->dimensions[d].axis && x->dimensions[d].extent == 1;
    else
      map[rank++] = d;
  }
  good = ragged_rule_squeeze(x, count, dims, &result, NULL) == legal;
  if (legal) good = good && result.rank == rank && positions_unchanged(x, &result, map);
  if (!CHECK(good)) print_schema("squeezed", x);
}

static void check_reorder(const ragged_schema *x, uint64_t *random) {
  int list[MAX_TEST_RANK] = {0, 1, 2, 3}, seen_static = 0;
  int64_t order[MAX_TEST_RANK];
  shuffle(list, x->rank, random);
  bool legal = true;
  for (int k = 0; k < x->rank; ++k) {
    order[k] = list[k];
    if (x->dimensions[list[k]].axis)
      legal = legal && !seen_static;
    else
      seen_static = 1;
  }
  ragged_schema result;
  bool good = ragged_rule_reorder(x, x->rank, order, &result, NULL) == legal;
  if (legal) {
    good = good && is_valid(&result) && result.rank == x->rank;
    for (int k = 0; k < x->rank; ++k)
      good = good && result.order[k] == list[k] &&
             ragged_dimension_equal(result.dimensions[k], x->dimensions[k]);
  }
  if (!CHECK(good)) print_schema("reordered", x);
}

// Broadcasting by NumPy: the operand with 1 in every dimension of `like` that it does not have.
static void check_broadcast(const ragged_schema *like, uint64_t *random) {
  int list[MAX_TEST_RANK] = {0, 1, 2, 3};
  shuffle(list, like->rank, random);
  int rank = unit_test_random_below(random, like->rank + 1);
  int64_t dims[MAX_TEST_RANK];
  ragged_schema x = {.element_type = RAGGED_ELEMENT_F64, .rank = rank}, result;
  for (int d = 0; d < rank; ++d) {
    dims[d] = list[d];
    int draw = unit_test_random_below(random, 8);
    x.dimensions[d] = draw < 5   ? like->dimensions[list[d]]
                      : draw < 7 ? ragged_dimension_static(1)
                                 : coded_dimension(unit_test_random_below(random, 6));
  }
  randomize_order(&x, random);
  bool legal = true;
  for (int a = 0; a < ASSIGNMENTS; ++a)
    for (int d = 0; d < rank; ++d) {
      int64_t extent = concrete(x.dimensions[d], a);
      legal = legal && (extent == 1 || extent == concrete(like->dimensions[dims[d]], a));
    }
  bool good = ragged_rule_broadcast(&x, rank, dims, like, &result, NULL) == legal;
  if (legal)
    good = good && ragged_schema_same_layout(&result, like) &&
           result.element_type == RAGGED_ELEMENT_F64;
  if (!CHECK(good)) print_schema("broadcast", &x), print_schema("like", like);
}

static void check_linear_and_rename(const ragged_schema *x, uint64_t *random) {
  if (x->rank == 0) return;
  int64_t dim = unit_test_random_below(random, x->rank);
  int64_t in = 1 + unit_test_random_below(random, 3), bias = unit_test_random_below(random, 3) + 6;
  ragged_dimension features = x->dimensions[dim];
  ragged_schema result, renamed;
  bool legal = !features.axis && features.extent == in && bias != 8;
  bool transposed = unit_test_random_below(random, 2) == 1;
  int64_t weight[] = {transposed ? in : 7, transposed ? 7 : in};
  CHECK(ragged_rule_linear(x, dim, weight, transposed, bias == 6 ? -1 : bias, &result, NULL) ==
        legal);
  if (legal) {
    CHECK_INT(result.dimensions[dim].extent, 7);
    result.dimensions[dim].extent = in;
    CHECK(ragged_schema_equal(&result, x));
  }
  CHECK(ragged_rule_static_dims(x, 1, &dim, "softmax", NULL) == !features.axis);

  bool has_axis = features.axis != NULL;
  CHECK(ragged_rule_rename_axes(x, 1, &dim, "h", &renamed, NULL) == has_axis);
  if (!has_axis) return;
  for (int d = 0; d < x->rank; ++d) {
    CHECK_INT(concrete(renamed.dimensions[d], 0), d == dim ? 6 : concrete(x->dimensions[d], 0));
    CHECK_INT(renamed.order[d], x->order[d]);
  }
}

// --- calls -------------------------------------------------------------------------------------

static const char *const callee_names[] = {"a", "b"};
static const char *const callee_axes[] = {
    "a", "b", "a + b", "2 * a - 1", "(b + 1) floordiv 2", "max(a, b)"};

// Replaces names in the text itself, to have a second way besides ragged_axis_substitute.
static const char *replace_text(ragged_arena *arena, const char *axis, const char *const *to) {
  ragged_string_buffer text = {0};
  for (const char *c = axis; *c; ++c) {
    bool word = (c > axis && c[-1] >= 'a' && c[-1] <= 'z') || (c[1] >= 'a' && c[1] <= 'z');
    if (!word && (*c == 'a' || *c == 'b'))
      ragged_string_appendf(&text, "(%s)", to[*c - 'a']);
    else
      ragged_string_append(&text, c, 1);
  }
  const char *canonical = NULL;
  CHECK(!ragged_axis_canonicalize(arena, text.data, &canonical));
  ragged_string_free(&text);
  return canonical;
}

static void check_call(uint64_t *random) {
  static const char *const choices[] = {"n", "m", "m + n", "h - 1", "2 * n", "b", "a"};
  ragged_arena arena = {0};
  const char *to[2];
  for (int k = 0; k < 2; ++k) to[k] = choices[unit_test_random_below(random, 7)];
  ragged_schema formals[3], actuals[3];
  for (int k = 0; k < 3; ++k) {
    formals[k] = random_schema(1 + unit_test_random_below(random, 3), random);
    for (int d = 0; d < formals[k].rank; ++d)
      if (formals[k].dimensions[d].axis)
        formals[k].dimensions[d].axis = callee_axes[unit_test_random_below(random, 6)];
    // Both names are bound somewhere, after the expressions that need them.
    if (k == 2)
      formals[k] = ragged_schema_make(
          RAGGED_ELEMENT_F32, 2,
          (ragged_dimension[]){ragged_dimension_ragged("b"), ragged_dimension_ragged("a")});
    actuals[k] = formals[k];
    for (int d = 0; d < formals[k].rank; ++d)
      if (formals[k].dimensions[d].axis)
        actuals[k].dimensions[d].axis = replace_text(&arena, formals[k].dimensions[d].axis, to);
  }
  ragged_substitution substitution = {0}, other = {0};
  ragged_rule_error error = {.message = ""};
  bool good = ragged_rule_unify_all(3, formals, actuals, &substitution, &arena, &error);
  CHECK_STRING(error.message, "");
  for (int k = 0; good && k < 2; ++k)
    CHECK_STRING(ragged_substitution_find(&substitution, callee_names[k]), to[k]);
  for (int k = 0; good && k < 3; ++k) {
    ragged_schema result;
    good = ragged_rule_substitute(&formals[k], &substitution, &arena, &result, &error) &&
           ragged_schema_equal(&result, &actuals[k]);
  }
  if (!CHECK(good))
    for (int k = 0; k < 3; ++k)
      print_schema("formal", &formals[k]), print_schema("actual", &actuals[k]);

  // Another axis in one place only: the others still bind both names, so this must be refused.
  for (int d = 0; d < formals[0].rank; ++d) {
    if (!formals[0].dimensions[d].axis) continue;
    actuals[0].dimensions[d].axis = "elsewhere";
    CHECK(!ragged_rule_unify_all(3, formals, actuals, &other, &arena, &error));
    break;
  }
  ragged_arena_free(&arena);
}

int main(int argc, char **argv) {
  uint64_t random = unit_test_seed(argc, argv, 77);
  test_elementwise(&random);
  for (int round = 0; round < 6000; ++round) {
    ragged_schema x = random_schema(round % (MAX_TEST_RANK + 1), &random);
    check_reduce(&x, &random);
    check_reorder(&x, &random);
    check_broadcast(&x, &random);
    check_linear_and_rename(&x, &random);
    check_call(&random);
    if (round % 4) continue;  // these walk through whole samples
    x = random_schema(round / 4 % (MAX_TEST_RANK + 1), &random);
    check_transpose(&x, &random);
    check_expand_and_squeeze(&x, &random);
  }
  return unit_test_finish();
}
