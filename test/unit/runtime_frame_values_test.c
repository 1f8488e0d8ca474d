// Tensors that share data, in entries written by hand: values of packed rows, constants of compiled
// code. What is given as a result belongs to the caller alone, and is moved where nobody else has it.
#include "runtime_test_support.h"

static const float kConstant[6] __attribute__((aligned(64))) = {1, 2, 3, 4, 5, 6};
static const char *const kAxisN[] = {"n"};

// What an entry saw, for the test to compare with what it got.
static const void *given_data;

static ragged_rt_space *space_of(ragged_rt_frame *frame) {
  ragged_rt_axis *n = ragged_rt_frame_axis(frame, 0);
  return ragged_rt_frame_space(frame, 1, &n, NULL);
}

static ragged_rt_tensor *values_of(ragged_rt_frame *frame, ragged_rt_tensor *tensor) {
  int64_t tail[] = {2, 2};
  return ragged_rt_frame_values(frame, tensor, space_of(frame), 2, tail);
}

// A new packed tensor with the numbers of argument 0.
static ragged_rt_tensor *computed(ragged_rt_frame *frame) {
  ragged_rt_tensor *tensor = ragged_rt_frame_allocate(frame, RAGGED_ELEMENT_F32, space_of(frame), 4);
  const float *from = ragged_rt_frame_data(frame, ragged_rt_frame_argument(frame, 0));
  float *to = ragged_rt_frame_data(frame, tensor);
  int64_t count = 4 * ragged_rt_frame_space_rows(frame, space_of(frame));
  for (int64_t i = 0; i < count; ++i) to[i] = from[i];
  given_data = to;
  return tensor;
}

static void values_of_argument(ragged_rt_frame *frame) {
  ragged_rt_tensor *x = ragged_rt_frame_argument(frame, 0);
  ragged_rt_tensor *view = values_of(frame, x);
  given_data = ragged_rt_frame_data(frame, view);
  CHECK(given_data == ragged_rt_frame_data(frame, x));
  CHECK_INT(ragged_rt_frame_dense_extent(frame, view, 0),
            ragged_rt_frame_space_rows(frame, space_of(frame)));
  CHECK_INT(ragged_rt_frame_dense_extent(frame, view, 2), 2);
  ragged_rt_frame_result_dense(frame, 0, view);
}

static void values_of_last_use(ragged_rt_frame *frame) {
  ragged_rt_tensor *tensor = computed(frame), *view = values_of(frame, tensor);
  ragged_rt_frame_release(frame, tensor);
  ragged_rt_frame_result_dense(frame, 0, view);
}

static void values_of_shared(ragged_rt_frame *frame) {
  ragged_rt_frame_result_dense(frame, 0, values_of(frame, computed(frame)));
}

static void values_of_values(ragged_rt_frame *frame) {
  ragged_rt_tensor *tensor = computed(frame), *view = values_of(frame, tensor);
  ragged_rt_frame_release(frame, tensor);
  ragged_rt_tensor *again = values_of(frame, view);
  ragged_rt_frame_release(frame, view);
  CHECK(ragged_rt_frame_data(frame, again) == given_data);
  ragged_rt_frame_result_dense(frame, 0, again);
}

// Each entry gives the numbers of its argument; those of `moved` without a copy.
static void test_values(ragged_rt_context *context, int batch, const int64_t *lengths) {
  static const struct {
    ragged_rt_entry_function function;
    bool moved;
  } cases[] = {{values_of_argument, false},
               {values_of_last_use, true},
               {values_of_shared, false},
               {values_of_values, false}};
  ragged_rt_value_type x_type = runtime_test_ragged(RAGGED_ELEMENT_F32, "n", NULL, 4);
  ragged_dimension dims[] = {ragged_dimension_static(-1), ragged_dimension_static(2),
                             ragged_dimension_static(2)};
  ragged_rt_value_type type = {RAGGED_RT_VALUE_DENSE, ragged_schema_make(RAGGED_ELEMENT_F32, 3, dims)};
  ragged_rt_axis *n = runtime_test_axis(context, batch, lengths);
  ragged_rt_space *space = runtime_test_space(context, n, NULL);
  int64_t rows = ragged_rt_space_rows(space);
  float data[40];
  for (int i = 0; i < COUNT(data); ++i) data[i] = (float)i;
  ragged_rt_tensor *x = runtime_test_f32(context, space, 4, data);
  for (int c = 0; c < COUNT(cases); ++c) {
    ragged_rt_entry entry = {"values", cases[c].function, 1, 1, 1, &x_type, &type, kAxisN};
    ragged_rt_tensor *result = NULL;
    if (!CHECK_OK(ragged_rt_call(context, &entry, 1, &x, 1, &result))) continue;
    CHECK(ragged_rt_tensor_space(result) == NULL);
    CHECK_INT(ragged_rt_tensor_rank(result), 3);
    CHECK_INT(ragged_rt_tensor_rows(result), rows);
    const float *got = ragged_rt_tensor_data(result);
    CHECK(rows == 0 || got != data);
    CHECK(rows == 0 || (got == given_data) == cases[c].moved);
    for (int64_t i = 0; i < 4 * rows; ++i) CHECK(got[i] == data[i]);
    CHECK_INT(runtime_test_live(context), rows ? 1 : 0);
    ragged_rt_tensor_release(result);
    CHECK_INT(runtime_test_live(context), 0);
  }
  ragged_rt_tensor_release(x);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(n);
}

