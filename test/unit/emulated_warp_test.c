// Warps of the emulated device: shuffles and votes against the text of the PTX ISA, written down a
// second time as plain loops; masks and divergence.
#include "emulated_fixture.h"

enum { KINDS = 4 };
typedef struct expected_lane {
  int value, valid;
} expected_lane;

// Values of lane k are 100 + k.
static expected_lane expect_shuffle(int kind, int lane, int b, int c) {
  int segment = c >> 8 & 31, clamp = c & 31, from = lane;
  int max_lane = (lane & segment) | (clamp & ~segment), min_lane = lane & segment;
  int valid = 0;
  if (kind == 0) from = min_lane | (b & 31 & ~segment), valid = from <= max_lane;
  if (kind == 1) from = lane - (b & 31), valid = from >= max_lane;
  if (kind == 2) from = lane + (b & 31), valid = from <= max_lane;
  if (kind == 3) from = lane ^ (b & 31), valid = from <= max_lane;
  return (expected_lane){100 + (valid ? from : lane), valid};
}

// words: out, kind, b, c
static void shuffle(Thread thread, const int64_t *words) {
  int32_t lane = ragged_emulated_laneid(thread), valid = -1, result = 0, value = 100 + lane;
  int32_t b = (int32_t)words[2], c = (int32_t)words[3];
  if (words[1] == 0)
    result = ragged_emulated_shuffle_idx(thread, -1, value, b, c, &valid, "shuffle");
  if (words[1] == 1) result = ragged_emulated_shuffle_up(thread, -1, value, b, c, &valid, "shuffle");
  if (words[1] == 2)
    result = ragged_emulated_shuffle_down(thread, -1, value, b, c, &valid, "shuffle");
  if (words[1] == 3)
    result = ragged_emulated_shuffle_bfly(thread, -1, value, b, c, &valid, "shuffle");
  int32_t *out = POINTER(int32_t, words[0]) + 2 * ragged_emulated_tid(thread);
  STORE(thread, int32_t, out, result);
  STORE(thread, int32_t, out + 1, valid);
}

static void test_shuffles(void) {
  ragged_emulator *emulator = create_emulator();
  int32_t *out = allocate(emulator, 4 * 128), got[128];
  for (int kind = 0; kind < KINDS; ++kind)
    for (int width = 4; width <= 32; width *= 2)
      for (int b = 0; b < 32; b += 3) {
        int c = (32 - width) << 8 | (kind == 1 ? 0 : 31);
        EXPECT_OK(LAUNCH(emulator, shuffle, 1, 64, WORD(out), kind, b, c));
        EXPECT_OK(ragged_emulator_download(emulator, got, out, sizeof got));
        for (int k = 0; k < 64; ++k) {
          expected_lane expected = expect_shuffle(kind, k % 32, b, c);
          CHECK_INT(got[2 * k], expected.value);
          CHECK_INT(got[2 * k + 1], expected.valid);
        }
      }
  ragged_emulator_destroy(emulator);
}

// words: out, mask of the lanes that say yes
static void vote(Thread thread, const int64_t *words) {
  int32_t lane = ragged_emulated_laneid(thread);
  int32_t yes = (int32_t)(words[1] >> lane & 1);
  int32_t mask = lane < 8 ? 0xff : ~0xff;  // two groups vote at the same time
  int32_t *out = POINTER(int32_t, words[0]) + 4 * lane;
  STORE(thread, int32_t, out, ragged_emulated_vote_all(thread, mask, yes, "vote"));
  STORE(thread, int32_t, out + 1, ragged_emulated_vote_any(thread, mask, 2 * yes, "vote"));
  STORE(thread, int32_t, out + 2, ragged_emulated_vote_uni(thread, mask, yes, "vote"));
  STORE(thread, int32_t, out + 3, ragged_emulated_vote_ballot(thread, mask, yes, "vote"));
}

