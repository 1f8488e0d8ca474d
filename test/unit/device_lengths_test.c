// Calls with lengths that only the device knows, compiled for the emulated device and for the host: many
// batch sizes, what is compared on the device, every fault with its message, capacities, and what the
// API says about such axes and spaces.
#include "context.h"
#include "ragged-c/compile.h"
#include "ragged-c/dialect.h"
#include "runtime_test_support.h"

static const char *const kProgram =
    "!x = !ragged.tensor<[n], f32>\n"
    "func.func @offsets(%x: !x) -> (tensor<?xi64>, tensor<?xi64>, !x) {\n"
    "  %d = ragged.add %x, %x : !x, !x -> !x\n"
    "  %a = ragged.expand_dims %d dim = 1 : !x -> !ragged.tensor<[n, 1], f32>\n"
    "  %b = ragged.expand_dims %d dim = 0 : !x -> !ragged.tensor<[1, n], f32>\n"
    "  %p = ragged.add %a, %b : !ragged.tensor<[n, 1], f32>, !ragged.tensor<[1, n], f32>\n"
    "      -> !ragged.tensor<[n, n], f32>\n"
    "  %o = ragged.offsets %x : !x -> tensor<?xi64>\n"
    "  %q = ragged.offsets %p : !ragged.tensor<[n, n], f32> -> tensor<?xi64>\n"
    "  return %o, %q, %d : tensor<?xi64>, tensor<?xi64>, !x\n"
    "}\n"
    "func.func @pairs(%x: !x, %y: !x) -> !ragged.tensor<[n, n], f32> {\n"
    "  %a = ragged.expand_dims %x dim = 1 : !x -> !ragged.tensor<[n, 1], f32>\n"
    "  %b = ragged.expand_dims %y dim = 0 : !x -> !ragged.tensor<[1, n], f32>\n"
    "  %p = ragged.add %a, %b : !ragged.tensor<[n, 1], f32>, !ragged.tensor<[1, n], f32>\n"
    "      -> !ragged.tensor<[n, n], f32>\n"
    "  return %p : !ragged.tensor<[n, n], f32>\n"
    "}\n"
    "func.func @computed(%x: !x, %y: !ragged.tensor<[2 * n - 1], f32>)\n"
    "    -> !ragged.tensor<[2 * n - 1], f32> {\n"
    "  %a = ragged.add %y, %y : !ragged.tensor<[2 * n - 1], f32>, !ragged.tensor<[2 * n - 1], f32>\n"
    "      -> !ragged.tensor<[2 * n - 1], f32>\n"
    "  return %a : !ragged.tensor<[2 * n - 1], f32>\n"
    "}\n"
    "func.func @assumed(%x: !x, %y: !ragged.tensor<[m], f32>) -> !x {\n"
    "  %z = ragged.assume_same_axis %y dims = [0] to = \"n\" like %x : !ragged.tensor<[m], f32>, !x -> !x\n"
    "  %s = ragged.add %x, %z : !x, !x -> !x\n"
    "  return %s : !x\n"
    "}\n"
    "func.func @cube(%x: !ragged.tensor<[n, n, n], f32>) -> !ragged.tensor<[n, n, n], f32> {\n"
    "  %y = ragged.add %x, %x : !ragged.tensor<[n, n, n], f32>, !ragged.tensor<[n, n, n], f32>\n"
    "      -> !ragged.tensor<[n, n, n], f32>\n"
    "  return %y : !ragged.tensor<[n, n, n], f32>\n"
    "}\n"
    "func.func @outer(%x: !x) -> !ragged.tensor<[n, n, n], f32> {\n"
    "  %a = ragged.expand_dims %x dim = 1 : !x -> !ragged.tensor<[n, 1], f32>\n"
    "  %b = ragged.expand_dims %x dim = 0 : !x -> !ragged.tensor<[1, n], f32>\n"
    "  %p = ragged.add %a, %b : !ragged.tensor<[n, 1], f32>, !ragged.tensor<[1, n], f32>\n"
    "      -> !ragged.tensor<[n, n], f32>\n"
    "  %c = ragged.expand_dims %p dim = 2 : !ragged.tensor<[n, n], f32>\n"
    "      -> !ragged.tensor<[n, n, 1], f32>\n"
    "  %d = ragged.expand_dims %b dim = 0 : !ragged.tensor<[1, n], f32>\n"
    "      -> !ragged.tensor<[1, 1, n], f32>\n"
    "  %q = ragged.add %c, %d : !ragged.tensor<[n, n, 1], f32>, !ragged.tensor<[1, 1, n], f32>\n"
    "      -> !ragged.tensor<[n, n, n], f32>\n"
    "  return %q : !ragged.tensor<[n, n, n], f32>\n"
    "}\n";

