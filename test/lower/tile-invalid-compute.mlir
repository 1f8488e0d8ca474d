// Ops on tiles that the ragged_tile dialect refuses: each numbered constraint of their
// definitions (lib/lower/tile/RaggedTile*.td).
// RUN: ragged-opt %s --split-input-file --verify-diagnostics

// constant C1: a fraction.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  // expected-error @below {{'value' is 2.5, expected a whole number of 64 bits}}
  %0 = ragged_tile.constant 2.5 : !ragged_tile.tile<i64>
}

// -----

// constant C1: beyond 64 bits.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  // expected-error @below {{'value' is 1e+30, expected a whole number of 64 bits}}
  %0 = ragged_tile.constant 1.0e+30 : !ragged_tile.tile<i64>
}

// -----

// constant C1: NaN.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  // expected-error @below {{'value' is nan, expected a whole number of 64 bits}}
  %0 = ragged_tile.constant 0x7FF8000000000000 : !ragged_tile.tile<i64>
}

// -----

// elementwise C1: a name.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has no function "cosine"}}
  %1 = ragged_tile.elementwise "cosine", %0 : !ragged_tile.tile<4xf32> -> !ragged_tile.tile<4xf32>
}

// -----

// elementwise C1: too few.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has 1 operands, but "add" takes 2}}
  %1 = ragged_tile.elementwise "add", %0 : !ragged_tile.tile<4xf32> -> !ragged_tile.tile<4xf32>
}

// -----

// elementwise C1: too many.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has 2 operands, but "sqrt" takes 1}}
  %1 = ragged_tile.elementwise "sqrt", %0, %0 : !ragged_tile.tile<4xf32>, !ragged_tile.tile<4xf32> -> !ragged_tile.tile<4xf32>
}

// -----

// elementwise C1: none.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  // expected-error @below {{has 0 operands, but "exp" takes 1}}
  %0 = "ragged_tile.elementwise"() <{function = "exp"}> : () -> !ragged_tile.tile<4xf32>
}

// -----

// elementwise C2: the result.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  // expected-note @below {{defined here}}
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has an operand #0 of another type than the result}}
  %1 = ragged_tile.elementwise "exp", %0 : !ragged_tile.tile<4xf32> -> !ragged_tile.tile<4xf64>
}

// -----

// elementwise C2: the operands.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-note @below {{defined here}}
  %1 = ragged_tile.constant 1.0 : !ragged_tile.tile<f32>
  // expected-error @below {{has an operand #1 of another type than the result}}
  %2 = ragged_tile.elementwise "add", %0, %1 : !ragged_tile.tile<4xf32>, !ragged_tile.tile<f32> -> !ragged_tile.tile<4xf32>
}

// -----

// elementwise C3: exp.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xi64>
  // expected-error @below {{has elements of i64, but "exp" takes floats}}
  %1 = ragged_tile.elementwise "exp", %0 : !ragged_tile.tile<4xi64> -> !ragged_tile.tile<4xi64>
}

// -----

// elementwise C3: sqrt.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xi64>
  // expected-error @below {{has elements of i64, but "sqrt" takes floats}}
  %1 = ragged_tile.elementwise "sqrt", %0 : !ragged_tile.tile<4xi64> -> !ragged_tile.tile<4xi64>
}

// -----

// elementwise C3: lowest_to_zero.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xi64>
  // expected-error @below {{has elements of i64, but "lowest_to_zero" takes floats}}
  %1 = ragged_tile.elementwise "lowest_to_zero", %0 : !ragged_tile.tile<4xi64> -> !ragged_tile.tile<4xi64>
}

// -----

// convert C1: element types.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has an operand and a result of one element type, f32}}
  %1 = ragged_tile.convert %0 : !ragged_tile.tile<4xf32> -> !ragged_tile.tile<4xf32>
}

// -----

// convert C1: shapes.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has a result of another shape than its operand}}
  %1 = ragged_tile.convert %0 : !ragged_tile.tile<4xf32> -> !ragged_tile.tile<3xf64>
}

// -----

// view C1.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4x3xf32>
  // expected-error @below {{has a result of another element type than its operand}}
  %1 = ragged_tile.view %0 map = [0, 1] : !ragged_tile.tile<4x3xf32> -> !ragged_tile.tile<4x3xf64>
}

// -----

