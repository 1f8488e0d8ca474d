// See run_batch.h. Values are drawn sample by sample, so that a sample alone has the numbers that it
// has in a batch.
#include "run_batch.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dialect/type_schema.h"
#include "draw.h"
#include "ir/build.h"
#include "schema/axis_expression.h"

// ---- Reading a function ----------------------------------------------------------------------

static int find_axis(const run_axes *axes, const char *name) {
  for (int k = 0; k < axes->count; ++k)
    if (!strcmp(axes->names[k], name)) return k;
  return -1;
}

static int add_axis(run_axes *axes, const char *name) {
  int k = find_axis(axes, name);
  if (k >= 0 || axes->count == RUN_MAX_AXES) return k;
  axes->names[axes->count] = name;
  return axes->count++;
}

// The plan of the function argument that a value is; a scrap one for other values.
static run_argument *argument_of(run_function *function, MlirValue value) {
  static run_argument scrap;
  if (!mlirValueIsABlockArgument(value)) return &scrap;
  intptr_t k = mlirBlockArgumentGetArgNumber(value);
  return k < RUN_MAX_ARGUMENTS ? &function->arguments[k] : &scrap;
}

typedef struct reader {
  run_function *function;
  ragged_arena *arena;
} reader;

static void read_creation(const reader *self, MlirOperation op) {
  bool pack = ragged_operation_is(op, "ragged.pack");
  bool offsets = ragged_operation_is(op, "ragged.from_offsets");
  run_argument *values = argument_of(self->function, mlirOperationGetOperand(op, 0));
  values->kind = pack ? ARGUMENT_BOX : ARGUMENT_VALUES;
  values->batch = (int)ragged_operation_int(op, "batch", 0);
  ragged_type_get_schema(mlirValueGetType(mlirOperationGetResult(op, 0)), &values->schema);
  MlirAttribute names = ragged_operation_attribute(op, "axes");
  for (intptr_t k = 0; k < mlirArrayAttrGetNumElements(names); ++k) {
    MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(names, k));
    run_argument *lengths = argument_of(self->function, mlirOperationGetOperand(op, k + 1));
    if (lengths->kind != ARGUMENT_PLAIN) continue;  // another axis of the same lengths
    lengths->kind = offsets ? ARGUMENT_OFFSETS : ARGUMENT_LENGTHS;
    lengths->axis = add_axis(&self->function->axes,
                             ragged_arena_copy_string(self->arena, name.data, name.length));
  }
}

static MlirWalkResult read_operation(MlirOperation op, void *user) {
  const reader *self = user;
  if (ragged_operation_is(op, "ragged.pack") || ragged_operation_is(op, "ragged.from_values") ||
      ragged_operation_is(op, "ragged.from_offsets"))
    read_creation(self, op);
  for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k) {
    ragged_schema schema;
    if (!ragged_type_get_schema(mlirValueGetType(mlirOperationGetResult(op, k)), &schema)) continue;
    int count = ragged_schema_num_ragged(&schema);
    if (count > self->function->most_ragged) self->function->most_ragged = count;
  }
  return MlirWalkResultAdvance;
}

void run_function_read(const ragged_run_program *program, const ragged_rt_entry *entry,
                       ragged_arena *arena, run_function *out) {
  *out = (run_function){.entry = entry};
  ragged_run_program one = *program;
  one.entry = entry;
  out->operation = ragged_run_program_function(&one);
  for (int k = 0; k < entry->num_axes; ++k) add_axis(&out->axes, entry->axes[k]);
  for (int k = 0; k < entry->num_arguments; ++k) {
    int count = ragged_schema_num_ragged(&entry->arguments[k].schema);
    if (count > out->most_ragged) out->most_ragged = count;
  }
  reader self = {out, arena};
  mlirOperationWalk(out->operation, read_operation, &self, MlirWalkPreOrder);
}

ragged_status run_function_check(const run_function *function) {
  const ragged_rt_entry *entry = function->entry;
  if (entry->num_arguments <= RUN_MAX_ARGUMENTS && entry->num_results <= RUN_MAX_ARGUMENTS) return NULL;
  return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                            "%d arguments and %d results, at most %d of each are supported",
                            entry->num_arguments, entry->num_results, RUN_MAX_ARGUMENTS);
}

