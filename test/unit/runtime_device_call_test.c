// Calls on all devices: axes and scalars of tensors, results, statistics, errors, failing
// allocations.
#include "runtime_device_support.h"

// ---- Axes and scalars of tensors ---------------------------------------------------------------

// (lengths, offsets) -> extents of n and m, the offsets of (n, m).
static void read_axes(ragged_rt_frame *frame) {
  ragged_rt_axis *n = ragged_rt_frame_axis_from_lengths(frame, ragged_rt_frame_argument(frame, 0));
  ragged_rt_axis *m = ragged_rt_frame_axis_from_offsets(frame, ragged_rt_frame_argument(frame, 1));
  ragged_rt_axis *axes[] = {n, m};
  ragged_rt_frame_result_dense(frame, 0, ragged_rt_frame_extents(frame, n));
  ragged_rt_frame_result_dense(frame, 1, ragged_rt_frame_extents(frame, m));
  ragged_rt_frame_result_dense(
      frame, 2, ragged_rt_frame_offsets(frame, ragged_rt_frame_space(frame, 2, axes, NULL)));
}

static ragged_status call_read_axes(ragged_rt_context *context, int64_t batch,
                                    const int64_t *lengths, int64_t num_offsets,
                                    const int64_t *offsets, ragged_rt_tensor **results) {
  ragged_rt_value_type vector = runtime_test_dense(RAGGED_ELEMENT_I64, 1, -1, 0);
  ragged_rt_value_type types[] = {vector, vector, vector};
  ragged_rt_entry entry = {"read_axes", read_axes, 2, 3, 0, types, types, NULL};
  ragged_rt_tensor *arguments[2] = {NULL, NULL};
  CHECK_OK(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_I64, NULL, 1, &batch, lengths,
                                      &arguments[0]));
  CHECK_OK(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_I64, NULL, 1, &num_offsets, offsets,
                                      &arguments[1]));
  ragged_status status = ragged_rt_call(context, &entry, 2, arguments, 3, results);
  ragged_rt_tensor_release(arguments[0]);
  ragged_rt_tensor_release(arguments[1]);
  return status;
}

static void check_and_release(ragged_rt_tensor *tensor, int64_t count, const int64_t *expected) {
  int64_t got[8] = {0};
  CHECK_INT(ragged_rt_tensor_rows(tensor), count);
  CHECK_OK(ragged_rt_tensor_to_host(tensor, got, sizeof got));
  for (int64_t i = 0; i < count; ++i) CHECK_INT(got[i], expected[i]);
  ragged_rt_tensor_release(tensor);
}

static void test_axes_of_tensors(ragged_rt_context *context) {
  const int64_t lengths[] = {2, 0, 3}, offsets[] = {0, 1, 1, 5}, m[] = {1, 0, 4};
  const int64_t pairs[] = {0, 2, 2, 14}, zero = 0;
  ragged_rt_tensor *results[3];
  if (CHECK_OK(call_read_axes(context, 3, lengths, 4, offsets, results))) {
    check_and_release(results[0], 3, lengths);
    check_and_release(results[1], 3, m);
    check_and_release(results[2], 4, pairs);
  }
  if (CHECK_OK(call_read_axes(context, 0, NULL, 1, &zero, results))) {
    check_and_release(results[0], 0, NULL);
    check_and_release(results[1], 0, NULL);
    check_and_release(results[2], 1, &zero);
  }
  const int64_t negative[] = {2, -1, 3}, decreasing[] = {0, 2, 1, 5};
  CHECK_FAILS(call_read_axes(context, 3, negative, 4, offsets, results),
              RAGGED_STATUS_INVALID_ARGUMENT, "the length of sample 1 is -1");
  CHECK_FAILS(call_read_axes(context, 3, lengths, 4, decreasing, results),
              RAGGED_STATUS_INVALID_ARGUMENT, "offset 2 is 1");
  CHECK_FAILS(call_read_axes(context, 3, lengths, 3, offsets, results),
              RAGGED_STATUS_INVALID_ARGUMENT, "for 2 samples, but the batch has 3");
  CHECK_INT(runtime_test_live(context), 0);
}

// (numbers) -> as many rows, and two more.
static void extend(ragged_rt_frame *frame) {
  ragged_rt_tensor *numbers = ragged_rt_frame_argument(frame, 0);
  int64_t rows = ragged_rt_frame_dense_extent(frame, numbers, 0);
  ragged_rt_tensor *same = ragged_rt_frame_extend(frame, numbers, rows);
  CHECK(same == numbers);
  ragged_rt_frame_result_dense(frame, 0, same);
  ragged_rt_frame_result_dense(frame, 1, ragged_rt_frame_extend(frame, numbers, rows + 2));
}

