// The kinds of devices. A new kind is a row here and a table of functions of its own.
#include "device.h"

#include <string.h>

#include "support/string_buffer.h"

typedef struct device_kind {
  const char *name;
  ragged_status (*create)(const ragged_rt_device_options *options, ragged_rt_device **out_device);
} device_kind;

static const device_kind kKinds[] = {
    {"host", ragged_rt_device_create_host},
    {"cuda", ragged_rt_device_create_cuda},
    {"emulated", ragged_rt_device_create_emulated},
};
enum { kNumKinds = sizeof kKinds / sizeof kKinds[0] };

ragged_status ragged_rt_device_create(const char *kind, const ragged_rt_device_options *options,
                                      ragged_rt_device **out_device) {
  for (int k = 0; k < kNumKinds; ++k)
    if (strcmp(kKinds[k].name, kind) == 0) return kKinds[k].create(options, out_device);
  ragged_string_buffer names = {0};
  for (int k = 0; k < kNumKinds; ++k)
    ragged_string_appendf(&names, "%s'%s'", k ? ", " : "", kKinds[k].name);
  ragged_status status =
      ragged_status_make(RAGGED_STATUS_UNAVAILABLE, "there is no device '%s'; there are: %s", kind,
                         names.data ? names.data : "");
  ragged_string_free(&names);
  return status;
}
