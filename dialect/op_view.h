// What a verifier or an inference rule of the dialect may look at: an op that exists, or one that is
// about to be created. One C function per op both checks the numbered constraints and gives the
// result types; verification, inference and schema propagation all call it (op_table.c).
#ifndef RAGGED_DIALECT_OP_VIEW_H
#define RAGGED_DIALECT_OP_VIEW_H

#include <stdbool.h>

#include "dialect/type_schema.h"
#include "mlir-c/IR.h"
#include "schema/rules.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ragged_op_view {
  MlirStringRef name;        // "ragged.add"
  MlirContext context;
  MlirLocation location;     // unknown location when the caller gave none
  intptr_t num_operands;
  const MlirValue *operands;
  MlirAttribute attributes;  // a dictionary; never null
  intptr_t num_results;      // 0 when result types are not known yet
  const MlirType *results;   // declared result types
  MlirOperation operation;   // null while the op does not exist
  bool quiet;                // true: emit nothing (an inference whose caller wants no diagnostics)
} ragged_op_view;

#define RAGGED_MAX_RESULTS 8

// Checks all constraints and stores the types of the results in `types` (capacity
// RAGGED_MAX_RESULTS), their number in *out_count. A rule may take what only the declared type can
// say (from_values of a square pair) from view->results. False: a diagnostic was emitted.
typedef bool (*ragged_infer_function)(const ragged_op_view *view, MlirType *types,
                                      intptr_t *out_count);

// ---- Errors ---------------------------------------------------------------------------------

// `'ragged.add' op <message>` at the op's location. Always returns false.
RAGGED_PRINTF(2, 3) bool ragged_view_error(const ragged_op_view *view, const char *format, ...);
// The same with a note "operand #k is defined here" where operand `other` comes from
// (other < 0: no note).
RAGGED_PRINTF(3, 4) bool ragged_view_error_at(const ragged_op_view *view, int other,
                                              const char *format, ...);
bool ragged_view_rule_error(const ragged_op_view *view, const ragged_rule_error *error);

// ---- Operands -------------------------------------------------------------------------------

MlirType ragged_view_operand_type(const ragged_op_view *view, intptr_t k);
// The schema of operand k. False with *out_unknown = true when its type is `*`; false with a
// diagnostic when it is no ragged tensor.
bool ragged_view_operand_schema(const ragged_op_view *view, intptr_t k, ragged_schema *out,
                                bool *out_unknown);

// ---- Attributes -----------------------------------------------------------------------------

MlirAttribute ragged_view_attribute(const ragged_op_view *view, const char *name);  // null: absent
bool ragged_view_has_unit(const ragged_op_view *view, const char *name);
// DenseI64ArrayAttr; fills up to RAGGED_MAX_RANK values. False (diagnostic) when longer.
bool ragged_view_int_array(const ragged_op_view *view, const char *name, int *out_count,
                           int64_t out[RAGGED_MAX_RANK]);
int64_t ragged_view_int(const ragged_op_view *view, const char *name, int64_t absent);
double ragged_view_float(const ragged_op_view *view, const char *name, double absent);
// Null-terminated and alive as long as the context; null when absent.
const char *ragged_view_string(const ragged_op_view *view, const char *name);
// StrArrayAttr. Returns the count, fills up to `capacity`.
int ragged_view_string_array(const ragged_op_view *view, const char *name, int capacity,
                             const char **out);

// A view of an existing op. `operands`, `results` need room for the op's own numbers; storage is
// taken from `arena`.
ragged_op_view ragged_view_of(MlirOperation operation, ragged_arena *arena);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_DIALECT_OP_VIEW_H
