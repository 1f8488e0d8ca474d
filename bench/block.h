// The sizes and weights of the single–pair–single block (examples/single_pair_single.mlir), shared by
// everything here that computes it or a part of it.
#ifndef RAGGED_BENCH_BLOCK_H
#define RAGGED_BENCH_BLOCK_H

// Features of a residue, of a pair of residues, and of the transition's wide state.
enum { kBlockSingle = 384, kBlockPair = 128, kBlockHidden = 512 };
#define RAGGED_BENCH_EPS 1e-5f  // of the layer norm

// In the order of the functions' arguments, row-major, weights [out, in]. Borrowed.
typedef struct ragged_bench_weights {
  const float *u, *v;         // [128, 384]
  const float *gamma, *beta;  // [128]
  const float *w1, *b1;       // [512, 128], [512]
  const float *w2, *b2;       // [128, 512], [128]
  const float *g;             // [384, 128]
} ragged_bench_weights;

#endif  // RAGGED_BENCH_BLOCK_H
