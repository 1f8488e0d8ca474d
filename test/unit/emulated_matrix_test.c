// Matrix instructions, narrow floats and asynchronous copies of the emulated device. Fragments are
// written down by the formulas of the PTX ISA for each element, products by plain loops.
#include <math.h>

#include "emulated_fixture.h"

typedef void (*multiply)(Thread, const int32_t *, const int32_t *, const float *, float *,
                         const char *);
typedef struct product {
  multiply run;
  int k, bits;  // of an operand's element: 16, or 32 for tf32
  int32_t (*narrow)(float);
  float (*widen)(int32_t);
} product;

static int32_t to_bits(float x) {
  int32_t bits;
  memcpy(&bits, &x, 4);
  return bits;
}
static float from_bits(int32_t bits) {
  float x;
  memcpy(&x, &bits, 4);
  return x;
}
static float widen_tf32(int32_t bits) { return from_bits(bits & ~0x1fff); }

static const product products[] = {
    {ragged_emulated_mma_f16_m16n8k16, 16, 16, ragged_emulated_f32_to_f16,
     ragged_emulated_f16_to_f32},
    {ragged_emulated_mma_f16_m16n8k8, 8, 16, ragged_emulated_f32_to_f16,
     ragged_emulated_f16_to_f32},
    {ragged_emulated_mma_bf16_m16n8k16, 16, 16, ragged_emulated_f32_to_bf16,
     ragged_emulated_bf16_to_f32},
    {ragged_emulated_mma_bf16_m16n8k8, 8, 16, ragged_emulated_f32_to_bf16,
     ragged_emulated_bf16_to_f32},
    {ragged_emulated_mma_tf32_m16n8k8, 8, 32, to_bits, widen_tf32},
    {ragged_emulated_mma_tf32_m16n8k4, 4, 32, to_bits, widen_tf32},
};

typedef struct matrices {
  float a[16][16], b[16][8], c[16][8], d[16][8];
} matrices;

static int32_t pack(int32_t packed, int32_t element, int part) {
  return (int32_t)((uint32_t)packed | (uint32_t)element << (16 * part));
}

// words: the product, the matrices, how many lanes take part
static void multiply_kernel(Thread thread, const int64_t *words) {
  const product *what = POINTER(const product, words[0]);
  matrices *m = POINTER(matrices, words[1]);
  int lane = ragged_emulated_laneid(thread), group = lane >> 2, id = lane % 4;
  if (lane >= words[2]) return;
  int32_t a[4] = {0}, b[2] = {0};
  float c[4], d[4];
  if (what->bits == 16) {
    for (int i = 0; i < what->k / 2; ++i) {  // a0 to a7
      int row = i % 4 < 2 ? group : group + 8, column = id * 2 + (i & 1) + (i < 4 ? 0 : 8);
      a[i / 2] = pack(a[i / 2], what->narrow(m->a[row][column]), i & 1);
    }
    for (int i = 0; i < what->k / 4; ++i)
      b[i / 2] = pack(b[i / 2], what->narrow(m->b[id * 2 + (i & 1) + (i < 2 ? 0 : 8)][group]), i & 1);
  } else {
    for (int i = 0; i < what->k / 2; ++i)
      a[i] = what->narrow(m->a[i % 2 ? group + 8 : group][i < 2 ? id : id + 4]);
    for (int i = 0; i < what->k / 4; ++i) b[i] = what->narrow(m->b[i ? id + 4 : id][group]);
  }
  for (int i = 0; i < 4; ++i) c[i] = m->c[i < 2 ? group : group + 8][id * 2 + (i & 1)];
  what->run(thread, a, b, c, d, "mma");
  for (int i = 0; i < 4; ++i)
    STORE(thread, float, &m->d[i < 2 ? group : group + 8][id * 2 + (i & 1)], d[i]);
}

