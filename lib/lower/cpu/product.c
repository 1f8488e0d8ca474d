// The generated dense product (product.h): loops over row chunks, weight panels and register tiles,
// in func, scf, arith, math, vector and llvm ops. Called by the CPU lowering; must not know how the
// runtime packs or schedules beyond what product.h says.
//
//   for each chunk of rows that the second-level cache holds            (dynamic)
//     for each panel of the weight: `panel` columns, all of k           (dynamic; the last one static)
//       for each tile of rows: sums in registers over all of k, then bias, activation, residual
//
// Every sum is one chain of fused multiply-adds over increasing k, whichever tile computes it.
#include "lower/cpu/product.h"

#include <stdlib.h>
#include <string.h>

#include "lower/cpu/vector_math.h"

enum {
  MAX_TILE_ROWS = 12,
  MAX_TILE_VECTORS = 3,
  MAX_TILE_SUMS = 24,
  UNROLL = 4,                 // steps over k in one iteration of the innermost loop
  CHUNK_BYTES = 192 * 1024,   // of A per chunk: under half of a second-level cache of 512 KB
  CHUNK_MULTIPLE = 24,        // full chunks split into full tiles of 6, 8 or 12 rows
};

// A register tile: `rows` x `vectors`, of whose columns `columns` exist in C.
typedef struct product_tile {
  int rows, vectors, columns;
} product_tile;

typedef struct product_emitter {
  const ragged_product_shape *shape;
  const ragged_cpu_target *target;
  MlirType element, vector, pointer, i64;
  int lanes;
  int64_t panel;
  MlirValue a, packed, bias, c;  // the function's arguments
  MlirValue scratch;             // one tile of sums; null unless the activation is a polynomial
} product_emitter;

static int max_vectors(const ragged_cpu_target *target) {
  return target->num_registers >= 32 ? 3 : 2;
}

// Rows of a full tile that is `vectors` wide: sums, one row of the weight and temporaries fill the
// registers. Twelve sums hide the latency of multiply-add; more than twelve rows only cost code.
static int full_tile_rows(const product_emitter *emitter, int vectors) {
  int temporaries = ragged_element_is_float(emitter->shape->element_type) ? 1 : 6;
  int rows = (emitter->target->num_registers - vectors - temporaries) / vectors;
  rows -= rows % 2;
  return rows < MAX_TILE_ROWS ? rows : MAX_TILE_ROWS;
}

int64_t ragged_product_panel(const ragged_cpu_target *target, const ragged_product_shape *shape) {
  int64_t lanes = ragged_cpu_lanes(target, shape->element_type);
  int64_t vectors = (shape->n + lanes - 1) / lanes;
  if (vectors > max_vectors(target)) vectors = max_vectors(target);
  return lanes * (vectors > 0 ? vectors : 1);
}

// ---- ops ----------------------------------------------------------------------------------------

static MlirValue constant(const product_emitter *emitter, const ragged_builder *at, int64_t value) {
  return ragged_build_integer(at, emitter->i64, value);
}

static MlirValue arith(const product_emitter *emitter, const ragged_builder *at, const char *name,
                       MlirValue x, MlirValue y) {
  return ragged_build_value(at, name, emitter->i64, RAGGED_VALUES(x, y));
}

// The address of element `index` behind `pointer`.
static MlirValue address(const product_emitter *emitter, const ragged_builder *at,
                         MlirValue pointer, MlirValue index) {
  int32_t dynamic = INT32_MIN;
  return ragged_build_value_with(
      at, "llvm.getelementptr", emitter->pointer, RAGGED_VALUES(pointer, index),
      RAGGED_ATTRIBUTES(
          ragged_named(at->context, "elem_type", ragged_attribute_type(emitter->element)),
          ragged_named(at->context, "rawConstantIndices",
                       mlirDenseI32ArrayGet(at->context, 1, &dynamic))));
}

static MlirValue address_at(const product_emitter *emitter, const ragged_builder *at,
                            MlirValue pointer, int64_t index) {
  return index == 0 ? pointer : address(emitter, at, pointer, constant(emitter, at, index));
}

// Rows of A and C have no alignment but that of their elements.
static MlirNamedAttribute element_alignment(const product_emitter *emitter,
                                            const ragged_builder *at) {
  int64_t bytes = (int64_t)ragged_element_size(emitter->shape->element_type);
  return ragged_named(at->context, "alignment", ragged_attribute_i64(at->context, bytes));
}

