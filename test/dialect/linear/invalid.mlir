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

// -----

// product_over_rows C1: no ragged tensor.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %dy: tensor<8x4xf32>) {
  // expected-error @below {{'ragged.product_over_rows' op operand #1 is tensor<8x4xf32>, expected a ragged tensor}}
  %0 = ragged.product_over_rows %x, %dy dims = [1, 1] : !ragged.tensor<[n, 4], f32>, tensor<8x4xf32> -> tensor<4x4xf32>
  return
}

// -----

// product_over_rows C1: another element type.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %dy: !ragged.tensor<[n, 8], bf16>) {
  // expected-error @below {{'ragged.product_over_rows' op operand #1 has element type bf16, expected f32 as in operand #0}}
  %0 = ragged.product_over_rows %x, %dy dims = [1, 1] : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 8], bf16> -> tensor<8x4xf32>
  return
}

// -----

// product_over_rows C1: the same while a schema is not known.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<*, f32>, %dy: !ragged.tensor<[n, 8], bf16>) {
  // expected-error @below {{'ragged.product_over_rows' op operand #1 has element type bf16, expected f32 as in operand #0}}
  %0 = ragged.product_over_rows %x, %dy dims = [1, 1] : !ragged.tensor<*, f32>, !ragged.tensor<[n, 8], bf16> -> tensor<8x4xf32>
  return
}

// -----

// product_over_rows C2: two numbers.
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.product_over_rows' op dims has 1 numbers, expected 2: a dimension of each operand}}
  %0 = ragged.product_over_rows %x, %x dims = [1] : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> tensor<4x4xf32>
  return
}

// -----

// product_over_rows C2: no dimension.
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %dy: !ragged.tensor<[n, 8], f32>) {
  // expected-error @below {{'ragged.product_over_rows' op dims names dimension 2 of operand #1, which has rank 2}}
  %0 = ragged.product_over_rows %x, %dy dims = [1, 2] : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 8], f32> -> tensor<8x4xf32>
  return
}

// -----

// product_over_rows C2: a ragged dimension.
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %dy: !ragged.tensor<[n, 8], f32>) {
  // expected-error @below {{'ragged.product_over_rows' op operand #0 has axis n in dimension 0, product_over_rows needs a static one}}
  %0 = ragged.product_over_rows %x, %dy dims = [0, 1] : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 8], f32> -> tensor<8x4xf32>
  return
}

// -----

// product_over_rows C3: ranks.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, m, 4], f32>, %dy: !ragged.tensor<[n, 8], f32>) {
  // expected-error @below {{'ragged.product_over_rows' op operand #1 has rank 2, expected 3 as in operand #0}}
  %0 = ragged.product_over_rows %x, %dy dims = [2, 1] : !ragged.tensor<[n, m, 4], f32>, !ragged.tensor<[n, 8], f32> -> tensor<8x4xf32>
  return
}

// -----

// product_over_rows C3: axes.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[4, n, m], f32>, %dy: !ragged.tensor<[n, n, 8], f32>) {
  // expected-error @below {{'ragged.product_over_rows' op operand #1 has axis n in dimension 1, expected m as in dimension 2 of operand #0}}
  %0 = ragged.product_over_rows %x, %dy dims = [0, 2] : !ragged.tensor<[4, n, m], f32>, !ragged.tensor<[n, n, 8], f32> -> tensor<8x4xf32>
  return
}

// -----

// product_over_rows C4: elements of the result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[4294967296], f32>) {
  // expected-error @below {{'ragged.product_over_rows' op result: 4294967296 x 4294967296 elements do not fit 63 bits}}
  %0 = ragged.product_over_rows %x, %x dims = [0, 0] : !ragged.tensor<[4294967296], f32>, !ragged.tensor<[4294967296], f32> -> tensor<4x4xf32>
  return
}

// -----

// product_over_rows: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %dy: !ragged.tensor<[n, 8], f32>) {
  // expected-error @below {{'ragged.product_over_rows' op result #0 is tensor<4x8xf32>, expected tensor<8x4xf32>}}
  %0 = ragged.product_over_rows %x, %dy dims = [1, 1] : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 8], f32> -> tensor<4x8xf32>
  return
}

// -----

// product_over_rows C4: no builtin tensor of the element type while a schema is not known.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<*, f32>, %dy: !ragged.tensor<[n, 8], f32>) {
  // expected-error @below {{'ragged.product_over_rows' op result #0 is tensor<8x4xf64>, expected a builtin tensor of f32}}
  %0 = ragged.product_over_rows %x, %dy dims = [1, 1] : !ragged.tensor<*, f32>, !ragged.tensor<[n, 8], f32> -> tensor<8x4xf64>
  return
}

// -----

// product_over_rows C1: truth values.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], i1>) {
  // expected-error @below {{'ragged.product_over_rows' op operand #0 has element type i1, expected a number}}
  %0 = ragged.product_over_rows %x, %x dims = [1, 1] : !ragged.tensor<[n, 4], i1>, !ragged.tensor<[n, 4], i1> -> tensor<4x4xi1>
  return
}
