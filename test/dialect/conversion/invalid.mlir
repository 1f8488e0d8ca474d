// What conversion ops refuse.
// RUN: ragged-opt %s --split-input-file --verify-diagnostics

// from_values C1: no tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%v: f32, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op operand #0 is f32, expected a builtin tensor with a dynamic extent followed by static ones}}
  %0 = ragged.from_values %v, %l axes = ["n"] : f32, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C1: a static number of rows.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%v: tensor<7x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op operand #0 is tensor<7x4xf32>, expected a builtin tensor with a dynamic extent followed by static ones}}
  %0 = ragged.from_values %v, %l axes = ["n"] : tensor<7x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C1: a dynamic tail.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%v: tensor<?x?xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op operand #0 is tensor<?x?xf32>, expected a builtin tensor with a dynamic extent followed by static ones}}
  %0 = ragged.from_values %v, %l axes = ["n"] : tensor<?x?xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C1: no rows dimension.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%v: tensor<f32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op operand #0 is tensor<f32>, expected a builtin tensor with a dynamic extent followed by static ones}}
  %0 = ragged.from_values %v, %l axes = ["n"] : tensor<f32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C1: an element type that ragged tensors do not have.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%v: tensor<?x4xf16>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op operand #0 is tensor<?x4xf16>, expected a builtin tensor with a dynamic extent followed by static ones}}
  %0 = ragged.from_values %v, %l axes = ["n"] : tensor<?x4xf16>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C1: a ragged tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%v: !ragged.tensor<[m, 4], f32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op operand #0 is !ragged.tensor<[m, 4], f32>, expected a builtin tensor with a dynamic extent followed by static ones}}
  %0 = ragged.from_values %v, %l axes = ["n"] : !ragged.tensor<[m, 4], f32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C1: no rank.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%v: tensor<*xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op operand #0 is tensor<*xf32>, expected a builtin tensor with a dynamic extent followed by static ones}}
  %0 = ragged.from_values %v, %l axes = ["n"] : tensor<*xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C1: more dimensions than the limit.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%v: tensor<?x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op operand #0 is tensor<?x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>, expected a builtin tensor with a dynamic extent followed by static ones}}
  %0 = ragged.from_values %v, %l axes = ["n"] : tensor<?x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C2: no name.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op 'axes' has no name, expected at least one}}
  %0 = "ragged.from_values"(%v, %l) <{axes = []}> : (tensor<?x4xf32>, tensor<?xi64>) -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C2: more lengths than names.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op has 2 lengths operands for 1 axes, expected one for each}}
  %0 = ragged.from_values %v, %l, %l axes = ["n"] : tensor<?x4xf32>, tensor<?xi64>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C2: fewer lengths than names.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op has 1 lengths operands for 2 axes, expected one for each}}
  %0 = ragged.from_values %v, %l axes = ["n", "m"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, m, 4], f32>
  return
}

// -----

// from_values C2: lengths of another type.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%v: tensor<?x4xf32>, %l: tensor<3xi64>) {
  // expected-error @below {{'ragged.from_values' op operand #1 is tensor<3xi64>, expected tensor<?xi64>}}
  %0 = ragged.from_values %v, %l axes = ["n"] : tensor<?x4xf32>, tensor<3xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C2: lengths of another type.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi32>) {
  // expected-error @below {{'ragged.from_values' op operand #1 is tensor<?xi32>, expected tensor<?xi64>}}
  %0 = ragged.from_values %v, %l axes = ["n"] : tensor<?x4xf32>, tensor<?xi32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C2: lengths of another type.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?x1xi64>) {
  // expected-error @below {{'ragged.from_values' op operand #1 is tensor<?x1xi64>, expected tensor<?xi64>}}
  %0 = ragged.from_values %v, %l axes = ["n"] : tensor<?x4xf32>, tensor<?x1xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C2: lengths of another type.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%v: tensor<?x4xf32>, %l: i64) {
  // expected-error @below {{'ragged.from_values' op operand #1 is i64, expected tensor<?xi64>}}
  %0 = ragged.from_values %v, %l axes = ["n"] : tensor<?x4xf32>, i64 -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C2: lengths of another type.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%v: tensor<?x4xf32>, %l: !ragged.tensor<[n], i64>) {
  // expected-error @below {{'ragged.from_values' op operand #1 is !ragged.tensor<[n], i64>, expected tensor<?xi64>}}
  %0 = ragged.from_values %v, %l axes = ["n"] : tensor<?x4xf32>, !ragged.tensor<[n], i64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C2: no axis name.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op 'axes' entry 0 is "n + m", which is no axis name}}
  %0 = ragged.from_values %v, %l axes = ["n + m"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C2: no axis name.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op 'axes' entry 0 is "", which is no axis name}}
  %0 = ragged.from_values %v, %l axes = [""] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C2: no axis name.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op 'axes' entry 0 is "3", which is no axis name}}
  %0 = ragged.from_values %v, %l axes = ["3"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C2: no axis name.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op 'axes' entry 0 is "max", which is no axis name}}
  %0 = ragged.from_values %v, %l axes = ["max"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C2: no axis name.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op 'axes' entry 0 is "true", which is no axis name}}
  %0 = ragged.from_values %v, %l axes = ["true"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C2: no axis name.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op 'axes' entry 0 is "n m", which is no axis name}}
  %0 = ragged.from_values %v, %l axes = ["n m"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C2: no axis name.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op 'axes' entry 0 is "batch", which is no axis name}}
  %0 = ragged.from_values %v, %l axes = ["batch"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C2: a null inside the name.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op 'axes' entry 0 is "n", which is no axis name}}
  %0 = ragged.from_values %v, %l axes = ["n\00m"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C2: a name twice.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op 'axes' names n twice}}
  %0 = ragged.from_values %v, %l, %l axes = ["n", "n"] : tensor<?x4xf32>, tensor<?xi64>, tensor<?xi64> -> !ragged.tensor<[n, n, 4], f32>
  return
}

