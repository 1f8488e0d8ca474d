// What a value must be to stand for a type, and the checks at the entry of a function: the same ones
// that compiled code makes once per call. Called by reference_run.c.
#include <stdlib.h>
#include <string.h>

#include "dialect/type_schema.h"
#include "mlir-c/BuiltinTypes.h"
#include "reference/reference_internal.h"
#include "schema/axis_expression.h"

// ---- Types ----------------------------------------------------------------------------------

static ragged_status mismatch(const ragged_reference_value *value, MlirType type,
                              const char *what) {
  ragged_arena arena = {0};
  ragged_string_buffer own = {0};
  ragged_schema_print(&value->schema, &own);
  ragged_status status =
      RAGGED_REFERENCE_INVALID("%s is %s (%s), expected %s", what,
                               ragged_reference_kind_name(value->kind), own.data,
                               ragged_type_text(&arena, type));
  ragged_string_free(&own);
  ragged_arena_free(&arena);
  return status;
}

static bool fits_dense(const ragged_schema *own, const ragged_schema *declared) {
  if (own->rank != declared->rank || own->element_type != declared->element_type) return false;
  for (int d = 0; d < own->rank; ++d)
    if (declared->dimensions[d].extent >= 0 &&
        declared->dimensions[d].extent != own->dimensions[d].extent)
      return false;
  return true;
}

ragged_status ragged_reference_check_type(const ragged_reference_value *value, MlirType type,
                                          const char *what) {
  const ragged_schema *own = &value->schema;
  ragged_schema declared;
  ragged_element_type element_type;
  bool fits;
  if (ragged_type_is_unknown(type)) {
    fits = value->kind == RAGGED_REFERENCE_RAGGED &&
           ragged_type_get_element(type, &element_type) && element_type == own->element_type;
  } else if (ragged_type_get_schema(type, &declared)) {
    fits = value->kind == RAGGED_REFERENCE_RAGGED && ragged_schema_equal(own, &declared);
  } else if (mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type)) {
    fits = value->kind == RAGGED_REFERENCE_SCALAR && own->element_type == RAGGED_ELEMENT_I64;
  } else if (ragged_type_get_dense(type, &declared)) {
    fits = value->kind == RAGGED_REFERENCE_DENSE && fits_dense(own, &declared);
  } else if (ragged_type_is_scalar(type) && ragged_type_get_element(type, &element_type)) {
    fits = value->kind == RAGGED_REFERENCE_SCALAR && own->element_type == element_type;
  } else {
    ragged_arena arena = {0};
    ragged_status status =
        ragged_status_make(RAGGED_STATUS_UNIMPLEMENTED,
                           "%s has type %s, which the reference interpreter does not know", what,
                           ragged_type_text(&arena, type));
    ragged_arena_free(&arena);
    return status;
  }
  return fits ? NULL : mismatch(value, type, what);
}

// ---- Axes of the arguments ------------------------------------------------------------------

// Where an axis was met first.
typedef struct axis_use {
  const char *axis;
  int argument, dimension;
} axis_use;

typedef struct axis_uses {
  const ragged_reference_list *arguments;
  int count;
  axis_use *uses;
} axis_uses;

static int64_t extent_of(const axis_uses *axes, const axis_use *use, int64_t sample) {
  return ragged_reference_extents(&axes->arguments->cells[use->argument]->value,
                                  sample)[use->dimension];
}

static const axis_use *find_use(const axis_uses *axes, const char *axis) {
  for (int k = 0; k < axes->count; ++k)
    if (!strcmp(axes->uses[k].axis, axis)) return &axes->uses[k];
  return NULL;
}

