// The interpreter's core: values by name, blocks, functions, and the dispatch of ragged ops.
// Called through ragged_reference_run. Must not know what a single op does.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dialect/op_table.h"
#include "dialect/type_schema.h"
#include "ir/build.h"
#include "ir/location.h"
#include "reference/reference_internal.h"

// ---- Cells and lists ------------------------------------------------------------------------

ragged_reference_cell *ragged_reference_cell_make(void) {
  ragged_reference_cell *cell = calloc(1, sizeof *cell);
  if (cell) cell->references = 1;
  return cell;
}

ragged_reference_cell *ragged_reference_cell_retain(ragged_reference_cell *cell) {
  ++cell->references;
  return cell;
}

void ragged_reference_cell_release(ragged_reference_cell *cell) {
  if (!cell || --cell->references > 0) return;
  ragged_reference_value_free(&cell->value);
  free(cell);
}

ragged_status ragged_reference_list_make(int size, ragged_reference_list *out) {
  *out = (ragged_reference_list){0};
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_array(size, sizeof(ragged_reference_cell *), (void **)&out->cells));
  out->size = size;
  return NULL;
}

void ragged_reference_list_free(ragged_reference_list *list) {
  for (int k = 0; k < list->size; ++k) ragged_reference_cell_release(list->cells[k]);
  free(list->cells);
  *list = (ragged_reference_list){0};
}

ragged_status ragged_reference_list_tail(const ragged_reference_list *list, int count,
                                         ragged_reference_list *out) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_list_make(count, out));
  for (int k = 0; k < count; ++k)
    out->cells[k] = ragged_reference_cell_retain(list->cells[list->size - count + k]);
  return NULL;
}

// ---- Values by name -------------------------------------------------------------------------

// Shares `cell`.
static ragged_status bind(ragged_reference_interpreter *interpreter, MlirValue name,
                          ragged_reference_cell *cell) {
  if (interpreter->num_bindings == interpreter->capacity) {
    int64_t capacity = interpreter->capacity ? 2 * interpreter->capacity : 64;
    ragged_reference_binding *larger;
    RAGGED_RETURN_IF_ERROR(ragged_reference_array(capacity, sizeof *larger, (void **)&larger));
    if (interpreter->num_bindings)
      memcpy(larger, interpreter->bindings, sizeof *larger * (size_t)interpreter->num_bindings);
    free(interpreter->bindings);
    interpreter->bindings = larger;
    interpreter->capacity = capacity;
  }
  interpreter->bindings[interpreter->num_bindings++] =
      (ragged_reference_binding){name, ragged_reference_cell_retain(cell)};
  return NULL;
}

static void unbind_to(ragged_reference_interpreter *interpreter, int64_t scope) {
  while (interpreter->num_bindings > scope)
    ragged_reference_cell_release(interpreter->bindings[--interpreter->num_bindings].cell);
}

static ragged_reference_cell *lookup(const ragged_reference_interpreter *interpreter,
                                     MlirValue name) {
  for (int64_t k = interpreter->num_bindings - 1; k >= interpreter->frame; --k)
    if (mlirValueEqual(interpreter->bindings[k].name, name)) return interpreter->bindings[k].cell;
  return NULL;
}

static ragged_status gather_operands(const ragged_reference_interpreter *interpreter,
                                     MlirOperation operation, ragged_reference_list *out) {
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_list_make((int)mlirOperationGetNumOperands(operation), out));
  for (int k = 0; k < out->size; ++k) {
    ragged_reference_cell *cell = lookup(interpreter, mlirOperationGetOperand(operation, k));
    if (!cell) {
      ragged_reference_list_free(out);
      return ragged_status_make(RAGGED_STATUS_INTERNAL, "operand #%d has no value", k);
    }
    out->cells[k] = ragged_reference_cell_retain(cell);
  }
  return NULL;
}

// ---- Ragged ops -----------------------------------------------------------------------------

static const ragged_reference_op *const kFamilies[] = {
    ragged_reference_elementwise_ops,   ragged_reference_cast_ops,
    ragged_reference_conversion_ops,    ragged_reference_metadata_ops,
    ragged_reference_structure_ops,     ragged_reference_reduction_ops,
    ragged_reference_linear_ops,
    ragged_reference_normalization_ops,
};

