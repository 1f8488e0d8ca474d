// One suite for all devices: memory, copies, metadata, order, scalars, results, errors, statistics. A
// device is a row of kDevices; what differs between them is how a kernel is launched.
#include "context.h"
#include "fake_cuda_driver.h"
#include "runtime_test_support.h"

typedef struct device_row {
  const char *name, *driver;
  void (*prepare)(void);  // before a context is made; may be null
  // y[i] = 2 * x[i] for `count` f32, as a kernel "twice" that counts 8 bytes and 1 operation an item.
  void (*launch_twice)(ragged_rt_frame *frame, const void *x, void *y, int64_t count);
} device_row;

// ---- The host -------------------------------------------------------------------------------------------

static void host_twice(const int64_t *slots, int64_t first, int64_t last, void *scratch) {
  (void)scratch;
  const float *x = (const float *)(uintptr_t)slots[0];
  float *y = (float *)(uintptr_t)slots[1];
  for (int64_t i = first; i < last; ++i) y[i] = 2 * x[i];
}

static void launch_on_host(ragged_rt_frame *frame, const void *x, void *y, int64_t count) {
  int64_t slots[] = {(int64_t)(uintptr_t)x, (int64_t)(uintptr_t)y};
  ragged_rt_frame_launch(frame, host_twice, "twice", slots, count, 16, 0, 8, 1);
}

// ---- CUDA on the fake driver ----------------------------------------------------------------------------

static void cuda_twice(const int64_t *words, int64_t num_words, unsigned blocks, unsigned threads) {
  (void)num_words, (void)blocks, (void)threads;
  const float *x = fake_cuda_host_address((const void *)(uintptr_t)words[2]);
  float *y = fake_cuda_host_address((void *)(uintptr_t)words[3]);
  for (int64_t i = 0; i < words[0]; ++i) y[i] = 2 * x[i];
}

static void prepare_cuda(void) {
  fake_cuda_reset();
  fake_cuda_add_kernel("twice", cuda_twice);
}

static const ragged_rt_kernel_image kImages[] = {{RAGGED_RT_IMAGE_PTX, "sm_80", "PTX", 4}};
static const ragged_rt_kernel_module kModule = {sizeof kModule, 1, kImages};

static void launch_grid(ragged_rt_frame *frame, const void *x, void *y, int64_t count) {
  int64_t words[] = {(int64_t)(uintptr_t)x, (int64_t)(uintptr_t)y};
  ragged_rt_frame_launch_grid(frame, &kModule, "twice", words, 2, count, 128, 128, 0, 0, 8, 1);
}

static const device_row kDevices[] = {
    {"host", NULL, NULL, launch_on_host},
    {"cuda", FAKE_CUDA_DRIVER, prepare_cuda, launch_grid},
};

// The row that entries, which take no arguments of their own, are run for.
static const device_row *current;

static ragged_rt_context *make_context(void) {
  ragged_rt_context_options options = {.struct_size = sizeof options, .device = current->name,
                                       .cuda_driver = current->driver, .products = "generated",
                                       .num_threads = 2};
  ragged_rt_context *context = NULL;
  if (current->prepare) current->prepare();
  if (!CHECK_OK(ragged_rt_context_create(&options, &context))) exit(EXIT_FAILURE);
  CHECK_STRING(ragged_rt_context_device(context), current->name);
  return context;
}

// `count` numbers of the device's memory, as kernels find them.
static void read_back(ragged_rt_context *context, int64_t *out, const void *device, int64_t count) {
  CHECK_OK(context->device->table->download(context->device, out, device,
                                            (size_t)count * sizeof *out));
}

// ---- Memory and copies ----------------------------------------------------------------------------------

static void test_memory(ragged_rt_context *context) {
  ragged_rt_device *device = context->device;
  const ragged_rt_device_table *table = device->table;
  enum { kBytes = 100000 };
  static char values[kBytes], got[kBytes];
  for (int i = 0; i < kBytes; ++i) values[i] = (char)(i * 7 + i / 251);
  void *a = NULL, *b = NULL;
  CHECK_OK(ragged_rt_memory_allocate(&context->memory, kBytes, "a test", &a));
  CHECK_OK(ragged_rt_memory_allocate(&context->memory, kBytes, "a test", &b));
  CHECK_INT((int64_t)((uintptr_t)a % RAGGED_RT_ALIGNMENT), 0);
  CHECK_OK(table->upload(device, a, values, kBytes));
  CHECK_OK(table->fill(device, b, 0x5a, kBytes));
  CHECK_OK(table->copy(device, (char *)b + 1000, (char *)a + 333, 5000));
  CHECK_OK(table->upload(device, (char *)b + 7000, values, 1));
  CHECK_OK(table->fill(device, (char *)b + 8000, -1, 3));
  CHECK_OK(table->download(device, got, b, kBytes));
  bool same = true;
  for (int i = 0; i < kBytes; ++i) {
    char expected = i >= 1000 && i < 6000 ? values[i - 1000 + 333]
                    : i == 7000           ? values[0]
                    : i >= 8000 && i < 8003 ? (char)-1
                                            : 0x5a;
    same = same && got[i] == expected;
  }
  CHECK(same);
  CHECK_OK(table->download(device, got, (char *)a + 99, 1));
  CHECK_INT(got[0], values[99]);
  // Nothing is a size too.
  CHECK_OK(table->upload(device, a, NULL, 0));
  CHECK_OK(table->download(device, NULL, a, 0));
  CHECK_OK(table->copy(device, a, b, 0));
  CHECK_OK(table->fill(device, a, 0, 0));
  CHECK_OK(ragged_rt_context_synchronise(context));
  CHECK_INT(runtime_test_live(context), 2);
  ragged_rt_memory_free(&context->memory, a, kBytes);
  ragged_rt_memory_free(&context->memory, b, kBytes);
  void *c = NULL;
  ragged_status status =
      ragged_rt_memory_allocate(&context->memory, INT64_MAX / 3, "a giant", &c);
  CHECK_FAILS(status, RAGGED_STATUS_RESOURCE_EXHAUSTED, "bytes of a giant");
  CHECK_INT(runtime_test_live(context), 0);
}

