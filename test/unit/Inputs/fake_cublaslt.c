// A cuBLASLt for the runtime's tests. It knows products of row-major rows with a row-major weight only,
// refuses or notes (fake_cublaslt_mistake) all else, and computes on the fake driver's stream
// (fake_cublaslt_compute.c).
#include <stdlib.h>
#include <string.h>

#include "cublaslt_abi.h"
#include "fake_cublaslt_compute.h"
#include "fake_cuda_driver.h"

static const uint64_t kAlgorithm = UINT64_C(0xa190517a190517);

struct cublasLtContext {
  int unused;
};
struct cublasLtMatmulDescOpaque {
  int compute, scale_type;
  int32_t transposed_a;
  uint32_t epilogue;
  const void *bias;
};
struct cublasLtMatrixLayoutOpaque {
  int type;
  uint64_t rows, columns;
  int64_t leading;
};
struct cublasLtMatmulPreferenceOpaque {
  uint64_t max_workspace;
  uint32_t reductions, alignment[4];
};

static struct {
  fake_cublaslt_settings settings;
  long fail_after;
  int fail_status, num_live, num_questions, num_products;
  const char *failed_call, *mistake;
  fake_cublaslt_question question;
  fake_cublaslt_product products[FAKE_CUBLASLT_MAX_PRODUCTS];
} fake;

__attribute__((constructor)) void fake_cublaslt_reset(void) {
  fake.settings = (fake_cublaslt_settings){.version = {13, 1, 2}, .num_candidates = 1,
                                           .computes = true};
  for (int k = 0; k < FAKE_CUBLASLT_MAX_CANDIDATES; ++k)
    fake.settings.candidates[k] = (fake_cublaslt_candidate){.min_rows = 1, .max_rows = UINT64_MAX};
  fake.fail_after = -1;
  fake.failed_call = fake.mistake = NULL;
  fake.num_questions = fake.num_products = 0;
}

fake_cublaslt_settings *fake_cublaslt_get_settings(void) { return &fake.settings; }
void fake_cublaslt_fail_call(long n, int status) {
  fake.fail_after = n;
  fake.fail_status = status;
  fake.failed_call = NULL;
}
const char *fake_cublaslt_failed_call(void) { return fake.failed_call; }
int fake_cublaslt_num_questions(void) { return fake.num_questions; }
const fake_cublaslt_question *fake_cublaslt_last_question(void) { return &fake.question; }
int fake_cublaslt_num_products(void) { return fake.num_products; }
const fake_cublaslt_product *fake_cublaslt_get_product(int k) { return &fake.products[k]; }
int fake_cublaslt_num_live(void) { return fake.num_live; }
const char *fake_cublaslt_mistake(void) { return fake.mistake; }

static cublasStatus_t mistake(const char *what) {
  if (!fake.mistake) fake.mistake = what;
  return CUBLAS_STATUS_INVALID_VALUE;
}

static bool fails(const char *call) {
  if (fake.fail_after < 0 || fake.fail_after-- > 0) return false;
  fake.failed_call = call;
  return true;
}
#define ENTER \
  if (fails(__func__)) return fake.fail_status

// ---- Objects -----------------------------------------------------------------------------------

static void *make(const void *value, size_t size) {
  void *made = malloc(size);
  memcpy(made, value, size);
  fake.num_live += 1;
  return made;
}

static cublasStatus_t end(void *object, const char *call) {
  if (!object) mistake("something was ended that was never made");
  free(object);
  fake.num_live -= 1;
  return fails(call) ? fake.fail_status : CUBLAS_STATUS_SUCCESS;
}

// Sets an attribute of `own` bytes, which are `size` for the caller.
static cublasStatus_t set(void *attribute, size_t own, const void *value, size_t size) {
  if (own != size) return mistake("an attribute was given with another size than it has");
  memcpy(attribute, value, size);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t *out) {
  ENTER;
  *out = make(&(struct cublasLtContext){0}, sizeof **out);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) { return end(handle, __func__); }
