// Reading and writing tiles: where an element lies in a buffer or in scratch, and evaluation of what
// is not kept. Called by the loops over tiles.
#include <string.h>

#include "lower/kernel/kernel_emit.h"
#include "lower/math/vector_convert.h"

// ---- Coordinates -----------------------------------------------------------------------------

void set_coordinate(emission *e, MlirValue key, number value) {
  for (int k = 0; k < e->num_coordinates; ++k)
    if (mlirValueEqual(e->coordinate_keys[k], key)) {
      e->coordinates[k] = value;
      return;
    }
  e->coordinate_keys[e->num_coordinates] = key;
  e->coordinates[e->num_coordinates++] = value;
}

number coordinate_of(emission *e, MlirValue key) {
  for (int k = 0; k < e->num_coordinates; ++k)
    if (mlirValueEqual(e->coordinate_keys[k], key)) return e->coordinates[k];
  return number_of(0);  // cannot be: coordinates are set before bodies are emitted
}

static bool is_known(number n) { return n.constant || !mlirValueIsNull(n.value); }

static bool same_number(number a, number b) {
  return a.constant == b.constant && (a.constant ? a.known == b.known : a.value.ptr == b.value.ptr);
}

number axis_extent(emission *e, int64_t axis, number sample) {
  bool current = same_number(sample, e->sample);
  if (current && is_known(e->axis_extents[axis])) return e->axis_extents[axis];
  MlirValue base = e->slots[kernel_layout_find(&e->layout, SLOT_EXTENTS, (int)axis)];
  return number_value(emit_load_i64(e, base, sample));
}

static number space_offset(emission *e, int num_axes, const int64_t *axes, number sample) {
  if (num_axes == 0) return sample;
  int slot = kernel_layout_find_offsets(&e->layout, num_axes, axes);
  if (same_number(sample, e->sample) && is_known(e->space_offsets[slot])) return e->space_offsets[slot];
  return number_value(emit_load_i64(e, e->slots[slot], sample));
}

// ---- Elements of buffers ---------------------------------------------------------------------

typedef struct place {
  MlirValue base;
  ragged_element_type memory;
  number offset, lane_stride;  // in elements; stride 0: all lanes share one element
  int64_t run;                 // elements of the dimensions from the lanes' on: offsets are multiples of
                               // lanes that divide it
} place;

static int64_t tail_stride(const ragged_tile_shape *shape, int dim) {
  int64_t stride = 1;
  for (int d = dim + 1; d < shape->rank; ++d) stride *= shape->extents[d];
  return stride;
}

// Where rows are single elements, vectors begin at multiples of their lanes.
static int64_t run_of(const emission *e, const ragged_tile_shape *tail, const tile_index *index) {
  if (e->elements) return e->lanes;
  if (index->lane >= 0) return tail_stride(tail, index->lane) * tail->extents[index->lane];
  return tail->rank ? tail->extents[tail->rank - 1] : 1;
}

static number lane_stride(const ragged_tile_shape *shape, const tile_index *index) {
  return number_of(index->lane >= 0 ? tail_stride(shape, index->lane + index->span) : 0);
}

static number tail_offset(emission *e, const ragged_tile_shape *shape, const tile_index *index) {
  number offset = number_of(0);
  for (int d = 0; d < shape->rank; ++d)
    offset = number_add(e, offset,
                        number_mul(e, index->at[d], number_of(tail_stride(shape, d))));
  return offset;
}

// keys: sample, then one coordinate per axis.
static void place_packed(emission *e, const ragged_ref_shape *ref, const MlirValue *keys,
                         const tile_index *index, place *out) {
  int64_t size = e->elements ? 1 : ragged_tile_size(&ref->tail);
  number rows, stride = number_of(0);
  if (e->flat) {
    rows = e->row;
    stride = number_of(e->lane_rows ? 1 : 0);
  } else {
    number sample = coordinate_of(e, keys[0]), inner = number_of(1);
    rows = space_offset(e, ref->num_axes, ref->axes, sample);
    for (int k = ref->num_axes - 1; k >= 0; --k) {
      number at = coordinate_of(e, keys[1 + k]);
      rows = number_add(e, rows, number_mul(e, at, inner));
      if (!mlirValueIsNull(e->lane_coordinate) && mlirValueEqual(keys[1 + k], e->lane_coordinate))
        stride = number_add(e, stride, inner);
      if (k > 0) inner = number_mul(e, inner, axis_extent(e, ref->axes[k], sample));
    }
  }
  out->offset = number_mul(e, rows, number_of(size));
  out->lane_stride = number_mul(e, stride, number_of(size));
  if (e->elements) return;
  out->offset = number_add(e, out->offset, tail_offset(e, &ref->tail, index));
  if (index->lane >= 0) out->lane_stride = lane_stride(&ref->tail, index);
}

