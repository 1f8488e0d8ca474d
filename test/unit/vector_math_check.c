// Runs the functions that vector_math_emit.c describes, from a shared library given as argument,
// and compares them with the C library in long double. Prints the largest error of each in units in
// the last place (ulp) and fails where it is above the bound in `rows`, where NaN, infinities or
// the sign of zero differ, or where two vector lengths disagree in a bit.
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 14 };
static const int lengths[] = {1, 4, 8, 16};
enum { NUM_LENGTHS = 4 };

typedef void (*kernel)(const void *x, const void *y, const void *z, void *out, int64_t n);

// What an op gives for operands x, y, z.
#define REAL(name, value)                                     \
  static long double reference_##name(const long double *v) { \
    long double x = v[0], y = v[1], z = v[2];                 \
    (void)x, (void)y, (void)z;                                \
    return value;                                             \
  }
#define INTEGER(name, value)                         \
  static int64_t integer_##name(const int64_t *v) {  \
    int64_t x = v[0], y = v[1], z = v[2];            \
    (void)x, (void)y, (void)z;                       \
    return value;                                    \
  }
#define BOTH(name, value) REAL(name, value) INTEGER(name, value)

static long double larger(long double x, long double y) {
  if (isnan(x) || isnan(y)) return NAN;
  if (x == y) return signbit(x) ? y : x;
  return x > y ? x : y;
}
static int64_t larger_integer(int64_t x, int64_t y) { return x > y ? x : y; }
static int64_t quotient(int64_t x, int64_t y) {
  if (y == 0) return 0;
  return y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y;
}

REAL(add, x + y)
REAL(sub, x - y)
REAL(mul, x * y)
REAL(div, x / y)
REAL(maximum, larger(x, y))
REAL(neg, -x)
REAL(sqrt, sqrtl(x))
REAL(rsqrt, 1 / sqrtl(x))
REAL(exp, expl(x))
REAL(erf, erfl(x))
REAL(normal_cdf, erfcl(-x * 0.707106781186547524400844362104849039L) / 2)
REAL(gelu, x * (erfcl(-x * 0.707106781186547524400844362104849039L) / 2))
REAL(relu, isnan(x) ? x : x > 0 ? x : 0)
REAL(sigmoid, x < 0 ? expl(x) / (1 + expl(x)) : 1 / (1 + expl(-x)))
REAL(clamp, -larger(-larger(x, y), -z))
INTEGER(add, (int64_t)((uint64_t)x + (uint64_t)y))
INTEGER(sub, (int64_t)((uint64_t)x - (uint64_t)y))
INTEGER(mul, (int64_t)((uint64_t)x * (uint64_t)y))
INTEGER(div, quotient(x, y))
INTEGER(maximum, larger_integer(x, y))
INTEGER(neg, (int64_t)(0 - (uint64_t)x))
INTEGER(relu, x > 0 ? x : 0)
INTEGER(clamp, larger_integer(x, y) < z ? larger_integer(x, y) : z)
BOTH(equal, x == y)
BOTH(not_equal, x != y)
BOTH(less, x < y)
BOTH(less_equal, x <= y)
BOTH(greater, x > y)
BOTH(greater_equal, x >= y)
BOTH(where, x != 0 ? y : z)

// The largest error allowed for x >= lowest, in units in the last place; 0.5 is correct rounding.
typedef struct bound {
  double ulp;
  double lowest;
} bound;

typedef struct row {
  const char *name;
  int operands;
  bound f32, f64;
  // Where not 0: the largest error allowed everywhere, in eps * |x|.
  double scaled;
  long double (*reference)(const long double *);
  int64_t (*integer)(const int64_t *);  // null: floats only
  // Where not 0: the largest error allowed for x < lowest, in eps.
  double below;
} row;

