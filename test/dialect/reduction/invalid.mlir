// What reductions refuse. They share their checks; each meets C1.
// RUN: ragged-opt %s --split-input-file --verify-diagnostics

// sum C1: no tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: f32) {
  // expected-error @below {{'ragged.sum' op operand #0 is f32, expected a ragged tensor or a builtin tensor of f64, f32, bf16, i64 or i1}}
  %0 = ragged.sum %x dims = [0] : f32 -> tensor<f32>
  return
}

// -----

// max C1: no tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: index) {
  // expected-error @below {{'ragged.max' op operand #0 is index, expected a ragged tensor or a builtin tensor of f64, f32, bf16, i64 or i1}}
  %0 = ragged.max %x dims = [0] : index -> tensor<f32>
  return
}

// -----

// mean C1: no tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: vector<8xf32>) {
  // expected-error @below {{'ragged.mean' op operand #0 is vector<8xf32>, expected a ragged tensor or a builtin tensor of f64, f32, bf16, i64 or i1}}
  %0 = ragged.mean %x dims = [0] : vector<8xf32> -> tensor<f32>
  return
}

// -----

// mean C1: integers.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 8], i64>) {
  // expected-error @below {{'ragged.mean' op operand #0 has element type i64, expected a float}}
  %0 = ragged.mean %x dims = [0] : !ragged.tensor<[n, 8], i64> -> !ragged.tensor<*, i64>
  return
}

// -----

// mean C1: integers.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<*, i64>) {
  // expected-error @below {{'ragged.mean' op operand #0 has element type i64, expected a float}}
  %0 = ragged.mean %x dims = [0] : !ragged.tensor<*, i64> -> !ragged.tensor<*, i64>
  return
}

// -----

// max C1: elements of another type.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<8xf16>) {
  // expected-error @below {{'ragged.max' op operand #0 is tensor<8xf16>, expected a ragged tensor or a builtin tensor of f64, f32, bf16, i64 or i1}}
  %0 = ragged.max %x dims = [0] : tensor<8xf16> -> tensor<f16>
  return
}

// -----

// mean C1: integers in a builtin tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<8xi64>) {
  // expected-error @below {{'ragged.mean' op operand #0 has element type i64, expected a float}}
  %0 = ragged.mean %x dims = [0] : tensor<8xi64> -> tensor<i64>
  return
}

// -----

// sum C2: of a builtin tensor.
func.func @f(%x: tensor<8x2xf32>) {
  // expected-error @below {{'ragged.sum' op dims names dimension 2, expected 0 to 1 for rank 2}}
  %0 = ragged.sum %x dims = [2] : tensor<8x2xf32> -> tensor<8x2xf32>
  return
}

// -----

// max C2: of a builtin tensor, twice.
func.func @f(%x: tensor<8x2xf32>) {
  // expected-error @below {{'ragged.max' op dims names dimension 1 twice}}
  %0 = ragged.max %x dims = [1, 1] : tensor<8x2xf32> -> tensor<8xf32>
  return
}

// -----

// sum C3: a builtin tensor has no batch.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<8xf32>) {
  // expected-error @below {{'ragged.sum' op operand #0 is a builtin tensor, which has no batch to reduce over}}
  %0 = ragged.sum %x dims = [0] batch : tensor<8xf32> -> tensor<f32>
  return
}

// -----

// sum: another result of a builtin tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<?x8xf32>) {
  // expected-error @below {{'ragged.sum' op result #0 is tensor<?x1xf32>, expected tensor<?xf32>}}
  %0 = ragged.sum %x dims = [1] : tensor<?x8xf32> -> tensor<?x1xf32>
  return
}

// -----

// sum C2.
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.sum' op dims names dimension 3, expected 0 to 2 for rank 3}}
  %0 = ragged.sum %x dims = [3] : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// sum C2.
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.sum' op dims names dimension -1, expected 0 to 2 for rank 3}}
  %0 = ragged.sum %x dims = [-1] : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// sum C2.
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.sum' op dims names dimension 1 twice}}
  %0 = ragged.sum %x dims = [1, 0, 1] : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// sum C2.
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.sum' op 'dims' has 17 entries, at most 16 are supported}}
  %0 = ragged.sum %x dims = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// max C2: a value without dimensions.
func.func @f(%x: !ragged.tensor<[], f32>) {
  // expected-error @below {{'ragged.max' op dims names dimension 0, but operand #0 has rank 0}}
  %0 = ragged.max %x dims = [0] : !ragged.tensor<[], f32> -> !ragged.tensor<[], f32>
  return
}

