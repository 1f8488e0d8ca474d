// Axes and spaces: contents, interning, row splits, and every way in which metadata can be wrong.
#include "runtime_test_support.h"

static void test_lengths_and_offsets(ragged_rt_context *context) {
  int32_t lengths[] = {2, 0, 3};
  int64_t offsets[] = {0, 2, 2, 5};
  ragged_rt_axis *a = NULL, *b = NULL;
  CHECK_OK(ragged_rt_axis_create_from_lengths(context, 3, 32, lengths, &a));
  CHECK_OK(ragged_rt_axis_create_from_offsets(context, 3, 64, offsets, &b));
  CHECK(a == b);  // interned by content
  CHECK(ragged_rt_axis_equal(a, b));
  CHECK_INT(ragged_rt_axis_batch(a), 3);
  CHECK_INT(ragged_rt_axis_max_extent(a), 3);
  CHECK_INT(ragged_rt_axis_extents(a)[1], 0);
  ragged_rt_context *other = runtime_test_context("generated", 1);
  ragged_rt_axis *c = NULL;
  CHECK_OK(ragged_rt_axis_create_from_lengths(other, 3, 32, lengths, &c));
  CHECK(c != a && ragged_rt_axis_equal(a, c));
  ragged_rt_axis_release(c);
  ragged_rt_context_release(other);
  ragged_rt_axis_release(a);
  ragged_rt_axis_release(b);
}

static void test_empty_batch(ragged_rt_context *context) {
  ragged_rt_axis *axis = NULL;
  CHECK_OK(ragged_rt_axis_create_from_lengths(context, 0, 64, NULL, &axis));
  CHECK_INT(ragged_rt_axis_max_extent(axis), 0);
  ragged_rt_space *space = runtime_test_space(context, axis, axis);
  CHECK_INT(ragged_rt_space_rows(space), 0);
  CHECK_INT(ragged_rt_space_offsets(space)[0], 0);
  const int64_t *splits = NULL;
  int64_t count = 0;
  CHECK_OK(ragged_rt_space_row_splits(space, 1, &splits, &count));
  CHECK_INT(count, 1);
  CHECK_INT(splits[0], 0);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(axis);
}

static void test_bad_metadata(ragged_rt_context *context) {
  ragged_rt_axis *axis = NULL;
  int64_t negative[] = {1, 2, -4};
  CHECK_FAILS(ragged_rt_axis_create_from_lengths(context, 3, 64, negative, &axis),
              RAGGED_STATUS_INVALID_ARGUMENT,
              "the length of sample 2 is -4, but lengths must not be negative");
  int64_t huge[] = {INT64_MAX, 1};
  CHECK_FAILS(ragged_rt_axis_create_from_lengths(context, 2, 64, huge, &axis),
              RAGGED_STATUS_INVALID_ARGUMENT, "sum to more than 2^63 - 1 at sample 1");
  int64_t start[] = {1, 2};
  CHECK_FAILS(ragged_rt_axis_create_from_offsets(context, 1, 64, start, &axis),
              RAGGED_STATUS_INVALID_ARGUMENT, "the first offset is 1, but 0 is required");
  int32_t decreasing[] = {0, 5, 3};
  CHECK_FAILS(ragged_rt_axis_create_from_offsets(context, 2, 32, decreasing, &axis),
              RAGGED_STATUS_INVALID_ARGUMENT, "offset 2 is 3, less than the one before it, 5");
  int64_t wrapping[] = {0, INT64_MIN};
  CHECK_FAILS(ragged_rt_axis_create_from_offsets(context, 1, 64, wrapping, &axis),
              RAGGED_STATUS_INVALID_ARGUMENT, "less than the one before it");
  CHECK_FAILS(ragged_rt_axis_create_from_lengths(context, 2, 16, negative, &axis),
              RAGGED_STATUS_INVALID_ARGUMENT, "16 bits wide");
  CHECK_FAILS(ragged_rt_axis_create_from_lengths(context, -1, 64, negative, &axis),
              RAGGED_STATUS_INVALID_ARGUMENT, "batch size -1");
  CHECK_FAILS(ragged_rt_axis_create_from_lengths(context, 2, 64, NULL, &axis),
              RAGGED_STATUS_INVALID_ARGUMENT, "null");
  CHECK_FAILS(ragged_rt_axis_create_from_offsets(context, 0, 64, NULL, &axis),
              RAGGED_STATUS_INVALID_ARGUMENT, "null");
  CHECK(axis == NULL);
}

