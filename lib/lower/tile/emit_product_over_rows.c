// product_over_rows: operands whose rows lie alike, then one kernel that sums slices of rows and one
// that joins the slices. How rows are shared out depends on their number and on the result's size.
#include <string.h>

#include "lower/tile/translation.h"
#include "mlir-c/BuiltinAttributes.h"

enum {
  SLICE_ROWS = 256,          // at least, but for the last slice
  MOST_SUMS = 1 << 21,       // elements of all slices together, while there are more than
  FEW_SLICES = 4,
  MOST_SLICES = 64,
};

// The order in which an operand has to lie: the other dimensions as those of the operand that stays
// (`first`, contracted in `first_dim`), the contracted one last.
static void target_order(const ragged_schema *first, int64_t first_dim, int64_t dim,
                         int order[RAGGED_MAX_RANK]) {
  int next = 0;
  for (int k = 0; k < first->rank; ++k) {
    int own = first->order[k];
    if (own == first_dim) continue;
    int left = own < first_dim ? own : own - 1;  // among the other dimensions
    order[next++] = left < dim ? left : left + 1;
  }
  order[next] = (int)dim;
}

// The operand's rows in that order: in place, or a copy. Changes the schema to what they have then.
static MlirValue ordered_rows(translation *t, MlirValue operand, const int *order,
                              ragged_schema *schema) {
  if (!memcmp(order, schema->order, sizeof *order * (size_t)schema->rank))
    return host_buffer(t, operand);
  memcpy(schema->order, order, sizeof *order * (size_t)schema->rank);
  MlirValue buffer = host_allocate(t, schema);
  kernel k;
  kernel_begin(t, &k, schema, "reorder");
  index_entry index[RAGGED_MAX_RANK];
  index_identity(schema, index);
  access a = resolve_to_buffer(t, operand, index);
  ragged_tile_shape shape = schema_tile_shape(schema);
  kernel_store_rows(&k, kernel_read(&k, &a, &shape), buffer, schema);
  kernel_launch(&k, host_rows(t, schema));
  return buffer;
}

static MlirValue arith(translation *t, const char *op, MlirValue x, int64_t y) {
  return ragged_build_value(&t->host, op, mlirIntegerTypeGet(t->context, 64),
                            RAGGED_VALUES(x, host_i64(t, y)));
}

static int64_t most_slices(int64_t m, int64_t n) {
  int64_t size = m * n < 1 ? 1 : m * n, most = MOST_SUMS / size;
  if (most < FEW_SLICES) return FEW_SLICES;
  return most > MOST_SLICES ? MOST_SLICES : most;
}

// What ragged_tile.product_over_rows has at most; where only the device knows the rows, of as many as
// there can be.
static MlirValue count_slices(translation *t, const ragged_schema *x, int64_t dim, int64_t most) {
  int64_t others = 1;
  for (int d = 0; d < x->rank; ++d)
    if (d != dim && !x->dimensions[d].axis) others *= x->dimensions[d].extent;
  MlirValue rows = arith(t, "arith.muli", host_rows(t, x), others);
  MlirValue slices = arith(t, "arith.addi", rows, SLICE_ROWS - 1);
  return arith(t, "arith.minsi", arith(t, "arith.divui", slices, SLICE_ROWS), most);
}

typedef struct row_product {
  MlirValue slices;  // i64
  int64_t m, n, most_slices;
  ragged_element_type type;
  ragged_ref_shape sums_shape;
  MlirValue sums;
} row_product;

