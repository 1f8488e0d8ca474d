// Axis expressions: canonical texts, every message, and random expressions against a naive
// evaluator. A first argument sets the seed of the random part.
#include "schema/axis_expression.h"

#include "support/string_buffer.h"
#include "unit_test.h"

static void check_canonical(const char *text, const char *expected) {
  ragged_arena arena = {0};
  const char *canonical = NULL, *again = NULL;
  ragged_status status = ragged_axis_canonicalize(&arena, text, &canonical);
  CHECK_STRING(ragged_status_message(status), "");
  CHECK_STRING(canonical, expected);
  if (!status) {
    status = ragged_axis_canonicalize(&arena, canonical, &again);
    CHECK_STRING(again, expected);
  }
  ragged_status_free(status);
  ragged_arena_free(&arena);
}

static void test_canonical_texts(void) {
  static const char *const cases[][2] = {
      {"n", "n"},
      {" ( n ) ", "n"},
      {"n + m", "m + n"},
      {"m+n", "m + n"},
      {"1 + n", "n + 1"},
      {"n - 1", "n - 1"},
      {"n*2", "2 * n"},
      {"n + n + 3 - 1", "2 * n + 2"},
      {"m - h", "-h + m"},
      {"--n", "n"},
      {"m - 2 * h", "-2 * h + m"},
      {"(n + 1) * m", "m + m * n"},
      {"m * n - n * m + h", "h"},
      {"(n + 1) * (n - 1)", "n * n - 1"},
      {"h floordiv 1", "h"},
      {"(h - 1) floordiv 2 + 1", "(h + 1) floordiv 2"},
      {"(h + 1) floordiv 2", "(h + 1) floordiv 2"},
      {"(2 * n + 3) floordiv 2", "n + 1"},
      {"(2 * n + 1) floordiv 4", "n floordiv 2"},
      {"-n floordiv 2", "-n + n floordiv 2"},
      {"-(n floordiv 2)", "-(n floordiv 2)"},
      {"n floordiv 2 * 3", "3 * (n floordiv 2)"},
      {"n * m floordiv 3", "(m * n) floordiv 3"},
      {"n * (m floordiv 3)", "(m floordiv 3) * n"},
      {"n floordiv 2 floordiv 3", "n floordiv 6"},
      {"((h - 1) floordiv 2 + 1 - 1) floordiv 2 + 1", "(h + 3) floordiv 4"},
      {"((h + 1) floordiv 2 + 1) floordiv 2", "(h + 3) floordiv 4"},
      {"(n floordiv 2 + h floordiv 2) floordiv 3", "(h floordiv 2 + n floordiv 2) floordiv 3"},
      {"max(n, m)", "max(m, n)"},
      {"max(n, max(m, n))", "max(m, n)"},
      {"max(n)", "n"},
      {"max(n, n)", "n"},
      {"max(3, n, 5)", "max(n, 5)"},
      {"min(3, n, 5)", "min(n, 3)"},
      {"max(n, n + 1)", "n + 1"},
      {"min(max(n, m), h)", "min(h, max(m, n))"},
      {"max(2, 3) * n", "3 * n"},
      {"n.0$x + _y1", "_y1 + n.0$x"},
      {"maximum", "maximum"},
      {"9223372036854775807 * n", "9223372036854775807 * n"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
    check_canonical(cases[k][0], cases[k][1]);
}

static void check_refused(const char *text, const char *message) {
  ragged_arena arena = {0};
  const char *canonical = NULL;
  ragged_status status = ragged_axis_canonicalize(&arena, text, &canonical);
  if (!CHECK_CONTAINS(ragged_status_message(status), message)) printf("  for \"%.60s\"\n", text);
  CHECK_INT(ragged_status_get_code(status), RAGGED_STATUS_INVALID_ARGUMENT);
  ragged_status_free(status);
  ragged_arena_free(&arena);
}

static void test_refused_texts(void) {
  check_refused("", "axis expression \"\": expected a name, a number or \"(\" at the end");
  check_refused("n +", "axis expression \"n +\": expected a name, a number or \"(\" at the end");
  check_refused("n ? m", "found \"?\" at character 3, expected an operator or the end");
  check_refused("n m", "found \"m\" at character 3, expected an operator or the end");
  check_refused("(n", "expected \")\" at the end");
  check_refused("max n", "found \"n\" at character 5, expected \"(\"");
  check_refused("max()", "found \")\" at character 5, expected a name");
  check_refused("n mod 2", "found \"mod\" at character 3, expected an operator");
  check_refused("batch + n",
                "found \"batch\" at character 1, expected a name (this word is reserved)");
  check_refused("n + \x80", "found byte 0x80 at character 5");
  check_refused("n floordiv 0", "floordiv by 0, expected 1 or more");
  check_refused("n floordiv -2", "floordiv by -2, expected 1 or more");
  check_refused("n floordiv m", "floordiv by an axis, expected a number");
  check_refused("7", "it is 7 for every sample, expected an axis that varies");
  check_refused("n - n", "it is 0 for every sample");
  check_refused("9223372036854775808 * n", "does not fit 64 bits");
  check_refused("n + 9223372036854775807 + 1", "does not fit 64 bits");
  check_refused("4611686018427387904 * n * 2", "does not fit 64 bits");
  check_refused("-9223372036854775807 * n - n", "does not fit 64 bits");
  check_refused("n floordiv 4294967296 floordiv 4294967296", "does not fit 64 bits");
}

// Texts that try to cost much: each is refused, none recurses or grows without bound.
static void test_limits(void) {
  ragged_string_buffer text = {0};
  for (int k = 0; k < 3000; ++k) ragged_string_append(&text, "(", 1);
  check_refused(text.data, "nested more than 64 deep");
  for (int k = 0; k < 3000; ++k) ragged_string_append(&text, "(", 1);
  check_refused(text.data, "more than 4096 characters");
  ragged_string_free(&text);

  for (int k = 0; k < 70; ++k) ragged_string_appendf(&text, "%sa%d", k ? " + " : "", k);
  check_refused(text.data, "more than 64 terms");
  ragged_string_free(&text);

  for (int k = 0; k < 70; ++k) ragged_string_appendf(&text, "%sa%d", k ? ", " : "max(", k);
  ragged_string_append(&text, ")", 1);
  check_refused(text.data, "more than 64 arguments");
  ragged_string_free(&text);

  for (int k = 0; k < 17; ++k) ragged_string_appendf(&text, "%sn", k ? " * " : "");
  check_refused(text.data, "product of more than 16 factors");
  ragged_string_free(&text);

  // Nested products of sums repeat their inner text again and again.
  ragged_string_append(&text, "n", 1);
  for (int k = 0; k < 15; ++k) {
    ragged_string_buffer outer = {0};
    ragged_string_appendf(&outer, "max((%s + m) * (%s + 1), h)", k < 5 ? text.data : "n",
                          text.data);
    ragged_string_free(&text);
    text = outer;
  }
  check_refused(text.data, "more than 4096 characters");
  ragged_string_free(&text);

  // Each floordiv in a product needs parentheses of its own in the canonical form.
  ragged_string_append(&text, "n", 1);
  static const int divisors[] = {5, 7};
  for (int k = 0; k < 70; ++k) ragged_string_appendf(&text, " floordiv %d * 3", divisors[k % 2]);
  check_refused(text.data, "nested more than 64 deep");
  ragged_string_free(&text);

  for (int k = 0; k < 64; ++k) ragged_string_append(&text, "(", 1);
  ragged_string_append(&text, "n", 1);
  for (int k = 0; k < 64; ++k) ragged_string_append(&text, ")", 1);
  check_canonical(text.data, "n");
  ragged_string_free(&text);
}

static void test_names(void) {
  static const char *const good[] = {"n", "_", "N_1", "a.b$c", "floordivs", "maxim"};
  static const char *const bad[] = {"",        "1n",       "n m",   "n+m",  "$a",
                                    ".a",      "floordiv", "max",   "min",  "mod",
                                    "ceildiv", "batch",    "order", "true", "false"};
  for (size_t k = 0; k < sizeof good / sizeof *good; ++k) CHECK(ragged_axis_is_name(good[k]));
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) CHECK(!ragged_axis_is_name(bad[k]));
}

static void append_name(const char *name, void *user) { ragged_string_appendf(user, "%s;", name); }

static void test_visit_and_evaluate(void) {
  ragged_arena arena = {0};
  ragged_string_buffer names = {0};
  const char *text = "max(h, m * n) + n + (h + 1) floordiv 2";
  CHECK(!ragged_axis_visit_names(&arena, text, append_name, &names));
  CHECK_STRING(names.data, "h;m;n;");

  static const char *const axes[] = {"n", "m", "h"};
  int64_t extents[] = {3, 4, 5}, value = -7;
  CHECK(!ragged_axis_evaluate(text, 3, axes, extents, &value));
  CHECK_INT(value, 12 + 3 + 3);
  ragged_status status = ragged_axis_evaluate(text, 2, axes, extents, &value);
  CHECK_CONTAINS(ragged_status_message(status), "its name h has no extent here");
  ragged_status_free(status);
  status = ragged_axis_evaluate("n - 4", 1, axes, extents, &value);
  CHECK_CONTAINS(ragged_status_message(status), "it is -1 here, expected 0 or more");
  ragged_status_free(status);
  extents[0] = INT64_C(1) << 40;
  status = ragged_axis_evaluate("n * n", 1, axes, extents, &value);
  CHECK_CONTAINS(ragged_status_message(status), "does not fit 64 bits");
  ragged_status_free(status);

  // All at once: n → m and m → n swaps.
  static const char *const swapped[] = {"m", "n + 1"};
  const char *result = NULL;
  CHECK(!ragged_axis_substitute(&arena, "2 * m + n", 2, axes, swapped, &result));
  CHECK_STRING(result, "m + 2 * n + 2");
  static const char *const broken[] = {"m +"};
  status = ragged_axis_substitute(&arena, "n", 1, axes, broken, &result);
  CHECK_CONTAINS(ragged_status_message(status), "axis expression \"m +\"");
  ragged_status_free(status);
  ragged_string_free(&names);
  ragged_arena_free(&arena);
}

// Random expressions as trees that this file evaluates by itself.
enum { NAME_COUNT = 3, MAX_NODES = 63 };
static const char *const random_names[NAME_COUNT] = {"n", "m", "h"};

typedef struct node {
  char kind;  // 'n'ame, 'c'onstant, + - * / M(ax) m(in)
  int value;  // name index, constant or divisor
  int left, right;
} node;

typedef struct tree {
  node nodes[MAX_NODES];
  int count;
} tree;

static int grow_tree(tree *t, int depth, uint64_t *random) {
  int index = t->count++;
  node made = {0};
  int choice = depth == 0 ? unit_test_random_below(random, 3) : unit_test_random_below(random, 14);
  if (choice < 2) {
    made = (node){.kind = 'n', .value = unit_test_random_below(random, NAME_COUNT)};
  } else if (choice == 2) {
    made = (node){.kind = 'c', .value = unit_test_random_below(random, 6)};
  } else {
    made.kind = "++--*//MmM+"[choice - 3];
    made.left = grow_tree(t, depth - 1, random);
    if (made.kind == '/')
      made.value = 1 + unit_test_random_below(random, 6);
    else
      made.right = grow_tree(t, depth - 1, random);
  }
  t->nodes[index] = made;
  return index;
}

// With `mirror`, operands of commutative operators change sides, which must not change the result.
static void print_tree(const tree *t, int index, bool mirror, ragged_string_buffer *out) {
  const node *n = &t->nodes[index];
  int left = n->left, right = n->right;
  if (mirror && strchr("+*Mm", n->kind)) left = n->right, right = n->left;
  if (n->kind == 'n') {
    ragged_string_appendf(out, "%s", random_names[n->value]);
  } else if (n->kind == 'c') {
    ragged_string_appendf(out, "%d", n->value);
  } else if (n->kind == 'M' || n->kind == 'm') {
    ragged_string_appendf(out, n->kind == 'M' ? "max(" : "min(");
    print_tree(t, left, mirror, out);
    ragged_string_appendf(out, ", ");
    print_tree(t, right, mirror, out);
    ragged_string_appendf(out, ")");
  } else {
    ragged_string_appendf(out, "(");
    print_tree(t, left, mirror, out);
    if (n->kind == '/') {
      ragged_string_appendf(out, " floordiv %d)", n->value);
      return;
    }
    ragged_string_appendf(out, " %c ", n->kind);
    print_tree(t, right, mirror, out);
    ragged_string_appendf(out, ")");
  }
}

static int64_t evaluate_tree(const tree *t, int index, const int64_t *values) {
  const node *n = &t->nodes[index];
  if (n->kind == 'n') return values[n->value];
  if (n->kind == 'c') return n->value;
  int64_t left = evaluate_tree(t, n->left, values);
  if (n->kind == '/') {
    int64_t quotient = left / n->value;
    while (quotient * n->value > left) --quotient;
    return quotient;
  }
  int64_t right = evaluate_tree(t, n->right, values);
  switch (n->kind) {
    case '+': return left + right;
    case '-': return left - right;
    case '*': return left * right;
    case 'M': return left > right ? left : right;
    default: return left < right ? left : right;
  }
}

static void draw_values(int64_t *values, uint64_t *random) {
  for (int k = 0; k < NAME_COUNT; ++k) values[k] = unit_test_random_below(random, 12);
}

// One check: the expression has this value, or is refused when it is negative.
static bool evaluates_to(const char *text, const int64_t *values, int64_t expected) {
  int64_t got = 0;
  ragged_status status = ragged_axis_evaluate(text, NAME_COUNT, random_names, values, &got);
  bool right = expected < 0 ? strstr(ragged_status_message(status), "expected 0 or more") != NULL
                            : !status && got == expected;
  if (!right)
    printf("%s at n=%d m=%d h=%d: %lld (%s), expected %lld\n", text, (int)values[0], (int)values[1],
           (int)values[2], (long long)got, ragged_status_message(status), (long long)expected);
  ragged_status_free(status);
  return right;
}

static bool canonicalize_random(ragged_arena *arena, const char *text, const tree *t,
                                const char **canonical, uint64_t *random, int *constants) {
  ragged_status status = ragged_axis_canonicalize(arena, text, canonical);
  const char *message = ragged_status_message(status);
  int64_t values[NAME_COUNT] = {0, 0, 0};
  int64_t first = evaluate_tree(t, 0, values);
  if (strstr(message, "for every sample")) {
    for (int k = 0; k < 10; ++k) {
      draw_values(values, random);
      CHECK_INT(evaluate_tree(t, 0, values), first);
    }
    ++*constants;
  } else if (!strstr(message, "more than")) {  // limits of size are no fault
    CHECK_STRING(message, "");
  }
  bool good = !status;
  ragged_status_free(status);
  return good;
}

static void test_random_expressions(uint64_t *random) {
  int constants = 0, kept = 0;
  for (int round = 0; round < 4000; ++round) {
    ragged_arena arena = {0};
    tree t = {.count = 0};
    grow_tree(&t, 1 + round % 4, random);
    ragged_string_buffer text = {0}, mirrored = {0};
    print_tree(&t, 0, false, &text);
    print_tree(&t, 0, true, &mirrored);
    const char *canonical = NULL, *again = NULL, *other = NULL;
    if (canonicalize_random(&arena, text.data, &t, &canonical, random, &constants)) {
      ++kept;
      CHECK(!ragged_axis_canonicalize(&arena, canonical, &again));
      CHECK_STRING(again, canonical);
      CHECK(!ragged_axis_canonicalize(&arena, mirrored.data, &other));
      CHECK_STRING(other, canonical);
      for (int k = 0; k < 6; ++k) {
        int64_t values[NAME_COUNT];
        draw_values(values, random);
        if (!CHECK(evaluates_to(canonical, values, evaluate_tree(&t, 0, values))))
          printf("  canonical form of %s\n", text.data);
      }
    }
    ragged_string_free(&text);
    ragged_string_free(&mirrored);
    ragged_arena_free(&arena);
  }
  printf("%d random expressions, %d constant ones\n", kept, constants);
  CHECK(kept > 2000);
}

static void test_random_substitution(uint64_t *random) {
  int kept = 0;
  for (int round = 0; round < 1500; ++round) {
    ragged_arena arena = {0};
    tree trees[1 + NAME_COUNT] = {{.count = 0}};
    const char *canonical[1 + NAME_COUNT] = {NULL};
    int constants = 0;
    bool good = true;
    for (int k = 0; k <= NAME_COUNT; ++k) {
      ragged_string_buffer text = {0};
      grow_tree(&trees[k], k == 0 ? 3 : 2, random);
      print_tree(&trees[k], 0, false, &text);
      good = canonicalize_random(&arena, text.data, &trees[k], &canonical[k], random, &constants) &&
             good;
      ragged_string_free(&text);
    }
    const char *result = NULL, *again = NULL;
    ragged_status status = good ? ragged_axis_substitute(&arena, canonical[0], NAME_COUNT,
                                                         random_names, canonical + 1, &result)
                                : NULL;
    if (good && !status) {
      ++kept;
      CHECK(!ragged_axis_canonicalize(&arena, result, &again));
      CHECK_STRING(again, result);
      for (int k = 0; k < 4; ++k) {
        int64_t values[NAME_COUNT], inner[NAME_COUNT];
        draw_values(values, random);
        for (int j = 0; j < NAME_COUNT; ++j) inner[j] = evaluate_tree(&trees[1 + j], 0, values);
        CHECK(evaluates_to(result, values, evaluate_tree(&trees[0], 0, inner)));
      }
    }
    ragged_status_free(status);
    ragged_arena_free(&arena);
  }
  CHECK(kept > 300);
}

int main(int argc, char **argv) {
  uint64_t random = unit_test_seed(argc, argv, 20240607);
  test_canonical_texts();
  test_refused_texts();
  test_limits();
  test_names();
  test_visit_and_evaluate();
  test_random_expressions(&random);
  test_random_substitution(&random);
  return unit_test_finish();
}