// Rows of zeros behind those of x: none, and two. What is as it was is moved.
static void extended(ragged_rt_frame *frame) {
  ragged_rt_tensor *tensor = computed(frame), *view = values_of(frame, tensor);
  int64_t rows = ragged_rt_frame_dense_extent(frame, view, 0);
  ragged_rt_frame_release(frame, tensor);
  ragged_rt_tensor *more = ragged_rt_frame_extend(frame, view, rows + 2);
  CHECK_INT(ragged_rt_frame_dense_extent(frame, more, 0), rows + 2);
  CHECK_INT(ragged_rt_frame_dense_extent(frame, more, 2), 2);
  CHECK(ragged_rt_frame_data(frame, more) != given_data);
  ragged_rt_tensor *same = ragged_rt_frame_extend(frame, view, rows);
  CHECK(same == view);
  ragged_rt_frame_release(frame, view);
  ragged_rt_frame_result_dense(frame, 0, same);
  ragged_rt_frame_result_dense(frame, 1, more);
}

static void test_extend(ragged_rt_context *context, int batch, const int64_t *lengths) {
  ragged_rt_value_type x_type = runtime_test_ragged(RAGGED_ELEMENT_F32, "n", NULL, 4);
  ragged_dimension dims[] = {ragged_dimension_static(-1), ragged_dimension_static(2),
                             ragged_dimension_static(2)};
  ragged_rt_value_type type = {RAGGED_RT_VALUE_DENSE, ragged_schema_make(RAGGED_ELEMENT_F32, 3, dims)};
  ragged_rt_value_type types[] = {type, type};
  ragged_rt_axis *n = runtime_test_axis(context, batch, lengths);
  ragged_rt_space *space = runtime_test_space(context, n, NULL);
  int64_t rows = ragged_rt_space_rows(space);
  float data[40];
  for (int i = 0; i < COUNT(data); ++i) data[i] = (float)(i + 1);
  ragged_rt_tensor *x = runtime_test_f32(context, space, 4, data), *results[2];
  ragged_rt_entry entry = {"extended", extended, 1, 2, 1, &x_type, types, kAxisN};
  if (CHECK_OK(ragged_rt_call(context, &entry, 1, &x, 2, results))) {
    CHECK_INT(ragged_rt_tensor_rows(results[0]), rows);
    CHECK_INT(ragged_rt_tensor_rows(results[1]), rows + 2);
    CHECK(rows == 0 || ragged_rt_tensor_data(results[0]) == given_data);
    const float *got = ragged_rt_tensor_data(results[1]);
    for (int64_t i = 0; i < 4 * (rows + 2); ++i) CHECK(got[i] == (i < 4 * rows ? data[i] : 0));
    for (int k = 0; k < 2; ++k) ragged_rt_tensor_release(results[k]);
    CHECK_INT(runtime_test_live(context), 0);
  }
  ragged_rt_tensor_release(x);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(n);
}

// (x) -> a constant, the same constant, a constant number.
static void constants(ragged_rt_frame *frame) {
  int64_t shape[] = {2, 3};
  ragged_rt_tensor *c = ragged_rt_frame_constant(frame, RAGGED_ELEMENT_F32, 2, shape, kConstant);
  CHECK(ragged_rt_frame_data(frame, c) == kConstant);
  ragged_rt_frame_retain(frame, c);
  ragged_rt_frame_result_dense(frame, 0, c);
  ragged_rt_frame_result_dense(frame, 1, c);
  ragged_rt_frame_result_dense(
      frame, 2, ragged_rt_frame_constant(frame, RAGGED_ELEMENT_F32, 0, NULL, kConstant + 4));
  int64_t none[] = {0, 3};
  ragged_rt_frame_result_dense(
      frame, 3, ragged_rt_frame_constant(frame, RAGGED_ELEMENT_F32, 2, none, NULL));
}