// Arguments that bear one axis have its extents.
static ragged_status check_equal_axes(axis_uses *axes) {
  for (int n = 0; n < axes->arguments->size; ++n) {
    const ragged_reference_value *value = &axes->arguments->cells[n]->value;
    for (int d = 0; d < value->schema.rank; ++d) {
      const char *axis = value->schema.dimensions[d].axis;
      if (!axis) continue;
      axis_use own = {axis, n, d};
      const axis_use *first = find_use(axes, axis);
      if (!first) {
        axes->uses[axes->count++] = own;
        continue;
      }
      for (int64_t i = 0; i < value->batch; ++i)
        if (extent_of(axes, &own, i) != extent_of(axes, first, i))
          return RAGGED_REFERENCE_INVALID(
              "axis %s has extent %lld in sample %lld of argument #%d, expected %lld as in argument "
              "#%d",
              axis, (long long)extent_of(axes, &own, i), (long long)i, n,
              (long long)extent_of(axes, first, i), first->argument);
    }
  }
  return NULL;
}

typedef struct name_search {
  const axis_uses *axes;
  int count;
  const char *names[64];
  const axis_use *uses[64];
  bool missing;
} name_search;

static void note_name(const char *name, void *user) {
  name_search *search = user;
  const axis_use *use = find_use(search->axes, name);
  if (!use || search->count == 64) {
    search->missing = true;
    return;
  }
  search->names[search->count] = use->axis;
  search->uses[search->count++] = use;
}

// An axis that is an expression has the value that its names give, where arguments bear them all.
static ragged_status check_expression(const axis_uses *axes, const axis_use *use,
                                      ragged_arena *arena) {
  name_search search = {.axes = axes};
  if (ragged_axis_is_name(use->axis)) return NULL;
  RAGGED_RETURN_IF_ERROR(ragged_axis_visit_names(arena, use->axis, note_name, &search));
  if (search.missing) return NULL;
  for (int64_t i = 0; i < axes->arguments->cells[use->argument]->value.batch; ++i) {
    int64_t values[64], expected;
    for (int k = 0; k < search.count; ++k) values[k] = extent_of(axes, search.uses[k], i);
    RAGGED_RETURN_IF_ERROR(
        ragged_axis_evaluate(use->axis, search.count, search.names, values, &expected));
    if (extent_of(axes, use, i) != expected)
      return RAGGED_REFERENCE_INVALID(
          "axis %s has extent %lld in sample %lld of argument #%d, but its value is %lld", use->axis,
          (long long)extent_of(axes, use, i), (long long)i, use->argument, (long long)expected);
  }
  return NULL;
}

static ragged_status check_batches(const ragged_reference_list *arguments) {
  int first = -1;
  for (int n = 0; n < arguments->size; ++n) {
    const ragged_reference_value *value = &arguments->cells[n]->value;
    if (value->kind != RAGGED_REFERENCE_RAGGED) continue;
    if (first < 0) first = n;
    int64_t expected = arguments->cells[first]->value.batch;
    if (value->batch != expected)
      return RAGGED_REFERENCE_INVALID(
          "argument #%d has a batch of %lld, expected %lld as in argument #%d", n,
          (long long)value->batch, (long long)expected, first);
  }
  return NULL;
}

ragged_status ragged_reference_check_entry(MlirBlock body,
                                           const ragged_reference_list *arguments) {
  intptr_t count = mlirBlockGetNumArguments(body);
  if (count != arguments->size)
    return RAGGED_REFERENCE_INVALID("the function has %d arguments, %d were given", (int)count,
                                    arguments->size);
  ragged_arena arena = {0};
  ragged_status status = NULL;
  for (int n = 0; n < arguments->size && !status; ++n)
    status = ragged_reference_check_type(&arguments->cells[n]->value,
                                         mlirValueGetType(mlirBlockGetArgument(body, n)),
                                         ragged_arena_format(&arena, "argument #%d", n));
  if (!status) status = check_batches(arguments);
  axis_uses axes = {.arguments = arguments};
  axes.uses = RAGGED_ARENA_ARRAY(&arena, axis_use, arguments->size * RAGGED_MAX_RANK);
  if (!status) status = check_equal_axes(&axes);
  for (int k = 0; k < axes.count && !status; ++k)
    status = check_expression(&axes, &axes.uses[k], &arena);
  ragged_arena_free(&arena);
  return status;
}
