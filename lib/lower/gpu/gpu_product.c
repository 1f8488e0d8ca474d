// Dense products inside GPU kernels: a device function per shape, run by all threads of a block. Tiles
// of 64 rows and 64 columns, 16 of K at a time through shared memory, 16 sums a thread. With bf16
// weights the matrix instructions multiply, and rows are rounded to bf16 for them; sums are f32.
#include "lower/gpu/gpu_emit.h"
#include "lower/gpu/gpu_function.h"
#include "lower/math/gpu_math.h"
#include "lower/math/vector_math.h"

enum {
  TILE = 64,
  STEP = 16,           // of K
  EDGE = 4,            // a thread loads 4 consecutive elements, and has 4 x 4 sums
  SUMS = EDGE * EDGE,
  PADDED = TILE + 4,   // [k][row], 16 bytes aside from line to line
  LINE = STEP + 8,     // [row][k] of bf16: lanes of a fragment hit different banks
  SIDE = TILE / EDGE,
};

typedef struct product {
  gpu_emission *g;
  const ragged_product_shape *shape;
  bool matrix;  // by matrix instructions
  ragged_element_type weight_memory, bias_memory, shared_memory;
  MlirType type;
  MlirValue a, weight, bias, c, shared[2];
  number rows;
  MlirValue load_row, load_k;     // i32: which part of a tile the thread loads
  MlirValue own_row, own_column;  // i32: of its first sum
  MlirValue pair;                 // i32, matrix: its lane's pair of elements in a fragment's line
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

static MlirValue zeros(product *p, int count) {
  emission *e = &p->g->e;
  return emit_splat(e, emit_constant(e, p->shape->element_type, 0).value, count);
}

static MlirValue both(product *p, MlirValue a, MlirValue b) {
  return gpu_op(p->g, "arith.andi", a, b);
}

static int64_t alignment_of(ragged_element_type type, int count) {
  int64_t bytes = count * (int64_t)ragged_element_size(type);
  return bytes < GPU_ACCESS_BYTES ? bytes : GPU_ACCESS_BYTES;
}

// ---- Tiles into shared memory ------------------------------------------------------------------------

// `count` elements where `inside`, else zeros.
static MlirValue load_or_zeros(product *p, MlirValue inside, MlirValue base,
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
  MlirType type = lanes_type(e, p->shape->element_type, count);
  return mlirOperationGetResult(ragged_build(&e->b, "scf.if", RAGGED_VALUES(inside),
                                             RAGGED_TYPES(type), RAGGED_NONE, 2, regions),
                                0);
}

// The thread's four elements of a tile. Lines of a multiple of four elements are read 4 at once.
static MlirValue load_four(product *p, int operand, MlirValue in_rows, number row, number k) {
  emission *e = &p->g->e;
  number extent = number_of(p->shape->k), line = number_mul(e, row, extent);
  MlirValue base = operand ? p->weight : p->a;
  ragged_element_type memory = operand ? p->weight_memory : p->shape->element_type;
  if (p->shape->k % EDGE == 0)
    return load_or_zeros(p, both(p, in_rows, emit_compare(e, COMPARE_LT, k, extent)), base, memory,
                         number_add(e, line, k), EDGE);
  MlirValue four = zeros(p, EDGE);
  for (int j = 0; j < EDGE; ++j) {
    number at = number_add(e, k, number_of(j));
    MlirValue inside = both(p, in_rows, emit_compare(e, COMPARE_LT, at, extent));
    four = emit_insert(e, four,
                       load_or_zeros(p, inside, base, memory, number_add(e, line, at), 1), j);
  }
  return four;
}

// Rows first .. of one operand, columns k0 .. k0 + 15.
static void load_tile(product *p, int operand, number first, number limit, number k0) {
  gpu_emission *g = p->g;
  emission *e = &g->e;
  number own_row = gpu_number(g, p->load_row), own_k = gpu_number(g, p->load_k);
  number row = number_add(e, first, own_row);
  MlirValue four = load_four(p, operand, emit_compare(e, COMPARE_LT, row, limit), row,
                             number_add(e, k0, own_k));
  ragged_element_type type = p->shared_memory;
  if (p->matrix) {
    emit_store_aligned(e, p->shared[operand], type,
                       number_add(e, number_mul(e, own_row, number_of(LINE)), own_k), four, EDGE,
                       alignment_of(type, EDGE));
    return;
  }
  for (int j = 0; j < EDGE; ++j) {
    number k = number_add(e, own_k, number_of(j));
    emit_store(e, p->shared[operand], type,
               number_add(e, number_mul(e, k, number_of(PADDED)), own_row),
               emit_extract(e, four, j), 1);
  }
}

// ---- Sums over what is in shared memory ----------------------------------------------------------------

static MlirValue multiply_add(product *p, MlirValue x, MlirValue y, MlirValue sum) {
  if (p->shape->element_type != RAGGED_ELEMENT_I64)
    return ragged_emit_fma(&p->g->e.b, p->type, x, y, sum);
  return gpu_op(p->g, "arith.addi", sum, gpu_op(p->g, "arith.muli", x, y));
}

// 4 rows and 4 columns, one k after the other, four in a turn.
static void add_by_elements(product *p, MlirValue *sums) {
  enum { UNROLL = 4 };
  gpu_emission *g = p->g;
  emission *e = &g->e;
  carried_loop l;
  number first = gpu_begin_loop(g, &l, number_of(0), gpu_opaque(g, STEP), number_of(UNROLL), SUMS,
                                sums);
  for (int s = 0; s < SUMS; ++s) sums[s] = l.values[s];
  for (int step = 0; step < UNROLL; ++step) {
    number line = number_mul(e, number_add(e, first, number_of(step)), number_of(PADDED));
    MlirValue x[2];
    for (int operand = 0; operand < 2; ++operand)
      x[operand] = emit_load_aligned(
          e, p->shared[operand], p->shared_memory,
          number_add(e, line, gpu_number(g, operand ? p->own_column : p->own_row)), EDGE,
          alignment_of(p->shared_memory, EDGE));
    for (int s = 0; s < SUMS; ++s)
      sums[s] = multiply_add(p, emit_extract(e, x[0], s / EDGE), emit_extract(e, x[1], s % EDGE),
                             sums[s]);
  }
  gpu_end_loop(g, &l, sums);
  for (int s = 0; s < SUMS; ++s) sums[s] = l.values[s];
}

// Two neighbours of a line, as a matrix instruction takes them.
static MlirValue load_pair(product *p, int operand, MlirValue row, int more_rows, int more_k) {
  gpu_emission *g = p->g;
  emission *e = &g->e;
  MlirValue line = gpu_op(g, "arith.addi", row, gpu_i32(g, more_rows));
  MlirValue at = gpu_op(g, "arith.addi", gpu_op(g, "arith.muli", line, gpu_i32(g, LINE)),
                        gpu_op(g, "arith.addi", p->pair, gpu_i32(g, more_k)));
  MlirValue pointer = emit_pointer(e, p->shared[operand], mlirIntegerTypeGet(e->context, 16),
                                   gpu_number(g, at));
  MlirNamedAttribute alignment =
      ragged_named(e->context, "alignment", ragged_attribute_i64(e->context, 4));
  return ragged_build_value_with(&e->b, "llvm.load", g->i32, RAGGED_VALUES(pointer), 1, &alignment);
}

// D = A B + C of 16 x 16 and 16 x 8 elements; fragments as the PTX ISA lays out m16n8k16 for bf16.
static void multiply_matrix(product *p, const MlirValue *a, const MlirValue *b, MlirValue *sums) {
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
static void add_by_matrix(product *p, MlirValue *sums) {
  MlirValue a[4], b[2];
  for (int k = 0; k < 4; ++k) a[k] = load_pair(p, 0, p->own_row, k % 2 * 8, k / 2 * 8);
  for (int n = 0; n < EDGE; ++n) {
    for (int k = 0; k < 2; ++k) b[k] = load_pair(p, 1, p->own_column, n * 8, k * 8);
    multiply_matrix(p, a, b, &sums[n * EDGE]);
  }
}

// ---- Results -----------------------------------------------------------------------------------------

static MlirValue activate(product *p, MlirValue x) {
  static const char *const functions[] = {[RAGGED_ACTIVATION_RELU] = "relu",
                                          [RAGGED_ACTIVATION_GELU] = "gelu",
                                          [RAGGED_ACTIVATION_SIGMOID] = "sigmoid"};
  if (p->shape->activation == RAGGED_ACTIVATION_NONE) return x;
  return ragged_emit_gpu_elementwise(&p->g->e.b, functions[p->shape->activation], p->type, x,
                                     ragged_value_none());
}

// Where sum s lies from the thread's first: in a fragment's two rows, each with two neighbours, of
// four fragments; or in the square.
static void sum_place(const product *p, int s, int *row, int *column) {
  *row = p->matrix ? s % EDGE / 2 * 8 : s / EDGE;
  *column = p->matrix ? s / EDGE * 8 + s % 2 : s % EDGE;
}

static void write_sums(product *p, number m0, number n0, const MlirValue *sums) {
  gpu_emission *g = p->g;
  emission *e = &g->e;
  ragged_element_type type = p->shape->element_type;
  MlirValue own_column = p->own_column;
  if (p->matrix) {  // the lane's columns are those of its pair, not of the line it loads
    MlirValue line = gpu_op(g, "arith.remui", own_column, gpu_i32(g, 8));
    own_column = gpu_op(g, "arith.addi", gpu_op(g, "arith.subi", own_column, line), p->pair);
  }
  number row0 = number_add(e, m0, gpu_number(g, p->own_row));
  number column0 = number_add(e, n0, gpu_number(g, own_column));
  for (int s = 0; s < SUMS; ++s) {
    int more_rows, more_columns;
    sum_place(p, s, &more_rows, &more_columns);
    number row = number_add(e, row0, number_of(more_rows));
    number column = number_add(e, column0, number_of(more_columns));
    guard inside;
    gpu_begin_if(g, &inside,
                 both(p, emit_compare(e, COMPARE_LT, row, p->rows),
                      emit_compare(e, COMPARE_LT, column, number_of(p->shape->n))));
    MlirValue y = sums[s];
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
  MlirValue sums[SUMS];
  for (int s = 0; s < SUMS; ++s) sums[s] = zeros(p, 1);
  number k0 = gpu_begin_loop(g, &steps, number_of(0), number_of(p->shape->k), number_of(STEP), SUMS,
                             sums);
  for (int s = 0; s < SUMS; ++s) sums[s] = steps.values[s];
  load_tile(p, 0, m0, p->rows, k0);
  load_tile(p, 1, n0, number_of(p->shape->n), k0);
  gpu_block_barrier(g);
  if (p->matrix) add_by_matrix(p, sums);
  else add_by_elements(p, sums);
  gpu_block_barrier(g);
  gpu_end_loop(g, &steps, sums);
  write_sums(p, m0, n0, steps.values);
  gpu_end_loop(g, &rows, NULL);
  gpu_end_loop(g, &columns, NULL);
}

static void bind_threads(product *p) {
  gpu_emission *g = p->g;
  MlirValue edge = gpu_i32(g, EDGE), side = gpu_i32(g, SIDE), thread = g->thread;
  p->load_row = gpu_op(g, "arith.divui", thread, edge);
  p->load_k = gpu_op(g, "arith.muli", gpu_op(g, "arith.remui", thread, edge), edge);
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
  p.matrix = p.weight_memory == RAGGED_ELEMENT_BF16;
  p.shared_memory = p.matrix ? RAGGED_ELEMENT_BF16 : dot->shape.element_type;
  int64_t elements = p.matrix ? TILE * LINE : STEP * PADDED;
  p.shared[1] = gpu_offset(
      &own, p.shared[0], number_of(elements * (int64_t)ragged_element_size(p.shared_memory)));
  bind_threads(&p);
  emit_body(&p);
  gpu_end_function(&own);
}
