// The loops of one row on the CPU: over the elements of a tile, and reductions over its dimensions.
// Called by the emission of a row; works at whatever lanes the loops over rows have chosen.
#include <string.h>

#include "lower/cpu/cpu_emit.h"
#include "lower/math/vector_math.h"

static bool along_tiles(const emission *e) {
  return mlirValueIsNull(e->lane_coordinate) && !e->lane_rows && !e->rows_in_lanes;
}

// ---- Row arrays ------------------------------------------------------------------------------

MlirValue cpu_row_array(emission *e, const tile_plan *tile, int number, int lanes) {
  int64_t size = e->elements ? 1 : ragged_tile_size(&tile->shape);
  if (e->elements || tile->row_offset < 0)
    return emit_alloca(e, element_mlir(e, tile->shape.element_type), size * lanes);
  ragged_builder outer = e->b;
  e->b = e->allocas;
  MlirValue array = emit_pointer(
      e, e->scratch, mlirIntegerTypeGet(e->context, 8),
      number_of(e->layout.row_scratch + tile->row_offset + number * kernel_plan_array_bytes(tile)));
  e->b = outer;
  return array;
}

// ---- Pointwise loops -------------------------------------------------------------------------

typedef struct element_loops {
  const ragged_tile_shape *shape;
  element_function body;
  void *user;
  int width;  // lanes of the last dimension
} element_loops;

static void nest(emission *e, const element_loops *l, int dim, tile_index *index) {
  if (dim == l->shape->rank) {
    l->body(e, index, l->user);
    return;
  }
  int64_t extent = l->shape->extents[dim];
  bool last = dim == l->shape->rank - 1;
  if (extent == 0) return;
  int64_t whole = last ? extent / l->width * l->width : extent;
  int64_t step = last ? l->width : 1;
  int lanes = e->lanes;
  if (last && l->width > 1) {
    index->lane = dim;
    e->lanes = l->width;
  }
  if (whole == step) {
    int memo = e->num_memo;
    index->at[dim] = number_of(0);
    nest(e, l, dim + 1, index);
    e->num_memo = memo;
  } else if (whole > 0) {
    loop outer;
    index->at[dim] = begin_loop(e, &outer, number_of(0), number_of(whole), step);
    nest(e, l, dim + 1, index);
    end_loop(e, &outer);
  }
  if (last && l->width > 1) {
    index->lane = -1;
    e->lanes = 1;
  }
  if (last && whole < extent) {
    if (extent - whole == 1) {
      int memo = e->num_memo;
      index->at[dim] = number_of(whole);
      nest(e, l, dim + 1, index);
      e->num_memo = memo;
    } else {
      loop outer;
      index->at[dim] = begin_loop(e, &outer, number_of(whole), number_of(extent), 1);
      nest(e, l, dim + 1, index);
      end_loop(e, &outer);
    }
  }
  e->lanes = lanes;
}

// Vectors along a tile are as wide as the registers, or narrower for short tails.
static int width_for(const emission *e, const ragged_tile_shape *shape) {
  if (!along_tiles(e) || shape->rank == 0) return 1;
  int width = ragged_cpu_lanes(e->target, shape->element_type);
  while (width > 1 && width > shape->extents[shape->rank - 1]) width /= 2;
  return width;
}

void for_each_element(emission *e, const ragged_tile_shape *shape, element_function body, void *user) {
  tile_index index = {.lane = -1};
  ragged_tile_shape point = {.element_type = shape->element_type};
  element_loops l = {e->elements ? &point : shape, body, user, 1};
  l.width = width_for(e, l.shape);
  nest(e, &l, 0, &index);
}

// ---- Reductions over tile dimensions ---------------------------------------------------------

typedef struct tile_reduction {
  const tile_plan *tile;
  MlirValue operand;
  const char *kind;
  const ragged_tile_shape *shape;  // of the operand
  bool reduced[RAGGED_MAX_RANK];
  MlirValue accumulators[8];  // allocas, one vector each
  MlirValue scalar;           // alloca for what is left of the last dimension
} tile_reduction;

static void accumulate_into(emission *e, const tile_reduction *r, MlirValue accumulator,
                            const tile_index *index) {
  lanes_value x = emit_tile(e, r->operand, index);
  ragged_element_type type = r->shape->element_type;
  MlirValue old = emit_load(e, accumulator, type, number_of(0), e->lanes);
  emit_store(e, accumulator, type, number_of(0), emit_combine(e, r->kind, old, emit_full(e, x)), e->lanes);
}

static void reset(emission *e, const tile_reduction *r, MlirValue accumulator, int lanes) {
  MlirValue zero = emit_identity(e, r->kind, r->shape->element_type).value;
  emit_store(e, accumulator, r->shape->element_type, number_of(0), emit_splat(e, zero, lanes), lanes);
}