static void test_tensors(ragged_rt_context *context) {
  const int64_t lengths[] = {2, 0, 3}, tail[] = {2, 2};
  ragged_rt_axis *n = runtime_test_axis(context, 3, lengths);
  ragged_rt_space *space = runtime_test_space(context, n, NULL);
  float values[20], got[20];
  for (int i = 0; i < 20; ++i) values[i] = (float)i - 3.5f;
  ragged_rt_tensor *tensor = NULL, *empty = NULL;
  CHECK_OK(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_F32, space, 2, tail, values, &tensor));
  CHECK_INT(ragged_rt_tensor_rows(tensor), 5);
  CHECK_OK(ragged_rt_tensor_to_host(tensor, got, sizeof got));
  CHECK(memcmp(got, values, sizeof got) == 0);
  CHECK_FAILS(ragged_rt_tensor_to_host(tensor, got, 79), RAGGED_STATUS_INVALID_ARGUMENT,
              "there is room for 79 bytes, but the tensor holds 80");
  CHECK_FAILS(ragged_rt_tensor_to_host(tensor, NULL, 80), RAGGED_STATUS_INVALID_ARGUMENT,
              "the pointer to values is null");
  CHECK_FAILS(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_F32, space, 2, tail, NULL, &empty),
              RAGGED_STATUS_INVALID_ARGUMENT, "the pointer to values is null");
  // Borrowed memory of the device, with room for more rows than there are.
  ragged_rt_tensor *borrowed = NULL;
  int64_t four = 4;
  CHECK_OK(ragged_rt_tensor_wrap(context, RAGGED_ELEMENT_F32, space, 1, &four, 5,
                                 ragged_rt_tensor_data(tensor), NULL, NULL, &borrowed));
  memset(got, 0, sizeof got);
  CHECK_OK(ragged_rt_tensor_to_host(borrowed, got, sizeof got));
  CHECK(memcmp(got, values, sizeof got) == 0);
  ragged_rt_tensor_release(borrowed);
  ragged_rt_tensor_release(tensor);
  int64_t none = 0;
  CHECK_OK(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_I64, NULL, 1, &none, NULL, &empty));
  CHECK_OK(ragged_rt_tensor_to_host(empty, NULL, 0));
  ragged_rt_tensor_release(empty);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(n);
  CHECK_INT(runtime_test_live(context), 0);
}

// ---- Metadata -------------------------------------------------------------------------------------------

// What test_metadata expects; its entry asks for it through the frame.
static ragged_rt_axis *asked_axis;
static ragged_rt_space *asked_space;

static void ask_metadata(ragged_rt_frame *frame) {
  ragged_rt_context *context = asked_axis->context;
  int64_t batch = asked_axis->batch;
  int64_t *got = calloc((size_t)batch + 1, sizeof *got);
  const int64_t *extents = ragged_rt_frame_axis_extents(frame, asked_axis);
  read_back(context, got, extents, batch);
  for (int64_t i = 0; i < batch; ++i) CHECK_INT(got[i], ragged_rt_axis_extents(asked_axis)[i]);
  const int64_t *offsets = ragged_rt_frame_space_offsets(frame, asked_space);
  read_back(context, got, offsets, batch + 1);
  const int64_t *expected = ragged_rt_space_offsets(asked_space);
  for (int64_t i = 0; i <= batch; ++i) CHECK_INT(got[i], expected[i]);
  // The order: every sample once, never more rows than the one before, ties by number.
  int64_t *order = calloc((size_t)batch + 1, sizeof *order);
  const int64_t *device_order = ragged_rt_frame_space_order(frame, asked_space);
  const int64_t *running = ragged_rt_frame_space_ordered_offsets(frame, asked_space);
  read_back(context, order, device_order, batch);
  read_back(context, got, running, batch + 1);
  char *seen = calloc(1, (size_t)batch + 1);
  int64_t rows = 0, before = INT64_MAX;
  bool good = got[0] == 0;
  for (int64_t k = 0; k < batch; ++k) {
    int64_t i = order[k];
    if (!CHECK(i >= 0 && i < batch && !seen[i])) break;
    seen[i] = 1;
    int64_t mine = expected[i + 1] - expected[i];
    good = good && (mine < before || (mine == before && i > order[k - 1]));
    before = mine;
    rows += mine;
    good = good && got[k + 1] == rows;
  }
  CHECK(good);
  // Made once.
  int64_t live = runtime_test_live(context);
  CHECK(ragged_rt_frame_axis_extents(frame, asked_axis) == extents);
  CHECK(ragged_rt_frame_space_offsets(frame, asked_space) == offsets);
  CHECK(ragged_rt_frame_space_order(frame, asked_space) == device_order);
  CHECK(ragged_rt_frame_space_ordered_offsets(frame, asked_space) == running);
  CHECK_INT(runtime_test_live(context), live);
  CHECK(ragged_rt_frame_ok(frame));
  free(seen);
  free(order);
  free(got);
}

