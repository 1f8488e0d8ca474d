// The loops over rows: flat ranges, runs of consecutive last coordinates within a sample, single
// samples; one loop per segment, with the dense products between them. Chooses the lanes.
#include <string.h>

#include "lower/cpu/cpu_emit.h"
#include "lower/kernel/kernel_traits.h"

static void emit_row(emission *e) {
  e->num_memo = 0;
  e->block_row = number_sub(e, e->row, number_value(e->first));
  emit_block(e, ragged_operation_body(e->kernel));
}

// `count` rows from `row` on, `lanes` at a time and then singly. `coordinate` (may be null) is the
// grid coordinate that counts along, from `start`.
static void emit_run(emission *e, number row, number count, MlirValue coordinate, number start,
                     int lanes) {
  number done = number_of(0);
  for (int pass = lanes > 1 ? 0 : 1; pass < 2; ++pass) {
    int width = pass == 0 ? lanes : 1;
    number end = pass == 0 ? number_mul(e, number_div(e, count, number_of(lanes)), number_of(lanes))
                           : count;
    loop l;
    number j = begin_loop(e, &l, done, end, width);
    e->row = number_add(e, row, j);
    if (!mlirValueIsNull(coordinate)) set_coordinate(e, coordinate, number_add(e, start, j));
    e->lanes = width;
    e->lane_rows = width > 1;
    e->lane_coordinate = width > 1 && !e->flat ? coordinate : ragged_value_none();
    emit_row(e);
    end_loop(e, &l);
    e->lanes = 1;
    e->lane_rows = false;
    e->lane_coordinate = ragged_value_none();
    done = end;
  }
}

// ---- Samples ---------------------------------------------------------------------------------

// The sample of `row` at or after `sample`: empty ones are passed over.
static number advance_sample(emission *e, MlirValue offsets, number sample, number row) {
  while_loop w;
  MlirValue initial = number_emit(e, sample);
  begin_while(e, &w, 1);
  number s = number_value(w.carried[0]);
  number end = number_value(emit_load_i64(e, offsets, number_add(e, s, number_of(1))));
  while_condition(e, &w, emit_compare(e, COMPARE_LE, end, row));
  MlirValue next = number_emit(e, number_add(e, number_value(w.carried[0]), number_of(1)));
  return number_value(mlirOperationGetResult(end_while(e, &w, &next, &initial), 0));
}

// ---- Kinds of row loops ----------------------------------------------------------------------

static void emit_flat_rows(emission *e, int lanes) {
  number first = number_value(e->first), last = number_value(e->last);
  if (e->elements) {
    number size = number_of(kernel_plan_row_elements(&e->plan));
    first = number_mul(e, first, size);
    last = number_mul(e, last, size);
  }
  emit_run(e, first, number_sub(e, last, first), ragged_value_none(), number_of(0), lanes);
}

static void emit_samples(emission *e) {
  loop l;
  e->sample = begin_loop(e, &l, number_value(e->first), number_value(e->last), 1);
  e->row = e->sample;
  set_coordinate(e, emit_argument(e, 0), e->sample);
  emit_load_sample(e);
  emit_row(e);
  end_loop(e, &l);
  emit_forget_sample(e);
}

static void emit_coordinate_rows(emission *e, int lanes) {
  const kernel_layout *layout = &e->layout;
  int q = layout->num_grid;
  MlirValue offsets = e->slots[kernel_layout_find_offsets(layout, q, layout->grid)];
  number first = number_value(e->first), last = number_value(e->last);
  number batch = number_value(e->slots[kernel_layout_find(layout, SLOT_BATCH, 0)]);
  number sample = emit_find_sample(e, offsets, batch, first);
  while_loop w;
  MlirValue initial[2] = {e->first, number_emit(e, sample)};
  begin_while(e, &w, 2);
  while_condition(e, &w, emit_compare(e, COMPARE_LT, number_value(w.carried[0]), last));
  number row = number_value(w.carried[0]);
  e->sample = advance_sample(e, offsets, number_value(w.carried[1]), row);
  set_coordinate(e, emit_argument(e, 0), e->sample);
  emit_load_sample(e);
  number local = number_sub(e, row, number_value(emit_load_i64(e, offsets, e->sample)));
  number extent = axis_extent(e, layout->grid[q - 1], e->sample), start = local;
  for (int k = q - 1; k >= 0; --k) {
    number own = axis_extent(e, layout->grid[k], e->sample);
    number at = k > 0 ? number_rem(e, local, own) : local;
    if (k > 0) local = number_div(e, local, own);
    set_coordinate(e, emit_argument(e, 1 + k), at);
    if (k == q - 1) start = at;
  }
  number count = number_min(e, number_sub(e, extent, start), number_sub(e, last, row));
  emit_run(e, row, count, emit_argument(e, q), start, lanes);
  MlirValue next[2] = {number_emit(e, number_add(e, row, count)), number_emit(e, e->sample)};
  end_while(e, &w, next, initial);
  emit_forget_sample(e);
}

