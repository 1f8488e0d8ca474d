// Blocks of the emulated device: barriers with what they order, shared memory, races, divergence.
// Each broken kernel has a twin that is right; which one runs is a parameter.
#include "emulated_fixture.h"

enum { BLOCK = 96 };

// words: out, whether there is a barrier. Each thread reads what its neighbour wrote.
static void neighbour(Thread thread, const int64_t *words) {
  int32_t t = ragged_emulated_tid(thread), n = ragged_emulated_ntid(thread);
  int32_t *shared = ragged_emulated_static_shared(thread, 256, 4 * BLOCK, "variable");
  STORE(thread, int32_t, shared + t, 10 * t);
  if (words[1]) ragged_emulated_barrier(thread, "barrier");
  int32_t got = LOAD(thread, int32_t, shared + (t + n - 1) % n);
  STORE(thread, int32_t,
        POINTER(int32_t, words[0]) + ragged_emulated_ctaid(thread) * n + t, got);
}

// words: out, kind of fault. A tree of sums in dynamic shared memory.
static void tree(Thread thread, const int64_t *words) {
  int32_t t = ragged_emulated_tid(thread), n = ragged_emulated_ntid(thread);
  int32_t *shared = ragged_emulated_dynamic_shared(thread);
  STORE(thread, int32_t, shared + t, t);
  for (int32_t half = n / 2; half > 0; half /= 2) {
    ragged_emulated_barrier(thread, "tree.mlir:1:1: 'barrier'");
    if (t < half) {
      int32_t other = LOAD(thread, int32_t, shared + t + half);
      STORE(thread, int32_t, shared + t, LOAD(thread, int32_t, shared + t) + other);
    } else if (words[1] == 1) {
      return;  // and is missing at the next barrier
    }
    if (words[1] == 2 && t < half) ragged_emulated_barrier(thread, "tree.mlir:2:1: 'barrier'");
  }
  if (t == 0) STORE(thread, int32_t, POINTER(int32_t, words[0]), LOAD(thread, int32_t, shared));
}

static void test_barriers(void) {
  ragged_emulator *emulator = create_emulator();
  int32_t *out = allocate(emulator, 4 * 2 * BLOCK), got[2 * BLOCK];
  EXPECT_OK(LAUNCH(emulator, neighbour, 2, BLOCK, WORD(out), 1));
  EXPECT_OK(ragged_emulator_download(emulator, got, out, sizeof got));
  for (int k = 0; k < 2 * BLOCK; ++k) CHECK_INT(got[k], (k + BLOCK - 1) % BLOCK * 10);
  EXPECT_FAULT(LAUNCH(emulator, neighbour, 2, BLOCK, WORD(out), 0), "was never written");

  EXPECT_OK(LAUNCH_SHARED(emulator, tree, 1, 1024, 4096, WORD(out), 0));
  EXPECT_OK(ragged_emulator_download(emulator, got, out, 4));
  CHECK_INT(got[0], 1024 * 1023 / 2);
  EXPECT_FAULT(LAUNCH_SHARED(emulator, tree, 1, 64, 4096, WORD(out), 1),
               "thread 0, tree.mlir:1:1: 'barrier': divergence: thread 0 waits at barrier 0, "
               "tree.mlir:1:1: 'barrier', but thread 32 has finished");
  EXPECT_FAULT(LAUNCH_SHARED(emulator, tree, 1, 64, 4096, WORD(out), 2),
               "divergence inside a warp: thread 0 waits at barrier 0, tree.mlir:2:1");
  EXPECT_FAULT(LAUNCH_SHARED(emulator, tree, 1, 1024, 4092, WORD(out), 0),
               "thread 1023, store.mlir:1:1: 'store': store of 4 bytes out of bounds");
  // The emulator is as good as before.
  EXPECT_OK(LAUNCH_SHARED(emulator, tree, 1, 1, 4096, WORD(out), 0));
  ragged_emulator_destroy(emulator);
}

