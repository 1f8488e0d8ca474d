// scf.if, scf.for, scf.while, func.call, ragged.call and tensor.extract. Called by reference_run.c.
#include <string.h>

#include "dialect/type_schema.h"
#include "ir/build.h"
#include "reference/reference_internal.h"

static MlirBlock region_block(MlirOperation operation, intptr_t region) {
  if (region >= mlirOperationGetNumRegions(operation)) return (MlirBlock){NULL};
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, region));
}

// Moves `from` into the results, which must be as many.
static ragged_status give_results(ragged_reference_list *from, ragged_reference_list *results) {
  if (from->size != results->size) {
    int size = from->size;
    ragged_reference_list_free(from);
    return ragged_status_make(RAGGED_STATUS_INTERNAL, "yields %d values for %d results", size,
                              results->size);
  }
  ragged_reference_list_free(results);
  *results = *from;
  *from = (ragged_reference_list){0};
  return NULL;
}

static int64_t scalar(const ragged_reference_list *list, int k) {
  return list->cells[k]->value.numbers[0].integer;
}

static ragged_status run_if(ragged_reference_interpreter *interpreter, MlirOperation operation,
                            const ragged_reference_list *operands, ragged_reference_list *results) {
  MlirBlock block = region_block(operation, scalar(operands, 0) ? 0 : 1);
  if (mlirBlockIsNull(block)) return NULL;  // no else: there are no results
  ragged_reference_list none = {0}, yielded = {0};
  RAGGED_RETURN_IF_ERROR(ragged_reference_run_block(interpreter, block, &none, &yielded));
  return give_results(&yielded, results);
}

// A list that begins with the induction value and goes on with `carried`.
static ragged_status make_iteration(int64_t induction, const ragged_reference_list *carried,
                                    ragged_reference_list *out) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_list_make(carried->size + 1, out));
  for (int k = 0; k < carried->size; ++k)
    out->cells[k + 1] = ragged_reference_cell_retain(carried->cells[k]);
  out->cells[0] = ragged_reference_cell_make();
  if (!out->cells[0])
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for a value");
  return ragged_reference_from_integer(induction, &out->cells[0]->value);
}

static ragged_status run_for(ragged_reference_interpreter *interpreter, MlirOperation operation,
                             const ragged_reference_list *operands,
                             ragged_reference_list *results) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(operation, 0));
  int width = mlirTypeIsAInteger(type) ? (int)mlirIntegerTypeGetWidth(type) : 64;
  bool as_unsigned = ragged_operation_has(operation, "unsignedCmp");
  int64_t bounds[3];
  for (int k = 0; k < 3; ++k) {
    int64_t number = scalar(operands, k);
    bounds[k] = as_unsigned ? (int64_t)ragged_reference_as_unsigned(number, width) : number;
  }
  uint64_t lower = (uint64_t)bounds[0], upper = (uint64_t)bounds[1], by = (uint64_t)bounds[2];
  if (bounds[2] <= 0)
    return RAGGED_REFERENCE_INVALID("has a step of %lld, expected 1 or more", (long long)bounds[2]);
  // The counter may leave its type behind the last turn.
  bool runs = as_unsigned ? lower < upper : bounds[0] < bounds[1];
  uint64_t turns = runs ? (upper - lower - 1) / by + 1 : 0;
  ragged_reference_list carried = {0};
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_list_tail(operands, operands->size - 3, &carried));
  ragged_status status = NULL;
  for (uint64_t turn = 0; !status && turn < turns; ++turn) {
    ragged_reference_list arguments = {0}, yielded = {0};
    status = make_iteration(ragged_reference_wrap((int64_t)(lower + turn * by), width), &carried,
                            &arguments);
    // An empty body also takes a turn, so that every run ends.
    if (!status && ++interpreter->operations > interpreter->options.max_operations)
      status = ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED,
                                  "comes after %lld ops, the limit of this run",
                                  (long long)interpreter->options.max_operations);
    if (!status)
      status = ragged_reference_run_block(interpreter, region_block(operation, 0), &arguments,
                                          &yielded);
    ragged_reference_list_free(&arguments);
    ragged_reference_list_free(&carried);
    carried = yielded;
  }
  if (!status) return give_results(&carried, results);
  ragged_reference_list_free(&carried);
  return status;
}

