// The stage of the single–pair–single block with lengths that only the device knows: called, and on a GPU
// captured in a graph that is launched again for other lengths in the same memory. Times against calls
// whose lengths the host knows; results must be theirs bit by bit.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "bench_cuda.h"
#include "block.h"
#include "block_program.h"
#include "context.h"
#include "draw.h"

// Of the driver, besides what the runtime loads.
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct graph_driver {
  CUresult (*cuStreamBeginCapture_v2)(CUstream stream, int mode);
  CUresult (*cuStreamEndCapture)(CUstream stream, CUgraph *out);
  CUresult (*cuGraphInstantiateWithFlags)(CUgraphExec *out, CUgraph graph, unsigned long long flags);
  CUresult (*cuGraphLaunch)(CUgraphExec executable, CUstream stream);
  CUresult (*cuGraphExecDestroy)(CUgraphExec executable);
  CUresult (*cuGraphDestroy)(CUgraph graph);
} graph_driver;

enum { kMostLengths = 64, kCaptureThreadLocal = 1, kLaunches = 50 };

typedef struct subject {
  const gpu_setting *setting;
  const ragged_rt_entry *entry;
  bench_cuda *cuda;  // null: not a GPU
  graph_driver driver;
  ragged_rt_context *context;
  const gpu_weights *weights;
  int64_t batch, rows, pairs;
  int64_t lengths[kMostLengths];
  float *x;                          // rows of all samples
  ragged_rt_tensor *device_lengths;  // B numbers
  ragged_rt_axis *axis;              // of these
  ragged_rt_space *space, *pair_space;
  ragged_rt_tensor *arguments[kBlockArguments];
} subject;

// ---- Arguments -----------------------------------------------------------------------------------

static void set_arguments(const subject *self, ragged_rt_tensor *x, ragged_rt_tensor **arguments) {
  arguments[0] = x;
  memcpy(arguments + 1, self->weights->tensors, sizeof self->weights->tensors);
}

static ragged_status write_lengths(subject *self) {
  ragged_rt_device *device = self->context->device;
  return device->table->upload(device, ragged_rt_tensor_data(self->device_lengths), self->lengths,
                               (size_t)self->batch * sizeof *self->lengths);
}

// The sums of all orders of the samples are the same: they are the capacities.
static ragged_status prepare(subject *self) {
  const gpu_setting *setting = self->setting;
  int64_t longest = 0;
  const int64_t tail = kBlockSingle;
  self->batch = setting->num_lengths;
  for (int64_t i = 0; i < self->batch; ++i) {
    int64_t length = self->lengths[i] = setting->lengths[i];
    self->rows += length;
    self->pairs += length * length;
    if (length > longest) longest = length;
  }
  self->x = malloc((size_t)self->rows * kBlockSingle * sizeof(float) + 1);
  if (!self->x) return gpu_no_memory();
  ragged_run_draw(4, 0, RAGGED_ELEMENT_F32, 1, self->rows * kBlockSingle, self->x);
  RAGGED_RETURN_IF_ERROR(ragged_rt_tensor_from_host(self->context, RAGGED_ELEMENT_I64, NULL, 1,
                                                    &self->batch, self->lengths,
                                                    &self->device_lengths));
  RAGGED_RETURN_IF_ERROR(ragged_rt_axis_create_on_device(
      self->context, self->batch, 64, ragged_rt_tensor_data(self->device_lengths), longest,
      self->rows, &self->axis));
  ragged_rt_axis *axes[] = {self->axis, self->axis};
  RAGGED_RETURN_IF_ERROR(
      ragged_rt_space_get(self->context, self->batch, 1, axes, &self->space));
  RAGGED_RETURN_IF_ERROR(
      ragged_rt_space_get(self->context, self->batch, 2, axes, &self->pair_space));
  RAGGED_RETURN_IF_ERROR(ragged_rt_space_set_capacity(self->pair_space, self->pairs));
  ragged_rt_tensor *x = NULL;
  RAGGED_RETURN_IF_ERROR(ragged_rt_tensor_from_host(self->context, RAGGED_ELEMENT_F32, self->space,
                                                    1, &tail, self->x, &x));
  set_arguments(self, x, self->arguments);
  return NULL;
}

static void finish(subject *self) {
  ragged_rt_tensor_release(self->arguments[0]);
  ragged_rt_space_release(self->pair_space);
  ragged_rt_space_release(self->space);
  ragged_rt_axis_release(self->axis);
  ragged_rt_tensor_release(self->device_lengths);
  free(self->x);
}

// ---- Results -------------------------------------------------------------------------------------

static const int64_t kTails[kBlockResults] = {kBlockSingle, kBlockPair};

