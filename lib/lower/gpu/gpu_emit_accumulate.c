// Accumulations over a ragged axis or the batch. A group's threads share the elements of the tile, and
// what is left of them the positions; each keeps its sums in registers, and they are combined in a
// fixed order. Inside, every thread works alone: reductions there are evaluated where they are read.
// Sums of floats are compensated as on the CPU (docs/decisions/0004).
#include <string.h>

#include "lower/gpu/gpu_emit.h"

static gpu_emission *of(emission *e) { return (gpu_emission *)e; }

// ---- Sums and maxima in registers --------------------------------------------------------------

enum { PART_SUM, PART_COMPENSATION, PART_PLAIN, MAX_PARTS };

// A plain value is one part; a compensated sum three.
typedef struct partial {
  const char *kind;
  int count;
  MlirValue parts[MAX_PARTS];
} partial;

static MlirValue add(gpu_emission *g, MlirValue x, MlirValue y) { return gpu_op(g, "arith.addf", x, y); }
static MlirValue sub(gpu_emission *g, MlirValue x, MlirValue y) { return gpu_op(g, "arith.subf", x, y); }

static partial identity(gpu_emission *g, const tile_plan *tile) {
  const char *kind = ragged_operation_string(tile->operation, "kind");
  ragged_element_type type = tile->shape.element_type;
  bool compensated = !strcmp(kind, "add") && ragged_element_is_float(type) &&
                     !ragged_operation_has(tile->operation, "plain");
  partial out = {.kind = kind, .count = compensated ? MAX_PARTS : 1};
  for (int k = 0; k < out.count; ++k)
    out.parts[k] = emit_splat(&g->e, emit_identity(&g->e, kind, type).value, g->e.lanes);
  return out;
}

// Nothing may be contracted or reassociated here: plain adds.
static partial add_term(gpu_emission *g, const partial *p, MlirValue x) {
  partial out = *p;
  if (p->count == 1) {
    out.parts[PART_SUM] = emit_combine(&g->e, p->kind, p->parts[PART_SUM], x);
    return out;
  }
  MlirValue y = sub(g, x, p->parts[PART_COMPENSATION]);
  MlirValue t = add(g, p->parts[PART_SUM], y);
  out.parts[PART_COMPENSATION] = sub(g, sub(g, t, p->parts[PART_SUM]), y);
  out.parts[PART_SUM] = t;
  out.parts[PART_PLAIN] = add(g, p->parts[PART_PLAIN], x);
  return out;
}

// Two sums of the same kind: the second's compensation is given back with it.
static partial join(gpu_emission *g, const partial *a, const partial *b) {
  if (a->count == 1) return add_term(g, a, b->parts[PART_SUM]);
  partial out = add_term(g, a, sub(g, b->parts[PART_SUM], b->parts[PART_COMPENSATION]));
  out.parts[PART_PLAIN] = add(g, a->parts[PART_PLAIN], b->parts[PART_PLAIN]);
  return out;
}

// The plain sum where the compensated one is not finite.
static MlirValue finish(gpu_emission *g, const partial *p) {
  MlirValue sum = p->parts[PART_SUM];
  if (p->count == 1) return sum;
  MlirType type = mlirValueGetType(sum), flag = mlirIntegerTypeGet(g->e.context, 1);
  if (mlirTypeIsAVector(type)) {
    int64_t lanes = mlirShapedTypeGetDimSize(type, 0);
    flag = mlirVectorTypeGet(1, &lanes, flag);
  }
  MlirValue zero = sub(g, sum, sum);
  MlirNamedAttribute ordered =
      ragged_named(g->e.context, "predicate", ragged_attribute_i64(g->e.context, 7));
  MlirValue finite = ragged_build_value_with(&g->e.b, "arith.cmpf", flag,
                                             RAGGED_VALUES(zero, zero), 1, &ordered);
  return ragged_build_value(&g->e.b, "arith.select", type,
                            RAGGED_VALUES(finite, sum, p->parts[PART_PLAIN]));
}

// ---- The loop over positions ---------------------------------------------------------------------

