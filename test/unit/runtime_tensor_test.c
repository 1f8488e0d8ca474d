// Tensors: owning and borrowing, capacity, sizes that overflow, alignment, what they cost, and an
// embedder's allocator.
#include "runtime_test_support.h"

static void count_release(void *user) { ++*(int *)user; }

static void test_owning(ragged_rt_context *context) {
  ragged_rt_axis *n = runtime_test_axis(context, 2, (int64_t[]){2, 3});
  ragged_rt_space *space = runtime_test_space(context, n, NULL);
  ragged_rt_tensor *tensor = NULL;
  CHECK_OK(ragged_rt_tensor_create(context, RAGGED_ELEMENT_BF16, space, 2, (int64_t[]){3, 4},
                                   &tensor));
  CHECK_INT((uintptr_t)ragged_rt_tensor_data(tensor) % 64, 0);
  CHECK_INT(ragged_rt_tensor_rows(tensor), 5);
  CHECK_INT(ragged_rt_tensor_capacity(tensor), 5);
  CHECK_INT(ragged_rt_tensor_rank(tensor), 2);
  CHECK_INT(ragged_rt_tensor_shape(tensor)[1], 4);
  CHECK(ragged_rt_tensor_space(tensor) == space);
  ragged_rt_memory_statistics memory;
  ragged_rt_context_memory(context, &memory);
  CHECK_INT(memory.allocated, 5 * 12 * 2);
  CHECK_INT(memory.num_live, 1);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(n);
  ragged_rt_tensor_release(tensor);
  ragged_rt_context_memory(context, &memory);
  CHECK_INT(memory.allocated, 0);
  CHECK_INT(memory.peak_allocated, 120);
  CHECK(memory.reserved >= 120);  // kept for reuse
}

static void test_empty(ragged_rt_context *context) {
  ragged_rt_tensor *tensor = NULL;
  CHECK_OK(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F64, 2, (int64_t[]){0, 7},
                                         &tensor));
  CHECK_INT(ragged_rt_tensor_rows(tensor), 0);
  ragged_rt_tensor_release(tensor);
  // A zero among extents whose product would not fit.
  int64_t shape[] = {INT64_MAX, INT64_MAX, 0};
  CHECK_OK(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F64, 3, shape, &tensor));
  ragged_rt_tensor_release(tensor);
  CHECK_OK(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_I64, 0, NULL, &tensor));
  CHECK_INT(ragged_rt_tensor_rows(tensor), 1);
  CHECK(ragged_rt_tensor_data(tensor) != NULL);
  ragged_rt_tensor_release(tensor);
  CHECK_OK(ragged_rt_tensor_wrap_dense(context, RAGGED_ELEMENT_F32, 1, (int64_t[]){0}, NULL, NULL,
                                       NULL, &tensor));
  ragged_rt_tensor_release(tensor);
}

static void test_borrowing(ragged_rt_context *context) {
  ragged_rt_axis *n = runtime_test_axis(context, 2, (int64_t[]){2, 3});
  ragged_rt_space *space = runtime_test_space(context, n, NULL);
  float data[14];
  int released = 0;
  ragged_rt_tensor *tensor = NULL;
  int64_t tail = 2;
  CHECK_OK(ragged_rt_tensor_wrap(context, RAGGED_ELEMENT_F32, space, 1, &tail, 7, data,
                                 count_release, &released, &tensor));
  CHECK(ragged_rt_tensor_data(tensor) == data);
  CHECK_INT(ragged_rt_tensor_rows(tensor), 5);
  CHECK_INT(ragged_rt_tensor_capacity(tensor), 7);
  CHECK_INT(runtime_test_live(context), 0);
  ragged_rt_tensor_retain(tensor);
  ragged_rt_tensor_release(tensor);
  CHECK_INT(released, 0);
  ragged_rt_tensor_release(tensor);
  CHECK_INT(released, 1);
  tensor = NULL;
  CHECK_FAILS(ragged_rt_tensor_wrap(context, RAGGED_ELEMENT_F32, space, 1, &tail, 4, data,
                                    count_release, &released, &tensor),
              RAGGED_STATUS_INVALID_ARGUMENT, "the buffer holds 4 rows, but the space has 5");
  CHECK_FAILS(ragged_rt_tensor_wrap(context, RAGGED_ELEMENT_F32, space, 1, &tail, 7,
                                    (char *)data + 2, count_release, &released, &tensor),
              RAGGED_STATUS_INVALID_ARGUMENT, "not aligned to 4 bytes, the size of f32");
  CHECK_FAILS(ragged_rt_tensor_wrap(context, RAGGED_ELEMENT_F32, space, 1, &tail, 7, NULL,
                                    count_release, &released, &tensor),
              RAGGED_STATUS_INVALID_ARGUMENT, "null");
  CHECK_FAILS(ragged_rt_tensor_wrap(context, RAGGED_ELEMENT_F32, NULL, 1, &tail, 7, data, NULL,
                                    NULL, &tensor),
              RAGGED_STATUS_INVALID_ARGUMENT, "needs a space");
  CHECK_INT(released, 1);  // a refused buffer stays the caller's
  CHECK(tensor == NULL);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(n);
}

