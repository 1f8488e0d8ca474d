// See elementwise_table.h.
#include "dialect/elementwise_table.h"

#include <string.h>

#define CONDITIONS(domain) ((domain)[0] == 'c' ? 1 : 0)  // "choice"

static const ragged_elementwise_row kRows[] = {
#define RAGGED_UNARY(Class, name, domain, summary, formula) {#name, domain, 1, 0, false},
#define RAGGED_BINARY(Class, name, domain, summary, formula) {#name, domain, 2, 0, false},
#define RAGGED_COMPARE(Class, name, domain, summary, formula) {#name, domain, 2, 0, true},
#define RAGGED_TERNARY(Class, name, domain, summary, formula) \
  {#name, domain, 3, CONDITIONS(domain), false},
#include "dialect/elementwise.def"
};

const ragged_elementwise_row *ragged_elementwise_find(const char *name, size_t length) {
  static const char prefix[] = "ragged.";
  size_t skip = sizeof prefix - 1;
  if (length > skip && !memcmp(name, prefix, skip)) {
    name += skip;
    length -= skip;
  }
  for (size_t k = 0; k < sizeof kRows / sizeof kRows[0]; ++k)
    if (strlen(kRows[k].name) == length && !memcmp(kRows[k].name, name, length)) return &kRows[k];
  return NULL;
}

bool ragged_elementwise_takes(const ragged_elementwise_row *row, ragged_element_type type) {
  switch (row->domain[0]) {
    case 'f': return ragged_element_is_float(type);
    case 'n': return ragged_element_is_number(type);
    default: return true;
  }
}
