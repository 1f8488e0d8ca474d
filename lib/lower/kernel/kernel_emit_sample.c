// Finding the sample of a row, and what is read once per sample. Called by the loops over rows.
#include <string.h>

#include "lower/kernel/kernel_emit.h"

MlirValue emit_argument(const emission *e, int k) {
  return mlirBlockGetArgument(ragged_operation_body(e->kernel), k);
}

void emit_forget_sample(emission *e) {
  memset(e->axis_extents, 0, sizeof e->axis_extents);
  memset(e->space_offsets, 0, sizeof e->space_offsets);
}

void emit_load_sample(emission *e) {
  emit_forget_sample(e);
  for (int k = 0; k < e->layout.num_slots; ++k) {
    const kernel_slot *slot = &e->layout.slots[k];
    if (slot->kind == SLOT_EXTENTS)
      e->axis_extents[slot->number] = number_value(emit_load_i64(e, e->slots[k], e->sample));
    else if (slot->kind == SLOT_OFFSETS)
      e->space_offsets[k] = number_value(emit_load_i64(e, e->slots[k], e->sample));
  }
}

void begin_while(emission *e, while_loop *w, int count) {
  MlirType types[2] = {e->i64, e->i64};
  MlirLocation locations[2] = {e->b.location, e->b.location};
  w->outer = e->b;
  w->count = count;
  for (int part = 0; part < 2; ++part) {
    w->regions[part] = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(w->regions[part], mlirBlockCreate(count, types, locations));
  }
  MlirBlock before = mlirRegionGetFirstBlock(w->regions[0]);
  for (int k = 0; k < count; ++k) w->carried[k] = mlirBlockGetArgument(before, k);
  e->b = ragged_builder_at_end(before, e->b.location);
}

void while_condition(emission *e, while_loop *w, MlirValue condition) {
  MlirValue operands[3] = {condition, w->carried[0], w->carried[1]};
  ragged_build(&e->b, "scf.condition", 1 + w->count, operands, RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
  MlirBlock after = mlirRegionGetFirstBlock(w->regions[1]);
  for (int k = 0; k < w->count; ++k) w->carried[k] = mlirBlockGetArgument(after, k);
  e->b = ragged_builder_at_end(after, e->b.location);
}

MlirOperation end_while(emission *e, while_loop *w, const MlirValue *next,
                               const MlirValue *initial) {
  MlirType types[2] = {e->i64, e->i64};
  ragged_build(&e->b, "scf.yield", w->count, next, RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
  e->b = w->outer;
  return ragged_build(&e->b, "scf.while", w->count, initial, w->count, types, RAGGED_NONE, 2,
                      w->regions);
}

number emit_find_sample(emission *e, MlirValue offsets, number count, number row) {
  while_loop w;
  MlirValue initial[2] = {number_emit(e, number_of(0)), number_emit(e, count)};
  begin_while(e, &w, 2);  // low <= answer < high
  number low = number_value(w.carried[0]), high = number_value(w.carried[1]);
  while_condition(e, &w, emit_compare(e, COMPARE_GT, number_sub(e, high, low), number_of(1)));
  low = number_value(w.carried[0]);
  high = number_value(w.carried[1]);
  number middle = number_div(e, number_add(e, low, high), number_of(2));
  number at = number_value(emit_load_i64(e, offsets, middle));
  MlirValue right = emit_compare(e, COMPARE_LE, at, row);
  MlirValue next[2] = {
      ragged_build_value(&e->b, "arith.select", e->i64,
                         RAGGED_VALUES(right, number_emit(e, middle), number_emit(e, low))),
      ragged_build_value(&e->b, "arith.select", e->i64,
                         RAGGED_VALUES(right, number_emit(e, high), number_emit(e, middle)))};
  return number_value(mlirOperationGetResult(end_while(e, &w, next, initial), 0));
}