static ragged_rt_context *context;
static const ragged_rt_module *module;
static bool on_host;

// ---- Lengths in memory of the device -------------------------------------------------------------

typedef struct device_lengths {
  ragged_rt_tensor *memory;
  ragged_rt_axis *axis;
} device_lengths;

static void write_lengths(const device_lengths *to, const int64_t *lengths) {
  int64_t batch = ragged_rt_axis_batch(to->axis);
  ragged_rt_device *device = context->device;
  CHECK_OK(device->table->upload(device, to->memory->data, lengths, (size_t)batch * 8));
}

static device_lengths make_lengths(int64_t batch, const int64_t *lengths, int64_t max_extent,
                                   int64_t max_total) {
  device_lengths made = {0};
  int64_t shape = batch > 0 ? batch : 1;
  CHECK_OK(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_I64, 1, &shape, &made.memory));
  CHECK_OK(ragged_rt_axis_create_on_device(context, batch, 64, made.memory->data, max_extent,
                                           max_total, &made.axis));
  if (lengths) write_lengths(&made, lengths);
  return made;
}

static void end_lengths(device_lengths *lengths) {
  ragged_rt_axis_release(lengths->axis);
  ragged_rt_tensor_release(lengths->memory);
}

// A tensor of zeros as large as its space may be.
static ragged_rt_tensor *make_tensor(int num_axes, ragged_rt_axis *const *axes) {
  ragged_rt_space *space = NULL;
  ragged_rt_tensor *tensor = NULL;
  CHECK_OK(ragged_rt_space_get(context, -1, num_axes, axes, &space));
  CHECK_OK(ragged_rt_tensor_create(context, RAGGED_ELEMENT_F32, space, 0, NULL, &tensor));
  ragged_rt_device *device = context->device;
  CHECK_OK(device->table->fill(device, tensor->data, 0, (size_t)ragged_rt_tensor_bytes(tensor)));
  ragged_rt_space_release(space);
  return tensor;
}

static ragged_status call(const char *name, int num_arguments, ragged_rt_tensor **arguments,
                          int num_results, ragged_rt_tensor **results) {
  const ragged_rt_entry *entry = ragged_rt_module_find(module, name);
  return ragged_rt_call(context, entry, num_arguments, arguments, num_results, results);
}

static void release(int count, ragged_rt_tensor **tensors) {
  for (int k = 0; k < count; ++k) {
    ragged_rt_tensor_release(tensors[k]);
    tensors[k] = NULL;
  }
}

// The fault of a call: at once on the host, at the next wait elsewhere, and only then.
static void check_fault(ragged_status status, int num_results, ragged_rt_tensor **results,
                        const char *on_device, const char *by_host) {
  if (on_host) {
    CHECK_FAILS(status, RAGGED_STATUS_INVALID_ARGUMENT, by_host);
    return;
  }
  CHECK_OK(status);
  CHECK_FAILS(ragged_rt_context_synchronise(context), RAGGED_STATUS_INVALID_ARGUMENT, on_device);
  CHECK_OK(ragged_rt_context_synchronise(context));
  release(num_results, results);
}

// ---- Tests ---------------------------------------------------------------------------------------

