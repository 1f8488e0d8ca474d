// Ops and loops of product kernels; see product_emitter.h. Knows nothing of tiles.
#include "lower/cpu/product_emitter.h"

bool product_is_float(const product_emitter *emitter) {
  return ragged_element_is_float(emitter->shape->element_type);
}

MlirValue product_constant(const product_emitter *emitter, const ragged_builder *at,
                           int64_t value) {
  return ragged_build_integer(at, emitter->i64, value);
}

MlirValue product_arith(const product_emitter *emitter, const ragged_builder *at, const char *name,
                        MlirValue x, MlirValue y) {
  return ragged_build_value(at, name, emitter->i64, RAGGED_VALUES(x, y));
}

MlirValue product_zeros(const product_emitter *emitter, const ragged_builder *at) {
  return product_is_float(emitter) ? ragged_build_float(at, emitter->vector, 0.0)
                                   : ragged_build_integer(at, emitter->vector, 0);
}

static MlirValue address(const product_emitter *emitter, const ragged_builder *at, MlirType element,
                         MlirValue pointer, MlirValue index) {
  const int32_t dynamic = INT32_MIN;  // stands for an operand among constant indices
  return ragged_build_value_with(
      at, "llvm.getelementptr", emitter->pointer, RAGGED_VALUES(pointer, index),
      RAGGED_ATTRIBUTES(ragged_named(at->context, "elem_type", ragged_attribute_type(element)),
                        ragged_named(at->context, "rawConstantIndices",
                                     mlirDenseI32ArrayGet(at->context, 1, &dynamic))));
}

MlirValue product_address(const product_emitter *emitter, const ragged_builder *at,
                          MlirValue pointer, MlirValue index) {
  return address(emitter, at, emitter->element, pointer, index);
}

MlirValue product_address_at(const product_emitter *emitter, const ragged_builder *at,
                             MlirValue pointer, int64_t index) {
  if (index == 0) return pointer;
  return product_address(emitter, at, pointer, product_constant(emitter, at, index));
}

MlirValue product_address_row(const product_emitter *emitter, const ragged_builder *at,
                              MlirValue pointer, MlirValue row, int64_t width) {
  return product_address(
      emitter, at, pointer,
      product_arith(emitter, at, "arith.muli", row, product_constant(emitter, at, width)));
}

void product_prefetch(const product_emitter *emitter, const ragged_builder *at, MlirValue pointer,
                      MlirValue offset) {
  MlirContext context = at->context;
  MlirType i8 = mlirIntegerTypeGet(context, 8), i32 = mlirIntegerTypeGet(context, 32);
  MlirAttribute read = mlirIntegerAttrGet(i32, 0), keep = mlirIntegerAttrGet(i32, 3);
  MlirAttribute data = mlirIntegerAttrGet(i32, 1);
  ragged_build(at, "llvm.intr.prefetch",
               RAGGED_VALUES(address(emitter, at, i8, pointer, offset)), RAGGED_NONE,
               RAGGED_ATTRIBUTES(ragged_named(context, "rw", read), ragged_named(context, "hint", keep),
                                 ragged_named(context, "cache", data)),
               RAGGED_NONE);
}

MlirValue product_address_a(const product_emitter *emitter, const ragged_builder *at, MlirValue row,
                            MlirValue k) {
  int64_t line = emitter->line ? emitter->line : emitter->shape->k;
  MlirValue start = product_address_row(emitter, at, emitter->a, emitter->line ? k : row, line);
  return product_address(emitter, at, start, emitter->line ? row : k);
}

static MlirNamedAttribute element_alignment(const product_emitter *emitter,
                                            const ragged_builder *at) {
  int64_t bytes = (int64_t)ragged_element_size(emitter->shape->element_type);
  return ragged_named(at->context, "alignment", ragged_attribute_i64(at->context, bytes));
}

MlirValue product_load(const product_emitter *emitter, const ragged_builder *at, MlirType type,
                       MlirValue pointer) {
  return ragged_build_value_with(at, "llvm.load", type, RAGGED_VALUES(pointer),
                                 RAGGED_ATTRIBUTES(element_alignment(emitter, at)));
}

void product_store(const product_emitter *emitter, const ragged_builder *at, MlirValue value,
                   MlirValue pointer) {
  ragged_build(at, "llvm.store", RAGGED_VALUES(value, pointer), RAGGED_NONE,
               RAGGED_ATTRIBUTES(element_alignment(emitter, at)), RAGGED_NONE);
}

MlirValue product_load_lanes(const product_emitter *emitter, const ragged_builder *at,
                             MlirValue pointer, int count) {
  if (count == emitter->lanes) return product_load(emitter, at, emitter->vector, pointer);
  MlirValue loaded = product_zeros(emitter, at);
  for (int64_t lane = 0; lane < count; ++lane) {
    MlirValue from = product_address_at(emitter, at, pointer, lane);
    MlirValue value = product_load(emitter, at, emitter->element, from);
    loaded = ragged_build_value_with(
        at, "vector.insert", emitter->vector, RAGGED_VALUES(value, loaded),
        RAGGED_ATTRIBUTES(ragged_named(at->context, "static_position",
                                       ragged_attribute_i64_array(at->context, 1, &lane))));
  }
  return loaded;
}

// In pieces whose widths are powers of two: every target does these well, masked stores only some.
void product_store_lanes(const product_emitter *emitter, const ragged_builder *at, MlirValue value,
                         MlirValue pointer, int count) {
  if (count == emitter->lanes) {
    product_store(emitter, at, value, pointer);
    return;
  }
  int64_t first = 0;
  for (int64_t width = emitter->lanes / 2; width > 0; width /= 2) {
    if (!(count & width)) continue;
    int64_t mask[64];
    for (int64_t lane = 0; lane < width; ++lane) mask[lane] = first + lane;
    MlirValue piece = ragged_build_value_with(
        at, "vector.shuffle", mlirVectorTypeGet(1, &width, emitter->element),
        RAGGED_VALUES(value, value),
        RAGGED_ATTRIBUTES(ragged_named(at->context, "mask",
                                       ragged_attribute_i64_array(at->context, width, mask))));
    product_store(emitter, at, piece, product_address_at(emitter, at, pointer, first));
    first += width;
  }
}

product_loop product_loop_begin(const product_emitter *emitter, const ragged_builder *at,
                                MlirValue first, MlirValue last, MlirValue step, int count,
                                const MlirValue *carried) {
  MlirValue operands[3 + PRODUCT_MAX_TILE_SUMS] = {first, last, step};
  MlirType types[1 + PRODUCT_MAX_TILE_SUMS] = {emitter->i64};
  MlirLocation locations[1 + PRODUCT_MAX_TILE_SUMS] = {at->location};
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

void product_loop_end(const product_loop *loop, int count, const MlirValue *yielded) {
  ragged_build(&loop->body, "scf.yield", count, yielded, RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
}
