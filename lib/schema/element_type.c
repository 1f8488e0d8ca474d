// Facts of the element types, one row each. Called by schemas, verifiers, the interpreter and the
// lowering. A new element type is a row here and a member of the enumeration, nothing else.
#include "schema/element_type.h"

#include <float.h>
#include <string.h>

typedef struct element_facts {
  const char *name;
  size_t size;
  bool is_float;
  double epsilon;  // distance from 1 to the next value
} element_facts;

static const element_facts facts[RAGGED_ELEMENT_COUNT] = {
    [RAGGED_ELEMENT_F64] = {"f64", 8, true, DBL_EPSILON},
    [RAGGED_ELEMENT_F32] = {"f32", 4, true, FLT_EPSILON},
    [RAGGED_ELEMENT_BF16] = {"bf16", 2, true, 1.0 / 128},
    [RAGGED_ELEMENT_I64] = {"i64", 8, false, 0},
    [RAGGED_ELEMENT_I1] = {"i1", 1, false, 0},
};

// A value outside the enumeration can come in through the C API; it has no facts.
static const element_facts *find(ragged_element_type type) {
  static const element_facts none = {"invalid", 0, false, 0};
  return (unsigned)type < RAGGED_ELEMENT_COUNT ? &facts[type] : &none;
}

size_t ragged_element_size(ragged_element_type type) { return find(type)->size; }
const char *ragged_element_name(ragged_element_type type) { return find(type)->name; }
bool ragged_element_is_float(ragged_element_type type) { return find(type)->is_float; }
bool ragged_element_is_number(ragged_element_type type) {
  return find(type)->is_float || type == RAGGED_ELEMENT_I64;
}
double ragged_element_epsilon(ragged_element_type type) { return find(type)->epsilon; }

bool ragged_element_from_name(const char *name, size_t length, ragged_element_type *out) {
  for (int k = 0; k < RAGGED_ELEMENT_COUNT; ++k) {
    if (strlen(facts[k].name) != length || memcmp(facts[k].name, name, length) != 0) continue;
    *out = (ragged_element_type)k;
    return true;
  }
  return false;
}
