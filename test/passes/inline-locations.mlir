// RUN: ragged-opt %s --ragged-inline --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// An inlined op says where it stands and where it was called.

func.func private @f(%x: !ragged.tensor<[a], f32>) -> !ragged.tensor<[a], f32> {
  %0 = ragged.exp %x : !ragged.tensor<[a], f32> -> !ragged.tensor<[a], f32> loc("callee")
  return %0 : !ragged.tensor<[a], f32>
}
// CHECK: ragged.exp {{.*}} loc(callsite("callee" at "caller"))
func.func @g(%x: !ragged.tensor<[n], f32>) -> !ragged.tensor<[n], f32> {
  %0 = ragged.call @f(%x) : (!ragged.tensor<[n], f32>) -> !ragged.tensor<[n], f32> loc("caller")
  return %0 : !ragged.tensor<[n], f32>
}
