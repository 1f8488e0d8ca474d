// Calls, with entries written by hand in the place of compiled code: results, ownership, sticky
// errors, the check of arguments, and the axes a call makes.
#include "runtime_test_support.h"

// ---- Entries -----------------------------------------------------------------------------------

static void scale_kernel(const int64_t *slots, int64_t first, int64_t last, void *scratch) {
  const float *x = (const float *)(uintptr_t)slots[0];
  float *y = (float *)(uintptr_t)slots[1];
  float *row = scratch;
  if ((uintptr_t)scratch % 64 != 0) return;
  for (int64_t i = first; i < last; ++i) {
    for (int64_t j = 0; j < slots[2]; ++j) row[j] = x[i * slots[2] + j];
    for (int64_t j = 0; j < slots[2]; ++j) y[i * slots[2] + j] = 2 * row[j];
  }
}

static ragged_rt_tensor *scaled(ragged_rt_frame *frame, ragged_rt_tensor *x,
                                ragged_rt_space *space) {
  ragged_rt_tensor *y = ragged_rt_frame_allocate(frame, RAGGED_ELEMENT_F32, space, 4);
  int64_t slots[] = {(int64_t)(uintptr_t)ragged_rt_frame_data(frame, x),
                     (int64_t)(uintptr_t)ragged_rt_frame_data(frame, y), 4};
  ragged_rt_frame_launch(frame, scale_kernel, "scale", slots,
                         ragged_rt_frame_space_rows(frame, space), 2, 16, 32, 4);
  return y;
}

// (x) -> 4 * x, x itself, and 4 * x again.
static void three_results(ragged_rt_frame *frame) {
  ragged_rt_tensor *x = ragged_rt_frame_argument(frame, 0);
  ragged_rt_axis *n = ragged_rt_frame_axis(frame, 0);
  ragged_rt_space *space = ragged_rt_frame_space(frame, 1, &n, NULL);
  ragged_rt_tensor *twice = scaled(frame, x, space);
  ragged_rt_tensor *result = scaled(frame, twice, space);
  ragged_rt_frame_release(frame, twice);
  ragged_rt_frame_retain(frame, result);
  ragged_rt_frame_result(frame, 0, result, space);
  ragged_rt_frame_result(frame, 1, x, space);
  ragged_rt_frame_result(frame, 2, result, space);
}

static const char *const kAxisN[] = {"n"};
static const char *const kAxesNM[] = {"n", "m"};

static void test_results(ragged_rt_context *context, const int64_t *lengths, int batch) {
  ragged_rt_value_type x_type = runtime_test_ragged(RAGGED_ELEMENT_F32, "n", NULL, 4);
  ragged_dimension dims[] = {ragged_dimension_ragged("n"), ragged_dimension_static(2),
                             ragged_dimension_static(2)};
  ragged_rt_value_type split = {RAGGED_RT_VALUE_RAGGED,
                                ragged_schema_make(RAGGED_ELEMENT_F32, 3, dims)};
  ragged_rt_value_type result_types[] = {split, x_type, x_type};
  ragged_rt_entry entry = {"three_results", three_results, 1, 3, 1, &x_type, result_types, kAxisN};
  ragged_rt_axis *n = runtime_test_axis(context, batch, lengths);
  ragged_rt_space *space = runtime_test_space(context, n, NULL);
  int64_t rows = ragged_rt_space_rows(space);
  float *data = malloc((size_t)(rows * 4 + 1) * sizeof *data);
  for (int64_t i = 0; i < rows * 4; ++i) data[i] = (float)i;
  ragged_rt_tensor *x = runtime_test_f32(context, space, 4, data), *results[3];
  if (CHECK_OK(ragged_rt_call(context, &entry, 1, &x, 3, results))) {
    CHECK_INT(ragged_rt_tensor_rank(results[0]), 2);
    CHECK_INT(ragged_rt_tensor_shape(results[0])[1], 2);
    CHECK_INT(ragged_rt_tensor_rank(results[2]), 1);
    CHECK_INT(ragged_rt_tensor_shape(results[2])[0], 4);
    void *first = ragged_rt_tensor_data(results[0]), *third = ragged_rt_tensor_data(results[2]);
    CHECK(rows == 0 || first != third);
    CHECK(rows == 0 || ragged_rt_tensor_data(results[1]) != data);
    const float factors[] = {4, 1, 4};
    for (int k = 0; k < 3; ++k) {
      CHECK(ragged_rt_tensor_space(results[k]) == space);
      const float *got = ragged_rt_tensor_data(results[k]);
      for (int64_t i = 0; i < rows * 4; ++i) CHECK(got[i] == factors[k] * data[i]);
      ragged_rt_tensor_release(results[k]);
    }
  }
  CHECK_INT(runtime_test_live(context), 0);
  ragged_rt_tensor_release(x);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(n);
  free(data);
}