static const ragged_reference_op *find_op(MlirOperation operation) {
  for (size_t k = 0; k < sizeof kFamilies / sizeof kFamilies[0]; ++k)
    for (const ragged_reference_op *op = kFamilies[k]; op->name; ++op)
      if (ragged_operation_is(operation, op->name)) return op;
  return NULL;
}

void ragged_reference_finish(const ragged_reference_interpreter *interpreter,
                             MlirOperation operation, const ragged_reference_list *operands,
                             bool moves, int64_t accumulation, ragged_reference_value *result) {
  ragged_reference_accuracy accuracy = {.accumulation = accumulation};
  for (int k = 0; k < operands->size; ++k) {
    const ragged_reference_value *operand = &operands->cells[k]->value;
    // An integer is exact, however it came about: lengths add no error to the values along them.
    bool exact = ragged_reference_is_float(result) && !ragged_reference_is_float(operand);
    if (exact || !ragged_op_reads(operation, k)) continue;
    const ragged_reference_accuracy *own = &operand->accuracy;
    if (own->operations > accuracy.operations) accuracy.operations = own->operations;
    if (own->accumulation > accuracy.accumulation) accuracy.accumulation = own->accumulation;
    // A cast: the error in the operand's type stays, if there is one.
    ragged_element_type type = operands->cells[k]->value.schema.element_type;
    bool cast = own->operations > 0 && ragged_element_is_float(type) &&
                type != result->schema.element_type;
    accuracy.epsilon =
        fmax(accuracy.epsilon, cast ? ragged_reference_epsilon(type, own) : own->epsilon);
    accuracy.smallest = fmax(
        accuracy.smallest, cast ? fmax(ragged_reference_smallest(type), own->smallest) : own->smallest);
  }
  if (!moves) ++accuracy.operations;
  result->accuracy = accuracy;
  if (moves || interpreter->options.mode != RAGGED_REFERENCE_ROUNDED ||
      !ragged_reference_is_float(result))
    return;
  for (int64_t k = 0; k < ragged_reference_num_elements(result); ++k)
    result->numbers[k].real =
        ragged_reference_round(result->schema.element_type, result->numbers[k].real);
}

static ragged_status run_ragged(const ragged_reference_interpreter *interpreter,
                                const ragged_reference_op *op, MlirOperation operation,
                                const ragged_reference_list *operands,
                                ragged_reference_list *results) {
  if (operands->size < 1 || results->size != 1)
    return ragged_status_make(RAGGED_STATUS_INTERNAL, "has %d operands and %d results",
                              operands->size, results->size);
  ragged_reference_cell *cell = results->cells[0] = ragged_reference_cell_make();
  if (!cell) return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for a value");
  const ragged_reference_value **values;
  RAGGED_RETURN_IF_ERROR(
      ragged_reference_array(operands->size, sizeof *values, (void **)&values));
  for (int k = 0; k < operands->size; ++k) values[k] = &operands->cells[k]->value;
  ragged_reference_step step = {.operation = operation,
                                .num_operands = operands->size,
                                .operands = values,
                                .mode = interpreter->options.mode,
                                .result = &cell->value};
  ragged_status status = op->evaluate(&step);
  free(values);
  RAGGED_RETURN_IF_ERROR(status);
  ragged_reference_finish(interpreter, operation, operands, op->moves, step.accumulation,
                          &cell->value);
  return ragged_reference_check_type(&cell->value,
                                     mlirValueGetType(mlirOperationGetResult(operation, 0)),
                                     "result #0");
}

ragged_status ragged_reference_int_array(const ragged_reference_step *step, const char *name,
                                         int *out_count, int64_t out[RAGGED_MAX_RANK]) {
  MlirAttribute attribute = ragged_operation_attribute(step->operation, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsADenseI64Array(attribute))
    return RAGGED_REFERENCE_INVALID("needs an integer array '%s'", name);
  intptr_t count = mlirDenseArrayGetNumElements(attribute);
  if (count > RAGGED_MAX_RANK)
    return RAGGED_REFERENCE_INVALID("'%s' has %lld entries, expected at most %d", name,
                                    (long long)count, RAGGED_MAX_RANK);
  for (intptr_t k = 0; k < count; ++k) out[k] = mlirDenseI64ArrayGetElement(attribute, k);
  *out_count = (int)count;
  return NULL;
}

