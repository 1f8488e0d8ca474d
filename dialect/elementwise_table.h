// The rows of elementwise.def as data, for code that treats them all alike.
#ifndef RAGGED_DIALECT_ELEMENTWISE_TABLE_H
#define RAGGED_DIALECT_ELEMENTWISE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "schema/element_type.h"

typedef struct ragged_elementwise_row {
  const char *name;    // "add"
  const char *domain;  // of the operands that are values
  int num_operands;
  int num_conditions;  // the first operands, which are i1 whatever the values are
  bool compares;       // the result is i1
} ragged_elementwise_row;

// `name` of that length, with or without "ragged." in front; null: no row.
const ragged_elementwise_row *ragged_elementwise_find(const char *name, size_t length);
// Whether values of that element type are in the row's domain.
bool ragged_elementwise_takes(const ragged_elementwise_row *row, ragged_element_type type);

#endif  // RAGGED_DIALECT_ELEMENTWISE_TABLE_H