static void check_splits(ragged_rt_space *space, int level, int count, const int64_t *expected) {
  const int64_t *splits = NULL, *again = NULL;
  int64_t got = 0;
  CHECK_OK(ragged_rt_space_row_splits(space, level, &splits, &got));
  CHECK_INT(got, count);
  for (int k = 0; k < count; ++k) CHECK_INT(splits[k], expected[k]);
  CHECK_OK(ragged_rt_space_row_splits(space, level, &again, &got));
  CHECK(again == splits);
}

static void test_square_pairs(ragged_rt_context *context) {
  ragged_rt_axis *n = runtime_test_axis(context, 2, (int64_t[]){2, 3});
  ragged_rt_space *space = runtime_test_space(context, n, n);
  CHECK_INT(ragged_rt_space_rows(space), 13);
  CHECK_INT(ragged_rt_space_batch(space), 2);
  CHECK_INT(ragged_rt_space_num_axes(space), 2);
  CHECK(ragged_rt_space_axis(space, 1) == n);
  CHECK(ragged_rt_space_axis(space, 2) == NULL);
  CHECK_INT(ragged_rt_space_offsets(space)[1], 4);
  CHECK_INT(ragged_rt_space_offsets(space)[2], 13);
  check_splits(space, 0, 3, (int64_t[]){0, 2, 5});
  check_splits(space, 1, 6, (int64_t[]){0, 2, 4, 7, 10, 13});
  const int64_t *splits;
  int64_t count;
  CHECK_FAILS(ragged_rt_space_row_splits(space, 2, &splits, &count),
              RAGGED_STATUS_INVALID_ARGUMENT, "level 2");
  // Rows of the axis' own space, by content from a fresh but equal axis.
  ragged_rt_axis *same = runtime_test_axis(context, 2, (int64_t[]){2, 3});
  ragged_rt_space *again = runtime_test_space(context, same, n);
  CHECK(again == space);
  ragged_rt_space_release(again);
  ragged_rt_axis_release(same);
  ragged_rt_axis_release(n);
  CHECK_INT(ragged_rt_space_rows(space), 13);  // the space keeps its axes
  ragged_rt_space_release(space);
}

static void test_rectangular(ragged_rt_context *context) {
  ragged_rt_axis *n = runtime_test_axis(context, 3, (int64_t[]){2, 3, 0});
  ragged_rt_axis *m = runtime_test_axis(context, 3, (int64_t[]){6, 4, 5});
  ragged_rt_space *nm = runtime_test_space(context, n, m), *mn = runtime_test_space(context, m, n);
  CHECK(nm != mn);
  CHECK_INT(ragged_rt_space_rows(nm), 24);
  check_splits(nm, 0, 4, (int64_t[]){0, 2, 5, 5});
  check_splits(nm, 1, 6, (int64_t[]){0, 6, 12, 16, 20, 24});
  check_splits(mn, 0, 4, (int64_t[]){0, 6, 10, 15});
  ragged_rt_space_release(nm);
  ragged_rt_space_release(mn);
  ragged_rt_axis_release(n);
  ragged_rt_axis_release(m);
}

static void test_per_sample_space(ragged_rt_context *context) {
  ragged_rt_space *space = NULL, *again = NULL;
  CHECK_OK(ragged_rt_space_get(context, 4, 0, NULL, &space));
  CHECK_OK(ragged_rt_space_get(context, 4, 0, NULL, &again));
  CHECK(space == again);
  CHECK_INT(ragged_rt_space_rows(space), 4);
  CHECK_INT(ragged_rt_space_offsets(space)[3], 3);
  ragged_rt_space_release(again);
  ragged_rt_space_release(space);
  space = NULL;
  CHECK_FAILS(ragged_rt_space_get(context, -1, 0, NULL, &space), RAGGED_STATUS_INVALID_ARGUMENT,
              "a space without axes needs a batch size");
}

