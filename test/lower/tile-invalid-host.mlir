// Ops of host programs that the ragged_tile dialect refuses: each numbered constraint of their
// definitions (lib/lower/tile/RaggedTile*.td).
// RUN: ragged-opt %s --split-input-file --verify-diagnostics

// H1: not the first argument.
// expected-note @below {{defined here}}
func.func @f(%x: i64, %f: !ragged_tile.frame) {
  // expected-error @below {{has a frame that is not the first argument of a func.func of the module}}
  %0 = ragged_tile.argument %f, 0
  return
}

// -----

// H1: not of the module.
module {
  func.func @outer() {
    %0 = scf.execute_region -> i64 {
      %1 = builtin.unrealized_conversion_cast to !ragged_tile.frame
      // expected-note @above {{defined here}}
      // expected-error @below {{has a frame that is not the first argument of a func.func of the module}}
      %2 = ragged_tile.argument %1, 0
      %3 = arith.constant 0 : i64
      scf.yield %3 : i64
    }
    return
  }
}

// -----

// H1: results.
// expected-note @below {{the function is here}}
func.func @f(%f: !ragged_tile.frame) -> !ragged_tile.buffer {
  // expected-error @below {{stands in a function with results; a host program gives them with ragged_tile.result}}
  %0 = ragged_tile.argument %f, 0
  return %0 : !ragged_tile.buffer
}

// -----

// H1: blocks of the function.
func.func @f(%f: !ragged_tile.frame) {
  // expected-error @below {{stands in a region of several blocks, which a host program does not have}}
  %0 = ragged_tile.argument %f, 0
  cf.br ^bb1
  ^bb1:
  return
}

// -----

// H1: blocks of a region.
func.func @f(%f: !ragged_tile.frame) {
  scf.execute_region {
    // expected-error @below {{stands in a region of several blocks, which a host program does not have}}
    %0 = ragged_tile.argument %f, 0
    cf.br ^bb1
  ^bb1:
    scf.yield
  }
  return
}

// -----

// H2: index.
func.func @f(%f: !ragged_tile.frame) {
  // expected-error @below {{'index' is -1, expected no negative number}}
  %0 = ragged_tile.argument %f, -1
  return
}

// -----

// H2: dim.
func.func @f(%f: !ragged_tile.frame) {
  %0 = ragged_tile.argument %f, 0
  // expected-error @below {{'dim' is 16, expected a number in [0, 16)}}
  %1 = ragged_tile.dense_extent %f, %0 dim = 16
  return
}

// -----

// H2: tail.
func.func @f(%f: !ragged_tile.frame) {
  %0 = ragged_tile.argument %f, 0
  %1 = ragged_tile.batch_space %f
  // expected-error @below {{'tail' has a negative extent}}
  ragged_tile.check_values %f, %0, %1 tail = [4, -1]
  return
}

// -----

// H2: a long tail.
func.func @f(%f: !ragged_tile.frame) {
  %0 = ragged_tile.argument %f, 0
  %1 = ragged_tile.batch_space %f
  // expected-error @below {{'tail' has more than 16 dimensions}}
  %2 = ragged_tile.values %f, %0, %1 tail = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
  return
}

// -----

// H3: allocate.
func.func @f(%f: !ragged_tile.frame) {
  %0 = ragged_tile.batch_space %f
  // expected-error @below {{has an element type that the runtime does not have: i32}}
  %1 = ragged_tile.allocate %f, %0 of 4 x i32
  return
}

// -----

// H3: allocate_dense.
func.func @f(%f: !ragged_tile.frame) {
  // expected-error @below {{has an element type that the runtime does not have: vector<4xf32>}}
  %1 = ragged_tile.allocate_dense %f of vector<4xf32> []
  return
}

// -----

// H3: constant_buffer.
func.func @f(%f: !ragged_tile.frame) {
  // expected-error @below {{has an element type that the runtime does not have: f16}}
  %0 = ragged_tile.constant_buffer %f, dense<1.0> : tensor<2xf16>
  return
}

// -----

// H3: from_scalar.
func.func @f(%f: !ragged_tile.frame) {
  %0 = arith.constant 1 : i8
  // expected-error @below {{has a number of type i8, which the runtime does not have}}
  %1 = ragged_tile.from_scalar %f, %0 : i8
  return
}

// -----

// H3: to_scalar.
func.func @f(%f: !ragged_tile.frame) {
  %0 = ragged_tile.argument %f, 0
  // expected-error @below {{has a number of type i32, which the runtime does not have}}
  %1 = ragged_tile.to_scalar %f, %0 : i32
  return
}

// -----

// axis_expression C1.
func.func @f(%f: !ragged_tile.frame) {
  %0 = ragged_tile.argument_axis %f, 0 "n"
  // expected-error @below {{has 2 names for 1 axes}}
  %1 = ragged_tile.axis_expression %f, "n + m" names = ["n", "m"] (%0)
  return
}

// -----

// axis_expression C2: a name.
func.func @f(%f: !ragged_tile.frame) {
  %0 = ragged_tile.argument_axis %f, 0 "n"
  // expected-error @below {{has m in its expression, which is none of its names}}
  %1 = ragged_tile.axis_expression %f, "n + m" names = ["n"] (%0)
  return
}

// -----