// words: what. Two warps, one variable.
static void race(Thread thread, const int64_t *words) {
  int32_t t = ragged_emulated_tid(thread);
  int32_t *shared = ragged_emulated_static_shared(thread, 0, 256, "variable");
  switch (words[0]) {
    case 0:  // two stores
      if (t % 32 == 0) STORE(thread, int32_t, shared, t);
      break;
    case 1:  // a store after a load
      if (t == 0) STORE(thread, int32_t, shared, t);
      ragged_emulated_barrier(thread, "barrier");
      (void)LOAD(thread, int32_t, shared);
      if (words[1]) ragged_emulated_barrier(thread, "barrier");
      if (t == 40) STORE(thread, int32_t, shared, t);
      break;
    case 2:  // bytes of one word by different threads are fine
      STORE(thread, int8_t, (int8_t *)shared + t, 1);
      break;
    case 3:  // a warp's barrier orders its own lanes
      if (t < 32) STORE(thread, int32_t, shared + t, t);
      ragged_emulated_warp_barrier(thread, -1, "warp barrier");
      if (t < 32) (void)LOAD(thread, int32_t, shared + (t ^ 1));
      if (t >= 32 && words[1]) (void)LOAD(thread, int32_t, shared);
      break;
    case 4:  // a warp's barrier is needed for a store after loads of the warp
      if (t < 32) STORE(thread, int32_t, shared + t, t);
      ragged_emulated_warp_barrier(thread, -1, "warp barrier");
      if (t < 32) (void)LOAD(thread, int32_t, shared + 5);
      if (!words[1]) ragged_emulated_warp_barrier(thread, -1, "warp barrier");
      if (t == 5) STORE(thread, int32_t, shared + 5, 1);
      break;
    case 5:  // what all have read, each may only write after a barrier
      if (t == 0) STORE(thread, int32_t, shared, t);
      ragged_emulated_barrier(thread, "barrier");
      (void)LOAD(thread, int32_t, shared);
      if (words[1]) ragged_emulated_warp_barrier(thread, -1, "warp barrier");
      if (!words[1]) ragged_emulated_barrier(thread, "barrier");
      if (t == 0) STORE(thread, int32_t, shared, t);
      break;
    default: break;
  }
}

// words: out, shift of the odd blocks' stores in elements
static void global_race(Thread thread, const int64_t *words) {
  int32_t t = ragged_emulated_tid(thread), block = ragged_emulated_ctaid(thread);
  int32_t *out = POINTER(int32_t, words[0]) + block * 64;
  STORE(thread, int32_t, out + t + (block == 1 ? words[1] : 0), t);
  if (words[2] == 1) (void)LOAD(thread, int32_t, out + (t ^ 1));
  if (words[2] == 2) {
    ragged_emulated_barrier(thread, "barrier");
    (void)LOAD(thread, int32_t, out + (t ^ 1));
  }
  if (words[2] == 3 && block == 1) (void)LOAD(thread, int32_t, POINTER(int32_t, words[0]) + t);
}

static void test_races(void) {
  ragged_emulator *emulator = create_emulator();
  EXPECT_FAULT(LAUNCH(emulator, race, 1, 64, 0, 0),
               "race: the store of 4 bytes is not ordered after a store by thread 0: address");
  EXPECT_OK(LAUNCH(emulator, race, 4, 32, 0, 0));
  EXPECT_FAULT(LAUNCH(emulator, race, 1, 64, 1, 0), "not ordered after a load by thread");
  EXPECT_OK(LAUNCH(emulator, race, 2, 64, 1, 1));
  EXPECT_OK(LAUNCH(emulator, race, 1, 64, 2, 0));
  EXPECT_OK(LAUNCH(emulator, race, 1, 64, 3, 0));
  EXPECT_FAULT(LAUNCH(emulator, race, 1, 64, 3, 1),
               "load.mlir:1:1: 'load': race: the load of 4 bytes is not ordered after a store by "
               "thread 0");
  EXPECT_OK(LAUNCH(emulator, race, 1, 64, 4, 0));
  EXPECT_FAULT(LAUNCH(emulator, race, 1, 64, 4, 1), "not ordered after a load by thread");
  EXPECT_OK(LAUNCH(emulator, race, 1, 64, 5, 0));
  EXPECT_FAULT(LAUNCH(emulator, race, 1, 64, 5, 1), "not ordered after a load by thread 32");

  void *out = allocate_zeros(emulator, 4 * 256);
  EXPECT_OK(LAUNCH(emulator, global_race, 2, 64, WORD(out), 0, 0));
  EXPECT_FAULT(LAUNCH(emulator, global_race, 2, 64, WORD(out), -1, 0),
               "block 1, thread 0, store.mlir:1:1: 'store': race: the store of 4 bytes is not "
               "ordered after a store by thread 63 of block 0");
  EXPECT_FAULT(LAUNCH(emulator, global_race, 2, 64, WORD(out), 0, 1), "not ordered after a load");
  EXPECT_OK(LAUNCH(emulator, global_race, 2, 64, WORD(out), 0, 2));
  EXPECT_FAULT(LAUNCH(emulator, global_race, 2, 64, WORD(out), 0, 3),
               "load of 4 bytes is not ordered after a store by thread 0 of block 0");
  ragged_emulator_destroy(emulator);
}

// words: bytes of the variables
static void variables(Thread thread, const int64_t *words) {
  for (int k = 0; k < 4; ++k)
    ragged_emulated_static_shared(thread, k * (words[0] + 64), words[0], "variable");
}