static ragged_status read_results(const subject *self, ragged_rt_tensor *const *results,
                                  float **out) {
  int64_t rows[kBlockResults] = {self->rows, self->pairs};
  for (int k = 0; k < kBlockResults; ++k) {
    int64_t bytes = rows[k] * kTails[k] * (int64_t)sizeof(float);
    if (!out[k]) out[k] = malloc((size_t)bytes + 1);
    if (!out[k]) return gpu_no_memory();
    RAGGED_RETURN_IF_ERROR(ragged_rt_tensor_to_host(results[k], out[k], bytes));
  }
  return NULL;
}

static void report_equality(const subject *self, const char *name, float *const *got,
                            float *const *expected) {
  int64_t rows[kBlockResults] = {self->rows, self->pairs};
  int different = 0;
  for (int k = 0; k < kBlockResults; ++k)
    different += memcmp(got[k], expected[k], (size_t)(rows[k] * kTails[k]) * sizeof(float)) != 0;
  gpu_row row = gpu_row_make(different ? GPU_ROW_WRONG : GPU_ROW_FINE, "graph", name);
  gpu_row_note(&row, "%d of %d results differ from those of lengths that the host knows", different,
               (int)kBlockResults);
  gpu_row_write(self->setting->out, &row);
}

static void report_time(const subject *self, const char *name, double seconds, double called) {
  gpu_row row = gpu_row_make(GPU_ROW_FINE, "graph", name);
  gpu_row_set(&row, 1e3 * seconds, "ms", 1e3 * called, "called, the host knows the lengths", true);
  gpu_row_write(self->setting->out, &row);
}

// With lengths that the host knows: time and results of the current lengths.
static ragged_status call_known(const subject *self, double *out_seconds, float **out) {
  const int64_t tail = kBlockSingle;
  ragged_rt_axis *axis = NULL;
  ragged_rt_space *space = NULL;
  ragged_rt_tensor *arguments[kBlockArguments], *x = NULL, *results[kBlockResults] = {NULL};
  gpu_timing timing = {.call_seconds = 0};
  ragged_status status =
      ragged_rt_axis_create_from_lengths(self->context, self->batch, 64, self->lengths, &axis);
  if (!status) status = ragged_rt_space_get(self->context, self->batch, 1, &axis, &space);
  if (!status)
    status = ragged_rt_tensor_from_host(self->context, RAGGED_ELEMENT_F32, space, 1, &tail, self->x,
                                        &x);
  set_arguments(self, x, arguments);
  if (!status && out_seconds) status = gpu_time_entry(self->context, self->entry, arguments, &timing);
  if (out_seconds) *out_seconds = timing.call_seconds;
  if (!status)
    status = ragged_rt_call(self->context, self->entry, kBlockArguments, arguments, kBlockResults,
                            results);
  if (!status) status = read_results(self, results, out);
  for (int k = 0; k < kBlockResults; ++k) ragged_rt_tensor_release(results[k]);
  ragged_rt_tensor_release(x);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(axis);
  return status;
}

static ragged_status call_unknown(const subject *self, double *out_seconds, float **out) {
  ragged_rt_tensor *results[kBlockResults] = {NULL};
  gpu_timing timing;
  RAGGED_RETURN_IF_ERROR(gpu_time_entry(self->context, self->entry, self->arguments, &timing));
  *out_seconds = timing.call_seconds;
  RAGGED_RETURN_IF_ERROR(ragged_rt_call(self->context, self->entry, kBlockArguments,
                                        self->arguments, kBlockResults, results));
  ragged_status status = read_results(self, results, out);
  for (int k = 0; k < kBlockResults; ++k) ragged_rt_tensor_release(results[k]);
  return status;
}

// ---- The graph -----------------------------------------------------------------------------------