static bool all_one(const ragged_tile_shape *shape, int from, int to) {
  for (int d = from; d < to; ++d)
    if (shape->extents[d] != 1) return false;
  return true;
}

// Whether a box has the lanes' dimensions next to each other, in their order.
static bool lanes_adjacent(const ragged_ref_shape *ref, const tile_index *index) {
  int next = index->lane, end = index->lane + index->span + 1;
  bool begun = false;
  for (int k = 0; k <= ref->num_axes + ref->tail.rank; ++k) {
    int d = (int)ref->layout[k] - 1 - ref->num_axes;
    if (d >= 0 && ref->tail.extents[d] == 1) continue;
    if (d >= index->lane && d < end) {
      if (d < next || !all_one(&ref->tail, next, d)) return false;
      next = d + 1;
      begun = true;
    } else if (begun && !all_one(&ref->tail, next, end)) {
      return false;
    }
  }
  return true;
}

static void place_box(emission *e, const ragged_ref_shape *ref, const MlirValue *keys,
                      const tile_index *index, place *out) {
  number sample = coordinate_of(e, keys[0]), stride = number_of(1);
  int64_t own_run = 1;
  out->offset = out->lane_stride = number_of(0);
  for (int k = ref->num_axes + ref->tail.rank; k >= 0; --k) {
    int64_t dim = ref->layout[k];
    number at, extent;
    if (dim == 0) {
      at = sample;
      extent = number_value(e->slots[kernel_layout_find(&e->layout, SLOT_BATCH, 0)]);
    } else if (dim <= ref->num_axes) {
      at = coordinate_of(e, keys[dim]);
      extent = axis_extent(e, ref->axes[dim - 1], sample);
      if (!mlirValueIsNull(e->lane_coordinate) && mlirValueEqual(keys[dim], e->lane_coordinate))
        out->lane_stride = number_add(e, out->lane_stride, stride);
    } else {
      int64_t d = dim - 1 - ref->num_axes;
      at = index->at[d];
      extent = number_of(ref->tail.extents[d]);
      if (index->lane >= 0 && d >= index->lane && d <= index->lane + index->span && extent.known != 1) {
        if (own_run == 1) out->lane_stride = stride;
        own_run *= extent.known;
        out->run = own_run;
      }
    }
    out->offset = number_add(e, out->offset, number_mul(e, at, stride));
    if (k > 0) stride = number_mul(e, stride, extent);
  }
}

// Lanes lie in another order than they are counted: they are accessed one by one.
static bool lanes_scattered(MlirOperation access, int ref_operand, const tile_index *index) {
  ragged_ref_shape ref;
  ragged_ref_type_get(mlirValueGetType(mlirOperationGetOperand(access, ref_operand)), &ref);
  return index->span > 0 && ref.kind == RAGGED_REF_BOX && !lanes_adjacent(&ref, index);
}

