// What structure ops refuse.
// RUN: ragged-opt %s --split-input-file --verify-diagnostics

// expand_dims C1: no ragged tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'ragged.expand_dims' op operand #0 is tensor<4xf32>, expected a ragged tensor}}
  %0 = ragged.expand_dims %x dim = 0 : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// expand_dims C1: no place.
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.expand_dims' op dim is -1, expected 0 to 2 for rank 2}}
  %0 = ragged.expand_dims %x dim = -1 : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// expand_dims C1: no place.
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.expand_dims' op dim is 3, expected 0 to 2 for rank 2}}
  %0 = ragged.expand_dims %x dim = 3 : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// expand_dims C1: no room.
func.func @f(%x: !ragged.tensor<[n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n], f32>) {
  // expected-error @below {{'ragged.expand_dims' op operand #0 has rank 16, the largest there is}}
  %0 = ragged.expand_dims %x dim = 0 : !ragged.tensor<[n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// expand_dims: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.expand_dims' op result #0 is !ragged.tensor<[n, 1, 4], f32>, expected !ragged.tensor<[1, n, 4], f32, order = [1, 2, 0]>}}
  %0 = ragged.expand_dims %x dim = 0 : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<[n, 1, 4], f32>
  return
}

// -----

// expand_dims: only where the 1 is packed is free; the other dimensions keep their order.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 4, 5], f32>) {
  // expected-error @below {{'ragged.expand_dims' op result #0 is !ragged.tensor<[1, n, 4, 5], f32, order = [1, 3, 0, 2]>, expected !ragged.tensor<[1, n, 4, 5], f32, order = [1, 2, 3, 0]>}}
  %0 = ragged.expand_dims %x dim = 0 : !ragged.tensor<[n, 4, 5], f32> -> !ragged.tensor<[1, n, 4, 5], f32, order = [1, 3, 0, 2]>
  return
}

// -----

// squeeze C1: no ragged tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'ragged.squeeze' op operand #0 is tensor<4xf32>, expected a ragged tensor}}
  %0 = ragged.squeeze %x dims = [0] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// squeeze C1.
