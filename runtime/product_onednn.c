// Dense f32 products by oneDNN 2.x (C API), loaded at run time: its header is used for types only.
// One inner_product primitive per shape, made for block_rows rows and cached in the context, run by
// one thread at a time per worker slot (a stream and memory objects of its own). oneDNN itself is
// held to one thread, so the bits of a row depend neither on the number of threads nor on rows.
#include "product_library.h"

#if defined(__has_include)
#if __has_include(<oneapi/dnnl/dnnl.h>)
#include <oneapi/dnnl/dnnl.h>
#define RAGGED_RT_HAS_ONEDNN 1
#endif
#endif

#ifndef RAGGED_RT_HAS_ONEDNN

ragged_status ragged_rt_library_open(ragged_rt_memory *memory, int num_threads, char *name,
                                     size_t name_size, ragged_rt_library **out_library) {
  (void)memory, (void)num_threads, (void)name, (void)name_size, (void)out_library;
  return ragged_status_make(RAGGED_STATUS_UNAVAILABLE, "built without oneDNN's header");
}
void ragged_rt_library_close(ragged_rt_library *library, ragged_rt_memory *memory) {
  (void)library, (void)memory;
}
ragged_status ragged_rt_library_prepare(ragged_rt_library *library, ragged_rt_product *product,
                                        const float *weight, const float *bias) {
  (void)library, (void)product, (void)weight, (void)bias;
  return ragged_status_make(RAGGED_STATUS_UNAVAILABLE, "built without oneDNN's header");
}
bool ragged_rt_library_run(ragged_rt_product *product, const float *a, float *c, int64_t rows) {
  (void)product, (void)a, (void)c, (void)rows;
  return false;
}

#else

#include <dlfcn.h>
#include <omp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// The functions used, by name without the prefix dnnl_.
#define FUNCTIONS(F)                                                                             \
  F(version) F(engine_create) F(engine_destroy) F(stream_create) F(stream_wait) F(stream_destroy) \
  F(memory_desc_init_by_tag) F(memory_desc_equal) F(memory_desc_get_size)                        \
  F(memory_create) F(memory_destroy) F(memory_set_data_handle)                                   \
  F(post_ops_create) F(post_ops_append_eltwise) F(post_ops_append_sum) F(post_ops_destroy)       \
  F(primitive_attr_create) F(primitive_attr_set_post_ops)                                        \
  F(primitive_attr_set_scratchpad_mode) F(primitive_attr_destroy)                                \
  F(inner_product_forward_desc_init) F(primitive_desc_create) F(primitive_desc_query_md)         \
  F(primitive_desc_destroy) F(reorder_primitive_desc_create) F(primitive_create)                 \
  F(primitive_execute) F(primitive_destroy)

// What one running call needs for itself.
typedef struct worker_slot {
  atomic_flag busy;
  dnnl_stream_t stream;
  dnnl_memory_t source, weight, bias, target, scratch;
} worker_slot;

struct ragged_rt_primitive {
  ragged_rt_primitive *next;
  ragged_rt_library *library;
  ragged_rt_product_shape shape;
  bool add_after;  // residual by hand, after an activation
  bool weight_in_place;
  dnnl_memory_desc_t source, plain_weight, weight, bias, target, scratch;
  int64_t scratch_bytes;
  dnnl_primitive_t product, reorder;  // reorder: null if weight_in_place
  int num_slots;
  worker_slot slots[];
};

struct ragged_rt_library {
  void *handle;
#define DECLARE(name) __typeof__(dnnl_##name) *name;
  FUNCTIONS(DECLARE)
#undef DECLARE
  int num_threads;
  dnnl_engine_t engine;
  ragged_rt_primitive *primitives;
};

static ragged_status load(ragged_rt_library *library) {
  // NODELETE: its thread pool and JIT code do not survive being unloaded.
  library->handle = dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library->handle)
    return ragged_status_make(RAGGED_STATUS_UNAVAILABLE, "oneDNN cannot be loaded: %s", dlerror());
