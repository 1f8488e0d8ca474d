// What every back end's launches have in common: their operands, and the slots that are no products.
#include "lower/host/lower_host.h"

launch_operands lower_host_launch_operands(host_lowering *self, MlirOperation launch) {
  intptr_t count = mlirOperationGetNumOperands(launch);
  MlirValue *operands = RAGGED_ARENA_ARRAY(self->arena, MlirValue, count);
  for (intptr_t k = 0; k < count; ++k) operands[k] = mlirOperationGetOperand(launch, k);
  return (launch_operands){operands[1], operands[2], operands + 3,
                           operands + 3 + self->layout->num_axes};
}

MlirValue lower_host_launch_space(host_lowering *self, const ragged_builder *at,
                                  const launch_operands *operands, int num_axes,
                                  const int64_t *axes) {
  MlirValue handles[RAGGED_MAX_RANK];
  for (int k = 0; k < num_axes; ++k) handles[k] = operands->axes[axes[k]];
  bool any_axis = self->layout->num_axes > 0;
  MlirValue batch_of = any_axis ? operands->axes[0] : lower_host_null(self, at);
  return lower_host_call(self, at, "ragged_rt_frame_space",
                         RAGGED_VALUES(self->frame, lower_host_i64(self, at, num_axes),
                                       lower_host_array(self, at, num_axes, handles), batch_of));
}

MlirValue lower_host_slot(host_lowering *self, const ragged_builder *at,
                          const launch_operands *operands, const kernel_slot *slot) {
  switch (slot->kind) {
    case SLOT_REF:
      return lower_host_call(self, at, "ragged_rt_frame_data",
                             RAGGED_VALUES(self->frame, operands->buffers[slot->number]));
    case SLOT_EXTENTS:
      return lower_host_call(self, at, "ragged_rt_frame_axis_extents",
                             RAGGED_VALUES(self->frame, operands->axes[slot->number]));
    case SLOT_OFFSETS: {
      MlirValue space =
          lower_host_launch_space(self, at, operands, slot->num_axes, slot->axes);
      return lower_host_call(self, at, "ragged_rt_frame_space_offsets",
                             RAGGED_VALUES(self->frame, space));
    }
    default: return operands->batch;  // SLOT_BATCH
  }
}
