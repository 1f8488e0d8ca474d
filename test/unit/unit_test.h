// Checks for the C unit tests: each CHECK counts; a failed one prints its place and what was found.
// A test's main() ends with `return unit_test_finish();`, which prints `N passed, M failed`.
// Used by every program of this folder; holds no test of its own.
#ifndef RAGGED_UNIT_TEST_H
#define RAGGED_UNIT_TEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct unit_test_counts {
  long passed, failed;
} unit_test_counts;

static inline unit_test_counts *unit_test_get_counts(void) {
  static unit_test_counts counts;
  return &counts;
}

// Counts one check. Returns true when a failure is to be printed: the first fifty are, so that a
// property that fails everywhere stays readable.
static inline bool unit_test_count(bool passed, const char *file, int line) {
  unit_test_counts *counts = unit_test_get_counts();
  if (passed) {
    ++counts->passed;
    return false;
  }
  if (++counts->failed > 50) return false;
  printf("%s:%d: ", file, line);
  return true;
}

static inline bool unit_test_check(bool passed, const char *text, const char *file, int line) {
  if (unit_test_count(passed, file, line)) printf("failed: %s\n", text);
  return passed;
}

static inline bool unit_test_check_int(int64_t got, int64_t expected, const char *text,
                                       const char *file, int line) {
  if (unit_test_count(got == expected, file, line))
    printf("%s is %lld, expected %lld\n", text, (long long)got, (long long)expected);
  return got == expected;
}

static inline bool unit_test_check_double(double got, double expected, double tolerance,
                                          const char *text, const char *file, int line) {
  double difference = got > expected ? got - expected : expected - got;
  bool both_nan = got != got && expected != expected;
  // Equality first: the difference of two infinities is not a number.
  bool passed = both_nan || got == expected || difference <= tolerance;
  if (unit_test_count(passed, file, line))
    printf("%s is %.17g, expected %.17g within %g\n", text, got, expected, tolerance);
  return passed;
}

static inline bool unit_test_check_string(const char *got, const char *expected, const char *text,
                                          const char *file, int line) {
  bool passed = got && expected ? strcmp(got, expected) == 0 : got == expected;
  if (unit_test_count(passed, file, line))
    printf("%s is \"%s\", expected \"%s\"\n", text, got ? got : "(null)",
           expected ? expected : "(null)");
  return passed;
}

static inline bool unit_test_check_contains(const char *got, const char *part, const char *text,
                                            const char *file, int line) {
  bool passed = got && strstr(got, part);
  if (unit_test_count(passed, file, line))
    printf("%s is \"%s\", expected it to contain \"%s\"\n", text, got ? got : "(null)", part);
  return passed;
}

// Each is an expression that is true when the check passed.
#define CHECK(condition) unit_test_check((condition), #condition, __FILE__, __LINE__)
#define CHECK_INT(got, expected) \
  unit_test_check_int((int64_t)(got), (int64_t)(expected), #got, __FILE__, __LINE__)
#define CHECK_DOUBLE(got, expected, tolerance) \
  unit_test_check_double((got), (expected), (tolerance), #got, __FILE__, __LINE__)
#define CHECK_STRING(got, expected) \
  unit_test_check_string((got), (expected), #got, __FILE__, __LINE__)
#define CHECK_CONTAINS(got, part) \
  unit_test_check_contains((got), (part), #got, __FILE__, __LINE__)

// A small repeatable generator for property tests (xorshift64*). The state is never 0.
static inline uint64_t unit_test_random(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * UINT64_C(2685821657736338717);
}

// Uniform enough in [0, bound), bound > 0.
static inline int unit_test_random_below(uint64_t *state, int bound) {
  return (int)((unit_test_random(state) >> 33) % (uint64_t)bound);
}

// The seed of a property test: the program's first argument, else `fallback`. Printed, so that a
// failing run can be repeated.
static inline uint64_t unit_test_seed(int argc, char **argv, uint64_t fallback) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : fallback;
  if (seed == 0) seed = 1;
  printf("seed %llu\n", (unsigned long long)seed);
  return seed;
}

// Prints the totals; the exit status of main(). A program that checked nothing has failed.
static inline int unit_test_finish(void) {
  unit_test_counts *counts = unit_test_get_counts();
  printf("%ld passed, %ld failed\n", counts->passed, counts->failed);
  return counts->failed || !counts->passed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif  // RAGGED_UNIT_TEST_H
