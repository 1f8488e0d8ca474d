// The life of a product: checks, the choice between the library and the compiler's own kernel,
// packing for the latter, running, counting.
#include "product.h"

#include <omp.h>
#include <stdio.h>

#include "product_library.h"
#include "support/checked.h"

static ragged_element_type compute_type(const ragged_rt_product *product) {
  return product->shape.element_type;
}

// A weight or bias may be bf16 where the product computes in f32.
static ragged_status check_operand(const ragged_rt_product *product, const char *what,
                                   const ragged_rt_tensor *tensor, int64_t elements) {
  bool widened = tensor->element_type == RAGGED_ELEMENT_BF16 &&
                 compute_type(product) == RAGGED_ELEMENT_F32;
  if (tensor->element_type != compute_type(product) && !widened)
    return ragged_status_make(RAGGED_STATUS_INTERNAL,
                              "the %s of a product in %s has element type %s", what,
                              ragged_element_name(compute_type(product)),
                              ragged_element_name(tensor->element_type));
  if (ragged_rt_tensor_elements(tensor) != elements)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "the %s of a product with K = %lld, N = %lld holds %lld elements, "
                              "but %lld are required",
                              what, (long long)product->shape.k, (long long)product->shape.n,
                              (long long)ragged_rt_tensor_elements(tensor), (long long)elements);
  return NULL;
}

static ragged_status check_product(const ragged_rt_product *product,
                                   const ragged_rt_tensor *weight, const ragged_rt_tensor *bias,
                                   int64_t panel) {
  const ragged_rt_product_shape *shape = &product->shape;
  int64_t elements;
  bool type_known = shape->element_type == RAGGED_ELEMENT_F32 ||
                    shape->element_type == RAGGED_ELEMENT_F64 ||
                    shape->element_type == RAGGED_ELEMENT_I64;
  if (!type_known || shape->k < 0 || shape->n < 0 || shape->block_rows < 1 || panel < 1 ||
      shape->activation < 0 || shape->activation >= RAGGED_RT_ACTIVATION_COUNT ||
      !ragged_checked_multiply(shape->k, shape->n, &elements))
    return ragged_status_make(RAGGED_STATUS_INTERNAL,
                              "a product was asked for with element type %d, K = %lld, N = %lld, "
                              "blocks of %lld rows, panels of %lld, activation %d",
                              (int)shape->element_type, (long long)shape->k, (long long)shape->n,
                              (long long)shape->block_rows, (long long)panel, shape->activation);
  RAGGED_RETURN_IF_ERROR(check_operand(product, "weight", weight, elements));
  return bias ? check_operand(product, "bias", bias, shape->n) : NULL;
}

// The operand's values in the product's type: in place, keeping a reference in *keep, or widened to
// a block of the context's memory.
static ragged_status widened_operand(ragged_rt_product *product, ragged_rt_tensor *tensor,
                                     const char *what, ragged_rt_tensor **keep, void **block,
                                     int64_t *block_bytes, const void **out) {
  if (tensor->element_type == compute_type(product)) {
    ragged_rt_tensor_retain(tensor);
    *keep = tensor;
    *out = tensor->data;
    return NULL;
  }
  int64_t count = ragged_rt_tensor_elements(tensor);
  int64_t bytes = count * (int64_t)sizeof(float);
  RAGGED_RETURN_IF_ERROR(
      ragged_rt_memory_allocate(&product->context->memory, bytes, what, block));
  *block_bytes = bytes;
  ragged_rt_product_widen(product->context, tensor->data, count, *block);
  *out = *block;
  return NULL;
}

