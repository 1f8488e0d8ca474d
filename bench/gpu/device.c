// The first stage: which device there is, and its ceilings, measured by kernels of the bench's own
// (ceilings_ptx.h) that know nothing of the project. UNAVAILABLE where there is no device.
#include <string.h>

#include "bench_cuda.h"
#include "ceilings_ptx.h"
#include "driver.h"

void gpu_print_ptx(FILE *file) {
  for (int k = 0; k < kCeilingPtxParts; ++k) fputs(kCeilingPtx[k], file);
}

typedef struct ceiling {
  const char *row, *kernel, *unit;
  double per_block;  // 10^9 bytes of a block, or operations of one step of a block
  bool moves;
} ceiling;

#define VECTOR_BYTES (16e-9 * kCeilingThreads * kCeilingVectors)
#define WARPS (kCeilingThreads / 32)
static const ceiling kCeilings[] = {
    {"copy bandwidth", "ceiling_copy", "GB/s", 2 * VECTOR_BYTES, true},
    {"read bandwidth", "ceiling_read", "GB/s", VECTOR_BYTES, true},
    {"f32 FMA peak", "ceiling_fma_f32", "GFLOP/s", 2e-9 * kCeilingFma * kCeilingThreads, false},
    {"f64 FMA peak", "ceiling_fma_f64", "GFLOP/s", 2e-9 * kCeilingFma * kCeilingThreads, false},
    {"tf32 mma.sync peak", "ceiling_mma_tf32", "GFLOP/s", 2e-9 * 16 * 8 * 8 * kCeilingMma * WARPS,
     false},
    {"bf16 mma.sync peak", "ceiling_mma_bf16", "GFLOP/s", 2e-9 * 16 * 8 * 16 * kCeilingMma * WARPS,
     false},
};

typedef struct launch {
  bench_cuda *cuda;
  CUfunction function;
  unsigned blocks;
  CUdeviceptr to, from;
  unsigned steps;
  bool moves;
} launch;

static ragged_status launch_once(void *user) {
  launch *self = user;
  void *moved[] = {&self->to, &self->from}, *computed[] = {&self->to, &self->steps};
  return BENCH_CUDA(self->cuda, cuLaunchKernel, self->function, self->blocks, 1, 1, kCeilingThreads,
                    1, 1, 0, self->cuda->stream, self->moves ? moved : computed, NULL);
}

static ragged_status measure(const gpu_setting *setting, bench_cuda *cuda, CUmodule module,
                             const ceiling *what, launch *launch) {
  enum { kSteps = 1024, kBlocksEach = 16, kRepeat = 4 };
  RAGGED_RETURN_IF_ERROR(
      BENCH_CUDA(cuda, cuModuleGetFunction, &launch->function, module, what->kernel));
  launch->moves = what->moves;
  launch->steps = kSteps;
  unsigned moving = launch->blocks;
  if (!what->moves) launch->blocks = (unsigned)cuda->num_multiprocessors * kBlocksEach;
  double seconds = 0, work = what->per_block * launch->blocks * (what->moves ? 1 : kSteps);
  ragged_status status = bench_cuda_time(cuda, kRepeat, launch_once, launch, &seconds);
  launch->blocks = moving;
  RAGGED_RETURN_IF_ERROR(status);
  gpu_row row = gpu_row_make(GPU_ROW_FINE, "device", what->row);
  gpu_row_set(&row, work / seconds, what->unit, 0, "", false);
  gpu_row_note(&row, "the bench's own kernel");
  gpu_row_write(setting->out, &row);
  return NULL;
}

static ragged_status measure_all(const gpu_setting *setting, bench_cuda *cuda) {
  char ptx[65536] = {0};
  size_t used = 0;
  for (int k = 0; k < kCeilingPtxParts; ++k) {
    size_t length = strlen(kCeilingPtx[k]);
    if (used + length >= sizeof ptx)
      return ragged_status_make(RAGGED_STATUS_INTERNAL, "the ceilings' kernels are too long");
    memcpy(ptx + used, kCeilingPtx[k], length + 1);
    used += length;
  }
  CUmodule module;
  RAGGED_RETURN_IF_ERROR(BENCH_CUDA(cuda, cuModuleLoadDataEx, &module, ptx, 0, NULL, NULL));
  size_t bytes = (size_t)1 << 30;
  launch launch = {.cuda = cuda, .blocks = (unsigned)(bytes / 16384)};
  RAGGED_RETURN_IF_ERROR(BENCH_CUDA(cuda, cuMemAlloc_v2, &launch.to, bytes));
  RAGGED_RETURN_IF_ERROR(BENCH_CUDA(cuda, cuMemAlloc_v2, &launch.from, bytes));
  RAGGED_RETURN_IF_ERROR(BENCH_CUDA(cuda, cuMemsetD8Async, launch.from, 1, bytes, cuda->stream));
  for (size_t k = 0; k < sizeof kCeilings / sizeof *kCeilings; ++k)
    RAGGED_RETURN_IF_ERROR(measure(setting, cuda, module, &kCeilings[k], &launch));
  RAGGED_RETURN_IF_ERROR(BENCH_CUDA(cuda, cuMemFree_v2, launch.from));
  RAGGED_RETURN_IF_ERROR(BENCH_CUDA(cuda, cuMemFree_v2, launch.to));
  return BENCH_CUDA(cuda, cuModuleUnload, module);
}

static ragged_status measure_cuda(const gpu_setting *setting) {
  bench_cuda cuda;
  RAGGED_RETURN_IF_ERROR(bench_cuda_open(&cuda));
  gpu_row row = gpu_row_make(GPU_ROW_FINE, "device", "device");
  gpu_row_note(&row, "%s, sm_%d, %d multiprocessors", cuda.name, cuda.chip,
               cuda.num_multiprocessors);
  gpu_row_write(setting->out, &row);
  ragged_status status = measure_all(setting, &cuda);
  if (status) {  // times are then held against nothing; no result is wrong
    row = gpu_row_make(GPU_ROW_SKIPPED, "device", "ceilings");
    gpu_row_note(&row, "%s", ragged_status_message(status));
    gpu_row_write(setting->out, &row);
    ragged_status_free(status);
  }
  bench_cuda_close(&cuda);
  return NULL;
}

ragged_status gpu_stage_device(const gpu_setting *setting) {
  ragged_rt_context *context;
  RAGGED_RETURN_IF_ERROR(gpu_context_create(NULL, false, &context));
  ragged_rt_context_release(context);
  if (!strcmp(gpu_bundle_device, "cuda")) return measure_cuda(setting);
  gpu_row row = gpu_row_make(GPU_ROW_SKIPPED, "device", "ceilings");
  gpu_row_note(&row, "the bundle is for the device '%s': nothing is held against a GPU's bounds",
               gpu_bundle_device);
  gpu_row_write(setting->out, &row);
  return NULL;
}
