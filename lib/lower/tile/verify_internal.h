// What the files verify*.c share.
#ifndef RAGGED_LOWER_TILE_VERIFY_INTERNAL_H
#define RAGGED_LOWER_TILE_VERIFY_INTERNAL_H

#include "dialect/diagnostic.h"
#include "ir/build.h"
#include "lower/tile/tile_types.h"
#include "lower/tile/verify.h"

// Each is the verifier of the op of its name. Returns false after a diagnostic.
typedef bool (*tile_verifier)(MlirOperation operation);

bool verify_tile_kernel(MlirOperation operation);
bool verify_tile_load(MlirOperation operation);
bool verify_tile_store(MlirOperation operation);
bool verify_tile_constant(MlirOperation operation);
bool verify_tile_elementwise(MlirOperation operation);
bool verify_tile_convert(MlirOperation operation);
bool verify_tile_view(MlirOperation operation);
bool verify_tile_reduce(MlirOperation operation);
bool verify_tile_accumulate(MlirOperation operation);
bool verify_tile_extent(MlirOperation operation);
bool verify_tile_position(MlirOperation operation);
bool verify_tile_iota(MlirOperation operation);
bool verify_tile_where_equal(MlirOperation operation);
bool verify_tile_dot(MlirOperation operation);
bool verify_tile_product_over_rows(MlirOperation operation);

// H1 to H3, then what the op itself demands (null: nothing more).
bool verify_tile_host(MlirOperation operation, tile_verifier own);
bool verify_tile_axis_expression(MlirOperation operation);
bool verify_tile_space(MlirOperation operation);
bool verify_tile_parts_axis(MlirOperation operation);
bool verify_tile_allocate(MlirOperation operation);
bool verify_tile_allocate_dense(MlirOperation operation);
bool verify_tile_constant_buffer(MlirOperation operation);
bool verify_tile_from_scalar(MlirOperation operation);
bool verify_tile_to_scalar(MlirOperation operation);
bool verify_tile_checked(MlirOperation operation);

// ragged_op_error with a note at `where`. Returns false.
RAGGED_PRINTF(4, 5)
bool tile_error_noted(MlirOperation operation, MlirLocation where, const char *note,
                      const char *format, ...);
// "add" and "maximum".
bool tile_is_reduction_kind(const char *kind);

#endif  // RAGGED_LOWER_TILE_VERIFY_INTERNAL_H
