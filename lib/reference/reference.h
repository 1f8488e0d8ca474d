// The reference interpreter: evaluates a stage-1 function one sample at a time in double precision.
// It defines what is right; compiled results are compared with its own. Slow and obvious on purpose:
// it uses no lowering and no runtime. Called by ragged-run and by tests.
//
//   ragged_reference_value x = {0}, y = {0};
//   ragged_reference_from_packed(&schema, batch, extents, rows, values, &x);
//   ragged_reference_run(function, NULL, 1, &x, 1, &y);
//   ragged_reference_compare(&got, &y, &comparison);   // got: from_packed of what was computed
//   ragged_reference_value_free(&x); ...
#ifndef RAGGED_REFERENCE_REFERENCE_H
#define RAGGED_REFERENCE_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"
#include "schema/schema.h"
#include "support/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Values ---------------------------------------------------------------------------------

typedef enum ragged_reference_kind {
  RAGGED_REFERENCE_RAGGED,
  RAGGED_REFERENCE_DENSE,
  RAGGED_REFERENCE_SCALAR
} ragged_reference_kind;

// `integer` where the element type is i64, else `real`.
typedef union ragged_reference_number {
  double real;
  int64_t integer;
} ragged_reference_number;

// What the allowed error of a result depends on; the interpreter carries it along with each value.
typedef struct ragged_reference_accuracy {
  int64_t operations;    // computing ops on the longest path to the value; 0: only moved, so exact
  int64_t accumulation;  // the largest number of terms that any op on the way accumulated
  // Of the float types that it was cast from: the coarsest unit of their errors, the largest smallest
  // positive number; 0 for none.
  double epsilon, smallest;
} ragged_reference_accuracy;

// A value of a program. Zero-initialise before it is filled; whoever filled it frees it. A dense
// tensor is kept as one sample with static dimensions, a scalar as one sample of rank 0. Builtin
// integers of any width and `index` travel as i64 (i1: 0 or 1).
typedef struct ragged_reference_value {
  ragged_reference_kind kind;
  ragged_schema schema;  // axis strings are borrowed, from the MLIR context as a rule
  int64_t batch;         // 1 for dense tensors and scalars
  int64_t *extents;      // batch x rank: of sample i, logical dimension d, at [i * rank + d]
  int64_t *offsets;      // batch + 1: row counts of the space (dense: 0, 1)
  int64_t *starts;       // batch + 1: where each sample begins in `numbers`
  ragged_reference_number *numbers;  // each sample in row-major *logical* order, whatever `order`
  ragged_reference_accuracy accuracy;
} ragged_reference_value;

// A value of more bytes than this is refused (RESOURCE_EXHAUSTED).
#define RAGGED_REFERENCE_MAX_BYTES (INT64_C(1) << 33)

// Frees what the value owns and clears it. A cleared value is allowed.
void ragged_reference_value_free(ragged_reference_value *value);
RAGGED_MUST_USE ragged_status ragged_reference_value_copy(const ragged_reference_value *value,
                                                          ragged_reference_value *out);

// From a packed buffer `[rows, tail...]` in the schema's packed order: f64, f32, bf16 (16-bit
// patterns), i64 or i1 (bytes) elements. extents[d] are the `batch` extents of logical dimension d, null for a
// static one. `rows` is what the buffer holds; rows beyond what the extents ask for are not read.
// Errors: an extent that is negative, sizes that overflow, too few rows.
RAGGED_MUST_USE ragged_status ragged_reference_from_packed(const ragged_schema *schema,
                                                           int64_t batch,
                                                           const int64_t *const *extents,
                                                           int64_t rows, const void *values,
                                                           ragged_reference_value *out);
// Rows of a ragged value: offsets[batch].
int64_t ragged_reference_num_rows(const ragged_reference_value *value);
// Elements of a value: rows x tail, or those of the dense tensor.
int64_t ragged_reference_num_elements(const ragged_reference_value *value);
// To a packed buffer of num_elements elements, each rounded to the element type (to nearest, ties
// to even). For dense tensors and scalars: the row-major contents.
void ragged_reference_to_packed(const ragged_reference_value *value, void *values);

