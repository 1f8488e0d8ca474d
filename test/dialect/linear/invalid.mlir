// What linear refuses.
// RUN: ragged-opt %s --split-input-file --verify-diagnostics

// C1: no ragged tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<4xf32>, %w: tensor<8x4xf32>) {
  // expected-error @below {{'ragged.linear' op operand #0 is tensor<4xf32>, expected a ragged tensor}}
  %0 = ragged.linear %x, %w dim = 0 : tensor<4xf32>, tensor<8x4xf32> -> tensor<8xf32>
  return
}

// -----

// C1: no dimension.
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<8x4xf32>) {
  // expected-error @below {{'ragged.linear' op dim names dimension 2, expected 0 to 1 for rank 2}}
  %0 = ragged.linear %x, %w dim = 2 : !ragged.tensor<[n, 4], f32>, tensor<8x4xf32> -> !ragged.tensor<*, f32>
  return
}

// -----

// C1: no dimension.
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<8x4xf32>) {
  // expected-error @below {{'ragged.linear' op dim names dimension -1, expected 0 to 1 for rank 2}}
  %0 = ragged.linear %x, %w dim = -1 : !ragged.tensor<[n, 4], f32>, tensor<8x4xf32> -> !ragged.tensor<*, f32>
  return
}

// -----

// C1: a ragged dimension.
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<8x4xf32>) {
  // expected-error @below {{'ragged.linear' op operand #0 has axis n in dimension 0, linear needs a static one}}
  %0 = ragged.linear %x, %w dim = 0 : !ragged.tensor<[n, 4], f32>, tensor<8x4xf32> -> !ragged.tensor<*, f32>
  return
}

// -----

// C1: a value without dimensions.
func.func @f(%x: !ragged.tensor<[], f32>, %w: tensor<8x4xf32>) {
  // expected-error @below {{'ragged.linear' op dim names dimension 0, but operand #0 has rank 0}}
  %0 = ragged.linear %x, %w dim = 0 : !ragged.tensor<[], f32>, tensor<8x4xf32> -> !ragged.tensor<*, f32>
  return
}

// -----

// C2: no weight.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<?x4xf32>) {
  // expected-error @below {{'ragged.linear' op operand #1 is tensor<?x4xf32>, expected a builtin tensor of static shape [out, in]}}
  %0 = ragged.linear %x, %w dim = 1 : !ragged.tensor<[n, 4], f32>, tensor<?x4xf32> -> !ragged.tensor<[n, 8], f32>
  return
}

// -----

// C2: no weight.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<8x?xf32>) {
  // expected-error @below {{'ragged.linear' op operand #1 is tensor<8x?xf32>, expected a builtin tensor of static shape [out, in]}}
  %0 = ragged.linear %x, %w dim = 1 : !ragged.tensor<[n, 4], f32>, tensor<8x?xf32> -> !ragged.tensor<[n, 8], f32>
  return
}

// -----

// C2: no weight.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<8xf32>) {
  // expected-error @below {{'ragged.linear' op operand #1 is tensor<8xf32>, expected a builtin tensor of static shape [out, in]}}
  %0 = ragged.linear %x, %w dim = 1 : !ragged.tensor<[n, 4], f32>, tensor<8xf32> -> !ragged.tensor<[n, 8], f32>
  return
}

// -----

// C2: no weight.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<8x4x1xf32>) {
  // expected-error @below {{'ragged.linear' op operand #1 is tensor<8x4x1xf32>, expected a builtin tensor of static shape [out, in]}}
  %0 = ragged.linear %x, %w dim = 1 : !ragged.tensor<[n, 4], f32>, tensor<8x4x1xf32> -> !ragged.tensor<[n, 8], f32>
  return
}

// -----

// C2: no weight.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: f32) {
  // expected-error @below {{'ragged.linear' op operand #1 is f32, expected a builtin tensor of static shape [out, in]}}
  %0 = ragged.linear %x, %w dim = 1 : !ragged.tensor<[n, 4], f32>, f32 -> !ragged.tensor<[n, 8], f32>
  return
}

// -----

// C2: no weight.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: !ragged.tensor<[8, 4], f32>) {
  // expected-error @below {{'ragged.linear' op operand #1 is !ragged.tensor<[8, 4], f32>, expected a builtin tensor of static shape [out, in]}}
  %0 = ragged.linear %x, %w dim = 1 : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[8, 4], f32> -> !ragged.tensor<[n, 8], f32>
  return
}

// -----

// C2: no weight.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<8x4xf16>) {
  // expected-error @below {{'ragged.linear' op operand #1 is tensor<8x4xf16>, expected a builtin tensor of static shape [out, in]}}
  %0 = ragged.linear %x, %w dim = 1 : !ragged.tensor<[n, 4], f32>, tensor<8x4xf16> -> !ragged.tensor<[n, 8], f32>
  return
}

// -----

// C2: another element type.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<8x4xf64>) {
  // expected-error @below {{'ragged.linear' op operand #1 has element type f64, expected that of operand #0}}
  %0 = ragged.linear %x, %w dim = 1 : !ragged.tensor<[n, 4], f32>, tensor<8x4xf64> -> !ragged.tensor<[n, 8], f32>
  return
}

// -----

