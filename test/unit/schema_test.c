// Schemas as values, element types, and the support library under them (status, arena, string
// buffer, checked arithmetic).
#include "schema/schema.h"

#include "support/checked.h"
#include "unit_test.h"

static void test_status(void) {
  CHECK_STRING(ragged_status_message(NULL), "");
  CHECK_INT(ragged_status_get_code(NULL), RAGGED_STATUS_OK);
  ragged_status_free(NULL);
  ragged_status status = ragged_status_make(RAGGED_STATUS_NOT_FOUND, "no %s after %d", "file", 3);
  CHECK_STRING(ragged_status_message(status), "no file after 3");
  CHECK_INT(ragged_status_get_code(status), RAGGED_STATUS_NOT_FOUND);
  ragged_status_free(status);

  char text[2000];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  status = ragged_status_make(RAGGED_STATUS_INTERNAL, "<%s>", text);
  CHECK_INT(strlen(ragged_status_message(status)), sizeof text - 1 + 2);
  ragged_status_free(status);

  CHECK_STRING(ragged_status_code_name(RAGGED_STATUS_INVALID_ARGUMENT), "invalid argument");
  CHECK_STRING(ragged_status_code_name(RAGGED_STATUS_INTERNAL), "internal");
  CHECK_STRING(ragged_status_code_name((ragged_status_code)99), "unknown");
}

static void test_arena(void) {
  ragged_arena arena = {0};
  // Sizes around the blocks' own, so that old blocks are left and large ones are made.
  static const size_t sizes[] = {0, 1, 15, 16, 17, 4000, 4096, 5000, 100000, 3000000, 8};
  for (int round = 0; round < 2; ++round) {
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
      unsigned char *memory = ragged_arena_allocate(&arena, sizes[k]);
      CHECK_INT((uintptr_t)memory % 16, 0);
      bool zero = true;
      for (size_t j = 0; j < sizes[k]; ++j) zero = zero && memory[j] == 0;
      CHECK(zero);
      memset(memory, 0xff, sizes[k]);
    }
    CHECK_STRING(ragged_arena_format(&arena, "%s-%d", "a", 7), "a-7");
    CHECK_STRING(ragged_arena_copy_string(&arena, "abcdef", 3), "abc");
    ragged_arena_free(&arena);
    CHECK(!arena.blocks);
  }
}

static void test_string_buffer(void) {
  ragged_string_buffer buffer = {0};
  ragged_string_append(&buffer, "", 0);
  CHECK_STRING(buffer.data, "");
  for (int k = 0; k < 100; ++k) ragged_string_appendf(&buffer, "%d,", k % 10);
  CHECK_INT(buffer.length, 200);
  CHECK_INT(strlen(buffer.data), 200);
  ragged_string_free(&buffer);
  CHECK(!buffer.data && !buffer.length && !buffer.capacity);
}

static void test_checked(void) {
  int64_t out = 5;
  CHECK(!ragged_checked_add(INT64_MAX, 1, &out) && out == 5);
  CHECK(!ragged_checked_multiply(INT64_MAX / 2, 3, &out) && out == 5);
  CHECK(ragged_checked_add(2, 3, &out) && out == 5);
  CHECK(ragged_checked_multiply(2, 3, &out) && out == 6);
}

static void test_element_types(void) {
  static const char *const names[] = {"f64", "f32", "bf16", "i64", "i1"};
  static const size_t sizes[] = {8, 4, 2, 8, 1};
  for (int k = 0; k < RAGGED_ELEMENT_COUNT; ++k) {
    ragged_element_type type = (ragged_element_type)k, found;
    CHECK_STRING(ragged_element_name(type), names[k]);
    CHECK_INT(ragged_element_size(type), sizes[k]);
    CHECK(ragged_element_is_float(type) == (names[k][0] != 'i'));
    CHECK(ragged_element_is_number(type) == (type != RAGGED_ELEMENT_I1));
    CHECK(ragged_element_from_name(names[k], strlen(names[k]), &found) && found == type);
  }
  ragged_element_type found;
  CHECK(!ragged_element_from_name("f3", 2, &found));
  CHECK(!ragged_element_from_name("f32x", 4, &found));
  CHECK(ragged_element_from_name("f32x", 3, &found) && found == RAGGED_ELEMENT_F32);
  CHECK_DOUBLE(ragged_element_epsilon(RAGGED_ELEMENT_F64), 0x1p-52, 0);
  CHECK_DOUBLE(ragged_element_epsilon(RAGGED_ELEMENT_F32), 0x1p-23, 0);
  CHECK_DOUBLE(ragged_element_epsilon(RAGGED_ELEMENT_BF16), 0x1p-7, 0);
  CHECK_DOUBLE(ragged_element_epsilon(RAGGED_ELEMENT_I64), 0, 0);
  CHECK_DOUBLE(ragged_element_epsilon(RAGGED_ELEMENT_I1), 0, 0);
  CHECK_INT(ragged_element_size(RAGGED_ELEMENT_COUNT), 0);
}

static ragged_dimension axis(const char *name) { return ragged_dimension_ragged(name); }
static ragged_dimension extent(int64_t value) { return ragged_dimension_static(value); }

static void check_printed(const ragged_schema *schema, const char *expected) {
  ragged_string_buffer text = {0};
  ragged_schema_print(schema, &text);
  CHECK_STRING(text.data, expected);
  ragged_string_free(&text);
}

