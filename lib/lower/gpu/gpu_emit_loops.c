// The elements of a row spread over the group's threads. A thread that has a row to itself runs without
// loops: every index is known, and what is kept of the row stands in registers.
#include "lower/gpu/gpu_emit.h"
#include "lower/math/gpu_math.h"

static gpu_emission *of(emission *e) { return (gpu_emission *)e; }

// The dimensions that `width` lanes run along: as few of the last ones as hold a multiple of it.
static void choose_lanes(const ragged_tile_shape *shape, int width, tile_index *out) {
  *out = (tile_index){.lane = -1};
  if (width == 1) return;
  int64_t together = 1;
  out->lane = shape->rank;
  while (out->lane > 0 && (together % width || out->lane == shape->rank))
    together *= shape->extents[--out->lane];
  out->span = shape->rank - 1 - out->lane;
}

// Positions fit 32 bits: a tile has fewer than 2^31 elements.
void gpu_tile_index(gpu_emission *g, const ragged_tile_shape *shape, int width, number unit,
                    tile_index *out) {
  choose_lanes(shape, width, out);
  MlirValue position = ragged_value_none();
  if (!unit.constant) {
    position = ragged_build_value(&g->e.b, "arith.trunci", g->i32, RAGGED_VALUES(unit.value));
    position = gpu_op(g, "arith.muli", position, gpu_i32(g, width));
  }
  int64_t stride = 1;
  for (int d = shape->rank - 1; d >= 0; --d) {
    int64_t extent = shape->extents[d];
    if (unit.constant || extent == 1) {
      out->at[d] = number_of(extent == 1 ? 0 : unit.known * width / stride % extent);
    } else {
      MlirValue at = position;
      if (stride > 1) at = gpu_op(g, "arith.divui", at, gpu_i32(g, stride));
      if (d > 0) at = gpu_op(g, "arith.remui", at, gpu_i32(g, extent));
      out->at[d] = gpu_number(g, at);
    }
    stride *= extent;
  }
}

typedef struct units {
  const ragged_tile_shape *shape;
  int width;
  element_function body;
  void *user;
} units;

static void visit_unit(gpu_emission *g, const units *u, number unit) {
  emission *e = &g->e;
  tile_index index;
  int lanes = e->lanes, memo = e->num_memo;
  gpu_tile_index(g, u->shape, u->width, unit, &index);
  e->lanes = u->width;
  u->body(e, &index, u->user);
  e->lanes = lanes;
  if (g->layout->group > 1) e->num_memo = memo;  // else all that follows in the row may read it again
}

void gpu_for_each_unit(gpu_emission *g, const ragged_tile_shape *shape, int width, element_function body,
                       void *user) {
  units u = {shape, width, body, user};
  int64_t count = ragged_tile_size(shape) / width, group = g->layout->group;
  if (group == 1) {
    for (int64_t k = 0; k < count; ++k) visit_unit(g, &u, number_of(k));
  } else if (count > group) {  // one unit after the other, `group` apart
    carried_loop l;
    visit_unit(g, &u, gpu_begin_loop(g, &l, gpu_number(g, g->lane), number_of(count), number_of(group),
                                     0, NULL));
    gpu_end_loop(g, &l, NULL);
  } else if (count > 0) {  // at most one each
    guard within;
    begin_if(&g->e, &within, count == group ? ragged_value_none()
                                            : gpu_compare(g, COMPARE_LT, g->lane, gpu_i32(g, count)));
    visit_unit(g, &u, gpu_number(g, g->lane));
    end_if(&g->e, &within);
  }
}

void gpu_for_each_element(emission *e, const ragged_tile_shape *shape, element_function body,
                          void *user) {
  gpu_emission *g = of(e);
  if (!e->elements) {
    gpu_for_each_unit(g, shape, gpu_access_width(shape, g->layout->width), body, user);
    return;
  }
  tile_index index = {.lane = -1};  // the row is one element, or `lanes` of them
  int memo = e->num_memo;
  body(e, &index, user);
  e->num_memo = memo;
}

// ---- Row arrays ------------------------------------------------------------------------------

static MlirValue row_array(emission *e, const tile_plan *tile, int part, int lanes) {
  (void)part;
  (void)lanes;
  gpu_emission *g = of(e);
  ragged_builder outer = e->b;
  e->b = e->allocas;  // at the function's start, once for all uses
  MlirValue array = gpu_offset(g, g->arrays, number_of(gpu_row_array_offset(&e->plan, tile)));
  e->b = outer;
  return array;
}

// What lanes keep for each other is seen after a barrier.
static void end_level(emission *e) { gpu_group_barrier(of(e)); }

const emission_backend gpu_emission_backend = {.for_each_element = gpu_for_each_element,
                                               .row_array = row_array,
                                               .reduce = gpu_reduce,
                                               .accumulate = gpu_accumulate,
                                               .evaluate_reduction = gpu_evaluate_reduction,
                                               .elementwise = ragged_emit_gpu_elementwise,
                                               .end_level = end_level,
                                               .alignment = GPU_ACCESS_BYTES};