static ragged_status pack_generated(ragged_rt_product *product, const ragged_rt_tensor *weight,
                                    int64_t panel) {
  const ragged_rt_product_shape *shape = &product->shape;
  int64_t bytes = (int64_t)ragged_element_size(compute_type(product));
  int64_t panels = shape->n == 0 ? 0 : (shape->n - 1) / panel + 1;
  if (!ragged_checked_multiply(bytes, panels, &bytes) ||
      !ragged_checked_multiply(bytes, panel, &bytes) ||
      !ragged_checked_multiply(bytes, shape->k, &bytes))
    return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED,
                              "a packed weight of %lld x %lld is over 2^63 - 1 bytes",
                              (long long)shape->n, (long long)shape->k);
  RAGGED_RETURN_IF_ERROR(ragged_rt_memory_allocate(&product->context->memory, bytes,
                                                   "a packed weight", &product->weight_block));
  product->weight_bytes = bytes;
  product->weight = product->weight_block;
  if (bytes)
    ragged_rt_product_pack(product->context, weight->element_type, weight->data,
                           shape->transposed, shape->n, shape->k, panel, product->weight_block);
  return NULL;
}

static ragged_status prepare_library(ragged_rt_product *product, ragged_rt_tensor *weight) {
  const void *plain = NULL;
  void *widened = NULL;
  int64_t widened_bytes = 0;
  ragged_rt_memory *memory = &product->context->memory;
  ragged_status status = widened_operand(product, weight, "a widened weight",
                                         &product->weight_tensor, &widened, &widened_bytes, &plain);
  if (!status)
    status = ragged_rt_library_prepare(product->context->library, product, plain, product->bias);
  if (product->weight == plain) {  // read in place
    if (widened) {
      product->weight_block = widened;
      product->weight_bytes = widened_bytes;
    }
    return status;
  }
  ragged_rt_memory_free(memory, widened, widened_bytes);
  ragged_rt_tensor_release(product->weight_tensor);
  product->weight_tensor = NULL;
  return status;
}

// Where the choice is free: the compiler's kernel, whose epilogue runs in registers, is the faster
// one (docs/decisions/0006) but for a few columns, which do not fill its vectors, and on processors
// without fused multiply-add.
static bool prefer_generated(const ragged_rt_product *product) {
  if (product->context->library_required || !product->generated) return false;
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("fma")) return false;
#endif
  return product->shape.n >= 16;
}

ragged_status ragged_rt_product_prepare_host(ragged_rt_product *product, ragged_rt_tensor *weight,
                                             ragged_rt_tensor *bias, int64_t panel) {
  const ragged_rt_product_shape *shape = &product->shape;
  if (bias)
    RAGGED_RETURN_IF_ERROR(widened_operand(product, bias, "a widened bias", &product->bias_tensor,
                                           &product->bias_block, &product->bias_bytes,
                                           &product->bias));
  // The library's relu makes 0 of NaN.
  bool relu = shape->activation == RAGGED_RT_ACTIVATION_RELU && product->generated;
  bool library = product->context->library && compute_type(product) == RAGGED_ELEMENT_F32 &&
                 shape->k > 0 && shape->n > 0 && !relu;
  if (library && !prefer_generated(product)) return prepare_library(product, weight);
  if (!product->generated)
    return ragged_status_make(RAGGED_STATUS_UNIMPLEMENTED,
                              "a product in %s with K = %lld, N = %lld has no generated kernel and "
                              "no library runs it",
                              ragged_element_name(compute_type(product)), (long long)shape->k,
                              (long long)shape->n);
  return pack_generated(product, weight, panel);
}

ragged_status ragged_rt_product_create(ragged_rt_context *context,
                                       const ragged_rt_product_shape *shape,
                                       ragged_rt_tensor *weight, ragged_rt_tensor *bias,
                                       int64_t panel, ragged_rt_product_function generated,
                                       ragged_rt_product **out_product) {
  ragged_rt_product *product =
      ragged_rt_metadata_allocate(&context->memory, sizeof *product, 0, 1);
  if (!product) return ragged_rt_no_metadata("a product");
  product->context = context;
  product->shape = *shape;
  product->generated = generated;
  atomic_init(&product->failed, false);
  atomic_init(&product->calls, 0);
  atomic_init(&product->rows, 0);
  atomic_init(&product->nanoseconds, 0);
  const ragged_rt_device_table *device = context->device->table;
  ragged_status status = check_product(product, weight, bias, panel);
  if (!status && !device->product)
    status = ragged_status_make(RAGGED_STATUS_UNIMPLEMENTED,
                                "a product called by host kernels on device '%s'", device->name);
  if (!status) status = device->product(product, weight, bias, panel);
  if (status) {
    ragged_rt_product_destroy(product);
    return status;
  }
  ragged_rt_product_write_name(shape,
                               product->primitive ? context->product_library : "generated",
                               product->name, sizeof product->name);
  *out_product = product;
  return NULL;
}