static place place_of(emission *e, MlirOperation access, int ref_operand, const tile_index *index) {
  MlirValue keys[2 + RAGGED_MAX_RANK];
  intptr_t count = mlirOperationGetNumOperands(access) - ref_operand - 1;
  for (intptr_t k = 0; k < count; ++k)
    keys[k] = mlirOperationGetOperand(access, ref_operand + 1 + k);
  MlirValue ref_value = mlirOperationGetOperand(access, ref_operand);
  ragged_ref_shape ref;
  ragged_ref_type_get(mlirValueGetType(ref_value), &ref);
  int first = e->layout.has_sample ? 1 + e->layout.num_grid : 0;
  int number_of_ref = (int)mlirBlockArgumentGetArgNumber(ref_value) - first;
  place out = {.base = e->slots[kernel_layout_find(&e->layout, SLOT_REF, number_of_ref)],
               .memory = ref.tail.element_type, .run = run_of(e, &ref.tail, index)};
  if (ref.kind == RAGGED_REF_DENSE) {
    out.offset = tail_offset(e, &ref.tail, index);
    out.lane_stride = lane_stride(&ref.tail, index);
  } else if (ref.kind == RAGGED_REF_SLICES) {
    number row = number_add(e, number_mul(e, coordinate_of(e, keys[0]), number_of(ref.layout[0])),
                            coordinate_of(e, keys[1]));
    out.offset = number_add(e, number_mul(e, row, number_of(ragged_tile_size(&ref.tail))),
                            tail_offset(e, &ref.tail, index));
    out.lane_stride = lane_stride(&ref.tail, index);
  } else if (ref.kind == RAGGED_REF_BOX) {
    place_box(e, &ref, keys, index, &out);
  } else {
    place_packed(e, &ref, keys, index, &out);
  }
  return out;
}

static bool is_constant(number n, int64_t value) { return n.constant && n.known == value; }

// Of e->lanes consecutive elements.
static int64_t place_alignment(const emission *e, const place *p) {
  int64_t size = (int64_t)ragged_element_size(p->memory), most = e->backend->alignment;
  if (most < size || p->run % e->lanes) return size;
  return size * e->lanes < most ? size * e->lanes : most;
}

static lanes_value load_place(emission *e, const place *p) {
  if (e->lanes == 1 || is_constant(p->lane_stride, 0))
    return (lanes_value){emit_load(e, p->base, p->memory, p->offset, 1), true};
  if (is_constant(p->lane_stride, 1))
    return (lanes_value){emit_load_aligned(e, p->base, p->memory, p->offset, e->lanes,
                                           place_alignment(e, p)),
                         false};
  MlirValue vector = ragged_value_none();
  number offset = p->offset;
  for (int k = 0; k < e->lanes; ++k) {
    MlirValue element = emit_load(e, p->base, p->memory, offset, 1);
    vector = k ? emit_insert(e, vector, element, k) : emit_splat(e, element, e->lanes);
    offset = number_add(e, offset, p->lane_stride);
  }
  return (lanes_value){vector, false};
}

static void store_place(emission *e, const place *p, lanes_value value) {
  if (e->lanes == 1 || is_constant(p->lane_stride, 0)) {
    emit_store(e, p->base, p->memory, p->offset, value.value);
    return;
  }
  MlirValue vector = emit_full(e, value);
  if (is_constant(p->lane_stride, 1)) {
    emit_store_aligned(e, p->base, p->memory, p->offset, vector, place_alignment(e, p));
    return;
  }
  number offset = p->offset;
  for (int k = 0; k < e->lanes; ++k) {
    emit_store(e, p->base, p->memory, offset, emit_extract(e, vector, k));
    offset = number_add(e, offset, p->lane_stride);
  }
}

typedef struct scattered_store {
  MlirOperation store;
  lanes_value value;
} scattered_store;

static void store_lane(emission *e, const tile_index *index, int lane, void *user) {
  const scattered_store *s = user;
  place p = place_of(e, s->store, 1, index);
  MlirValue element = s->value.uniform ? s->value.value : emit_extract(e, s->value.value, lane);
  store_place(e, &p, (lanes_value){element, true});
}

void emit_tile_store(emission *e, MlirOperation store, const tile_index *index, lanes_value value) {
  if (lanes_scattered(store, 1, index)) {
    scattered_store s = {store, value};
    const tile_plan *tile = kernel_plan_find(&e->plan, mlirOperationGetOperand(store, 0));
    emit_each_lane(e, &tile->shape, index, store_lane, &s);
    return;
  }
  place p = place_of(e, store, 1, index);
  store_place(e, &p, value);
}

