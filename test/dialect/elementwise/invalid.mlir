// What elementwise ops refuse. The ops of one shape share their checks; each op meets C1.
// RUN: ragged-opt %s --split-input-file --verify-diagnostics

// exp C1: integers.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i64>) {
  // expected-error @below {{'ragged.exp' op operand #0 has element type i64, expected a float}}
  %0 = ragged.exp %x : !ragged.tensor<[n], i64> -> !ragged.tensor<[n], i64>
  return
}

// -----

// gelu C1: integers.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i64>) {
  // expected-error @below {{'ragged.gelu' op operand #0 has element type i64, expected a float}}
  %0 = ragged.gelu %x : !ragged.tensor<[n], i64> -> !ragged.tensor<[n], i64>
  return
}

// -----

// sigmoid C1: integers.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i64>) {
  // expected-error @below {{'ragged.sigmoid' op operand #0 has element type i64, expected a float}}
  %0 = ragged.sigmoid %x : !ragged.tensor<[n], i64> -> !ragged.tensor<[n], i64>
  return
}

// -----

// exp C1: integers of a schema to be inferred.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<*, i64>) {
  // expected-error @below {{'ragged.exp' op operand #0 has element type i64, expected a float}}
  %0 = ragged.exp %x : !ragged.tensor<*, i64> -> !ragged.tensor<*, i64>
  return
}

// -----

// sigmoid C1: an integer scalar.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: i64) {
  // expected-error @below {{'ragged.sigmoid' op operand #0 has element type i64, expected a float}}
  %0 = ragged.sigmoid %x : i64 -> i64
  return
}

// -----

// exp C2: no value.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: index) {
  // expected-error @below {{'ragged.exp' op operand #0 is index, expected a ragged tensor, a builtin tensor or a scalar of f64, f32, bf16, i64 or i1}}
  %0 = ragged.exp %x : index -> index
  return
}

// -----

// gelu C2: no value.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: index) {
  // expected-error @below {{'ragged.gelu' op operand #0 is index, expected a ragged tensor, a builtin tensor or a scalar of f64, f32, bf16, i64 or i1}}
  %0 = ragged.gelu %x : index -> index
  return
}

// -----

// relu C2: no value.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: index) {
  // expected-error @below {{'ragged.relu' op operand #0 is index, expected a ragged tensor, a builtin tensor or a scalar of f64, f32, bf16, i64 or i1}}
  %0 = ragged.relu %x : index -> index
  return
}

// -----

// sigmoid C2: no value.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: index) {
  // expected-error @below {{'ragged.sigmoid' op operand #0 is index, expected a ragged tensor, a builtin tensor or a scalar of f64, f32, bf16, i64 or i1}}
  %0 = ragged.sigmoid %x : index -> index
  return
}

// -----

// relu C2: no value.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: f16) {
  // expected-error @below {{'ragged.relu' op operand #0 is f16, expected a ragged tensor, a builtin tensor or a scalar of f64, f32, bf16, i64 or i1}}
  %0 = ragged.relu %x : f16 -> f16
  return
}

// -----

// relu C2: no value.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: i32) {
  // expected-error @below {{'ragged.relu' op operand #0 is i32, expected a ragged tensor, a builtin tensor or a scalar of f64, f32, bf16, i64 or i1}}
  %0 = ragged.relu %x : i32 -> i32
  return
}

// -----

// relu C2: no value.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<4xf16>) {
  // expected-error @below {{'ragged.relu' op operand #0 is tensor<4xf16>, expected a ragged tensor, a builtin tensor or a scalar of f64, f32, bf16, i64 or i1}}
  %0 = ragged.relu %x : tensor<4xf16> -> tensor<4xf16>
  return
}

// -----

// relu C2: no value.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<*xf32>) {
  // expected-error @below {{'ragged.relu' op operand #0 is tensor<*xf32>, expected a ragged tensor, a builtin tensor or a scalar of f64, f32, bf16, i64 or i1}}
  %0 = ragged.relu %x : tensor<*xf32> -> tensor<*xf32>
  return
}

// -----

