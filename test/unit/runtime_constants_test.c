// Numbers of the host on the device, by content: what is uploaded, what is kept, and what is given up.
#include "capture.h"
#include "runtime_cuda_support.h"

static int num_uploads(void) {
  int count = 0;
  for (int k = 0; k < fake_cuda_num_operations(); ++k)
    count += fake_cuda_get_operation(k)->kind == FAKE_CUDA_UPLOAD;
  return count;
}

static ragged_rt_constant *get(ragged_rt_context *context, const void *values, int64_t bytes) {
  ragged_rt_constant *constant = NULL;
  CHECK_OK(ragged_rt_constant_get(context, values, bytes, &constant));
  return constant;
}

static void check_content(ragged_rt_context *context, const ragged_rt_constant *constant,
                          const void *expected) {
  char *found = malloc((size_t)constant->bytes);
  ragged_rt_device *device = context->device;
  CHECK_OK(device->table->download(device, found, constant->data, (size_t)constant->bytes));
  CHECK(memcmp(found, expected, (size_t)constant->bytes) == 0);
  free(found);
}

static void test_content(void) {
  fake_cuda_reset();
  ragged_rt_context *context = runtime_cuda_context();
  const int64_t a[] = {1, 2, 3, 4, 5}, same[] = {1, 2, 3, 4, 5}, other[] = {1, 2, 3, 4, 6};
  ragged_rt_constant *first = get(context, a, sizeof a);
  CHECK_INT(num_uploads(), 1);
  CHECK(get(context, same, sizeof same) == first);
  CHECK_INT(num_uploads(), 1);
  ragged_rt_constant *second = get(context, other, sizeof other), *prefix = get(context, a, 32);
  CHECK(second != first && prefix != first);
  CHECK_INT(num_uploads(), 3);
  CHECK_INT(runtime_test_live(context), 3);
  check_content(context, first, a);
  check_content(context, second, other);
  check_content(context, prefix, a);
  ragged_rt_constant_release(first);
  CHECK_INT(runtime_test_live(context), 3);
  ragged_rt_constant_release(first);
  ragged_rt_constant_release(NULL);
  CHECK_INT(runtime_test_live(context), 2);  // kept, but nobody's
  CHECK(get(context, a, sizeof a) == first);
  CHECK_INT(num_uploads(), 3);
  CHECK_INT(runtime_test_live(context), 3);
  ragged_rt_constant_release(first);
  ragged_rt_constant_release(second);
  ragged_rt_constant_release(prefix);
  runtime_cuda_check_end(context);
}

// One bit anywhere, in lengths around the four words that are read at once.
static void test_every_bit(void) {
  fake_cuda_reset();
  ragged_rt_context *context = runtime_cuda_context();
  for (int64_t bytes = 1; bytes <= 70; bytes += bytes < 34 ? 11 : 9) {
    unsigned char values[70] = {0};
    ragged_rt_constant *zero = get(context, values, bytes);
    for (int64_t bit = 0; bit < 8 * bytes; ++bit) {
      values[bit / 8] = (unsigned char)(1 << bit % 8);
      ragged_rt_constant *one = get(context, values, bytes);
      CHECK(one != zero);
      check_content(context, one, values);
      ragged_rt_constant_release(one);
      values[bit / 8] = 0;
    }
    ragged_rt_constant_release(zero);
  }
  runtime_cuda_check_end(context);
}

// At most 1,024 without a use, and 256 MiB; those that are used stay.
static void test_limits(void) {
  fake_cuda_reset();
  ragged_rt_context *context = runtime_cuda_context();
  const int64_t used = -1;
  ragged_rt_constant *kept = get(context, &used, 8);
  for (int64_t k = 0; k < 1500; ++k) ragged_rt_constant_release(get(context, &k, 8));
  CHECK_INT(context->constants.num_idle, 1024);
  int before = num_uploads();
  const int64_t newest = 1499, oldest_kept = 1500 - 1024, given_up = 1500 - 1025;
  ragged_rt_constant_release(get(context, &newest, 8));
  ragged_rt_constant_release(get(context, &oldest_kept, 8));
  CHECK_INT(num_uploads(), before);
  ragged_rt_constant_release(get(context, &given_up, 8));
  CHECK_INT(num_uploads(), before + 1);
  CHECK(get(context, &used, 8) == kept);
  CHECK_INT(num_uploads(), before + 1);
  ragged_rt_constant_release(kept);
  ragged_rt_constant_release(kept);
  int64_t large = (int64_t)100 << 20;
  char *values = calloc(1, (size_t)large);
  for (int k = 0; k < 3; ++k) {
    values[0] = (char)(k + 1);
    ragged_rt_constant_release(get(context, values, large));
  }
  CHECK_INT(context->constants.idle_bytes, 2 * large);
  free(values);
  runtime_cuda_check_end(context);
}

// Axes, spaces and constants of calls share them: equal lengths are uploaded once.
static void test_mirrors(void) {
  fake_cuda_reset();
  ragged_rt_context *context = runtime_cuda_context();
  const int64_t lengths[] = {3, 0, 2}, *found = NULL, *again = NULL;
  for (int turn = 0; turn < 3; ++turn) {
    ragged_rt_axis *axis = runtime_test_axis(context, 3, lengths);
    ragged_rt_space *space = runtime_test_space(context, axis, axis);
    CHECK_OK(ragged_rt_mirror_get(context, &axis->extents_mirror, axis->extents, 3, &again));
    CHECK_OK(ragged_rt_mirror_get(context, &space->offsets_mirror, space->offsets, 4, &found));
    CHECK_OK(ragged_rt_mirror_get(context, &space->offsets_mirror, space->offsets, 4, &again));
    CHECK(found == again);
    CHECK_INT(num_uploads(), 2);
    ragged_rt_space_release(space);
    ragged_rt_axis_release(axis);
  }
  runtime_cuda_check_end(context);
}

static void test_failures(void) {
  fake_cuda_reset();
  ragged_rt_context *context = runtime_cuda_context();
  const int64_t value = 5;
  ragged_rt_constant *constant = NULL;
  for (int64_t n = 0;; ++n) {
    ragged_rt_context_fail_allocation(context, n);
    ragged_status status = ragged_rt_constant_get(context, &value, 8, &constant);
    ragged_rt_context_fail_allocation(context, -1);
    if (!status) break;
    CHECK_FAILS(status, RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory");
    CHECK_INT(runtime_test_live(context), 0);
  }
  check_content(context, constant, &value);
  ragged_rt_constant_release(constant);
  runtime_cuda_check_end(context);
}

int main(void) {
  test_content();
  test_every_bit();
  test_limits();
  test_mirrors();
  test_failures();
  return unit_test_finish();
}
