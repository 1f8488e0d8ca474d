// What comparisons, choices, casts and the unary ops beside them refuse, and what refuses truth values.
// RUN: ragged-opt %s --split-input-file --verify-diagnostics

// sqrt C1: integers.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i64>) {
  // expected-error @below {{'ragged.sqrt' op operand #0 has element type i64, expected a float}}
  %0 = ragged.sqrt %x : !ragged.tensor<[n], i64> -> !ragged.tensor<[n], i64>
  return
}

// -----

// rsqrt C1: integers.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i64>) {
  // expected-error @below {{'ragged.rsqrt' op operand #0 has element type i64, expected a float}}
  %0 = ragged.rsqrt %x : !ragged.tensor<[n], i64> -> !ragged.tensor<[n], i64>
  return
}

// -----

// erf C1: integers.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i64>) {
  // expected-error @below {{'ragged.erf' op operand #0 has element type i64, expected a float}}
  %0 = ragged.erf %x : !ragged.tensor<[n], i64> -> !ragged.tensor<[n], i64>
  return
}

// -----

// neg C1: truth values.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i1>) {
  // expected-error @below {{'ragged.neg' op operand #0 has element type i1, expected a number}}
  %0 = ragged.neg %x : !ragged.tensor<[n], i1> -> !ragged.tensor<[n], i1>
  return
}

// -----

// relu C1: truth values.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i1>) {
  // expected-error @below {{'ragged.relu' op operand #0 has element type i1, expected a number}}
  %0 = ragged.relu %x : !ragged.tensor<[n], i1> -> !ragged.tensor<[n], i1>
  return
}

// -----

// add C1: truth values.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i1>) {
  // expected-error @below {{'ragged.add' op operand #0 has element type i1, expected a number}}
  %0 = ragged.add %x, %x : !ragged.tensor<[n], i1>, !ragged.tensor<[n], i1> -> !ragged.tensor<[n], i1>
  return
}

// -----

// sub C1: truth values.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i1>) {
  // expected-error @below {{'ragged.sub' op operand #0 has element type i1, expected a number}}
  %0 = ragged.sub %x, %x : !ragged.tensor<[n], i1>, !ragged.tensor<[n], i1> -> !ragged.tensor<[n], i1>
  return
}

// -----

// mul C1: truth values.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i1>) {
  // expected-error @below {{'ragged.mul' op operand #0 has element type i1, expected a number}}
  %0 = ragged.mul %x, %x : !ragged.tensor<[n], i1>, !ragged.tensor<[n], i1> -> !ragged.tensor<[n], i1>
  return
}

// -----

// div C1: truth values.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i1>) {
  // expected-error @below {{'ragged.div' op operand #0 has element type i1, expected a number}}
  %0 = ragged.div %x, %x : !ragged.tensor<[n], i1>, !ragged.tensor<[n], i1> -> !ragged.tensor<[n], i1>
  return
}

// -----

// maximum C1: truth values.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i1>) {
  // expected-error @below {{'ragged.maximum' op operand #0 has element type i1, expected a number}}
  %0 = ragged.maximum %x, %x : !ragged.tensor<[n], i1>, !ragged.tensor<[n], i1> -> !ragged.tensor<[n], i1>
  return
}

// -----

// clamp C1: truth values.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i1>) {
  // expected-error @below {{'ragged.clamp' op operand #0 has element type i1, expected a number}}
  %0 = ragged.clamp %x, %x, %x : !ragged.tensor<[n], i1>, !ragged.tensor<[n], i1>, !ragged.tensor<[n], i1> -> !ragged.tensor<[n], i1>
  return
}

// -----

// equal C1: two types.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>, %y: f64) {
  // expected-error @below {{'ragged.equal' op operand #1 has element type f64, expected f32 as in operand #0}}
  %0 = ragged.equal %x, %y : !ragged.tensor<[n], f32>, f64 -> !ragged.tensor<[n], i1>
  return
}

// -----

// not_equal C1: two types.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>, %y: f64) {
  // expected-error @below {{'ragged.not_equal' op operand #1 has element type f64, expected f32 as in operand #0}}
  %0 = ragged.not_equal %x, %y : !ragged.tensor<[n], f32>, f64 -> !ragged.tensor<[n], i1>
  return
}

// -----

// less C1: two types.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>, %y: f64) {
  // expected-error @below {{'ragged.less' op operand #1 has element type f64, expected f32 as in operand #0}}
  %0 = ragged.less %x, %y : !ragged.tensor<[n], f32>, f64 -> !ragged.tensor<[n], i1>
  return
}

// -----

// less_equal C1: two types.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>, %y: f64) {
  // expected-error @below {{'ragged.less_equal' op operand #1 has element type f64, expected f32 as in operand #0}}
  %0 = ragged.less_equal %x, %y : !ragged.tensor<[n], f32>, f64 -> !ragged.tensor<[n], i1>
  return
}

