// The host program: axes, spaces, buffers. Called by the walk and the op families.
#include <stdarg.h>
#include <string.h>

#include "dialect/diagnostic.h"
#include "lower/tile/translation.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "schema/axis_expression.h"

void translation_fail(translation *t, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *message = ragged_arena_vformat(t->arena, format, arguments);
  va_end(arguments);
  if (!t->failed) ragged_emit_error(t->host.location, message, t->host.location, NULL);
  t->failed = true;
}

// ---- Ops -------------------------------------------------------------------------------------

MlirType translation_type(const translation *t, ragged_host_type kind) {
  return ragged_host_type_get(t->context, kind);
}

MlirAttribute translation_string(const translation *t, const char *text) {
  return ragged_attribute_string(t->context, text);
}

static MlirOperation build_host(translation *t, const char *name, intptr_t num_results,
                                const MlirType *results, intptr_t num_operands,
                                const MlirValue *operands, intptr_t num_attributes,
                                const MlirNamedAttribute *attributes) {
  MlirValue *all = RAGGED_ARENA_ARRAY(t->arena, MlirValue, num_operands + 1);
  all[0] = t->frame;
  for (intptr_t k = 0; k < num_operands; ++k) all[k + 1] = operands[k];
  return ragged_build(&t->host, name, num_operands + 1, all, num_results, results, num_attributes,
                      attributes, RAGGED_NONE);
}

MlirValue host_value(translation *t, const char *name, MlirType type, intptr_t num_operands,
                     const MlirValue *operands, intptr_t num_attributes,
                     const MlirNamedAttribute *attributes) {
  return mlirOperationGetResult(
      build_host(t, name, 1, &type, num_operands, operands, num_attributes, attributes), 0);
}

void host_op(translation *t, const char *name, intptr_t num_operands, const MlirValue *operands,
             intptr_t num_attributes, const MlirNamedAttribute *attributes) {
  build_host(t, name, RAGGED_NONE, num_operands, operands, num_attributes, attributes);
}

MlirValue host_i64(translation *t, int64_t value) {
  return ragged_build_integer(&t->host, mlirIntegerTypeGet(t->context, 64), value);
}

// ---- Axes and spaces -------------------------------------------------------------------------

void host_define_axis(translation *t, const char *name, MlirValue axis) {
  t->axes =
      ragged_arena_grow(t->arena, t->axes, t->num_axes, &t->capacity_axes, sizeof *t->axes);
  t->axes[t->num_axes++] = (named_axis){name, axis};
}

typedef struct name_list {
  int count;
  const char *names[RAGGED_MAX_RANK];
} name_list;

static void collect_name(const char *name, void *user) {
  name_list *list = user;
  if (list->count < RAGGED_MAX_RANK) list->names[list->count++] = name;
}

MlirValue host_axis(translation *t, const char *canonical) {
  if (canonical[0] == '#') return dense_axis_named(t, canonical);
  for (int k = t->num_axes - 1; k >= 0; --k)
    if (!strcmp(t->axes[k].name, canonical)) return t->axes[k].axis;
  name_list list = {0};
  ragged_status status = ragged_axis_visit_names(t->arena, canonical, collect_name, &list);
  ragged_status_free(status);  // canonical text comes from a type: it was read before
  MlirValue axes[RAGGED_MAX_RANK];
  MlirAttribute names[RAGGED_MAX_RANK];
  for (int k = 0; k < list.count; ++k) {
    names[k] = translation_string(t, list.names[k]);
    axes[k] = ragged_value_none();
    for (int j = t->num_axes - 1; j >= 0 && mlirValueIsNull(axes[k]); --j)
      if (!strcmp(t->axes[j].name, list.names[k])) axes[k] = t->axes[j].axis;
    if (mlirValueIsNull(axes[k])) {  // --ragged-verify-axes refuses such a program
      translation_fail(t, "axis %s is not in scope here", list.names[k]);
      return t->num_axes ? t->axes[0].axis : t->frame;
    }
  }
  return host_value(
      t, "ragged_tile.axis_expression", translation_type(t, RAGGED_HOST_AXIS), list.count, axes,
      RAGGED_ATTRIBUTES(ragged_named(t->context, "expression", translation_string(t, canonical)),
                        ragged_named(t->context, "names",
                                     mlirArrayAttrGet(t->context, list.count, names))));
}

