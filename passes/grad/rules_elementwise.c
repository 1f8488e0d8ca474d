// Derivatives of the elementwise ops. In each rule dy is the cotangent of the result, x, y, ... are
// the operands, r the result; an operand that was repeated gets the sum (gradient_give_repeated).
// Comparisons are piecewise constant: their results end the chain.
#include <math.h>

#include "passes/grad/gradient.h"

#define ADD(x, y) GRADIENT2(g, "add", x, y)
#define SUB(x, y) GRADIENT2(g, "sub", x, y)
#define MUL(x, y) GRADIENT2(g, "mul", x, y)
#define DIV(x, y) GRADIENT2(g, "div", x, y)
#define NEG(x) GRADIENT1(g, "neg", x)
#define EXP(x) GRADIENT1(g, "exp", x)
#define NORMAL_CDF(x) GRADIENT1(g, "normal_cdf", x)
#define WHERE(c, x, y) GRADIENT3(g, "where", c, x, y)
#define CONSTANT(value) gradient_constant(g, dy, value)

static const double kPi = 3.14159265358979323846;

// Evaluates an operand's cotangent only where it is wanted.
#define GIVE(k, cotangent) \
  do { \
    if (gradient_wants(g, k)) gradient_give_repeated(g, k, cotangent); \
  } while (0)
#define DY MlirValue dy = gradient_of_result(g, 0)
#define UNARY DY, x = gradient_operand(g, 0)
#define BINARY UNARY, y = gradient_operand(g, 1)

static void rule_add(gradient *g) {
  DY;
  GIVE(0, dy);
  GIVE(1, dy);
}

static void rule_sub(gradient *g) {
  DY;
  GIVE(0, dy);
  GIVE(1, NEG(dy));
}

static void rule_mul(gradient *g) {
  BINARY;
  GIVE(0, MUL(dy, y));
  GIVE(1, MUL(dy, x));
}

static void rule_div(gradient *g) {
  BINARY;
  GIVE(0, DIV(dy, y));
  GIVE(1, NEG(MUL(dy, DIV(DIV(x, y), y))));
}

// Who of two gets a cotangent: the first where it is the one that is wanted, or NaN; else the second.
static MlirValue first_gets(gradient *g, MlirValue wanted, MlirValue first, MlirValue dy) {
  return WHERE(wanted, dy, WHERE(GRADIENT2(g, "not_equal", first, first), dy, CONSTANT(0)));
}
static MlirValue second_gets(gradient *g, MlirValue wanted, MlirValue first, MlirValue dy) {
  MlirValue zero = CONSTANT(0);
  return WHERE(wanted, zero, WHERE(GRADIENT2(g, "not_equal", first, first), zero, dy));
}

// The larger one gets it, the first of two equal ones, the first NaN.
static void rule_maximum(gradient *g) {
  BINARY;
  MlirValue larger = GRADIENT2(g, "greater_equal", x, y);
  GIVE(0, first_gets(g, larger, x, dy));
  GIVE(1, second_gets(g, larger, x, dy));
}

static void rule_neg(gradient *g) {
  DY;
  GIVE(0, NEG(dy));
}

static void rule_exp(gradient *g) {
  DY;
  GIVE(0, MUL(dy, gradient_result(g)));
}

static void rule_sqrt(gradient *g) {
  DY;
  GIVE(0, MUL(dy, DIV(CONSTANT(0.5), gradient_result(g))));
}

// r' = -r^3 / 2
static void rule_rsqrt(gradient *g) {
  DY;
  MlirValue r = gradient_result(g);
  GIVE(0, MUL(dy, MUL(CONSTANT(-0.5), MUL(r, MUL(r, r)))));
}

// Rules with constants that bf16 does not hold compute in f32 and round once.
#define WIDE_UNARY \
  MlirValue x = gradient_operand(g, 0); \
  ragged_element_type own = gradient_schema(x).element_type, wide = gradient_accumulator(x); \
  MlirValue dy = gradient_cast(g, gradient_of_result(g, 0), wide); \
  x = gradient_cast(g, x, wide)