// -----

// from_values C2: more names than dimensions can be.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op 'axes' has 17 names, expected at most 16}}
  %0 = ragged.from_values %v, %l axes = ["n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9", "n10", "n11", "n12", "n13", "n14", "n15", "n16"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n0, 4], f32>
  return
}

// -----

// from_values C3: an axis that axes does not name.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op result has axis m in dimension 1, which 'axes' does not name}}
  %0 = ragged.from_values %v, %l axes = ["n"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, m, 4], f32>
  return
}

// -----

// from_values C3: an expression is no axis that lengths give.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op result has axis n + 1 in dimension 1, which 'axes' does not name}}
  %0 = ragged.from_values %v, %l axes = ["n"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, n + 1, 4], f32>
  return
}

// -----

// from_values C3: a name that the result does not bear.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op 'axes' names m, which is no axis of the result}}
  %0 = ragged.from_values %v, %l, %l axes = ["n", "m"] : tensor<?x4xf32>, tensor<?xi64>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_values C3: another number of static dimensions.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op result has 2 static dimensions, expected 1 as in operand #0}}
  %0 = ragged.from_values %v, %l axes = ["n"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4, 1], f32>
  return
}

// -----

// from_values C3: another extent.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op result has extent 5 in its packed static dimension 0, expected 4 as in operand #0}}
  %0 = ragged.from_values %v, %l axes = ["n"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 5], f32>
  return
}

// -----

// from_values C3: the tail is compared in packed order.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%v: tensor<?x4x5xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op result has extent 5 in its packed static dimension 0, expected 4 as in operand #0}}
  %0 = ragged.from_values %v, %l axes = ["n"] : tensor<?x4x5xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4, 5], f32, order = [0, 2, 1]>
  return
}

// -----

// from_values C3: another element type.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op result has element type f64, expected f32 as in operand #0}}
  %0 = ragged.from_values %v, %l axes = ["n"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f64>
  return
}

// -----

// from_values C3: no ragged tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op result #0 is tensor<?x4xf32>, expected !ragged.tensor<[n, 4], f32>}}
  %0 = ragged.from_values %v, %l axes = ["n"] : tensor<?x4xf32>, tensor<?xi64> -> tensor<?x4xf32>
  return
}

// -----

// from_values C3: `*` of another element type.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op result #0 is !ragged.tensor<*, f64>, expected !ragged.tensor<[n, 4], f32>}}
  %0 = ragged.from_values %v, %l axes = ["n"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<*, f64>
  return
}

// -----

// from_values C4: the default result would have too many dimensions.
func.func @f(%v: tensor<?x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op result would have rank 17, at most 16 is supported}}
  %0 = ragged.from_values %v, %l, %l axes = ["n", "m"] : tensor<?x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>, tensor<?xi64>, tensor<?xi64> -> !ragged.tensor<*, f32>
  return
}

// -----

// from_offsets C1: no rows dimension.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%v: tensor<f32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_offsets' op operand #0 is tensor<f32>, expected a builtin tensor with a dynamic extent followed by static ones}}
  %0 = ragged.from_offsets %v, %l axes = ["n"] : tensor<f32>, tensor<?xi64> -> !ragged.tensor<[n], f32>
  return
}

// -----