static void test_products(void) {
  ragged_emulator *emulator = create_emulator();
  uint64_t state = 7;
  for (size_t p = 0; p < sizeof products / sizeof *products; ++p) {
    matrices m;
    float *all = (float *)&m;
    for (size_t k = 0; k < sizeof m / sizeof(float); ++k)
      all[k] = (float)unit_test_random_below(&state, 2001) / 1000 - 1;
    EXPECT_OK(ragged_emulator_adopt(emulator, &m, sizeof m));
    EXPECT_OK(LAUNCH(emulator, multiply_kernel, 1, 32, WORD(&products[p]), WORD(&m), 32));
    for (int row = 0; row < 16; ++row)
      for (int column = 0; column < 8; ++column) {
        double sum = (double)m.c[row][column];
        for (int k = 0; k < products[p].k; ++k)
          sum += (double)products[p].widen(products[p].narrow(m.a[row][k])) *
                 (double)products[p].widen(products[p].narrow(m.b[k][column]));
        CHECK_DOUBLE((double)m.d[row][column], sum, 1e-6);
      }
    EXPECT_FAULT(LAUNCH(emulator, multiply_kernel, 1, 32, WORD(&products[p]), WORD(&m), 31),
                 "waits in a matrix product with mask 0xffffffff, mma, but thread 31 has finished");
    EXPECT_OK(ragged_emulator_forget(emulator, &m));
  }
  ragged_emulator_destroy(emulator);
}

// words: out, how many matrices, whether transposed, shift of the rows' addresses
static void load_matrix(Thread thread, const int64_t *words) {
  int lane = ragged_emulated_laneid(thread);
  int16_t *shared = ragged_emulated_dynamic_shared(thread);
  for (int k = 0; k < 8; ++k) STORE(thread, int16_t, shared + 8 * lane + k, (int16_t)(8 * lane + k));
  ragged_emulated_barrier(thread, "barrier");
  int32_t registers[4] = {0};
  ragged_emulated_load_matrix(thread, (char *)(shared + 8 * lane) + words[3], (int32_t)words[1],
                              (int32_t)words[2], registers, "ldmatrix");
  for (int k = 0; k < words[1]; ++k)
    STORE(thread, int32_t, POINTER(int32_t, words[0]) + 4 * lane + k, registers[k]);
}

static void test_load_matrix(void) {
  ragged_emulator *emulator = create_emulator();
  int32_t got[128], *out = allocate_zeros(emulator, sizeof got);
  for (int num = 1; num <= 4; num *= 2)
    for (int transposed = 0; transposed < 2; ++transposed) {
      EXPECT_OK(LAUNCH_SHARED(emulator, load_matrix, 1, 32, 512, WORD(out), num, transposed, 0));
      EXPECT_OK(ragged_emulator_download(emulator, got, out, sizeof got));
      for (int lane = 0; lane < 32; ++lane)
        for (int k = 0; k < num; ++k)
          for (int part = 0; part < 2; ++part) {
            int row = lane / 4, column = lane % 4 * 2 + part;
            int expected = 64 * k + (transposed ? 8 * column + row : 8 * row + column);
            CHECK_INT(got[4 * lane + k] >> (16 * part) & 0xffff, expected);
          }
    }
  EXPECT_FAULT(LAUNCH_SHARED(emulator, load_matrix, 1, 32, 528, WORD(out), 4, 0, 2),
               "shared load of 16 bytes is not aligned to 16");
  EXPECT_FAULT(LAUNCH_SHARED(emulator, load_matrix, 1, 32, 512, WORD(out), 4, 0, 16),
               "thread 31, ldmatrix: shared load of 16 bytes out of bounds");
  EXPECT_FAULT(LAUNCH_SHARED(emulator, load_matrix, 1, 32, 512, WORD(out), 3, 0, 0), "3 matrices");
  ragged_emulator_destroy(emulator);
}

// words: in, out, what. Each thread copies 16 bytes and reads its neighbour's.
static void copy(Thread thread, const int64_t *words) {
  int t = ragged_emulated_tid(thread);
  int32_t *in = POINTER(int32_t, words[0]) + 4 * t, *out = POINTER(int32_t, words[1]) + 4 * t;
  int32_t *shared = ragged_emulated_dynamic_shared(thread);
  ragged_emulated_async_copy(thread, shared + 4 * t, in, 16, words[2] == 5 ? 4 : 16, "copy");
  if (words[2] != 1) ragged_emulated_async_commit(thread);
  if (words[2] == 2) STORE(thread, int32_t, shared + 4 * t, 1);
  if (words[2] == 3) {
    ragged_emulated_async_wait(thread, 1, "wait");
  } else if (words[2] == 6) {
    ragged_emulated_async_wait_all(thread, "wait");
  } else {
    ragged_emulated_async_wait(thread, 0, "wait");
  }
  if (words[2] != 4) ragged_emulated_barrier(thread, "barrier");
  for (int k = 0; k < 4; ++k)
    STORE(thread, int32_t, out + k, LOAD(thread, int32_t, shared + 4 * (t ^ 1) + k));
}

