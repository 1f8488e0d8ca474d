// The stage of dense products: linear_f32 and linear_bf16 (128 features to 512) as calls run them, and
// with generated kernels only, against cuBLASLt called directly. The runtime loads it where the machine
// has it: RAGGED_CUBLASLT, else libcublasLt.so.13, .12 or .11.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "bench_cuda.h"

enum { kK = 128, kN = 512, kWorkspace = 32 << 20 };

typedef struct blas {
  ragged_rt_cublaslt functions;
  cublasLtHandle_t handle;
} blas;

static ragged_status open_blas(blas *out) {
  *out = (blas){.handle = NULL};
  const char *path = getenv("RAGGED_CUBLASLT");
  RAGGED_RETURN_IF_ERROR(ragged_rt_cublaslt_load(path && *path ? path : NULL, &out->functions));
  return ragged_rt_cublaslt_check(out->functions.cublasLtCreate(&out->handle), "cublasLtCreate");
}

// ---- One product -------------------------------------------------------------------------------------

#define BLAS(self, symbol, ...) \
  ragged_rt_cublaslt_check((self)->blas->functions.symbol(__VA_ARGS__), #symbol)

// Row-major c[rows, n] = a[rows, k] w[n, k]^T; cuBLASLt, column-major, sees c^T = w a^T.
typedef struct product {
  blas *blas;
  CUstream stream;
  cublasLtMatmulDesc_t desc;
  cublasLtMatrixLayout_t w_layout, a_layout, c_layout;
  const void *w, *a;
  void *c, *workspace;
  cublasLtMatmulHeuristicResult_t best;
} product;

static ragged_status run_product(void *user) {
  product *self = user;
  float one = 1, zero = 0;
  return BLAS(self, cublasLtMatmul, self->blas->handle, self->desc, &one, self->w, self->w_layout,
              self->a, self->a_layout, &zero, self->c, self->c_layout, self->c, self->c_layout,
              &self->best.algo, self->workspace, kWorkspace, self->stream);
}

static ragged_status choose(product *self) {
  cublasLtMatmulPreference_t preference;
  uint64_t workspace = kWorkspace;
  int found = 0;
  RAGGED_RETURN_IF_ERROR(BLAS(self, cublasLtMatmulPreferenceCreate, &preference));
  ragged_status status =
      BLAS(self, cublasLtMatmulPreferenceSetAttribute, preference,
           CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace, sizeof workspace);
  if (!status)
    status = BLAS(self, cublasLtMatmulAlgoGetHeuristic, self->blas->handle, self->desc,
                  self->w_layout, self->a_layout, self->c_layout, self->c_layout, preference, 1,
                  &self->best, &found);
  self->blas->functions.cublasLtMatmulPreferenceDestroy(preference);
  if (status || found > 0) return status;
  return ragged_rt_cublaslt_check(CUBLAS_STATUS_NOT_SUPPORTED, "cublasLtMatmulAlgoGetHeuristic");
}

static ragged_status prepare(product *self, int64_t rows, int type, int compute) {
  int32_t transposed = CUBLAS_OP_T;
  RAGGED_RETURN_IF_ERROR(BLAS(self, cublasLtMatmulDescCreate, &self->desc, compute, CUDA_R_32F));
  RAGGED_RETURN_IF_ERROR(BLAS(self, cublasLtMatmulDescSetAttribute, self->desc,
                              CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed));
  RAGGED_RETURN_IF_ERROR(
      BLAS(self, cublasLtMatrixLayoutCreate, &self->w_layout, type, kK, kN, kK));
  RAGGED_RETURN_IF_ERROR(
      BLAS(self, cublasLtMatrixLayoutCreate, &self->a_layout, type, kK, (uint64_t)rows, kK));
  RAGGED_RETURN_IF_ERROR(
      BLAS(self, cublasLtMatrixLayoutCreate, &self->c_layout, type, kN, (uint64_t)rows, kN));
  return choose(self);
}

static void destroy(product *self) {
  const ragged_rt_cublaslt *functions = &self->blas->functions;
  if (self->c_layout) functions->cublasLtMatrixLayoutDestroy(self->c_layout);
  if (self->a_layout) functions->cublasLtMatrixLayoutDestroy(self->a_layout);
  if (self->w_layout) functions->cublasLtMatrixLayoutDestroy(self->w_layout);
  if (self->desc) functions->cublasLtMatmulDescDestroy(self->desc);
}

// ---- Rows --------------------------------------------------------------------------------------------

static const struct {
  const char *row, *entry, *products;
  bool tf32;
  int type, compute;
} kProducts[] = {
    {"linear_f32", "linear_f32", NULL, false, CUDA_R_32F, CUBLAS_COMPUTE_32F},
    {"linear_f32 generated", "linear_f32", "generated", false, CUDA_R_32F, CUBLAS_COMPUTE_32F},
    {"linear_f32 tf32", "linear_f32", NULL, true, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32},
    {"linear_bf16", "linear_bf16", NULL, false, CUDA_R_16BF, CUBLAS_COMPUTE_32F},
    {"linear_bf16 generated", "linear_bf16", "generated", false, CUDA_R_16BF, CUBLAS_COMPUTE_32F},
};
enum { kNumProducts = (int)(sizeof kProducts / sizeof *kProducts) };

typedef struct comparison {
  const gpu_setting *setting;
  bench_cuda *cuda;
  blas *blas;
} comparison;

static void report(const comparison *self, int k, const gpu_timing *timing, double library) {
  double own = gpu_timing_seconds(timing), flops = 2.0 * (double)self->setting->rows * kK * kN;
  gpu_row row = gpu_row_make(GPU_ROW_FINE, "product", kProducts[k].row);
  gpu_row_set(&row, 1e3 * own, "ms", 1e3 * library, "cuBLASLt", true);
  gpu_row_note(&row, "%lld rows, 128 to 512, by %s: %.0f GFLOP/s, cuBLASLt %.0f GFLOP/s (without bias)",
               (long long)self->setting->rows, timing->slowest, 1e-9 * flops / own,
               1e-9 * flops / library);
  gpu_row_write(self->setting->out, &row);
}

static ragged_status time_library(const comparison *self, int k, ragged_rt_tensor *const *arguments,
                                  ragged_rt_tensor *target, ragged_rt_tensor *workspace,
                                  double *out) {
  product product = {.blas = self->blas,
                     .stream = self->cuda->stream,
                     .a = ragged_rt_tensor_data(arguments[0]),
                     .w = ragged_rt_tensor_data(arguments[1]),
                     .c = ragged_rt_tensor_data(target),
                     .workspace = ragged_rt_tensor_data(workspace)};
  ragged_status status =
      prepare(&product, self->setting->rows, kProducts[k].type, kProducts[k].compute);
  if (!status) status = bench_cuda_time(self->cuda, 10, run_product, &product, out);
  destroy(&product);
  return status;
}

static ragged_status time_both(const comparison *self, int k, const ragged_rt_entry *entry,
                               gpu_arrays *arrays) {
  ragged_rt_context *context = arrays->context;
  int64_t rows = self->setting->rows, elements = rows * kN, bytes = kWorkspace / 4;
  gpu_lengths lengths = {"one", 1, &rows};
  ragged_rt_tensor *arguments[3] = {NULL}, *target = NULL, *workspace = NULL;
  gpu_timing timing;
  double library = 0;
  ragged_status status = gpu_arrays_arguments(arrays, entry, &lengths, arguments);
  if (!status) status = gpu_time_entry(context, entry, arguments, &timing);
  if (!status)
    status = ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F32, 1, &elements, &target);
  if (!status)
    status = ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F32, 1, &bytes, &workspace);
  if (!status) status = time_library(self, k, arguments, target, workspace, &library);
  if (!status) report(self, k, &timing, library);
  ragged_rt_tensor_release(workspace);
  ragged_rt_tensor_release(target);
  for (int i = 0; i < 3; ++i) ragged_rt_tensor_release(arguments[i]);
  return status;
}

