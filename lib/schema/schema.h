// The schema of a ragged tensor: element type, dimensions, packed order. All that a type says.
// A plain value; axis strings are canonical (axis_expression.h) and borrowed: they live in an MLIR
// type, an arena or a literal that outlives the schema.
// See docs/vocabulary.md for the words.
#ifndef RAGGED_SCHEMA_SCHEMA_H
#define RAGGED_SCHEMA_SCHEMA_H

#include <stdbool.h>
#include <stdint.h>

#include "schema/element_type.h"
#include "support/arena.h"
#include "support/status.h"
#include "support/string_buffer.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RAGGED_MAX_RANK 16

// One dimension: ragged (axis is its canonical expression, extent unused) or static (axis null).
typedef struct ragged_dimension {
  const char *axis;
  int64_t extent;
} ragged_dimension;

typedef struct ragged_schema {
  ragged_element_type element_type;
  int rank;
  ragged_dimension dimensions[RAGGED_MAX_RANK];  // logical
  int order[RAGGED_MAX_RANK];                    // order[k] = logical dimension packed k-th
} ragged_schema;

ragged_dimension ragged_dimension_static(int64_t extent);
ragged_dimension ragged_dimension_ragged(const char *canonical_axis);
bool ragged_dimension_equal(ragged_dimension a, ragged_dimension b);
static inline bool ragged_dimension_is_ragged(ragged_dimension d) { return d.axis != NULL; }

// Sets `order` to the default: ragged dimensions in dimension order, then static ones.
void ragged_schema_set_default_order(ragged_schema *schema);
bool ragged_schema_has_default_order(const ragged_schema *schema);
ragged_schema ragged_schema_make(ragged_element_type type, int rank, const ragged_dimension *dims);

// INVALID_ARGUMENT when the rank, an extent (negative), or the order (not a permutation; a static
// dimension before a ragged one) is not legal, or the product of the static extents that are not 0
// overflows 63 bits. Axis texts are not looked at.
RAGGED_MUST_USE ragged_status ragged_schema_validate(const ragged_schema *schema);

bool ragged_schema_equal(const ragged_schema *a, const ragged_schema *b);
// Equal but for the element type.
bool ragged_schema_same_layout(const ragged_schema *a, const ragged_schema *b);

// As inside !ragged.tensor<...>: `[n, m, 128], f32, order = [1, 0, 2]`.
void ragged_schema_print(const ragged_schema *schema, ragged_string_buffer *out);

int ragged_schema_num_ragged(const ragged_schema *schema);
// The space: ragged axes in packed order; fills axes[0 .. return value).
int ragged_schema_space(const ragged_schema *schema, const char *axes[RAGGED_MAX_RANK]);
bool ragged_schema_same_space(const ragged_schema *a, const ragged_schema *b);
// The tail: static extents in packed order; fills extents[0 .. return value).
int ragged_schema_tail(const ragged_schema *schema, int64_t extents[RAGGED_MAX_RANK]);
int64_t ragged_schema_tail_size(const ragged_schema *schema);  // elements of a row
// Position k with order[k] == dimension.
int ragged_schema_packed_position(const ragged_schema *schema, int dimension);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_SCHEMA_SCHEMA_H
