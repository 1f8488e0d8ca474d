// RUN: ragged-opt %s --lower-to-cpu | FileCheck %s --implicit-check-not="@exp" --implicit-check-not="@erf" --implicit-check-not="@tanh" --implicit-check-not="intr.exp" --implicit-check-not=" math."
// Transcendental functions are inline polynomials in every kernel and product, not calls of a library.

!x = !ragged.tensor<[n, 33], f32>
!d = !ragged.tensor<[n, 3], f64>

// CHECK-LABEL: llvm.func @elementwise_0_rows
// CHECK:         llvm.intr.fma
// CHECK-LABEL: llvm.func @ragged_entry_elementwise
func.func @elementwise(%x: !x) -> (!x, !x, !x) {
  %a = ragged.exp %x : !x -> !x
  %b = ragged.gelu %x : !x -> !x
  %c = ragged.sigmoid %x : !x -> !x
  return %a, %b, %c : !x, !x, !x
}

// CHECK-LABEL: llvm.func @doubles_0_rows
// CHECK:         llvm.intr.fma
func.func @doubles(%x: !d) -> (!d, !d, !d) {
  %a = ragged.exp %x : !d -> !d
  %b = ragged.gelu %x : !d -> !d
  %c = ragged.sigmoid %x : !d -> !d
  return %a, %b, %c : !d, !d, !d
}

// CHECK-LABEL: llvm.func @softmax_0_softmax
// CHECK:         llvm.intr.fma
func.func @softmax(%x: !x) -> !x {
  %a = ragged.softmax %x dim = 1 : !x -> !x
  return %a : !x
}

// CHECK-LABEL: llvm.func @ragged_product_f32_33x33_gelu
// CHECK:         llvm.intr.fma
func.func @product(%x: !x, %w: tensor<33x33xf32>) -> !x {
  %a = ragged.linear %x, %w dim = 1 : !x, tensor<33x33xf32> -> !x
  %b = ragged.gelu %a : !x -> !x
  return %b : !x
}
