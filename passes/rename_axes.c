// See rename_axes.h. Recursion is bounded: ragged_program_read refuses deep nesting, and so does
// collecting, which the inliner does before it copies a callee.
#include "passes/rename_axes.h"

#include "dialect/diagnostic.h"
#include "dialect/type_schema.h"
#include "ir/build.h"
#include "passes/program.h"
#include "schema/axis_expression.h"

// ---- Collecting -----------------------------------------------------------------------------

void ragged_collect_created(MlirOperation operation, ragged_name_table *names) {
  if (!ragged_operation_in_dialect(operation, "ragged.")) return;
  MlirAttribute axes = ragged_operation_attribute(operation, "axes");
  if (mlirAttributeIsNull(axes) || !mlirAttributeIsAArray(axes)) return;
  for (intptr_t k = 0; k < mlirArrayAttrGetNumElements(axes); ++k) {
    MlirAttribute name = mlirArrayAttrGetElement(axes, k);
    if (mlirAttributeIsAString(name))
      ragged_name_table_add(names, ragged_attribute_text(name));
  }
}

static bool collect(MlirOperation operation, ragged_name_table *names, int64_t *budget, int depth) {
  if (--*budget <= 0 || depth > RAGGED_MAX_NESTING) return false;
  ragged_collect_created(operation, names);
  for (intptr_t k = 0; k < mlirOperationGetNumResults(operation); ++k)
    ragged_name_table_add_type(names, mlirValueGetType(mlirOperationGetResult(operation, k)),
                               false);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(operation); ++r)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      for (intptr_t k = 0; k < mlirBlockGetNumArguments(block); ++k)
        ragged_name_table_add_type(names, mlirValueGetType(mlirBlockGetArgument(block, k)), false);
      for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
           op = mlirOperationGetNextInBlock(op))
        if (!collect(op, names, budget, depth + 1)) return false;
    }
  return true;
}

bool ragged_collect_axes(MlirOperation operation, ragged_name_table *names, int64_t *budget) {
  return collect(operation, names, budget, 0);
}

// ---- Renaming -------------------------------------------------------------------------------

typedef struct renamer {
  const ragged_substitution *substitution;
  MlirOperation call;
  ragged_arena *arena;
  MlirType last_type, last_renamed;  // most values have the type of the one before
} renamer;

static bool rename_value(renamer *r, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  ragged_schema schema, renamed;
  ragged_rule_error error;
  if (!ragged_type_get_schema(type, &schema)) return true;
  if (mlirTypeIsNull(r->last_type) || !mlirTypeEqual(type, r->last_type)) {
    if (!ragged_rule_substitute(&schema, r->substitution, r->arena, &renamed, &error))
      return ragged_op_error(r->call, "cannot be inlined: %s", error.message);
    r->last_renamed = ragged_type_from_schema(mlirTypeGetContext(type), &renamed);
    r->last_type = type;
  }
  mlirValueSetType(value, r->last_renamed);
  return true;
}

// The new text of an axis that an attribute says; null after a diagnostic.
static const char *rename_text(renamer *r, const char *text) {
  const char *renamed = NULL;
  const ragged_substitution *s = r->substitution;
  ragged_status status =
      ragged_axis_substitute(r->arena, text, s->size, s->from, s->to, &renamed);
  if (!status) return renamed;
  ragged_op_error(r->call, "cannot be inlined: %s", ragged_status_message(status));
  ragged_status_free(status);
  return NULL;
}

static bool rename_string(renamer *r, MlirOperation operation, const char *name) {
  MlirAttribute attribute = ragged_operation_attribute(operation, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAString(attribute)) return true;
  const char *renamed = rename_text(r, ragged_attribute_text(attribute));
  if (!renamed) return false;
  mlirOperationSetAttributeByName(operation, mlirStringRefCreateFromCString(name),
                                  ragged_attribute_string(mlirOperationGetContext(operation),
                                                          renamed));
  return true;
}

static bool rename_array(renamer *r, MlirOperation operation, const char *name) {
  MlirAttribute attribute = ragged_operation_attribute(operation, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAArray(attribute)) return true;
  MlirContext context = mlirOperationGetContext(operation);
  intptr_t count = mlirArrayAttrGetNumElements(attribute);
  MlirAttribute *elements = RAGGED_ARENA_ARRAY(r->arena, MlirAttribute, count + 1);
  for (intptr_t k = 0; k < count; ++k) {
    elements[k] = mlirArrayAttrGetElement(attribute, k);
    if (!mlirAttributeIsAString(elements[k])) return true;
    const char *renamed = rename_text(r, ragged_attribute_text(elements[k]));
    if (!renamed) return false;
    elements[k] = ragged_attribute_string(context, renamed);
  }
  mlirOperationSetAttributeByName(operation, mlirStringRefCreateFromCString(name),
                                  mlirArrayAttrGet(context, count, elements));
  return true;
}

// A chain of calls is shown up to this length: a location's printer recurses along it.
#define MAX_CALL_SITES 16

static void add_call_site(MlirOperation operation, MlirOperation call) {
  MlirLocation location = mlirOperationGetLocation(operation), inner = location;
  int depth = 0;
  for (; mlirLocationIsACallSite(inner); inner = mlirLocationCallSiteGetCallee(inner)) ++depth;
  if (depth < MAX_CALL_SITES)
    mlirOperationSetLocation(operation,
                             mlirLocationCallSiteGet(location, mlirOperationGetLocation(call)));
}

static bool rename_operation(renamer *r, MlirOperation operation) {
  for (intptr_t k = 0; k < mlirOperationGetNumResults(operation); ++k)
    if (!rename_value(r, mlirOperationGetResult(operation, k))) return false;
  if (ragged_operation_in_dialect(operation, "ragged.") &&
      !(rename_array(r, operation, "axes") && rename_string(r, operation, "to")))
    return false;
  add_call_site(operation, r->call);
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(operation); ++i)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, i));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      for (intptr_t k = 0; k < mlirBlockGetNumArguments(block); ++k)
        if (!rename_value(r, mlirBlockGetArgument(block, k))) return false;
      for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
           op = mlirOperationGetNextInBlock(op))
        if (!rename_operation(r, op)) return false;
    }
  return true;
}

bool ragged_rename_axes(MlirOperation operation, const ragged_substitution *substitution,
                        MlirOperation call, ragged_arena *arena) {
  renamer r = {.substitution = substitution, .call = call, .arena = arena};
  return rename_operation(&r, operation);
}