func.func @f(%x: !ragged.tensor<[n, 1, 4], f32>) {
  // expected-error @below {{'ragged.squeeze' op dims names dimension 3, expected 0 to 2 for rank 3}}
  %0 = ragged.squeeze %x dims = [3] : !ragged.tensor<[n, 1, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// squeeze C1.
func.func @f(%x: !ragged.tensor<[n, 1, 4], f32>) {
  // expected-error @below {{'ragged.squeeze' op dims names dimension -1, expected 0 to 2 for rank 3}}
  %0 = ragged.squeeze %x dims = [-1] : !ragged.tensor<[n, 1, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// squeeze C1.
func.func @f(%x: !ragged.tensor<[n, 1, 4], f32>) {
  // expected-error @below {{'ragged.squeeze' op dims names dimension 1 twice}}
  %0 = ragged.squeeze %x dims = [1, 1] : !ragged.tensor<[n, 1, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// squeeze C1.
func.func @f(%x: !ragged.tensor<[n, 1, 4], f32>) {
  // expected-error @below {{'ragged.squeeze' op operand #0 has axis n in dimension 0, expected static extent 1 to squeeze it}}
  %0 = ragged.squeeze %x dims = [0] : !ragged.tensor<[n, 1, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// squeeze C1.
func.func @f(%x: !ragged.tensor<[n, 1, 4], f32>) {
  // expected-error @below {{'ragged.squeeze' op operand #0 has extent 4 in dimension 2, expected 1 to squeeze it}}
  %0 = ragged.squeeze %x dims = [2] : !ragged.tensor<[n, 1, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// squeeze C1.
func.func @f(%x: !ragged.tensor<[n, 1, 4], f32>) {
  // expected-error @below {{'ragged.squeeze' op 'dims' has 17 entries, at most 16 are supported}}
  %0 = ragged.squeeze %x dims = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] : !ragged.tensor<[n, 1, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// squeeze: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, 1, 4], f32>) {
  // expected-error @below {{'ragged.squeeze' op result #0 is !ragged.tensor<[n, 1, 4], f32>, expected !ragged.tensor<[n, 4], f32>}}
  %0 = ragged.squeeze %x dims = [1] : !ragged.tensor<[n, 1, 4], f32> -> !ragged.tensor<[n, 1, 4], f32>
  return
}

// -----

// broadcast C1: what cannot be repeated.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<?xf32>, %p: !ragged.tensor<[n, m, 4], f32>) {
  // expected-error @below {{'ragged.broadcast' op operand #0 is tensor<?xf32>, expected a ragged tensor, a builtin tensor of static shape or a scalar}}
  %0 = ragged.broadcast %x dims = [2] like %p : tensor<?xf32>, !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32>
  return
}

// -----

// broadcast C1: what cannot be repeated.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: index, %p: !ragged.tensor<[n, m, 4], f32>) {
  // expected-error @below {{'ragged.broadcast' op operand #0 is index, expected a ragged tensor, a builtin tensor of static shape or a scalar}}
  %0 = ragged.broadcast %x dims = [2] like %p : index, !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32>
  return
}

// -----

// broadcast C1: what cannot be repeated.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<4xf16>, %p: !ragged.tensor<[n, m, 4], f32>) {
  // expected-error @below {{'ragged.broadcast' op operand #0 is tensor<4xf16>, expected a ragged tensor, a builtin tensor of static shape or a scalar}}
  %0 = ragged.broadcast %x dims = [2] like %p : tensor<4xf16>, !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32>
  return
}

// -----

// broadcast C1: what cannot be repeated.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<*xf32>, %p: !ragged.tensor<[n, m, 4], f32>) {
  // expected-error @below {{'ragged.broadcast' op operand #0 is tensor<*xf32>, expected a ragged tensor, a builtin tensor of static shape or a scalar}}
  %0 = ragged.broadcast %x dims = [2] like %p : tensor<*xf32>, !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32>
  return
}

// -----

// broadcast C1: what cannot be repeated.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: vector<4xf32>, %p: !ragged.tensor<[n, m, 4], f32>) {
  // expected-error @below {{'ragged.broadcast' op operand #0 is vector<4xf32>, expected a ragged tensor, a builtin tensor of static shape or a scalar}}
  %0 = ragged.broadcast %x dims = [2] like %p : vector<4xf32>, !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32>
  return
}

// -----

// broadcast C1: `like` is no tensor.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: f32, %p: f32) {
  // expected-error @below {{'ragged.broadcast' op operand #1 is f32, expected a ragged or a builtin tensor}}
  %0 = ragged.broadcast %x dims = [] like %p : f32, f32 -> f32
  return
}

// -----

// broadcast C1: a ragged operand where `like` is builtin.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[4], f32>, %p: tensor<4xf32>) {
  // expected-error @below {{'ragged.broadcast' op operand #0 is !ragged.tensor<[4], f32>, expected a builtin tensor or a scalar, like operand #1}}
  %0 = ragged.broadcast %x dims = [0] like %p : !ragged.tensor<[4], f32>, tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// broadcast C1: an unknown operand is ragged too.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<*, f32>, %p: tensor<4xf32>) {
  // expected-error @below {{'ragged.broadcast' op operand #0 is !ragged.tensor<*, f32>, expected a builtin tensor or a scalar, like operand #1}}
  %0 = ragged.broadcast %x dims = [0] like %p : !ragged.tensor<*, f32>, tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// broadcast C2: of a builtin `like`.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: tensor<4xf32>, %p: tensor<4xf32>) {
  // expected-error @below {{'ragged.broadcast' op dims names dimension 1 of operand #1, which has rank 1}}
  %0 = ragged.broadcast %x dims = [1] like %p : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// broadcast C3: of a builtin `like`.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: tensor<?x3xf32>, %p: tensor<5x4xf32>) {
  // expected-error @below {{'ragged.broadcast' op operand #0 has extent 3 in dimension 1, expected 1 or 4 as in dimension 1 of operand #1}}
  %0 = ragged.broadcast %x dims = [0, 1] like %p : tensor<?x3xf32>, tensor<5x4xf32> -> tensor<5x4xf32>
  return
}

// -----

// broadcast: the result has the shape of `like`.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<5xf32>, %p: tensor<?x4xi64>) {
  // expected-error @below {{'ragged.broadcast' op result #0 is tensor<5x4xf32>, expected tensor<?x4xf32>}}
  %0 = ragged.broadcast %x dims = [0] like %p : tensor<5xf32>, tensor<?x4xi64> -> tensor<5x4xf32>
  return
}

// -----

// broadcast C2: as many dims as dimensions.
func.func @f(%x: tensor<4xf32>, %p: !ragged.tensor<[n, m, 4], f32>) {
  // expected-error @below {{'ragged.broadcast' op dims has 2 entries, expected 1 as operand #0's rank}}
  %0 = ragged.broadcast %x dims = [1, 2] like %p : tensor<4xf32>, !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32>
  return
}

// -----

// broadcast C2: none for a scalar.
func.func @f(%x: f32, %p: !ragged.tensor<[n, m, 4], f32>) {
  // expected-error @below {{'ragged.broadcast' op dims has 1 entry, expected 0 as operand #0's rank}}
  %0 = ragged.broadcast %x dims = [0] like %p : f32, !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32>
  return
}

// -----

// broadcast C2: no dimension of `like`.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: tensor<4xf32>, %p: !ragged.tensor<[n, m, 4], f32>) {
  // expected-error @below {{'ragged.broadcast' op dims names dimension 3 of operand #1, which has rank 3}}
  %0 = ragged.broadcast %x dims = [3] like %p : tensor<4xf32>, !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32>
  return
}

// -----

// broadcast C2: no dimension of `like`.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: tensor<4xf32>, %p: !ragged.tensor<[n, m, 4], f32>) {
  // expected-error @below {{'ragged.broadcast' op dims names dimension -1 of operand #1, which has rank 3}}
  %0 = ragged.broadcast %x dims = [-1] like %p : tensor<4xf32>, !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32>
  return
}

