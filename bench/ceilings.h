// What this machine can do at most: the figures that measured times are held against. Taken in the
// same run as those times, since clocks and neighbours change.
#ifndef RAGGED_BENCH_CEILINGS_H
#define RAGGED_BENCH_CEILINGS_H

// f32 multiply-adds of all OpenMP threads in 10^9 operations a second (an fma counts two): chains of
// the widest vectors in registers, no loads, no stores. Takes about 0.1 s; the best of five tries.
double ragged_bench_fma_peak_gflops(void);
// The vectors that it uses: "AVX-512", "AVX2" or "128 bits".
const char *ragged_bench_fma_vectors(void);

// 10^9 bytes a second, read and written together, of copying an array too large for any cache with
// all OpenMP threads, without reading the target first; the best of five. 0 when there is no memory.
double ragged_bench_copy_gb_per_s(void);

#endif  // RAGGED_BENCH_CEILINGS_H
