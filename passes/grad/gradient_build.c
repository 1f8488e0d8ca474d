// The ops that rules are made of, and questions about values. See gradient.h.
#include "dialect/type_schema.h"
#include "passes/grad/gradient.h"

// ---- Queries --------------------------------------------------------------------------------

bool gradient_is_float(MlirType type) {
  ragged_element_type element;
  return ragged_type_get_element(type, &element) && ragged_element_is_float(element);
}

ragged_schema gradient_schema(MlirValue value) {
  ragged_schema schema = {0};
  MlirType type = mlirValueGetType(value);
  if (!ragged_type_get_schema(type, &schema) && !ragged_type_get_dense(type, &schema)) {
    schema = (ragged_schema){0};
    ragged_type_get_element(type, &schema.element_type);
  }
  return schema;
}

bool gradient_is_ragged(MlirValue value) { return ragged_type_is_tensor(mlirValueGetType(value)); }
bool gradient_is_scalar(MlirValue value) { return ragged_type_is_scalar(mlirValueGetType(value)); }

int gradient_op_dims(const gradient *g, const char *name, int64_t dims[RAGGED_MAX_RANK]) {
  return ragged_operation_int_array(g->operation, name, RAGGED_MAX_RANK, dims);
}

int gradient_other_dims(int rank, int count, const int64_t *dims, int64_t out[RAGGED_MAX_RANK]) {
  int others = 0;
  for (int d = 0; d < rank; ++d) {
    bool listed = false;
    for (int k = 0; k < count; ++k) listed |= dims[k] == d;
    if (!listed) out[others++] = d;
  }
  return others;
}

// ---- Ops ------------------------------------------------------------------------------------

static MlirValue build(gradient *g, const char *name, const MlirType *type, intptr_t num_operands,
                       const MlirValue *operands, intptr_t num_attributes,
                       const MlirNamedAttribute *attributes) {
  for (intptr_t k = 0; k < num_operands; ++k)
    if (mlirValueIsNull(operands[k])) g->failed = true;
  if (g->failed) return ragged_value_none();
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString(name), g->b.location);
  mlirOperationStateAddOperands(&state, num_operands, operands);
  mlirOperationStateAddAttributes(&state, num_attributes, attributes);
  if (type) mlirOperationStateAddResults(&state, 1, type);
  else mlirOperationStateEnableResultTypeInference(&state);
  MlirOperation operation = mlirOperationCreate(&state);
  if (mlirOperationIsNull(operation)) {  // a diagnostic says why
    g->failed = true;
    return ragged_value_none();
  }
  ragged_builder_insert(&g->b, operation);
  return mlirOperationGetResult(operation, 0);
}

MlirValue gradient_op(gradient *g, const char *name, intptr_t num_operands,
                      const MlirValue *operands, intptr_t num_attributes,
                      const MlirNamedAttribute *attributes) {
  return build(g, name, NULL, num_operands, operands, num_attributes, attributes);
}

MlirValue gradient_typed(gradient *g, const char *name, MlirType type, intptr_t num_operands,
                         const MlirValue *operands, intptr_t num_attributes,
                         const MlirNamedAttribute *attributes) {
  return build(g, name, &type, num_operands, operands, num_attributes, attributes);
}

MlirNamedAttribute gradient_dims(gradient *g, const char *name, int count, const int64_t *dims) {
  return ragged_named(g->context, name, ragged_attribute_i64_array(g->context, count, dims));
}

MlirNamedAttribute gradient_flag(gradient *g, const char *name) {
  return ragged_named(g->context, name, mlirUnitAttrGet(g->context));
}

MlirNamedAttribute gradient_int(gradient *g, const char *name, int64_t value) {
  return ragged_named(g->context, name, ragged_attribute_i64(g->context, value));
}

MlirValue gradient_constant(gradient *g, MlirValue like, double value) {
  ragged_element_type element = gradient_schema(like).element_type;
  return ragged_build_float(&g->b, ragged_element_to_mlir(g->context, element), value);
}

