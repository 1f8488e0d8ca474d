// One register tile of a product kernel: sums over all of k in registers, then bias, activation and
// residual. A sum is one chain of fused multiply-adds over increasing k from zero, and what follows
// is lane by lane, so bits do not depend on the tile that computes an element. Called by product.c.
#include "lower/cpu/product_emitter.h"
#include "lower/math/vector_math.h"

enum { UNROLL = 4 };  // steps over k in one iteration of the innermost loop

// Sums, one row of the weight and temporaries fill the registers. Twelve sums hide the latency of
// multiply-add; more than twelve rows only cost code. Integers multiply in several instructions.
int product_full_tile_rows(const product_emitter *emitter, int vectors) {
  int temporaries = product_is_float(emitter) ? 1 : 6;
  int rows = (emitter->target->num_registers - vectors - temporaries) / vectors;
  rows -= rows % 2;
  return rows < PRODUCT_MAX_TILE_ROWS ? rows : PRODUCT_MAX_TILE_ROWS;
}

// sums[row * vectors + vector] += A[row, step] * W[step, vector], with `a` and `weight` at step 0 of
// row 0.
static void emit_step(const product_emitter *emitter, const ragged_builder *at, int rows,
                      int vectors, MlirValue a, MlirValue weight, int step, MlirValue *sums) {
  MlirType vector_type = emitter->vector;
  MlirValue columns[PRODUCT_MAX_TILE_VECTORS];
  for (int vector = 0; vector < vectors; ++vector) {
    int64_t offset = step * emitter->panel + vector * emitter->lanes;
    MlirValue from = product_address_at(emitter, at, weight, offset);
    columns[vector] = product_load(emitter, at, vector_type, from);
  }
  for (int row = 0; row < rows; ++row) {
    int64_t offset = emitter->line ? step * emitter->line + row : row * emitter->shape->k + step;
    MlirValue from = product_address_at(emitter, at, a, offset);
    MlirValue scalar = product_load(emitter, at, emitter->element, from);
    MlirValue splat =
        ragged_build_value(at, "vector.broadcast", vector_type, RAGGED_VALUES(scalar));
    for (int vector = 0; vector < vectors; ++vector) {
      MlirValue *sum = &sums[row * vectors + vector];
      if (product_is_float(emitter)) {
        *sum = ragged_emit_fma(at, vector_type, splat, columns[vector], *sum);
      } else {
        MlirValue product = ragged_build_value(at, "arith.muli", vector_type,
                                               RAGGED_VALUES(splat, columns[vector]));
        *sum = ragged_build_value(at, "arith.addi", vector_type, RAGGED_VALUES(*sum, product));
      }
    }
  }
}

// Steps [first, last) in groups of `unroll`, the sums carried from group to group.
static void emit_groups(const product_emitter *emitter, const ragged_builder *at, int rows,
                        int vectors, MlirValue row, MlirValue weight, MlirValue first,
                        MlirValue last, int unroll, MlirValue *sums) {
  int count = rows * vectors;
  product_loop loop = product_loop_begin(emitter, at, first, last,
                                         product_constant(emitter, at, unroll), count, sums);
  const ragged_builder *body = &loop.body;
  MlirValue a_step = product_address_a(emitter, body, row, loop.index);
  MlirValue weight_step = product_address_row(emitter, body, weight, loop.index, emitter->panel);
  for (int k = 0; k < count; ++k) sums[k] = mlirBlockGetArgument(loop.block, 1 + k);
  for (int step = 0; step < unroll; ++step)
    emit_step(emitter, body, rows, vectors, a_step, weight_step, step, sums);
  product_loop_end(&loop, count, sums);
  for (int k = 0; k < count; ++k) sums[k] = mlirOperationGetResult(loop.operation, k);
}

// All of k: a loop over groups of UNROLL steps, then the rest, written out where it is known.
static void emit_sums(const product_emitter *emitter, const ragged_builder *at, int rows,
                      int vectors, MlirValue row, MlirValue weight, MlirValue *sums) {
  for (int k = 0; k < rows * vectors; ++k) sums[k] = product_zeros(emitter, at);
  MlirValue zero = product_constant(emitter, at, 0);
  if (emitter->line) {
    MlirValue unroll = product_constant(emitter, at, UNROLL);
    MlirValue rest = product_arith(emitter, at, "arith.remui", emitter->steps, unroll);
    MlirValue looped = product_arith(emitter, at, "arith.subi", emitter->steps, rest);
    emit_groups(emitter, at, rows, vectors, row, weight, zero, looped, UNROLL, sums);
    emit_groups(emitter, at, rows, vectors, row, weight, looped, emitter->steps, 1, sums);
    return;
  }
  int rest = (int)(emitter->shape->k % UNROLL);
  int64_t looped = emitter->shape->k - rest;
  MlirValue end = product_constant(emitter, at, looped);
  if (looped > 0) emit_groups(emitter, at, rows, vectors, row, weight, zero, end, UNROLL, sums);
  MlirValue a = product_address_a(emitter, at, row, end);
  weight = product_address_at(emitter, at, weight, looped * emitter->panel);
  for (int step = 0; step < rest; ++step)
    emit_step(emitter, at, rows, vectors, a, weight, step, sums);
}

