// Captures on the CUDA device, over the fake driver: a call whose lengths only the device knows is
// captured once and launched for others; what a capture does not allow is refused before the driver
// would; what the graph uses stays. The kernels are written here, that of the plan too: its steps once
// more, in C.
#include "frame_plan.h"
#include "runtime_cuda_support.h"

enum { BATCH = 3, CAPACITY = 16 };

// ---- Kernels -------------------------------------------------------------------------------------

static int64_t operand(int64_t mode, int64_t value, const int64_t *data, int64_t i) {
  switch (mode) {
    case RAGGED_RT_PLAN_NUMBER: return value;
    case RAGGED_RT_PLAN_WORDS: return data[value + i];
    case RAGGED_RT_PLAN_ADDRESS:
      return ((const int64_t *)fake_cuda_host_address((void *)(uintptr_t)value))[i];
    default: return ((const int32_t *)fake_cuda_host_address((void *)(uintptr_t)value))[i];
  }
}

// The order of the samples after their running sums, and the sums in that order.
static void order_samples(const int64_t *offsets, int64_t *order, int64_t batch) {
  int64_t place = 0;
  for (int empty = 0; empty < 2; ++empty)
    for (int64_t i = 0; i < batch; ++i) {
      if ((offsets[i] == offsets[i + 1]) != empty) continue;
      order[batch + place] = empty ? offsets[batch] : offsets[i];
      order[place++] = i;
    }
  order[batch + place] = offsets[batch];
}

static void run_step(const ragged_rt_plan_step *step, int64_t *data, int64_t batch, int64_t *fault) {
  int64_t sum = 0;
  if (step->kind == RAGGED_RT_PLAN_SCAN) data[step->out] = 0;
  for (int64_t i = 0; i < batch; ++i) {
    int64_t a = operand(step->a_mode, step->a, data, i);
    int64_t b = operand(step->b_mode, step->b, data, i), result = a;
    bool wrong = false;
    if (step->kind == RAGGED_RT_PLAN_ADD) result = a + b;
    if (step->kind == RAGGED_RT_PLAN_MULTIPLY || step->kind == RAGGED_RT_PLAN_ROWS) result = a * b;
    if (step->kind == RAGGED_RT_PLAN_SAME) wrong = a != b;
    if (step->kind == RAGGED_RT_PLAN_SCAN) result = sum += a;
    wrong = wrong || (step->limit >= 0 && (result < 0 || result > step->limit));
    if (step->kind != RAGGED_RT_PLAN_SAME)
      data[step->out + i + (step->kind == RAGGED_RT_PLAN_SCAN)] = wrong ? 0 : result;
    if (!wrong || fault[0]) continue;
    const int64_t record[] = {step->kind, i, result, step->limit};
    memcpy(fault, record, sizeof record);
  }
  if (step->kind == RAGGED_RT_PLAN_SCAN)
    order_samples(data + step->out, data + step->out + batch + 1, batch);
}

static void plan_kernel(const int64_t *words, int64_t num_words, unsigned blocks, unsigned threads) {
  CHECK_INT(num_words, 7);
  CHECK_INT(blocks, 1);
  CHECK_INT(threads, 256);
  const ragged_rt_plan_step *steps = fake_cuda_host_address((void *)(uintptr_t)words[2]);
  int64_t *data = fake_cuda_host_address((void *)(uintptr_t)words[3]);
  int64_t *fault = fake_cuda_host_address((void *)(uintptr_t)words[6]);
  for (int64_t k = 0; k < words[0]; ++k) run_step(&steps[k], data, words[5], fault);
  if (fault[0]) memset(data, 0, (size_t)words[4] * sizeof *data);
}