static MlirValue load(const product_emitter *emitter, const ragged_builder *at, MlirType type,
                      MlirValue pointer) {
  return ragged_build_value_with(at, "llvm.load", type, RAGGED_VALUES(pointer),
                                 RAGGED_ATTRIBUTES(element_alignment(emitter, at)));
}

static void store(const product_emitter *emitter, const ragged_builder *at, MlirValue value,
                  MlirValue pointer) {
  ragged_build(at, "llvm.store", RAGGED_VALUES(value, pointer), RAGGED_NONE,
               RAGGED_ATTRIBUTES(element_alignment(emitter, at)), 0, NULL);
}

static MlirType vector_of(const product_emitter *emitter, int64_t lanes) {
  return mlirVectorTypeGet(1, &lanes, emitter->element);
}

// The first `count` lanes behind `pointer`, none beyond; the other lanes are zero.
static MlirValue load_lanes(const product_emitter *emitter, const ragged_builder *at,
                            MlirValue pointer, int count) {
  if (count == emitter->lanes) return load(emitter, at, emitter->vector, pointer);
  bool is_float = ragged_element_is_float(emitter->shape->element_type);
  MlirValue loaded = is_float ? ragged_build_float(at, emitter->vector, 0.0)
                              : ragged_build_integer(at, emitter->vector, 0);
  for (int lane = 0; lane < count; ++lane) {
    MlirValue value = load(emitter, at, emitter->element, address_at(emitter, at, pointer, lane));
    int64_t position = lane;
    loaded = ragged_build_value_with(
        at, "vector.insert", emitter->vector, RAGGED_VALUES(value, loaded),
        RAGGED_ATTRIBUTES(ragged_named(at->context, "static_position",
                                       ragged_attribute_i64_array(at->context, 1, &position))));
  }
  return loaded;
}

// Stores the first `count` lanes and nothing beyond: in pieces whose widths are powers of two, which
// every target does well (masked stores are slow on some).
static void store_lanes(const product_emitter *emitter, const ragged_builder *at, MlirValue value,
                        MlirValue pointer, int count) {
  if (count == emitter->lanes) {
    store(emitter, at, value, pointer);
    return;
  }
  int64_t mask[64];
  int first = 0;
  for (int width = emitter->lanes / 2; width > 0; width /= 2) {
    if (!(count & width)) continue;
    for (int lane = 0; lane < width; ++lane) mask[lane] = first + lane;
    MlirValue piece = ragged_build_value_with(
        at, "vector.shuffle", vector_of(emitter, width), RAGGED_VALUES(value, value),
        RAGGED_ATTRIBUTES(ragged_named(at->context, "mask",
                                       ragged_attribute_i64_array(at->context, width, mask))));
    store(emitter, at, piece, address_at(emitter, at, pointer, first));
    first += width;
  }
}

// ---- loops --------------------------------------------------------------------------------------

typedef struct product_loop {
  ragged_builder body;
  MlirValue index;
  MlirBlock block;
  MlirOperation operation;
} product_loop;

// scf.for over i64 with `count` carried values; the caller fills `body` and ends it with loop_end.
static product_loop loop_begin(const product_emitter *emitter, const ragged_builder *at,
                               MlirValue first, MlirValue last, MlirValue step, int count,
                               const MlirValue *carried) {
  MlirValue operands[3 + MAX_TILE_SUMS] = {first, last, step};
  MlirType types[1 + MAX_TILE_SUMS] = {emitter->i64};
  MlirLocation locations[1 + MAX_TILE_SUMS] = {at->location};
  for (int k = 0; k < count; ++k) {
    operands[3 + k] = carried[k];
    types[1 + k] = mlirValueGetType(carried[k]);
    locations[1 + k] = at->location;
  }
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(1 + count, types, locations);
  mlirRegionAppendOwnedBlock(region, block);
  MlirOperation loop = ragged_build(at, "scf.for", 3 + count, operands, count, types + 1,
                                    RAGGED_NONE, 1, &region);
  return (product_loop){ragged_builder_at_end(block, at->location), mlirBlockGetArgument(block, 0),
                        block, loop};
}

static void loop_end(const product_loop *loop, int count, const MlirValue *yielded) {
  ragged_build(&loop->body, "scf.yield", count, yielded, RAGGED_NONE, RAGGED_NONE, 0, NULL);
}

// ---- one tile -----------------------------------------------------------------------------------

static int tile_lanes(const product_emitter *emitter, product_tile tile, int vector) {
  int left = tile.columns - vector * emitter->lanes;
  return left < emitter->lanes ? left : emitter->lanes;
}

