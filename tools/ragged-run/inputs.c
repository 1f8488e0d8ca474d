// See inputs.h.
#include "inputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "file.h"
#include "npy.h"
#include "ragged-c/run.h"
#include "support/checked.h"
#include "support/string_buffer.h"

#define MISTAKE(...) ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, __VA_ARGS__)

typedef struct input_maker {
  const ragged_run_options *options;
  const ragged_run_lengths *lengths;
  ragged_arena *arena;
  ragged_rt_context *context;
  ragged_rt_axis **axes;  // of the entry
} input_maker;

static void append(MlirStringRef text, void *buffer) {
  ragged_string_append(buffer, text.data, text.length);
}

const char *ragged_run_type_text(ragged_arena *arena, const ragged_rt_value_type *type) {
  ragged_string_buffer text = {0};
  raggedValueTypePrint(type, append, &text);
  const char *copy = ragged_arena_copy_string(arena, text.data, text.length);
  ragged_string_free(&text);
  return copy;
}

// "argument #1, !ragged.tensor<[n, 4], f32>"
static const char *name_argument(const input_maker *maker, int k,
                                 const ragged_rt_value_type *type) {
  return ragged_arena_format(maker->arena, "argument #%d, %s", k,
                             ragged_run_type_text(maker->arena, type));
}

static ragged_status in_place(const char *name, ragged_status status) {
  if (!status) return NULL;
  ragged_status wrapped =
      ragged_status_make(ragged_status_get_code(status), "%s: %s", name,
                         ragged_status_message(status));
  ragged_status_free(status);
  return wrapped;
}

// ---- Spaces ---------------------------------------------------------------------------------

static ragged_status make_plain_axes(input_maker *maker) {
  const ragged_run_lengths *lengths = maker->lengths;
  maker->axes = RAGGED_ARENA_ARRAY(maker->arena, ragged_rt_axis *, lengths->num_axes);
  for (int k = 0; k < lengths->num_axes; ++k) {
    ragged_status status = ragged_rt_axis_create_from_lengths(
        maker->context, lengths->batch, 64, lengths->extents[k], &maker->axes[k]);
    if (status)
      return in_place(ragged_arena_format(maker->arena, "--axis %s", lengths->names[k]), status);
  }
  return NULL;
}

// A reference to the axis of a canonical expression.
static ragged_status get_axis(const input_maker *maker, const char *canonical,
                              ragged_rt_axis **out) {
  const ragged_run_lengths *lengths = maker->lengths;
  for (int k = 0; k < lengths->num_axes; ++k) {
    if (strcmp(lengths->names[k], canonical)) continue;
    ragged_rt_axis_retain(maker->axes[k]);
    *out = maker->axes[k];
    return NULL;
  }
  const int64_t *extents;
  RAGGED_RETURN_IF_ERROR(ragged_run_lengths_evaluate(lengths, canonical, maker->arena, &extents));
  return ragged_rt_axis_create_from_lengths(maker->context, lengths->batch, 64, extents, out);
}

static ragged_status make_space(const input_maker *maker, const ragged_schema *schema,
                                ragged_rt_space **out) {
  const char *names[RAGGED_MAX_RANK];
  ragged_rt_axis *axes[RAGGED_MAX_RANK] = {NULL};
  int count = ragged_schema_space(schema, names);
  ragged_status status = NULL;
  for (int k = 0; k < count && !status; ++k) status = get_axis(maker, names[k], &axes[k]);
  if (!status)
    status = ragged_rt_space_get(maker->context, maker->lengths->batch, count, axes, out);
  for (int k = 0; k < count; ++k) ragged_rt_axis_release(axes[k]);
  return status;
}

// ---- Values ---------------------------------------------------------------------------------

// Shape of the values: [rows, tail...], or the dense shape with -1 for what only data can tell.
typedef struct value_shape {
  int rank;
  int64_t extents[RAGGED_MAX_RANK + 1];
  bool packed;  // extent 0 is the number of rows that the lengths make
} value_shape;