#define GRAPH(self, symbol, ...) \
  ragged_rt_cuda_check(&(self)->cuda->driver, (self)->driver.symbol(__VA_ARGS__), #symbol)

static bool load_graph_functions(subject *self) {
  bool found = true;
#define LOAD(symbol)                                                  \
  do {                                                                \
    void *address = dlsym(self->cuda->driver.handle, #symbol);        \
    memcpy(&self->driver.symbol, &address, sizeof address);           \
    found = found && address;                                         \
  } while (0)
  LOAD(cuStreamBeginCapture_v2);
  LOAD(cuStreamEndCapture);
  LOAD(cuGraphInstantiateWithFlags);
  LOAD(cuGraphLaunch);
  LOAD(cuGraphExecDestroy);
  LOAD(cuGraphDestroy);
#undef LOAD
  return found;
}

static ragged_status capture(const subject *self, ragged_rt_tensor **results, CUgraph *out) {
  RAGGED_RETURN_IF_ERROR(
      GRAPH(self, cuStreamBeginCapture_v2, self->cuda->stream, kCaptureThreadLocal));
  ragged_status called = ragged_rt_call(self->context, self->entry, kBlockArguments,
                                        self->arguments, kBlockResults, results);
  ragged_status ended = GRAPH(self, cuStreamEndCapture, self->cuda->stream, out);
  if (!called) return ended;
  ragged_status_free(ended);
  return called;
}

// Launches for the lengths that it was captured with, and for the samples in the other order.
static ragged_status launch(subject *self, CUgraphExec executable, ragged_rt_tensor **results,
                            double called, float **got, float **expected) {
  RAGGED_RETURN_IF_ERROR(GRAPH(self, cuGraphLaunch, executable, self->cuda->stream));
  RAGGED_RETURN_IF_ERROR(read_results(self, results, got));
  report_equality(self, "launched, the same bits", got, expected);
  RAGGED_RETURN_IF_ERROR(ragged_rt_context_synchronise(self->context));
  double begin = gpu_now();
  for (int k = 0; k < kLaunches; ++k)
    RAGGED_RETURN_IF_ERROR(GRAPH(self, cuGraphLaunch, executable, self->cuda->stream));
  RAGGED_RETURN_IF_ERROR(ragged_rt_context_synchronise(self->context));
  report_time(self, "launched from a graph", (gpu_now() - begin) / kLaunches, called);
  for (int64_t i = 0; i < self->batch; ++i)
    self->lengths[i] = self->setting->lengths[self->batch - 1 - i];
  RAGGED_RETURN_IF_ERROR(call_known(self, NULL, expected));
  RAGGED_RETURN_IF_ERROR(write_lengths(self));
  RAGGED_RETURN_IF_ERROR(GRAPH(self, cuGraphLaunch, executable, self->cuda->stream));
  RAGGED_RETURN_IF_ERROR(read_results(self, results, got));
  report_equality(self, "launched for other lengths, the same bits", got, expected);
  return ragged_rt_context_synchronise(self->context);
}

static ragged_status run_graph(subject *self, double called, float **got, float **expected) {
  ragged_rt_capture *kept = NULL;
  ragged_rt_tensor *results[kBlockResults] = {NULL};
  CUgraph graph = NULL;
  CUgraphExec executable = NULL;
  if (!load_graph_functions(self))
    return ragged_status_make(RAGGED_STATUS_UNAVAILABLE, "the driver has no graphs");
  RAGGED_RETURN_IF_ERROR(ragged_rt_capture_begin(self->context, &kept));
  ragged_status status = capture(self, results, &graph);
  ragged_rt_capture_end(kept);
  if (!status) status = GRAPH(self, cuGraphInstantiateWithFlags, &executable, graph, 0);
  if (!status) status = launch(self, executable, results, called, got, expected);
  if (executable) self->driver.cuGraphExecDestroy(executable);
  if (graph) self->driver.cuGraphDestroy(graph);
  for (int k = 0; k < kBlockResults; ++k) ragged_rt_tensor_release(results[k]);
  ragged_rt_capture_release(kept);
  return status;
}

static ragged_status run(subject *self) {
  float *expected[kBlockResults] = {NULL}, *got[kBlockResults] = {NULL};
  double known = 0, unknown = 0;
  ragged_status status = prepare(self);
  if (!status) status = call_known(self, &known, expected);
  if (!status) report_time(self, "called, the host knows the lengths", known, 0);
  if (!status) status = call_unknown(self, &unknown, got);
  if (!status) {
    report_time(self, "called, only the device knows the lengths", unknown, known);
    report_equality(self, "called, the same bits", got, expected);
    if (self->cuda) status = run_graph(self, known, got, expected);
  }
  for (int k = 0; k < kBlockResults; ++k) {
    free(expected[k]);
    free(got[k]);
  }
  finish(self);
  return status;
}

ragged_status gpu_stage_graph(const gpu_setting *setting) {
  bench_cuda cuda;
  bool on_gpu = strcmp(gpu_bundle_device, "cuda") == 0;
  gpu_weights weights = {.values = {NULL}};
  subject self = {.setting = setting, .entry = gpu_block_entry(setting, "graph"), .weights = &weights,
                  .cuda = on_gpu ? &cuda : NULL};
  if (!self.entry) return NULL;
  if (on_gpu) RAGGED_RETURN_IF_ERROR(bench_cuda_open(&cuda));
  // Products by the same kernels, although a library could run those whose rows the host knows.
  ragged_rt_context_options options = {.struct_size = sizeof options, .device = gpu_bundle_device,
                                       .products = "generated",
                                       .stream = on_gpu ? cuda.stream : NULL};
  ragged_status status = ragged_rt_context_create(&options, &self.context);
  if (!status) status = gpu_weights_create(self.context, &weights);
  if (!status) status = run(&self);
  gpu_weights_destroy(&weights);
  ragged_rt_context_release(self.context);
  if (on_gpu) bench_cuda_close(&cuda);
  return status;
}
