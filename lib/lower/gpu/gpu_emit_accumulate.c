// Accumulations over a ragged axis or the batch. A group's threads share the elements of the tile, and
// what is left of them the positions; each keeps its sums in registers, and they are combined in a
// fixed order. Inside, every thread works alone: reductions there are evaluated where they are read.
// Sums of floats are compensated as on the CPU (docs/decisions/0004).
#include <string.h>

#include "lower/gpu/gpu_emit.h"

static gpu_emission *of(emission *e) { return (gpu_emission *)e; }

// ---- Sums and maxima in registers --------------------------------------------------------------

enum { PART_SUM, PART_COMPENSATION, PART_PLAIN, MAX_PARTS, PART_MATCH = 1 };

// A plain value is one part; a compensated sum three; a maximum with its match two.
typedef struct partial {
  const char *kind;
  bool matched;
  int count;
  MlirValue parts[MAX_PARTS];
} partial;

static MlirValue add(gpu_emission *g, MlirValue x, MlirValue y) { return gpu_op(g, "arith.addf", x, y); }
static MlirValue sub(gpu_emission *g, MlirValue x, MlirValue y) { return gpu_op(g, "arith.subf", x, y); }

static ragged_element_type part_type(const partial *p, const tile_plan *tile, int part) {
  return p->matched && part == PART_MATCH ? RAGGED_ELEMENT_I64 : tile->shape.element_type;
}

static partial identity(gpu_emission *g, const tile_plan *tile) {
  partial out = {.kind = ragged_operation_string(tile->operation, "kind"),
                 .matched = kernel_plan_matched(tile)};
  out.count = kernel_plan_compensated(tile) ? MAX_PARTS : out.matched ? PART_MATCH + 1 : 1;
  for (int k = 0; k < out.count; ++k)
    out.parts[k] = emit_splat(&g->e, emit_identity(&g->e, out.kind, part_type(&out, tile, k)).value,
                              g->e.lanes);
  return out;
}

// Of what a body yields, or of the parts of another one that is not compensated. Nothing may be contracted
// or reassociated here: plain adds.
static partial add_term(gpu_emission *g, const partial *p, const MlirValue *x) {
  partial out = *p;
  if (p->matched) {
    matched_value own = {p->parts[PART_SUM], p->parts[PART_MATCH]};
    own = emit_combine_matched(&g->e, own, (matched_value){x[PART_SUM], x[PART_MATCH]});
    out.parts[PART_SUM] = own.value;
    out.parts[PART_MATCH] = own.match;
    return out;
  }
  if (p->count == 1) {
    out.parts[PART_SUM] = emit_combine(&g->e, p->kind, p->parts[PART_SUM], x[0]);
    return out;
  }
  MlirValue y = sub(g, x[0], p->parts[PART_COMPENSATION]);
  MlirValue t = add(g, p->parts[PART_SUM], y);
  out.parts[PART_COMPENSATION] = sub(g, sub(g, t, p->parts[PART_SUM]), y);
  out.parts[PART_SUM] = t;
  out.parts[PART_PLAIN] = add(g, p->parts[PART_PLAIN], x[0]);
  return out;
}

// Two sums of the same kind: the second's compensation is given back with it.
static partial join(gpu_emission *g, const partial *a, const partial *b) {
  if (a->count < MAX_PARTS) return add_term(g, a, b->parts);
  MlirValue sum = sub(g, b->parts[PART_SUM], b->parts[PART_COMPENSATION]);
  partial out = add_term(g, a, &sum);
  out.parts[PART_PLAIN] = add(g, a->parts[PART_PLAIN], b->parts[PART_PLAIN]);
  return out;
}

// The plain sum where the compensated one is not finite.
static MlirValue finish(gpu_emission *g, const partial *p) {
  MlirValue sum = p->parts[PART_SUM];
  return p->count < MAX_PARTS ? sum : emit_finite_or(&g->e, sum, p->parts[PART_PLAIN]);
}

static void keep(gpu_emission *g, const tile_plan *tile, const tile_index *index, const partial *p) {
  bool uniform = g->e.lanes == 1;
  emit_scratch_store(&g->e, tile, index, (lanes_value){finish(g, p), uniform});
  if (p->matched) emit_scratch_store(&g->e, tile + 1, index, (lanes_value){p->parts[PART_MATCH], uniform});
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
  MlirOperation yield = mlirBlockGetTerminator(body);
  MlirValue x[2];
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(yield); ++k)
    x[k] = emit_full(e, emit_tile(e, mlirOperationGetOperand(yield, k), index));
  sum = add_term(g, &sum, x);
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