static void test_extend(ragged_rt_context *context) {
  const int64_t numbers[] = {7, 8, 9, 0, 0};
  ragged_rt_value_type vector = runtime_test_dense(RAGGED_ELEMENT_I64, 1, -1, 0);
  ragged_rt_value_type types[] = {vector, vector};
  ragged_rt_entry entry = {"extend", extend, 1, 2, 0, types, types, NULL};
  for (int64_t rows = 0; rows <= 3; rows += 3) {
    ragged_rt_tensor *argument = NULL, *results[2];
    CHECK_OK(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_I64, NULL, 1, &rows, numbers,
                                        &argument));
    if (CHECK_OK(ragged_rt_call(context, &entry, 1, &argument, 2, results))) {
      check_and_release(results[0], rows, numbers);
      check_and_release(results[1], rows + 2, rows ? numbers : numbers + 3);
    }
    ragged_rt_tensor_release(argument);
  }
  CHECK_INT(runtime_test_live(context), 0);
}

// (x) -> 2 * x, where a kernel of the device can read x.
static void twice_of_any(ragged_rt_frame *frame) {
  ragged_rt_tensor *x = ragged_rt_frame_argument(frame, 0);
  int64_t count = ragged_rt_frame_dense_extent(frame, x, 0);
  ragged_rt_tensor *result =
      ragged_rt_frame_allocate_dense(frame, RAGGED_ELEMENT_F32, 1, &count);
  const void *data = ragged_rt_frame_data(frame, x);
  if (strcmp(current->name, "host") != 0) CHECK_INT((uintptr_t)data % RAGGED_RT_ACCESS_BYTES, 0);
  current->launch_twice(frame, data, ragged_rt_frame_data(frame, result), count);
  ragged_rt_frame_release(frame, x);
  ragged_rt_frame_result_dense(frame, 0, result);
}

// Borrowed data that begins at any element.
static void test_unaligned(ragged_rt_context *context) {
  ragged_rt_value_type vector = runtime_test_dense(RAGGED_ELEMENT_F32, 1, -1, 0);
  ragged_rt_entry entry = {"twice_of_any", twice_of_any, 1, 1, 0, &vector, &vector, NULL};
  const float values[] = {0, 1, 2, 3, 4, 5, 6, 7};
  int64_t all = COUNT(values);
  ragged_rt_tensor *whole = NULL;
  CHECK_OK(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_F32, NULL, 1, &all, values, &whole));
  for (int64_t first = 0; first <= all; ++first) {
    int64_t count = all - first;
    ragged_rt_tensor *part = NULL, *result = NULL;
    float *data = (float *)ragged_rt_tensor_data(whole) + first, got[COUNT(values)];
    CHECK_OK(ragged_rt_tensor_wrap_dense(context, RAGGED_ELEMENT_F32, 1, &count, data, NULL, NULL,
                                         &part));
    if (CHECK_OK(ragged_rt_call(context, &entry, 1, &part, 1, &result))) {
      CHECK_OK(ragged_rt_tensor_to_host(result, got, sizeof got));
      for (int64_t i = 0; i < count; ++i) CHECK(got[i] == 2 * values[first + i]);
      ragged_rt_tensor_release(result);
    }
    ragged_rt_tensor_release(part);
  }
  ragged_rt_tensor_release(whole);
  CHECK_INT(runtime_test_live(context), 0);
}

static void use_scalars(ragged_rt_frame *frame) {
  const int64_t bits = (int64_t)0xfedcba9876543210;
  const struct {
    ragged_element_type type;
    int64_t expected;
  } rows[] = {{RAGGED_ELEMENT_I64, bits},
              {RAGGED_ELEMENT_F64, bits},
              {RAGGED_ELEMENT_F32, 0x76543210},
              {RAGGED_ELEMENT_BF16, 0x3210}};
  for (int k = 0; k < COUNT(rows); ++k) {
    ragged_rt_tensor *scalar = ragged_rt_frame_scalar(frame, rows[k].type, bits);
    CHECK_INT(ragged_rt_tensor_rank(scalar), 0);
    CHECK_INT(ragged_rt_tensor_element_type(scalar), rows[k].type);
    CHECK_INT(ragged_rt_frame_scalar_bits(frame, scalar), rows[k].expected);
    ragged_rt_frame_release(frame, scalar);
  }
  CHECK_INT(ragged_rt_frame_scalar_bits(frame, NULL), 0);
  int64_t one = 1;
  ragged_rt_tensor *vector = ragged_rt_frame_allocate_dense(frame, RAGGED_ELEMENT_I64, 1, &one);
  CHECK_INT(ragged_rt_frame_scalar_bits(frame, vector), 0);
  CHECK(!ragged_rt_frame_ok(frame));
  CHECK(!ragged_rt_frame_scalar(frame, RAGGED_ELEMENT_I64, 1));
}

