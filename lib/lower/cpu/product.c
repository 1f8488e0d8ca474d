// The generated dense product (product.h): loops over chunks of rows, panels of the weight and
// register tiles, in func, scf, arith, math, vector and llvm ops. Called by the CPU lowering; must
// not know more of how the runtime packs and schedules than product.h says.
//
//   for each chunk of rows whose part of A the second-level cache holds
//     for each panel of the weight (the last, narrower one by itself)
//       for each tile of rows: all of k
#include "lower/cpu/product_emitter.h"

enum {
  CHUNK_BYTES = 128 * 1024,  // of A: leaves room for the panel in a cache of 512 KB
  CHUNK_MULTIPLE = 24,       // of full tiles of 4, 6, 8 and 12 rows
  MAX_CHUNK_ROWS = 120,      // bounds the scratch; more rows are no faster
};

int64_t ragged_product_panel(const ragged_cpu_target *target, const ragged_product_shape *shape) {
  int64_t lanes = ragged_cpu_lanes(target, shape->element_type);
  int64_t most = target->num_registers >= 32 ? 3 : 2;
  int64_t vectors = (shape->n + lanes - 1) / lanes;
  if (vectors > most) vectors = most;
  return lanes * (vectors > 0 ? vectors : 1);
}

static int64_t chunk_rows(const product_emitter *emitter) {
  if (emitter->line) return MAX_CHUNK_ROWS;  // the caller keeps the steps few
  int64_t bytes = (int64_t)ragged_element_size(emitter->shape->element_type);
  int64_t k = emitter->shape->k;
  if (k <= CHUNK_BYTES / bytes / MAX_CHUNK_ROWS) return MAX_CHUNK_ROWS;
  int64_t rows = CHUNK_BYTES / bytes / k;
  return rows < CHUNK_MULTIPLE ? CHUNK_MULTIPLE : rows - rows % CHUNK_MULTIPLE;
}

// Memory for the sums of a chunk's rows in one panel.
static MlirValue emit_scratch(const product_emitter *emitter, const ragged_builder *at) {
  MlirContext context = at->context;
  MlirAttribute alignment = ragged_attribute_i64(context, emitter->target->vector_bytes);
  MlirValue size = product_constant(emitter, at, chunk_rows(emitter) * emitter->panel);
  return ragged_build_value_with(
      at, "llvm.alloca", emitter->pointer, RAGGED_VALUES(size),
      RAGGED_ATTRIBUTES(ragged_named(context, "elem_type", ragged_attribute_type(emitter->element)),
                        ragged_named(context, "alignment", alignment)));
}

// The tile's share of what is computed on next.
static void emit_prefetches(const product_emitter *emitter, const ragged_builder *at,
                            const product_panel *panel, int rows, MlirValue row) {
  enum { CACHE_LINE = 64 };
  for (int operand = 0; operand < 2; ++operand) {
    if (mlirValueIsNull(emitter->next[operand])) continue;
    int64_t ahead = emitter->ahead[operand];
    MlirValue before = product_arith(
        emitter, at, "arith.addi", row,
        product_arith(emitter, at, "arith.muli", panel->number, product_constant(emitter, at, emitter->m)));
    MlirValue start =
        product_arith(emitter, at, "arith.muli", before, product_constant(emitter, at, ahead));
    for (int64_t byte = 0; byte < rows * ahead; byte += CACHE_LINE)
      product_prefetch(emitter, at, emitter->next[operand],
                       product_arith(emitter, at, "arith.addi", start,
                                     product_constant(emitter, at, byte)));
  }
}

// All rows of a panel: full tiles, then smaller ones for what is left.
static void emit_tiles(const product_emitter *emitter, const ragged_builder *at,
                       const product_panel *panel) {
  int full = product_full_tile_rows(emitter, panel->vectors);
  const int sizes[] = {full, 4, 2, 1};
  MlirValue first = panel->first;
  for (size_t size = 0; size < sizeof(sizes) / sizeof(sizes[0]); ++size) {
    int rows = sizes[size];
    if (size > 0 && rows >= full) continue;
    MlirValue step = product_constant(emitter, at, rows);
    MlirValue left = product_arith(emitter, at, "arith.subi", panel->last, first);
    MlirValue rest = product_arith(emitter, at, "arith.remui", left, step);
    MlirValue end = product_arith(emitter, at, "arith.subi", panel->last, rest);
    product_loop loop = product_loop_begin(emitter, at, first, end, step, 0, NULL);
    emit_prefetches(emitter, &loop.body, panel, rows, loop.index);
    product_emit_tile(emitter, &loop.body, panel, rows, loop.index);
    product_loop_end(&loop, 0, NULL);
    first = end;
  }
}

// Panel number `number`, of which `columns` exist in C, for rows [first, last).
static void emit_panel(const product_emitter *emitter, const ragged_builder *at, MlirValue number,
                       int columns, MlirValue first, MlirValue last) {
  MlirValue width = product_constant(emitter, at, emitter->panel);
  MlirValue column = product_arith(emitter, at, "arith.muli", number, width);
  product_panel panel = {
      .columns = columns,
      .vectors = (columns + emitter->lanes - 1) / emitter->lanes,
      .number = number,
      .column = column,
      .weight = product_address(emitter, at, emitter->packed,
                                product_arith(emitter, at, "arith.muli", column, emitter->steps)),
      .first = first,
      .last = last,
  };
  emit_tiles(emitter, at, &panel);
  if (!mlirValueIsNull(emitter->scratch)) product_emit_finish(emitter, at, &panel);
}