// `fill` outside the sample: only positions inside are read.
static lanes_value load_filled(emission *e, MlirOperation load, const tile_index *index,
                               const tile_plan *tile) {
  ragged_ref_shape ref;
  ragged_ref_type_get(mlirValueGetType(mlirOperationGetOperand(load, 0)), &ref);
  number sample = coordinate_of(e, mlirOperationGetOperand(load, 1));
  MlirValue within = ragged_build_integer(&e->b, mlirIntegerTypeGet(e->context, 1), 1);
  for (int k = 0; k < ref.num_axes; ++k) {
    number at = coordinate_of(e, mlirOperationGetOperand(load, 2 + k));
    within = emit_binary(e, "arith.andi", within,
                         emit_compare(e, COMPARE_LT, at, axis_extent(e, ref.axes[k], sample)));
  }
  ragged_builder outer = e->b;
  MlirRegion regions[2];
  MlirType type = lanes_type(e, tile->shape.element_type, e->lanes);
  double fill = mlirFloatAttrGetValueDouble(ragged_operation_attribute(load, "fill"));
  for (int part = 0; part < 2; ++part) {
    MlirBlock block = mlirBlockCreate(0, NULL, NULL);
    regions[part] = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(regions[part], block);
    e->b = ragged_builder_at_end(block, outer.location);
    lanes_value value;
    if (part == 0) {
      place p = place_of(e, load, 0, index);
      value = load_place(e, &p);
    } else {
      value = emit_constant(e, tile->shape.element_type, fill);
    }
    ragged_build(&e->b, "scf.yield", RAGGED_VALUES(emit_full(e, value)), RAGGED_NONE, RAGGED_NONE,
                 RAGGED_NONE);
  }
  e->b = outer;
  MlirOperation choice = ragged_build(&e->b, "scf.if", RAGGED_VALUES(within), RAGGED_TYPES(type),
                                      RAGGED_NONE, 2, regions);
  return (lanes_value){mlirOperationGetResult(choice, 0), e->lanes == 1};
}

// ---- Scratch ---------------------------------------------------------------------------------

MlirValue block_array(emission *e, const tile_plan *tile) {
  // Arrays follow each other, each at a multiple of 64 bytes: block_rows is a multiple of 16.
  number bytes = number_of((e->layout.block_rows * tile->block_offset + 63) / 64 * 64 +
                           64 * (int64_t)(tile - e->plan.tiles));
  return emit_pointer(e, e->scratch, mlirIntegerTypeGet(e->context, 8), bytes);
}

static place place_scratch(emission *e, const tile_plan *tile, const tile_index *index, bool write) {
  place p = {.memory = tile->shape.element_type, .offset = number_of(0),
             .lane_stride = lane_stride(&tile->shape, index), .run = run_of(e, &tile->shape, index)};
  if (!e->elements) p.offset = tail_offset(e, &tile->shape, index);
  if (tile->storage == STORAGE_BLOCK) {
    p.base = block_array(e, tile);
    p.offset = number_add(
        e, p.offset, number_mul(e, e->block_row, number_of(ragged_tile_size(&tile->shape))));
    return p;
  }
  int k = (int)(tile - e->plan.tiles);
  int lanes = e->lane_rows || !mlirValueIsNull(e->lane_coordinate) ? e->lanes : 1;
  if (write && (mlirValueIsNull(e->row_scratch[k]) || e->row_scratch_lanes[k] != lanes)) {
    e->row_scratch[k] = e->backend->row_array(e, tile, 0, lanes);
    e->row_scratch_lanes[k] = lanes;
  }
  p.base = e->row_scratch[k];
  if (e->row_scratch_lanes[k] > 1) {  // each element has its lanes side by side
    p.offset = number_mul(e, p.offset, number_of(e->row_scratch_lanes[k]));
    p.lane_stride = number_of(1);
  }
  return p;
}

void emit_scratch_store(emission *e, const tile_plan *tile, const tile_index *index,
                        lanes_value value) {
  if (emit_in_registers(e, tile)) {
    emit_register_store(e, tile, index, value);
    return;
  }
  place p = place_scratch(e, tile, index, true);
  store_place(e, &p, value);
}

lanes_value emit_scratch_load(emission *e, const tile_plan *tile, const tile_index *index) {
  if (emit_in_registers(e, tile)) return emit_register_load(e, tile, index);
  place p = place_scratch(e, tile, index, false);
  return load_place(e, &p);
}

// ---- Evaluation ------------------------------------------------------------------------------