// sums[row * vectors + vector] += A[row, step] * W[step, vector]; `a` and `weight` are at the first
// step of an unrolled group.
static void emit_step(const product_emitter *emitter, const ragged_builder *at, product_tile tile,
                      MlirValue a, MlirValue weight, int step, MlirValue *sums) {
  MlirValue columns[MAX_TILE_VECTORS];
  for (int vector = 0; vector < tile.vectors; ++vector) {
    int64_t offset = step * emitter->panel + vector * emitter->lanes;
    columns[vector] =
        load(emitter, at, emitter->vector, address_at(emitter, at, weight, offset));
  }
  bool is_float = ragged_element_is_float(emitter->shape->element_type);
  for (int row = 0; row < tile.rows; ++row) {
    MlirValue from = address_at(emitter, at, a, row * emitter->shape->k + step);
    MlirValue scalar = load(emitter, at, emitter->element, from);
    MlirValue splat =
        ragged_build_value(at, "vector.broadcast", emitter->vector, RAGGED_VALUES(scalar));
    for (int vector = 0; vector < tile.vectors; ++vector) {
      MlirValue *sum = &sums[row * tile.vectors + vector];
      if (is_float) {
        *sum = ragged_emit_fma(at, emitter->vector, splat, columns[vector], *sum);
      } else {
        MlirValue product = ragged_build_value(at, "arith.muli", emitter->vector,
                                               RAGGED_VALUES(splat, columns[vector]));
        *sum = ragged_build_value(at, "arith.addi", emitter->vector, RAGGED_VALUES(*sum, product));
      }
    }
  }
}

// All of k: a loop over groups of UNROLL steps, then the rest written out.
static void emit_sums(const product_emitter *emitter, const ragged_builder *at, product_tile tile,
                      MlirValue a, MlirValue weight, MlirValue *sums) {
  bool is_float = ragged_element_is_float(emitter->shape->element_type);
  int count = tile.rows * tile.vectors;
  MlirValue zero = is_float ? ragged_build_float(at, emitter->vector, 0.0)
                            : ragged_build_integer(at, emitter->vector, 0);
  for (int k = 0; k < count; ++k) sums[k] = zero;
  int rest = (int)(emitter->shape->k % UNROLL);
  int64_t looped = emitter->shape->k - rest;
  if (looped > 0) {
    product_loop loop =
        loop_begin(emitter, at, constant(emitter, at, 0), constant(emitter, at, looped),
                   constant(emitter, at, UNROLL), count, sums);
    const ragged_builder *body = &loop.body;
    for (int k = 0; k < count; ++k) sums[k] = mlirBlockGetArgument(loop.block, 1 + k);
    MlirValue a_step = address(emitter, body, a, loop.index);
    MlirValue offset = arith(emitter, body, "arith.muli", loop.index,
                             constant(emitter, body, emitter->panel));
    MlirValue weight_step = address(emitter, body, weight, offset);
    for (int step = 0; step < UNROLL; ++step)
      emit_step(emitter, body, tile, a_step, weight_step, step, sums);
    loop_end(&loop, count, sums);
    for (int k = 0; k < count; ++k) sums[k] = mlirOperationGetResult(loop.operation, k);
  }
  a = address_at(emitter, at, a, looped);
  weight = address_at(emitter, at, weight, looped * emitter->panel);
  for (int step = 0; step < rest; ++step) emit_step(emitter, at, tile, a, weight, step, sums);
}

// bias, activation and residual of one vector of sums, and its store to `c`.
static void emit_finish(const product_emitter *emitter, const ragged_builder *at, MlirValue sum,
                        MlirValue bias, MlirValue c, int lanes) {
  static const char *const names[] = {[RAGGED_ACTIVATION_RELU] = "relu",
                                      [RAGGED_ACTIVATION_GELU] = "gelu",
                                      [RAGGED_ACTIVATION_SIGMOID] = "sigmoid"};
  const ragged_product_shape *shape = emitter->shape;
  const char *add = ragged_element_is_float(shape->element_type) ? "arith.addf" : "arith.addi";
  if (shape->bias) sum = ragged_build_value(at, add, emitter->vector, RAGGED_VALUES(sum, bias));
  if (shape->activation != RAGGED_ACTIVATION_NONE)
    sum = ragged_emit_elementwise(at, names[shape->activation], emitter->vector, sum,
                                  ragged_value_none());
  if (shape->residual) {
    MlirValue before = load_lanes(emitter, at, c, lanes);
    sum = ragged_build_value(at, add, emitter->vector, RAGGED_VALUES(sum, before));
  }
  store_lanes(emitter, at, sum, c, lanes);
}