// ---- Lengths ---------------------------------------------------------------------------------

run_batch run_batch_of_lengths(const run_lengths *lengths, int64_t limit) {
  run_batch batch = {.size = lengths->batch, .poisoned = -1};
  for (int64_t i = 0; i < batch.size; ++i) {
    batch.identity[i] = i;
    for (int k = 0; k < RUN_MAX_AXES; ++k) {
      int64_t extent = k == 0   ? lengths->first[i]
                       : k == 1 ? lengths->second[i]
                                : (2 * lengths->first[i] + lengths->second[i] + k) % 5;
      if (extent == 1000 && limit < 300) extent = 60;
      batch.extents[k][i] = extent < limit ? extent : limit;
    }
  }
  return batch;
}

void run_batch_print(const run_function *function, const run_batch *batch) {
  for (int k = 0; k < function->axes.count; ++k) {
    printf("%s=", function->axes.names[k]);
    for (int64_t i = 0; i < batch->size; ++i)
      printf("%s%" PRId64, i ? "," : "", batch->extents[k][i]);
    printf(" ");
  }
}

// ---- Values ----------------------------------------------------------------------------------

static void write_element(ragged_element_type type, void *values, int64_t k, double number) {
  float real = (float)number;
  uint32_t bits;
  memcpy(&bits, &real, sizeof bits);
  switch (type) {
    case RAGGED_ELEMENT_F64: ((double *)values)[k] = number; break;
    case RAGGED_ELEMENT_F32: ((float *)values)[k] = real; break;
    case RAGGED_ELEMENT_BF16: ((uint16_t *)values)[k] = (uint16_t)(bits >> 16); break;
    case RAGGED_ELEMENT_I64: ((int64_t *)values)[k] = isinf(number) ? INT64_MIN : INT64_MAX / 3; break;
    case RAGGED_ELEMENT_I1: ((uint8_t *)values)[k] = 0x80; break;  // true, though not 1
    case RAGGED_ELEMENT_COUNT: break;
  }
}

static void fill(ragged_element_type type, void *values, int64_t first, int64_t count, double number) {
  for (int64_t k = 0; k < count; ++k) write_element(type, values, first + k, number);
}

// `count` numbers of one sample.
static void draw_sample(const run_batch *batch, int64_t sample, int argument,
                        ragged_element_type type, int64_t count, void *values) {
  if (sample == batch->poisoned) fill(type, values, 0, count, batch->poison);
  else
    ragged_run_draw(1, argument + RUN_MAX_ARGUMENTS * (int)(1 + batch->identity[sample]), type, 1.0,
                    count, values);
}

static ragged_status extents_of(const run_function *function, const run_batch *batch,
                                const char *canonical, int64_t *out) {
  for (int64_t i = 0; i < batch->size; ++i) {
    int64_t current[RUN_MAX_AXES];
    for (int k = 0; k < function->axes.count; ++k) current[k] = batch->extents[k][i];
    RAGGED_RETURN_IF_ERROR(ragged_axis_evaluate(canonical, function->axes.count,
                                                function->axes.names, current, &out[i]));
  }
  return NULL;
}

typedef struct maker {
  const run_function *function;
  const run_batch *batch;
  ragged_arena *arena;
  ragged_rt_context *context;
} maker;

// Rows of each sample.
static ragged_status sample_rows(const maker *self, const ragged_schema *schema, int64_t *out) {
  for (int64_t i = 0; i < self->batch->size; ++i) out[i] = 1;
  for (int d = 0; d < schema->rank; ++d) {
    int64_t extents[RUN_MAX_BATCH];
    if (!schema->dimensions[d].axis) continue;
    RAGGED_RETURN_IF_ERROR(
        extents_of(self->function, self->batch, schema->dimensions[d].axis, extents));
    for (int64_t i = 0; i < self->batch->size; ++i) out[i] *= extents[i];
  }
  return NULL;
}

static void *allocate(int64_t bytes) {
  void *memory = aligned_alloc(64, ((size_t)bytes + 64) / 64 * 64);
  if (!memory) abort();
  return memory;
}