static ragged_status run_while(ragged_reference_interpreter *interpreter, MlirOperation operation,
                               const ragged_reference_list *operands,
                               ragged_reference_list *results) {
  ragged_reference_list carried = {0};
  RAGGED_RETURN_IF_ERROR(ragged_reference_list_tail(operands, operands->size, &carried));
  for (;;) {
    // The condition's operands: whether to go on, and what the body takes or the loop gives.
    ragged_reference_list condition = {0}, passed = {0};
    ragged_status status = NULL;
    if (++interpreter->operations > interpreter->options.max_operations)
      status = ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED,
                                  "comes after %lld ops, the limit of this run",
                                  (long long)interpreter->options.max_operations);
    if (!status)
      status = ragged_reference_run_block(interpreter, region_block(operation, 0), &carried,
                                          &condition);
    ragged_reference_list_free(&carried);
    RAGGED_RETURN_IF_ERROR(status);
    bool go_on = condition.size > 0 && scalar(&condition, 0);
    status = ragged_reference_list_tail(&condition, condition.size > 0 ? condition.size - 1 : 0,
                                        &passed);
    ragged_reference_list_free(&condition);
    RAGGED_RETURN_IF_ERROR(status);
    if (!go_on) return give_results(&passed, results);
    status = ragged_reference_run_block(interpreter, region_block(operation, 1), &passed, &carried);
    ragged_reference_list_free(&passed);
    RAGGED_RETURN_IF_ERROR(status);
  }
}

// ---- Calls ----------------------------------------------------------------------------------

static ragged_status find_callee(MlirOperation operation, MlirOperation *out) {
  const char *name = ragged_operation_string(operation, "callee");
  MlirOperation module = operation;
  while (!mlirOperationIsNull(module) && !ragged_operation_is(module, "builtin.module"))
    module = mlirOperationGetParentOperation(module);
  if (name && !mlirOperationIsNull(module)) *out = ragged_module_lookup(module, name);
  if (!name || mlirOperationIsNull(module) || !ragged_operation_is(*out, "func.func"))
    return RAGGED_REFERENCE_INVALID("calls %s, which is no function of the module",
                                    name ? name : "nothing");
  return NULL;
}

static ragged_status run_func_call(ragged_reference_interpreter *interpreter,
                                   MlirOperation operation, const ragged_reference_list *operands,
                                   ragged_reference_list *results) {
  MlirOperation callee = {NULL};
  ragged_reference_list returned = {0};
  RAGGED_RETURN_IF_ERROR(find_callee(operation, &callee));
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_run_function(interpreter, callee, operands, &returned));
  return give_results(&returned, results);
}

// True when the schemas differ in axis names at most.
static bool equal_but_for_names(const ragged_schema *a, const ragged_schema *b) {
  if (a->rank != b->rank || a->element_type != b->element_type) return false;
  for (int d = 0; d < a->rank; ++d) {
    ragged_dimension x = a->dimensions[d], y = b->dimensions[d];
    if (a->order[d] != b->order[d] || !x.axis != !y.axis) return false;
    if (!x.axis && x.extent != y.extent) return false;
  }
  return true;
}

