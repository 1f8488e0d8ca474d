// See library_product.h. oneDNN is loaded at run time; its header gives types only.
#include "library_product.h"

#if defined(__has_include)
#if __has_include(<oneapi/dnnl/dnnl.h>)
#include <oneapi/dnnl/dnnl.h>
#define RAGGED_BENCH_HAS_ONEDNN 1
#endif
#endif

#define UNAVAILABLE(...) ragged_status_make(RAGGED_STATUS_UNAVAILABLE, __VA_ARGS__)

#ifndef RAGGED_BENCH_HAS_ONEDNN

ragged_status ragged_bench_library_open(ragged_bench_library **out) {
  (void)out;
  return UNAVAILABLE("built without oneDNN's header");
}
void ragged_bench_library_close(ragged_bench_library *library) { (void)library; }
ragged_status ragged_bench_product_create(ragged_bench_library *library,
                                          const ragged_bench_product_shape *shape,
                                          const float *weight, const float *bias,
                                          ragged_bench_product **out) {
  (void)library, (void)shape, (void)weight, (void)bias, (void)out;
  return UNAVAILABLE("built without oneDNN's header");
}
void ragged_bench_product_destroy(ragged_bench_product *product) { (void)product; }
bool ragged_bench_product_run(ragged_bench_product *product, int slot, const float *source,
                              float *target) {
  (void)product, (void)slot, (void)source, (void)target;
  return false;
}

#else

#include <dlfcn.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

// The functions used, without the prefix dnnl_.
#define FUNCTIONS(F)                                                                          \
  F(version) F(engine_create) F(engine_destroy) F(stream_create) F(stream_wait)               \
  F(stream_destroy) F(memory_desc_init_by_tag) F(memory_desc_get_size) F(memory_create)       \
  F(memory_destroy) F(memory_set_data_handle) F(post_ops_create) F(post_ops_append_eltwise)   \
  F(post_ops_append_sum) F(post_ops_destroy) F(primitive_attr_create)                         \
  F(primitive_attr_set_post_ops) F(primitive_attr_set_scratchpad_mode)                        \
  F(primitive_attr_destroy) F(inner_product_forward_desc_init) F(primitive_desc_create)       \
  F(primitive_desc_query_md) F(primitive_desc_destroy) F(reorder_primitive_desc_create)       \
  F(primitive_create) F(primitive_execute) F(primitive_destroy)

struct ragged_bench_library {
  void *handle;
#define DECLARE(name) __typeof__(dnnl_##name) *name;
  FUNCTIONS(DECLARE)
#undef DECLARE
  dnnl_engine_t engine;
};

// What one thread needs for itself.
typedef struct slot_state {
  dnnl_stream_t stream;
  dnnl_memory_t source, target, scratch;
} slot_state;

struct ragged_bench_product {
  ragged_bench_library *library;
  dnnl_memory_desc_t source, weight, bias, target, scratch;
  dnnl_primitive_t primitive;
  dnnl_memory_t weight_memory, bias_memory;  // read by all threads
  int num_slots;
  slot_state slots[];
};

// NODELETE: its JIT code and thread pool do not survive being unloaded.
static ragged_status load(ragged_bench_library *library) {
  library->handle = dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library->handle) return UNAVAILABLE("oneDNN cannot be loaded: %s", dlerror());
