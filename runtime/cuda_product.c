// Dense products by cuBLASLt, in the place of kernels that are nothing else. A plan, made once for a
// product's shape, holds the library's descriptions and one of its algorithms: chosen for a nominal
// number of rows, without a split of K and without workspace, through which partial sums could be
// joined, and accepted for one row and for as many as are ever given at once. So the bits of a row
// depend neither on the other rows nor on how many they are.
#include <stdio.h>

#include "cuda_device.h"
#include "product.h"

enum {
  kAlignment = 16,          // of all operands; algorithms that want more are left out
  kNominalRows = 1 << 14,
  kMostRows = 1 << 20,      // at once: some kernels' grids have 65,535 blocks along rows
  kRowUnit = 64,            // launches in several parts begin at multiples of it
  kCandidates = 8,
};

// How the library computes with an element type.
static const struct {
  ragged_element_type element_type;
  int type, compute, scale_type;
} kKinds[] = {
    {RAGGED_ELEMENT_F32, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F},
    {RAGGED_ELEMENT_F64, CUDA_R_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F},
    {RAGGED_ELEMENT_BF16, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F},
};
enum { kNumKinds = sizeof kKinds / sizeof kKinds[0] };

struct ragged_rt_cuda_plan {
  ragged_rt_cuda_plan *next;
  ragged_rt_product_shape shape;
  bool usable;       // false: the library cannot do it
  int64_t max_rows;  // at once
  // The library's matrices lie column by column: it computes result^T = weight rows^T.
  cublasLtMatmulDesc_t product;
  cublasLtMatrixLayout_t weight, rows, result;
  cublasLtMatmulAlgo_t algorithm;
  char name[128];  // for statistics and the trace
};

static int kind_of(ragged_element_type element_type) {
  for (int k = 0; k < kNumKinds; ++k)
    if (kKinds[k].element_type == element_type) return k;
  return -1;
}

// Element numbers of a matrix stay below 2^31, too.
static int64_t max_rows(int64_t k, int64_t n) {
  int64_t rows = INT32_MAX / (k > n ? k : n) / kRowUnit * kRowUnit;
  return rows < kMostRows ? rows : kMostRows;
}

// ---- Plans -------------------------------------------------------------------------------------

