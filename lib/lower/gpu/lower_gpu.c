// Every ragged_tile.kernel of a module becomes a kernel of its gpu.module. See lower_gpu.h.
#include "lower/gpu/lower_gpu.h"

#include <string.h>

#include "dialect/diagnostic.h"
#include "lower/gpu/gpu_emit.h"
#include "lower/gpu/gpu_function.h"
#include "lower/gpu/gpu_rewrite.h"
#include "lower/gpu/lower_launch.h"

// ---- One kernel ------------------------------------------------------------------------------------

static MlirWalkResult mark_stored(MlirOperation operation, void *user) {
  bool *stored = user;
  bool over_rows = ragged_operation_is(operation, "ragged_tile.product_over_rows");
  if (!over_rows && !ragged_operation_is(operation, "ragged_tile.store"))
    return MlirWalkResultAdvance;
  MlirValue ref = mlirOperationGetOperand(operation, over_rows ? 2 : 1);
  stored[mlirBlockArgumentGetArgNumber(ref)] = true;
  return MlirWalkResultAdvance;
}

// Buffers do not overlap: what a kernel writes was made for it. Those that it only reads say so.
static const char *argument_attributes(gpu_emission *g, intptr_t count) {
  const kernel_layout *layout = &g->e.layout;
  bool stored[2 + RAGGED_MAX_RANK + KERNEL_MAX_REFS] = {false};
  mlirOperationWalk(g->e.kernel, mark_stored, stored, MlirWalkPreOrder);
  int first_ref = layout->has_sample ? 1 + layout->num_grid : 0;
  const char *text = "[{}, {llvm.noalias}";
  int parameter = 2;
  for (int k = 0; k < layout->num_slots; ++k) {
    const kernel_slot *slot = &layout->slots[k];
    if (slot->kind == SLOT_PRODUCT) continue;
    bool writes = slot->kind == SLOT_REF && stored[first_ref + slot->number];
    text = ragged_arena_format(g->e.arena, "%s, {%s}", text,
                               kernel_slot_is_number(slot) ? ""
                               : writes                 ? "llvm.noalias"
                                                        : "llvm.noalias, llvm.readonly");
    ++parameter;
  }
  for (; parameter < count; ++parameter)
    text = ragged_arena_format(g->e.arena, "%s, {llvm.noalias, llvm.readonly}", text);
  return ragged_arena_format(g->e.arena, "%s]", text);
}

// Types of the parameters; returns how many there are.
static intptr_t parameter_types(gpu_emission *g, MlirType *types) {
  const kernel_layout *layout = &g->e.layout;
  intptr_t count = 0;
  types[count++] = g->e.i64;
  types[count++] = g->e.ptr;
  for (int k = 0; k < layout->num_slots; ++k)
    if (layout->slots[k].kind != SLOT_PRODUCT)
      types[count++] = kernel_slot_is_number(&layout->slots[k]) ? g->e.i64 : g->e.ptr;
  if (g->layout->ordered) {
    types[count++] = g->e.ptr;
    types[count++] = g->e.ptr;
  }
  return count;
}

static void bind_parameters(gpu_emission *g, MlirBlock entry) {
  const kernel_layout *layout = &g->e.layout;
  intptr_t next = 0;
  MlirValue items = mlirBlockGetArgument(entry, next++);
  g->scratch = mlirBlockGetArgument(entry, next++);
  for (int k = 0; k < layout->num_slots; ++k)
    if (layout->slots[k].kind != SLOT_PRODUCT) g->e.slots[k] = mlirBlockGetArgument(entry, next++);
  g->items = gpu_emit_items(g, items);
  g->order = g->ordered_offsets = ragged_value_none();
  if (!g->layout->ordered) return;
  g->order = mlirBlockGetArgument(entry, next++);
  g->ordered_offsets = mlirBlockGetArgument(entry, next++);
}

