// RUN: ragged-opt %s --ragged-lower-host | FileCheck %s
// RUN: ragged-opt %s --ragged-lower-host --convert-scf-to-cf --convert-arith-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=LLVM
// Each op of a host program as the runtime's function with its arguments.

// LLVM: @[[NAMES:.*]] = internal constant [4 x i8] c"n\00m\00"
// LLVM: declare ptr @ragged_rt_frame_axis_expression(ptr, ptr, i64, ptr, ptr)
// LLVM: define void @ragged_entry_axes(ptr %[[F:.*]]) {
// LLVM-NEXT: %[[ARRAY:.*]] = alloca i64, i64 2
// LLVM: call ptr @ragged_rt_frame_axis_expression(ptr %[[F]], ptr @{{.*}}, i64 2, ptr @[[NAMES]], ptr %[[ARRAY]])

// CHECK-DAG: func.func private @ragged_rt_frame_argument(!llvm.ptr, i64) -> !llvm.ptr
// CHECK-DAG: func.func private @ragged_rt_frame_space(!llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> !llvm.ptr
// CHECK-DAG: func.func private @ragged_rt_frame_result(!llvm.ptr, i64, !llvm.ptr, !llvm.ptr){{$}}
// CHECK-DAG: llvm.mlir.global internal constant @[[NAMES:.*]]("n\00m\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[SUM:.*]]("m + n\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[N:.*]]("n\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[M:.*]]("m\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[PACK:.*]]("'ragged.pack' operand #0\00")

// CHECK-LABEL: func.func @ragged_entry_axes(
// CHECK-SAME:    %[[F:.*]]: !llvm.ptr) {
func.func @ragged_entry_axes(%f: !ragged_tile.frame) attributes {ragged_tile.host} {
  // CHECK: %[[WORDS:.*]] = arith.constant 2 : i64
  // CHECK: %[[ARRAY:.*]] = llvm.alloca %[[WORDS]] x i64 : (i64) -> !llvm.ptr
  // CHECK: %[[C1:.*]] = arith.constant 1 : i64
  // CHECK: %[[LENGTHS:.*]] = call @ragged_rt_frame_argument(%[[F]], %[[C1]])
  %lengths = ragged_tile.argument %f, 1
  // CHECK: %[[C0:.*]] = arith.constant 0 : i64
  // CHECK: %[[AXIS_N:.*]] = call @ragged_rt_frame_axis(%[[F]], %[[C0]])
  %n = ragged_tile.argument_axis %f, 0 "n"
  // CHECK: %[[AXIS_M:.*]] = call @ragged_rt_frame_axis_from_lengths(%[[F]], %[[LENGTHS]])
  %m = ragged_tile.axis_from_lengths %f, %lengths
  // CHECK: %[[K:.*]] = call @ragged_rt_frame_axis_from_offsets(%[[F]], %[[LENGTHS]])
  %k = ragged_tile.axis_from_offsets %f, %lengths
  // CHECK: %[[TEXT:.*]] = llvm.mlir.addressof @[[SUM]]
  // CHECK: %[[TWO:.*]] = arith.constant 2 : i64
  // CHECK: %[[TWO_NAMES:.*]] = llvm.mlir.addressof @[[NAMES]]
  // CHECK: llvm.store %[[AXIS_N]], %[[ARRAY]] : !llvm.ptr, !llvm.ptr
  // CHECK: %[[NEXT:.*]] = llvm.getelementptr %[[ARRAY]][1] : (!llvm.ptr) -> !llvm.ptr, i64
  // CHECK: llvm.store %[[AXIS_M]], %[[NEXT]] : !llvm.ptr, !llvm.ptr
  // CHECK: call @ragged_rt_frame_axis_expression(%[[F]], %[[TEXT]], %[[TWO]], %[[TWO_NAMES]], %[[ARRAY]])
  %sum = ragged_tile.axis_expression %f, "m + n" names = ["n", "m"] (%n, %m)
  // CHECK: call @ragged_rt_frame_envelope_axis(%[[F]], %[[AXIS_N]])
  %envelope = ragged_tile.envelope_axis %f, %n
  // CHECK: %[[C7:.*]] = arith.constant 7 : i64
  %c7 = arith.constant 7 : i64
  // CHECK: call @ragged_rt_frame_constant_axis(%[[F]], %[[AXIS_N]], %[[C7]])
  %seven = ragged_tile.constant_axis %f, %c7, %n
  // CHECK: %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
  // CHECK: call @ragged_rt_frame_constant_axis(%[[F]], %[[NULL]], %[[C7]])
  %of_call = ragged_tile.constant_axis %f, %c7
  // CHECK: %[[C4:.*]] = arith.constant 4 : i64
  // CHECK: call @ragged_rt_frame_parts_axis(%[[F]], %[[C7]], %[[C4]])
  %parts = ragged_tile.parts_axis %f, %c7 most = 4
  // CHECK: %[[WHAT:.*]] = llvm.mlir.addressof @ragged_string
  // CHECK: call @ragged_rt_frame_check_equal(%[[F]], %[[C7]], %[[C7]], %[[WHAT]])
  ragged_tile.check_equal %f, %c7 is %c7 "an extent"
  // CHECK: %[[TEXT_N:.*]] = llvm.mlir.addressof @[[N]]
  // CHECK: %[[TEXT_M:.*]] = llvm.mlir.addressof @[[M]]
  // CHECK: call @ragged_rt_frame_check_same_axis(%[[F]], %[[AXIS_N]], %[[TEXT_N]], %[[AXIS_M]], %[[TEXT_M]])
  ragged_tile.check_same_axis %f, %n "n", %m "m"
  // CHECK: %[[TEXT_PACK:.*]] = llvm.mlir.addressof @[[PACK]]
  // CHECK: call @ragged_rt_frame_check_limit(%[[F]], %[[AXIS_N]], %[[C7]], %[[TEXT_PACK]])
  ragged_tile.check_limit %f, %n within %c7 "'ragged.pack' operand #0"
  // CHECK: call @ragged_rt_frame_axis_max_extent(%[[F]], %[[K]])
  %max = ragged_tile.max_extent %f, %k
  // CHECK: return
  return
}

