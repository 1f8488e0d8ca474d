// Every call of the CUDA driver fails once: a context is made, used for all that a device does, and
// ended, with the n-th call failing, for n = 0, 1, ... until none fails. Each failure that somebody
// could be told of is told, and nothing of the driver stays live.
#include "runtime_cuda_support.h"

static void copy_kernel(const int64_t *words, int64_t num_words, unsigned blocks,
                        unsigned threads) {
  (void)num_words, (void)blocks, (void)threads;
  memcpy(fake_cuda_host_address((void *)(uintptr_t)words[3]),
         fake_cuda_host_address((void *)(uintptr_t)words[2]), (size_t)words[0] * 4);
}

static const ragged_rt_kernel_image kImage[] = {PTX("sm_80", "PTX")};
static const ragged_rt_kernel_module kModule = {sizeof kModule, 1, kImage};

// (x) -> a copy of x, x itself, the offsets of (n, n). Reads a scalar on the way.
static void whole_call(ragged_rt_frame *frame) {
  ragged_rt_tensor *x = ragged_rt_frame_argument(frame, 0);
  ragged_rt_axis *n = ragged_rt_frame_axis(frame, 0);
  ragged_rt_axis *axes[] = {n, n};
  ragged_rt_space *space = ragged_rt_frame_space(frame, 1, axes, NULL);
  ragged_rt_space *pairs = ragged_rt_frame_space(frame, 2, axes, NULL);
  (void)ragged_rt_frame_axis_extents(frame, n);
  (void)ragged_rt_frame_space_ordered_offsets(frame, pairs);
  ragged_rt_tensor *scalar = ragged_rt_frame_scalar(frame, RAGGED_ELEMENT_I64, 7);
  int64_t seven = ragged_rt_frame_scalar_bits(frame, scalar);
  CHECK_INT(seven, ragged_rt_frame_ok(frame) ? 7 : 0);
  ragged_rt_tensor *y = ragged_rt_frame_allocate(frame, RAGGED_ELEMENT_F32, space, 4);
  int64_t words[] = {(int64_t)(uintptr_t)ragged_rt_frame_data(frame, x),
                     (int64_t)(uintptr_t)ragged_rt_frame_data(frame, y)};
  ragged_rt_frame_launch_grid(frame, &kModule, "copy", words, 2, space,
                              4 * ragged_rt_frame_space_rows(frame, space), 4, 64, 64 << 10, 128, 8,
                              0);
  ragged_rt_frame_result(frame, 0, y, space);
  ragged_rt_frame_result(frame, 1, x, space);
  ragged_rt_frame_result_dense(frame, 2, ragged_rt_frame_offsets(frame, pairs));
}

static ragged_status use(ragged_rt_context *context) {
  static const char *const names[] = {"n"};
  static const int64_t lengths[] = {2, 0, 3};
  ragged_rt_value_type x_type = runtime_test_ragged(RAGGED_ELEMENT_F32, "n", NULL, 4);
  ragged_rt_value_type types[] = {x_type, x_type, runtime_test_dense(RAGGED_ELEMENT_I64, 1, -1, 0)};
  ragged_rt_entry entry = {"whole_call", whole_call, 1, 3, 1, &x_type, types, names};
  ragged_rt_axis *n = NULL;
  ragged_rt_space *space = NULL;
  ragged_rt_tensor *x = NULL, *results[3] = {NULL, NULL, NULL};
  float data[20], got[20] = {0};
  for (int i = 0; i < 20; ++i) data[i] = (float)i;
  int64_t tail = 4, offsets[4] = {0};
  ragged_rt_context_enable_statistics(context, true);
  ragged_status status = ragged_rt_axis_create_from_lengths(context, 3, 64, lengths, &n);
  if (!status) status = ragged_rt_space_get(context, -1, 1, &n, &space);
  if (!status)
    status = ragged_rt_tensor_from_host(context, RAGGED_ELEMENT_F32, space, 1, &tail, data, &x);
  if (!status) status = ragged_rt_call(context, &entry, 1, &x, 3, results);
  if (!status)
    status = context->device->table->fill(context->device, ragged_rt_tensor_data(results[1]), 0, 4);
  if (!status) status = ragged_rt_tensor_to_host(results[0], got, sizeof got);
  if (!status) CHECK(memcmp(got, data, sizeof got) == 0);
  if (!status) status = ragged_rt_tensor_to_host(results[1], got, sizeof got);
  if (!status) CHECK(memcmp(got + 1, data + 1, sizeof got - 4) == 0 && got[0] == 0);
  if (!status) status = ragged_rt_tensor_to_host(results[2], offsets, sizeof offsets);
  if (!status) CHECK(offsets[1] == 4 && offsets[2] == 4 && offsets[3] == 13);
  for (int k = 0; k < 3; ++k) ragged_rt_tensor_release(results[k]);
  ragged_rt_tensor_release(x);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(n);
  ragged_status waited = ragged_rt_context_synchronise(context);
  if (!status) return waited;
  ragged_status_free(waited);
  return status;
}

static bool fail_one(long n, int *told) {
  ragged_rt_context *context = NULL;
  fake_cuda_reset();
  fake_cuda_add_kernel("copy", copy_kernel);
  fake_cuda_fail_call(n, CUDA_ERROR_INVALID_VALUE);
  ragged_status status = runtime_cuda_create(NULL, NULL, &context);
  CHECK((status != NULL) == (context == NULL));
  *told += status != NULL;
  if (context) {
    status = use(context);
    bool in_use = fake_cuda_failed_call() != NULL;
    CHECK(!status || in_use);
    // Nobody can be told of what fails when a context ends.
    if (!CHECK(status || !in_use)) printf("  not told of %s\n", fake_cuda_failed_call());
    CHECK_INT(runtime_test_live(context), 0);
    if (status) {
      *told += 1;
      CHECK_CONTAINS(ragged_status_message(status), fake_cuda_failed_call());
      ragged_status_free(status);
      CHECK_OK(use(context));  // as good as new
    }
    ragged_rt_context_release(context);
  } else {
    CHECK_CONTAINS(ragged_status_message(status), fake_cuda_failed_call());
    ragged_status_free(status);
  }
  if (!CHECK_INT(fake_cuda_num_live(), 0)) printf("  after %s\n", fake_cuda_failed_call());
  return fake_cuda_failed_call() != NULL;
}

int main(void) {
  long n = 0;
  int told = 0;
  while (fail_one(n, &told) && n < 10000) ++n;
  printf("%ld calls, %d failures told\n", n, told);
  CHECK(n > 60);
  CHECK(told > 50);
  return unit_test_finish();
}