// Numbers of the group and of the thread in it; where its arrays and the block's shared memory are.
static void bind_threads(gpu_emission *g) {
  emission *e = &g->e;
  const gpu_layout *layout = g->layout;
  MlirValue size = gpu_i32(g, layout->group);
  g->group = gpu_op(g, "arith.divui", g->thread, size);
  g->lane = gpu_op(g, "arith.remui", g->thread, size);
  g->mask = gpu_i32(g, -1);
  if (layout->group < GPU_WARP) {  // the group's lanes of its warp
    MlirValue warp_lane = gpu_op(g, "arith.remui", g->thread, gpu_i32(g, GPU_WARP));
    MlirValue first = gpu_op(g, "arith.subi", warp_lane, g->lane);
    g->mask = gpu_op(g, "arith.shli", gpu_i32(g, (INT64_C(1) << layout->group) - 1), first);
  }
  g->shared = g->arrays = ragged_value_none();
  if (layout->shared_bytes > 0) {
    MlirNamedAttribute name =
        ragged_named(e->context, "global_name", ragged_attribute_symbol(e->context, "shared"));
    g->shared = ragged_build_value_with(&e->b, "llvm.mlir.addressof",
                                        ragged_type_parse(e->context, "!llvm.ptr<3>"), RAGGED_NONE,
                                        1, &name);
  }
  if (layout->samples_bytes > 0)
    g->samples = gpu_offset(g, g->shared, number_of(layout->exchange_bytes + layout->product_bytes));
  if (layout->scratch_bytes > 0)
    e->scratch = gpu_offset(g, g->scratch, number_mul(e, gpu_number(g, g->block),
                                                      number_of(layout->scratch_bytes)));
  if (layout->group_bytes == 0) return;
  number own = number_mul(e, gpu_number(g, g->group), number_of(layout->group_bytes));
  if (layout->arrays_in_scratch) {
    int64_t all = layout->group_bytes * (GPU_THREADS / layout->group);
    g->arrays = gpu_offset(g, e->scratch, own);
    e->scratch = gpu_offset(g, e->scratch, number_of(all));
  } else {
    own = number_add(e, own, number_of(layout->exchange_bytes + layout->product_bytes +
                                       layout->samples_bytes));
    g->arrays = gpu_offset(g, g->shared, own);
  }
}

static void emit_products(gpu_emission *g, MlirOperation module, const ragged_builder *builder) {
  for (int k = 0; k < g->e.layout.num_dots; ++k) {
    const kernel_dot *dot = &g->e.layout.dots[k];
    const char *name = gpu_product_name(g, dot);
    if (mlirOperationIsNull(ragged_module_lookup(module, name)))
      gpu_emit_product(g, builder, dot, name);
  }
}

static bool lower_kernel(MlirOperation gpu_module, MlirOperation kernel) {
  ragged_arena arena = {0};
  MlirContext context = mlirOperationGetContext(kernel);
  gpu_layout *layout = RAGGED_ARENA_ARRAY(&arena, gpu_layout, 1);
  gpu_emission *g = RAGGED_ARENA_ARRAY(&arena, gpu_emission, 1);
  if (!gpu_layout_read(&arena, kernel, &g->e.plan, layout)) {
    ragged_arena_free(&arena);
    return false;
  }
  g->layout = layout;
  g->i32 = mlirIntegerTypeGet(context, 32);
  g->e.arena = &arena;
  g->e.context = context;
  g->e.kernel = kernel;
  g->e.backend = &gpu_emission_backend;
  g->e.layout = layout->kernel;
  g->e.row_scratch = RAGGED_ARENA_ARRAY(&arena, MlirValue, g->e.plan.num_tiles + 1);
  g->e.row_scratch_lanes = RAGGED_ARENA_ARRAY(&arena, int, g->e.plan.num_tiles + 1);
  if (layout->group == 1)
    g->e.row_values = RAGGED_ARENA_ARRAY(&arena, MlirValue *, g->e.plan.num_tiles + 1);
  g->e.i64 = mlirIntegerTypeGet(context, 64);
  g->e.ptr = ragged_type_parse(context, "!llvm.ptr<1>");
  g->e.lanes = 1;
  g->e.sample = g->e.row = g->e.block_row = number_of(0);
  MlirType types[4 + KERNEL_LAYOUT_MAX_SLOTS];
  intptr_t count = parameter_types(g, types);
  ragged_builder at = ragged_builder_at_end(ragged_operation_body(gpu_module),
                                            mlirOperationGetLocation(kernel));
  const char *name = ragged_operation_string(kernel, "sym_name");
  MlirBlock entry = gpu_begin_function(g, &at, ragged_arena_format(&arena, "%s", name), count,
                                       types, argument_attributes(g, count), true);
  bind_parameters(g, entry);
  bind_threads(g);
  // Row arrays are addressed here, before the loops.
  MlirOperation mark = mlirOpResultGetOwner(gpu_i32(g, 0));
  g->e.allocas = ragged_builder_before(mark);
  gpu_emit_kernel(g);
  gpu_end_function(g);
  emit_products(g, gpu_module, &at);
  mlirOperationDestroy(kernel);
  ragged_arena_free(&arena);
  return true;
}