double ragged_reference_float(const ragged_reference_step *step, const char *name, double absent) {
  MlirAttribute attribute = ragged_operation_attribute(step->operation, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAFloat(attribute)) return absent;
  return mlirFloatAttrGetValueDouble(attribute);
}

ragged_status ragged_reference_rule(const ragged_rule_error *error) {
  return RAGGED_REFERENCE_INVALID("%s", error->message);
}

ragged_status ragged_reference_expect(const ragged_reference_step *step, int k,
                                      ragged_reference_kind kind) {
  if (k >= step->num_operands) return RAGGED_REFERENCE_INVALID("operand #%d is missing", k);
  if (step->operands[k]->kind == kind) return NULL;
  return RAGGED_REFERENCE_INVALID("operand #%d is %s, expected %s", k,
                                  ragged_reference_kind_name(step->operands[k]->kind),
                                  ragged_reference_kind_name(kind));
}

// ---- Blocks and functions -------------------------------------------------------------------

// `status` with the op's location and name in front.
static ragged_status locate(MlirOperation operation, ragged_status status) {
  ragged_arena arena = {0};
  const char *place = ragged_location_text(&arena, ragged_location_of(operation));
  ragged_status located = ragged_status_make(ragged_status_get_code(status), "%s op %s", place,
                                             ragged_status_message(status));
  ragged_arena_free(&arena);
  ragged_status_free(status);
  return located;
}

static ragged_status evaluate(ragged_reference_interpreter *interpreter, MlirOperation operation,
                              const ragged_reference_list *operands,
                              ragged_reference_list *results) {
  ragged_reference_control control = ragged_reference_find_control(operation);
  if (!control) control = ragged_reference_find_arith(operation);
  if (control) return control(interpreter, operation, operands, results);
  const ragged_reference_op *op = find_op(operation);
  if (op) return run_ragged(interpreter, op, operation, operands, results);
  return ragged_status_make(RAGGED_STATUS_UNIMPLEMENTED,
                            "is not implemented by the reference interpreter");
}

static ragged_status run_operation(ragged_reference_interpreter *interpreter,
                                   MlirOperation operation,
                                   const ragged_reference_list *operands) {
  ragged_reference_list results = {0};
  int num_results = (int)mlirOperationGetNumResults(operation);
  if (++interpreter->operations > interpreter->options.max_operations)
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED,
                              "comes after %lld ops, the limit of this run",
                              (long long)interpreter->options.max_operations);
  RAGGED_RETURN_IF_ERROR(ragged_reference_list_make(num_results, &results));
  ragged_status status = evaluate(interpreter, operation, operands, &results);
  for (int k = 0; k < num_results && !status; ++k)
    status = bind(interpreter, mlirOperationGetResult(operation, k), results.cells[k]);
  ragged_reference_list_free(&results);
  return status;
}

static bool is_terminator(MlirOperation operation) {
  return ragged_operation_is(operation, "func.return") ||
         ragged_operation_is(operation, "scf.yield") ||
         ragged_operation_is(operation, "scf.condition");
}

// All ops of the block in their order; *out is the terminator's operands.
static ragged_status run_operations(ragged_reference_interpreter *interpreter, MlirBlock block,
                                    ragged_reference_list *out) {
  for (MlirOperation operation = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(operation); operation = mlirOperationGetNextInBlock(operation)) {
    ragged_reference_list operands = {0};
    ragged_status status = gather_operands(interpreter, operation, &operands);
    if (!status && is_terminator(operation)) {
      *out = operands;
      return NULL;
    }
    if (!status) status = run_operation(interpreter, operation, &operands);
    ragged_reference_list_free(&operands);
    if (!status) continue;
    if (interpreter->located) return status;
    interpreter->located = true;
    return locate(operation, status);
  }
  return ragged_status_make(RAGGED_STATUS_INTERNAL, "a block has no terminator");
}