// CHECK-LABEL: func.func @ragged_entry_buffers(
// CHECK-SAME:    %[[F:.*]]: !llvm.ptr) {
func.func @ragged_entry_buffers(%f: !ragged_tile.frame) {
  // CHECK: %[[ARRAY:.*]] = llvm.alloca
  // CHECK: %[[N:.*]] = call @ragged_rt_frame_axis(
  %n = ragged_tile.argument_axis %f, 0 "n"
  // CHECK: %[[ONE:.*]] = arith.constant 1 : i64
  // CHECK: llvm.store %[[N]], %[[ARRAY]]
  // CHECK: %[[NULL:.*]] = llvm.mlir.zero
  // CHECK: %[[SPACE:.*]] = call @ragged_rt_frame_space(%[[F]], %[[ONE]], %[[ARRAY]], %[[NULL]])
  %space = ragged_tile.space %f (%n)
  // CHECK: %[[NONE:.*]] = arith.constant 0 : i64
  // CHECK: %[[NULL:.*]] = llvm.mlir.zero
  // CHECK: call @ragged_rt_frame_space(%[[F]], %[[NONE]], %[[NULL]], %[[N]])
  %batch = ragged_tile.batch_space %f, %n
  // CHECK: %[[NULL:.*]] = llvm.mlir.zero
  // CHECK: %[[NULL_BATCH:.*]] = llvm.mlir.zero
  // CHECK: call @ragged_rt_frame_space(%[[F]], %{{.*}}, %[[NULL]], %[[NULL_BATCH]])
  %of_call = ragged_tile.batch_space %f
  // CHECK: %[[ROWS:.*]] = call @ragged_rt_frame_space_rows(%[[F]], %[[SPACE]])
  %rows = ragged_tile.space_rows %f, %space
  // CHECK: call @ragged_rt_frame_known_rows(%[[F]], %[[SPACE]])
  %known = ragged_tile.known_rows %f, %space
  // CHECK: %[[SAMPLES:.*]] = call @ragged_rt_frame_space_batch(%[[F]], %[[SPACE]])
  %samples = ragged_tile.space_batch %f, %space
  // The element types are numbered as the runtime numbers them: bf16 is 2.
  // CHECK: %[[BF16:.*]] = arith.constant 2 : i64
  // CHECK: %[[TAIL:.*]] = arith.constant 128 : i64
  // CHECK: %[[X:.*]] = call @ragged_rt_frame_allocate(%[[F]], %[[BF16]], %[[SPACE]], %[[TAIL]])
  %x = ragged_tile.allocate %f, %space of 128 x bf16
  // CHECK: llvm.store %[[ROWS]], %[[ARRAY]] : i64, !llvm.ptr
  // CHECK: llvm.store %[[SAMPLES]], %{{.*}} : i64, !llvm.ptr
  // CHECK: %[[Y:.*]] = call @ragged_rt_frame_allocate_dense(%[[F]], %{{.*}}, %{{.*}}, %[[ARRAY]])
  %y = ragged_tile.allocate_dense %f of f32 [%rows, %samples]
  // CHECK: %[[NULL:.*]] = llvm.mlir.zero
  // CHECK: call @ragged_rt_frame_allocate_dense(%[[F]], %{{.*}}, %{{.*}}, %[[NULL]])
  %number = ragged_tile.allocate_dense %f of f64 []
  // CHECK: %[[DIM:.*]] = arith.constant 1 : i64
  // CHECK: %[[EXTENT:.*]] = call @ragged_rt_frame_dense_extent(%[[F]], %[[Y]], %[[DIM]])
  %extent = ragged_tile.dense_extent %f, %y dim = 1
  // CHECK: %[[EXACT:.*]] = arith.constant 1 : i64
  // CHECK: call @ragged_rt_frame_check_extent(%[[F]], %[[Y]], %{{.*}}, %[[EXTENT]], %[[EXACT]], %{{.*}})
  ragged_tile.check_extent %f, %y dim = 0 is %extent "'ragged.pack' operand #0"
  // CHECK: call @ragged_rt_frame_retain(%[[F]], %[[Y]])
  ragged_tile.retain %f, %y
  // CHECK: call @ragged_rt_frame_release(%[[F]], %[[Y]])
  ragged_tile.release %f, %y
  // CHECK: call @ragged_rt_frame_extents(%[[F]], %[[N]])
  %extents = ragged_tile.extents %f, %n
  // CHECK: call @ragged_rt_frame_offsets(%[[F]], %[[SPACE]])
  %offsets = ragged_tile.offsets %f, %space
  // CHECK: call @ragged_rt_frame_row_count(%[[F]], %[[SPACE]])
  %row_count = ragged_tile.row_count %f, %space
  // CHECK: %[[RANK:.*]] = arith.constant 2 : i64
  // CHECK: llvm.store %{{.*}}, %[[ARRAY]] : i64, !llvm.ptr
  // CHECK: %[[VALUES:.*]] = call @ragged_rt_frame_values(%[[F]], %[[X]], %[[SPACE]], %[[RANK]], %[[ARRAY]])
  %values = ragged_tile.values %f, %x, %space tail = [4, 32]
  // CHECK: %[[MORE:.*]] = call @ragged_rt_frame_extend(%[[F]], %[[VALUES]], %[[EXTENT]])
  %more = ragged_tile.extend %f, %values to %extent
  // CHECK: %[[NULL:.*]] = llvm.mlir.zero
  // CHECK: call @ragged_rt_frame_check_values(%[[F]], %[[VALUES]], %[[SPACE]], %{{.*}}, %[[NULL]])
  ragged_tile.check_values %f, %values, %space tail = []
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
  // CHECK: call @ragged_rt_frame_result(%[[F]], %[[ZERO]], %[[X]], %[[SPACE]])
  ragged_tile.result %f, 0, %x, %space
  // CHECK: call @ragged_rt_frame_result_dense(%[[F]], %{{.*}}, %[[Y]])
  ragged_tile.result_dense %f, 1, %y
  // CHECK-NEXT: return
  return
}

// CHECK-LABEL: func.func @ragged_entry_nothing(
// CHECK-NEXT:    return
func.func @ragged_entry_nothing(%f: !ragged_tile.frame) {
  return
}
