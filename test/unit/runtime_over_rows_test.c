// The host kernel of products over rows: sums of slices against double loops, in every element type, for
// steps that do not divide, with memory that it must not touch; bits that do not depend on how items are
// shared out.
#include "runtime_test_support.h"

enum { kPanel = 8 };

typedef struct over_rows_case {
  int64_t m, n, rows, slices, steps, line;
} over_rows_case;

static over_rows_case current;

// What compiled code would have baked in.
#define DEFINE_ADD(name, type)                                                                     \
  static void name(const void *a, const void *packed, void *c, const void *next_a,                 \
                   const void *next_b, int64_t steps) {                                            \
    (void)next_a, (void)next_b;                                                                    \
    for (int64_t m = 0; m < current.m; ++m)                                                        \
      for (int64_t n = 0; n < current.n; ++n) {                                                    \
        type sum = 0;                                                                              \
        const type *panel = (const type *)packed + n / kPanel * kPanel * steps + n % kPanel;       \
        for (int64_t k = 0; k < steps; ++k)                                                        \
          sum += ((const type *)a)[k * current.line + m] * panel[k * kPanel];                         \
        ((type *)c)[m * current.n + n] += sum;                                                     \
      }                                                                                            \
  }
DEFINE_ADD(add_f32, float)
DEFINE_ADD(add_f64, double)
DEFINE_ADD(add_i64, int64_t)

static uint16_t to_bf16(float value) {
  uint32_t word;
  memcpy(&word, &value, sizeof word);
  return (uint16_t)(word >> 16);
}

// Small whole numbers: exact in all types, in any order.
static int64_t entry(int64_t row, int64_t column, int64_t of) {
  return (row * 7 + column * 3 + of * 5) % 11 - 5;
}

static void *make_rows(ragged_element_type type, int64_t width, int64_t of) {
  int64_t count = current.rows * width;
  void *rows = calloc((size_t)count + 1, 8);
  for (int64_t k = 0; k < count; ++k) {
    int64_t value = width ? entry(k / width, k % width, of) : 0;
    if (type == RAGGED_ELEMENT_F32) ((float *)rows)[k] = (float)value;
    else if (type == RAGGED_ELEMENT_F64) ((double *)rows)[k] = (double)value;
    else if (type == RAGGED_ELEMENT_BF16) ((uint16_t *)rows)[k] = to_bf16((float)value);
    else ((int64_t *)rows)[k] = value;
  }
  return rows;
}

static int64_t read_sum(ragged_element_type type, const void *sums, int64_t k) {
  if (type == RAGGED_ELEMENT_F64) return (int64_t)((const double *)sums)[k];
  if (type == RAGGED_ELEMENT_I64) return ((const int64_t *)sums)[k];
  return (int64_t)((const float *)sums)[k];
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t rows_of_slice(void) {
  int64_t share = (current.rows + current.slices - 1) / current.slices;
  return (share + 15) / 16 * 16;
}

static int64_t expected_sum(int64_t slice, int64_t m, int64_t n) {
  int64_t share = rows_of_slice();
  int64_t sum = 0;
  for (int64_t row = slice * share; row < least((slice + 1) * share, current.rows); ++row)
    sum += entry(row, m, 0) * entry(row, n, 1);
  return sum;
}

static void check(ragged_element_type type, ragged_rt_over_rows_function add) {
  void *a = make_rows(type, current.m, 0), *b = make_rows(type, current.n, 1);
  int64_t count = current.slices * current.m * current.n;
  int64_t panels = (current.n + kPanel - 1) / kPanel;
  char *sums = malloc((size_t)count * 8 + 16);
  char *scratch = malloc((size_t)(current.steps * (current.line + panels * kPanel) * 8));
  memset(sums, 0xA5, (size_t)count * 8 + 16);
  uintptr_t function;
  memcpy(&function, &add, sizeof function);
  int64_t slots[] = {(int64_t)(uintptr_t)a, (int64_t)(uintptr_t)b, (int64_t)(uintptr_t)sums,
                     (int64_t)function, current.rows, rows_of_slice(), type, current.m, current.n,
                     current.line, kPanel, current.steps};
  // Items in two parts, the last first: they know nothing of each other.
  int64_t items = current.slices, half = items / 2;
  ragged_rt_product_over_rows(slots, half, items, scratch);
  ragged_rt_product_over_rows(slots, 0, half, scratch);
  bool good = true;
  for (int64_t k = 0; k < count; ++k)
    good &= read_sum(type, sums, k) == expected_sum(k / (current.m * current.n),
                                                    k / current.n % current.m, k % current.n);
  int64_t bytes = type == RAGGED_ELEMENT_F64 || type == RAGGED_ELEMENT_I64 ? 8 : 4;
  for (int64_t k = 0; k < 16; ++k) good &= (unsigned char)sums[count * bytes + k] == 0xA5;
  if (!CHECK(good))
    printf("  %s m %d n %d rows %d slices %d line %d steps %d\n", ragged_element_name(type),
           (int)current.m, (int)current.n, (int)current.rows, (int)current.slices,
           (int)current.line, (int)current.steps);
  free(a);
  free(b);
  free(sums);
  free(scratch);
}

int main(void) {
  static const over_rows_case cases[] = {
      {5, 7, 100, 1, 16, 5}, {50, 21, 700, 3, 48, 66}, {1, 1, 33, 2, 16, 17}, {48, 16, 640, 2, 256, 64},
      {25, 8, 16, 3, 16, 32}, {9, 17, 1, 1, 16, 9}, {6, 0, 40, 1, 16, 6}, {50, 8, 47, 3, 32, 50}};
  for (int k = 0; k < COUNT(cases); ++k) {
    current = cases[k];
    check(RAGGED_ELEMENT_F32, add_f32);
    check(RAGGED_ELEMENT_F64, add_f64);
    check(RAGGED_ELEMENT_BF16, add_f32);
    check(RAGGED_ELEMENT_I64, add_i64);
  }
  return unit_test_finish();
}