// y = factor * x, over the rows that there are.
static void scale_kernel(const int64_t *words, int64_t num_words, unsigned blocks,
                         unsigned threads) {
  (void)num_words, (void)blocks, (void)threads;
  const float *x = fake_cuda_host_address((void *)(uintptr_t)words[2]);
  float *y = fake_cuda_host_address((void *)(uintptr_t)words[3]);
  const int64_t *offsets = fake_cuda_host_address((void *)(uintptr_t)words[4]);
  const float *factor = fake_cuda_host_address((void *)(uintptr_t)words[5]);
  int64_t rows = words[0] < 0 ? offsets[BATCH] : words[0];
  for (int64_t i = 0; i < rows; ++i) y[i] = *factor * x[i];
}

static const ragged_rt_kernel_image kImage[] = {PTX("sm_80", "PTX")};
static const ragged_rt_kernel_module kModule = {sizeof kModule, 1, kImage};

// ---- Programs ------------------------------------------------------------------------------------

static const int64_t kTail = 1;

// (x[n], p[n, n]) -> 3 * 3 * x, with a value between; the offsets of (n, n).
static void scale_twice(ragged_rt_frame *frame) {
  static const float three = 3;
  ragged_rt_frame_kernels(frame, &kModule);
  ragged_rt_axis *n = ragged_rt_frame_axis(frame, 0), *axes[] = {n, n};
  ragged_rt_space *space = ragged_rt_frame_space(frame, 1, axes, NULL);
  ragged_rt_tensor *factor = ragged_rt_frame_constant(frame, RAGGED_ELEMENT_F32, 0, NULL, &three);
  ragged_rt_tensor *x = ragged_rt_frame_argument(frame, 0);
  for (int k = 0; k < 2; ++k) {
    ragged_rt_tensor *y = ragged_rt_frame_allocate(frame, RAGGED_ELEMENT_F32, space, 1);
    int64_t words[] = {(int64_t)(uintptr_t)ragged_rt_frame_data(frame, x),
                       (int64_t)(uintptr_t)ragged_rt_frame_data(frame, y),
                       (int64_t)(uintptr_t)ragged_rt_frame_space_offsets(frame, space),
                       (int64_t)(uintptr_t)ragged_rt_frame_data(frame, factor)};
    ragged_rt_frame_launch_grid(frame, &kModule, "scale", words, 4, space,
                                ragged_rt_frame_space_rows(frame, space), 4, 64, 0, 64, 8, 1);
    if (k) ragged_rt_frame_release(frame, x);
    x = y;
  }
  ragged_rt_frame_result(frame, 0, x, space);
  ragged_rt_frame_result_dense(
      frame, 1, ragged_rt_frame_offsets(frame, ragged_rt_frame_space(frame, 2, axes, NULL)));
}

// x[n] -> its rows and three of zeros; the offsets of (n).
static void extend(ragged_rt_frame *frame) {
  ragged_rt_frame_kernels(frame, &kModule);
  ragged_rt_axis *n = ragged_rt_frame_axis(frame, 0);
  ragged_rt_space *space = ragged_rt_frame_space(frame, 1, &n, NULL);
  int64_t rows = ragged_rt_frame_known_rows(frame, space);
  ragged_rt_tensor *values =
      ragged_rt_frame_values(frame, ragged_rt_frame_argument(frame, 0), space, 1, &kTail);
  ragged_rt_frame_result_dense(frame, 0, ragged_rt_frame_extend(frame, values, rows + 3));
  ragged_rt_frame_result_dense(frame, 1, ragged_rt_frame_offsets(frame, space));
}

typedef struct program {
  ragged_rt_value_type arguments[2], results[2];
  ragged_rt_entry entry;
} program;

static const ragged_rt_entry *make_program(program *self, ragged_rt_entry_function function) {
  static const char *const names[] = {"n"};
  self->arguments[0] = runtime_test_ragged(RAGGED_ELEMENT_F32, "n", NULL, 1);
  self->results[0] = self->arguments[0];
  self->results[1] = runtime_test_dense(RAGGED_ELEMENT_I64, 1, -1, 0);
  self->entry = (ragged_rt_entry){"scale_twice", function, 1, 2, 1, self->arguments, self->results,
                                  names};
  return &self->entry;
}

