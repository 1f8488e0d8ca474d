// Dense products by a fake cuBLASLt in captures: a graph repeats what the library was told, for the values
// of each launch; what a capture does not allow is refused; rows that only the device knows go to no
// library.
#include "runtime_cuda_product_support.h"

static struct CUstream_st *stream;

static ragged_rt_context *start(void) {
  product_start();
  stream = fake_cuda_make_stream(true);
  ragged_rt_context_options options = {.struct_size = sizeof options, .device = "cuda",
                                       .cuda_driver = FAKE_CUDA_DRIVER, .cublaslt = FAKE_CUBLASLT,
                                       .stream = stream};
  ragged_rt_context *context = NULL;
  if (!CHECK_OK(ragged_rt_context_create(&options, &context))) exit(EXIT_FAILURE);
  return context;
}

static void finish(ragged_rt_context *context) {
  CHECK_INT(runtime_test_live(context), 0);
  ragged_rt_context_release(context);
  fake_cuda_end_stream(stream);
  CHECK_INT(fake_cuda_num_live(), 0);
  CHECK_STRING(fake_cuda_mistake(), NULL);
  CHECK_INT(fake_cublaslt_num_live(), 0);
  CHECK_STRING(fake_cublaslt_mistake(), NULL);
}

static ragged_rt_capture *begin(ragged_rt_context *context) {
  ragged_rt_capture *capture = NULL;
  CHECK_OK(ragged_rt_capture_begin(context, &capture));
  CHECK_INT(cuStreamBeginCapture_v2(stream, 0), 0);
  return capture;
}

static CUgraph end(ragged_rt_capture *capture) {
  CUgraph graph = NULL;
  CHECK_INT(cuStreamEndCapture(stream, &graph), 0);
  ragged_rt_capture_end(capture);
  return graph;
}

// `shift` was added to every element of the rows, `bias` to those of the bias.
static void check_result(const product_case *c, ragged_rt_tensor *result, double shift, double bias) {
  float got[64];
  int64_t count = product_elements(c, PRODUCT_RESULT);
  CHECK(count <= COUNT(got));
  CHECK_OK(ragged_rt_tensor_to_host(result, got, count * (int64_t)sizeof *got));
  for (int64_t i = 0; i < count; ++i) {
    double expected = product_expected(c, i / c->n, i % c->n) + bias;
    for (int64_t k = 0; k < c->k; ++k)
      expected += shift * product_value(PRODUCT_WEIGHT, i % c->n * c->k + k);
    CHECK_DOUBLE(got[i], expected, 0);
  }
}

static void write_shifted(ragged_rt_context *context, const product_case *c, int word,
                          ragged_rt_tensor *tensor, double shift) {
  float values[128];
  int64_t count = product_elements(c, word);
  CHECK(count <= COUNT(values));
  for (int64_t i = 0; i < count; ++i) values[i] = (float)(product_value(word, i) + shift);
  ragged_rt_device *device = context->device;
  CHECK_OK(device->table->upload(device, tensor->data, values, (size_t)count * sizeof *values));
}

// Two products of one shape, whose biases differ: the library describes both by the same plan.
static void test_replays(void) {
  const product_case c = {RAGGED_ELEMENT_F32, 16, 8, 4, 2, 0, true, false};
  ragged_rt_context *context = start();
  ragged_rt_tensor *first[PRODUCT_WORDS] = {NULL}, *second[PRODUCT_WORDS] = {NULL};
  int64_t first_words[PRODUCT_WORDS], second_words[PRODUCT_WORDS];
  CHECK_OK(product_operands(context, &c, first, first_words));
  CHECK_OK(product_operands(context, &c, second, second_words));
  write_shifted(context, &c, PRODUCT_BIAS, second[PRODUCT_BIAS], 0.5);
  CHECK_OK(product_launch(context, &c, first_words));
  check_result(&c, first[PRODUCT_RESULT], 0, 0);

  int questions = fake_cublaslt_num_questions();
  ragged_rt_capture *capture = begin(context);
  CHECK_OK(product_launch(context, &c, first_words));
  CHECK_OK(product_launch(context, &c, second_words));
  CUgraph graph = end(capture);
  CHECK_INT(fake_cublaslt_num_questions(), questions);
  CHECK_INT(fake_cuda_graph_nodes(graph, FAKE_CUDA_LIBRARY), 2);
  CHECK_INT(fake_cuda_graph_nodes(graph, FAKE_CUDA_LAUNCH), 0);
  for (int turn = 0; turn < 3; ++turn) {
    write_shifted(context, &c, PRODUCT_ROWS, first[PRODUCT_ROWS], turn);
    write_shifted(context, &c, PRODUCT_ROWS, second[PRODUCT_ROWS], -turn);
    CHECK_INT(cuGraphLaunch((CUgraphExec)graph, stream), 0);
    check_result(&c, first[PRODUCT_RESULT], turn, 0);
    check_result(&c, second[PRODUCT_RESULT], -turn, 0.5);
  }
  CHECK_INT(cuGraphDestroy(graph), 0);
  ragged_rt_capture_release(capture);
  product_release(first);
  product_release(second);
  finish(context);
}

