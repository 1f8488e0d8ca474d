// The emulated device's memory: allocations, copies that keep what is known of bytes, and the checks
// of single accesses: bounds, alignment, reads of what was never written. Each broken kernel has a
// twin that is right.
#include "emulated_fixture.h"

enum { N = 100 };

// words: in, out, number of elements, shift of the loads in bytes.
static void add_one(Thread thread, const int64_t *words) {
  ragged_emulated_enter(thread, 4, 0, 32, "enter");
  int64_t i = (int64_t)ragged_emulated_ctaid(thread) * ragged_emulated_ntid(thread) +
              ragged_emulated_tid(thread);
  if (i >= words[2]) return;
  char *in = POINTER(char, words[0] + 4 * i + words[3]);
  STORE(thread, int32_t, POINTER(int32_t, words[1] + 4 * i), LOAD(thread, int32_t, in) + 1);
}

static void test_accesses(void) {
  ragged_emulator *emulator = create_emulator();
  int32_t values[N + 1];
  for (int k = 0; k <= N; ++k) values[k] = k;
  char *in = allocate(emulator, sizeof values), *out = allocate(emulator, 4 * N);
  EXPECT_OK(ragged_emulator_upload(emulator, in, values, 4 * N));

  EXPECT_OK(LAUNCH(emulator, add_one, 4, 32, WORD(in), WORD(out), N, 0));
  int32_t got[N] = {0};
  EXPECT_OK(ragged_emulator_download(emulator, got, out, sizeof got));
  for (int k = 0; k < N; ++k) CHECK_INT(got[k], k + 1);

  // One element too many: it is there, but nobody wrote it.
  ragged_status status = LAUNCH(emulator, add_one, 4, 32, WORD(in), WORD(out), N + 1, 0);
  CHECK_CONTAINS(ragged_status_message(status),
                 "kernel 'kernel', block 3, thread 4, load.mlir:1:1: 'load': load of 4 bytes");
  EXPECT_FAULT(status, "was never written");
  EXPECT_OK(ragged_emulator_upload(emulator, in, values, sizeof values));
  // Now it is written, and the store is out of bounds; on both sides.
  EXPECT_FAULT(LAUNCH(emulator, add_one, 4, 32, WORD(in), WORD(out), N + 1, 0),
               "'store': store of 4 bytes out of bounds");
  EXPECT_FAULT(LAUNCH(emulator, add_one, 4, 32, WORD(in), WORD(out) + 4, N, 0),
               "(offset 400 of the 400 bytes at");
  EXPECT_FAULT(LAUNCH(emulator, add_one, 4, 32, WORD(in), WORD(out), N, -4),
               "(offset -4 of the 404 bytes");
  EXPECT_FAULT(LAUNCH(emulator, add_one, 4, 32, 0, WORD(out), N, 0), "out of bounds");
  // Half inside.
  EXPECT_FAULT(LAUNCH(emulator, add_one, 1, 1, WORD(in), WORD(out), N, 402), "out of bounds");
  EXPECT_FAULT(LAUNCH(emulator, add_one, 1, 1, WORD(in), WORD(out), N, 2), "not aligned to 4");
  EXPECT_FAULT(LAUNCH(emulator, add_one, 1, 1, WORD(in), WORD(out)), "2 parameters, expected 4");
  EXPECT_FAULT(LAUNCH(emulator, add_one, 2, 64, WORD(in), WORD(out), N, 0),
               "blocks of 64 threads, expected at most 32");

  // Freed memory, and memory of another value in the same place.
  EXPECT_OK(ragged_emulator_free(emulator, in));
  EXPECT_FAULT(LAUNCH(emulator, add_one, 4, 32, WORD(in), WORD(out), N, 0), "that were freed");
  in = allocate(emulator, sizeof values);
  EXPECT_FAULT(LAUNCH(emulator, add_one, 4, 32, WORD(in), WORD(out), N, 0), "never written");
  EXPECT_OK(ragged_emulator_upload(emulator, in, values, 4 * N));
  EXPECT_OK(LAUNCH(emulator, add_one, 4, 32, WORD(in), WORD(out), N, 0));
  EXPECT_OK(ragged_emulator_discard(emulator, in, sizeof values));
  EXPECT_FAULT(LAUNCH(emulator, add_one, 4, 32, WORD(in), WORD(out), N, 0), "never written");

  // The caller's memory.
  EXPECT_FAULT(LAUNCH(emulator, add_one, 4, 32, WORD(values), WORD(out), N, 0), "out of bounds");
  EXPECT_OK(ragged_emulator_adopt(emulator, values, sizeof values));
  EXPECT_OK(LAUNCH(emulator, add_one, 4, 32, WORD(values), WORD(out), N, 0));
  EXPECT_OK(ragged_emulator_forget(emulator, values));
  EXPECT_FAULT(LAUNCH(emulator, add_one, 4, 32, WORD(values), WORD(out), N, 0), "out of bounds");

  // No blocks, and launches that are none.
  EXPECT_OK(LAUNCH(emulator, add_one, 0, 32, WORD(in), WORD(out), N, 0));
  EXPECT_INVALID(LAUNCH(emulator, add_one, -1, 32, 0), "a grid of -1 blocks");
  EXPECT_INVALID(LAUNCH(emulator, add_one, 1, 0, 0), "blocks of 0 threads");
  EXPECT_INVALID(LAUNCH(emulator, add_one, 1, 1025, 0), "blocks of 1025 threads");
  EXPECT_INVALID(LAUNCH_SHARED(emulator, add_one, 1, 1, 300000, 0), "300000 bytes of dynamic");
  ragged_emulator_destroy(emulator);
}