// Every pair's sum, of rows that are numbered.
static void check_pairs(int64_t batch, const int64_t *lengths, ragged_rt_tensor *x) {
  int64_t rows = 0, pairs = 0, place = 0;
  for (int64_t i = 0; i < batch; ++i) {
    rows += lengths[i];
    pairs += lengths[i] * lengths[i];
  }
  float *numbers = calloc((size_t)rows + 1, sizeof *numbers), *sums = calloc((size_t)pairs + 1, sizeof *sums);
  for (int64_t k = 0; k < rows; ++k) numbers[k] = (float)k;
  ragged_rt_device *device = context->device;
  CHECK_OK(device->table->upload(device, x->data, numbers, (size_t)rows * sizeof *numbers));
  ragged_rt_tensor *both[] = {x, x}, *results[1] = {NULL};
  CHECK_OK(call("pairs", 2, both, 1, results));
  CHECK_OK(ragged_rt_tensor_to_host(results[0], sums, pairs * (int64_t)sizeof *sums));
  bool same = true;
  for (int64_t i = 0, first = 0; i < batch; first += lengths[i++])
    for (int64_t pair = 0; pair < lengths[i] * lengths[i]; ++pair)
      same = same && sums[place++] == (float)(2 * first + pair / lengths[i] + pair % lengths[i]);
  CHECK(same);
  release(1, results);
  free(sums);
  free(numbers);
}

// One thread a sample, several, and shares of several samples, whole and cut; then mostly empty samples,
// of which there are more between the rows of a block than it has threads.
static void test_batches(void) {
  static const int64_t batches[] = {0, 1, 2, 3, 255, 256, 257, 511, 513, 1000, 5000};
  uint64_t seed = 7;
  for (int b = 0; b < COUNT(batches); ++b) {
    int64_t batch = batches[b], *lengths = calloc((size_t)batch + 1, sizeof *lengths);
    int64_t *offsets = calloc((size_t)batch + 1, sizeof *offsets), sum = 0, squares = 0;
    for (int turn = 0; turn < 2; ++turn) {
      for (int64_t i = 0; i < batch; ++i)
        lengths[i] = turn && unit_test_random_below(&seed, 16) ? 0 : unit_test_random_below(&seed, 3);
      device_lengths n = make_lengths(batch, lengths, 2, -1);
      ragged_rt_tensor *x = make_tensor(1, &n.axis), *results[3] = {NULL};
      CHECK_OK(call("offsets", 1, &x, 3, results));
      for (int k = 0; k < 2; ++k) {
        CHECK_OK(ragged_rt_tensor_to_host(results[k], offsets, (batch + 1) * 8));
        bool same = offsets[0] == 0;
        sum = squares = 0;
        for (int64_t i = 0; i < batch; ++i) {
          sum += lengths[i];
          squares += lengths[i] * lengths[i];
          same = same && offsets[i + 1] == (k ? squares : sum);
        }
        CHECK(same);
      }
      float *values = calloc((size_t)sum + 1, sizeof *values);
      CHECK_OK(ragged_rt_tensor_to_host(results[2], values, sum * 4));
      free(values);
      CHECK_OK(ragged_rt_context_synchronise(context));
      release(3, results);
      check_pairs(batch, lengths, x);
      ragged_rt_tensor_release(x);
      end_lengths(&n);
    }
    free(offsets);
    free(lengths);
  }
}

// The earliest sample of all threads is told, wherever it is.
static void test_length_faults(void) {
  enum { kBatch = 700 };
  static const int64_t places[][2] = {{0, 0}, {699, 3}, {256, 255}, {300, 299}, {44, 600}};
  int64_t lengths[kBatch];
  for (int k = 0; k < COUNT(places); ++k) {
    for (int i = 0; i < kBatch; ++i) lengths[i] = i % 3;
    device_lengths n = make_lengths(kBatch, lengths, 2, -1);
    ragged_rt_tensor *x = make_tensor(1, &n.axis), *results[3] = {NULL};
    lengths[places[k][0]] = 3;
    lengths[places[k][1]] = -5;
    write_lengths(&n, lengths);
    int64_t first = places[k][0] < places[k][1] ? places[k][0] : places[k][1];
    char on_device[128];
    snprintf(on_device, sizeof on_device,
             "the length of sample %lld on the device is %lld, but 0 to 2 are allowed",
             (long long)first, (long long)lengths[first]);
    check_fault(call("offsets", 1, &x, 3, results), 3, results, on_device,
                "but lengths must not be negative");
    ragged_rt_tensor_release(x);
    end_lengths(&n);
  }
}

