// Launches on the CUDA device, over the fake driver: grids, parameters, shared memory, scratch, the
// choice of images, the cache of modules.
#include "runtime_cuda_support.h"

static void nothing(const int64_t *words, int64_t num_words, unsigned blocks, unsigned threads) {
  (void)words, (void)num_words, (void)blocks, (void)threads;
}

// Writes each item's number; strides over the items by the grid.
static void number_items(const int64_t *words, int64_t num_words, unsigned blocks,
                         unsigned threads) {
  (void)num_words, (void)threads;
  int64_t *out = fake_cuda_host_address((void *)(uintptr_t)words[2]);
  for (unsigned block = 0; block < blocks; ++block)
    for (int64_t i = block; i < words[0]; i += blocks) out[i] = words[3] + i;
}

static const ragged_rt_kernel_image kImage[] = {PTX("sm_80", "PTX for 80")};
static const ragged_rt_kernel_module kModule = {sizeof kModule, 1, kImage};

static void start(void) {
  fake_cuda_reset();
  fake_cuda_add_kernel("nothing", nothing);
  fake_cuda_add_kernel("number_items", number_items);
}

// The number of blocks that a launch gets; 0: none was made.
static int64_t blocks_of(ragged_rt_context *context, int64_t items, int64_t items_per_block,
                         int64_t scratch_bytes) {
  int before = fake_cuda_num_operations();
  runtime_cuda_launch launch = {&kModule, "nothing", {0}, 0, items, items_per_block, 64, 0,
                                scratch_bytes};
  CHECK_OK(runtime_cuda_call(context, &launch));
  if (fake_cuda_num_operations() == before) return 0;
  const fake_cuda_operation *got = fake_cuda_last_launch();
  CHECK_INT(got->grid[1], 1);
  CHECK_INT(got->grid[2], 1);
  CHECK_INT(got->block[0], 64);
  CHECK_INT(got->block[1], 1);
  CHECK_INT(got->words[0], items);
  CHECK((got->words[1] != 0) == (scratch_bytes > 0));
  return got->grid[0];
}

static void test_grids(void) {
  start();
  ragged_rt_context *context = runtime_cuda_context();
  CHECK_INT(blocks_of(context, 0, 1, 0), 0);
  CHECK_INT(blocks_of(context, -5, 1, 0), 0);
  CHECK_INT(blocks_of(context, 1, 1, 0), 1);
  CHECK_INT(blocks_of(context, 1, 1000, 0), 1);
  CHECK_INT(blocks_of(context, 8, 4, 0), 2);
  CHECK_INT(blocks_of(context, 9, 4, 0), 3);
  CHECK_INT(blocks_of(context, INT64_MAX, 1, 0), INT32_MAX);
  CHECK_INT(blocks_of(context, INT64_MAX, INT64_MAX, 0), 1);
  CHECK_INT(blocks_of(context, (int64_t)INT32_MAX + 1, 1, 0), INT32_MAX);
  // With scratch: as many as are resident, 4 multiprocessors of 2 blocks.
  CHECK_INT(blocks_of(context, 3, 1, 256), 3);
  CHECK_INT(blocks_of(context, 8, 1, 256), 8);
  CHECK_INT(blocks_of(context, INT64_MAX, 1, 256), 8);
  ragged_rt_memory_statistics memory;
  ragged_rt_context_memory(context, &memory);
  CHECK_INT(memory.peak_allocated, 8 * 256);
  fake_cuda_get_settings()->resident_per_multiprocessor = 0;
  runtime_cuda_launch launch = {&kModule, "nothing", {0}, 0, 8, 1, 128, 0, 256};
  CHECK_FAILS(runtime_cuda_call(context, &launch), RAGGED_STATUS_UNAVAILABLE,
              "kernel 'nothing': not one block of 128 threads");
  runtime_cuda_check_end(context);
}

static void test_parameters_and_values(void) {
  start();
  ragged_rt_context *context = runtime_cuda_context();
  int64_t count = 100, values[100];
  ragged_rt_tensor *out = NULL;
  CHECK_OK(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_I64, 1, &count, &out));
  runtime_cuda_launch launch = {&kModule, "number_items",
                                {(int64_t)(uintptr_t)ragged_rt_tensor_data(out), 1000}, 2, count,
                                8, 32, 100, 0};
  CHECK_OK(runtime_cuda_call(context, &launch));
  int waits = fake_cuda_num_waits();
  CHECK_INT(waits, 0);  // a call only queues
  const fake_cuda_operation *got = fake_cuda_last_launch();
  CHECK_STRING(got->kernel, "number_items");
  CHECK_INT(got->grid[0], 13);
  CHECK_INT(got->shared_bytes, 100);
  CHECK_INT(got->bytes, 4 * 8);
  CHECK_INT(got->words[0], count);
  CHECK_INT(got->words[1], 0);
  CHECK_INT(got->words[2], launch.words[0]);
  CHECK_INT(got->words[3], 1000);
  CHECK_OK(ragged_rt_tensor_to_host(out, values, sizeof values));
  for (int64_t i = 0; i < count; ++i) CHECK_INT(values[i], 1000 + i);
  ragged_rt_tensor_release(out);
  runtime_cuda_check_end(context);
}