// One tile: rows from `row` on, the columns of the panel at `weight`, which start at `column`.
static void emit_tile(const product_emitter *emitter, const ragged_builder *at, product_tile tile,
                      MlirValue row, MlirValue column, MlirValue weight) {
  const ragged_product_shape *shape = emitter->shape;
  MlirValue sums[MAX_TILE_SUMS];
  MlirValue a_offset =
      arith(emitter, at, "arith.muli", row, constant(emitter, at, shape->k));
  emit_sums(emitter, at, tile, address(emitter, at, emitter->a, a_offset), weight, sums);

  MlirValue bias[MAX_TILE_VECTORS] = {{NULL}};
  for (int vector = 0; shape->bias && vector < tile.vectors; ++vector) {
    MlirValue from = address(emitter, at, emitter->bias, column);
    bias[vector] = load_lanes(emitter, at, address_at(emitter, at, from, vector * emitter->lanes),
                              tile_lanes(emitter, tile, vector));
  }
  MlirValue c_offset = arith(emitter, at, "arith.muli", row, constant(emitter, at, shape->n));
  MlirValue c = address(emitter, at, emitter->c,
                        arith(emitter, at, "arith.addi", c_offset, column));
  if (mlirValueIsNull(emitter->scratch)) {
    for (int k = 0; k < tile.rows * tile.vectors; ++k) {
      int vector = k % tile.vectors;
      int64_t offset = k / tile.vectors * shape->n + vector * emitter->lanes;
      emit_finish(emitter, at, sums[k], bias[vector], address_at(emitter, at, c, offset),
                  tile_lanes(emitter, tile, vector));
    }
    return;
  }
  // A polynomial for every sum would be most of the code: they pass through memory into a loop.
  int64_t width = tile.vectors * emitter->lanes;
  for (int k = 0; k < tile.rows * tile.vectors; ++k)
    store(emitter, at, sums[k], address_at(emitter, at, emitter->scratch, k * emitter->lanes));
  product_loop loop = loop_begin(emitter, at, constant(emitter, at, 0),
                                 constant(emitter, at, tile.rows), constant(emitter, at, 1), 0,
                                 NULL);
  const ragged_builder *body = &loop.body;
  MlirValue from = address(
      emitter, body, emitter->scratch,
      arith(emitter, body, "arith.muli", loop.index, constant(emitter, body, width)));
  MlirValue to = address(
      emitter, body, c,
      arith(emitter, body, "arith.muli", loop.index, constant(emitter, body, shape->n)));
  for (int vector = 0; vector < tile.vectors; ++vector) {
    int64_t offset = vector * emitter->lanes;
    MlirValue sum =
        load(emitter, body, emitter->vector, address_at(emitter, body, from, offset));
    emit_finish(emitter, body, sum, bias[vector], address_at(emitter, body, to, offset),
                tile_lanes(emitter, tile, vector));
  }
  loop_end(&loop, 0, NULL);
}

// ---- panels and rows ----------------------------------------------------------------------------

// Panel number `panel`, `columns` wide, for rows [first, last): full tiles, then smaller ones.
static void emit_panel(const product_emitter *emitter, const ragged_builder *at, MlirValue panel,
                       int columns, MlirValue first, MlirValue last) {
  const int64_t width = emitter->panel;
  MlirValue column = arith(emitter, at, "arith.muli", panel, constant(emitter, at, width));
  MlirValue weight = address(emitter, at, emitter->packed,
                             arith(emitter, at, "arith.muli", column,
                                   constant(emitter, at, emitter->shape->k)));
  int vectors = (columns + emitter->lanes - 1) / emitter->lanes;
  int full = full_tile_rows(emitter, vectors);
  const int sizes[] = {full, 4, 2, 1};
  for (size_t size = 0; size < sizeof(sizes) / sizeof(sizes[0]); ++size) {
    int rows = sizes[size];
    if (size > 0 && rows >= full) continue;
    MlirValue step = constant(emitter, at, rows);
    MlirValue left = arith(emitter, at, "arith.subi", last, first);
    MlirValue tiled = arith(emitter, at, "arith.subi", left,
                            arith(emitter, at, "arith.remui", left, step));
    MlirValue end = arith(emitter, at, "arith.addi", first, tiled);
    product_loop loop = loop_begin(emitter, at, first, end, step, 0, NULL);
    product_tile tile = {rows, vectors, columns};
    emit_tile(emitter, &loop.body, tile, loop.index, column, weight);
    loop_end(&loop, 0, NULL);
    first = end;
  }
}