static void test_capacity_faults(void) {
  static const int64_t fits[] = {2, 3, 1, 0}, beyond[] = {3, 3, 3, 3};
  device_lengths n = make_lengths(4, fits, 3, 8);
  ragged_rt_axis *axes[] = {n.axis, n.axis};
  ragged_rt_space *space = NULL, *known = NULL, *pairs = NULL;
  ragged_rt_tensor *x = make_tensor(1, &n.axis), *results[3] = {NULL};
  CHECK_INT(ragged_rt_tensor_rows(x), 8);
  CHECK_INT(ragged_rt_tensor_capacity(x), 8);
  CHECK_OK(ragged_rt_space_get(context, 4, 2, axes, &pairs));
  CHECK_INT(ragged_rt_space_rows(pairs), 24);
  CHECK_FAILS(ragged_rt_space_set_capacity(pairs, -1), RAGGED_STATUS_INVALID_ARGUMENT,
              "must not be negative");
  CHECK_OK(ragged_rt_space_set_capacity(pairs, 30));  // more is without effect
  CHECK_INT(ragged_rt_space_rows(pairs), 24);
  CHECK_OK(ragged_rt_space_set_capacity(pairs, 14));
  CHECK_INT(ragged_rt_space_rows(pairs), 14);
  CHECK_OK(ragged_rt_space_get(context, 4, 2, axes, &space));
  CHECK(space == pairs);
  ragged_rt_space_release(space);
  CHECK_OK(ragged_rt_space_resolve(pairs, &known));
  CHECK_INT(ragged_rt_space_rows(known), 14);
  CHECK(ragged_rt_space_offsets(known)[2] == 13 && !ragged_rt_space_on_device(known));
  ragged_rt_space_release(known);
  CHECK_OK(call("offsets", 1, &x, 3, results));
  CHECK_OK(ragged_rt_context_synchronise(context));
  release(3, results);
  write_lengths(&n, beyond);
  CHECK_FAILS(ragged_rt_space_resolve(pairs, &known), RAGGED_STATUS_INVALID_ARGUMENT,
              "the lengths on the device give a space of 2 axes 36 rows, but its capacity is 14");
  check_fault(call("offsets", 1, &x, 3, results), 3, results,
              "more than its capacity of 8 rows at sample 2",
              "argument 0: the lengths on the device give a space of 1 axes 12 rows, but its "
              "capacity is 8");
  ragged_rt_space_release(pairs);
  ragged_rt_tensor_release(x);
  end_lengths(&n);
}