// Packed rows and one more, which is poison.
static ragged_status packed_values(const maker *self, int argument, const ragged_schema *schema,
                                   int64_t *out_rows, void **out_values) {
  int64_t rows[RUN_MAX_BATCH], total = 0, size = ragged_schema_tail_size(schema);
  RAGGED_RETURN_IF_ERROR(sample_rows(self, schema, rows));
  for (int64_t i = 0; i < self->batch->size; ++i) total += rows[i];
  ragged_element_type type = schema->element_type;
  int64_t bytes = (int64_t)ragged_element_size(type);
  char *values = allocate((total + 1) * size * bytes);
  int64_t first = 0;
  for (int64_t i = 0; i < self->batch->size; first += rows[i++])
    draw_sample(self->batch, i, argument, type, rows[i] * size, values + first * size * bytes);
  fill(type, values, total * size, size, NAN);
  *out_rows = total + 1;
  *out_values = values;
  return NULL;
}

// The host wraps what was made here, so that what lies beyond the rows is seen; other devices get a
// copy of the rows, and nothing lies beyond. Takes `values`.
static ragged_status make_tensor(const maker *self, ragged_element_type type, ragged_rt_space *space,
                                 int rank, const int64_t *shape, int64_t rows, void *values,
                                 ragged_rt_tensor **out) {
  bool host = !strcmp(ragged_rt_context_device(self->context), "host");
  if (host && space)
    return ragged_rt_tensor_wrap(self->context, type, space, rank, shape, rows, values, free, values,
                                 out);
  if (host)
    return ragged_rt_tensor_wrap_dense(self->context, type, rank, shape, values, free, values, out);
  ragged_status status =
      ragged_rt_tensor_from_host(self->context, type, space, rank, shape, values, out);
  free(values);
  return status;
}

static ragged_status make_ragged(const maker *self, int k, ragged_rt_tensor **out) {
  const ragged_schema *schema = &self->function->entry->arguments[k].schema;
  const char *names[RAGGED_MAX_RANK];
  ragged_rt_axis *axes[RAGGED_MAX_RANK];
  int count = ragged_schema_space(schema, names);
  int64_t extents[RUN_MAX_BATCH], tail[RAGGED_MAX_RANK], rows;
  ragged_rt_space *space;
  void *values;
  for (int d = 0; d < count; ++d) {
    RAGGED_RETURN_IF_ERROR(extents_of(self->function, self->batch, names[d], extents));
    RAGGED_RETURN_IF_ERROR(ragged_rt_axis_create_from_lengths(self->context, self->batch->size, 64,
                                                              extents, &axes[d]));
  }
  RAGGED_RETURN_IF_ERROR(
      ragged_rt_space_get(self->context, self->batch->size, count, axes, &space));
  for (int d = 0; d < count; ++d) ragged_rt_axis_release(axes[d]);
  RAGGED_RETURN_IF_ERROR(packed_values(self, k, schema, &rows, &values));
  int rank = ragged_schema_tail(schema, tail);
  ragged_status status = make_tensor(self, schema->element_type, space, rank, tail, rows, values,
                                     out);
  ragged_rt_space_release(space);
  return status;
}

