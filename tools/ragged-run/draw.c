// See draw.h.
#include "draw.h"

#include <string.h>

// The output function of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
// generators, 2014), used on a counter.
static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

// `bits` random bits as a multiple of 2^(1 - bits) in [-1, 1): exact in a type of that precision.
static double uniform(uint64_t random, int bits) {
  return (double)(random >> (64 - bits)) / (double)(UINT64_C(1) << (bits - 1)) - 1.0;
}

static uint16_t to_bf16(double value) {  // nearest, ties to even; finite values far from overflow
  float rounded = (float)value;
  uint32_t bits;
  memcpy(&bits, &rounded, sizeof bits);
  return (uint16_t)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

void ragged_run_draw(uint64_t seed, int argument, ragged_element_type element_type, double scale,
                     int64_t count, void *values) {
  const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t base = mix(mix(seed + step) + (uint64_t)argument * step + 1);
  for (int64_t k = 0; k < count; ++k) {
    uint64_t random = mix(base + (uint64_t)(k + 1) * step);
    switch (element_type) {
      case RAGGED_ELEMENT_F64: ((double *)values)[k] = uniform(random, 53) * scale; break;
      case RAGGED_ELEMENT_F32: ((float *)values)[k] = (float)(uniform(random, 24) * scale); break;
      case RAGGED_ELEMENT_BF16:
        ((uint16_t *)values)[k] = to_bf16(uniform(random, 8) * scale);
        break;
      case RAGGED_ELEMENT_I64: ((int64_t *)values)[k] = (int64_t)(random >> 61); break;
      case RAGGED_ELEMENT_I1: ((uint8_t *)values)[k] = (uint8_t)(random >> 63); break;
      case RAGGED_ELEMENT_COUNT: break;
    }
  }
}