// Equal names with axes of their own, expressions with lengths of their own, and assumed axes.
static void test_comparisons(void) {
  static const int64_t a[] = {2, 1, 3}, odd[] = {3, 1, 5}, other[] = {2, 1, 2}, zero[] = {2, 0, 3};
  device_lengths n = make_lengths(3, a, 3, -1), m = make_lengths(3, a, 3, -1);
  device_lengths e = make_lengths(3, odd, 5, -1);
  static const char *const names[] = {"n"};
  ragged_rt_axis *computed = NULL;
  CHECK_OK(ragged_rt_axis_create_from_expression(context, "2 * n - 1", 1, names, &n.axis,
                                                 &computed));
  CHECK_INT(ragged_rt_axis_max_extent(computed), 5);
  ragged_rt_tensor *x = make_tensor(1, &n.axis), *y = make_tensor(1, &m.axis);
  ragged_rt_tensor *z = make_tensor(1, &e.axis), *w = make_tensor(1, &computed);
  ragged_rt_tensor *same[] = {x, y}, *own[] = {x, z}, *made[] = {x, w}, *results[1] = {NULL};
  for (int k = 0; k < 2; ++k) {
    const char *name = k ? "assumed" : "pairs";
    write_lengths(&m, a);
    CHECK_OK(call(name, 2, same, 1, results));
    CHECK_OK(ragged_rt_context_synchronise(context));
    release(1, results);
    write_lengths(&m, other);
    check_fault(call(name, 2, same, 1, results), 1, results,
                "an axis has extent 2 in sample 2 on the device, but the axis that must be the same "
                "has 3",
                k ? "axis m has extent 2 in sample 2"
                  : "argument 1: axis n has extent 2 in sample 2, but argument 0 gives it 3");
  }
  CHECK_OK(call("computed", 2, own, 1, results));
  CHECK_OK(ragged_rt_context_synchronise(context));
  release(1, results);
  CHECK_OK(call("computed", 2, made, 1, results));
  CHECK_OK(ragged_rt_context_synchronise(context));
  release(1, results);
  write_lengths(&e, a);
  check_fault(call("computed", 2, own, 1, results), 1, results,
              "an axis has extent 2 in sample 0 on the device, but the axis that must be the same "
              "has 3",
              "argument 1: axis 2 * n - 1 has extent 2 in sample 0, but its names give it 3");
  write_lengths(&n, zero);
  check_fault(call("computed", 2, made, 1, results), 1, results,
              "an axis that is computed from lengths on the device has extent -1 in sample 1, but 0 "
              "to 5 are allowed",
              "it is -1 here, expected 0 or more");
  // With lengths that the host knows: the host reads both, a device neither.
  ragged_rt_axis *known = runtime_test_axis(context, 3, a), *known_odd = runtime_test_axis(context, 3, odd);
  ragged_rt_tensor *k = make_tensor(1, &known), *o = make_tensor(1, &known_odd);
  ragged_rt_tensor *mixed[] = {k, y}, *outside[] = {x, o};
  write_lengths(&m, a);
  write_lengths(&n, a);
  ragged_status status = call("pairs", 2, mixed, 1, results);
  if (on_host) CHECK_OK(status);
  else
    CHECK_FAILS(status, RAGGED_STATUS_INVALID_ARGUMENT,
                "argument 1: only the device knows axis n, but only the host that of argument 0");
  release(1, results);
  status = call("computed", 2, outside, 1, results);
  if (on_host) CHECK_OK(status);
  else
    CHECK_FAILS(status, RAGGED_STATUS_INVALID_ARGUMENT,
                "argument 1: only the host knows axis 2 * n - 1, but only the device its names");
  release(1, results);
  release(1, &o);
  release(1, &k);
  ragged_rt_axis_release(known_odd);
  ragged_rt_axis_release(known);
  // Equal lengths, but less room than the axis of the other argument allows.
  device_lengths tight = make_lengths(3, a, 3, 7);
  ragged_rt_tensor *small = make_tensor(1, &tight.axis), *unequal[] = {x, small};
  status = call("pairs", 2, unequal, 1, results);
  if (on_host) CHECK_OK(status);
  else
    CHECK_FAILS(status, RAGGED_STATUS_INVALID_ARGUMENT,
                "argument 1: its buffer holds 7 rows, but its space can have 9");
  release(1, results);
  release(1, &small);
  end_lengths(&tight);
  release(2, same);
  release(1, &z);
  release(1, &w);
  ragged_rt_axis_release(computed);
  end_lengths(&e);
  end_lengths(&m);
  end_lengths(&n);
}

// Three axes: products that only zeros make small enough.
static void test_products(void) {
  const int64_t huge = INT64_C(1) << 40, lengths[] = {0, 2}, far[] = {0, huge};
  device_lengths n = make_lengths(2, lengths, huge, -1);
  ragged_rt_axis *axes[] = {n.axis, n.axis, n.axis};
  ragged_rt_space *space = NULL;
  ragged_rt_tensor *x = NULL, *results[1] = {NULL};
  CHECK_OK(ragged_rt_space_get(context, 2, 3, axes, &space));
  CHECK_INT(ragged_rt_space_rows(space), INT64_MAX);
  CHECK_FAILS(ragged_rt_tensor_create(context, RAGGED_ELEMENT_F32, space, 0, NULL, &x),
              RAGGED_STATUS_INVALID_ARGUMENT, "more than 2^63 - 1 bytes");
  CHECK_OK(ragged_rt_space_set_capacity(space, 10));
  x = make_tensor(3, axes);
  CHECK_OK(call("cube", 1, &x, 1, results));
  CHECK_OK(ragged_rt_context_synchronise(context));
  float got[8];
  CHECK_OK(ragged_rt_tensor_to_host(results[0], got, sizeof got));
  release(1, results);
  write_lengths(&n, far);
  check_fault(call("cube", 1, &x, 1, results), 1, results,
              "more than its capacity of 10 rows at sample 1", "2^63 - 1");
  release(1, &x);
  ragged_rt_space_release(space);
  end_lengths(&n);
}