#define CALL(cuda, symbol, ...) \
  ragged_rt_cublaslt_check((cuda)->products.blas.symbol(__VA_ARGS__), #symbol)

// Tells what the library cannot do from what went wrong.
static bool is_refusal(cublasStatus_t result) {
  return result == CUBLAS_STATUS_NOT_SUPPORTED || result == CUBLAS_STATUS_INVALID_VALUE ||
         result == CUBLAS_STATUS_ARCH_MISMATCH;
}

static ragged_status set_rows(ragged_rt_cuda_device *cuda, const ragged_rt_cuda_plan *plan,
                              int64_t rows) {
  uint64_t columns = (uint64_t)rows;
  cublasLtMatrixLayout_t layouts[] = {plan->rows, plan->result};
  for (int k = 0; k < 2; ++k)
    RAGGED_RETURN_IF_ERROR(CALL(cuda, cublasLtMatrixLayoutSetAttribute, layouts[k],
                                CUBLASLT_MATRIX_LAYOUT_COLS, &columns, sizeof columns));
  return NULL;
}

static ragged_status set_bias(ragged_rt_cuda_device *cuda, const ragged_rt_cuda_plan *plan,
                              const void *bias) {
  return CALL(cuda, cublasLtMatmulDescSetAttribute, plan->product,
              CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias);
}

static ragged_status describe(ragged_rt_cuda_device *cuda, ragged_rt_cuda_plan *plan, int kind) {
  const ragged_rt_product_shape *shape = &plan->shape;
  int type = kKinds[kind].type, compute = kKinds[kind].compute;
  bool tf32 = cuda->products.tf32 && compute == CUBLAS_COMPUTE_32F && type == CUDA_R_32F;
  if (tf32) compute = CUBLAS_COMPUTE_32F_FAST_TF32;
  char runner[sizeof cuda->products.name + 8];
  snprintf(runner, sizeof runner, "%s%s", cuda->products.name, tf32 ? ", tf32" : "");
  ragged_rt_product_write_name(shape, runner, plan->name, sizeof plan->name);
  RAGGED_RETURN_IF_ERROR(CALL(cuda, cublasLtMatmulDescCreate, &plan->product, compute,
                              kKinds[kind].scale_type));
  int32_t transposed = shape->transposed ? CUBLAS_OP_N : CUBLAS_OP_T;  // columns are the library's rows
  RAGGED_RETURN_IF_ERROR(CALL(cuda, cublasLtMatmulDescSetAttribute, plan->product,
                              CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed));
  uint64_t k = (uint64_t)shape->k, n = (uint64_t)shape->n;
  uint64_t inner = shape->transposed ? n : k, outer = shape->transposed ? k : n;
  RAGGED_RETURN_IF_ERROR(CALL(cuda, cublasLtMatrixLayoutCreate, &plan->weight, type, inner, outer,
                              (int64_t)inner));
  RAGGED_RETURN_IF_ERROR(CALL(cuda, cublasLtMatrixLayoutCreate, &plan->rows, type, k, 1, shape->k));
  RAGGED_RETURN_IF_ERROR(
      CALL(cuda, cublasLtMatrixLayoutCreate, &plan->result, type, n, 1, shape->n));
  if (!shape->has_bias) return NULL;
  uint32_t epilogue = CUBLASLT_EPILOGUE_BIAS;
  RAGGED_RETURN_IF_ERROR(CALL(cuda, cublasLtMatmulDescSetAttribute, plan->product,
                              CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
  // Its value only says how a bias is aligned.
  return set_bias(cuda, plan, (const void *)(uintptr_t)kAlignment);
}

// The workspace's size is 0 unless it is set.
static ragged_status ask(ragged_rt_cuda_device *cuda, const ragged_rt_cuda_plan *plan,
                         cublasLtMatmulPreference_t preference,
                         cublasLtMatmulHeuristicResult_t *results, int *out_found) {
  uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_NONE, alignment = kAlignment;
  RAGGED_RETURN_IF_ERROR(CALL(cuda, cublasLtMatmulPreferenceSetAttribute, preference,
                              CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &reductions,
                              sizeof reductions));
  for (int matrix = CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES;
       matrix <= CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES; ++matrix)
    RAGGED_RETURN_IF_ERROR(CALL(cuda, cublasLtMatmulPreferenceSetAttribute, preference, matrix,
                                &alignment, sizeof alignment));
  RAGGED_RETURN_IF_ERROR(
      set_rows(cuda, plan, plan->max_rows < kNominalRows ? plan->max_rows : kNominalRows));
  cublasStatus_t result = cuda->products.blas.cublasLtMatmulAlgoGetHeuristic(
      cuda->products.handle, plan->product, plan->weight, plan->rows, plan->result, plan->result,
      preference, kCandidates, results, out_found);
  if (is_refusal(result)) *out_found = 0;
  else
    return ragged_rt_cublaslt_check(result, "cublasLtMatmulAlgoGetHeuristic");
  return NULL;
}

static ragged_status accepts(ragged_rt_cuda_device *cuda, const ragged_rt_cuda_plan *plan,
                             const cublasLtMatmulAlgo_t *algorithm, int64_t rows, bool *out) {
  RAGGED_RETURN_IF_ERROR(set_rows(cuda, plan, rows));
  cublasLtMatmulHeuristicResult_t found = {.state = CUBLAS_STATUS_SUCCESS};
  cublasStatus_t result = cuda->products.blas.cublasLtMatmulAlgoCheck(
      cuda->products.handle, plan->product, plan->weight, plan->rows, plan->result, plan->result,
      algorithm, &found);
  *out = result == CUBLAS_STATUS_SUCCESS && found.workspaceSize == 0;
  return is_refusal(result) ? NULL : ragged_rt_cublaslt_check(result, "cublasLtMatmulAlgoCheck");
}

// One row is a multiple of nothing, max_rows are as many as it gets: what runs both runs all between.
static ragged_status choose(ragged_rt_cuda_device *cuda, ragged_rt_cuda_plan *plan,
                            cublasLtMatmulPreference_t preference) {
  cublasLtMatmulHeuristicResult_t results[kCandidates];
  int found = 0;
  RAGGED_RETURN_IF_ERROR(ask(cuda, plan, preference, results, &found));
  for (int k = 0; k < found && !plan->usable; ++k) {
    if (results[k].state != CUBLAS_STATUS_SUCCESS) continue;
    bool one = false, most = false;
    RAGGED_RETURN_IF_ERROR(accepts(cuda, plan, &results[k].algo, 1, &one));
    if (one) RAGGED_RETURN_IF_ERROR(accepts(cuda, plan, &results[k].algo, plan->max_rows, &most));
    plan->usable = most;
    plan->algorithm = results[k].algo;
  }
  return NULL;
}

static ragged_status make(ragged_rt_cuda_device *cuda, ragged_rt_cuda_plan *plan, int kind) {
  cublasLtMatmulPreference_t preference;
  RAGGED_RETURN_IF_ERROR(describe(cuda, plan, kind));
  RAGGED_RETURN_IF_ERROR(CALL(cuda, cublasLtMatmulPreferenceCreate, &preference));
  ragged_status status = choose(cuda, plan, preference);
  ragged_status ended = CALL(cuda, cublasLtMatmulPreferenceDestroy, preference);
  if (!status) return ended;
  ragged_status_free(ended);
  return status;
}

static void end(ragged_rt_cuda_device *cuda, ragged_rt_cuda_plan *plan) {
  cublasLtMatrixLayout_t layouts[] = {plan->weight, plan->rows, plan->result};
  for (int k = 0; k < 3; ++k)
    if (layouts[k])
      ragged_rt_cuda_keep(cuda, CALL(cuda, cublasLtMatrixLayoutDestroy, layouts[k]));
  if (plan->product)
    ragged_rt_cuda_keep(cuda, CALL(cuda, cublasLtMatmulDescDestroy, plan->product));
  ragged_rt_metadata_free(cuda->memory, plan);
}

void ragged_rt_cuda_plans_destroy(ragged_rt_cuda_device *cuda) {
  ragged_rt_cuda_plan *next;
  for (ragged_rt_cuda_plan *plan = cuda->products.plans; plan; plan = next) {
    next = plan->next;
    end(cuda, plan);
  }
  cuda->products.plans = NULL;
}

static bool is_plan_of(const ragged_rt_cuda_plan *plan, const ragged_rt_product_shape *shape) {
  const ragged_rt_product_shape *own = &plan->shape;
  return own->element_type == shape->element_type && own->k == shape->k && own->n == shape->n &&
         own->transposed == shape->transposed && own->has_bias == shape->has_bias &&
         own->residual == shape->residual;
}

static ragged_status find_plan(ragged_rt_cuda_device *cuda, const ragged_rt_product_shape *shape,
                               int kind, ragged_rt_cuda_plan **out) {
  ragged_rt_cuda_plan *plan = cuda->products.plans;
  while (plan && !is_plan_of(plan, shape)) plan = plan->next;
  *out = plan;
  if (plan) return NULL;
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_refuse_captured(&cuda->device, "plan a product"));
  plan = ragged_rt_metadata_allocate(cuda->memory, sizeof *plan, 0, 1);
  if (!plan) return ragged_rt_no_metadata("a product's plan");
  plan->shape = *shape;
  plan->max_rows = max_rows(shape->k, shape->n);
  ragged_status status = make(cuda, plan, kind);
  if (status) {
    end(cuda, plan);
    return status;
  }
  plan->next = cuda->products.plans;
  cuda->products.plans = plan;
  *out = plan;
  return NULL;
}

// ---- Launches ----------------------------------------------------------------------------------

static const char *advance(const void *pointer, int64_t bytes) {
  return pointer ? (const char *)pointer + bytes : NULL;
}

// Rows first .. first + rows - 1. Where nothing is added, the library does not read what it is given
// as the residual.
static ragged_status multiply(ragged_rt_cuda_device *cuda, const ragged_rt_cuda_plan *plan,
                              const ragged_rt_product_launch *launch, int64_t first, int64_t rows) {
  static const float kNumbers32[] = {0, 1};
  static const double kNumbers64[] = {0, 1};
  bool wide = plan->shape.element_type == RAGGED_ELEMENT_F64, adds = plan->shape.residual;
  const void *alpha = wide ? (const void *)&kNumbers64[1] : &kNumbers32[1];
  const void *beta = wide ? (const void *)&kNumbers64[adds] : &kNumbers32[adds];
  int64_t size = (int64_t)ragged_element_size(plan->shape.element_type);
  const void *a = advance(launch->rows, first * plan->shape.k * size);
  char *to = (char *)launch->result + first * plan->shape.n * size;
  const void *c = adds ? advance(launch->residual, first * plan->shape.n * size) : to;
  RAGGED_RETURN_IF_ERROR(set_rows(cuda, plan, rows));
  return CALL(cuda, cublasLtMatmul, cuda->products.handle, plan->product, alpha, launch->weight,
              plan->weight, a, plan->rows, beta, c, plan->result, to, plan->result,
              &plan->algorithm, NULL, 0, cuda->stream);
}

static ragged_status run(ragged_rt_cuda_device *cuda, const ragged_rt_cuda_plan *plan,
                         const ragged_rt_product_launch *launch) {
  const ragged_rt_product_shape *shape = &plan->shape;
  ragged_rt_grid timed = {.kernel = plan->name,
                          .items = launch->num_rows,
                          .bytes = ragged_rt_product_count_bytes(shape, 1, launch->num_rows),
                          .flops = ragged_rt_product_count_flops(shape, launch->num_rows)};
  ragged_rt_cuda_timing *timing = NULL;
  if (shape->has_bias) RAGGED_RETURN_IF_ERROR(set_bias(cuda, plan, launch->bias));
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_timing_start(cuda, &timed, &timing));
  for (int64_t first = 0; first < launch->num_rows; first += plan->max_rows) {
    int64_t left = launch->num_rows - first;
    RAGGED_RETURN_IF_ERROR(
        multiply(cuda, plan, launch, first, left < plan->max_rows ? left : plan->max_rows));
  }
  return ragged_rt_cuda_timing_stop(cuda, timing);
}

// What the library computes as this project does. Its gelu is another function, its relu does not
// say what it makes of a NaN, and an activation would come after the residual.
static bool is_expressible(const ragged_rt_product_launch *launch) {
  const ragged_rt_product_shape *shape = launch->shape;
  if (shape->activation != RAGGED_RT_ACTIVATION_NONE || kind_of(shape->element_type) < 0 ||
      shape->k < 1 || shape->n < 1 || max_rows(shape->k, shape->n) < 1)
    return false;
  const void *operands[] = {launch->rows, launch->weight, launch->bias, launch->residual,
                            launch->result};
  for (size_t k = 0; k < sizeof operands / sizeof operands[0]; ++k)
    if ((uintptr_t)operands[k] % kAlignment) return false;
  return true;
}

static ragged_status launch_product(ragged_rt_cuda_device *cuda,
                                    const ragged_rt_product_launch *launch, bool *out_done) {
  ragged_rt_cuda_plan *plan = NULL;
  if (!cuda->products.looked_for)
    RAGGED_RETURN_IF_ERROR(
        ragged_rt_cuda_refuse_captured(&cuda->device, "load a library of products"));
  ragged_status_free(ragged_rt_cuda_products_open(cuda));  // without it, kernels run
  if (!cuda->products.handle) return NULL;
  RAGGED_RETURN_IF_ERROR(
      find_plan(cuda, launch->shape, kind_of(launch->shape->element_type), &plan));
  if (!plan->usable) return NULL;
  *out_done = true;
  return run(cuda, plan, launch);
}

ragged_status ragged_rt_cuda_launch_product(ragged_rt_device *self,
                                            const ragged_rt_product_launch *launch,
                                            bool *out_done) {
  ragged_rt_cuda_device *cuda = (ragged_rt_cuda_device *)self;
  *out_done = false;
  if (cuda->products.choice == RAGGED_RT_PRODUCTS_GENERATED || !is_expressible(launch)) return NULL;
  RAGGED_RETURN_IF_ERROR(ragged_rt_cuda_enter(cuda));
  return ragged_rt_cuda_leave(cuda, launch_product(cuda, launch, out_done));
}
