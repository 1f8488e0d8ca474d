// What the normalisations refuse.
// RUN: ragged-opt %s --split-input-file --verify-diagnostics

// layer_norm C1: no ragged tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<8xf32>) {
  // expected-error @below {{'ragged.layer_norm' op operand #0 is tensor<8xf32>, expected a ragged tensor}}
  %0 = ragged.layer_norm %x dims = [0] eps = 1.0e-5 : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

// layer_norm C1: integers.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 8], i64>) {
  // expected-error @below {{'ragged.layer_norm' op operand #0 has element type i64, expected a float}}
  %0 = ragged.layer_norm %x dims = [1] eps = 1.0e-5 : !ragged.tensor<[n, 8], i64> -> !ragged.tensor<[n, 8], i64>
  return
}

// -----

// layer_norm C1: integers.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<*, i64>) {
  // expected-error @below {{'ragged.layer_norm' op operand #0 has element type i64, expected a float}}
  %0 = ragged.layer_norm %x dims = [1] eps = 1.0e-5 : !ragged.tensor<*, i64> -> !ragged.tensor<*, i64>
  return
}

// -----

// layer_norm C2.
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.layer_norm' op dims is empty, layer_norm needs at least one dimension}}
  %0 = ragged.layer_norm %x dims = [] eps = 1.0e-5 : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<[n, 2, 8], f32>
  return
}

// -----

// layer_norm C2.
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.layer_norm' op dims names dimension 3, expected 0 to 2 for rank 3}}
  %0 = ragged.layer_norm %x dims = [3] eps = 1.0e-5 : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<[n, 2, 8], f32>
  return
}

// -----

// layer_norm C2.
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.layer_norm' op dims names dimension -1, expected 0 to 2 for rank 3}}
  %0 = ragged.layer_norm %x dims = [-1] eps = 1.0e-5 : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<[n, 2, 8], f32>
  return
}

// -----

// layer_norm C2.
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.layer_norm' op dims names dimension 2 twice}}
  %0 = ragged.layer_norm %x dims = [2, 2] eps = 1.0e-5 : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<[n, 2, 8], f32>
  return
}

// -----

// layer_norm C2.
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.layer_norm' op operand #0 has axis n in dimension 0, layer_norm needs a static one}}
  %0 = ragged.layer_norm %x dims = [0] eps = 1.0e-5 : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<[n, 2, 8], f32>
  return
}

// -----

// layer_norm C3: three parameters.
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>, %p0: tensor<8xf32>, %p1: tensor<8xf32>, %p2: tensor<8xf32>) {
  // expected-error @below {{'ragged.layer_norm' op has 3 parameters, expected at most a scale and a bias}}
  %0 = ragged.layer_norm %x, %p0, %p1, %p2 dims = [2] eps = 1.0e-5 : !ragged.tensor<[n, 2, 8], f32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32> -> !ragged.tensor<[n, 2, 8], f32>
  return
}

// -----

// layer_norm C3: another shape.
// expected-note @below {{operand #2 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>, %p0: tensor<8xf32>, %p1: tensor<4xf32>) {
  // expected-error @below {{'ragged.layer_norm' op operand #2 is tensor<4xf32>, expected tensor<8xf32>}}
  %0 = ragged.layer_norm %x, %p0, %p1 dims = [2] eps = 1.0e-5 : !ragged.tensor<[n, 2, 8], f32>, tensor<8xf32>, tensor<4xf32> -> !ragged.tensor<[n, 2, 8], f32>
  return
}

// -----

// layer_norm C3: another shape.
// expected-note @below {{operand #2 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>, %p0: tensor<8xf32>, %p1: tensor<?xf32>) {
  // expected-error @below {{'ragged.layer_norm' op operand #2 is tensor<?xf32>, expected tensor<8xf32>}}
  %0 = ragged.layer_norm %x, %p0, %p1 dims = [2] eps = 1.0e-5 : !ragged.tensor<[n, 2, 8], f32>, tensor<8xf32>, tensor<?xf32> -> !ragged.tensor<[n, 2, 8], f32>
  return
}

// -----