#define LOAD(name)                                                            \
  {                                                                           \
    void *symbol = dlsym(library->handle, "dnnl_" #name);                     \
    if (!symbol) return UNAVAILABLE("libdnnl.so.2 has no dnnl_" #name);       \
    memcpy(&library->name, &symbol, sizeof symbol);                           \
  }
  FUNCTIONS(LOAD)
#undef LOAD
  int major = library->version()->major;
  if (major != 2) return UNAVAILABLE("oneDNN %d was found, 2 is required", major);
  if (library->engine_create(&library->engine, dnnl_cpu, 0) != dnnl_success)
    return UNAVAILABLE("oneDNN gives no CPU engine");
  return NULL;
}

ragged_status ragged_bench_library_open(ragged_bench_library **out) {
  ragged_bench_library *library = calloc(1, sizeof *library);
  if (!library) return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory");
  ragged_status status = load(library);
  if (status) ragged_bench_library_close(library);
  else *out = library;
  return status;
}

void ragged_bench_library_close(ragged_bench_library *library) {
  if (!library) return;
  if (library->engine) library->engine_destroy(library->engine);
  if (library->handle) dlclose(library->handle);
  free(library);
}

static bool make_attributes(const ragged_bench_library *library,
                            const ragged_bench_product_shape *shape, dnnl_post_ops_t post_ops,
                            dnnl_primitive_attr_t attributes) {
  if (shape->gelu && library->post_ops_append_eltwise(post_ops, 1.0f, dnnl_eltwise_gelu_erf, 0.0f,
                                                      0.0f) != dnnl_success)
    return false;
  if (shape->add && library->post_ops_append_sum(post_ops, 1.0f) != dnnl_success) return false;
  return library->primitive_attr_set_post_ops(attributes, post_ops) == dnnl_success &&
         library->primitive_attr_set_scratchpad_mode(attributes, dnnl_scratchpad_mode_user) ==
             dnnl_success;
}

static bool describe(ragged_bench_product *product, const ragged_bench_product_shape *shape,
                     bool has_bias, dnnl_inner_product_desc_t *out) {
  const ragged_bench_library *library = product->library;
  dnnl_dims_t source = {shape->rows, shape->k}, weight = {shape->n, shape->k}, bias = {shape->n},
              target = {shape->rows, shape->n};
  dnnl_memory_desc_t any;
  return library->memory_desc_init_by_tag(&product->source, 2, source, dnnl_f32, dnnl_ab) ==
             dnnl_success &&
         library->memory_desc_init_by_tag(&any, 2, weight, dnnl_f32, dnnl_format_tag_any) ==
             dnnl_success &&
         library->memory_desc_init_by_tag(&product->bias, 1, bias, dnnl_f32, dnnl_a) ==
             dnnl_success &&
         library->memory_desc_init_by_tag(&product->target, 2, target, dnnl_f32, dnnl_ab) ==
             dnnl_success &&
         library->inner_product_forward_desc_init(
             out, dnnl_forward_inference, &product->source, &any,
             has_bias ? &product->bias : NULL, &product->target) == dnnl_success;
}

static bool make_primitive(ragged_bench_product *product, const ragged_bench_product_shape *shape,
                           bool has_bias) {
  const ragged_bench_library *library = product->library;
  dnnl_inner_product_desc_t description;
  dnnl_post_ops_t post_ops = NULL;
  dnnl_primitive_attr_t attributes = NULL;
  dnnl_primitive_desc_t chosen = NULL;
  bool made = describe(product, shape, has_bias, &description) &&
              library->post_ops_create(&post_ops) == dnnl_success &&
              library->primitive_attr_create(&attributes) == dnnl_success &&
              make_attributes(library, shape, post_ops, attributes) &&
              library->primitive_desc_create(&chosen, &description, attributes, library->engine,
                                             NULL) == dnnl_success;
  if (made) {
    product->weight = *library->primitive_desc_query_md(chosen, dnnl_query_weights_md, 0);
    product->scratch = *library->primitive_desc_query_md(chosen, dnnl_query_scratchpad_md, 0);
    made = library->primitive_create(&product->primitive, chosen) == dnnl_success;
  }
  if (chosen) library->primitive_desc_destroy(chosen);
  if (attributes) library->primitive_attr_destroy(attributes);
  if (post_ops) library->post_ops_destroy(post_ops);
  return made;
}

static bool make_memories(ragged_bench_product *product, const float *bias) {
  const ragged_bench_library *library = product->library;
  dnnl_engine_t engine = library->engine;
  if (library->memory_create(&product->weight_memory, &product->weight, engine,
                             DNNL_MEMORY_ALLOCATE) != dnnl_success)
    return false;
  if (bias && library->memory_create(&product->bias_memory, &product->bias, engine,
                                     (void *)(uintptr_t)bias) != dnnl_success)
    return false;
  for (int k = 0; k < product->num_slots; ++k) {
    slot_state *slot = &product->slots[k];
    if (library->stream_create(&slot->stream, engine, dnnl_stream_default_flags) != dnnl_success ||
        library->memory_create(&slot->source, &product->source, engine, NULL) != dnnl_success ||
        library->memory_create(&slot->target, &product->target, engine, NULL) != dnnl_success ||
        library->memory_create(&slot->scratch, &product->scratch, engine, DNNL_MEMORY_ALLOCATE) !=
            dnnl_success)
      return false;
  }
  return true;
}

static bool reorder_weight(ragged_bench_product *product, const ragged_bench_product_shape *shape,
                           const float *weight) {
  const ragged_bench_library *library = product->library;
  dnnl_dims_t dimensions = {shape->n, shape->k};
  dnnl_memory_desc_t plain;
  dnnl_memory_t memory = NULL;
  dnnl_primitive_desc_t chosen = NULL;
  dnnl_primitive_t reorder = NULL;
  dnnl_stream_t stream = product->slots[0].stream;
  bool done =
      library->memory_desc_init_by_tag(&plain, 2, dimensions, dnnl_f32, dnnl_ab) == dnnl_success &&
      library->memory_create(&memory, &plain, library->engine, (void *)(uintptr_t)weight) ==
          dnnl_success &&
      library->reorder_primitive_desc_create(&chosen, &plain, library->engine, &product->weight,
                                             library->engine, NULL) == dnnl_success &&
      library->primitive_create(&reorder, chosen) == dnnl_success;
  if (done) {
    dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, memory}, {DNNL_ARG_TO, product->weight_memory}};
    done = library->primitive_execute(reorder, stream, 2, arguments) == dnnl_success &&
           library->stream_wait(stream) == dnnl_success;
  }
  if (reorder) library->primitive_destroy(reorder);
  if (chosen) library->primitive_desc_destroy(chosen);
  if (memory) library->memory_destroy(memory);
  return done;
}

