// RUN: ragged-opt %s --split-input-file --allow-unregistered-dialect --verify-diagnostics --ragged-propagate-schemas
// RUN: ragged-opt %s --split-input-file --allow-unregistered-dialect --ragged-inline 2>&1 | FileCheck %s
// What the passes do not know they leave alone or report; they never fall over it.

// CHECK-LABEL: func @unregistered
// CHECK: "other.region"
func.func @unregistered(%x: !ragged.tensor<[n], f32>) -> !ragged.tensor<[n], f32> {
  %0 = "other.region"(%x) ({
  ^bb0(%y: !ragged.tensor<[n], f32>):
    %1 = ragged.exp %y : !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
    "other.end"(%1) : (!ragged.tensor<[n], f32>) -> ()
  }) : (!ragged.tensor<[n], f32>) -> !ragged.tensor<[n], f32>
  return %0 : !ragged.tensor<[n], f32>
}

// -----

// Nothing but declarations, and calls of them.
// CHECK: func private @nothing
func.func private @nothing()
// CHECK-LABEL: func @calls_nothing
// CHECK: call @nothing
func.func @calls_nothing() {
  func.call @nothing() : () -> ()
  return
}

// -----

// CHECK: module
module {
}

// -----

// A call of a function of stage 2 stays.
// CHECK-LABEL: func private @stage2
func.func private @stage2(%x: i64) attributes {ragged_tile.program} {
  return
}
// CHECK-LABEL: func @calls_stage2
// CHECK: call @stage2
func.func @calls_stage2(%x: i64) {
  func.call @stage2(%x) : (i64) -> ()
  return
}