static void emit_chunks(const product_emitter *emitter, const ragged_builder *at, MlirValue rows) {
  int64_t full_panels = emitter->shape->n / emitter->panel;
  int rest = (int)(emitter->shape->n % emitter->panel);
  MlirValue zero = product_constant(emitter, at, 0);
  MlirValue one = product_constant(emitter, at, 1);
  MlirValue full = product_constant(emitter, at, full_panels);
  MlirValue step = product_constant(emitter, at, chunk_rows(emitter));
  product_loop chunks = product_loop_begin(emitter, at, zero, rows, step, 0, NULL);
  const ragged_builder *body = &chunks.body;
  MlirValue next = product_arith(emitter, body, "arith.addi", chunks.index, step);
  MlirValue last = product_arith(emitter, body, "arith.minsi", rows, next);
  if (full_panels > 0) {
    product_loop panels = product_loop_begin(emitter, body, zero, full, one, 0, NULL);
    emit_panel(emitter, &panels.body, panels.index, (int)emitter->panel, chunks.index, last);
    product_loop_end(&panels, 0, NULL);
  }
  if (rest > 0) emit_panel(emitter, body, full, rest, chunks.index, last);
  product_loop_end(&chunks, 0, NULL);
}

// Starts a public function of pointers, then integers; what every product knows of itself.
static product_emitter begin_function(const ragged_builder *builder,
                                      const ragged_cpu_target *target,
                                      const ragged_product_shape *shape, const char *name,
                                      intptr_t num_pointers, intptr_t num_integers,
                                      MlirBlock *out_body) {
  MlirContext context = builder->context;
  int64_t lanes = ragged_cpu_lanes(target, shape->element_type);
  MlirType element = ragged_type_parse(context, ragged_element_name(shape->element_type));
  product_emitter emitter = {
      .shape = shape,
      .target = target,
      .element = element,
      .vector = mlirVectorTypeGet(1, &lanes, element),
      .pointer = ragged_type_parse(context, "!llvm.ptr"),
      .i64 = mlirIntegerTypeGet(context, 64),
      .lanes = (int)lanes,
      .panel = ragged_product_panel(target, shape),
  };
  MlirType types[8];
  MlirLocation locations[8];
  intptr_t count = num_pointers + num_integers;
  for (intptr_t k = 0; k < count; ++k) {
    types[k] = k < num_pointers ? emitter.pointer : emitter.i64;
    locations[k] = builder->location;
  }
  MlirRegion region = mlirRegionCreate();
  *out_body = mlirBlockCreate(count, types, locations);
  mlirRegionAppendOwnedBlock(region, *out_body);
  MlirType type = mlirFunctionTypeGet(context, count, types, 0, NULL);
  ragged_build(builder, "func.func", RAGGED_NONE, RAGGED_NONE,
               RAGGED_ATTRIBUTES(
                   ragged_named(context, "sym_name", ragged_attribute_string(context, name)),
                   ragged_named(context, "function_type", ragged_attribute_type(type))),
               1, &region);
  return emitter;
}

void ragged_emit_product(const ragged_builder *builder, const ragged_cpu_target *target,
                         const ragged_product_shape *shape, const char *name) {
  MlirBlock body;
  product_emitter emitter = begin_function(builder, target, shape, name, 4, 1, &body);
  ragged_builder at = ragged_builder_at_end(body, builder->location);
  emitter.a = mlirBlockGetArgument(body, 0);
  emitter.packed = mlirBlockGetArgument(body, 1);
  emitter.bias = mlirBlockGetArgument(body, 2);
  emitter.c = mlirBlockGetArgument(body, 3);
  emitter.steps = product_constant(&emitter, &at, shape->k);
  // Written out for every sum of every tile, a polynomial would be most of the code; from memory it
  // is one loop.
  if (shape->activation == RAGGED_ACTIVATION_GELU || shape->activation == RAGGED_ACTIVATION_SIGMOID)
    emitter.scratch = emit_scratch(&emitter, &at);
  if (shape->n > 0) emit_chunks(&emitter, &at, mlirBlockGetArgument(body, 4));
  ragged_build(&at, "func.return", RAGGED_NONE, RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
}

void ragged_emit_product_over_rows(const ragged_builder *builder, const ragged_cpu_target *target,
                                   const ragged_over_rows_shape *shape, const char *name) {
  MlirBlock body;
  ragged_product_shape own = {.element_type = shape->element_type, .n = shape->n, .residual = true};
  product_emitter emitter = begin_function(builder, target, &own, name, 5, 1, &body);
  ragged_builder at = ragged_builder_at_end(body, builder->location);
  emitter.a = mlirBlockGetArgument(body, 0);
  emitter.packed = mlirBlockGetArgument(body, 1);
  emitter.c = mlirBlockGetArgument(body, 2);
  emitter.steps = mlirBlockGetArgument(body, 5);
  emitter.line = shape->line;
  emitter.m = shape->m;
  for (int k = 0; k < 2; ++k) {
    emitter.next[k] = mlirBlockGetArgument(body, 3 + k);
    emitter.ahead[k] = shape->ahead[k];
  }
  if (shape->n > 0 && shape->m > 0)
    emit_chunks(&emitter, &at, product_constant(&emitter, &at, shape->m));
  ragged_build(&at, "func.return", RAGGED_NONE, RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
}
