// The elements of a row spread over the group's threads, and reductions over a row's dimensions.
#include <string.h>

#include "lower/gpu/gpu_emit.h"

static gpu_emission *of(emission *e) { return (gpu_emission *)e; }

// Positions fit 32 bits: a tile has fewer than 2^31 elements.
void gpu_tile_index(gpu_emission *g, const ragged_tile_shape *shape, int width, MlirValue unit,
                    tile_index *out) {
  *out = (tile_index){.lane = width > 1 ? shape->rank - 1 : -1};
  MlirValue position = gpu_op(g, "arith.muli", unit, gpu_i32(g, width));
  int64_t stride = 1;
  for (int d = shape->rank - 1; d >= 0; --d) {
    MlirValue at = position;
    if (stride > 1) at = gpu_op(g, "arith.divui", at, gpu_i32(g, stride));
    if (d > 0) at = gpu_op(g, "arith.remui", at, gpu_i32(g, shape->extents[d]));
    out->at[d] = shape->extents[d] == 1 ? number_of(0) : gpu_number(g, at);
    stride *= shape->extents[d];
  }
}

typedef struct unit_loop {
  carried_loop loop;
  guard within;
  bool looped;
  int lanes;
} unit_loop;

// One unit after the other, `group` apart; or at most one each.
static MlirValue begin_units(gpu_emission *g, unit_loop *u, int64_t units, int width) {
  int64_t group = g->layout->group;
  MlirValue unit = g->lane;
  u->looped = units > group;
  u->lanes = g->e.lanes;
  if (u->looped) {
    number at = gpu_begin_loop(g, &u->loop, gpu_number(g, g->lane), number_of(units),
                               number_of(group), 0, NULL);
    unit = ragged_build_value(&g->e.b, "arith.trunci", g->i32, RAGGED_VALUES(at.value));
  }
  bool all = u->looped || units == group;
  gpu_begin_if(g, &u->within, all ? ragged_value_none()
                                  : gpu_compare(g, COMPARE_LT, unit, gpu_i32(g, units)));
  g->e.lanes = width;
  return unit;
}

static void end_units(gpu_emission *g, unit_loop *u) {
  g->e.lanes = u->lanes;
  gpu_end_if(g, &u->within);
  if (u->looped) gpu_end_loop(g, &u->loop, NULL);
}

void gpu_for_each_element(emission *e, const ragged_tile_shape *shape, element_function body,
                          void *user) {
  gpu_emission *g = of(e);
  tile_index index = {.lane = -1};
  if (e->elements) {  // the row is one element, or `lanes` of them
    int memo = e->num_memo;
    body(e, &index, user);
    e->num_memo = memo;
    return;
  }
  int64_t size = ragged_tile_size(shape);
  if (size == 0) return;
  int width = gpu_access_width(shape, g->layout->width);
  unit_loop u;
  MlirValue unit = begin_units(g, &u, size / width, width);
  gpu_tile_index(g, shape, width, unit, &index);
  body(e, &index, user);
  end_units(g, &u);
}

// ---- Row arrays ------------------------------------------------------------------------------

static MlirValue row_array(emission *e, const tile_plan *tile, int part, int lanes) {
  (void)part;
  (void)lanes;
  gpu_emission *g = of(e);
  ragged_builder outer = e->b;
  e->b = e->allocas;  // at the function's start, once for all uses
  MlirValue array = gpu_offset(g, g->arrays, number_of(gpu_row_array_offset(g->layout, &e->plan, tile)));
  e->b = outer;
  return array;
}

// What lanes keep for each other is seen after a barrier.
static void end_level(emission *e) { gpu_group_barrier(of(e)); }

// ---- Reductions over tile dimensions ---------------------------------------------------------

typedef struct dimensions {
  ragged_tile_shape kept, reduced;
  bool is_reduced[RAGGED_MAX_RANK];
} dimensions;

static dimensions split_dimensions(const ragged_tile_shape *shape, MlirOperation reduce) {
  dimensions out = {.kept = {.element_type = shape->element_type},
                    .reduced = {.element_type = shape->element_type}};
  MlirAttribute dims = ragged_operation_attribute(reduce, "dims");
  for (intptr_t k = 0; k < mlirDenseArrayGetNumElements(dims); ++k)
    out.is_reduced[mlirDenseI64ArrayGetElement(dims, k)] = true;
  for (int d = 0; d < shape->rank; ++d) {
    ragged_tile_shape *part = out.is_reduced[d] ? &out.reduced : &out.kept;
    part->extents[part->rank++] = shape->extents[d];
  }
  return out;
}