// -----

// greater C1: two types.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>, %y: f64) {
  // expected-error @below {{'ragged.greater' op operand #1 has element type f64, expected f32 as in operand #0}}
  %0 = ragged.greater %x, %y : !ragged.tensor<[n], f32>, f64 -> !ragged.tensor<[n], i1>
  return
}

// -----

// greater_equal C1: two types.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>, %y: f64) {
  // expected-error @below {{'ragged.greater_equal' op operand #1 has element type f64, expected f32 as in operand #0}}
  %0 = ragged.greater_equal %x, %y : !ragged.tensor<[n], f32>, f64 -> !ragged.tensor<[n], i1>
  return
}

// -----

// less: a result of the operands' type.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.less' op result #0 is !ragged.tensor<[n], f32>, expected !ragged.tensor<[n], i1>}}
  %0 = ragged.less %x, %x : !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  return
}

// -----

// equal C3: other axes.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>, %y: !ragged.tensor<[m], f32>) {
  // expected-error @below {{'ragged.equal' op operand #1 has axis m in dimension 0, expected n as in operand #0}}
  %0 = ragged.equal %x, %y : !ragged.tensor<[n], f32>, !ragged.tensor<[m], f32> -> !ragged.tensor<[n], i1>
  return
}

// -----

// greater C2: other ranks.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>, %y: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.greater' op operand #1 has rank 2, expected 1 as in operand #0}}
  %0 = ragged.greater %x, %y : !ragged.tensor<[n], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n], i1>
  return
}

// -----

// where C1: a condition of numbers.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.where' op operand #0 has element type f32, expected i1}}
  %0 = ragged.where %x, %x, %x : !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  return
}

// -----

// where C1: values of two types.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%c: !ragged.tensor<[n], i1>, %x: !ragged.tensor<[n], f32>, %y: !ragged.tensor<[n], bf16>) {
  // expected-error @below {{'ragged.where' op operand #2 has element type bf16, expected f32 as in operand #1}}
  %0 = ragged.where %c, %x, %y : !ragged.tensor<[n], i1>, !ragged.tensor<[n], f32>, !ragged.tensor<[n], bf16> -> !ragged.tensor<[n], f32>
  return
}

// -----

// where C3: a condition along another axis.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%c: !ragged.tensor<[m], i1>, %x: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.where' op operand #1 has axis n in dimension 0, expected m as in operand #0}}
  %0 = ragged.where %c, %x, %x : !ragged.tensor<[m], i1>, !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  return
}

// -----

// where C4: a builtin condition for ragged values.
func.func @f(%c: tensor<4xi1>, %x: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.where' op mixes ragged and builtin tensors; put a builtin tensor on dimensions with ragged.broadcast}}
  %0 = ragged.where %c, %x, %x : tensor<4xi1>, !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  return
}

// -----

// where C4: builtin tensors of two shapes.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%c: tensor<4xi1>, %x: tensor<5xf32>) {
  // expected-error @below {{'ragged.where' op operand #1 has extent 5 in dimension 0, expected 4 as in operand #0; builtin tensors do not broadcast}}
  %0 = ragged.where %c, %x, %x : tensor<4xi1>, tensor<5xf32>, tensor<5xf32> -> tensor<5xf32>
  return
}

// -----

// where C4: no value.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%c: index, %x: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.where' op operand #0 is index, expected a ragged tensor, a builtin tensor or a scalar of f64, f32, bf16, i64 or i1}}
  %0 = ragged.where %c, %x, %x : index, !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  return
}

// -----

// clamp C1: a bound of another type.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>, %y: i64) {
  // expected-error @below {{'ragged.clamp' op operand #2 has element type i64, expected f32 as in operand #0}}
  %0 = ragged.clamp %x, %x, %y : !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32>, i64 -> !ragged.tensor<[n], f32>
  return
}

// -----

// cast C1: no value.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: index) {
  // expected-error @below {{'ragged.cast' op operand #0 is index, expected a ragged tensor, a builtin tensor or a scalar of f64, f32, bf16, i64 or i1}}
  %0 = ragged.cast %x : index -> f32
  return
}

// -----

// cast C2: an element type that there is not.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.cast' op result #0 is tensor<4xf16>, expected elements of f64, f32, bf16, i64 or i1}}
  %0 = ragged.cast %x : !ragged.tensor<[n], f32> -> tensor<4xf16>
  return
}

// -----

// cast C2: another schema.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.cast' op result #0 is !ragged.tensor<[m], f64>, expected !ragged.tensor<[n], f64>}}
  %0 = ragged.cast %x : !ragged.tensor<[n], f32> -> !ragged.tensor<[m], f64>
  return
}

// -----

// cast C2: a scalar from a tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.cast' op result #0 is f64, expected !ragged.tensor<[n], f64>}}
  %0 = ragged.cast %x : !ragged.tensor<[n], f32> -> f64
  return
}
