// Captures: calls of the context that the embedder's stream records for a graph. What they use stays
// as it is while the graph can be launched: blocks of memory are given out again within the capture
// only, constants are not given up, and nothing that was not there before is loaded or uploaded.
#include "capture.h"

#include "context.h"

typedef struct captured_block {
  void *pointer;
  int64_t bytes;  // as the cache counts them
  bool used;
} captured_block;

struct ragged_rt_capture {
  ragged_rt_context *context;
  ragged_rt_capture *next;  // of the context's
  captured_block *blocks;
  int64_t num_blocks, blocks_capacity;
  ragged_rt_constant **constants;
  int64_t num_constants, constants_capacity;
};

// ---- Memory --------------------------------------------------------------------------------------

static ragged_status add_block(ragged_rt_memory *memory, ragged_rt_capture *capture,
                               int64_t class_bytes, void **out) {
  void *blocks = capture->blocks;
  ragged_status status = ragged_rt_metadata_grow(memory, &blocks, capture->num_blocks,
                                                 &capture->blocks_capacity,
                                                 sizeof *capture->blocks);
  capture->blocks = blocks;
  if (status) return status;
  void *pointer = ragged_rt_memory_take_cached(memory, class_bytes);
  if (!pointer) RAGGED_RETURN_IF_ERROR(ragged_rt_memory_take_new(memory, class_bytes, &pointer));
  capture->blocks[capture->num_blocks++] = (captured_block){pointer, class_bytes, true};
  *out = pointer;
  return NULL;
}

ragged_status ragged_rt_memory_capture(ragged_rt_memory *memory, int64_t class_bytes, void **out) {
  ragged_rt_capture *capture = memory->captures;
  for (int64_t k = 0; k < capture->num_blocks; ++k) {
    captured_block *block = &capture->blocks[k];
    if (block->used || block->bytes != class_bytes) continue;
    block->used = true;
    *out = block->pointer;
    return NULL;
  }
  return add_block(memory, capture, class_bytes, out);
}

bool ragged_rt_memory_return_captured(ragged_rt_memory *memory, void *pointer) {
  for (ragged_rt_capture *capture = memory->captures; capture; capture = capture->next)
    for (int64_t k = 0; k < capture->num_blocks; ++k)
      if (capture->blocks[k].pointer == pointer) {
        capture->blocks[k].used = false;
        return true;
      }
  return false;
}

ragged_status ragged_rt_capture_keep(ragged_rt_context *context, ragged_rt_constant *constant) {
  ragged_rt_capture *capture = context->capture;
  if (!capture) return NULL;
  for (int64_t k = 0; k < capture->num_constants; ++k)
    if (capture->constants[k] == constant) return NULL;
  void *constants = capture->constants;
  ragged_status status = ragged_rt_metadata_grow(&context->memory, &constants,
                                                 capture->num_constants,
                                                 &capture->constants_capacity,
                                                 sizeof *capture->constants);
  capture->constants = constants;
  if (status) return status;
  ragged_rt_constant_retain(constant);
  capture->constants[capture->num_constants++] = constant;
  return NULL;
}

// ---- Beginning and ending ------------------------------------------------------------------------

ragged_status ragged_rt_capture_check(ragged_rt_context *context) {
  const ragged_rt_device_table *table = context->device->table;
  if (!table->capturing) return NULL;
  bool capturing = false;
  RAGGED_RETURN_IF_ERROR(table->capturing(context->device, &capturing));
  if (capturing == (context->capture != NULL)) return NULL;
  return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                            capturing ? "the context's stream is being captured: calls need "
                                        "ragged_rt_capture_begin before"
                                      : "a capture was begun, but the context's stream is not "
                                        "being captured");
}

ragged_status ragged_rt_capture_begin(ragged_rt_context *context,
                                      ragged_rt_capture **out_capture) {
  if (!context->device->table->capturing)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "device '%s' has no stream that can be captured",
                              context->device->table->name);
  if (!context->embedder_stream)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "the context has a stream of its own, which nobody can capture; a "
                              "stream of the embedder's is required");
  if (context->capture)
    return ragged_status_make(RAGGED_STATUS_INVALID_ARGUMENT,
                              "a capture is in progress, which must end first");
  ragged_rt_capture *capture = ragged_rt_metadata_allocate(&context->memory, sizeof *capture, 0, 1);
  if (!capture) return ragged_rt_no_metadata("a capture");
  capture->context = context;
  capture->next = context->memory.captures;
  context->memory.captures = capture;
  context->memory.capturing = true;
  context->capture = capture;
  ragged_rt_context_retain(context);
  *out_capture = capture;
  return NULL;
}

void ragged_rt_capture_end(ragged_rt_capture *capture) {
  ragged_rt_context *context = capture->context;
  if (context->capture != capture) return;
  context->capture = NULL;
  context->memory.capturing = false;
}

// Blocks of results that are still there become ordinary ones.
void ragged_rt_capture_release(ragged_rt_capture *capture) {
  if (!capture) return;
  ragged_rt_context *context = capture->context;
  ragged_rt_memory *memory = &context->memory;
  ragged_rt_capture_end(capture);
  ragged_rt_capture **link = &memory->captures;
  while (*link != capture) link = &(*link)->next;
  *link = capture->next;
  for (int64_t k = 0; k < capture->num_constants; ++k)
    ragged_rt_constant_release(capture->constants[k]);
  for (int64_t k = 0; k < capture->num_blocks; ++k)
    if (!capture->blocks[k].used)
      ragged_rt_memory_keep_freed(memory, capture->blocks[k].pointer, capture->blocks[k].bytes);
  ragged_rt_metadata_free(memory, capture->constants);
  ragged_rt_metadata_free(memory, capture->blocks);
  ragged_rt_metadata_free(memory, capture);
  ragged_rt_context_release(context);
}
