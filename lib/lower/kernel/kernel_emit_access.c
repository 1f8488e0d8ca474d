// Reading and writing memory: where an element of a tile lies in a buffer or in scratch. Called by the
// evaluation of tiles and by what writes them.
#include "lower/kernel/kernel_emit.h"

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

number axis_extent(emission *e, int64_t axis, number sample) {
  bool current = number_equal(sample, e->sample);
  if (current && is_known(e->axis_extents[axis])) return e->axis_extents[axis];
  MlirValue base = e->slots[kernel_layout_find(&e->layout, SLOT_EXTENTS, (int)axis)];
  return number_value(emit_load_i64(e, base, sample));
}

static number space_offset(emission *e, int num_axes, const int64_t *axes, number sample) {
  if (num_axes == 0) return sample;
  int slot = kernel_layout_find_offsets(&e->layout, num_axes, axes);
  if (number_equal(sample, e->sample) && is_known(e->space_offsets[slot])) return e->space_offsets[slot];
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

lanes_value emit_tile_load(emission *e, const tile_plan *tile, const tile_index *index) {
  MlirOperation load = tile->operation;
  if (lanes_scattered(load, 0, index)) return emit_lane_by_lane(e, tile, index);
  if (ragged_operation_has(load, "fill")) return load_filled(e, load, index, tile);
  place p = place_of(e, load, 0, index);
  return load_place(e, &p);
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