// A context on a stream of the embedder's, and an argument on memory of the device.
typedef struct session {
  struct CUstream_st *stream;
  ragged_rt_context *context;
  ragged_rt_tensor *lengths, *x;
  ragged_rt_axis *axis;
} session;

static bool write_lengths(session *s, int32_t a, int32_t b, int32_t c) {
  const int32_t lengths[2 * BATCH] = {a, b, c};
  ragged_rt_device *device = s->context->device;
  return CHECK_OK(device->table->upload(device, s->lengths->data, lengths, sizeof lengths));
}

static void write_x(session *s, float first) {
  float values[CAPACITY];
  for (int i = 0; i < CAPACITY; ++i) values[i] = first + (float)i;
  ragged_rt_device *device = s->context->device;
  CHECK_OK(device->table->upload(device, s->x->data, values, sizeof values));
}

static session start(void) {
  session s = {0};
  const int64_t shape = BATCH;
  ragged_rt_space *space = NULL;
  fake_cuda_reset();
  fake_cuda_add_kernel("scale", scale_kernel);
  fake_cuda_add_kernel(RAGGED_RT_PLAN_KERNEL, plan_kernel);
  s.stream = fake_cuda_make_stream(true);
  if (!CHECK_OK(runtime_cuda_create(s.stream, NULL, &s.context))) exit(EXIT_FAILURE);
  CHECK_OK(ragged_rt_tensor_create_dense(s.context, RAGGED_ELEMENT_I64, 1, &shape, &s.lengths));
  CHECK_OK(ragged_rt_axis_create_on_device(s.context, BATCH, 32, s.lengths->data, 8, CAPACITY,
                                           &s.axis));
  CHECK_OK(ragged_rt_space_get(s.context, BATCH, 1, &s.axis, &space));
  CHECK_INT(ragged_rt_space_rows(space), CAPACITY);
  CHECK_OK(ragged_rt_tensor_create(s.context, RAGGED_ELEMENT_F32, space, 1, &kTail, &s.x));
  ragged_rt_space_release(space);
  return s;
}

static void finish(session *s) {
  ragged_rt_tensor_release(s->x);
  ragged_rt_axis_release(s->axis);
  ragged_rt_tensor_release(s->lengths);
  CHECK_INT(runtime_test_live(s->context), 0);
  ragged_rt_context_release(s->context);
  fake_cuda_end_stream(s->stream);
  CHECK_INT(fake_cuda_num_live(), 0);
  CHECK_STRING(fake_cuda_mistake(), NULL);
}

static void check_result(ragged_rt_tensor *const *results, int64_t rows, float first) {
  float got[CAPACITY] = {0};
  CHECK_OK(ragged_rt_tensor_to_host(results[0], got, rows * 4));
  for (int64_t i = 0; i < rows; ++i) CHECK_DOUBLE(got[i], 9 * (first + (float)i), 0);
  if (rows > 0)
    CHECK_FAILS(ragged_rt_tensor_to_host(results[0], got, rows * 4 - 1),
                RAGGED_STATUS_INVALID_ARGUMENT, "there is room for");
}

static void release(ragged_rt_tensor **results) {
  for (int k = 0; k < 2; ++k) {
    ragged_rt_tensor_release(results[k]);
    results[k] = NULL;
  }
}

static ragged_status call(session *s, const ragged_rt_entry *entry, ragged_rt_tensor **results) {
  return ragged_rt_call(s->context, entry, 1, &s->x, 2, results);
}

// ---- Tests ---------------------------------------------------------------------------------------