// Copies the samples, drawn in logical order, into their places in the box.
static ragged_status make_box(const maker *self, int k, ragged_rt_tensor **out) {
  const run_argument *plan = &self->function->arguments[k];
  const ragged_schema *schema = &plan->schema;
  const ragged_schema *dense = &self->function->entry->arguments[k].schema;
  int64_t extents[RAGGED_MAX_RANK][RUN_MAX_BATCH], shape[RAGGED_MAX_RANK + 1], count = 1;
  int64_t stride[RAGGED_MAX_RANK + 1];
  for (int d = 0; d < schema->rank; ++d) {
    int64_t *own = extents[d], largest = 0;
    if (schema->dimensions[d].axis)
      RAGGED_RETURN_IF_ERROR(
          extents_of(self->function, self->batch, schema->dimensions[d].axis, own));
    else
      for (int64_t i = 0; i < self->batch->size; ++i) own[i] = schema->dimensions[d].extent;
    for (int64_t i = 0; i < self->batch->size; ++i) largest = own[i] > largest ? own[i] : largest;
    int place = d + (d >= plan->batch);
    int64_t declared = dense->dimensions[place].extent;
    shape[place] = declared >= 0 ? declared : largest + 1;
  }
  shape[plan->batch] = self->batch->size;
  for (int d = schema->rank; d >= 0; --d) {
    stride[d] = count;
    count *= shape[d];
  }
  ragged_element_type type = schema->element_type;
  size_t bytes = ragged_element_size(type);
  char *values = allocate(count * (int64_t)bytes);
  fill(type, values, 0, count, NAN);
  for (int64_t i = 0; i < self->batch->size; ++i) {
    int64_t size = 1, at[RAGGED_MAX_RANK] = {0};
    for (int d = 0; d < schema->rank; ++d) size *= extents[d][i];
    char *sample = allocate(size * (int64_t)bytes);
    draw_sample(self->batch, i, k, type, size, sample);
    for (int64_t e = 0; e < size; ++e) {
      int64_t offset = i * stride[plan->batch];
      for (int d = 0; d < schema->rank; ++d) offset += at[d] * stride[d + (d >= plan->batch)];
      memcpy(values + offset * (int64_t)bytes, sample + e * (int64_t)bytes, bytes);
      for (int d = schema->rank - 1; d >= 0 && ++at[d] == extents[d][i]; --d) at[d] = 0;
    }
    free(sample);
  }
  return make_tensor(self, type, NULL, schema->rank + 1, shape, 0, values, out);
}

static ragged_status make_dense(const maker *self, int k, ragged_rt_tensor **out) {
  const run_argument *plan = &self->function->arguments[k];
  const ragged_rt_value_type *type = &self->function->entry->arguments[k];
  int64_t shape[RAGGED_MAX_RANK], count = 1;
  void *values = NULL;
  int rank = type->schema.rank;
  for (int d = 0; d < rank; ++d)
    shape[d] = type->schema.dimensions[d].extent < 0 ? 5 : type->schema.dimensions[d].extent;
  if (plan->kind == ARGUMENT_VALUES) {
    RAGGED_RETURN_IF_ERROR(packed_values(self, k, &plan->schema, &shape[0], &values));
  } else if (plan->kind == ARGUMENT_LENGTHS || plan->kind == ARGUMENT_OFFSETS) {
    bool offsets = plan->kind == ARGUMENT_OFFSETS;
    shape[0] = self->batch->size + offsets;
    int64_t *numbers = values = allocate(shape[0] * 8), total = 0;
    numbers[0] = 0;
    for (int64_t i = 0; i < self->batch->size; ++i) {
      total += self->batch->extents[plan->axis][i];
      numbers[i + offsets] = offsets ? total : self->batch->extents[plan->axis][i];
    }
  } else {
    for (int d = 0; d < rank; ++d) count *= shape[d];
    values = allocate(count * (int64_t)ragged_element_size(type->schema.element_type));
    double scale = rank == 2 && shape[1] ? 1.0 / sqrt((double)shape[1]) : 1.0;
    ragged_run_draw(2, k, type->schema.element_type, scale, count, values);
  }
  return make_tensor(self, type->schema.element_type, NULL, rank, shape, 0, values, out);
}

ragged_status run_batch_arguments(const run_function *function, const run_batch *batch,
                                  ragged_arena *arena, ragged_rt_context *context,
                                  ragged_rt_tensor **tensors) {
  maker self = {function, batch, arena, context};
  for (int k = 0; k < function->entry->num_arguments; ++k) {
    if (function->entry->arguments[k].kind == RAGGED_RT_VALUE_RAGGED)
      RAGGED_RETURN_IF_ERROR(make_ragged(&self, k, &tensors[k]));
    else if (function->arguments[k].kind == ARGUMENT_BOX)
      RAGGED_RETURN_IF_ERROR(make_box(&self, k, &tensors[k]));
    else
      RAGGED_RETURN_IF_ERROR(make_dense(&self, k, &tensors[k]));
  }
  return NULL;
}
