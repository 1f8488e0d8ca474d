// The signature of a stage-1 function as the runtime wants it: kinds, schemas, and the axis names of
// its arguments in order of first appearance. Used where host code is made and where it is compiled.
#ifndef RAGGED_LOWER_SIGNATURE_H
#define RAGGED_LOWER_SIGNATURE_H

#include "mlir-c/IR.h"
#include "schema/schema.h"
#include "support/arena.h"

typedef enum ragged_value_kind {  // numbered as ragged_rt_value_kind
  RAGGED_VALUE_RAGGED,
  RAGGED_VALUE_DENSE,
  RAGGED_VALUE_SCALAR,
} ragged_value_kind;

typedef struct ragged_value_type {  // laid out as ragged_rt_value_type
  ragged_value_kind kind;
  ragged_schema schema;  // dense: extents, -1 = any; scalar: rank 0
} ragged_value_type;

typedef struct ragged_signature {
  const char *name;
  int num_arguments, num_results, num_axes;
  ragged_value_type *arguments, *results;
  const char **axes;  // names that arguments bear plainly
} ragged_signature;

// False for a type that no function of ours may have.
bool ragged_value_type_of(MlirType type, ragged_value_type *out);
// Strings and arrays live in the arena or in MLIR types. Emits a diagnostic at the function and
// returns false when a type is not a ragged tensor with a known schema, a builtin tensor or scalar.
bool ragged_function_signature(MlirOperation function, ragged_arena *arena, ragged_signature *out);
// Number of `axis` among signature axes, -1 if it is none.
int ragged_signature_axis(const ragged_signature *signature, const char *axis);

#endif  // RAGGED_LOWER_SIGNATURE_H