// view C2: too few.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4x3xf32>
  // expected-error @below {{'map' has 1 entry, expected 2}}
  %1 = ragged_tile.view %0 map = [0] : !ragged_tile.tile<4x3xf32> -> !ragged_tile.tile<4x3xf32>
}

// -----

// view C2: beyond.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4x3xf32>
  // expected-error @below {{'map' has 2 for operand dimension 1, expected -1 or a result dimension}}
  %1 = ragged_tile.view %0 map = [0, 2] : !ragged_tile.tile<4x3xf32> -> !ragged_tile.tile<4x3xf32>
}

// -----

// view C2: below -1.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4x3xf32>
  // expected-error @below {{'map' has -2 for operand dimension 0, expected -1 or a result dimension}}
  %1 = ragged_tile.view %0 map = [-2, 1] : !ragged_tile.tile<4x3xf32> -> !ragged_tile.tile<4x3xf32>
}

// -----

// view C2: twice.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4x4xf32>
  // expected-error @below {{'map' has result dimension 0 twice}}
  %1 = ragged_tile.view %0 map = [0, 0] : !ragged_tile.tile<4x4xf32> -> !ragged_tile.tile<4x4xf32>
}

// -----

// view C3: extents.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4x3xf32>
  // expected-error @below {{operand dimension 0 has extent 4, but result dimension 1, which indexes it, has 3}}
  %1 = ragged_tile.view %0 map = [1, 0] : !ragged_tile.tile<4x3xf32> -> !ragged_tile.tile<4x3xf32>
}

// -----

// view C3: position 0 of nothing.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<0xf32>
  // expected-error @below {{reads position 0 of operand dimension 0, which has none}}
  %1 = ragged_tile.view %0 map = [-1] : !ragged_tile.tile<0xf32> -> !ragged_tile.tile<4xf32>
}

// -----

// reduce C1.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4x3xf32>
  // expected-error @below {{has kind "minimum", expected "add" or "maximum"}}
  %1 = ragged_tile.reduce "minimum", %0 dims = [0] : !ragged_tile.tile<4x3xf32> -> !ragged_tile.tile<3xf32>
}

// -----

// reduce C1: an empty text.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4x3xf32>
  // expected-error @below {{has kind "", expected "add" or "maximum"}}
  %1 = ragged_tile.reduce "", %0 dims = [0] : !ragged_tile.tile<4x3xf32> -> !ragged_tile.tile<3xf32>
}

// -----

// reduce C2: none.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4x3xf32>
  // expected-error @below {{reduces no dimension}}
  %1 = ragged_tile.reduce "add", %0 dims = [] : !ragged_tile.tile<4x3xf32> -> !ragged_tile.tile<4x3xf32>
}

// -----

// reduce C2: none of a number.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<f32>
  // expected-error @below {{reduces no dimension}}
  %1 = ragged_tile.reduce "add", %0 dims = [] : !ragged_tile.tile<f32> -> !ragged_tile.tile<f32>
}

// -----

// reduce C2: beyond.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4x3xf32>
  // expected-error @below {{'dims' has 2, expected a dimension in [0, 2)}}
  %1 = ragged_tile.reduce "add", %0 dims = [2] : !ragged_tile.tile<4x3xf32> -> !ragged_tile.tile<4x3xf32>
}

// -----

// reduce C2: negative.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4x3xf32>
  // expected-error @below {{'dims' has -1, expected a dimension in [0, 2)}}
  %1 = ragged_tile.reduce "add", %0 dims = [-1] : !ragged_tile.tile<4x3xf32> -> !ragged_tile.tile<4x3xf32>
}

// -----

// reduce C2: twice.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4x3xf32>
  // expected-error @below {{'dims' has 1 twice}}
  %1 = ragged_tile.reduce "add", %0 dims = [1, 1] : !ragged_tile.tile<4x3xf32> -> !ragged_tile.tile<4xf32>
}

// -----

// reduce C3: shape.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4x3xf32>
  // expected-error @below {{has a result that is not what its reduction leaves}}
  %1 = ragged_tile.reduce "add", %0 dims = [1] : !ragged_tile.tile<4x3xf32> -> !ragged_tile.tile<3xf32>
}

// -----

// reduce C3: element type.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4x3xf32>
  // expected-error @below {{has a result that is not what its reduction leaves}}
  %1 = ragged_tile.reduce "add", %0 dims = [1] : !ragged_tile.tile<4x3xf32> -> !ragged_tile.tile<4xf64>
}

