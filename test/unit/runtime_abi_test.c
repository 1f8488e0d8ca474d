// The table of functions that compiled code calls, against runtime/frame.h: number and kind of the
// arguments and the result when this is compiled, existence in the library when it is linked, and
// completeness when it runs.
#include "frame.h"
#include "unit_test.h"

// Never evaluated. Neither is a null pointer constant, so an integer where the function takes a
// pointer, or the other way round, does not compile.
#define P ((void *)1)
#define I ((int64_t)1)
#pragma GCC diagnostic error "-Wint-conversion"

// 0 for V, 1 for I, 2 for P.
#define KIND_OF(type)                                   \
  (__builtin_types_compatible_p(type, void)      ? 0    \
   : __builtin_types_compatible_p(type, int64_t) ? 1    \
                                                 : 2)
enum { KIND_V, KIND_I, KIND_P };

#define RUNTIME_FUNCTION(symbol, result, ...)                                     \
  _Static_assert(KIND_OF(__typeof__(symbol(__VA_ARGS__))) == KIND_##result,       \
                 #symbol ": the result in runtime_abi.def is not that of frame.h");
#include "lower/runtime_abi.def"

typedef struct abi_function {
  const char *name;
  void (*function)(void);
} abi_function;

static const abi_function kFunctions[] = {
#define RUNTIME_FUNCTION(symbol, ...) {#symbol, (void (*)(void))symbol},
#include "lower/runtime_abi.def"
};
enum { kCount = (int)(sizeof kFunctions / sizeof kFunctions[0]) };

static bool is_listed(const char *name, size_t length) {
  for (int k = 0; k < kCount; ++k)
    if (strlen(kFunctions[k].name) == length && !memcmp(kFunctions[k].name, name, length))
      return true;
  return false;
}

// Every `ragged_rt_...(` of the header's text is a line of the table. Returns how many there are.
static int check_header(const char *text) {
  int declared = 0;
  for (const char *at = text; (at = strstr(at, "ragged_rt_")) != NULL;) {
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_");
    if (at[length] == '(') {
      ++declared;
      if (!CHECK(is_listed(at, length))) printf("  %.*s\n", (int)length, at);
    }
    at += length;
  }
  return declared;
}

static char *read_header(void) {
  char path[4096];
  int folder = (int)(strrchr(__FILE__, '/') - __FILE__);
  snprintf(path, sizeof path, "%.*s/../../runtime/frame.h", folder, __FILE__);
  FILE *file = fopen(path, "r");
  if (!file) return NULL;
  char *text = calloc(1, 1 << 20);
  size_t read = fread(text, 1, (1 << 20) - 1, file);
  fclose(file);
  CHECK(read > 0);
  return text;
}

int main(void) {
  for (int k = 0; k < kCount; ++k)
    for (int j = 0; j < k; ++j) CHECK(strcmp(kFunctions[j].name, kFunctions[k].name) != 0);
  char *text = read_header();
  if (CHECK(text)) CHECK_INT(check_header(text), kCount);
  free(text);
  return unit_test_finish();
}