// relu C2: no value.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: memref<4xf32>) {
  // expected-error @below {{'ragged.relu' op operand #0 is memref<4xf32>, expected a ragged tensor, a builtin tensor or a scalar of f64, f32, bf16, i64 or i1}}
  %0 = ragged.relu %x : memref<4xf32> -> memref<4xf32>
  return
}

// -----

// relu C2: no value.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: vector<4xf32>) {
  // expected-error @below {{'ragged.relu' op operand #0 is vector<4xf32>, expected a ragged tensor, a builtin tensor or a scalar of f64, f32, bf16, i64 or i1}}
  %0 = ragged.relu %x : vector<4xf32> -> vector<4xf32>
  return
}

// -----

// relu C2: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.relu' op result #0 is !ragged.tensor<[m], f32>, expected !ragged.tensor<[n], f32>}}
  %0 = ragged.relu %x : !ragged.tensor<[n], f32> -> !ragged.tensor<[m], f32>
  return
}

// -----

// relu C2: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.relu' op result #0 is tensor<?xf32>, expected !ragged.tensor<[n], f32>}}
  %0 = ragged.relu %x : !ragged.tensor<[n], f32> -> tensor<?xf32>
  return
}

// -----

// relu C2: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.relu' op result #0 is !ragged.tensor<*, f64>, expected !ragged.tensor<[n], f32>}}
  %0 = ragged.relu %x : !ragged.tensor<[n], f32> -> !ragged.tensor<*, f64>
  return
}

// -----

// relu C2: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: f32) {
  // expected-error @below {{'ragged.relu' op result #0 is f64, expected f32}}
  %0 = ragged.relu %x : f32 -> f64
  return
}

// -----

// relu C2: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'ragged.relu' op result #0 is tensor<?xf32>, expected tensor<4xf32>}}
  %0 = ragged.relu %x : tensor<4xf32> -> tensor<?xf32>
  return
}

// -----

// add C1: two element types.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>, %y: !ragged.tensor<[n], f64>) {
  // expected-error @below {{'ragged.add' op operand #1 has element type f64, expected f32 as in operand #0}}
  %0 = ragged.add %x, %y : !ragged.tensor<[n], f32>, !ragged.tensor<[n], f64> -> !ragged.tensor<[n], f32>
  return
}

// -----

// add C1: no value.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>, %y: index) {
  // expected-error @below {{'ragged.add' op operand #1 is index, expected a ragged tensor, a builtin tensor or a scalar of f64, f32, bf16, i64 or i1}}
  %0 = ragged.add %x, %y : !ragged.tensor<[n], f32>, index -> !ragged.tensor<[n], f32>
  return
}

// -----

// sub C1: two element types.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>, %y: !ragged.tensor<[n], f64>) {
  // expected-error @below {{'ragged.sub' op operand #1 has element type f64, expected f32 as in operand #0}}
  %0 = ragged.sub %x, %y : !ragged.tensor<[n], f32>, !ragged.tensor<[n], f64> -> !ragged.tensor<[n], f32>
  return
}

// -----

// sub C1: no value.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>, %y: index) {
  // expected-error @below {{'ragged.sub' op operand #1 is index, expected a ragged tensor, a builtin tensor or a scalar of f64, f32, bf16, i64 or i1}}
  %0 = ragged.sub %x, %y : !ragged.tensor<[n], f32>, index -> !ragged.tensor<[n], f32>
  return
}

// -----

// mul C1: two element types.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>, %y: !ragged.tensor<[n], f64>) {
  // expected-error @below {{'ragged.mul' op operand #1 has element type f64, expected f32 as in operand #0}}
  %0 = ragged.mul %x, %y : !ragged.tensor<[n], f32>, !ragged.tensor<[n], f64> -> !ragged.tensor<[n], f32>
  return
}

// -----

// mul C1: no value.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>, %y: index) {
  // expected-error @below {{'ragged.mul' op operand #1 is index, expected a ragged tensor, a builtin tensor or a scalar of f64, f32, bf16, i64 or i1}}
  %0 = ragged.mul %x, %y : !ragged.tensor<[n], f32>, index -> !ragged.tensor<[n], f32>
  return
}

// -----