// -----

// broadcast C2: a dimension twice.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: tensor<1x4xf32>, %p: !ragged.tensor<[n, m, 4], f32>) {
  // expected-error @below {{'ragged.broadcast' op dims names dimension 2 twice}}
  %0 = ragged.broadcast %x dims = [2, 2] like %p : tensor<1x4xf32>, !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32>
  return
}

// -----

// broadcast C3: another extent.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: tensor<5xf32>, %p: !ragged.tensor<[n, m, 4], f32>) {
  // expected-error @below {{'ragged.broadcast' op operand #0 has extent 5 in dimension 0, expected 1 or 4 as in dimension 2 of operand #1}}
  %0 = ragged.broadcast %x dims = [2] like %p : tensor<5xf32>, !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32>
  return
}

// -----

// broadcast C3: static against ragged.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: tensor<4xf32>, %p: !ragged.tensor<[n, m, 4], f32>) {
  // expected-error @below {{'ragged.broadcast' op operand #0 has extent 4 in dimension 0, expected 1 or axis n as in dimension 0 of operand #1}}
  %0 = ragged.broadcast %x dims = [0] like %p : tensor<4xf32>, !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32>
  return
}

// -----

// broadcast C3: another axis.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[m], f32>, %p: !ragged.tensor<[n, m, 4], f32>) {
  // expected-error @below {{'ragged.broadcast' op operand #0 has axis m in dimension 0, expected 1 or n as in dimension 0 of operand #1}}
  %0 = ragged.broadcast %x dims = [0] like %p : !ragged.tensor<[m], f32>, !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32>
  return
}

// -----

// broadcast: the element type is that of the operand.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: f64, %p: !ragged.tensor<[n, m, 4], f32>) {
  // expected-error @below {{'ragged.broadcast' op result #0 is !ragged.tensor<[n, m, 4], f32>, expected !ragged.tensor<[n, m, 4], f64>}}
  %0 = ragged.broadcast %x dims = [] like %p : f64, !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32>
  return
}

// -----

// transpose C1: no ragged tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'ragged.transpose' op operand #0 is tensor<4xf32>, expected a ragged tensor}}
  %0 = ragged.transpose %x permutation = [0] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// reorder C1: no ragged tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'ragged.reorder' op operand #0 is tensor<4xf32>, expected a ragged tensor}}
  %0 = ragged.reorder %x order = [0] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// transpose C1.
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.transpose' op permutation has 1 entry, expected 2 as operand #0's rank}}
  %0 = ragged.transpose %x permutation = [0] : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// transpose C1.
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.transpose' op permutation names dimension 0 twice}}
  %0 = ragged.transpose %x permutation = [0, 0] : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// transpose C1.
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.transpose' op permutation names dimension 2, expected 0 to 1 for rank 2}}
  %0 = ragged.transpose %x permutation = [0, 2] : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// transpose C1.
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.transpose' op permutation names dimension -1, expected 0 to 1 for rank 2}}
  %0 = ragged.transpose %x permutation = [-1, 0] : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// transpose: it moves no data.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, m, 4], f32>) {
  // expected-error @below {{'ragged.transpose' op result #0 is !ragged.tensor<[m, n, 4], f32>, expected !ragged.tensor<[m, n, 4], f32, order = [1, 0, 2]>}}
  %0 = ragged.transpose %x permutation = [1, 0, 2] : !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[m, n, 4], f32>
  return
}

