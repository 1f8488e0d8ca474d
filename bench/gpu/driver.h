// What the stages of a bundle's driver share. Each stage runs in a process of its own: what a fault on
// the GPU leaves behind does not reach the next one.
#ifndef RAGGED_BENCH_DRIVER_H
#define RAGGED_BENCH_DRIVER_H

#include "ragged_rt.h"
#include "rows.h"

// programs.c, which bench/gpu.sh writes: the programs of the bundle; the last has a null name.
typedef struct gpu_program {
  const char *name;
  const ragged_rt_entry *(*entries)(int *out_count);
} gpu_program;
extern const gpu_program gpu_programs[];
extern const char gpu_bundle_device[];  // "cuda", "host" or "emulated"

// Null where the bundle has no such program, or the program no such function.
const ragged_rt_entry *gpu_find_entry(const char *program, const char *name);

// Of the machine, measured in the same run; 0: not known.
typedef struct gpu_ceilings {
  double copy_gb_per_s, read_gb_per_s;
  double fma_f32, fma_f64, mma_tf32, mma_bf16;  // 10^9 operations a second
} gpu_ceilings;

// How far the checks of a program came: in memory that outlives the process that makes them, since a
// fault on the GPU leaves nothing usable behind and the next process goes on after it.
typedef struct gpu_progress {
  int next_case, num_cases, num_faults, num_functions;
  char last[64];  // function
  double worst;   // error / allowed error
} gpu_progress;

enum { kBrokenExit = 3 };  // of a check's process: the device gave an error, go on in a new one

typedef struct gpu_setting {
  FILE *out;       // rows
  gpu_progress *progress;
  int64_t rows;    // of timed arrays with 128 features
  double deadline; // gpu_now() at which no more measurements begin
  gpu_ceilings ceilings;
  int num_lengths;  // lengths.txt: those of the block
  int64_t lengths[64];
} gpu_setting;

double gpu_now(void);  // seconds
// `products` and `tf32` as in ragged_rt_context_options.
RAGGED_MUST_USE ragged_status gpu_context_create(const char *products, bool tf32,
                                                 ragged_rt_context **out);

// The stages. A status becomes a row of its own.
RAGGED_MUST_USE ragged_status gpu_stage_device(const gpu_setting *setting);     // device.c: ceilings
// From progress->next_case on; *out_broken: it ended early, at a call that failed.
RAGGED_MUST_USE ragged_status gpu_stage_check(const gpu_setting *setting, const gpu_program *program,
                                              bool *out_broken);
RAGGED_MUST_USE ragged_status gpu_stage_kernels(const gpu_setting *setting);    // timed.c
RAGGED_MUST_USE ragged_status gpu_stage_products(const gpu_setting *setting);   // cublaslt.c
RAGGED_MUST_USE ragged_status gpu_stage_block(const gpu_setting *setting);      // block.c
RAGGED_MUST_USE ragged_status gpu_stage_graph(const gpu_setting *setting);      // graph.c

// device.c: the text of the ceilings' kernels.
void gpu_print_ptx(FILE *file);

// ---- Timing (timing.c) -----------------------------------------------------------------------------

typedef struct gpu_timing {
  double call_seconds;    // one of many calls in a row, waited for at the end
  double kernel_seconds;  // of it on the device; 0: not known
  double flops, bytes;    // of one call, as the compiler counted
  int num_kernels;
  char slowest[64];
  int64_t peak_bytes;     // beyond arguments and results
  int64_t result_bytes, argument_bytes;
} gpu_timing;

// Calls until about 50 ms are over; no results are kept.
RAGGED_MUST_USE ragged_status gpu_time_entry(ragged_rt_context *context,
                                             const ragged_rt_entry *entry,
                                             ragged_rt_tensor *const *arguments, gpu_timing *out);
// The figure that is held against bounds: on the device where it is known.
static inline double gpu_timing_seconds(const gpu_timing *timing) {
  return timing->kernel_seconds > 0 ? timing->kernel_seconds : timing->call_seconds;
}

#endif  // RAGGED_BENCH_DRIVER_H
