// Op → its verifier; the types of its values first. Called by the C++ hook of every op.
#include "lower/tile/verify.h"

#include <stdarg.h>
#include <string.h>

#include "lower/tile/verify_internal.h"

static const struct {
  const char *name;  // after "ragged_tile."
  tile_verifier verify;
} kKernelOps[] = {
    {"kernel", verify_tile_kernel},
    {"load", verify_tile_load},
    {"store", verify_tile_store},
    {"constant", verify_tile_constant},
    {"elementwise", verify_tile_elementwise},
    {"convert", verify_tile_convert},
    {"view", verify_tile_view},
    {"reduce", verify_tile_reduce},
    {"accumulate", verify_tile_accumulate},
    {"yield", NULL},  // its accumulation looks at it
    {"extent", verify_tile_extent},
    {"position", verify_tile_position},
    {"iota", verify_tile_iota},
    {"where_equal", verify_tile_where_equal},
    {"dot", verify_tile_dot},
    {"product_over_rows", verify_tile_product_over_rows},
}, kHostOps[] = {
    {"axis_expression", verify_tile_axis_expression},
    {"parts_axis", verify_tile_parts_axis},
    {"space", verify_tile_space},
    {"allocate", verify_tile_allocate},
    {"allocate_dense", verify_tile_allocate_dense},
    {"constant_buffer", verify_tile_constant_buffer},
    {"from_scalar", verify_tile_from_scalar},
    {"checked_divisor", verify_tile_checked},
    {"trip_count", verify_tile_checked},
    {"to_scalar", verify_tile_to_scalar},
};

bool tile_error_noted(MlirOperation operation, MlirLocation where, const char *note,
                      const char *format, ...) {
  ragged_arena arena = {0};
  va_list arguments;
  va_start(arguments, format);
  const char *message = ragged_arena_vformat(&arena, format, arguments);
  va_end(arguments);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  ragged_emit_error(mlirOperationGetLocation(operation),
                    ragged_arena_format(&arena, "'%.*s' op %s", (int)name.length, name.data, message),
                    where, note);
  ragged_arena_free(&arena);
  return false;
}

bool tile_is_reduction_kind(const char *kind) {
  return !strcmp(kind, "add") || !strcmp(kind, "maximum");
}

// Types that were made by code, not read from text, have not been looked at.
static const char *type_fault(MlirType type) {
  ragged_tile_shape tile;
  ragged_ref_shape ref;
  if (ragged_tile_type_get(type, &tile)) return ragged_tile_shape_fault(tile.rank, tile.extents);
  if (ragged_ref_type_get(type, &ref)) return ragged_tile_shape_fault(ref.tail.rank, ref.tail.extents);
  return NULL;
}

static bool verify_types(MlirOperation operation) {
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(operation); ++k) {
    const char *fault = type_fault(mlirValueGetType(mlirOperationGetOperand(operation, k)));
    if (fault) return ragged_op_error(operation, "operand #%d %s", (int)k, fault);
  }
  for (intptr_t k = 0; k < mlirOperationGetNumResults(operation); ++k) {
    const char *fault = type_fault(mlirValueGetType(mlirOperationGetResult(operation, k)));
    if (fault) return ragged_op_error(operation, "result #%d %s", (int)k, fault);
  }
  return true;
}

bool ragged_tile_verify(MlirOperation operation) {
  MlirStringRef full = mlirIdentifierStr(mlirOperationGetName(operation));
  const char *name = strchr(full.data, '.') + 1;  // identifiers end with a null byte
  for (size_t k = 0; k < sizeof kKernelOps / sizeof *kKernelOps; ++k)
    if (!strcmp(kKernelOps[k].name, name))
      return verify_types(operation) &&
             (!kKernelOps[k].verify || kKernelOps[k].verify(operation));
  for (size_t k = 0; k < sizeof kHostOps / sizeof *kHostOps; ++k)
    if (!strcmp(kHostOps[k].name, name)) return verify_tile_host(operation, kHostOps[k].verify);
  return verify_tile_host(operation, NULL);
}
