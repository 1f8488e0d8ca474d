// See kernel_layout.h.
#include "lower/kernel/kernel_layout.h"

#include <string.h>

#include "lower/kernel/kernel_plan.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/checked.h"

static void add_slot(kernel_layout *layout, kernel_slot slot) {
  layout->slots[layout->num_slots++] = slot;  // a verified kernel has no more than there is room for
}

static void add_offsets(kernel_layout *layout, int num_axes, const int64_t *axes) {
  if (num_axes == 0 || kernel_layout_find_offsets(layout, num_axes, axes) >= 0) return;
  kernel_slot slot = {.kind = SLOT_OFFSETS, .num_axes = num_axes};
  memcpy(slot.axes, axes, sizeof *axes * (size_t)num_axes);
  add_slot(layout, slot);
}

static int ref_number(const kernel_layout *layout, MlirValue ref) {
  int first = layout->has_sample ? 1 + layout->num_grid : 0;
  return (int)mlirBlockArgumentGetArgNumber(ref) - first;
}

static void read_arguments(MlirOperation kernel, kernel_layout *layout) {
  MlirBlock body = ragged_operation_body(kernel);
  MlirAttribute grid = ragged_operation_attribute(kernel, "grid");
  layout->num_axes =
      (int)mlirArrayAttrGetNumElements(ragged_operation_attribute(kernel, "axes"));
  layout->num_grid = (int)mlirDenseArrayGetNumElements(grid);
  for (int k = 0; k < layout->num_grid; ++k)
    layout->grid[k] = mlirDenseI64ArrayGetElement(grid, k);
  intptr_t count = mlirBlockGetNumArguments(body);
  for (intptr_t k = 0; k < count; ++k) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(body, k));
    if (mlirTypeIsAIndex(type)) layout->has_sample = true;
    else ragged_ref_type_get(type, &layout->refs[layout->num_refs++]);
  }
}

static void read_dot(kernel_layout *layout, MlirOperation operation) {
  kernel_dot *dot = &layout->dots[layout->num_dots];
  add_slot(layout, (kernel_slot){.kind = SLOT_PRODUCT, .number = layout->num_dots++});
  ragged_tile_shape in, out;
  ragged_tile_type_get(mlirValueGetType(mlirOperationGetOperand(operation, 0)), &in);
  ragged_tile_type_get(mlirValueGetType(mlirOperationGetResult(operation, 0)), &out);
  int bias = dot_bias_operand(operation);
  dot->operation = operation;
  dot->shape = (ragged_product_shape){
      .element_type = in.element_type,
      .k = in.extents[in.rank - 1],
      .n = out.extents[out.rank - 1],
      .transposed = ragged_operation_has(operation, "transposed"),
      .bias = bias >= 0,
      .residual = dot_residual_operand(operation) >= 0,
      .activation = (ragged_activation)ragged_operation_int(operation, "activation", 0)};
  dot->rows_per_row = 1;
  for (int d = 0; d + 1 < in.rank; ++d) dot->rows_per_row *= in.extents[d];
  dot->weight_ref = ref_number(layout, mlirOperationGetOperand(operation, 1));
  dot->bias_ref = bias < 0 ? -1 : ref_number(layout, mlirOperationGetOperand(operation, bias));
}

static void read_over_rows(kernel_layout *layout, MlirOperation operation) {
  kernel_over_rows *own = &layout->over_rows;
  own->is = true;
  own->a_ref = ref_number(layout, mlirOperationGetOperand(operation, 0));
  own->b_ref = ref_number(layout, mlirOperationGetOperand(operation, 1));
  own->sums_ref = ref_number(layout, mlirOperationGetOperand(operation, 2));
  const ragged_tile_shape *a = &layout->refs[own->a_ref].tail, *b = &layout->refs[own->b_ref].tail;
  int last = a->rank - 1;
  own->memory = a->element_type;
  own->m = a->extents[last];
  own->n = b->extents[last];
  own->rows_per_row = 1;
  for (int d = 0; d < last; ++d) own->rows_per_row *= a->extents[d];
  own->slice_rows = ragged_operation_int(operation, "slice_rows", 1);
  own->most_slices = ragged_operation_int(operation, "most_slices", 1);
}

