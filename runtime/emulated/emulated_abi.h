// What the code of an emulated kernel calls: one thread's view of the emulated device. Kernels come
// from the pass --ragged-emulate-kernels or are written by hand in tests; emulator.h launches them.
// Every function that can find a fault takes `where`, static text that names the source op; a fault
// ends the launch, and the function does not return.
#ifndef RAGGED_RUNTIME_EMULATED_EMULATED_ABI_H
#define RAGGED_RUNTIME_EMULATED_EMULATED_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ragged_emulated_thread ragged_emulated_thread;

// The whole program of one thread. `words` are the kernel's parameters in order, 64 bits each.
typedef void (*ragged_emulated_kernel)(ragged_emulated_thread *thread, const int64_t *words);

// Address spaces, numbered as in the LLVM dialect. Generic addresses may lie anywhere, also in the
// thread's own stack.
enum {
  RAGGED_EMULATED_GENERIC = 0,
  RAGGED_EMULATED_GLOBAL = 1,
  RAGGED_EMULATED_SHARED = 3,
  RAGGED_EMULATED_CONSTANT = 4
};

// ---- The launch ----------------------------------------------------------------------------------

// First call of a kernel: it has `num_words` parameters and runs in blocks of exactly
// `block_threads`, and of at most `max_threads` threads, where these are not 0.
void ragged_emulated_enter(ragged_emulated_thread *thread, int64_t num_words, int64_t block_threads,
                           int64_t max_threads, const char *where);
// Special registers. Grids and blocks have one dimension.
int32_t ragged_emulated_tid(ragged_emulated_thread *thread);
int32_t ragged_emulated_ntid(ragged_emulated_thread *thread);
int32_t ragged_emulated_ctaid(ragged_emulated_thread *thread);
int32_t ragged_emulated_nctaid(ragged_emulated_thread *thread);
int32_t ragged_emulated_laneid(ragged_emulated_thread *thread);
int32_t ragged_emulated_warpid(ragged_emulated_thread *thread);
int32_t ragged_emulated_nwarpid(ragged_emulated_thread *thread);
int32_t ragged_emulated_dynamic_shared_size(ragged_emulated_thread *thread);
// The kernel got where it must not get: a trap, or code that was said to be unreachable.
void ragged_emulated_trap(ragged_emulated_thread *thread, const char *where);

// ---- Memory --------------------------------------------------------------------------------------

// Before every load and store. `alignment` is in bytes, a power of two; `space` one of the above.
// 0 bytes are always right.
void ragged_emulated_check_load(ragged_emulated_thread *thread, const void *address, int64_t bytes,
                                int64_t alignment, int32_t space, const char *where);
void ragged_emulated_check_store(ragged_emulated_thread *thread, void *address, int64_t bytes,
                                 int64_t alignment, int32_t space, const char *where);
// Where the block's dynamic shared memory begins; aligned to 1024.
void *ragged_emulated_dynamic_shared(ragged_emulated_thread *thread);
// A shared variable of `bytes` at `offset` in the block's static shared memory, which is aligned to
// 1024. Variables do not overlap; what lies between them is out of bounds. A kernel has at most 48 KiB
// of them, and 227 KiB with the dynamic memory.
void *ragged_emulated_static_shared(ragged_emulated_thread *thread, int64_t offset, int64_t bytes,
                                    const char *where);
// Makes `bytes` of constant data known; they can be read until the launch ends. Returns `address`.
const void *ragged_emulated_constant(ragged_emulated_thread *thread, const void *address,
                                     int64_t bytes, const char *where);

// cp.async: `bytes` (4, 8, 16) from global to shared memory, of which `read_bytes` are read and the
// rest are zeros. The data is there after the wait for its group; for other threads, after a barrier
// behind that. Until then `to` can neither be read nor written.
void ragged_emulated_async_copy(ragged_emulated_thread *thread, void *to, const void *from,
                                int64_t bytes, int64_t read_bytes, const char *where);
void ragged_emulated_async_commit(ragged_emulated_thread *thread);
// Until at most `pending` of the thread's committed groups are not there.
void ragged_emulated_async_wait(ragged_emulated_thread *thread, int64_t pending, const char *where);
void ragged_emulated_async_wait_all(ragged_emulated_thread *thread, const char *where);

// ---- Blocks and warps ----------------------------------------------------------------------------

// All threads of the block.
void ragged_emulated_barrier(ragged_emulated_thread *thread, const char *where);
// Barrier `id`, 0 to 15, for `count` threads, whole warps; 0: for all of the block.
void ragged_emulated_barrier_count(ragged_emulated_thread *thread, int32_t id, int32_t count,
                                   const char *where);
// The functions below are executed by all lanes of `mask`, the caller among them, with one mask.
void ragged_emulated_warp_barrier(ragged_emulated_thread *thread, int32_t mask, const char *where);
// shfl.sync with operands a = value, b, c (clamp and segment mask). `*valid`, where not null, becomes
// the predicate, 0 or 1.
int32_t ragged_emulated_shuffle_idx(ragged_emulated_thread *thread, int32_t mask, int32_t value,
                                    int32_t b, int32_t c, int32_t *valid, const char *where);
