// What the runtime's unit tests share: contexts, statuses, schemas and axes in one line each.
#ifndef RAGGED_RUNTIME_TEST_SUPPORT_H
#define RAGGED_RUNTIME_TEST_SUPPORT_H

#include "frame.h"
#include "ragged_rt.h"
#include "unit_test.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

// Each counts a check and frees the status.
#define CHECK_OK(expression) runtime_test_check_ok((expression), #expression, __FILE__, __LINE__)
#define CHECK_FAILS(expression, code, text) \
  runtime_test_check_fails((expression), (code), (text), #expression, __FILE__, __LINE__)

static inline bool runtime_test_check_ok(ragged_status status, const char *text, const char *file,
                                         int line) {
  bool passed = status == NULL;
  if (unit_test_count(passed, file, line))
    printf("%s failed: %s\n", text, ragged_status_message(status));
  ragged_status_free(status);
  return passed;
}

static inline void runtime_test_check_fails(ragged_status status, ragged_status_code code,
                                            const char *part, const char *text, const char *file,
                                            int line) {
  const char *message = ragged_status_message(status);
  bool passed = ragged_status_get_code(status) == code && strstr(message, part);
  if (unit_test_count(passed, file, line))
    printf("%s gives '%s' (%s), expected it to contain '%s'\n", text, message,
           ragged_status_code_name(ragged_status_get_code(status)), part);
  ragged_status_free(status);
}

static inline ragged_rt_context *runtime_test_context(const char *products, int threads) {
  ragged_rt_context_options options = {.struct_size = sizeof options, .num_threads = threads,
                                       .products = products};
  ragged_rt_context *context = NULL;
  if (!CHECK_OK(ragged_rt_context_create(&options, &context))) exit(EXIT_FAILURE);
  return context;
}

static inline int64_t runtime_test_live(const ragged_rt_context *context) {
  ragged_rt_memory_statistics memory;
  ragged_rt_context_memory(context, &memory);
  return memory.num_live;
}

static inline ragged_rt_axis *runtime_test_axis(ragged_rt_context *context, int64_t batch,
                                                const int64_t *lengths) {
  ragged_rt_axis *axis = NULL;
  CHECK_OK(ragged_rt_axis_create_from_lengths(context, batch, 64, lengths, &axis));
  return axis;
}

// A space of one or two axes; the second may be null.
static inline ragged_rt_space *runtime_test_space(ragged_rt_context *context, ragged_rt_axis *a,
                                                  ragged_rt_axis *b) {
  ragged_rt_axis *axes[2] = {a, b};
  ragged_rt_space *space = NULL;
  CHECK_OK(ragged_rt_space_get(context, -1, b ? 2 : 1, axes, &space));
  return space;
}

static inline ragged_rt_tensor *runtime_test_f32(ragged_rt_context *context,
                                                 ragged_rt_space *space, int64_t tail,
                                                 float *data) {
  ragged_rt_tensor *tensor = NULL;
  CHECK_OK(ragged_rt_tensor_wrap(context, RAGGED_ELEMENT_F32, space, 1, &tail,
                                 ragged_rt_space_rows(space), data, NULL, NULL, &tensor));
  return tensor;
}

// Types of entries. An axis of null is a static extent.
static inline ragged_rt_value_type runtime_test_ragged(ragged_element_type type, const char *a,
                                                       const char *b, int64_t tail) {
  ragged_dimension dims[3];
  int rank = 0;
  if (a) dims[rank++] = ragged_dimension_ragged(a);
  if (b) dims[rank++] = ragged_dimension_ragged(b);
  if (tail >= 0) dims[rank++] = ragged_dimension_static(tail);
  return (ragged_rt_value_type){RAGGED_RT_VALUE_RAGGED, ragged_schema_make(type, rank, dims)};
}

static inline ragged_rt_value_type runtime_test_dense(ragged_element_type type, int rank,
                                                      int64_t d0, int64_t d1) {
  ragged_dimension dims[2] = {ragged_dimension_static(d0), ragged_dimension_static(d1)};
  return (ragged_rt_value_type){RAGGED_RT_VALUE_DENSE, ragged_schema_make(type, rank, dims)};
}

#endif  // RAGGED_RUNTIME_TEST_SUPPORT_H
