// The runtime's programs for axis expressions against lib/schema's evaluation, on random
// expressions in canonical form, errors included.
#include "axis_program.h"
#include "runtime_test_support.h"
#include "support/arena.h"

static const char *const kNames[] = {"n", "m", "max_k"};

// Random text of the language, not canonical.
static void write_expression(uint64_t *seed, int depth, ragged_string_buffer *out) {
  int kind = depth > 0 ? unit_test_random_below(seed, 8) : unit_test_random_below(seed, 2);
  if (kind == 0) {
    ragged_string_appendf(out, "%d", unit_test_random_below(seed, 9));
  } else if (kind == 1) {
    ragged_string_appendf(out, "%s", kNames[unit_test_random_below(seed, 3)]);
  } else if (kind == 2) {
    ragged_string_appendf(out, "(");
    write_expression(seed, depth - 1, out);
    ragged_string_appendf(out, ") floordiv %d", 1 + unit_test_random_below(seed, 4));
  } else if (kind <= 4) {
    ragged_string_appendf(out, kind == 3 ? "max(" : "min(");
    write_expression(seed, depth - 1, out);
    ragged_string_appendf(out, ", ");
    write_expression(seed, depth - 1, out);
    ragged_string_appendf(out, ")");
  } else {
    ragged_string_appendf(out, "(");
    write_expression(seed, depth - 1, out);
    ragged_string_appendf(out, ") %c (", "+-*"[kind - 5]);
    write_expression(seed, depth - 1, out);
    ragged_string_appendf(out, ")");
  }
}

// `large`: sums may overflow in one order of adding and not in another; where lib/schema meets an
// overflow, the program may have the value.
static bool compare(const char *canonical, const int64_t *values, bool large) {
  ragged_rt_axis_program program;
  ragged_rt_axis_compile(&program, canonical, 3, kNames);
  int64_t got = -7, expected = -7;
  ragged_status ours = ragged_rt_axis_run(&program, values, &got);
  ragged_status theirs = ragged_axis_evaluate(canonical, 3, kNames, values, &expected);
  bool same = got == expected && ragged_status_get_code(ours) == ragged_status_get_code(theirs);
  if (large && !ours && theirs) same = true;
  if (!CHECK(same))
    printf("  %s at %lld, %lld, %lld: %lld, expected %lld\n", canonical, (long long)values[0],
           (long long)values[1], (long long)values[2], (long long)got, (long long)expected);
  ragged_status_free(ours);
  ragged_status_free(theirs);
  return program.num_steps > 0;
}

// No value is over what the bounds of the names allow.
static void check_bound(const char *canonical, const int64_t *values, uint64_t *seed) {
  ragged_rt_axis_program program;
  int64_t bounds[3], value = 0;
  ragged_rt_axis_compile(&program, canonical, 3, kNames);
  ragged_status status = ragged_rt_axis_run(&program, values, &value);
  for (int i = 0; i < 3; ++i)
    bounds[i] = values[i] < INT64_MAX - 9 ? values[i] + unit_test_random_below(seed, 9) : values[i];
  if (!status && program.num_steps && !CHECK(ragged_rt_axis_bound(&program, bounds) >= value))
    printf("  %s at %lld, %lld, %lld is %lld, bounded by %lld\n", canonical, (long long)values[0],
           (long long)values[1], (long long)values[2], (long long)value,
           (long long)ragged_rt_axis_bound(&program, bounds));
  ragged_status_free(status);
}

static void check_bounds(void) {
  static const struct {
    const char *canonical;
    int64_t bound;
  } rows[] = {{"2 * n + 1", 21},         {"n - m", 10},
              {"m - n", 20},             {"n * m", 200},
              {"-5 * n", 0},             {"(n + 1) floordiv 2", 5},
              {"max(m, n)", 20},         {"min(m, n)", 10},
              {"max_k * max_k", INT64_MAX}, {"max_k + n", INT64_MAX}};
  const int64_t bounds[] = {10, 20, INT64_MAX};
  for (int k = 0; k < COUNT(rows); ++k) {
    ragged_rt_axis_program program;
    ragged_rt_axis_compile(&program, rows[k].canonical, 3, kNames);
    CHECK(program.num_steps > 0);
    CHECK_INT(ragged_rt_axis_bound(&program, bounds), rows[k].bound);
  }
}

int main(int argc, char **argv) {
  check_bounds();
  uint64_t seed = unit_test_seed(argc, argv, 5);
  int covered = 0, total = 0;
  for (int k = 0; k < 3000; ++k) {
    ragged_arena arena = {0};
    ragged_string_buffer text = {0};
    write_expression(&seed, 1 + k % 3, &text);
    const char *canonical = NULL;
    ragged_status status = ragged_axis_canonicalize(&arena, text.data, &canonical);
    for (int j = 0; !status && j < 4; ++j) {
      int64_t values[3];
      for (int i = 0; i < 3; ++i)
        values[i] = j == 3 ? INT64_MAX / (1 + unit_test_random_below(&seed, 5))
                           : unit_test_random_below(&seed, 20);
      covered += compare(canonical, values, j == 3);
      check_bound(canonical, values, &seed);
      ++total;
    }
    ragged_status_free(status);  // expressions without a name are none
    ragged_string_free(&text);
    ragged_arena_free(&arena);
  }
  printf("%d of %d evaluations by program\n", covered, total);
  CHECK(total > 1000 && covered > total * 9 / 10);
  return unit_test_finish();
}
