// Dense products inside GPU kernels: a device function per shape, run by all threads of a block, tile
// by tile (gpu_product_tile.h). With bf16 weights the matrix instructions multiply, and rows are
// rounded to bf16 for them; sums are f32. A transposed weight, [k][n], is read along n and turned on
// its way to shared memory.
#include "lower/gpu/gpu_emit.h"
#include "lower/gpu/gpu_function.h"
#include "lower/gpu/gpu_product_tile.h"
#include "lower/math/gpu_math.h"
#include "lower/math/vector_math.h"

typedef struct product {
  gpu_product tile;
  const ragged_product_shape *shape;
  ragged_element_type bias_memory;
  MlirValue bias, c;
} product;

const char *gpu_product_name(gpu_emission *g, const kernel_dot *dot) {
  const kernel_layout *layout = &g->e.layout;
  const char *name = ragged_product_name(g->e.arena, &dot->shape);
  if (dot->shape.transposed) name = ragged_arena_format(g->e.arena, "%s_transposed", name);
  if (layout->refs[dot->weight_ref].tail.element_type == RAGGED_ELEMENT_BF16)
    name = ragged_arena_format(g->e.arena, "%s_weight_bf16", name);
  if (dot->bias_ref >= 0 && layout->refs[dot->bias_ref].tail.element_type == RAGGED_ELEMENT_BF16)
    name = ragged_arena_format(g->e.arena, "%s_bias_bf16", name);
  return name;
}

// ---- Results -----------------------------------------------------------------------------------------

static MlirValue activate(product *p, MlirValue x) {
  static const char *const functions[] = {[RAGGED_ACTIVATION_RELU] = "relu",
                                          [RAGGED_ACTIVATION_GELU] = "gelu",
                                          [RAGGED_ACTIVATION_SIGMOID] = "sigmoid"};
  if (p->shape->activation == RAGGED_ACTIVATION_NONE) return x;
  return ragged_emit_gpu_elementwise(&p->tile.g->e.b, functions[p->shape->activation], &x);
}

static void write_sums(product *p, number m0, number n0, const MlirValue *sums) {
  gpu_emission *g = p->tile.g;
  emission *e = &g->e;
  ragged_element_type type = p->shape->element_type;
  MlirValue own_row, own_column;
  gpu_product_first_sum(&p->tile, &own_row, &own_column);
  number row0 = number_add(e, m0, gpu_number(g, own_row));
  number column0 = number_add(e, n0, gpu_number(g, own_column));
  for (int s = 0; s < PRODUCT_SUMS; ++s) {
    int more_rows, more_columns;
    gpu_product_sum_place(&p->tile, s, &more_rows, &more_columns);
    number row = number_add(e, row0, number_of(more_rows));
    number column = number_add(e, column0, number_of(more_columns));
    guard inside;
    begin_if(&g->e, &inside,
                 gpu_product_both(&p->tile,
                                  emit_compare(e, COMPARE_LT, row, p->tile.operands[0].lines),
                                  emit_compare(e, COMPARE_LT, column, number_of(p->shape->n))));
    MlirValue y = sums[s];
    if (p->shape->bias)
      y = emit_combine(e, "add", y, emit_load(e, p->bias, p->bias_memory, column, 1));
    y = activate(p, y);
    number at = number_add(e, number_mul(e, row, number_of(p->shape->n)), column);
    if (p->shape->residual) y = emit_combine(e, "add", y, emit_load(e, p->c, type, at, 1));
    emit_store(e, p->c, type, at, y);
    end_if(&g->e, &inside);
  }
}

static void emit_body(product *p) {
  gpu_emission *g = p->tile.g;
  carried_loop columns, rows;
  number n0 = gpu_begin_loop(g, &columns, number_of(0), number_of(p->shape->n),
                             number_of(PRODUCT_TILE), 0, NULL);
  number m0 = gpu_begin_loop(g, &rows, number_of(0), p->tile.operands[0].lines,
                             number_of(PRODUCT_TILE), 0, NULL);
  MlirValue sums[PRODUCT_SUMS];
  gpu_product_sum_tile(&p->tile, m0, n0, number_of(0), p->tile.k, sums);
  write_sums(p, m0, n0, sums);
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
  ragged_element_type type = dot->shape.element_type;
  ragged_element_type weight = layout->refs[dot->weight_ref].tail.element_type;
  product p = {.shape = &dot->shape,
               .bias = mlirBlockGetArgument(entry, 2),
               .c = mlirBlockGetArgument(entry, 3),
               .bias_memory = dot->bias_ref < 0 ? type
                                                : layout->refs[dot->bias_ref].tail.element_type};
  p.tile = (gpu_product){.g = &own, .element_type = type, .matrix = weight == RAGGED_ELEMENT_BF16,
                         .k = number_of(dot->shape.k)};
  p.tile.operands[0] = (product_operand){.base = mlirBlockGetArgument(entry, 0), .memory = type,
                                         .lines = number_value(mlirBlockGetArgument(entry, 4))};
  p.tile.operands[1] = (product_operand){.base = mlirBlockGetArgument(entry, 1), .memory = weight,
                                         .turned = dot->shape.transposed,
                                         .lines = number_of(dot->shape.n)};
  gpu_product_begin(&p.tile, mlirBlockGetArgument(entry, 5));
  emit_body(&p);
  gpu_end_function(&own);
}