static bool same_index(const tile_index *a, const tile_index *b, int rank) {
  if (a->lane != b->lane || a->span != b->span) return false;
  for (int d = 0; d < rank; ++d)
    if (!same_number(a->at[d], b->at[d])) return false;
  return true;
}

// Functions that only tile programs have.
static MlirValue emit_own_function(emission *e, const char *function, MlirType type, MlirValue x) {
  bool lowest = !strcmp(function, "lowest_to_zero");
  if (!lowest && strcmp(function, "zero_to_one") != 0) return ragged_value_none();
  MlirType element = mlirTypeIsAVector(type) ? mlirShapedTypeGetElementType(type) : type;
  bool integer = mlirTypeIsAInteger(element);
  MlirValue from, to;
  if (integer) {
    from = ragged_build_integer(&e->b, type, 0);
    to = ragged_build_integer(&e->b, type, 1);
  } else {
    from = ragged_build_float(&e->b, type, lowest ? -__builtin_inf() : 0.0);
    to = ragged_build_float(&e->b, type, lowest ? 0.0 : 1.0);
  }
  MlirValue is_from = emit_compare_elements(e, integer ? COMPARE_EQ : COMPARE_ORDERED_EQ, x, from);
  return emit_select(e, is_from, to, x);
}

enum { MAX_OPERANDS = 3 };  // of an elementwise function

static lanes_value emit_function(emission *e, const tile_plan *tile, const tile_index *index) {
  intptr_t count = mlirOperationGetNumOperands(tile->operation);
  lanes_value operands[MAX_OPERANDS];
  bool uniform = true;
  for (intptr_t k = 0; k < count && k < MAX_OPERANDS; ++k) {
    operands[k] = emit_tile(e, mlirOperationGetOperand(tile->operation, k), index);
    uniform &= operands[k].uniform;
  }
  MlirValue values[MAX_OPERANDS];
  for (intptr_t k = 0; k < count && k < MAX_OPERANDS; ++k)
    values[k] = uniform ? operands[k].value : emit_full(e, operands[k]);
  const char *function = ragged_operation_string(tile->operation, "function");
  MlirType type = mlirValueGetType(values[0]);
  MlirValue value = emit_own_function(e, function, type, values[0]);
  if (mlirValueIsNull(value))
    value = e->backend->elementwise(&e->b, function, values);
  return (lanes_value){value, uniform};
}

static lanes_value emit_convert(emission *e, const tile_plan *tile, const tile_index *index) {
  lanes_value x = emit_tile(e, mlirOperationGetOperand(tile->operation, 0), index);
  if (ragged_operation_has(tile->operation, "bf16"))
    return (lanes_value){ragged_emit_nearest_bf16(&e->b, x.value), x.uniform};
  MlirType element = element_mlir(e, tile->shape.element_type);
  return (lanes_value){ragged_emit_convert(&e->b, element, x.value), x.uniform};
}

static lanes_value emit_view(emission *e, const tile_plan *tile, const tile_index *index) {
  MlirValue source = mlirOperationGetOperand(tile->operation, 0);
  tile_index inner;
  if (!map_lanes(tile, &kernel_plan_find(&e->plan, source)->shape, index, &inner))
    return emit_lane_by_lane(e, tile, index);
  return emit_tile(e, source, &inner);
}

// Consecutive numbers from `first` on in the lanes, or one number.
static lanes_value emit_numbers(emission *e, number first, bool in_lanes) {
  MlirValue value = number_emit(e, first);
  if (!in_lanes || e->lanes == 1) return (lanes_value){value, true};
  MlirValue vector = emit_splat(e, value, e->lanes);
  for (int k = 1; k < e->lanes; ++k)
    vector = emit_insert(e, vector, number_emit(e, number_add(e, first, number_of(k))), k);
  return (lanes_value){vector, false};
}

static lanes_value emit_where_equal(emission *e, const tile_plan *tile, const tile_index *index) {
  lanes_value operands[4];
  MlirValue values[4];
  bool uniform = true;
  for (int k = 0; k < 4; ++k) {
    operands[k] = emit_tile(e, mlirOperationGetOperand(tile->operation, k), index);
    uniform &= operands[k].uniform;
  }
  for (int k = 0; k < 4; ++k) values[k] = uniform ? operands[k].value : emit_full(e, operands[k]);
  MlirValue equal = emit_equal(e, values[0], values[1]);
  return (lanes_value){emit_select(e, equal, values[2], values[3]), uniform};
}

