// RUN: ragged-opt %s --ragged-lower-host | FileCheck %s
// RUN: ragged-opt %s --ragged-lower-host --convert-scf-to-cf --convert-arith-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=LLVM
// A launch fills the kernel's slots (kernel_layout.h) and makes the products that run inside it.

// The kernel's and the product's addresses. Each slot is eight bytes.
// LLVM-LABEL: define void @ragged_entry_twice(
// LLVM: %[[ARRAY:.*]] = alloca i64, i64 7
// LLVM: call void @ragged_rt_frame_launch(ptr %{{.*}}, ptr @twice, ptr @{{.*}}, ptr %[[ARRAY]],
// LLVM-LABEL: define void @ragged_entry_dense(
// LLVM: call ptr @ragged_rt_frame_product({{.*}}, ptr @ragged_product_f32_16x8_bias_gelu)

ragged_tile.kernel @twice axes = ["n", "m"] grid = [0, 1] {
^bb0(%sample: index, %i: index, %j: index, %x: !ragged_tile.ref<[0, 1], 4xf32>, %u: !ragged_tile.ref<[1], 4xf32>):
  %0 = ragged_tile.load %u[%sample, %j] : !ragged_tile.ref<[1], 4xf32> -> !ragged_tile.tile<4xf32>
  %1 = ragged_tile.elementwise "add", %0, %0 : !ragged_tile.tile<4xf32>, !ragged_tile.tile<4xf32> -> !ragged_tile.tile<4xf32>
  ragged_tile.store %1, %x[%sample, %i, %j] : !ragged_tile.tile<4xf32>, !ragged_tile.ref<[0, 1], 4xf32>
}

// CHECK-LABEL: func.func @ragged_entry_twice(
// CHECK-SAME:    %[[F:.*]]: !llvm.ptr) {
func.func @ragged_entry_twice(%f: !ragged_tile.frame) {
  // CHECK: %[[ARRAY:.*]] = llvm.alloca
  // CHECK: %[[U:.*]] = call @ragged_rt_frame_argument(
  %u = ragged_tile.argument %f, 0
  // CHECK: %[[N:.*]] = call @ragged_rt_frame_axis(
  %n = ragged_tile.argument_axis %f, 0 "n"
  // CHECK: %[[M:.*]] = call @ragged_rt_frame_axis(
  %m = ragged_tile.argument_axis %f, 1 "m"
  %space = ragged_tile.space %f (%n, %m)
  // CHECK: %[[X:.*]] = call @ragged_rt_frame_allocate(
  %x = ragged_tile.allocate %f, %space of 4 x f32
  // CHECK: %[[ROWS:.*]] = call @ragged_rt_frame_space_rows(
  %rows = ragged_tile.space_rows %f, %space
  // CHECK: %[[BATCH:.*]] = call @ragged_rt_frame_space_batch(
  %batch = ragged_tile.space_batch %f, %space
  // CHECK: %[[X_DATA:.*]] = call @ragged_rt_frame_data(%[[F]], %[[X]])
  // CHECK: %[[U_DATA:.*]] = call @ragged_rt_frame_data(%[[F]], %[[U]])
  // CHECK: %[[N_EXTENTS:.*]] = call @ragged_rt_frame_axis_extents(%[[F]], %[[N]])
  // CHECK: %[[M_EXTENTS:.*]] = call @ragged_rt_frame_axis_extents(%[[F]], %[[M]])
  // CHECK: %[[NM:.*]] = call @ragged_rt_frame_space(%[[F]],
  // CHECK: %[[NM_OFFSETS:.*]] = call @ragged_rt_frame_space_offsets(%[[F]], %[[NM]])
  // CHECK: llvm.store %[[M]], %[[ARRAY]]
  // CHECK: %[[M_SPACE:.*]] = call @ragged_rt_frame_space(%[[F]],
  // CHECK: %[[M_OFFSETS:.*]] = call @ragged_rt_frame_space_offsets(%[[F]], %[[M_SPACE]])
  // CHECK: %[[FUNCTION:.*]] = constant @twice : (!llvm.ptr, i64, i64, !llvm.ptr) -> ()
  // CHECK: %[[ADDRESS:.*]] = builtin.unrealized_conversion_cast %[[FUNCTION]]
  // CHECK: %[[NAME:.*]] = llvm.mlir.addressof
  // CHECK: llvm.store %[[BATCH]], %[[ARRAY]] : i64, !llvm.ptr
  // CHECK: llvm.store %[[X_DATA]],
  // CHECK: llvm.store %[[U_DATA]],
  // CHECK: llvm.store %[[N_EXTENTS]],
  // CHECK: llvm.store %[[M_EXTENTS]],
  // CHECK: llvm.store %[[NM_OFFSETS]],
  // CHECK: llvm.store %[[M_OFFSETS]],
  // CHECK: call @ragged_rt_frame_launch(%[[F]], %[[ADDRESS]], %[[NAME]], %[[ARRAY]], %[[ROWS]],
  // CHECK-NOT: release_product
  // CHECK: call @ragged_rt_frame_result(
  ragged_tile.launch %f, @twice items %rows batch %batch axes(%n, %m) buffers(%x, %u)
  ragged_tile.result %f, 0, %x, %space
  return
}