MlirValue host_space(translation *t, const ragged_schema *schema) {
  const char *names[RAGGED_MAX_RANK];
  MlirValue axes[RAGGED_MAX_RANK];
  int count = ragged_schema_space(schema, names);
  for (int k = 0; k < count; ++k) axes[k] = host_axis(t, names[k]);
  MlirType type = translation_type(t, RAGGED_HOST_SPACE);
  if (count) return host_value(t, "ragged_tile.space", type, count, axes, RAGGED_NONE);
  if (t->num_axes) axes[0] = t->axes[0].axis;
  return host_value(t, "ragged_tile.batch_space", type, t->num_axes ? 1 : 0, axes, RAGGED_NONE);
}

static MlirValue count_rows(translation *t, const char *op, const ragged_schema *schema) {
  return host_value(t, op, mlirIntegerTypeGet(t->context, 64),
                    RAGGED_VALUES(host_space(t, schema)), RAGGED_NONE);
}

MlirValue host_rows(translation *t, const ragged_schema *schema) {
  return count_rows(t, "ragged_tile.space_rows", schema);
}

MlirValue host_known_rows(translation *t, const ragged_schema *schema) {
  return count_rows(t, "ragged_tile.known_rows", schema);
}

MlirValue host_batch(translation *t) {
  ragged_schema sample = {0};
  return host_value(t, "ragged_tile.space_batch", mlirIntegerTypeGet(t->context, 64),
                    RAGGED_VALUES(host_space(t, &sample)), RAGGED_NONE);
}

// ---- Buffers ---------------------------------------------------------------------------------

MlirValue host_allocate(translation *t, const ragged_schema *schema) {
  return host_value(
      t, "ragged_tile.allocate", translation_type(t, RAGGED_HOST_BUFFER),
      RAGGED_VALUES(host_space(t, schema)),
      RAGGED_ATTRIBUTES(
          ragged_named(t->context, "element_type",
                       ragged_attribute_type(ragged_element_to_mlir(t->context, schema->element_type))),
          ragged_named(t->context, "tail_elements",
                       ragged_attribute_i64(t->context, ragged_schema_tail_size(schema)))));
}

void host_set_buffer(translation *t, MlirValue value, MlirValue buffer) {
  ragged_value_map_set(t->arena, &t->buffers, value, buffer);
}

MlirValue host_buffer(translation *t, MlirValue value) {
  for (;;) {
    MlirValue buffer = ragged_value_map_get(&t->buffers, value);
    if (!mlirValueIsNull(buffer)) return buffer;
    MlirOperation definition = ragged_value_definition(value);
    if (mlirOperationIsNull(definition) || !is_alias_op(definition)) break;
    value = mlirOperationGetOperand(definition, 0);
  }
  MlirValue scalar = ragged_value_map_get(&t->scalars, value);
  if (mlirValueIsNull(scalar)) {
    translation_fail(t, "reads a value that has no buffer");  // cannot be: made before its uses
    return t->frame;
  }
  return host_value(t, "ragged_tile.from_scalar", translation_type(t, RAGGED_HOST_BUFFER),
                    RAGGED_VALUES(scalar), RAGGED_NONE);
}

MlirValue host_scalar(translation *t, MlirValue value) {
  MlirValue scalar = ragged_value_map_get(&t->scalars, value);
  if (!mlirValueIsNull(scalar)) return scalar;
  MlirValue buffer = ragged_value_map_get(&t->buffers, value);
  if (mlirValueIsNull(buffer)) {
    translation_fail(t, "reads a value that has no number");  // cannot be: made before its uses
    return value;
  }
  return host_value(t, "ragged_tile.to_scalar", mlirValueGetType(value), RAGGED_VALUES(buffer),
                    RAGGED_NONE);
}