// Where lanes run along other dimensions too, the numbers are not consecutive.
static lanes_value emit_iota(emission *e, const tile_plan *tile, const tile_index *index) {
  int64_t dim = ragged_operation_int(tile->operation, "dim", 0);
  bool in_lanes = index->lane >= 0 && dim >= index->lane && dim <= index->lane + index->span;
  if (in_lanes && index->span > 0) return emit_lane_by_lane(e, tile, index);
  return emit_numbers(e, index->at[dim], in_lanes);
}

static lanes_value evaluate(emission *e, const tile_plan *tile, const tile_index *index) {
  MlirOperation op = tile->operation;
  if (ragged_operation_is(op, "ragged_tile.elementwise")) return emit_function(e, tile, index);
  if (ragged_operation_is(op, "ragged_tile.convert")) return emit_convert(e, tile, index);
  if (ragged_operation_is(op, "ragged_tile.view")) return emit_view(e, tile, index);
  if (ragged_operation_is(op, "ragged_tile.constant"))
    return emit_constant(e, tile->shape.element_type,
                         mlirFloatAttrGetValueDouble(ragged_operation_attribute(op, "value")));
  if (ragged_operation_is(op, "ragged_tile.extent"))
    return (lanes_value){number_emit(e, axis_extent(e, ragged_operation_int(op, "axis", 0),
                                                    coordinate_of(e, mlirOperationGetOperand(op, 0)))),
                         true};
  if (ragged_operation_is(op, "ragged_tile.where_equal")) return emit_where_equal(e, tile, index);
  if (ragged_operation_is(op, "ragged_tile.position")) {
    MlirValue key = mlirOperationGetOperand(op, 0);
    bool in_lanes = !mlirValueIsNull(e->lane_coordinate) && mlirValueEqual(key, e->lane_coordinate);
    return emit_numbers(e, coordinate_of(e, key), in_lanes);
  }
  if (ragged_operation_is(op, "ragged_tile.iota")) return emit_iota(e, tile, index);
  if (tile_is_reduction(tile)) return e->backend->evaluate_reduction(e, tile, index);
  if (lanes_scattered(op, 0, index)) return emit_lane_by_lane(e, tile, index);
  if (ragged_operation_has(op, "fill")) return load_filled(e, op, index, tile);
  place p = place_of(e, op, 0, index);
  return load_place(e, &p);
}

void emit_remember(emission *e, MlirValue tile, const tile_index *index, lanes_value value) {
  if (e->num_memo == e->memo_capacity) {
    int capacity = e->memo_capacity ? 2 * e->memo_capacity : 64;
    struct memo_entry *memo = RAGGED_ARENA_ARRAY(e->arena, struct memo_entry, capacity);
    if (e->num_memo) memcpy(memo, e->memo, sizeof *memo * (size_t)e->num_memo);
    e->memo = memo;
    e->memo_capacity = capacity;
  }
  e->memo[e->num_memo++] = (struct memo_entry){tile, *index, e->lanes, value};
}

// Tiles that the current loop is writing are in the memo; complete ones are read from scratch.
lanes_value emit_tile(emission *e, MlirValue value, const tile_index *index) {
  const tile_plan *tile = kernel_plan_find(&e->plan, value);
  int rank = e->elements ? 0 : tile->shape.rank;
  for (int m = e->num_memo - 1; m >= 0; --m)
    if (mlirValueEqual(e->memo[m].tile, value) && e->memo[m].lanes == e->lanes &&
        same_index(&e->memo[m].index, index, rank))
      return e->memo[m].value;
  int k = (int)(tile - e->plan.tiles);
  bool written = e->row_values ? e->row_values[k] != NULL : !mlirValueIsNull(e->row_scratch[k]);
  bool kept = tile->storage == STORAGE_BLOCK || (tile->storage == STORAGE_ROW && written);
  bool complete = kept && !(e->writing && e->writing == tile);
  lanes_value result = complete ? emit_scratch_load(e, tile, index) : evaluate(e, tile, index);
  emit_remember(e, value, index, result);
  return result;
}