// Positions from, from + step, ... at one element (or lanes) of the tile; none where `takes_part` is
// false. A null `takes_part`: true.
static partial sum_positions(gpu_emission *g, const tile_plan *tile, const tile_index *index,
                             number from, number step, MlirValue takes_part) {
  emission *e = &g->e;
  MlirOperation operation = tile->operation;
  MlirBlock body = ragged_operation_body(operation);
  number extent;
  if (ragged_operation_has(operation, "axis"))
    extent = axis_extent(e, ragged_operation_int(operation, "axis", 0),
                         coordinate_of(e, mlirOperationGetOperand(operation, 0)));
  else
    extent = number_value(e->slots[kernel_layout_find(&e->layout, SLOT_BATCH, 0)]);
  if (!mlirValueIsNull(takes_part))
    extent = number_value(ragged_build_value(
        &e->b, "arith.select", e->i64,
        RAGGED_VALUES(takes_part, number_emit(e, extent), number_emit(e, number_of(0)))));
  partial sum = identity(g, tile);
  carried_loop l;
  number at = gpu_begin_loop(g, &l, from, extent, step, sum.count, sum.parts);
  set_coordinate(e, mlirBlockGetArgument(body, 0), at);
  memcpy(sum.parts, l.values, sizeof *l.values * (size_t)sum.count);
  MlirValue yielded = mlirOperationGetOperand(mlirBlockGetTerminator(body), 0);
  sum = add_term(g, &sum, emit_full(e, emit_tile(e, yielded, index)));
  gpu_end_loop(g, &l, sum.parts);
  memcpy(sum.parts, l.values, sizeof *l.values * (size_t)sum.count);
  return sum;
}

// ---- Combining what threads have -----------------------------------------------------------------

static MlirValue shuffle_lanes(gpu_emission *g, MlirValue value, int distance) {
  if (!mlirTypeIsAVector(mlirValueGetType(value))) return gpu_shuffle(g, value, distance);
  int lanes = (int)mlirShapedTypeGetDimSize(mlirValueGetType(value), 0);
  MlirValue out = value;
  for (int k = 0; k < lanes; ++k)
    out = emit_insert(&g->e, out, gpu_shuffle(g, emit_extract(&g->e, value, k), distance), k);
  return out;
}

// Sums of `share` threads apart, within their warp.
static partial join_within_warp(gpu_emission *g, partial sum, int share) {
  int within = g->layout->group < GPU_WARP ? g->layout->group : GPU_WARP;
  for (int distance = share; distance < within; distance *= 2) {
    partial other = sum;
    for (int k = 0; k < sum.count; ++k)
      other.parts[k] = shuffle_lanes(g, sum.parts[k], distance);
    sum = join(g, &sum, &other);
  }
  return sum;
}

// Parts stand one after the other, each aligned as far as its lanes are.
static int64_t part_alignment(const emission *e, ragged_element_type type) {
  int64_t bytes = (int64_t)ragged_element_size(type) * e->lanes;
  return bytes < GPU_ACCESS_BYTES ? bytes : GPU_ACCESS_BYTES;
}

// The sum of one party for `element`, from shared memory; of the same kind and width as `like`.
static partial load_party(gpu_emission *g, const partial *like, MlirValue element, MlirValue party,
                          int share, ragged_element_type type) {
  emission *e = &g->e;
  partial out = *like;
  MlirValue slot = gpu_op(g, "arith.addi", gpu_op(g, "arith.muli", party, gpu_i32(g, share)), element);
  for (int k = 0; k < like->count; ++k) {
    MlirValue at = gpu_op(g, "arith.addi", gpu_op(g, "arith.muli", slot, gpu_i32(g, like->count)),
                          gpu_i32(g, k));
    out.parts[k] = emit_load_aligned(e, g->shared, type,
                                     number_mul(e, gpu_number(g, at), number_of(e->lanes)), e->lanes,
                                     part_alignment(e, type));
  }
  return out;
}

// Those of all warps, through shared memory. `share` threads hold different elements; every thread
// gets the result for its own.
static partial join_warps(gpu_emission *g, partial sum, int share, ragged_element_type type) {
  emission *e = &g->e;
  if (g->layout->group <= GPU_WARP) return sum;
  int in_warp = share < GPU_WARP ? share : GPU_WARP, lanes = e->lanes;
  int parties = GPU_THREADS / GPU_WARP * in_warp / share;  // how many sums there are of an element
  MlirValue element = gpu_op(g, "arith.remui", g->thread, gpu_i32(g, share));
  MlirValue warp_lane = gpu_op(g, "arith.remui", g->thread, gpu_i32(g, GPU_WARP));
  MlirValue warp = gpu_op(g, "arith.divui", g->thread, gpu_i32(g, GPU_WARP));
  // Warps of one party number hold different elements when share exceeds a warp.
  int warps_per_party = share > GPU_WARP ? share / GPU_WARP : 1;
  MlirValue party = gpu_op(g, "arith.divui", warp, gpu_i32(g, warps_per_party));
  MlirValue slot = gpu_op(g, "arith.addi", gpu_op(g, "arith.muli", party, gpu_i32(g, share)), element);
  guard speaks;
  gpu_begin_if(g, &speaks, in_warp < GPU_WARP
                               ? gpu_compare(g, COMPARE_LT, warp_lane, gpu_i32(g, in_warp))
                               : ragged_value_none());
  for (int k = 0; k < sum.count; ++k) {
    MlirValue at = gpu_op(g, "arith.addi", gpu_op(g, "arith.muli", slot, gpu_i32(g, sum.count)),
                          gpu_i32(g, k));
    emit_store_aligned(e, g->shared, type, number_mul(e, gpu_number(g, at), number_of(lanes)), sum.parts[k],
                       part_alignment(e, type));
  }
  gpu_end_if(g, &speaks);
  gpu_block_barrier(g);
  partial whole = load_party(g, &sum, element, gpu_i32(g, 0), share, type);
  // A loop: the parts of all parties at once would not fit the registers.
  carried_loop l;
  number next = gpu_begin_loop(g, &l, number_of(1), gpu_opaque(g, parties), number_of(1), whole.count,
                               whole.parts);
  memcpy(whole.parts, l.values, sizeof *l.values * (size_t)whole.count);
  MlirValue number = ragged_build_value(&e->b, "arith.trunci", g->i32,
                                        RAGGED_VALUES(number_emit(e, next)));
  partial other = load_party(g, &sum, element, number, share, type);
  whole = join(g, &whole, &other);
  gpu_end_loop(g, &l, whole.parts);
  memcpy(whole.parts, l.values, sizeof *l.values * (size_t)whole.count);
  gpu_block_barrier(g);
  return whole;
}