// from_offsets C2: offsets of another type.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi32>) {
  // expected-error @below {{'ragged.from_offsets' op operand #1 is tensor<?xi32>, expected tensor<?xi64>}}
  %0 = ragged.from_offsets %v, %l axes = ["n"] : tensor<?x4xf32>, tensor<?xi32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_offsets C2: two names.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_offsets' op 'axes' has 2 names, expected one}}
  %0 = ragged.from_offsets %v, %l axes = ["n", "m"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_offsets C2: no name.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_offsets' op 'axes' has 0 names, expected one}}
  %0 = ragged.from_offsets %v, %l axes = [] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_offsets C2: no axis name.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_offsets' op 'axes' entry 0 is "order", which is no axis name}}
  %0 = ragged.from_offsets %v, %l axes = ["order"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// from_offsets C3: two ragged dimensions.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_offsets' op result has 2 ragged dimensions, expected one}}
  %0 = ragged.from_offsets %v, %l axes = ["n"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, n, 4], f32>
  return
}

// -----

// from_offsets C3: another axis.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_offsets' op result has axis m in dimension 0, which 'axes' does not name}}
  %0 = ragged.from_offsets %v, %l axes = ["n"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[m, 4], f32>
  return
}

// -----

// from_offsets C3: no ragged dimension.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_offsets' op 'axes' names n, which is no axis of the result}}
  %0 = ragged.from_offsets %v, %l axes = ["n"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[4], f32>
  return
}

// -----

// from_offsets C3: another tail.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_offsets' op result has 0 static dimensions, expected 1 as in operand #0}}
  %0 = ragged.from_offsets %v, %l axes = ["n"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n], f32>
  return
}

// -----

// from_offsets C3: another element type.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_offsets' op result has element type i64, expected f32 as in operand #0}}
  %0 = ragged.from_offsets %v, %l axes = ["n"] : tensor<?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], i64>
  return
}

// -----

// values C1: no ragged tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<?x4xf32>) {
  // expected-error @below {{'ragged.values' op operand #0 is tensor<?x4xf32>, expected a ragged tensor}}
  %0 = ragged.values %x : tensor<?x4xf32> -> tensor<?x4xf32>
  return
}

// -----

// values C1: too many static dimensions.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], f32>) {
  // expected-error @below {{'ragged.values' op operand #0 has 16 static dimensions, at most 15 are supported}}
  %0 = ragged.values %x : !ragged.tensor<[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], f32> -> tensor<?xf32>
  return
}

// -----

// values C2: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.values' op result #0 is tensor<?x5xf32>, expected tensor<?x4xf32>}}
  %0 = ragged.values %x : !ragged.tensor<[n, 4], f32> -> tensor<?x5xf32>
  return
}

// -----

// values C2: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.values' op result #0 is tensor<7x4xf32>, expected tensor<?x4xf32>}}
  %0 = ragged.values %x : !ragged.tensor<[n, 4], f32> -> tensor<7x4xf32>
  return
}

// -----

// values C2: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.values' op result #0 is tensor<?x4xf64>, expected tensor<?x4xf32>}}
  %0 = ragged.values %x : !ragged.tensor<[n, 4], f32> -> tensor<?x4xf64>
  return
}

// -----

// values C2: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.values' op result #0 is !ragged.tensor<[n, 4], f32>, expected tensor<?x4xf32>}}
  %0 = ragged.values %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// values C2: what no schema can give.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<*, f32>) {
  // expected-error @below {{'ragged.values' op result #0 is !ragged.tensor<*, f32>, expected a builtin tensor of f32}}
  %0 = ragged.values %x : !ragged.tensor<*, f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// values C2: what no schema can give.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<*, f32>) {
  // expected-error @below {{'ragged.values' op result #0 is tensor<?x4xf64>, expected a builtin tensor of f32}}
  %0 = ragged.values %x : !ragged.tensor<*, f32> -> tensor<?x4xf64>
  return
}

// -----

// values C2: what no schema can give.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<*, f32>) {
  // expected-error @below {{'ragged.values' op result #0 is f32, expected a builtin tensor of f32}}
  %0 = ragged.values %x : !ragged.tensor<*, f32> -> f32
  return
}

// -----

// pack C1: no box.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%p: tensor<f32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op operand #0 is tensor<f32>, expected a builtin tensor of f64, f32, bf16, i64 or i1 with a batch dimension}}
  %0 = ragged.pack %p, %l axes = ["n"] : tensor<f32>, tensor<?xi64> -> !ragged.tensor<[n], f32>
  return
}

// -----

// pack C1: no box.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%p: f32, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op operand #0 is f32, expected a builtin tensor of f64, f32, bf16, i64 or i1 with a batch dimension}}
  %0 = ragged.pack %p, %l axes = ["n"] : f32, tensor<?xi64> -> !ragged.tensor<[n], f32>
  return
}

// -----

// pack C1: no box.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%p: tensor<?x?xf16>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op operand #0 is tensor<?x?xf16>, expected a builtin tensor of f64, f32, bf16, i64 or i1 with a batch dimension}}
  %0 = ragged.pack %p, %l axes = ["n"] : tensor<?x?xf16>, tensor<?xi64> -> !ragged.tensor<[n], f32>
  return
}

// -----

// pack C1: no box.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%p: !ragged.tensor<[n, 4], f32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op operand #0 is !ragged.tensor<[n, 4], f32>, expected a builtin tensor of f64, f32, bf16, i64 or i1 with a batch dimension}}
  %0 = ragged.pack %p, %l axes = ["n"] : !ragged.tensor<[n, 4], f32>, tensor<?xi64> -> !ragged.tensor<[n], f32>
  return
}

