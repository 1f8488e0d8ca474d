// Kernels that reach for a GPU's limits, in PTX, which the driver translates: copying, reading, and
// chains of multiply-adds in registers. device.c launches them and says how much each does.
#ifndef RAGGED_BENCH_CEILINGS_PTX_H
#define RAGGED_BENCH_CEILINGS_PTX_H

// A block of kCeilingThreads threads moves kCeilingVectors vectors of 16 bytes a thread; a loop runs
// `steps` times, with kCeilingFma multiply-adds, or kCeilingMma products of a warp, each time.
enum { kCeilingThreads = 256, kCeilingVectors = 4, kCeilingFma = 64, kCeilingMma = 32 };

#define PTX_TWICE(text) text text
#define PTX_EIGHT(text) PTX_TWICE(PTX_TWICE(PTX_TWICE(text)))

// %a0: the byte offset of the thread's first vector; the next are 4096 bytes on.
#define PTX_PLACE                         \
  "  mov.u32 %r0, %tid.x;\n"              \
  "  mov.u32 %r1, %ctaid.x;\n"            \
  "  mul.wide.u32 %a0, %r1, 16384;\n"     \
  "  mul.wide.u32 %a1, %r0, 16;\n"        \
  "  add.u64 %a0, %a0, %a1;\n"
#define PTX_LOADS                                                              \
  "  ld.param.u64 %a2, [from];\n"                                              \
  "  cvta.to.global.u64 %a2, %a2;\n"                                           \
  "  add.u64 %a2, %a2, %a0;\n"                                                 \
  "  ld.global.v4.u32 {%v0, %v1, %v2, %v3}, [%a2];\n"                          \
  "  ld.global.v4.u32 {%v4, %v5, %v6, %v7}, [%a2+4096];\n"                     \
  "  ld.global.v4.u32 {%v8, %v9, %v10, %v11}, [%a2+8192];\n"                   \
  "  ld.global.v4.u32 {%v12, %v13, %v14, %v15}, [%a2+12288];\n"

// Stored only for one number, which does not come; without it nothing would be computed.
#define PTX_COPY                                                               \
  ".visible .entry ceiling_copy(.param .u64 to, .param .u64 from)\n{\n"        \
  "  .reg .b32 %r<2>;\n  .reg .b32 %v<16>;\n  .reg .b64 %a<4>;\n" PTX_PLACE    \
  PTX_LOADS                                                                    \
  "  ld.param.u64 %a3, [to];\n"                                                \
  "  cvta.to.global.u64 %a3, %a3;\n"                                           \
  "  add.u64 %a3, %a3, %a0;\n"                                                 \
  "  st.global.v4.u32 [%a3], {%v0, %v1, %v2, %v3};\n"                          \
  "  st.global.v4.u32 [%a3+4096], {%v4, %v5, %v6, %v7};\n"                     \
  "  st.global.v4.u32 [%a3+8192], {%v8, %v9, %v10, %v11};\n"                   \
  "  st.global.v4.u32 [%a3+12288], {%v12, %v13, %v14, %v15};\n"                \
  "  ret;\n}\n"

#define PTX_XOR(k) "  xor.b32 %v0, %v0, %v" #k ";\n"
#define PTX_READ                                                               \
  ".visible .entry ceiling_read(.param .u64 to, .param .u64 from)\n{\n"        \
  "  .reg .b32 %r<2>;\n  .reg .b32 %v<16>;\n  .reg .b64 %a<4>;\n"              \
  "  .reg .pred %p;\n" PTX_PLACE PTX_LOADS                                     \
  PTX_XOR(1) PTX_XOR(2) PTX_XOR(3) PTX_XOR(4) PTX_XOR(5) PTX_XOR(6) PTX_XOR(7) \
  PTX_XOR(8) PTX_XOR(9) PTX_XOR(10) PTX_XOR(11) PTX_XOR(12) PTX_XOR(13)        \
  PTX_XOR(14) PTX_XOR(15)                                                      \
  "  setp.ne.u32 %p, %v0, 305419896;\n"                                        \
  "  @%p bra DONE;\n"                                                          \
  "  ld.param.u64 %a3, [to];\n"                                                \
  "  cvta.to.global.u64 %a3, %a3;\n"                                           \
  "  st.global.u32 [%a3], %v0;\n"                                              \
  "DONE:\n  ret;\n}\n"

#define PTX_LOOP(name, registers, start, body, finish)                         \
  ".visible .entry " name "(.param .u64 to, .param .u32 steps)\n{\n"           \
  "  .reg .pred %p;\n  .reg .b32 %n;\n  .reg .b64 %a;\n" registers             \
  "  ld.param.u32 %n, [steps];\n" start                                        \
  "LOOP:\n" body                                                               \
  "  sub.u32 %n, %n, 1;\n"                                                     \
  "  setp.ne.u32 %p, %n, 0;\n"                                                 \
  "  @%p bra LOOP;\n" finish                                                   \
  "  @!%p bra DONE;\n"                                                         \
  "  ld.param.u64 %a, [to];\n"                                                 \
  "  cvta.to.global.u64 %a, %a;\n"                                             \
  "  st.global.u32 [%a], %n;\n"                                                \
  "DONE:\n  ret;\n}\n"

