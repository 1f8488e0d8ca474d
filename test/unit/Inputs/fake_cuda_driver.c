// A CUDA driver without a device, for the runtime's tests. Work on streams is done as late as the
// driver's rules allow: when something waits for it. Memory of the host that work still reads, or
// frees that come too early, then show as wrong results or as mistakes (fake_cuda_mistake).
#include "fake_cuda_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_abi.h"

static const uint64_t kDeviceBit = UINT64_C(1) << 47;  // no address of the host has it
enum { kMaxOperations = 1 << 14, kMaxKernels = 16 };

typedef struct block {
  struct block *next;
  char *memory;
  size_t bytes;
  bool pinned;
} block;

struct CUctx_st {
  int retained;
};
struct CUstream_st {
  CUcontext context;
};
struct CUevent_st {
  bool done, timed;
  int pending;  // operations of the queue that record it
  double milliseconds;
};
struct CUfunc_st {
  const char *name;
  fake_cuda_kernel kernel;
};
struct CUmod_st {
  char *image;
};

enum { kMaxNodes = 256 };

typedef struct queued {
  fake_cuda_kind kind;
  char *to;
  const char *from;
  size_t bytes;
  int byte;
  char *snapshot;   // owned: of pageable memory, or of parameters
  CUevent event;
  fake_cuda_kernel kernel;
  const char *name;  // of the kernel that is launched
  unsigned blocks, threads;
} queued;

// What a stream recorded: once instantiated, it is launched any number of times.
struct CUgraph_st {
  struct CUgraph_st *next;
  queued nodes[kMaxNodes];
  int num_nodes;
};

static struct {
  fake_cuda_settings settings;
  long fail_after;
  int fail_result, sticky;
  const char *failed_call, *mistake;
  block *blocks;
  size_t allocated;
  struct CUctx_st primary, other;
  CUcontext stack[8];
  int depth, num_live, num_loads, num_waits, shared_attribute;
  char last_image[256];
  struct CUfunc_st functions[kMaxKernels];
  int num_functions;
  queued queue[kMaxOperations];
  int head, tail;
  fake_cuda_operation history[kMaxOperations];
  int num_history;
  double clock;
  CUstream capturing;  // null: none is
  bool invalidated;    // something was done that the capture did not allow
  int mode;            // of the thread
  CUgraph graph, graphs;  // the one that is being recorded; those that are live
} fake;

// ---- Control -----------------------------------------------------------------------------------

__attribute__((constructor)) void fake_cuda_reset(void) {
  fake.settings = (fake_cuda_settings){.num_devices = 1, .major = 9, .minor = 0,
                                       .num_multiprocessors = 4, .max_shared_bytes = 200 << 10,
                                       .resident_per_multiprocessor = 2,
                                       .memory_bytes = (size_t)1 << 32};
  fake.fail_after = -1;
  fake.sticky = 0;
  fake.failed_call = fake.mistake = NULL;
  fake.num_functions = fake.num_history = fake.num_loads = fake.num_waits = 0;
  fake.shared_attribute = 0;
  fake.last_image[0] = 0;
}

fake_cuda_settings *fake_cuda_get_settings(void) { return &fake.settings; }
void fake_cuda_add_kernel(const char *name, fake_cuda_kernel kernel) {
  fake.functions[fake.num_functions++] = (struct CUfunc_st){name, kernel};
}
void fake_cuda_fail_call(long n, int result) {
  fake.fail_after = n;
  fake.fail_result = result;
  fake.failed_call = NULL;
}
const char *fake_cuda_failed_call(void) { return fake.failed_call; }
void fake_cuda_raise(int result) { fake.sticky = result; }
int fake_cuda_num_operations(void) { return fake.num_history; }
const fake_cuda_operation *fake_cuda_get_operation(int k) { return &fake.history[k]; }
const fake_cuda_operation *fake_cuda_last_launch(void) {
  for (int k = fake.num_history - 1; k >= 0; --k)
    if (fake.history[k].kind == FAKE_CUDA_LAUNCH) return &fake.history[k];
  return NULL;
}
int fake_cuda_num_loads(void) { return fake.num_loads; }
const char *fake_cuda_last_image(void) { return fake.last_image; }
int fake_cuda_shared_attribute(void) { return fake.shared_attribute; }
int fake_cuda_num_waits(void) { return fake.num_waits; }
int fake_cuda_num_live(void) { return fake.num_live; }
const char *fake_cuda_mistake(void) { return fake.mistake; }
void fake_cuda_forget_mistake(void) { fake.mistake = NULL; }

