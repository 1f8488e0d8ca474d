// Measures one of the single–pair–single functions: compiled code on true and on padded lengths, the
// dense baseline, its products alone, memory, correctness, and the cost of new lengths.
#ifndef RAGGED_BENCH_DEMO_MEASURE_H
#define RAGGED_BENCH_DEMO_MEASURE_H

#include "demo_batch.h"
#include "library_product.h"
#include "mlir-c/IR.h"

// What all functions share.
typedef struct demo_setting {
  ragged_rt_context *context;
  ragged_bench_library *library;
  demo_weights weights;
  double fma_peak_gflops;  // the best so far; kept up by demo_measure
} demo_setting;

// Times are the best of five. The first group is what demo.json holds.
typedef struct demo_figures {
  double occupancy;               // true pair cells / padded ones
  double packed_ms, padded_ms;    // compiled code: true lengths; every length the longest
  double dense_ms;                // the baseline
  double speedup;                 // the faster of padded and dense / packed
  double products_ms, products_gflops, fma_peak_gflops;
  double max_abs_diff;            // of the compiled code from the reference
  int64_t peak_bytes_packed, peak_bytes_padded;
  double metadata_us, compile_ms;

  int64_t result_bytes;           // of the packed results
  int64_t w1_block_rows, w2_block_rows;  // with which the two large products are fastest
  double dense_max_abs_diff;      // of the baseline from the reference
} demo_figures;

// Fills everything but fma_peak_gflops and compile_ms. The reference is run on `num_samples` samples.
RAGGED_MUST_USE ragged_status demo_measure(demo_setting *setting, const ragged_rt_entry *entry,
                                           MlirOperation function, const demo_lengths *lengths,
                                           int num_samples, const int64_t *samples,
                                           demo_figures *out);

// Microseconds that new lengths cost: creating the axes and the first call on them, less the same
// call once more. 64 samples of lengths 0 to 3; the median over 1,000 length vectors.
RAGGED_MUST_USE ragged_status demo_measure_metadata(demo_setting *setting,
                                                    const ragged_rt_entry *entry, bool has_m,
                                                    double *out_us);

#endif  // RAGGED_BENCH_DEMO_MEASURE_H