// Eight chains.
#define PTX_CHAINS(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7)
#define PTX_START32(k) "  mov.f32 %f" #k ", 0f3F800000;\n"
#define PTX_FMA32(k) "  fma.rn.f32 %f" #k ", %f" #k ", %m, %c;\n"
#define PTX_SUM32(k) "  add.f32 %s, %s, %f" #k ";\n"
#define PTX_FMA_F32                                                            \
  PTX_LOOP("ceiling_fma_f32", "  .reg .f32 %f<8>, %m, %c, %s;\n",              \
           "  mov.f32 %m, 0f3F7FF000;\n  mov.f32 %c, 0f3A000000;\n"            \
           PTX_CHAINS(PTX_START32),                                            \
           PTX_EIGHT(PTX_CHAINS(PTX_FMA32)),                                   \
           "  mov.f32 %s, 0f00000000;\n" PTX_CHAINS(PTX_SUM32)                 \
           "  setp.eq.f32 %p, %s, 0fC47A0000;\n")

#define PTX_START64(k) "  mov.f64 %f" #k ", 0d3FF0000000000000;\n"
#define PTX_FMA64(k) "  fma.rn.f64 %f" #k ", %f" #k ", %m, %c;\n"
#define PTX_SUM64(k) "  add.f64 %s, %s, %f" #k ";\n"
#define PTX_FMA_F64                                                            \
  PTX_LOOP("ceiling_fma_f64", "  .reg .f64 %f<8>, %m, %c, %s;\n",              \
           "  mov.f64 %m, 0d3FEFFE0000000000;\n"                               \
           "  mov.f64 %c, 0d3F40000000000000;\n" PTX_CHAINS(PTX_START64),      \
           PTX_EIGHT(PTX_CHAINS(PTX_FMA64)),                                   \
           "  mov.f64 %s, 0d0000000000000000;\n" PTX_CHAINS(PTX_SUM64)         \
           "  setp.eq.f64 %p, %s, 0dC08F400000000000;\n")

// m16n8: eight sums of four numbers a thread; operands from the thread's number.
#define PTX_MMA_REGISTERS "  .reg .f32 %f<32>, %s;\n  .reg .b32 %x<6>;\n"
#define PTX_ZERO4(a, b, c, d)                                                  \
  "  mov.f32 %f" #a ", 0f00000000;\n  mov.f32 %f" #b ", 0f00000000;\n"         \
  "  mov.f32 %f" #c ", 0f00000000;\n  mov.f32 %f" #d ", 0f00000000;\n"
#define PTX_FOURS(M)                                                           \
  M(0, 1, 2, 3) M(4, 5, 6, 7) M(8, 9, 10, 11) M(12, 13, 14, 15)                \
  M(16, 17, 18, 19) M(20, 21, 22, 23) M(24, 25, 26, 27) M(28, 29, 30, 31)
#define PTX_MMA_START                                                          \
  "  mov.u32 %x0, %tid.x;\n  shl.b32 %x0, %x0, 13;\n  mov.u32 %x1, %x0;\n"     \
  "  mov.u32 %x2, %x0;\n  mov.u32 %x3, %x0;\n  mov.u32 %x4, %x0;\n"            \
  "  mov.u32 %x5, %x0;\n" PTX_FOURS(PTX_ZERO4)
#define PTX_SUM4(a, b, c, d)                                                   \
  "  add.f32 %s, %s, %f" #a ";\n  add.f32 %s, %s, %f" #b ";\n"                 \
  "  add.f32 %s, %s, %f" #c ";\n  add.f32 %s, %s, %f" #d ";\n"
#define PTX_MMA_END                                                            \
  "  mov.f32 %s, 0f00000000;\n" PTX_FOURS(PTX_SUM4)                            \
  "  setp.eq.f32 %p, %s, 0fC47A0000;\n"
#define PTX_MMA(shape, type, a, b, c, d)                                       \
  "  mma.sync.aligned." shape ".row.col.f32." type "." type ".f32 {%f" #a      \
  ", %f" #b ", %f" #c ", %f" #d "}, {%x0, %x1, %x2, %x3}, {%x4, %x5}, {%f" #a  \
  ", %f" #b ", %f" #c ", %f" #d "};\n"
#define PTX_MMA_BF16(a, b, c, d) PTX_MMA("m16n8k16", "bf16", a, b, c, d)
#define PTX_MMA_TF32(a, b, c, d) PTX_MMA("m16n8k8", "tf32", a, b, c, d)
#define PTX_PRODUCTS_BF16                                                      \
  PTX_LOOP("ceiling_mma_bf16", PTX_MMA_REGISTERS, PTX_MMA_START,               \
           PTX_TWICE(PTX_TWICE(PTX_FOURS(PTX_MMA_BF16))), PTX_MMA_END)
#define PTX_PRODUCTS_TF32                                                      \
  PTX_LOOP("ceiling_mma_tf32", PTX_MMA_REGISTERS, PTX_MMA_START,               \
           PTX_TWICE(PTX_TWICE(PTX_FOURS(PTX_MMA_TF32))), PTX_MMA_END)

static const char *const kCeilingPtx[] = {
    ".version 7.0\n.target sm_80\n.address_size 64\n", PTX_COPY, PTX_READ, PTX_FMA_F32, PTX_FMA_F64,
    PTX_PRODUCTS_BF16, PTX_PRODUCTS_TF32};
enum { kCeilingPtxParts = (int)(sizeof kCeilingPtx / sizeof *kCeilingPtx) };

#endif  // RAGGED_BENCH_CEILINGS_PTX_H
