// See structure_operands.h.
#include "passes/grad/structure_operands.h"

// The ops and the first operand that is only a structure; all after it are, too.
static const struct {
  const char *name;
  intptr_t first;
} kOps[] = {
    {"ragged.broadcast", 1},        {"ragged.full", 1},        {"ragged.with_values", 1},
    {"ragged.with_padded", 1},      {"ragged.values", 1},      {"ragged.unpack", 1},
    {"ragged.assume_same_axis", 1}, {"ragged.extents", 0},     {"ragged.offsets", 0},
    {"ragged.size", 0},             {"ragged.scatter_max", 2},
};

bool ragged_operand_is_structure(MlirOperation operation, intptr_t k) {
  for (size_t n = 0; n < sizeof kOps / sizeof *kOps; ++n)
    if (ragged_operation_is(operation, kOps[n].name)) return k >= kOps[n].first;
  return false;
}