// Kernels that divide row numbers in 32 bits need bounds of a sample.
static void check_cubes(ragged_rt_frame *frame) {
  ragged_rt_axis *n = ragged_rt_frame_axis(frame, 0), *axes[] = {n, n, n};
  ragged_rt_frame_check_rows32(frame, ragged_rt_frame_space(frame, 3, axes, NULL));
}

static void test_large_samples(void) {
  static const char *const names[] = {"n"};
  const int64_t lengths[] = {1, 2}, bound = 1 << 11;
  ragged_rt_value_type type = runtime_test_ragged(RAGGED_ELEMENT_F32, "n", NULL, -1);
  ragged_rt_entry entry = {"cubes", check_cubes, 1, 0, 1, &type, NULL, names};
  device_lengths n = make_lengths(2, lengths, bound, -1);
  ragged_rt_axis *axes[] = {n.axis, n.axis, n.axis};
  ragged_rt_tensor *x = make_tensor(1, &n.axis), *results[1] = {NULL};
  ragged_status status = ragged_rt_call(context, &entry, 1, &x, 0, NULL);
  if (on_host) CHECK_OK(status);
  else
    CHECK_FAILS(status, RAGGED_STATUS_INVALID_ARGUMENT,
                "a sample can have 8589934592 rows by the bounds of its axes and 17179869184 by the "
                "capacity of its space, but kernels of device 'emulated' take at most 4294967295");
  ragged_rt_space *space = NULL;
  CHECK_OK(ragged_rt_space_get(context, 2, 3, axes, &space));
  CHECK_OK(ragged_rt_space_set_capacity(space, 20));
  CHECK_OK(call("outer", 1, &x, 1, results));
  CHECK_OK(ragged_rt_context_synchronise(context));
  release(1, results);
  release(1, &x);
  ragged_rt_space_release(space);
  end_lengths(&n);
}

// A program without kernels of the device's.
static void give_offsets(ragged_rt_frame *frame) {
  ragged_rt_axis *n = ragged_rt_frame_axis(frame, 0);
  ragged_rt_frame_result_dense(
      frame, 0, ragged_rt_frame_offsets(frame, ragged_rt_frame_space(frame, 1, &n, NULL)));
}

static void test_no_kernels(void) {
  static const char *const names[] = {"n"};
  const int64_t lengths[] = {1, 2};
  ragged_rt_value_type type = runtime_test_ragged(RAGGED_ELEMENT_F32, "n", NULL, -1);
  ragged_rt_value_type result = runtime_test_dense(RAGGED_ELEMENT_I64, 1, -1, 0);
  ragged_rt_entry entry = {"give_offsets", give_offsets, 1, 1, 1, &type, &result, names};
  device_lengths n = make_lengths(2, lengths, 3, -1);
  ragged_rt_tensor *x = make_tensor(1, &n.axis), *results[1] = {NULL};
  ragged_status status = ragged_rt_call(context, &entry, 1, &x, 1, results);
  if (on_host) CHECK_OK(status);
  else
    CHECK_FAILS(status, RAGGED_STATUS_INVALID_ARGUMENT,
                "'give_offsets' was given axes that only the device knows, but it was not compiled "
                "for a device with kernels of its own");
  release(1, results);
  release(1, &x);
  end_lengths(&n);
}

// Every allocation of a call fails once: nothing leaks, and the next call is right.
static void test_allocation_failures(void) {
  static const int64_t lengths[] = {2, 1, 3};
  device_lengths n = make_lengths(3, lengths, 3, -1);
  ragged_rt_tensor *x = make_tensor(1, &n.axis), *arguments[] = {x, x}, *results[1] = {NULL};
  int64_t live = runtime_test_live(context), k = 0;
  for (bool failed = true; failed; ++k) {
    ragged_rt_context_fail_allocation(context, k);
    ragged_status status = call("pairs", 2, arguments, 1, results);
    ragged_rt_context_fail_allocation(context, -1);
    failed = status != NULL;
    if (failed) CHECK_INT(ragged_status_get_code(status), RAGGED_STATUS_RESOURCE_EXHAUSTED);
    ragged_status_free(status);
    release(1, results);
    CHECK_INT(runtime_test_live(context), live);
  }
  CHECK(k > 5);
  CHECK_OK(call("pairs", 2, arguments, 1, results));
  CHECK_OK(ragged_rt_context_synchronise(context));
  release(1, results);
  release(1, &x);
  end_lengths(&n);
}

