// Arithmetic of emulated kernels: what the GPU has as instructions or in its own library, and the
// narrow float formats. f32 functions are computed in double and rounded once, which is inside the
// error that PTX and CUDA document for them; 2^x and 1 / x, which our kernels use, err as much as documented.
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "emulated/emulated_abi.h"

static uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static float from_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

float ragged_emulated_flush(float x) {
  uint32_t bits = bits_of(x);
  return bits & 0x7f800000 ? x : from_bits(bits & 0x80000000);
}

// The f32 that is `ulps` (1 or 2) units from the exact result, or up to one less: above or below as the bits of
// x have it, so that the same operand gives the same result. Zero, infinity, NaN and what is next to them are
// as they should be.
static float err_by(float x, double exact, uint32_t ulps) {
  float nearest = (float)exact;
  uint32_t bits = bits_of(nearest), exponent = bits >> 23 & 0xff;
  if (exponent < 2 || exponent > 253) return nearest;
  double past = fabs((double)nearest) - fabs(exact);
  bool above = bits_of(x) * 2654435761u >> 31;
  if (above) return from_bits(bits + (past <= 0 ? ulps : ulps - 1));
  return from_bits(bits - (past >= 0 ? ulps : ulps - 1));
}

float ragged_emulated_rcp(float x) { return err_by(x, 1.0 / (double)x, 1); }
float ragged_emulated_rcp_rn(float x) { return (float)(1.0 / (double)x); }
float ragged_emulated_rsqrt(float x) { return (float)ragged_emulated_rsqrt_f64((double)x); }
float ragged_emulated_sqrt(float x) { return (float)sqrt((double)x); }
float ragged_emulated_ex2(float x) { return x == 0 ? 1.0f : err_by(x, exp2((double)x), 2); }
float ragged_emulated_lg2(float x) { return (float)log2((double)x); }
float ragged_emulated_sin(float x) { return (float)sin((double)x); }
float ragged_emulated_cos(float x) { return (float)cos((double)x); }
float ragged_emulated_exp(float x) { return (float)exp((double)x); }
float ragged_emulated_log(float x) { return (float)log((double)x); }
float ragged_emulated_tanh(float x) { return (float)tanh((double)x); }
float ragged_emulated_erf(float x) { return (float)erf((double)x); }
float ragged_emulated_pow(float x, float y) { return (float)pow((double)x, (double)y); }

double ragged_emulated_rcp_f64(double x) { return 1.0 / x; }
double ragged_emulated_rcp_rn_f64(double x) { return 1.0 / x; }
double ragged_emulated_sqrt_f64(double x) { return sqrt(x); }
double ragged_emulated_rsqrt_f64(double x) { return 1.0 / sqrt(x); }
double ragged_emulated_ex2_f64(double x) { return exp2(x); }
double ragged_emulated_lg2_f64(double x) { return log2(x); }
double ragged_emulated_sin_f64(double x) { return sin(x); }
double ragged_emulated_cos_f64(double x) { return cos(x); }
double ragged_emulated_exp_f64(double x) { return exp(x); }
double ragged_emulated_log_f64(double x) { return log(x); }
double ragged_emulated_tanh_f64(double x) { return tanh(x); }
double ragged_emulated_erf_f64(double x) { return erf(x); }
double ragged_emulated_pow_f64(double x, double y) { return pow(x, y); }

// ---- Narrow floats -------------------------------------------------------------------------------

// A float format of 16 bits.
typedef struct narrow_format {
  int fraction_bits, exponent_bits;
} narrow_format;
static const narrow_format f16 = {10, 5}, bf16 = {7, 8};

// To the nearest, ties to even. The fraction is scaled to an integer, which rint rounds.
static int32_t narrow(double x, const narrow_format *format) {
  int32_t max_exponent = (1 << format->exponent_bits) - 1, bias = max_exponent / 2;
  int32_t sign = (signbit(x) ? 1 : 0) << 15;
  if (isnan(x))
    return sign | max_exponent << format->fraction_bits | 1 << (format->fraction_bits - 1);
  int exponent = 0;
  double magnitude = fabs(x);
  if (magnitude == 0) return sign;
  int32_t infinity = max_exponent << format->fraction_bits;
  if (isinf(x)) return sign | infinity;
  frexp(magnitude, &exponent);  // magnitude = f * 2^exponent, f in [1/2, 1)
  int32_t biased = exponent - 1 + bias;
  if (biased < 1) biased = 1;   // subnormal: the smallest step
  if (biased >= max_exponent) return sign | infinity;
  // In units of the last place; 2^fraction_bits and more for normal numbers. A carry moves on into
  // the exponent by itself, up to infinity.
  int32_t scaled = (int32_t)rint(ldexp(magnitude, format->fraction_bits - (biased - bias)));
  return sign | (((biased - 1) << format->fraction_bits) + scaled);
}

int32_t ragged_emulated_f32_to_f16(float x) { return narrow((double)x, &f16); }
int32_t ragged_emulated_f32_to_bf16(float x) { return narrow((double)x, &bf16); }
int32_t ragged_emulated_f64_to_f16(double x) { return narrow(x, &f16); }
int32_t ragged_emulated_f64_to_bf16(double x) { return narrow(x, &bf16); }
float ragged_emulated_f16_to_f32(int32_t bits) {
  int32_t fraction = bits & 0x3ff, exponent = bits >> 10 & 0x1f;
  float magnitude;
  if (exponent == 0x1f)
    magnitude = fraction ? NAN : INFINITY;
  else if (exponent == 0)
    magnitude = (float)fraction * 0x1p-24f;
  else
    magnitude = from_bits((uint32_t)((exponent + 127 - 15) << 23 | fraction << 13));
  return bits & 0x8000 ? -magnitude : magnitude;
}
float ragged_emulated_bf16_to_f32(int32_t bits) { return from_bits((uint32_t)bits << 16); }