// -----

// reorder C1.
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.reorder' op order has 1 entry, expected 2 as operand #0's rank}}
  %0 = ragged.reorder %x order = [0] : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// reorder C1.
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.reorder' op order names dimension 1 twice}}
  %0 = ragged.reorder %x order = [1, 1] : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// reorder C1.
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.reorder' op order names dimension 2, expected 0 to 1 for rank 2}}
  %0 = ragged.reorder %x order = [0, 2] : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// reorder C1.
func.func @f(%x: !ragged.tensor<[n, 4], f32>) {
  // expected-error @below {{'ragged.reorder' op result: order puts static dimension 1 before ragged dimension 0 (axis n), expected all ragged dimensions first}}
  %0 = ragged.reorder %x order = [1, 0] : !ragged.tensor<[n, 4], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// reorder: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, m, 4], f32>) {
  // expected-error @below {{'ragged.reorder' op result #0 is !ragged.tensor<[n, m, 4], f32>, expected !ragged.tensor<[n, m, 4], f32, order = [1, 0, 2]>}}
  %0 = ragged.reorder %x order = [1, 0, 2] : !ragged.tensor<[n, m, 4], f32> -> !ragged.tensor<[n, m, 4], f32>
  return
}

// -----

// assume_same_axis C1: no ragged tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<4xf32>, %y: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.assume_same_axis' op operand #0 is tensor<4xf32>, expected a ragged tensor}}
  %0 = ragged.assume_same_axis %x dims = [0] to = "n" like %y : tensor<4xf32>, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  return
}

// -----

// assume_same_axis C1: `like` is no ragged tensor.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[m], f32>, %y: tensor<4xf32>) {
  // expected-error @below {{'ragged.assume_same_axis' op operand #1 is tensor<4xf32>, expected a ragged tensor}}
  %0 = ragged.assume_same_axis %x dims = [0] to = "n" like %y : !ragged.tensor<[m], f32>, tensor<4xf32> -> !ragged.tensor<[n], f32>
  return
}

// -----

// assume_same_axis C2: no such dimension.
func.func @f(%x: !ragged.tensor<[m, m], f32>, %y: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.assume_same_axis' op dims names dimension 2, expected 0 to 1 for rank 2}}
  %0 = ragged.assume_same_axis %x dims = [1, 2] to = "n" like %y : !ragged.tensor<[m, m], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// assume_same_axis C2: a dimension twice.
func.func @f(%x: !ragged.tensor<[m, m], f32>, %y: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.assume_same_axis' op dims names dimension 1 twice}}
  %0 = ragged.assume_same_axis %x dims = [1, 1] to = "n" like %y : !ragged.tensor<[m, m], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// assume_same_axis C2: a static dimension.
func.func @f(%x: !ragged.tensor<[m, 4], f32>, %y: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.assume_same_axis' op operand #0 has extent 4 in dimension 1, expected an axis}}
  %0 = ragged.assume_same_axis %x dims = [0, 1] to = "n" like %y : !ragged.tensor<[m, 4], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// assume_same_axis C3: no axis of `like`.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[m], f32>, %y: !ragged.tensor<[n + 1], f32>) {
  // expected-error @below {{'ragged.assume_same_axis' op 'to' is "n", which is no axis of operand #1}}
  %0 = ragged.assume_same_axis %x dims = [0] to = "n" like %y : !ragged.tensor<[m], f32>, !ragged.tensor<[n + 1], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// assume_same_axis C3: the empty text.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%x: !ragged.tensor<[m], f32>, %y: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.assume_same_axis' op 'to' is "", which is no axis of operand #1}}
  %0 = ragged.assume_same_axis %x dims = [0] to = "" like %y : !ragged.tensor<[m], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// assume_same_axis C3: a null inside the text.
func.func @f(%x: !ragged.tensor<[m], f32>, %y: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.assume_same_axis' op 'to' is no axis}}
  %0 = ragged.assume_same_axis %x dims = [0] to = "n\00k" like %y : !ragged.tensor<[m], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<*, f32>
  return
}

// -----

// assume_same_axis: another result.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[m], f32>, %y: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.assume_same_axis' op result #0 is !ragged.tensor<[m], f32>, expected !ragged.tensor<[n], f32>}}
  %0 = ragged.assume_same_axis %x dims = [0] to = "n" like %y : !ragged.tensor<[m], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<[m], f32>
  return
}

// -----

// schema_cast C1: no ragged tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'ragged.schema_cast' op operand #0 is tensor<4xf32>, expected a ragged tensor}}
  %0 = ragged.schema_cast %x : tensor<4xf32> -> !ragged.tensor<*, f32>
  return
}

// -----

// schema_cast C1: between types that differ in what is known.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.schema_cast' op result #0 is !ragged.tensor<[m], f32>, expected !ragged.tensor<[n], f32>}}
  %0 = ragged.schema_cast %x : !ragged.tensor<[n], f32> -> !ragged.tensor<[m], f32>
  return
}

