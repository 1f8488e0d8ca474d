// Derivatives of the normalisations, in closed form; bf16 is computed with in f32 and rounded once.
#include "passes/grad/gradient.h"

#define SUB(x, y) GRADIENT2(g, "sub", x, y)
#define MUL(x, y) GRADIENT2(g, "mul", x, y)

// y = h s + b with h = (x - mean) r, r = 1 / sqrt(var + eps), statistics over `dims`. With q = dy s:
//   dx = r (q - mean(q) - h mean(q h)),  ds = sum of dy h,  db = sum of dy
static void rule_layer_norm(gradient *g) {
  MlirValue narrow = gradient_operand(g, 0);
  ragged_element_type type = gradient_schema(narrow).element_type;
  ragged_element_type wide = gradient_accumulator(narrow);
  int64_t dims[RAGGED_MAX_RANK];
  int count = gradient_op_dims(g, "dims", dims);
  double eps = mlirFloatAttrGetValueDouble(ragged_operation_attribute(g->operation, "eps"));
  MlirValue dy = gradient_cast(g, gradient_of_result(g, 0), wide);
  MlirValue x = gradient_cast(g, narrow, wide);
  MlirValue centred = SUB(x, gradient_reduce(g, "ragged.mean", x, count, dims));
  MlirValue variance = gradient_reduce(g, "ragged.mean", MUL(centred, centred), count, dims);
  MlirValue r =
      GRADIENT1(g, "rsqrt", GRADIENT2(g, "add", variance, gradient_constant(g, x, eps)));
  MlirValue h = MUL(centred, r);
  if (gradient_wants(g, 0)) {
    MlirValue q = dy;
    if (mlirOperationGetNumOperands(g->operation) > 1) {
      MlirValue scale = gradient_broadcast(g, gradient_operand(g, 1), count, dims, narrow);
      q = MUL(dy, gradient_cast(g, scale, wide));
    }
    MlirValue mean = gradient_reduce(g, "ragged.mean", q, count, dims);
    MlirValue along = gradient_reduce(g, "ragged.mean", MUL(q, h), count, dims);
    MlirValue dx = MUL(SUB(SUB(q, mean), MUL(h, along)), r);
    gradient_give(g, 0, gradient_cast(g, dx, type));
  }
  if (gradient_wants(g, 1))
    gradient_give(g, 1, gradient_cast(g, gradient_unbroadcast(g, MUL(dy, h), dims, gradient_operand(g, 1)), type));
  if (gradient_wants(g, 2))
    gradient_give(g, 2, gradient_unbroadcast(g, gradient_of_result(g, 0), dims, gradient_operand(g, 2)));
}

// dx = r (dy - sum of dy r along the dimension); 0 in a group that is 0.
static void rule_softmax(gradient *g) {
  MlirValue x = gradient_operand(g, 0);
  ragged_element_type wide = gradient_accumulator(x);
  int64_t dim = ragged_operation_int(g->operation, "dim", 0);
  MlirValue r = gradient_cast(g, gradient_result(g), wide);
  MlirValue dy = gradient_cast(g, gradient_of_result(g, 0), wide);
  MlirValue sum = gradient_reduce(g, "ragged.sum", MUL(dy, r), 1, &dim);
  MlirValue dx = MUL(SUB(dy, sum), r);
  gradient_give(g, 0, gradient_cast(g, dx, gradient_schema(x).element_type));
}

const gradient_rule_row gradient_normalization_rules[] = {
    {"ragged.layer_norm", rule_layer_norm},
    {"ragged.softmax", rule_softmax},
    {NULL, NULL},
};
