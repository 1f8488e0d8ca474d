// Small ops of GPU kernels: numbers of 32 bits, loops that carry values, barriers and exchange. Knows
// nothing of tiles.
#include "lower/gpu/gpu_emit.h"

MlirValue gpu_i32(gpu_emission *g, int64_t value) {
  return ragged_build_integer(&g->e.b, g->i32, value);
}

MlirValue gpu_op(gpu_emission *g, const char *op, MlirValue a, MlirValue b) {
  return emit_binary(&g->e, op, a, b);
}

MlirValue gpu_compare(gpu_emission *g, int64_t predicate, MlirValue a, MlirValue b) {
  MlirNamedAttribute attribute =
      ragged_named(g->e.context, "predicate", ragged_attribute_i64(g->e.context, predicate));
  return ragged_build_value_with(&g->e.b, "arith.cmpi", mlirIntegerTypeGet(g->e.context, 1),
                                 RAGGED_VALUES(a, b), 1, &attribute);
}

number gpu_number(gpu_emission *g, MlirValue i32) {
  return number_value(ragged_build_value(&g->e.b, "arith.extui", g->e.i64, RAGGED_VALUES(i32)));
}

number gpu_opaque(gpu_emission *g, int value) {
  MlirValue threads = ragged_build_value(&g->e.b, "nvvm.read.ptx.sreg.ntid.x", g->i32, RAGGED_NONE);
  return gpu_number(g, gpu_op(g, "arith.divui", threads, gpu_i32(g, GPU_THREADS / value)));
}

MlirValue gpu_offset(gpu_emission *g, MlirValue pointer, number bytes) {
  return emit_pointer(&g->e, pointer, mlirIntegerTypeGet(g->e.context, 8), bytes);
}

// ---- Control flow ----------------------------------------------------------------------------

number gpu_begin_loop(gpu_emission *g, carried_loop *l, number from, number to, number step,
                      int count, const MlirValue *initial) {
  emission *e = &g->e;
  MlirValue operands[3 + GPU_MAX_CARRIED] = {number_emit(e, from), number_emit(e, to),
                                             number_emit(e, step)};
  MlirType types[1 + GPU_MAX_CARRIED] = {e->i64};
  MlirLocation locations[1 + GPU_MAX_CARRIED] = {e->b.location};
  for (int k = 0; k < count; ++k) {
    operands[3 + k] = initial[k];
    types[1 + k] = mlirValueGetType(initial[k]);
    locations[1 + k] = e->b.location;
  }
  MlirBlock body = mlirBlockCreate(1 + count, types, locations);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  l->operation = ragged_build(&e->b, "scf.for", 3 + count, operands, count, types + 1, RAGGED_NONE,
                              1, &region);
  l->outer = (loop){e->b, e->num_memo};
  l->count = count;
  for (int k = 0; k < count; ++k) l->values[k] = mlirBlockGetArgument(body, 1 + k);
  e->b = ragged_builder_at_end(body, e->b.location);
  return number_value(mlirBlockGetArgument(body, 0));
}

void gpu_end_loop(gpu_emission *g, carried_loop *l, const MlirValue *next) {
  emission *e = &g->e;
  ragged_build(&e->b, "scf.yield", l->count, next, RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
  e->b = l->outer.outer;
  e->num_memo = l->outer.memo;
  for (int k = 0; k < l->count; ++k) l->values[k] = mlirOperationGetResult(l->operation, k);
}

// ---- Barriers and exchange ---------------------------------------------------------------------

void gpu_block_barrier(gpu_emission *g) {
  ragged_build(&g->e.b, "nvvm.barrier0", RAGGED_NONE, RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
}

void gpu_group_barrier(gpu_emission *g) {
  if (g->layout->group > GPU_WARP) gpu_block_barrier(g);
  else if (g->layout->group > 1)
    ragged_build(&g->e.b, "nvvm.bar.warp.sync", RAGGED_VALUES(g->mask), RAGGED_NONE, RAGGED_NONE,
                 RAGGED_NONE);
}

static MlirValue shuffle_word(gpu_emission *g, MlirValue word, int distance) {
  MlirNamedAttribute kind = ragged_named(
      g->e.context, "kind", ragged_attribute_parse(g->e.context, "#nvvm<shfl_kind bfly>"));
  return ragged_build_value_with(
      &g->e.b, "nvvm.shfl.sync", g->i32,
      RAGGED_VALUES(g->mask, word, gpu_i32(g, distance), gpu_i32(g, GPU_WARP - 1)), 1, &kind);
}

// Words of 32 bits travel; wider numbers go in halves.
MlirValue gpu_shuffle(gpu_emission *g, MlirValue value, int distance) {
  ragged_builder *b = &g->e.b;
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsAF32(type)) {
    MlirValue word = ragged_build_value(b, "arith.bitcast", g->i32, RAGGED_VALUES(value));
    return ragged_build_value(b, "arith.bitcast", type,
                              RAGGED_VALUES(shuffle_word(g, word, distance)));
  }
  bool real = mlirTypeIsAF64(type);
  MlirType i64 = g->e.i64;
  if (real) value = ragged_build_value(b, "arith.bitcast", i64, RAGGED_VALUES(value));
  MlirValue half = ragged_build_integer(b, i64, 32), words[2];
  for (int k = 0; k < 2; ++k) {
    MlirValue part = k ? gpu_op(g, "arith.shrui", value, half) : value;
    part = ragged_build_value(b, "arith.trunci", g->i32, RAGGED_VALUES(part));
    words[k] = ragged_build_value(b, "arith.extui", i64,
                                  RAGGED_VALUES(shuffle_word(g, part, distance)));
  }
  value = gpu_op(g, "arith.ori", words[0], gpu_op(g, "arith.shli", words[1], half));
  return real ? ragged_build_value(b, "arith.bitcast", type, RAGGED_VALUES(value)) : value;
}

static ragged_element_type element_of(MlirType type) {
  return mlirTypeIsAF32(type)   ? RAGGED_ELEMENT_F32
         : mlirTypeIsAF64(type) ? RAGGED_ELEMENT_F64
                                : RAGGED_ELEMENT_I64;
}

MlirValue gpu_group_combine(gpu_emission *g, const char *kind, MlirValue value) {
  emission *e = &g->e;
  int within = g->layout->group < GPU_WARP ? g->layout->group : GPU_WARP;
  for (int distance = 1; distance < within; distance *= 2)
    value = emit_combine(e, kind, value, gpu_shuffle(g, value, distance));
  if (g->layout->group <= GPU_WARP) return value;
  // One number per warp goes through shared memory; every thread combines them in one order.
  ragged_element_type type = element_of(mlirValueGetType(value));
  MlirValue warp = gpu_op(g, "arith.divui", g->thread, gpu_i32(g, GPU_WARP));
  MlirValue first = gpu_op(g, "arith.remui", g->thread, gpu_i32(g, GPU_WARP));
  guard speaks;
  begin_if(&g->e, &speaks, gpu_compare(g, COMPARE_EQ, first, gpu_i32(g, 0)));
  emit_store(e, g->shared, type, gpu_number(g, warp), value);
  end_if(&g->e, &speaks);
  gpu_block_barrier(g);
  value = emit_load(e, g->shared, type, number_of(0), 1);
  for (int k = 1; k < GPU_THREADS / GPU_WARP; ++k)
    value = emit_combine(e, kind, value, emit_load(e, g->shared, type, number_of(k), 1));
  gpu_block_barrier(g);
  return value;
}
