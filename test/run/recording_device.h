// A context on the emulated device whose stream can be captured: while it is, what calls ask of the
// device is recorded and not done; then it can be done any number of times, as a graph is launched.
#ifndef RAGGED_TEST_RECORDING_DEVICE_H
#define RAGGED_TEST_RECORDING_DEVICE_H

#include "ragged_rt.h"

typedef struct recording_device recording_device;

RAGGED_MUST_USE ragged_status recording_device_create(ragged_rt_context **out_context,
                                                      recording_device **out);
// After the context has ended.
void recording_device_destroy(recording_device *self);
// Forgets what was recorded, and records from now on.
void recording_device_begin(recording_device *self);
void recording_device_end(recording_device *self);
RAGGED_MUST_USE ragged_status recording_device_replay(recording_device *self);
// How many launches of `kernel` (null: of any) were recorded.
int recording_device_launches(const recording_device *self, const char *kernel);

#endif  // RAGGED_TEST_RECORDING_DEVICE_H
