// Reductions over dimensions of a tile: by all threads of the group, or by one alone. Elements are read as
// they lie: lanes run along the operand's last dimensions, whether these are reduced or kept.
#include <string.h>

#include "lower/gpu/gpu_emit.h"

typedef struct row_reduction {
  const tile_plan *tile;
  MlirValue operand;
  const ragged_tile_shape *shape;  // of the operand
  const char *kind;
  ragged_tile_shape kept, reduced;
  bool is_reduced[RAGGED_MAX_RANK];
  int kept_width, reduced_width;   // elements read at once along the last dimensions: one of them is 1
} row_reduction;

static row_reduction read_reduction(gpu_emission *g, const tile_plan *tile) {
  row_reduction out = {.tile = tile,
                       .operand = mlirOperationGetOperand(tile->operation, 0),
                       .kind = ragged_operation_string(tile->operation, "kind")};
  out.shape = &kernel_plan_find(&g->e.plan, out.operand)->shape;
  out.kept.element_type = out.reduced.element_type = out.shape->element_type;
  MlirAttribute dims = ragged_operation_attribute(tile->operation, "dims");
  for (intptr_t k = 0; k < mlirDenseArrayGetNumElements(dims); ++k)
    out.is_reduced[mlirDenseI64ArrayGetElement(dims, k)] = true;
  int last = out.shape->rank - 1;
  ragged_tile_shape together = {.element_type = out.shape->element_type};
  for (int d = 0; d <= last; ++d) {
    ragged_tile_shape *part = out.is_reduced[d] ? &out.reduced : &out.kept;
    part->extents[part->rank++] = out.shape->extents[d];
    if (d && out.is_reduced[d] != out.is_reduced[d - 1]) together.rank = 0;
    together.extents[together.rank++] = out.shape->extents[d];
  }
  int width = gpu_access_width(&together, g->layout->width);
  out.kept_width = out.is_reduced[last] ? 1 : width;
  out.reduced_width = out.is_reduced[last] ? width : 1;
  return out;
}

// Where lanes run along kept dimensions, these are next to each other in the operand: they are among the
// last ones.
static tile_index join_index(const row_reduction *r, const tile_index *kept, const tile_index *reduced) {
  tile_index out = {.lane = -1};
  int next[2] = {0, 0};
  for (int d = 0; d < r->shape->rank; ++d) {
    const tile_index *from = r->is_reduced[d] ? reduced : kept;
    int *at = &next[r->is_reduced[d]];
    if (from->lane == *at) {
      out.lane = d;
      out.span = from->span;
    }
    out.at[d] = from->at[(*at)++];
  }
  return out;
}

// ---- A part of the elements -----------------------------------------------------------------------

static MlirValue combine_unit(gpu_emission *g, const row_reduction *r, const tile_index *kept, number unit,
                              MlirValue sum) {
  emission *e = &g->e;
  tile_index reduced;
  gpu_tile_index(g, &r->reduced, r->reduced_width, unit, &reduced);
  tile_index index = join_index(r, kept, &reduced);
  return emit_combine(e, r->kind, sum, emit_full(e, emit_tile(e, r->operand, &index)));
}

// Accesses first, first + step, ... of the reduced elements, at one kept element, or at the lanes of
// `kept`: one number, or as many as there are lanes.
static MlirValue reduce_part(gpu_emission *g, const row_reduction *r, const tile_index *kept, number first,
                             int step) {
  emission *e = &g->e;
  int lanes = e->lanes, width = kept->lane >= 0 ? lanes : r->reduced_width;
  int64_t units = ragged_tile_size(&r->reduced) / r->reduced_width;
  e->lanes = width;
  MlirValue sum = emit_splat(e, emit_identity(e, r->kind, r->shape->element_type).value, width);
  if (g->layout->group == 1) {
    for (int64_t k = 0; k < units; ++k) sum = combine_unit(g, r, kept, number_of(k), sum);
  } else {
    carried_loop l;
    number unit = gpu_begin_loop(g, &l, first, number_of(units), number_of(step), 1, &sum);
    sum = combine_unit(g, r, kept, unit, l.values[0]);
    gpu_end_loop(g, &l, &sum);
    sum = l.values[0];
  }
  e->lanes = lanes;
  return kept->lane < 0 && width > 1 ? emit_across(e, r->kind, sum) : sum;
}