cublasStatus_t cublasLtGetProperty(int property, int *out) {
  ENTER;
  *out = fake.settings.version[property];
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *out, int compute, int scale_type) {
  ENTER;
  *out = make(&(struct cublasLtMatmulDescOpaque){compute, scale_type, 0, CUBLASLT_EPILOGUE_DEFAULT,
                                                 NULL},
              sizeof **out);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) { return end(desc, __func__); }
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc, int attribute,
                                              const void *value, size_t size) {
  ENTER;
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return set(&desc->transposed_a, sizeof desc->transposed_a, value, size);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return set(&desc->epilogue, sizeof desc->epilogue, value, size);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return set(&desc->bias, sizeof desc->bias, value, size);
    default: return mistake("an attribute of a product that the fake does not know");
  }
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *out, int type, uint64_t rows,
                                          uint64_t columns, int64_t leading) {
  ENTER;
  *out = make(&(struct cublasLtMatrixLayoutOpaque){type, rows, columns, leading}, sizeof **out);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  return end(layout, __func__);
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, int attribute,
                                                const void *value, size_t size) {
  ENTER;
  if (attribute == CUBLASLT_MATRIX_LAYOUT_COLS)
    return set(&layout->columns, sizeof layout->columns, value, size);
  return mistake("an attribute of a matrix that the fake does not know");
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *out) {
  ENTER;
  *out = make(&(struct cublasLtMatmulPreferenceOpaque){0, 7, {256, 256, 256, 256}}, sizeof **out);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  return end(preference, __func__);
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    int attribute, const void *value, size_t size) {
  ENTER;
  int matrix = attribute - CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES;
  if (attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES)
    return set(&preference->max_workspace, sizeof preference->max_workspace, value, size);
  if (attribute == CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK)
    return set(&preference->reductions, sizeof preference->reductions, value, size);
  if (matrix >= 0 && matrix < 4)
    return set(&preference->alignment[matrix], sizeof preference->alignment[matrix], value, size);
  return mistake("an attribute of a preference that the fake does not know");
}

// ---- Algorithms --------------------------------------------------------------------------------

static const struct {
  int type, compute, scale_type;
} kKnown[] = {
    {CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F},
    {CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F},
    {CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F},
    {CUDA_R_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F},
};

// result (n x rows, column by column) = weight^T (k x n), or weight (n x k), times rows (k x rows).
static bool is_product(cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d) {
  bool known = false;
  for (size_t k = 0; k < sizeof kKnown / sizeof kKnown[0]; ++k)
    known = known || (kKnown[k].type == a->type && kKnown[k].compute == desc->compute &&
                      kKnown[k].scale_type == desc->scale_type);
  uint64_t k = desc->transposed_a == CUBLAS_OP_T ? a->rows : a->columns;
  uint64_t n = desc->transposed_a == CUBLAS_OP_T ? a->columns : a->rows;
  return known &&
         (desc->epilogue == CUBLASLT_EPILOGUE_DEFAULT || desc->epilogue == CUBLASLT_EPILOGUE_BIAS) &&
         b->type == a->type && c->type == a->type && d->type == a->type && k == b->rows &&
         n == d->rows && b->columns == d->columns && c->rows == d->rows &&
         c->columns == d->columns && a->leading == (int64_t)a->rows && b->leading == (int64_t)k &&
         d->leading == (int64_t)d->rows && c->leading == d->leading && a->rows > 0 &&
         a->columns > 0 && b->columns > 0 && (desc->epilogue != CUBLASLT_EPILOGUE_BIAS || desc->bias);
}

