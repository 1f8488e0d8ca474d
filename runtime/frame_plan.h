// The plan of a call with axes that only the device knows. The host program runs twice: first to say
// what it will need, when nothing reaches the device and everything that the host would have to know
// is an error; then, after one kernel has computed all extents and offsets, for the device.
//
// The kernel (lib/lower/gpu/metadata_kernel.mlir) runs the steps in order, as one block. Numbers lie in
// one array of the call's; after any fault all of them are 0, so that no kernel of the call finds a
// row, and the context's record says what was wrong.
#ifndef RAGGED_RT_FRAME_PLAN_H
#define RAGGED_RT_FRAME_PLAN_H

#include "frame_state.h"

#define RAGGED_RT_PLAN_KERNEL "ragged_metadata"

// Numbered as the kernel knows them. Per sample, but for SCAN: out = a (op) b.
typedef enum ragged_rt_plan_kind {
  RAGGED_RT_PLAN_COPY = 1,
  RAGGED_RT_PLAN_ADD,
  RAGGED_RT_PLAN_SUBTRACT,
  RAGGED_RT_PLAN_MULTIPLY,
  RAGGED_RT_PLAN_FLOORDIV,
  RAGGED_RT_PLAN_MAX,
  RAGGED_RT_PLAN_MIN,
  RAGGED_RT_PLAN_ROWS,  // a * b of numbers that are not negative; RAGGED_RT_PLAN_MAX_ROWS at most
  RAGGED_RT_PLAN_SAME,  // a fault where they differ; no out
  // Running sums of a, from 0: B + 1 numbers. Then the B samples in the order in which their rows are
  // visited: as they lie, those where a is 0 after all others. Then the running sums in that order.
  RAGGED_RT_PLAN_SCAN,
} ragged_rt_plan_kind;

#define RAGGED_RT_PLAN_MAX_ROWS (INT64_C(1) << 61)

typedef struct ragged_rt_plan_operand {
  enum {
    RAGGED_RT_PLAN_NUMBER,       // the same for every sample
    RAGGED_RT_PLAN_WORDS,        // from this word of the call's array on
    RAGGED_RT_PLAN_ADDRESS,      // B numbers of 64 bits
    RAGGED_RT_PLAN_ADDRESS_32,
  } mode;
  int64_t value;
} ragged_rt_plan_operand;

// Eight words, as the kernel reads them. limit: results are 0 to limit, or the sums are; -1: any
// number of 64 bits.
typedef struct ragged_rt_plan_step {
  int64_t kind, a_mode, a, b_mode, b, limit, out, reserved;
} ragged_rt_plan_step;

// The word where the B extents of an axis, or what RAGGED_RT_PLAN_SCAN makes for a space, will be. -1
// after noting an error.
int64_t ragged_rt_plan_axis(ragged_rt_frame *frame, ragged_rt_axis *axis);
int64_t ragged_rt_plan_space(ragged_rt_frame *frame, ragged_rt_space *space);
// Plans that two axes are compared.
void ragged_rt_plan_same(ragged_rt_frame *frame, ragged_rt_axis *found, ragged_rt_axis *required);

// Runs the entry, on the device in the end. The frame's arguments have been checked.
void ragged_rt_plan_run(ragged_rt_frame *frame);

// True unless `asks`: then `what` was asked of a host that must neither wait nor know sizes, e.g. "the host
// reads a number of the device", and an error is noted that says so and what is `required` instead.
bool ragged_rt_plan_allows(ragged_rt_frame *frame, bool asks, const char *what,
                           const char *required);
// "axis n" where the entry names it, else "an axis".
const char *ragged_rt_plan_axis_name(const ragged_rt_frame *frame, const ragged_rt_axis *axis,
                                     char room[64]);

#endif  // RAGGED_RT_FRAME_PLAN_H
