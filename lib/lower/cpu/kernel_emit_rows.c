// The loops over rows: flat ranges, runs of consecutive last coordinates within a sample, single
// samples; one loop per segment, with the dense products between them. Chooses the lanes.
#include <string.h>

#include "lower/cpu/kernel_emit.h"

static void forget_sample(emission *e) {
  memset(e->axis_extents, 0, sizeof e->axis_extents);
  memset(e->space_offsets, 0, sizeof e->space_offsets);
}

// Extents and offsets of the current sample, once for all rows of a run.
static void load_sample(emission *e) {
  forget_sample(e);
  for (int k = 0; k < e->layout.num_slots; ++k) {
    const kernel_slot *slot = &e->layout.slots[k];
    if (slot->kind == SLOT_EXTENTS)
      e->axis_extents[slot->number] = number_value(emit_load_i64(e, e->slots[k], e->sample));
    else if (slot->kind == SLOT_OFFSETS)
      e->space_offsets[k] = number_value(emit_load_i64(e, e->slots[k], e->sample));
  }
}

static MlirValue block_argument(const emission *e, int k) {
  return mlirBlockGetArgument(ragged_operation_body(e->kernel), k);
}

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

// ---- scf.while -------------------------------------------------------------------------------

typedef struct while_loop {
  ragged_builder outer;
  MlirRegion regions[2];
  MlirValue carried[2];
  int count;
} while_loop;

// Opens the region that decides; the loop carries `count` i64 values.
static void begin_while(emission *e, while_loop *w, int count) {
  MlirType types[2] = {e->i64, e->i64};
  MlirLocation locations[2] = {e->b.location, e->b.location};
  w->outer = e->b;
  w->count = count;
  for (int part = 0; part < 2; ++part) {
    w->regions[part] = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(w->regions[part], mlirBlockCreate(count, types, locations));
  }
  MlirBlock before = mlirRegionGetFirstBlock(w->regions[0]);
  for (int k = 0; k < count; ++k) w->carried[k] = mlirBlockGetArgument(before, k);
  e->b = ragged_builder_at_end(before, e->b.location);
}

static void while_condition(emission *e, while_loop *w, MlirValue condition) {
  MlirValue operands[3] = {condition, w->carried[0], w->carried[1]};
  ragged_build(&e->b, "scf.condition", 1 + w->count, operands, RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
  MlirBlock after = mlirRegionGetFirstBlock(w->regions[1]);
  for (int k = 0; k < w->count; ++k) w->carried[k] = mlirBlockGetArgument(after, k);
  e->b = ragged_builder_at_end(after, e->b.location);
}

static MlirOperation end_while(emission *e, while_loop *w, const MlirValue *next,
                               const MlirValue *initial) {
  MlirType types[2] = {e->i64, e->i64};
  ragged_build(&e->b, "scf.yield", w->count, next, RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
  e->b = w->outer;
  return ragged_build(&e->b, "scf.while", w->count, initial, w->count, types, RAGGED_NONE, 2,
                      w->regions);
}

// The last sample s with offsets[s] <= row: binary search in [0, batch).
static number find_sample(emission *e, MlirValue offsets, number row) {
  while_loop w;
  MlirValue initial[2] = {number_emit(e, number_of(0)),
                          e->slots[kernel_layout_find(&e->layout, SLOT_BATCH, 0)]};
  begin_while(e, &w, 2);  // low <= answer < high
  number low = number_value(w.carried[0]), high = number_value(w.carried[1]);
  while_condition(e, &w, emit_compare(e, COMPARE_GT, number_sub(e, high, low), number_of(1)));
  low = number_value(w.carried[0]);
  high = number_value(w.carried[1]);
  number middle = number_div(e, number_add(e, low, high), number_of(2));
  number at = number_value(emit_load_i64(e, offsets, middle));
  MlirValue right = emit_compare(e, COMPARE_LE, at, row);
  MlirValue next[2] = {
      ragged_build_value(&e->b, "arith.select", e->i64,
                         RAGGED_VALUES(right, number_emit(e, middle), number_emit(e, low))),
      ragged_build_value(&e->b, "arith.select", e->i64,
                         RAGGED_VALUES(right, number_emit(e, high), number_emit(e, middle)))};
  return number_value(mlirOperationGetResult(end_while(e, &w, next, initial), 0));
}

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
    number size = number_of(ragged_tile_size(&e->plan.tiles[0].shape));
    for (int k = 0; k < e->plan.num_tiles; ++k)
      if (e->plan.tiles[k].shape.rank) size = number_of(ragged_tile_size(&e->plan.tiles[k].shape));
    first = number_mul(e, first, size);
    last = number_mul(e, last, size);
  }
  emit_run(e, first, number_sub(e, last, first), ragged_value_none(), number_of(0), lanes);
}

static void emit_samples(emission *e) {
  loop l;
  e->sample = begin_loop(e, &l, number_value(e->first), number_value(e->last), 1);
  e->row = e->sample;
  set_coordinate(e, block_argument(e, 0), e->sample);
  load_sample(e);
  emit_row(e);
  end_loop(e, &l);
  forget_sample(e);
}