static void test_copies(void) {
  ragged_emulator *emulator = create_emulator();
  int32_t values[256], got[256];
  for (int k = 0; k < 256; ++k) values[k] = k + 1;
  int32_t *in = allocate(emulator, sizeof values), *out = allocate(emulator, sizeof values);
  EXPECT_OK(ragged_emulator_upload(emulator, in, values, sizeof values));
  for (int what = 0; what <= 6; what += what ? 1 : 5) {  // 0, 5, 6
    EXPECT_OK(LAUNCH_SHARED(emulator, copy, 1, 64, 1024, WORD(in), WORD(out), what));
    EXPECT_OK(ragged_emulator_download(emulator, got, out, sizeof got));
    for (int k = 0; k < 256; ++k) CHECK_INT(got[k], what == 5 && k % 4 ? 0 : values[k ^ 4]);
  }
  EXPECT_FAULT(LAUNCH_SHARED(emulator, copy, 1, 64, 1024, WORD(in), WORD(out), 1),
               "still to be written by an asynchronous copy");
  EXPECT_FAULT(LAUNCH_SHARED(emulator, copy, 1, 64, 1024, WORD(in), WORD(out), 2),
               "store of 4 bytes, byte 0 of which is still to be written by an asynchronous copy");
  EXPECT_FAULT(LAUNCH_SHARED(emulator, copy, 1, 64, 1024, WORD(in), WORD(out), 3),
               "still to be written by an asynchronous copy");
  EXPECT_FAULT(LAUNCH_SHARED(emulator, copy, 1, 64, 1024, WORD(in), WORD(out), 4), "never written");
  EXPECT_FAULT(LAUNCH_SHARED(emulator, copy, 1, 64, 1000, WORD(in), WORD(out), 0),
               "thread 62, copy: shared store of 16 bytes out of bounds");
  EXPECT_FAULT(LAUNCH_SHARED(emulator, copy, 1, 64, 1024, WORD(in) + 4, WORD(out), 0),
               "global load of 16 bytes is not aligned to 16");
  ragged_emulator_destroy(emulator);
}

static void test_narrow_floats(void) {
  const struct {
    float x;
    int32_t f16, bf16;
  } cases[] = {{0, 0, 0},
               {-0.0f, 0x8000, 0x8000},
               {1, 0x3c00, 0x3f80},
               {-2, 0xc000, 0xc000},
               {65504, 0x7bff, 0x4780},
               {65519.996f, 0x7bff, 0x4780},
               {65520, 0x7c00, 0x4780},
               {1.00390625f, 0x3c04, 0x3f80},  // a tie of bf16, to even
               {1.01171875f, 0x3c0c, 0x3f82},
               {0x1p-24f, 0x0001, 0x3380},
               {0x1p-25f, 0x0000, 0x3300},
               {0x1.8p-25f, 0x0001, 0x3340},
               {0x1p-133f, 0, 0x0001},
               {INFINITY, 0x7c00, 0x7f80},
               {-INFINITY, 0xfc00, 0xff80},
               {3.4028235e38f, 0x7c00, 0x7f80}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    CHECK_INT(ragged_emulated_f32_to_f16(cases[k].x), cases[k].f16);
    CHECK_INT(ragged_emulated_f32_to_bf16(cases[k].x), cases[k].bf16);
  }
  for (int32_t bits = 0; bits < 0x10000; ++bits) {  // there and back
    float half = ragged_emulated_f16_to_f32(bits), brain = ragged_emulated_bf16_to_f32(bits);
    if (isnan(half))
      CHECK((bits & 0x7fff) > 0x7c00);
    else
      CHECK_INT(ragged_emulated_f32_to_f16(half), bits);
    if (!isnan(brain)) CHECK_INT(ragged_emulated_f64_to_bf16((double)brain), bits);
  }
  CHECK(isnan(ragged_emulated_f16_to_f32(ragged_emulated_f32_to_f16(NAN))));
  CHECK_INT(ragged_emulated_f64_to_f16(1 + 0x1p-11 + 0x1p-40), 0x3c01);  // not rounded twice
  CHECK_INT(to_bits(ragged_emulated_flush(-0x1p-127f)), INT32_MIN);
  CHECK_DOUBLE((double)ragged_emulated_flush(0x1p-126f), 0x1p-126, 0);
}

int main(void) {
  test_products();
  test_load_matrix();
  test_copies();
  test_narrow_floats();
  return unit_test_finish();
}