// The weight of 8 x 16 and its bias are bf16: the product computes in f32 (1), the runtime widens.
ragged_tile.kernel @dense axes = ["n"] grid = [0] {
^bb0(%sample: index, %i: index, %x: !ragged_tile.ref<[0], 3x16xf32>, %w: !ragged_tile.ref<dense, 8x16xbf16>, %b: !ragged_tile.ref<dense, 8xbf16>, %y: !ragged_tile.ref<[0], 3x8xf32>):
  %0 = ragged_tile.load %x[%sample, %i] : !ragged_tile.ref<[0], 3x16xf32> -> !ragged_tile.tile<3x16xf32>
  %1 = ragged_tile.dot %0, %w, %b bias activation = 2 : !ragged_tile.tile<3x16xf32>, !ragged_tile.ref<dense, 8x16xbf16>, !ragged_tile.ref<dense, 8xbf16> -> !ragged_tile.tile<3x8xf32>
  ragged_tile.store %1, %y[%sample, %i] : !ragged_tile.tile<3x8xf32>, !ragged_tile.ref<[0], 3x8xf32>
}

// CHECK-LABEL: func.func @ragged_entry_dense(
// CHECK-SAME:    %[[F:.*]]: !llvm.ptr) {
func.func @ragged_entry_dense(%f: !ragged_tile.frame) {
  // CHECK: %[[X:.*]] = call @ragged_rt_frame_argument(
  %x = ragged_tile.argument %f, 0
  // CHECK: %[[W:.*]] = call @ragged_rt_frame_argument(
  %w = ragged_tile.argument %f, 1
  // CHECK: %[[B:.*]] = call @ragged_rt_frame_argument(
  %b = ragged_tile.argument %f, 2
  %n = ragged_tile.argument_axis %f, 0 "n"
  %space = ragged_tile.space %f (%n)
  %y = ragged_tile.allocate %f, %space of 24 x f32
  %rows = ragged_tile.space_rows %f, %space
  %batch = ragged_tile.space_batch %f, %space
  // CHECK: %[[GENERATED:.*]] = constant @ragged_product_f32_16x8_bias_gelu : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> ()
  // CHECK: %[[GENERATED_ADDRESS:.*]] = builtin.unrealized_conversion_cast %[[GENERATED]]
  // CHECK: %[[F32:.*]] = arith.constant 1 : i64
  // CHECK: %[[K:.*]] = arith.constant 16 : i64
  // CHECK: %[[O:.*]] = arith.constant 8 : i64
  // CHECK: %[[BLOCK:.*]] = arith.constant {{[0-9]+}} : i64
  // CHECK: %[[TRANSPOSED:.*]] = arith.constant 0 : i64
  // CHECK: %[[GELU:.*]] = arith.constant 2 : i64
  // CHECK: %[[RESIDUAL:.*]] = arith.constant 0 : i64
  // CHECK: %[[PANEL:.*]] = arith.constant 16 : i64
  // CHECK: %[[PRODUCT:.*]] = call @ragged_rt_frame_product(%[[F]], %[[F32]], %[[K]], %[[O]], %[[BLOCK]], %[[W]], %[[TRANSPOSED]], %[[B]], %[[GELU]], %[[RESIDUAL]], %[[PANEL]], %[[GENERATED_ADDRESS]])
  // CHECK: llvm.store %[[PRODUCT]]
  // CHECK: call @ragged_rt_frame_launch(
  // CHECK-NEXT: call @ragged_rt_frame_release_product(%[[F]], %[[PRODUCT]])
  ragged_tile.launch %f, @dense items %rows batch %batch axes(%n) buffers(%x, %w, %b, %y)
  ragged_tile.result %f, 0, %y, %space
  return
}