// C2: another extent.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<4x8xf32>) {
  // expected-error @below {{'ragged.linear' op operand #0 has extent 4 in dimension 1, expected 8 as in dimension 1 of operand #1 (weight)}}
  %0 = ragged.linear %x, %w dim = 1 : !ragged.tensor<[n, 4], f32>, tensor<4x8xf32> -> !ragged.tensor<[n, 8], f32>
  return
}

// -----

// C2: another extent of a transposed weight.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<8x4xf32>) {
  // expected-error @below {{'ragged.linear' op operand #0 has extent 4 in dimension 1, expected 8 as in dimension 0 of operand #1 (weight)}}
  %0 = ragged.linear %x, %w dim = 1 transposed : !ragged.tensor<[n, 4], f32>, tensor<8x4xf32> -> !ragged.tensor<[n, 8], f32>
  return
}

// -----

// C2: no transposed weight.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<4x?xf32>) {
  // expected-error @below {{'ragged.linear' op operand #1 is tensor<4x?xf32>, expected a builtin tensor of static shape [in, out]}}
  %0 = ragged.linear %x, %w dim = 1 transposed : !ragged.tensor<[n, 4], f32>, tensor<4x?xf32> -> !ragged.tensor<[n, 8], f32>
  return
}

// -----

// C3: another extent, with a transposed weight.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<4x8xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{'ragged.linear' op operand #2 (bias) has extent 4, expected 8 as in dimension 1 of operand #1 (weight)}}
  %0 = ragged.linear %x, %w, %b dim = 1 transposed : !ragged.tensor<[n, 4], f32>, tensor<4x8xf32>, tensor<4xf32> -> !ragged.tensor<[n, 8], f32>
  return
}

// -----

// C3: no bias.
// expected-note @below {{operand #2 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<8x4xf32>, %b: tensor<?xf32>) {
  // expected-error @below {{'ragged.linear' op operand #2 is tensor<?xf32>, expected a builtin tensor of static shape [out]}}
  %0 = ragged.linear %x, %w, %b dim = 1 : !ragged.tensor<[n, 4], f32>, tensor<8x4xf32>, tensor<?xf32> -> !ragged.tensor<[n, 8], f32>
  return
}

// -----

// C3: no bias.
// expected-note @below {{operand #2 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<8x4xf32>, %b: tensor<8x1xf32>) {
  // expected-error @below {{'ragged.linear' op operand #2 is tensor<8x1xf32>, expected a builtin tensor of static shape [out]}}
  %0 = ragged.linear %x, %w, %b dim = 1 : !ragged.tensor<[n, 4], f32>, tensor<8x4xf32>, tensor<8x1xf32> -> !ragged.tensor<[n, 8], f32>
  return
}

// -----

// C3: no bias.
// expected-note @below {{operand #2 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<8x4xf32>, %b: f32) {
  // expected-error @below {{'ragged.linear' op operand #2 is f32, expected a builtin tensor of static shape [out]}}
  %0 = ragged.linear %x, %w, %b dim = 1 : !ragged.tensor<[n, 4], f32>, tensor<8x4xf32>, f32 -> !ragged.tensor<[n, 8], f32>
  return
}

// -----

// C3: another element type.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<8x4xf32>, %b: tensor<8xi64>) {
  // expected-error @below {{'ragged.linear' op operand #2 has element type i64, expected that of operand #0}}
  %0 = ragged.linear %x, %w, %b dim = 1 : !ragged.tensor<[n, 4], f32>, tensor<8x4xf32>, tensor<8xi64> -> !ragged.tensor<[n, 8], f32>
  return
}

// -----

// C3: another extent.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<8x4xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{'ragged.linear' op operand #2 (bias) has extent 4, expected 8 as in dimension 0 of operand #1 (weight)}}
  %0 = ragged.linear %x, %w, %b dim = 1 : !ragged.tensor<[n, 4], f32>, tensor<8x4xf32>, tensor<4xf32> -> !ragged.tensor<[n, 8], f32>
  return
}

// -----

// C4: a row of too many elements.
func.func @f(%x: !ragged.tensor<[n, 1099511627776, 1], f32>, %w: tensor<1099511627776x1xf32>) {
  // expected-error @below {{'ragged.linear' op result: the product of the static extents does not fit 63 bits}}
  %0 = ragged.linear %x, %w dim = 2 : !ragged.tensor<[n, 1099511627776, 1], f32>, tensor<1099511627776x1xf32> -> !ragged.tensor<*, f32>
  return
}

// -----

// Weights are checked while the operand is not known.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<*, f32>, %w: tensor<8x4xf64>) {
  // expected-error @below {{'ragged.linear' op operand #1 has element type f64, expected that of operand #0}}
  %0 = ragged.linear %x, %w dim = 1 : !ragged.tensor<*, f32>, tensor<8x4xf64> -> !ragged.tensor<*, f32>
  return
}

// -----

// Another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %w: tensor<8x4xf32>) {
  // expected-error @below {{'ragged.linear' op result #0 is !ragged.tensor<[n, 4], f32>, expected !ragged.tensor<[n, 8], f32>}}
  %0 = ragged.linear %x, %w dim = 1 : !ragged.tensor<[n, 4], f32>, tensor<8x4xf32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// linear C1: truth values.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], i1>, %w: tensor<2x4xi1>) {
  // expected-error @below {{'ragged.linear' op operand #0 has element type i1, expected a number}}
  %0 = ragged.linear %x, %w dim = 1 : !ragged.tensor<[n, 4], i1>, tensor<2x4xi1> -> !ragged.tensor<[n, 2], i1>
  return
}
