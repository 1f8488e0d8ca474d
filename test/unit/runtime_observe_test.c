// Statistics and the trace: totals per kernel and per product, order, and a trace file whose events
// carry rows, bytes and flops.
#define _DEFAULT_SOURCE
#include <unistd.h>

#include "runtime_test_support.h"

static void noop(const int64_t *slots, int64_t first, int64_t last, void *scratch) {
  (void)slots, (void)scratch, (void)first, (void)last;
}

static void busy(const int64_t *slots, int64_t first, int64_t last, void *scratch) {
  (void)scratch;
  volatile int64_t sum = 0;
  for (int64_t i = 0; i < 3000000; ++i) sum += i;
  for (int64_t i = first; i < last; ++i)
    ragged_rt_product_run((ragged_rt_product *)(uintptr_t)slots[0], slots, (void *)slots, 3);
}

static void untouched(const void *a, const void *w, const void *bias, void *c, int64_t rows) {
  (void)a, (void)w, (void)bias, (void)c, (void)rows;
}

static void entry_function(ragged_rt_frame *frame) {
  char name[] = "quick \"kernel\"";  // not a literal: names are copied
  ragged_rt_frame_launch(frame, noop, name, NULL, 10, 4, 0, 8, 2);
  ragged_rt_frame_launch(frame, noop, name, NULL, 5, 4, 0, 8, 2);
  ragged_rt_frame_launch(frame, noop, "never", NULL, 0, 4, 0, 8, 2);
  memset(name, 'x', sizeof name - 1);
  int64_t shape[] = {2, 5};
  ragged_rt_tensor *weight = ragged_rt_frame_allocate_dense(frame, RAGGED_ELEMENT_I64, 2, shape);
  if (ragged_rt_frame_ok(frame)) memset(ragged_rt_frame_data(frame, weight), 0, 80);
  int64_t slots[] = {(int64_t)(uintptr_t)ragged_rt_frame_product(
      frame, RAGGED_ELEMENT_I64, 5, 2, 16, weight, 0, NULL, 0, 0, 4, untouched)};
  ragged_rt_frame_launch(frame, busy, "slow", slots, 2, 2, 0, 1, INT64_MAX);
}

static void call(ragged_rt_context *context) {
  ragged_rt_entry entry = {"observed", entry_function, 0, 0, 0, NULL, NULL, NULL};
  CHECK_OK(ragged_rt_call(context, &entry, 0, NULL, 0, NULL));
}

static void test_statistics(ragged_rt_context *context) {
  ragged_rt_kernel_statistics lines[4] = {0};
  CHECK_INT(ragged_rt_context_statistics(context, 4, lines), 0);
  call(context);
  CHECK_INT(ragged_rt_context_statistics(context, 4, lines), 0);  // not enabled
  ragged_rt_context_enable_statistics(context, true);
  call(context);
  call(context);
  CHECK_INT(ragged_rt_context_statistics(context, 4, lines), 3);
  CHECK(lines[0].seconds >= lines[1].seconds);  // most time first
  CHECK(lines[1].seconds >= lines[2].seconds);
  CHECK(lines[2].seconds > 0);
  for (int k = 0; k < 3; ++k) {
    if (strcmp(lines[k].name, "slow") == 0) {
      CHECK_INT(lines[k].calls, 2);
      CHECK_INT(lines[k].flops, INT64_MAX);  // stays at the top
      CHECK(lines[k].seconds > 1e-4);
    } else if (strcmp(lines[k].name, "quick \"kernel\"") == 0) {
      CHECK_INT(lines[k].calls, 4);
      CHECK_INT(lines[k].rows, 30);
      CHECK_INT(lines[k].bytes, 240);
      CHECK_INT(lines[k].flops, 60);
    } else {
      CHECK_STRING(lines[k].name, "product_i64_k5_n2 (generated)");
      CHECK_INT(lines[k].calls, 4);
      CHECK_INT(lines[k].rows, 12);
      CHECK_INT(lines[k].flops, 2 * 12 * 5 * 2);
      CHECK_INT(lines[k].bytes, 8 * (12 * (5 + 2) + 4 * 5 * 2));
    }
  }
  ragged_rt_kernel_statistics one = {0};
  CHECK_INT(ragged_rt_context_statistics(context, 1, &one), 3);
  CHECK_STRING(one.name, lines[0].name);
  ragged_rt_context_enable_statistics(context, false);
  CHECK_INT(ragged_rt_context_statistics(context, 4, lines), 0);
}

static int count_parts(const char *text, const char *part) {
  int count = 0;
  for (; (text = strstr(text, part)); text += strlen(part)) ++count;
  return count;
}

static void test_trace(void) {
  char path[] = "/tmp/ragged_trace_XXXXXX";
  int file = mkstemp(path);
  CHECK(file >= 0);
  ragged_rt_context_options options = {.struct_size = sizeof options, .products = "generated",
                                       .num_threads = 2, .trace_file = path};
  ragged_rt_context *context = NULL;
  CHECK_OK(ragged_rt_context_create(&options, &context));
  call(context);
  ragged_rt_context_release(context);
  static char text[16384];
  ssize_t length = read(file, text, sizeof text - 1);
  CHECK(length > 0);
  text[length > 0 ? length : 0] = 0;
  CHECK_CONTAINS(text, "\"traceEvents\": [");
  CHECK_CONTAINS(text, "\"name\": \"quick \\\"kernel\\\"\", \"tid\": 0, \"ts\": ");
  CHECK_CONTAINS(text, "\"args\": {\"rows\": 10, \"bytes\": 80, \"flops\": 20}}");
  CHECK_INT(count_parts(text, "\"ph\": \"X\""), 5);
  CHECK_INT(count_parts(text, "product_i64_k5_n2 (generated)"), 2);
  CHECK_INT(count_parts(text, "{"), count_parts(text, "}"));
  CHECK(strcmp(text + strlen(text) - 4, "\n]}\n") == 0);
  close(file);
  unlink(path);
  options.trace_file = "/nowhere/at/all.json";
  CHECK_FAILS(ragged_rt_context_create(&options, &context), RAGGED_STATUS_INVALID_ARGUMENT,
              "the trace file '/nowhere/at/all.json' cannot be written");
}

int main(void) {
  ragged_rt_context *context = runtime_test_context("generated", 2);
  test_statistics(context);
  ragged_rt_context_release(context);
  test_trace();
  return unit_test_finish();
}
