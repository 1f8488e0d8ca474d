// Numbers that control the host program: what a processor would trap on, or loop on for ever, is an
// error of the call.
#include "frame_state.h"

int64_t ragged_rt_frame_checked_divisor(ragged_rt_frame *frame, int64_t dividend, int64_t divisor,
                                        int64_t bits, int64_t is_unsigned) {
  bool leaves = !is_unsigned && divisor == -1 && dividend == INT64_MIN >> (64 - bits);
  if (divisor != 0 && !leaves) return divisor;
  (void)ragged_rt_frame_note(
      frame, ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT, "%lld divided by %lld has no result",
                                (long long)dividend, (long long)divisor));
  return 1;
}

int64_t ragged_rt_frame_trip_count(ragged_rt_frame *frame, int64_t lower, int64_t upper,
                                   int64_t step, int64_t is_unsigned) {
  if (frame->status) return 0;
  if (step < 1) {
    (void)ragged_rt_frame_note(
        frame, ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                  "the step is %lld, but 1 or more is required",
                                  (long long)step));
    return 0;
  }
  if (is_unsigned ? (uint64_t)lower >= (uint64_t)upper : lower >= upper) return 0;
  uint64_t distance = (uint64_t)upper - (uint64_t)lower;
  uint64_t turns = (distance - 1) / (uint64_t)step + 1;
  if (turns <= INT64_MAX) return (int64_t)turns;
  (void)ragged_rt_frame_note(
      frame, ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "the loop has %llu turns, but at most 2^63 - 1 are supported",
                                (unsigned long long)turns));
  return 0;
}

void ragged_rt_frame_check_equal(ragged_rt_frame *frame, int64_t found, int64_t required,
                                 const char *what) {
  if (frame->status || found == required) return;
  (void)ragged_rt_frame_note(
      frame, ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "%s has extent %lld, but %lld is required", what,
                                (long long)found, (long long)required));
}