static bool has_static_shape(MlirValue value) {
  ragged_schema schema = gradient_schema(value);
  for (int d = 0; d < schema.rank; ++d)
    if (schema.dimensions[d].extent < 0) return false;
  return true;
}

MlirValue gradient_filled(gradient *g, MlirValue value, MlirValue like, double number) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsARankedTensor(type) && has_static_shape(value)) {
    MlirAttribute element =
        mlirFloatAttrDoubleGet(g->context, mlirShapedTypeGetElementType(type), number);
    return gradient_typed(g, "arith.constant", type, RAGGED_NONE,
                          RAGGED_ATTRIBUTES(ragged_named(
                              g->context, "value", mlirDenseElementsAttrSplatGet(type, element))));
  }
  MlirValue scalar = gradient_constant(g, value, number);
  if (gradient_is_scalar(value)) return scalar;
  if (gradient_is_ragged(value)) return GRADIENT2(g, "full", scalar, like);
  return gradient_broadcast(g, scalar, 0, NULL, like);
}

MlirValue gradient_zeros(gradient *g, MlirValue value) { return gradient_filled(g, value, value, 0); }

ragged_element_type gradient_accumulator(MlirValue value) {
  ragged_element_type element = gradient_schema(value).element_type;
  return element == RAGGED_ELEMENT_BF16 ? RAGGED_ELEMENT_F32 : element;
}

MlirValue gradient_cast(gradient *g, MlirValue x, ragged_element_type element_type) {
  if (mlirValueIsNull(x)) return x;
  ragged_schema schema = gradient_schema(x);
  if (schema.element_type == element_type) return x;
  schema.element_type = element_type;
  MlirType type;
  if (gradient_is_ragged(x)) {
    type = ragged_type_from_schema(g->context, &schema);
  } else if (gradient_is_scalar(x)) {
    type = ragged_element_to_mlir(g->context, element_type);
  } else {
    int64_t shape[RAGGED_MAX_RANK];
    for (int d = 0; d < schema.rank; ++d) shape[d] = schema.dimensions[d].extent;
    type = ragged_type_dense(g->context, element_type, schema.rank, shape);
  }
  return gradient_typed(g, "ragged.cast", type, RAGGED_VALUES(x), RAGGED_NONE);
}

MlirValue gradient_reduce(gradient *g, const char *name, MlirValue x, int count,
                          const int64_t *dims) {
  return gradient_op(g, name, RAGGED_VALUES(x),
                     RAGGED_ATTRIBUTES(gradient_dims(g, "dims", count, dims),
                                       gradient_flag(g, "keep_dims")));
}

MlirValue gradient_broadcast(gradient *g, MlirValue x, int count, const int64_t *dims,
                             MlirValue like) {
  return gradient_op(g, "ragged.broadcast", RAGGED_VALUES(x, like),
                     RAGGED_ATTRIBUTES(gradient_dims(g, "dims", count, dims)));
}

MlirValue gradient_reordered(gradient *g, MlirValue x, MlirType like) {
  ragged_schema wanted;
  if (mlirValueIsNull(x) || mlirTypeEqual(mlirValueGetType(x), like) ||
      !ragged_type_get_schema(like, &wanted))
    return x;
  int64_t order[RAGGED_MAX_RANK];
  for (int k = 0; k < wanted.rank; ++k) order[k] = wanted.order[k];
  return gradient_op(g, "ragged.reorder", RAGGED_VALUES(x),
                     RAGGED_ATTRIBUTES(gradient_dims(g, "order", wanted.rank, order)));
}

// ---- What was repeated ----------------------------------------------------------------------

// A rank-0 tensor as the scalar that it holds.
static MlirValue extract(gradient *g, MlirValue tensor, MlirType type) {
  return gradient_typed(g, "tensor.extract", type, RAGGED_VALUES(tensor), RAGGED_NONE);
}