static void test_bad_launches(void) {
  start();
  ragged_rt_context *context = runtime_cuda_context();
  const runtime_cuda_launch good = {&kModule, "nothing", {0}, 0, 8, 1, 64, 0, 0};
  runtime_cuda_launch launch = good;
  launch.kernel = "unknown";
  CHECK_FAILS(runtime_cuda_call(context, &launch), RAGGED_STATUS_NOT_FOUND,
              "kernel 'unknown': cuModuleGetFunction: CUDA_ERROR_NOT_FOUND (500)");
  launch = good;
  launch.threads = 0;
  CHECK_FAILS(runtime_cuda_call(context, &launch), RAGGED_STATUS_INTERNAL, "0 threads");
  launch = good;
  launch.items_per_block = 0;
  CHECK_FAILS(runtime_cuda_call(context, &launch), RAGGED_STATUS_INTERNAL, "0 items a block");
  launch = good;
  launch.num_words = RAGGED_RT_MAX_KERNEL_WORDS + 1;
  CHECK_FAILS(runtime_cuda_call(context, &launch), RAGGED_STATUS_INTERNAL, "511 words");
  launch = good;
  launch.scratch_bytes = INT64_MAX;
  CHECK_FAILS(runtime_cuda_call(context, &launch), RAGGED_STATUS_RESOURCE_EXHAUSTED, "scratch");
  ragged_rt_kernel_module other = {8, 1, kImage};
  launch = good;
  launch.module = &other;
  CHECK_FAILS(runtime_cuda_call(context, &launch), RAGGED_STATUS_INTERNAL, "has 8 bytes");
  struct {
    ragged_rt_kernel_module known;
    int64_t more;
  } newer = {kModule, 1};
  newer.known.struct_size = sizeof newer;
  launch.module = &newer.known;
  CHECK_FAILS(runtime_cuda_call(context, &launch), RAGGED_STATUS_INTERNAL, "the others must be 0");
  CHECK_OK(runtime_cuda_call(context, &good));
  runtime_cuda_check_end(context);
}

static ragged_status with_shared(ragged_rt_context *context, int64_t bytes) {
  runtime_cuda_launch launch = {&kModule, "nothing", {0}, 0, 8, 1, 64, bytes, 0};
  return runtime_cuda_call(context, &launch);
}

static void test_shared_memory(void) {
  start();
  fake_cuda_get_settings()->static_shared_bytes = 1 << 10;
  ragged_rt_context *context = runtime_cuda_context();
  CHECK_OK(with_shared(context, 47 << 10));
  CHECK_INT(fake_cuda_shared_attribute(), 0);
  CHECK_OK(with_shared(context, 48 << 10));  // with the static part above what is usual
  CHECK_INT(fake_cuda_shared_attribute(), 48 << 10);
  CHECK_OK(with_shared(context, 100 << 10));
  CHECK_INT(fake_cuda_shared_attribute(), 100 << 10);
  CHECK_OK(with_shared(context, 64 << 10));
  CHECK_INT(fake_cuda_shared_attribute(), 100 << 10);
  CHECK_OK(with_shared(context, 199 << 10));
  CHECK_FAILS(with_shared(context, (199 << 10) + 1), RAGGED_STATUS_UNAVAILABLE,
              "kernel 'nothing': a block needs 204801 bytes of shared memory, but the device 'fake "
              "device 0' has 204800");
  runtime_cuda_check_end(context);
}

// ---- Images and modules ------------------------------------------------------------------------

static void check_choice(int major, int minor, int num_images,
                         const ragged_rt_kernel_image *images, const char *expected) {
  start();
  fake_cuda_get_settings()->major = major;
  fake_cuda_get_settings()->minor = minor;
  ragged_rt_context *context = runtime_cuda_context();
  ragged_rt_kernel_module module = {sizeof module, num_images, images};
  runtime_cuda_launch launch = {&module, "nothing", {0}, 0, 8, 1, 64, 0, 0};
  ragged_status status = runtime_cuda_call(context, &launch);
  if (strncmp(expected, "the program", 11) == 0) {
    CHECK_FAILS(status, RAGGED_STATUS_UNAVAILABLE, expected);
  } else {
    CHECK_OK(status);
    CHECK_STRING(fake_cuda_last_image(), expected);
  }
  runtime_cuda_check_end(context);
}