static void test_replays(void) {
  session s = start();
  program p;
  const ragged_rt_entry *entry = make_program(&p, scale_twice);
  ragged_rt_tensor *warm[2] = {NULL}, *results[2] = {NULL};
  ragged_rt_capture *capture = NULL;
  CUgraph graph = NULL;
  CUgraphExec executable = NULL;
  write_lengths(&s, 2, 0, 3);
  write_x(&s, 1);
  CHECK_OK(call(&s, entry, warm));
  check_result(warm, 5, 1);
  release(warm);

  // Observed or not: nothing is timed in a capture.
  ragged_rt_context_enable_statistics(s.context, true);
  int before = fake_cuda_num_operations();
  CHECK_OK(ragged_rt_capture_begin(s.context, &capture));
  CHECK_INT(cuStreamBeginCapture_v2(s.stream, 0), 0);
  CHECK_OK(call(&s, entry, results));
  CHECK_INT(cuStreamEndCapture(s.stream, &graph), 0);
  ragged_rt_capture_end(capture);
  CHECK_INT(fake_cuda_num_operations(), before);  // nothing was done
  CHECK_INT(fake_cuda_graph_nodes(graph, FAKE_CUDA_LAUNCH), 3);
  CHECK_INT(fake_cuda_graph_nodes(graph, FAKE_CUDA_COPY), 1);
  CHECK_INT(fake_cuda_graph_nodes(graph, FAKE_CUDA_UPLOAD), 0);
  ragged_rt_context_enable_statistics(s.context, false);
  CHECK_INT(cuGraphInstantiateWithFlags(&executable, graph, 0), 0);

  static const int32_t lengths[][BATCH] = {{2, 0, 3}, {8, 8, 0}, {0, 0, 0}, {1, 1, 1}, {0, 0, 8}};
  for (int v = 0; v < COUNT(lengths); ++v) {
    write_lengths(&s, lengths[v][0], lengths[v][1], lengths[v][2]);
    write_x(&s, (float)v);
    // Calls between launches of the graph get other memory.
    CHECK_OK(call(&s, entry, warm));
    CHECK_INT(cuGraphLaunch(executable, s.stream), 0);
    release(warm);
    CHECK_OK(call(&s, entry, warm));
    int64_t rows = lengths[v][0] + lengths[v][1] + lengths[v][2], offsets[BATCH + 1];
    check_result(results, rows, (float)v);
    check_result(warm, rows, (float)v);
    CHECK_OK(ragged_rt_tensor_to_host(results[1], offsets, sizeof offsets));
    for (int i = 0; i < BATCH; ++i)
      CHECK_INT(offsets[i + 1] - offsets[i], (int64_t)lengths[v][i] * lengths[v][i]);
    release(warm);
  }
  CHECK_OK(ragged_rt_context_synchronise(s.context));

  // A fault, once; then as before.
  write_lengths(&s, 1, -2, 9);
  CHECK_INT(cuGraphLaunch(executable, s.stream), 0);
  CHECK_INT(cuGraphLaunch(executable, s.stream), 0);
  CHECK_FAILS(ragged_rt_context_synchronise(s.context), RAGGED_STATUS_INVALID_ARGUMENT,
              "the length of sample 1 on the device is -2, but 0 to 8 are allowed");
  CHECK_OK(ragged_rt_context_synchronise(s.context));
  write_lengths(&s, 4, 5, 8);
  CHECK_INT(cuGraphLaunch(executable, s.stream), 0);
  CHECK_FAILS(ragged_rt_tensor_to_host(results[1], &before, 0), RAGGED_STATUS_INVALID_ARGUMENT,
              "more than its capacity of 16 rows at sample 2");
  CHECK_FAILS(ragged_rt_tensor_to_host(results[0], &before, 0), RAGGED_STATUS_INVALID_ARGUMENT,
              "give a space of 1 axes 17 rows, but its capacity is 16");
  write_lengths(&s, 3, 0, 1);
  write_x(&s, 7);
  CHECK_INT(cuGraphLaunch(executable, s.stream), 0);
  check_result(results, 4, 7);

  CHECK_INT(cuGraphExecDestroy(executable), 0);
  CHECK_INT(cuGraphDestroy(graph), 0);
  release(results);
  ragged_rt_capture_release(capture);
  finish(&s);
}