static void test_scalars(ragged_rt_context *context) {
  ragged_rt_entry entry = {"use_scalars", use_scalars, 0, 0, 0, NULL, NULL, NULL};
  CHECK_FAILS(ragged_rt_call(context, &entry, 0, NULL, 0, NULL), RAGGED_STATUS_INTERNAL,
              "a dense tensor of rank 1 was read as a scalar");
  CHECK_INT(runtime_test_live(context), 0);
}

// ---- Calls -------------------------------------------------------------------------------------

static const float kConstant[] = {0.5f, -1.5f};

// (x) -> 4 * x, x itself, a constant, the constant again.
static void compute(ragged_rt_frame *frame) {
  ragged_rt_tensor *x = ragged_rt_frame_argument(frame, 0);
  ragged_rt_axis *n = ragged_rt_frame_axis(frame, 0);
  ragged_rt_space *space = ragged_rt_frame_space(frame, 1, &n, NULL);
  int64_t rows = ragged_rt_frame_space_rows(frame, space), two = 2;
  ragged_rt_tensor *twice = ragged_rt_frame_allocate(frame, RAGGED_ELEMENT_F32, space, 2);
  current->launch_twice(frame, ragged_rt_frame_data(frame, x), ragged_rt_frame_data(frame, twice),
                        2 * rows);
  ragged_rt_tensor *result = ragged_rt_frame_allocate(frame, RAGGED_ELEMENT_F32, space, 2);
  current->launch_twice(frame, ragged_rt_frame_data(frame, twice),
                        ragged_rt_frame_data(frame, result), 2 * rows);
  ragged_rt_frame_release(frame, twice);
  ragged_rt_frame_result(frame, 0, result, space);
  ragged_rt_frame_result(frame, 1, x, space);
  ragged_rt_tensor *constant =
      ragged_rt_frame_constant(frame, RAGGED_ELEMENT_F32, 1, &two, kConstant);
  ragged_rt_frame_retain(frame, constant);
  ragged_rt_frame_result_dense(frame, 2, constant);
  ragged_rt_frame_result_dense(frame, 3, constant);
}

static const int64_t kLengths[] = {2, 0, 3};
enum { kRows = 5 };

static ragged_status call_compute(ragged_rt_context *context, float *data,
                                  ragged_rt_tensor **results) {
  static const char *const names[] = {"n"};
  ragged_rt_value_type x_type = runtime_test_ragged(RAGGED_ELEMENT_F32, "n", NULL, 2);
  ragged_rt_value_type constant = runtime_test_dense(RAGGED_ELEMENT_F32, 1, 2, 0);
  ragged_rt_value_type types[] = {x_type, x_type, constant, constant};
  ragged_rt_entry entry = {"compute", compute, 1, 4, 1, &x_type, types, names};
  ragged_rt_axis *n = NULL;
  ragged_rt_space *space = NULL;
  ragged_rt_tensor *x = NULL;
  int64_t two = 2;
  ragged_status status = ragged_rt_axis_create_from_lengths(context, 3, 64, kLengths, &n);
  if (!status) status = ragged_rt_space_get(context, -1, 1, &n, &space);
  if (!status)
    status = ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_F32, space, 1, &two, data, &x);
  if (!status) status = ragged_rt_call(context, &entry, 1, &x, 4, results);
  if (!status) {  // results are no part of arguments
    CHECK(ragged_rt_tensor_data(results[1]) != ragged_rt_tensor_data(x));
    CHECK(ragged_rt_tensor_data(results[2]) != ragged_rt_tensor_data(results[3]));
    CHECK(ragged_rt_tensor_data(results[2]) != kConstant);
  }
  ragged_rt_tensor_release(x);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(n);
  return status;
}

static void test_results(ragged_rt_context *context) {
  float data[2 * kRows], got[2 * kRows];
  for (int i = 0; i < 2 * kRows; ++i) data[i] = (float)i + 0.25f;
  ragged_rt_tensor *results[4] = {NULL};
  if (!CHECK_OK(call_compute(context, data, results))) return;
  const float factors[] = {4, 1};
  for (int k = 0; k < 2; ++k) {
    CHECK_OK(ragged_rt_tensor_to_host(results[k], got, sizeof got));
    for (int i = 0; i < 2 * kRows; ++i) CHECK_DOUBLE(got[i], factors[k] * data[i], 0);
  }
  for (int k = 2; k < 4; ++k) {
    CHECK_OK(ragged_rt_tensor_to_host(results[k], got, sizeof got));
    CHECK(got[0] == kConstant[0] && got[1] == kConstant[1]);
  }
  CHECK_OK(ragged_rt_context_synchronise(context));
  for (int k = 0; k < 4; ++k) ragged_rt_tensor_release(results[k]);
  CHECK_INT(runtime_test_live(context), 0);
}