static void test_votes(void) {
  ragged_emulator *emulator = create_emulator();
  const uint32_t answers[] = {0, 0xffffffff, 0xff, 0xffffff00, 0x80000001, 0x0f, 0x7fffff7f};
  int32_t *out = allocate(emulator, 4 * 128), got[128];
  for (size_t k = 0; k < sizeof answers / sizeof *answers; ++k) {
    EXPECT_OK(LAUNCH(emulator, vote, 1, 32, WORD(out), (int64_t)answers[k]));
    EXPECT_OK(ragged_emulator_download(emulator, got, out, sizeof got));
    for (int lane = 0; lane < 32; ++lane) {
      int first = lane < 8 ? 0 : 8, end = lane < 8 ? 8 : 32;
      bool all = true, any = false;
      uint32_t ballot = 0;
      for (int j = first; j < end; ++j) {
        bool yes = answers[k] >> j & 1;
        all = all && yes;
        any = any || yes;
        if (yes) ballot |= 1u << j;
      }
      CHECK_INT(got[4 * lane], all);
      CHECK_INT(got[4 * lane + 1], any);
      CHECK_INT(got[4 * lane + 2], all || !any);
      CHECK_INT((uint32_t)got[4 * lane + 3], ballot);
    }
  }
  ragged_emulator_destroy(emulator);
}

// words: what
static void masks(Thread thread, const int64_t *words) {
  int32_t lane = ragged_emulated_laneid(thread);
  switch (words[0]) {
    case 0:  // half of the warp, as its mask says
      if (lane < 16) ragged_emulated_shuffle_bfly(thread, 0xffff, lane, 1, 0x1f, NULL, "half");
      break;
    case 1:  // half of the warp, though the mask says all
      if (lane < 16) ragged_emulated_shuffle_bfly(thread, -1, lane, 1, 0x1f, NULL, "half");
      break;
    case 2:  // reads a lane that the mask lacks
      if (lane < 16) ragged_emulated_shuffle_bfly(thread, 0xffff, lane, 16, 0x1f, NULL, "half");
      break;
    case 3:  // is itself not in the mask
      ragged_emulated_warp_barrier(thread, 0xffff, "half");
      break;
    case 4:  // different operations
      if (lane < 16)
        ragged_emulated_vote_all(thread, -1, 1, "then");
      else
        ragged_emulated_vote_any(thread, -1, 1, "else");
      break;
    case 5:  // one lane is at the block's barrier
      if (lane == 9)
        ragged_emulated_barrier(thread, "block");
      else
        ragged_emulated_warp_barrier(thread, -1, "warp");
      break;
    case 6:  // halves go their own ways and meet
      if (lane < 16)
        ragged_emulated_vote_all(thread, 0xffff, 1, "then");
      else
        ragged_emulated_vote_any(thread, ~0xffff, 1, "else");
      ragged_emulated_warp_barrier(thread, -1, "warp");
      break;
    default: break;
  }
}

static void test_masks(void) {
  ragged_emulator *emulator = create_emulator();
  EXPECT_OK(LAUNCH(emulator, masks, 2, 64, 0));
  EXPECT_FAULT(LAUNCH(emulator, masks, 1, 32, 1),
               "thread 0, half: divergence: thread 0 waits in a shuffle (bfly) with mask "
               "0xffffffff, half, but thread 16 has finished");
  EXPECT_FAULT(LAUNCH(emulator, masks, 1, 32, 2),
               "thread 0, half: shuffle reads lane 16, which is not in the mask 0x0000ffff");
  EXPECT_FAULT(LAUNCH(emulator, masks, 1, 32, 3), "lane 16 is not in the mask 0x0000ffff");
  EXPECT_FAULT(LAUNCH(emulator, masks, 1, 32, 4), "but thread 16 waits in a vote (any)");
  EXPECT_FAULT(LAUNCH(emulator, masks, 1, 32, 5), "but thread 9 waits at barrier 0, block");
  EXPECT_OK(LAUNCH(emulator, masks, 3, 96, 6));
  EXPECT_FAULT(LAUNCH(emulator, masks, 1, 40, 6), "the block of 40 threads does not have");
  EXPECT_OK(LAUNCH(emulator, masks, 1, 16, 0));
  ragged_emulator_destroy(emulator);
}

int main(void) {
  test_shuffles();
  test_votes();
  test_masks();
  return unit_test_finish();
}