// Replaces the cell by its value under the axis names of `type`.
static ragged_status rename_axes(ragged_reference_cell **cell, MlirType type, const char *what,
                                 int k) {
  ragged_schema schema;
  if (!ragged_type_get_schema(type, &schema)) return NULL;
  if ((*cell)->value.kind != RAGGED_REFERENCE_RAGGED ||
      !equal_but_for_names(&(*cell)->value.schema, &schema))
    return RAGGED_REFERENCE_INVALID("%s #%d does not have the type that the callee says", what, k);
  if (ragged_schema_equal(&(*cell)->value.schema, &schema)) return NULL;
  ragged_reference_cell *renamed = ragged_reference_cell_make();
  if (!renamed) return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for a value");
  ragged_status status = ragged_reference_value_copy(&(*cell)->value, &renamed->value);
  if (status) {
    ragged_reference_cell_release(renamed);
    return status;
  }
  renamed->value.schema = schema;
  ragged_reference_cell_release(*cell);
  *cell = renamed;
  return NULL;
}

static ragged_status rename_results(MlirOperation operation, ragged_reference_list *list) {
  for (int k = 0; k < list->size && k < mlirOperationGetNumResults(operation); ++k) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(operation, k));
    if (ragged_type_is_unknown(type))
      return ragged_status_make(RAGGED_STATUS_UNIMPLEMENTED,
                                "has result #%d of an unknown schema; propagate schemas first", k);
    RAGGED_RETURN_IF_ERROR(rename_axes(&list->cells[k], type, "result", k));
  }
  return NULL;
}

static ragged_status run_ragged_call(ragged_reference_interpreter *interpreter,
                                     MlirOperation operation,
                                     const ragged_reference_list *operands,
                                     ragged_reference_list *results) {
  MlirOperation callee = {NULL};
  RAGGED_RETURN_IF_ERROR(find_callee(operation, &callee));
  MlirBlock body = ragged_operation_body(callee);
  ragged_reference_list arguments = {0}, returned = {0};
  ragged_status status = ragged_reference_list_tail(operands, operands->size, &arguments);
  for (int k = 0; k < arguments.size && !status && !mlirBlockIsNull(body); ++k)
    if (k < mlirBlockGetNumArguments(body))
      status = rename_axes(&arguments.cells[k], mlirValueGetType(mlirBlockGetArgument(body, k)),
                           "operand", k);
  if (!status) status = ragged_reference_run_function(interpreter, callee, &arguments, &returned);
  if (!status) status = rename_results(operation, &returned);
  if (!status) status = give_results(&returned, results);
  ragged_reference_list_free(&arguments);
  ragged_reference_list_free(&returned);
  return status;
}

// The number in a builtin tensor of rank 0.
static ragged_status run_extract(ragged_reference_interpreter *interpreter, MlirOperation operation,
                                 const ragged_reference_list *operands,
                                 ragged_reference_list *results) {
  if (operands->size != 1 || results->size != 1)
    return RAGGED_REFERENCE_INVALID("reads an element of a tensor of rank %d, expected rank 0",
                                    operands->size - 1);
  const ragged_reference_value *x = &operands->cells[0]->value;
  if (x->kind != RAGGED_REFERENCE_DENSE || x->schema.rank)
    return RAGGED_REFERENCE_INVALID("operand #0 is no builtin tensor of rank 0");
  ragged_reference_cell *cell = results->cells[0] = ragged_reference_cell_make();
  if (!cell) return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for a value");
  RAGGED_RETURN_IF_ERROR(ragged_reference_value_copy(x, &cell->value));
  cell->value.kind = RAGGED_REFERENCE_SCALAR;
  if (!ragged_reference_is_float(x)) cell->value.schema.element_type = RAGGED_ELEMENT_I64;
  ragged_reference_finish(interpreter, operation, operands, true, 0, &cell->value);
  return NULL;
}

static const struct {
  const char *name;
  ragged_reference_control run;
} kControls[] = {
    {"scf.if", run_if},          {"scf.for", run_for},           {"scf.while", run_while},
    {"func.call", run_func_call}, {"ragged.call", run_ragged_call},
    {"tensor.extract", run_extract},
};

ragged_reference_control ragged_reference_find_control(MlirOperation operation) {
  for (size_t k = 0; k < sizeof kControls / sizeof kControls[0]; ++k)
    if (ragged_operation_is(operation, kControls[k].name)) return kControls[k].run;
  return NULL;
}