static void mistake(const char *what) {
  if (!fake.mistake) fake.mistake = what;
}

// What a capture of another thread's mode would not allow either.
static CUresult refuse(const char *call) {
  mistake(call);
  fake.invalidated = true;
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}
#define NOT_CAPTURED                                     \
  do {                                                   \
    if (fake.capturing) return refuse(__func__);         \
  } while (0)
#define RELAXED_OR_NOT_CAPTURED                                                      \
  do {                                                                               \
    if (fake.capturing && fake.mode != CU_STREAM_CAPTURE_MODE_RELAXED) return refuse(__func__); \
  } while (0)

// Whether this call is the one that fails.
static bool fails(const char *call) {
  if (fake.fail_after < 0 || fake.fail_after-- > 0) return false;
  fake.failed_call = call;
  return true;
}

// At the beginning of calls that do nothing when they fail, ...
#define ENTER                                       \
  do {                                              \
    if (fails(__func__)) return fake.fail_result;   \
    if (fake.sticky) return fake.sticky;            \
  } while (0)
#define NEEDS_CONTEXT                                            \
  do {                                                           \
    if (fake.depth == 0 || fake.stack[fake.depth - 1] != &fake.primary) { \
      mistake(__func__);                                         \
      return 201;                                                \
    }                                                            \
  } while (0)
// ... and what those return that do their work all the same.
static CUresult outcome(const char *call) {
  return fails(call) ? fake.fail_result : fake.sticky;
}

// ---- Memory and the queue ----------------------------------------------------------------------

static block *find_block(const char *at, size_t bytes, bool pinned) {
  for (block *b = fake.blocks; b; b = b->next)
    if (b->pinned == pinned && at >= b->memory && at + bytes <= b->memory + b->bytes) return b;
  return NULL;
}

// The host address of `bytes` bytes of the device; null, and a mistake, when there are none.
static char *device_bytes(CUdeviceptr pointer, size_t bytes) {
  char *at = (char *)(uintptr_t)(pointer - kDeviceBit);
  if (pointer >= kDeviceBit && find_block(at, bytes, false)) return at;
  mistake("an address that is not of the device's memory");
  return NULL;
}

void *fake_cuda_host_address(const void *device_pointer) {
  return device_pointer ? device_bytes((CUdeviceptr)(uintptr_t)device_pointer, 1) : NULL;
}

static char *add_block(size_t bytes, bool pinned) {
  block *added = malloc(sizeof *added);
  *added = (block){fake.blocks, aligned_alloc(256, (bytes + 255) / 256 * 256), bytes, pinned};
  memset(added->memory, 0xcd, bytes);
  fake.blocks = added;
  fake.num_live += 1;
  if (!pinned) fake.allocated += bytes;
  return added->memory;
}

static bool touches(const queued *op, const block *b) {
  const char *end = b->memory + b->bytes;
  return (op->to >= b->memory && op->to < end) || (op->from >= b->memory && op->from < end);
}

// An address among a launch's parameters, or in a copy.
static bool node_uses(const queued *node, const block *b) {
  if (node->kind != FAKE_CUDA_LAUNCH) return touches(node, b);
  const uint64_t *words = (const uint64_t *)(const void *)node->snapshot;
  uint64_t begin = (uint64_t)(uintptr_t)b->memory + (b->pinned ? 0 : kDeviceBit);
  for (size_t k = 0; k < node->bytes / 8; ++k)
    if (words[k] >= begin && words[k] < begin + b->bytes) return true;
  return false;
}

static void check_graphs(const block *b) {
  for (CUgraph graph = fake.graphs; graph; graph = graph->next)
    for (int k = 0; k < graph->num_nodes; ++k)
      if (node_uses(&graph->nodes[k], b)) mistake("memory was freed that a graph uses");
}

static bool end_block(const char *memory) {
  for (block **link = &fake.blocks; *link; link = &(*link)->next) {
    block *b = *link;
    if (b->memory != memory) continue;
    for (int k = fake.head; k < fake.tail; ++k)
      if (fake.queue[k].kernel || touches(&fake.queue[k], b))
        mistake("memory was freed while work on a stream may use it");
    check_graphs(b);
    *link = b->next;
    if (!b->pinned) fake.allocated -= b->bytes;
    fake.num_live -= 1;
    free(b->memory);
    free(b);
    return true;
  }
  mistake("memory was freed that is not there");
  return false;
}