// axis_expression C2: the text.
func.func @f(%f: !ragged_tile.frame) {
  %0 = ragged_tile.argument_axis %f, 0 "n"
  // expected-error @below {{axis expression "n +": expected a name, a number or "(" at the end}}
  %1 = ragged_tile.axis_expression %f, "n +" names = ["n"] (%0)
  return
}

// -----

// axis_expression: a null byte would end a name.
func.func @f(%f: !ragged_tile.frame) {
  %0 = ragged_tile.argument_axis %f, 0 "n"
  // expected-error @below {{has a null byte in its name #0}}
  %1 = ragged_tile.axis_expression %f, "n" names = ["n\00m"] (%0)
  return
}

// -----

// space C1: none.
func.func @f(%f: !ragged_tile.frame) {
  // expected-error @below {{has 0 axes, expected 1 to 16}}
  %0 = ragged_tile.space %f ()
  return
}

// -----

// space C1: many.
func.func @f(%f: !ragged_tile.frame) {
  %0 = ragged_tile.argument_axis %f, 0 "n"
  // expected-error @below {{has 17 axes, expected 1 to 16}}
  %1 = ragged_tile.space %f (%0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0)
  return
}

// -----

// allocate C1.
func.func @f(%f: !ragged_tile.frame) {
  %0 = ragged_tile.batch_space %f
  // expected-error @below {{'tail_elements' is -4, expected no negative number}}
  %1 = ragged_tile.allocate %f, %0 of -4 x f32
  return
}

// -----

// allocate_dense C1.
func.func @f(%f: !ragged_tile.frame) {
  %0 = arith.constant 1 : i64
  // expected-error @below {{has rank 17, at most 16 are supported}}
  %1 = ragged_tile.allocate_dense %f of f32 [%0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0]
  return
}

// -----

// constant_buffer C1: sparse elements.
func.func @f(%f: !ragged_tile.frame) {
  // expected-error @below {{must have dense elements}}
  %0 = ragged_tile.constant_buffer %f, sparse<[[0]], [1.0]> : tensor<2xf32>
  return
}

// -----

// constant_buffer C1: rank.
func.func @f(%f: !ragged_tile.frame) {
  // expected-error @below {{has rank 17, at most 16 are supported}}
  %0 = ragged_tile.constant_buffer %f, dense<1.0> : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
  return
}

// -----

// launch C1: nothing of that name.
func.func @f(%f: !ragged_tile.frame) {
  %0 = arith.constant 1 : i64
  // expected-error @below {{'ragged_tile.launch' op launches @k, which is no kernel of the module}}
  ragged_tile.launch %f, @k items %0 batch %0 axes() buffers()
  return
}

// -----

// launch C1: a function.
func.func @f(%f: !ragged_tile.frame) {
  %0 = arith.constant 1 : i64
  // expected-error @below {{launches @f, which is no kernel of the module}}
  ragged_tile.launch %f, @f items %0 batch %0 axes() buffers()
  return
}

// -----

// launch C2: too few.
// expected-note @below {{the kernel is here}}
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, 4xf32>):
}
func.func @f(%f: !ragged_tile.frame) {
  %0 = arith.constant 1 : i64
  %1 = ragged_tile.argument_axis %f, 0 "n"
  %2 = ragged_tile.argument %f, 0
  // expected-error @below {{has 0 axes and 0 buffers, but its kernel has 1 axes and 1 refs}}
  ragged_tile.launch %f, @k items %0 batch %0 axes() buffers()
  return
}

// -----

// launch C2: one for the other.
// expected-note @below {{the kernel is here}}
ragged_tile.kernel @k axes = ["n"] grid = [] {
^bb0(%x: !ragged_tile.ref<dense, 4xf32>):
}
func.func @f(%f: !ragged_tile.frame) {
  %0 = arith.constant 1 : i64
  %1 = ragged_tile.argument_axis %f, 0 "n"
  %2 = ragged_tile.argument %f, 0
  // expected-error @below {{has 2 axes and 0 buffers, but its kernel has 1 axes and 1 refs}}
  ragged_tile.launch %f, @k items %0 batch %0 axes(%1, %1) buffers()
  return
}

// -----

// checked_divisor C1.
func.func @f(%f: !ragged_tile.frame, %x: i128) {
  // expected-error @below {{is of type i128, expected index or an integer of at most 64 bits}}
  %0 = ragged_tile.checked_divisor %f, %x by %x : i128
  return
}

// -----

// trip_count C1.
func.func @f(%f: !ragged_tile.frame, %x: i65) {
  // expected-error @below {{is of type i65, expected index or an integer of at most 64 bits}}
  %0 = ragged_tile.trip_count %f, %x to %x step %x : i65
  return
}

// -----

// parts_axis C1.
func.func @f(%f: !ragged_tile.frame, %extent: i64) {
  // expected-error @below {{'ragged_tile.parts_axis' op 'most' is 0, expected at least 1}}
  %a = ragged_tile.parts_axis %f, %extent most = 0
  return
}

// -----

// H3: truth values in a resource, whose bytes are not the runtime's.
func.func @f(%f: !ragged_tile.frame) {
  // expected-error @below {{has elements of i1 in a resource, expected them written out}}
  %0 = ragged_tile.constant_buffer %f, dense_resource<truth> : tensor<4xi1>
  return
}
{-#
  dialect_resources: {
    builtin: {
      truth: "0x0100000001000101"
    }
  }
#-}
