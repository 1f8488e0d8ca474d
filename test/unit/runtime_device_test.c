// All devices: memory, copies, tensors, metadata, the order of samples; and the options that choose
// one.
#include "runtime_device_support.h"

// `count` numbers of the device's memory, as kernels find them.
static void read_back(ragged_rt_context *context, int64_t *out, const void *device, int64_t count) {
  CHECK_OK(context->device->table->download(context->device, out, device,
                                            (size_t)count * sizeof *out));
}

// ---- Memory and copies -------------------------------------------------------------------------

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

// ---- Metadata ----------------------------------------------------------------------------------

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

// ---- Options -----------------------------------------------------------------------------------

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
  void (*const tests[])(ragged_rt_context *) = {test_memory, test_tensors, test_metadata};
  for_each_device(tests, COUNT(tests), NULL);
  test_options();
  test_grid_on_host();
  return unit_test_finish();
}
