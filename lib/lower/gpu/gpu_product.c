// Dense products inside GPU kernels: a device function per shape, run by all threads of a block. Tiles
// of 64 rows and 64 columns, 16 of K at a time through shared memory, 4 x 4 sums a thread.
#include "lower/gpu/gpu_emit.h"
#include "lower/gpu/gpu_function.h"
#include "lower/math/vector_math.h"

enum { TILE = 64, STEP = 16, EDGE = 4, PADDED = TILE + 4, SIDE = TILE / EDGE };

typedef struct product {
  gpu_emission *g;
  const ragged_product_shape *shape;
  ragged_element_type weight_memory, bias_memory;
  MlirType type;
  MlirValue a, weight, bias, c, shared[2];
  number rows;
  MlirValue load_row, load_k;  // i32: which part of a tile the thread loads
  MlirValue own_row, own_column;  // i32: which sums it has
} product;

const char *gpu_product_name(gpu_emission *g, const kernel_dot *dot) {
  const kernel_layout *layout = &g->e.layout;
  const char *name = ragged_product_name(g->e.arena, &dot->shape);
  if (layout->refs[dot->weight_ref].tail.element_type == RAGGED_ELEMENT_BF16)
    name = ragged_arena_format(g->e.arena, "%s_weight_bf16", name);
  if (dot->bias_ref >= 0 && layout->refs[dot->bias_ref].tail.element_type == RAGGED_ELEMENT_BF16)
    name = ragged_arena_format(g->e.arena, "%s_bias_bf16", name);
  return name;
}

static MlirValue zero(product *p) { return emit_constant(&p->g->e, p->shape->element_type, 0).value; }

static MlirValue both(product *p, MlirValue a, MlirValue b) {
  return gpu_op(p->g, "arith.andi", a, b);
}

