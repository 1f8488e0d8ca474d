// Accumulations over a ragged axis or the batch. Sums of floats are compensated (Kahan): the error
// does not grow with the extent, and the order is that of the positions. A plain sum runs beside the
// compensated one and is taken where the latter is not finite, since inf - inf is NaN. A maximum may have
// a match beside it.
// Source of the formula: W. Kahan, "Further remarks on reducing truncation errors", CACM 8(1), 1965.
#include "lower/cpu/cpu_emit.h"
#include "lower/math/vector_emit.h"

enum { PART_SUM, PART_COMPENSATION, PART_PLAIN, MAX_PARTS, PART_MATCH = 1 };

typedef struct accumulation {
  const tile_plan *tile;  // of the first result
  const char *kind;
  MlirOperation yield;
  bool compensated, matched;
  int num_parts;
  ragged_element_type types[MAX_PARTS];
  bool across;  // lanes run along the accumulated coordinate
  int width;    // lanes of an accumulator element here
  MlirValue vector[MAX_PARTS], scalar[MAX_PARTS];  // arrays of the tile's size
  MlirValue *parts;                                // those that are written now
} accumulation;

static number element_offset(emission *e, const ragged_tile_shape *shape, const tile_index *index,
                             int width) {
  number offset = number_of(0);
  int64_t stride = 1;
  for (int d = shape->rank - 1; d >= 0; --d) {
    offset = number_add(e, offset, number_mul(e, index->at[d], number_of(stride)));
    stride *= shape->extents[d];
  }
  // With lanes along a coordinate each element has its lanes side by side.
  return number_mul(e, offset, number_of(width));
}

// Lanes along the tile (index->lane >= 0) address consecutive elements: no widening of the offset.
static int lanes_of(const emission *e, const tile_index *index, const accumulation *a) {
  return index->lane >= 0 ? e->lanes : a->width;
}

static MlirValue get(emission *e, const accumulation *a, int part, const tile_index *index) {
  int lanes = lanes_of(e, index, a);
  return emit_load(e, a->parts[part], a->types[part],
                   element_offset(e, &a->tile->shape, index, a->width), lanes);
}

static void put(emission *e, const accumulation *a, int part, const tile_index *index, MlirValue value) {
  emit_store(e, a->parts[part], a->types[part], element_offset(e, &a->tile->shape, index, a->width), value);
}

static matched_value get_matched(emission *e, const accumulation *a, const tile_index *index) {
  return (matched_value){get(e, a, PART_SUM, index), get(e, a, PART_MATCH, index)};
}

// The identity of sums, zero, is also that of their other parts.
static void reset_element(emission *e, const tile_index *index, void *user) {
  accumulation *a = user;
  int lanes = lanes_of(e, index, a);
  for (int part = 0; part < a->num_parts; ++part)
    put(e, a, part, index, emit_splat(e, emit_identity(e, a->kind, a->types[part]).value, lanes));
}

static MlirValue yielded(emission *e, const accumulation *a, int number, const tile_index *index) {
  lanes_value x = emit_tile(e, mlirOperationGetOperand(a->yield, number), index);
  return x.uniform ? emit_splat(e, x.value, lanes_of(e, index, a)) : x.value;
}

// Nothing may be contracted or reassociated here: plain adds.
static MlirValue add(emission *e, MlirValue x, MlirValue y) { return emit_binary(e, "arith.addf", x, y); }
static MlirValue sub(emission *e, MlirValue x, MlirValue y) { return emit_binary(e, "arith.subf", x, y); }

// Most elements are below what was found before, and their match is not computed.
static void add_matched(emission *e, const accumulation *a, const tile_index *index, MlirValue x) {
  bool real = ragged_element_is_float(a->types[PART_SUM]);
  MlirValue reaches = emit_compare_elements(e, real ? RAGGED_CMPF_UNORDERED_GREATER_EQUAL : COMPARE_GE, x,
                                            get(e, a, PART_SUM, index));
  guard some;
  begin_if(e, &some, emit_any(e, reaches));
  matched_value own = {x, yielded(e, a, 1, index)};
  own = emit_combine_matched(e, get_matched(e, a, index), own);
  put(e, a, PART_SUM, index, own.value);
  put(e, a, PART_MATCH, index, own.match);
  end_if(e, &some);
}

static void add_element(emission *e, const tile_index *index, void *user) {
  accumulation *a = user;
  MlirValue x = yielded(e, a, 0, index);
  if (a->matched) {
    add_matched(e, a, index, x);
    return;
  }
  MlirValue sum = get(e, a, PART_SUM, index);
  if (!a->compensated) {
    put(e, a, PART_SUM, index, emit_combine(e, a->kind, sum, x));
    return;
  }
  MlirValue y = sub(e, x, get(e, a, PART_COMPENSATION, index));
  MlirValue t = add(e, sum, y);
  put(e, a, PART_COMPENSATION, index, sub(e, sub(e, t, sum), y));
  put(e, a, PART_SUM, index, t);
  put(e, a, PART_PLAIN, index, add(e, get(e, a, PART_PLAIN, index), x));
}

static MlirValue finish(emission *e, const accumulation *a, const tile_index *index) {
  MlirValue sum = get(e, a, PART_SUM, index);
  if (!a->compensated) return sum;
  return emit_finite_or(e, sum, get(e, a, PART_PLAIN, index));
}