static void count_cost(kernel_layout *layout, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    ragged_tile_shape shape = {0};
    if (mlirOperationGetNumOperands(op))
      ragged_tile_type_get(mlirValueGetType(mlirOperationGetOperand(op, 0)), &shape);
    ragged_ref_shape ref;
    bool load = ragged_operation_is(op, "ragged_tile.load");
    if (load || ragged_operation_is(op, "ragged_tile.store")) {
      ragged_ref_type_get(mlirValueGetType(mlirOperationGetOperand(op, load ? 0 : 1)), &ref);
      if (ref.kind != RAGGED_REF_DENSE)
        layout->bytes_per_row +=
            ragged_tile_size(&ref.tail) * (int64_t)ragged_element_size(ref.tail.element_type);
    } else if (ragged_operation_is(op, "ragged_tile.elementwise") ||
               ragged_operation_is(op, "ragged_tile.where_equal") ||
               ragged_operation_is(op, "ragged_tile.reduce")) {
      layout->flops_per_row += ragged_tile_size(&shape);
    } else if (ragged_operation_is(op, "ragged_tile.accumulate")) {
      layout->accumulates = true;
      count_cost(layout, ragged_operation_body(op));  // one position; the extent is not known
    }
  }
}

static void count_products(kernel_layout *layout) {
  for (int k = 0; k < layout->num_dots; ++k) {
    const kernel_dot *dot = &layout->dots[k];
    int64_t flops = 2 * dot->rows_per_row;  // the other factors are a weight's: they do not overflow
    if (!ragged_checked_multiply(flops, dot->shape.k * dot->shape.n, &flops) ||
        !ragged_checked_add(layout->flops_per_row, flops, &layout->flops_per_row))
      layout->flops_per_row = INT64_MAX;
  }
}

void kernel_layout_read(MlirOperation kernel, kernel_layout *out) {
  memset(out, 0, sizeof *out);
  read_arguments(kernel, out);
  add_slot(out, (kernel_slot){.kind = SLOT_BATCH});
  for (int k = 0; k < out->num_refs; ++k) add_slot(out, (kernel_slot){.kind = SLOT_REF, .number = k});
  for (int k = 0; k < out->num_axes; ++k)
    add_slot(out, (kernel_slot){.kind = SLOT_EXTENTS, .number = k});
  add_offsets(out, out->num_grid, out->grid);
  for (int k = 0; k < out->num_refs; ++k)
    if (out->refs[k].kind == RAGGED_REF_PACKED)
      add_offsets(out, out->refs[k].num_axes, out->refs[k].axes);
  MlirBlock body = ragged_operation_body(kernel);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    if (ragged_operation_is(op, "ragged_tile.dot")) read_dot(out, op);
    if (ragged_operation_is(op, "ragged_tile.product_over_rows")) read_over_rows(out, op);
  }
  count_cost(out, body);
  count_products(out);
}

int kernel_layout_find(const kernel_layout *layout, kernel_slot_kind kind, int number) {
  for (int k = 0; k < layout->num_slots; ++k)
    if (layout->slots[k].kind == kind && layout->slots[k].number == number) return k;
  return -1;
}

int kernel_layout_find_offsets(const kernel_layout *layout, int num_axes, const int64_t *axes) {
  for (int k = 0; k < layout->num_slots; ++k) {
    const kernel_slot *slot = &layout->slots[k];
    if (slot->kind != SLOT_OFFSETS || slot->num_axes != num_axes) continue;
    if (!memcmp(slot->axes, axes, sizeof *axes * (size_t)num_axes)) return k;
  }
  return -1;
}