// ---- What kind a kernel is -------------------------------------------------------------------

// Lanes of rows pay where tails do not fill a vector.
static int row_lanes(const emission *e, bool fill) {
  int64_t widest = 1;
  int lanes = 64;
  for (int k = 0; k < e->plan.num_tiles; ++k) {
    const ragged_tile_shape *shape = &e->plan.tiles[k].shape;
    int own = ragged_cpu_lanes(e->target, shape->element_type);
    if (own < lanes) lanes = own;
    if (ragged_tile_size(shape) > widest) widest = ragged_tile_size(shape);
  }
  if (e->elements) return lanes;
  if (fill || e->layout.num_dots || widest * 2 > lanes || e->plan.num_tiles == 0) return 1;
  if (!e->layout.has_sample || (!e->flat && e->layout.num_grid == 0)) return 1;
  // Narrow tiles in a kernel with accumulations: rows are laned where rows are many; a kernel over
  // one row per outer coordinate lanes the accumulated coordinate itself (kernel_emit_accumulate.c).
  if (e->layout.accumulates) {
    for (int k = 0; k < e->plan.num_tiles; ++k) {
      MlirOperation op = e->plan.tiles[k].operation;
      if (!ragged_operation_is(op, "ragged_tile.load")) continue;
      intptr_t last = mlirOperationGetNumOperands(op) - 1;
      if (last > 0 && mlirValueEqual(mlirOperationGetOperand(op, last), emit_argument(e, e->layout.num_grid)))
        return lanes;
    }
    return 1;
  }
  return lanes;
}

static void emit_products(emission *e) {
  for (int k = 0; k < e->layout.num_dots; ++k) {
    MlirOperation dot = e->layout.dots[k].operation;
    const tile_plan *out = kernel_plan_find(&e->plan, mlirOperationGetResult(dot, 0));
    if (out->segment - 1 != e->segment) continue;
    const tile_plan *in = kernel_plan_find(&e->plan, mlirOperationGetOperand(dot, 0));
    number rows = number_mul(e, number_sub(e, number_value(e->last), number_value(e->first)),
                             number_of(e->layout.dots[k].rows_per_row));
    MlirValue product = e->slots[kernel_layout_find(&e->layout, SLOT_PRODUCT, k)];
    ragged_build(&e->b, "func.call",
                 RAGGED_VALUES(product, block_array(e, in), block_array(e, out), number_emit(e, rows)),
                 RAGGED_NONE,
                 RAGGED_ATTRIBUTES(ragged_named(e->context, "callee",
                                                ragged_attribute_symbol(e->context, "ragged_rt_product_run"))),
                 RAGGED_NONE);
  }
}

void emit_kernel(emission *e) {
  kernel_traits traits = kernel_traits_read(e->kernel, &e->layout, &e->plan);
  e->flat = traits.flat;
  e->elements = traits.elements;
  int lanes = row_lanes(e, traits.fill);
  e->rows_in_lanes = lanes > 1;
  for (e->segment = 0; e->segment < e->plan.num_segments; ++e->segment) {
    if (!e->layout.has_sample) emit_row(e);
    else if (e->flat) emit_flat_rows(e, lanes);
    else if (e->layout.num_grid == 0) emit_samples(e);
    else emit_coordinate_rows(e, lanes);
    emit_products(e);
  }
}
