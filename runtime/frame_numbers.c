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

// How far the counter goes past `upper` at least: it stops at the first lower + k * step that is not
// less.
static uint64_t overshoot(int64_t lower, int64_t upper, int64_t step) {
  uint64_t rest = ((uint64_t)upper - (uint64_t)lower) % (uint64_t)step;
  return rest ? (uint64_t)step - rest : 0;
}

int64_t ragged_rt_frame_checked_bound(ragged_rt_frame *frame, int64_t lower, int64_t upper,
                                      int64_t step, int64_t bits, int64_t is_unsigned) {
  if (frame->status) return lower;
  if (step < 1) {
    (void)ragged_rt_frame_note(
        frame, ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                  "the step is %lld, but 1 or more is required",
                                  (long long)step));
    return lower;
  }
  bool enters = is_unsigned ? (uint64_t)lower < (uint64_t)upper : lower < upper;
  uint64_t largest = UINT64_MAX >> (64 - bits) >> !is_unsigned;
  if (!enters || overshoot(lower, upper, step) <= largest - (uint64_t)upper) return upper;
  (void)ragged_rt_frame_note(
      frame, ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                                "a counter from %lld to %lld by steps of %lld leaves its %lld "
                                "bits",
                                (long long)lower, (long long)upper, (long long)step,
                                (long long)bits));
  return lower;
}