// The reduced dimensions from `dim` on, except the last one of the shape; then the innermost step.
static void reduce_nest(emission *e, const tile_reduction *r, int dim, tile_index *index, int width) {
  int last = r->shape->rank - 1;
  if (dim < last) {
    if (!r->reduced[dim]) {
      reduce_nest(e, r, dim + 1, index, width);
      return;
    }
    loop l;
    index->at[dim] = begin_loop(e, &l, number_of(0), number_of(r->shape->extents[dim]), 1);
    reduce_nest(e, r, dim + 1, index, width);
    end_loop(e, &l);
    return;
  }
  if (dim > last || !r->reduced[last]) {  // lanes, if any, run along a kept dimension
    int memo = e->num_memo;
    accumulate_into(e, r, width > 1 || e->lanes > 1 ? r->accumulators[0] : r->scalar, index);
    e->num_memo = memo;
    return;
  }
  int64_t extent = r->shape->extents[last], step = (int64_t)width * 8;
  int64_t whole = width > 1 ? extent / width * width : 0, blocks = whole / step * step;
  int lanes = e->lanes;
  if (width > 1) {
    index->lane = last;
    e->lanes = width;
    if (blocks) {
      loop l;
      number at = begin_loop(e, &l, number_of(0), number_of(blocks), step);
      for (int k = 0; k < 8; ++k) {
        index->at[last] = number_add(e, at, number_of((int64_t)k * width));
        accumulate_into(e, r, r->accumulators[k], index);
      }
      end_loop(e, &l);
    }
    for (int64_t at = blocks; at < whole; at += width) {
      index->at[last] = number_of(at);
      accumulate_into(e, r, r->accumulators[(at - blocks) / width % 8], index);
    }
    index->lane = -1;
    e->lanes = lanes;
  }
  if (whole < extent) {
    loop l;
    index->at[last] = begin_loop(e, &l, number_of(whole), number_of(extent), 1);
    accumulate_into(e, r, e->lanes > 1 ? r->accumulators[0] : r->scalar, index);
    end_loop(e, &l);
  }
}

// One element (or lanes of kept ones) of the result.
static void reduce_element(emission *e, const tile_index *result, void *user) {
  tile_reduction *r = user;
  tile_index index = {.lane = -1};
  int next = 0, last = r->shape->rank - 1;
  for (int d = 0; d <= last; ++d) {
    if (r->reduced[d]) continue;
    index.at[d] = result->at[next];
    if (result->lane == next) index.lane = d;
    ++next;
  }
  ragged_element_type type = r->shape->element_type;
  bool across = r->reduced[last] && along_tiles(e);
  int width = across ? width_for(e, r->shape) : 1, used = 0;
  if (width > 1) {
    int64_t vectors = r->shape->extents[last] / width;
    used = vectors < 8 ? (int)vectors : 8;
  } else if (e->lanes > 1) {
    used = 1;
    width = e->lanes;
  }
  for (int k = 0; k < used; ++k) reset(e, r, r->accumulators[k], width);
  reset(e, r, r->scalar, 1);
  reduce_nest(e, r, 0, &index, across ? width : 1);
  MlirValue values[8];
  for (int k = 0; k < used; ++k) values[k] = emit_load(e, r->accumulators[k], type, number_of(0), width);
  for (int count = used; count > 1; count = (count + 1) / 2)
    for (int k = 0; k < count / 2; ++k)
      values[k] = emit_combine(e, r->kind, values[k], values[count - 1 - k]);
  lanes_value total;
  if (used && !across) {
    total = (lanes_value){values[0], false};
  } else {
    MlirValue scalar = emit_load(e, r->scalar, type, number_of(0), 1);
    if (used) {
      MlirValue sum = emit_across(e, r->kind, values[0]);
      scalar = r->shape->extents[last] % width ? emit_combine(e, r->kind, sum, scalar) : sum;
    }
    total = (lanes_value){scalar, true};
  }
  emit_scratch_store(e, r->tile, result, total);
}

void emit_reduce(emission *e, const tile_plan *tile) {
  tile_reduction r = {.tile = tile, .operand = mlirOperationGetOperand(tile->operation, 0)};
  r.kind = ragged_operation_string(tile->operation, "kind");
  r.shape = &kernel_plan_find(&e->plan, r.operand)->shape;
  MlirAttribute dims = ragged_operation_attribute(tile->operation, "dims");
  for (intptr_t k = 0; k < mlirDenseArrayGetNumElements(dims); ++k)
    r.reduced[mlirDenseI64ArrayGetElement(dims, k)] = true;
  MlirType element = element_mlir(e, r.shape->element_type);
  int64_t lanes = ragged_cpu_lanes(e->target, r.shape->element_type);
  for (int k = 0; k < 8; ++k) r.accumulators[k] = emit_alloca(e, element, lanes);
  r.scalar = emit_alloca(e, element, 1);
  // Along a reduced last dimension the lanes are the reduction's own.
  tile_index index = {.lane = -1};
  element_loops l = {&tile->shape, reduce_element, &r, 1};
  if (!r.reduced[r.shape->rank - 1]) l.width = width_for(e, &tile->shape);
  nest(e, &l, 0, &index);
}

const emission_backend cpu_emission_backend = {.for_each_element = for_each_element,
                                               .row_array = cpu_row_array,
                                               .reduce = emit_reduce,
                                               .accumulate = emit_accumulate,
                                               .elementwise = ragged_emit_elementwise};