// -----

// dot C1: no dimension.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%w: !ragged_tile.ref<dense, 5x4xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<f32>
  // expected-error @below {{has a value without dimensions}}
  %1 = ragged_tile.dot %0, %w : !ragged_tile.tile<f32>, !ragged_tile.ref<dense, 5x4xf32> -> !ragged_tile.tile<f32>
}

// -----

// dot C1: k.
ragged_tile.kernel @k axes = ["n"] grid = [] {
// expected-note @below {{defined here}}
^bb0(%w: !ragged_tile.ref<dense, 5x4xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<3xf32>
  // expected-error @below {{has a weight that is not a dense ref n x k of elements computed with in the value's type}}
  %1 = ragged_tile.dot %0, %w : !ragged_tile.tile<3xf32>, !ragged_tile.ref<dense, 5x4xf32> -> !ragged_tile.tile<5xf32>
}

// -----

// dot C1: rank.
ragged_tile.kernel @k axes = ["n"] grid = [] {
// expected-note @below {{defined here}}
^bb0(%w: !ragged_tile.ref<dense, 20xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has a weight that is not a dense ref n x k of elements computed with in the value's type}}
  %1 = ragged_tile.dot %0, %w : !ragged_tile.tile<4xf32>, !ragged_tile.ref<dense, 20xf32> -> !ragged_tile.tile<5xf32>
}

// -----

// dot C1: element type.
ragged_tile.kernel @k axes = ["n"] grid = [] {
// expected-note @below {{defined here}}
^bb0(%w: !ragged_tile.ref<dense, 5x4xf64>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has a weight that is not a dense ref n x k of elements computed with in the value's type}}
  %1 = ragged_tile.dot %0, %w : !ragged_tile.tile<4xf32>, !ragged_tile.ref<dense, 5x4xf64> -> !ragged_tile.tile<5xf32>
}

// -----

// dot C1: packed rows.
ragged_tile.kernel @k axes = [] grid = [] {
// expected-note @below {{defined here}}
^bb0(%s: index, %w: !ragged_tile.ref<[], 5x4xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has a weight that is not a dense ref n x k of elements computed with in the value's type}}
  %1 = ragged_tile.dot %0, %w : !ragged_tile.tile<4xf32>, !ragged_tile.ref<[], 5x4xf32> -> !ragged_tile.tile<5xf32>
}

// -----

// dot C1: a transposed weight.
ragged_tile.kernel @f axes = [] grid = [] {
// expected-note @below {{defined here}}
^bb0(%w: !ragged_tile.ref<dense, 5x4xf32>):
  %0 = ragged_tile.constant 0.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{'ragged_tile.dot' op has a weight that is not a dense ref k x n of elements computed with in the value's type}}
  %1 = ragged_tile.dot %0, %w transposed : !ragged_tile.tile<4xf32>, !ragged_tile.ref<dense, 5x4xf32> -> !ragged_tile.tile<5xf32>
}

// -----

// dot C2: shape.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%w: !ragged_tile.ref<dense, 5x4xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<2x4xf32>
  // expected-error @below {{has a result that is not its value with another last dimension}}
  %1 = ragged_tile.dot %0, %w : !ragged_tile.tile<2x4xf32>, !ragged_tile.ref<dense, 5x4xf32> -> !ragged_tile.tile<3x5xf32>
}

// -----

// dot C2: element type.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%w: !ragged_tile.ref<dense, 5x4xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has a result that is not its value with another last dimension}}
  %1 = ragged_tile.dot %0, %w : !ragged_tile.tile<4xf32>, !ragged_tile.ref<dense, 5x4xf32> -> !ragged_tile.tile<5xf64>
}

// -----

// dot C3: nothing follows.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%w: !ragged_tile.ref<dense, 5x4xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has 0 operands after its weight, expected 1}}
  %1 = ragged_tile.dot %0, %w bias : !ragged_tile.tile<4xf32>, !ragged_tile.ref<dense, 5x4xf32> -> !ragged_tile.tile<5xf32>
}

// -----

// dot C3: something follows.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%w: !ragged_tile.ref<dense, 5x4xf32>, %b: !ragged_tile.ref<dense, 5xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has 1 operands after its weight, expected 0}}
  %1 = ragged_tile.dot %0, %w, %b : !ragged_tile.tile<4xf32>, !ragged_tile.ref<dense, 5x4xf32>, !ragged_tile.ref<dense, 5xf32> -> !ragged_tile.tile<5xf32>
}

// -----

// dot C3: the bias.
ragged_tile.kernel @k axes = ["n"] grid = [] {
// expected-note @below {{defined here}}
^bb0(%w: !ragged_tile.ref<dense, 5x4xf32>, %b: !ragged_tile.ref<dense, 4xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has a bias that is not a dense ref n of elements computed with in the value's type}}
  %1 = ragged_tile.dot %0, %w, %b bias : !ragged_tile.tile<4xf32>, !ragged_tile.ref<dense, 5x4xf32>, !ragged_tile.ref<dense, 4xf32> -> !ragged_tile.tile<5xf32>
}

// -----

// dot C3: a bias that is a tile.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%w: !ragged_tile.ref<dense, 5x4xf32>):
  // expected-note @below {{defined here}}
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has a bias that is not a dense ref n of elements computed with in the value's type}}
  %1 = ragged_tile.dot %0, %w, %0 bias : !ragged_tile.tile<4xf32>, !ragged_tile.ref<dense, 5x4xf32>, !ragged_tile.tile<4xf32> -> !ragged_tile.tile<5xf32>
}

// -----

// dot C3: the residual.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%w: !ragged_tile.ref<dense, 5x4xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has a residual of another type than its result}}
  %1 = ragged_tile.dot %0, %w, %0 residual : !ragged_tile.tile<4xf32>, !ragged_tile.ref<dense, 5x4xf32>, !ragged_tile.tile<4xf32> -> !ragged_tile.tile<5xf32>
}

