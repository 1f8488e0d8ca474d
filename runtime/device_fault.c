// What kernels found wrong with lengths that only the device knows. No call can give that error: it
// had returned, or was part of a graph. The first fault stands in a record on the device until
// something that waits reads it.
#include "context.h"
#include "frame_plan.h"

enum { kBytes = RAGGED_RT_FAULT_WORDS * sizeof(int64_t) };

static ragged_status clear(ragged_rt_context *context) {
  ragged_rt_device *device = context->device;
  return device->table->fill(device, context->fault, 0, kBytes);
}

ragged_status ragged_rt_fault_prepare(ragged_rt_context *context) {
  if (context->fault || context->device->table->is_host) return NULL;
  if (context->capture)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "an axis that only the device knows must be made before the capture "
                              "begins");
  void *record = NULL;
  RAGGED_RETURN_IF_ERROR(ragged_rt_memory_allocate(&context->memory, kBytes,
                                                   "the record of faults", &record));
  context->fault = record;
  ragged_rt_memory_park(&context->memory, kBytes);
  ragged_status status = clear(context);
  if (status) ragged_rt_fault_release(context);
  return status;
}

static ragged_status explain(const int64_t *record) {
  long long sample = record[1], found = record[2], required = record[3];
  switch (record[0]) {
    case RAGGED_RT_PLAN_COPY:
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "the length of sample %lld on the device is %lld, but 0 to %lld are "
                                "allowed",
                                sample, found, required);
    case RAGGED_RT_PLAN_SAME:
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "an axis has extent %lld in sample %lld on the device, but the axis "
                                "that must be the same has %lld",
                                found, sample, required);
    case RAGGED_RT_PLAN_SCAN:
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "the lengths on the device give a space more than its capacity of "
                                "%lld rows at sample %lld",
                                required, sample);
    default:
      return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "an axis that is computed from lengths on the device has extent "
                                "%lld in sample %lld, but 0 to %lld are allowed",
                                found, sample, required);
  }
}

ragged_status ragged_rt_fault_take(ragged_rt_context *context) {
  if (!context->fault) return NULL;
  int64_t record[RAGGED_RT_FAULT_WORDS];
  ragged_rt_device *device = context->device;
  RAGGED_RETURN_IF_ERROR(device->table->download(device, record, context->fault, kBytes));
  if (!record[0]) return NULL;
  ragged_status status = clear(context);
  return status ? status : explain(record);
}

void ragged_rt_fault_release(ragged_rt_context *context) {
  if (!context->fault) return;
  ragged_rt_memory_free_parked(&context->memory, context->fault, kBytes);
  context->fault = NULL;
}
