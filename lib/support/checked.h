// Arithmetic on sizes that reports overflow instead of wrapping. Each returns false on overflow
// and leaves *out alone.
#ifndef RAGGED_SUPPORT_CHECKED_H
#define RAGGED_SUPPORT_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

static inline bool ragged_checked_add(int64_t a, int64_t b, int64_t *out) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) return false;
  *out = sum;
  return true;
}

static inline bool ragged_checked_multiply(int64_t a, int64_t b, int64_t *out) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product)) return false;
  *out = product;
  return true;
}

#endif  // RAGGED_SUPPORT_CHECKED_H