// The memory of a graph is nobody else's before its capture ends, whatever is freed and asked for.
static void test_memory_of_a_graph(void) {
  session s = start();
  program p;
  const ragged_rt_entry *entry = make_program(&p, scale_twice);
  ragged_rt_tensor *results[2] = {NULL}, *others[8] = {NULL};
  ragged_rt_capture *capture = NULL;
  CUgraph graph = NULL;
  CUgraphExec executable = NULL;
  write_lengths(&s, 2, 0, 3);
  write_x(&s, 1);
  CHECK_OK(call(&s, entry, results));
  release(results);
  CHECK_INT(cuStreamBeginCapture_v2(s.stream, 1), 0);
  CHECK_OK(ragged_rt_capture_begin(s.context, &capture));
  CHECK_OK(call(&s, entry, results));
  ragged_rt_capture_end(capture);
  CHECK_INT(cuStreamEndCapture(s.stream, &graph), 0);
  CHECK_INT(cuGraphInstantiateWithFlags(&executable, graph, 0), 0);
  ragged_rt_device *device = s.context->device;
  for (int k = 0; k < COUNT(others); ++k) {
    const int64_t shape = CAPACITY;
    CHECK_OK(ragged_rt_tensor_create_dense(s.context, RAGGED_ELEMENT_F32, 1, &shape, &others[k]));
    CHECK_OK(device->table->fill(device, others[k]->data, 0x5a, CAPACITY * sizeof(float)));
  }
  for (int64_t k = 0; k < 1100; ++k) {  // more constants than are kept without a use
    ragged_rt_constant *constant = NULL;
    CHECK_OK(ragged_rt_constant_get(s.context, &k, 8, &constant));
    ragged_rt_constant_release(constant);
  }
  CHECK_INT(cuGraphLaunch(executable, s.stream), 0);
  for (int k = 0; k < COUNT(others); ++k) {
    uint32_t words[CAPACITY];
    CHECK_OK(ragged_rt_tensor_to_host(others[k], words, sizeof words));
    for (int i = 0; i < CAPACITY; ++i) CHECK_INT(words[i], 0x5a5a5a5a);
    ragged_rt_tensor_release(others[k]);
  }
  check_result(results, 5, 1);
  // Results that end later than the capture, and a second capture in the same context.
  CHECK_INT(cuGraphDestroy(graph), 0);
  ragged_rt_capture_release(capture);
  check_result(results, 5, 1);
  release(results);
  CHECK_INT(cuStreamBeginCapture_v2(s.stream, 0), 0);
  CHECK_OK(ragged_rt_capture_begin(s.context, &capture));
  CHECK_OK(call(&s, entry, results));
  CHECK_INT(cuStreamEndCapture(s.stream, &graph), 0);
  ragged_rt_capture_end(capture);
  write_lengths(&s, 0, 1, 0);
  CHECK_INT(cuGraphLaunch((CUgraphExec)graph, s.stream), 0);
  check_result(results, 1, 1);
  release(results);
  CHECK_INT(cuGraphDestroy(graph), 0);
  ragged_rt_capture_release(capture);
  finish(&s);
}

// A call whose lengths the host knows, made once and then captured.
typedef struct known_call {
  ragged_rt_axis *axis;
  ragged_rt_space *space;
  ragged_rt_tensor *x, *results[2];
  ragged_rt_capture *capture;
  CUgraph graph;
} known_call;