static void test_constants(ragged_rt_context *context) {
  ragged_rt_value_type matrix = runtime_test_dense(RAGGED_ELEMENT_F32, 2, -1, 3);
  ragged_rt_value_type number = runtime_test_dense(RAGGED_ELEMENT_F32, 0, 0, 0);
  ragged_rt_value_type types[] = {matrix, matrix, number, matrix};
  ragged_rt_entry entry = {"constants", constants, 0, 4, 0, NULL, types, NULL};
  ragged_rt_tensor *results[4];
  if (!CHECK_OK(ragged_rt_call(context, &entry, 0, NULL, 4, results))) return;
  for (int k = 0; k < 2; ++k) {
    float *got = ragged_rt_tensor_data(results[k]);
    CHECK(got != kConstant);
    CHECK(memcmp(got, kConstant, sizeof kConstant) == 0);
    got[0] = 9;  // the caller's own
  }
  CHECK(*(float *)ragged_rt_tensor_data(results[2]) == kConstant[4]);
  CHECK_INT(ragged_rt_tensor_shape(results[3])[0], 0);
  for (int k = 0; k < 4; ++k) ragged_rt_tensor_release(results[k]);
  CHECK_INT(runtime_test_live(context), 0);
}

static void too_many_values(ragged_rt_frame *frame) {
  int64_t tail = 5;
  CHECK(!ragged_rt_frame_values(frame, ragged_rt_frame_argument(frame, 0), space_of(frame), 1,
                                &tail));
  CHECK(!ragged_rt_frame_constant(frame, RAGGED_ELEMENT_F32, 0, NULL, kConstant));
}

static void extend_to_two(ragged_rt_frame *frame) {
  CHECK(!ragged_rt_frame_extend(frame, values_of(frame, ragged_rt_frame_argument(frame, 0)), 2));
  CHECK(!ragged_rt_frame_extend(frame, NULL, 2));
}

static void extend_ragged(ragged_rt_frame *frame) {
  CHECK(!ragged_rt_frame_extend(frame, ragged_rt_frame_argument(frame, 0), 5));
}

static void misaligned(ragged_rt_frame *frame) {
  (void)ragged_rt_frame_constant(frame, RAGGED_ELEMENT_F32, 0, NULL, (const char *)kConstant + 1);
}

static void no_batch(ragged_rt_frame *frame) {
  CHECK(!ragged_rt_frame_constant_axis(frame, NULL, 3));
}

// (x) -> the extents of a constant axis over the batch of x.
static void constant_extents(ragged_rt_frame *frame) {
  ragged_rt_axis *three = ragged_rt_frame_constant_axis(frame, NULL, 3);
  ragged_rt_frame_result_dense(frame, 0, ragged_rt_frame_extents(frame, three));
}

// () -> the parts of 0, 31, 100 and 1000 positions, at most so many; a batch that no axis of parts says.
static void parts(ragged_rt_frame *frame) {
  const int64_t extents[] = {0, 31, 100, 1000, 1000}, most[] = {9, 9, 9, 9, 1};
  for (int k = 0; k < 5; ++k) {
    ragged_rt_axis *axis = ragged_rt_frame_parts_axis(frame, extents[k], most[k]);
    ragged_rt_frame_result_dense(frame, k, ragged_rt_frame_extents(frame, axis));
  }
  int64_t two = 2;
  ragged_rt_tensor *lengths = ragged_rt_frame_allocate_dense(frame, RAGGED_ELEMENT_I64, 1, &two);
  if (ragged_rt_frame_ok(frame)) memset(ragged_rt_frame_data(frame, lengths), 0, 2 * sizeof two);
  CHECK(ragged_rt_frame_axis_from_lengths(frame, lengths));
}

static void no_parts(ragged_rt_frame *frame) {
  CHECK(!ragged_rt_frame_parts_axis(frame, 5, 0));
  CHECK(!ragged_rt_frame_parts_axis(frame, 5, 1));  // after an error
}

