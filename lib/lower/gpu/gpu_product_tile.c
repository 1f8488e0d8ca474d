// See gpu_product_tile.h.
#include "lower/gpu/gpu_product_tile.h"
#include "lower/math/vector_math.h"

enum {
  PADDED = PRODUCT_TILE + 4,  // [k][row], 16 bytes aside from line to line
  LINE = PRODUCT_STEP + 8,    // [row][k] of bf16: lanes of a fragment hit different banks
  SIDE = PRODUCT_TILE / PRODUCT_EDGE,
};

static MlirValue zeros(gpu_product *p, int count) {
  emission *e = &p->g->e;
  return emit_splat(e, emit_constant(e, p->element_type, 0).value, count);
}

MlirValue gpu_product_both(gpu_product *p, MlirValue a, MlirValue b) {
  return gpu_op(p->g, "arith.andi", a, b);
}

static int64_t alignment_of(ragged_element_type type, int count) {
  int64_t bytes = count * (int64_t)ragged_element_size(type);
  return bytes < GPU_ACCESS_BYTES ? bytes : GPU_ACCESS_BYTES;
}

// ---- Tiles into shared memory ------------------------------------------------------------------------

// `count` elements where `inside`, else zeros.
static MlirValue load_or_zeros(gpu_product *p, MlirValue inside, MlirValue base,
                               ragged_element_type memory, number offset, int count) {
  emission *e = &p->g->e;
  ragged_builder outer = e->b;
  MlirRegion regions[2];
  for (int part = 0; part < 2; ++part) {
    MlirBlock block = mlirBlockCreate(0, NULL, NULL);
    regions[part] = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(regions[part], block);
    e->b = ragged_builder_at_end(block, outer.location);
    MlirValue value = part ? zeros(p, count)
                           : emit_load_aligned(e, base, memory, offset, count,
                                               alignment_of(memory, count));
    ragged_build(&e->b, "scf.yield", RAGGED_VALUES(value), RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
  }
  e->b = outer;
  MlirType type = lanes_type(e, p->element_type, count);
  return mlirOperationGetResult(ragged_build(&e->b, "scf.if", RAGGED_VALUES(inside),
                                             RAGGED_TYPES(type), RAGGED_NONE, 2, regions),
                                0);
}

// The thread's four elements of a tile, from `inner` on in line `outer` of `width` elements. Lines of a
// multiple of four elements are read 4 at once.
static MlirValue load_four(gpu_product *p, int operand, number outer, number limit, number inner,
                           int64_t width) {
  emission *e = &p->g->e;
  MlirValue in_lines = emit_compare(e, COMPARE_LT, outer, limit);
  number line = number_mul(e, outer, number_of(width));
  MlirValue base = p->operands[operand].base;
  ragged_element_type memory = p->operands[operand].memory;
  if (width % PRODUCT_EDGE == 0)
    return load_or_zeros(p, gpu_product_both(p, in_lines, emit_compare(e, COMPARE_LT, inner, number_of(width))),
                         base, memory, number_add(e, line, inner), PRODUCT_EDGE);
  MlirValue four = zeros(p, PRODUCT_EDGE);
  for (int j = 0; j < PRODUCT_EDGE; ++j) {
    number at = number_add(e, inner, number_of(j));
    MlirValue inside = gpu_product_both(p, in_lines, emit_compare(e, COMPARE_LT, at, number_of(width)));
    four = emit_insert(e, four,
                       load_or_zeros(p, inside, base, memory, number_add(e, line, at), 1), j);
  }
  return four;
}

// Puts a thread's four elements where the sums read them: `along` K, or along the rows. At once where
// the tile in shared memory has its lines the same way, else one by one.
static void store_four(gpu_product *p, int operand, bool along_k, number row, number k, MlirValue four) {
  emission *e = &p->g->e;
  ragged_element_type type = p->shared_memory;
  int64_t row_step = p->matrix ? LINE : 1, k_step = p->matrix ? 1 : PADDED;
  number at = number_add(e, number_mul(e, row, number_of(row_step)),
                         number_mul(e, k, number_of(k_step)));
  int64_t step = along_k ? k_step : row_step;
  if (step == 1) {
    emit_store_aligned(e, p->operands[operand].shared, type, at, four, PRODUCT_EDGE, alignment_of(type, PRODUCT_EDGE));
    return;
  }
  for (int j = 0; j < PRODUCT_EDGE; ++j)
    emit_store(e, p->operands[operand].shared, type, number_add(e, at, number_of(j * step)),
               emit_extract(e, four, j), 1);
}

// Rows first .. of one operand, steps k0 .. k0 + 15.
static void load_tile(gpu_product *p, int operand, number first, number k0) {
  gpu_emission *g = p->g;
  emission *e = &g->e;
  const product_operand *own = &p->operands[operand];
  if (own->turned) {
    number k = gpu_number(g, p->turned_outer), row = gpu_number(g, p->turned_inner);
    MlirValue four = load_four(p, operand, number_add(e, k0, k), p->k, number_add(e, first, row),
                               own->lines.known);
    store_four(p, operand, false, row, k, four);
    return;
  }
  number row = gpu_number(g, p->load_outer), k = gpu_number(g, p->load_inner);
  MlirValue four = load_four(p, operand, number_add(e, first, row), own->lines,
                             number_add(e, k0, k), p->k.known);
  store_four(p, operand, true, row, k, four);
}

// ---- Sums over what is in shared memory ----------------------------------------------------------------

static MlirValue multiply_add(gpu_product *p, MlirValue x, MlirValue y, MlirValue sum) {
  if (p->element_type != RAGGED_ELEMENT_I64)
    return ragged_emit_fma(&p->g->e.b, p->type, x, y, sum);
  return gpu_op(p->g, "arith.addi", sum, gpu_op(p->g, "arith.muli", x, y));
}

// 4 rows and 4 columns, one k after the other, four in a turn.
static void add_by_elements(gpu_product *p, MlirValue *sums) {
  enum { UNROLL = 4 };
  gpu_emission *g = p->g;
  emission *e = &g->e;
  carried_loop l;
  number first = gpu_begin_loop(g, &l, number_of(0), gpu_opaque(g, PRODUCT_STEP), number_of(UNROLL), PRODUCT_SUMS,
                                sums);
  for (int s = 0; s < PRODUCT_SUMS; ++s) sums[s] = l.values[s];
  for (int step = 0; step < UNROLL; ++step) {
    number line = number_mul(e, number_add(e, first, number_of(step)), number_of(PADDED));
    MlirValue x[2];
    for (int operand = 0; operand < 2; ++operand)
      x[operand] = emit_load_aligned(
          e, p->operands[operand].shared, p->shared_memory,
          number_add(e, line, gpu_number(g, operand ? p->own_column : p->own_row)), PRODUCT_EDGE,
          alignment_of(p->shared_memory, PRODUCT_EDGE));
    for (int s = 0; s < PRODUCT_SUMS; ++s)
      sums[s] = multiply_add(p, emit_extract(e, x[0], s / PRODUCT_EDGE), emit_extract(e, x[1], s % PRODUCT_EDGE),
                             sums[s]);
  }
  gpu_end_loop(g, &l, sums);
  for (int s = 0; s < PRODUCT_SUMS; ++s) sums[s] = l.values[s];
}

// Two neighbours of a line, as a matrix instruction takes them.
static MlirValue load_pair(gpu_product *p, int operand, MlirValue row, int more_rows, int more_k) {
  gpu_emission *g = p->g;
  emission *e = &g->e;
  MlirValue line = gpu_op(g, "arith.addi", row, gpu_i32(g, more_rows));
  MlirValue at = gpu_op(g, "arith.addi", gpu_op(g, "arith.muli", line, gpu_i32(g, LINE)),
                        gpu_op(g, "arith.addi", p->pair, gpu_i32(g, more_k)));
  MlirValue pointer = emit_pointer(e, p->operands[operand].shared, mlirIntegerTypeGet(e->context, 16),
                                   gpu_number(g, at));
  MlirNamedAttribute alignment =
      ragged_named(e->context, "alignment", ragged_attribute_i64(e->context, 4));
  return ragged_build_value_with(&e->b, "llvm.load", g->i32, RAGGED_VALUES(pointer), 1, &alignment);
}

// D = A B + C of 16 x 16 and 16 x 8 elements; fragments as the PTX ISA lays out m16n8k16 for bf16.
static void multiply_matrix(gpu_product *p, const MlirValue *a, const MlirValue *b, MlirValue *sums) {
  emission *e = &p->g->e;
  MlirContext context = e->context;
  MlirValue operands[10] = {a[0], a[1], a[2], a[3], b[0], b[1], sums[0], sums[1], sums[2], sums[3]};
  const int32_t segments[] = {4, 2, 4};
  static const char *const attributes[][2] = {
      {"layoutA", "#nvvm.mma_layout<row>"},
      {"layoutB", "#nvvm.mma_layout<col>"},
      {"multiplicandAPtxType", "#nvvm.mma_type<bf16>"},
      {"multiplicandBPtxType", "#nvvm.mma_type<bf16>"},
      {"shape", "#nvvm.shape<m = 16, n = 8, k = 16>"}};
  MlirNamedAttribute list[6];
  for (int k = 0; k < 5; ++k)
    list[k] = ragged_named(context, attributes[k][0],
                           ragged_attribute_parse(context, attributes[k][1]));
  list[5] = ragged_named(context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 3, segments));
  MlirValue result = ragged_build_value_with(
      &e->b, "nvvm.mma.sync", ragged_type_parse(context, "!llvm.struct<(f32, f32, f32, f32)>"), 10,
      operands, 6, list);
  for (int64_t k = 0; k < 4; ++k) {
    MlirNamedAttribute position =
        ragged_named(context, "position", ragged_attribute_i64_array(context, 1, &k));
    sums[k] = ragged_build_value_with(&e->b, "llvm.extractvalue", p->type, RAGGED_VALUES(result), 1,
                                      &position);
  }
}