static tile_index join_index(const dimensions *d, int rank, const tile_index *kept,
                             const tile_index *reduced) {
  tile_index out = {.lane = -1};
  int next[2] = {0, 0};
  for (int k = 0; k < rank; ++k) {
    const tile_index *from = d->is_reduced[k] ? reduced : kept;
    int *at = &next[d->is_reduced[k]];
    if (from->lane == *at) out.lane = k;
    out.at[k] = from->at[(*at)++];
  }
  return out;
}

typedef struct row_reduction {
  const tile_plan *tile;
  MlirValue operand;
  const ragged_tile_shape *shape;
  const char *kind;
  dimensions dims;
} row_reduction;

// One element of the result by all threads of the group.
static void reduce_together(gpu_emission *g, const row_reduction *r, const tile_index *kept) {
  emission *e = &g->e;
  // Lanes need the operand's last dimension.
  bool last = r->dims.is_reduced[r->shape->rank - 1];
  int width = last ? gpu_access_width(&r->dims.reduced, g->layout->width) : 1;
  int64_t units = ragged_tile_size(&r->dims.reduced) / width;
  MlirValue identity = emit_splat(
      e, emit_identity(e, r->kind, r->shape->element_type).value, width);
  int lanes = e->lanes;
  carried_loop l;
  number at = gpu_begin_loop(g, &l, gpu_number(g, g->lane), number_of(units),
                             number_of(g->layout->group), 1, &identity);
  MlirValue unit = ragged_build_value(&e->b, "arith.trunci", g->i32, RAGGED_VALUES(at.value));
  tile_index reduced;
  gpu_tile_index(g, &r->dims.reduced, width, unit, &reduced);
  tile_index index = join_index(&r->dims, r->shape->rank, kept, &reduced);
  e->lanes = width;
  MlirValue x = emit_full(e, emit_tile(e, r->operand, &index));
  MlirValue next = emit_combine(e, r->kind, l.values[0], x);
  e->lanes = lanes;
  gpu_end_loop(g, &l, &next);
  MlirValue own = width > 1 ? emit_across(e, r->kind, l.values[0]) : l.values[0];
  MlirValue whole = gpu_group_combine(g, r->kind, own);
  guard first;
  gpu_begin_if(g, &first, g->layout->group > 1 ? gpu_compare(g, COMPARE_EQ, g->lane, gpu_i32(g, 0))
                                               : ragged_value_none());
  emit_scratch_store(e, r->tile, kept, (lanes_value){whole, true});
  gpu_end_if(g, &first);
}

// All elements of the result, one after the other; every thread runs the same loops.
static void reduce_each_together(gpu_emission *g, const row_reduction *r, int dim,
                                 tile_index *kept) {
  if (dim == r->dims.kept.rank) {
    reduce_together(g, r, kept);
    return;
  }
  loop l;
  kept->at[dim] = begin_loop(&g->e, &l, number_of(0), number_of(r->dims.kept.extents[dim]), 1);
  reduce_each_together(g, r, dim + 1, kept);
  end_loop(&g->e, &l);
}

static void reduce_alone(emission *e, const tile_index *index, void *user) {
  const row_reduction *r = user;
  emit_scratch_store(e, r->tile, index, gpu_evaluate_reduction(e, r->tile, index));
}

void gpu_reduce(emission *e, const tile_plan *tile) {
  gpu_emission *g = of(e);
  if (ragged_tile_size(&tile->shape) == 0) return;
  row_reduction r = {.tile = tile,
                     .operand = mlirOperationGetOperand(tile->operation, 0),
                     .kind = ragged_operation_string(tile->operation, "kind")};
  r.shape = &kernel_plan_find(&e->plan, r.operand)->shape;
  r.dims = split_dimensions(r.shape, tile->operation);
  bool together = ragged_tile_size(&r.dims.kept) == 1 ||
                  ragged_tile_size(&r.dims.reduced) >= g->layout->group;
  tile_index kept = {.lane = -1};
  if (together) reduce_each_together(g, &r, 0, &kept);
  else gpu_for_each_element(e, &tile->shape, reduce_alone, &r);
}

const emission_backend gpu_emission_backend = {.for_each_element = gpu_for_each_element,
                                               .row_array = row_array,
                                               .reduce = gpu_reduce,
                                               .accumulate = gpu_accumulate,
                                               .evaluate_reduction = gpu_evaluate_reduction,
                                               .end_level = end_level,
                                               .alignment = GPU_ACCESS_BYTES};