static void test_api(void) {
  ragged_rt_axis *axis = NULL, *again = NULL, *known = NULL;
  ragged_rt_space *space = NULL;
  const int64_t *splits, lengths[] = {1, 2};
  int64_t count;
  device_lengths n = make_lengths(2, lengths, 4, 6);
  void *memory = n.memory->data;
  CHECK(ragged_rt_axis_on_device(n.axis) && !ragged_rt_axis_extents(n.axis));
  CHECK_INT(ragged_rt_axis_max_extent(n.axis), 4);
  CHECK_INT(ragged_rt_axis_batch(n.axis), 2);
  // Interned by what they are made from.
  CHECK_OK(ragged_rt_axis_create_on_device(context, 2, 64, memory, 4, 6, &again));
  CHECK(again == n.axis && ragged_rt_axis_equal(again, n.axis));
  ragged_rt_axis_release(again);
  CHECK_OK(ragged_rt_axis_create_on_device(context, 2, 64, memory, 4, 5, &again));
  CHECK(again != n.axis && !ragged_rt_axis_equal(again, n.axis));
  ragged_rt_axis_release(again);
  CHECK_FAILS(ragged_rt_axis_create_on_device(context, 2, 16, memory, 4, 6, &again),
              RAGGED_STATUS_INVALID_ARGUMENT, "16 bits wide");
  CHECK_FAILS(ragged_rt_axis_create_on_device(context, 2, 64, NULL, 4, 6, &again),
              RAGGED_STATUS_INVALID_ARGUMENT, "the pointer to lengths is null");
  CHECK_FAILS(ragged_rt_axis_create_on_device(context, 2, 64, (char *)memory + 4, 4, 6, &again),
              RAGGED_STATUS_INVALID_ARGUMENT, "not aligned");
  CHECK_FAILS(ragged_rt_axis_create_on_device(context, -1, 64, memory, 4, 6, &again),
              RAGGED_STATUS_INVALID_ARGUMENT, "out of range");
  CHECK_FAILS(ragged_rt_axis_create_on_device(context, 2, 64, memory, -1, 6, &again),
              RAGGED_STATUS_INVALID_ARGUMENT, "bounds must not be negative");
  CHECK_FAILS(ragged_rt_axis_create_on_device(context, 2, 64, memory, 4, -2, &again),
              RAGGED_STATUS_INVALID_ARGUMENT, "bounds must not be negative");
  // Expressions.
  static const char *const names[] = {"m", "n"};
  known = runtime_test_axis(context, 2, lengths);
  ragged_rt_axis *axes[] = {known, n.axis};
  CHECK_OK(ragged_rt_axis_create_from_expression(context, "n", 2, names, axes, &axis));
  CHECK(axis == n.axis);
  ragged_rt_axis_release(axis);
  CHECK_OK(ragged_rt_axis_create_from_expression(context, "m + 1 + m", 2, names, axes, &axis));
  CHECK(!ragged_rt_axis_on_device(axis) && ragged_rt_axis_extents(axis)[1] == 5);
  ragged_rt_axis_release(axis);
  CHECK_OK(ragged_rt_axis_create_from_expression(context, "n * m - n", 2, names, axes, &axis));
  CHECK_OK(ragged_rt_axis_create_from_expression(context, "m * n - n", 2, names, axes, &again));
  CHECK(axis == again && ragged_rt_axis_on_device(axis));
  CHECK_INT(ragged_rt_axis_max_extent(axis), 8);
  ragged_rt_axis_release(again);
  CHECK_OK(ragged_rt_space_get(context, 2, 1, &axis, &space));
  CHECK(ragged_rt_space_on_device(space) && !ragged_rt_space_offsets(space));
  CHECK_INT(ragged_rt_space_rows(space), 16);
  CHECK_FAILS(ragged_rt_space_row_splits(space, 0, &splits, &count),
              RAGGED_STATUS_INVALID_ARGUMENT, "only the device knows");
  ragged_rt_space_release(space);
  ragged_rt_axis_release(axis);
  CHECK_FAILS(ragged_rt_axis_create_from_expression(context, "n + k", 2, names, axes, &axis),
              RAGGED_STATUS_INVALID_ARGUMENT, "needs the axis k, which is not given");
  CHECK_FAILS(ragged_rt_axis_create_from_expression(context, "n +", 2, names, axes, &axis),
              RAGGED_STATUS_INVALID_ARGUMENT, "n +");
  axes[1] = NULL;
  CHECK_FAILS(ragged_rt_axis_create_from_expression(context, "n + 1", 2, names, axes, &axis),
              RAGGED_STATUS_INVALID_ARGUMENT, "axis n + 1: the axis n is null");
  // A space that the host knows: a capacity changes nothing.
  CHECK_OK(ragged_rt_space_get(context, 2, 1, &known, &space));
  CHECK_OK(ragged_rt_space_set_capacity(space, 5));
  CHECK_FAILS(ragged_rt_space_set_capacity(space, 2), RAGGED_STATUS_INVALID_ARGUMENT,
              "a capacity of 2 rows was stated, but the space has 3");
  CHECK_INT(ragged_rt_space_rows(space), 3);
  ragged_rt_space_release(space);
  // Copies follow the lengths that there are.
  const float values[6] = {1, 2, 3, 4, 5, 6};
  float got[6] = {0};
  ragged_rt_tensor *tensor = NULL;
  CHECK_OK(ragged_rt_space_get(context, 2, 1, &n.axis, &space));
  CHECK_OK(ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_F32, space, 0, NULL, values, &tensor));
  CHECK_OK(ragged_rt_tensor_to_host(tensor, got, 12));
  CHECK(got[2] == 3 && got[3] == 0);
  CHECK_FAILS(ragged_rt_tensor_to_host(tensor, got, 8), RAGGED_STATUS_INVALID_ARGUMENT,
              "there is room for 8 bytes, but the tensor holds 12");
  ragged_rt_tensor_release(tensor);
  CHECK_FAILS(ragged_rt_tensor_wrap(context, RAGGED_ELEMENT_F32, space, 0, NULL, 5, memory, NULL, NULL,
                                    &tensor),
              RAGGED_STATUS_INVALID_ARGUMENT, "the buffer holds 5 rows, but the space has 6");
  ragged_rt_space_release(space);
  ragged_rt_axis_release(known);
  end_lengths(&n);
}

