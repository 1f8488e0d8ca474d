// The value of a tile at a position: from scratch where it is kept, else from what its op computes there.
// Called by whatever reads a tile.
#include <string.h>

#include "lower/kernel/kernel_emit.h"
#include "lower/math/vector_convert.h"
#include "lower/math/vector_emit.h"

static bool same_index(const tile_index *a, const tile_index *b, int rank) {
  if (a->lane != b->lane || a->span != b->span) return false;
  for (int d = 0; d < rank; ++d)
    if (!number_equal(a->at[d], b->at[d])) return false;
  return true;
}

// Functions that only tile programs have.
static MlirValue emit_own_function(emission *e, const char *function, MlirType type, MlirValue x) {
  bool lowest = !strcmp(function, "lowest_to_zero");
  if (!lowest && strcmp(function, "zero_to_one") != 0) return ragged_value_none();
  bool integer = mlirTypeIsAInteger(ragged_emit_element_type(type));
  MlirValue from, to;
  if (integer) {
    from = ragged_build_integer(&e->b, type, 0);
    to = ragged_build_integer(&e->b, type, 1);
  } else {
    from = ragged_build_float(&e->b, type, lowest ? -__builtin_inf() : 0.0);
    to = ragged_build_float(&e->b, type, lowest ? 0.0 : 1.0);
  }
  MlirValue is_from = emit_compare_elements(e, integer ? RAGGED_CMPI_EQUAL : RAGGED_CMPF_EQUAL, x, from);
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
  // Nobody wrote an empty tile: who reads it does so in a loop that does not run.
  if (ragged_tile_size(&tile->shape) == 0) return emit_constant(e, tile->shape.element_type, 0);
  if (tile_is_reduction(tile)) return e->backend->evaluate_reduction(e, tile, index);
  return emit_tile_load(e, tile, index);
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