// div C1: two element types.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>, %y: !ragged.tensor<[n], f64>) {
  // expected-error @below {{'ragged.div' op operand #1 has element type f64, expected f32 as in operand #0}}
  %0 = ragged.div %x, %y : !ragged.tensor<[n], f32>, !ragged.tensor<[n], f64> -> !ragged.tensor<[n], f32>
  return
}

// -----

// div C1: no value.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>, %y: index) {
  // expected-error @below {{'ragged.div' op operand #1 is index, expected a ragged tensor, a builtin tensor or a scalar of f64, f32, bf16, i64 or i1}}
  %0 = ragged.div %x, %y : !ragged.tensor<[n], f32>, index -> !ragged.tensor<[n], f32>
  return
}

// -----

// maximum C1: two element types.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>, %y: !ragged.tensor<[n], f64>) {
  // expected-error @below {{'ragged.maximum' op operand #1 has element type f64, expected f32 as in operand #0}}
  %0 = ragged.maximum %x, %y : !ragged.tensor<[n], f32>, !ragged.tensor<[n], f64> -> !ragged.tensor<[n], f32>
  return
}

// -----

// maximum C1: no value.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>, %y: index) {
  // expected-error @below {{'ragged.maximum' op operand #1 is index, expected a ragged tensor, a builtin tensor or a scalar of f64, f32, bf16, i64 or i1}}
  %0 = ragged.maximum %x, %y : !ragged.tensor<[n], f32>, index -> !ragged.tensor<[n], f32>
  return
}

// -----

// add C1: a scalar of another type.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: f64, %y: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.add' op operand #1 has element type f32, expected f64 as in operand #0}}
  %0 = ragged.add %x, %y : f64, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  return
}

// -----

// add C1: another element type of a schema to be inferred.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<*, f32>, %y: !ragged.tensor<[n], f64>) {
  // expected-error @below {{'ragged.add' op operand #1 has element type f64, expected f32 as in operand #0}}
  %0 = ragged.add %x, %y : !ragged.tensor<*, f32>, !ragged.tensor<[n], f64> -> !ragged.tensor<[n], f64>
  return
}

// -----

// add C2: another rank.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %y: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.add' op operand #1 has rank 1, expected 2 as in operand #0}}
  %0 = ragged.add %x, %y : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// add C3: another axis.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %y: !ragged.tensor<[m, 4], f32>) {
  // expected-error @below {{'ragged.add' op operand #1 has axis m in dimension 0, expected n as in operand #0}}
  %0 = ragged.add %x, %y : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[m, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// add C3: equal sizes are not equal axes.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n + 1], f32>, %y: !ragged.tensor<[n + 2], f32>) {
  // expected-error @below {{'ragged.add' op operand #1 has axis n + 2 in dimension 0, expected n + 1 as in operand #0}}
  %0 = ragged.add %x, %y : !ragged.tensor<[n + 1], f32>, !ragged.tensor<[n + 2], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// add C3: another extent.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %y: !ragged.tensor<[n, 5], f32>) {
  // expected-error @below {{'ragged.add' op operand #1 has extent 5 in dimension 1, expected 4 as in operand #0}}
  %0 = ragged.add %x, %y : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 5], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// add C3: zero does not broadcast.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %y: !ragged.tensor<[n, 0], f32>) {
  // expected-error @below {{'ragged.add' op operand #1 has extent 0 in dimension 1, expected 4 as in operand #0}}
  %0 = ragged.add %x, %y : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 0], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// add C3: ragged against static.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[4, n], f32>, %y: !ragged.tensor<[n, n], f32>) {
  // expected-error @below {{'ragged.add' op operand #1 has axis n in dimension 0, expected extent 4 as in operand #0}}
  %0 = ragged.add %x, %y : !ragged.tensor<[4, n], f32>, !ragged.tensor<[n, n], f32> -> !ragged.tensor<[n, n], f32>
  return
}

// -----

