// Captures as the runtime's own files see them (capture.c). The public part is in ragged_rt.h.
#ifndef RAGGED_RT_CAPTURE_H
#define RAGGED_RT_CAPTURE_H

#include "constants.h"

// Once per call: the stream is being captured exactly where a capture of the context is in progress.
RAGGED_MUST_USE ragged_status ragged_rt_capture_check(ragged_rt_context *context);
// The capture in progress, if there is one, uses the constant: it is not given up before that ends.
RAGGED_MUST_USE ragged_status ragged_rt_capture_keep(ragged_rt_context *context,
                                                     ragged_rt_constant *constant);

#endif  // RAGGED_RT_CAPTURE_H