// layer_norm C3: another shape.
// expected-note @below {{operand #2 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>, %p0: tensor<8xf32>, %p1: tensor<1x8xf32>) {
  // expected-error @below {{'ragged.layer_norm' op operand #2 is tensor<1x8xf32>, expected tensor<8xf32>}}
  %0 = ragged.layer_norm %x, %p0, %p1 dims = [2] eps = 1.0e-5 : !ragged.tensor<[n, 2, 8], f32>, tensor<8xf32>, tensor<1x8xf32> -> !ragged.tensor<[n, 2, 8], f32>
  return
}

// -----

// layer_norm C3: extents in the order of dims.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>, %p0: tensor<2x8xf32>) {
  // expected-error @below {{'ragged.layer_norm' op operand #1 is tensor<2x8xf32>, expected tensor<8x2xf32>}}
  %0 = ragged.layer_norm %x, %p0 dims = [2, 1] eps = 1.0e-5 : !ragged.tensor<[n, 2, 8], f32>, tensor<2x8xf32> -> !ragged.tensor<[n, 2, 8], f32>
  return
}

// -----

// layer_norm C3: another element type.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>, %p0: tensor<8xf64>) {
  // expected-error @below {{'ragged.layer_norm' op operand #1 has element type f64, expected f32 as in operand #0}}
  %0 = ragged.layer_norm %x, %p0 dims = [2] eps = 1.0e-5 : !ragged.tensor<[n, 2, 8], f32>, tensor<8xf64> -> !ragged.tensor<[n, 2, 8], f32>
  return
}

// -----

// layer_norm C3: no builtin tensor.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<*, f32>, %p0: f32) {
  // expected-error @below {{'ragged.layer_norm' op operand #1 is f32, expected a builtin tensor}}
  %0 = ragged.layer_norm %x, %p0 dims = [2] eps = 1.0e-5 : !ragged.tensor<*, f32>, f32 -> !ragged.tensor<*, f32>
  return
}

// -----

// layer_norm C4.
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.layer_norm' op 'eps' is -1e-05, expected 0 or more}}
  %0 = ragged.layer_norm %x dims = [2] eps = -1.0e-5 : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<[n, 2, 8], f32>
  return
}

// -----

// layer_norm C4.
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.layer_norm' op 'eps' is nan, expected 0 or more}}
  %0 = ragged.layer_norm %x dims = [2] eps = 0x7FF8000000000000 : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<[n, 2, 8], f32>
  return
}

// -----

// layer_norm: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.layer_norm' op result #0 is !ragged.tensor<[n, 2, 8], bf16>, expected !ragged.tensor<[n, 2, 8], f32>}}
  %0 = ragged.layer_norm %x dims = [2] eps = 1.0e-5 : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<[n, 2, 8], bf16>
  return
}

// -----

// softmax C1: no ragged tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<8xf32>) {
  // expected-error @below {{'ragged.softmax' op operand #0 is tensor<8xf32>, expected a ragged tensor}}
  %0 = ragged.softmax %x dim = 0 : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

// softmax C1: integers.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 8], i64>) {
  // expected-error @below {{'ragged.softmax' op operand #0 has element type i64, expected a float}}
  %0 = ragged.softmax %x dim = 1 : !ragged.tensor<[n, 8], i64> -> !ragged.tensor<[n, 8], i64>
  return
}

// -----

// softmax C2.
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.softmax' op dims names dimension 3, expected 0 to 2 for rank 3}}
  %0 = ragged.softmax %x dim = 3 : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<[n, 2, 8], f32>
  return
}

// -----

// softmax C2.
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.softmax' op dims names dimension -1, expected 0 to 2 for rank 3}}
  %0 = ragged.softmax %x dim = -1 : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<[n, 2, 8], f32>
  return
}

// -----

// softmax C2.
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.softmax' op operand #0 has axis n in dimension 0, softmax needs a static one}}
  %0 = ragged.softmax %x dim = 0 : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<[n, 2, 8], f32>
  return
}

// -----

// softmax: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.softmax' op result #0 is !ragged.tensor<[n, 8, 2], f32>, expected !ragged.tensor<[n, 2, 8], f32>}}
  %0 = ragged.softmax %x dim = 1 : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<[n, 8, 2], f32>
  return
}