ragged_status ragged_reference_run_block(ragged_reference_interpreter *interpreter, MlirBlock block,
                                         const ragged_reference_list *arguments,
                                         ragged_reference_list *out) {
  *out = (ragged_reference_list){0};
  if (mlirBlockIsNull(block) || mlirBlockGetNumArguments(block) != arguments->size)
    return ragged_status_make(RAGGED_STATUS_INTERNAL, "a region does not take %d arguments",
                              arguments->size);
  if (interpreter->depth >= interpreter->options.max_depth)
    return RAGGED_REFERENCE_INVALID("recursion is too deep: more than %d nested calls and regions",
                                    interpreter->options.max_depth);
  ++interpreter->depth;
  int64_t scope = interpreter->num_bindings;
  ragged_status status = NULL;
  for (int k = 0; k < arguments->size && !status; ++k)
    status = bind(interpreter, mlirBlockGetArgument(block, k), arguments->cells[k]);
  if (!status) status = run_operations(interpreter, block, out);
  unbind_to(interpreter, scope);
  --interpreter->depth;
  return status;
}

ragged_status ragged_reference_run_function(ragged_reference_interpreter *interpreter,
                                            MlirOperation function,
                                            const ragged_reference_list *arguments,
                                            ragged_reference_list *out) {
  *out = (ragged_reference_list){0};
  MlirBlock body = ragged_operation_body(function);
  if (mlirBlockIsNull(body))
    return RAGGED_REFERENCE_INVALID("function %s has no body",
                                    ragged_operation_string(function, "sym_name"));
  RAGGED_RETURN_IF_ERROR(ragged_reference_check_entry(body, arguments));
  int64_t frame = interpreter->frame;
  interpreter->frame = interpreter->num_bindings;  // a function sees its own values only
  ragged_status status = ragged_reference_run_block(interpreter, body, arguments, out);
  interpreter->frame = frame;
  return status;
}

// ---- The public entry -----------------------------------------------------------------------

static ragged_status copy_arguments(int count, const ragged_reference_value *arguments,
                                    ragged_reference_list *out) {
  RAGGED_RETURN_IF_ERROR(ragged_reference_list_make(count, out));
  for (int k = 0; k < count; ++k) {
    out->cells[k] = ragged_reference_cell_make();
    if (!out->cells[k])
      return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for a value");
    RAGGED_RETURN_IF_ERROR(ragged_reference_value_copy(&arguments[k], &out->cells[k]->value));
    out->cells[k]->value.accuracy = (ragged_reference_accuracy){0};
  }
  return NULL;
}

static ragged_status copy_results(const ragged_reference_list *list, int count,
                                  ragged_reference_value *results) {
  if (list->size != count)
    return RAGGED_REFERENCE_INVALID("the function has %d results, %d were asked for", list->size,
                                    count);
  for (int k = 0; k < count; ++k) {
    ragged_status status = ragged_reference_value_copy(&list->cells[k]->value, &results[k]);
    if (!status) continue;
    for (int j = 0; j < k; ++j) ragged_reference_value_free(&results[j]);
    return status;
  }
  return NULL;
}

ragged_status ragged_reference_run(MlirOperation function, const ragged_reference_options *options,
                                   int num_arguments, const ragged_reference_value *arguments,
                                   int num_results, ragged_reference_value *results) {
  if (!ragged_operation_is(function, "func.func"))
    return RAGGED_REFERENCE_INVALID("what is to be run is no func.func");
  ragged_reference_interpreter interpreter = {0};
  if (options) interpreter.options = *options;
  if (interpreter.options.max_depth <= 0) interpreter.options.max_depth = 512;
  if (interpreter.options.max_operations <= 0) interpreter.options.max_operations = 100000000;
  ragged_reference_list list = {0}, out = {0};
  ragged_status status = copy_arguments(num_arguments, arguments, &list);
  if (!status) status = ragged_reference_run_function(&interpreter, function, &list, &out);
  if (!status) status = copy_results(&out, num_results, results);
  ragged_reference_list_free(&list);
  ragged_reference_list_free(&out);
  free(interpreter.bindings);
  return status;
}