static void run_queued(queued *op) {
  fake.clock += 0.25;
  switch (op->kind) {
    case FAKE_CUDA_FILL:
      memset(op->to, op->byte, op->bytes);
      break;
    case FAKE_CUDA_RECORD:
      op->event->pending -= 1;
      op->event->done = true;
      op->event->milliseconds = fake.clock;
      break;
    case FAKE_CUDA_LAUNCH:
    case FAKE_CUDA_LIBRARY:
      if (!fake.sticky)
        op->kernel((const int64_t *)op->snapshot, (int64_t)(op->bytes / 8), op->blocks,
                             op->threads);
      break;
    default:
      memcpy(op->to, op->snapshot ? op->snapshot : op->from, op->bytes);
  }
  free(op->snapshot);
}

static void run_until(CUevent event) {  // null: all
  fake.num_waits += 1;
  while (fake.head < fake.tail && !(event && event->pending == 0))
    run_queued(&fake.queue[fake.head++]);
  if (fake.head == fake.tail) fake.head = fake.tail = 0;
}

static queued *enqueue(const queued *op, CUstream stream) {
  if (fake.capturing && stream == fake.capturing) {
    if (fake.graph->num_nodes == kMaxNodes) exit(3);
    fake.graph->nodes[fake.graph->num_nodes] = *op;
    return &fake.graph->nodes[fake.graph->num_nodes++];
  }
  if (fake.num_history == kMaxOperations) fake.num_history = 0;
  fake.history[fake.num_history++] =
      (fake_cuda_operation){.kind = op->kind, .stream = stream, .bytes = op->bytes};
  if (fake.tail == kMaxOperations) run_until(NULL);
  fake.queue[fake.tail] = *op;
  return &fake.queue[fake.tail++];
}

static char *snapshot(const void *bytes, size_t count) {
  char *copy = malloc(count ? count : 1);
  memcpy(copy, bytes, count);
  return copy;
}

void fake_cuda_enqueue(void *stream, fake_cuda_kernel work, const int64_t *words,
                       int64_t num_words) {
  if (fake.depth == 0 || fake.stack[fake.depth - 1] != &fake.primary) mistake(__func__);
  size_t bytes = (size_t)num_words * sizeof *words;
  enqueue(&(queued){.kind = FAKE_CUDA_LIBRARY, .kernel = work, .blocks = 1, .threads = 1,
                    .bytes = bytes, .snapshot = snapshot(words, bytes)},
          stream);
}

// ---- The driver: contexts, streams, events -----------------------------------------------------