// (lengths, offsets) -> lengths of 2n + 1, offsets of (n, m), a constant, the envelope's length.
static void make_axes(ragged_rt_frame *frame) {
  ragged_rt_axis *n =
      ragged_rt_frame_axis_from_lengths(frame, ragged_rt_frame_argument(frame, 0));
  ragged_rt_axis *m =
      ragged_rt_frame_axis_from_offsets(frame, ragged_rt_frame_argument(frame, 1));
  ragged_rt_axis *axes[] = {n, m};
  ragged_rt_axis *sum = ragged_rt_frame_axis_expression(frame, "2 * n + 1", 2, "n\0m", axes);
  ragged_rt_frame_result_dense(frame, 0, ragged_rt_frame_extents(frame, sum));
  ragged_rt_space *pairs = ragged_rt_frame_space(frame, 2, axes, NULL);
  ragged_rt_frame_result_dense(frame, 1, ragged_rt_frame_offsets(frame, pairs));
  ragged_rt_axis *constant = ragged_rt_frame_constant_axis(frame, n, 7);
  ragged_rt_space *per_sample = ragged_rt_frame_space(frame, 0, NULL, NULL);
  int64_t batch = ragged_rt_frame_space_batch(frame, per_sample);
  ragged_rt_axis *envelope = ragged_rt_frame_envelope_axis(frame, m);
  int64_t totals[] = {ragged_rt_frame_axis_max_extent(frame, constant),
                      ragged_rt_frame_axis_max_extent(frame, envelope), batch};
  int64_t three = 3;
  ragged_rt_tensor *out =
      ragged_rt_frame_allocate_dense(frame, RAGGED_ELEMENT_I64, 1, &three);
  if (ragged_rt_frame_ok(frame)) memcpy(ragged_rt_frame_data(frame, out), totals, sizeof totals);
  ragged_rt_frame_result_dense(frame, 2, out);
}

static ragged_status call_make_axes(ragged_rt_context *context, int64_t batch, int64_t *lengths,
                                    int64_t num_offsets, int64_t *offsets,
                                    ragged_rt_tensor **results) {
  ragged_rt_value_type vector = runtime_test_dense(RAGGED_ELEMENT_I64, 1, -1, 0);
  ragged_rt_value_type types[] = {vector, vector, vector};
  ragged_rt_entry entry = {"make_axes", make_axes, 2, 3, 0, types, types, NULL};
  ragged_rt_tensor *arguments[2];
  CHECK_OK(ragged_rt_tensor_wrap_dense(context, RAGGED_ELEMENT_I64, 1, &batch, lengths, NULL, NULL,
                                       &arguments[0]));
  CHECK_OK(ragged_rt_tensor_wrap_dense(context, RAGGED_ELEMENT_I64, 1, &num_offsets, offsets, NULL,
                                       NULL, &arguments[1]));
  ragged_status status = ragged_rt_call(context, &entry, 2, arguments, 3, results);
  ragged_rt_tensor_release(arguments[0]);
  ragged_rt_tensor_release(arguments[1]);
  return status;
}

static void test_axes(ragged_rt_context *context) {
  ragged_rt_tensor *results[3] = {NULL, NULL, NULL};
  int64_t lengths[] = {2, 0, 3}, offsets[] = {0, 1, 5, 7};
  if (CHECK_OK(call_make_axes(context, 3, lengths, 4, offsets, results))) {
    const int64_t expected[3][4] = {{5, 1, 7}, {0, 2, 2, 8}, {7, 4, 3}};
    const int counts[] = {3, 4, 3};
    for (int k = 0; k < 3; ++k) {
      CHECK_INT(ragged_rt_tensor_rows(results[k]), counts[k]);
      const int64_t *got = ragged_rt_tensor_data(results[k]);
      for (int i = 0; i < counts[k]; ++i) CHECK_INT(got[i], expected[k][i]);
      ragged_rt_tensor_release(results[k]);
      results[k] = NULL;
    }
  }
  lengths[1] = -2;
  CHECK_FAILS(call_make_axes(context, 3, lengths, 4, offsets, results),
              RAGGED_STATUS_INVALID_ARGUMENT, "the length of sample 1 is -2");
  lengths[1] = 0;
  CHECK_FAILS(call_make_axes(context, 3, lengths, 3, offsets, results),
              RAGGED_STATUS_INVALID_ARGUMENT,
              "offsets are given for 2 samples, but the batch has 3");
  CHECK_FAILS(call_make_axes(context, 3, lengths, 0, NULL, results),
              RAGGED_STATUS_INVALID_ARGUMENT, "offsets are empty");
  lengths[0] = INT64_MAX - 3;
  CHECK_FAILS(call_make_axes(context, 3, lengths, 4, offsets, results),
              RAGGED_STATUS_INVALID_ARGUMENT, "2 * n + 1 in sample 0");
  for (int k = 0; k < 3; ++k) CHECK(results[k] == NULL);
  CHECK_INT(runtime_test_live(context), 0);
}

