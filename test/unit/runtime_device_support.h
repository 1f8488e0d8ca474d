// The devices that the tests of all devices (runtime_device_*.c) run over. A device is a row of
// kDevices; what differs between them is how a kernel is launched.
#ifndef RAGGED_RUNTIME_DEVICE_SUPPORT_H
#define RAGGED_RUNTIME_DEVICE_SUPPORT_H

#include "context.h"
#include "emulated/emulated_abi.h"
#include "fake_cuda_driver.h"
#include "runtime_test_support.h"

typedef struct device_row {
  const char *name, *driver;
  void (*prepare)(void);  // before a context is made; may be null
  // y[i] = 2 * x[i] for `count` f32, as a kernel "twice" that counts 8 bytes and 1 operation an
  // item.
  void (*launch_twice)(ragged_rt_frame *frame, const void *x, void *y, int64_t count);
} device_row;

// ---- The host ----------------------------------------------------------------------------------

static inline void host_twice(const int64_t *slots, int64_t first, int64_t last, void *scratch) {
  (void)scratch;
  const float *x = (const float *)(uintptr_t)slots[0];
  float *y = (float *)(uintptr_t)slots[1];
  for (int64_t i = first; i < last; ++i) y[i] = 2 * x[i];
}

static inline void launch_on_host(ragged_rt_frame *frame, const void *x, void *y, int64_t count) {
  int64_t slots[] = {(int64_t)(uintptr_t)x, (int64_t)(uintptr_t)y};
  ragged_rt_frame_launch(frame, host_twice, "twice", slots, count, 16, 0, 8, 1);
}

// ---- CUDA: the fake driver, which knows the kernel by its name, and a real one -----------------

static inline void cuda_twice(const int64_t *words, int64_t num_words, unsigned blocks,
                              unsigned threads) {
  (void)num_words, (void)blocks, (void)threads;
  const float *x = fake_cuda_host_address((const void *)(uintptr_t)words[2]);
  float *y = fake_cuda_host_address((void *)(uintptr_t)words[3]);
  for (int64_t i = 0; i < words[0]; ++i) y[i] = 2 * x[i];
}

static inline void prepare_cuda(void) {
  fake_cuda_reset();
  fake_cuda_add_kernel("twice", cuda_twice);
}

static const char kPtx[] =
    ".version 6.3\n"
    ".target sm_75\n"
    ".address_size 64\n"
    ".visible .entry twice(.param .u64 items, .param .u64 scratch, .param .u64 x, .param .u64 y)\n"
    "{\n"
    ".reg .pred %done;\n"
    ".reg .f32 %value;\n"
    ".reg .b32 %block, %size, %thread, %blocks;\n"
    ".reg .b64 %n, %from, %to, %i, %step, %at, %bytes;\n"
    "ld.param.u64 %n, [items];\n"
    "ld.param.u64 %from, [x];\n"
    "ld.param.u64 %to, [y];\n"
    "mov.u32 %block, %ctaid.x;\n"
    "mov.u32 %size, %ntid.x;\n"
    "mov.u32 %thread, %tid.x;\n"
    "mov.u32 %blocks, %nctaid.x;\n"
    "cvt.u64.u32 %step, %thread;\n"
    "mul.wide.u32 %i, %block, %size;\n"
    "add.u64 %i, %i, %step;\n"
    "mul.wide.u32 %step, %blocks, %size;\n"
    "next:\n"
    "setp.ge.s64 %done, %i, %n;\n"
    "@%done bra end;\n"
    "shl.b64 %bytes, %i, 2;\n"
    "add.u64 %at, %from, %bytes;\n"
    "ld.global.f32 %value, [%at];\n"
    "add.f32 %value, %value, %value;\n"
    "add.u64 %at, %to, %bytes;\n"
    "st.global.f32 [%at], %value;\n"
    "add.u64 %i, %i, %step;\n"
    "bra next;\n"
    "end:\n"
    "ret;\n"
    "}\n";
// ---- The emulated device -------------------------------------------------------------------------