// `values`: of 5 rows, in samples of 4, 0 and 1.
static known_call capture_known(session *s, const ragged_rt_entry *entry, const float *values) {
  static const int64_t lengths[BATCH] = {4, 0, 1};
  known_call c = {.axis = runtime_test_axis(s->context, BATCH, lengths)};
  c.space = runtime_test_space(s->context, c.axis, NULL);
  CHECK_OK(ragged_rt_tensor_from_host(s->context, RAGGED_ELEMENT_F32, c.space, 1, &kTail, values, &c.x));
  CHECK_OK(ragged_rt_call(s->context, entry, 1, &c.x, 2, c.results));
  release(c.results);
  CHECK_OK(ragged_rt_capture_begin(s->context, &c.capture));
  CHECK_INT(cuStreamBeginCapture_v2(s->stream, 0), 0);
  CHECK_OK(ragged_rt_call(s->context, entry, 1, &c.x, 2, c.results));
  CHECK_INT(cuStreamEndCapture(s->stream, &c.graph), 0);
  ragged_rt_capture_end(c.capture);
  return c;
}

static void end_known(known_call *c) {
  CHECK_INT(cuGraphDestroy(c->graph), 0);
  release(c->results);
  ragged_rt_tensor_release(c->x);
  ragged_rt_space_release(c->space);
  ragged_rt_axis_release(c->axis);
  ragged_rt_capture_release(c->capture);
}

// Lengths that the host knows need nothing but their numbers on the device, which the first call left.
static void test_known_lengths(void) {
  session s = start();
  program p;
  const ragged_rt_entry *entry = make_program(&p, scale_twice);
  const float values[5] = {1, 2, 3, 4, 5};
  known_call known = capture_known(&s, entry, values);
  CHECK_INT(fake_cuda_graph_nodes(known.graph, FAKE_CUDA_LAUNCH), 2);
  CHECK_INT(fake_cuda_graph_nodes(known.graph, FAKE_CUDA_UPLOAD), 0);
  CHECK_INT(cuGraphLaunch((CUgraphExec)known.graph, s.stream), 0);
  check_result(known.results, 5, 1);
  end_known(&known);
  finish(&s);
}

// A number of rows that the host knows is one in a capture, too; what lies behind the rows is made by each
// launch of the graph.
static void test_known_rows(void) {
  enum { kRows = 5, kAll = kRows + 3 };
  session s = start();
  program p;
  const ragged_rt_entry *entry = make_program(&p, extend);
  p.results[0] = runtime_test_dense(RAGGED_ELEMENT_F32, 2, -1, 1);
  float values[kRows] = {1, 2, 3, 4, 5}, got[kAll];
  known_call known = capture_known(&s, entry, values);
  CHECK_INT(ragged_rt_tensor_shape(known.results[0])[0], kAll);
  CHECK_INT(fake_cuda_graph_nodes(known.graph, FAKE_CUDA_FILL), 1);
  ragged_rt_device *device = s.context->device;
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < kRows; ++i) values[i] += (float)turn;
    CHECK_OK(device->table->upload(device, known.x->data, values, sizeof values));
    CHECK_OK(device->table->fill(device, known.results[0]->data, 0xff, sizeof got));
    CHECK_INT(cuGraphLaunch((CUgraphExec)known.graph, s.stream), 0);
    CHECK_OK(ragged_rt_tensor_to_host(known.results[0], got, sizeof got));
    for (int i = 0; i < kAll; ++i) CHECK_DOUBLE(got[i], i < kRows ? values[i] : 0, 0);
  }
  end_known(&known);
  write_lengths(&s, 2, 0, 3);
  CHECK_FAILS(call(&s, entry, known.results), RAGGED_STATUS_INVALID_ARGUMENT,
              "the number of rows is asked for, but axes of this call are known to the device only; "
              "lengths that the host knows are required");
  finish(&s);
}