static cublasLtMatmulAlgo_t algorithm_of(cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t weight,
                                         int candidate) {
  return (cublasLtMatmulAlgo_t){{kAlgorithm, (uint64_t)candidate, weight->rows, weight->columns,
                                 (uint64_t)weight->type, (uint64_t)desc->compute, desc->epilogue}};
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
    cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
    cublasLtMatmulPreference_t preference, int wanted, cublasLtMatmulHeuristicResult_t *results,
    int *out_found) {
  ENTER;
  if (!handle || !is_product(desc, a, b, c, d)) return mistake("an algorithm for what is no product");
  fake.num_questions += 1;
  fake.question = (fake_cublaslt_question){.rows = b->columns,
                                           .max_workspace = preference->max_workspace,
                                           .reductions = preference->reductions,
                                           .bias = desc->bias};
  memcpy(fake.question.alignment, preference->alignment, sizeof preference->alignment);
  int count = fake.settings.num_candidates < wanted ? fake.settings.num_candidates : wanted;
  for (int k = 0; k < count; ++k)
    results[k] = (cublasLtMatmulHeuristicResult_t){.algo = algorithm_of(desc, a, k),
                                                   .state = fake.settings.candidates[k].state};
  *out_found = count;
  return count ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

// The number of the candidate; -1: it is none for this product.
static int candidate_of(const cublasLtMatmulAlgo_t *algorithm, cublasLtMatmulDesc_t desc,
                        cublasLtMatrixLayout_t weight) {
  int candidate = (int)algorithm->data[1];
  cublasLtMatmulAlgo_t expected = algorithm_of(desc, weight, candidate);
  if (!memcmp(&expected, algorithm, sizeof expected)) return candidate;
  mistake("an algorithm of another product");
  return -1;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t *algorithm,
                                       cublasLtMatmulHeuristicResult_t *result) {
  ENTER;
  if (!handle || !is_product(desc, a, b, c, d)) return mistake("a check of what is no product");
  int candidate = candidate_of(algorithm, desc, a);
  if (candidate < 0) return CUBLAS_STATUS_INVALID_VALUE;
  const fake_cublaslt_candidate *own = &fake.settings.candidates[candidate];
  result->workspaceSize = own->workspace_bytes;
  return b->columns >= own->min_rows && b->columns <= own->max_rows ? CUBLAS_STATUS_SUCCESS
                                                                    : CUBLAS_STATUS_NOT_SUPPORTED;
}

// ---- Products ----------------------------------------------------------------------------------

static bool is_aligned(const void *pointer) { return (uintptr_t)pointer % 16 == 0; }

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha,
                              const void *a, cublasLtMatrixLayout_t a_layout, const void *b,
                              cublasLtMatrixLayout_t b_layout, const void *beta, const void *c,
                              cublasLtMatrixLayout_t c_layout, void *d,
                              cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t *algorithm, void *workspace,
                              size_t workspace_size, CUstream stream) {
  ENTER;
  if (!handle || !is_product(desc, a_layout, b_layout, c_layout, d_layout))
    return mistake("a product that the fake does not know");
  if (workspace_size > fake.question.max_workspace || (workspace_size && !workspace))
    return mistake("another workspace than was said");
  bool has_bias = desc->epilogue == CUBLASLT_EPILOGUE_BIAS;
  if (!is_aligned(a) || !is_aligned(b) || !is_aligned(c) || !is_aligned(d) ||
      (has_bias && !is_aligned(desc->bias)))
    return mistake("operands that are less aligned than was said");
  fake_cublaslt_product product = {
      .type = a_layout->type, .compute = desc->compute, .scale_type = desc->scale_type,
      .candidate = candidate_of(algorithm, desc, a_layout), .epilogue = desc->epilogue,
      .k = b_layout->rows, .n = d_layout->rows, .transposed = desc->transposed_a != CUBLAS_OP_T, .num_rows = b_layout->columns,
      .alpha = fake_cublaslt_load(desc->scale_type, alpha, 0), .beta = fake_cublaslt_load(desc->scale_type, beta, 0), .weight = a,
      .rows = b, .residual = c, .bias = has_bias ? desc->bias : NULL, .result = d,
      .stream = stream};
  if (product.candidate < 0) return CUBLAS_STATUS_INVALID_VALUE;
  fake.products[fake.num_products++ % FAKE_CUBLASLT_MAX_PRODUCTS] = product;
  if (!fake.settings.computes) return CUBLAS_STATUS_SUCCESS;
  int64_t words[sizeof product / 8 + 1] = {0};
  memcpy(words, &product, sizeof product);
  fake_cuda_enqueue(stream, fake_cublaslt_compute, words, sizeof words / sizeof words[0]);
  return CUBLAS_STATUS_SUCCESS;
}
