// DLPack in and out: shapes, types, who frees what, and what is refused.
#include "dlpack_abi.h"
#include "runtime_test_support.h"

static void test_round_trip(ragged_rt_context *context) {
  ragged_rt_axis *n = runtime_test_axis(context, 2, (int64_t[]){2, 3});
  ragged_rt_space *space = runtime_test_space(context, n, NULL);
  ragged_rt_tensor *tensor = NULL, *back = NULL;
  CHECK_OK(ragged_rt_tensor_create(context, RAGGED_ELEMENT_BF16, space, 2, (int64_t[]){3, 4},
                                   &tensor));
  DLManagedTensor *managed = NULL;
  CHECK_OK(ragged_rt_tensor_to_dlpack(tensor, &managed));
  const DLTensor *dl = &managed->dl_tensor;
  CHECK(dl->data == ragged_rt_tensor_data(tensor));
  CHECK_INT(dl->ndim, 3);
  CHECK_INT(dl->shape[0], 5);
  CHECK_INT(dl->shape[2], 4);
  CHECK_INT(dl->strides[0], 12);
  CHECK_INT(dl->strides[2], 1);
  CHECK_INT(dl->dtype.code, 4);
  CHECK_INT(dl->dtype.bits, 16);
  ragged_rt_tensor_release(tensor);  // the managed tensor keeps the values
  CHECK_INT(runtime_test_live(context), 1);
  CHECK_OK(ragged_rt_tensor_from_dlpack(context, managed, space, &back));
  CHECK_INT(ragged_rt_tensor_rank(back), 2);
  CHECK_INT(ragged_rt_tensor_rows(back), 5);
  ragged_rt_tensor_release(back);
  CHECK_INT(runtime_test_live(context), 0);
  ragged_rt_space_release(space);
  ragged_rt_axis_release(n);
}

// Truth values are bytes.
static void test_truth(ragged_rt_context *context) {
  ragged_rt_tensor *tensor = NULL, *back = NULL;
  CHECK_OK(ragged_rt_tensor_create_dense(context, RAGGED_ELEMENT_I1, 1, (int64_t[]){5}, &tensor));
  DLManagedTensor *managed = NULL;
  CHECK_OK(ragged_rt_tensor_to_dlpack(tensor, &managed));
  CHECK_INT(managed->dl_tensor.dtype.code, 6);
  CHECK_INT(managed->dl_tensor.dtype.bits, 8);
  ragged_rt_tensor_release(tensor);
  CHECK_OK(ragged_rt_tensor_from_dlpack(context, managed, NULL, &back));
  CHECK_INT(ragged_rt_tensor_element_type(back), RAGGED_ELEMENT_I1);
  ragged_rt_tensor_release(back);
}

static int deleted;
static void count_delete(DLManagedTensor *self) {
  (void)self;
  ++deleted;
}

static void test_foreign(ragged_rt_context *context) {
  double data[16] = {0};
  int64_t shape[] = {3, 4}, strides[] = {4, 1};
  DLManagedTensor managed = {
      .dl_tensor = {.data = data, .device = {kDLCPU, 0}, .ndim = 2, .dtype = {kDLFloat, 64, 1},
                    .shape = shape, .strides = strides, .byte_offset = 16},
      .deleter = count_delete};
  ragged_rt_tensor *tensor = NULL;
  CHECK_OK(ragged_rt_tensor_from_dlpack(context, &managed, NULL, &tensor));
  CHECK(ragged_rt_tensor_data(tensor) == data + 2);
  CHECK_INT(deleted, 0);
  ragged_rt_tensor_release(tensor);
  CHECK_INT(deleted, 1);
  strides[0] = 5;
  CHECK_FAILS(ragged_rt_tensor_from_dlpack(context, &managed, NULL, &tensor),
              RAGGED_STATUS_INVALID_ARGUMENT,
              "DLPack dimension 0 has stride 5, but 4 is required");
  strides[0] = 4;
  managed.dl_tensor.device.device_type = 2;
  CHECK_FAILS(ragged_rt_tensor_from_dlpack(context, &managed, NULL, &tensor),
              RAGGED_STATUS_INVALID_ARGUMENT, "device type 2");
  managed.dl_tensor.device.device_type = kDLCPU;
  managed.dl_tensor.dtype.lanes = 2;
  CHECK_FAILS(ragged_rt_tensor_from_dlpack(context, &managed, NULL, &tensor),
              RAGGED_STATUS_INVALID_ARGUMENT, "2 lanes");
  managed.dl_tensor.dtype.lanes = 1;
  managed.dl_tensor.dtype.bits = 16;
  CHECK_FAILS(ragged_rt_tensor_from_dlpack(context, &managed, NULL, &tensor),
              RAGGED_STATUS_INVALID_ARGUMENT,
              "(code 2, 16 bits, 1 lanes) is none of f64, f32, bf16, i64, i1");
  managed.dl_tensor.dtype.bits = 64;
  managed.dl_tensor.byte_offset = 12;
  CHECK_FAILS(ragged_rt_tensor_from_dlpack(context, &managed, NULL, &tensor),
              RAGGED_STATUS_INVALID_ARGUMENT, "not aligned to 8 bytes");
  managed.dl_tensor.byte_offset = 0;
  ragged_rt_axis *n = runtime_test_axis(context, 2, (int64_t[]){2, 3});
  ragged_rt_space *space = runtime_test_space(context, n, NULL);
  CHECK_FAILS(ragged_rt_tensor_from_dlpack(context, &managed, space, &tensor),
              RAGGED_STATUS_INVALID_ARGUMENT, "the buffer holds 3 rows, but the space has 5");
  shape[0] = -3;
  CHECK_FAILS(ragged_rt_tensor_from_dlpack(context, &managed, NULL, &tensor),
              RAGGED_STATUS_INVALID_ARGUMENT, "extent -3");
  CHECK_INT(deleted, 1);  // refused: still the caller's
  ragged_rt_space_release(space);
  ragged_rt_axis_release(n);
}

int main(void) {
  ragged_rt_context *context = runtime_test_context("generated", 1);
  test_round_trip(context);
  test_truth(context);
  test_foreign(context);
  ragged_rt_context_release(context);
  return unit_test_finish();
}