// Lanes of vector number `vector` that exist in C.
static int vector_columns(const product_emitter *emitter, const product_panel *panel, int vector) {
  int left = panel->columns - vector * emitter->lanes;
  return left < emitter->lanes ? left : emitter->lanes;
}

// The panel's part of the bias; nulls without one.
static void emit_bias(const product_emitter *emitter, const ragged_builder *at,
                      const product_panel *panel, MlirValue *bias) {
  for (int vector = 0; vector < panel->vectors; ++vector) {
    bias[vector] = ragged_value_none();
    if (!emitter->shape->bias) continue;
    MlirValue from = product_address(emitter, at, emitter->bias, panel->column);
    from = product_address_at(emitter, at, from, vector * emitter->lanes);
    bias[vector] =
        product_load_lanes(emitter, at, from, vector_columns(emitter, panel, vector));
  }
}

// bias, activation and residual of one vector of sums, and its store: the first `columns` lanes.
static void emit_result(const product_emitter *emitter, const ragged_builder *at, MlirValue sum,
                        MlirValue bias, MlirValue c, int columns) {
  static const char *const names[] = {[RAGGED_ACTIVATION_RELU] = "relu",
                                      [RAGGED_ACTIVATION_GELU] = "gelu",
                                      [RAGGED_ACTIVATION_SIGMOID] = "sigmoid"};
  const ragged_product_shape *shape = emitter->shape;
  const char *add = product_is_float(emitter) ? "arith.addf" : "arith.addi";
  if (shape->bias) sum = ragged_build_value(at, add, emitter->vector, RAGGED_VALUES(sum, bias));
  if (shape->activation != RAGGED_ACTIVATION_NONE)
    sum = ragged_emit_elementwise(at, names[shape->activation], &sum);
  if (shape->residual) {
    MlirValue before = product_load_lanes(emitter, at, c, columns);
    sum = ragged_build_value(at, add, emitter->vector, RAGGED_VALUES(sum, before));
  }
  product_store_lanes(emitter, at, sum, c, columns);
}

// The panel's part of row `row` of C, and where its sums are kept.
static MlirValue c_row(const product_emitter *emitter, const ragged_builder *at,
                       const product_panel *panel, MlirValue row) {
  MlirValue start = product_address_row(emitter, at, emitter->c, row, emitter->shape->n);
  return product_address(emitter, at, start, panel->column);
}

static MlirValue scratch_row(const product_emitter *emitter, const ragged_builder *at,
                             const product_panel *panel, MlirValue row) {
  MlirValue relative = product_arith(emitter, at, "arith.subi", row, panel->first);
  return product_address_row(emitter, at, emitter->scratch, relative,
                             panel->vectors * emitter->lanes);
}

void product_emit_tile(const product_emitter *emitter, const ragged_builder *at,
                       const product_panel *panel, int rows, MlirValue row) {
  const ragged_product_shape *shape = emitter->shape;
  int vectors = panel->vectors;
  MlirValue sums[PRODUCT_MAX_TILE_SUMS];
  emit_sums(emitter, at, rows, vectors, row, panel->weight, sums);

  if (!mlirValueIsNull(emitter->scratch)) {
    MlirValue to = scratch_row(emitter, at, panel, row);
    for (int k = 0; k < rows * vectors; ++k)
      product_store(emitter, at, sums[k], product_address_at(emitter, at, to, k * emitter->lanes));
    return;
  }
  MlirValue bias[PRODUCT_MAX_TILE_VECTORS];
  emit_bias(emitter, at, panel, bias);
  MlirValue c = c_row(emitter, at, panel, row);
  for (int k = 0; k < rows * vectors; ++k) {
    int vector = k % vectors;
    int64_t offset = k / vectors * shape->n + vector * emitter->lanes;
    emit_result(emitter, at, sums[k], bias[vector], product_address_at(emitter, at, c, offset),
                vector_columns(emitter, panel, vector));
  }
}

void product_emit_finish(const product_emitter *emitter, const ragged_builder *at,
                         const product_panel *panel) {
  MlirValue bias[PRODUCT_MAX_TILE_VECTORS];
  emit_bias(emitter, at, panel, bias);
  product_loop loop = product_loop_begin(emitter, at, panel->first, panel->last,
                                         product_constant(emitter, at, 1), 0, NULL);
  const ragged_builder *body = &loop.body;
  MlirValue from = scratch_row(emitter, body, panel, loop.index);
  MlirValue to = c_row(emitter, body, panel, loop.index);
  for (int vector = 0; vector < panel->vectors; ++vector) {
    int64_t offset = vector * emitter->lanes;
    MlirValue sum = product_load(emitter, body, emitter->vector,
                                 product_address_at(emitter, body, from, offset));
    emit_result(emitter, body, sum, bias[vector], product_address_at(emitter, body, to, offset),
                vector_columns(emitter, panel, vector));
  }
  product_loop_end(&loop, 0, NULL);
}