static void test_bad_spaces(ragged_rt_context *context) {
  ragged_rt_axis *two = runtime_test_axis(context, 2, (int64_t[]){2, 3});
  ragged_rt_axis *three = runtime_test_axis(context, 3, (int64_t[]){1, 2, 3});
  ragged_rt_space *space = NULL;
  ragged_rt_axis *axes[] = {two, three, NULL};
  CHECK_FAILS(ragged_rt_space_get(context, -1, 2, axes, &space), RAGGED_STATUS_INVALID_ARGUMENT,
              "axis 1 of a space has 3 samples, but the batch has 2");
  CHECK_FAILS(ragged_rt_space_get(context, 5, 1, axes, &space), RAGGED_STATUS_INVALID_ARGUMENT,
              "axis 0 of a space has 2 samples, but the batch has 5");
  CHECK_FAILS(ragged_rt_space_get(context, -1, 3, axes, &space), RAGGED_STATUS_INVALID_ARGUMENT,
              "axis 1");
  CHECK_FAILS(ragged_rt_space_get(context, -1, 17, axes, &space), RAGGED_STATUS_INVALID_ARGUMENT,
              "at most 16");
  // 2^32 x 2^32 rows do not fit; with an empty axis beside them there are none.
  int64_t large = (int64_t)1 << 32;
  ragged_rt_axis *wide = runtime_test_axis(context, 2, (int64_t[]){1, large});
  ragged_rt_axis *empty = runtime_test_axis(context, 2, (int64_t[]){0, 0});
  ragged_rt_axis *huge[] = {wide, wide, empty};
  CHECK_FAILS(ragged_rt_space_get(context, -1, 2, huge, &space), RAGGED_STATUS_INVALID_ARGUMENT,
              "more than 2^63 - 1 rows at sample 1");
  CHECK_OK(ragged_rt_space_get(context, -1, 3, huge, &space));
  CHECK_INT(ragged_rt_space_rows(space), 0);
  const int64_t *splits;
  int64_t count;
  CHECK_FAILS(ragged_rt_space_row_splits(space, 2, &splits, &count),
              RAGGED_STATUS_INVALID_ARGUMENT, "more than 2^63 - 1 groups");
  ragged_rt_space_release(space);
  ragged_rt_context *other = runtime_test_context("generated", 1);
  ragged_rt_axis *foreign = runtime_test_axis(other, 2, (int64_t[]){2, 3});
  CHECK_FAILS(ragged_rt_space_get(context, -1, 1, &foreign, &space),
              RAGGED_STATUS_INVALID_ARGUMENT, "another context");
  ragged_rt_axis_release(foreign);
  ragged_rt_context_release(other);
  ragged_rt_axis_release(wide);
  ragged_rt_axis_release(empty);
  ragged_rt_axis_release(two);
  ragged_rt_axis_release(three);
}

static void test_context_options(void) {
  ragged_rt_context *context = NULL;
  ragged_rt_context_options options = {.struct_size = sizeof options, .device = "toaster"};
  CHECK_FAILS(ragged_rt_context_create(&options, &context), RAGGED_STATUS_UNAVAILABLE,
              "there is no device 'toaster'");
  options = (ragged_rt_context_options){.struct_size = sizeof options, .num_threads = -1};
  CHECK_FAILS(ragged_rt_context_create(&options, &context), RAGGED_STATUS_INVALID_ARGUMENT,
              "num_threads is -1");
  options = (ragged_rt_context_options){.struct_size = 0};
  CHECK_FAILS(ragged_rt_context_create(&options, &context), RAGGED_STATUS_INVALID_ARGUMENT,
              "struct_size");
  // A program built against a newer header, which asks for nothing that is new; then for something.
  struct {
    ragged_rt_context_options known;
    int64_t more;
  } newer = {.known = {.struct_size = sizeof newer}};
  CHECK_OK(ragged_rt_context_create(&newer.known, &context));
  ragged_rt_context_release(context);
  newer.more = 1;
  CHECK_FAILS(ragged_rt_context_create(&newer.known, &context), RAGGED_STATUS_INVALID_ARGUMENT,
              "this version knows");
  options = (ragged_rt_context_options){.struct_size = sizeof options, .products = "magic"};
  CHECK_FAILS(ragged_rt_context_create(&options, &context), RAGGED_STATUS_INVALID_ARGUMENT,
              "products is 'magic'");
}

int main(void) {
  ragged_rt_context *context = runtime_test_context("generated", 2);
  CHECK_INT(ragged_rt_context_num_threads(context), 2);
  CHECK_STRING(ragged_rt_context_product_library(context), "generated");
  test_lengths_and_offsets(context);
  test_empty_batch(context);
  test_bad_metadata(context);
  test_square_pairs(context);
  test_rectangular(context);
  test_per_sample_space(context);
  test_bad_spaces(context);
  test_context_options();
  ragged_rt_context_release(context);
  return unit_test_finish();
}