static int64_t chunk_rows(const product_emitter *emitter) {
  int64_t row_bytes =
      emitter->shape->k * (int64_t)ragged_element_size(emitter->shape->element_type);
  int64_t rows = CHUNK_BYTES / (row_bytes > 0 ? row_bytes : 1);
  rows -= rows % CHUNK_MULTIPLE;
  return rows > CHUNK_MULTIPLE ? rows : CHUNK_MULTIPLE;
}

static void emit_rows(const product_emitter *emitter, const ragged_builder *at, MlirValue rows) {
  int64_t full_panels = emitter->shape->n / emitter->panel;
  int rest = (int)(emitter->shape->n % emitter->panel);
  MlirValue step = constant(emitter, at, chunk_rows(emitter));
  product_loop chunks =
      loop_begin(emitter, at, constant(emitter, at, 0), rows, step, 0, NULL);
  const ragged_builder *body = &chunks.body;
  MlirValue last = arith(emitter, body, "arith.minsi", rows,
                         arith(emitter, body, "arith.addi", chunks.index, step));
  if (full_panels > 0) {
    product_loop panels =
        loop_begin(emitter, body, constant(emitter, body, 0), constant(emitter, body, full_panels),
                   constant(emitter, body, 1), 0, NULL);
    emit_panel(emitter, &panels.body, panels.index, (int)emitter->panel, chunks.index, last);
    loop_end(&panels, 0, NULL);
  }
  if (rest > 0)
    emit_panel(emitter, body, constant(emitter, body, full_panels), rest, chunks.index, last);
  loop_end(&chunks, 0, NULL);
}

// Memory for the sums of one tile.
static MlirValue emit_scratch(const product_emitter *emitter, const ragged_builder *at) {
  MlirAttribute alignment = ragged_attribute_i64(at->context, emitter->target->vector_bytes);
  return ragged_build_value_with(
      at, "llvm.alloca", emitter->pointer,
      RAGGED_VALUES(constant(emitter, at, MAX_TILE_SUMS * emitter->lanes)),
      RAGGED_ATTRIBUTES(
          ragged_named(at->context, "elem_type", ragged_attribute_type(emitter->element)),
          ragged_named(at->context, "alignment", alignment)));
}

void ragged_emit_product(const ragged_builder *builder, const ragged_cpu_target *target,
                         const ragged_product_shape *shape, const char *name) {
  MlirContext context = builder->context;
  MlirLocation location = builder->location;
  product_emitter emitter = {
      .shape = shape,
      .target = target,
      .element = ragged_type_parse(context, ragged_element_name(shape->element_type)),
      .pointer = ragged_type_parse(context, "!llvm.ptr"),
      .i64 = mlirIntegerTypeGet(context, 64),
      .lanes = ragged_cpu_lanes(target, shape->element_type),
      .panel = ragged_product_panel(target, shape),
  };
  emitter.vector = vector_of(&emitter, emitter.lanes);

  MlirType types[] = {emitter.pointer, emitter.pointer, emitter.pointer, emitter.pointer,
                      emitter.i64};
  MlirLocation locations[] = {location, location, location, location, location};
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = mlirBlockCreate(5, types, locations);
  mlirRegionAppendOwnedBlock(region, body);
  MlirType type = mlirFunctionTypeGet(context, 5, types, 0, NULL);
  ragged_build(builder, "func.func", RAGGED_NONE, RAGGED_NONE,
               RAGGED_ATTRIBUTES(
                   ragged_named(context, "sym_name", ragged_attribute_string(context, name)),
                   ragged_named(context, "function_type", ragged_attribute_type(type))),
               1, &region);

  ragged_builder at = ragged_builder_at_end(body, location);
  emitter.a = mlirBlockGetArgument(body, 0);
  emitter.packed = mlirBlockGetArgument(body, 1);
  emitter.bias = mlirBlockGetArgument(body, 2);
  emitter.c = mlirBlockGetArgument(body, 3);
  if (shape->activation == RAGGED_ACTIVATION_GELU || shape->activation == RAGGED_ACTIVATION_SIGMOID)
    emitter.scratch = emit_scratch(&emitter, &at);
  emit_rows(&emitter, &at, mlirBlockGetArgument(body, 4));
  ragged_build(&at, "func.return", RAGGED_NONE, RAGGED_NONE, RAGGED_NONE, 0, NULL);
}
