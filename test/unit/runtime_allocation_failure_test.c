// Every allocation fails once: each create and a whole call are repeated with the n-th allocation
// failing, for n = 0, 1, ... until nothing fails. Each failure is RESOURCE_EXHAUSTED, gives nothing
// and leaves nothing behind (the last release of the context lets a leak checker see the rest).
#include "dlpack_abi.h"
#include "runtime_test_support.h"

static const int64_t kLengths[] = {2, 0, 3};

typedef ragged_status (*attempt_function)(ragged_rt_context *context);

static ragged_status make_objects(ragged_rt_context *context) {
  ragged_rt_axis *n = NULL, *m = NULL;
  ragged_rt_space *space = NULL;
  ragged_rt_tensor *tensor = NULL, *dense = NULL;
  DLManagedTensor *managed = NULL;
  const int64_t *splits = NULL;
  int64_t count = 0, tail = 4;
  int64_t offsets[] = {0, 1, 1, 9};
  ragged_status status = ragged_rt_axis_create_from_lengths(context, 3, 64, kLengths, &n);
  if (!status) status = ragged_rt_axis_create_from_offsets(context, 3, 64, offsets, &m);
  ragged_rt_axis *axes[] = {n, m};
  if (!status) status = ragged_rt_space_get(context, -1, 2, axes, &space);
  if (!status) status = ragged_rt_space_row_splits(space, 1, &splits, &count);
  if (!status)
    status = ragged_rt_tensor_create(context, RAGGED_ELEMENT_F32, space, 1, &tail, &tensor);
  if (!status) status = ragged_rt_tensor_to_dlpack(tensor, &managed);
  if (!status)
    status = ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F64, 1, &tail, &dense);
  if (managed) managed->deleter(managed);
  CHECK(!status || !dense);
  ragged_rt_tensor_release(dense);
  ragged_rt_tensor_release(tensor);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(m);
  ragged_rt_axis_release(n);
  return status;
}

static void copy_kernel(const int64_t *slots, int64_t first, int64_t last, void *scratch) {
  (void)scratch;
  for (int64_t i = first; i < last; ++i)
    ragged_rt_product_run((ragged_rt_product *)(uintptr_t)slots[0],
                          (const float *)(uintptr_t)slots[1] + 4 * i,
                          (float *)(uintptr_t)slots[2] + 4 * i, 1);
}

static void multiply(const void *a, const void *weight, const void *bias, void *c, int64_t rows) {
  (void)bias, (void)rows;
  for (int j = 0; j < 4; ++j) {
    ((float *)c)[j] = 0;
    for (int i = 0; i < 4; ++i) ((float *)c)[j] += ((const float *)a)[i] * ((const float *)weight)[i * 4 + j];
  }
}

static void whole_call(ragged_rt_frame *frame) {
  ragged_rt_tensor *x = ragged_rt_frame_argument(frame, 0);
  ragged_rt_axis *n = ragged_rt_frame_axis(frame, 0);
  ragged_rt_space *space = ragged_rt_frame_space(frame, 1, &n, NULL);
  ragged_rt_axis *longer = ragged_rt_frame_axis_expression(frame, "n + 1", 1, "n", &n);
  ragged_rt_axis *axes[] = {n, longer};
  ragged_rt_space *pairs = ragged_rt_frame_space(frame, 2, axes, NULL);
  ragged_rt_frame_result_dense(frame, 2, ragged_rt_frame_offsets(frame, pairs));
  int64_t shape[] = {4, 4};
  ragged_rt_tensor *weight =
      ragged_rt_frame_allocate_dense(frame, RAGGED_ELEMENT_BF16, 2, shape);
  if (ragged_rt_frame_ok(frame)) memset(ragged_rt_frame_data(frame, weight), 0, 32);
  ragged_rt_product *product = ragged_rt_frame_product(frame, RAGGED_ELEMENT_F32, 4, 4, 1, weight,
                                                       0, NULL, 1, 0, 4, multiply);
  ragged_rt_tensor *y = ragged_rt_frame_allocate(frame, RAGGED_ELEMENT_F32, space, 4);
  int64_t slots[] = {(int64_t)(uintptr_t)product, (int64_t)(uintptr_t)ragged_rt_frame_data(frame, x),
                     (int64_t)(uintptr_t)ragged_rt_frame_data(frame, y)};
  ragged_rt_frame_launch(frame, copy_kernel, "copy", slots, ragged_rt_frame_space_rows(frame, space),
                         1, 64, 16, 0);
  int64_t tail = 4;
  ragged_rt_tensor *values = ragged_rt_frame_values(frame, y, space, 1, &tail);
  ragged_rt_frame_release(frame, ragged_rt_frame_extend(frame, values, 9));
  ragged_rt_frame_release(frame, values);
  static const float constant = 1;
  (void)ragged_rt_frame_constant(frame, RAGGED_ELEMENT_F32, 0, NULL, &constant);
  ragged_rt_frame_result(frame, 0, y, space);
  ragged_rt_frame_result(frame, 1, x, space);
}

static ragged_status make_call(ragged_rt_context *context) {
  static const char *const names[] = {"n"};
  ragged_rt_value_type x_type = runtime_test_ragged(RAGGED_ELEMENT_F32, "n", NULL, 4);
  ragged_rt_value_type result_types[] = {x_type, x_type,
                                         runtime_test_dense(RAGGED_ELEMENT_I64, 1, -1, 0)};
  ragged_rt_entry entry = {"whole_call", whole_call, 1, 3, 1, &x_type, result_types, names};
  ragged_rt_axis *n = NULL;
  ragged_rt_space *space = NULL;
  ragged_rt_tensor *x = NULL, *results[3] = {NULL, NULL, NULL};
  float data[20] = {0};
  int64_t tail = 4;
  ragged_status status = ragged_rt_axis_create_from_lengths(context, 3, 64, kLengths, &n);
  if (!status) status = ragged_rt_space_get(context, -1, 1, &n, &space);
  if (!status)
    status = ragged_rt_tensor_wrap(context, RAGGED_ELEMENT_F32, space, 1, &tail, 5, data, NULL,
                                   NULL, &x);
  if (!status) status = ragged_rt_call(context, &entry, 1, &x, 3, results);
  for (int k = 0; k < 3; ++k) {
    CHECK((results[k] != NULL) == !status);
    ragged_rt_tensor_release(results[k]);
  }
  ragged_rt_tensor_release(x);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(n);
  return status;
}

static void fail_each(const char *products, attempt_function attempt, int at_least) {
  for (int64_t n = 0;; ++n) {
    ragged_rt_context *context = runtime_test_context(products, 2);
    ragged_rt_context_fail_allocation(context, n);
    ragged_status status = attempt(context);
    ragged_rt_context_fail_allocation(context, -1);
    CHECK_INT(runtime_test_live(context), 0);
    bool failed = status != NULL;
    if (failed) {
      CHECK_INT(ragged_status_get_code(status), RAGGED_STATUS_RESOURCE_EXHAUSTED);
      ragged_status_free(status);
      CHECK_OK(attempt(context));  // the context is as good as new
      CHECK_INT(runtime_test_live(context), 0);
    }
    ragged_rt_context_release(context);
    if (failed && n < 1000) continue;
    CHECK(n >= at_least);
    printf("%d allocations\n", (int)n);
    return;
  }
}

int main(void) {
  fail_each("generated", make_objects, 8);
  fail_each("generated", make_call, 20);
  fail_each("auto", make_call, 20);  // the library's, where there is one
  return unit_test_finish();
}