// Builtin tensors cannot be transposed: what the sums leave stands in the order of dims, and a broadcast of
// all of it puts it in place.
static MlirValue unbroadcast_dense(gradient *g, MlirValue cotangent, const int64_t *dims,
                                   MlirValue value) {
  ragged_schema own = gradient_schema(value), full = gradient_schema(cotangent);
  int64_t created[RAGGED_MAX_RANK], repeated[RAGGED_MAX_RANK], place[RAGGED_MAX_RANK];
  int num_created = gradient_other_dims(full.rank, own.rank, dims, created), num_repeated = 0;
  bool moves = false;
  for (int d = 0; d < own.rank; ++d) {
    int left = 0;
    for (int e = 0; e < own.rank; ++e) left += dims[e] < dims[d];
    place[left] = d;
    moves |= left != d;
    if (own.dimensions[d].extent == 1 && full.dimensions[dims[d]].extent != 1)
      repeated[num_repeated++] = dims[d];
  }
  if (num_repeated) cotangent = gradient_reduce(g, "ragged.sum", cotangent, num_repeated, repeated);
  if (num_created)
    cotangent = gradient_op(g, "ragged.sum", RAGGED_VALUES(cotangent),
                            RAGGED_ATTRIBUTES(gradient_dims(g, "dims", num_created, created)));
  if (mlirValueIsNull(cotangent)) return cotangent;
  if (gradient_is_scalar(value)) return extract(g, cotangent, mlirValueGetType(value));
  // Extents that only one of the types says are equal too.
  moves |= !mlirTypeEqual(mlirValueGetType(cotangent), mlirValueGetType(value));
  return moves ? gradient_broadcast(g, cotangent, own.rank, place, value) : cotangent;
}

// First the dimensions that the value does not have, then its own in its own order: so builtin
// tensors, which cannot be transposed, come out right.
MlirValue gradient_unbroadcast(gradient *g, MlirValue cotangent, const int64_t *dims,
                               MlirValue value) {
  if (!mlirValueIsNull(cotangent) && !gradient_is_ragged(cotangent))
    return unbroadcast_dense(g, cotangent, dims, value);
  MlirType type = mlirValueGetType(value);
  ragged_schema own = gradient_schema(value), full = gradient_schema(cotangent);
  int64_t permutation[RAGGED_MAX_RANK], created[RAGGED_MAX_RANK], repeated[RAGGED_MAX_RANK];
  int num_created = gradient_other_dims(full.rank, own.rank, dims, permutation), num_repeated = 0;
  bool moves = false;
  for (int d = 0; d < own.rank; ++d) {
    permutation[num_created + d] = dims[d];
    if (!ragged_dimension_equal(own.dimensions[d], full.dimensions[dims[d]]))
      repeated[num_repeated++] = num_created + d;
  }
  for (int d = 0; d < full.rank; ++d) moves |= permutation[d] != d;
  for (int d = 0; d < num_created; ++d) created[d] = d;
  if (moves)
    cotangent = gradient_op(g, "ragged.transpose", RAGGED_VALUES(cotangent),
                            RAGGED_ATTRIBUTES(gradient_dims(g, "permutation", full.rank,
                                                            permutation)));
  if (num_repeated) cotangent = gradient_reduce(g, "ragged.sum", cotangent, num_repeated, repeated);
  bool batch = !gradient_is_ragged(value);
  if (num_created || batch) {
    MlirNamedAttribute attributes[] = {gradient_dims(g, "dims", num_created, created),
                                       gradient_flag(g, "batch")};
    cotangent = gradient_op(g, "ragged.sum", RAGGED_VALUES(cotangent), batch ? 2 : 1, attributes);
  }
  if (gradient_is_scalar(value)) return extract(g, cotangent, type);
  return gradient_reordered(g, cotangent, type);
}

void gradient_give_repeated(gradient *g, intptr_t k, MlirValue cotangent) {
  MlirValue operand = gradient_operand(g, k);
  if (mlirValueIsNull(cotangent)) return;
  int64_t dims[RAGGED_MAX_RANK];
  gradient_other_dims(RAGGED_MAX_RANK, 0, NULL, dims);  // each stays where it is
  if (!mlirTypeEqual(mlirValueGetType(cotangent), mlirValueGetType(operand)))
    cotangent = gradient_unbroadcast(g, cotangent, dims, operand);
  gradient_give(g, k, cotangent);
}