static void run(MlirModule program, const char *target, const char *device) {
  RaggedCompileOptions options = {.structSize = sizeof options, .optimizationLevel = -1,
                                  .target = target};
  ragged_rt_context_options wanted = {.struct_size = sizeof wanted, .device = device};
  ragged_rt_module *made = NULL;
  if (!CHECK_OK(raggedCompile(program, &options, &made)) ||
      !CHECK_OK(ragged_rt_context_create(&wanted, &context)))
    exit(EXIT_FAILURE);
  module = made;
  on_host = strcmp(device, "host") == 0;
  void (*const tests[])(void) = {test_batches,      test_length_faults, test_capacity_faults,
                                 test_comparisons,  test_products,      test_large_samples,
                                 test_no_kernels,   test_allocation_failures,
                                 test_api};
  for (int k = 0; k < COUNT(tests); ++k) {
    tests[k]();
    CHECK_INT(runtime_test_live(context), 0);
  }
  ragged_rt_context_release(context);
  ragged_rt_module_release(made);
}

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  raggedRegisterDialects(registry);
  MlirContext mlir = mlirContextCreateWithRegistry(registry, false);
  MlirModule program = mlirModuleCreateParse(mlir, mlirStringRefCreateFromCString(kProgram));
  if (!CHECK(!mlirModuleIsNull(program))) return EXIT_FAILURE;
  run(program, "emulated", "emulated");
  run(program, "cpu", "host");
  mlirModuleDestroy(program);
  mlirContextDestroy(mlir);
  mlirDialectRegistryDestroy(registry);
  return unit_test_finish();
}