static ragged_status compare(const comparison *self, int k) {
  const ragged_rt_entry *entry = gpu_find_entry("kernels", kProducts[k].entry);
  if (!entry)
    return ragged_status_make(RAGGED_STATUS_NOT_FOUND, "the bundle lacks '%s'", kProducts[k].entry);
  ragged_rt_context *context;
  gpu_arrays arrays;
  RAGGED_RETURN_IF_ERROR(
      gpu_context_create(kProducts[k].products, kProducts[k].tf32, &context));
  gpu_arrays_create(context, self->setting->rows, &arrays);
  ragged_status status = time_both(self, k, entry, &arrays);
  gpu_arrays_destroy(&arrays);
  ragged_rt_context_release(context);
  return status;
}

static void skip(const gpu_setting *setting, const char *what, const char *why) {
  gpu_row row = gpu_row_make(GPU_ROW_SKIPPED, "product", what);
  gpu_row_note(&row, "%s", why);
  gpu_row_write(setting->out, &row);
}

// A library that cannot do it is no fault of a result.
ragged_status gpu_stage_products(const gpu_setting *setting) {
  if (strcmp(gpu_bundle_device, "cuda") != 0) {
    skip(setting, "against cuBLASLt", "not a GPU");
    return NULL;
  }
  bench_cuda cuda;
  blas blas;
  RAGGED_RETURN_IF_ERROR(bench_cuda_open(&cuda));
  ragged_status status = open_blas(&blas);
  comparison self = {setting, &cuda, &blas};
  for (int k = 0; k < kNumProducts && blas.handle; ++k) {
    ragged_status failed = compare(&self, k);
    if (failed) skip(setting, kProducts[k].row, ragged_status_message(failed));
    ragged_status_free(failed);
  }
  if (status) skip(setting, "against cuBLASLt", ragged_status_message(status));
  ragged_status_free(status);
  if (blas.handle) blas.functions.cublasLtDestroy(blas.handle);
  ragged_rt_cublaslt_unload(&blas.functions);
  bench_cuda_close(&cuda);
  return NULL;
}
