// Products over rows on the GPU: a block takes one tile of the sums of one slice, all its rows, and
// writes it. Both operands are read along their rows' elements and turned on their way to shared
// memory. Rows of bf16 multiply by matrix instructions; their sums are f32.
#include "lower/gpu/gpu_emit.h"
#include "lower/gpu/gpu_product_tile.h"

int64_t gpu_over_rows_tiles(const kernel_over_rows *own) {
  int64_t down = (own->m + PRODUCT_TILE - 1) / PRODUCT_TILE;
  int64_t across = (own->n + PRODUCT_TILE - 1) / PRODUCT_TILE;
  return down * across;
}

static void write_sums(gpu_product *p, MlirValue base, number line0, number row0, number column0,
                       const MlirValue *sums) {
  gpu_emission *g = p->g;
  emission *e = &g->e;
  MlirValue own_row, own_column;
  gpu_product_first_sum(p, &own_row, &own_column);
  number m = p->operands[0].lines, n = p->operands[1].lines;
  row0 = number_add(e, row0, gpu_number(g, own_row));
  column0 = number_add(e, column0, gpu_number(g, own_column));
  for (int s = 0; s < PRODUCT_SUMS; ++s) {
    int more_rows, more_columns;
    gpu_product_sum_place(p, s, &more_rows, &more_columns);
    number row = number_add(e, row0, number_of(more_rows));
    number column = number_add(e, column0, number_of(more_columns));
    guard inside;
    begin_if(&g->e, &inside, gpu_product_both(p, emit_compare(e, COMPARE_LT, row, m),
                                              emit_compare(e, COMPARE_LT, column, n)));
    number at = number_add(e, number_mul(e, number_add(e, line0, row), n), column);
    emit_store(e, base, p->element_type, at, sums[s]);
    end_if(&g->e, &inside);
  }
}

static MlirValue ref_pointer(gpu_emission *g, int ref) {
  return g->e.slots[kernel_layout_find(&g->e.layout, SLOT_REF, ref)];
}

// Read from the offsets, since only the device may know them.
static number count_rows(gpu_emission *g) {
  emission *e = &g->e;
  const kernel_over_rows *own = &e->layout.over_rows;
  const ragged_ref_shape *a = &e->layout.refs[own->a_ref];
  number rows = number_value(e->slots[kernel_layout_find(&e->layout, SLOT_BATCH, 0)]);
  if (a->num_axes) {
    MlirValue offsets = e->slots[kernel_layout_find_offsets(&e->layout, a->num_axes, a->axes)];
    rows = number_value(emit_load_i64(e, offsets, rows));
  }
  return number_mul(e, rows, number_of(own->rows_per_row));
}

static number divide_up(emission *e, number n, number divisor) {
  return number_div(e, number_add(e, n, number_sub(e, divisor, number_of(1))), divisor);
}

// How many rows a slice has, as ragged_tile.product_over_rows says.
static number divide_rows(emission *e, const kernel_over_rows *own, number rows) {
  number multiple = number_of(OVER_ROWS_MULTIPLE), most = number_of(own->most_slices);
  number share = number_mul(e, divide_up(e, divide_up(e, rows, most), multiple), multiple);
  return number_max(e, share, number_of(own->slice_rows));
}

void gpu_emit_over_rows(gpu_emission *g) {
  emission *e = &g->e;
  const kernel_over_rows *own = &e->layout.over_rows;
  if (own->m == 0 || own->n == 0) return;
  number rows = count_rows(g), share = divide_rows(e, own, rows);
  gpu_product p = {.g = g, .element_type = ragged_compute_type(own->memory),
                   .matrix = own->memory == RAGGED_ELEMENT_BF16};
  p.operands[0] = (product_operand){.base = ref_pointer(g, own->a_ref), .memory = own->memory,
                                    .turned = true, .lines = number_of(own->m)};
  p.operands[1] = (product_operand){.base = ref_pointer(g, own->b_ref), .memory = own->memory,
                                    .turned = true, .lines = number_of(own->n)};
  gpu_product_begin(&p, g->shared);
  int64_t across = (own->n + PRODUCT_TILE - 1) / PRODUCT_TILE;
  number tiles = number_of(gpu_over_rows_tiles(own));
  carried_loop l;
  number item = gpu_begin_loop(g, &l, gpu_number(g, g->block), number_value(g->items),
                               gpu_number(g, g->grid), 0, NULL);
  number slice = number_div(e, item, tiles), tile = number_rem(e, item, tiles);
  number from = number_mul(e, slice, share);
  p.k = number_min(e, number_add(e, from, share), rows);
  number row0 = number_mul(e, number_div(e, tile, number_of(across)), number_of(PRODUCT_TILE));
  number column0 = number_mul(e, number_rem(e, tile, number_of(across)), number_of(PRODUCT_TILE));
  MlirValue sums[PRODUCT_SUMS];
  gpu_product_sum_tile(&p, row0, column0, from, p.k, sums);
  write_sums(&p, ref_pointer(g, own->sums_ref), number_mul(e, slice, number_of(own->m)), row0, column0,
             sums);
  gpu_end_loop(g, &l, NULL);
}
