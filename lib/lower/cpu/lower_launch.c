// Launches on the CPU: the slots that kernel_layout.h says the kernel reads, the products that run
// inside it, and the runtime's launch.
#include <string.h>

#include "lower/cpu/lower_cpu.h"
#include "lower/cpu/lower_over_rows.h"
#include "lower/cpu/product.h"
#include "lower/host/lower_host.h"

// Weight and bias are given as they are in memory: the runtime widens bf16.
static MlirValue build_product(host_lowering *self, const ragged_builder *at,
                               const launch_operands *operands, const kernel_dot *dot) {
  const ragged_product_shape *shape = &dot->shape;
  int64_t rows = self->layout->block_rows * dot->rows_per_row;
  if (rows == 0) rows = 1;  // a tail without elements: the product is made, and runs over no rows
  MlirValue bias = dot->bias_ref < 0 ? lower_host_null(self, at) : operands->buffers[dot->bias_ref];
  MlirValue function = lower_host_function(
      self, at, ragged_product_name(self->arena, shape),
      RAGGED_TYPES(self->pointer, self->pointer, self->pointer, self->pointer, self->i64));
  return lower_host_call(
      self, at, "ragged_rt_frame_product",
      RAGGED_VALUES(self->frame, lower_host_i64(self, at, shape->element_type),
                    lower_host_i64(self, at, shape->k), lower_host_i64(self, at, shape->n),
                    lower_host_i64(self, at, rows), operands->buffers[dot->weight_ref],
                    lower_host_i64(self, at, shape->transposed), bias,
                    lower_host_i64(self, at, shape->activation),
                    lower_host_i64(self, at, shape->residual),
                    lower_host_i64(self, at, ragged_product_panel(self->backend->target, shape)), function));
}

static bool lower_launch(host_lowering *self, MlirOperation launch) {
  const char *name = ragged_operation_string(launch, "kernel");
  kernel_layout *layout = self->layout;
  if (!ragged_cpu_layout_read(ragged_module_lookup(self->module, name), layout)) return false;
  launch_operands operands = lower_host_launch_operands(self, launch);
  ragged_builder at = ragged_builder_before(launch);
  if (layout->over_rows.is) {
    ragged_lower_over_rows_launch(self, &at, name, &operands);
    mlirOperationDestroy(launch);
    return true;
  }
  MlirValue slots[KERNEL_LAYOUT_MAX_SLOTS];
  for (int k = 0; k < layout->num_slots; ++k)
    slots[k] = layout->slots[k].kind == SLOT_PRODUCT
                   ? build_product(self, &at, &operands, &layout->dots[layout->slots[k].number])
                   : lower_host_slot(self, &at, &operands, &layout->slots[k]);
  MlirValue function = lower_host_function(
      self, &at, name, RAGGED_TYPES(self->pointer, self->i64, self->i64, self->pointer));
  MlirValue text = lower_host_string(self, &at, name, strlen(name));
  MlirValue array = lower_host_array(self, &at, layout->num_slots, slots);
  lower_host_call(
      self, &at, "ragged_rt_frame_launch",
      RAGGED_VALUES(self->frame, function, text, array, operands.items,
                    lower_host_i64(self, &at, layout->grain),
                    lower_host_i64(self, &at, layout->scratch_bytes),
                    lower_host_i64(self, &at, layout->bytes_per_row),
                    lower_host_i64(self, &at, layout->flops_per_row)));
  for (int k = 0; k < layout->num_slots; ++k)  // a packed weight is memory
    if (layout->slots[k].kind == SLOT_PRODUCT)
      lower_host_call(self, &at, "ragged_rt_frame_release_product",
                      RAGGED_VALUES(self->frame, slots[k]));
  mlirOperationDestroy(launch);
  return true;
}

bool ragged_lower_host_to_cpu(MlirOperation module, const ragged_cpu_target *target) {
  const host_backend backend = {lower_launch, target, NULL};
  return ragged_lower_host(module, &backend);
}
