// Shared by the product*.c files and private to them: one product kernel in the making, its ops and
// its loops.
#ifndef RAGGED_LOWER_CPU_PRODUCT_EMITTER_H
#define RAGGED_LOWER_CPU_PRODUCT_EMITTER_H

#include "lower/cpu/product.h"

enum {
  PRODUCT_MAX_TILE_ROWS = 12,
  PRODUCT_MAX_TILE_VECTORS = 3,
  PRODUCT_MAX_TILE_SUMS = 24,
};

typedef struct product_emitter {
  const ragged_product_shape *shape;
  const ragged_cpu_target *target;
  MlirType element, vector, pointer, i64;
  int lanes;
  int64_t panel;
  MlirValue a, packed, bias, c;  // the function's arguments
  MlirValue steps;               // how many k there are
  int64_t line;                  // elements of a line of A[k, row]; 0: A is [row, k]
  int64_t m;                     // rows of C, where A is [k, row]
  MlirValue next[2];             // memory to ask for meanwhile, if not null:
  int64_t ahead[2];              // bytes of it for each row of C in one panel
  // Sums of one panel for a chunk's rows, on their way to a polynomial activation; else null.
  MlirValue scratch;
} product_emitter;

// What all tiles of one panel have in common.
typedef struct product_panel {
  int columns;            // that exist in C
  int vectors;            // that hold them
  MlirValue number;
  MlirValue column;       // of C, where the panel starts
  MlirValue weight;       // its packed weight
  MlirValue first, last;  // rows [first, last)
} product_panel;

bool product_is_float(const product_emitter *emitter);

// Ops at `at`. Offsets and indices count elements.
MlirValue product_constant(const product_emitter *emitter, const ragged_builder *at, int64_t value);
MlirValue product_arith(const product_emitter *emitter, const ragged_builder *at, const char *name,
                        MlirValue x, MlirValue y);
MlirValue product_zeros(const product_emitter *emitter, const ragged_builder *at);
MlirValue product_address(const product_emitter *emitter, const ragged_builder *at,
                          MlirValue pointer, MlirValue index);
MlirValue product_address_at(const product_emitter *emitter, const ragged_builder *at,
                             MlirValue pointer, int64_t index);
// pointer + row * width.
MlirValue product_address_row(const product_emitter *emitter, const ragged_builder *at,
                              MlirValue pointer, MlirValue row, int64_t width);
// Asks for the cache line `offset` bytes from `pointer`.
void product_prefetch(const product_emitter *emitter, const ragged_builder *at, MlirValue pointer,
                      MlirValue offset);
// A[row, k].
MlirValue product_address_a(const product_emitter *emitter, const ragged_builder *at, MlirValue row,
                            MlirValue k);
// One element or one vector, aligned like elements.
MlirValue product_load(const product_emitter *emitter, const ragged_builder *at, MlirType type,
                       MlirValue pointer);
void product_store(const product_emitter *emitter, const ragged_builder *at, MlirValue value,
                   MlirValue pointer);
// The first `count` lanes of a vector, 1 to all; memory beyond them is neither read nor written.
// Lanes that are not loaded are zero.
MlirValue product_load_lanes(const product_emitter *emitter, const ragged_builder *at,
                             MlirValue pointer, int count);
void product_store_lanes(const product_emitter *emitter, const ragged_builder *at, MlirValue value,
                         MlirValue pointer, int count);

// scf.for over i64 with `count` carried values, which are arguments 1 ... of `block`. The caller
// fills `body` and ends it with product_loop_end.
typedef struct product_loop {
  ragged_builder body;
  MlirValue index;
  MlirBlock block;
  MlirOperation operation;
} product_loop;
product_loop product_loop_begin(const product_emitter *emitter, const ragged_builder *at,
                                MlirValue first, MlirValue last, MlirValue step, int count,
                                const MlirValue *carried);
void product_loop_end(const product_loop *loop, int count, const MlirValue *yielded);

// product_tile.c. Rows of a full tile that is `vectors` wide; even.
int product_full_tile_rows(const product_emitter *emitter, int vectors);
// `rows` rows of the panel from `row` on: all of k, then C, or the scratch where there is one.
void product_emit_tile(const product_emitter *emitter, const ragged_builder *at,
                       const product_panel *panel, int rows, MlirValue row);
// From the scratch to C, for all rows of the panel.
void product_emit_finish(const product_emitter *emitter, const ragged_builder *at,
                         const product_panel *panel);

#endif  // RAGGED_LOWER_CPU_PRODUCT_EMITTER_H