// The tail of gelu below `lowest` is far less than eps * |x|.
#define EVERYWHERE(ulp) {ulp, -INFINITY}, {ulp, -INFINITY}, 0
#define EXACT(name, operands) \
  {#name, operands, EVERYWHERE(0), reference_##name, integer_##name, 0}
#define ROUNDED(name, operands) \
  {#name, operands, EVERYWHERE(0.5), reference_##name, integer_##name, 0}
static const row rows[] = {
    ROUNDED(add, 2),
    ROUNDED(sub, 2),
    ROUNDED(mul, 2),
    ROUNDED(div, 2),
    EXACT(maximum, 2),
    EXACT(neg, 1),
    {"sqrt", 1, EVERYWHERE(0.5), reference_sqrt, NULL, 0},
    {"rsqrt", 1, EVERYWHERE(1.5), reference_rsqrt, NULL, 0},
    {"exp", 1, EVERYWHERE(1), reference_exp, NULL, 0},
    {"erf", 1, {2.5, -INFINITY}, {3.5, -INFINITY}, 0, reference_erf, NULL, 0},
    {"normal_cdf", 1, {40, -5}, {5, -37.5}, 0, reference_normal_cdf, NULL, 1e-5},
    {"gelu", 1, {40, -5}, {5, -37.5}, 1.1, reference_gelu, NULL, 0},
    EXACT(relu, 1),
    {"sigmoid", 1, EVERYWHERE(2.5), reference_sigmoid, NULL, 0},
    EXACT(equal, 2),
    EXACT(not_equal, 2),
    EXACT(less, 2),
    EXACT(less_equal, 2),
    EXACT(greater, 2),
    EXACT(greater_equal, 2),
    EXACT(where, 3),
    EXACT(clamp, 3),
};

static uint64_t random_bits(void) {  // splitmix64
  static uint64_t state = 20240229;
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// Everything about one function for one type.
typedef struct check {
  const row *row;
  bool is_f32;
  kernel kernels[NUM_LENGTHS];
  double worst_ulp, worst_x, worst_y;
  double worst_scaled, worst_scaled_x;
  int failures;
} check;

static void report(check *state, double x, double y, double got, long double expected,
                   const char *what) {
  if (++state->failures <= 5)
    printf("FAIL %s %s: x = %a, y = %a: got %a, expected %La: %s\n", state->row->name,
           state->is_f32 ? "f32" : "f64", x, y, got, expected, what);
}

// The error of `got` in units in the last place of the type at `expected`.
static double ulp_error(const check *state, double got, long double expected) {
  int digits = state->is_f32 ? FLT_MANT_DIG : DBL_MANT_DIG;
  int lowest = state->is_f32 ? FLT_MIN_EXP - 1 : DBL_MIN_EXP - 1;
  int highest = state->is_f32 ? FLT_MAX_EXP : DBL_MAX_EXP;
  long double limit = ldexpl(1, highest);
  // An infinity stands for the first number beyond the range.
  long double value = isinf(got) ? copysignl(limit, got) : got;
  if (isinf(expected) || fabsl(expected) > limit) expected = copysignl(limit, expected);
  int exponent = expected == 0 ? lowest : ilogbl(expected);
  if (exponent < lowest) exponent = lowest;
  if (exponent >= highest) exponent = highest - 1;
  return (double)(fabsl(value - expected) / ldexpl(1, exponent - digits + 1));
}

static void check_value(check *state, double x, double y, double got, long double expected) {
  if (isnan(expected) || isnan(got)) {
    if (!isnan(expected) || !isnan(got)) report(state, x, y, got, expected, "NaN");
    return;
  }
  if (isinf(expected) && (double)expected != got &&
      (isinf(x) || isinf(y) || state->row->operands > 1)) {
    report(state, x, y, got, expected, "infinity");
    return;
  }
  if (got == 0 && !signbit(got) != !signbit(expected)) {
    report(state, x, y, got, expected, "sign of zero");
    return;
  }
  double error = ulp_error(state, got, expected);
  bound bound = state->is_f32 ? state->row->f32 : state->row->f64;
  double eps = state->is_f32 ? FLT_EPSILON : DBL_EPSILON;
  bool within = true;
  if (x < bound.lowest) {
    within = state->row->below == 0 || fabsl(got - expected) <= state->row->below * eps;
  } else {
    if (error > state->worst_ulp) state->worst_ulp = error, state->worst_x = x, state->worst_y = y;
    within = error <= bound.ulp;
  }
  // The last place of a subnormal may be more than eps * |x|.
  if (state->row->scaled > 0 && error > 1) {
    double scaled = (double)(fabsl(got - expected) / (eps * fabsl((long double)x)));
    if (scaled > state->worst_scaled) state->worst_scaled = scaled, state->worst_scaled_x = x;
    within = within && scaled <= state->row->scaled;
  }
  if (!within) report(state, x, y, got, expected, "error above the bound");
}

static double element(const check *state, const void *values, int64_t i) {
  return state->is_f32 ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

static void set_element(const check *state, void *values, int64_t i, double value) {
  if (state->is_f32)
    ((float *)values)[i] = (float)value;
  else
    ((double *)values)[i] = value;
}

// Runs all lengths on CHUNK points and checks them; the third operands are the second ones of another
// point.
static void run_chunk(check *state, const void *x, const void *y) {
  static double out[NUM_LENGTHS][CHUNK], z[CHUNK];
  for (int64_t i = 0; i < CHUNK; ++i) set_element(state, z, i, element(state, y, (i * 7 + 3) % CHUNK));
  for (int k = 0; k < NUM_LENGTHS; ++k) state->kernels[k](x, y, z, out[k], CHUNK);
  for (int64_t i = 0; i < CHUNK; ++i) {
    double at_x = element(state, x, i), at_y = element(state, y, i);
    double got = element(state, out[0], i);
    long double operands[] = {at_x, at_y, element(state, z, i)};
    check_value(state, at_x, at_y, got, state->row->reference(operands));
    for (int k = 1; k < NUM_LENGTHS; ++k) {
      double other = element(state, out[k], i);
      bool same = (isnan(got) && isnan(other)) ||
                  (got == other && !signbit(got) == !signbit(other));
      if (!same) report(state, at_x, at_y, other, got, "vector length changes the result");
    }
  }
}

static const double special[] = {
    0.0, 0x1p-149, 0x1p-148, 0x1.fffffcp-127, 0x1p-126, 0x1p-1074, 0x1p-1022, 0x1p-64, 0x1p-30,
    0x1p-24, 0x1p-12, 0.25, 0.5, 0x1.fffffep-1, 1.0, 0x1.000002p+0, 1.5, 2.0, 3.0, 5.0, 6.0, 8.0,
    10.0, 12.0, 12.9, 13.0, 13.1, 14.0, 16.0, 20.0, 36.0, 37.5, 38.0, 38.5, 38.6, 39.0, 40.0, 64.0,
    86.0, 87.0, 87.5, 88.0, 88.5, 0x1.62e42ep+6, 0x1.62e430p+6, 0x1.62e432p+6, 89.0, 90.0, 100.0,
    103.0, 103.5, 103.9, 104.0, 105.0, 128.0, 150.0, 512.0, 700.0, 708.0, 709.0, 709.7,
    0x1.62e42fefa39efp+9, 0x1.62e42fefa39f0p+9, 710.0, 720.0, 740.0, 744.0, 745.0, 745.2, 746.0,
    750.0, 1e4, 1e10, 0x1p+31, 0x1p+62, 0x1p+63, 0x1p+64, 1e30, 0x1p+127, 0x1.fffffep+127, 1e200,
    0x1p+1023, 0x1.fffffffffffffp+1023, INFINITY, NAN,
};
enum { NUM_SPECIAL = sizeof special / sizeof *special };

static double signed_special(int i) { return i & 1 ? -special[i / 2] : special[i / 2]; }

static double random_pattern(const check *state) {
  uint64_t bits = random_bits();
  if (state->is_f32) {
    float value;
    uint32_t low = (uint32_t)bits;
    memcpy(&value, &low, sizeof value);
    return value;
  }
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double uniform(double low, double high) {
  return low + (high - low) * (double)(random_bits() >> 11) * 0x1p-53;
}

// Special values in all pairs, then `chunks` rounds each of random bit patterns, values up to 4 and
// up to 40 in size, and the whole range of exp. Where there are only 2^32 values, a sweep in
// equal steps through all of them, so that each exponent is seen.
static void check_float(check *state, int chunks) {
  static double x[CHUNK], y[CHUNK];
  int64_t at = 0;
  for (int i = 0; i < 2 * NUM_SPECIAL; ++i)
    for (int j = 0; j < 2 * NUM_SPECIAL; ++j) {
      set_element(state, x, at, signed_special(i));
      set_element(state, y, at, signed_special(j));
      if (++at == CHUNK || (i == 2 * NUM_SPECIAL - 1 && j == 2 * NUM_SPECIAL - 1)) {
        run_chunk(state, x, y);
        at = 0;
      }
    }
  double limit = state->is_f32 ? 106 : 750;
  for (int chunk = 0; chunk < 4 * chunks; ++chunk) {
    for (int64_t i = 0; i < CHUNK; ++i) {
      double range = chunk % 4 == 1 ? 4 : chunk % 4 == 2 ? 40 : limit;
      set_element(state, x, i, chunk % 4 ? uniform(-range, range) : random_pattern(state));
      set_element(state, y, i, chunk % 4 ? uniform(-range, range) : random_pattern(state));
    }
    run_chunk(state, x, y);
  }
  if (!state->is_f32) return;
  const uint32_t step = 0x3fb;  // odd: reaches other low bits on each exponent
  uint64_t pattern = 0;
  while (pattern >> 32 == 0) {
    for (int64_t i = 0; i < CHUNK; ++i, pattern += step) {
      uint32_t bits = (uint32_t)pattern;
      memcpy((float *)x + i, &bits, sizeof bits);
      set_element(state, y, i, random_pattern(state));
    }
    run_chunk(state, x, y);
  }
}

static int check_integer(const row *row, const kernel *kernels) {
  static const int64_t edges[] = {0, 1, -1, 2, -2, 7, -7, INT64_MAX, INT64_MIN, INT64_MIN + 1,
                                  1LL << 32, -(1LL << 32), (1LL << 62) + 3};
  const int num_edges = sizeof edges / sizeof *edges;
  static int64_t x[CHUNK], y[CHUNK], z[CHUNK], out[CHUNK];
  for (int i = 0; i < CHUNK; ++i) {
    x[i] = (int64_t)random_bits() >> (random_bits() & 63);
    y[i] = (int64_t)random_bits() >> (random_bits() & 63);
    z[i] = i % 3 ? (int64_t)random_bits() >> (random_bits() & 63) : edges[i % num_edges];
    if (i >= num_edges * num_edges) continue;
    x[i] = edges[i / num_edges];
    y[i] = edges[i % num_edges];
  }
  int failures = 0;
  for (int k = 0; k < NUM_LENGTHS; ++k) {
    kernels[k](x, y, z, out, CHUNK);
    for (int i = 0; i < CHUNK; ++i) {
      int64_t expected = row->integer((int64_t[]){x[i], y[i], z[i]});
      if (out[i] != expected && ++failures <= 5)
        printf("FAIL %s i64 length %d: %lld, %lld: got %lld, expected %lld\n", row->name,
               lengths[k], (long long)x[i], (long long)y[i], (long long)out[i],
               (long long)expected);
    }
  }
  printf("%-13s i64  %s\n", row->name, failures ? "wrong" : "exact");
  return failures;
}

static bool load(void *library, const char *op, const char *type, kernel *kernels) {
  for (int k = 0; k < NUM_LENGTHS; ++k) {
    char name[64];
    snprintf(name, sizeof name, "f_%s_%s_%d", op, type, lengths[k]);
    void *symbol = dlsym(library, name);
    if (!symbol) {
      printf("FAIL no function %s\n", name);
      return false;
    }
    memcpy(&kernels[k], &symbol, sizeof symbol);
  }
  return true;
}

int main(int argc, char **argv) {
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (!library) {
    fprintf(stderr, "usage: vector_math_check <shared library> [chunks]\n");
    return 2;
  }
  int chunks = argc > 2 ? atoi(argv[2]) : 16;
  int failures = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    for (int t = 0; t < 2; ++t) {
      check state = {.row = &rows[i], .is_f32 = t == 0};
      const char *type = state.is_f32 ? "f32" : "f64";
      if (!load(library, rows[i].name, type, state.kernels)) return 1;
      check_float(&state, chunks);
      printf("%-13s %s  %.3f ulp at x = %a, y = %a", rows[i].name, type, state.worst_ulp,
             state.worst_x, state.worst_y);
      if (rows[i].scaled > 0)
        printf("; %.3f eps |x| at x = %a", state.worst_scaled, state.worst_scaled_x);
      printf("\n");
      failures += state.failures;
    }
    kernel kernels[NUM_LENGTHS];
    if (!rows[i].integer) continue;
    if (!load(library, rows[i].name, "i64", kernels)) return 1;
    failures += check_integer(&rows[i], kernels);
  }
  if (failures)
    printf("%d failures\n", failures);
  else
    printf("passed\n");
  return failures != 0;
}