// An element where `inside`, else zero.
static MlirValue load_or_zero(product *p, MlirValue inside, MlirValue base,
                              ragged_element_type memory, number offset) {
  emission *e = &p->g->e;
  ragged_builder outer = e->b;
  MlirRegion regions[2];
  for (int part = 0; part < 2; ++part) {
    MlirBlock block = mlirBlockCreate(0, NULL, NULL);
    regions[part] = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(regions[part], block);
    e->b = ragged_builder_at_end(block, outer.location);
    MlirValue value = part ? zero(p) : emit_load(e, base, memory, offset, 1);
    ragged_build(&e->b, "scf.yield", RAGGED_VALUES(value), RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
  }
  e->b = outer;
  return mlirOperationGetResult(ragged_build(&e->b, "scf.if", RAGGED_VALUES(inside),
                                             RAGGED_TYPES(p->type), RAGGED_NONE, 2, regions),
                                0);
}

// Rows first .. of one operand, columns k0 .. k0 + 15, transposed into shared memory: [k][row].
static void load_tile(product *p, int operand, number first, number limit, number k0) {
  gpu_emission *g = p->g;
  emission *e = &g->e;
  number row = number_add(e, first, gpu_number(g, p->load_row));
  MlirValue in_rows = emit_compare(e, COMPARE_LT, row, limit);
  number k = number_add(e, k0, gpu_number(g, p->load_k)), extent = number_of(p->shape->k);
  for (int j = 0; j < EDGE; ++j) {
    number at = number_add(e, k, number_of(j));
    MlirValue inside = both(p, in_rows, emit_compare(e, COMPARE_LT, at, extent));
    number offset = number_add(e, number_mul(e, row, extent), at);
    MlirValue x = load_or_zero(p, inside, operand ? p->weight : p->a,
                               operand ? p->weight_memory : p->shape->element_type, offset);
    number to = number_add(e, number_mul(e, number_add(e, gpu_number(g, p->load_k), number_of(j)),
                                         number_of(PADDED)),
                           gpu_number(g, p->load_row));
    emit_store(e, p->shared[operand], p->shape->element_type, to, x, 1);
  }
}

static MlirValue multiply_add(product *p, MlirValue x, MlirValue y, MlirValue sum) {
  if (p->shape->element_type != RAGGED_ELEMENT_I64)
    return ragged_emit_fma(&p->g->e.b, p->type, x, y, sum);
  return gpu_op(p->g, "arith.addi", sum, gpu_op(p->g, "arith.muli", x, y));
}

// The 4 x 4 sums of a thread over what is in shared memory.
static void add_tile(product *p, MlirValue *sums) {
  gpu_emission *g = p->g;
  emission *e = &g->e;
  carried_loop l;
  number k = gpu_begin_loop(g, &l, number_of(0), number_of(STEP), number_of(1), EDGE * EDGE, sums);
  number line = number_mul(e, k, number_of(PADDED));
  MlirValue x[2][EDGE], next[EDGE * EDGE];
  for (int operand = 0; operand < 2; ++operand) {
    number at = number_add(e, line, gpu_number(g, operand ? p->own_column : p->own_row));
    for (int j = 0; j < EDGE; ++j)
      x[operand][j] = emit_load(e, p->shared[operand], p->shape->element_type,
                                number_add(e, at, number_of(j)), 1);
  }
  for (int i = 0; i < EDGE; ++i)
    for (int j = 0; j < EDGE; ++j)
      next[i * EDGE + j] = multiply_add(p, x[0][i], x[1][j], l.values[i * EDGE + j]);
  gpu_end_loop(g, &l, next);
  for (int k2 = 0; k2 < EDGE * EDGE; ++k2) sums[k2] = l.values[k2];
}

static MlirValue activate(product *p, MlirValue x) {
  static const char *const functions[] = {[RAGGED_ACTIVATION_RELU] = "relu",
                                          [RAGGED_ACTIVATION_GELU] = "gelu",
                                          [RAGGED_ACTIVATION_SIGMOID] = "sigmoid"};
  if (p->shape->activation == RAGGED_ACTIVATION_NONE) return x;
  return ragged_emit_elementwise(&p->g->e.b, functions[p->shape->activation], p->type, x,
                                 ragged_value_none());
}

static void write_sums(product *p, number m0, number n0, const MlirValue *sums) {
  gpu_emission *g = p->g;
  emission *e = &g->e;
  ragged_element_type type = p->shape->element_type;
  number row0 = number_add(e, m0, gpu_number(g, p->own_row));
  number column0 = number_add(e, n0, gpu_number(g, p->own_column));
  for (int i = 0; i < EDGE; ++i)
    for (int j = 0; j < EDGE; ++j) {
      number row = number_add(e, row0, number_of(i)), column = number_add(e, column0, number_of(j));
      guard inside;
      gpu_begin_if(g, &inside,
                   both(p, emit_compare(e, COMPARE_LT, row, p->rows),
                        emit_compare(e, COMPARE_LT, column, number_of(p->shape->n))));
      MlirValue y = sums[i * EDGE + j];
      if (p->shape->bias)
        y = emit_combine(e, "add", y, emit_load(e, p->bias, p->bias_memory, column, 1));
      y = activate(p, y);
      number at = number_add(e, number_mul(e, row, number_of(p->shape->n)), column);
      if (p->shape->residual) y = emit_combine(e, "add", y, emit_load(e, p->c, type, at, 1));
      emit_store(e, p->c, type, at, y, 1);
      gpu_end_if(g, &inside);
    }
}

static void emit_body(product *p) {
  gpu_emission *g = p->g;
  carried_loop columns, rows, steps;
  number n0 = gpu_begin_loop(g, &columns, number_of(0), number_of(p->shape->n), number_of(TILE), 0,
                             NULL);
  number m0 = gpu_begin_loop(g, &rows, number_of(0), p->rows, number_of(TILE), 0, NULL);
  MlirValue sums[EDGE * EDGE];
  for (int k = 0; k < EDGE * EDGE; ++k) sums[k] = zero(p);
  number k0 = gpu_begin_loop(g, &steps, number_of(0), number_of(p->shape->k), number_of(STEP),
                             EDGE * EDGE, sums);
  for (int k = 0; k < EDGE * EDGE; ++k) sums[k] = steps.values[k];
  load_tile(p, 0, m0, p->rows, k0);
  load_tile(p, 1, n0, number_of(p->shape->n), k0);
  gpu_block_barrier(g);
  add_tile(p, sums);
  gpu_block_barrier(g);
  gpu_end_loop(g, &steps, sums);
  write_sums(p, m0, n0, steps.values);
  gpu_end_loop(g, &rows, NULL);
  gpu_end_loop(g, &columns, NULL);
}

void gpu_emit_product(gpu_emission *kernel, const ragged_builder *builder, const kernel_dot *dot,
                      const char *name) {
  const kernel_layout *layout = &kernel->e.layout;
  MlirType global = kernel->e.ptr, shared = ragged_type_parse(builder->context, "!llvm.ptr<3>");
  MlirType types[] = {global, global, global, global, kernel->e.i64, shared};
  gpu_emission own = *kernel;  // the kernel's types; a function of its own
  own.e.num_memo = 0;
  own.e.lanes = 1;
  MlirBlock entry = gpu_begin_function(&own, builder, name, 6, types, NULL, false);
  product p = {.g = &own,
               .shape = &dot->shape,
               .weight_memory = layout->refs[dot->weight_ref].tail.element_type,
               .bias_memory = dot->bias_ref < 0 ? dot->shape.element_type
                                                : layout->refs[dot->bias_ref].tail.element_type,
               .type = element_mlir(&own.e, dot->shape.element_type),
               .a = mlirBlockGetArgument(entry, 0),
               .weight = mlirBlockGetArgument(entry, 1),
               .bias = mlirBlockGetArgument(entry, 2),
               .c = mlirBlockGetArgument(entry, 3),
               .rows = number_value(mlirBlockGetArgument(entry, 4))};
  p.shared[0] = mlirBlockGetArgument(entry, 5);
  int64_t size = (int64_t)ragged_element_size(dot->shape.element_type);
  p.shared[1] = gpu_offset(&own, p.shared[0], number_of(STEP * PADDED * size));
  MlirValue edge = gpu_i32(&own, EDGE), side = gpu_i32(&own, SIDE);
  p.load_row = gpu_op(&own, "arith.divui", own.thread, edge);
  p.load_k = gpu_op(&own, "arith.muli", gpu_op(&own, "arith.remui", own.thread, edge), edge);
  p.own_row = gpu_op(&own, "arith.muli", gpu_op(&own, "arith.divui", own.thread, side), edge);
  p.own_column = gpu_op(&own, "arith.muli", gpu_op(&own, "arith.remui", own.thread, side), edge);
  emit_body(&p);
  gpu_end_function(&own);
}
