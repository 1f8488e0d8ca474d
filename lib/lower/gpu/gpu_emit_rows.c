// The loops over rows: which rows a group takes. Where rows have coordinates, a block takes a share of
// rows that follow each other, so that it finds their samples once. With dense products it takes them
// segment by segment, with the products between.
#include "lower/gpu/gpu_emit.h"
#include "lower/gpu/gpu_function.h"

static void emit_row(gpu_emission *g) {
  g->e.num_memo = 0;
  for (int k = 0; g->e.row_values && k < g->e.plan.num_tiles; ++k) g->e.row_values[k] = NULL;
  emit_block(&g->e, ragged_operation_body(g->e.kernel));
  // The next row writes to the same arrays.
  if (g->layout->group_bytes > 0) gpu_group_barrier(g);
}

// Row `first` of those from `base` on, and every `step`-th after it, by this group.
static void emit_rows(gpu_emission *g, number first, number end, number step, number base) {
  carried_loop l;
  number n = gpu_begin_loop(g, &l, first, end, step, 0, NULL);
  g->e.block_row = n;
  gpu_find_row(g, base, n);
  emit_row(g);
  gpu_end_loop(g, &l, NULL);
  emit_forget_sample(&g->e);
}

// ---- Rows that need no coordinates ---------------------------------------------------------------

static void emit_flat(gpu_emission *g) {
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

// ---- Shares of rows: kernels with coordinates, or with dense products --------------------------

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

static void emit_shares(gpu_emission *g) {
  emission *e = &g->e;
  number share = number_of(g->layout->rows_per_block), items = number_value(g->items);
  int64_t groups = GPU_THREADS / g->layout->group;
  carried_loop l;
  number first = gpu_begin_loop(g, &l, number_mul(e, gpu_number(g, g->block), share), items,
                                number_mul(e, gpu_number(g, g->grid), share), 0, NULL);
  number rows = number_min(e, share, number_sub(e, items, first));
  gpu_load_samples(g, first, rows);
  for (e->segment = 0; e->segment < e->plan.num_segments; ++e->segment) {
    emit_rows(g, gpu_number(g, g->group), rows, number_of(groups), first);
    if (e->layout.num_dots == 0) continue;
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
  if (g->e.layout.over_rows.is) {
    gpu_emit_over_rows(g);
    return;
  }
  gpu_copy_dense(g);
  if (g->e.elements) emit_elements(g);
  else if (g->e.layout.num_dots || g->layout->samples_bytes) emit_shares(g);
  else emit_flat(g);
}
