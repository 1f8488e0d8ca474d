// Packing of product weights: panels of `panel` output features, so that a generated kernel reads
// its weights in one stream; and widening of bf16.
#include <string.h>

#include "product.h"

typedef struct pack_job {
  ragged_element_type source_type;
  const void *source;
  int64_t n, k, panel;
  int64_t line, step;  // elements of `source` from one n, from one k to the next
  void *packed;
} pack_job;

static inline float widen(uint16_t bits) {
  uint32_t word = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}

// Writes a block of a panel, the steps [begin, end) of k: so few that the panel's lines stay in cache
// while its `panel` source rows stream. A transposed source has the panel's lines as they are: they
// are copied eight elements at a time, which compilers turn into vectors.
#define DEFINE_PACK(name, from_type, to_type, convert)                                  \
  static inline void name##_line(const from_type *restrict from, int64_t count,         \
                                 to_type *restrict to) {                                \
    enum { kWidth = 8 };                                                                \
    int64_t j = 0;                                                                      \
    for (; j + kWidth <= count; j += kWidth)                                            \
      for (int q = 0; q < kWidth; ++q) to[j + q] = convert(from[j + q]);                \
    for (; j < count; ++j) to[j] = convert(from[j]);                                    \
  }                                                                                     \
  static void name(const pack_job *job, int64_t p, int64_t begin, int64_t end) {        \
    int64_t first = p * job->panel;                                                     \
    int64_t count = job->n - first < job->panel ? job->n - first : job->panel;          \
    to_type *packed = (to_type *)job->packed + p * job->panel * job->k;                 \
    const from_type *source = (const from_type *)job->source + first * job->line;       \
    if (job->line == 1) {                                                               \
      for (int64_t i = begin; i < end; ++i)                                             \
        name##_line(source + i * job->step, count, packed + i * job->panel);            \
    } else {                                                                            \
      for (int64_t j = 0; j < count; ++j)                                               \
        for (int64_t i = begin; i < end; ++i)                                           \
          packed[i * job->panel + j] = convert(source[j * job->line + i]);              \
    }                                                                                   \
    for (int64_t i = begin; i < end; ++i)                                               \
      for (int64_t j = count; j < job->panel; ++j) packed[i * job->panel + j] = 0;      \
  }
#define SAME(value) (value)
DEFINE_PACK(pack_f32, float, float, SAME)
DEFINE_PACK(pack_f64, double, double, SAME)
DEFINE_PACK(pack_i64, int64_t, int64_t, SAME)
DEFINE_PACK(pack_bf16, uint16_t, float, widen)

typedef void (*pack_block)(const pack_job *job, int64_t p, int64_t begin, int64_t end);
static const pack_block kPack[RAGGED_ELEMENT_COUNT] = {
    [RAGGED_ELEMENT_F64] = pack_f64,
    [RAGGED_ELEMENT_F32] = pack_f32,
    [RAGGED_ELEMENT_BF16] = pack_bf16,
    [RAGGED_ELEMENT_I64] = pack_i64,
};

// Packs block number `block` of panel `p`.
enum { kBlock = 16 };
static void pack(const pack_job *job, int64_t p, int64_t block) {
  int64_t begin = block * kBlock, end = begin + kBlock < job->k ? begin + kBlock : job->k;
  kPack[job->source_type](job, p, begin, end);
}

static int64_t num_blocks(int64_t k) { return (k + kBlock - 1) / kBlock; }

static int64_t chunk_of(int64_t bytes_per_item) {  // about 128 KiB of work
  int64_t items = ((int64_t)128 << 10) / (bytes_per_item > 0 ? bytes_per_item : 1);
  return items > 0 ? items : 1;
}

static void pack_panels(const int64_t *slots, int64_t first, int64_t last, void *scratch) {
  (void)scratch;
  const pack_job *job = (const pack_job *)(uintptr_t)slots[0];
  for (int64_t p = first; p < last; ++p)
    for (int64_t block = 0; block < num_blocks(job->k); ++block) pack(job, p, block);
}

static pack_job make_job(ragged_element_type source_type, const void *source, bool transposed,
                         int64_t n, int64_t k, int64_t panel, void *packed) {
  return (pack_job){.source_type = source_type, .source = source, .n = n, .k = k, .panel = panel,
                    .line = transposed ? 1 : k, .step = transposed ? n : 1, .packed = packed};
}

static int64_t num_panels(int64_t n, int64_t panel) { return n == 0 ? 0 : (n - 1) / panel + 1; }

void ragged_rt_product_pack_here(ragged_element_type source_type, const void *source, bool transposed,
                                 int64_t n, int64_t k, int64_t panel, void *packed) {
  pack_job job = make_job(source_type, source, transposed, n, k, panel, packed);
  for (int64_t block = 0; block < num_blocks(k); ++block)
    for (int64_t p = 0; p < num_panels(n, panel); ++p) pack(&job, p, block);
}

void ragged_rt_product_pack(const ragged_rt_context *context, ragged_element_type source_type,
                            const void *source, bool transposed, int64_t n, int64_t k,
                            int64_t panel, void *packed) {
  pack_job job = make_job(source_type, source, transposed, n, k, panel, packed);
  int64_t slot = (int64_t)(uintptr_t)&job;
  ragged_rt_launch launch = {.kernel = pack_panels, .slots = &slot,
                             .items = num_panels(n, panel),
                             .grain = chunk_of(k * panel * 8),
                             .num_threads = context->num_threads};
  ragged_rt_parallel_launch(&launch);
}

void ragged_rt_product_widen_here(const uint16_t *bf16, int64_t count, float *out) {
  for (int64_t i = 0; i < count; ++i) out[i] = widen(bf16[i]);
}

static void widen_range(const int64_t *slots, int64_t first, int64_t last, void *scratch) {
  (void)scratch;
  const uint16_t *from = (const uint16_t *)(uintptr_t)slots[0];
  float *to = (float *)(uintptr_t)slots[1];
  ragged_rt_product_widen_here(from + first, last - first, to + first);
}

void ragged_rt_product_widen(const ragged_rt_context *context, const void *bf16, int64_t count,
                             float *out) {
  int64_t slots[2] = {(int64_t)(uintptr_t)bf16, (int64_t)(uintptr_t)out};
  ragged_rt_launch launch = {.kernel = widen_range, .slots = slots, .items = count,
                             .grain = chunk_of(4), .num_threads = context->num_threads};
  ragged_rt_parallel_launch(&launch);
}