static void check_metadata(ragged_rt_context *context, int64_t batch, const int64_t *lengths) {
  ragged_rt_entry entry = {"ask_metadata", ask_metadata, 0, 0, 0, NULL, NULL, NULL};
  asked_axis = runtime_test_axis(context, batch, lengths);
  asked_space = runtime_test_space(context, asked_axis, asked_axis);
  CHECK_OK(ragged_rt_call(context, &entry, 0, NULL, 0, NULL));
  CHECK_OK(ragged_rt_call(context, &entry, 0, NULL, 0, NULL));
  ragged_rt_space_release(asked_space);
  ragged_rt_axis_release(asked_axis);
  CHECK_INT(runtime_test_live(context), 0);
}

static void test_metadata(ragged_rt_context *context) {
  enum { kMany = 1000 };
  const int64_t few[] = {3, 0, 7, 3, 7, 0, 1};
  int64_t many[kMany];
  check_metadata(context, 0, NULL);
  check_metadata(context, 1, few);
  check_metadata(context, COUNT(few), few);
  uint64_t seed = 11;
  for (int bound = 1; bound <= 1000; bound *= 10) {
    for (int i = 0; i < kMany; ++i) many[i] = unit_test_random_below(&seed, bound);
    check_metadata(context, kMany - bound % 7, many);
  }
}

// ---- Axes and scalars of tensors ------------------------------------------------------------------------

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

// ---- Calls ----------------------------------------------------------------------------------------------

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

// ---- Errors ---------------------------------------------------------------------------------------------

static void too_many_rows(ragged_rt_frame *frame) {
  const int64_t fitting[] = {3, UINT32_MAX}, larger[] = {3, 0, (int64_t)UINT32_MAX + 1};
  ragged_rt_context *context = asked_axis->context;
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
  asked_axis = runtime_test_axis(context, 1, &one);
  CHECK_FAILS(ragged_rt_call(context, &entry, 0, NULL, 0, NULL), RAGGED_STATUS_INVALID_ARGUMENT,
              "sample 2 has 4294967296 rows");
  ragged_rt_axis_release(asked_axis);
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

static void test_options(void) {
  ragged_rt_context *context = NULL;
  ragged_rt_context_options options = {.struct_size = sizeof options, .stream = &options};
  CHECK_FAILS(ragged_rt_context_create(&options, &context), RAGGED_STATUS_INVALID_ARGUMENT,
              "a stream was given, but device 'host' has none");
  options = (ragged_rt_context_options){.struct_size = sizeof options, .device_index = 2};
  CHECK_FAILS(ragged_rt_context_create(&options, &context), RAGGED_STATUS_INVALID_ARGUMENT,
              "device_index is 2");
  options = (ragged_rt_context_options){.struct_size = sizeof options, .device = "toaster"};
  CHECK_FAILS(ragged_rt_context_create(&options, &context), RAGGED_STATUS_UNAVAILABLE,
              "there is no device 'toaster'; there are: 'host', 'cuda', 'emulated'");
}

static void launch_anyway(ragged_rt_frame *frame) { launch_grid(frame, NULL, NULL, 8); }

static void test_grid_on_host(void) {
  ragged_rt_context *context = runtime_test_context("generated", 1);
  ragged_rt_entry entry = {"entry", launch_anyway, 0, 0, 0, NULL, NULL, NULL};
  CHECK_FAILS(ragged_rt_call(context, &entry, 0, NULL, 0, NULL), RAGGED_STATUS_INVALID_ARGUMENT,
              "kernel 'twice' was compiled for a device with kernels of its own, but the context's "
              "device is 'host'");
  ragged_rt_context_release(context);
}

int main(void) {
  for (int k = 0; k < COUNT(kDevices); ++k) {
    current = &kDevices[k];
    ragged_rt_context *context = make_context();
    test_memory(context);
    test_tensors(context);
    test_metadata(context);
    test_axes_of_tensors(context);
    test_scalars(context);
    test_results(context);
    test_errors(context);
    test_statistics(context);
    ragged_rt_context_release(context);
    test_allocation_failures();
  }
  CHECK_STRING(fake_cuda_mistake(), NULL);
  CHECK_INT(fake_cuda_num_live(), 0);
  test_options();
  test_grid_on_host();
  return unit_test_finish();
}