#define LOAD(name)                                                                             \
  {                                                                                            \
    void *symbol = dlsym(library->handle, "dnnl_" #name);                                      \
    if (!symbol)                                                                               \
      return ragged_status_make(RAGGED_STATUS_UNAVAILABLE, "libdnnl.so.2 has no dnnl_" #name); \
    memcpy(&library->name, &symbol, sizeof symbol);                                            \
  }
  FUNCTIONS(LOAD)
#undef LOAD
  if (library->version()->major != 2)
    return ragged_status_make(RAGGED_STATUS_UNAVAILABLE, "oneDNN %d was found, but 2 is required",
                              library->version()->major);
  if (library->engine_create(&library->engine, dnnl_cpu, 0) != dnnl_success)
    return ragged_status_make(RAGGED_STATUS_UNAVAILABLE, "oneDNN gives no CPU engine");
  return NULL;
}

ragged_status ragged_rt_library_open(ragged_rt_memory *memory, int num_threads, char *name,
                                     size_t name_size, ragged_rt_library **out_library) {
  ragged_rt_library *library = ragged_rt_metadata_allocate(memory, sizeof *library, 0, 1);
  if (!library) return ragged_rt_no_metadata("oneDNN");
  library->num_threads = num_threads;
  ragged_status status = load(library);
  if (status) {
    ragged_rt_library_close(library, memory);
    return status;
  }
  const dnnl_version_t *version = library->version();
  snprintf(name, name_size, "oneDNN %d.%d.%d", version->major, version->minor, version->patch);
  *out_library = library;
  return NULL;
}

// ---- Primitives ------------------------------------------------------------------------------

static void destroy_primitive(ragged_rt_primitive *primitive, ragged_rt_memory *memory) {
  ragged_rt_library *library = primitive->library;
  for (int k = 0; k < primitive->num_slots; ++k) {
    worker_slot *slot = &primitive->slots[k];
    dnnl_memory_t memories[] = {slot->source, slot->weight, slot->bias, slot->target,
                                slot->scratch};
    for (size_t j = 0; j < sizeof memories / sizeof memories[0]; ++j)
      if (memories[j]) library->memory_destroy(memories[j]);
    if (slot->stream) library->stream_destroy(slot->stream);
  }
  if (primitive->product) library->primitive_destroy(primitive->product);
  if (primitive->reorder) library->primitive_destroy(primitive->reorder);
  ragged_rt_metadata_free(memory, primitive);
}

void ragged_rt_library_close(ragged_rt_library *library, ragged_rt_memory *memory) {
  if (!library) return;
  while (library->primitives) {
    ragged_rt_primitive *next = library->primitives->next;
    destroy_primitive(library->primitives, memory);
    library->primitives = next;
  }
  if (library->engine) library->engine_destroy(library->engine);
  if (library->handle) dlclose(library->handle);
  ragged_rt_metadata_free(memory, library);
}

static bool append_post_ops(const ragged_rt_library *library, const ragged_rt_primitive *primitive,
                            dnnl_post_ops_t post_ops) {
  static const dnnl_alg_kind_t kinds[RAGGED_RT_ACTIVATION_COUNT] = {
      [RAGGED_RT_ACTIVATION_RELU] = dnnl_eltwise_relu,
      [RAGGED_RT_ACTIVATION_GELU] = dnnl_eltwise_gelu_erf,
      [RAGGED_RT_ACTIVATION_SIGMOID] = dnnl_eltwise_logistic};
  const ragged_rt_product_shape *shape = &primitive->shape;
  if (shape->activation != RAGGED_RT_ACTIVATION_NONE &&
      library->post_ops_append_eltwise(post_ops, 1.0f, kinds[shape->activation], 0.0f, 0.0f) !=
          dnnl_success)
    return false;
  bool sum = shape->residual && !primitive->add_after;
  return !sum || library->post_ops_append_sum(post_ops, 1.0f) == dnnl_success;
}

// *out stays null on failure.
static void make_attributes(const ragged_rt_library *library, const ragged_rt_primitive *primitive,
                            dnnl_primitive_attr_t *out) {
  dnnl_primitive_attr_t attributes = NULL;
  dnnl_post_ops_t post_ops = NULL;
  bool made = library->primitive_attr_create(&attributes) == dnnl_success &&
              library->primitive_attr_set_scratchpad_mode(
                  attributes, dnnl_scratchpad_mode_user) == dnnl_success &&
              library->post_ops_create(&post_ops) == dnnl_success &&
              append_post_ops(library, primitive, post_ops) &&
              library->primitive_attr_set_post_ops(attributes, post_ops) == dnnl_success;
  if (post_ops) library->post_ops_destroy(post_ops);
  if (made) *out = attributes;
  else if (attributes) library->primitive_attr_destroy(attributes);
}

static bool describe(const ragged_rt_library *library, ragged_rt_primitive *primitive,
                     dnnl_inner_product_desc_t *out) {
  const ragged_rt_product_shape *shape = &primitive->shape;
  dnnl_dims_t source = {shape->block_rows, shape->k}, weight = {shape->n, shape->k},
              bias = {shape->n}, target = {shape->block_rows, shape->n};
  dnnl_memory_desc_t any_weight;
  return library->memory_desc_init_by_tag(&primitive->source, 2, source, dnnl_f32, dnnl_ab) ==
             dnnl_success &&
         library->memory_desc_init_by_tag(&primitive->plain_weight, 2, weight, dnnl_f32,
                                          shape->transposed ? dnnl_ba : dnnl_ab) == dnnl_success &&
         library->memory_desc_init_by_tag(&any_weight, 2, weight, dnnl_f32,
                                          dnnl_format_tag_any) == dnnl_success &&
         library->memory_desc_init_by_tag(&primitive->bias, 1, bias, dnnl_f32, dnnl_a) ==
             dnnl_success &&
         library->memory_desc_init_by_tag(&primitive->target, 2, target, dnnl_f32, dnnl_ab) ==
             dnnl_success &&
         library->inner_product_forward_desc_init(out, dnnl_forward_inference, &primitive->source,
                                                  &any_weight,
                                                  shape->has_bias ? &primitive->bias : NULL,
                                                  &primitive->target) == dnnl_success;
}

static bool make_product(const ragged_rt_library *library, ragged_rt_primitive *primitive) {
  dnnl_inner_product_desc_t description;
  dnnl_primitive_attr_t attributes = NULL;
  dnnl_primitive_desc_t chosen = NULL;
  if (!describe(library, primitive, &description)) return false;
  make_attributes(library, primitive, &attributes);
  bool made = attributes && library->primitive_desc_create(&chosen, &description, attributes,
                                                           library->engine, NULL) == dnnl_success;
  if (made) {
    primitive->weight = *library->primitive_desc_query_md(chosen, dnnl_query_weights_md, 0);
    primitive->scratch = *library->primitive_desc_query_md(chosen, dnnl_query_scratchpad_md, 0);
    primitive->scratch_bytes = (int64_t)library->memory_desc_get_size(&primitive->scratch);
    primitive->weight_in_place =
        library->memory_desc_equal(&primitive->weight, &primitive->plain_weight) != 0;
    made = library->primitive_create(&primitive->product, chosen) == dnnl_success;
  }
  if (chosen) library->primitive_desc_destroy(chosen);
  if (attributes) library->primitive_attr_destroy(attributes);
  return made;
}

static bool make_reorder(const ragged_rt_library *library, ragged_rt_primitive *primitive) {
  if (primitive->weight_in_place) return true;
  dnnl_primitive_desc_t chosen = NULL;
  bool made = library->reorder_primitive_desc_create(
                  &chosen, &primitive->plain_weight, library->engine, &primitive->weight,
                  library->engine, NULL) == dnnl_success &&
              library->primitive_create(&primitive->reorder, chosen) == dnnl_success;
  if (chosen) library->primitive_desc_destroy(chosen);
  return made;
}

static bool make_slots(const ragged_rt_library *library, ragged_rt_primitive *primitive) {
  dnnl_engine_t engine = library->engine;
  for (int k = 0; k < primitive->num_slots; ++k) {
    worker_slot *slot = &primitive->slots[k];
    atomic_flag_clear(&slot->busy);
    if (library->stream_create(&slot->stream, engine, dnnl_stream_default_flags) != dnnl_success ||
        library->memory_create(&slot->source, &primitive->source, engine, NULL) != dnnl_success ||
        library->memory_create(&slot->weight, &primitive->weight, engine, NULL) != dnnl_success ||
        library->memory_create(&slot->bias, &primitive->bias, engine, NULL) != dnnl_success ||
        library->memory_create(&slot->target, &primitive->target, engine, NULL) != dnnl_success ||
        library->memory_create(&slot->scratch, &primitive->scratch, engine, NULL) != dnnl_success)
      return false;
  }
  return true;
}

static bool same_shape(const ragged_rt_product_shape *a, const ragged_rt_product_shape *b) {
  return a->k == b->k && a->n == b->n && a->block_rows == b->block_rows &&
         a->transposed == b->transposed && a->activation == b->activation && a->has_bias == b->has_bias &&
         a->residual == b->residual;
}

static ragged_status get_primitive(ragged_rt_library *library, ragged_rt_memory *memory,
                                   const ragged_rt_product_shape *shape,
                                   ragged_rt_primitive **out) {
  for (ragged_rt_primitive *known = library->primitives; known; known = known->next) {
    if (!same_shape(&known->shape, shape)) continue;
    *out = known;
    return NULL;
  }
  ragged_rt_primitive *primitive = ragged_rt_metadata_allocate(
      memory, sizeof *primitive, library->num_threads, sizeof primitive->slots[0]);
  if (!primitive) return ragged_rt_no_metadata("a oneDNN primitive");
  primitive->library = library;
  primitive->shape = *shape;
  primitive->num_slots = library->num_threads;
  // oneDNN's fast kernels take a sum only as the first post-op.
  primitive->add_after = shape->residual && shape->activation != RAGGED_RT_ACTIVATION_NONE;
  int threads = omp_get_max_threads();
  omp_set_num_threads(1);  // the kernel and scratchpad for one thread
  bool made = make_product(library, primitive) && make_reorder(library, primitive) &&
              make_slots(library, primitive);
  omp_set_num_threads(threads);
  if (!made) {
    destroy_primitive(primitive, memory);
    return ragged_status_make(RAGGED_STATUS_INTERNAL,
                              "oneDNN makes no product of %lld rows with K = %lld, N = %lld",
                              (long long)shape->block_rows, (long long)shape->k,
                              (long long)shape->n);
  }
  primitive->next = library->primitives;
  library->primitives = primitive;
  *out = primitive;
  return NULL;
}

// ---- Preparing and running -----------------------------------------------------------------------

static bool set_handle(const ragged_rt_library *library, dnnl_memory_t memory, const void *data) {
  return library->memory_set_data_handle(memory, (void *)(uintptr_t)data) == dnnl_success;
}

static bool reorder_weight(const ragged_rt_library *library, ragged_rt_primitive *primitive,
                           const float *plain, void *packed) {
  worker_slot *slot = &primitive->slots[0];  // nothing else runs
  dnnl_memory_t source = NULL;
  bool done = library->memory_create(&source, &primitive->plain_weight, library->engine,
                                     (void *)(uintptr_t)plain) == dnnl_success &&
              set_handle(library, slot->weight, packed);
  if (done) {
    dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, source}, {DNNL_ARG_TO, slot->weight}};
    done = library->primitive_execute(primitive->reorder, slot->stream, 2, arguments) ==
               dnnl_success &&
           library->stream_wait(slot->stream) == dnnl_success;
  }
  if (source) library->memory_destroy(source);
  return done;
}

