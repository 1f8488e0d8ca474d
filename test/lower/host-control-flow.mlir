// RUN: ragged-opt %s --ragged-lower-host | FileCheck %s
// RUN: ragged-opt %s --ragged-lower-host --convert-scf-to-cf --convert-arith-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=LLVM
// Buffers that structured control flow carries become pointers, and loops stop after an error.

// LLVM-LABEL: define void @ragged_entry_for(
// LLVM: phi ptr

// CHECK-LABEL: func.func @ragged_entry_for(
// CHECK-SAME:    %[[F:.*]]: !llvm.ptr) {
func.func @ragged_entry_for(%f: !ragged_tile.frame) {
  %x = ragged_tile.argument %f, 0
  %n = ragged_tile.argument_axis %f, 0 "n"
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  // CHECK: %[[LAST:.*]]:2 = scf.while (%[[I:.*]] = %{{.*}}, %[[X:.*]] = %{{.*}}) : (index, !llvm.ptr) -> (index, !llvm.ptr) {
  // CHECK-NEXT: %[[LESS:.*]] = arith.cmpi slt, %[[I]], %{{.*}} : index
  // CHECK-NEXT: %[[OK:.*]] = func.call @ragged_rt_frame_ok(%[[F]])
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i64
  // CHECK-NEXT: %[[WELL:.*]] = arith.cmpi ne, %[[OK]], %[[ZERO]]
  // CHECK-NEXT: %[[GOES_ON:.*]] = arith.andi %[[LESS]], %[[WELL]]
  // CHECK-NEXT: scf.condition(%[[GOES_ON]]) %[[I]], %[[X]]
  // CHECK-NEXT: } do {
  // CHECK-NEXT: ^bb0(%[[TURN:.*]]: index, %[[STATE:.*]]: !llvm.ptr):
  // CHECK:        %[[MADE:.*]] = func.call @ragged_rt_frame_allocate(
  // CHECK:        func.call @ragged_rt_frame_release(%[[F]], %[[STATE]])
  // CHECK-NEXT:   %[[NEXT:.*]] = arith.addi %[[TURN]], %{{.*}} : index
  // CHECK-NEXT:   scf.yield %[[NEXT]], %[[MADE]]
  // CHECK:      call @ragged_rt_frame_result_dense(%[[F]], %{{.*}}, %[[LAST]]#1)
  %last = scf.for %i = %c0 to %c5 step %c1 iter_args(%state = %x) -> (!ragged_tile.buffer) {
    %space = ragged_tile.space %f (%n)
    %made = ragged_tile.allocate %f, %space of 4 x f32
    ragged_tile.release %f, %state
    scf.yield %made : !ragged_tile.buffer
  }
  ragged_tile.result_dense %f, 0, %last
  // Nothing of the runtime in the body: as it was.
  // CHECK: scf.for
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: scf.yield
  %count = scf.for %i = %c0 to %c5 step %c1 iter_args(%sum = %c0) -> (index) {
    %more = arith.addi %sum, %i : index
    scf.yield %more : index
  }
  return
}

// CHECK-LABEL: func.func @ragged_entry_if(
// CHECK-SAME:    %[[F:.*]]: !llvm.ptr) {
func.func @ragged_entry_if(%f: !ragged_tile.frame) {
  %x = ragged_tile.argument %f, 0
  %c = ragged_tile.argument %f, 1
  %number = ragged_tile.to_scalar %f, %c : i64
  %zero = arith.constant 0 : i64
  %condition = arith.cmpi ne, %number, %zero : i64
  // CHECK: %[[Y:.*]] = scf.if %{{.*}} -> (!llvm.ptr) {
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i64
  // CHECK-NEXT: %[[N:.*]] = func.call @ragged_rt_frame_axis(%[[F]], %[[ZERO]])
  // CHECK-NEXT: %[[MADE:.*]] = func.call @ragged_rt_frame_extents(%[[F]], %[[N]])
  // CHECK-NEXT: scf.yield %[[MADE]] : !llvm.ptr
  // CHECK-NEXT: } else {
  // CHECK-NEXT: func.call @ragged_rt_frame_retain
  // CHECK-NEXT: scf.yield %{{.*}} : !llvm.ptr
  %y = scf.if %condition -> (!ragged_tile.buffer) {
    %n = ragged_tile.argument_axis %f, 0 "n"
    %made = ragged_tile.extents %f, %n
    scf.yield %made : !ragged_tile.buffer
  } else {
    ragged_tile.retain %f, %x
    scf.yield %x : !ragged_tile.buffer
  }
  // CHECK: call @ragged_rt_frame_result_dense(%[[F]], %{{.*}}, %[[Y]])
  ragged_tile.result_dense %f, 0, %y
  return
}

// CHECK-LABEL: func.func @ragged_entry_while(
// CHECK-SAME:    %[[F:.*]]: !llvm.ptr) {
func.func @ragged_entry_while(%f: !ragged_tile.frame) {
  %x = ragged_tile.argument %f, 0
  %zero = arith.constant 0 : i64
  // CHECK: scf.while (%[[STATE:.*]] = %{{.*}}) : (!llvm.ptr) -> !llvm.ptr {
  // CHECK: %[[CONDITION:.*]] = arith.cmpi sgt
  // CHECK: %[[OK:.*]] = func.call @ragged_rt_frame_ok(%[[F]])
  // CHECK: %[[NO_ERROR:.*]] = arith.cmpi ne, %[[OK]]
  // CHECK: %[[BOTH:.*]] = arith.andi %[[CONDITION]], %[[NO_ERROR]]
  // CHECK: scf.condition(%[[BOTH]]) %[[STATE]] : !llvm.ptr
  // CHECK: ^bb0(%{{.*}}: !llvm.ptr):
  %last = scf.while (%state = %x) : (!ragged_tile.buffer) -> !ragged_tile.buffer {
    %number = ragged_tile.to_scalar %f, %state : i64
    %condition = arith.cmpi sgt, %number, %zero : i64
    scf.condition(%condition) %state : !ragged_tile.buffer
  } do {
  ^bb0(%state: !ragged_tile.buffer):
    %n = ragged_tile.argument_axis %f, 0 "n"
    %made = ragged_tile.extents %f, %n
    scf.yield %made : !ragged_tile.buffer
  }
  ragged_tile.result_dense %f, 0, %last
  return
}
