// Numbers of the host on the device: constants of compiled code, extents and offsets, what a call
// tells its kernels. Known by content, so that no call uploads what an earlier one did, and a call
// that is captured uploads nothing: a graph would read the host's memory again at every launch.
#include "constants.h"

#include "capture.h"
#include "context.h"

enum { kMaxIdle = 1024 };
static const int64_t kMaxIdleBytes = (int64_t)256 << 20;

typedef struct content {
  int64_t bytes;
  uint64_t check;
} content;

// Two hashes of 64 bits and the size stand for the content, which the host does not keep.
static bool has_content(const ragged_rt_intern_node *node, const void *key) {
  const ragged_rt_constant *constant = (const ragged_rt_constant *)node;
  const content *wanted = key;
  return constant->bytes == wanted->bytes && constant->check == wanted->check;
}

// ---- Those that nobody uses, the one that was used last first ------------------------------------

static void unlink_idle(ragged_rt_constants *constants, ragged_rt_constant *constant) {
  if (constant->newer) constant->newer->older = constant->older;
  else constants->newest = constant->older;
  if (constant->older) constant->older->newer = constant->newer;
  else constants->oldest = constant->newer;
  constant->newer = constant->older = NULL;
  constants->num_idle -= 1;
  constants->idle_bytes -= constant->bytes;
}

static void link_idle(ragged_rt_constants *constants, ragged_rt_constant *constant) {
  constant->older = constants->newest;
  if (constants->newest) constants->newest->newer = constant;
  else constants->oldest = constant;
  constants->newest = constant;
  constants->num_idle += 1;
  constants->idle_bytes += constant->bytes;
}

static void destroy(ragged_rt_context *context, ragged_rt_constant *constant) {
  unlink_idle(&context->constants, constant);
  ragged_rt_intern_remove(&context->constants.table, &constant->node);
  ragged_rt_memory_free_parked(&context->memory, constant->data, constant->bytes);
  ragged_rt_metadata_free(&context->memory, constant);
}

void ragged_rt_constants_clear(ragged_rt_context *context) {
  while (context->constants.oldest) destroy(context, context->constants.oldest);
  ragged_rt_metadata_free(&context->memory, context->constants.table.buckets);
  context->constants.table = (ragged_rt_intern_table){0};
}

// ---- Making --------------------------------------------------------------------------------------

static ragged_status fill(ragged_rt_context *context, ragged_rt_constant *constant,
                          const void *values) {
  RAGGED_RETURN_IF_ERROR(ragged_rt_memory_allocate(&context->memory, constant->bytes,
                                                   "constants, lengths and offsets",
                                                   &constant->data));
  ragged_rt_device *device = context->device;
  ragged_status status =
      device->table->upload(device, constant->data, values, (size_t)constant->bytes);
  if (!status)
    status = ragged_rt_intern_insert(&context->constants.table, &context->memory, &constant->node);
  if (status) ragged_rt_memory_free(&context->memory, constant->data, constant->bytes);
  return status;
}

static ragged_status make(ragged_rt_context *context, const content *key, uint64_t hash,
                          const void *values, ragged_rt_constant **out) {
  if (context->capture)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "%lld bytes of constants, lengths or offsets would have to be "
                              "uploaded while the stream is captured; make the same call once "
                              "before the capture begins",
                              (long long)key->bytes);
  ragged_rt_constant *constant =
      ragged_rt_metadata_allocate(&context->memory, sizeof *constant, 0, 1);
  if (!constant) return ragged_rt_no_metadata("a constant");
  constant->node.hash = hash;
  constant->context = context;
  constant->check = key->check;
  constant->bytes = key->bytes;
  constant->references = 1;
  ragged_status status = fill(context, constant, values);
  if (status) ragged_rt_metadata_free(&context->memory, constant);
  else *out = constant;
  return status;
}

ragged_status ragged_rt_constant_get(ragged_rt_context *context, const void *values, int64_t bytes,
                                     ragged_rt_constant **out) {
  uint64_t hash = ragged_rt_hash_bytes(0, values, (size_t)bytes);
  content key = {bytes, ragged_rt_hash_bytes(0x5bd1e995, values, (size_t)bytes)};
  ragged_rt_constant *known = (ragged_rt_constant *)ragged_rt_intern_find(
      &context->constants.table, hash, has_content, &key);
  if (!known) return make(context, &key, hash, values, out);
  RAGGED_RETURN_IF_ERROR(ragged_rt_capture_keep(context, known));
  ragged_rt_constant_retain(known);
  *out = known;
  return NULL;
}

void ragged_rt_constant_retain(ragged_rt_constant *constant) {
  if (constant->references++ > 0) return;
  ragged_rt_context *context = constant->context;
  unlink_idle(&context->constants, constant);
  ragged_rt_memory_unpark(&context->memory, constant->bytes);
}

void ragged_rt_constant_release(ragged_rt_constant *constant) {
  if (!constant || --constant->references > 0) return;
  ragged_rt_context *context = constant->context;
  ragged_rt_constants *constants = &context->constants;
  ragged_rt_memory_park(&context->memory, constant->bytes);
  link_idle(constants, constant);
  while (constants->num_idle > kMaxIdle || constants->idle_bytes > kMaxIdleBytes)
    destroy(context, constants->oldest);
}