ragged_status ragged_bench_product_create(ragged_bench_library *library,
                                          const ragged_bench_product_shape *shape,
                                          const float *weight, const float *bias,
                                          ragged_bench_product **out) {
  int threads = omp_get_max_threads();
  ragged_bench_product *product =
      calloc(1, sizeof *product + (size_t)threads * sizeof product->slots[0]);
  if (!product) return ragged_status_make(RAGGED_STATUS_RESOURCE_EXHAUSTED, "no memory");
  product->library = library;
  product->num_slots = threads;
  omp_set_num_threads(1);  // oneDNN then makes code for one thread
  bool made = make_primitive(product, shape, bias != NULL) && make_memories(product, bias) &&
              reorder_weight(product, shape, weight);
  omp_set_num_threads(threads);
  if (made) {
    *out = product;
    return NULL;
  }
  ragged_bench_product_destroy(product);
  return ragged_status_make(RAGGED_STATUS_INTERNAL, "oneDNN makes no product %lld x %lld x %lld",
                            (long long)shape->rows, (long long)shape->k, (long long)shape->n);
}

void ragged_bench_product_destroy(ragged_bench_product *product) {
  if (!product) return;
  const ragged_bench_library *library = product->library;
  for (int k = 0; k < product->num_slots; ++k) {
    slot_state *slot = &product->slots[k];
    if (slot->source) library->memory_destroy(slot->source);
    if (slot->target) library->memory_destroy(slot->target);
    if (slot->scratch) library->memory_destroy(slot->scratch);
    if (slot->stream) library->stream_destroy(slot->stream);
  }
  if (product->weight_memory) library->memory_destroy(product->weight_memory);
  if (product->bias_memory) library->memory_destroy(product->bias_memory);
  if (product->primitive) library->primitive_destroy(product->primitive);
  free(product);
}

bool ragged_bench_product_run(ragged_bench_product *product, int slot_number, const float *source,
                              float *target) {
  const ragged_bench_library *library = product->library;
  slot_state *slot = &product->slots[slot_number];
  if (library->memory_set_data_handle(slot->source, (void *)(uintptr_t)source) != dnnl_success ||
      library->memory_set_data_handle(slot->target, target) != dnnl_success)
    return false;
  dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, slot->source},
                                 {DNNL_ARG_WEIGHTS, product->weight_memory},
                                 {DNNL_ARG_DST, slot->target},
                                 {DNNL_ARG_SCRATCHPAD, slot->scratch},
                                 {DNNL_ARG_BIAS, product->bias_memory}};
  return library->primitive_execute(product->primitive, slot->stream, product->bias_memory ? 5 : 4,
                                    arguments) == dnnl_success &&
         library->stream_wait(slot->stream) == dnnl_success;
}

#endif
