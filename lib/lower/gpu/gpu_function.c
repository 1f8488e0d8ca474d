// See gpu_function.h.
#include "lower/gpu/gpu_function.h"

#include "dialect/type_schema.h"

static MlirValue special_register(gpu_emission *g, const char *name) {
  return ragged_build_value(&g->e.b, name, g->i32, RAGGED_NONE);
}

static MlirType function_type(gpu_emission *g, intptr_t count, const MlirType *types) {
  const char *text = "!llvm.func<void (";
  for (intptr_t k = 0; k < count; ++k)
    text = ragged_arena_format(g->e.arena, "%s%s%s", text, k ? ", " : "",
                               ragged_type_text(g->e.arena, types[k]));
  return ragged_type_parse(g->e.context, ragged_arena_format(g->e.arena, "%s)>", text));
}

MlirBlock gpu_begin_function(gpu_emission *g, const ragged_builder *builder, const char *name,
                             intptr_t count, const MlirType *types, const char *attributes,
                             bool kernel) {
  MlirContext context = g->e.context;
  MlirLocation *locations = RAGGED_ARENA_ARRAY(g->e.arena, MlirLocation, count);
  for (intptr_t k = 0; k < count; ++k) locations[k] = builder->location;
  MlirBlock entry = mlirBlockCreate(count, types, locations);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, entry);
  MlirNamedAttribute list[7] = {
      ragged_named(context, "sym_name", ragged_attribute_string(context, name)),
      ragged_named(context, "function_type", ragged_attribute_type(function_type(g, count, types))),
      ragged_named(context, "linkage",
                   ragged_attribute_parse(context, kernel ? "#llvm.linkage<external>"
                                                          : "#llvm.linkage<internal>"))};
  intptr_t num_attributes = 3;
  if (attributes)
    list[num_attributes++] =
        ragged_named(context, "arg_attrs", ragged_attribute_parse(context, attributes));
  // A call would keep what is live across it in local memory.
  if (!kernel)
    list[num_attributes++] = ragged_named(context, "always_inline", mlirUnitAttrGet(context));
  if (kernel) {
    int32_t threads = GPU_THREADS;
    list[num_attributes++] = ragged_named(context, "nvvm.kernel", mlirUnitAttrGet(context));
    list[num_attributes++] =
        ragged_named(context, "nvvm.reqntid", mlirDenseI32ArrayGet(context, 1, &threads));
    list[num_attributes++] =
        ragged_named(context, "nvvm.minctasm", ragged_attribute_i32(context, g->layout->resident_blocks));
  }
  ragged_build(builder, "llvm.func", RAGGED_NONE, RAGGED_NONE, num_attributes, list, 1, &region);
  g->e.b = ragged_builder_at_end(entry, builder->location);
  g->thread = special_register(g, "nvvm.read.ptx.sreg.tid.x");
  g->block = special_register(g, "nvvm.read.ptx.sreg.ctaid.x");
  g->grid = special_register(g, "nvvm.read.ptx.sreg.nctaid.x");
  MlirOperation end = ragged_build(&g->e.b, "llvm.return", RAGGED_NONE, RAGGED_NONE, RAGGED_NONE,
                                   RAGGED_NONE);
  g->e.b = ragged_builder_before(end);
  return entry;
}

void gpu_end_function(gpu_emission *g) { g->e.b = (ragged_builder){.context = g->e.context}; }

void gpu_call(gpu_emission *g, const char *name, intptr_t count, const MlirValue *arguments) {
  MlirContext context = g->e.context;
  int32_t segments[] = {(int32_t)count, 0};
  ragged_build(&g->e.b, "llvm.call", count, arguments, RAGGED_NONE,
               RAGGED_ATTRIBUTES(
                   ragged_named(context, "callee", ragged_attribute_symbol(context, name)),
                   ragged_named(context, "op_bundle_sizes", mlirDenseI32ArrayGet(context, 0, NULL)),
                   ragged_named(context, "operandSegmentSizes",
                                mlirDenseI32ArrayGet(context, 2, segments))),
               RAGGED_NONE);
}
