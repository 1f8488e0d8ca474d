// For the tests of the emulated device: an emulator, buffers in it, and launches whose outcome is
// checked. Kernels are written by hand against emulated_abi.h; `LOAD` and `STORE` are an access with
// its check, as the compiler makes them.
#ifndef RAGGED_EMULATED_FIXTURE_H
#define RAGGED_EMULATED_FIXTURE_H

#include "emulated/emulator.h"
#include "unit_test.h"

typedef ragged_emulated_thread *Thread;

#define POINTER(type, word) ((type *)(uintptr_t)(word))
#define WORD(pointer) ((int64_t)(uintptr_t)(pointer))

static inline void *checked_load(Thread thread, void *address, size_t bytes, size_t alignment,
                                 const char *where) {
  ragged_emulated_check_load(thread, address, (int64_t)bytes, (int64_t)alignment,
                             RAGGED_EMULATED_GENERIC, where);
  return address;
}

static inline void *checked_store(Thread thread, void *address, size_t bytes, size_t alignment,
                                  const char *where) {
  ragged_emulated_check_store(thread, address, (int64_t)bytes, (int64_t)alignment,
                              RAGGED_EMULATED_GENERIC, where);
  return address;
}

#define LOAD(thread, type, address) \
  (*(type *)checked_load((thread), (address), sizeof(type), sizeof(type), "load.mlir:1:1: 'load'"))
#define STORE(thread, type, address, value)                                                   \
  (*(type *)checked_store((thread), (address), sizeof(type), sizeof(type),                    \
                          "store.mlir:1:1: 'store'") = (value))

static inline void expect_ok(ragged_status status, int line) {
  if (!unit_test_check(!status, "status is ok", __FILE__, line))
    printf("  line %d: %s\n", line, ragged_status_message(status));
  ragged_status_free(status);
}
#define EXPECT_OK(expression) expect_ok((expression), __LINE__)

static inline void expect_error(ragged_status status, ragged_status_code code, const char *part,
                                int line) {
  bool right_code = CHECK_INT(ragged_status_get_code(status), code);
  bool right_message = CHECK_CONTAINS(ragged_status_message(status), part);
  if (!right_code || !right_message) printf("  line %d\n", line);
  ragged_status_free(status);
}
#define EXPECT_FAULT(expression, part) \
  expect_error((expression), RAGGED_STATUS_INTERNAL, (part), __LINE__)
#define EXPECT_INVALID(expression, part) \
  expect_error((expression), RAGGED_STATUS_INVALID_ARGUMENT, (part), __LINE__)

static inline ragged_emulator *create_emulator(void) {
  ragged_emulator *emulator = NULL;
  EXPECT_OK(ragged_emulator_create(&emulator));
  if (!emulator) exit(EXIT_FAILURE);
  return emulator;
}

static inline void *allocate(ragged_emulator *emulator, size_t bytes) {
  void *address = NULL;
  EXPECT_OK(ragged_emulator_allocate(emulator, bytes, &address));
  return address;
}

// Filled with zeros, which count as written.
static inline void *allocate_zeros(ragged_emulator *emulator, size_t bytes) {
  void *address = allocate(emulator, bytes);
  EXPECT_OK(ragged_emulator_fill(emulator, address, 0, bytes));
  return address;
}

static inline ragged_status launch_shared(ragged_emulator *emulator, ragged_emulated_kernel kernel,
                                          int64_t grid, int32_t block, int64_t shared,
                                          int64_t num_words, const int64_t *words) {
  ragged_emulator_launch what = {.name = "kernel", .function = kernel, .grid = grid, .block = block,
                                 .dynamic_shared_bytes = shared, .words = words,
                                 .num_words = num_words};
  return ragged_emulator_run(emulator, &what);
}
#define LAUNCH_SHARED(emulator, kernel, grid, block, shared, ...)                             \
  launch_shared((emulator), (kernel), (grid), (block), (shared),                              \
                (int64_t)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)),                \
                (const int64_t[]){__VA_ARGS__})
#define LAUNCH(emulator, kernel, grid, block, ...) \
  LAUNCH_SHARED(emulator, kernel, grid, block, 0, __VA_ARGS__)

#endif  // RAGGED_EMULATED_FIXTURE_H