static void rule_erf(gradient *g) {
  WIDE_UNARY;
  MlirValue dx = MUL(dy, MUL(CONSTANT(2 / sqrt(kPi)), EXP(NEG(MUL(x, x)))));
  GIVE(0, gradient_cast(g, dx, own));
}

// p(x) = e^(-x^2 / 2) / sqrt(2 pi), the density of the normal distribution.
static MlirValue density(gradient *g, MlirValue dy, MlirValue x) {
  return MUL(EXP(MUL(MUL(x, x), CONSTANT(-0.5))), CONSTANT(1 / sqrt(2 * kPi)));
}

static void rule_normal_cdf(gradient *g) {
  WIDE_UNARY;
  GIVE(0, gradient_cast(g, MUL(dy, density(g, dy, x)), own));
}

// gelu x = x P(x) with P the normal distribution: gelu' = P(x) + x p(x), where x p(x) is 0 if p(x) is, for an
// infinite x too.
static void rule_gelu(gradient *g) {
  WIDE_UNARY;
  MlirValue zero = CONSTANT(0), p = density(g, dy, x);
  MlirValue slope = WHERE(GRADIENT2(g, "equal", p, zero), zero, MUL(x, p));
  GIVE(0, gradient_cast(g, MUL(dy, ADD(NORMAL_CDF(x), slope)), own));
}

// 0 at 0; a NaN passes dy on.
static void rule_relu(gradient *g) {
  UNARY;
  MlirValue zero = CONSTANT(0);
  GIVE(0, WHERE(GRADIENT2(g, "less_equal", x, zero), zero, dy));
}

static void rule_sigmoid(gradient *g) {
  DY;
  MlirValue r = gradient_result(g);
  GIVE(0, MUL(dy, MUL(r, SUB(CONSTANT(1), r))));
}

static void rule_where(gradient *g) {
  DY, c = gradient_operand(g, 0), zero = CONSTANT(0);
  GIVE(1, WHERE(c, dy, zero));
  GIVE(2, WHERE(c, zero, dy));
}

// min(max(x, low), high), each of which passes a tie to its first operand, and NaN to the first NaN.
static void rule_clamp(gradient *g) {
  UNARY, low = gradient_operand(g, 1), high = gradient_operand(g, 2);
  MlirValue larger = GRADIENT2(g, "greater_equal", x, low), lifted = GRADIENT2(g, "maximum", x, low);
  MlirValue within = GRADIENT2(g, "less_equal", lifted, high);
  MlirValue d_lifted = first_gets(g, within, lifted, dy);
  GIVE(0, first_gets(g, larger, x, d_lifted));
  GIVE(1, second_gets(g, larger, x, d_lifted));
  GIVE(2, second_gets(g, within, lifted, dy));
}

static void rule_cast(gradient *g) {
  UNARY;
  GIVE(0, gradient_cast(g, dy, gradient_schema(x).element_type));
}

const gradient_rule_row gradient_elementwise_rules[] = {
    {"ragged.add", rule_add},
    {"ragged.sub", rule_sub},
    {"ragged.mul", rule_mul},
    {"ragged.div", rule_div},
    {"ragged.maximum", rule_maximum},
    {"ragged.neg", rule_neg},
    {"ragged.exp", rule_exp},
    {"ragged.sqrt", rule_sqrt},
    {"ragged.rsqrt", rule_rsqrt},
    {"ragged.erf", rule_erf},
    {"ragged.normal_cdf", rule_normal_cdf},
    {"ragged.gelu", rule_gelu},
    {"ragged.relu", rule_relu},
    {"ragged.sigmoid", rule_sigmoid},
    {"ragged.where", rule_where},
    {"ragged.clamp", rule_clamp},
    {"ragged.cast", rule_cast},
    {"ragged.equal", NULL},
    {"ragged.not_equal", NULL},
    {"ragged.less", NULL},
    {"ragged.less_equal", NULL},
    {"ragged.greater", NULL},
    {"ragged.greater_equal", NULL},
    {NULL, NULL},
};
