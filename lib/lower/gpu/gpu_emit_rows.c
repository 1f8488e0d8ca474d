// The loops over rows: which rows a group takes, and which sample and coordinates a row has. With dense
// products a block takes its rows segment by segment, with the products between.
#include "lower/gpu/gpu_emit.h"
#include "lower/gpu/gpu_function.h"

static MlirValue narrow(gpu_emission *g, number n) {
  return ragged_build_value(&g->e.b, "arith.trunci", g->i32, RAGGED_VALUES(number_emit(&g->e, n)));
}

static void emit_row(gpu_emission *g) {
  g->e.num_memo = 0;
  emit_block(&g->e, ragged_operation_body(g->e.kernel));
  // The next row writes to the same arrays.
  if (g->layout->group_bytes > 0) gpu_group_barrier(g);
}

// Coordinates of row number `local` of the sample. A sample has fewer than 2^32 rows: the runtime
// refuses more before the launch.
static void set_coordinates(gpu_emission *g, number local) {
  emission *e = &g->e;
  const kernel_layout *layout = &e->layout;
  MlirValue rest = narrow(g, local);
  for (int k = layout->num_grid - 1; k >= 0; --k) {
    MlirValue at = rest;
    if (k > 0) {
      MlirValue extent = narrow(g, axis_extent(e, layout->grid[k], e->sample));
      at = gpu_op(g, "arith.remui", rest, extent);
      rest = gpu_op(g, "arith.divui", rest, extent);
    }
    set_coordinate(e, emit_argument(e, 1 + k), gpu_number(g, at));
  }
}

// The sample of the n-th row in the order of visit, its extents, the row's coordinates.
static void find_row(gpu_emission *g, number n) {
  emission *e = &g->e;
  e->row = n;
  if (!e->layout.has_sample || e->flat) return;
  if (!g->layout->ordered) {
    e->sample = n;  // one row per sample
  } else {
    number place = emit_find_sample(e, g->ordered_offsets, n);
    e->sample = number_value(emit_load_i64(e, g->order, place));
    number begin = number_value(emit_load_i64(e, g->ordered_offsets, place));
    n = number_sub(e, n, begin);
  }
  set_coordinate(e, emit_argument(e, 0), e->sample);
  emit_load_sample(e);
  if (g->layout->ordered) set_coordinates(g, n);
}

// Row `first` of a block's share and every `step`-th after it, by this group.
static void emit_rows(gpu_emission *g, number first, number end, number step, number base) {
  carried_loop l;
  number n = gpu_begin_loop(g, &l, first, end, step, 0, NULL);
  g->e.block_row = n;
  find_row(g, number_add(&g->e, base, n));
  emit_row(g);
  gpu_end_loop(g, &l, NULL);
  emit_forget_sample(&g->e);
}

// ---- Kernels without dense products ------------------------------------------------------------

static void emit_plain(gpu_emission *g) {
  int64_t groups = GPU_THREADS / g->layout->group;
  number block = gpu_number(g, g->block), grid = gpu_number(g, g->grid);
  number first = number_add(&g->e, number_mul(&g->e, block, number_of(groups)),
                            gpu_number(g, g->group));
  emit_rows(g, first, number_value(g->items), number_mul(&g->e, grid, number_of(groups)),
            number_of(0));
}

// Rows as single elements: whole accesses, then what is left, one element a thread.
static void emit_elements(gpu_emission *g) {
  emission *e = &g->e;
  int width = g->layout->width;
  number total = number_mul(e, number_value(g->items),
                            number_of(kernel_plan_row_elements(&e->plan)));
  number thread = number_add(e, number_mul(e, gpu_number(g, g->block), number_of(GPU_THREADS)),
                             gpu_number(g, g->thread));
  number threads = number_mul(e, gpu_number(g, g->grid), number_of(GPU_THREADS));
  number whole = number_mul(e, number_div(e, total, number_of(width)), number_of(width));
  carried_loop l;
  e->row = gpu_begin_loop(g, &l, number_mul(e, thread, number_of(width)), whole,
                          number_mul(e, threads, number_of(width)), 0, NULL);
  e->lanes = width;
  e->lane_rows = width > 1;
  emit_row(g);
  e->lanes = 1;
  e->lane_rows = false;
  gpu_end_loop(g, &l, NULL);
  if (width == 1) return;
  e->row = gpu_begin_loop(g, &l, number_add(e, whole, thread), total, threads, 0, NULL);
  emit_row(g);
  gpu_end_loop(g, &l, NULL);
}