// -----

// dot C4.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%w: !ragged_tile.ref<dense, 5x4xf32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has activation 4, expected 0 to 3 for elements of f32}}
  %1 = ragged_tile.dot %0, %w activation = 4 : !ragged_tile.tile<4xf32>, !ragged_tile.ref<dense, 5x4xf32> -> !ragged_tile.tile<5xf32>
}

// -----

// dot C4: integers.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%w: !ragged_tile.ref<dense, 5x4xi64>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xi64>
  // expected-error @below {{has activation 2, expected 0 to 1 for elements of i64}}
  %1 = ragged_tile.dot %0, %w activation = 2 : !ragged_tile.tile<4xi64>, !ragged_tile.ref<dense, 5x4xi64> -> !ragged_tile.tile<5xi64>
}

// -----

// elementwise C2: what a comparison gives.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has a result of f32, but "less" gives i1}}
  %1 = ragged_tile.elementwise "less", %0, %0 : !ragged_tile.tile<4xf32>, !ragged_tile.tile<4xf32> -> !ragged_tile.tile<4xf32>
}

// -----

// elementwise C2: what a comparison compares.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-note @below {{defined here}}
  %1 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf64>
  // expected-error @below {{has an operand #1 of another type than another, or another shape than its result}}
  %2 = ragged_tile.elementwise "less", %0, %1 : !ragged_tile.tile<4xf32>, !ragged_tile.tile<4xf64> -> !ragged_tile.tile<4xi1>
}

// -----

// elementwise C2: a condition.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  // expected-note @below {{defined here}}
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{has an operand #0 of another type than a condition of its result}}
  %1 = ragged_tile.elementwise "where", %0, %0, %0 : !ragged_tile.tile<4xf32>, !ragged_tile.tile<4xf32>, !ragged_tile.tile<4xf32> -> !ragged_tile.tile<4xf32>
}

// -----

// elementwise C3: truth values.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xi1>
  // expected-error @below {{has elements of i1, but "add" takes numbers}}
  %1 = ragged_tile.elementwise "add", %0, %0 : !ragged_tile.tile<4xi1>, !ragged_tile.tile<4xi1> -> !ragged_tile.tile<4xi1>
}

// -----

// convert C1: bf16 in f64.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  %0 = ragged_tile.constant 1.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{rounds to bf16, but has a result of f64, expected f32}}
  %1 = ragged_tile.convert %0 bf16 : !ragged_tile.tile<4xf32> -> !ragged_tile.tile<4xf64>
}

// -----

// constant C1: a truth value.
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, f32>):
  // expected-error @below {{'value' is 2, expected 0 or 1}}
  %0 = ragged_tile.constant 2.0 : !ragged_tile.tile<4xi1>
}