// The library is loaded, and each shape planned, by calls before.
static void test_refusals(void) {
  const product_case c = {RAGGED_ELEMENT_F32, 16, 8, 4, 1, 0, false, false},
                     other = {RAGGED_ELEMENT_F32, 8, 8, 4, 1, 0, false, false};
  ragged_rt_context *context = start();
  ragged_rt_tensor *tensors[PRODUCT_WORDS] = {NULL};
  int64_t words[PRODUCT_WORDS];
  CHECK_OK(product_operands(context, &c, tensors, words));
  ragged_rt_capture *capture = begin(context);
  CHECK_FAILS(product_launch(context, &c, words), RAGGED_STATUS_INVALID_ARGUMENT,
              "must not load a library of products");
  CHECK_INT(cuGraphDestroy(end(capture)), 0);
  ragged_rt_capture_release(capture);
  CHECK_OK(product_launch(context, &c, words));
  capture = begin(context);
  CHECK_FAILS(product_launch(context, &other, words), RAGGED_STATUS_INVALID_ARGUMENT,
              "must not plan a product");
  CHECK_OK(product_launch(context, &c, words));
  CUgraph graph = end(capture);
  CHECK_INT(fake_cuda_graph_nodes(graph, FAKE_CUDA_LIBRARY), 1);
  CHECK_INT(cuGraphDestroy(graph), 0);
  ragged_rt_capture_release(capture);
  product_release(tensors);
  finish(context);
}

static void test_rows_of_the_device(void) {
  const product_case c = {RAGGED_ELEMENT_F32, 16, 8, 4, 1, 0, false, false};
  const int64_t batch = 2;
  ragged_rt_context *context = start();
  ragged_rt_tensor *tensors[PRODUCT_WORDS] = {NULL}, *lengths = NULL;
  ragged_rt_axis *axis = NULL;
  int64_t words[PRODUCT_WORDS];
  CHECK_OK(product_operands(context, &c, tensors, words));
  CHECK_OK(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_I64, 1, &batch, &lengths));
  CHECK_OK(ragged_rt_axis_create_on_device(context, batch, 64, lengths->data, 4, 4, &axis));
  CHECK_OK(ragged_rt_space_get(context, batch, 1, &axis, &product_current.space));
  CHECK_OK(product_launch(context, &c, words));
  ragged_rt_capture *capture = begin(context);
  CHECK_OK(product_launch(context, &c, words));
  CUgraph graph = end(capture);
  CHECK_INT(fake_cuda_graph_nodes(graph, FAKE_CUDA_LIBRARY), 0);
  CHECK_INT(fake_cuda_graph_nodes(graph, FAKE_CUDA_LAUNCH), 1);
  CHECK_INT(fake_cublaslt_num_products(), 0);
  CHECK_INT(cuGraphLaunch((CUgraphExec)graph, stream), 0);
  CHECK_OK(ragged_rt_context_synchronise(context));
  CHECK_INT(product_kernels, 2);
  CHECK_INT(cuGraphDestroy(graph), 0);
  ragged_rt_capture_release(capture);
  ragged_rt_space_release(product_current.space);
  product_current.space = NULL;
  ragged_rt_axis_release(axis);
  ragged_rt_tensor_release(lengths);
  product_release(tensors);
  finish(context);
}

int main(void) {
  product_forget_environment();
  test_replays();
  test_refusals();
  test_rows_of_the_device();
  return unit_test_finish();
}