static ragged_status allocate_scratch(ragged_rt_product *product,
                                      const ragged_rt_primitive *primitive) {
  const ragged_rt_product_shape *shape = &primitive->shape;
  int64_t bytes = primitive->scratch_bytes;
  if (primitive->add_after) bytes += shape->block_rows * shape->n * (int64_t)sizeof(float) + 64;
  product->scratch_stride = (bytes + 63) & ~(int64_t)63;
  int64_t total = product->scratch_stride * primitive->num_slots;
  RAGGED_RETURN_IF_ERROR(ragged_rt_memory_allocate(&product->context->memory, total,
                                                   "scratch of a product", &product->scratch));
  product->scratch_bytes = total;
  return NULL;
}

ragged_status ragged_rt_library_prepare(ragged_rt_library *library, ragged_rt_product *product,
                                        const float *weight, const float *bias) {
  ragged_rt_memory *memory = &product->context->memory;
  ragged_rt_primitive *primitive = NULL;
  RAGGED_RETURN_IF_ERROR(get_primitive(library, memory, &product->shape, &primitive));
  RAGGED_RETURN_IF_ERROR(allocate_scratch(product, primitive));
  product->primitive = primitive;
  product->bias = bias;
  if (primitive->weight_in_place) {
    product->weight = weight;
    return NULL;
  }
  int64_t bytes = (int64_t)library->memory_desc_get_size(&primitive->weight);
  RAGGED_RETURN_IF_ERROR(
      ragged_rt_memory_allocate(memory, bytes, "a packed weight", &product->weight_block));
  product->weight_bytes = bytes;
  product->weight = product->weight_block;
  if (!reorder_weight(library, primitive, weight, product->weight_block))
    return ragged_status_make(RAGGED_STATUS_INTERNAL, "oneDNN's reorder of a weight failed");
  return NULL;
}