CUresult cuGetErrorName(CUresult error, const char **out) {
  *out = error == CUDA_ERROR_OUT_OF_MEMORY      ? "CUDA_ERROR_OUT_OF_MEMORY"
         : error == CUDA_ERROR_ILLEGAL_ADDRESS  ? "CUDA_ERROR_ILLEGAL_ADDRESS"
         : error == CUDA_ERROR_NOT_FOUND        ? "CUDA_ERROR_NOT_FOUND"
                                                : "CUDA_ERROR_OF_THE_FAKE";
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, const char **out) {
  (void)error;
  *out = "text of the error";
  return CUDA_SUCCESS;
}
CUresult cuInit(unsigned flags) {
  (void)flags;
  ENTER;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int *out) {
  ENTER;
  *out = fake.settings.num_devices;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *out, int ordinal) {
  ENTER;
  *out = ordinal;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char *out, int size, CUdevice device) {
  ENTER;
  snprintf(out, (size_t)size, "fake device %d", device);
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int *out, int attribute, CUdevice device) {
  (void)device;
  ENTER;
  const fake_cuda_settings *s = &fake.settings;
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *out = s->num_multiprocessors; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *out = s->major; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *out = s->minor; break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: *out = s->max_shared_bytes; break;
    default: return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice device) {
  (void)device;
  ENTER;
  fake.primary.retained += 1;
  fake.num_live += 1;
  *out = &fake.primary;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  (void)device;
  if (fake.primary.retained-- < 1) mistake(__func__);
  fake.num_live -= 1;
  return outcome(__func__);
}
CUresult cuCtxGetCurrent(CUcontext *out) {
  if (fails(__func__)) return fake.fail_result;
  *out = fake.depth ? fake.stack[fake.depth - 1] : NULL;
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent_v2(CUcontext context) {
  if (fails(__func__)) return fake.fail_result;
  fake.stack[fake.depth++] = context;
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent_v2(CUcontext *out) {
  if (fake.depth == 0) {
    mistake(__func__);
    return 201;
  }
  *out = fake.stack[--fake.depth];
  return fails(__func__) ? fake.fail_result : CUDA_SUCCESS;
}

static CUstream new_stream(CUcontext context) {
  CUstream stream = malloc(sizeof *stream);
  stream->context = context;
  fake.num_live += 1;
  return stream;
}
void *fake_cuda_make_stream(bool of_primary_context) {
  return new_stream(of_primary_context ? &fake.primary : &fake.other);
}
void fake_cuda_end_stream(void *stream) {
  fake.num_live -= 1;
  free(stream);
}
CUresult cuStreamCreate(CUstream *out, unsigned flags) {
  (void)flags;
  ENTER;
  NEEDS_CONTEXT;
  *out = new_stream(&fake.primary);
  return CUDA_SUCCESS;
}
CUresult cuStreamDestroy_v2(CUstream stream) {
  fake_cuda_end_stream(stream);
  return outcome(__func__);
}
CUresult cuStreamGetCtx(CUstream stream, CUcontext *out) {
  ENTER;
  NEEDS_CONTEXT;
  *out = stream->context;
  return CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream stream) {
  if (stream == fake.capturing) NOT_CAPTURED;
  run_until(NULL);
  return outcome(__func__);
}
CUresult cuEventCreate(CUevent *out, unsigned flags) {
  ENTER;
  NEEDS_CONTEXT;
  *out = calloc(1, sizeof **out);
  (*out)->timed = !(flags & CU_EVENT_DISABLE_TIMING);
  fake.num_live += 1;
  return CUDA_SUCCESS;
}
CUresult cuEventDestroy_v2(CUevent event) {
  if (event->pending) mistake(__func__);
  free(event);
  fake.num_live -= 1;
  return outcome(__func__);
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  ENTER;
  NOT_CAPTURED;  // legal, but then nobody may wait for the event
  NEEDS_CONTEXT;
  event->done = false;
  event->pending += 1;
  enqueue(&(queued){.kind = FAKE_CUDA_RECORD, .event = event}, stream);
  return CUDA_SUCCESS;
}
CUresult cuEventSynchronize(CUevent event) {
  NOT_CAPTURED;
  run_until(event);
  return outcome(__func__);
}
CUresult cuEventElapsedTime(float *out_milliseconds, CUevent begin, CUevent end) {
  ENTER;
  if (!begin->timed || !end->timed || !begin->done || !end->done) {
    mistake(__func__);
    return CUDA_ERROR_INVALID_VALUE;
  }
  *out_milliseconds = (float)(end->milliseconds - begin->milliseconds);
  return CUDA_SUCCESS;
}

// ---- The driver: memory ------------------------------------------------------------------------

CUresult cuMemAlloc_v2(CUdeviceptr *out, size_t bytes) {
  ENTER;
  RELAXED_OR_NOT_CAPTURED;
  NEEDS_CONTEXT;
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  if (bytes > fake.settings.memory_bytes - fake.allocated) return CUDA_ERROR_OUT_OF_MEMORY;
  *out = (CUdeviceptr)(uintptr_t)add_block(bytes, false) + kDeviceBit;
  return CUDA_SUCCESS;
}
CUresult cuMemFree_v2(CUdeviceptr pointer) {
  RELAXED_OR_NOT_CAPTURED;
  bool known = end_block((const char *)(uintptr_t)(pointer - kDeviceBit));
  CUresult result = outcome(__func__);
  return known ? result : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemHostAlloc(void **out, size_t bytes, unsigned flags) {
  (void)flags;
  ENTER;
  RELAXED_OR_NOT_CAPTURED;
  NEEDS_CONTEXT;
  *out = add_block(bytes, true);
  return CUDA_SUCCESS;
}
CUresult cuMemFreeHost(void *pointer) {
  RELAXED_OR_NOT_CAPTURED;
  bool known = end_block(pointer);
  CUresult result = outcome(__func__);
  return known ? result : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  ENTER;
  NEEDS_CONTEXT;
  char *target = device_bytes(to, bytes);
  if (!target) return CUDA_ERROR_INVALID_VALUE;
  bool pinned = find_block(from, bytes, true) != NULL;
  if (!pinned) NOT_CAPTURED;
  enqueue(&(queued){.kind = FAKE_CUDA_UPLOAD, .to = target, .from = from, .bytes = bytes,
                    .snapshot = pinned ? NULL : snapshot(from, bytes)},
          stream);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  ENTER;
  NEEDS_CONTEXT;
  const char *source = device_bytes(from, bytes);
  if (!source) return CUDA_ERROR_INVALID_VALUE;
  enqueue(&(queued){.kind = FAKE_CUDA_DOWNLOAD, .to = to, .from = source, .bytes = bytes}, stream);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  ENTER;
  NEEDS_CONTEXT;
  char *target = device_bytes(to, bytes);
  const char *source = device_bytes(from, bytes);
  if (!target || !source) return CUDA_ERROR_INVALID_VALUE;
  enqueue(&(queued){.kind = FAKE_CUDA_COPY, .to = target, .from = source, .bytes = bytes}, stream);
  return CUDA_SUCCESS;
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char byte, size_t bytes, CUstream stream) {
  ENTER;
  NEEDS_CONTEXT;
  char *target = device_bytes(to, bytes);
  if (!target) return CUDA_ERROR_INVALID_VALUE;
  enqueue(&(queued){.kind = FAKE_CUDA_FILL, .to = target, .byte = byte, .bytes = bytes}, stream);
  return CUDA_SUCCESS;
}

// ---- The driver: modules and launches ----------------------------------------------------------

// Images are text. One that begins with "bad" is refused, with a line of log.
CUresult cuModuleLoadDataEx(CUmodule *out, const void *image, unsigned num_options, int *options,
                            void **values) {
  ENTER;
  NOT_CAPTURED;
  NEEDS_CONTEXT;
  snprintf(fake.last_image, sizeof fake.last_image, "%s", (const char *)image);
  if (strncmp(image, "bad", 3) == 0) {
    for (unsigned k = 0; k < num_options; ++k)
      if (options[k] == CU_JIT_ERROR_LOG_BUFFER) strcpy(values[k], "line 1: what is this");
    return CUDA_ERROR_INVALID_IMAGE;
  }
  *out = malloc(sizeof **out);
  (*out)->image = snapshot(image, strlen(image) + 1);
  fake.num_loads += 1;
  fake.num_live += 1;
  return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module) {
  NOT_CAPTURED;
  for (int k = fake.head; k < fake.tail; ++k)
    if (fake.queue[k].kind == FAKE_CUDA_LAUNCH)
      mistake("a module was unloaded before its kernels ran");
  free(module->image);
  free(module);
  fake.num_live -= 1;
  return outcome(__func__);
}
CUresult cuModuleGetFunction(CUfunction *out, CUmodule module, const char *name) {
  (void)module;
  ENTER;
  NOT_CAPTURED;  // loads it, where modules are loaded lazily
  NEEDS_CONTEXT;
  for (int k = 0; k < fake.num_functions; ++k) {
    if (strcmp(fake.functions[k].name, name) != 0) continue;
    *out = &fake.functions[k];
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_NOT_FOUND;
}
CUresult cuFuncGetAttribute(int *out, int attribute, CUfunction function) {
  (void)function;
  ENTER;
  if (attribute != CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) return CUDA_ERROR_INVALID_VALUE;
  *out = fake.settings.static_shared_bytes;
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  (void)function;
  ENTER;
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return CUDA_ERROR_INVALID_VALUE;
  fake.shared_attribute = value;
  return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *out, CUfunction function, int threads,
                                                     size_t dynamic_shared_bytes) {
  (void)function, (void)threads, (void)dynamic_shared_bytes;
  ENTER;
  *out = fake.settings.resident_per_multiprocessor;
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void **parameters, void **extra) {
  ENTER;
  NEEDS_CONTEXT;
  int allowed = fake.shared_attribute > 48 << 10 ? fake.shared_attribute : 48 << 10;
  if (parameters || !extra || grid_x < 1 || block_x < 1 || (int)shared_bytes > allowed)
    return CUDA_ERROR_INVALID_VALUE;
  const void *buffer = NULL;
  size_t bytes = 0;
  for (void **at = extra; *at != CU_LAUNCH_PARAM_END; at += 2) {
    if (*at == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = at[1];
    if (*at == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes = *(size_t *)at[1];
  }
  enqueue(&(queued){.kind = FAKE_CUDA_LAUNCH, .kernel = function->kernel, .name = function->name,
                    .blocks = grid_x, .threads = block_x, .bytes = bytes, .snapshot = snapshot(buffer, bytes)},
          stream);
  if (fake.capturing && stream == fake.capturing) return CUDA_SUCCESS;
  fake_cuda_operation *operation = &fake.history[fake.num_history - 1];
  *operation = (fake_cuda_operation){.kind = FAKE_CUDA_LAUNCH, .stream = stream, .bytes = bytes,
                                     .kernel = function->name,
                                     .grid = {grid_x, grid_y, grid_z},
                                     .block = {block_x, block_y, block_z},
                                     .shared_bytes = shared_bytes};
  size_t kept = bytes < sizeof operation->words ? bytes : sizeof operation->words;
  memcpy(operation->words, buffer, kept);
  return CUDA_SUCCESS;
}

// ---- The driver: graphs ------------------------------------------------------------------------

CUresult cuStreamIsCapturing(CUstream stream, int *out_status) {
  ENTER;
  NEEDS_CONTEXT;
  *out_status = stream != fake.capturing || !stream ? CU_STREAM_CAPTURE_STATUS_NONE
                : fake.invalidated                  ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                                    : CU_STREAM_CAPTURE_STATUS_ACTIVE;
  return CUDA_SUCCESS;
}
CUresult cuThreadExchangeStreamCaptureMode(int *mode) {
  ENTER;
  int before = fake.mode;
  fake.mode = *mode;
  *mode = before;
  return CUDA_SUCCESS;
}
CUresult cuStreamBeginCapture_v2(CUstream stream, int mode) {
  (void)mode;
  if (fake.capturing) return CUDA_ERROR_INVALID_VALUE;
  fake.capturing = stream;
  fake.invalidated = false;
  fake.graph = calloc(1, sizeof *fake.graph);
  return CUDA_SUCCESS;
}
CUresult cuStreamEndCapture(CUstream stream, CUgraph *out) {
  if (stream != fake.capturing) return CUDA_ERROR_INVALID_VALUE;
  fake.capturing = NULL;
  fake.graph->next = fake.graphs;
  fake.graphs = fake.graph;
  fake.num_live += 1;
  *out = fake.graph;
  return fake.invalidated ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}
// The fake's graph is its own executable.
CUresult cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph graph, unsigned long long flags) {
  (void)flags;
  *out = (CUgraphExec)graph;
  return CUDA_SUCCESS;
}
CUresult cuGraphExecDestroy(CUgraphExec executable) {
  (void)executable;
  return CUDA_SUCCESS;
}
CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  CUgraph graph = (CUgraph)executable;
  for (int k = 0; k < graph->num_nodes; ++k) {
    queued node = graph->nodes[k];
    if (node.snapshot) node.snapshot = snapshot(node.snapshot, node.bytes);
    enqueue(&node, stream);
    if (node.kind != FAKE_CUDA_LAUNCH) continue;
    fake_cuda_operation *operation = &fake.history[fake.num_history - 1];
    operation->kernel = node.name;
    operation->grid[0] = node.blocks;
    operation->block[0] = node.threads;
    operation->grid[1] = operation->grid[2] = operation->block[1] = operation->block[2] = 1;
    size_t kept = node.bytes < sizeof operation->words ? node.bytes : sizeof operation->words;
    memcpy(operation->words, node.snapshot, kept);
  }
  return CUDA_SUCCESS;
}
CUresult cuGraphDestroy(CUgraph graph) {
  CUgraph *link = &fake.graphs;
  while (*link != graph) link = &(*link)->next;
  *link = graph->next;
  for (int k = 0; k < graph->num_nodes; ++k) free(graph->nodes[k].snapshot);
  free(graph);
  fake.num_live -= 1;
  return CUDA_SUCCESS;
}
int fake_cuda_graph_nodes(const void *graph, fake_cuda_kind kind) {
  const struct CUgraph_st *self = graph;
  int count = 0;
  for (int k = 0; k < self->num_nodes; ++k) count += self->nodes[k].kind == kind;
  return count;
}