static const char *print_shape(ragged_arena *arena, int rank, const int64_t *extents) {
  const char *text = "[";
  for (int k = 0; k < rank; ++k) {
    const char *separator = k ? ", " : "";
    if (extents[k] < 0)
      text = ragged_arena_format(arena, "%s%s?", text, separator);
    else
      text = ragged_arena_format(arena, "%s%s%lld", text, separator, (long long)extents[k]);
  }
  return ragged_arena_format(arena, "%s]", text);
}

// A buffer may have more rows than its space, but a file that has them was most likely given the wrong
// lengths.
static ragged_status check_shape(const input_maker *maker, const char *path,
                                 const value_shape *shape, const ragged_npy *array) {
  bool fits = array->rank == shape->rank;
  for (int k = 0; fits && k < shape->rank; ++k)
    fits = shape->extents[k] < 0 || array->shape[k] == shape->extents[k];
  if (fits) return NULL;
  bool rows = shape->packed && array->rank == shape->rank && array->shape[0] != shape->extents[0];
  return MISTAKE("'%s' has shape %s, expected %s%s", path,
                 print_shape(maker->arena, array->rank, array->shape),
                 print_shape(maker->arena, shape->rank, shape->extents),
                 rows ? ragged_arena_format(maker->arena, ": the lengths make %lld row%s",
                                            (long long)shape->extents[0],
                                            shape->extents[0] == 1 ? "" : "s")
                      : "");
}

static ragged_status read_values(const input_maker *maker, const char *path,
                                 ragged_element_type element_type, value_shape *shape,
                                 void **out) {
  ragged_npy array;
  const char *type = ragged_npy_type(element_type);
  RAGGED_RETURN_IF_ERROR(ragged_npy_read(path, 1, &type, &array));
  ragged_status status = check_shape(maker, path, shape, &array);
  if (status) {
    ragged_npy_free(&array);
    return status;
  }
  memcpy(shape->extents, array.shape, (size_t)array.rank * sizeof *array.shape);
  *out = array.data;
  return NULL;
}

static ragged_status draw_values(const input_maker *maker, int argument,
                                 const ragged_rt_value_type *type, const value_shape *shape,
                                 void **out) {
  int64_t count = 1, bytes;
  bool empty = false, fits = true;
  for (int k = 0; k < shape->rank; ++k) {
    if (shape->extents[k] < 0)
      return MISTAKE("only data can tell an extent '?': give --input %d=FILE.npy", argument);
    empty = empty || shape->extents[k] == 0;
    fits = fits && ragged_checked_multiply(count, shape->extents[k], &count);
  }
  if (empty) count = 0;
  int64_t size = (int64_t)ragged_element_size(type->schema.element_type);
  if (!empty && (!fits || !ragged_checked_multiply(count, size, &bytes)))
    return MISTAKE("it has more than 2^63 - 1 bytes: shape %s",
                   print_shape(maker->arena, shape->rank, shape->extents));
  RAGGED_RETURN_IF_ERROR(ragged_run_allocate(count * size, "it", out));
  bool weight = type->kind == RAGGED_RT_VALUE_DENSE && shape->rank == 2;
  double scale = weight && count ? 1.0 / sqrt((double)shape->extents[1]) : 1.0;
  ragged_run_draw(maker->options->seed, argument, type->schema.element_type, scale, count, *out);
  return NULL;
}

static ragged_status make_values(const input_maker *maker, int argument,
                                 const ragged_rt_value_type *type, value_shape *shape,
                                 void **out) {
  for (int k = 0; k < maker->options->num_inputs; ++k) {
    const ragged_run_assignment *input = &maker->options->inputs[k];
    int64_t number;
    if (ragged_run_parse_integer(input->key, strlen(input->key), &number) && number == argument)
      return read_values(maker, input->value, type->schema.element_type, shape, out);
  }
  return draw_values(maker, argument, type, shape, out);
}

// ---- Arguments ------------------------------------------------------------------------------

