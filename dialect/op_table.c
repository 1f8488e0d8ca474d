// One row per op: its infer function. Called by the C++ glue and by the passes.
#include "dialect/op_table.h"

#include <string.h>

#include "dialect/infer.h"

typedef struct op_row {
  const char *name;
  int least_operands;  // what the infer function reads without asking
  ragged_infer_function infer;
} op_row;

static const op_row kRows[] = {
#define RAGGED_UNARY(Class, name, domain, summary, formula) \
  {"ragged." #name, 1, ragged_infer_elementwise},
#define RAGGED_BINARY(Class, name, domain, summary, formula) \
  {"ragged." #name, 2, ragged_infer_elementwise},
#define RAGGED_COMPARE RAGGED_BINARY
#define RAGGED_TERNARY(Class, name, domain, summary, formula) \
  {"ragged." #name, 3, ragged_infer_elementwise},
#include "dialect/elementwise.def"
    {"ragged.cast", 1, ragged_infer_cast},
    {"ragged.from_values", 2, ragged_infer_from_values},
    {"ragged.from_offsets", 2, ragged_infer_from_offsets},
    {"ragged.values", 1, ragged_infer_values},
    {"ragged.with_values", 2, ragged_infer_with_values},
    {"ragged.pack", 2, ragged_infer_pack},
    {"ragged.with_padded", 2, ragged_infer_with_padded},
    {"ragged.unpack", 1, ragged_infer_unpack},
    {"ragged.extents", 1, ragged_infer_extents},
    {"ragged.offsets", 1, ragged_infer_offsets},
    {"ragged.size", 1, ragged_infer_size},
    {"ragged.expand_dims", 1, ragged_infer_expand_dims},
    {"ragged.squeeze", 1, ragged_infer_squeeze},
    {"ragged.full", 2, ragged_infer_full},
    {"ragged.broadcast", 2, ragged_infer_broadcast},
    {"ragged.transpose", 1, ragged_infer_transpose},
    {"ragged.reorder", 1, ragged_infer_reorder},
    {"ragged.assume_same_axis", 2, ragged_infer_assume_same_axis},
    {"ragged.schema_cast", 1, ragged_infer_schema_cast},
    {"ragged.linear", 2, ragged_infer_linear},
    {"ragged.product_over_rows", 2, ragged_infer_product_over_rows},
    {"ragged.layer_norm", 1, ragged_infer_layer_norm},
    {"ragged.softmax", 1, ragged_infer_softmax},
    {"ragged.sum", 1, ragged_infer_sum},
    {"ragged.max", 1, ragged_infer_max},
    {"ragged.argmax", 1, ragged_infer_argmax},
    {"ragged.scatter_max", 3, ragged_infer_scatter_max},
    {"ragged.mean", 1, ragged_infer_mean},
};

// Operands of which an op looks at nothing but the structure.
static const struct {
  const char *name;
  intptr_t operand;
} kStructures[] = {
    {"ragged.values", 1},  {"ragged.with_values", 1}, {"ragged.unpack", 1}, {"ragged.with_padded", 1},
    {"ragged.extents", 0}, {"ragged.offsets", 0},     {"ragged.size", 0},   {"ragged.broadcast", 1},
    {"ragged.assume_same_axis", 1}, {"ragged.full", 1},      {"ragged.scatter_max", 2},
};

static bool is_called(const char *name, MlirStringRef text) {
  return strlen(name) == text.length && !memcmp(name, text.data, text.length);
}

static const op_row *find_row(MlirStringRef name) {
  for (size_t k = 0; k < sizeof kRows / sizeof kRows[0]; ++k)
    if (is_called(kRows[k].name, name)) return &kRows[k];
  return NULL;
}

bool ragged_op_reads(MlirOperation operation, intptr_t operand) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  for (size_t k = 0; k < sizeof kStructures / sizeof kStructures[0]; ++k)
    if (kStructures[k].operand == operand && is_called(kStructures[k].name, name)) return false;
  return true;
}

bool ragged_op_accepts(MlirType declared, MlirType inferred) {
  if (mlirTypeEqual(declared, inferred)) return true;
  if (!ragged_type_is_tensor(declared) || !ragged_type_is_tensor(inferred)) return false;
  if (!ragged_type_is_unknown(declared) && !ragged_type_is_unknown(inferred)) return false;
  ragged_element_type a, b;
  return ragged_type_get_element(declared, &a) && ragged_type_get_element(inferred, &b) && a == b;
}

bool ragged_op_infer(const ragged_op_view *view, MlirType *types, intptr_t *out_count) {
  const op_row *row = find_row(view->name);
  if (!row) return ragged_view_error(view, "has no inference rule");
  // ODS has checked this for an op that exists; an inference may come with anything.
  if (view->num_operands < row->least_operands)
    return ragged_view_error(view, "has %d operands, expected at least %d", (int)view->num_operands,
                             row->least_operands);
  if (!row->infer(view, types, out_count)) return false;
  if (view->num_results == 0) return true;
  if (view->num_results != *out_count)
    return ragged_view_error(view, "has %d results, expected %d", (int)view->num_results,
                             (int)*out_count);
  for (intptr_t k = 0; k < *out_count; ++k) {
    if (ragged_op_accepts(view->results[k], types[k])) continue;
    ragged_arena arena = {0};
    ragged_view_error_at(view, view->num_operands ? 0 : -1, "result #%d is %s, expected %s", (int)k,
                         ragged_type_text(&arena, view->results[k]),
                         ragged_type_text(&arena, types[k]));
    ragged_arena_free(&arena);
    return false;
  }
  return true;
}

bool ragged_op_verify(const ragged_op_view *view) {
  MlirType types[RAGGED_MAX_RESULTS];
  intptr_t count = 0;
  return ragged_op_infer(view, types, &count);
}