static void test_copies(void) {
  ragged_emulator *emulator = create_emulator();
  char *a = allocate(emulator, 64), *b = allocate(emulator, 64), host[64] = {0};
  CHECK_INT((uintptr_t)a % 256, 0);
  EXPECT_OK(ragged_emulator_fill(emulator, a + 8, 7, 8));
  EXPECT_FAULT(ragged_emulator_download(emulator, host, a, 16), "byte 0 was never written");
  EXPECT_OK(ragged_emulator_copy(emulator, b, a, 64));  // with what is known
  EXPECT_OK(ragged_emulator_download(emulator, host, b + 8, 8));
  CHECK_INT(host[7], 7);
  EXPECT_FAULT(ragged_emulator_download(emulator, host, b + 8, 9), "byte 8 was never written");
  EXPECT_INVALID(ragged_emulator_upload(emulator, a + 1, host, 64), "do not lie in memory");
  EXPECT_INVALID(ragged_emulator_fill(emulator, host, 0, 1), "do not lie in memory");
  EXPECT_INVALID(ragged_emulator_free(emulator, a + 1), "not the begin of memory");
  EXPECT_INVALID(ragged_emulator_forget(emulator, a), "adopted");
  EXPECT_INVALID(ragged_emulator_adopt(emulator, a + 8, 8), "overlap");
  EXPECT_INVALID(ragged_emulator_adopt(emulator, a - 8, 9), "overlap");
  EXPECT_OK(ragged_emulator_free(emulator, NULL));
  EXPECT_OK(ragged_emulator_free(emulator, allocate(emulator, 0)));
  EXPECT_OK(ragged_emulator_free(emulator, a));
  EXPECT_INVALID(ragged_emulator_free(emulator, a), "not the begin");
  for (int k = 0; k < 300; ++k) EXPECT_OK(ragged_emulator_free(emulator, allocate(emulator, 1 << 20)));
  ragged_emulator_destroy(emulator);
  ragged_emulator_destroy(NULL);
}

// Loads of all widths; words: in.
static void widths(Thread thread, const int64_t *words) {
  char *in = POINTER(char, words[0]);
  for (size_t bytes = 1; bytes <= 32; bytes *= 2) checked_load(thread, in, bytes, bytes, "w");
  checked_store(thread, in + 32, 12, 4, "w");
  char own[4];
  checked_load(thread, own, 4, 1, "w");  // a thread's own stack is not checked
}

static void test_counts(void) {
  ragged_emulator *emulator = create_emulator();
  void *in = allocate_zeros(emulator, 64);
  EXPECT_OK(LAUNCH(emulator, widths, 1, 1, WORD(in)));
  EXPECT_OK(LAUNCH(emulator, widths, 1, 1, WORD(in)));
  CHECK_INT(ragged_emulator_num_kernels(emulator), 1);
  const ragged_emulator_counts *counts = ragged_emulator_kernel(emulator, 0);
  CHECK_STRING(counts->name, "kernel");
  CHECK_INT(counts->launches, 2);
  CHECK_INT(counts->bytes_loaded, 126);
  CHECK_INT(counts->bytes_stored, 24);
  CHECK_INT(counts->sectors_loaded, 2);  // one in each launch
  CHECK_INT(counts->sectors_stored, 2);
  for (int k = 0; k < RAGGED_EMULATOR_WIDTHS; ++k) CHECK_INT(counts->loads[k], 2);
  CHECK_INT(counts->stores[RAGGED_EMULATOR_WIDTHS - 1], 2);
  ragged_emulator_destroy(emulator);
}

static const float table[2] = {1, 2};

// words: out, 1 to store to the table.
static void constants(Thread thread, const int64_t *words) {
  const float *at = ragged_emulated_constant(thread, table, sizeof table, "table");
  ragged_emulated_check_load(thread, at + words[2], 4, 4, RAGGED_EMULATED_CONSTANT, "constant");
  if (words[1])
    ragged_emulated_check_store(thread, (void *)(uintptr_t)at, 4, 4, RAGGED_EMULATED_GENERIC, "c");
  STORE(thread, float, POINTER(float, words[0]), at[1]);
  if (words[0] == 0) ragged_emulated_trap(thread, "trap");
}

static void trap(Thread thread, const int64_t *words) {
  if (words[0] == ragged_emulated_tid(thread)) ragged_emulated_trap(thread, "here");
}

static void test_constants(void) {
  ragged_emulator *emulator = create_emulator();
  void *out = allocate(emulator, 4);
  EXPECT_OK(LAUNCH(emulator, constants, 1, 1, WORD(out), 0, 1));
  EXPECT_FAULT(LAUNCH(emulator, constants, 1, 1, WORD(out), 0, 2), "out of bounds");
  EXPECT_FAULT(LAUNCH(emulator, constants, 1, 1, WORD(out), 1, 0), "to constant data");
  EXPECT_OK(LAUNCH(emulator, trap, 1, 8, 8));
  EXPECT_FAULT(LAUNCH(emulator, trap, 1, 8, 7), "thread 7, here: the kernel reached a trap");
  ragged_emulator_destroy(emulator);
}

int main(void) {
  test_accesses();
  test_copies();
  test_counts();
  test_constants();
  return unit_test_finish();
}
