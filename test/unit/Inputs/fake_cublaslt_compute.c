// What the fake cuBLASLt computes: sums in order of k, in the type that the real one would keep them in;
// then residual and bias, and one rounding.
#include "fake_cublaslt_compute.h"

#include <math.h>
#include <string.h>

#include "cublaslt_abi.h"
#include "fake_cuda_driver.h"

static float bits_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// To the nearest number with `kept` bits of fraction, ties to even.
static float round_fraction(float value, int kept) {
  uint32_t bits, unit = UINT32_C(1) << (23 - kept);
  memcpy(&bits, &value, sizeof bits);
  if (isnan(value)) return value;
  bits += unit / 2 - 1 + (bits / unit & 1);
  return bits_float(bits & ~(unit - 1));
}

static size_t size_of(int type) { return type == CUDA_R_64F ? 8 : type == CUDA_R_32F ? 4 : 2; }

double fake_cublaslt_load(int type, const void *at, uint64_t element) {
  double wide;
  float narrow;
  uint16_t half;
  const char *from = (const char *)at + element * size_of(type);
  switch (type) {
    case CUDA_R_64F: return memcpy(&wide, from, sizeof wide), wide;
    case CUDA_R_32F: return memcpy(&narrow, from, sizeof narrow), (double)narrow;
    default: return memcpy(&half, from, sizeof half), (double)bits_float((uint32_t)half << 16);
  }
}

static void store(int type, char *at, uint64_t element, double value) {
  char *to = at + element * size_of(type);
  float narrow = (float)value;
  if (type == CUDA_R_64F) memcpy(to, &value, sizeof value);
  if (type == CUDA_R_32F) memcpy(to, &narrow, sizeof narrow);
  if (type != CUDA_R_16BF) return;
  uint32_t bits;
  narrow = round_fraction(narrow, 7);
  memcpy(&bits, &narrow, sizeof bits);
  uint16_t half = (uint16_t)(bits >> 16);
  if (isnan(narrow)) half |= 0x40;
  memcpy(to, &half, sizeof half);
}

// Both ends of `elements` elements are the device's.
static char *host_elements(int type, const void *pointer, uint64_t elements) {
  char *first = fake_cuda_host_address(pointer);
  if (!fake_cuda_host_address((const char *)pointer + elements * size_of(type) - 1)) return NULL;
  return first;
}

static double element_of(const fake_cublaslt_product *p, const char *rows, const char *weight,
                         uint64_t row, uint64_t column) {
  double wide = 0;
  float sum = 0;
  for (uint64_t k = 0; k < p->k; ++k) {
    double x = fake_cublaslt_load(p->type, rows, row * p->k + k);
    double w = fake_cublaslt_load(p->type, weight,
                                  p->transposed ? k * p->n + column : column * p->k + k);
    if (p->compute == CUBLAS_COMPUTE_32F_FAST_TF32) {
      x = (double)round_fraction((float)x, 10);
      w = (double)round_fraction((float)w, 10);
    }
    if (p->compute == CUBLAS_COMPUTE_64F) wide = fma(x, w, wide);
    else sum = fmaf((float)x, (float)w, sum);
  }
  return p->compute == CUBLAS_COMPUTE_64F ? wide : (double)sum;
}

// With beta 0 the residual is not read.
static double add(const fake_cublaslt_product *p, double x, double y) {
  return p->compute == CUBLAS_COMPUTE_64F ? x + y : (double)((float)x + (float)y);
}

void fake_cublaslt_compute(const int64_t *words, int64_t num_words, unsigned blocks,
                           unsigned threads) {
  (void)num_words, (void)blocks, (void)threads;
  fake_cublaslt_product p;
  memcpy(&p, words, sizeof p);
  uint64_t count = p.num_rows * p.n;
  const char *rows = host_elements(p.type, p.rows, p.num_rows * p.k);
  const char *weight = host_elements(p.type, p.weight, p.n * p.k);
  const char *residual = p.beta == 0 ? NULL : host_elements(p.type, p.residual, count);
  const char *bias = p.bias ? host_elements(p.type, p.bias, p.n) : NULL;
  char *result = host_elements(p.type, p.result, count);
  if (!rows || !weight || !result) return;
  for (uint64_t i = 0; i < count; ++i) {
    double value = p.alpha * element_of(&p, rows, weight, i / p.n, i % p.n);
    if (residual) value = add(&p, value, p.beta * fake_cublaslt_load(p.type, residual, i));
    if (bias) value = add(&p, value, fake_cublaslt_load(p.type, bias, i % p.n));
    store(p.type, result, i, value);
  }
}