// A warp's 16 rows and 4 times 8 columns.
static void add_by_matrix(gpu_product *p, MlirValue *sums) {
  MlirValue a[4], b[2];
  for (int k = 0; k < 4; ++k) a[k] = load_pair(p, 0, p->own_row, k % 2 * 8, k / 2 * 8);
  for (int n = 0; n < PRODUCT_EDGE; ++n) {
    for (int k = 0; k < 2; ++k) b[k] = load_pair(p, 1, p->own_column, n * 8, k * 8);
    multiply_matrix(p, a, b, &sums[n * PRODUCT_EDGE]);
  }
}

// ---- A tile --------------------------------------------------------------------------------------------

void gpu_product_sum_tile(gpu_product *p, number row0, number column0, number from, number to,
                          MlirValue *sums) {
  gpu_emission *g = p->g;
  carried_loop steps;
  for (int s = 0; s < PRODUCT_SUMS; ++s) sums[s] = zeros(p, 1);
  number k0 = gpu_begin_loop(g, &steps, from, to, number_of(PRODUCT_STEP), PRODUCT_SUMS, sums);
  for (int s = 0; s < PRODUCT_SUMS; ++s) sums[s] = steps.values[s];
  load_tile(p, 0, row0, k0);
  load_tile(p, 1, column0, k0);
  gpu_block_barrier(g);
  if (p->matrix) add_by_matrix(p, sums);
  else add_by_elements(p, sums);
  gpu_block_barrier(g);
  gpu_end_loop(g, &steps, sums);
  for (int s = 0; s < PRODUCT_SUMS; ++s) sums[s] = steps.values[s];
}

