// Products that are summed over rows: the host kernel that packs a few rows at a time for the
// compiler's microkernel. An item is a stripe of the sums of one slice, so that its sums, the packed
// rows and the rows beside them stay in a second-level cache. What a slice holds and the order of its
// sum depend on the number of rows only, which gives how many of them a slice has.
#include <string.h>

#include "product.h"

enum {  // slots, as lib/lower/cpu/lower_over_rows.c fills them
  SLOT_A,
  SLOT_B,
  SLOT_SUMS,
  SLOT_FUNCTION,
  SLOT_ROWS,
  SLOT_SHARE,
  SLOT_MEMORY,
  SLOT_M,
  SLOT_N,
  SLOT_PANEL,
  SLOT_STRIPE,
  SLOT_STEPS,
};

typedef struct over_rows {
  const char *a, *b;
  char *sums;
  ragged_rt_over_rows_function add;
  int64_t rows, share, m, n, panel, stripe, steps;
  int64_t memory_bytes, bytes;  // of an element of a and b, of a sum
  ragged_element_type memory;
} over_rows;

static over_rows read_slots(const int64_t *slots) {
  over_rows p = {.a = (const char *)(uintptr_t)slots[SLOT_A],
                 .b = (const char *)(uintptr_t)slots[SLOT_B],
                 .sums = (char *)(uintptr_t)slots[SLOT_SUMS],
                 .rows = slots[SLOT_ROWS], .share = slots[SLOT_SHARE],
                 .m = slots[SLOT_M], .n = slots[SLOT_N], .panel = slots[SLOT_PANEL],
                 .stripe = slots[SLOT_STRIPE], .steps = slots[SLOT_STEPS],
                 .memory = (ragged_element_type)slots[SLOT_MEMORY]};
  uintptr_t function = (uintptr_t)slots[SLOT_FUNCTION];
  memcpy(&p.add, &function, sizeof p.add);
  p.memory_bytes = (int64_t)ragged_element_size(p.memory);
  p.bytes = p.memory == RAGGED_ELEMENT_BF16 ? (int64_t)sizeof(float) : p.memory_bytes;
  return p;
}

// `count` rows of a from `row` on, of which columns [first, first + columns) are read, as the
// microkernel takes them: in place, or widened to `room`. Returns the address of column `first`.
static const char *lines_of_a(const over_rows *p, int64_t row, int64_t count, int64_t first,
                              int64_t columns, char *room) {
  const char *lines = p->a + (row * p->m + first) * p->memory_bytes;
  if (p->memory != RAGGED_ELEMENT_BF16) return lines;
  for (int64_t k = 0; k < count; ++k)
    ragged_rt_product_widen_here((const uint16_t *)(const void *)lines + k * p->m, columns,
                                 (float *)(void *)room + k * p->m + first);
  return room + first * p->bytes;
}

static void add_slice(const over_rows *p, int64_t begin, int64_t end, int64_t first, int64_t columns,
                      char *sums, char *scratch) {
  int64_t panels = p->n == 0 ? 0 : (p->n - 1) / p->panel + 1;
  char *packed = scratch, *widened = scratch + p->steps * panels * p->panel * p->bytes;
  for (int64_t row = begin; row < end; row += p->steps) {
    int64_t count = end - row < p->steps ? end - row : p->steps;
    ragged_rt_product_pack_here(p->memory, p->b + row * p->n * p->memory_bytes, true, p->n, count,
                                p->panel, packed);
    p->add(lines_of_a(p, row, count, first, columns, widened), packed, sums, columns, count);
  }
}

void ragged_rt_product_over_rows(const int64_t *slots, int64_t first_item, int64_t last_item,
                                 void *scratch) {
  over_rows p = read_slots(slots);
  int64_t stripes = p.m == 0 ? 1 : (p.m - 1) / p.stripe + 1;
  for (int64_t item = first_item; item < last_item; ++item) {
    int64_t slice = item / stripes, first = item % stripes * p.stripe;
    int64_t columns = p.m - first < p.stripe ? p.m - first : p.stripe;
    int64_t begin = slice * p.share, end = begin + p.share < p.rows ? begin + p.share : p.rows;
    char *sums = p.sums + (slice * p.m + first) * p.n * p.bytes;
    memset(sums, 0, (size_t)(columns * p.n * p.bytes));
    if (columns * p.n > 0) add_slice(&p, begin, end, first, columns, sums, scratch);
  }
}