// -----

// schema_cast C1: between types that differ in what is known.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.schema_cast' op result #0 is !ragged.tensor<*, f64>, expected !ragged.tensor<[n], f32>}}
  %0 = ragged.schema_cast %x : !ragged.tensor<[n], f32> -> !ragged.tensor<*, f64>
  return
}

// -----

// schema_cast C1: between types that differ in what is known.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<*, f64>) {
  // expected-error @below {{'ragged.schema_cast' op result #0 is !ragged.tensor<[n], f32>, expected !ragged.tensor<*, f64>}}
  %0 = ragged.schema_cast %x : !ragged.tensor<*, f64> -> !ragged.tensor<[n], f32>
  return
}

// -----

// schema_cast C1: between types that differ in what is known.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<*, f32>) {
  // expected-error @below {{'ragged.schema_cast' op result #0 is tensor<4xf32>, expected !ragged.tensor<*, f32>}}
  %0 = ragged.schema_cast %x : !ragged.tensor<*, f32> -> tensor<4xf32>
  return
}

// -----

// schema_cast C1: between types that differ in what is known.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n, m], f32>) {
  // expected-error @below {{'ragged.schema_cast' op result #0 is !ragged.tensor<[n, m], f32, order = [1, 0]>, expected !ragged.tensor<[n, m], f32>}}
  %0 = ragged.schema_cast %x : !ragged.tensor<[n, m], f32> -> !ragged.tensor<[n, m], f32, order = [1, 0]>
  return
}

// -----

// full C1: a tensor.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%x: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.full' op operand #0 is !ragged.tensor<[n], f32>, expected a scalar of f64, f32, bf16, i64 or i1}}
  %0 = ragged.full %x like %x : !ragged.tensor<[n], f32>, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  return
}

// -----

// full C1: a number that there is not.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%s: f16, %x: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.full' op operand #0 is f16, expected a scalar of f64, f32, bf16, i64 or i1}}
  %0 = ragged.full %s like %x : f16, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  return
}

// -----

// full C1: like a scalar.
// expected-note @below {{operand #1 is defined here}}
func.func @f(%s: f32) {
  // expected-error @below {{'ragged.full' op operand #1 is f32, expected a ragged or a builtin tensor}}
  %0 = ragged.full %s like %s : f32, f32 -> f32
  return
}

// -----

// full: like a builtin tensor, one of its shape.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%s: f32, %x: tensor<?x4xi64>) {
  // expected-error @below {{'ragged.full' op result #0 is tensor<?x4xi64>, expected tensor<?x4xf32>}}
  %0 = ragged.full %s like %x : f32, tensor<?x4xi64> -> tensor<?x4xi64>
  return
}

// -----

// full: a result of the element type of like.
// expected-note @below {{operand #0 is defined here}}
func.func @f(%s: f64, %x: !ragged.tensor<[n], f32>) {
  // expected-error @below {{'ragged.full' op result #0 is !ragged.tensor<[n], f32>, expected !ragged.tensor<[n], f64>}}
  %0 = ragged.full %s like %x : f64, !ragged.tensor<[n], f32> -> !ragged.tensor<[n], f32>
  return
}
