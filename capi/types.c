// See ragged-c/types.h. Types and schemas meet in dialect/type_schema.h; here is only the spelling.
#include "ragged-c/types.h"

#include "dialect/type_schema.h"
#include "mlir-c/Diagnostics.h"
#include "ragged-c/dialect.h"
#include "schema/axis_expression.h"

static ragged_status read_schema(ragged_arena *arena, MlirType element_type, intptr_t rank,
                                 const MlirStringRef *axes, const int64_t *extents,
                                 const int64_t *order, ragged_schema *out) {
  if (mlirTypeIsNull(element_type) || !ragged_type_is_scalar(element_type) ||
      !ragged_type_get_element(element_type, &out->element_type))
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "the element type must be f64, f32, bf16, i64 or i1");
  if (rank < 0 || rank > RAGGED_MAX_RANK)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "the rank is %lld, but 0 to %d are supported", (long long)rank,
                              RAGGED_MAX_RANK);
  out->rank = (int)rank;
  for (intptr_t k = 0; k < rank; ++k) {
    if (axes && axes[k].data) {
      const char *text = ragged_arena_copy_string(arena, axes[k].data, axes[k].length), *canonical;
      RAGGED_RETURN_IF_ERROR(ragged_axis_canonicalize(arena, text, &canonical));
      out->dimensions[k] = ragged_dimension_ragged(canonical);
    } else if (extents) {
      out->dimensions[k] = ragged_dimension_static(extents[k]);
    } else {
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "dimension %lld has neither an axis nor an extent", (long long)k);
    }
  }
  if (!order) {
    ragged_schema_set_default_order(out);
  } else {
    for (intptr_t k = 0; k < rank; ++k)
      out->order[k] = order[k] >= 0 && order[k] < rank ? (int)order[k] : -1;
  }
  return ragged_schema_validate(out);
}

// A type of a dialect that is registered only is no type.
static void load_dialect(MlirContext context) {
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__ragged__(), context);
}

MlirType raggedTensorTypeGet(MlirContext context, MlirType elementType, intptr_t rank,
                             const MlirStringRef *axes, const int64_t *extents,
                             const int64_t *order) {
  load_dialect(context);
  ragged_arena arena = {0};
  ragged_schema schema = {0};
  MlirType type = {0};
  ragged_status status = read_schema(&arena, elementType, rank, axes, extents, order, &schema);
  if (status) {
    mlirEmitError(mlirLocationUnknownGet(context), ragged_status_message(status));
    ragged_status_free(status);
  } else {
    type = ragged_type_from_schema(context, &schema);
  }
  ragged_arena_free(&arena);
  return type;
}

MlirType raggedTensorTypeGetUnknown(MlirContext context, MlirType elementType) {
  ragged_element_type element_type;
  if (mlirTypeIsNull(elementType) || !ragged_type_is_scalar(elementType) ||
      !ragged_type_get_element(elementType, &element_type))
    return (MlirType){0};
  load_dialect(context);
  return ragged_type_unknown(context, element_type);
}

bool raggedTypeIsATensor(MlirType type) {
  return !mlirTypeIsNull(type) && ragged_type_is_tensor(type);
}

bool raggedTensorTypeIsUnknown(MlirType type) {
  return raggedTypeIsATensor(type) && ragged_type_is_unknown(type);
}

MlirType raggedTensorTypeGetElementType(MlirType type) {
  ragged_element_type element_type;
  if (!raggedTypeIsATensor(type) || !ragged_type_get_element(type, &element_type))
    return (MlirType){0};
  return ragged_element_to_mlir(mlirTypeGetContext(type), element_type);
}

static bool get_schema(MlirType type, ragged_schema *out) {
  return raggedTypeIsATensor(type) && ragged_type_get_schema(type, out);
}

static const ragged_dimension *get_dimension(MlirType type, intptr_t dim, ragged_schema *schema) {
  return get_schema(type, schema) && dim >= 0 && dim < schema->rank ? &schema->dimensions[dim]
                                                                    : NULL;
}

intptr_t raggedTensorTypeGetRank(MlirType type) {
  ragged_schema schema;
  return get_schema(type, &schema) ? schema.rank : -1;
}

bool raggedTensorTypeIsRaggedDim(MlirType type, intptr_t dim) {
  ragged_schema schema;
  const ragged_dimension *dimension = get_dimension(type, dim, &schema);
  return dimension && ragged_dimension_is_ragged(*dimension);
}

MlirStringRef raggedTensorTypeGetDimAxis(MlirType type, intptr_t dim) {
  ragged_schema schema;
  const ragged_dimension *dimension = get_dimension(type, dim, &schema);
  if (!dimension || !ragged_dimension_is_ragged(*dimension)) return mlirStringRefCreate(NULL, 0);
  return mlirStringRefCreateFromCString(dimension->axis);
}

int64_t raggedTensorTypeGetDimExtent(MlirType type, intptr_t dim) {
  ragged_schema schema;
  const ragged_dimension *dimension = get_dimension(type, dim, &schema);
  return dimension && !ragged_dimension_is_ragged(*dimension) ? dimension->extent : -1;
}

intptr_t raggedTensorTypeGetOrder(MlirType type, intptr_t position) {
  ragged_schema schema;
  return get_schema(type, &schema) && position >= 0 && position < schema.rank
             ? schema.order[position]
             : -1;
}

bool raggedTensorTypeHasDefaultOrder(MlirType type) {
  ragged_schema schema;
  return get_schema(type, &schema) && ragged_schema_has_default_order(&schema);
}