void ragged_rt_product_write_name(const ragged_rt_product_shape *shape, const char *runner,
                                  char *out, size_t size) {
  static const char *const activations[RAGGED_RT_ACTIVATION_COUNT] = {"", "_relu", "_gelu",
                                                                      "_sigmoid"};
  snprintf(out, size, "product_%s_k%lld_n%lld%s%s%s (%s)", ragged_element_name(shape->element_type),
           (long long)shape->k, (long long)shape->n, shape->has_bias ? "_bias" : "",
           activations[shape->activation], shape->residual ? "_residual" : "", runner);
}

int64_t ragged_rt_product_count_flops(const ragged_rt_product_shape *shape, int64_t rows) {
  int64_t multiplications =
      ragged_rt_saturating_multiply(ragged_rt_saturating_multiply(rows, shape->k), shape->n);
  return ragged_rt_saturating_multiply(2, multiplications);
}

int64_t ragged_rt_product_count_bytes(const ragged_rt_product_shape *shape, int64_t calls,
                                      int64_t rows) {
  int64_t per_row = shape->k + (shape->residual ? 2 : 1) * shape->n;
  int64_t elements = ragged_rt_saturating_multiply(rows, per_row);
  int64_t weights = ragged_rt_saturating_multiply(calls, shape->k * shape->n);
  if (!ragged_checked_add(elements, weights, &elements)) elements = INT64_MAX;
  return ragged_rt_saturating_multiply(elements, (int64_t)ragged_element_size(shape->element_type));
}

void ragged_rt_product_destroy(ragged_rt_product *product) {
  if (!product) return;
  ragged_rt_context *context = product->context;
  int64_t calls = atomic_load(&product->calls), rows = atomic_load(&product->rows);
  if (calls)
    ragged_rt_statistics_add(&context->observer, &context->memory, product->name, calls, rows,
                             ragged_rt_product_count_bytes(&product->shape, calls, rows),
                             ragged_rt_product_count_flops(&product->shape, rows),
                             atomic_load(&product->nanoseconds));
  ragged_rt_memory_free(&context->memory, product->weight_block, product->weight_bytes);
  ragged_rt_memory_free(&context->memory, product->bias_block, product->bias_bytes);
  ragged_rt_memory_free(&context->memory, product->scratch, product->scratch_bytes);
  ragged_rt_tensor_release(product->weight_tensor);
  ragged_rt_tensor_release(product->bias_tensor);
  ragged_rt_metadata_free(&context->memory, product);
}

ragged_status ragged_rt_product_status(ragged_rt_product *product) {
  if (!atomic_load(&product->failed)) return NULL;
  return ragged_status_make(RAGGED_STATUS_INTERNAL, "%s failed", product->name);
}

static void run(ragged_rt_product *product, const void *a, void *c, int64_t rows) {
  if (!product->primitive)
    product->generated(a, product->weight, product->bias, c, rows);
  else if (!ragged_rt_library_run(product, a, c, rows))
    atomic_store(&product->failed, true);
}

void ragged_rt_product_run(ragged_rt_product *product, const void *a, void *c, int64_t rows) {
  if (!product || rows <= 0 || product->shape.n == 0) return;
  ragged_rt_observer *observer = &product->context->observer;
  if (!ragged_rt_observes(observer)) {
    run(product, a, c, rows);
    return;
  }
  int64_t begin = ragged_rt_now();
  run(product, a, c, rows);
  int64_t end = ragged_rt_now();
  atomic_fetch_add(&product->calls, 1);
  atomic_fetch_add(&product->rows, rows);
  atomic_fetch_add(&product->nanoseconds, end - begin);
  ragged_rt_trace_span(observer, product->name, omp_get_thread_num(), begin, end, rows,
                       ragged_rt_product_count_bytes(&product->shape, 1, rows),
                       ragged_rt_product_count_flops(&product->shape, rows));
}
