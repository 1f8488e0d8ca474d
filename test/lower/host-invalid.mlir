// RUN: ragged-opt %s --ragged-lower-host --split-input-file --verify-diagnostics

func.func @ragged_entry_f(%f: !ragged_tile.frame) {
  %c1 = arith.constant 1 : i64
  // expected-error @+1 {{'ragged_tile.launch' op launches @missing, which is no kernel of the module}}
  ragged_tile.launch %f, @missing items %c1 batch %c1 axes() buffers()
  return
}

// -----

// expected-note @below {{the kernel is here}}
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, 4xf32>):
}
func.func @ragged_entry_f(%f: !ragged_tile.frame) {
  %c1 = arith.constant 1 : i64
  // expected-error @+1 {{'ragged_tile.launch' op has 0 axes and 0 buffers, but its kernel has 1 axes and 1 refs}}
  ragged_tile.launch %f, @k items %c1 batch %c1 axes() buffers()
  return
}

// -----

func.func @ragged_entry_f(%f: !ragged_tile.frame) {
  %byte = arith.constant 1 : i8
  // expected-error @+1 {{'ragged_tile.from_scalar' op has a number of type i8, which the runtime does not have}}
  %0 = ragged_tile.from_scalar %f, %byte : i8
  return
}

// -----

func.func @ragged_entry_f(%f: !ragged_tile.frame) {
  // expected-error @+1 {{'ragged_tile.constant_buffer' op has an element type that the runtime does not have: f16}}
  %0 = ragged_tile.constant_buffer %f, dense<1.0> : tensor<2xf16>
  return
}
