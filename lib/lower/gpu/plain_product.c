// See plain_product.h.
#include "lower/gpu/plain_product.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct plain_product {
  const kernel_layout *layout;
  const kernel_dot *dot;
  int rows, residual, result;  // numbers of refs; -1: none
} plain_product;

// ---- Recognition -------------------------------------------------------------------------------------

static int ref_number(const plain_product *p, MlirOperation access, int ref_operand) {
  int first = 1 + p->layout->num_grid;
  MlirValue ref = mlirOperationGetOperand(access, ref_operand);
  return (int)mlirBlockArgumentGetArgNumber(ref) - first;
}

// The ref whose row at the kernel's position the value is; -1: it is something else. A flat kernel
// reads no packed rows but its own.
static int loaded_ref(const plain_product *p, MlirValue value) {
  MlirOperation load = ragged_value_definition(value);
  if (!ragged_operation_is(load, "ragged_tile.load")) return -1;
  int number = ref_number(p, load, 0);
  return p->layout->refs[number].kind == RAGGED_REF_PACKED ? number : -1;
}

// Counts a body's ops and finds its store.
static int count_ops(MlirOperation kernel, MlirOperation *out_store) {
  int count = 0;
  *out_store = (MlirOperation){NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(ragged_operation_body(kernel));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op), ++count)
    if (ragged_operation_is(op, "ragged_tile.store")) *out_store = op;
  return count;
}

static bool has_type(const plain_product *p, int ref, ragged_element_type type) {
  return ref < 0 || p->layout->refs[ref].tail.element_type == type;
}

static bool recognise(MlirOperation kernel, const gpu_layout *layout, plain_product *p) {
  *p = (plain_product){.layout = &layout->kernel, .dot = layout->kernel.dots, .residual = -1};
  if (!layout->traits.flat || layout->kernel.num_dots != 1) return false;
  MlirOperation store, dot = p->dot->operation;
  int count = count_ops(kernel, &store);
  if (mlirOperationIsNull(store) ||
      !mlirValueEqual(mlirOperationGetOperand(store, 0), mlirOperationGetResult(dot, 0)))
    return false;
  p->result = ref_number(p, store, 1);
  p->rows = loaded_ref(p, mlirOperationGetOperand(dot, 0));
  if (p->rows < 0) return false;
  int ops = 3, operand = dot_residual_operand(dot);
  if (operand >= 0) {
    p->residual = loaded_ref(p, mlirOperationGetOperand(dot, operand));
    if (p->residual < 0) return false;
    bool shared = mlirValueEqual(mlirOperationGetOperand(dot, operand),
                                 mlirOperationGetOperand(dot, 0));
    ops += shared ? 0 : 1;
  }
  ragged_element_type type = p->layout->refs[p->result].tail.element_type;
  return count == ops && has_type(p, p->rows, type) && has_type(p, p->dot->weight_ref, type) &&
         has_type(p, p->dot->bias_ref, type) && has_type(p, p->residual, type);
}

// ---- Description -------------------------------------------------------------------------------------

// Which of the launch's words holds a buffer: slots in their order, but products.
static int64_t word_of(const plain_product *p, int ref) {
  if (ref < 0) return -1;
  int64_t word = 0;
  for (int k = 0; k < kernel_layout_find(p->layout, SLOT_REF, ref); ++k)
    word += p->layout->slots[k].kind != SLOT_PRODUCT;
  return word;
}

bool plain_product_read(MlirOperation kernel, const gpu_layout *layout, MlirAttribute *out) {
  plain_product p;
  if (!recognise(kernel, layout, &p)) return false;
  const ragged_product_shape *shape = &p.dot->shape;
  int64_t words[] = {
      0,  // struct_size
      p.layout->refs[p.result].tail.element_type,
      shape->k,
      shape->n,
      shape->transposed,
      p.dot->rows_per_row,
      shape->activation,
      word_of(&p, p.rows),
      word_of(&p, p.dot->weight_ref),
      word_of(&p, p.dot->bias_ref),
      word_of(&p, p.residual),
      word_of(&p, p.result),
  };
  words[0] = (int64_t)sizeof words;
  int64_t count = sizeof words / sizeof words[0];
  MlirType element = mlirIntegerTypeGet(mlirOperationGetContext(kernel), 64);
  *out = mlirDenseElementsAttrInt64Get(
      mlirRankedTensorTypeGet(1, &count, element, mlirAttributeGetNull()), count, words);
  return true;
}