// -----

// pack C1: no box.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%p: tensor<*xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op operand #0 is tensor<*xf32>, expected a builtin tensor of f64, f32, bf16, i64 or i1 with a batch dimension}}
  %0 = ragged.pack %p, %l axes = ["n"] : tensor<*xf32>, tensor<?xi64> -> !ragged.tensor<[n], f32>
  return
}

// -----

// pack C1: the batch is no dimension.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%p: tensor<?x?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op 'batch' is -1, expected 0 to 2 for operand #0}}
  %0 = ragged.pack %p, %l axes = ["n"] batch = -1 : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// pack C1: the batch is no dimension.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%p: tensor<?x?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op 'batch' is 3, expected 0 to 2 for operand #0}}
  %0 = ragged.pack %p, %l axes = ["n"] batch = 3 : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// pack C1: the batch is no dimension.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%p: tensor<?x?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op 'batch' is 9223372036854775807, expected 0 to 2 for operand #0}}
  %0 = ragged.pack %p, %l axes = ["n"] batch = 9223372036854775807 : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// pack C2: no name.
func.func @f(%p: tensor<?x?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op 'axes' has no name, expected at least one}}
  %0 = ragged.pack %p, %l axes = [] : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// pack C2: lengths for one of two names.
func.func @f(%p: tensor<?x?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op has 1 lengths operands for 2 axes, expected one for each}}
  %0 = ragged.pack %p, %l axes = ["n", "m"] : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// pack C2: lengths of another type.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%p: tensor<?x?x4xf32>, %l: tensor<?xi32>) {
  // expected-error @below {{'ragged.pack' op operand #1 is tensor<?xi32>, expected tensor<?xi64>}}
  %0 = ragged.pack %p, %l axes = ["n"] : tensor<?x?x4xf32>, tensor<?xi32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// pack C2: no axis name.
func.func @f(%p: tensor<?x?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op 'axes' entry 0 is "n-1", which is no axis name}}
  %0 = ragged.pack %p, %l axes = ["n-1"] : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n - 1, 4], f32>
  return
}

// -----

// pack C3: another rank.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%p: tensor<?x?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op result has rank 3, expected 2 for operand #0 and its batch}}
  %0 = ragged.pack %p, %l axes = ["n"] : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4, 1], f32>
  return
}

// -----

// pack C3: an axis that axes does not name.
func.func @f(%p: tensor<?x?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op result has axis m in dimension 0, which 'axes' does not name}}
  %0 = ragged.pack %p, %l axes = ["n"] : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[m, 4], f32>
  return
}

// -----

// pack C3: a name that the result does not bear.
func.func @f(%p: tensor<?x?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op 'axes' names m, which is no axis of the result}}
  %0 = ragged.pack %p, %l, %l axes = ["n", "m"] : tensor<?x?x4xf32>, tensor<?xi64>, tensor<?xi64> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// pack C3: another static extent.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%p: tensor<?x?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op result has extent 5 in dimension 1, expected 4 as in dimension 2 of operand #0}}
  %0 = ragged.pack %p, %l axes = ["n"] : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 5], f32>
  return
}

// -----

// pack C3: static where the box is dynamic.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%p: tensor<?x?x?xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op result has extent 5 in dimension 1, which is dynamic in dimension 2 of operand #0}}
  %0 = ragged.pack %p, %l axes = ["n"] : tensor<?x?x?xf32>, tensor<?xi64> -> !ragged.tensor<[n, 5], f32>
  return
}

// -----

// pack C3: dimensions are counted without the batch.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%p: tensor<4x?x5xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op result has extent 5 in dimension 0, expected 4 as in dimension 0 of operand #0}}
  %0 = ragged.pack %p, %l axes = ["n"] batch = 1 : tensor<4x?x5xf32>, tensor<?xi64> -> !ragged.tensor<[5, n], f32>
  return
}

// -----

// pack C3: another element type.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%p: tensor<?x?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op result has element type bf16, expected f32 as in operand #0}}
  %0 = ragged.pack %p, %l axes = ["n"] : tensor<?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<[n, 4], bf16>
  return
}

// -----

// pack C4: which dimension is which only a declared result can say.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%p: tensor<?x?x?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op names 1 axes where operand #0 has 2 dynamic dimensions besides the batch: the result type must say which is which}}
  %0 = ragged.pack %p, %l axes = ["n"] : tensor<?x?x?x4xf32>, tensor<?xi64> -> !ragged.tensor<*, f32>
  return
}

// -----

// pack C4: more names than dynamic dimensions.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%p: tensor<?x?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.pack' op names 2 axes where operand #0 has 1 dynamic dimensions besides the batch: the result type must say which is which}}
  %0 = ragged.pack %p, %l, %l axes = ["n", "m"] : tensor<?x?x4xf32>, tensor<?xi64>, tensor<?xi64> -> !ragged.tensor<*, f32>
  return
}

