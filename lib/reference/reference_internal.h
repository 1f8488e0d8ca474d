// What the files of the interpreter share. Not included from outside lib/reference.
#ifndef RAGGED_REFERENCE_INTERNAL_H
#define RAGGED_REFERENCE_INTERNAL_H

#include "reference/reference.h"
#include "schema/rules.h"

#define RAGGED_REFERENCE_INVALID(...) ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, __VA_ARGS__)

// ---- Values (reference_values.c) ------------------------------------------------------------

// A value of that schema with zeroed numbers. `extents` (batch x rank) may be null when all
// dimensions are static. Refuses negative extents, static extents that differ from the schema,
// overflow, and sizes over the limit. For dense tensors and scalars use the next two.
RAGGED_MUST_USE ragged_status ragged_reference_allocate(const ragged_schema *schema, int64_t batch,
                                                        const int64_t *extents,
                                                        ragged_reference_value *out);
RAGGED_MUST_USE ragged_status ragged_reference_allocate_dense(ragged_element_type element_type,
                                                              int rank, const int64_t *shape,
                                                              ragged_reference_value *out);
RAGGED_MUST_USE ragged_status ragged_reference_allocate_scalar(ragged_element_type element_type,
                                                               ragged_reference_value *out);
// Uninitialised room for count x size bytes; count may be 0.
RAGGED_MUST_USE ragged_status ragged_reference_array(int64_t count, size_t size, void **out);

static inline const int64_t *ragged_reference_extents(const ragged_reference_value *value,
                                                      int64_t sample) {
  return value->extents + sample * value->schema.rank;
}
static inline ragged_reference_number *ragged_reference_sample(const ragged_reference_value *value,
                                                               int64_t sample) {
  return value->numbers + value->starts[sample];
}
static inline int64_t ragged_reference_sample_size(const ragged_reference_value *value,
                                                   int64_t sample) {
  return value->starts[sample + 1] - value->starts[sample];
}
static inline bool ragged_reference_is_float(const ragged_reference_value *value) {
  return ragged_element_is_float(value->schema.element_type);
}

// Steps `position` to the next one in row-major order. A loop over all positions runs
// sample-size times and begins with zeros.
void ragged_reference_advance(int rank, const int64_t *extents, int64_t *position);
int64_t ragged_reference_row_major(int rank, const int64_t *extents, const int64_t *position);
// Where an element stands in the packed buffer: the linear position of its row, times the row size,
// plus the position in the row.
int64_t ragged_reference_packed_index(const ragged_reference_value *value, int64_t sample,
                                      const int64_t *position);
// A whole value to or from packed order.
void ragged_reference_pack_numbers(const ragged_reference_value *value,
                                   ragged_reference_number *packed);
void ragged_reference_unpack_numbers(const ragged_reference_number *packed,
                                     ragged_reference_value *value);

// An integer of `width` bits, kept sign-extended (of 1 bit: as 0 or 1), without its sign; and one wrapped to
// them.
static inline uint64_t ragged_reference_as_unsigned(int64_t x, int width) {
  return width >= 64 ? (uint64_t)x : (uint64_t)x & ((UINT64_C(1) << width) - 1);
}
static inline int64_t ragged_reference_wrap(int64_t x, int width) {
  uint64_t bits = ragged_reference_as_unsigned(x, width);
  if (width == 1 || width >= 64 || !(bits >> (width - 1))) return (int64_t)bits;
  return (int64_t)(bits | ~((UINT64_C(1) << width) - 1));
}
// x + y, x * y of integers, which wrap.
static inline int64_t ragged_reference_wrap_add(int64_t x, int64_t y) {
  return (int64_t)((uint64_t)x + (uint64_t)y);
}
static inline int64_t ragged_reference_wrap_multiply(int64_t x, int64_t y) {
  return (int64_t)((uint64_t)x * (uint64_t)y);
}
// Element `index` of a buffer of that type (reference_packed.c).
ragged_reference_number ragged_reference_load(ragged_element_type element_type, const void *values,
                                              int64_t index);
// What the error of a value of that type is counted in: the coarsest of its type's distance from 1 to
// the next number, that of its sums, and those of the types that it was cast from.
double ragged_reference_epsilon(ragged_element_type type,
                                const ragged_reference_accuracy *accuracy);
double ragged_reference_smallest(ragged_element_type type);  // positive number of a float type
// The larger of two: NaN wins, -0 < +0.
double ragged_reference_maximum(double x, double y);

// ---- Ragged ops -----------------------------------------------------------------------------

// One op with its operands, about to be evaluated. All ragged ops have one result.
typedef struct ragged_reference_step {
  MlirOperation operation;
  int num_operands;
  const ragged_reference_value *const *operands;
  ragged_reference_mode mode;
  ragged_reference_value *result;  // cleared; on error what is in it is freed by the caller
  int64_t accumulation;            // set by ops that accumulate: the largest number of terms
} ragged_reference_step;

typedef struct ragged_reference_op {
  const char *name;
  ragged_status (*evaluate)(ragged_reference_step *step);
  bool moves;  // only moves numbers: never rounds, counts as no operation
} ragged_reference_op;

