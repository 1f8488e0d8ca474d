// See lower_launch.h. A launch passes the slots that kernel_layout.h says the kernel reads; how many
// blocks there are is the runtime's business.
#include "lower/gpu/lower_launch.h"

#include <string.h>

#include "lower/gpu/gpu_emit.h"
#include "lower/gpu/lower_gpu.h"
#include "lower/gpu/plain_product.h"
#include "lower/host/lower_host.h"

static MlirValue images_address(host_lowering *self, const ragged_builder *at) {
  MlirContext context = self->context;
  if (mlirOperationIsNull(ragged_module_lookup(self->module, RAGGED_GPU_IMAGES))) {
    MlirRegion initialiser = mlirRegionCreate();
    ragged_build(
        &self->top, "llvm.mlir.global", RAGGED_NONE, RAGGED_NONE,
        RAGGED_ATTRIBUTES(
            ragged_named(context, "sym_name", ragged_attribute_string(context, RAGGED_GPU_IMAGES)),
            ragged_named(context, "global_type",
                         ragged_attribute_type(
                             ragged_type_parse(context, "!llvm.struct<(i64, i64, ptr)>"))),
            ragged_named(context, "linkage",
                         ragged_attribute_parse(context, "#llvm.linkage<external>")),
            ragged_named(context, "constant", mlirUnitAttrGet(context)),
            ragged_named(context, "addr_space", ragged_attribute_i32(context, 0))),
        1, &initialiser);
  }
  MlirNamedAttribute name =
      ragged_named(context, "global_name", ragged_attribute_symbol(context, RAGGED_GPU_IMAGES));
  return ragged_build_value_with(at, "llvm.mlir.addressof", self->pointer, RAGGED_NONE, 1, &name);
}

// The slots, then the order of the samples. Refuses samples whose rows a kernel cannot count.
static intptr_t build_words(host_lowering *self, const ragged_builder *at,
                            const launch_operands *operands, const gpu_layout *gpu,
                            MlirValue *words) {
  const kernel_layout *layout = self->layout;
  intptr_t count = 0;
  for (int k = 0; k < layout->num_slots; ++k)
    if (layout->slots[k].kind != SLOT_PRODUCT)
      words[count++] = lower_host_slot(self, at, operands, &layout->slots[k]);
  if (!gpu->ordered) return count;
  MlirValue space = lower_host_launch_space(self, at, operands, layout->num_grid, layout->grid);
  lower_host_call(self, at, "ragged_rt_frame_check_rows32", RAGGED_VALUES(self->frame, space));
  words[count++] = lower_host_call(self, at, "ragged_rt_frame_space_order",
                                   RAGGED_VALUES(self->frame, space));
  words[count++] = lower_host_call(self, at, "ragged_rt_frame_space_ordered_offsets",
                                   RAGGED_VALUES(self->frame, space));
  return count;
}

static bool lower_launch(host_lowering *self, MlirOperation launch) {
  const char *name = ragged_operation_string(launch, "kernel");
  MlirOperation kernel = ragged_module_lookup(self->module, name);
  kernel_plan plan;
  gpu_layout *gpu = RAGGED_ARENA_ARRAY(self->arena, gpu_layout, 1);
  if (!gpu_layout_read(self->arena, kernel, &plan, gpu)) return false;
  *self->layout = gpu->kernel;
  launch_operands operands = lower_host_launch_operands(self, launch);
  ragged_builder at = ragged_builder_before(launch);
  MlirValue words[2 + KERNEL_LAYOUT_MAX_SLOTS];
  intptr_t count = build_words(self, &at, &operands, gpu, words);
  // Of the rows; the launch asks whether only the device knows them.
  MlirValue space = gpu->kernel.num_grid
                        ? lower_host_launch_space(self, &at, &operands, gpu->kernel.num_grid,
                                                  gpu->kernel.grid)
                        : lower_host_null(self, &at);
  MlirValue items = operands.items;
  if (gpu->kernel.over_rows.is)
    items = ragged_build_value(
        &at, "arith.muli", self->i64,
        RAGGED_VALUES(items, lower_host_i64(self, &at, gpu_over_rows_tiles(&gpu->kernel.over_rows))));
  MlirValue images = images_address(self, &at);
  MlirValue text = lower_host_string(self, &at, name, strlen(name));
  MlirValue array = lower_host_array(self, &at, count, words);
  MlirValue arguments[] = {self->frame,
                           images,
                           text,
                           array,
                           lower_host_i64(self, &at, count),
                           space,
                           items,
                           lower_host_i64(self, &at, gpu->rows_per_block),
                           lower_host_i64(self, &at, GPU_THREADS),
                           lower_host_i64(self, &at, gpu->shared_bytes),
                           lower_host_i64(self, &at, gpu->scratch_bytes),
                           lower_host_i64(self, &at, gpu->kernel.bytes_per_row),
                           lower_host_i64(self, &at, gpu->kernel.flops_per_row),
                           ragged_value_none()};
  intptr_t num_arguments = sizeof arguments / sizeof *arguments;
  MlirAttribute product;
  if (plain_product_read(kernel, gpu, &product)) {
    arguments[num_arguments - 1] = lower_host_elements(self, &at, product);
    lower_host_call(self, &at, "ragged_rt_frame_launch_product", num_arguments, arguments);
  } else {
    lower_host_call(self, &at, "ragged_rt_frame_launch_grid", num_arguments - 1, arguments);
  }
  mlirOperationDestroy(launch);
  return true;
}

static void begin_program(host_lowering *self, const ragged_builder *at) {
  lower_host_call(self, at, "ragged_rt_frame_kernels",
                  RAGGED_VALUES(self->frame, images_address(self, at)));
}

bool ragged_lower_host_to_gpu(MlirOperation module) {
  const host_backend backend = {lower_launch, NULL, begin_program};
  return ragged_lower_host(module, &backend);
}