// -----

// unpack C1: no ragged tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'ragged.unpack' op operand #0 is tensor<4xf32>, expected a ragged tensor}}
  %0 = ragged.unpack %x : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// unpack C1: no room for the batch.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n], f32>) {
  // expected-error @below {{'ragged.unpack' op operand #0 has rank 16, at most 15 is supported}}
  %0 = ragged.unpack %x : !ragged.tensor<[n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n], f32> -> tensor<*xf32>
  return
}

// -----

// unpack C1: no place for the batch.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.unpack' op 'batch' is -1, expected 0 to 2 for operand #0}}
  %0 = ragged.unpack %x batch = -1 : !ragged.tensor<[n, 4], f32> -> tensor<?x?x4xf32>
  return
}

// -----

// unpack C1: no place for the batch.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.unpack' op 'batch' is 3, expected 0 to 2 for operand #0}}
  %0 = ragged.unpack %x batch = 3 : !ragged.tensor<[n, 4], f32> -> tensor<?x?x4xf32>
  return
}

// -----

// unpack C2: no i64.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i64>) {
  // expected-error @below {{'ragged.unpack' op 'fill' is 0.5, expected a whole number for elements of i64}}
  %0 = ragged.unpack %x fill = 0.5 : !ragged.tensor<[n], i64> -> tensor<?x?xi64>
  return
}

// -----

// unpack C2: no i64.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i64>) {
  // expected-error @below {{'ragged.unpack' op 'fill' is 1e+30, expected a whole number for elements of i64}}
  %0 = ragged.unpack %x fill = 1.0e30 : !ragged.tensor<[n], i64> -> tensor<?x?xi64>
  return
}

// -----

// unpack C2: no i64.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i64>) {
  // expected-error @below {{'ragged.unpack' op 'fill' is inf, expected a whole number for elements of i64}}
  %0 = ragged.unpack %x fill = 0x7FF0000000000000 : !ragged.tensor<[n], i64> -> tensor<?x?xi64>
  return
}

// -----

// unpack C2: no i64.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], i64>) {
  // expected-error @below {{'ragged.unpack' op 'fill' is nan, expected a whole number for elements of i64}}
  %0 = ragged.unpack %x fill = 0x7FF8000000000000 : !ragged.tensor<[n], i64> -> tensor<?x?xi64>
  return
}

// -----

// unpack C3: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.unpack' op result #0 is tensor<?x?x5xf32>, expected tensor<?x?x4xf32>}}
  %0 = ragged.unpack %x : !ragged.tensor<[n, 4], f32> -> tensor<?x?x5xf32>
  return
}

// -----

// unpack C3: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.unpack' op result #0 is tensor<?x?x?xf32>, expected tensor<?x?x4xf32>}}
  %0 = ragged.unpack %x : !ragged.tensor<[n, 4], f32> -> tensor<?x?x?xf32>
  return
}

// -----

// unpack C3: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.unpack' op result #0 is tensor<?x?xf32>, expected tensor<?x?x4xf32>}}
  %0 = ragged.unpack %x : !ragged.tensor<[n, 4], f32> -> tensor<?x?xf32>
  return
}

// -----

// unpack C3: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.unpack' op result #0 is tensor<8x?x4xf32>, expected tensor<?x?x4xf32>}}
  %0 = ragged.unpack %x : !ragged.tensor<[n, 4], f32> -> tensor<8x?x4xf32>
  return
}

// -----

// unpack C3: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.unpack' op result #0 is tensor<?x?x4xf64>, expected tensor<?x?x4xf32>}}
  %0 = ragged.unpack %x : !ragged.tensor<[n, 4], f32> -> tensor<?x?x4xf64>
  return
}

// -----

// unpack C3: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.unpack' op result #0 is tensor<4x?x?xf32>, expected tensor<?x?x4xf32>}}
  %0 = ragged.unpack %x : !ragged.tensor<[n, 4], f32> -> tensor<4x?x?xf32>
  return
}

// -----

// unpack C3: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.unpack' op result #0 is !ragged.tensor<*, f32>, expected tensor<?x?x4xf32>}}
  %0 = ragged.unpack %x : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// unpack C3: what no schema can give.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<*, f32>) {
  // expected-error @below {{'ragged.unpack' op result #0 is !ragged.tensor<[n], f32>, expected a builtin tensor of f32}}
  %0 = ragged.unpack %x : !ragged.tensor<*, f32> -> !ragged.tensor<[n], f32>
  return
}

// -----

// extents C1: no ragged tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'ragged.extents' op operand #0 is tensor<4xf32>, expected a ragged tensor}}
  %0 = ragged.extents %x dim = 0 : tensor<4xf32> -> tensor<?xi64>
  return
}

// -----