// -----

// position C1.
ragged_tile.kernel @f axes = [] grid = [] {
^bb0(%s: index, %x: !ragged_tile.ref<[], f32>):
  // expected-error @below {{'ragged_tile.position' op has a result that is not a tile<i64>}}
  %0 = ragged_tile.position %s : !ragged_tile.tile<f32>
}

// -----

// iota C1: element type.
ragged_tile.kernel @f axes = [] grid = [] {
  // expected-error @below {{'ragged_tile.iota' op has elements of f32, expected i64}}
  %0 = ragged_tile.iota dim = 0 : !ragged_tile.tile<4xf32>
}

// -----

// iota C1: dimension.
ragged_tile.kernel @f axes = [] grid = [] {
  // expected-error @below {{'ragged_tile.iota' op has dim 1, expected a dimension in [0, 1)}}
  %0 = ragged_tile.iota dim = 1 : !ragged_tile.tile<4xi64>
}

// -----

// where_equal C1: what is compared.
ragged_tile.kernel @f axes = [] grid = [] {
  %0 = ragged_tile.constant 0.0 : !ragged_tile.tile<4xf32>
  %1 = ragged_tile.constant 0.0 : !ragged_tile.tile<4xi64>
  // expected-error @below {{'ragged_tile.where_equal' op compares tiles of two types}}
  %2 = ragged_tile.where_equal %0, %1, %1, %1 : !ragged_tile.tile<4xf32>, !ragged_tile.tile<4xi64>, !ragged_tile.tile<4xi64>, !ragged_tile.tile<4xi64> -> !ragged_tile.tile<4xi64>
}

// -----

// where_equal C1: what is chosen.
ragged_tile.kernel @f axes = [] grid = [] {
  %0 = ragged_tile.constant 0.0 : !ragged_tile.tile<4xf32>
  %1 = ragged_tile.constant 0.0 : !ragged_tile.tile<4xi64>
  // expected-error @below {{'ragged_tile.where_equal' op chooses between tiles of another type than its result}}
  %2 = ragged_tile.where_equal %0, %0, %0, %1 : !ragged_tile.tile<4xf32>, !ragged_tile.tile<4xf32>, !ragged_tile.tile<4xf32>, !ragged_tile.tile<4xi64> -> !ragged_tile.tile<4xi64>
}

// -----

// where_equal C2.
ragged_tile.kernel @f axes = [] grid = [] {
  %0 = ragged_tile.constant 0.0 : !ragged_tile.tile<3xf32>
  %1 = ragged_tile.constant 0.0 : !ragged_tile.tile<4xi64>
  // expected-error @below {{'ragged_tile.where_equal' op compares tiles of another shape than its result}}
  %2 = ragged_tile.where_equal %0, %0, %1, %1 : !ragged_tile.tile<3xf32>, !ragged_tile.tile<3xf32>, !ragged_tile.tile<4xi64>, !ragged_tile.tile<4xi64> -> !ragged_tile.tile<4xi64>
}

// -----

// product_over_rows C1: rows.
ragged_tile.kernel @f axes = [] grid = [] {
// expected-note @below {{defined here}}
^bb0(%s: index, %a: !ragged_tile.ref<[], f32>, %b: !ragged_tile.ref<[], 3xf32>, %c: !ragged_tile.ref<slices 4, 3xf32>):
  // expected-error @below {{'ragged_tile.product_over_rows' op has an operand #0 that is no packed ref with a dimension}}
  ragged_tile.product_over_rows %a, %b, %c[%s] of 256 at_most 64 : !ragged_tile.ref<[], f32>, !ragged_tile.ref<[], 3xf32>, !ragged_tile.ref<slices 4, 3xf32>
}

// -----

// product_over_rows C1: rows that lie alike.
ragged_tile.kernel @f axes = [] grid = [] {
^bb0(%s: index, %a: !ragged_tile.ref<[], 2x4xf32>, %b: !ragged_tile.ref<[], 3x3xf32>, %c: !ragged_tile.ref<slices 4, 3xf32>):
  // expected-error @below {{'ragged_tile.product_over_rows' op has refs that differ in more than their last dimension}}
  ragged_tile.product_over_rows %a, %b, %c[%s] of 256 at_most 64 : !ragged_tile.ref<[], 2x4xf32>, !ragged_tile.ref<[], 3x3xf32>, !ragged_tile.ref<slices 4, 3xf32>
}