// ---- Sticky errors and faults of compiled code ---------------------------------------------------

static void sticky(ragged_rt_frame *frame) {
  ragged_rt_tensor *x = ragged_rt_frame_argument(frame, 0);
  ragged_rt_tensor *kept = ragged_rt_frame_extents(frame, ragged_rt_frame_axis(frame, 0));
  ragged_rt_frame_result_dense(frame, 0, kept);
  ragged_rt_frame_check_limit(frame, ragged_rt_frame_axis(frame, 0), 2, "'ragged.pack' operand #1");
  CHECK_INT(ragged_rt_frame_ok(frame), 0);
  ragged_rt_frame_check_extent(frame, x, 0, 9, 1, "another error");
  CHECK(ragged_rt_frame_argument(frame, 0) == NULL);
  CHECK(ragged_rt_frame_axis(frame, 0) == NULL);
  CHECK(ragged_rt_frame_space(frame, 0, NULL, NULL) == NULL);
  CHECK(ragged_rt_frame_allocate(frame, RAGGED_ELEMENT_F32, NULL, 4) == NULL);
  CHECK(ragged_rt_frame_data(frame, x) == NULL);
  CHECK_INT(ragged_rt_frame_space_rows(frame, NULL), 0);
  ragged_rt_frame_release(frame, NULL);
  ragged_rt_frame_launch(frame, NULL, "never", NULL, 5, 1, 0, 0, 0);
}

static void forgets(ragged_rt_frame *frame) { (void)ragged_rt_frame_argument(frame, 0); }

static void wrong_type(ragged_rt_frame *frame) {
  int64_t one = 1;
  ragged_rt_frame_result_dense(
      frame, 0, ragged_rt_frame_allocate_dense(frame, RAGGED_ELEMENT_F64, 1, &one));
}

static void checks_values(ragged_rt_frame *frame) {
  int64_t shape[] = {2, 4}, tail = 4;
  ragged_rt_tensor *values = ragged_rt_frame_allocate_dense(frame, RAGGED_ELEMENT_F32, 2, shape);
  ragged_rt_axis *n = ragged_rt_frame_axis(frame, 0);
  ragged_rt_frame_check_values(frame, values, ragged_rt_frame_space(frame, 1, &n, NULL), 1, &tail);
}

static void checks_extent(ragged_rt_frame *frame) {
  ragged_rt_axis *n = ragged_rt_frame_axis(frame, 0);
  ragged_rt_frame_check_extent(frame, ragged_rt_frame_extents(frame, n), 0, 9, 0,
                               "'ragged.pack' operand #0, dimension 0 (the batch)");
}

static void checks_same_axis(ragged_rt_frame *frame) {
  ragged_rt_axis *n = ragged_rt_frame_axis(frame, 0);
  ragged_rt_frame_check_same_axis(frame, ragged_rt_frame_constant_axis(frame, n, 2), "m", n, "n");
}