// extents C1: no dimension.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.extents' op 'dim' is -1, but operand #0 has rank 2}}
  %0 = ragged.extents %x dim = -1 : !ragged.tensor<[n, 4], f32> -> tensor<?xi64>
  return
}

// -----

// extents C1: no dimension.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.extents' op 'dim' is 2, but operand #0 has rank 2}}
  %0 = ragged.extents %x dim = 2 : !ragged.tensor<[n, 4], f32> -> tensor<?xi64>
  return
}

// -----

// extents: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.extents' op result #0 is tensor<?xi32>, expected tensor<?xi64>}}
  %0 = ragged.extents %x dim = 0 : !ragged.tensor<[n, 4], f32> -> tensor<?xi32>
  return
}

// -----

// offsets C1: no ragged tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'ragged.offsets' op operand #0 is tensor<4xf32>, expected a ragged tensor}}
  %0 = ragged.offsets %x : tensor<4xf32> -> tensor<?xi64>
  return
}

// -----

// offsets: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<*, f32>) {
  // expected-error @below {{'ragged.offsets' op result #0 is !ragged.tensor<*, i64>, expected tensor<?xi64>}}
  %0 = ragged.offsets %x : !ragged.tensor<*, f32> -> !ragged.tensor<*, i64>
  return
}

// -----

// Generic form: entries of axes that are no strings.
func.func @f(%v: tensor<?x4xf32>, %l: tensor<?xi64>) {
  // expected-error @below {{'ragged.from_values' op attribute 'axes' failed to satisfy constraint: string array attribute}}
  %0 = "ragged.from_values"(%v, %l) <{axes = [1]}> : (tensor<?x4xf32>, tensor<?xi64>) -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// Generic form: an attribute is missing.
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.extents' op requires attribute 'dim'}}
  %0 = "ragged.extents"(%x) : (!ragged.tensor<[n, 4], f32>) -> tensor<?xi64>
  return
}

// -----

// Generic form: an operand is missing.
func.func @f() {
  // expected-error @below {{'ragged.values' op expected 1 or more operands, but found 0}}
  %0 = "ragged.values"() : () -> tensor<?x4xf32>
  return
}

// -----

// unpack C2: a fill that is no truth value.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], i1>) {
  // expected-error @below {{'ragged.unpack' op 'fill' is 2, expected 0 or 1 for elements of i1}}
  %0 = ragged.unpack %x fill = 2.0 : !ragged.tensor<[n, 4], i1> -> tensor<?x?x4xi1>
  return
}

// -----

// values C3: another tail.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %v: tensor<?x5xf32>) {
  // expected-error @below {{'ragged.values' op operand #1 is tensor<?x5xf32>, expected tensor<?x4xf32>}}
  %0 = ragged.values %x like %v : !ragged.tensor<[n, 4], f32>, tensor<?x5xf32> -> tensor<?x4xf32>
  return
}

// -----

// values C3: another element type.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %v: tensor<?x4xf64>) {
  // expected-error @below {{'ragged.values' op operand #1 is tensor<?x4xf64>, expected tensor<?x4xf32>}}
  %0 = ragged.values %x like %v : !ragged.tensor<[n, 4], f32>, tensor<?x4xf64> -> tensor<?x4xf32>
  return
}

// -----

// values C3: a ragged tensor.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.values' op operand #1 is !ragged.tensor<[n, 4], f32>, expected tensor<?x4xf32>}}
  %0 = ragged.values %x like %x : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> tensor<?x4xf32>
  return
}

// -----

// values C3 while the operand is *.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<*, f32>, %v: tensor<?x5xf32>) {
  // expected-error @below {{'ragged.values' op operand #1 is tensor<?x5xf32>, expected tensor<?x4xf32>}}
  %0 = ragged.values %x like %v : !ragged.tensor<*, f32>, tensor<?x5xf32> -> tensor<?x4xf32>
  return
}

// -----

// values C2, with `like` too.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %v: tensor<?x4xf32>) {
  // expected-error @below {{'ragged.values' op result #0 is tensor<?x5xf32>, expected tensor<?x4xf32>}}
  %0 = ragged.values %x like %v : !ragged.tensor<[n, 4], f32>, tensor<?x4xf32> -> tensor<?x5xf32>
  return
}

// -----

