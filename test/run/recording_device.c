// See recording_device.h. The emulated device's table of functions with some of them replaced.
#include "recording_device.h"

#include <stdlib.h>
#include <string.h>

#include "context.h"

typedef struct operation {
  enum { OPERATION_LAUNCH, OPERATION_COPY, OPERATION_FILL } kind;
  ragged_rt_grid grid;
  int64_t *parameters;  // owned
  void *to;
  const void *from;
  int byte;
  size_t bytes;
} operation;

struct recording_device {
  ragged_rt_device_table table;  // first: devices point to it
  const ragged_rt_device_table *real;
  ragged_rt_device *device;
  bool recording;
  operation *operations;
  int count, capacity;
};

static recording_device *of(const ragged_rt_device *device) {
  return (recording_device *)(uintptr_t)device->table;
}

static ragged_status record(recording_device *self, const operation *op) {
  if (self->count == self->capacity) {
    self->capacity = self->capacity ? 2 * self->capacity : 16;
    self->operations = realloc(self->operations, (size_t)self->capacity * sizeof *op);
    if (!self->operations) abort();
  }
  self->operations[self->count++] = *op;
  return NULL;
}

static ragged_status refuse(const char *what) {
  return ragged_status_make(RAGGED_STATUS_INTERNAL, "%s while the stream is captured", what);
}

static ragged_status launch_grid(ragged_rt_device *device, const ragged_rt_grid *grid) {
  recording_device *self = of(device);
  if (!self->recording) return self->real->launch_grid(device, grid);
  operation op = {.kind = OPERATION_LAUNCH, .grid = *grid};
  size_t bytes = (size_t)grid->num_parameters * sizeof *op.parameters;
  op.parameters = malloc(bytes + 1);
  if (!op.parameters) abort();
  memcpy(op.parameters, grid->parameters, bytes);
  return record(self, &op);
}

static ragged_status copy(ragged_rt_device *device, void *to, const void *from, size_t bytes) {
  recording_device *self = of(device);
  if (!self->recording) return self->real->copy(device, to, from, bytes);
  return record(self, &(operation){.kind = OPERATION_COPY, .to = to, .from = from, .bytes = bytes});
}

static ragged_status fill(ragged_rt_device *device, void *to, int byte, size_t bytes) {
  recording_device *self = of(device);
  if (!self->recording) return self->real->fill(device, to, byte, bytes);
  return record(self, &(operation){.kind = OPERATION_FILL, .to = to, .byte = byte, .bytes = bytes});
}

static ragged_status upload(ragged_rt_device *device, void *to, const void *from, size_t bytes) {
  recording_device *self = of(device);
  return self->recording ? refuse("an upload") : self->real->upload(device, to, from, bytes);
}

static ragged_status download(ragged_rt_device *device, void *to, const void *from, size_t bytes) {
  recording_device *self = of(device);
  return self->recording ? refuse("a download") : self->real->download(device, to, from, bytes);
}

static ragged_status synchronise(ragged_rt_device *device) {
  recording_device *self = of(device);
  return self->recording ? refuse("waiting") : self->real->synchronise(device);
}

static ragged_status capturing(ragged_rt_device *device, bool *out) {
  *out = of(device)->recording;
  return NULL;
}

// The device has its own table back when it ends.
static void destroy(ragged_rt_device *device) {
  recording_device *self = of(device);
  device->table = self->real;
  self->real->destroy(device);
}

ragged_status recording_device_create(ragged_rt_context **out_context, recording_device **out) {
  ragged_rt_context_options options = {.struct_size = sizeof options, .device = "emulated"};
  recording_device *self = calloc(1, sizeof *self);
  if (!self) abort();
  ragged_status status = ragged_rt_context_create(&options, out_context);
  if (status) {
    free(self);
    return status;
  }
  self->device = (*out_context)->device;
  self->real = self->device->table;
  self->table = *self->real;
  self->table.destroy = destroy;
  self->table.launch_grid = launch_grid;
  self->table.copy = copy;
  self->table.fill = fill;
  self->table.upload = upload;
  self->table.download = download;
  self->table.synchronise = synchronise;
  self->table.capturing = capturing;
  self->device->table = &self->table;
  (*out_context)->embedder_stream = true;
  *out = self;
  return NULL;
}

void recording_device_begin(recording_device *self) {
  for (int k = 0; k < self->count; ++k) free(self->operations[k].parameters);
  self->count = 0;
  self->recording = true;
}

void recording_device_end(recording_device *self) { self->recording = false; }

ragged_status recording_device_replay(recording_device *self) {
  for (int k = 0; k < self->count; ++k) {
    operation *op = &self->operations[k];
    op->grid.parameters = op->parameters;
    RAGGED_RETURN_IF_ERROR(
        op->kind == OPERATION_LAUNCH ? self->real->launch_grid(self->device, &op->grid)
        : op->kind == OPERATION_COPY ? self->real->copy(self->device, op->to, op->from, op->bytes)
                                     : self->real->fill(self->device, op->to, op->byte, op->bytes));
  }
  return NULL;
}

int recording_device_launches(const recording_device *self, const char *kernel) {
  int count = 0;
  for (int k = 0; k < self->count; ++k)
    count += self->operations[k].kind == OPERATION_LAUNCH &&
             (!kernel || strcmp(self->operations[k].grid.kernel, kernel) == 0);
  return count;
}

void recording_device_destroy(recording_device *self) {
  if (!self) return;
  recording_device_begin(self);
  free(self->operations);
  free(self);
}