static void test_errors(ragged_rt_context *context) {
  static const struct {
    ragged_rt_entry_function function;
    ragged_status_code code;
    const char *message;
  } cases[] = {
      {sticky, RAGGED_STATUS_INVALID_ARGUMENT,
       "'ragged.pack' operand #1: sample 1 has extent 3, but at most 2 is allowed"},
      {forgets, RAGGED_STATUS_INTERNAL, "entry 'faulty' ended without giving result 0"},
      {wrong_type, RAGGED_STATUS_INTERNAL, "element type is f64, but i64 is required"},
      {checks_values, RAGGED_STATUS_INVALID_ARGUMENT,
       "the values hold 2 rows, but 5 are required"},
      {checks_extent, RAGGED_STATUS_INVALID_ARGUMENT,
       "dimension 0 (the batch) has extent 2, but at least 9 is required"},
      {checks_same_axis, RAGGED_STATUS_INVALID_ARGUMENT,
       "axis m has extent 2 in sample 1, but axis n, which must be the same, has 3"},
  };
  ragged_rt_value_type x_type = runtime_test_ragged(RAGGED_ELEMENT_F32, "n", NULL, 4);
  ragged_rt_value_type result_type = runtime_test_dense(RAGGED_ELEMENT_I64, 1, -1, 0);
  ragged_rt_axis *n = runtime_test_axis(context, 2, (int64_t[]){2, 3});
  ragged_rt_space *space = runtime_test_space(context, n, NULL);
  float data[20] = {0};
  ragged_rt_tensor *x = runtime_test_f32(context, space, 4, data);
  for (int k = 0; k < COUNT(cases); ++k) {
    ragged_rt_entry entry = {"faulty", cases[k].function, 1, 1, 1, &x_type, &result_type, kAxisN};
    ragged_rt_tensor *result = NULL;
    CHECK_FAILS(ragged_rt_call(context, &entry, 1, &x, 1, &result), cases[k].code,
                cases[k].message);
    CHECK(result == NULL);
    CHECK_INT(runtime_test_live(context), 0);
  }
  ragged_rt_tensor_release(x);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(n);
}

// ---- The check of arguments ------------------------------------------------------------------------

static void nothing(ragged_rt_frame *frame) { (void)frame; }

// (x: [n, 4], y: [n, m, 4], z: [n + m], s: [128], w: 4 x ?)
typedef struct argument_fixture {
  ragged_rt_context *context;
  ragged_rt_value_type types[5];
  ragged_rt_entry entry;
  ragged_rt_tensor *arguments[5];
} argument_fixture;

static ragged_rt_tensor *made(ragged_rt_context *context, const int64_t *a, const int64_t *b,
                              int64_t batch, ragged_element_type type, int tail_rank,
                              int64_t tail) {
  ragged_rt_axis *axes[2] = {a ? runtime_test_axis(context, batch, a) : NULL,
                             b ? runtime_test_axis(context, batch, b) : NULL};
  ragged_rt_space *space = NULL;
  ragged_rt_tensor *tensor = NULL;
  CHECK_OK(ragged_rt_space_get(context, batch, (a != NULL) + (b != NULL), axes, &space));
  CHECK_OK(ragged_rt_tensor_create(context, type, space, tail_rank, &tail, &tensor));
  ragged_rt_space_release(space);
  ragged_rt_axis_release(axes[0]);
  ragged_rt_axis_release(axes[1]);
  return tensor;
}

static const int64_t kN[] = {2, 3, 5}, kM[] = {1, 0, 4}, kNPlusM[] = {3, 3, 9};

static void check_replaced(argument_fixture *fixture, int k, ragged_rt_tensor *tensor,
                           const char *message) {
  ragged_rt_tensor *kept = fixture->arguments[k];
  fixture->arguments[k] = tensor;
  CHECK_FAILS(ragged_rt_call(fixture->context, &fixture->entry, 5, fixture->arguments, 0, NULL),
              RAGGED_STATUS_INVALID_ARGUMENT, message);
  fixture->arguments[k] = kept;
  ragged_rt_tensor_release(tensor);
}

static ragged_rt_tensor *dense(ragged_rt_context *context, ragged_element_type type, int rank,
                               int64_t d0, int64_t d1) {
  ragged_rt_tensor *tensor = NULL;
  CHECK_OK(ragged_rt_tensor_create_dense(context, type, rank, (int64_t[]){d0, d1}, &tensor));
  return tensor;
}

