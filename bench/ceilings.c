// See ceilings.h. The multiply-add loop exists once and is compiled for each vector width; the widest
// that the processor has is picked at run time.
#include "ceilings.h"

#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { kTries = 5, kSteps = 1 << 20, kChains = 12 };
static const double kTrySeconds = 0.02;

// Read once by each call, so that the compiler knows nothing of the values. The chains converge to
// `addend` / (1 - factor): no infinities, no subnormals.
static volatile float start = 1.0f, factor = 0.999f, addend = 0.001f;
static volatile float sink;

// Twelve chains: two units of four or five cycles latency need ten at most. `Vector` is a GCC vector
// type; its arithmetic contracts to fma where the target has it.
#define DEFINE_FMA_LOOP(name, attributes, lanes)                                              \
  typedef float name##_vector __attribute__((vector_size(4 * (lanes))));                      \
  attributes static void name(int64_t steps) {                                                \
    name##_vector zero = {0}, f = zero + factor, a = zero + addend;                           \
    name##_vector c0 = zero + start, c1 = c0 + 1, c2 = c0 + 2, c3 = c0 + 3, c4 = c0 + 4,      \
                  c5 = c0 + 5, c6 = c0 + 6, c7 = c0 + 7, c8 = c0 + 8, c9 = c0 + 9,            \
                  c10 = c0 + 10, c11 = c0 + 11;                                               \
    for (int64_t k = 0; k < steps; ++k) {                                                     \
      c0 = c0 * f + a, c1 = c1 * f + a, c2 = c2 * f + a, c3 = c3 * f + a;                     \
      c4 = c4 * f + a, c5 = c5 * f + a, c6 = c6 * f + a, c7 = c7 * f + a;                     \
      c8 = c8 * f + a, c9 = c9 * f + a, c10 = c10 * f + a, c11 = c11 * f + a;                 \
    }                                                                                         \
    name##_vector sum = c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9 + c10 + c11;          \
    float total = 0;                                                                          \
    for (int k = 0; k < (lanes); ++k) total += sum[k];                                        \
    sink = total;                                                                             \
  }

DEFINE_FMA_LOOP(fma_128, , 4)
#if defined(__x86_64__)
DEFINE_FMA_LOOP(fma_avx2, __attribute__((target("avx2,fma"))), 8)
DEFINE_FMA_LOOP(fma_avx512, __attribute__((target("avx512f"))), 16)
#endif

typedef struct fma_loop {
  const char *vectors;
  void (*run)(int64_t steps);
  int lanes;
} fma_loop;

static fma_loop widest(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return (fma_loop){"AVX-512", fma_avx512, 16};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return (fma_loop){"AVX2", fma_avx2, 8};
#endif
  return (fma_loop){"128 bits", fma_128, 4};
}

const char *ragged_bench_fma_vectors(void) { return widest().vectors; }

// Seconds of `steps` steps on every thread; all begin together.
static double time_loop(const fma_loop *loop, int64_t steps) {
  double begin = 0, end = 0;
#pragma omp parallel
  {
#pragma omp barrier
#pragma omp master
    begin = omp_get_wtime();
    loop->run(steps);
#pragma omp barrier
#pragma omp master
    end = omp_get_wtime();
  }
  return end - begin;
}

double ragged_bench_fma_peak_gflops(void) {
  fma_loop loop = widest();
  double once = time_loop(&loop, kSteps);
  int64_t steps = (int64_t)(kSteps * kTrySeconds / (once > 1e-6 ? once : 1e-6)) + 1;
  double best = time_loop(&loop, steps);
  for (int k = 1; k < kTries; ++k) {
    double seconds = time_loop(&loop, steps);
    if (seconds < best) best = seconds;
  }
  double operations = 2.0 * kChains * loop.lanes * (double)steps * omp_get_max_threads();
  return operations / best * 1e-9;
}

// `bytes` is a multiple of 64, both ends are aligned to 64.
static void copy(char *target, const char *source, size_t bytes) {
#if defined(__x86_64__)
  for (size_t k = 0; k < bytes; k += 64)
    for (size_t j = 0; j < 64; j += 16)
      _mm_stream_si128((__m128i *)(void *)(target + k + j),
                       _mm_load_si128((const __m128i *)(const void *)(source + k + j)));
  _mm_sfence();
#else
  memcpy(target, source, bytes);
#endif
}

static double time_copy(char *target, const char *source, size_t bytes) {
  double begin = omp_get_wtime();
#pragma omp parallel
  {
    size_t threads = (size_t)omp_get_num_threads(), thread = (size_t)omp_get_thread_num();
    size_t lines = bytes / 64, first = lines * thread / threads * 64;
    copy(target + first, source + first, lines * (thread + 1) / threads * 64 - first);
  }
  return omp_get_wtime() - begin;
}

double ragged_bench_copy_gb_per_s(void) {
  size_t bytes = (size_t)256 << 20;
  char *source = aligned_alloc(64, bytes), *target = aligned_alloc(64, bytes);
  double best = 0;
  if (source && target) {
    memset(source, 1, bytes);
    memset(target, 2, bytes);
    for (int k = 0; k < kTries; ++k) {
      double rate = 2.0 * (double)bytes / time_copy(target, source, bytes) * 1e-9;
      if (rate > best) best = rate;
    }
  }
  free(source);
  free(target);
  return best;
}
