// A schema_cast between equal types is its operand; one that says something stays.
// RUN: ragged-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @same
// CHECK-SAME: %[[X:.*]]: !ragged.tensor
// CHECK-NEXT: return %[[X]]
func.func @same(%x: !ragged.tensor<[n], f32>) -> !ragged.tensor<[n], f32> {
  %0 = ragged.schema_cast %x : !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  return %0 : !ragged.tensor<[n], f32>
}

// CHECK-LABEL: @different
// CHECK: ragged.schema_cast
func.func @different(%x: !ragged.tensor<*, f32>) -> !ragged.tensor<[n], f32> {
  %0 = ragged.schema_cast %x : !ragged.tensor<*, f32> -> !ragged.tensor<[n], f32>
  return %0 : !ragged.tensor<[n], f32>
}
