// The numbers that control host programs, and where an error says it comes from.
#include "frame.h"
#include "runtime_test_support.h"

typedef struct divisor_case {
  int64_t dividend, divisor, bits, is_unsigned;
  bool defined;
} divisor_case;

typedef struct loop_case {
  int64_t lower, upper, step, is_unsigned, turns;
  const char *error;  // null: none
} loop_case;

static const divisor_case *divisor_now;
static const loop_case *loop_now;
static int64_t got, got_after_error;

static void run_divisor(ragged_rt_frame *frame) {
  const divisor_case *c = divisor_now;
  got = ragged_rt_frame_checked_divisor(frame, c->dividend, c->divisor, c->bits, c->is_unsigned);
}

static void run_loop(ragged_rt_frame *frame) {
  const loop_case *c = loop_now;
  ragged_rt_frame_at(frame, "f.mlir:3:8: 'scf.for'");
  got = ragged_rt_frame_trip_count(frame, c->lower, c->upper, c->step, c->is_unsigned);
  (void)ragged_rt_frame_checked_divisor(frame, 1, 0, 64, 0);
  got_after_error = ragged_rt_frame_trip_count(frame, 3, 5, 1, 0);
}

static void test_divisors(ragged_rt_context *context) {
  static const divisor_case cases[] = {
      {7, 2, 64, 0, true},           {7, 0, 64, 0, false},   {INT64_MIN, -1, 64, 0, false},
      {INT64_MIN, -1, 64, 1, true},  {-128, -1, 8, 0, false}, {-128, -1, 16, 0, true},
      {-127, -1, 8, 0, true},        {0, 0, 1, 1, false},     {-1, -1, 1, 0, false},
      {INT64_MIN, INT64_MIN, 64, 0, true}};
  const ragged_rt_entry entry = {"divisor", run_divisor, 0, 0, 0, NULL, NULL, NULL};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    divisor_now = &cases[k];
    ragged_status status = ragged_rt_call(context, &entry, 0, NULL, 0, NULL);
    CHECK((status == NULL) == cases[k].defined);
    CHECK_INT(got, cases[k].defined ? cases[k].divisor : 1);
    ragged_status_free(status);
  }
}

static void test_loops(ragged_rt_context *context) {
  static const char *const kStep = "f.mlir:3:8: 'scf.for': the step is ";
  static const char *const kTurns = "f.mlir:3:8: 'scf.for': the loop has 18446744073709551615 turns";
  const loop_case cases[] = {
      {0, 10, 3, 0, 4, NULL},         {0, 9, 3, 0, 3, NULL},
      {10, 0, 3, 0, 0, NULL},         {7, 7, 1, 0, 0, NULL},
      {0, 10, 0, 0, 0, kStep},        {10, 0, -1, 0, 0, kStep},
      {0, INT64_MAX, 1, 0, INT64_MAX, NULL},
      {3, 5, INT64_MAX, 0, 1, NULL},  // the counter leaves its type behind the last turn
      {INT64_MIN, INT64_MAX, INT64_MAX, 0, 3, NULL},
      {INT64_MIN, INT64_MAX, 1, 0, 0, kTurns},
      {INT64_MIN, INT64_MAX, 2, 0, INT64_MAX, "f.mlir:3:8: 'scf.for': the loop has 9223372036854775808"},
      {5, -1, 1, 0, 0, NULL},
      {5, -1, 1, 1, 0, "f.mlir:3:8: 'scf.for': the loop has 18446744073709551610 turns"},
      {-3, -1, 1, 1, 2, NULL}};
  const ragged_rt_entry entry = {"loop", run_loop, 0, 0, 0, NULL, NULL, NULL};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    loop_now = &cases[k];
    const char *error = cases[k].error ? cases[k].error : "f.mlir:3:8: 'scf.for': 1 divided by 0";
    CHECK_FAILS(ragged_rt_call(context, &entry, 0, NULL, 0, NULL), RAGGED_STATUS_INVALID_ARGUMENT,
                error);
    CHECK_INT(got, cases[k].error ? 0 : cases[k].turns);
    CHECK_INT(got_after_error, 0);
  }
}

static void equal_extents(ragged_rt_frame *frame) {
  ragged_rt_frame_check_equal(frame, 3, 3, "operand #0, dimension 0");
  CHECK_INT(ragged_rt_frame_ok(frame), 1);
  ragged_rt_frame_check_equal(frame, 3, 2, "operand #1, dimension 0");
  ragged_rt_frame_check_equal(frame, 5, 4, "after an error");
}

static void test_extents(ragged_rt_context *context) {
  const ragged_rt_entry entry = {"extents", equal_extents, 0, 0, 0, NULL, NULL, NULL};
  CHECK_FAILS(ragged_rt_call(context, &entry, 0, NULL, 0, NULL), RAGGED_STATUS_INVALID_ARGUMENT,
              "operand #1, dimension 0 has extent 3, but 2 is required");
}

int main(void) {
  ragged_rt_context *context = runtime_test_context("generated", 1);
  test_extents(context);
  test_divisors(context);
  test_loops(context);
  ragged_rt_context_release(context);
  return unit_test_finish();
}