static void test_entry_check(ragged_rt_context *context) {
  const ragged_element_type f32 = RAGGED_ELEMENT_F32;
  argument_fixture fixture = {
      .context = context,
      .types = {runtime_test_ragged(f32, "n", NULL, 4), runtime_test_ragged(f32, "n", "m", 4),
                runtime_test_ragged(f32, "m + n", NULL, -1),
                runtime_test_ragged(f32, NULL, NULL, 128), runtime_test_dense(f32, 2, 4, -1)},
      .arguments = {made(context, kN, NULL, 3, f32, 1, 4), made(context, kN, kM, 3, f32, 1, 4),
                    made(context, kNPlusM, NULL, 3, f32, 0, 0),
                    made(context, NULL, NULL, 3, f32, 1, 128), dense(context, f32, 2, 4, 9)}};
  fixture.entry = (ragged_rt_entry){"checked", nothing, 5, 0, 2, fixture.types, NULL, kAxesNM};
  ragged_rt_tensor **arguments = fixture.arguments;
  CHECK_OK(ragged_rt_call(context, &fixture.entry, 5, arguments, 0, NULL));
  CHECK_FAILS(ragged_rt_call(context, &fixture.entry, 4, arguments, 0, NULL),
              RAGGED_STATUS_INVALID_ARGUMENT,
              "'checked' was given 4 arguments, but 5 are required");
  CHECK_FAILS(ragged_rt_call(context, &fixture.entry, 5, arguments, 2, NULL),
              RAGGED_STATUS_INVALID_ARGUMENT, "'checked' was asked for 2 results, but it has 0");
  check_replaced(&fixture, 0, NULL, "argument 0 is null");
  check_replaced(&fixture, 0, dense(context, f32, 2, 3, 4),
                 "argument 0 is a dense tensor, but a ragged one is required");
  check_replaced(&fixture, 4, made(context, kN, NULL, 3, f32, 1, 4),
                 "argument 4 is a ragged tensor, but a dense one is required");
  check_replaced(&fixture, 0, made(context, kN, NULL, 3, RAGGED_ELEMENT_BF16, 1, 4),
                 "argument 0 has element type bf16, but f32 is required");
  check_replaced(&fixture, 0, made(context, kN, NULL, 3, f32, 1, 5),
                 "argument 0: its tail has extent 5 in position 0, but 4 is required");
  check_replaced(&fixture, 0, made(context, kN, NULL, 3, f32, 0, 0),
                 "argument 0: its tail has 0 dimensions, but 1 are required");
  check_replaced(&fixture, 0, made(context, kN, kM, 3, f32, 1, 4),
                 "argument 0: it has 2 ragged axes, but 1 are required");
  check_replaced(&fixture, 4, dense(context, f32, 2, 3, 4),
                 "argument 4: its shape has extent 3 in position 0, but 4 is required");
  check_replaced(&fixture, 3, made(context, NULL, NULL, 4, f32, 1, 128),
                 "argument 3 has 4 samples, but argument 0 has 3");
  // (0, 3, 5) differs from (2, 3, 5); the same number of rows does not make (3, 2, 5) equal.
  check_replaced(&fixture, 1, made(context, (int64_t[]){3, 2, 5}, kM, 3, f32, 1, 4),
                 "argument 1: axis n has extent 3 in sample 0, but argument 0 gives it 2");
  check_replaced(&fixture, 2, made(context, (int64_t[]){3, 3, 8}, NULL, 3, f32, 0, 0),
                 "argument 2: axis m + n has extent 8 in sample 2, but its names give it 9");
  ragged_rt_context *other = runtime_test_context("generated", 1);
  check_replaced(&fixture, 0, made(other, kN, NULL, 3, f32, 1, 4),
                 "argument 0 belongs to another context");
  ragged_rt_context_release(other);
  for (int k = 0; k < 5; ++k) ragged_rt_tensor_release(arguments[k]);
}

static void count_release(void *user) { ++*(int *)user; }

static void test_module(void) {
  ragged_rt_entry entries[] = {{.name = "a", .function = nothing},
                               {.name = "b", .function = nothing}};
  ragged_rt_module *module = NULL;
  int released = 0;
  CHECK_OK(ragged_rt_module_create(2, entries, count_release, &released, &module));
  CHECK_INT(ragged_rt_module_num_entries(module), 2);
  CHECK(ragged_rt_module_find(module, "b") == &entries[1]);
  CHECK(ragged_rt_module_find(module, "c") == NULL);
  CHECK(ragged_rt_module_entry(module, 2) == NULL);
  ragged_rt_module_retain(module);
  ragged_rt_module_release(module);
  CHECK_INT(released, 0);
  ragged_rt_module_release(module);
  CHECK_INT(released, 1);
  entries[1].function = NULL;
  CHECK_FAILS(ragged_rt_module_create(2, entries, NULL, NULL, &module),
              RAGGED_STATUS_INVALID_ARGUMENT, "entry 1 of a module");
}

int main(void) {
  ragged_rt_context *context = runtime_test_context("generated", 3);
  test_results(context, (int64_t[]){2, 0, 3}, 3);
  test_results(context, (int64_t[]){0}, 1);
  test_results(context, (int64_t[]){1000, 1}, 2);
  test_results(context, NULL, 0);
  test_axes(context);
  test_errors(context);
  test_entry_check(context);
  test_module();
  ragged_rt_context_release(context);
  return unit_test_finish();
}