// In a fragment's two rows, each with two neighbours, of four fragments; or in the square.
void gpu_product_sum_place(const gpu_product *p, int s, int *row, int *column) {
  *row = p->matrix ? s % PRODUCT_EDGE / 2 * 8 : s / PRODUCT_EDGE;
  *column = p->matrix ? s / PRODUCT_EDGE * 8 + s % 2 : s % PRODUCT_EDGE;
}

void gpu_product_first_sum(const gpu_product *p, MlirValue *row, MlirValue *column) {
  gpu_emission *g = p->g;
  *row = p->own_row;
  *column = p->own_column;
  if (!p->matrix) return;
  // The lane's columns are those of its pair, not of the line it loads.
  MlirValue line = gpu_op(g, "arith.remui", p->own_column, gpu_i32(g, 8));
  *column = gpu_op(g, "arith.addi", gpu_op(g, "arith.subi", p->own_column, line), p->pair);
}

int64_t gpu_product_shared_bytes(void) { return 2 * PRODUCT_STEP * PADDED * 8; }  // of the widest type

static void bind_threads(gpu_product *p) {
  gpu_emission *g = p->g;
  MlirValue edge = gpu_i32(g, PRODUCT_EDGE), side = gpu_i32(g, SIDE), thread = g->thread;
  p->load_outer = gpu_op(g, "arith.divui", thread, edge);
  p->load_inner = gpu_op(g, "arith.muli", gpu_op(g, "arith.remui", thread, edge), edge);
  p->turned_outer = gpu_op(g, "arith.divui", thread, side);
  p->turned_inner = gpu_op(g, "arith.muli", gpu_op(g, "arith.remui", thread, side), edge);
  p->own_row = gpu_op(g, "arith.muli", gpu_op(g, "arith.divui", thread, side), edge);
  p->own_column = gpu_op(g, "arith.muli", gpu_op(g, "arith.remui", thread, side), edge);
  if (!p->matrix) return;
  // Eight warps: four times 16 rows, two times 32 columns. A lane's line of a fragment, then its pair.
  MlirValue warp = gpu_op(g, "arith.divui", thread, gpu_i32(g, GPU_WARP));
  MlirValue lane = gpu_op(g, "arith.remui", thread, gpu_i32(g, GPU_WARP));
  MlirValue line = gpu_op(g, "arith.divui", lane, gpu_i32(g, 4));
  p->pair = gpu_op(g, "arith.muli", gpu_op(g, "arith.remui", lane, gpu_i32(g, 4)), gpu_i32(g, 2));
  MlirValue rows = gpu_op(g, "arith.muli", gpu_op(g, "arith.remui", warp, gpu_i32(g, 4)),
                          gpu_i32(g, 16));
  MlirValue columns = gpu_op(g, "arith.muli", gpu_op(g, "arith.divui", warp, gpu_i32(g, 4)),
                             gpu_i32(g, 32));
  p->own_row = gpu_op(g, "arith.addi", rows, line);
  p->own_column = gpu_op(g, "arith.addi", columns, line);
}

void gpu_product_begin(gpu_product *p, MlirValue shared) {
  emission *e = &p->g->e;
  p->type = element_mlir(e, p->element_type);
  p->shared_memory = p->matrix ? RAGGED_ELEMENT_BF16 : p->element_type;
  int64_t elements = p->matrix ? PRODUCT_TILE * LINE : PRODUCT_STEP * PADDED;
  p->operands[0].shared = shared;
  p->operands[1].shared = gpu_offset(
      p->g, shared, number_of(elements * (int64_t)ragged_element_size(p->shared_memory)));
  bind_threads(p);
}