// with_values C1: no tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %v: f32) {
  // expected-error @below {{'ragged.with_values' op operand #0 is f32, expected a builtin tensor with a dynamic extent followed by static ones}}
  %0 = ragged.with_values %v like %x : f32, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// with_values C1: a static number of rows.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %v: tensor<7x4xf32>) {
  // expected-error @below {{'ragged.with_values' op operand #0 is tensor<7x4xf32>, expected a builtin tensor with a dynamic extent followed by static ones}}
  %0 = ragged.with_values %v like %x : tensor<7x4xf32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// with_values C1: a dynamic tail.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %v: tensor<?x?xf32>) {
  // expected-error @below {{'ragged.with_values' op operand #0 is tensor<?x?xf32>, expected a builtin tensor with a dynamic extent followed by static ones}}
  %0 = ragged.with_values %v like %x : tensor<?x?xf32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// with_values C1: a ragged tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.with_values' op operand #0 is !ragged.tensor<[n, 4], f32>, expected a builtin tensor with a dynamic extent followed by static ones}}
  %0 = ragged.with_values %x like %x : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// with_values C2: no ragged tensor.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%v: tensor<?x4xf32>) {
  // expected-error @below {{'ragged.with_values' op operand #1 is tensor<?x4xf32>, expected a ragged tensor}}
  %0 = ragged.with_values %v like %v : tensor<?x4xf32>, tensor<?x4xf32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// with_values C2: fewer static dimensions.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, m], f32>, %v: tensor<?x4xf32>) {
  // expected-error @below {{'ragged.with_values' op operand #1 has 0 static dimensions, expected 1 as in operand #0}}
  %0 = ragged.with_values %v like %x : tensor<?x4xf32>, !ragged.tensor<[n, m], f32> -> !ragged.tensor<[n, m], f32>
  return
}

// -----

// with_values C2: another packed tail.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 3, 4], f32, order = [0, 2, 1]>, %v: tensor<?x3x4xf32>) {
  // expected-error @below {{'ragged.with_values' op operand #1 has extent 4 in its packed static dimension 0, expected 3 as in operand #0}}
  %0 = ragged.with_values %v like %x : tensor<?x3x4xf32>, !ragged.tensor<[n, 3, 4], f32, order = [0, 2, 1]> -> !ragged.tensor<*, f32>
  return
}

// -----

// with_values: another element type than that of the values.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %v: tensor<?x4xi64>) {
  // expected-error @below {{'ragged.with_values' op result #0 is !ragged.tensor<[n, 4], f32>, expected !ragged.tensor<[n, 4], i64>}}
  %0 = ragged.with_values %v like %x : tensor<?x4xi64>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// with_values: another schema.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %v: tensor<?x4xf32>) {
  // expected-error @below {{'ragged.with_values' op result #0 is !ragged.tensor<[m, 4], f32>, expected !ragged.tensor<[n, 4], f32>}}
  %0 = ragged.with_values %v like %x : tensor<?x4xf32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[m, 4], f32>
  return
}

// -----

// with_values while `like` is *: the element type is known.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<*, f64>, %v: tensor<?x4xf32>) {
  // expected-error @below {{'ragged.with_values' op result #0 is !ragged.tensor<*, f64>, expected !ragged.tensor<*, f32>}}
  %0 = ragged.with_values %v like %x : tensor<?x4xf32>, !ragged.tensor<*, f64> -> !ragged.tensor<*, f64>
  return
}

// -----

// with_padded C1: no batch.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %v: tensor<f32>) {
  // expected-error @below {{'ragged.with_padded' op operand #0 is tensor<f32>, expected a builtin tensor of f64, f32, bf16, i64 or i1 with a batch dimension}}
  %0 = ragged.with_padded %v like %x : tensor<f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// with_padded C1: a ragged tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.with_padded' op operand #0 is !ragged.tensor<[n, 4], f32>, expected a builtin tensor of f64, f32, bf16, i64 or i1 with a batch dimension}}
  %0 = ragged.with_padded %x like %x : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// with_padded C1: an element type that ragged tensors do not have.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %v: tensor<?x?x4xf16>) {
  // expected-error @below {{'ragged.with_padded' op operand #0 is tensor<?x?x4xf16>, expected a builtin tensor of f64, f32, bf16, i64 or i1 with a batch dimension}}
  %0 = ragged.with_padded %v like %x : tensor<?x?x4xf16>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// with_padded C1: no such batch dimension.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %v: tensor<?x?x4xf32>) {
  // expected-error @below {{'ragged.with_padded' op 'batch' is -1, expected 0 to 2 for operand #0}}
  %0 = ragged.with_padded %v like %x batch = -1 : tensor<?x?x4xf32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// with_padded C1: no such batch dimension.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %v: tensor<?x?x4xf32>) {
  // expected-error @below {{'ragged.with_padded' op 'batch' is 3, expected 0 to 2 for operand #0}}
  %0 = ragged.with_padded %v like %x batch = 3 : tensor<?x?x4xf32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// with_padded C2: no ragged tensor.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%v: tensor<?x?x4xf32>) {
  // expected-error @below {{'ragged.with_padded' op operand #1 is tensor<?x?x4xf32>, expected a ragged tensor}}
  %0 = ragged.with_padded %v like %v : tensor<?x?x4xf32>, tensor<?x?x4xf32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// with_padded C2: another rank.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, m, 4], f32>, %v: tensor<?x?x4xf32>) {
  // expected-error @below {{'ragged.with_padded' op operand #1 has rank 3, expected 2 for operand #0 and its batch}}
  %0 = ragged.with_padded %v like %x : tensor<?x?x4xf32>, !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32>
  return
}

