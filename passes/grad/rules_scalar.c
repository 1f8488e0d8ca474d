// Derivatives of arith on scalars of floats, and of reading a scalar out of a tensor.
#include "passes/grad/gradient.h"

#define ARITH2(name, x, y) \
  gradient_typed(g, "arith." name, mlirValueGetType(x), RAGGED_VALUES(x, y), RAGGED_NONE)
#define ARITH1(name, x) \
  gradient_typed(g, "arith." name, mlirValueGetType(x), RAGGED_VALUES(x), RAGGED_NONE)

#define GIVE(k, cotangent) \
  do { \
    if (gradient_wants(g, k)) gradient_give(g, k, cotangent); \
  } while (0)
#define BINARY \
  MlirValue d = gradient_of_result(g, 0), x = gradient_operand(g, 0), y = gradient_operand(g, 1)

static void rule_addf(gradient *g) {
  MlirValue d = gradient_of_result(g, 0);
  GIVE(0, d);
  GIVE(1, d);
}

static void rule_subf(gradient *g) {
  MlirValue d = gradient_of_result(g, 0);
  GIVE(0, d);
  GIVE(1, ARITH1("negf", d));
}

static void rule_mulf(gradient *g) {
  BINARY;
  GIVE(0, ARITH2("mulf", d, y));
  GIVE(1, ARITH2("mulf", d, x));
}

static void rule_divf(gradient *g) {
  BINARY;
  GIVE(0, ARITH2("divf", d, y));
  GIVE(1, ARITH1("negf", ARITH2("mulf", d, ARITH2("divf", ARITH2("divf", x, y), y))));
}

static void rule_negf(gradient *g) { GIVE(0, ARITH1("negf", gradient_of_result(g, 0))); }

// extf and truncf undo each other's change of type.
static void convert(gradient *g, const char *name) {
  gradient_give(g, 0, gradient_typed(g, name, mlirValueGetType(gradient_operand(g, 0)),
                                     RAGGED_VALUES(gradient_of_result(g, 0)), RAGGED_NONE));
}

static void rule_extf(gradient *g) { convert(g, "arith.truncf"); }
static void rule_truncf(gradient *g) { convert(g, "arith.extf"); }

// A rank-0 tensor gets the scalar's cotangent back.
static void rule_extract(gradient *g) {
  MlirValue tensor = gradient_operand(g, 0);
  gradient_give(g, 0, gradient_broadcast(g, gradient_of_result(g, 0), 0, NULL, tensor));
}

const gradient_rule_row gradient_scalar_rules[] = {
    {"arith.addf", rule_addf},
    {"arith.subf", rule_subf},
    {"arith.mulf", rule_mulf},
    {"arith.divf", rule_divf},
    {"arith.negf", rule_negf},
    {"arith.extf", rule_extf},
    {"arith.truncf", rule_truncf},
    {"arith.cmpf", NULL},
    {"arith.fptosi", NULL},
    {"arith.fptoui", NULL},
    {"tensor.extract", rule_extract},
    {NULL, NULL},
};
