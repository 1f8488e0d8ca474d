// Rows too large to lower: an error at the op, not a crash when the program runs.
// RUN: ragged-opt %s --lower-to-cpu --split-input-file --verify-diagnostics

// The row less its mean is kept: a gibibyte and more.
func.func @norm(%x: !ragged.tensor<[n, 16384, 16385], f32>) -> !ragged.tensor<[n, 16384, 16385], f32> {
  // expected-error @below {{'ragged_tile.kernel' op keeps 1073807360 bytes of scratch for each worker, at most 1073741824 are supported}}
  %0 = ragged.layer_norm %x dims = [1, 2] eps = 1.0e-5 : !ragged.tensor<[n, 16384, 16385], f32> -> !ragged.tensor<[n, 16384, 16385], f32>
  return %0 : !ragged.tensor<[n, 16384, 16385], f32>
}

// -----

// What is too large for a tile.
func.func @exp(%x: !ragged.tensor<[n, 65536, 65536], f32>) -> !ragged.tensor<[n, 65536, 65536], f32> {
  // expected-error @below {{'ragged.exp' op has a row or a dense operand that has more than 2147483647 elements}}
  %0 = ragged.exp %x : !ragged.tensor<[n, 65536, 65536], f32> -> !ragged.tensor<[n, 65536, 65536], f32>
  return %0 : !ragged.tensor<[n, 65536, 65536], f32>
}

// -----

func.func @weight(%x: !ragged.tensor<[n, 65536], f32>, %w: tensor<65536x65536xf32>) -> !ragged.tensor<[n, 65536], f32> {
  // expected-error @below {{'ragged.linear' op has a row or a dense operand that has more than 2147483647 elements}}
  %0 = ragged.linear %x, %w dim = 1 : !ragged.tensor<[n, 65536], f32>, tensor<65536x65536xf32> -> !ragged.tensor<[n, 65536], f32>
  return %0 : !ragged.tensor<[n, 65536], f32>
}