// ---- Kernels with dense products ---------------------------------------------------------------

static MlirValue ref_pointer(gpu_emission *g, int ref) {
  if (ref < 0) return ragged_build_value(&g->e.b, "llvm.mlir.zero", g->e.ptr, RAGGED_NONE);
  return g->e.slots[kernel_layout_find(&g->e.layout, SLOT_REF, ref)];
}

static void emit_products(gpu_emission *g, number rows) {
  emission *e = &g->e;
  for (int k = 0; k < e->layout.num_dots; ++k) {
    const kernel_dot *dot = &e->layout.dots[k];
    const tile_plan *out = kernel_plan_find(&e->plan, mlirOperationGetResult(dot->operation, 0));
    if (out->segment - 1 != e->segment) continue;
    const tile_plan *in = kernel_plan_find(&e->plan, mlirOperationGetOperand(dot->operation, 0));
    number product_rows = number_mul(e, rows, number_of(dot->rows_per_row));
    MlirValue shared = gpu_offset(g, g->shared, number_of(g->layout->exchange_bytes));
    gpu_call(g, gpu_product_name(g, dot),
             RAGGED_VALUES(block_array(e, in), ref_pointer(g, dot->weight_ref),
                           ref_pointer(g, dot->bias_ref), block_array(e, out),
                           number_emit(e, product_rows), shared));
    gpu_block_barrier(g);
  }
}

static void emit_blocks(gpu_emission *g) {
  emission *e = &g->e;
  number share = number_of(g->layout->rows_per_block), items = number_value(g->items);
  int64_t groups = GPU_THREADS / g->layout->group;
  carried_loop l;
  number first = gpu_begin_loop(g, &l, number_mul(e, gpu_number(g, g->block), share), items,
                                number_mul(e, gpu_number(g, g->grid), share), 0, NULL);
  number rows = number_min(e, share, number_sub(e, items, first));
  for (e->segment = 0; e->segment < e->plan.num_segments; ++e->segment) {
    emit_rows(g, gpu_number(g, g->group), rows, number_of(groups), first);
    gpu_block_barrier(g);
    emit_products(g, rows);
  }
  gpu_end_loop(g, &l, NULL);
}

// One load that all threads share, and only where the host does not know the rows.
MlirValue gpu_emit_items(gpu_emission *g, MlirValue parameter) {
  emission *e = &g->e;
  const kernel_layout *layout = &e->layout;
  if (layout->num_grid == 0) return parameter;
  MlirValue offsets = e->slots[kernel_layout_find_offsets(layout, layout->num_grid, layout->grid)];
  MlirValue batch = e->slots[kernel_layout_find(layout, SLOT_BATCH, 0)];
  ragged_builder outer = e->b;
  MlirRegion regions[2];
  for (int part = 0; part < 2; ++part) {
    MlirBlock block = mlirBlockCreate(0, NULL, NULL);
    regions[part] = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(regions[part], block);
    e->b = ragged_builder_at_end(block, outer.location);
    MlirValue rows = part ? parameter : emit_load_i64(e, offsets, number_value(batch));
    ragged_build(&e->b, "scf.yield", RAGGED_VALUES(rows), RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
  }
  e->b = outer;
  MlirValue unknown = emit_compare(e, COMPARE_LT, number_value(parameter), number_of(0));
  return mlirOperationGetResult(ragged_build(&e->b, "scf.if", RAGGED_VALUES(unknown),
                                             RAGGED_TYPES(e->i64), RAGGED_NONE, 2, regions),
                                0);
}

void gpu_emit_kernel(gpu_emission *g) {
  g->e.flat = g->layout->traits.flat;
  g->e.elements = g->layout->traits.elements;
  if (g->e.layout.over_rows.is) gpu_emit_over_rows(g);
  else if (g->e.layout.num_dots) emit_blocks(g);
  else if (g->e.elements) emit_elements(g);
  else emit_plain(g);
}