static void test_refused_sizes(ragged_rt_context *context) {
  ragged_rt_tensor *tensor = NULL;
  int64_t large = (int64_t)1 << 31;
  CHECK_FAILS(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F64, 2,
                                            (int64_t[]){large, large}, &tensor),
              RAGGED_STATUS_INVALID_ARGUMENT, "more than 2^63 - 1 bytes");
  CHECK_FAILS(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F64, 1, (int64_t[]){-1},
                                            &tensor),
              RAGGED_STATUS_INVALID_ARGUMENT, "extent 0 is -1");
  CHECK_FAILS(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F64, 17, NULL, &tensor),
              RAGGED_STATUS_INVALID_ARGUMENT, "the rank is 17");
  CHECK_FAILS(ragged_rt_tensor_create_dense(context, (ragged_element_type)9, 0, NULL, &tensor),
              RAGGED_STATUS_INVALID_ARGUMENT, "element type 9");
  CHECK_FAILS(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F64, 1,
                                            (int64_t[]){(int64_t)1 << 58}, &tensor),
              RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for");
  CHECK(tensor == NULL);
  CHECK_INT(runtime_test_live(context), 0);
}

// The cache hands a freed block out again and does not grow with the number of sizes used.
static void test_cache(ragged_rt_context *context) {
  ragged_rt_tensor *tensor = NULL;
  int64_t size = 1000;
  CHECK_OK(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F32, 1, &size, &tensor));
  void *first = ragged_rt_tensor_data(tensor);
  ragged_rt_tensor_release(tensor);
  size = 990;  // of the same class
  CHECK_OK(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F32, 1, &size, &tensor));
  CHECK(ragged_rt_tensor_data(tensor) == first);
  ragged_rt_tensor_release(tensor);
  uint64_t seed = 7;
  for (int k = 0; k < 200; ++k) {
    size = (1 << 20) + unit_test_random_below(&seed, 4 << 20);
    CHECK_OK(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F32, 1, &size, &tensor));
    ragged_rt_tensor_release(tensor);
  }
  ragged_rt_memory_statistics memory;
  ragged_rt_context_memory(context, &memory);
  CHECK_INT(memory.allocated, 0);
  CHECK(memory.reserved <= memory.peak_allocated + (64 << 20));
  ragged_rt_context_reset_peak(context);
  ragged_rt_context_memory(context, &memory);
  CHECK_INT(memory.peak_allocated, 0);
  CHECK_INT(memory.peak_reserved, memory.reserved);
}

typedef struct embedder {
  int64_t live, bytes;
  bool misaligned;
} embedder;

static void *embedder_allocate(void *user, size_t bytes) {
  embedder *state = user;
  char *block = aligned_alloc(64, (bytes + 127) / 64 * 64);
  state->live += 1;
  state->bytes += (int64_t)bytes;
  return state->misaligned ? block + 8 : block;
}

static void embedder_free(void *user, void *pointer, size_t bytes) {
  embedder *state = user;
  state->live -= 1;
  state->bytes -= (int64_t)bytes;
  free((char *)pointer - (state->misaligned ? 8 : 0));
}

static void test_embedder(void) {
  embedder state = {0};
  ragged_rt_allocator allocator = {&state, embedder_allocate, embedder_free};
  ragged_rt_context_options options = {.struct_size = sizeof options, .allocator = &allocator,
                                       .products = "generated"};
  ragged_rt_context *context = NULL;
  CHECK_OK(ragged_rt_context_create(&options, &context));
  ragged_rt_tensor *tensor = NULL;
  int64_t size = 100;
  CHECK_OK(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F32, 1, &size, &tensor));
  CHECK_INT(state.live, 1);
  CHECK_INT(state.bytes, 400);
  ragged_rt_tensor_release(tensor);
  CHECK_INT(state.live, 0);  // no cache in between
  CHECK_INT(state.bytes, 0);
  ragged_rt_context_fail_allocation(context, 1);  // metadata first, then values
  CHECK_FAILS(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F32, 1, &size, &tensor),
              RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory for 400 bytes of values");
  ragged_rt_context_fail_allocation(context, -1);
  state.misaligned = true;
  CHECK_FAILS(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F32, 1, &size, &tensor),
              RAGGED_STATUS_INVALID_ARGUMENT, "not aligned to 64 bytes");
  CHECK_INT(state.live, 0);
  ragged_rt_context_release(context);
}

int main(void) {
  ragged_rt_context *context = runtime_test_context("generated", 1);
  test_owning(context);
  test_empty(context);
  test_borrowing(context);
  test_refused_sizes(context);
  test_cache(context);
  test_embedder();
  ragged_rt_context_release(context);
  return unit_test_finish();
}