// sums[slice, m, n] of `a` (rows of m) and `b` (rows of n), which lie as the schemas say.
static void sum_slices(translation *t, const row_product *p, MlirValue a, const ragged_schema *a_schema,
                       MlirValue b, const ragged_schema *b_schema) {
  kernel k;
  ragged_schema slice = {.element_type = p->type};
  kernel_begin(t, &k, &slice, "product_over_rows");
  k.needs_batch = true;
  ragged_ref_shape a_shape = kernel_packed_shape(&k, a_schema);
  ragged_ref_shape b_shape = kernel_packed_shape(&k, b_schema);
  MlirValue a_ref = kernel_ref(&k, a, &a_shape), b_ref = kernel_ref(&k, b, &b_shape);
  MlirValue sums = kernel_ref(&k, p->sums, &p->sums_shape);
  ragged_build(&k.b, "ragged_tile.product_over_rows", RAGGED_VALUES(a_ref, b_ref, sums, k.sample),
               RAGGED_NONE,
               RAGGED_ATTRIBUTES(ragged_named(t->context, "slice_rows",
                                              ragged_attribute_i64(t->context, SLICE_ROWS)),
                                 ragged_named(t->context, "most_slices",
                                              ragged_attribute_i64(t->context, p->most_slices))),
               RAGGED_NONE);
  kernel_launch(&k, p->slices);
}

// result[m, n]: one row of the result for each m, over the slices.
static void join_slices(translation *t, const row_product *p, MlirValue result) {
  kernel k;
  ragged_schema row = {.element_type = p->type, .rank = 1};
  row.dimensions[0] = ragged_dimension_static(p->n);
  kernel_begin(t, &k, &row, "join");
  ragged_tile_shape shape = schema_tile_shape(&row);
  MlirBlock body;
  MlirOperation loop = kernel_begin_accumulate(&k, "add", &shape, false, -1, &body);
  mlirOperationSetAttributeByName(loop, mlirStringRefCreateFromCString("plain"),
                                  mlirUnitAttrGet(t->context));
  ragged_builder outer = k.b;
  k.b = ragged_builder_at_end(body, outer.location);
  MlirValue at[] = {mlirBlockGetArgument(body, 0), k.sample};
  MlirValue part = tile_load(&k, kernel_ref(&k, p->sums, &p->sums_shape), 2, at, NULL);
  yield_tile(&k, part);
  k.b = outer;
  kernel_store_rows(&k, mlirOperationGetResult(loop, 0), result, &row);
  k.batch = p->slices;
  kernel_launch(&k, host_i64(t, p->m));
}

void translate_product_over_rows(translation *t, MlirOperation operation) {
  enum { X, DY };
  MlirValue operands[2];
  ragged_schema schemas[2];
  int64_t dims[RAGGED_MAX_RANK];
  op_dims(operation, "dims", dims);
  for (int k = 0; k < 2; ++k) {
    operands[k] = mlirOperationGetOperand(operation, k);
    value_schema(operands[k], &schemas[k]);
  }
  row_product p = {.m = schemas[DY].dimensions[dims[DY]].extent,
                   .n = schemas[X].dimensions[dims[X]].extent,
                   .type = schemas[X].element_type};
  p.most_slices = most_slices(p.m, p.n);
  int stays = p.n > p.m ? X : DY;  // if one has to be copied, then the one with fewer elements
  ragged_schema staying = schemas[stays];
  MlirValue rows[2];
  for (int k = 0; k < 2; ++k) {
    int order[RAGGED_MAX_RANK];
    target_order(&staying, dims[stays], dims[k], order);
    rows[k] = ordered_rows(t, operands[k], order, &schemas[k]);
  }
  p.slices = count_slices(t, &schemas[X], dims[X], p.most_slices);
  ragged_element_type compute = ragged_compute_type(p.type);
  p.sums_shape = (ragged_ref_shape){.kind = RAGGED_REF_SLICES, .layout = {p.m},
                                    .tail = {.element_type = compute, .rank = 1, .extents = {p.n}}};
  p.sums = host_allocate_dense(t, compute, 3, (MlirValue[]){p.slices, host_i64(t, p.m), host_i64(t, p.n)});
  sum_slices(t, &p, rows[DY], &schemas[DY], rows[X], &schemas[X]);
  MlirValue result = host_allocate_dense(t, p.type, 2, (MlirValue[]){host_i64(t, p.m), host_i64(t, p.n)});
  join_slices(t, &p, result);
  host_set_buffer(t, mlirOperationGetResult(operation, 0), result);
}