static void test_parts(ragged_rt_context *context) {
  static const struct {
    int count;
    int64_t extents[9];
  } expected[] = {{1, {0}}, {1, {31}}, {4, {32, 32, 32, 4}},
                  {9, {112, 112, 112, 112, 112, 112, 112, 112, 104}}, {1, {1000}}};
  ragged_rt_value_type vector = runtime_test_dense(RAGGED_ELEMENT_I64, 1, -1, 0);
  ragged_rt_value_type types[] = {vector, vector, vector, vector, vector};
  ragged_rt_entry entry = {"parts", parts, 0, 5, 0, NULL, types, NULL};
  ragged_rt_tensor *results[5] = {NULL, NULL, NULL, NULL, NULL};
  if (CHECK_OK(ragged_rt_call(context, &entry, 0, NULL, 5, results)))
    for (int k = 0; k < 5; ++k) {
      const int64_t *got = ragged_rt_tensor_data(results[k]);
      if (CHECK_INT(ragged_rt_tensor_rows(results[k]), expected[k].count))
        for (int i = 0; i < expected[k].count; ++i) CHECK_INT(got[i], expected[k].extents[i]);
      ragged_rt_tensor_release(results[k]);
    }
  ragged_rt_entry none = {"none", no_parts, 0, 0, 0, NULL, NULL, NULL};
  CHECK_FAILS(ragged_rt_call(context, &none, 0, NULL, 0, NULL), RAGGED_STATUS_INTERNAL,
              "an extent of 5 was to be cut into 0 parts");
  CHECK_INT(runtime_test_live(context), 0);
}

static void test_others(ragged_rt_context *context) {
  ragged_rt_value_type x_type = runtime_test_ragged(RAGGED_ELEMENT_F32, "n", NULL, 4);
  ragged_rt_value_type extents = runtime_test_dense(RAGGED_ELEMENT_I64, 1, -1, 0);
  ragged_rt_axis *n = runtime_test_axis(context, 2, (int64_t[]){1, 2});
  ragged_rt_space *space = runtime_test_space(context, n, NULL);
  float data[12] = {0};
  ragged_rt_tensor *x = runtime_test_f32(context, space, 4, data), *result = NULL;
  ragged_rt_entry entry = {"others", too_many_values, 1, 0, 1, &x_type, NULL, kAxisN};
  CHECK_FAILS(ragged_rt_call(context, &entry, 1, &x, 0, NULL), RAGGED_STATUS_INTERNAL,
              "15 elements of a buffer were asked for, but it holds 12");
  entry.function = extend_to_two;
  CHECK_FAILS(ragged_rt_call(context, &entry, 1, &x, 0, NULL), RAGGED_STATUS_INVALID_ARGUMENT,
              "there is room for 2 rows, but 3 are required");
  entry.function = extend_ragged;
  CHECK_FAILS(ragged_rt_call(context, &entry, 1, &x, 0, NULL), RAGGED_STATUS_INTERNAL,
              "a ragged tensor of rank 1 was to get more rows");
  entry.function = misaligned;
  CHECK_FAILS(ragged_rt_call(context, &entry, 1, &x, 0, NULL), RAGGED_STATUS_INVALID_ARGUMENT,
              "is not aligned to 4 bytes");
  ragged_rt_entry batchless = {"batchless", no_batch, 0, 0, 0, NULL, NULL, NULL};
  CHECK_FAILS(ragged_rt_call(context, &batchless, 0, NULL, 0, NULL), RAGGED_STATUS_INVALID_ARGUMENT,
              "how many samples the batch has");
  ragged_rt_entry constant = {"constant", constant_extents, 1, 1, 1, &x_type, &extents, kAxisN};
  if (CHECK_OK(ragged_rt_call(context, &constant, 1, &x, 1, &result))) {
    const int64_t *got = ragged_rt_tensor_data(result);
    CHECK_INT(ragged_rt_tensor_rows(result), 2);
    CHECK(got[0] == 3 && got[1] == 3);
    ragged_rt_tensor_release(result);
  }
  CHECK_INT(runtime_test_live(context), 0);
  ragged_rt_tensor_release(x);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(n);
}

int main(void) {
  ragged_rt_context *context = runtime_test_context("generated", 2);
  test_values(context, 3, (int64_t[]){2, 0, 3});
  test_values(context, 1, (int64_t[]){0});
  test_values(context, 0, NULL);
  test_extend(context, 3, (int64_t[]){2, 0, 3});
  test_extend(context, 1, (int64_t[]){0});
  test_constants(context);
  test_parts(context);
  test_others(context);
  ragged_rt_context_release(context);
  return unit_test_finish();
}
