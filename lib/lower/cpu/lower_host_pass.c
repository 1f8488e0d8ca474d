// --ragged-lower-host: the lowering of host programs alone, for its tests. Kernels, which the lowering
// to the CPU replaces next, become declarations of what it would make of them.
#include "lower/cpu/lower_cpu.h"

static void declare(const ragged_builder *at, const char *name, const char *type) {
  ragged_build_declaration(at, name, ragged_type_parse(at->context, type));
}

static void declare_products(const ragged_builder *at, MlirOperation module, ragged_arena *arena,
                             const kernel_layout *layout) {
  for (int k = 0; k < layout->num_dots; ++k) {
    const char *name = ragged_product_name(arena, &layout->dots[k].shape);
    if (mlirOperationIsNull(ragged_module_lookup(module, name)))
      declare(at, name, "(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> ()");
  }
}

bool ragged_lower_host_run(MlirOperation module) {
  const ragged_cpu_target target = {.vector_bytes = 64, .num_registers = 32};  // on any machine
  if (!ragged_lower_host_to_cpu(module, &target)) return false;
  ragged_arena arena = {0};
  kernel_layout *layout = RAGGED_ARENA_ARRAY(&arena, kernel_layout, 1);
  MlirOperation next;
  for (MlirOperation kernel = mlirBlockGetFirstOperation(ragged_operation_body(module));
       !mlirOperationIsNull(kernel); kernel = next) {
    next = mlirOperationGetNextInBlock(kernel);
    if (!ragged_operation_is(kernel, "ragged_tile.kernel")) continue;
    if (!ragged_cpu_layout_read(kernel, layout)) {
      ragged_arena_free(&arena);
      return false;
    }
    ragged_builder at = ragged_builder_before(kernel);
    declare_products(&at, module, &arena, layout);
    declare(&at, ragged_operation_string(kernel, "sym_name"),
            "(!llvm.ptr, i64, i64, !llvm.ptr) -> ()");
    mlirOperationDestroy(kernel);
  }
  ragged_arena_free(&arena);
  return true;
}