// -----

// product_over_rows C1: element types.
ragged_tile.kernel @f axes = [] grid = [] {
^bb0(%s: index, %a: !ragged_tile.ref<[], 4xbf16>, %b: !ragged_tile.ref<[], 3xf32>, %c: !ragged_tile.ref<slices 4, 3xf32>):
  // expected-error @below {{'ragged_tile.product_over_rows' op has rows of bf16 and of f32}}
  ragged_tile.product_over_rows %a, %b, %c[%s] of 256 at_most 64 : !ragged_tile.ref<[], 4xbf16>, !ragged_tile.ref<[], 3xf32>, !ragged_tile.ref<slices 4, 3xf32>
}

// -----

// product_over_rows C1: sums.
ragged_tile.kernel @f axes = [] grid = [] {
// expected-note @below {{defined here}}
^bb0(%s: index, %a: !ragged_tile.ref<[], 4xbf16>, %b: !ragged_tile.ref<[], 3xbf16>, %c: !ragged_tile.ref<slices 4, 3xbf16>):
  // expected-error @below {{'ragged_tile.product_over_rows' op has sums that are not slices of the products of its rows}}
  ragged_tile.product_over_rows %a, %b, %c[%s] of 256 at_most 64 : !ragged_tile.ref<[], 4xbf16>, !ragged_tile.ref<[], 3xbf16>, !ragged_tile.ref<slices 4, 3xbf16>
}

// -----

// product_over_rows C2.
ragged_tile.kernel @f axes = ["n"] grid = [0] {
^bb0(%s: index, %i: index, %a: !ragged_tile.ref<[], 4xf32>, %b: !ragged_tile.ref<[], 3xf32>, %c: !ragged_tile.ref<slices 4, 3xf32>):
  // expected-error @below {{'ragged_tile.product_over_rows' op has a slice that is not the sample of a kernel with an empty grid}}
  ragged_tile.product_over_rows %a, %b, %c[%s] of 256 at_most 64 : !ragged_tile.ref<[], 4xf32>, !ragged_tile.ref<[], 3xf32>, !ragged_tile.ref<slices 4, 3xf32>
}

// -----

// product_over_rows C3.
ragged_tile.kernel @f axes = [] grid = [] {
^bb0(%s: index, %a: !ragged_tile.ref<[], 4xf32>, %b: !ragged_tile.ref<[], 3xf32>, %c: !ragged_tile.ref<slices 4, 3xf32>):
  %0 = ragged_tile.constant 0.0 : !ragged_tile.tile<4xf32>
  // expected-error @below {{'ragged_tile.product_over_rows' op stands with other ops in its kernel}}
  ragged_tile.product_over_rows %a, %b, %c[%s] of 256 at_most 64 : !ragged_tile.ref<[], 4xf32>, !ragged_tile.ref<[], 3xf32>, !ragged_tile.ref<slices 4, 3xf32>
}

// -----

// product_over_rows C4.
ragged_tile.kernel @f axes = [] grid = [] {
^bb0(%s: index, %a: !ragged_tile.ref<[], 4xf32>, %b: !ragged_tile.ref<[], 3xf32>, %c: !ragged_tile.ref<slices 4, 3xf32>):
  // expected-error @below {{'ragged_tile.product_over_rows' op has at most 64 slices of 0 rows or more, expected positive numbers}}
  ragged_tile.product_over_rows %a, %b, %c[%s] of 0 at_most 64 : !ragged_tile.ref<[], 4xf32>, !ragged_tile.ref<[], 3xf32>, !ragged_tile.ref<slices 4, 3xf32>
}

// -----

// ref C3: slices.
// expected-error @below {{has slices of no number of rows in [0, 2147483647]}}
func.func private @f(!ragged_tile.ref<slices 2147483648, 3xf32>)

// -----

// load C1: a row of slices is reached by its slice and its number.
ragged_tile.kernel @f axes = [] grid = [] {
// expected-note @below {{defined here}}
^bb0(%s: index, %c: !ragged_tile.ref<slices 4, 3xf32>):
  // expected-error @below {{'ragged_tile.load' op has 1 coordinates, expected 2}}
  %0 = ragged_tile.load %c[%s] : !ragged_tile.ref<slices 4, 3xf32> -> !ragged_tile.tile<3xf32>
}
