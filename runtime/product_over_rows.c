// Products that are summed over rows: the host kernel that packs a few rows at a time for the
// compiler's microkernel. An item is one slice: its rows pass through the second-level cache once, a few
// at a time, and its sums stay in the third-level one. What a slice holds and the order of its sum depend
// on the number of rows only, which gives how many of them a slice has.
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
  SLOT_LINE,
  SLOT_PANEL,
  SLOT_STEPS,
};

typedef struct over_rows {
  const char *a, *b;
  char *sums;
  ragged_rt_over_rows_function add;
  int64_t rows, share, m, n, line, panel, steps;
  int64_t memory_bytes, bytes;  // of an element of a and b, of a sum
  ragged_element_type memory;
} over_rows;

static over_rows read_slots(const int64_t *slots) {
  over_rows p = {.a = (const char *)(uintptr_t)slots[SLOT_A],
                 .b = (const char *)(uintptr_t)slots[SLOT_B],
                 .sums = (char *)(uintptr_t)slots[SLOT_SUMS],
                 .rows = slots[SLOT_ROWS], .share = slots[SLOT_SHARE],
                 .m = slots[SLOT_M], .n = slots[SLOT_N], .line = slots[SLOT_LINE], .panel = slots[SLOT_PANEL],
                 .steps = slots[SLOT_STEPS],
                 .memory = (ragged_element_type)slots[SLOT_MEMORY]};
  uintptr_t function = (uintptr_t)slots[SLOT_FUNCTION];
  memcpy(&p.add, &function, sizeof p.add);
  p.memory_bytes = (int64_t)ragged_element_size(p.memory);
  p.bytes = p.memory == RAGGED_ELEMENT_BF16 ? (int64_t)sizeof(float) : p.memory_bytes;
  return p;
}

static const char *row_of_a(const over_rows *p, int64_t row) {
  return p->a + row * p->m * p->memory_bytes;
}

static const char *row_of_b(const over_rows *p, int64_t row) {
  return p->b + row * p->n * p->memory_bytes;
}

// `count` rows of a from `row` on, in the type that is computed with, to lines in scratch.
static void copy_a(const over_rows *p, int64_t row, int64_t count, char *lines) {
  for (int64_t k = 0; k < count; ++k, lines += p->line * p->bytes) {
    const void *from = row_of_a(p, row + k);
    if (p->memory == RAGGED_ELEMENT_BF16)
      ragged_rt_product_widen_here(from, p->m, (float *)(void *)lines);
    else
      memcpy(lines, from, (size_t)(p->m * p->bytes));
  }
}

static void add_slice(const over_rows *p, int64_t begin, int64_t end, char *sums, char *scratch) {
  char *lines = scratch, *packed = scratch + p->steps * p->line * p->bytes;
  for (int64_t row = begin; row < end; row += p->steps) {
    int64_t next = end - row < p->steps ? end : row + p->steps;
    copy_a(p, row, next - row, lines);
    ragged_rt_product_pack_here(p->memory, row_of_b(p, row), true, p->n, next - row, p->panel, packed);
    p->add(lines, packed, sums, row_of_a(p, next), row_of_b(p, next), next - row);
  }
}

void ragged_rt_product_over_rows(const int64_t *slots, int64_t first_item, int64_t last_item,
                                 void *scratch) {
  over_rows p = read_slots(slots);
  int64_t size = p.m * p.n * p.bytes;
  if (size == 0) return;
  for (int64_t slice = first_item; slice < last_item; ++slice) {
    int64_t begin = slice * p.share, end = begin + p.share < p.rows ? begin + p.share : p.rows;
    memset(p.sums + slice * size, 0, (size_t)size);
    add_slice(&p, begin, end, p.sums + slice * size, scratch);
  }
}