int32_t ragged_emulated_shuffle_up(ragged_emulated_thread *thread, int32_t mask, int32_t value,
                                   int32_t b, int32_t c, int32_t *valid, const char *where);
int32_t ragged_emulated_shuffle_down(ragged_emulated_thread *thread, int32_t mask, int32_t value,
                                     int32_t b, int32_t c, int32_t *valid, const char *where);
int32_t ragged_emulated_shuffle_bfly(ragged_emulated_thread *thread, int32_t mask, int32_t value,
                                     int32_t b, int32_t c, int32_t *valid, const char *where);
// vote.sync; `predicate` is 0 or not. 0 or 1, for the ballot a mask.
int32_t ragged_emulated_vote_all(ragged_emulated_thread *thread, int32_t mask, int32_t predicate,
                                 const char *where);
int32_t ragged_emulated_vote_any(ragged_emulated_thread *thread, int32_t mask, int32_t predicate,
                                 const char *where);
int32_t ragged_emulated_vote_uni(ragged_emulated_thread *thread, int32_t mask, int32_t predicate,
                                 const char *where);
int32_t ragged_emulated_vote_ballot(ragged_emulated_thread *thread, int32_t mask, int32_t predicate,
                                    const char *where);
// mma.sync, all 32 lanes, f32 accumulators; the arrays are one lane's registers in PTX's order:
//   f16, bf16 m16n8k16: a[4], b[2] of packed pairs;  m16n8k8: a[2], b[1]
//   tf32 m16n8k8: a[4], b[2];  m16n8k4: a[2], b[1];  always c[4], d[4]
void ragged_emulated_mma_f16_m16n8k16(ragged_emulated_thread *thread, const int32_t *a,
                                      const int32_t *b, const float *c, float *d, const char *where);
void ragged_emulated_mma_f16_m16n8k8(ragged_emulated_thread *thread, const int32_t *a,
                                     const int32_t *b, const float *c, float *d, const char *where);
void ragged_emulated_mma_bf16_m16n8k16(ragged_emulated_thread *thread, const int32_t *a,
                                       const int32_t *b, const float *c, float *d,
                                       const char *where);
void ragged_emulated_mma_bf16_m16n8k8(ragged_emulated_thread *thread, const int32_t *a,
                                      const int32_t *b, const float *c, float *d, const char *where);
void ragged_emulated_mma_tf32_m16n8k8(ragged_emulated_thread *thread, const int32_t *a,
                                      const int32_t *b, const float *c, float *d, const char *where);
void ragged_emulated_mma_tf32_m16n8k4(ragged_emulated_thread *thread, const int32_t *a,
                                      const int32_t *b, const float *c, float *d, const char *where);
// ldmatrix of `num` (1, 2, 4) 8x8 matrices of 16-bit elements, all 32 lanes: lanes 8i to 8i + 7 say in
// `row` where the rows of matrix i are. registers[i] becomes this lane's pair of matrix i.
void ragged_emulated_load_matrix(ragged_emulated_thread *thread, const void *row, int32_t num,
                                 int32_t transposed, int32_t *registers, const char *where);

// ---- Arithmetic ----------------------------------------------------------------------------------

// No thread: nothing here can fail. Approximations give the exact result rounded once, but for ex2 and rcp of
// f32, which err by up to 2 and 1 ulp, as PTX documents them; `_ftz` flushes subnormal operands and results to
// zero of the same sign.
float ragged_emulated_flush(float x);
float ragged_emulated_rcp(float x);
float ragged_emulated_rcp_rn(float x);
float ragged_emulated_rsqrt(float x);
float ragged_emulated_sqrt(float x);
float ragged_emulated_ex2(float x);
float ragged_emulated_lg2(float x);
float ragged_emulated_sin(float x);
float ragged_emulated_cos(float x);
float ragged_emulated_exp(float x);
float ragged_emulated_log(float x);
float ragged_emulated_tanh(float x);
float ragged_emulated_erf(float x);
float ragged_emulated_pow(float x, float y);
double ragged_emulated_rcp_f64(double x);
double ragged_emulated_rcp_rn_f64(double x);
double ragged_emulated_rsqrt_f64(double x);
double ragged_emulated_sqrt_f64(double x);
double ragged_emulated_ex2_f64(double x);
double ragged_emulated_lg2_f64(double x);
double ragged_emulated_sin_f64(double x);
double ragged_emulated_cos_f64(double x);
double ragged_emulated_exp_f64(double x);
double ragged_emulated_log_f64(double x);
double ragged_emulated_tanh_f64(double x);
double ragged_emulated_erf_f64(double x);
double ragged_emulated_pow_f64(double x, double y);
// To the nearest of the narrower type, ties to even; bits in the low half. From bits: exact.
int32_t ragged_emulated_f32_to_f16(float x);
int32_t ragged_emulated_f32_to_bf16(float x);
int32_t ragged_emulated_f64_to_f16(double x);
int32_t ragged_emulated_f64_to_bf16(double x);
float ragged_emulated_f16_to_f32(int32_t bits);
float ragged_emulated_bf16_to_f32(int32_t bits);

#ifdef __cplusplus
}
#endif
#endif  // RAGGED_RUNTIME_EMULATED_EMULATED_ABI_H