static void emit_coordinate_rows(emission *e, int lanes) {
  const kernel_layout *layout = &e->layout;
  int q = layout->num_grid;
  MlirValue offsets = e->slots[kernel_layout_find_offsets(layout, q, layout->grid)];
  number first = number_value(e->first), last = number_value(e->last);
  number sample = find_sample(e, offsets, first);
  while_loop w;
  MlirValue initial[2] = {e->first, number_emit(e, sample)};
  begin_while(e, &w, 2);
  while_condition(e, &w, emit_compare(e, COMPARE_LT, number_value(w.carried[0]), last));
  number row = number_value(w.carried[0]);
  e->sample = advance_sample(e, offsets, number_value(w.carried[1]), row);
  set_coordinate(e, block_argument(e, 0), e->sample);
  load_sample(e);
  number local = number_sub(e, row, number_value(emit_load_i64(e, offsets, e->sample)));
  number extent = axis_extent(e, layout->grid[q - 1], e->sample), start = local;
  for (int k = q - 1; k >= 0; --k) {
    number own = axis_extent(e, layout->grid[k], e->sample);
    number at = k > 0 ? number_rem(e, local, own) : local;
    if (k > 0) local = number_div(e, local, own);
    set_coordinate(e, block_argument(e, 1 + k), at);
    if (k == q - 1) start = at;
  }
  number count = number_min(e, number_sub(e, extent, start), number_sub(e, last, row));
  emit_run(e, row, count, block_argument(e, q), start, lanes);
  MlirValue next[2] = {number_emit(e, number_add(e, row, count)), number_emit(e, e->sample)};
  end_while(e, &w, next, initial);
  forget_sample(e);
}

// ---- What kind a kernel is -------------------------------------------------------------------

typedef struct survey {
  emission *e;
  bool coordinates;  // something reads another row than its own, or an extent
  bool structured;   // a reduction, view, dot, or tiles of different shapes
  bool fill;
  bool numbers;      // a row of some buffer is one number
  const ragged_tile_shape *shape;
} survey;

static bool own_row(const emission *e, MlirOperation access, int ref_operand) {
  intptr_t count = mlirOperationGetNumOperands(access) - ref_operand - 1;
  if (count != 1 + e->layout.num_grid) return false;
  for (intptr_t k = 0; k < count; ++k)
    if (!mlirValueEqual(mlirOperationGetOperand(access, ref_operand + 1 + k), block_argument(e, (int)k)))
      return false;
  return true;
}

static MlirWalkResult survey_op(MlirOperation op, void *user) {
  survey *s = user;
  bool load = ragged_operation_is(op, "ragged_tile.load"), store = ragged_operation_is(op, "ragged_tile.store");
  if (load || store) {
    ragged_ref_shape ref;
    ragged_ref_type_get(mlirValueGetType(mlirOperationGetOperand(op, store ? 1 : 0)), &ref);
    if (ref.kind == RAGGED_REF_BOX || (ref.kind == RAGGED_REF_PACKED && !own_row(s->e, op, store ? 1 : 0)))
      s->coordinates = true;
    if (ref.kind == RAGGED_REF_DENSE && ref.tail.rank > 0) s->structured = true;
    if (ref.kind == RAGGED_REF_PACKED && ref.tail.rank == 0) s->numbers = true;
  }
  s->fill |= ragged_operation_has(op, "fill");
  s->coordinates |= ragged_operation_is(op, "ragged_tile.accumulate") ||
                    ragged_operation_is(op, "ragged_tile.extent");
  s->structured |= ragged_operation_is(op, "ragged_tile.accumulate") ||
                   ragged_operation_is(op, "ragged_tile.reduce") ||
                   ragged_operation_is(op, "ragged_tile.dot");
  if (mlirOperationGetNumResults(op) == 1) {
    const tile_plan *tile = kernel_plan_find(&s->e->plan, mlirOperationGetResult(op, 0));
    if (!tile) return MlirWalkResultAdvance;
    if (ragged_operation_is(op, "ragged_tile.view")) {
      ragged_tile_shape from;
      ragged_tile_type_get(mlirValueGetType(mlirOperationGetOperand(op, 0)), &from);
      s->structured |= from.rank > 0;
    }
    if (tile->shape.rank == 0) return MlirWalkResultAdvance;
    for (int d = 0; s->shape && d < RAGGED_MAX_RANK; ++d)
      if (s->shape->rank != tile->shape.rank || s->shape->extents[d] != tile->shape.extents[d])
        s->structured = true;
    s->shape = &tile->shape;
  }
  return MlirWalkResultAdvance;
}

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
      if (last > 0 && mlirValueEqual(mlirOperationGetOperand(op, last), block_argument(e, e->layout.num_grid)))
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
  survey s = {.e = e};
  mlirOperationWalk(e->kernel, survey_op, &s, MlirWalkPreOrder);
  e->flat = e->layout.has_sample && !s.coordinates;
  // Numbers repeated along tails are not at the place of every element of their rows.
  e->elements =
      e->flat && !s.structured && s.shape && !s.numbers && ragged_tile_size(s.shape) > 0;
  int lanes = row_lanes(e, s.fill);
  e->rows_in_lanes = lanes > 1;
  for (e->segment = 0; e->segment < e->plan.num_segments; ++e->segment) {
    if (!e->layout.has_sample) emit_row(e);
    else if (e->flat) emit_flat_rows(e, lanes);
    else if (e->layout.num_grid == 0) emit_samples(e);
    else emit_coordinate_rows(e, lanes);
    emit_products(e);
  }
}