static inline void emulated_twice(ragged_emulated_thread *thread, const int64_t *words) {
  const float *x = (const float *)(uintptr_t)words[2];
  float *y = (float *)(uintptr_t)words[3];
  int64_t size = ragged_emulated_ntid(thread), step = size * ragged_emulated_nctaid(thread);
  int64_t first = size * ragged_emulated_ctaid(thread) + ragged_emulated_tid(thread);
  for (int64_t i = first; i < words[0]; i += step) {
    ragged_emulated_check_load(thread, &x[i], 4, 4, RAGGED_EMULATED_GLOBAL, "twice");
    ragged_emulated_check_store(thread, &y[i], 4, 4, RAGGED_EMULATED_GLOBAL, "twice");
    y[i] = 2 * x[i];
  }
}

static const ragged_rt_emulated_kernel kEmulated[] = {{"twice", (void (*)(void))emulated_twice}};

// ---- All that have kernel modules ----------------------------------------------------------------

static const ragged_rt_kernel_image kImages[] = {
    {RAGGED_RT_IMAGE_PTX, "sm_75", kPtx, sizeof kPtx - 1},
    {RAGGED_RT_IMAGE_EMULATED, NULL, kEmulated, 1}};
static const ragged_rt_kernel_module kModule = {sizeof kModule, 2, kImages};

static inline void launch_grid(ragged_rt_frame *frame, const void *x, void *y, int64_t count) {
  int64_t words[] = {(int64_t)(uintptr_t)x, (int64_t)(uintptr_t)y};
  ragged_rt_frame_launch_grid(frame, &kModule, "twice", words, 2, NULL, count, 128, 128, 0, 0, 8, 1);
}

static const device_row kDevices[] = {
    {"host", NULL, NULL, launch_on_host},
    {"cuda", FAKE_CUDA_DRIVER, prepare_cuda, launch_grid},
    {"cuda", "libcuda.so.1", NULL, launch_grid},
    {"emulated", NULL, NULL, launch_grid},
};

// The row that entries, which take no arguments of their own, are run for.
static const device_row *current;

static inline ragged_status create_context(ragged_rt_context **out) {
  ragged_rt_context_options options = {.struct_size = sizeof options, .device = current->name,
                                       .cuda_driver = current->driver, .products = "generated",
                                       .num_threads = 2};
  if (current->prepare) current->prepare();
  return ragged_rt_context_create(&options, out);
}

static inline ragged_rt_context *make_context(void) {
  ragged_rt_context *context = NULL;
  if (!CHECK_OK(create_context(&context))) exit(EXIT_FAILURE);
  CHECK_STRING(ragged_rt_context_device(context), current->name);
  return context;
}

// Of the machine's hardware; everything else is there.
static inline bool is_there(void) {
  ragged_rt_context *context = NULL;
  ragged_status status = create_context(&context);
  ragged_rt_context_release(context);
  if (!status) return true;
  printf("SKIPPED: %s: %s\n", current->name, ragged_status_message(status));
  CHECK_INT(ragged_status_get_code(status), RAGGED_STATUS_UNAVAILABLE);
  CHECK(current->driver && strcmp(current->driver, "libcuda.so.1") == 0);
  ragged_status_free(status);
  return false;
}

// Runs the tests for each device on one context, in which each leaves nothing live, then `alone`,
// which makes contexts of its own (may be null).
static inline void for_each_device(void (*const *tests)(ragged_rt_context *context), int count,
                                   void (*alone)(void)) {
  for (int k = 0; k < COUNT(kDevices); ++k) {
    current = &kDevices[k];
    if (!is_there()) continue;
    ragged_rt_context *context = make_context();
    for (int j = 0; j < count; ++j) {
      tests[j](context);
      CHECK_INT(runtime_test_live(context), 0);
    }
    ragged_rt_context_release(context);
    if (alone) alone();
  }
  CHECK_STRING(fake_cuda_mistake(), NULL);
  CHECK_INT(fake_cuda_num_live(), 0);
}

#endif  // RAGGED_RUNTIME_DEVICE_SUPPORT_H
