// Element types of ragged tensors. The order of the enumeration is part of the C API.
#ifndef RAGGED_SCHEMA_ELEMENT_TYPE_H
#define RAGGED_SCHEMA_ELEMENT_TYPE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ragged_element_type {
  RAGGED_ELEMENT_F64 = 0,
  RAGGED_ELEMENT_F32,
  RAGGED_ELEMENT_BF16,
  RAGGED_ELEMENT_I64,
  RAGGED_ELEMENT_I1,  // a truth value: one byte, 0 or 1; another byte from outside counts as 1
  RAGGED_ELEMENT_COUNT
} ragged_element_type;

size_t ragged_element_size(ragged_element_type type);        // bytes
const char *ragged_element_name(ragged_element_type type);   // "f32", as MLIR spells it
bool ragged_element_is_float(ragged_element_type type);
bool ragged_element_is_number(ragged_element_type type);     // a float or i64
// Distance from 1 to the next value; 0 for integers.
double ragged_element_epsilon(ragged_element_type type);
// False when `name` is not an element type of the project.
bool ragged_element_from_name(const char *name, size_t length, ragged_element_type *out);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_SCHEMA_ELEMENT_TYPE_H