// ---- Accumulations of a row ----------------------------------------------------------------------

typedef struct turns {
  const tile_plan *tile;
  int width, share;  // elements of an access; threads that share the tile
  int64_t units;     // accesses of the tile
} turns;

// A thread that has a row to itself takes the accesses one after the other.
static void take_alone(gpu_emission *g, const turns *t, int64_t unit) {
  emission *e = &g->e;
  tile_index index;
  gpu_tile_index(g, &t->tile->shape, t->width, number_of(unit), &index);
  partial sum = sum_positions(g, t->tile, &index, number_of(0), number_of(1), ragged_value_none());
  emit_scratch_store(e, t->tile, &index, (lanes_value){finish(g, &sum), t->width == 1});
}

// All threads take the same turns: they meet in exchanges. A thread without an element reads nothing and
// does not write.
static void take_turn(gpu_emission *g, const turns *t, number turn) {
  emission *e = &g->e;
  int group = g->layout->group;
  MlirValue own = gpu_op(g, "arith.remui", g->lane, gpu_i32(g, t->share));
  MlirValue first = gpu_op(g, "arith.divui", g->lane, gpu_i32(g, t->share));
  MlirValue base = ragged_build_value(&e->b, "arith.trunci", g->i32,
                                      RAGGED_VALUES(number_emit(e, turn)));
  MlirValue unit = gpu_op(g, "arith.addi", gpu_op(g, "arith.muli", base, gpu_i32(g, t->share)), own);
  MlirValue writes = gpu_compare(g, COMPARE_LT, unit, gpu_i32(g, t->units));
  tile_index index;
  gpu_tile_index(g, &t->tile->shape, t->width,
                 gpu_number(g, gpu_op(g, "arith.minsi", unit, gpu_i32(g, t->units - 1))), &index);
  partial sum = sum_positions(g, t->tile, &index, gpu_number(g, first), number_of(group / t->share),
                              t->units % t->share ? writes : ragged_value_none());
  sum = join_within_warp(g, sum, t->share);
  sum = join_warps(g, sum, t->share, t->tile->shape.element_type);
  MlirValue leads = gpu_compare(g, COMPARE_EQ, first, gpu_i32(g, 0));
  guard write;
  gpu_begin_if(g, &write, gpu_op(g, "arith.andi", writes, leads));
  emit_scratch_store(e, t->tile, &index, (lanes_value){finish(g, &sum), t->width == 1});
  gpu_end_if(g, &write);
}

void gpu_accumulate(emission *e, const tile_plan *tile) {
  gpu_emission *g = of(e);
  int64_t size = ragged_tile_size(&tile->shape);
  if (size == 0) return;
  int group = g->layout->group, lanes = e->lanes;
  turns t = {.tile = tile, .width = gpu_access_width(&tile->shape, g->layout->width)};
  t.units = size / t.width;
  t.share = gpu_power_of_two(t.units);
  if (t.share > group) t.share = group;
  e->lanes = t.width;
  if (group == 1) {
    for (int64_t unit = 0; unit < t.units; ++unit) take_alone(g, &t, unit);
  } else {
    loop l;
    take_turn(g, &t, begin_loop(e, &l, number_of(0), number_of((t.units + t.share - 1) / t.share), 1));
    end_loop(e, &l);
  }
  e->lanes = lanes;
}

lanes_value gpu_evaluate_reduction(emission *e, const tile_plan *tile, const tile_index *index) {
  gpu_emission *g = of(e);
  if (ragged_operation_is(tile->operation, "ragged_tile.reduce"))
    return gpu_evaluate_reduce(g, tile, index);
  partial sum = sum_positions(g, tile, index, number_of(0), number_of(1), ragged_value_none());
  return (lanes_value){finish(g, &sum), e->lanes == 1};
}