// Where part k of a slot begins, in elements of its type. All parts have the room of the widest one, the
// last.
static number part_offset(gpu_emission *g, const partial *p, const tile_plan *tile, MlirValue slot, int k) {
  MlirValue at = gpu_op(g, "arith.addi", gpu_op(g, "arith.muli", slot, gpu_i32(g, p->count)), gpu_i32(g, k));
  int64_t widest = (int64_t)ragged_element_size(part_type(p, tile, p->count - 1));
  int64_t own = (int64_t)ragged_element_size(part_type(p, tile, k));
  return number_mul(&g->e, gpu_number(g, at), number_of(g->e.lanes * (widest / own)));
}

// The sum of one party for `element`, from shared memory; of the same kind and width as `like`.
static partial load_party(gpu_emission *g, const partial *like, const tile_plan *tile, MlirValue element,
                          MlirValue party, int share) {
  emission *e = &g->e;
  partial out = *like;
  MlirValue slot = gpu_op(g, "arith.addi", gpu_op(g, "arith.muli", party, gpu_i32(g, share)), element);
  for (int k = 0; k < like->count; ++k) {
    ragged_element_type type = part_type(like, tile, k);
    out.parts[k] = emit_load_aligned(e, g->shared, type, part_offset(g, like, tile, slot, k), e->lanes,
                                     part_alignment(e, type));
  }
  return out;
}

// Those of all warps, through shared memory. `share` threads hold different elements; every thread
// gets the result for its own.
static partial join_warps(gpu_emission *g, partial sum, const tile_plan *tile, int share) {
  emission *e = &g->e;
  if (g->layout->group <= GPU_WARP) return sum;
  int in_warp = share < GPU_WARP ? share : GPU_WARP;
  int parties = GPU_THREADS / GPU_WARP * in_warp / share;  // how many sums there are of an element
  MlirValue element = gpu_op(g, "arith.remui", g->thread, gpu_i32(g, share));
  MlirValue warp_lane = gpu_op(g, "arith.remui", g->thread, gpu_i32(g, GPU_WARP));
  MlirValue warp = gpu_op(g, "arith.divui", g->thread, gpu_i32(g, GPU_WARP));
  // Warps of one party number hold different elements when share exceeds a warp.
  int warps_per_party = share > GPU_WARP ? share / GPU_WARP : 1;
  MlirValue party = gpu_op(g, "arith.divui", warp, gpu_i32(g, warps_per_party));
  MlirValue slot = gpu_op(g, "arith.addi", gpu_op(g, "arith.muli", party, gpu_i32(g, share)), element);
  guard speaks;
  begin_if(&g->e, &speaks, in_warp < GPU_WARP
                               ? gpu_compare(g, COMPARE_LT, warp_lane, gpu_i32(g, in_warp))
                               : ragged_value_none());
  for (int k = 0; k < sum.count; ++k) {
    emit_store_aligned(e, g->shared, part_type(&sum, tile, k), part_offset(g, &sum, tile, slot, k),
                       sum.parts[k], part_alignment(e, part_type(&sum, tile, k)));
  }
  end_if(&g->e, &speaks);
  gpu_block_barrier(g);
  partial whole = load_party(g, &sum, tile, element, gpu_i32(g, 0), share);
  // A loop: the parts of all parties at once would not fit the registers.
  carried_loop l;
  number next = gpu_begin_loop(g, &l, number_of(1), gpu_opaque(g, parties), number_of(1), whole.count,
                               whole.parts);
  memcpy(whole.parts, l.values, sizeof *l.values * (size_t)whole.count);
  MlirValue number = ragged_build_value(&e->b, "arith.trunci", g->i32,
                                        RAGGED_VALUES(number_emit(e, next)));
  partial other = load_party(g, &sum, tile, element, number, share);
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
  tile_index index;
  gpu_tile_index(g, &t->tile->shape, t->width, number_of(unit), &index);
  partial sum = sum_positions(g, t->tile, &index, number_of(0), number_of(1), ragged_value_none());
  keep(g, t->tile, &index, &sum);
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
  sum = join_warps(g, sum, t->tile, t->share);
  MlirValue leads = gpu_compare(g, COMPARE_EQ, first, gpu_i32(g, 0));
  guard write;
  begin_if(&g->e, &write, gpu_op(g, "arith.andi", writes, leads));
  keep(g, t->tile, &index, &sum);
  end_if(&g->e, &write);
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
  const tile_plan *first = kernel_plan_first(tile);
  partial sum = sum_positions(g, first, index, number_of(0), number_of(1), ragged_value_none());
  lanes_value value = {finish(g, &sum), e->lanes == 1}, match = {sum.parts[PART_MATCH], e->lanes == 1};
  if (!sum.matched) return value;
  // Who reads one of them reads the other.
  bool is_first = tile == first;
  emit_remember(e, tile[is_first ? 1 : -1].value, index, is_first ? match : value);
  return is_first ? value : match;
}