static void test_images(void) {
  const ragged_rt_kernel_image all[] = {PTX("sm_80", "ptx 80"),     PTX("sm_90", "ptx 90"),
                                        PTX("sm_90a", "ptx 90a"),   PTX("sm_100f", "ptx 100f"),
                                        CUBIN("sm_86", "cubin 86"), CUBIN("sm_90a", "cubin 90a"),
                                        FATBIN("fat")};
  check_choice(9, 0, 7, all, "cubin 90a");
  check_choice(8, 6, 7, all, "cubin 86");
  check_choice(8, 0, 7, all, "fat");
  check_choice(9, 0, 5, all, "ptx 90");  // without 90a's cubin; the first of equally new ones
  check_choice(8, 9, 5, all, "ptx 80");
  check_choice(10, 0, 5, all, "ptx 100f");
  check_choice(10, 3, 5, all, "ptx 100f");
  check_choice(12, 0, 5, all, "ptx 90");  // neither 90a nor 100f
  const ragged_rt_kernel_image one_chip[] = {PTX("sm_80", "ptx 80"), PTX("sm_90a", "ptx 90a")};
  check_choice(9, 0, 2, one_chip, "ptx 90a");
  check_choice(10, 0, 2, one_chip, "ptx 80");
  check_choice(7, 5, 6, all,
               "the program has kernels for sm_80 (PTX), sm_90 (PTX), sm_90a (PTX), sm_100f (PTX), "
               "sm_86 (cubin), sm_90a (cubin), none of which runs on the device 'fake device 0', "
               "sm_75");
  const ragged_rt_kernel_image strange[] = {PTX("gfx90", "x"), PTX("sm_9x", "x"), PTX(NULL, "x"),
                                            {RAGGED_RT_IMAGE_EMULATED, NULL, "x", 1},
                                            {77, "sm_90", "x", 1}};
  check_choice(9, 0, 5, strange, "the program has kernels for gfx90 (PTX), sm_9x (PTX), (PTX), "
                                 "(emulated), sm_90 (unknown kind), none of which");
  check_choice(9, 0, 0, NULL, "the program has kernels for nothing, none of which");
}

static void test_image_text(void) {
  start();
  ragged_rt_context *context = runtime_cuda_context();
  static const char text[] = {'p', 't', 'x', '!'};  // no zero byte at its end
  const ragged_rt_kernel_image open[] = {{RAGGED_RT_IMAGE_PTX, "sm_80", text, 3}};
  ragged_rt_kernel_module module = {sizeof module, 1, open};
  runtime_cuda_launch launch = {&module, "nothing", {0}, 0, 8, 1, 64, 0, 0};
  CHECK_OK(runtime_cuda_call(context, &launch));
  CHECK_STRING(fake_cuda_last_image(), "ptx");
  const ragged_rt_kernel_image bad[] = {PTX("sm_80", "bad text")};
  module.images = bad;
  CHECK_FAILS(runtime_cuda_call(context, &launch), RAGGED_STATUS_INTERNAL,
              "kernel 'nothing': cuModuleLoadDataEx: CUDA_ERROR_OF_THE_FAKE (200): text of the "
              "error\nline 1: what is this");
  const ragged_rt_kernel_image empty[] = {{RAGGED_RT_IMAGE_PTX, "sm_80", text, 0}};
  module.images = empty;
  CHECK_FAILS(runtime_cuda_call(context, &launch), RAGGED_STATUS_INTERNAL, "is empty");
  runtime_cuda_check_end(context);
}

static void test_module_cache(void) {
  start();
  ragged_rt_context *context = runtime_cuda_context();
  runtime_cuda_launch launch = {&kModule, "nothing", {0}, 0, 8, 1, 64, 0, 0};
  for (int k = 0; k < 5; ++k) CHECK_OK(runtime_cuda_call(context, &launch));
  CHECK_INT(fake_cuda_num_loads(), 1);
  // Compiled code may end and other code take its place.
  char text[64] = "first";
  ragged_rt_kernel_image image = {RAGGED_RT_IMAGE_PTX, "sm_80", text, sizeof text};
  ragged_rt_kernel_module module = {sizeof module, 1, &image};
  launch.module = &module;
  CHECK_OK(runtime_cuda_call(context, &launch));
  CHECK_INT(fake_cuda_num_loads(), 2);
  strcpy(text, "second");
  CHECK_OK(runtime_cuda_call(context, &launch));
  CHECK_INT(fake_cuda_num_loads(), 3);
  CHECK_STRING(fake_cuda_last_image(), "second");
  strcpy(text, "first");
  CHECK_OK(runtime_cuda_call(context, &launch));
  CHECK_INT(fake_cuda_num_loads(), 3);  // still known
  for (int k = 0; k < 200; ++k) {       // more than are kept
    snprintf(text, sizeof text, "program %d", k);
    CHECK_OK(runtime_cuda_call(context, &launch));
  }
  CHECK_INT(fake_cuda_num_loads(), 203);
  CHECK(fake_cuda_num_live() < 80);
  runtime_cuda_check_end(context);
}

int main(void) {
  test_grids();
  test_parameters_and_values();
  test_bad_launches();
  test_shared_memory();
  test_images();
  test_image_text();
  test_module_cache();
  return unit_test_finish();
}
