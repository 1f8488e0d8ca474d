// Every ragged_tile.kernel of a module becomes a function on bare pointers. See lower_cpu.h.
#include <string.h>

#include "lower/cpu/cpu_emit.h"
#include "lower/cpu/lower_cpu.h"
#include "lower/cpu/lower_over_rows.h"
#include "lower/cpu/product.h"
#include "mlir-c/BuiltinTypes.h"

static MlirType pointer_type(MlirContext context) { return ragged_type_parse(context, "!llvm.ptr"); }

static void declare(MlirOperation module, const char *name, intptr_t count, const MlirType *types) {
  MlirOperation existing = ragged_module_lookup(module, name);
  if (!mlirOperationIsNull(existing)) return;
  MlirContext context = mlirOperationGetContext(module);
  ragged_builder b = ragged_builder_at_end(ragged_operation_body(module), mlirLocationUnknownGet(context));
  ragged_build_declaration(&b, name, mlirFunctionTypeGet(context, count, types, 0, NULL));
}

static bool lower_kernel(MlirOperation module, MlirOperation kernel, const ragged_cpu_target *target) {
  ragged_arena arena = {0};
  MlirContext context = mlirOperationGetContext(kernel);
  emission *e = RAGGED_ARENA_ARRAY(&arena, emission, 1);
  e->arena = &arena;
  e->context = context;
  e->kernel = kernel;
  e->target = target;
  e->backend = &cpu_emission_backend;
  if (!ragged_cpu_layout_read(kernel, &e->layout)) {
    ragged_arena_free(&arena);
    return false;
  }
  if (e->layout.over_rows.is) {
    ragged_lower_over_rows_kernel(module, kernel, target, &arena, &e->layout.over_rows);
    ragged_arena_free(&arena);
    return true;
  }
  kernel_plan_make(&arena, kernel, false, &e->plan);
  e->row_scratch = RAGGED_ARENA_ARRAY(&arena, MlirValue, e->plan.num_tiles + 1);
  e->row_scratch_lanes = RAGGED_ARENA_ARRAY(&arena, int, e->plan.num_tiles + 1);
  e->i64 = mlirIntegerTypeGet(context, 64);
  e->ptr = pointer_type(context);
  e->lanes = 1;
  e->sample = e->row = e->block_row = number_of(0);
  MlirType types[] = {e->ptr, e->i64, e->i64, e->ptr};
  MlirLocation location = mlirOperationGetLocation(kernel);
  MlirLocation locations[] = {location, location, location, location};
  MlirBlock entry = mlirBlockCreate(4, types, locations);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, entry);
  MlirType type = mlirFunctionTypeGet(context, 4, types, 0, NULL);
  ragged_builder at_kernel = ragged_builder_before(kernel);
  const char *name = ragged_arena_format(&arena, "%s", ragged_operation_string(kernel, "sym_name"));
  ragged_build(&at_kernel, "func.func", RAGGED_NONE, RAGGED_NONE,
               RAGGED_ATTRIBUTES(
                   ragged_named(context, "sym_name", ragged_attribute_string(context, name)),
                   ragged_named(context, "function_type", ragged_attribute_type(type))),
               1, &region);
  e->first = mlirBlockGetArgument(entry, 1);
  e->last = mlirBlockGetArgument(entry, 2);
  e->scratch = mlirBlockGetArgument(entry, 3);
  e->b = ragged_builder_at_end(entry, location);
  for (int k = 0; k < e->layout.num_slots; ++k) {
    MlirValue slot = emit_load_i64(e, mlirBlockGetArgument(entry, 0), number_of(k));
    e->slots[k] = kernel_slot_is_number(&e->layout.slots[k])
                      ? slot
                      : ragged_build_value(&e->b, "llvm.inttoptr", e->ptr, RAGGED_VALUES(slot));
  }
  // Scratch of rows is allocated here, before the loops.
  MlirOperation end = ragged_build(&e->b, "func.return", RAGGED_NONE, RAGGED_NONE, RAGGED_NONE, RAGGED_NONE);
  e->allocas = ragged_builder_before(mlirBlockGetFirstOperation(entry));
  e->b = ragged_builder_before(end);
  if (e->layout.num_dots) {
    MlirType run[] = {e->ptr, e->ptr, e->ptr, e->i64};
    declare(module, "ragged_rt_product_run", 4, run);
  }
  emit_kernel(e);
  for (int k = 0; k < e->layout.num_dots; ++k) {
    const ragged_product_shape *shape = &e->layout.dots[k].shape;
    const char *product = ragged_product_name(&arena, shape);
    MlirOperation existing = ragged_module_lookup(module, product);
    if (!mlirOperationIsNull(existing) && !mlirBlockIsNull(ragged_operation_body(existing))) continue;
    if (!mlirOperationIsNull(existing)) mlirOperationDestroy(existing);
    ragged_emit_product(&at_kernel, target, shape, product);
  }
  mlirOperationDestroy(kernel);
  ragged_arena_free(&arena);
  return true;
}

bool ragged_lower_kernels_to_cpu(MlirOperation module, const ragged_cpu_target *target) {
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(ragged_operation_body(module));
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (ragged_operation_is(op, "ragged_tile.kernel") && !lower_kernel(module, op, target)) return false;
  }
  return true;
}