static void test_print_and_parts(void) {
  ragged_dimension image[] = {extent(3), axis("h"), axis("w")};
  ragged_schema schema = ragged_schema_make(RAGGED_ELEMENT_F32, 3, image);
  check_printed(&schema, "[3, h, w], f32");
  CHECK(ragged_schema_has_default_order(&schema));
  CHECK_INT(schema.order[0], 1);
  CHECK_INT(schema.order[2], 0);
  CHECK_INT(ragged_schema_packed_position(&schema, 0), 2);
  CHECK_INT(ragged_schema_packed_position(&schema, 3), -1);
  CHECK_INT(ragged_schema_num_ragged(&schema), 2);

  ragged_dimension pair[] = {axis("n"), axis("m"), extent(128), extent(0)};
  schema = ragged_schema_make(RAGGED_ELEMENT_BF16, 4, pair);
  CHECK_INT(ragged_schema_tail_size(&schema), 0);
  ragged_schema swapped = schema;
  swapped.order[0] = 1, swapped.order[1] = 0, swapped.order[2] = 3, swapped.order[3] = 2;
  check_printed(&swapped, "[n, m, 128, 0], bf16, order = [1, 0, 3, 2]");
  CHECK(!ragged_schema_has_default_order(&swapped));
  const char *axes[RAGGED_MAX_RANK];
  int64_t tail[RAGGED_MAX_RANK];
  CHECK_INT(ragged_schema_space(&swapped, axes), 2);
  CHECK_STRING(axes[0], "m");
  CHECK_STRING(axes[1], "n");
  CHECK_INT(ragged_schema_tail(&swapped, tail), 2);
  CHECK_INT(tail[0], 0);
  CHECK_INT(tail[1], 128);
  CHECK(!ragged_schema_same_space(&schema, &swapped));
  CHECK(!ragged_schema_same_layout(&schema, &swapped));

  ragged_schema scalar = ragged_schema_make(RAGGED_ELEMENT_I64, 0, NULL);
  check_printed(&scalar, "[], i64");
  CHECK_INT(ragged_schema_tail_size(&scalar), 1);
  CHECK_INT(ragged_schema_space(&scalar, axes), 0);
}

static void test_equality(void) {
  // Texts decide, not addresses.
  char name[] = "n";
  ragged_dimension one[] = {axis("n"), extent(2)}, two[] = {axis(name), extent(2)};
  ragged_schema a = ragged_schema_make(RAGGED_ELEMENT_F32, 2, one);
  ragged_schema b = ragged_schema_make(RAGGED_ELEMENT_F32, 2, two);
  CHECK(ragged_schema_equal(&a, &b));
  b.element_type = RAGGED_ELEMENT_F64;
  CHECK(!ragged_schema_equal(&a, &b));
  CHECK(ragged_schema_same_layout(&a, &b));
  b.dimensions[1].extent = 3;
  CHECK(!ragged_schema_same_layout(&a, &b));
  CHECK(ragged_schema_same_space(&a, &b));
  b.dimensions[0] = axis("m");
  CHECK(!ragged_schema_same_space(&a, &b));
  CHECK(!ragged_dimension_equal(axis("n"), extent(0)));
  b.rank = 1;
  CHECK(!ragged_schema_equal(&a, &b));
}

static void check_invalid(const ragged_schema *schema, const char *message) {
  ragged_status status = ragged_schema_validate(schema);
  CHECK_INT(ragged_status_get_code(status), RAGGED_STATUS_INVALID_ARGUMENT);
  CHECK_STRING(ragged_status_message(status), message);
  ragged_status_free(status);
}

static void test_validate(void) {
  ragged_dimension dims[] = {axis("n"), extent(2), extent(3)};
  const ragged_schema good = ragged_schema_make(RAGGED_ELEMENT_F32, 3, dims);
  CHECK(!ragged_schema_validate(&good));
  ragged_schema bad = good;
  bad.order[0] = 1, bad.order[1] = 0;
  check_invalid(&bad,
                "order puts static dimension 1 before ragged dimension 0 (axis n), expected all "
                "ragged dimensions first");
  bad = good;
  bad.order[2] = 1;
  check_invalid(&bad, "order names dimension 1 twice");
  bad.order[2] = 3;
  check_invalid(&bad, "order names dimension 3 at position 2, expected 0 to 2");
  bad.order[2] = -1;
  check_invalid(&bad, "order names dimension -1 at position 2, expected 0 to 2");
  bad = good;
  bad.dimensions[2].extent = -4;
  check_invalid(&bad, "dimension 2 has extent -4, expected 0 or more");
  bad = ragged_schema_make(RAGGED_ELEMENT_F32, 17, NULL);
  check_invalid(&bad, "rank is 17, expected 0 to 16");
  bad = good;
  bad.rank = -1;
  check_invalid(&bad, "rank is -1, expected 0 to 16");
  bad = good;
  bad.element_type = RAGGED_ELEMENT_COUNT;
  check_invalid(&bad, "element type 5 is not known");
  bad = good;
  bad.dimensions[1].extent = INT64_C(1) << 32;
  bad.dimensions[2].extent = INT64_C(1) << 31;
  check_invalid(&bad, "the product of the static extents does not fit 63 bits");
  bad.dimensions[2].extent = 0;
  CHECK(!ragged_schema_validate(&bad));
}

int main(void) {
  test_status();
  test_arena();
  test_string_buffer();
  test_checked();
  test_element_types();
  test_print_and_parts();
  test_equality();
  test_validate();
  return unit_test_finish();
}