// One table a family; each ends with a null name.
extern const ragged_reference_op ragged_reference_elementwise_ops[];
extern const ragged_reference_op ragged_reference_cast_ops[];
extern const ragged_reference_op ragged_reference_conversion_ops[];
extern const ragged_reference_op ragged_reference_metadata_ops[];
extern const ragged_reference_op ragged_reference_structure_ops[];
extern const ragged_reference_op ragged_reference_reduction_ops[];
extern const ragged_reference_op ragged_reference_linear_ops[];
extern const ragged_reference_op ragged_reference_normalization_ops[];

// DenseI64ArrayAttr `name`; INVALID_ARGUMENT when it is absent or longer than RAGGED_MAX_RANK.
RAGGED_MUST_USE ragged_status ragged_reference_int_array(const ragged_reference_step *step,
                                                         const char *name, int *out_count,
                                                         int64_t out[RAGGED_MAX_RANK]);
double ragged_reference_float(const ragged_reference_step *step, const char *name, double absent);
// A refusal of lib/schema.
RAGGED_MUST_USE ragged_status ragged_reference_rule(const ragged_rule_error *error);
// Operand k is of that kind.
RAGGED_MUST_USE ragged_status ragged_reference_expect(const ragged_reference_step *step, int k,
                                                      ragged_reference_kind kind);
// Operand k is a ragged or a builtin tensor.
RAGGED_MUST_USE ragged_status ragged_reference_expect_tensor(const ragged_reference_step *step, int k);
const char *ragged_reference_kind_name(ragged_reference_kind kind);

// ---- Control flow ---------------------------------------------------------------------------

// A value that several names of the program share.
typedef struct ragged_reference_cell {
  int64_t references;
  ragged_reference_value value;
} ragged_reference_cell;

ragged_reference_cell *ragged_reference_cell_make(void);  // one reference; null without memory
ragged_reference_cell *ragged_reference_cell_retain(ragged_reference_cell *cell);
void ragged_reference_cell_release(ragged_reference_cell *cell);  // null allowed

typedef struct ragged_reference_list {
  int size;
  ragged_reference_cell **cells;  // owned, each with a reference
} ragged_reference_list;

RAGGED_MUST_USE ragged_status ragged_reference_list_make(int size, ragged_reference_list *out);
void ragged_reference_list_free(ragged_reference_list *list);
// The last `count` cells, shared; *out is made.
RAGGED_MUST_USE ragged_status ragged_reference_list_tail(const ragged_reference_list *list,
                                                         int count, ragged_reference_list *out);

typedef struct ragged_reference_binding {
  MlirValue name;
  ragged_reference_cell *cell;
} ragged_reference_binding;

typedef struct ragged_reference_interpreter {
  ragged_reference_options options;
  ragged_reference_binding *bindings;  // a stack; innermost last
  int64_t num_bindings, capacity;
  int64_t frame;  // where the bindings of the function begin that is being run
  int depth;
  int64_t operations;
  bool located;  // an error says already at which op it is
} ragged_reference_interpreter;

// What evaluates an op of another dialect, or one with regions. `results` is as long as the op's
// results and empty; on error it may be part filled.
typedef ragged_status (*ragged_reference_control)(ragged_reference_interpreter *interpreter,
                                                  MlirOperation operation,
                                                  const ragged_reference_list *operands,
                                                  ragged_reference_list *results);
ragged_reference_control ragged_reference_find_control(MlirOperation operation);  // reference_control.c
ragged_reference_control ragged_reference_find_arith(MlirOperation operation);    // reference_arith.c

// Runs a block with these arguments; *out is made of the operands of its terminator.
RAGGED_MUST_USE ragged_status ragged_reference_run_block(ragged_reference_interpreter *interpreter,
                                                         MlirBlock block,
                                                         const ragged_reference_list *arguments,
                                                         ragged_reference_list *out);
// Runs a function, after the checks of its entry.
RAGGED_MUST_USE ragged_status ragged_reference_run_function(
    ragged_reference_interpreter *interpreter, MlirOperation function,
    const ragged_reference_list *arguments, ragged_reference_list *out);
// The accuracy of a result from that of the operands that `operation` reads, and its rounding in
// rounded runs.
void ragged_reference_finish(const ragged_reference_interpreter *interpreter,
                             MlirOperation operation, const ragged_reference_list *operands,
                             bool moves, int64_t accumulation, ragged_reference_value *result);
// Whether a value may stand for `type`; `what` ("argument #1") begins the message
// (reference_entry.c).
RAGGED_MUST_USE ragged_status ragged_reference_check_type(const ragged_reference_value *value,
                                                          MlirType type, const char *what);
// The checks at the entry of a function: arguments are of its types, have one batch, and agree on
// the axes that they bear (reference_entry.c).
RAGGED_MUST_USE ragged_status ragged_reference_check_entry(MlirBlock body,
                                                           const ragged_reference_list *arguments);

#endif  // RAGGED_REFERENCE_INTERNAL_H