static void test_statistics(ragged_rt_context *context) {
  float data[2 * kRows] = {0};
  ragged_rt_tensor *results[4] = {NULL};
  ragged_rt_context_enable_statistics(context, true);
  for (int k = 0; k < 3; ++k) {
    CHECK_OK(call_compute(context, data, results));
    for (int j = 0; j < 4; ++j) ragged_rt_tensor_release(results[j]);
  }
  ragged_rt_kernel_statistics lines[2] = {0};
  CHECK_INT(ragged_rt_context_statistics(context, 2, lines), 1);
  CHECK_STRING(lines[0].name, "twice");
  CHECK_INT(lines[0].calls, 6);
  CHECK_INT(lines[0].rows, 60);
  CHECK_INT(lines[0].bytes, 480);
  CHECK_INT(lines[0].flops, 60);
  CHECK(lines[0].seconds > 0);
  ragged_rt_context_enable_statistics(context, false);
  CHECK_INT(ragged_rt_context_statistics(context, 2, lines), 0);
}

// ---- Errors ------------------------------------------------------------------------------------

// An axis of the context that the entry works in.
static ragged_rt_axis *watched_axis;

static void too_many_rows(ragged_rt_frame *frame) {
  const int64_t fitting[] = {3, UINT32_MAX}, larger[] = {3, 0, (int64_t)UINT32_MAX + 1};
  ragged_rt_context *context = watched_axis->context;
  ragged_rt_axis *n = runtime_test_axis(context, 2, fitting);
  ragged_rt_space *space = runtime_test_space(context, n, NULL);
  ragged_rt_frame_check_rows32(frame, space);
  CHECK(ragged_rt_frame_ok(frame));
  ragged_rt_space_release(space);
  ragged_rt_axis_release(n);
  n = runtime_test_axis(context, 3, larger);
  space = runtime_test_space(context, n, NULL);
  ragged_rt_frame_check_rows32(frame, NULL);
  ragged_rt_frame_check_rows32(frame, space);
  CHECK(!ragged_rt_frame_ok(frame));
  // After an error everything gives null and nothing is launched or allocated.
  CHECK(!ragged_rt_frame_axis_extents(frame, n));
  CHECK(!ragged_rt_frame_space_order(frame, space));
  CHECK(!ragged_rt_frame_space_ordered_offsets(frame, space));
  current->launch_twice(frame, NULL, NULL, 10);
  CHECK_INT(runtime_test_live(context), 0);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(n);
}

static void test_errors(ragged_rt_context *context) {
  ragged_rt_entry entry = {"too_many_rows", too_many_rows, 0, 0, 0, NULL, NULL, NULL};
  const int64_t one = 1;
  watched_axis = runtime_test_axis(context, 1, &one);
  CHECK_FAILS(ragged_rt_call(context, &entry, 0, NULL, 0, NULL), RAGGED_STATUS_INVALID_ARGUMENT,
              "sample 2 has 4294967296 rows");
  ragged_rt_axis_release(watched_axis);
}

// Every allocation of a call fails once.
static void test_allocation_failures(void) {
  for (int64_t n = 0; n < 1000; ++n) {
    ragged_rt_context *context = make_context();
    float data[2 * kRows] = {0};
    ragged_rt_tensor *results[4] = {NULL};
    ragged_rt_context_enable_statistics(context, true);
    ragged_rt_context_fail_allocation(context, n);
    ragged_status status = call_compute(context, data, results);
    ragged_rt_context_fail_allocation(context, -1);
    bool failed = status != NULL;
    if (failed) {
      CHECK_INT(ragged_status_get_code(status), RAGGED_STATUS_RESOURCE_EXHAUSTED);
      ragged_status_free(status);
      CHECK_INT(runtime_test_live(context), 0);
      CHECK_OK(call_compute(context, data, results));
    }
    for (int k = 0; k < 4; ++k) ragged_rt_tensor_release(results[k]);
    CHECK_INT(runtime_test_live(context), 0);
    ragged_rt_context_release(context);
    if (failed) continue;
    printf("%s: %d allocations\n", current->name, (int)n);
    CHECK(n > 15);
    return;
  }
}

int main(void) {
  void (*const tests[])(ragged_rt_context *) = {test_axes_of_tensors, test_extend, test_unaligned,
                                                test_scalars,         test_results, test_errors,
                                                test_statistics};
  for_each_device(tests, COUNT(tests), test_allocation_failures);
  return unit_test_finish();
}
