// What is not used goes, and equal ops are one; assume_same_axis is not moved to where it would not
// have run.
// RUN: ragged-opt %s --allow-unregistered-dialect --cse --loop-invariant-code-motion | FileCheck %s

// CHECK-LABEL: @unused
// CHECK-NEXT: return
func.func @unused(%x: !ragged.tensor<[n], f32>) {
  %0 = ragged.add %x, %x : !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  return
}

// CHECK-LABEL: @speculation
// CHECK: ragged.exp
// CHECK: scf.for
// CHECK-NEXT: ragged.assume_same_axis
func.func @speculation(%x: !ragged.tensor<[m], f32>, %y: !ragged.tensor<[n], f32>, %count: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %count step %one {
    %0 = ragged.assume_same_axis %x dims = [0] to = "n" like %y : !ragged.tensor<[m], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
    %1 = ragged.exp %y : !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
    "test.use"(%0, %1) : (!ragged.tensor<[n], f32>, !ragged.tensor<[n], f32>) -> ()
  }
  return
}