// add C4: a builtin tensor beside a ragged one.
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %y: tensor<4xf32>) {
  // expected-error @below {{'ragged.add' op mixes ragged and builtin tensors; put a builtin tensor on dimensions with ragged.broadcast}}
  %0 = ragged.add %x, %y : !ragged.tensor<[n, 4], f32>, tensor<4xf32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// add C4: also while the schema is not known.
func.func @f(%x: tensor<4xf32>, %y: !ragged.tensor<*, f32>) {
  // expected-error @below {{'ragged.add' op mixes ragged and builtin tensors; put a builtin tensor on dimensions with ragged.broadcast}}
  %0 = ragged.add %x, %y : tensor<4xf32>, !ragged.tensor<*, f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// add C4: builtin tensors of two shapes.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<4xf32>, %y: tensor<1xf32>) {
  // expected-error @below {{'ragged.add' op operand #1 has extent 1 in dimension 0, expected 4 as in operand #0; builtin tensors do not broadcast}}
  %0 = ragged.add %x, %y : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  return
}

// -----

// add C4: builtin tensors of two shapes, one of them open elsewhere.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<?x3xf32>, %y: tensor<4x2xf32>) {
  // expected-error @below {{'ragged.add' op operand #1 has extent 2 in dimension 1, expected 3 as in operand #0; builtin tensors do not broadcast}}
  %0 = ragged.add %x, %y : tensor<?x3xf32>, tensor<4x2xf32> -> tensor<4x3xf32>
  return
}

// -----

// add C4: builtin tensors of two ranks.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<4xf32>, %y: tensor<f32>) {
  // expected-error @below {{'ragged.add' op operand #1 has rank 0, expected 1 as in operand #0}}
  %0 = ragged.add %x, %y : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  return
}

// -----

// add C4: the extent of the result is static where that of an operand is.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<?xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{'ragged.add' op result #0 is tensor<?xf32>, expected tensor<4xf32>}}
  %0 = ragged.add %x, %y : tensor<?xf32>, tensor<4xf32> -> tensor<?xf32>
  return
}

// -----

// add C1: the element types of builtin tensors.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<4xf32>, %y: f64) {
  // expected-error @below {{'ragged.add' op operand #1 has element type f64, expected f32 as in operand #0}}
  %0 = ragged.add %x, %y : tensor<4xf32>, f64 -> tensor<4xf32>
  return
}

// -----

// exp C1: integers in a builtin tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<4xi64>) {
  // expected-error @below {{'ragged.exp' op operand #0 has element type i64, expected a float}}
  %0 = ragged.exp %x : tensor<4xi64> -> tensor<4xi64>
  return
}

// -----

// mul: of scalars, a scalar.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: f32) {
  // expected-error @below {{'ragged.mul' op result #0 is tensor<f32>, expected f32}}
  %0 = ragged.mul %x, %x : f32, f32 -> tensor<f32>
  return
}

// -----

// add C5: a row of too many elements.
func.func @f(%x: !ragged.tensor<[n, 1099511627776, 1], f32>, %y: !ragged.tensor<[n, 1, 1099511627776], f32>) {
  // expected-error @below {{'ragged.add' op result: the product of the static extents does not fit 63 bits}}
  %0 = ragged.add %x, %y : !ragged.tensor<[n, 1099511627776, 1], f32>, !ragged.tensor<[n, 1, 1099511627776], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// add: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 1], f32>, %y: !ragged.tensor<[1, n], f32>) {
  // expected-error @below {{'ragged.add' op result #0 is !ragged.tensor<[n, 1], f32>, expected !ragged.tensor<[n, n], f32>}}
  %0 = ragged.add %x, %y : !ragged.tensor<[n, 1], f32>, !ragged.tensor<[1, n], f32> -> !ragged.tensor<[n, 1], f32>
  return
}

// -----

// add: the order is that of the first operand.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, m], f32>, %y: !ragged.tensor<[n, m], f32>) {
  // expected-error @below {{'ragged.add' op result #0 is !ragged.tensor<[n, m], f32, order = [1, 0]>, expected !ragged.tensor<[n, m], f32>}}
  %0 = ragged.add %x, %y : !ragged.tensor<[n, m], f32>, !ragged.tensor<[n, m], f32> -> !ragged.tensor<[n, m], f32, order = [1, 0]>
  return
}