static void test_variables(void) {
  ragged_emulator *emulator = create_emulator();
  EXPECT_OK(LAUNCH(emulator, variables, 2, 32, 12 * 1024));
  EXPECT_FAULT(LAUNCH(emulator, variables, 2, 32, 12 * 1024 + 1), "49156 bytes of shared variables");
  EXPECT_OK(LAUNCH_SHARED(emulator, variables, 1, 1, 232448 - 48 * 1024, 12 * 1024));
  EXPECT_FAULT(LAUNCH_SHARED(emulator, variables, 1, 1, 232449 - 48 * 1024, 12 * 1024),
               "together 232448");
  EXPECT_FAULT(LAUNCH(emulator, variables, 1, 1, 100 * 1024), "no room");
  ragged_emulator_destroy(emulator);
}

// words: id, count, which warps go there, id of the rest
static void named(Thread thread, const int64_t *words) {
  int32_t t = ragged_emulated_tid(thread), warp = t / 32;
  int32_t *shared = ragged_emulated_static_shared(thread, 0, 4096, "variable");
  STORE(thread, int32_t, shared + t, t);
  if (words[2] >> warp & 1)
    ragged_emulated_barrier_count(thread, (int32_t)words[0], (int32_t)words[1], "named");
  else if (words[3])
    ragged_emulated_barrier_count(thread, (int32_t)words[3], 0, "rest");
  if (words[2] >> warp & 1) (void)LOAD(thread, int32_t, shared + (t ^ words[4]));
}

static void test_named_barriers(void) {
  ragged_emulator *emulator = create_emulator();
  EXPECT_OK(LAUNCH(emulator, named, 1, 128, 3, 64, 3, 0, 32));
  EXPECT_FAULT(LAUNCH(emulator, named, 1, 128, 3, 64, 3, 0, 64), "was never written");
  EXPECT_FAULT(LAUNCH(emulator, named, 1, 128, 3, 96, 3, 0, 32), "divergence: thread 0 waits at "
               "barrier 3, named, but thread 64 has finished");
  EXPECT_FAULT(LAUNCH(emulator, named, 1, 128, 3, 0, 3, 4, 32), "but thread 64 waits at barrier 4");
  EXPECT_FAULT(LAUNCH(emulator, named, 1, 128, 16, 64, 3, 0, 32), "expected 0 to 15");
  EXPECT_FAULT(LAUNCH(emulator, named, 1, 128, 1, 33, 3, 0, 32), "a multiple of 32");
  EXPECT_FAULT(LAUNCH(emulator, named, 1, 64, 1, 96, 3, 0, 32), "at most the block's 64");
  ragged_emulator_destroy(emulator);
}

// words: whether lanes of a warp meet at two ops
static void two_ops(Thread thread, const int64_t *words) {
  if (ragged_emulated_tid(thread) % 32 < 16 || !words[0])
    ragged_emulated_barrier(thread, "first op");
  else
    ragged_emulated_barrier(thread, "second op");
}

// Whether a fiber's stack and registers are its own.
static int64_t depth_first(Thread thread, int depth, double x) {
  volatile double kept[16];
  for (int k = 0; k < 16; ++k) kept[k] = x * k;
  ragged_emulated_warp_barrier(thread, -1, "deep");
  int64_t below = depth ? depth_first(thread, depth - 1, x + 1) : 0;
  for (int k = 0; k < 16; ++k)
    if (kept[k] != x * k) return -1;
  return below < 0 ? below : below + 1;
}
static void deep(Thread thread, const int64_t *words) {
  int32_t t = ragged_emulated_tid(thread);
  STORE(thread, int64_t, POINTER(int64_t, words[0]) + t, depth_first(thread, 100, t));
}

static void test_fibers(void) {
  ragged_emulator *emulator = create_emulator();
  EXPECT_OK(LAUNCH(emulator, two_ops, 1, 64, 0));
  EXPECT_FAULT(LAUNCH(emulator, two_ops, 1, 64, 1), "divergence inside a warp");
  int64_t *out = allocate(emulator, 8 * 1024), got[1024];
  EXPECT_OK(LAUNCH(emulator, deep, 1, 1024, WORD(out)));
  EXPECT_OK(ragged_emulator_download(emulator, got, out, sizeof got));
  for (int k = 0; k < 1024; ++k) CHECK_INT(got[k], 101);
  const ragged_emulator_counts *counts = ragged_emulator_kernel(emulator, 0);
  CHECK_INT(counts->launches, 3);
  CHECK_INT(counts->barriers, 1);
  CHECK_INT(counts->warp_operations, 32 * 101);
  ragged_emulator_destroy(emulator);
}

int main(void) {
  test_barriers();
  test_races();
  test_variables();
  test_named_barriers();
  test_fibers();
  return unit_test_finish();
}
