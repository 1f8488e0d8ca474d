// Prints a module of product kernels, one for each line of standard input:
//   name element_type k n bias activation residual        (activation as in product.h)
// for vectors of argv[1] bytes and argv[2] registers, e.g. `product_emit 32 16`. The width of a
// kernel's panels is its attribute `test.panel`. Used by test/lower/product.test.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lower/cpu/product.h"
#include "mlir_test_context.h"

static void print_piece(MlirStringRef piece, void *file) {
  fwrite(piece.data, 1, piece.length, file);
}

// Emits the kernels that standard input asks for; false when a line makes no sense.
static bool emit_kernels(const ragged_cpu_target *target, MlirModule module) {
  MlirOperation operation = mlirModuleGetOperation(module);
  MlirContext context = mlirModuleGetContext(module);
  ragged_builder builder = ragged_builder_at_end(mlirModuleGetBody(module),
                                                 mlirOperationGetLocation(operation));
  char name[64], element[8];
  long long k, n;
  int bias, activation, residual, read;
  while ((read = scanf("%63s %7s %lld %lld %d %d %d", name, element, &k, &n, &bias, &activation,
                       &residual)) == 7) {
    ragged_product_shape shape = {.k = k, .n = n, .bias = bias, .residual = residual,
                                  .activation = (ragged_activation)activation};
    if (!ragged_element_from_name(element, strlen(element), &shape.element_type)) return false;
    ragged_emit_product(&builder, target, &shape, name);
    mlirOperationSetDiscardableAttributeByName(
        ragged_module_lookup(operation, name), mlirStringRefCreateFromCString("test.panel"),
        ragged_attribute_i64(context, ragged_product_panel(target, &shape)));
  }
  return read == EOF;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  ragged_cpu_target target = {.vector_bytes = atoi(argv[1]), .num_registers = atoi(argv[2])};
  MlirContext context = mlir_test_context_create();
  MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  MlirOperation operation = mlirModuleGetOperation(module);
  bool passed = emit_kernels(&target, module) && mlirOperationVerify(operation);
  if (passed) mlirOperationPrint(operation, print_piece, stdout);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return passed ? 0 : 1;
}