// -----

// sum C2: in the batch form too.
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.sum' op dims names dimension 5, expected 0 to 2 for rank 3}}
  %0 = ragged.sum %x dims = [0, 5] batch : !ragged.tensor<[n, 2, 8], f32> -> tensor<8xf32>
  return
}

// -----

// mean C3: a ragged dimension is left.
func.func @f(%x: !ragged.tensor<[n, m, 8], f32>) {
  // expected-error @below {{'ragged.mean' op dimension 1 of operand #0 is ragged (axis m) and not in dims; a reduction over the batch must list every ragged dimension}}
  %0 = ragged.mean %x dims = [0] batch : !ragged.tensor<[n, m, 8], f32> -> tensor<8xf32>
  return
}

// -----

// sum C3: the batch form gives a builtin tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.sum' op result #0 is !ragged.tensor<[2, 8], f32>, expected tensor<2x8xf32>}}
  %0 = ragged.sum %x dims = [0] batch : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<[2, 8], f32>
  return
}

// -----

// sum C3: also while the operand is not known.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<*, f32>) {
  // expected-error @below {{'ragged.sum' op result #0 is !ragged.tensor<*, f32>, expected a builtin tensor of f32}}
  %0 = ragged.sum %x dims = [0] batch : !ragged.tensor<*, f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// sum: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.sum' op result #0 is !ragged.tensor<[n, 2, 8], f32>, expected !ragged.tensor<[n, 8], f32>}}
  %0 = ragged.sum %x dims = [1] : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<[n, 2, 8], f32>
  return
}

// -----

// sum: without keep_dims.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.sum' op result #0 is !ragged.tensor<[n, 1, 8], f32>, expected !ragged.tensor<[n, 8], f32>}}
  %0 = ragged.sum %x dims = [1] : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<[n, 1, 8], f32>
  return
}

// -----

// max: with keep_dims.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 2, 8], f32>) {
  // expected-error @below {{'ragged.max' op result #0 is !ragged.tensor<[n, 8], f32>, expected !ragged.tensor<[n, 1, 8], f32>}}
  %0 = ragged.max %x dims = [1] keep_dims : !ragged.tensor<[n, 2, 8], f32> -> !ragged.tensor<[n, 8], f32>
  return
}

// -----

// mean: a word that is no case of `empty`.
func.func @f(%x: !ragged.tensor<[n, 8], f32>) {
  // expected-error @below {{custom op 'ragged.mean' expected string or keyword containing one of the following enum values for attribute 'empty' [nan, zero]}}
  %0 = ragged.mean %x dims = [0] empty = one : !ragged.tensor<[n, 8], f32> -> !ragged.tensor<[8], f32>
  return
}

// -----

// max C1: truth values.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i1>) {
  // expected-error @below {{'ragged.max' op operand #0 has element type i1, expected a number}}
  %0 = ragged.max %x dims = [0] : !ragged.tensor<[n], i1> -> !ragged.tensor<[], i1>
  return
}

// -----

// mean C1: truth values.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i1>) {
  // expected-error @below {{'ragged.mean' op operand #0 has element type i1, expected a float}}
  %0 = ragged.mean %x dims = [0] : !ragged.tensor<[n], i1> -> !ragged.tensor<[], i1>
  return
}

// -----

// sum: truth values that are not counted.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i1>) {
  // expected-error @below {{'ragged.sum' op result #0 is !ragged.tensor<[], i1>, expected !ragged.tensor<[], i64>}}
  %0 = ragged.sum %x dims = [0] : !ragged.tensor<[n], i1> -> !ragged.tensor<[], i1>
  return
}

// -----

// argmax C1: no ragged tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'ragged.argmax' op operand #0 is tensor<4xf32>, expected a ragged tensor}}
  %0 = ragged.argmax %x dims = [0] : tensor<4xf32> -> tensor<i64>
  return
}

// -----

// argmax C2: no dimension.
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.argmax' op dims names dimension 2, expected 0 to 1 for rank 2}}
  %0 = ragged.argmax %x dims = [2] : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, i64>
  return
}

// -----

// argmax C3: a ragged dimension that is left.
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.argmax' op dimension 0 of operand #0 is ragged (axis n) and not in dims; a reduction over the batch must list every ragged dimension}}
  %0 = ragged.argmax %x dims = [1] batch : !ragged.tensor<[n, 4], f32> -> tensor<i64>
  return
}

