// The table of functions that emulated kernels call, against runtime/emulated/emulated_abi.h: the
// exact types when this is compiled, existence in the library when it is linked, and completeness
// when it runs.
#include "emulated/emulated_abi.h"
#include "unit_test.h"

// Never evaluated. A pointer where the function takes a number, or the other way round, does not
// compile; the widths of numbers are compared below.
#define P ((void *)1)
#define L ((int64_t)1)
#define I ((int32_t)1)
#define F 1.0f
#define D 1.0
#pragma GCC diagnostic error "-Wint-conversion"
// A number of another width or kind than the declared one converts.
#pragma GCC diagnostic error "-Wconversion"

// 0 void, 1 32 bits, 2 64 bits, 3 float, 4 double, 5 pointer.
#define KIND_OF(type)                                   \
  (__builtin_types_compatible_p(type, void)      ? 0    \
   : __builtin_types_compatible_p(type, int32_t) ? 1    \
   : __builtin_types_compatible_p(type, int64_t) ? 2    \
   : __builtin_types_compatible_p(type, float)   ? 3    \
   : __builtin_types_compatible_p(type, double)  ? 4    \
                                                 : 5)
enum { KIND_V, KIND_I, KIND_L, KIND_F, KIND_D, KIND_P };

#define EMULATED_FUNCTION(symbol, result, ...)                                     \
  _Static_assert(KIND_OF(__typeof__(symbol(__VA_ARGS__))) == KIND_##result,        \
                 #symbol ": the result in emulated_abi.def is not that of emulated_abi.h");
#include "lower/emulated/emulated_abi.def"

typedef struct abi_function {
  const char *name, *arguments;
  void (*function)(void);
} abi_function;

static const abi_function functions[] = {
#define EMULATED_FUNCTION(symbol, result, ...) {#symbol, "(" #__VA_ARGS__ ")", (void (*)(void))symbol},
#include "lower/emulated/emulated_abi.def"
};
enum { COUNT = (int)(sizeof functions / sizeof functions[0]) };

// The arguments in the letters of the table, from the text of a declaration behind its parenthesis.
static void letters_of(const char *text, char *out) {
  for (bool first = true; *text && *text != ')'; first = false) {
    size_t length = strcspn(text, ",)");
    char letter = 'I';
    if (memchr(text, '*', length))
      letter = 'P';
    else if (strstr(text, "int64_t") && strstr(text, "int64_t") < text + length)
      letter = 'L';
    else if (strstr(text, "float ") && strstr(text, "float ") < text + length)
      letter = 'F';
    else if (strstr(text, "double ") && strstr(text, "double ") < text + length)
      letter = 'D';
    out += sprintf(out, "%s%c", first ? "(" : ", ", letter);
    text += length + (text[length] == ',');
  }
  strcpy(out, ")");
}

static const abi_function *find(const char *name, size_t length) {
  for (int k = 0; k < COUNT; ++k)
    if (strlen(functions[k].name) == length && !memcmp(functions[k].name, name, length))
      return &functions[k];
  return NULL;
}

// Every `ragged_emulated_...(` of the header is a line of the table, with its arguments.
static int check_header(const char *text) {
  int declared = 0;
  for (const char *at = text; (at = strstr(at, "ragged_emulated_")) != NULL;) {
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_");
    if (at[length] == '(') {
      ++declared;
      const abi_function *function = find(at, length);
      char letters[128];
      letters_of(at + length + 1, letters);
      if (!CHECK(function != NULL))
        printf("  %.*s\n", (int)length, at);
      else if (!CHECK_STRING(function->arguments, letters))
        printf("  %s\n", function->name);
    }
    at += length;
  }
  return declared;
}

static char *read_header(void) {
  char path[4096];
  int folder = (int)(strrchr(__FILE__, '/') - __FILE__);
  snprintf(path, sizeof path, "%.*s/../../runtime/emulated/emulated_abi.h", folder, __FILE__);
  FILE *file = fopen(path, "rb");
  if (!CHECK(file != NULL)) return NULL;
  char *text = calloc(1, 1 << 16);
  if (!fread(text, 1, (1 << 16) - 1, file)) text[0] = 0;
  fclose(file);
  return text;
}

int main(void) {
  char *text = read_header();
  if (text) CHECK_INT(check_header(text), COUNT);
  free(text);
  for (int k = 0; k < COUNT; ++k) CHECK(functions[k].function != NULL);
  return unit_test_finish();
}