// -----

// with_padded C2: another static extent.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %v: tensor<?x?x5xf32>) {
  // expected-error @below {{'ragged.with_padded' op operand #1 has extent 4 in dimension 1, expected 5 as in dimension 2 of operand #0}}
  %0 = ragged.with_padded %v like %x : tensor<?x?x5xf32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// with_padded C2: a dynamic extent.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %v: tensor<?x?x4xf32>) {
  // expected-error @below {{'ragged.with_padded' op operand #1 has extent 4 in dimension 1, which is dynamic in dimension 1 of operand #0}}
  %0 = ragged.with_padded %v like %x batch = 2 : tensor<?x?x4xf32>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// with_padded: another element type than that of the box.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %v: tensor<?x?x4xbf16>) {
  // expected-error @below {{'ragged.with_padded' op result #0 is !ragged.tensor<[n, 4], f32>, expected !ragged.tensor<[n, 4], bf16>}}
  %0 = ragged.with_padded %v like %x : tensor<?x?x4xbf16>, !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 4], f32>
  return
}

// -----

// unpack C3, with `like` too.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %v: tensor<?x?x4xf32>) {
  // expected-error @below {{'ragged.unpack' op result #0 is tensor<?x8x4xf32>, expected tensor<?x?x4xf32>}}
  %0 = ragged.unpack %x like %v : !ragged.tensor<[n, 4], f32>, tensor<?x?x4xf32> -> tensor<?x8x4xf32>
  return
}

// -----

// unpack C4: another static extent.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %v: tensor<?x?x5xf32>) {
  // expected-error @below {{'ragged.unpack' op operand #1 is tensor<?x?x5xf32>, expected tensor<?x?x4xf32>}}
  %0 = ragged.unpack %x like %v : !ragged.tensor<[n, 4], f32>, tensor<?x?x5xf32> -> tensor<?x?x5xf32>
  return
}

// -----

// unpack C4: another rank.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %v: tensor<?x4xf32>) {
  // expected-error @below {{'ragged.unpack' op operand #1 is tensor<?x4xf32>, expected tensor<?x?x4xf32>}}
  %0 = ragged.unpack %x like %v : !ragged.tensor<[n, 4], f32>, tensor<?x4xf32> -> tensor<?x4xf32>
  return
}

// -----

// unpack C4: another element type.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>, %v: tensor<?x?x4xi64>) {
  // expected-error @below {{'ragged.unpack' op operand #1 is tensor<?x?x4xi64>, expected tensor<?x?x4xf32>}}
  %0 = ragged.unpack %x like %v : !ragged.tensor<[n, 4], f32>, tensor<?x?x4xi64> -> tensor<?x?x4xf32>
  return
}

// -----

// unpack C4: a ragged tensor.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.unpack' op operand #1 is !ragged.tensor<[n, 4], f32>, expected tensor<?x?x4xf32>}}
  %0 = ragged.unpack %x like %x : !ragged.tensor<[n, 4], f32>, !ragged.tensor<[n, 4], f32> -> tensor<?x?x4xf32>
  return
}

// -----

// unpack C4 while the operand is *.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<*, f32>, %v: tensor<?x4xf32>) {
  // expected-error @below {{'ragged.unpack' op operand #1 is tensor<?x4xf32>, expected tensor<?x?x4xf32>}}
  %0 = ragged.unpack %x like %v : !ragged.tensor<*, f32>, tensor<?x4xf32> -> tensor<?x?x4xf32>
  return
}

// -----

// size C1: no ragged tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%v: tensor<?x4xf32>) {
  // expected-error @below {{'ragged.size' op operand #0 is tensor<?x4xf32>, expected a ragged tensor}}
  %0 = ragged.size %v dims = [0] : tensor<?x4xf32> -> !ragged.tensor<[], i64>
  return
}

// -----

// size C2: outside the rank.
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.size' op dims names dimension 2, expected 0 to 1 for rank 2}}
  %0 = ragged.size %x dims = [2] : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[], i64>
  return
}

// -----

// size C2: twice.
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.size' op dims names dimension 1 twice}}
  %0 = ragged.size %x dims = [1, 1] : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[], i64>
  return
}

// -----

// size: another element type.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.size' op result #0 is !ragged.tensor<[], f32>, expected !ragged.tensor<[], i64>}}
  %0 = ragged.size %x dims = [1] : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[], f32>
  return
}

// -----

// size: one number for the batch.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.size' op result #0 is !ragged.tensor<[], i64>, expected tensor<i64>}}
  %0 = ragged.size %x dims = [1] batch : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[], i64>
  return
}

// -----

// size: one number per sample.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.size' op result #0 is tensor<i64>, expected !ragged.tensor<[], i64>}}
  %0 = ragged.size %x dims = [1] : !ragged.tensor<[n, 4], f32> -> tensor<i64>
  return
}