// What the driver would refuse, the runtime does before: a capture stays as good as it was.
static void test_refusals(void) {
  session s = start();
  program p;
  const ragged_rt_entry *entry = make_program(&p, scale_twice);
  ragged_rt_tensor *results[2] = {NULL}, *tensor = NULL;
  ragged_rt_capture *capture = NULL, *second = NULL;
  ragged_rt_axis *axis = NULL;
  CUgraph graph = NULL;
  const float value = 1;
  float got;
  write_lengths(&s, 2, 0, 3);
  write_x(&s, 1);

  CHECK_INT(cuStreamBeginCapture_v2(s.stream, 0), 0);
  CHECK_FAILS(call(&s, entry, results), RAGGED_STATUS_INVALID_ARGUMENT,
              "the context's stream is being captured: calls need ragged_rt_capture_begin");
  CHECK_OK(ragged_rt_capture_begin(s.context, &capture));
  CHECK_FAILS(ragged_rt_capture_begin(s.context, &second), RAGGED_STATUS_INVALID_ARGUMENT,
              "a capture is in progress");
  // Never called before: constants, then code.
  CHECK_FAILS(call(&s, entry, results), RAGGED_STATUS_INVALID_ARGUMENT,
              "make the same call once before the capture begins");
  runtime_cuda_launch launch = {&kModule, "scale", {0}, 4, 0, 1, 64, 0, 0};
  launch.items = 1;
  CHECK_FAILS(runtime_cuda_call(s.context, &launch), RAGGED_STATUS_INVALID_ARGUMENT,
              "must not load the module of kernels");
  CHECK_FAILS(ragged_rt_context_synchronise(s.context), RAGGED_STATUS_INVALID_ARGUMENT,
              "must not wait for the device");
  CHECK_FAILS(ragged_rt_tensor_from_host(s.context, RAGGED_ELEMENT_F32, NULL, 0, NULL, &value,
                                         &tensor),
              RAGGED_STATUS_INVALID_ARGUMENT, "must not upload");
  CHECK_FAILS(ragged_rt_tensor_to_host(s.lengths, &got, 64), RAGGED_STATUS_INVALID_ARGUMENT,
              "must not read from the device");
  CHECK_INT(cuStreamEndCapture(s.stream, &graph), 0);  // it has not failed
  CHECK_INT(cuGraphDestroy(graph), 0);
  CHECK_FAILS(call(&s, entry, results), RAGGED_STATUS_INVALID_ARGUMENT,
              "a capture was begun, but the context's stream is not being captured");
  ragged_rt_capture_release(capture);

  // The code is there, but not this kernel of it.
  launch.kernel = RAGGED_RT_PLAN_KERNEL;
  launch.items = 0;
  CHECK_OK(runtime_cuda_call(s.context, &launch));
  CHECK_OK(call(&s, entry, results));
  release(results);
  fake_cuda_add_kernel("other", scale_kernel);
  launch.kernel = "other";
  launch.items = 1;
  CHECK_OK(ragged_rt_capture_begin(s.context, &capture));
  CHECK_INT(cuStreamBeginCapture_v2(s.stream, 0), 0);
  CHECK_FAILS(runtime_cuda_call(s.context, &launch), RAGGED_STATUS_INVALID_ARGUMENT,
              "kernel 'other': the stream is being captured, when the runtime must not load");
  // An invalid capture says so.
  CHECK_INT(cuStreamSynchronize(s.stream), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CHECK_FAILS(call(&s, entry, results), RAGGED_STATUS_INVALID_ARGUMENT,
              "the capture of the stream has failed");
  CHECK_INT(cuStreamEndCapture(s.stream, &graph), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CHECK_INT(cuGraphDestroy(graph), 0);
  ragged_rt_capture_release(capture);
  CHECK_STRING(fake_cuda_mistake(), "cuStreamSynchronize");  // that was the test itself
  fake_cuda_forget_mistake();
  CHECK_OK(ragged_rt_axis_create_on_device(s.context, BATCH, 32, s.lengths->data, 8, CAPACITY, &axis));
  CHECK(axis == s.axis);
  ragged_rt_axis_release(axis);
  finish(&s);
}

static void test_contexts_without_a_stream(void) {
  ragged_rt_capture *capture = NULL;
  fake_cuda_reset();
  ragged_rt_context *context = runtime_cuda_context();
  CHECK_FAILS(ragged_rt_capture_begin(context, &capture), RAGGED_STATUS_INVALID_ARGUMENT,
              "a stream of the embedder's is required");
  runtime_cuda_check_end(context);
  context = runtime_test_context("generated", 1);
  CHECK_FAILS(ragged_rt_capture_begin(context, &capture), RAGGED_STATUS_INVALID_ARGUMENT,
              "device 'host' has no stream that can be captured");
  ragged_rt_context_release(context);
  ragged_rt_capture_release(NULL);
}

// Every call of the driver fails once, from the capture's beginning to its end.
static bool fail_one(long n) {
  session s = start();
  program p;
  const ragged_rt_entry *entry = make_program(&p, scale_twice);
  ragged_rt_tensor *results[2] = {NULL};
  ragged_rt_capture *capture = NULL;
  CUgraph graph = NULL;
  write_lengths(&s, 2, 0, 3);
  write_x(&s, 1);
  CHECK_OK(call(&s, entry, results));
  release(results);
  CHECK_OK(ragged_rt_capture_begin(s.context, &capture));
  CHECK_INT(cuStreamBeginCapture_v2(s.stream, 0), 0);
  fake_cuda_fail_call(n, CUDA_ERROR_INVALID_VALUE);
  ragged_status status = call(&s, entry, results);
  bool failed = fake_cuda_failed_call() != NULL;
  bool told = status != NULL;
  CHECK(failed || !told);
  if (status) CHECK_CONTAINS(ragged_status_message(status), fake_cuda_failed_call());
  fake_cuda_fail_call(-1, 0);
  ragged_status_free(status);
  release(results);
  CHECK_OK(call(&s, entry, results));
  CHECK_INT(cuStreamEndCapture(s.stream, &graph), 0);
  ragged_rt_capture_end(capture);
  if (failed && !told)  // what had done its work all the same: the next wait tells
    CHECK_FAILS(ragged_rt_context_synchronise(s.context), RAGGED_STATUS_INTERNAL, "cuCtxPopCurrent");
  CHECK_INT(cuGraphLaunch((CUgraphExec)graph, s.stream), 0);
  check_result(results, 5, 1);
  CHECK_INT(cuGraphDestroy(graph), 0);
  release(results);
  ragged_rt_capture_release(capture);
  finish(&s);
  return failed;
}

// And every allocation.
static void fail_allocations(void) {
  bool failed = true;
  for (int64_t n = 0; failed && n < 1000; ++n) {
    session s = start();
    program p;
    const ragged_rt_entry *entry = make_program(&p, scale_twice);
    ragged_rt_tensor *results[2] = {NULL};
    ragged_rt_capture *capture = NULL;
    CUgraph graph = NULL;
    write_lengths(&s, 2, 0, 3);
    write_x(&s, 1);
    CHECK_OK(call(&s, entry, results));
    release(results);
    CHECK_INT(cuStreamBeginCapture_v2(s.stream, 0), 0);
    ragged_rt_context_fail_allocation(s.context, n);
    ragged_status status = ragged_rt_capture_begin(s.context, &capture);
    if (!status) status = call(&s, entry, results);
    ragged_rt_context_fail_allocation(s.context, -1);
    failed = status != NULL;
    if (failed) CHECK_INT(ragged_status_get_code(status), RAGGED_STATUS_RESOURCE_EXHAUSTED);
    ragged_status_free(status);
    CHECK_INT(cuStreamEndCapture(s.stream, &graph), 0);
    CHECK_INT(cuGraphDestroy(graph), 0);
    release(results);
    ragged_rt_capture_release(capture);
    finish(&s);
  }
  CHECK(!failed);
}

int main(void) {
  test_replays();
  test_memory_of_a_graph();
  test_known_lengths();
  test_known_rows();
  test_refusals();
  test_contexts_without_a_stream();
  long n = 0;
  while (fail_one(n) && n < 1000) ++n;
  CHECK(n > 10);
  fail_allocations();
  return unit_test_finish();
}