// ---- The module --------------------------------------------------------------------------------------

static MlirOperation build_gpu_module(MlirOperation module, const ragged_gpu_target *target) {
  ragged_arena arena = {0};
  MlirContext context = mlirOperationGetContext(module);
  const char *targets = "[";
  for (int k = 0; k < target->num_chips; ++k)
    targets = ragged_arena_format(&arena, "%s%s#nvvm.target<O = 3, chip = \"%s\", features = \"+ptx%d\">",
                                  targets, k ? ", " : "", target->chips[k], target->ptx);
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  ragged_builder at = ragged_builder_at_end(ragged_operation_body(module),
                                            mlirOperationGetLocation(module));
  MlirOperation gpu_module = ragged_build(
      &at, "gpu.module", RAGGED_NONE, RAGGED_NONE,
      RAGGED_ATTRIBUTES(
          ragged_named(context, "sym_name", ragged_attribute_string(context, RAGGED_GPU_MODULE)),
          ragged_named(context, "targets",
                       ragged_attribute_parse(context, ragged_arena_format(&arena, "%s]", targets)))),
      1, &region);
  // Dynamic shared memory: as much as a launch asks for.
  MlirRegion initialiser = mlirRegionCreate();
  at = ragged_builder_at_end(block, mlirOperationGetLocation(module));
  ragged_build(
      &at, "llvm.mlir.global", RAGGED_NONE, RAGGED_NONE,
      RAGGED_ATTRIBUTES(
          ragged_named(context, "sym_name", ragged_attribute_string(context, "shared")),
          ragged_named(context, "global_type",
                       ragged_attribute_type(ragged_type_parse(context, "!llvm.array<0 x i8>"))),
          ragged_named(context, "linkage",
                       ragged_attribute_parse(context, "#llvm.linkage<external>")),
          ragged_named(context, "addr_space", ragged_attribute_i32(context, 3)),
          ragged_named(context, "alignment", ragged_attribute_i64(context, 64))),
      1, &initialiser);
  ragged_arena_free(&arena);
  return gpu_module;
}

// A kernel of the runtime's comes with every module: it computes extents and offsets for calls whose
// lengths only the device knows (runtime/frame_plan.h).
static bool add_metadata_kernel(MlirOperation gpu_module) {
  static const char text[] = {
#include "metadata_kernel.inc"
      , 0};
  MlirContext context = mlirOperationGetContext(gpu_module);
  MlirOperation parsed =
      mlirOperationCreateParse(context, mlirStringRefCreateFromCString(text),
                               mlirStringRefCreateFromCString("metadata_kernel.mlir"));
  if (mlirOperationIsNull(parsed)) return ragged_op_error(gpu_module, "metadata_kernel.mlir is wrong");
  MlirBlock to = ragged_operation_body(gpu_module);
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(ragged_operation_body(parsed));
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (!ragged_operation_is(op, "llvm.func")) continue;
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(to, op);
  }
  mlirOperationDestroy(parsed);
  return true;
}

bool ragged_lower_to_gpu(MlirOperation module, const ragged_gpu_target *target) {
  for (MlirOperation op = mlirBlockGetFirstOperation(ragged_operation_body(module));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (ragged_operation_is(op, "ragged_tile.kernel")) gpu_rewrite(op);
  if (!ragged_lower_host_to_gpu(module)) return false;
  MlirOperation gpu_module = build_gpu_module(module, target), next;
  for (MlirOperation op = mlirBlockGetFirstOperation(ragged_operation_body(module));
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (ragged_operation_is(op, "ragged_tile.kernel") && !lower_kernel(gpu_module, op)) return false;
  }
  return add_metadata_kernel(gpu_module);
}

bool ragged_lower_to_gpu_run(MlirOperation module, const ragged_gpu_options *options) {
  ragged_gpu_target target;
  ragged_status status = ragged_gpu_target_read(options, &target);
  if (!status) return ragged_lower_to_gpu(module, &target);
  MlirLocation location = ragged_module_location(module);
  ragged_emit_error(location, ragged_status_message(status), location, NULL);
  ragged_status_free(status);
  return false;
}