// ---- By one thread ----------------------------------------------------------------------------------

typedef struct lane_reduction {
  gpu_emission *g;
  const row_reduction *r;
  MlirValue vector;
  int lanes;
} lane_reduction;

static void reduce_lane(emission *e, const tile_index *index, int lane, void *user) {
  lane_reduction *l = user;
  MlirValue sum = reduce_part(l->g, l->r, index, number_of(0), 1);
  l->vector = lane ? emit_insert(e, l->vector, sum, lane) : emit_splat(e, sum, l->lanes);
}

static lanes_value evaluate_alone(gpu_emission *g, const row_reduction *r, const tile_index *index) {
  emission *e = &g->e;
  if (index->lane < 0 || r->kept_width >= e->lanes)
    return (lanes_value){reduce_part(g, r, index, number_of(0), 1), index->lane < 0 || e->lanes == 1};
  lane_reduction l = {g, r, ragged_value_none(), e->lanes};
  emit_each_lane(e, &r->tile->shape, index, reduce_lane, &l);
  return (lanes_value){l.vector, false};
}

lanes_value gpu_evaluate_reduce(gpu_emission *g, const tile_plan *tile, const tile_index *index) {
  row_reduction r = read_reduction(g, tile);
  return evaluate_alone(g, &r, index);
}

static void keep_alone(emission *e, const tile_index *index, void *user) {
  const row_reduction *r = user;
  emit_scratch_store(e, r->tile, index, evaluate_alone((gpu_emission *)e, r, index));
}

// ---- By the group ------------------------------------------------------------------------------------

static MlirValue combine_group(gpu_emission *g, const row_reduction *r, MlirValue own) {
  emission *e = &g->e;
  if (!mlirTypeIsAVector(mlirValueGetType(own))) return gpu_group_combine(g, r->kind, own);
  MlirValue out = own;
  for (int k = 0; k < r->kept_width; ++k)
    out = emit_insert(e, out, gpu_group_combine(g, r->kind, emit_extract(e, own, k)), k);
  return out;
}

// The kept elements, an access of them after the other; every thread runs the same loops.
static void reduce_together(gpu_emission *g, const row_reduction *r) {
  emission *e = &g->e;
  int64_t units = ragged_tile_size(&r->kept) / r->kept_width;
  int lanes = e->lanes;
  carried_loop l;
  number unit = number_of(0);
  if (units > 1) unit = gpu_begin_loop(g, &l, unit, number_of(units), number_of(1), 0, NULL);
  tile_index kept;
  gpu_tile_index(g, &r->kept, r->kept_width, unit, &kept);
  e->lanes = r->kept_width;
  MlirValue whole = combine_group(
      g, r, reduce_part(g, r, &kept, gpu_number(g, g->lane), g->layout->group));
  guard first;
  begin_if(&g->e, &first, gpu_compare(g, COMPARE_EQ, g->lane, gpu_i32(g, 0)));
  emit_scratch_store(e, r->tile, &kept, (lanes_value){whole, r->kept_width == 1});
  end_if(&g->e, &first);
  e->lanes = lanes;
  if (units > 1) gpu_end_loop(g, &l, NULL);
}

void gpu_reduce(emission *e, const tile_plan *tile) {
  gpu_emission *g = (gpu_emission *)e;
  if (ragged_tile_size(&tile->shape) == 0) return;
  row_reduction r = read_reduction(g, tile);
  bool together = g->layout->group > 1 && (ragged_tile_size(&r.kept) == 1 ||
                                           ragged_tile_size(&r.reduced) >= g->layout->group);
  if (together) reduce_together(g, &r);
  else gpu_for_each_unit(g, &r.kept, r.kept_width, keep_alone, &r);
}