// At most num_slots workers run, so one is free. A worker usually finds its own.
static int take_slot(ragged_rt_primitive *primitive) {
  for (int k = omp_get_thread_num() % primitive->num_slots;; k = (k + 1) % primitive->num_slots)
    if (!atomic_flag_test_and_set_explicit(&primitive->slots[k].busy, memory_order_acquire))
      return k;
}

static bool execute(const ragged_rt_product *product, const worker_slot *slot, const float *a,
                    float *target, void *scratch) {
  const ragged_rt_primitive *primitive = product->primitive;
  const ragged_rt_library *library = primitive->library;
  if (!set_handle(library, slot->source, a) || !set_handle(library, slot->weight, product->weight) ||
      !set_handle(library, slot->target, target) || !set_handle(library, slot->scratch, scratch) ||
      !set_handle(library, slot->bias, product->bias))
    return false;
  dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, slot->source},
                                 {DNNL_ARG_WEIGHTS, slot->weight},
                                 {DNNL_ARG_DST, slot->target},
                                 {DNNL_ARG_SCRATCHPAD, slot->scratch},
                                 {DNNL_ARG_BIAS, slot->bias}};
  int count = primitive->shape.has_bias ? 5 : 4;
  int threads = omp_get_max_threads();
  if (threads != 1) omp_set_num_threads(1);
  bool done = library->primitive_execute(primitive->product, slot->stream, count, arguments) ==
                  dnnl_success &&
              library->stream_wait(slot->stream) == dnnl_success;
  if (threads != 1) omp_set_num_threads(threads);
  return done;
}

bool ragged_rt_library_run(ragged_rt_product *product, const float *a, float *c, int64_t rows) {
  ragged_rt_primitive *primitive = product->primitive;
  int k = take_slot(primitive);
  char *scratch = product->scratch;
  if (scratch) scratch += k * product->scratch_stride;
  float *target = c;
  if (primitive->add_after) {
    int64_t behind = (primitive->scratch_bytes + 63) & ~(int64_t)63;
    target = (float *)(void *)(scratch + behind);
  }
  bool done = execute(product, &primitive->slots[k], a, target, scratch);
  if (done && primitive->add_after)
    for (int64_t i = 0; i < rows * primitive->shape.n; ++i) c[i] += target[i];
  atomic_flag_clear_explicit(&primitive->slots[k].busy, memory_order_release);
  return done;
}

#endif  // RAGGED_RT_HAS_ONEDNN