// Vectors are read along a coordinate, and then what is left one by one.
static void use_vectors(emission *e, accumulation *a) {
  a->parts = a->vector;
  a->width = ragged_cpu_lanes(e->target, a->tile->shape.element_type);
}

static void use_scalars(accumulation *a) {
  a->parts = a->scalar;
  a->width = 1;
}

static MlirValue finish_across(emission *e, accumulation *a, const tile_index *index) {
  use_vectors(e, a);
  MlirValue whole = emit_across(e, a->kind, finish(e, a, index));
  use_scalars(a);
  return emit_combine(e, a->kind, whole, finish(e, a, index));
}

static matched_value finish_matched(emission *e, accumulation *a, const tile_index *index) {
  if (!a->across) return get_matched(e, a, index);
  use_vectors(e, a);
  matched_value whole = emit_across_matched(e, get_matched(e, a, index));
  use_scalars(a);
  return emit_combine_matched(e, whole, get_matched(e, a, index));
}

static void finish_element(emission *e, const tile_index *index, void *user) {
  accumulation *a = user;
  bool uniform = a->across || lanes_of(e, index, a) == 1;
  if (a->matched) {
    matched_value whole = finish_matched(e, a, index);
    emit_scratch_store(e, a->tile, index, (lanes_value){whole.value, uniform});
    emit_scratch_store(e, a->tile + 1, index, (lanes_value){whole.match, uniform});
    return;
  }
  MlirValue whole = a->across ? finish_across(e, a, index) : finish(e, a, index);
  emit_scratch_store(e, a->tile, index, (lanes_value){whole, uniform});
}

static void run_body(emission *e, accumulation *a, MlirBlock body, number position) {
  set_coordinate(e, mlirBlockGetArgument(body, 0), position);
  emit_block(e, body);
  for_each_element(e, &a->tile->shape, add_element, a);
}

// Lanes along this coordinate: narrow tiles, nothing laned yet, and no further accumulation inside.
static bool can_lane(const emission *e, const tile_plan *tile) {
  if (e->lanes > 1 || e->rows_in_lanes || !mlirValueIsNull(e->lane_coordinate)) return false;
  int lanes = ragged_cpu_lanes(e->target, tile->shape.element_type);
  for (int k = 0; k < e->plan.num_tiles; ++k) {
    const tile_plan *inner = &e->plan.tiles[k];
    MlirOperation parent = mlirOperationGetParentOperation(inner->operation);
    if (!mlirOperationEqual(parent, tile->operation)) continue;
    if (ragged_operation_is(inner->operation, "ragged_tile.accumulate") ||
        ragged_tile_size(&inner->shape) >= lanes)
      return false;
  }
  return ragged_operation_has(tile->operation, "axis") && ragged_tile_size(&tile->shape) < lanes;
}

void emit_accumulate(emission *e, const tile_plan *tile) {
  MlirBlock body = ragged_operation_body(tile->operation);
  accumulation a = {.tile = tile, .kind = ragged_operation_string(tile->operation, "kind")};
  a.yield = mlirBlockGetTerminator(body);
  a.matched = kernel_plan_matched(tile);
  a.compensated = kernel_plan_compensated(tile);
  a.num_parts = a.compensated ? MAX_PARTS : a.matched ? PART_MATCH + 1 : 1;
  a.across = can_lane(e, tile);
  int full = ragged_cpu_lanes(e->target, tile->shape.element_type);
  a.width = e->lane_rows || !mlirValueIsNull(e->lane_coordinate) ? e->lanes : 1;
  int64_t size = ragged_tile_size(&tile->shape);
  for (int part = 0; part < a.num_parts; ++part) {
    bool match = a.matched && part == PART_MATCH;
    a.types[part] = match ? RAGGED_ELEMENT_I64 : tile->shape.element_type;
    a.scalar[part] = match ? cpu_row_array(e, tile + 1, 1, a.width) : cpu_row_array(e, tile, 1 + part, a.width);
    if (a.across) a.vector[part] = emit_alloca(e, element_mlir(e, a.types[part]), size * full);
  }
  number extent;
  if (ragged_operation_has(tile->operation, "axis"))
    extent = axis_extent(e, ragged_operation_int(tile->operation, "axis", 0),
                         coordinate_of(e, mlirOperationGetOperand(tile->operation, 0)));
  else
    extent = number_value(e->slots[kernel_layout_find(&e->layout, SLOT_BATCH, 0)]);
  number begin = number_of(0);
  loop l;
  a.parts = a.scalar;
  // Lanes are this coordinate's from here on, never the tile's, even where there is just one.
  if (a.across) e->lane_coordinate = mlirBlockGetArgument(body, 0);
  for_each_element(e, &tile->shape, reset_element, &a);
  if (a.across) {
    e->lanes = full;
    use_vectors(e, &a);
    for_each_element(e, &tile->shape, reset_element, &a);
    begin = number_mul(e, number_div(e, extent, number_of(full)), number_of(full));
    run_body(e, &a, body, begin_loop(e, &l, number_of(0), begin, full));
    end_loop(e, &l);
    e->lanes = 1;
    use_scalars(&a);
  }
  run_body(e, &a, body, begin_loop(e, &l, begin, extent, 1));
  end_loop(e, &l);
  for_each_element(e, &tile->shape, finish_element, &a);
  if (a.across) e->lane_coordinate = ragged_value_none();
}
