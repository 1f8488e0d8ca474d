// The stage of dense products: linear_f32 and linear_bf16 (128 features to 512) against cuBLASLt, which
// is loaded where the machine has it: RAGGED_CUBLASLT, else libcublasLt.so.13, .12 or .11.
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "bench_cuda.h"
#include "cublaslt_abi.h"

enum { kK = 128, kN = 512, kWorkspace = 32 << 20 };

typedef struct blas {
  void *library, *handle;
#define F(symbol, parameters) int(*symbol) parameters;
  RAGGED_BENCH_BLAS_FUNCTIONS(F)
#undef F
} blas;

static void *open_library(void) {
  static const char *const names[] = {"libcublasLt.so.13", "libcublasLt.so.12",
                                      "libcublasLt.so.11"};
  const char *given = getenv("RAGGED_CUBLASLT");
  if (given && *given) return dlopen(given, RTLD_NOW | RTLD_LOCAL);
  void *library = NULL;
  for (size_t k = 0; k < sizeof names / sizeof *names && !library; ++k)
    library = dlopen(names[k], RTLD_NOW | RTLD_LOCAL);
  return library;
}

// False: there is none that can be used.
static bool load(blas *out) {
  *out = (blas){.library = open_library()};
  if (!out->library) return false;
  bool complete = true;
#define F(symbol, parameters)                     \
  {                                               \
    void *found = dlsym(out->library, #symbol);   \
    complete = complete && found;                 \
    memcpy(&out->symbol, &found, sizeof found);   \
  }
  RAGGED_BENCH_BLAS_FUNCTIONS(F)
#undef F
  return complete && out->cublasLtCreate(&out->handle) == 0;
}

static ragged_status check(int result, const char *what) {
  if (!result) return NULL;
  return ragged_status_make(RAGGED_STATUS_INTERNAL, "%s: cuBLAS status %d", what, result);
}

// ---- One product -------------------------------------------------------------------------------------

// Row-major c[rows, n] = a[rows, k] w[n, k]^T; cuBLASLt, column-major, sees c^T = w a^T.
typedef struct product {
  blas *blas;
  CUstream stream;
  void *desc, *w_layout, *a_layout, *c_layout;
  const void *w, *a;
  void *c, *workspace;
  blas_heuristic best;
} product;

static ragged_status run_product(void *user) {
  product *self = user;
  float one = 1, zero = 0;
  return check(self->blas->cublasLtMatmul(self->blas->handle, self->desc, &one, self->w,
                                          self->w_layout, self->a, self->a_layout, &zero, self->c,
                                          self->c_layout, self->c, self->c_layout,
                                          self->best.algorithm, self->workspace, kWorkspace,
                                          self->stream),
               "cublasLtMatmul");
}

static ragged_status choose(product *self) {
  blas *b = self->blas;
  void *preference;
  size_t workspace = kWorkspace;
  int found = 0;
  RAGGED_RETURN_IF_ERROR(check(b->cublasLtMatmulPreferenceCreate(&preference), "preference"));
  int result = b->cublasLtMatmulPreferenceSetAttribute(preference, kBlasMaxWorkspace, &workspace,
                                                       sizeof workspace);
  if (!result)
    result = b->cublasLtMatmulAlgoGetHeuristic(b->handle, self->desc, self->w_layout,
                                               self->a_layout, self->c_layout, self->c_layout,
                                               preference, 1, &self->best, &found);
  b->cublasLtMatmulPreferenceDestroy(preference);
  if (!result && found < 1) result = self->best.state ? self->best.state : 15;
  return check(result, "cublasLtMatmulAlgoGetHeuristic");
}

static ragged_status prepare(product *self, int64_t rows, int type, int compute) {
  blas *b = self->blas;
  int transposed = kBlasTransposed;
  RAGGED_RETURN_IF_ERROR(
      check(b->cublasLtMatmulDescCreate(&self->desc, compute, kBlasTypeF32), "desc"));
  RAGGED_RETURN_IF_ERROR(check(b->cublasLtMatmulDescSetAttribute(self->desc, kBlasDescTransA,
                                                                 &transposed, sizeof transposed),
                               "transpose"));
  RAGGED_RETURN_IF_ERROR(
      check(b->cublasLtMatrixLayoutCreate(&self->w_layout, type, kK, kN, kK), "layout"));
  RAGGED_RETURN_IF_ERROR(check(
      b->cublasLtMatrixLayoutCreate(&self->a_layout, type, kK, (uint64_t)rows, kK), "layout"));
  RAGGED_RETURN_IF_ERROR(check(
      b->cublasLtMatrixLayoutCreate(&self->c_layout, type, kN, (uint64_t)rows, kN), "layout"));
  return choose(self);
}

static void destroy(product *self) {
  if (self->c_layout) self->blas->cublasLtMatrixLayoutDestroy(self->c_layout);
  if (self->a_layout) self->blas->cublasLtMatrixLayoutDestroy(self->a_layout);
  if (self->w_layout) self->blas->cublasLtMatrixLayoutDestroy(self->w_layout);
  if (self->desc) self->blas->cublasLtMatmulDescDestroy(self->desc);
}

// ---- Rows --------------------------------------------------------------------------------------------

static const struct {
  const char *row, *entry;
  ragged_element_type element_type;
  int type, compute;
} kProducts[] = {
    {"linear_f32 against cuBLASLt f32", "linear_f32", RAGGED_ELEMENT_F32, kBlasTypeF32,
     kBlasComputeF32},
    {"linear_f32 against cuBLASLt tf32", "linear_f32", RAGGED_ELEMENT_F32, kBlasTypeF32,
     kBlasComputeTf32},
    {"linear_bf16 against cuBLASLt bf16", "linear_bf16", RAGGED_ELEMENT_BF16, kBlasTypeBf16,
     kBlasComputeF32},
};
enum { kNumProducts = (int)(sizeof kProducts / sizeof *kProducts) };

typedef struct comparison {
  const gpu_setting *setting;
  bench_cuda *cuda;
  blas *blas;
  gpu_arrays *arrays;
  ragged_rt_tensor *target, *workspace;
} comparison;

static void report(const comparison *self, int k, double own, double library, double flops) {
  gpu_row row = gpu_row_make(GPU_ROW_FINE, "product", kProducts[k].row);
  gpu_row_set(&row, 1e3 * own, "ms", 1e3 * library, "cuBLASLt", true);
  gpu_row_note(&row, "%lld rows, 128 to 512: own %.0f GFLOP/s, cuBLASLt %.0f GFLOP/s (without bias)",
               (long long)self->setting->rows, 1e-9 * flops / own, 1e-9 * flops / library);
  gpu_row_write(self->setting->out, &row);
}

static ragged_status time_library(const comparison *self, int k, ragged_rt_tensor *const *arguments,
                                  double *out) {
  product product = {.blas = self->blas,
                     .stream = self->cuda->stream,
                     .a = ragged_rt_tensor_data(arguments[0]),
                     .w = ragged_rt_tensor_data(arguments[1]),
                     .c = ragged_rt_tensor_data(self->target),
                     .workspace = ragged_rt_tensor_data(self->workspace)};
  ragged_status status =
      prepare(&product, self->setting->rows, kProducts[k].type, kProducts[k].compute);
  if (!status) status = bench_cuda_time(self->cuda, 10, run_product, &product, out);
  destroy(&product);
  return status;
}

static ragged_status compare(const comparison *self, int k) {
  const ragged_rt_entry *entry = gpu_find_entry("kernels", kProducts[k].entry);
  if (!entry)
    return ragged_status_make(RAGGED_STATUS_NOT_FOUND, "the bundle lacks '%s'", kProducts[k].entry);
  int64_t rows = self->setting->rows;
  gpu_lengths lengths = {"one", 1, &rows};
  ragged_rt_tensor *arguments[3] = {NULL};
  gpu_timing timing;
  double library = 0;
  ragged_status status = gpu_arrays_arguments(self->arrays, entry, &lengths, arguments);
  if (!status) status = gpu_time_entry(self->arrays->context, entry, arguments, &timing);
  if (!status) status = time_library(self, k, arguments, &library);
  if (!status)
    report(self, k, gpu_timing_seconds(&timing), library, 2.0 * (double)rows * kK * kN);
  for (int i = 0; i < 3; ++i) ragged_rt_tensor_release(arguments[i]);
  return status;
}

// A library that cannot do it is no fault of a result.
static void compare_all(comparison *self) {
  for (int k = 0; k < kNumProducts; ++k) {
    ragged_status status = compare(self, k);
    if (!status) continue;
    gpu_row row = gpu_row_make(GPU_ROW_SKIPPED, "product", kProducts[k].row);
    gpu_row_note(&row, "%s", ragged_status_message(status));
    gpu_row_write(self->setting->out, &row);
    ragged_status_free(status);
  }
}

static ragged_status run(const gpu_setting *setting, ragged_rt_context *context, bench_cuda *cuda,
                         blas *blas) {
  gpu_arrays arrays;
  gpu_arrays_create(context, setting->rows, &arrays);
  comparison self = {.setting = setting, .cuda = cuda, .blas = blas, .arrays = &arrays};
  int64_t elements = setting->rows * kN, workspace = kWorkspace / 4;
  ragged_status status = ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F32, 1, &elements,
                                                       &self.target);
  if (!status)
    status = ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_F32, 1, &workspace,
                                           &self.workspace);
  if (!status) compare_all(&self);
  ragged_rt_tensor_release(self.workspace);
  ragged_rt_tensor_release(self.target);
  gpu_arrays_destroy(&arrays);
  return status;
}

static ragged_status skip(const gpu_setting *setting, const char *why) {
  gpu_row row = gpu_row_make(GPU_ROW_SKIPPED, "product", "against cuBLASLt");
  gpu_row_note(&row, "%s", why);
  gpu_row_write(setting->out, &row);
  return NULL;
}

ragged_status gpu_stage_products(const gpu_setting *setting) {
  if (strcmp(gpu_bundle_device, "cuda") != 0) return skip(setting, "not a GPU");
  ragged_rt_context *context;
  RAGGED_RETURN_IF_ERROR(gpu_context_create(&context));
  bench_cuda cuda;
  ragged_status status = bench_cuda_open(&cuda);
  blas blas;
  if (!status && !load(&blas)) {
    ragged_rt_context_release(context);
    return skip(setting, "no cuBLASLt found; RAGGED_CUBLASLT=FILE names one");
  }
  if (!status) {
    status = run(setting, context, &cuda, &blas);
    blas.cublasLtDestroy(blas.handle);
    bench_cuda_close(&cuda);
  }
  ragged_rt_context_release(context);
  return status;
}