// From the row-major contents of a builtin tensor. rank <= RAGGED_MAX_RANK.
RAGGED_MUST_USE ragged_status ragged_reference_from_dense(ragged_element_type element_type,
                                                          int rank, const int64_t *shape,
                                                          const void *contents,
                                                          ragged_reference_value *out);
// A scalar of a float element type; `number` is rounded to it.
RAGGED_MUST_USE ragged_status ragged_reference_from_real(ragged_element_type element_type,
                                                         double number,
                                                         ragged_reference_value *out);
// A scalar of an integer type or `index`.
RAGGED_MUST_USE ragged_status ragged_reference_from_integer(int64_t number,
                                                            ragged_reference_value *out);

// To the nearest number of the element type, ties to even; overflow gives infinity.
double ragged_reference_round(ragged_element_type element_type, double number);

// ---- Running --------------------------------------------------------------------------------

typedef enum ragged_reference_mode {
  RAGGED_REFERENCE_EXACT,    // inputs as typed, then double throughout; sums in long double
  RAGGED_REFERENCE_ROUNDED,  // rounded to the result's element type after each op
  RAGGED_REFERENCE_SMOOTH    // exact, and casts between floats do not round: for finite differences
} ragged_reference_mode;

typedef struct ragged_reference_options {
  ragged_reference_mode mode;
  int max_depth;           // nested calls and regions; 0: 512
  int64_t max_operations;  // ops evaluated in all, so that every run ends; 0: 100 million
} ragged_reference_options;

// Evaluates a func.func of verified IR. Null options: all zero. Fills `results`, which the caller
// frees; each carries its accuracy. On error nothing is filled.
// INVALID_ARGUMENT: wrong number, kind, element type or shape of arguments; arguments that bear one
// axis with different extents (checked at every entry of a function); what the ops' descriptions
// call run-time errors; recursion too deep. UNIMPLEMENTED: an op that the interpreter does not know.
// RESOURCE_EXHAUSTED: too large a value, too many ops. A message about an op begins with its
// location and name.
RAGGED_MUST_USE ragged_status ragged_reference_run(MlirOperation function,
                                                   const ragged_reference_options *options,
                                                   int num_arguments,
                                                   const ragged_reference_value *arguments,
                                                   int num_results,
                                                   ragged_reference_value *results);

// ---- Comparing ------------------------------------------------------------------------------

// The largest error over the allowed one, and where it is.
typedef struct ragged_reference_comparison {
  double worst;     // at most 1 when the values agree; infinity where nothing is allowed
  int64_t sample;   // 0 for dense tensors and scalars
  int rank;
  int64_t position[RAGGED_MAX_RANK];  // logical, in the sample
  ragged_reference_number got, expected;
  double allowed;   // at that position
} ragged_reference_comparison;

// 4 * operations * max(eps(T), eps(A) * sqrt(accumulation / 16), epsilon) for a float type T that is
// accumulated in A, 1/4 at most; 0 for values that were only moved.
double ragged_reference_allowed_relative(ragged_element_type type,
                                         const ragged_reference_accuracy *accuracy);

// Compares `got` with what an exact run gave. Allowed for floats that were computed:
//   allowed_relative * (|expected| + rms of the sample's entries that T can hold)
//   + 4 * operations * smallest subnormal of T and of what it was cast from
// For a sample of fewer than 32 entries the rms is at least that of the whole value.
// (the last term because eps says nothing of rounding below the normal range). Integers and numbers
// that were only moved must be the same, zeros with their sign. NaN equals only NaN; infinities only
// themselves, and a finite number that overflows T within the allowed error may have become one.
// INVALID_ARGUMENT: kinds, element types, batches or extents differ (the message says where).
RAGGED_MUST_USE ragged_status ragged_reference_compare(const ragged_reference_value *got,
                                                       const ragged_reference_value *expected,
                                                       ragged_reference_comparison *out);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_REFERENCE_REFERENCE_H