// The host uses the values where they are, so that statistics count what a call needs beyond them;
// other devices get a copy. Takes `values`.
static ragged_status make_tensor(const input_maker *maker, ragged_element_type type,
                                 ragged_rt_space *space, int rank, const int64_t *shape,
                                 int64_t rows, void *values, ragged_rt_tensor **out) {
  bool host = !strcmp(ragged_rt_context_device(maker->context), "host");
  ragged_status status =
      !host   ? ragged_rt_tensor_from_host(maker->context, type, space, rank, shape, values, out)
      : space ? ragged_rt_tensor_wrap(maker->context, type, space, rank, shape, rows, values, free,
                                      values, out)
              : ragged_rt_tensor_wrap_dense(maker->context, type, rank, shape, values, free, values,
                                            out);
  if (!host || status) free(values);
  return status;
}

static ragged_status make_ragged(const input_maker *maker, int k, const ragged_rt_value_type *type,
                                 ragged_rt_tensor **out) {
  ragged_rt_space *space = NULL;
  RAGGED_RETURN_IF_ERROR(make_space(maker, &type->schema, &space));
  int64_t tail[RAGGED_MAX_RANK];
  int tail_rank = ragged_schema_tail(&type->schema, tail);
  value_shape shape = {.rank = tail_rank + 1, .packed = true};
  shape.extents[0] = ragged_rt_space_rows(space);
  memcpy(shape.extents + 1, tail, (size_t)tail_rank * sizeof *tail);
  void *values = NULL;
  ragged_status status = make_values(maker, k, type, &shape, &values);
  if (!status)
    status = make_tensor(maker, type->schema.element_type, space, tail_rank, tail, shape.extents[0],
                         values, out);
  ragged_rt_space_release(space);
  return status;
}

static ragged_status make_dense(const input_maker *maker, int k, const ragged_rt_value_type *type,
                                ragged_rt_tensor **out) {
  value_shape shape = {.rank = type->schema.rank};
  for (int d = 0; d < shape.rank; ++d) shape.extents[d] = type->schema.dimensions[d].extent;
  void *values = NULL;
  RAGGED_RETURN_IF_ERROR(make_values(maker, k, type, &shape, &values));
  return make_tensor(maker, type->schema.element_type, NULL, shape.rank, shape.extents, 0, values,
                     out);
}

static ragged_status check_numbers(const ragged_run_options *options,
                                   const ragged_rt_entry *entry) {
  bool *given = calloc((size_t)entry->num_arguments + 1, sizeof *given);
  if (!given) return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory");
  ragged_status status = NULL;
  for (int k = 0; k < options->num_inputs && !status; ++k) {
    const char *key = options->inputs[k].key;
    int64_t number;
    if (!ragged_run_parse_integer(key, strlen(key), &number) || number < 0 ||
        number >= entry->num_arguments)
      status = MISTAKE("--input %s: function '%s' has %d argument%s, counted from 0", key,
                       entry->name, entry->num_arguments, entry->num_arguments == 1 ? "" : "s");
    else if (given[number])
      status = MISTAKE("--input %s: argument #%lld is given twice", key, (long long)number);
    else
      given[number] = true;
  }
  free(given);
  return status;
}

static ragged_status make_arguments(input_maker *maker, const ragged_rt_entry *entry,
                                    ragged_rt_tensor **tensors) {
  RAGGED_RETURN_IF_ERROR(make_plain_axes(maker));
  for (int k = 0; k < entry->num_arguments; ++k) {
    const ragged_rt_value_type *type = &entry->arguments[k];
    ragged_status status = type->kind == RAGGED_RT_VALUE_RAGGED
                               ? make_ragged(maker, k, type, &tensors[k])
                               : make_dense(maker, k, type, &tensors[k]);
    if (status) return in_place(name_argument(maker, k, type), status);
  }
  return NULL;
}

ragged_status ragged_run_inputs_make(const ragged_run_options *options,
                                     const ragged_rt_entry *entry,
                                     const ragged_run_lengths *lengths, ragged_arena *arena,
                                     ragged_rt_context *context, ragged_rt_tensor **tensors) {
  RAGGED_RETURN_IF_ERROR(check_numbers(options, entry));
  input_maker maker = {options, lengths, arena, context, NULL};
  ragged_status status = make_arguments(&maker, entry, tensors);
  for (int k = 0; maker.axes && k < lengths->num_axes; ++k) ragged_rt_axis_release(maker.axes[k]);
  return status;
}