// -----

// argmax C3: no builtin tensor of i64.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<*, f32>) {
  // expected-error @below {{'ragged.argmax' op result #0 is tensor<4xf32>, expected a builtin tensor of i64}}
  %0 = ragged.argmax %x dims = [0] batch : !ragged.tensor<*, f32> -> tensor<4xf32>
  return
}

// -----

// argmax: positions are i64.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.argmax' op result #0 is !ragged.tensor<[n], f32>, expected !ragged.tensor<[n], i64>}}
  %0 = ragged.argmax %x dims = [1] : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n], f32>
  return
}

// -----

// scatter_max C1: no ragged tensor.
// expected-note @below {{operand #2 is defined here}}
func.func @f(%dy: !ragged.tensor<[n], f32>, %p: !ragged.tensor<[n], i64>, %x: tensor<4xf32>) {
  // expected-error @below {{'ragged.scatter_max' op operand #2 is tensor<4xf32>, expected a ragged tensor}}
  %0 = ragged.scatter_max %dy, %p dims = [1] like %x : !ragged.tensor<[n], f32>, !ragged.tensor<[n], i64>, tensor<4xf32> -> !ragged.tensor<*, f32>
  return
}

// -----

// scatter_max C1: no dimension.
func.func @f(%dy: !ragged.tensor<[n], f32>, %p: !ragged.tensor<[n], i64>, %x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.scatter_max' op dims names dimension 1 twice}}
  %0 = ragged.scatter_max %dy, %p dims = [1, 1] like %x : !ragged.tensor<[n], f32>, !ragged.tensor<[n], i64>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// scatter_max C1: a ragged dimension that is left.
func.func @f(%dy: tensor<f32>, %p: tensor<i64>, %x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.scatter_max' op dimension 0 of operand #2 is ragged (axis n) and not in dims; a reduction over the batch must list every ragged dimension}}
  %0 = ragged.scatter_max %dy, %p dims = [1] batch like %x : tensor<f32>, tensor<i64>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// scatter_max C2: dy.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%dy: !ragged.tensor<[n], f32>, %p: !ragged.tensor<[n, 1], i64>, %x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.scatter_max' op operand #0 is !ragged.tensor<[n], f32>, expected !ragged.tensor<[n, 1], f32>}}
  %0 = ragged.scatter_max %dy, %p dims = [1] keep_dims like %x : !ragged.tensor<[n], f32>, !ragged.tensor<[n, 1], i64>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// scatter_max C2: positions.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%dy: !ragged.tensor<[n], f32>, %x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.scatter_max' op operand #1 is !ragged.tensor<[n], f32>, expected !ragged.tensor<[n], i64>}}
  %0 = ragged.scatter_max %dy, %dy dims = [1] like %x : !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// scatter_max C2: positions of floats, not known otherwise.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%dy: !ragged.tensor<[n], f32>, %p: !ragged.tensor<*, f32>, %x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.scatter_max' op operand #1 is !ragged.tensor<*, f32>, expected !ragged.tensor<[n], i64>}}
  %0 = ragged.scatter_max %dy, %p dims = [1] like %x : !ragged.tensor<[n], f32>, !ragged.tensor<*, f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// scatter_max: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%dy: !ragged.tensor<[n], bf16>, %p: !ragged.tensor<[n], i64>, %x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.scatter_max' op result #0 is !ragged.tensor<[n, 4], f32>, expected !ragged.tensor<[n, 4], bf16>}}
  %0 = ragged.scatter_max %dy, %p dims = [1] like %x : !ragged.tensor<[n], bf16>, !ragged.tensor<[n], i64>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// argmax C1: truth values.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i1>) {
  // expected-error @below {{'ragged.argmax' op operand #0 has element type i1, expected a number}}
  %0 = ragged.argmax %x dims = [0] : !ragged.tensor<[n], i1> -> !ragged.tensor<[], i64>
  return
}

// -----

// scatter_max C2: truth values.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%dy: !ragged.tensor<[], i1>, %p: !ragged.tensor<[], i64>, %x: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.scatter_max' op operand #0 has element type i1, expected a number}}
  %0 = ragged.scatter_max %dy, %p dims = [0] like %x : !ragged.tensor<[], i1>, !ragged.tensor<[], i64>, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], i1>
  return
}
